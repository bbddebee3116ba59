"""How much each prompt grew from the request before it on its path: the evidence that recorded usage gives on tokens.

    path      … a1   r1   r2 ─ a2            a = reply of a request, r = results, messages
    prompt       P1              P2          growth  P2 − P1 = tokens of a1 + r1 + r2

A prompt is never taken apart by what was read from the cache and what was written to it: only its size counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.context import SENDING
from core.reply import FAILED, Replies
from core.session import Session

REWRITING = frozenset({"compaction", "reset", "context_edit"})
"""Entry types after which a prompt does not simply continue the one before."""
FARTHEST = 512
"""Entries looked back for the request before: a longer gap proves little, and a file may be hostile."""


@dataclass(frozen=True, slots=True)
class Growth:
    """From the request answered by `previous` to the one answered by `request` (rows of assistant entries).

    `rows`: the entries between them that may bring a message, in path order. `tokens`: prompt size of the later minus
    that of the earlier, may be negative. `prompt`: size of the later. `said`: output tokens of `previous` without
    those for reasoning; None when it failed or was aborted, for then they are not what was kept. `same_model`: both
    requests name the same provider and model.
    """

    request: int
    previous: int
    rows: tuple[int, ...]
    tokens: int
    prompt: int
    said: int | None
    same_model: bool


def growths(session: Session) -> tuple[Growth, ...]:
    """One for each request that has another above it and nothing between them that rewrites the prompt; file order.

    Forks share what stands above them, so an entry may be part of several."""
    replies = session.columns.replies
    walk = _Walk(session, replies, {replies.entry[at]: at for at in replies.requests().tolist()})
    found = (walk.growth(row, at) for row, at in walk.at_row.items() if walk.prompts[at] > 0)
    return tuple(growth for growth in found if growth is not None)


class _Walk:
    """What is asked of every request, out of columns. `at_row`: place among the replies of each request, by row."""

    def __init__(self, session: Session, replies: Replies, at_row: dict[int, int]) -> None:
        columns = session.columns
        self.at_row, self._replies = at_row, replies
        self.prompts = replies.prompts()
        self._parent, self._kind = columns.parent, columns.kind
        self._rewrites = [name in REWRITING for name in columns.kinds]
        self._sends = [name in SENDING for name in columns.kinds]

    def growth(self, request: int, at: int) -> Growth | None:
        rows: list[int] = []
        parent, kind = self._parent, self._kind
        row = parent[request]
        for _ in range(FARTHEST):
            if row < 0:
                return None
            before = self.at_row.get(row)
            if before is not None:
                break
            if self._rewrites[kind[row]]:
                return None
            if self._sends[kind[row]]:
                rows.append(row)
            row = parent[row]
        else:
            return None
        replies, prompt = self._replies, self.prompts[at]
        if self.prompts[before] <= 0:
            return None
        rows.reverse()
        return Growth(
            request=request,
            previous=row,
            rows=tuple(rows),
            tokens=prompt - self.prompts[before],
            prompt=prompt,
            said=max(0, replies.output(before)) if replies.stop(before) not in FAILED else None,
            same_model=replies.named[4 * at : 4 * at + 2] == replies.named[4 * before : 4 * before + 2],
        )
