"""The pane of the fallback ladder: three rungs, what became of each, and a switch that breaks one on purpose.

① Summarise everything          used      ○–     break it here
② Leave out oversized entries   not needed ○–
③ Write a plain note            not needed       never fails
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.phrase import Phrase, phrase
from gui.compaction_desk import Desk
from gui.compaction_facts import Facts, Outcome
from gui.compaction_switch import Switch
from gui.plain_label import PlainLabel
from gui.shapes import Fired, step_circle
from gui.theme import INSET, Look
from gui.translation import say

RUNGS = (1, 2, 3)
HEIGHT = 140
"""Pixels at 100 %: three rungs of two lines below the title."""
USED, FAILED, IDLE = "used", "failed", "idle"


@dataclass(frozen=True, slots=True)
class Rung:
    """`state`: USED, FAILED or IDLE; `word`: the same for a person; `note`: what it would do here."""

    title: Phrase
    note: Phrase
    word: Phrase
    state: str


def rungs(desk: Desk, facts: Facts | None, outcome: Outcome | None) -> tuple[Rung, ...]:
    """The ladder as the run on screen climbed it; before a run, as it stands ready."""
    mode = desk.settings.mode
    if desk.shown is not None:
        mode = desk.shown.wish.settings.mode
    return tuple(
        Rung(
            phrase(f"compaction_tab.ladder.title_{rung}"),
            _note(rung, mode, facts, outcome),
            phrase(f"compaction_tab.ladder.{word}"),
            state,
        )
        for rung in RUNGS
        for word, state in (_state(rung, desk, outcome),)
    )


def _state(rung: int, desk: Desk, outcome: Outcome | None) -> tuple[str, str]:
    running = desk.phase == "running"
    reached = outcome.rung if outcome is not None and outcome.summary is not None else None
    if running:
        reached_now = desk.calls[-1].rung if desk.calls else 1
        return ("failed", FAILED) if rung < reached_now else ("now", USED) if rung == reached_now else ("ready", IDLE)
    if outcome is not None and outcome.structured:
        return ("nobody", IDLE)
    if reached is None:
        if outcome is not None and outcome.recorded:
            return ("not_recorded", IDLE)
        return ("broken", FAILED) if rung in desk.broken else ("ready", IDLE)
    if rung == reached:
        return ("raised", FAILED) if outcome is not None and outcome.raised else ("used", USED)
    if rung > reached:
        return ("not_needed", IDLE)
    if outcome is not None and outcome.recorded:
        return ("not_recorded", IDLE)
    tried = [call for call in outcome.calls if call.rung == rung] if outcome is not None else []
    if any(call.error == "broken" for call in tried):
        return ("broken", FAILED)
    return ("failed", FAILED) if tried else ("skipped", IDLE)


def _note(rung: int, mode: str, facts: Facts | None, outcome: Outcome | None) -> Phrase:
    if rung == 1:
        made = outcome.calls if outcome is not None else ()
        stages = [call.stage for call in made if call.rung == 1] or [c.stage for c in facts.chunks] if facts else []
        counts = {stage: stages.count(stage) for stage in ("chunk", "prefix", "merge")}  # type: ignore[arg-type]
        parts = [phrase(f"compaction_tab.ladder.{stage}", n=n) for stage, n in counts.items() if n]
        if not parts:
            return phrase("compaction_tab.ladder.nothing")
        joined = parts[0]
        for part in parts[1:]:
            joined = phrase("compaction_tab.ladder.and", left=joined, right=part)
        return phrase("compaction_tab.ladder.calls", n=sum(counts.values()), which=joined)
    if rung == 2:
        if mode == "pi":
            return phrase("compaction_tab.ladder.pi")
        if facts is None:
            return phrase("compaction_tab.ladder.nothing")
        found = {"n": len(facts.oversized), "tokens": facts.oversized_from}
        return phrase("compaction_tab.ladder.oversized" if facts.oversized else "compaction_tab.ladder.none", **found)
    return phrase("compaction_tab.ladder.note", n=facts.messages if facts is not None else 0)


class LadderPane(QWidget):
    """`broken(rung, on)`: a switch was moved by hand."""

    broken = Signal(int, bool)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._states = [IDLE, IDLE, IDLE]
        self.titles: list[PlainLabel] = []
        self.notes: list[PlainLabel] = []
        self.words: list[PlainLabel] = []
        self.switches: dict[int, Switch] = {}
        self._circles = [_Circle(look, str(rung)) for rung in RUNGS]
        self.hint = PlainLabel(look, "secondary", tone="quiet")
        self.hint.setText(say(phrase("compaction_tab.ladder.break")))
        self.title = PlainLabel(look, "body", 600)
        self.title.setText(say(phrase("compaction_tab.ladder.head")))
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.hint)
        self._grid = QGridLayout()
        for at, rung in enumerate(RUNGS):
            title, note = (
                PlainLabel(look, "body", shrinks=True),
                PlainLabel(look, "secondary", tone="quiet", shrinks=True),
            )
            word = PlainLabel(look, "secondary", 600, tone="quiet")
            texts = QVBoxLayout()
            texts.setSpacing(0)
            texts.addWidget(title)
            texts.addWidget(note)
            self.titles.append(title)
            self.notes.append(note)
            self.words.append(word)
            self._grid.addWidget(self._circles[at], at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addLayout(texts, at, 1)
            self._grid.addWidget(word, at, 2)
            if rung < 3:
                switch = Switch(look, say(phrase("compaction_tab.ladder.break_n", n=rung)))
                switch.clicked.connect(lambda on, rung=rung: self.broken.emit(rung, on))
                self.switches[rung] = switch
                self._grid.addWidget(switch, at, 3)
        self._grid.setColumnStretch(1, 1)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addLayout(self._grid)
        self._column.addStretch(1)
        self.setAccessibleName(self.title.text())
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        inset = theme.px(INSET)
        self._column.setContentsMargins(inset, theme.px(8), inset, theme.px(6))
        self._column.setSpacing(theme.px(4))
        self._grid.setHorizontalSpacing(theme.px(10))
        self._grid.setVerticalSpacing(theme.px(4))
        self.setMinimumHeight(theme.px(HEIGHT))

    def show_ladder(self, desk: Desk, facts: Facts | None, outcome: Outcome | None) -> None:
        for at, rung in enumerate(rungs(desk, facts, outcome)):
            title, note, word = say(rung.title), say(rung.note), say(rung.word)
            self.titles[at].setText(title)
            self.notes[at].setText(note)
            self.words[at].setText(word)
            self.words[at].set_tone({FAILED: "error", USED: ""}.get(rung.state, "quiet"))
            self._circles[at].show_state(rung.state, f"{title}: {word}. {note}")
        for number, switch in self.switches.items():
            switch.setChecked(number in desk.broken)
            switch.setEnabled(desk.phase != "running" and not (number == 2 and desk.settings.mode == "pi"))


class _Circle(QWidget):
    """The number of a rung: filled where it gave the summary, crossed out in words where it failed."""

    def __init__(self, look: Look, number: str) -> None:
        super().__init__()
        self._look, self._number, self._state = look, number, IDLE
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        size = self._look.theme.px(22)
        self.setFixedSize(size, size)
        self.update()

    def show_state(self, state: str, said: str) -> None:
        self._state = state
        self.setAccessibleName(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        centre = QPointF(self.width() / 2, self.height() / 2)
        fired = {USED: Fired.FIRED, FAILED: Fired.UNKNOWN}.get(self._state, Fired.IDLE)
        step_circle(painter, centre, self._number, fired, theme)
        painter.end()
