"""Between the page on break thresholds and the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.threshold_task import candidates_of
from gui.views.thresholds import ThresholdsView

if TYPE_CHECKING:
    from gui.main_window import MainWindow

LANE = "thresholds"


def bind(window: MainWindow, view: ThresholdsView) -> None:
    """Newest wins: of another path only the last one asked for counts."""

    def ask() -> None:
        state, wish = view.state, view.wish
        if state is None or wish is None:
            return
        window.jobs.run(
            LANE,
            candidates_of,
            *(window.sessions.path_of(state), wish.leaf),
            done=lambda found: view.take(wish, found),
            failed=lambda failure: view.fail(wish, failure.said),
            behind=True,
        )

    view.wanted.connect(ask)
