"""What fills the window at one request, as values: its pieces, what stands before the messages, and what is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.leading import Leading
from core.prompt import Blocks
from core.window_areas import BYS, Area, By, gathered
from core.window_areas import filling as grouping
from core.window_fill import FillPiece, first_of, piecing, system_of
from gui.fill_tiles import MOST
from gui.state import State

Key = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """`first`: index in prompt order of the first message. `prompt`: recorded tokens of the request, None where nothing
    is recorded, or another profile changes it. `by`: the treemap of each grouping, small areas gathered."""

    pieces: tuple[FillPiece, ...]
    leading: tuple[Leading, ...]
    recorded: Blocks
    sent: Blocks
    unrecorded: int | None
    window: int
    prompt: int | None
    by: dict[By, Area]

    @property
    def first(self) -> int:
        return first_of(self.leading)

    @property
    def tokens(self) -> int:
        """Of the whole prompt, estimated."""
        return self.by["section"].tokens

    @property
    def free(self) -> int:
        return max(0, self.window - self.tokens)


def filling(state: State, take: Callable[[Filled], object]) -> Iterator[None]:
    """Of the request in focus, a block at a time; `take` gets it in the end."""
    assembled, shown = state.assembled, state.shown
    pieces: list[FillPiece] = []
    for found in piecing(
        shown.leading, system_of(shown.leading), shown.blocks, shown.tokens, None if shown.leading else shown.unrecorded
    ):
        pieces += found
        yield
    by: dict[By, Area] = {}
    for name in BYS:
        for area in grouping(pieces, name):
            yield
            if area is not None:
                by[name] = gathered(area, MOST)
    usage = state.summary.request.usage if state.summary is not None else None
    as_sent = state.cursor.step is None and not state.changes()
    take(
        Filled(
            tuple(pieces),
            tuple(shown.leading),
            assembled.blocks,
            shown.blocks,
            shown.unrecorded,
            state.profile.window or state.timeline.window,
            usage.prompt if usage is not None and usage.any and as_sent else None,
            by,
        )
    )


def keys_of(area: Area, path: tuple[int, ...]) -> tuple[Key, ...]:
    """What the areas on a path are called: it finds them again in another prompt."""
    found: list[Key] = []
    for index in path:
        area = area.children[index]
        found.append((area.kind, area.name))
    return tuple(found)


def path_of(area: Area, keys: tuple[Key, ...]) -> tuple[int, ...]:
    """As far as these areas are there."""
    found: list[int] = []
    for key in keys:
        at = next((at for at, child in enumerate(area.children) if (child.kind, child.name) == key), None)
        if at is None:
            break
        found.append(at)
        area = area.children[at]
    return tuple(found)


def path_to_block(area: Area, block: int) -> tuple[int, ...] | None:
    """The first area that holds this block alone; None where none does."""
    for at, child in enumerate(area.children):
        if child.block == block:
            return (at,)
        inside = path_to_block(child, block)
        if inside is not None:
            return (at, *inside)
    return None
