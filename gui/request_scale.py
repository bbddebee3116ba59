"""Arithmetic of the requests plot: heights of its rows, round steps, which labels stand where. Pixels, no painting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

LEFT, RIGHT = 62, 70
"""Margins at 100 %, shared with every other plot over requests."""

TOP, LANE, AXIS, FOOT = 4, 24, 22, 4
GAP = 6
"""Between cache and cost, at 100 %."""
FLEXIBLE = (116, 46, 36)
"""Budget, cache and cost at 100 % in a dock of 300: they share what the fixed rows leave."""
LEAST = (40, 18, 14)

NEAR = 0.45
"""Two limits may be this much nearer than other numbers: their texts are then pushed apart a little (`spread`)."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Heights of the rows in pixels, from the top."""

    top: int
    budget: int
    lane: int
    cache: int
    gap: int
    cost: int
    axis: int


def rows(height: int, px: Callable[[float], int]) -> Rows:
    """Rows of a plot `height` pixels high; `px` scales a length at 100 %. Flexible rows keep their least height."""
    fixed = px(TOP) + px(LANE) + px(GAP) + px(AXIS) + px(FOOT)
    room = max(0, height - fixed)
    wanted = [px(part) for part in FLEXIBLE]
    least = [px(part) for part in LEAST]
    parts = [max(low, room * part // sum(wanted)) for part, low in zip(wanted, least, strict=True)]
    parts[0] = max(least[0], room - parts[1] - parts[2])
    return Rows(px(TOP), parts[0], px(LANE), parts[1], px(GAP), parts[2], px(AXIS))


def round_steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, … without end."""
    scale = 1
    while True:
        yield from (scale, 2 * scale, 5 * scale)
        scale *= 10


def step_for(least: float) -> int:
    """The smallest round step that is at least `least`."""
    return next(step for step in round_steps() if step >= least)


@dataclass(frozen=True, slots=True)
class Tick:
    """`at`: value. `strong`: a limit, named by itself. `text`: whether its number finds room."""

    at: int
    strong: bool
    text: bool


def ticks(full: float, height: float, limits: tuple[int, ...], least: float) -> list[Tick]:
    """Numbers along an axis from 0 to `full` on `height` pixels: the limits first, then 0, then round steps, each at
    least `least` pixels from the others; between the steps short marks without a number."""
    scale = height / full
    step = step_for(max(1.0, 3 * least / scale))
    taken: list[float] = []
    found: list[Tick] = []

    def add(at: int, strong: bool, apart: float) -> None:
        y = at * scale
        text = all(abs(y - other) >= apart for other in taken)
        if text:
            taken.append(y)
        if text or strong:
            found.append(Tick(at, strong, text))

    for limit in limits:
        if limit <= full:
            add(limit, True, least * NEAR)
    for at in range(0, int(full) + 1, step):
        add(at, False, least * 1.1)
    half = step // 2 if step % 2 == 0 and step // 2 * scale >= least else step
    for at in range(half, int(full) + 1, half):
        if all(abs(at * scale - other) >= least * 0.9 for other in taken):
            found.append(Tick(at, False, False))
    return found


def spread(ys: list[float], apart: float, top: float, bottom: float = float("inf")) -> list[float]:
    """Places from the top down, pushed apart to `apart` pixels, each as little as possible: what touches moves by the
    same in both directions. None above `top`; none below `bottom`, unless there is no room."""
    groups: list[tuple[float, int]] = []  # (middle of the group's wishes with the gaps taken out, how many)
    for index, y in enumerate(ys):
        wish, size = y - index * apart, 1
        while groups and groups[-1][0] >= wish:
            above, many = groups.pop()
            wish = (wish * size + above * many) / (size + many)
            size += many
        groups.append((wish, size))
    wishes = [wish for wish, size in groups for _ in range(size)]
    low = max(top, bottom - (len(ys) - 1) * apart) if ys else top
    return [min(max(wish, top), low) + index * apart for index, wish in enumerate(wishes)]


@dataclass(frozen=True, slots=True)
class Placed:
    """A label on the x axis: of request `number`, from x = `left` on."""

    number: int
    text: str
    left: float
    width: float


def axis_labels(
    numbers: tuple[int, int, int],
    pitch: float,
    x_of: Callable[[float], float],
    width_of: Callable[[str], float],
    held: tuple[float, float] | None,
    after: str,
    apart: float,
) -> list[Placed]:
    """Labels under the plot. `numbers`: first and last visible request and how many there are in all.

    `held`: the pill's left and right end; nothing may touch it. `after`: the word under what would be sent next, ""
    when that is out of sight or the pill says it. First come the ends, then round steps.
    """
    first, last, count = numbers
    taken = [held] if held is not None else []
    found: list[Placed] = []

    def add(number: int, text: str, right: bool = False) -> None:
        """In the middle under the bar, or moved to the `right` of what is there; else not at all."""
        wide = width_of(text)
        left = x_of(number) - wide / 2
        if right:
            left = max([left, *(end + apart for start, end in taken if start < left + wide + apart)])
        if all(left >= end + apart or start >= left + wide + apart for start, end in taken):
            taken.append((left, left + wide))
            found.append(Placed(number, text, left, wide))

    if count and last == count:
        add(count, str(count))
    if after:
        add(count + 1, after, right=True)  # there is room in the margin
    if first <= last:
        add(first, str(first))
    step = step_for(max(1.0, (width_of("0000") + 2 * apart) / pitch))
    if step == 2 and pitch * 5 < 90:
        step = 5
    for number in range(first + (-first) % step, last + 1, step):
        add(number, str(number))
    return found
