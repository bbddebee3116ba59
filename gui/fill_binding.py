"""Between the page on what fills the window and the window itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.thumbnail_task import thumbnail
from gui.views.fill import FillView

if TYPE_CHECKING:
    from gui.main_window import MainWindow


LANE = "picture"


def bind(window: MainWindow, view: FillView) -> None:
    def picture(rows: tuple[int, ...], nth: int) -> None:
        if view.state is not None:
            window.jobs.run(
                LANE,
                thumbnail,
                *(window.sessions.path_of(view.state), rows, nth),
                done=lambda found: view.foot.take_picture(rows, nth, found),
                failed=lambda _: view.foot.take_picture(rows, nth, None),
                behind=True,
            )

    view.picture_wanted.connect(picture)
    view.trace_wanted.connect(window.choose_trace)
    view.opened.connect(lambda: window.tabs.show_tab("prompt"))
