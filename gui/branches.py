"""The branches of a session as the tool bar lists them."""

from __future__ import annotations

from core.phrase import phrase
from gui.state import State
from gui.translation import say
from gui.visible import visible


def branch_name(state: State) -> str:
    """The name of the branch in view: "main" for the active one, else how many requests from which entry."""
    leaf = state.timeline.leaf
    if leaf is None:
        return ""
    if leaf == state.session.active_leaf:
        return say(phrase("window.branch_main"))
    return say(phrase("window.branch", entry=state.session.columns.ids[leaf]))


def branches(state: State) -> list[tuple[int, str]]:
    """(leaf row, words) of every branch, the active one first, then the newest; at most 40."""
    session = state.session
    leaves = sorted(session.leaves, reverse=True)
    active = session.active_leaf
    if active is not None:
        leaves = [active, *(leaf for leaf in leaves if leaf != active)]
    found = []
    for leaf in leaves[:40]:
        path = session.path_to(leaf)
        name = "window.branch_item_main" if leaf == active else "window.branch_item"
        said = phrase(name, entry=session.columns.ids[leaf], n=len(session.requests(path)), entries=len(path))
        found.append((leaf, visible(say(said))))
    return found
