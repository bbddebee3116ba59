"""Where the bytes of the file come from, as a page of bars: kinds of entries, and what is there twice or dead.

Tool results          ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒      100 entries   ●0.65 MB   87 %
On dead branches      ▒                       4 entries   ●0.02 MB    3 %
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from core.phrase import phrase
from core.titles import kind_word
from core.truncation_sources import Share, Sources
from gui.figure_list import FigureHead, FigureList
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.numbers import Mark, percent, size
from gui.theme import Look
from gui.translation import language, say


class BytesPage(QWidget):
    """Nothing until the worker has looked at every line."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = FigureHead(look)
        self.list = FigureList(look, choosable=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.list)

    def show_sources(self, found: Sources | None) -> None:
        shown = figures(found)
        self.head.show_figures(shown)
        self.list.show_figures(shown)
        self.list.setAccessibleName(shown.head)


def figures(found: Sources | None) -> Figures:
    """A row a kind, and those that overlap with them, largest first. None: it is being looked at."""
    if found is None:
        return Figures((), (), say(phrase("truncation_tab.weighing")))
    heads = (("entries", 84), ("size", 92), ("share", 64))
    columns = tuple(Column(say(phrase(f"truncation_tab.column.{id}")), width) for id, width in heads)
    rows = [(share, _row(share, _kind(share.kind), "", _role(share.kind), found)) for share in found.kinds]
    for share in (found.dead, found.duplicates, found.reappended):
        if share.entries:
            title = say(phrase(f"truncation_tab.sources.{share.kind}"))
            note = say(phrase(f"truncation_tab.sources.{share.kind}_help", n=found.runs))
            rows.append((share, _row(share, title, note, "cut", found)))
    rows.sort(key=lambda each: -each[0].bytes)
    return Figures(
        tuple(row for _, row in rows), columns, say(phrase("truncation_tab.sources.head", size=size(found.bytes)))
    )


def _row(share: Share, title: str, note: str, piece: str, found: Sources) -> Figure:
    part = share.bytes / found.bytes if found.bytes else 0.0
    texts = (f"{share.entries:,}", size(share.bytes, Mark.RECORDED), percent(part, language()))
    words = ", ".join((title, *texts, *((note,) if note else ())))
    bars = ((Piece(piece, float(share.bytes)),),)
    return Figure(share.kind, title, note, bars, tuple(map(Value, texts)), words)


def _kind(kind: str) -> str:
    name, _, role = kind.partition("/")
    return say(kind_word(name, role))


def _role(kind: str) -> str:
    """Under which the theme knows its colour."""
    name, _, role = kind.partition("/")
    if name in ("compaction", "branch_summary"):
        return "summary"
    return {"bashExecution": "user"}.get(role, role or "other")


PAGES: Sequence[str] = ("beside", "overlay", "bytes")
"""Ways of looking at the file."""
