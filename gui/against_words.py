"""Which request a prompt is held against, in words."""

from __future__ import annotations

from core.phrase import phrase
from gui.state import State
from gui.translation import say


def against_words(state: State, short: bool = False) -> str:
    """Against which request of which branch; "" where there is none. `short`: for a narrow window."""
    suffix = "_short" if short else ""
    chosen, found = state.against.chosen, state.against.found
    if chosen is None:
        request = state.cursor.request
        before = request - 1 if request is not None else len(state.timeline.summaries)
        return say(phrase(f"against.request{suffix}", n=before)) if before >= 1 else ""
    leaf, number = chosen
    if leaf is None:
        return say(phrase(f"against.request{suffix}", n=number))
    name = state.session.columns.ids[leaf][:8]
    if found is None:
        return say(phrase(f"against.branch_only{suffix}", leaf=name))
    return say(phrase(f"against.branch{suffix}", n=found.number, leaf=name))


def against_none(state: State) -> str:
    """Why a chosen request has no first difference."""
    found = state.against.found
    if found is None:
        return ""
    here = len(state.assembled.blocks)
    which = "equal" if found.theirs == here else "shorter" if found.theirs < here else "longer"
    return say(phrase(f"against.none_{which}", n=found.shared, more=abs(found.theirs - here)))
