"""The tool bar: which session and branch, which request, search, theme. Its three parts stand over the docks below."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from gui import icons, paint
from gui.profile_button import ProfileButton
from gui.theme import Look
from gui.visible import visible


class SessionButton(QAbstractButton):
    """The open session and its branch; a click lists the other sessions and branches."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.name, self.branch, self.note = "", "", ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Session and branch"))

    def show_names(self, name: str, branch: str, note: str) -> None:
        """`note`: "3 open", or "" when there is one."""
        self.name, self.branch, self.note = visible(name), visible(branch), note
        self.setAccessibleDescription(f"{self.name} {self.branch} {note}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(220), self._look.theme.px(32))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(120), self._look.theme.px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(theme.accent if self.hasFocus() else theme.line2)
        painter.setBrush(theme.hover if self.underMouse() else theme.panel)
        painter.drawRoundedRect(box, theme.px(6), theme.px(6))
        x, middle = theme.px(10), self.height() / 2
        glyph = theme.px(15)
        painter.drawPixmap(QPoint(x, round(middle - glyph / 2)), icons.icon("git-branch", glyph, theme.ink3))
        x += glyph + theme.px(8)
        right = self.width() - theme.px(30)
        chevron = theme.px(14)
        painter.drawPixmap(
            QPoint(self.width() - theme.px(10) - chevron, round(middle - chevron / 2)),
            icons.icon("chevron-down", chevron, theme.ink2),
        )
        if self.note:
            width = paint.chip_width(self.note, theme)
            paint.chip(painter, QPointF(right - width, middle), self.note, theme)
            right -= width + theme.px(8)
        bold = theme.font("body", 600)
        name = paint.elided(self.name, bold, right - x)
        rect = QRectF(x, 0, right - x, self.height())
        paint.draw_text(painter, rect, name, bold, theme.ink)
        x += round(paint.width_of(name, bold)) + theme.px(8)
        if right - x > theme.px(24):
            plain = theme.font("body")
            paint.draw_text(
                painter,
                QRectF(x, 0, right - x, self.height()),
                paint.elided(self.branch, plain, right - x),
                plain,
                theme.ink2,
            )


class RequestPill(QAbstractButton):
    """The inspection point: the number of the request, in the one saturated accent of the window."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Request"))

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        width = paint.width_of(self.text(), theme.font("body", 600)) + theme.px(24)
        return QSize(max(theme.px(44), round(width)), theme.px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        painter.drawRoundedRect(box, theme.px(6), theme.px(6))
        painter.setPen(theme.onaccent)
        painter.setFont(theme.font("body", 600))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setPen(theme.onaccent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(2, 2, -2, -2), theme.px(4), theme.px(4))


class SearchField(QLineEdit):
    """Find in session. Enter: next hit, Shift+Enter: previous, Esc: clear, then back to where one was."""

    step = Signal(int)
    left = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setPlaceholderText(self.tr("Find in session"))
        self.setAccessibleName(self.tr("Find in session"))
        self.setClearButtonEnabled(True)
        self._count = QLabel(self)
        self._count.setProperty("tone", "hint")
        self._count.hide()
        self._icon = self.addAction(
            icons.qicon("search", 15, look.theme.ink3), QLineEdit.ActionPosition.LeadingPosition
        )

    def show_count(self, words: str) -> None:
        """Right of the text: "3 / 17"."""
        self._count.setText(words)
        self._count.setVisible(bool(words))
        self._place_count()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_count()

    def _place_count(self) -> None:
        self._count.adjustSize()
        x = self.width() - self._count.width() - self._look.theme.px(30)
        self._count.move(x, (self.height() - self._count.height()) // 2)

    def restyle(self) -> None:
        self.setStyleSheet("QToolButton { border: none; padding: 0; margin: 0; min-width: 0; min-height: 0; }")
        self._icon.setIcon(icons.qicon("search", self._look.theme.px(15), self._look.theme.ink3))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        else:
            super().keyPressEvent(event)


class ToolBar(QToolBar):
    """Signals only; the window decides what they do."""

    open = Signal()
    sessions = Signal(QPoint)
    previous = Signal()
    next = Signal()
    number = Signal()
    toggle_theme = Signal()

    def __init__(self, look: Look, folder: Path, parent: QWidget) -> None:
        """`folder`: where a person's own policies are kept."""
        super().__init__(parent)
        self.setObjectName("tool_bar")
        self.setWindowTitle(self.tr("Tool bar"))
        self.setMovable(False)
        self.setFloatable(False)
        self._look = look
        self._left = QWidget(self)
        left = QHBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        self.open_button = self._button("folder-open", self.tr("Open file (Ctrl+O)"), self.open.emit)
        self.session = SessionButton(look, self._left)
        self.session.clicked.connect(self._drop)
        left.addWidget(self.open_button)
        left.addWidget(self.session)
        self._label = QLabel(self.tr("Request"), self)
        self.back_button = self._button("chevron-left", self.tr("Previous request  ["), self.previous.emit, framed=True)
        self.pill = RequestPill(look, self)
        self.pill.clicked.connect(self.number.emit)
        self.forth_button = self._button("chevron-right", self.tr("Next request  ]"), self.next.emit, framed=True)
        self._of = QLabel(self)
        self.search = SearchField(look, self)
        self.search.setMinimumWidth(look.theme.px(180))
        self.search.setMaximumWidth(look.theme.px(320))
        self.theme_button = self._button("moon", self.tr("Light or dark"), self.toggle_theme.emit)
        self.profile = ProfileButton(look, folder, self)
        space = QWidget(self)
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        for widget in (
            self._left,
            self._label,
            self.back_button,
            self.pill,
            self.forth_button,
            self._of,
            space,
            self.profile,
            self.search,
            self.theme_button,
        ):
            self.addWidget(widget)
        self.restyle()

    def _button(self, icon: str, words: str, run: Callable[[], None], *, framed: bool = False) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(icon)
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setProperty("framed", framed)
        button.clicked.connect(run)
        return button

    def restyle(self) -> None:
        """Icons in the colours and sizes of the theme."""
        theme = self._look.theme
        self.theme_button.setObjectName("sun" if theme.dark else "moon")
        for button in (self.open_button, self.back_button, self.forth_button, self.theme_button):
            button.setIcon(icons.qicon(button.objectName(), theme.px(18), theme.ink2, disabled=theme.line2))
            button.setIconSize(QSize(theme.px(18), theme.px(18)))
            button.setFixedSize(theme.px(30), theme.px(32))
        self._label.setFont(theme.font("body"))
        self._of.setFont(theme.font("body"))
        self.search.restyle()
        self.search.setFixedHeight(theme.px(32))
        self.session.updateGeometry()
        self.session.update()
        self._fit_pill()
        self.pill.update()

    def align(self, width: int) -> None:
        """Make the left part as wide as the dock below it (0 = by itself)."""
        theme = self._look.theme
        self._left.setFixedWidth(max(theme.px(220), width - theme.px(9)) if width else theme.px(360))

    def show_request(self, number: int | None, count: int) -> None:
        """`number` None: what would be sent next."""
        self.pill.setText(str(number) if number is not None else (self.tr("next") if count else "–"))
        self._fit_pill()
        self._of.setText(self.tr("of {count}").replace("{count}", f"{count:,}"))
        self.back_button.setEnabled(count > 0 and number != 1)
        self.forth_button.setEnabled(count > 0 and number is not None)

    def _fit_pill(self) -> None:
        """As large as its number. A fixed size, so that a number of the same size does not lay out the window."""
        self.pill.setFixedSize(self.pill.sizeHint())

    def _drop(self) -> None:
        self.sessions.emit(self.session.mapToGlobal(QPoint(0, self.session.height() + 2)))


def popup(menu: QMenu, place: QPoint) -> None:
    """Show a menu and let it delete itself."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)
