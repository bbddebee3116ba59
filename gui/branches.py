"""The name of the branch in view, for the tool bar."""

from __future__ import annotations

from core.phrase import phrase
from gui.state import State
from gui.translation import say


def branch_name(state: State) -> str:
    """The name of the branch in view: "main" for the active one, else how many requests from which entry."""
    leaf = state.timeline.leaf
    if leaf is None:
        return ""
    if leaf == state.session.active_leaf:
        return say(phrase("window.branch_main"))
    return say(phrase("window.branch", entry=state.session.columns.ids[leaf]))
