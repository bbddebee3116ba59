"""Has the judge read what is sent, once the person rests: it reads every text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from core.judge import Fault, judge
from core.steps import target_of
from gui.prompt_page import NO_FAULTS, Page

JUDGED_AFTER = 150
"""Milliseconds without another trace before the judge reads what is sent."""


def family_of(page: Page) -> str:
    """Which provider family the page's prompt goes to."""
    state = page.state
    return target_of(state.session, state.timeline, state.assembled, state.profile.family).family


class PromptJudge(QObject):
    """`page()`: the one that is shown; `told`: called when its faults are known."""

    def __init__(self, page: Callable[[], Page | None], told: Callable[[Page], None], parent: QObject) -> None:
        super().__init__(parent)
        self._page, self._told = page, told
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(JUDGED_AFTER)
        self._timer.timeout.connect(self.now)

    def wait(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def now(self) -> None:
        """Judge, unless a threshold is being dragged or the steps are not up to date: then a little later."""
        self._timer.stop()
        page = self._page()
        if page is None or page.stage is None or page.stage.step is not None or page.faults is not NO_FAULTS:
            return
        if page.state.grasped or page.state.stale:
            self._timer.start()
            return
        found: dict[int, tuple[Fault, ...]] = {}
        for fault in judge(page.assembled.blocks, family_of(page)):
            at = fault.index if fault.index is not None else -1
            found[at] = (*found.get(at, ()), fault)
        page.faults = found
        self._told(page)
