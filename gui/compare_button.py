"""The other side of a comparison: which policy it is, and a menu to choose another or to pin the one in use."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from core.phrase import phrase
from core.profile import Profile, policies
from gui import icons
from gui.paint import draw_text, focus_ring, kept, width_of
from gui.policy_shelf import Shelf
from gui.profile_button import policy_action
from gui.theme import RADIUS, Look
from gui.translation import say
from gui.visible import visible_line

WIDEST = 210
"""Pixels at 100 % that a name may take."""


class SideButton(QAbstractButton):
    """`side`: a or b. Side A shows the profile in use and has no menu. `chosen`: a Profile for side B; `pinned`: it
    shall be the profile in use as it is now."""

    chosen = Signal(object)
    pinned = Signal()

    def __init__(self, look: Look, side: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._side = look, side
        self.profile: Profile | None = None
        self.shelf: Shelf | None = None
        self._changed = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if side == "b":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.clicked.connect(self._drop)
        else:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        look.changed.connect(self.updateGeometry)

    def show_profile(self, profile: Profile, changed: int) -> None:
        """`changed`: how many of its settings are not as chosen."""
        if (profile, changed) != (self.profile, self._changed):
            self.profile, self._changed = profile, changed
            self.setAccessibleName(say(phrase(f"compare.side_{self._side}", name=self._words())))
            self.updateGeometry()
            self.update()

    def _words(self) -> str:
        name = visible_line(self.profile.id, 40) if self.profile is not None else "–"
        return f"{name} · {say(phrase('dock.profile.changed', n=self._changed))}" if self._changed else name

    def menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(say(phrase("compare.pin"))).triggered.connect(lambda: self.pinned.emit())
        menu.addSection(say(phrase("dock.profile.policies")))
        own = self.shelf.own()[0] if self.shelf is not None else ()
        for policy in (*policies().values(), *own):
            action = policy_action(menu, policy)
            action.setChecked(policy == self.profile)
            action.triggered.connect(lambda _=False, other=policy: self.chosen.emit(other))
        return menu

    def _drop(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        wide = width_of(f"{self._side.upper()} · {self._words()}", theme.font("body", 500))
        whole = round(wide) + theme.px(62 if self._side == "b" else 38)
        return QSize(min(whole, theme.px(WIDEST)), theme.px(28))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(90), self._look.theme.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        right = box.right() - theme.px(8)
        if self._side == "b":
            with kept(painter):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(theme.line2)
                painter.setBrush(theme.hover if self.underMouse() else theme.panel)
                painter.drawRoundedRect(box, theme.px(RADIUS), theme.px(RADIUS))
            glyph = theme.px(14)
            place = QPointF(right - glyph, round(box.center().y() - glyph / 2))
            painter.drawPixmap(place, icons.icon("chevron-down", glyph, theme.ink2))
            right -= glyph + theme.px(6)
        edge = theme.px(9)
        left = box.left() + theme.px(8)
        square = QRectF(left, round(box.center().y() - edge / 2), edge, edge)
        painter.fillRect(square, theme.system if self._side == "a" else theme.accent)
        area = QRectF(square.right() + theme.px(7), 0, right - square.right() - theme.px(7), self.height())
        words = f"{self._side.upper()} · {self._words()}"
        draw_text(painter, area, words, theme.font("body", 500), theme.ink)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), theme, radius=theme.pxf(RADIUS), gap=-2)
        painter.end()
