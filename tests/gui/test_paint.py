"""The strokes views share: they stay where they are told to, say by form what they mean, and clean up behind them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from gui import paint, shapes
from gui.paint import CENTRE, LEFT, MIDDLE, RIGHT, Rule, Tone
from gui.shapes import Fired, Limit, Node, Part
from gui.theme import Theme

LIGHT = Theme.of(False)
BLANK = QColor("white")
WIDTH, HEIGHT = 300, 60


def painted(draw: Callable[[QPainter], object]) -> QImage:
    """What `draw` leaves in a white picture."""
    picture = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32)
    picture.fill(BLANK)
    painter = QPainter(picture)
    draw(painter)
    painter.end()
    return picture


def inked(picture: QImage) -> QRectF:
    """The smallest rectangle around everything that is not white."""
    spots = [(x, y) for x in range(WIDTH) for y in range(HEIGHT) if picture.pixelColor(x, y) != BLANK]
    assert spots, "nothing was painted"
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    top, bottom = min(y for _, y in spots), max(y for _, y in spots)
    return QRectF(left, top, right - left + 1, bottom - top + 1)


# ---------------------------------------------------------------- text


@given(st.text(st.characters(exclude_categories=())), st.integers(0, 300), st.sampled_from([paint.END, MIDDLE]))
def test_elided_text_fits(qapp: object, text: str, width: int, mode: Qt.TextElideMode) -> None:
    """Law: whatever the text, the line is no wider than asked (to half a pixel), or only the ellipsis is left."""
    font = LIGHT.font("body")
    line = paint.elided(text, font, width, mode)
    assert len(line) <= 1 or QFontMetricsF(font).horizontalAdvance(line) <= width + 0.5
    assert "\n" not in line


def test_text_that_fits_is_whole(qapp: object) -> None:
    """A rectangle as wide as the text keeps its last letter."""
    for kind in ("body", "secondary", "content", "pin"):
        for text in ("139,523", "Guard: whole context", "全部条目", "iiiiiiiiiiiiii"):
            font = LIGHT.font(kind)
            assert paint.elided(text, font, paint.width_of(text, font)) == text


def test_megabytes_are_not_measured(qapp: object) -> None:
    """Only what could be seen is looked at: both ends of a huge text, for a line elided in the middle."""
    font = LIGHT.font("body")
    text = "a" * 5_000_000 + "z"
    assert paint.elided(text, font, 100).endswith("…")
    assert paint.elided(text, font, 100, MIDDLE).startswith("aa")
    assert paint.elided(text, font, 100, MIDDLE).endswith("az")


def test_hidden_characters_are_painted_by_name(qapp: object) -> None:
    """An override of the direction does not reach Qt."""
    assert paint.elided("a\u202eb", LIGHT.font("body"), 200) == "a⟨RLO⟩b"


@pytest.mark.parametrize(("align", "side"), [(LEFT, "left"), (RIGHT, "right"), (CENTRE, "centre")])
def test_text_stands_where_it_is_aligned(qapp: object, align: Qt.AlignmentFlag, side: str) -> None:
    """Left, right or in the middle of its rectangle, and always on its vertical centre."""
    rect = QRectF(20, 10, 260, 40)
    box = inked(painted(lambda painter: paint.draw_text(painter, rect, "Hxn", LIGHT.font("body"), LIGHT.ink, align)))
    if side == "left":
        assert abs(box.left() - rect.left()) <= 3
    elif side == "right":
        assert abs(box.right() - rect.right()) <= 3
    else:
        assert abs(box.center().x() - rect.center().x()) <= 2
    assert abs(box.center().y() - rect.center().y()) <= 3
    assert rect.contains(box)


# ---------------------------------------------------------------- chips, switches, rules


@pytest.mark.parametrize("tone", list(Tone))
def test_chip_stands_where_it_says(qapp: object, tone: Tone) -> None:
    """The returned rectangle is what was painted, centred on the given height, as wide as promised."""
    places: list[QRectF] = []
    picture = painted(
        lambda painter: places.append(
            paint.chip(painter, QPointF(10, 30), "cut 6,096 → 2,410", LIGHT, tone, icon_name="scissors")
        )
    )
    (rect,) = places
    assert rect.width() == paint.chip_width("cut 6,096 → 2,410", LIGHT, icon_name="scissors")
    assert abs(rect.center().y() - 30) <= 1
    assert rect.adjusted(-1, -1, 1, 1).contains(inked(picture))


def test_chip_can_be_shortened(qapp: object) -> None:
    """A chip never grows beyond the room it is given."""
    places: list[QRectF] = []
    text = "a label as long as a sentence that nobody should write"
    picture = painted(lambda painter: places.append(paint.chip(painter, QPointF(10, 30), text, LIGHT, max_width=80)))
    assert places[0].width() == 80
    assert inked(picture).right() <= 91


@pytest.mark.parametrize("zoom", [80, 100, 150])
def test_switch_parts_join(qapp: object, zoom: int) -> None:
    """The parts of a switch touch, and each holds its label in bold."""
    theme = Theme.of(False, zoom)
    labels = ["Prompt", "Before ⇄ after", "Raw"]
    rects = paint.segment_rects(labels, theme, QPointF(5, 5))
    for one, other in pairwise(rects):
        assert one.right() == other.left()
    for rect, label in zip(rects, labels, strict=True):
        assert paint.width_of(label, theme.font("secondary", 600)) < rect.width()


def test_current_part_is_told_by_ground_and_ink(qapp: object) -> None:
    """Exactly the current part has the accent's ground."""
    labels = ["One", "Two", "Three"]
    rects = paint.segment_rects(labels, LIGHT, QPointF(5, 5))
    for current in range(3):
        picture = painted(lambda painter, current=current: paint.segments(painter, rects, labels, current, LIGHT))
        grounds = [picture.pixelColor(int(rect.left()) + 5, int(rect.center().y()) + 8) for rect in rects]
        assert [ground == LIGHT.accentbg for ground in grounds] == [index == current for index in range(3)]


def test_rules_begin_at_the_same_place(qapp: object) -> None:
    """CACHE BOUNDARY, CACHED UP TO HERE and FIRST DIFFERENCE start at one x, so they read as a column."""
    rect = QRectF(10, 10, 280, 24)
    starts = {
        inked(painted(lambda painter, kind=kind: paint.rule(painter, rect, kind, "HERE", "", LIGHT))).left()
        for kind in Rule
    }
    assert len(starts) == 1
    assert abs(starts.pop() - (10 + 36)) <= 2


def test_assumed_rule_is_dashed(qapp: object) -> None:
    """What is only assumed has gaps in its line; what is known has none."""
    rect = QRectF(0, 10, 300, 24)
    for kind in Rule:
        picture = painted(lambda painter, kind=kind: paint.rule(painter, rect, kind, "X", "", LIGHT))
        line = [picture.pixelColor(x, 22) != BLANK for x in range(100, 300)]
        assert all(line) == (kind is not Rule.ASSUMED), kind
        assert any(line)


def test_rule_without_room_stays_inside(qapp: object) -> None:
    """A note longer than the row is shortened and nothing is painted past the right end."""
    rect = QRectF(10, 10, 200, 24)
    picture = painted(lambda painter: paint.rule(painter, rect, Rule.CACHED, "CACHED", "word " * 90, LIGHT))
    assert inked(picture).right() <= rect.right() + 1


def test_pill_is_filled_accent(qapp: object) -> None:
    """The inspection point's number stands in light on the accent."""
    rect = QRectF(10, 10, 34, 20)
    picture = painted(lambda painter: paint.request_pill(painter, rect, "23", LIGHT))
    assert picture.pixelColor(13, 20) == LIGHT.accent
    assert inked(picture) == rect


def test_focus_ring_keeps_its_gap(qapp: object) -> None:
    """Two pixels of accent, two pixels away: the widget's own area stays clean."""
    rect = QRectF(20, 15, 100, 30)
    picture = painted(lambda painter: paint.focus_ring(painter, rect, LIGHT))
    assert inked(picture) == rect.adjusted(-4, -4, 4, 4)
    assert all(picture.pixelColor(x, 30) == BLANK for x in range(18, 122))
    assert picture.pixelColor(17, 30) == picture.pixelColor(16, 30) == LIGHT.accent


@pytest.mark.parametrize("edge", [Qt.Edge.TopEdge, Qt.Edge.BottomEdge, Qt.Edge.LeftEdge, Qt.Edge.RightEdge])
def test_hairline_is_one_pixel_inside(qapp: object, edge: Qt.Edge) -> None:
    """One pixel, on the named edge, within the rectangle."""
    rect = QRectF(10, 10, 50, 30)
    box = inked(painted(lambda painter: paint.hairline(painter, rect, LIGHT, edge)))
    assert rect.contains(box)
    assert min(box.width(), box.height()) == 1


# ---------------------------------------------------------------- shapes


def spot(draw: Callable[[QPainter], object]) -> str:
    """The colour in the middle of a shape at (30, 30)."""
    return painted(draw).pixelColor(30, 30).name()


def test_nodes_differ_in_form(qapp: object) -> None:
    """Filled, hollow, diamond, fold and gone are five different pictures, on and off the path."""
    pictures = [
        painted(
            lambda painter, shape=shape, active=active: shapes.node(
                painter, QPointF(30, 30), shape, LIGHT, active=active
            )
        )
        for shape in Node
        for active in (True, False)
    ]
    different = {bytes(picture.constBits()) for picture in pictures}
    # A diamond and a removed node look the same on and off the path.
    assert len(different) == len(pictures) - 2
    assert spot(lambda painter: shapes.node(painter, QPointF(30, 30), Node.FILLED, LIGHT)) == LIGHT.system_text.name()
    assert spot(lambda painter: shapes.node(painter, QPointF(30, 30), Node.HOLLOW, LIGHT)) == LIGHT.panel.name()


def test_inspection_point_is_ringed_in_accent(qapp: object) -> None:
    """Whatever the node was, the inspection point shows the accent."""
    for shape in Node:
        assert (
            spot(lambda painter, shape=shape: shapes.node(painter, QPointF(30, 30), shape, LIGHT, point=True))
            == LIGHT.accent.name()
        )


def test_lane_runs_under_hollow_nodes(qapp: object) -> None:
    """A hollow node covers the lane behind it with the row's own ground."""

    def draw(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, WIDTH, HEIGHT), LIGHT.accentbg)
        painter.setPen(shapes.lane_pen(LIGHT, active=True))
        painter.drawLine(QPointF(30, 0), QPointF(30, 60))
        shapes.node(painter, QPointF(30, 30), Node.HOLLOW, LIGHT, ground=LIGHT.accentbg)

    assert spot(draw) == LIGHT.accentbg.name()


def test_steps_differ_in_form(qapp: object) -> None:
    """Fired, idle and unknown differ, and the selected one wears the accent."""
    pictures = {
        bytes(
            painted(
                lambda painter, fired=fired, current=current: shapes.step_circle(
                    painter, QPointF(30, 30), "11", fired, LIGHT, current=current
                )
            ).constBits()
        )
        for fired in Fired
        for current in (True, False)
    }
    assert len(pictures) == 6


def test_pin_points_at_its_tip(qapp: object) -> None:
    """The flag ends at the tip and stands left of it."""
    places: list[QRectF] = []
    picture = painted(lambda painter: places.append(shapes.pin(painter, QPointF(60, 30), "12", LIGHT)))
    assert places[0].right() == 60
    assert places[0].adjusted(-1, -1, 1, 1).contains(inked(picture))


@given(
    st.lists(
        st.builds(
            Part,
            st.sampled_from(["toolResult", "user", "summary", "cut", "unrecorded", "tools"]),
            st.floats(0, 1e6),
            st.booleans(),
        ),
        max_size=8,
    ),
    st.floats(0, 1e6),
)
def test_budget_bar_stays_on_its_track(qapp: object, parts: list[Part], full: float) -> None:
    """Law: parts follow one another and never leave the bar, even when there is more than fits."""
    rect = QRectF(10, 20, 200, 14)
    places: list[list[QRectF]] = []
    painted(lambda painter: places.append(shapes.budget_bar(painter, rect, parts, [Limit(full / 2)], full, LIGHT)))
    (spots,) = places
    assert len(spots) == len(parts)
    right = rect.left()
    for place in spots:
        assert place.width() >= 0
        assert place.left() >= right - 1e-6
        right = place.right()
        assert place.width() == 0 or right <= rect.right() + 1e-6


def test_budget_bar_is_to_scale(qapp: object) -> None:
    """A part is as long as its share of the whole, its label's place included."""
    rect = QRectF(0, 20, 200, 14)
    places: list[list[QRectF]] = []
    parts = [Part("toolResult", 50), Part("user", 25)]
    painted(lambda painter: places.append(shapes.budget_bar(painter, rect, parts, [], 100, LIGHT)))
    assert [place.width() for place in places[0]] == [100, 50]


def test_limit_reaches_over_the_bar(qapp: object) -> None:
    """A limit is a little taller than the bar, so that a full bar does not hide it."""
    rect = QRectF(10, 20, 200, 14)
    picture = painted(lambda painter: shapes.budget_bar(painter, rect, [Part("system", 100)], [Limit(50)], 100, LIGHT))
    assert inked(picture).top() < rect.top()
    assert inked(picture).bottom() > rect.bottom()


# ---------------------------------------------------------------- good manners


AREA = QRectF(10, 10, 200, 30)
MIDPOINT = QPointF(30, 30)
EVERYTHING: dict[str, Callable[[QPainter], object]] = {
    "text": lambda p: paint.draw_text(p, AREA, "text", LIGHT.font("body"), LIGHT.ink),
    "icon": lambda p: paint.draw_icon(p, AREA, "search", 16, LIGHT.ink),
    "chip": lambda p: paint.chip(p, MIDPOINT, "text", LIGHT, icon_name="tag"),
    "pill": lambda p: paint.request_pill(p, AREA, "23", LIGHT),
    "segments": lambda p: paint.segments(
        p, paint.segment_rects(["a", "b"], LIGHT, MIDPOINT), ["a", "b"], 0, LIGHT, hovered=1, focused=True
    ),
    "ring": lambda p: paint.focus_ring(p, AREA, LIGHT, radius=6),
    "hairline": lambda p: paint.hairline(p, AREA, LIGHT),
    "rule": lambda p: paint.rule(p, AREA, Rule.ASSUMED, "RULE", "note", LIGHT),
    "node": lambda p: [shapes.node(p, MIDPOINT, shape, LIGHT) for shape in Node],
    "step": lambda p: [shapes.step_circle(p, MIDPOINT, "1", fired, LIGHT) for fired in Fired],
    "pin": lambda p: shapes.pin(p, MIDPOINT, "1", LIGHT),
    "budget": lambda p: shapes.budget_bar(
        p, AREA, [Part("summary", 1), Part("cut", 1), Part("unrecorded", 1)], [Limit(2, dashed=True)], 4, LIGHT
    ),
    "swatch": lambda p: [
        shapes.swatch_label(p, MIDPOINT, role, "role", LIGHT) for role in ("summary", "cut", "unrecorded")
    ],
    "caret": lambda p: shapes.caret(p, MIDPOINT, LIGHT.diff, 6),
    "handle": lambda p: shapes.ring(p, MIDPOINT, LIGHT),
    "cache": lambda p: [
        LIGHT.cache(state).draw(p, AREA) for state in ("read", "written", "uncached", "unknown", "diff")
    ],
    "fate": lambda p: [LIGHT.fate(fate).draw(p, AREA) for fate in ("cut", "emptied", "summary", "dropped", "unknown")],
    "role": lambda p: [LIGHT.role(role).draw(p, AREA) for role in ("user", "summary", "toolResult")],
}


@pytest.mark.parametrize("name", list(EVERYTHING))
def test_painter_is_left_as_it_was(qapp: object, name: str) -> None:
    """Whoever paints next finds his own pen, brush, font and hints."""
    picture = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32)
    picture.fill(BLANK)
    painter = QPainter(picture)
    painter.setPen(QPen(QColor("red"), 3))
    painter.setBrush(QColor("blue"))
    painter.setBrushOrigin(3, 4)
    before = (painter.pen(), painter.brush(), painter.font(), painter.renderHints(), painter.brushOrigin())
    EVERYTHING[name](painter)
    after = (painter.pen(), painter.brush(), painter.font(), painter.renderHints(), painter.brushOrigin())
    painter.end()
    assert after == before
    assert inked(picture).isValid()
