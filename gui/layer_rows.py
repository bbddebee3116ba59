"""The rows of the Layers dock as values: what each step of the trace did and why, or why not, in the window's words."""

from __future__ import annotations

from dataclasses import dataclass

from core.phrase import phrase
from core.pipeline import SESSION_CONTEXT, Step, Trace
from core.system_prompt_step import ID, system_prompt_step
from gui import numbers
from gui.numbers import Mark
from gui.shapes import Fired
from gui.state import State
from gui.translation import say

SYSTEM_PROMPT = ID
"""Name of the row for tools and system prompt, which no layer brings; without a source only their size is known."""


@dataclass(frozen=True, slots=True)
class LayerRow:
    """`delta`: tokens that the step added or took away, None where there is nothing to say; marked `mark`.

    `why`: the whole sentence, `short`: for the right end of a quiet row. `locked`: cannot be switched off.
    `trouble`: "overflow" or "failed", else "". `beyond`: not applied yet where one stands. `changed`: not as chosen.
    `tall`: two lines. `file`: changes the file for good, not this request only.
    """

    instance: str
    number: int
    title: str
    why: str
    short: str
    delta: int | None
    mark: Mark
    fired: Fired
    on: bool
    locked: bool
    trouble: str
    beyond: bool
    changed: bool
    tall: bool
    file: bool = False

    @property
    def size(self) -> str:
        """The signed size as it is painted; the mark stands only where it differs from the group's."""
        if self.delta is None:
            return ""
        return numbers.delta(self.delta, self.mark if self.mark is Mark.ESTIMATED else None)

    def words(self) -> str:
        """The row for a screen reader."""
        did = {Fired.FIRED: "dock.row.fired", Fired.IDLE: "dock.row.idle", Fired.UNKNOWN: "dock.row.unknown"}[
            self.fired
        ]
        parts = [say(phrase("dock.row.step", number=self.number, title=self.title)), say(phrase(did))]
        if self.delta is not None:
            parts.append(say(phrase("dock.row.tokens", size=numbers.delta(self.delta), mark=self.mark.word())))
        parts.append(self.why)
        parts += [say(phrase(f"dock.row.{self.trouble}"))] if self.trouble else []
        parts += [say(phrase("dock.badge.file"))] if self.file else []
        parts += [say(phrase("dock.row.changed"))] if self.changed else []
        parts += [say(phrase("dock.row.beyond"))] if self.beyond else []
        parts.append(say(phrase("dock.row.locked" if self.locked else "dock.row.on" if self.on else "dock.row.off")))
        return ", ".join(parts)


def rows(state: State, current: str | None) -> tuple[LayerRow, ...]:
    """One row per step, and one for tools and system prompt, or for their size. `current`: the selected row."""
    trace = state.trace
    if trace is None:
        return ()
    changed = {name.partition(".")[0] for name in state.changes()}
    switched = {instance.name: instance.on for instance in state.profile.instances}
    stand = stand_of(trace, state.cursor.step)
    found = [
        _row(step, number, step.instance == current, number > stand, step.instance in changed, switched)
        for number, step in enumerate(trace.steps)
    ]
    leading, unrecorded = state.assembled.leading, state.assembled.unrecorded
    number = len(found)
    if leading:
        step = system_prompt_step(trace, leading, unrecorded)
        found.append(_row(step, number, current == SYSTEM_PROMPT, number > stand, False, switched))
    elif unrecorded is not None:
        found.append(_unrecorded(number, unrecorded, state.cursor.step is not None))
    return tuple(found)


def stand_of(trace: Trace, name: str | None) -> int:
    """Number of the step one stands behind; that of the last one when all are applied."""
    for number, step in enumerate(trace.steps):
        if step.instance == name:
            return number
    return len(trace.steps)


def _row(step: Step, number: int, current: bool, beyond: bool, changed: bool, switched: dict[str, bool]) -> LayerRow:
    first, sent_first = step.instance == SESSION_CONTEXT, step.instance == SYSTEM_PROMPT
    trouble = "failed" if step.failed else "overflow" if step.overflow else ""
    fired = Fired.FIRED if step.fired or first else Fired.IDLE
    delta = step.tokens_after - step.tokens_before if (step.fired and not step.overflow) or first else None
    return LayerRow(
        instance=step.instance,
        number=number,
        title=say(step.title),
        why=say(step.why),
        short=say(step.short if step.short is not None else step.why),
        delta=delta,
        mark=Mark.ESTIMATED if sent_first else Mark.SIMULATED,
        fired=fired,
        on=switched.get(step.instance, step.on),
        locked=first or sent_first,
        trouble=trouble,
        beyond=beyond,
        changed=changed,
        tall=fired is Fired.FIRED or current or bool(trouble),
        file=step.mark == "file",
    )


def _unrecorded(number: int, tokens: int, beyond: bool) -> LayerRow:
    said = say(phrase("dock.system_prompt.why"))
    return LayerRow(
        instance=SYSTEM_PROMPT,
        number=number,
        title=say(phrase("dock.system_prompt.title")),
        why=said,
        short=said,
        delta=tokens,
        mark=Mark.ESTIMATED,
        fired=Fired.UNKNOWN,
        on=True,
        locked=True,
        trouble="",
        beyond=beyond,
        changed=False,
        tall=True,
    )
