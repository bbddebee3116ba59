"""Between the page on token estimates and the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.margin_task import explain
from gui.views.margins import MarginsView

if TYPE_CHECKING:
    from gui.main_window import MainWindow

LANE = "margins"


def bind(window: MainWindow, view: MarginsView) -> None:
    """Newest wins: of another request only the last one asked for counts."""

    def ask() -> None:
        state, wish = view.state, view.wish
        if state is None or wish is None:
            return
        (leaf, number), profile = wish
        path = window.sessions.path_of(state)
        window.jobs.run(
            LANE,
            explain,
            *(path, leaf, state.counts.counter, number, profile, state.told),
            done=lambda found: view.take(wish, found),
            failed=lambda failure: view.fail(wish, failure.said),
            behind=True,
        )

    view.wanted.connect(ask)
