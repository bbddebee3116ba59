"""Every request as the guard counts: what stands before it, what it takes away, what is left, and where it gives up.

    ─ ─ ─ ─ ─ ─ ─ ─ ─ window × 4          ┌┄┄┐ cut away
    ───────────────── 90 % error     ┌┄┄┐│▒▒│
    ───────────────── 75 % cuts      │▒▒││▒▒│        ▒ results (counted double), summary, assistant, user
                               ▒▒ ▒▒ │▒▒││▒▒│

The values, and one request told from its Trace; all requests at once: `core.guard_replay`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import guard
from core.appended import Flow
from core.budget import ROLES, Budget, place
from core.guard_limits import GUARD
from core.layer import StepContext, Target
from core.pipeline import Step, Trace
from core.prompt import Block, Blocks

NOTHING: Budget = (0,) * len(ROLES)


@dataclass(frozen=True, slots=True)
class Counted:
    """One request in guard characters. `before`: by ROLES, what comes to the first guard; `after`: what the last one
    leaves; `cut`: what the guards took away together (less than 0 where a notice is longer than what it stands for).

    `largest`: the largest single result that comes to the guard. `stop`: instance that raises the agent's overflow
    error, "" = none does. Without a guard: before and after are what is left after the last step before the provider's
    form, nothing is cut."""

    before: Budget
    after: Budget
    cut: int
    largest: int
    stop: str = ""

    @property
    def total(self) -> int:
        """What comes to the guard."""
        return sum(self.before)

    @property
    def left(self) -> int:
        return sum(self.after)


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """The requests of a path in order, then what would be sent next. Fewer, if the work was stopped.

    Numbers in columns, so that ten thousand requests cross between processes at once."""

    table: array[int]
    names: tuple[str, ...]
    """Instances that `stop` may name."""

    WIDTH = 2 * len(ROLES) + 3

    def __len__(self) -> int:
        return len(self.table) // self.WIDTH

    def __getitem__(self, index: int) -> Counted:
        """`index`: of request number index + 1."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        row = self.table[index * self.WIDTH : (index + 1) * self.WIDTH]
        roles = len(ROLES)
        stop = self.names[row[-1]] if row[-1] >= 0 else ""
        return Counted(tuple(row[:roles]), tuple(row[roles : 2 * roles]), row[-3], row[-2], stop)

    def __iter__(self) -> Iterator[Counted]:
        return (self[index] for index in range(len(self)))

    @classmethod
    def of(cls, rows: Sequence[Counted], names: tuple[str, ...]) -> Guarded:
        table = array("q")
        for counted in rows:
            table.extend(row_of(counted, names))
        return cls(table, names)


def row_of(counted: Counted, names: tuple[str, ...]) -> array[int]:
    """A row of the table of Guarded."""
    stop = names.index(counted.stop) if counted.stop in names else -1
    return array("q", [*counted.before, *counted.after, counted.cut, counted.largest, stop])


# sizes


def role_of(block: Block) -> int:
    """Index into ROLES: a block counts as what it came in as."""
    return place((block if block.before is None else block.first).message.role)


class Tally:
    """Guard characters by role of everything that came by, and the largest result."""

    def __init__(self) -> None:
        self._fixed, self._largest = [0] * len(ROLES), 0
        self.sizes, self.largest = NOTHING, 0

    def take(self, flow: Flow, context: StepContext) -> None:
        if flow.anew:
            self._fixed, self._largest = [0] * len(ROLES), 0
        self._largest = max(self._largest, add(self._fixed, flow.fixed, context))
        if flow.loose:
            now = self._fixed[:]
            self.largest = max(self._largest, add(now, flow.loose, context))
            self.sizes = tuple(now)
        else:
            self.sizes, self.largest = tuple(self._fixed), self._largest


def add(sums: list[int], blocks: Blocks, context: StepContext) -> int:
    """The sizes of the blocks onto `sums`; the largest result among them."""
    largest = 0
    for block in blocks:
        size = guard.chars(context, block)
        sums[role_of(block)] += size
        if size > largest and guard.is_result(block):
            largest = size
    return largest


def moved(sizes: Budget, before: Blocks, after: Blocks, context: StepContext) -> Budget:
    """`sizes` of `before` as those of `after`."""
    sums = list(sizes)
    if len(before) != len(after):
        sums = [0] * len(ROLES)
        add(sums, after, context)
        return tuple(sums)
    for old, new in [(old, new) for old, new in zip(before, after, strict=True) if old is not new]:
        sums[role_of(old)] -= guard.chars(context, old)
        sums[role_of(new)] += guard.chars(context, new)
    return tuple(sums)


# one request, from its Trace


class TraceCount:
    """A request as its Trace has it: what the window shows at once, before the replay of all requests is ready."""

    LIMIT = 200_000
    """Sizes that are remembered at most, until it begins anew."""

    def __init__(self) -> None:
        self._context = StepContext(0, Target("", "", "", ""))
        self._door: tuple[Blocks, Budget, int] = ((), NOTHING, 0)

    def of(self, trace: Trace) -> Counted:
        """The blocks before the guard are looked at again only when they are others."""
        if sum(map(len, self._context.sizes.values())) > self.LIMIT:
            self._context.sizes.clear()
        found = [index for index, step in enumerate(trace.steps) if step.on and step.layer.startswith(GUARD)]
        if not found:
            end = next((i for i, step in enumerate(trace.steps) if step.layer == "provider_messages"), len(trace.steps))
            sizes, largest = self._sizes(trace.steps[end - 1].after)
            return Counted(sizes, sizes, 0, largest, _stop(trace.steps[:end]))
        sizes, largest = self._sizes(trace.steps[found[0]].before)
        after, cut = sizes, 0
        for step in trace.steps[found[0] : found[-1] + 1]:
            left = self._moved(after, step)
            cut += sum(after) - sum(left) if step.on and step.layer.startswith(GUARD) else 0
            after = left
        return Counted(sizes, after, cut, largest, _stop(trace.steps[: found[-1] + 1]))

    def _sizes(self, blocks: Blocks) -> tuple[Budget, int]:
        if self._door[0] is not blocks:
            sums = [0] * len(ROLES)
            largest = add(sums, blocks, self._context)
            self._door = blocks, tuple(sums), largest
        return self._door[1], self._door[2]

    def _moved(self, sizes: Budget, step: Step) -> Budget:
        sums = list(sizes)
        for edit in step.edits:
            for block, sign in ((edit.before, -1), (edit.after, 1)):
                if block is not None:
                    sums[role_of(block)] += sign * guard.chars(self._context, block)
        return tuple(sums)


def _stop(steps: Sequence[Step]) -> str:
    return next((step.instance for step in steps if step.overflow), "")
