"""Rows that were painted before: a row that looks as it looked is copied, which takes a twentieth of painting it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPixmap

MOST = 400
"""Rows kept: some screens full, ten megabytes and more on a sharp screen."""


class PaintedRows:
    """Pictures by whatever decides how a row looks. `paint(painter, rect)` gets a rectangle at the origin."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[QPixmap, object]] = OrderedDict()

    def draw(
        self,
        painter: QPainter,
        rect: QRectF,
        ground: QColor,
        key: Hashable,
        held: object,
        paint: Callable[[QPainter, QRectF], None],
    ) -> None:
        """Draw the row at `rect`, on a `ground` without transparency. `held`: what `key` names by identity; it is kept
        as long as the picture, so that no other object can take its name."""
        device = painter.device()
        ratio = device.devicePixelRatio() if device is not None else 1.0
        at_origin = QRectF(0, 0, rect.width(), rect.height())
        if ratio != int(ratio):  # rows begin between two pixels there, and a copy would be blurred
            painter.save()
            painter.translate(rect.topLeft())
            painter.fillRect(at_origin, ground)
            paint(painter, at_origin)
            painter.restore()
            return
        whole = (key, rect.width(), rect.height(), ratio)
        found = self._kept.get(whole)
        if found is None:
            picture = QPixmap(round(rect.width() * ratio), round(rect.height() * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(ground)
            inner = QPainter(picture)
            inner.setRenderHints(painter.renderHints())
            paint(inner, at_origin)
            inner.end()
            found = self._kept[whole] = (picture, held)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(whole)
        painter.drawPixmap(QPointF(rect.topLeft()), found[0])

    def clear(self) -> None:
        self._kept.clear()
