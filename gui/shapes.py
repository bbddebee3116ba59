"""Shapes with a meaning that several views paint alike: lane nodes, step circles, pins, swatches, the budget bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.hatch import dotted_outline, dotted_pen, outline
from gui.paint import CENTRE, LEFT, draw_text, kept, width_of
from gui.theme import Theme


class Node(Enum):
    """A node of a lane. FILLED: user or assistant · HOLLOW: result or setting · DIAMOND: compaction ·
    FOLD: a folded run · GONE: removed from the file."""

    FILLED = "filled"
    HOLLOW = "hollow"
    DIAMOND = "diamond"
    FOLD = "fold"
    GONE = "gone"


def node(
    painter: QPainter,
    centre: QPointF,
    shape: Node,
    theme: Theme,
    *,
    active: bool = True,
    point: bool = False,
    ground: QColor | None = None,
) -> None:
    """A lane node; `active` for those on the chosen path, `point` for the inspection point (accent ring).

    `ground` is the row's colour, painted under hollow shapes so that the lane does not run through them.
    """
    ink = theme.system_text if active else theme.ink3
    under = theme.panel if ground is None else ground
    radius = theme.pxf(5)
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if point:
            painter.setPen(QPen(theme.accent, theme.pxf(3)))
            painter.setBrush(under)
            painter.drawEllipse(centre, theme.pxf(6.5), theme.pxf(6.5))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.accent)
            painter.drawEllipse(centre, theme.pxf(2.2), theme.pxf(2.2))
        elif shape is Node.FILLED:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawEllipse(centre, radius, radius)
        elif shape is Node.HOLLOW:
            painter.setPen(QPen(ink, theme.pxf(2)))
            painter.setBrush(under)
            painter.drawEllipse(centre, radius - theme.pxf(1), radius - theme.pxf(1))
        elif shape is Node.GONE:
            pen = QPen(theme.ink3, theme.pxf(1.25))
            pen.setDashPattern([2, 1.6])
            painter.setPen(pen)
            painter.setBrush(under)
            painter.drawEllipse(centre, radius - theme.pxf(1), radius - theme.pxf(1))
        elif shape is Node.DIAMOND:
            painter.setPen(QPen(theme.summary_text, theme.pxf(1)))
            painter.setBrush(theme.summary)
            arm = theme.pxf(6)
            x, y = centre.x(), centre.y()
            painter.drawPolygon(
                QPolygonF([QPointF(x, y - arm), QPointF(x + arm, y), QPointF(x, y + arm), QPointF(x - arm, y)])
            )
        else:
            half = theme.pxf(7)
            painter.fillRect(QRectF(centre.x() - half / 2, centre.y() - half, half, 2 * half), under)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            for step in (-1, 0, 1):
                painter.drawEllipse(
                    QPointF(centre.x(), centre.y() + step * theme.pxf(4.5)), theme.pxf(1.3), theme.pxf(1.3)
                )


def lane_pen(theme: Theme, *, active: bool, joins: bool = False) -> QPen:
    """The pen of a lane: thick ink on the chosen path, thin grey elsewhere, dashed where a summary joins back."""
    pen = QPen(theme.system_text, theme.pxf(2.5)) if active else QPen(theme.uncached, theme.pxf(1.75))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if joins:
        pen.setDashPattern([1.5, 1.5])
    return pen


class Fired(Enum):
    """What a step did: FIRED, IDLE (nothing to do, or switched off), UNKNOWN (cannot be known)."""

    FIRED = "fired"
    IDLE = "idle"
    UNKNOWN = "unknown"


def step_circle(
    painter: QPainter, centre: QPointF, number: str, fired: Fired, theme: Theme, *, current: bool = False
) -> None:
    """The numbered circle of a pipeline step: filled, hollow or dotted; accent while it is the selected step."""
    radius = theme.pxf(9.5)
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if fired is Fired.FIRED:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.accent if current else theme.system_text)
        else:
            tone = theme.accent if current else theme.ink3
            painter.setPen(dotted_pen(tone, theme.pxf(1.5)) if fired is Fired.UNKNOWN else QPen(tone, theme.pxf(1.25)))
            painter.setBrush(theme.accentbg if current else theme.panel)
        painter.drawEllipse(centre, radius, radius)
    ink = theme.onaccent if current else theme.panel
    if fired is not Fired.FIRED:
        ink = theme.accent if current else theme.ink2
    box = QRectF(centre.x() - 2 * radius, centre.y() - radius, 4 * radius, 2 * radius)
    draw_text(painter, box, number, theme.font("pin"), ink, CENTRE)


def pin(painter: QPainter, tip: QPointF, number: str, theme: Theme) -> QRectF:
    """A cache breakpoint: a small flag with its number that points right, to `tip`. Returns where it stands."""
    font = theme.font("pin")
    body = max(theme.pxf(13), width_of(number, font) + theme.pxf(6))
    height, nose = theme.pxf(14), theme.pxf(6)
    rect = QRectF(tip.x() - body - nose, tip.y() - height / 2, body + nose, height)
    shape = QPolygonF(
        [
            rect.topLeft(),
            QPointF(rect.left() + body, rect.top()),
            tip,
            QPointF(rect.left() + body, rect.bottom()),
            rect.bottomLeft(),
        ]
    )
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.system_text)
        painter.drawPolygon(shape)
    draw_text(painter, QRectF(rect.left(), rect.top(), body + 1, height), number, font, theme.panel, CENTRE)
    return rect


def not_recorded(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """The dotted outline of a block, bar or stack that the file does not hold."""
    dotted_outline(painter, rect, theme.ink3, theme.pxf(1.5))


def cut_away(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """What the guard took, on top of what was sent: hollow, in the colour of loss."""
    outline(painter, rect, QPen(theme.diff, max(1.0, theme.pxf(1.5))))


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the budget bar: a role, `cut` or `unrecorded`, and its size in the bar's unit.

    `apart` leaves a gap before it (system and tools stand apart from the messages).
    """

    kind: str
    size: float
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Limit:
    """A line on the budget bar: where, in the bar's unit; dashed where the prompt is only compacted, not refused."""

    at: float
    dashed: bool = False
    user_set: bool = False


def budget_bar(
    painter: QPainter, rect: QRectF, parts: Sequence[Part], limits: Sequence[Limit], full: float, theme: Theme
) -> list[QRectF]:
    """Parts one after another on a track that ends at `full`, and the limits over them, a little taller.

    Returns the place of each part, for its label and its tool tip. Nothing is drawn right of the track.
    """
    painter.fillRect(rect, theme.track)
    unit = rect.width() / full if full > 0 else 0.0
    places = []
    x = rect.left()
    for part in parts:
        x += theme.px(3) if part.apart else 0
        width = min(max(0.0, part.size * unit), max(0.0, rect.right() - x))
        place = QRectF(x, rect.top(), width, rect.height())
        places.append(place)
        if width > 0.2:
            # A seam of one pixel between neighbours, if that leaves anything of the part.
            area = place.adjusted(0, 0, -1, 0) if width > 2 else place
            if part.kind == "unrecorded":
                painter.fillRect(area, theme.panel)
                not_recorded(painter, area, theme)
            elif part.kind == "cut":
                painter.fillRect(area, theme.panel)
                cut_away(painter, area, theme)
            else:
                painter.fillRect(area, theme.role(part.kind).brush())
        x += width
    for limit in limits:
        spot = min(rect.right() - 1, rect.left() + limit.at * unit)
        pen = QPen(theme.accent if limit.user_set else theme.ink, theme.pxf(1.5))
        if limit.dashed:
            pen.setDashPattern([2.5, 2])
        with kept(painter):
            painter.setPen(pen)
            reach = theme.px(3)
            painter.drawLine(QPointF(spot, rect.top() - reach), QPointF(spot, rect.bottom() + reach))
    return places


def swatch_label(painter: QPainter, place: QPointF, role: str, label: str, theme: Theme) -> float:
    """A legend entry, its left middle at `place`: a small square of the role, then the word. Returns its width."""
    edge = theme.px(10)
    square = QRectF(round(place.x()), round(place.y() - edge / 2), edge, edge)
    if role == "unrecorded":
        not_recorded(painter, square, theme)
    elif role == "cut":
        cut_away(painter, square, theme)
    else:
        style = theme.role(role)
        painter.fillRect(square, style.brush()) if not style.hatched else style.draw(painter, square)
    left = square.right() + theme.px(6)
    width = width_of(label, theme.font("secondary"))
    space = QRectF(left, place.y() - theme.px(10), width + 1, theme.px(20))
    draw_text(painter, space, label, theme.font("secondary"), theme.ink2, LEFT)
    return left + width - place.x()


def caret(painter: QPainter, tip: QPointF, colour: QColor, size: float, *, up: bool = False) -> None:
    """A small triangle whose tip is at `tip`: a break above its bar, the default under a gauge (`up`)."""
    height = size if up else -size
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        base = tip.y() + height
        painter.drawPolygon(QPolygonF([tip, QPointF(tip.x() + size * 0.7, base), QPointF(tip.x() - size * 0.7, base)]))


def ring(
    painter: QPainter, centre: QPointF, theme: Theme, *, radius: float = 7.5, ground: QColor | None = None
) -> None:
    """The handle of a value the user sets: a ring of accent over its line or gauge."""
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.accent, theme.pxf(2.5)))
        painter.setBrush(theme.panel if ground is None else ground)
        painter.drawEllipse(centre, theme.pxf(radius), theme.pxf(radius))
