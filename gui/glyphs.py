"""Which characters the fonts of this machine cannot draw: a picture with empty boxes in it is no picture.

Only what is written is judged: labels, buttons and menus of the widgets shown, and whatever the painters drew, which
they tell through `note`.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QMenuBar, QTabBar, QWidget

_drawn: set[str] | None = None


def watch() -> None:
    """Begin to remember what painters draw."""
    global _drawn
    _drawn = set()


def note(text: str) -> None:
    """Called where text is painted; costs nothing unless somebody watches."""
    if _drawn is not None:
        _drawn.update(text)


def written(top: QWidget) -> set[str]:
    """Characters in the widgets below `top` and those that were noted."""
    found: set[str] = set(_drawn or ())
    for widget in [top, *top.findChildren(QWidget)]:
        if not widget.isVisibleTo(top):
            continue
        if isinstance(widget, QLabel | QAbstractButton):
            found.update(widget.text())
        elif isinstance(widget, QLineEdit):
            found.update(widget.text() or widget.placeholderText())
        elif isinstance(widget, QComboBox):
            found.update(widget.currentText())
        elif isinstance(widget, QTabBar):
            found.update("".join(widget.tabText(i) for i in range(widget.count())))
        elif isinstance(widget, QMenuBar):
            found.update("".join(action.text() for action in widget.actions()))
    return found


def missing(characters: Iterable[str], font: QFont) -> str:
    """Those of `characters` for which no installed font has a glyph, sorted."""
    return "".join(sorted(c for c in set(characters) if c.isprintable() and not c.isspace() and not _has(c, font)))


def _has(character: str, font: QFont) -> bool:
    layout = QTextLayout(character, font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    if not line.isValid():
        return True
    return all(index != 0 for run in layout.glyphRuns() for index in run.glyphIndexes())
