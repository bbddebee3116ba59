"""Strokes and words that several views paint alike: text, chips, the request pill, switches, rules, the focus ring.

Every function takes the painter, a place in logical pixels and the theme, leaves the painter as it found it, and
asks the theme for colours. Recorded text is passed through `visible_line` first (gui/visible.py).
Shapes with a meaning, such as lane nodes, stand in gui/shapes.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap, QStaticText, QTransform

from gui.glyphs import note
from gui.hatch import dashed_pen, inset
from gui.icons import icon
from gui.theme import ICON_SMALL, RADIUS, RADIUS_CHIP, Theme
from gui.visible import visible_line

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignHCenter
END = Qt.TextElideMode.ElideRight
MIDDLE = Qt.TextElideMode.ElideMiddle


class kept:
    """`with kept(painter)`: save the painter's state and bring it back, whatever happens between. No generator: it is
    asked for some hundred times in each picture."""

    __slots__ = ("_painter",)

    def __init__(self, painter: QPainter) -> None:
        self._painter = painter

    def __enter__(self) -> QPainter:
        self._painter.save()
        return self._painter

    def __exit__(self, *error: object) -> None:
        self._painter.restore()


def ratio(painter: QPainter) -> float:
    """Device pixels per logical pixel of what is painted on."""
    device = painter.device()
    return device.devicePixelRatio() if device is not None else 1.0


@lru_cache(8_192)
def width_of(text: str, font: QFont) -> float:
    """Width of one line in logical pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def elided(text: str, font: QFont, width: float, mode: Qt.TextElideMode = END) -> str:
    """Recorded text as one safe line that fits `width`, with an ellipsis where it was shortened."""
    return _line(text, font, width, mode)[0]


@lru_cache(256)
def _metrics(font: QFont) -> QFontMetricsF:
    return QFontMetricsF(font)


KEPT_LENGTH = 1_000
"""Characters: longer texts are no key of what is kept, which would hold megabytes."""


def _line(text: str, font: QFont, width: float, mode: Qt.TextElideMode) -> tuple[str, float]:
    """(line, its width). What is painted again is nearly always what was painted before."""
    return (_fitted_before if len(text) <= KEPT_LENGTH else _fitted)(text, font, width, mode)


def _fitted(text: str, font: QFont, width: float, mode: Qt.TextElideMode) -> tuple[str, float]:
    """(line, its width)."""
    # No glyph is narrower than about an eighth of the height: do not measure megabytes that cannot be seen.
    limit = max(8, int(width / max(1.0, _metrics(font).height() * 0.12)))
    if len(text) <= limit:
        line = visible_line(text, limit)
    elif mode is MIDDLE:
        line = visible_line(text[:limit] + text[-limit:], 2 * limit)
    else:
        line = visible_line(text, limit) + "…"
    # Half a pixel of grace: a rectangle made from `width_of` must not lose its last letter to rounding.
    room = max(0.0, width) + 0.5
    advance = width_of(line, font)
    if advance <= room:
        return line, advance
    line = _shortened(line, font, room, mode)
    return line, width_of(line, font)


_fitted_before = lru_cache(4_096)(_fitted)


# Measuring is the dear part of painting text, and the next picture holds nearly the same lines as the last one. What
# is kept was cut to what can be seen before: no key is a megabyte.
@lru_cache(4_096)
def _shortened(line: str, font: QFont, room: float, mode: Qt.TextElideMode) -> str:
    return QFontMetricsF(font).elidedText(line, mode, room)


@lru_cache(2_048)
def _set(line: str, font: QFont) -> QStaticText:
    """The line with its glyphs chosen and placed, which is half of painting it."""
    found = QStaticText(line)
    found.setTextFormat(Qt.TextFormat.PlainText)
    found.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
    found.prepare(QTransform(), font)
    return found


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = LEFT,
    mode: Qt.TextElideMode = END,
) -> float:
    """One line of recorded or own text, vertically centred and elided; returns the width it took."""
    line, width = _line(text, font, rect.width(), mode)
    if line:
        draw_line(painter, rect, line, width, font, colour, align)
        return width
    return 0.0


def draw_line(
    painter: QPainter,
    rect: QRectF,
    line: str,
    width: float,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = LEFT,
) -> None:
    """A line of which `elided` made that it fits and `width_of` how wide it is."""
    if align == RIGHT:
        x = rect.right() - width
    elif align == CENTRE:
        x = rect.center().x() - width / 2
    else:
        x = rect.left()
    metrics = _metrics(font)
    baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawStaticText(QPointF(x, round(baseline) - metrics.ascent()), _set(line, font))
    painter.restore()
    note(line)


def draw_icon(painter: QPainter, rect: QRectF, name: str, size: int, colour: QColor) -> None:
    """A Lucide icon of `size` logical pixels in the middle of `rect`, on whole pixels so that it is crisp."""
    pixmap: QPixmap = icon(name, size, colour, ratio(painter))
    painter.drawPixmap(QPointF(round(rect.center().x() - size / 2), round(rect.center().y() - size / 2)), pixmap)


class Tone(Enum):
    """The colours of a chip: (text, ground, border) by their names in the theme."""

    WRITTEN = ("written_text", "written_tint", None)
    DIFF = ("diff_text", "diff_tint", None)
    READ = ("read_text", "read_tint", None)
    WARNING = ("warning", "warning_tint", None)
    ACCENT = ("accent", "accentbg", None)
    PLAIN = ("ink2", "panel", "line2")
    UNKNOWN = ("ink3", "panel", "ink3")


CHIP_HEIGHT = 20


def chip_width(text: str, theme: Theme, *, icon_name: str | None = None, bold: bool = False) -> float:
    """Width of the chip that `chip` would draw."""
    width = width_of(visible_line(text), theme.font("secondary", 600 if bold else None))
    return width + theme.px(16) + (theme.px(ICON_SMALL + 3) if icon_name else 0)


def chip(
    painter: QPainter,
    place: QPointF,
    text: str,
    theme: Theme,
    tone: Tone = Tone.PLAIN,
    *,
    icon_name: str | None = None,
    bold: bool = False,
    max_width: float | None = None,
) -> QRectF:
    """A badge with its left middle at `place`: radius 4, ground or border by tone. Returns where it stands."""
    ink, ground, border = tone.value
    wanted = chip_width(text, theme, icon_name=icon_name, bold=bold)
    width = wanted if max_width is None else min(wanted, max_width)
    height = theme.px(CHIP_HEIGHT)
    rect = QRectF(place.x(), round(place.y() - height / 2), width, height)
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(getattr(theme, ground))
        painter.setPen(QPen(getattr(theme, border), 1) if border else Qt.PenStyle.NoPen)
        radius = theme.pxf(RADIUS_CHIP)
        painter.drawRoundedRect(inset(rect, 1) if border else rect, radius, radius)
    inside = rect.adjusted(theme.px(8), 0, -theme.px(8), 0)
    if icon_name:
        size = theme.px(ICON_SMALL - 1)
        place_of_icon = QRectF(inside.left() - theme.px(1), rect.top(), size, height)
        draw_icon(painter, place_of_icon, icon_name, size, getattr(theme, ink))
        inside.setLeft(inside.left() + theme.px(ICON_SMALL + 3))
    # A hair wider than measured, so that rounding never turns the last letter into an ellipsis.
    inside.setRight(inside.right() + 1)
    draw_text(painter, inside, text, theme.font("secondary", 600 if bold else None), getattr(theme, ink))
    return rect


def request_pill(painter: QPainter, rect: QRectF, number: str, theme: Theme, kind: str = "secondary") -> None:
    """The inspection point's number: filled accent, the same in tool bar, graph and plot axis."""
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        radius = min(theme.pxf(RADIUS_CHIP), rect.height() / 2)
        painter.drawRoundedRect(rect, radius, radius)
    draw_text(painter, rect, number, theme.font(kind, 600), theme.onaccent, CENTRE)


def segment_rects(labels: Sequence[str], theme: Theme, place: QPointF, height: int = 28) -> list[QRectF]:
    """Where the parts of a switch stand, its left top at `place`; each is as wide as its label in bold."""
    font = theme.font("secondary", 600)
    result = []
    x = place.x()
    for label in labels:
        width = width_of(label, font) + theme.px(24)
        result.append(QRectF(x, place.y(), round(width), theme.px(height)))
        x += round(width)
    return result


def segments(
    painter: QPainter,
    rects: Sequence[QRectF],
    labels: Sequence[str],
    current: int,
    theme: Theme,
    *,
    hovered: int = -1,
    focused: bool = False,
    enabled: bool = True,
) -> None:
    """A switch of joined parts; the current one has accent text on the accent's ground."""
    if not rects:
        return
    whole = QRectF(rects[0].topLeft(), rects[-1].bottomRight())
    radius = theme.pxf(RADIUS)
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.panel)
        painter.drawRoundedRect(whole, radius, radius)
        for index, rect in enumerate(rects):
            if index in (current, hovered):
                painter.setBrush(theme.accentbg if index == current else theme.hover)
                _rounded_part(painter, rect, radius, first=index == 0, last=index == len(rects) - 1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.line2, 1))
        painter.drawRoundedRect(inset(whole, 1), radius, radius)
        for rect in rects[1:]:
            painter.fillRect(QRectF(rect.left(), rect.top() + 1, 1, rect.height() - 2), theme.line2)
    for index, (rect, label) in enumerate(zip(rects, labels, strict=True)):
        ink = theme.accent if index == current else theme.ink2
        weight = 600 if index == current else 400
        draw_text(painter, rect, label, theme.font("secondary", weight), ink if enabled else theme.ink3, CENTRE)
    if focused:
        focus_ring(painter, whole, theme, radius=radius)


def _rounded_part(painter: QPainter, rect: QRectF, radius: float, *, first: bool, last: bool) -> None:
    """One part of a joined row: round only where the row ends."""
    wide = rect.adjusted(0 if first else -2 * radius, 0, 0 if last else 2 * radius, 0)
    with kept(painter):
        painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        painter.drawRoundedRect(wide, radius, radius)


def focus_ring(painter: QPainter, rect: QRectF, theme: Theme, *, radius: float = 0, gap: float = 2) -> None:
    """The keyboard's place: 2 px of accent around `rect` with a gap; `gap` −2 draws it just inside."""
    width = 2.0
    ring = rect.adjusted(-gap - width / 2, -gap - width / 2, gap + width / 2, gap + width / 2)
    with kept(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.accent, width))
        corner = max(0.0, radius + gap) if radius else 0.0
        painter.drawRoundedRect(ring, corner, corner)


def hairline(painter: QPainter, rect: QRectF, theme: Theme, edge: Qt.Edge = Qt.Edge.BottomEdge) -> None:
    """One pixel along an edge of `rect`, inside it."""
    place = {
        Qt.Edge.BottomEdge: QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1),
        Qt.Edge.TopEdge: QRectF(rect.left(), rect.top(), rect.width(), 1),
        Qt.Edge.LeftEdge: QRectF(rect.left(), rect.top(), 1, rect.height()),
        Qt.Edge.RightEdge: QRectF(rect.right() - 1, rect.top(), 1, rect.height()),
    }[edge]
    painter.fillRect(place, theme.line)


class Rule(Enum):
    """The three lines of a prompt that are worth capitals, and how a boundary looks that is only assumed."""

    BOUNDARY = "boundary"
    ASSUMED = "assumed"
    CACHED = "cached"
    DIFFERENCE = "difference"


def rule(painter: QPainter, rect: QRectF, kind: Rule, label: str, note: str, theme: Theme, x: float = 36) -> None:
    """A rule across `rect`: `label` at `x` (100 %) from the left, `note` after it, then the line to the right end.

    The label's capitals are the caller's: whoever translates it decides.
    """
    ink, line = {
        Rule.BOUNDARY: (theme.read_text, theme.read),
        Rule.CACHED: (theme.read_text, theme.read),
        Rule.DIFFERENCE: (theme.diff_text, theme.diff),
        Rule.ASSUMED: (theme.ink3, theme.ink3),
    }[kind]
    left = rect.left() + theme.px(x)
    gap = theme.px(9)
    left += gap + draw_text(
        painter, QRectF(left, rect.top(), rect.right() - left, rect.height()), label, theme.font("rule"), ink
    )
    if note and left < rect.right():
        space = QRectF(left, rect.top(), rect.right() - left, rect.height())
        left += gap + draw_text(painter, space, note, theme.font("secondary"), theme.ink2)
    if left < rect.right():
        middle = round(rect.center().y()) + 0.5
        with kept(painter):
            painter.setPen(dashed_pen(line) if kind is Rule.ASSUMED else QPen(line, 1))
            painter.drawLine(QPointF(left, middle), QPointF(rect.right(), middle))
