"""What the provider would answer to the order of the steps, above their list; and why a row cannot be dragged.

⊗ Anthropic would refuse this: the result toolu_7 answers no call right before it. As chosen it would take it.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from core.judge import Fault, judge
from core.layer import StepContext
from core.phrase import Phrase, phrase
from core.pipeline import Trace
from core.profile import Profile
from core.steps import target_of
from gui.paint import draw_icon
from gui.plain_label import PlainLabel
from gui.prompt_head import FAMILIES
from gui.state import State
from gui.theme import Look
from gui.translation import say

RESTS = 150
"""Milliseconds without another trace before the judge reads what is sent."""
SAYS = 6_000
"""Milliseconds that the reason stands why a row cannot be dragged."""


def base_order(profile: Profile, base: Profile) -> Profile | None:
    """The profile with its steps in the order as chosen; None when they stand so, or are others."""
    place = {made.name: at for at, made in enumerate(base.instances)}
    names = [made.name for made in profile.instances]
    if set(names) != set(place) or names == list(place):
        return None
    return replace(profile, instances=tuple(sorted(profile.instances, key=lambda made: place[made.name])))


def verdict(family: str, faults: tuple[Fault, ...]) -> Phrase:
    """Whether the provider would take what is sent, in a sentence."""
    name = phrase(f"headline.family_{family if family in FAMILIES else 'other'}")
    if not faults:
        return phrase("dock.verdict.takes", family=name)
    more = len(faults) - 1
    said = {"family": name, "what": faults[0].message}
    return phrase("headline.refused_more", **said, n=more) if more else phrase("headline.refused", **said)


class Verdict(QWidget):
    """Shown for a profile whose steps may be moved. `pressed`: show the block of the first fault."""

    pressed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.faults: tuple[Fault, ...] = ()
        self._words = PlainLabel(look, "secondary", tone="quiet", wrap=True)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._words, 1)
        self._state: State | None = None
        self._trace: Trace | None = None
        self._family = ""
        self._context: StepContext | None = None
        self._as_chosen: tuple[Fault, ...] | None = None
        self._icon = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS)
        self._timer.timeout.connect(self.judge_now)
        self._fixed = QTimer(self)
        self._fixed.setSingleShot(True)
        self._fixed.setInterval(SAYS)
        self._fixed.timeout.connect(self.hide)
        self.restyle()
        look.changed.connect(self.restyle)
        self.hide()

    def restyle(self) -> None:
        theme = self._look.theme
        self._row.setContentsMargins(theme.px(48), 0, theme.px(16), theme.px(8))
        self.update()

    @property
    def text(self) -> str:
        return self._words.text()

    # what there is to judge

    def show_state(self, state: State | None, trace: Trace | None) -> None:
        """The trace at hand; judged once the person rests."""
        if state is not self._state:
            self._state, self._context, self._trace = state, None, None
        if state is None or trace is None or not state.profile.reorder:
            self._trace = None
            self._timer.stop()
            if not self._fixed.isActive():
                self.hide()
            return
        self._fixed.stop()
        if trace is not self._trace or state.stale:
            self._trace = trace
            self._timer.start()

    def judge_now(self) -> None:
        """Let the judge read what is sent, and what would be in the order as chosen."""
        self._timer.stop()
        state, trace = self._state, self._trace
        if state is None or trace is None:
            return
        if state.stale or state.grasped:
            self._timer.start()
            return
        target = target_of(state.session, state.timeline, state.assembled, state.profile.family)
        self._family = target.family
        if self._context is None:
            self._context = StepContext(0, target)
        self.faults = judge(trace.blocks, self._family, self._context)
        self._as_chosen = None
        other = base_order(state.profile, state.base)
        if other is not None:
            state.compare("layers.order", lambda found: self._take(trace, found), profile=other)
        self._tell()

    def _take(self, of: Trace, found: Trace) -> None:
        if of is self._trace and self._context is not None:
            self._as_chosen = judge(found.blocks, self._family, self._context)
            self._tell()

    def _tell(self) -> None:
        said = verdict(self._family, self.faults)
        if self._as_chosen is not None and bool(self._as_chosen) != bool(self.faults):
            name = "dock.verdict.chosen_refused" if self._as_chosen else "dock.verdict.chosen_taken"
            what = {"what": self._as_chosen[0].message} if self._as_chosen else {}
            said = phrase("dock.two", first=said, second=phrase(name, **what))
        self._say(said, "octagon-x" if self.faults else "circle-check", "error" if self.faults else "quiet")

    def _say(self, said: Phrase, icon: str, tone: str) -> None:
        self._icon = icon
        self._words.set_tone(tone)
        self._words.setText(say(said))
        self.setAccessibleName(self._words.text())
        self.show()
        self.update()

    # a row that cannot be dragged

    def tell_fixed(self, profile: Profile) -> None:
        """Why the rows of this policy stay where they are."""
        self.faults = ()
        self._say(phrase("policy.fixed_order", policy=profile.id), "lock", "quiet")
        self._fixed.start()

    # events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.faults:
            self.pressed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._fixed.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        if self._icon:
            size = theme.px(15)
            area = QRectF(theme.px(24) - size / 2, 0, size, theme.px(17))
            ink = theme.diff_text if self._icon == "octagon-x" else theme.ink2
            draw_icon(painter, area, self._icon, size, ink)
        painter.end()
