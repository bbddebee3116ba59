"""What `maintain` rewrote, in a copy: a branch in front of the first rewritten entry, and what follows appended again.

    file   a ─ b ─ c ─ d          rewritten: b
    copy   a ─ b ─ c ─ d
            └─ b' ─ c' ─ d'       the new leaf; a is shared, c' and d' say what c and d said

The file is never written. The next request is built from the branch: for its messages that means those of the path with
the rewritten ones in their place (a law, tested against the written copy), so no copy is made to compute them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.layer import StepContext
from core.messages import Json, Message
from core.prompt import Block, Blocks
from core.session import Session

POINTERS = ("firstKeptEntryId", "targetId", "fromId")
"""Fields of entries that name another entry; they follow it into the branch."""


def amended(blocks: Blocks, rewrites: Mapping[int, Message], context: StepContext) -> Blocks:
    """Step 0 of the branch; the very blocks where nothing of them was rewritten."""
    if not rewrites:
        return blocks
    found = tuple([_amended(block, rewrites, context) for block in blocks])
    return found if any(new is not old for new, old in zip(found, blocks, strict=True)) else blocks


def _amended(block: Block, rewrites: Mapping[int, Message], context: StepContext) -> Block:
    rows, origin = block.origin.rows, block.origin
    message = rewrites.get(rows[0]) if len(rows) == 1 and not origin.made_by else None
    if message is None:
        return block
    return context.made(block, ("rewritten", message.key()), lambda: message)


@dataclass(frozen=True, slots=True)
class Branch:
    """`lines`: the entries to append, in order. `leaf`: id of the last one. `again`: how many say what they said
    before. `size`: bytes of the recorded lines that are appended again."""

    lines: tuple[Json, ...]
    leaf: str
    again: int
    size: int


def appended_again(session: Session, path: Sequence[int], rewrites: Mapping[int, Message]) -> tuple[int, int]:
    """(entries of the path that are appended again as they were, bytes of their lines), without making them."""
    begin = next((at for at, row in enumerate(path) if row in rewrites), len(path))
    rows = [row for row in path[begin:] if row not in rewrites]
    return len(rows), sum(session.columns.size[row] for row in rows)


def branch(session: Session, path: Sequence[int], rewrites: Mapping[int, Message]) -> Branch | None:
    """The branch of a path; None when nothing on it was rewritten. Ids are made from what they stand for."""
    begin = next((at for at, row in enumerate(path) if row in rewrites), None)
    if begin is None:
        return None
    ids = session.columns.ids
    new: dict[str, str] = {}
    taken = set(ids)
    lines: list[Json] = []
    parent = ids[path[begin - 1]] if begin else None
    for row in path[begin:]:
        body = session.body(row)
        id = _fresh(ids[row], taken)
        new[ids[row]] = id
        line = {**body, "id": id, "parentId": parent}
        for name in POINTERS:
            if isinstance(body.get(name), str):
                line[name] = new.get(body[name], body[name])
        if row in rewrites:
            line["message"] = rewrites[row].json()
        lines.append(line)
        parent = id
    again, size = appended_again(session, path, rewrites)
    return Branch(tuple(lines), parent or "", again, size)


def _fresh(id: str, taken: set[str]) -> str:
    """Eight hex digits that no entry has."""
    number = 0
    while True:
        said = f"{id}\n{number}".encode("utf-8", "surrogatepass")
        made = hashlib.blake2b(said, digest_size=4).hexdigest()
        if made not in taken:
            taken.add(made)
            return made
        number += 1
