"""Between the page on what fills the window and the window itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.views.fill import FillView

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def bind(window: MainWindow, view: FillView) -> None:
    view.trace_wanted.connect(window.choose_trace)
    view.opened.connect(lambda: window.tabs.show_tab("prompt"))
