"""Patterns that carry a meaning beside the colour: slanted hatches and dotted outlines.

Sizes are in logical pixels; a hatch is a small seamless tile drawn at the device pixel ratio, so it stays crisp.
"""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QPixmapCache, QPolygonF, QTransform

from gui.icons import screen_ratio


class Slant(Enum):
    """Which way the stripes of a hatch lean."""

    RISING = "/"
    FALLING = "\\"


def hatch(
    colour: QColor,
    slant: Slant,
    *,
    period: float = 7.0,
    share: float = 0.5,
    ground: QColor | None = None,
    dpr: float | None = None,
) -> QBrush:
    """Stripes of `colour` that repeat every `period` logical pixels along x and y.

    `share` is the part of the period that is painted; the rest is `ground`, or left open.
    The brush starts at the painter's brush origin: set it to the shape's corner when the shape moves.
    """
    ratio = screen_ratio() if dpr is None else dpr
    # The tile holds a whole number of device pixels, or its seams would show.
    edge = max(3, round(period * ratio))
    under = "none" if ground is None else f"{ground.rgba():08x}"
    key = f"stratascope/hatch/{slant.value}/{edge}/{share}/{colour.rgba():08x}/{under}"
    tile = QPixmap()
    if not QPixmapCache.find(key, tile):
        tile = _tile(colour, slant, edge, share, ground)
        QPixmapCache.insert(key, tile)
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(1 / ratio, 1 / ratio))
    return brush


def _tile(colour: QColor, slant: Slant, edge: int, share: float, ground: QColor | None) -> QPixmap:
    tile = QPixmap(edge, edge)
    tile.fill(Qt.GlobalColor.transparent if ground is None else ground)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if slant is Slant.FALLING:
        painter.translate(edge, 0)
        painter.scale(-1, 1)
    width = edge * share
    for start in (-edge, 0, edge):
        # A band that enters at the bottom edge and leaves at the top, one tile further right.
        painter.drawPolygon(QPolygonF.fromList(_band(start, width, edge)))
    painter.end()
    return tile


def _band(start: float, width: float, edge: int) -> list[QPointF]:
    return [
        QPointF(start, edge),
        QPointF(start + edge, 0),
        QPointF(start + edge + width, 0),
        QPointF(start + width, edge),
    ]


def dotted_line(painter: QPainter, place: QRectF, colour: QColor, width: float = 1.5) -> None:
    """A row of square dots along the longer side of `place`, centred on it: what is not recorded.

    Filled from a tile, since Qt's dashed lines cost up to a millisecond each and a plot may hold hundreds.
    """
    device = painter.device()
    ratio = device.devicePixelRatio() if device is not None else 1.0
    upright = place.height() > place.width()
    dot = max(1, int(width * ratio))  # whole device pixels, rather lighter than heavier
    period = max(dot + 1, round(width * 2.2 * ratio))
    key = f"stratascope/dots/{upright}/{dot}/{period}/{colour.rgba():08x}"
    tile = QPixmap()
    if not QPixmapCache.find(key, tile):
        tile = QPixmap(1 if upright else period, period if upright else 1)
        tile.fill(Qt.GlobalColor.transparent)
        filler = QPainter(tile)
        filler.fillRect(0, 0, 1 if upright else dot, dot if upright else 1, colour)
        filler.end()
        QPixmapCache.insert(key, tile)
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(1 / ratio, 1 / ratio))
    thick = dot / ratio
    if upright:
        strip = QRectF(place.center().x() - thick / 2, place.top(), thick, place.height())
    else:
        strip = QRectF(place.left(), place.center().y() - thick / 2, place.width(), thick)
    filled(painter, strip, brush)


def dotted_outline(painter: QPainter, rect: QRectF, colour: QColor, width: float = 1.5) -> None:
    """A hollow rectangle of dots wholly inside `rect`: a block, bar or stack that the file does not hold."""
    across, down = min(width, rect.height()), min(width, rect.width())
    dotted_line(painter, QRectF(rect.left(), rect.top(), rect.width(), across), colour, width)
    dotted_line(painter, QRectF(rect.left(), rect.bottom() - across, rect.width(), across), colour, width)
    dotted_line(painter, QRectF(rect.left(), rect.top(), down, rect.height()), colour, width)
    dotted_line(painter, QRectF(rect.right() - down, rect.top(), down, rect.height()), colour, width)


def filled(painter: QPainter, rect: QRectF, brush: QBrush) -> None:
    """Fill so that the pattern moves with the shape instead of staying on the screen."""
    origin = painter.brushOrigin()
    painter.setBrushOrigin(rect.topLeft().toPoint())
    painter.fillRect(rect, brush)
    painter.setBrushOrigin(origin)


def dotted_pen(colour: QColor, width: float = 1.5) -> QPen:
    """Round dots about two widths apart, for curves; straight lines take `dotted_line`, which is far cheaper."""
    pen = QPen(colour, width)
    pen.setStyle(Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([0.01, 2.2])
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def dashed_pen(colour: QColor, width: float = 1.0) -> QPen:
    """The pen of a limit that is assumed, or that lies before the hard one."""
    pen = QPen(colour, width)
    pen.setDashPattern([4.0, 3.0])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def inset(rect: QRectF, width: float) -> QRectF:
    """The rectangle on which a line of `width` lies wholly inside `rect`."""
    half = width / 2
    return rect.adjusted(half, half, -half, -half)


def outline(painter: QPainter, rect: QRectF, pen: QPen) -> None:
    """A hollow rectangle whose line lies wholly inside `rect`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, pen.style() != Qt.PenStyle.SolidLine)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if pen.style() == Qt.PenStyle.SolidLine:
        pen = QPen(pen)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.drawRect(inset(rect, pen.widthF()))
    painter.restore()
