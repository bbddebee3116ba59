"""What points at requests, across all plots: the inspection point, the selected range, the request under the pointer.

Two items, one behind the bars and one in front; a move repaints only the strips that changed.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui.hatch import outline
from gui.paint import focus_ring
from gui.theme import Theme

Span = tuple[float, float]
"""Left and right end in pixels."""


class Strips(QGraphicsItem):
    """Named vertical strips over the plots. `place` moves one."""

    def __init__(self, parent: QGraphicsItem, z: float) -> None:
        super().__init__(parent)
        self.setZValue(z)
        self.theme: Theme | None = None
        self._whole = QRectF()
        self._band = QRectF()
        self.spans: dict[str, Span] = {}

    def resize(self, whole: QRectF, band: QRectF) -> None:
        """`whole`: the picture; `band`: the part that the plots cover."""
        self.prepareGeometryChange()
        self._whole, self._band = whole, band

    def boundingRect(self) -> QRectF:
        return self._whole

    def place(self, name: str, span: Span | None) -> None:
        """Show the strip there; None hides it."""
        before = self.spans.pop(name, None)
        if span is not None:
            self.spans[name] = span
        if before == span:
            return
        for changed in (before, span):
            if changed is not None:
                self.update(self.strip(changed).adjusted(-3, 0, 3, 0))

    def strip(self, span: Span) -> QRectF:
        return QRectF(span[0], self._band.top(), span[1] - span[0], self._band.height())

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.theme is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.save()
            painter.setClipRect(self._band.adjusted(-1, 0, 1, 0))
            self.draw(painter, self.theme)
            painter.restore()

    def draw(self, painter: QPainter, theme: Theme) -> None:
        raise NotImplementedError


class Backdrop(Strips):
    """Behind the bars: "range" and the inspection "point" as tinted grounds."""

    def draw(self, painter: QPainter, theme: Theme) -> None:
        for name in ("range", "point"):
            if name in self.spans:
                painter.fillRect(self.strip(self.spans[name]), theme.accentbg)


class Front(Strips):
    """Over the bars: the accent line of the "point", the edges of the "range", the crosshair and outline under the
    pointer ("hover"), and the ring of the keyboard's focus."""

    def __init__(self, parent: QGraphicsItem, z: float) -> None:
        super().__init__(parent, z)
        self.outlines: list[QRectF] = []
        """Around the hovered request's bars."""
        self.focused = False

    def show_focus(self, on: bool) -> None:
        self.focused = on
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        super().paint(painter, option, widget)
        if self.focused and self.theme is not None:
            focus_ring(painter, self._whole, self.theme, gap=-3)

    def draw(self, painter: QPainter, theme: Theme) -> None:
        if "range" in self.spans:
            for x in self.spans["range"]:
                self._line(painter, x, 1, theme.accent)
        if "hover" in self.spans:
            left, right = self.spans["hover"]
            self._line(painter, (left + right) / 2, 1, theme.ink3)
            for rect in self.outlines:
                outline(painter, rect, QPen(theme.ink, 1))
        if "point" in self.spans:
            left, right = self.spans["point"]
            self._line(painter, (left + right) / 2, theme.px(2), theme.accent)

    def _line(self, painter: QPainter, x: float, width: int, colour: QColor) -> None:
        painter.fillRect(QRectF(round(x - width / 2), self._band.top(), width, self._band.height()), colour)
