"""The lanes of both sides of a truncation: which edges cross a row, arithmetic on rows, no painting.

row p    o          below p a bend leads to the lane of its child, through the rows between it runs straight,
…        │ ╲        and it ends at the child's node
row i    │  o
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.truncation_rows import LANES, Row

Style = Literal[0, 1, 2, 3]
NONE, LEFT_BEHIND, PLAIN, NEW = 0, 1, 2, 3
"""No line · an edge to or from what goes · an edge that stays · the edge to a new parent. The higher one is seen."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """`through[row, lane]`: a line passes the whole height. `into[row]`: a line ends at the row's node from above.
    `bends[row]`: lines that leave its node downwards, as (lane they go to, style)."""

    through: np.ndarray
    into: np.ndarray
    bends: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def lanes(rows: Sequence[Row], *, after: bool, both: bool = False) -> Lanes:
    """Of the side before or after; `both`: the old edges with the new ones over them."""
    made = Lanes(np.zeros((len(rows), LANES), np.uint8), np.zeros(len(rows), np.uint8))
    if both or not after:
        for at, row in enumerate(rows):
            if row.parent >= 0:
                goes = row.gone or rows[row.parent].gone
                _draw(made, rows, row.parent, at, LEFT_BEHIND if goes else PLAIN)
    if after or both:
        for at, row in enumerate(rows):
            if row.above >= 0 and not row.gone and (row.hung is not None or not both):
                _draw(made, rows, row.above, at, NEW if row.hung is not None else PLAIN)
    return made


def _draw(made: Lanes, rows: Sequence[Row], start: int, end: int, style: int) -> None:
    if start >= end:  # a parent that stands further down in the file: the Session follows it, the picture does not
        return
    lane = rows[end].lane
    passed = made.through[start + 1 : end, lane]
    np.maximum(passed, style, out=passed)
    made.into[end] = max(int(made.into[end]), style)
    made.bends.setdefault(start, []).append((lane, style))
