"""What the status bar says of traces: how much of our prompt equals the recorded one, or that there is none."""

from __future__ import annotations

from core.phrase import Phrase, phrase
from gui.state import State


def trace_note(state: State) -> Phrase:
    """Only comparable blocks are counted; a difference names the step where it began, if it was one of ours."""
    said, problems = _note(state), len(state.recorded.problems)
    return phrase("trace_note.problems", note=said, n=problems) if problems else said


def _note(state: State) -> Phrase:
    recorded = state.recorded
    verdict = recorded.verdict
    if verdict is not None and verdict.comparable:
        numbers = {"equal": verdict.equal, "n": verdict.comparable}
        if verdict.began is None:
            return phrase("trace_note.equal", **numbers)
        stage, step = verdict.began
        return phrase(
            "trace_note.differs" if step else "trace_note.differs_elsewhere", **numbers, step=step, stage=stage
        )
    if recorded.leading:
        return phrase("trace_note.source", name=recorded.leading[-1].origin.name)
    return phrase("trace_note.none")
