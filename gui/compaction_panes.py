"""The four panes of the Compaction tab: chunks, fallback ladder, text, identifiers.

┌ chunks ──────────────┬ fallback ladder ────┐
│ bars, payback        │ rungs, pass 2, audit│
├ prompt/summary/removed┬ identifiers ───────┤
│ text                 │ table               │
└──────────────────────┴─────────────────────┘
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from core.payback import Payback
from core.phrase import phrase
from gui.compaction_chunks import ChunkList, bars, limit_words
from gui.compaction_desk import Desk
from gui.compaction_facts import Chunk, Facts, Name, Outcome
from gui.compaction_ladder import LadderPane
from gui.compaction_tables import name_columns, names_table
from gui.compaction_text import Range, TextArea, places_of
from gui.compaction_words import again_words, audit_words, payback_words
from gui.plain_label import PlainLabel
from gui.prompt_text import Document
from gui.segmented import Segmented
from gui.theme import INSET, Look
from gui.translation import say

PROMPT, SUMMARY, REMOVED = range(3)
"""Texts, in the order of the switch."""
TEXTS = ("prompt", "summary", "removed")
NARROW = 640
"""Pixels at 100 % below which two panes have no room beside each other."""
UPPER, LOWER = 214, 130
STACKED_UPPER, STACKED_LOWER = 400, 440
"""Heights of the two rows of panes at least, side by side and one under the other."""
MARKED = 400
"""Identifiers that are looked for in a summary, to be marked there."""


class PaneHead(QWidget):
    """Title (or a switch in its place) at the left, a quiet note at the right."""

    def __init__(self, look: Look, title: str = "", first: QWidget | None = None) -> None:
        super().__init__()
        self._look = look
        self.title = PlainLabel(look, "body", 600)
        self.title.setText(title)
        self.note = PlainLabel(look, "secondary", tone="quiet", shrinks=True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row = QHBoxLayout(self)
        self._row.addWidget(first if first is not None else self.title)
        self._row.addWidget(self.note, 1)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        inset = theme.px(INSET)
        self._row.setContentsMargins(inset, theme.px(6), inset, theme.px(4))
        self._row.setSpacing(theme.px(12))


class Foot(PlainLabel):
    """A quiet paragraph under a pane; away while it has nothing to say."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "secondary", tone="quiet", wrap=True)
        self.hide()

    def restyle(self) -> None:
        super().restyle()
        theme = self._look.theme
        inset = theme.px(INSET)
        self.setContentsMargins(inset, theme.px(4), inset, theme.px(6))

    def say(self, words: str, tone: str = "quiet") -> None:
        self.setText(words)
        self.set_tone(tone)
        self.setVisible(bool(words))


class Panes(QScrollArea):
    """Two by two; where there is no room for that, one under the other, to scroll.

    `named(number)`: an identifier was chosen. `broken(rung, on)`: a switch was moved."""

    named = Signal(int)
    broken = Signal(int, bool)

    def __init__(self, look: Look, removed: Callable[[Sequence[int]], Document], parent: QWidget | None = None) -> None:
        """`removed(rows)`: the text of entries of the session."""
        super().__init__(parent)
        self._look, self._removed = look, removed
        self.text_mode, self.part = PROMPT, 0
        self._desk: Desk | None = None
        self._read: tuple[tuple[int, ...], Document] | None = None
        self.name: Name | None = None
        """The identifier in focus."""
        self._origin: tuple[object, ...] = ()
        self.chunks = ChunkList(look)
        self.chunks_head = PaneHead(look, say(phrase("compaction_tab.chunks.title")))
        self.pays = Foot(look)
        self.ladder = LadderPane(look)
        self.again = Foot(look)
        self.mode = Segmented(look, say(phrase("compaction_tab.text.title")))
        self.text_head = PaneHead(look, "", self.mode)
        self.text = TextArea(look, say(phrase("compaction_tab.text.title")))
        self.names_head = PaneHead(look, say(phrase("compaction_tab.names.title")))
        self.names = names_table(look)
        self.audit = Foot(look)
        self._build()
        self.chunks.picked.connect(self._pick_part)
        self.ladder.broken.connect(self.broken)
        self.mode.chosen.connect(self._pick_text)
        self.names.picked.connect(self.named)
        self.names.clicked.connect(lambda index: self.named.emit(self.names.records.record(index.row()).number))

    def _build(self) -> None:
        top, bottom = QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Horizontal)
        top.addWidget(_column(self.chunks_head, self.chunks, self.pays))
        top.addWidget(_column(self.ladder, self.again, self.audit, stretch=0))
        bottom.addWidget(_column(self.text_head, self.text))
        bottom.addWidget(_column(self.names_head, self.names))
        self._rows = QSplitter(Qt.Orientation.Vertical)
        for splitter in (top, bottom, self._rows):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        self._rows.addWidget(top)
        self._rows.addWidget(bottom)
        self._rows.setStretchFactor(0, 0)
        self._rows.setStretchFactor(1, 1)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._rows)
        self._halves = (top, bottom)
        self._narrow: bool | None = None
        self.restyle()

    def restyle(self) -> None:
        self._narrow = None
        self._arrange()
        self.names.restyle()
        self.text.relay()

    def _arrange(self) -> None:
        """Two by two, or one under the other."""
        theme = self._look.theme
        narrow = self.viewport().width() < theme.px(NARROW)
        if narrow == self._narrow:
            return
        self._narrow = narrow
        upper, lower = (STACKED_UPPER, STACKED_LOWER) if narrow else (UPPER, LOWER)
        for half, height in zip(self._halves, (upper, lower), strict=True):
            half.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
            half.setMinimumHeight(theme.px(height))
            half.setSizes([1_000, 1_000])
        self._rows.setMinimumHeight(theme.px(upper + lower))
        self._rows.setSizes([theme.px(upper), theme.px(2_000)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # content

    def show_desk(self, desk: Desk, first_kept: str, usage: Payback | None = None) -> None:
        """`first_kept`: id of the entry from which on the tail is kept. `usage`: what a recorded compaction came to by
        recorded usage."""
        if desk is not self._desk:
            self._desk, self._read = desk, None
        facts, outcome = desk.facts, desk.outcome
        origin = (
            desk.shown.number if desk.shown is not None else 0,
            outcome is not None and outcome.summary is not None,
        )
        if origin != self._origin:
            self._origin = origin
            self.text_mode = SUMMARY if origin[1] else PROMPT
        if self.name is not None and outcome is not None and self.name not in outcome.names:
            self.name = next((name for name in outcome.names if name.text == self.name.text), None)
        self.ladder.show_ladder(desk, facts, outcome)
        self._show_bars(facts, first_kept)
        self.pays.say(payback_words(outcome, usage))
        again = outcome.again if outcome is not None else None
        self.again.say(again_words(again), "error" if again is not None and again.overflow else "quiet")
        self._show_names(outcome)
        self.show_text()

    def _show_bars(self, facts: Facts | None, first_kept: str) -> None:
        self._first_kept = first_kept
        named = frozenset(self.name.rows) if self.name is not None else frozenset()
        found = bars(facts, first_kept, named) if facts is not None else ()
        self.part = min(self.part, max(0, len(found) - 1))
        self.chunks.show_bars(found, self.part if found else -1)
        self.chunks_head.note.setText(limit_words(facts) if facts is not None else "")

    def _show_names(self, outcome: Outcome | None) -> None:
        names = outcome.names if outcome is not None else ()
        judged = outcome is not None and outcome.summary is not None
        if names is not self.names.records.records or judged != self._judged:
            self._judged = judged
            self.names.fill(names, name_columns(judged))
        note = ""
        if outcome is not None:
            note = say(phrase("compaction_tab.names.kept", n=outcome.safe, of=outcome.found)) if judged else ""
            note = note or say(phrase("compaction_tab.names.found", n=outcome.found))
        self.names_head.note.setText(note)
        fallen = outcome.fallen if outcome is not None else None
        words = ""
        if outcome is not None and fallen is not None:
            words = audit_words(outcome.kept, len(fallen.rows), fallen.used, outcome.verdicts)
        self.audit.say(words)
        if self.name is not None:
            self.names.show_request(self.name.number)

    _judged = False

    def focus_name(self, name: Name | None) -> None:
        """Mark an identifier wherever it stands."""
        self.name = name
        desk = self._desk
        if desk is not None:
            self._show_bars(desk.facts, self._first_kept)
            self._mark()

    # the text

    def _pick_part(self, part: int) -> None:
        self.part = part
        self.show_text()

    def _pick_text(self, mode: int) -> None:
        self.text_mode = mode
        self.show_text()

    def chunk(self) -> Chunk | None:
        """The call in focus; None for the kept tail."""
        facts = self._desk.facts if self._desk is not None else None
        if facts is None or self.part >= len(facts.chunks):
            return None
        return facts.chunks[self.part]

    def show_text(self) -> None:
        desk = self._desk
        if desk is None:
            return
        self.mode.show_parts([say(phrase(f"compaction_tab.text.{name}")) for name in TEXTS], self.text_mode)
        chunk, outcome, note = self.chunk(), desk.outcome, ""
        if self.text_mode == PROMPT:
            self.text.empty = say(phrase("compaction_tab.text.no_prompt"))
            self.text.show_text(chunk.prompt if chunk is not None else "", redacted=chunk.marks if chunk else ())
            if chunk is not None:
                waits = "_waits" if chunk.waits else ""
                note = phrase(f"compaction_tab.text.asked{waits}", tokens=chunk.asked, n=len(chunk.marks))
        elif self.text_mode == SUMMARY:
            summary = outcome.summary if outcome is not None else None
            self.text.empty = say(phrase("compaction_tab.text.no_summary"))
            self.text.show_text(summary or "", headings=True)
            if outcome is not None and summary:
                counted = outcome.counted is not None
                size = outcome.counted if outcome.counted is not None else outcome.tokens
                note = phrase("compaction_tab.text.counted" if counted else "compaction_tab.text.size", tokens=size)
        else:
            facts = desk.facts
            rows = chunk.rows if chunk is not None else facts.tail if facts is not None else ()
            self.text.empty = say(phrase("compaction_tab.text.no_removed"))
            if self._read is None or self._read[0] != rows:
                self._read = rows, self._removed(rows)
            self.text.show_document(self._read[1])
            kind = "stays" if chunk is None and facts is not None else "entries"
            note = phrase(f"compaction_tab.text.{kind}", n=len(rows)) if rows else ""
        self.text_head.note.setText(say(note) if note else "")
        self._mark()

    def _mark(self) -> None:
        self.text.mark(self.name.text if self.name is not None else "", self._standing())

    def _standing(self) -> Sequence[Range]:
        """Where identifiers stand in the summary, in order, none over another."""
        outcome = self._desk.outcome if self._desk is not None else None
        if self.text_mode != SUMMARY or outcome is None or not outcome.summary:
            return ()
        kept = sorted((name for name in outcome.names if name.kept), key=lambda name: -len(name.text))[:MARKED]
        found = sorted(place for name in kept for place in places_of(outcome.summary, name.text))
        told: list[Range] = []
        for start, end in found:
            if not told or start >= told[-1][1]:
                told.append((start, end))
        return told


def _column(*widgets: QWidget, stretch: int = 1) -> QWidget:
    """One under the other; the one at `stretch` takes the room."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for at, widget in enumerate(widgets):
        column.addWidget(widget, int(at == stretch))
    return box
