"""Between the Compare tab and the window: a person's own profiles, and the key that pins one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.views.compare import CompareView

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def bind(window: MainWindow, view: CompareView) -> None:
    view.sides[1].shelf = window.bar.profile.shelf
