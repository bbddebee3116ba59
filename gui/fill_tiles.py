"""Where the areas of a treemap stand: groups with a head, tiles inside them, as deep as there is room.

┌ Tool results ≈ 96,012 ───────┬ Assistant ─┐
│┌──────────────┬─────┬───────┐│┌──────────┐│
││ 12           │ 20  │  …    │││          ││
│└──────────────┴─────┴───────┘│└──────────┘│
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from core.treemap import Rect, squarified
from core.window_areas import Area
from gui.theme import Theme

MOST = 160
"""Areas of one level that are laid out; the small ones among more are gathered."""
HEAD, PAD = 20, 3
"""Height of a group's head, and what is left around what stands in it."""
LEAST_WIDTH, LEAST_HEIGHT = 44, 46
"""A group smaller than this is one tile."""
SMALLEST = 2.0
"""Pixels: a tile with a shorter edge is not painted."""

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tile:
    """`path`: indices of children from the area that is shown. `group`: it has tiles inside, and a head."""

    area: Area
    path: Path
    rect: QRectF
    group: bool


def tiles(root: Area, frame: QRectF, theme: Theme) -> tuple[Tile, ...]:
    """Groups before what stands in them. `root` itself has no tile."""
    return tuple(_inside(root, frame, theme, ()))


def _inside(area: Area, frame: QRectF, theme: Theme, path: Path) -> Iterator[Tile]:
    room = Rect(frame.x(), frame.y(), frame.width(), frame.height())
    placed = squarified([child.tokens for child in area.children], room)
    for at, (child, place) in enumerate(zip(area.children, placed, strict=True)):
        rect = _whole(place)
        if min(rect.width(), rect.height()) < SMALLEST:
            continue
        group = (
            bool(child.children) and rect.width() >= theme.px(LEAST_WIDTH) and rect.height() >= theme.px(LEAST_HEIGHT)
        )
        yield Tile(child, (*path, at), rect, group)
        if group:
            pad = theme.px(PAD)
            inner = rect.adjusted(pad, theme.px(HEAD), -pad - 1, -pad - 1)
            yield from _inside(child, inner, theme, (*path, at))


def _whole(place: Rect) -> QRectF:
    """On whole pixels, so that hairlines are sharp; neighbours share their edge."""
    left, top = round(place.x), round(place.y)
    return QRectF(left, top, round(place.x + place.width) - left, round(place.y + place.height) - top)


def at(found: Sequence[Tile], point: QPointF) -> Tile | None:
    """The innermost tile there."""
    return next((tile for tile in reversed(found) if tile.rect.contains(point)), None)


def leaves(found: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(tile for tile in found if not tile.group)


def beside(found: Sequence[Tile], tile: Tile, x: int, y: int) -> Tile | None:
    """The next tile without tiles inside in a direction (one of `x`, `y` is ±1): the nearest whose middle lies
    there; what is straight ahead before what is aslant."""
    here = tile.rect.center()

    def ahead(other: Tile) -> float:
        return (other.rect.center().x() - here.x()) * x + (other.rect.center().y() - here.y()) * y

    def far(other: Tile) -> float:
        aside = abs((other.rect.center().x() - here.x()) * y) + abs((other.rect.center().y() - here.y()) * x)
        overlaps = _overlap(tile.rect, other.rect, bool(x))
        return ahead(other) + (0 if overlaps else 2) * aside

    there = [other for other in leaves(found) if other.path != tile.path and ahead(other) > 0]
    return min(there, key=far, default=None)


def _overlap(one: QRectF, other: QRectF, sideways: bool) -> bool:
    if sideways:
        return one.top() < other.bottom() and other.top() < one.bottom()
    return one.left() < other.right() and other.left() < one.right()
