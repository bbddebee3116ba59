"""Where the prompt first differs from that of the request before: in tools or system prompt, else in a message.

request 22   T S│D m m m m          what only follows the end of the old prompt is no difference
request 23   T S│D m m m' m m m          └ block 85, character 2,363: the step that changed it
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.difference import first_difference
from core.phrase import Phrase, phrase
from core.pipeline import Trace
from core.recorded_prompt import RecordedPrompt
from core.sent import sent
from core.trace_findings import quoted
from gui.prompt_rows import LEADING
from gui.stage import Stage
from gui.state import State

NAME = "prompt.before"
"""Of the comparison that is asked for."""


@dataclass(frozen=True, slots=True)
class Differs:
    """`leading`: index of the part of tools and system prompt, or `block`: of the message; `unit`: the UTF-16 unit in
    its text, None where role, ids or the number of parts differ; `text`: which of the message's texts. `why`: what made
    the difference, if it is known. `before`, `after`: both texts from there on, the beginning of them."""

    leading: int | None = None
    block: int | None = None
    unit: int | None = None
    text: int = 0
    why: Phrase | None = None
    before: str = ""
    after: str = ""

    @property
    def row(self) -> int:
        """`Row.first` of the row that shows it."""
        return LEADING + self.leading if self.leading is not None else self.block or 0


def of_leading(recorded: RecordedPrompt) -> Differs | None:
    """From what traces tell."""
    found = recorded.parted
    if found is None:
        return None
    why = phrase(f"prompt.cause.{found.cause}") if found.cause is not None else None
    return Differs(leading=found.leading, unit=found.unit, why=why, before=found.before, after=found.after)


def of_messages(before: Trace, stage: Stage) -> Differs | None:
    """Of what is sent in the end; None when the old prompt is the beginning of the new one."""
    found = first_difference(before.blocks, stage.trace.blocks)
    if found is None or found.block >= len(before.blocks) or found.block >= len(stage.trace.blocks):
        return None
    new = stage.trace.blocks[found.block]
    step = next((s for s in stage.trace.steps for e in s.edits if e.after is new), None)
    why = phrase("prompt.changed_by", title=step.title) if step is not None else None
    quotes = ["", ""]
    if found.text is not None and found.unit is not None:
        for side, block in enumerate((before.blocks[found.block], new)):
            texts = sent(block.message).texts
            quotes[side] = quoted(texts[found.text], found.unit) if found.text < len(texts) else ""
    return Differs(None, found.block, found.unit, found.text or 0, why, *quotes)


class Differing:
    """Finds it for the request in focus; the trace of the request before is computed when nothing else is to do.

    `came`: called when more is known than before."""

    def __init__(self, came: Callable[[], None]) -> None:
        self._came = came
        self._of: Trace | None = None
        self._asked: Trace | None = None
        self._found: Differs | None = None

    def of(self, state: State, stage: Stage | None) -> Differs | None:
        """What is known now. Messages are compared with all steps applied only."""
        found = of_leading(state.recorded)
        if found is not None:
            return found
        if stage is None or stage.step is not None or stage.trace is not self._of:
            return None
        return self._found

    def ask(self, state: State, stage: Stage | None) -> None:
        """Have the messages of the request before worked out, once for each trace."""
        summaries, request = state.timeline.summaries, state.cursor.request
        before = request - 1 if request is not None else len(summaries)
        if stage is None or stage.step is not None or before < 1 or state.stale or state.grasped:
            return
        trace = stage.trace
        if trace is self._of:
            return
        self._asked = trace

        def take(older: Trace) -> None:
            if self._asked is trace:
                self._of, self._asked = trace, None
                self._found = of_messages(older, stage)
                if self._found is not None:
                    self._came()

        state.compare(NAME, take, request=before)
