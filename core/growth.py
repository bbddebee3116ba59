"""How much each prompt grew from the request before it on its path: the evidence that recorded usage gives on tokens.

    path      … a1   r1   r2 ─ a2            a = reply of a request, r = results, messages
    prompt       P1              P2          growth  P2 − P1 = tokens of a1 + r1 + r2

A prompt is never taken apart by what was read from the cache and what was written to it: only its size counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.context import SENDING
from core.session import Request, Session

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
    requests = {request.entry: request for request in session.requests()}
    found: list[Growth] = []
    for request in requests.values():
        if request.usage.prompt > 0:
            grown = _growth(session, request, requests)
            if grown is not None:
                found.append(grown)
    return tuple(found)


def _growth(session: Session, request: Request, requests: dict[int, Request]) -> Growth | None:
    rows: list[int] = []
    row = session.columns.parent[request.entry]
    for _ in range(FARTHEST):
        if row < 0:
            return None
        before = requests.get(row)
        if before is not None:
            break
        kind = session.type_of(row)
        if kind in REWRITING:
            return None
        if kind in SENDING:
            rows.append(row)
        row = session.columns.parent[row]
    else:
        return None
    if before.usage.prompt <= 0:
        return None
    reply = session.reply(row)
    kept = reply is not None and reply.stop not in ("error", "aborted")
    return Growth(
        request=request.entry,
        previous=row,
        rows=tuple(reversed(rows)),
        tokens=request.usage.prompt - before.usage.prompt,
        prompt=request.usage.prompt,
        said=max(0, before.usage.output - before.usage.reasoning) if kept else None,
        same_model=(request.provider, request.model) == (before.provider, before.model),
    )
