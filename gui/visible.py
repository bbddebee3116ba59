"""Hidden characters made visible: the core's, so that tables of the command line and the window show the same."""

from __future__ import annotations

from core.visible import Places, utf16, visible, visible_line

__all__ = ["Places", "utf16", "visible", "visible_line"]
