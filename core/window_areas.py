"""What fills the window, grouped by section, tool, file or entry into areas of a treemap.

by tool   read ┬ schema          by file   a.py ┬ call        each piece stands in exactly one area,
               ├ calls                          └ result      so that every grouping has the same sum
               └ results
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.window_fill import FillPiece, Role

Kind = Literal["window", "section", "what", "tool", "file", "part", "entry", "free", "rest"]
By = Literal["section", "tool", "file", "entry"]
BYS: tuple[By, ...] = ("section", "tool", "file", "entry")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the treemap. `kind`: what its `name` is: "section" and "what" (ids of ours), "tool", "file" or
    "part" (data), "entry" (a block), "free" (what is left of the window), "rest" (how many small ones were gathered).
    `children` have its tokens between them."""

    kind: Kind
    name: str
    tokens: int
    chars: int
    role: Role | None = None
    block: int | None = None
    row: int | None = None
    children: tuple[Area, ...] = ()


_Key = tuple[Kind, str]


def fill(given: Sequence[FillPiece], by: By, window: int | None = None) -> Area:
    """The treemap. `window`: tokens; what the prompt leaves of it is an area of its own."""
    *_, whole = filling(given, by, window)
    assert whole is not None
    return whole


EVERY = 256
"""Pieces and areas between two pauses."""


def filling(given: Sequence[FillPiece], by: By, window: int | None = None) -> Iterator[Area | None]:
    """The same, last of what comes, with pauses (None) before: a window does not wait for thousands of entries."""
    path_of, root = _PATHS_OF[by], _Node()
    for at, piece in enumerate(given):
        node = root
        for key in path_of(piece):
            node = node.child(key, piece)
        if at % EVERY == 0:
            yield None
    areas: list[Area] = []
    for key, node in root.children.items():
        areas.append(node.area(key))
        if len(areas) % EVERY == 0:
            yield None
    tokens, chars = sum(piece.tokens for piece in given), sum(piece.chars for piece in given)
    if window is not None and window > tokens:
        areas.append(Area("free", "free", window - tokens, 0))
    yield Area("window", by, max(tokens, window or 0), chars, children=tuple(areas))


def gathered(area: Area, most: int) -> Area:
    """The same with at most `most` children at every level: the largest stay, the others are one area at the end."""
    children = area.children
    if len(children) > most:
        ranked = sorted(range(len(children)), key=lambda at: -children[at].tokens)
        kept = set(ranked[: most - 1])
        rest = [child for at, child in enumerate(children) if at not in kept]
        role = rest[0].role if all(child.role == rest[0].role for child in rest) else None
        tokens, chars = sum(child.tokens for child in rest), sum(child.chars for child in rest)
        children = tuple(child for at, child in enumerate(children) if at in kept)
        children += (Area("rest", str(len(rest)), tokens, chars, role),)
    return replace(area, children=tuple(gathered(child, most) for child in children))


class _Node:
    """An area that is being put together; `role`, `block` and `row` until a piece comes that has another."""

    __slots__ = ("block", "chars", "children", "role", "row", "tokens")

    def __init__(self, one: FillPiece | None = None) -> None:
        self.tokens = self.chars = 0
        self.role = one.role if one is not None else None
        self.block = one.block if one is not None else None
        self.row = one.row if one is not None else None
        self.children: dict[_Key, _Node] = {}

    def child(self, key: _Key, piece: FillPiece) -> _Node:
        node = self.children.get(key)
        if node is None:
            node = self.children[key] = _Node(piece)
        node.tokens += piece.tokens
        node.chars += piece.chars
        if node.role != piece.role:
            node.role = None
        if node.block != piece.block:
            node.block = None
        if node.row != piece.row:
            node.row = None
        return node

    def area(self, key: _Key) -> Area:
        """Children in the order in which their first pieces come."""
        inside = tuple([child.area(name) for name, child in self.children.items()])
        return Area(*key, self.tokens, self.chars, self.role, self.block, self.row, inside)


def _by_section(piece: FillPiece) -> tuple[_Key, ...]:
    entry: _Key = ("entry", str(piece.block))
    if piece.what == "unrecorded":
        return (("what", "unrecorded"),)
    if piece.section == "tools":
        return ("section", "tools"), ("tool", piece.tool)
    if piece.section == "system":
        return ("section", "system"), ("section", piece.side or "stable"), ("part", piece.name)
    if piece.role == "toolResult":
        return ("section", "toolResult"), ("tool", piece.tool), entry
    return ("section", piece.role), entry


def _by_tool(piece: FillPiece) -> tuple[_Key, ...]:
    if not piece.tool:
        return _elsewhere(piece)
    if piece.what == "schema":
        return ("tool", piece.tool), ("what", "schema")
    return ("tool", piece.tool), ("what", piece.what), ("entry", str(piece.block))


def _by_file(piece: FillPiece) -> tuple[_Key, ...]:
    if not piece.file:
        return _elsewhere(piece)
    if piece.what == "section":
        return ("file", piece.file), ("what", "section")
    return ("file", piece.file), ("what", piece.what), ("entry", str(piece.block))


def _by_entry(piece: FillPiece) -> tuple[_Key, ...]:
    if piece.section != "messages":
        return _elsewhere(piece)
    return ("entry", str(piece.block)), ("what", piece.what)


def _elsewhere(piece: FillPiece) -> tuple[_Key, ...]:
    """Where the grouping has no name for it: by what it is for the model."""
    return (("what", "unrecorded") if piece.what == "unrecorded" else ("section", piece.role),)


_PATHS_OF: Mapping[By, Callable[[FillPiece], tuple[_Key, ...]]] = {
    "section": _by_section,
    "tool": _by_tool,
    "file": _by_file,
    "entry": _by_entry,
}
