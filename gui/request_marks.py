"""Cache breaks as marks over the requests: what stands where, and which of their words find room.

    ❄ cold        ⌛ TTL expired        ✎ 8 × edited        🗄 compaction
    ▼             ▼                  ┌──────────────┐      ▼
    1             12                 23            30      31

Neighbours with the same cause that would touch become one mark with a bracket. The dearest are placed first; a mark
without room for its words keeps its icon, else only its triangle, and where even those would touch, a line.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest

from core.payback import Payback, recorded
from core.timeline import Timeline
from gui.compaction_mark import Marked

SURE = frozenset({"recorded", "computed"})
GAP = 4
"""Pixels between two labels."""
MOST_LABELS = 60
"""Marks that are tried for words; more never fit on a screen."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One request without (all of) its cache. `broke`: a break; else nothing could have been read. `lost`: tokens.
    `note`: what the compaction in front of it came to."""

    request: int
    cause: str
    sure: bool
    broke: bool
    lost: int
    note: Payback | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """Marks `start` … `stop` - 1 of one cause, shown as one; x in pixels of the first and the last."""

    start: int
    stop: int
    left: float
    right: float

    @property
    def count(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Label:
    """Words (or, without `words`, the icon alone) of cluster number `cluster`, from x = `left` on."""

    cluster: int
    left: float
    width: float
    words: str


_last: list[tuple[Timeline, tuple[Mark, ...], dict[int, Payback]]] = []
"""Of the timeline asked for last: it is long, and asked for again at every hover and for every compaction looked at."""


def _known(timeline: Timeline) -> tuple[tuple[Mark, ...], dict[int, Payback]]:
    if not _last or _last[0][0] is not timeline:
        paid = recorded(timeline)
        _last[:] = [(timeline, tuple(_marks(timeline, paid)), paid)]
    return _last[0][1:]


def paid_back(timeline: Timeline) -> dict[int, Payback]:
    """Request -> what the compaction in front of it came to."""
    return _known(timeline)[1]


def marks(timeline: Timeline, looked_at: Marked | None = None) -> tuple[Mark, ...]:
    """The marks of a path, in its order. `looked_at`: a compaction that nobody made is marked like those that were."""
    found, _ = _known(timeline)
    if looked_at is None or not looked_at.simulated or looked_at.payback is None:
        return found
    number = looked_at.request if looked_at.request is not None else len(timeline.summaries) + 1
    ours = Mark(number, "compaction", False, False, looked_at.payback.reclaimed, looked_at.payback)
    low = bisect_left(found, number, key=_request)
    return (*found[:low], ours, *found[bisect_right(found, number, key=_request) :])


def _request(mark: Mark) -> int:
    return mark.request


def _marks(timeline: Timeline, paid: dict[int, Payback]) -> Iterator[Mark]:
    for summary in timeline.summaries:
        number, broke = summary.request.number, summary.broke
        if broke is not None:
            yield Mark(number, broke.told, broke.certainty in SURE, True, max(0, broke.lost), paid.get(number))
        elif summary.note:
            yield Mark(number, summary.note, True, False, 0)


def clusters(marks: Sequence[Mark], places: Sequence[float], near: float) -> list[Cluster]:
    """Neighbours of one cause whose requests follow each other, or stand less than `near` pixels apart, together.

    `places`: x of each mark in pixels, rising.
    """
    found: list[Cluster] = []
    start = 0
    for index in range(1, len(marks) + 1):
        if index < len(marks):
            one, other = marks[index - 1], marks[index]
            same = one.cause == other.cause and one.broke == other.broke
            close = other.request - one.request == 1 or places[index] - places[index - 1] < near
            if same and close:
                continue
        found.append(Cluster(start, index, places[start], places[index - 1]))
        start = index
    return found


def labels(
    groups: Sequence[Cluster],
    marks: Sequence[Mark],
    width: float,
    words: Callable[[Cluster], tuple[str, float]],
    icon: float,
    arm: float,
    longer: Callable[[Cluster], tuple[str, float] | None] = lambda _: None,
) -> list[Label]:
    """Places for words, none overlapping another, another mark's triangle, or the edges of a lane `width` wide.

    `words(cluster)`: text and its width beside the icon, which takes `icon`; `longer`: the same with more to tell,
    where there is room. `arm`: half the width of a triangle.
    """
    dearest = nlargest(
        MOST_LABELS,
        range(len(groups)),
        key=lambda k: (sum(mark.lost for mark in marks[groups[k].start : groups[k].stop]), -groups[k].start),
    )
    lefts, rights = [group.left - arm for group in groups], [group.right + arm for group in groups]
    taken: list[tuple[float, float]] = []
    found: list[Label] = []

    def free(k: int, left: float, right: float) -> bool:
        if left < 0 or right > width or any(left < end + GAP and start < right + GAP for start, end in taken):
            return False
        between = range(bisect_right(rights, left), bisect_left(lefts, right))  # marks are in order and apart
        return all(at == k for at in between)

    for k in dearest:
        said, wide = words(groups[k])
        more = longer(groups[k])
        tried = [(said, icon + wide), ("", icon)]
        for text, needs in [(more[0], icon + more[1]), *tried] if more is not None else tried:
            left = next((x for x in _wanted(groups[k], needs, icon, arm, width) if free(k, x, x + needs)), None)
            if left is not None:
                taken.append((left, left + needs))
                found.append(Label(k, left, needs, text))
                break
    return found


def _wanted(group: Cluster, needs: float, icon: float, arm: float, width: float) -> tuple[float, ...]:
    """Left ends in the order of liking: the icon right above its triangle, or flush with one of its sides; over a
    bracket in the middle, or flush."""
    if group.count > 1:
        middle = min(max((group.left + group.right - needs) / 2, 0.0), width - needs)
        return (middle, group.right - needs, group.left)
    return tuple(
        max(0.0, min(x, width - icon)) for x in (group.left - icon / 2, group.left - arm, group.left + arm - icon)
    )
