"""The small log of a context engine in the step's detail: its lifecycle calls, what came of each, what it stored.

LIFECYCLE
bootstrap      goes on with what it stored
ingest_batch   took 1 of 2 messages · stored said:000009, next
assemble       sends 12 of 63 messages
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from core.engine_log import Line, kept, lifecycle
from core.phrase import literal, phrase
from gui.plain_label import PlainLabel
from gui.theme import Look
from gui.translation import say

NAMES = 3
"""Stored names that a line tells; the rest is counted."""


class EngineLines(QWidget):
    """Rows are made as they are first needed and kept: another request only puts other words into them."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.title = PlainLabel(look, "secondary", 600)
        self.title.setText(say(phrase("engine.title")))
        self.kept = PlainLabel(look, "secondary", tone="quiet", wrap=True)
        self.rows: list[tuple[PlainLabel, PlainLabel, PlainLabel]] = []
        """Method, what came of it, and the same where it failed."""
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.title)
        self._column.addLayout(self._grid)
        self._column.addWidget(self.kept)
        self.restyle()
        look.changed.connect(self.restyle)
        self.hide()

    def restyle(self) -> None:
        theme = self._look.theme
        self._column.setContentsMargins(0, theme.px(8), 0, 0)
        self._column.setSpacing(theme.px(2))
        self._grid.setHorizontalSpacing(theme.px(10))
        self._grid.setVerticalSpacing(theme.px(2))

    def show_carry(self, carry: object) -> None:
        """What a step carries; hidden where that is not a context engine's."""
        lines, size = lifecycle(carry), kept(carry)
        self.setVisible(bool(lines))
        if not lines:
            return
        while len(self.rows) < len(lines):
            self._add()
        for at, labels in enumerate(self.rows):
            line = lines[at] if at < len(lines) else None
            for label, words in zip(labels, _words(line), strict=True):
                label.setVisible(bool(words))
                if label.text() != words:
                    label.setText(words)
        self.kept.setVisible(size is not None)
        if size is not None:
            self.kept.setText(say(size))

    def _add(self) -> None:
        method = PlainLabel(self._look, "secondary", tone="hint")
        said = PlainLabel(self._look, "secondary", tone="quiet", wrap=True)
        failed = PlainLabel(self._look, "secondary", tone="error", wrap=True)
        row = len(self.rows)
        self._grid.addWidget(method, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(said, row, 1)
        self._grid.addWidget(failed, row, 1)
        self.rows.append((method, said, failed))


def _words(line: Line | None) -> tuple[str, str, str]:
    if line is None:
        return "", "", ""
    said = say(line.said)
    if line.stored:
        names = ", ".join(line.stored[:NAMES]) + (" …" if len(line.stored) > NAMES else "")
        stored = say(phrase("engine.call.stored", names=literal(names)))
        said = say(phrase("engine.call.and_stored", what=literal(said), stored=literal(stored)))
    return line.method, "" if line.failed else said, said if line.failed else ""
