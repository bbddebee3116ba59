"""The treemap of what fills the window, as a widget: flat tiles in the colours of their roles, hairlines between them.

Click or arrows: the tile in focus. Double click or Enter: into a group, or where it stands in the prompt. Backspace:
out again. What a tile holds is told to screen readers as it comes into focus.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.window_areas import Area
from gui.fill_tiles import HEAD, Path, Tile, at, beside, leaves, tiles
from gui.hatch import inset
from gui.paint import RIGHT, draw_text, focus_ring, kept, width_of
from gui.shapes import not_recorded
from gui.theme import Look, Theme

LABEL_WIDTH, LABEL_HEIGHT = 34, 18
"""Room that a tile needs for its name."""
NOTHING = Area("window", "", 0, 0)

Words = Callable[[Area], tuple[str, str]]
"""(name, size) of an area, as it stands on its tile."""


class FillMap(QWidget):
    """`chosen(path)`: another tile. `opened(path)`: a double click or Enter on it. `left()`: one level up."""

    chosen = Signal(tuple)
    opened = Signal(tuple)
    left = Signal()

    def __init__(self, look: Look, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._words = look, words
        self.area = NOTHING
        self.current: Path = ()
        self.stale = False
        self._by_key = False
        self._laid: tuple[Area, QSize, Theme] | None = None
        self._tiles: tuple[Tile, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(self._look.theme.px(460), self._look.theme.px(300))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(180), self._look.theme.px(120))

    def show_area(self, area: Area, current: Path) -> None:
        """The children of `area`; `current`: the tile in focus, () = none."""
        self.area = area
        self.current = current if area_at(area, current) is not None else ()
        self.update()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Laid out for the size that the widget has."""
        wanted = (self.area, self.size(), self._look.theme)
        if self._laid is None or self._laid[0] is not wanted[0] or self._laid[1:] != wanted[1:]:
            self._laid = wanted
            frame = QRectF(self.rect()).adjusted(0, 0, -1, -1)
            self._tiles = tiles(self.area, frame, self._look.theme)
        return self._tiles

    def tile(self, path: Path) -> Tile | None:
        """The tile of an area, or of the group that it stands in where it is too small to be seen."""
        known = {tile.path: tile for tile in self.tiles}
        return next((known[path[:end]] for end in range(len(path), 0, -1) if path[:end] in known), None)

    def tell(self, words: str) -> None:
        """What a screen reader says of the tile in focus."""
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._look.theme, QPainter(self)
        painter.fillRect(self.rect(), theme.panel)
        with kept(painter):
            if self.stale:
                painter.setOpacity(0.55)
            for tile in self.tiles:
                (self._group if tile.group else self._leaf)(painter, tile, theme)
        found = self.tile(self.current)
        if found is not None:
            painter.setPen(QPen(theme.panel, 4))
            painter.drawRect(inset(found.rect, 4))
            painter.setPen(QPen(theme.accent, 2))
            painter.drawRect(inset(found.rect, 2))
        if self.hasFocus() and self._by_key:
            focus_ring(painter, QRectF(self.rect()), theme, gap=-2)
        painter.end()

    def _group(self, painter: QPainter, tile: Tile, theme: Theme) -> None:
        rect = tile.rect
        painter.fillRect(rect, theme.panel2)
        painter.setPen(QPen(theme.line2, 1))
        painter.drawRect(inset(rect, 1))
        head = QRectF(rect.left() + theme.px(6), rect.top(), rect.width() - theme.px(12), theme.px(HEAD))
        name, size = self._words(tile.area)
        font = theme.font("secondary", 600)
        beside = width_of(size, theme.font("secondary")) + theme.px(10)
        room = head.width() - beside
        if room > theme.px(40):
            draw_text(painter, head, size, theme.font("secondary"), theme.ink2, RIGHT)
            head = QRectF(head.left(), head.top(), room, head.height())
        draw_text(painter, head, name, font, theme.ink)

    def _leaf(self, painter: QPainter, tile: Tile, theme: Theme) -> None:
        area, rect = tile.area, tile.rect.adjusted(0, 0, -1, -1)
        unrecorded = area.name == "unrecorded" and area.kind == "what"
        if unrecorded:
            painter.fillRect(rect, theme.panel)
            not_recorded(painter, rect, theme)
            ink = theme.ink2
        else:
            style = theme.role(role_of(area))
            style.draw(painter, rect)
            ink = theme.ink_on(style.fill)
        if rect.width() < theme.px(LABEL_WIDTH) or rect.height() < theme.px(LABEL_HEIGHT):
            return
        name, size = self._words(area)
        font, line = theme.font("chart"), theme.line_height("chart")
        label = QRectF(rect.left() + theme.px(5), rect.top() + theme.px(3), rect.width() - theme.px(9), line)
        two = rect.height() >= 2 * line + theme.px(6)
        if not unrecorded and theme.role(role_of(area)).hatched:
            widest = max(width_of(name, font), width_of(size, font) if two else 0)
            ground = label.adjusted(-theme.px(3), -theme.px(1), 0, (line if two else 0) + theme.px(1))
            ground.setWidth(min(widest + theme.px(6), label.width() + theme.px(6)))
            painter.fillRect(ground, theme.panel)
            ink = theme.ink
        draw_text(painter, label, name, font, ink)
        if two:
            draw_text(painter, label.translated(0, line), size, font, ink)

    # gestures

    def _go(self, path: Path) -> None:
        if path != self.current:
            self.current = path
            self.update()
            self.chosen.emit(path)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_key = False
        found = at(self.tiles, event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self._go(found.path)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = at(self.tiles, event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(found.path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_key = True
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ways = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        if plain and key in ways:
            self._walk(*ways[Qt.Key(key)])
        elif plain and key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            found = leaves(self.tiles)
            if found:
                self._go(found[0 if key == Qt.Key.Key_Home else -1].path)
        elif plain and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current:
            self.opened.emit(self.current)
        elif plain and key == Qt.Key.Key_Backspace:
            self.left.emit()
        else:
            event.ignore()
        self.update()

    def _walk(self, x: int, y: int) -> None:
        here = self.tile(self.current)
        found = beside(self.tiles, here, x, y) if here is not None else next(iter(leaves(self.tiles)), None)
        if found is not None:
            self._go(found.path)

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._by_key = event.reason() in keys
        super().focusInEvent(event)


def area_at(area: Area, path: Path) -> Area | None:
    """The area that a path leads to; None where there is none."""
    for index in path:
        if not 0 <= index < len(area.children):
            return None
        area = area.children[index]
    return area


def role_of(area: Area) -> str:
    """Of a mixed area the role of what is largest in it."""
    while area.role is None and area.children:
        area = max(area.children, key=lambda child: child.tokens)
    return area.role or "other"
