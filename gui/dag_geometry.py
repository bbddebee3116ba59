"""Where things stand in a row of the session graph, in logical pixels; the drawn design at 404 wide and 100 %."""

from __future__ import annotations

from dataclasses import dataclass

from gui.theme import ICON_SMALL, Theme

NUMBER_RIGHT = 34
LANE_FIRST = 18
LANES_WIDTH = 44
ICON_GAP = 7
TOKENS = 58
RIGHT = 18
MOST_LANES = 8
"""Lanes further out share the last place."""
BRACKET = 4


@dataclass(frozen=True, slots=True)
class Columns:
    """Horizontal places for a viewport of `width`, where the whole view is `whole` wide (with its scroll bar)."""

    number_right: float
    lane_zero: float
    lane_step: float
    icon: float
    text: float
    text_right: float
    right: float

    @classmethod
    def of(cls, theme: Theme, width: int, whole: int, lanes: int) -> Columns:
        shown = max(1, min(lanes, MOST_LANES))
        step = 18 if shown <= 2 else 14 if shown <= 4 else 10
        area = max(LANES_WIDTH, LANE_FIRST + step * (shown - 1) + 8)
        icon = theme.px(NUMBER_RIGHT + area)
        right = min(whole - theme.px(RIGHT), width - theme.px(6))
        return cls(
            theme.px(NUMBER_RIGHT),
            theme.pxf(NUMBER_RIGHT + LANE_FIRST),
            theme.pxf(step),
            icon,
            icon + theme.px(ICON_SMALL + ICON_GAP),
            right - theme.px(TOKENS),
            right,
        )

    def lane(self, number: int) -> float:
        """The middle of a lane."""
        return self.lane_zero + self.lane_step * min(number, MOST_LANES - 1)
