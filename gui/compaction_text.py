"""Long text to read: prompt, summary, removed part. What was redacted and which identifiers stand in it is marked.

Laid out only where it is looked at (gui/prompt_layout.py), never rich text; keys scroll, select and copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from core.audit import Held
from core.redaction import Mark as Redacted
from gui.prompt_geometry import RAW
from gui.prompt_layout import Mark, Stroke
from gui.prompt_list import Hit, PromptList
from gui.prompt_rows import Kind, Row
from gui.prompt_text import Document, Section
from gui.theme import Look

MOST_HITS = 2_000
"""Places of an identifier that are marked in one text."""
Range = tuple[int, int]


def document_of(text: str) -> Document:
    """Lines that begin with # are headings."""
    heads = [at for at in _lines(text) if text[at] == "#"]
    if not heads:
        return Document(text, (Section("text", 0, len(text)),))
    sections: list[Section] = []
    if heads[0] > 0:
        sections.append(Section("text", 0, heads[0] - 1))
    for start, following in pairwise([*heads, len(text) + 1]):
        end = text.find("\n", start, following - 1)
        if end < 0:
            sections.append(Section("name", start, following - 1))
            continue
        sections.append(Section("name", start, end))
        sections.append(Section("text", end + 1, following - 1))
    return Document(text, tuple(sections))


def _lines(text: str) -> Iterator[int]:
    """Where the lines begin that have something in them."""
    at = 0
    while at < len(text):
        if text[at] != "\n":
            yield at
        following = text.find("\n", at)
        if following < 0:
            return
        at = following + 1


def places_of(text: str, wanted: str) -> tuple[Range, ...]:
    """Where an identifier stands in a text, at borders of words as the audit takes them."""
    return tuple(Held.places(text, wanted, MOST_HITS)) if wanted else ()


class TextArea(PromptList):
    """`show_text`, then `mark`: what stands out in it."""

    def __init__(self, look: Look, name: str, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.setAccessibleName(name)
        self._redacted: Sequence[Redacted] = ()
        self._kept: Sequence[Range] = ()

    def show_text(self, text: str, *, redacted: Sequence[Redacted] = (), headings: bool = False) -> None:
        """`headings`: lines with # are."""
        self._redacted = redacted
        self.show_document(document_of(text) if headings else Document(text, (Section("text", 0, len(text)),)))

    def show_document(self, document: Document) -> None:
        """Another text from its beginning; the same one stays where it is."""
        text = document.text
        if self.raw is not None and self.raw.text == text:
            self.viewport().update()
            return
        self.raw = document
        self.select(None)
        self._kept = ()
        self.show_hits((), -1)
        self.setAccessibleDescription(text[:4_000])
        self.show_rows(None, (Row(Kind.RAW, RAW, RAW, open=True),) if text else (), keep=False)
        self.verticalScrollBar().setValue(0)

    def relay(self) -> None:
        """Another zoom or theme."""
        if self.raw is not None:
            self.show_rows(None, self.rows, keep=False)

    @property
    def text(self) -> str:
        return self.raw.text if self.raw is not None else ""

    def mark(self, named: str, kept: Sequence[Range] = ()) -> None:
        """`named`: the identifier in focus, marked wherever it stands; the first place comes in sight. `kept`: other
        identifiers that stand in it, in order."""
        self._kept = kept
        before = [(hit.start, hit.end) for hit in self.hits]
        found = places_of(self.text, named)
        self.show_hits([Hit(RAW, start, end) for start, end in found], 0 if found else -1)
        if found and list(found) != before:
            self.show_place((RAW, found[0][0]))

    def _marks(self, block: int) -> tuple[list[Mark], list[Mark], list[Stroke]]:
        theme = self.look.theme
        found, grounds, strokes = super()._marks(block)
        mine: list[Mark] = [(start, end, theme.read_tint, None) for start, end in self._kept]
        mine += [(one.start, one.end, theme.warning_tint, None) for one in self._redacted]
        under = [Stroke(one.start, one.end, "under", theme.warning) for one in self._redacted]
        return found, sorted((*grounds, *mine), key=lambda mark: mark[0]), under or strokes

    # keys

    def event(self, event: QEvent) -> bool:
        """Copy and select all belong to the text that has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Copy) or event.matches(keys.SelectAll):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        moves: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Down: lambda: bar.setValue(bar.value() + bar.singleStep()),
            Qt.Key.Key_Up: lambda: bar.setValue(bar.value() - bar.singleStep()),
            Qt.Key.Key_PageDown: lambda: bar.setValue(bar.value() + bar.pageStep()),
            Qt.Key.Key_PageUp: lambda: bar.setValue(bar.value() - bar.pageStep()),
            Qt.Key.Key_Home: lambda: bar.setValue(0),
            Qt.Key.Key_End: lambda: bar.setValue(bar.maximum()),
        }
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all(RAW)
        elif plain and event.key() in moves:
            moves[event.key()]()
        else:
            super().keyPressEvent(event)

    def copy(self) -> None:
        """The selection, else the whole text."""
        span = self.selection.span(RAW, len(self.text)) if self.selection is not None else None
        QGuiApplication.clipboard().setText(self.text[slice(*span)] if span is not None else self.text)
