"""Sessions for tests, built from a drawing, and the drawing of what was laid out."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from typing import Any

from core.graph import JOIN, Layout
from core.rows import Visible
from core.session import NO_TIME, Columns, Session

ROLES = ("", "user", "assistant", "toolResult", "bashExecution", "custom")
KINDS = ("message", "compaction", "branch_summary", "label", "leaf", "custom")


def shaped(parents: Sequence[int], said: str = "") -> Session:
    """A session of empty entries. `parents[i]`: row of the parent, -1 root, -2 unknown parent. `said`: one letter per
    entry: u user, a assistant, r result, C compaction, B branch summary, L label, l leaf, c custom (default: a)."""
    kinds = {"C": 1, "B": 2, "L": 3, "l": 4, "c": 5}
    roles = {"u": 1, "a": 2, "r": 3}
    letters = said.ljust(len(parents), "a")
    zeros = array("q", bytes(8 * len(parents)))
    columns = Columns(
        ids=tuple(f"e{row}" for row in range(len(parents))),
        offset=zeros,
        size=zeros,
        line=array("q", range(2, len(parents) + 2)),
        parent=array("q", parents),
        kind=array("q", [kinds.get(letter, 0) for letter in letters[: len(parents)]]),
        role=array("q", [roles.get(letter, 0) for letter in letters[: len(parents)]]),
        time=array("q", [NO_TIME] * len(parents)),
        chars=zeros,
        kinds=KINDS,
        roles=ROLES,
    )
    return Session("", "pi", None, columns, (), 0, 0, lambda at, size: b"", lambda session, row, line: {})


def picture(shown: Visible, layout: Layout) -> str:
    """One line per item: `o` its lane, `|` a lane that passes, then the bends in the gap below it."""
    gaps = layout.gaps(-1, len(shown))
    lines = []
    for item in range(len(shown)):
        cells = [" "] * layout.width
        for _, lane, style in gaps[item]:
            cells[lane] = ":" if style == JOIN else "|"
        cells[int(layout.lane[item])] = "o" if layout.active[item] else "x"
        bends = " ".join(
            f"{above}{'~' if style == JOIN else '>'}{below}" for above, below, style in gaps[item + 1] if above != below
        )
        lines.append(f"{''.join(cells)} {bends}".rstrip())
    return "\n".join(lines)


def opened(*entries: dict[str, Any], tmp_path: Any, header: dict[str, Any] | None = None) -> Session:
    """A real file of these entries (each the child of the one before it unless it names its parent), read back."""
    from core.format import open_session

    lines: list[dict[str, Any]] = [
        header or {"type": "session", "version": 3, "id": "s", "timestamp": "2026-04-07T14:02:11.000Z", "cwd": "/w"}
    ]
    before = None
    for number, entry in enumerate(entries):
        whole = {"id": f"e{number}", "parentId": before, "timestamp": "2026-04-07T14:02:12.000Z", **entry}
        lines.append(whole)
        before = whole["id"]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return open_session(str(path))


def said(role: str, *blocks: Any, **fields: Any) -> dict[str, Any]:
    """A message entry; a string among the blocks is a text block."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return {"type": "message", "message": {"role": role, "content": content, **fields}}


def call(name: str, id: str = "t1", **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}
