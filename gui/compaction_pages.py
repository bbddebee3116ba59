"""The pages beside the four panes: the calls of a run, and all runs with two summaries of one cut side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from core import models
from core.phrase import phrase
from gui.compaction_desk import Desk, Run
from gui.compaction_panes import Foot, PaneHead
from gui.compaction_tables import by_words, call_columns, calls_table, rule_words, run_columns, runs_table
from gui.compaction_text import TextArea
from gui.compaction_words import again_steps, verdict_lines
from gui.theme import INSET, Look
from gui.translation import say

SERIES = ("keep", "identifiers", "generations")
"""Runs in a row: keep 10k, 20k, 40k; identifiers strict and off; two generations."""


class CallsPage(QWidget):
    """Every attempt as it went; below, what the layers do in pass 2."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = PaneHead(look, say(phrase("compaction_tab.calls.title")))
        self.table = calls_table(look)
        self.empty = Foot(look)
        self.again = Foot(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.head, self.empty, self.table, self.again):
            column.addWidget(widget, int(widget is self.table))
        self.setFocusProxy(self.table)

    def show_desk(self, desk: Desk) -> None:
        run = desk.shown
        price = None
        if run is not None and run.by is not None and run.by.consent:
            price = models.price_at(run.by.model or run.facts.model, None, run.facts.tokens_before)
        if desk.calls is not self.table.records.records:
            self.table.fill(desk.calls, call_columns(price))
        failed = sum(not call.ok for call in desk.calls)
        said = say(phrase("compaction_tab.calls.sum", n=len(desk.calls), failed=failed)) if desk.calls else ""
        self.head.note.setText(said)
        recorded = desk.outcome is not None and desk.outcome.recorded
        none = "compaction_tab.calls.recorded" if recorded else "compaction_tab.calls.none"
        self.empty.say("" if desk.calls else say(phrase(none)))
        self.table.setVisible(bool(desk.calls))
        again = desk.outcome.again if desk.outcome is not None else None
        title = say(phrase("compaction_tab.again.title"))
        verdicts = verdict_lines(desk.outcome.verdicts) if desk.outcome is not None else ""
        steps = f"{title}\n{again_steps(again)}" if again is not None else ""
        self.again.say("\n".join(filter(None, (verdicts, steps))))


class _Side(QWidget):
    """One summary of a cut, with a list to choose which."""

    chosen = Signal(int)

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self.list = QComboBox()
        self.list.setAccessibleName(name)
        self.list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.list.setMinimumContentsLength(14)
        self.list.activated.connect(self.chosen)
        self.head = PaneHead(look, "", self.list)
        self.text = TextArea(look, name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.text, 1)

    def show_run(self, run: Run | None, others: tuple[Run, ...]) -> None:
        self.list.clear()
        self.list.addItems([run_words(other) for other in others])
        self.list.setCurrentIndex(others.index(run) if run in others else -1)
        self.text.empty = say(phrase("compaction_tab.runs.choose"))
        self.text.show_text(run.outcome.summary or "" if run is not None else "", headings=True)
        note = ""
        if run is not None:
            out = run.outcome
            note = say(phrase("compaction_tab.runs.side", n=out.safe, of=out.found, missed=len(out.missed)))
        self.head.note.setText(note)


def run_words(run: Run) -> str:
    """ "2 · Extractive, offline · plain · strict"."""
    words = [str(run.number), by_words(run)]
    if run.by is not None:
        words.append(rule_words(run))
    return " · ".join(words)


def same_cut(runs: tuple[Run, ...], run: Run | None) -> tuple[Run, ...]:
    """All summaries in front of the same request, whatever was kept."""
    if run is None:
        return ()
    place = (run.facts.request, run.wish.leaf)
    return tuple(other for other in runs if (other.facts.request, other.wish.leaf) == place)


class RunsPage(QWidget):
    """`picked(number)`: back to a run. `series(name)`: several runs in a row, of SERIES."""

    picked = Signal(int)
    series = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._desk: Desk | None = None
        self._other: int | None = None
        self.head = PaneHead(look, say(phrase("compaction_tab.runs.title")))
        self.table = runs_table(look)
        self.empty = Foot(look)
        self.buttons: dict[str, QPushButton] = {}
        self._bar = QHBoxLayout()
        for name in SERIES:
            button = QPushButton(say(phrase(f"compaction_tab.runs.{name}")))
            button.clicked.connect(lambda _=False, name=name: self.series.emit(name))
            self.buttons[name] = button
            self._bar.addWidget(button)
        self._bar.addStretch(1)
        self.left, self.right = (_Side(look, say(phrase(f"compaction_tab.runs.{side}"))) for side in ("left", "right"))
        sides = QSplitter(Qt.Orientation.Horizontal)
        sides.addWidget(self.left)
        sides.addWidget(self.right)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.empty)
        column.addWidget(self.table, 1)
        column.addLayout(self._bar)
        rows = QSplitter(Qt.Orientation.Vertical)
        for splitter in (sides, rows):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        rows.addWidget(upper)
        rows.addWidget(sides)
        rows.setSizes([1_000, 1_200])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(rows)
        self.table.picked.connect(self.picked)
        self.left.chosen.connect(lambda at: self._choose(at, left=True))
        self.right.chosen.connect(lambda at: self._choose(at, left=False))
        self.setFocusProxy(self.table)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._bar.setContentsMargins(theme.px(INSET), theme.px(4), theme.px(INSET), theme.px(6))
        self._bar.setSpacing(theme.px(8))
        self.table.restyle()
        self.left.text.relay()
        self.right.text.relay()

    def show_desk(self, desk: Desk) -> None:
        self._desk = desk
        if desk.runs is not self.table.records.records:
            self.table.fill(desk.runs, run_columns())
        self.empty.say("" if desk.runs else say(phrase("compaction_tab.runs.none")))
        self.table.setVisible(bool(desk.runs))
        if desk.shown is not None:
            self.table.show_request(desk.shown.number)
        for button in self.buttons.values():
            button.setEnabled(desk.phase == "idle" and desk.facts is not None and not desk.leaves)
            button.setToolTip(say(phrase("compaction_tab.runs.offline")) if desk.leaves else "")
        others = same_cut(desk.runs, desk.shown)
        right = next((run for run in others if run.number == self._other and run is not desk.shown), None)
        right = right or next((run for run in reversed(others) if run is not desk.shown), None)
        self.left.show_run(desk.shown, others)
        self.right.show_run(right, tuple(run for run in others if run is not desk.shown))

    def _choose(self, at: int, *, left: bool) -> None:
        desk = self._desk
        if desk is None:
            return
        others = same_cut(desk.runs, desk.shown)
        if left:
            self.picked.emit(others[at].number)
        else:
            self._other = [run for run in others if run is not desk.shown][at].number
            self.show_desk(desk)
