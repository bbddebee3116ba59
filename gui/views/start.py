"""The start page: samples, sessions on this computer (after a click), recent files, a place to drop a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core import numbers
from core.places import PLACES, Found
from gui import icons, paint
from gui.samples import Sample, samples
from gui.theme import Look
from gui.translation import language, say
from gui.visible import visible


class Row(QAbstractButton):
    """One row of a list: a bold line and its facts at the right, a quiet line below. The focused one is framed."""

    def __init__(self, look: Look, title: str, facts: str, below: str = "", *, mono: bool = False) -> None:
        super().__init__()
        self._look, self._title, self._facts, self._below, self._mono = look, title, facts, below, mono
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{facts} {below}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(300), self._look.theme.px(62 if self._below else 34))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_J):
            self.focusNextChild()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_K):
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        box = QRectF(self.rect())
        if self.hasFocus():
            painter.fillRect(box, theme.accentbg)
        elif self.underMouse():
            painter.fillRect(box, theme.hover)
        if self.hasFocus():
            painter.setPen(QPen(theme.accent, 2))
            painter.drawRect(box.adjusted(1, 1, -1, -1))
        else:
            painter.fillRect(QRectF(0, box.height() - 1, box.width(), 1), theme.line)
        inside = box.adjusted(theme.px(16), 0, -theme.px(16), 0)
        bold = theme.font("body", 600) if self._below else theme.font("body")
        quiet = theme.font("secondary")
        line = theme.px(20)
        top = box.center().y() - (line if self._below else line / 2)
        facts = paint.width_of(self._facts, quiet)
        paint.draw_text(
            painter, QRectF(inside.left(), top, inside.width(), line), self._facts, quiet, theme.ink3, paint.RIGHT
        )
        width = inside.width() - facts - theme.px(12)
        font = theme.font("id") if self._mono else bold
        paint.draw_text(painter, QRectF(inside.left(), top, width, line), self._title, font, theme.ink)
        if self._below:
            below = QRectF(inside.left(), top + line, inside.width(), line)
            paint.draw_text(painter, below, self._below, quiet, theme.ink2)


class StartView(QScrollArea):
    """Signals only: `opened` with a path and the request to stand at, `look_for` when the button was pressed."""

    opened = Signal(str, object)
    open_dialog = Signal()
    look_for = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._recent: tuple[str, ...] = ()
        self._found: tuple[Found, ...] | None = None
        self._looking = False
        self._first: Row | None = None
        self._stale = True
        look.changed.connect(self._renew)

    def show_recent(self, paths: Sequence[str]) -> None:
        self._recent = tuple(paths)
        self._renew()

    def show_found(self, found: Sequence[Found] | None, *, looking: bool = False) -> None:
        """Sessions that were found; None = not looked yet."""
        self._found, self._looking = (None if found is None else tuple(found)), looking
        self._renew()

    def focus_first(self) -> None:
        if self._first is not None:
            self._first.setFocus(Qt.FocusReason.OtherFocusReason)

    # building

    def _renew(self) -> None:
        """Build the page anew: at once where it can be seen, else when it is shown."""
        self._stale = True
        if self.isVisible():
            self._build()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._build()

    def _build(self) -> None:
        self._stale = False
        theme = self._look.theme
        had_focus = self.widget() is not None and self.widget().isAncestorOf(self.focusWidget() or self)
        page = QWidget()
        page.setObjectName("start_page")
        page.setStyleSheet(f"#start_page {{ background: {theme.panel.name()}; }}")
        outer = QHBoxLayout(page)
        outer.setContentsMargins(theme.px(24), theme.px(24), theme.px(24), theme.px(24))
        column = QWidget(page)
        column.setMaximumWidth(theme.px(1180))
        outer.addStretch(1)
        outer.addWidget(column, 100)
        outer.addStretch(1)
        rows = QVBoxLayout(column)
        rows.setContentsMargins(0, theme.px(72), 0, 0)
        rows.setSpacing(theme.px(8))
        rows.addWidget(self._label(self.tr("What did the model really see?"), "display", theme.ink.name()))
        lead = self.tr(
            "Open an agent session. Stratascope shows every request as the model got it, with its cache and its cost."
        )
        words = self._label(lead, "headline", theme.ink2.name())
        words.setMaximumWidth(theme.px(780))
        rows.addWidget(words)
        rows.addSpacing(theme.px(40))
        sides = QHBoxLayout()
        sides.setSpacing(theme.px(56))
        sides.addLayout(self._left(), 620)
        sides.addLayout(self._right(), 504)
        rows.addLayout(sides)
        rows.addLayout(self._hints())
        rows.addStretch(1)
        self.setWidget(page)
        if had_focus or self.isVisible():
            self.focus_first()

    def _label(self, text: str, kind: str, colour: str) -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(self._look.theme.font(kind))
        label.setWordWrap(True)
        label.setStyleSheet(f"color: {colour};")
        return label

    def _title(self, text: str, note: str = "") -> QWidget:
        theme = self._look.theme
        box = QWidget()
        box.setObjectName("title")
        box.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        box.setStyleSheet(f"#title {{ border-bottom: 1px solid {theme.line2.name()}; }}")
        row = QHBoxLayout(box)
        row.setContentsMargins(theme.px(16), theme.px(8), theme.px(16), theme.px(8))
        head = self._label(text, "body", theme.ink.name())
        head.setFont(theme.font("body", 600))
        head.setWordWrap(False)
        row.addWidget(head)
        row.addStretch(1)
        if note:
            row.addWidget(self._label(note, "secondary", theme.ink3.name()))
        return box

    def _left(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._title(self.tr("Try a sample"), self.tr("works offline")))
        self._first = None
        for sample in samples():
            row = Row(self._look, say(sample.title), say(sample.facts), say(sample.teaches))
            row.clicked.connect(lambda _=False, s=sample: self._open_sample(s))
            column.addWidget(row)
            self._first = self._first or row
        column.addStretch(1)
        return column

    def _open_sample(self, sample: Sample) -> None:
        self.opened.emit(sample.path, sample.request)

    def _right(self) -> QVBoxLayout:
        theme = self._look.theme
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._title(self.tr("Found on this computer")))
        if self._found is None:
            for place in PLACES:
                column.addWidget(_PlaceRow(self._look, place.title, place.pattern))
        elif not self._found:
            note = self._label(self.tr("No session files in the usual folders."), "body", theme.ink3.name())
            note.setContentsMargins(theme.px(16), theme.px(8), 0, theme.px(8))
            column.addWidget(note)
        for item in (self._found or ())[:10]:
            column.addWidget(self._found_row(item))
        column.addSpacing(theme.px(12))
        row = QHBoxLayout()
        row.setContentsMargins(theme.px(16), 0, 0, 0)
        button = QPushButton(self.tr("Looking …") if self._looking else self.tr("Look for sessions"))
        button.setEnabled(not self._looking)
        button.clicked.connect(self.look_for.emit)
        row.addWidget(button)
        promise = self.tr("Reads names and sizes only.\nNothing is written, nothing leaves this machine.")
        row.addSpacing(theme.px(8))
        row.addWidget(self._label(promise, "secondary", theme.ink3.name()), 1)
        column.addLayout(row)
        column.addSpacing(theme.px(28))
        column.addWidget(self._title(self.tr("Open recent")))
        for path in self._recent[:5]:
            place = Path(path)
            entry = Row(self._look, visible(place.name), visible(_short(str(place.parent))))
            entry.clicked.connect(lambda _=False, p=path: self.opened.emit(p, None))
            column.addWidget(entry)
        if not self._recent:
            note = self._label(self.tr("Nothing opened yet."), "body", theme.ink3.name())
            note.setContentsMargins(theme.px(16), theme.px(8), 0, theme.px(8))
            column.addWidget(note)
        column.addSpacing(theme.px(20))
        column.addWidget(self._drop_zone())
        column.addStretch(1)
        return column

    def _found_row(self, item: Found) -> Row:
        titles = {place.agent: place.title for place in PLACES}
        facts = f"{numbers.size(item.size)} · {numbers.duration(item.age_s, language())}"
        name = f"{titles.get(item.agent, '')}  {visible(item.project)}  {visible(Path(item.path).name)}".strip()
        row = Row(self._look, name, facts)
        row.clicked.connect(lambda _=False: self.opened.emit(item.path, None))
        return row

    def _drop_zone(self) -> QWidget:
        theme = self._look.theme
        zone = QFrame()
        zone.setObjectName("drop")
        zone.setStyleSheet(f"#drop {{ border: 1px dashed {theme.line2.name()}; border-radius: {theme.px(6)}px; }}")
        row = QHBoxLayout(zone)
        row.setContentsMargins(theme.px(16), theme.px(28), theme.px(16), theme.px(28))
        row.setSpacing(theme.px(12))
        picture = QLabel()
        picture.setPixmap(icons.icon("folder-open", theme.px(18), theme.ink2))
        row.addStretch(1)
        row.addWidget(picture)
        row.addWidget(self._plain(self.tr("Drop a session or a folder here")))
        row.addWidget(self._plain(self.tr("or")))
        button = QPushButton(self.tr("Open file") + "  Ctrl+O")
        button.clicked.connect(self.open_dialog.emit)
        row.addWidget(button)
        row.addStretch(1)
        return zone

    def _plain(self, text: str) -> QLabel:
        label = self._label(text, "body", self._look.theme.ink2.name())
        label.setWordWrap(False)
        return label

    def _hints(self) -> QHBoxLayout:
        theme = self._look.theme
        row = QHBoxLayout()
        row.setContentsMargins(0, theme.px(36), 0, 0)
        row.setSpacing(theme.px(8))
        for key, words in (("?", self.tr("shows all keys")), ("Ctrl+Shift+P", self.tr("finds every action"))):
            cap = self._label(key, "id", theme.ink2.name())
            cap.setWordWrap(False)
            cap.setStyleSheet(
                f"color: {theme.ink2.name()}; border: 1px solid {theme.line2.name()};"
                f" border-radius: {theme.px(4)}px; padding: 1px {theme.px(5)}px;"
            )
            row.addWidget(cap)
            row.addWidget(self._plain(words))
            row.addSpacing(theme.px(20))
        row.addStretch(1)
        return row


class _PlaceRow(QWidget):
    """An agent and its usual folder, before anybody looked there."""

    def __init__(self, look: Look, title: str, pattern: str) -> None:
        super().__init__()
        theme = look.theme
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.px(16), 0, theme.px(16), 0)
        self.setFixedHeight(theme.px(34))
        self.setObjectName("place")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(f"#place {{ border-bottom: 1px solid {theme.line.name()}; }}")
        name, folder = QLabel(title), QLabel(pattern)
        name.setFixedWidth(theme.px(110))
        folder.setFont(theme.font("id"))
        row.addWidget(name)
        row.addWidget(folder, 1)


def _short(folder: str) -> str:
    home = str(Path.home())
    shown = "~" + folder[len(home) :] if folder.startswith(home) else folder
    return shown if len(shown) <= 36 else "…" + shown[-35:]
