"""Rows that were painted before: a row that looks as it looked is copied, which takes a twentieth of painting it.

The first time a row is painted where it stands: a picture of it would make that a third dearer, and after a jump all
rows in sight are new. Whoever paints them then paints them once more when nobody waits (`fresh`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

MOST = 400
"""Rows kept: some screens full, ten megabytes and more on a sharp screen."""


class PaintedRows:
    """Pictures by whatever decides how a row looks. `paint(painter, rect)` gets a rectangle at the origin."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[QPixmap, object]] = OrderedDict()
        self.fresh = False
        """A row was painted of which there is no picture yet, since somebody set this to False."""
        self._seen: set[int] = set()
        """Hashes of looks that were painted once."""

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
        whole = (key, rect.width(), rect.height(), ratio)
        blurred = ratio != int(ratio)  # rows begin between two pixels there, which a copy cannot
        found = None if blurred else self._kept.get(whole)
        if blurred or (found is None and self._new(hash(whole))):
            painter.save()
            painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
            painter.translate(rect.topLeft())
            painter.fillRect(at_origin, ground)
            paint(painter, at_origin)
            painter.restore()
            return
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
                gone, _ = self._kept.popitem(last=False)
                self._seen.discard(hash(gone))
        else:
            self._kept.move_to_end(whole)
        painter.drawPixmap(QPointF(rect.topLeft()), found[0])

    def _new(self, looks: int) -> bool:
        if looks in self._seen:
            return False
        if len(self._seen) > 10 * MOST:
            self._seen.clear()
        self._seen.add(looks)
        self.fresh = True
        return True

    def clear(self) -> None:
        self._kept.clear()
        self._seen.clear()
