"""What fills the window at one stage of a prompt, by role: in tokens, and as the guard counts.

tokens      results ▒▒▒▒▒▒ summary ▒ assistant ▒▒ user ▒              lines: compacted above, window
guard       results, counted twice ▒▒▒▒▒▒▒▒▒▒ assistant ▒▒  cut ┄┄    lines: cuts, error, window × 4
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from operator import ne

from core.budget import ROLES, Budget, place
from core.difference import changed
from core.estimate import guard_chars
from core.guard import budget_limit, overflow_limit
from core.pipeline import Step, Trace
from core.profile import Profile
from core.prompt import Block, Blocks

GUARD = "guard_"


def by_role(blocks: Blocks, sizes: Iterable[int]) -> Budget:
    """Sizes of blocks by ROLES. A block counts as what it came in as: a summary sent as a user message stays one."""
    sums: dict[str, int] = {}
    for block, size in zip(blocks, sizes, strict=True):
        role = block.message.role
        if role == "user" and block.before is not None:
            role = block.first.message.role
        sums[role] = sums.get(role, 0) + size
    found = [0] * len(ROLES)
    for role, size in sums.items():
        found[place(role)] += size
    return tuple(found)


class RoleSums:
    """`by_role` of one prompt after another: only blocks that are others, or have another size, are looked at."""

    def __init__(self) -> None:
        self._blocks: Blocks = ()
        self._sizes: tuple[int, ...] = ()
        self._sums: Budget = (0,) * len(ROLES)

    def of(self, blocks: Blocks, sizes: tuple[int, ...]) -> Budget:
        if blocks is self._blocks and sizes is self._sizes:
            return self._sums
        others = changed(self._blocks, blocks)
        if others is None:
            self._sums = by_role(blocks, sizes)
        else:
            again = sorted({*others, *compress(range(len(sizes)), map(ne, self._sizes, sizes))})
            gone = by_role(tuple(self._blocks[i] for i in again), (self._sizes[i] for i in again))
            came = by_role(tuple(blocks[i] for i in again), (sizes[i] for i in again))
            self._sums = tuple(a - b + c for a, b, c in zip(self._sums, gone, came, strict=True))
        self._blocks, self._sizes = blocks, sizes
        return self._sums


@dataclass(frozen=True, slots=True)
class GuardBudget:
    """Guard characters. `sizes`: by ROLES, what is left. `cut`: what the guard took away up to here.

    `window`: four for each token. `cuts`, `stops`: above which results are cut, or the agent raises its overflow error;
    None where no step of the profile does."""

    sizes: Budget
    cut: int
    window: int
    cuts: int | None
    stops: int | None

    @property
    def total(self) -> int:
        return sum(self.sizes)


class GuardCounts:
    """Guard characters of blocks, each measured once for as long as this lives."""

    LIMIT = 100_000

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def of(self, block: Block) -> int:
        found = self._known.get(block.key)
        if found is None:
            if len(self._known) >= self.LIMIT:
                self._known.clear()
            found = self._known[block.key] = guard_chars(block.message)
        return found

    def budget(self, trace: Trace, number: int, profile: Profile, window: int) -> GuardBudget:
        """The budget after step `number`. The guard counts before the messages become those of the provider: behind
        its last step it stays at what it saw last."""
        guards = [index for index, step in enumerate(trace.steps) if step.on and step.layer.startswith(GUARD)]
        at = min(number, guards[-1]) if guards else number
        blocks = trace.steps[at].after
        sizes = by_role(blocks, map(self.of, blocks))
        cut = sum(self._taken(trace.steps[index]) for index in guards if index <= at)
        return GuardBudget(sizes, cut, window * 4, *_limits(profile, window))

    def _taken(self, step: Step) -> int:
        before = sum(self.of(edit.before) for edit in step.edits if edit.before is not None)
        return before - sum(self.of(edit.after) for edit in step.edits if edit.after is not None)


def _limits(profile: Profile, window: int) -> tuple[int | None, int | None]:
    cuts = stops = None
    for instance in profile.instances:
        if not instance.on:
            continue
        share = getattr(instance.settings, "share", None)
        if instance.layer == "guard_context" and isinstance(share, int | float):
            cuts = budget_limit(window, share)
        elif instance.layer == "guard_overflow" and isinstance(share, int | float) and instance.settings.raises:
            least = budget_limit(window, instance.settings.budget_share)
            stops = max(least, overflow_limit(window, share))
    return cuts, stops
