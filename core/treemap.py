"""Rectangles in proportion to numbers, as near to squares as a row at a time can have them (a "squarified" treemap).

6 3 2 1    ┌─────┬───┬─┐      Bruls, Huizing and van Wijk, 2000: items by size, laid along the shorter side of what
           │  6  │ 3 │1│      is left, a row taking in the next one as long as its worst rectangle gets no narrower.
           │     ├───┴─┤
           │     │  2  │
           └─────┴─────┘
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Rect(NamedTuple):
    """In any unit of length; x to the right, y down."""

    x: float
    y: float
    width: float
    height: float


def squarified(weights: Sequence[float], frame: Rect) -> tuple[Rect, ...]:
    """One rectangle per weight, in the order given; they fill the frame. Weights of 0 or less get no area."""
    found = [Rect(frame.x, frame.y, 0, 0)] * len(weights)
    order = sorted((at for at, weight in enumerate(weights) if weight > 0), key=lambda at: -weights[at])
    whole = sum(weights[at] for at in order)
    if not whole or frame.width <= 0 or frame.height <= 0:
        return tuple(found)
    scale = frame.width * frame.height / whole
    left = frame
    start = 0
    while start < len(order):
        side = min(left.width, left.height)
        if side <= 0:  # too small for the precision of numbers
            break
        end = _row_end([weights[at] * scale for at in order[start:]], side) + start
        last = end == len(order)
        left = _laid([(at, weights[at] * scale) for at in order[start:end]], left, last, found)
        start = end
    return tuple(found)


def _row_end(areas: Sequence[float], side: float) -> int:
    """How many of the next items make the row whose worst rectangle is the least narrow."""
    total = areas[0]
    worst = _narrowness(areas[0], areas[0], total, side)
    for count, area in enumerate(areas[1:], 1):
        then = _narrowness(areas[0], area, total + area, side)
        if then > worst:
            return count
        worst, total = then, total + area
    return len(areas)


def _narrowness(largest: float, smallest: float, total: float, side: float) -> float:
    """Of the worst rectangle of a row along a side: its longer by its shorter edge."""
    depth = total / side
    return max(largest / (depth * depth), depth * depth / smallest)


def _laid(row: Sequence[tuple[int, float]], frame: Rect, last: bool, found: list[Rect]) -> Rect:
    """Lays a row along the shorter side, the last one to the very edge; returns what is left of the frame."""
    total = sum(area for _, area in row)
    upright = frame.width >= frame.height
    depth = (frame.width if upright else frame.height) if last else total / (frame.height if upright else frame.width)
    at = frame.y if upright else frame.x
    for number, (index, area) in enumerate(row, 1):
        edge = frame.y + frame.height if upright else frame.x + frame.width
        length = edge - at if number == len(row) else area / total * (frame.height if upright else frame.width)
        found[index] = Rect(frame.x, at, depth, length) if upright else Rect(at, frame.y, length, depth)
        at += length
    if upright:
        return Rect(frame.x + depth, frame.y, max(0.0, frame.width - depth), frame.height)
    return Rect(frame.x, frame.y + depth, frame.width, max(0.0, frame.height - depth))
