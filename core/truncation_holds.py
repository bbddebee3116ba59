"""What the safe mode of a truncation holds back, because removing it would lose more than history.

    tail           what the chosen path or the active one sends, and the entry that names where that begins
    leaf           the end of those paths: without it the file would open somewhere else
    model          the answer that alone tells which model the session uses
    labelled       what a person marked (setting)
    repeated_id    of an id that several entries have, one cannot be told from the others
    shared_line    a record beside something that is no JSON: that line keeps its bytes

The first three are what the agent loses (recorded cases of layer i: a first kept branch summary or label whose parent
or target goes takes the whole kept tail with it; the model falls back).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.context import SENDING, kept_rows
from core.labels import labels
from core.messages import Json
from core.session import Session


@dataclass(frozen=True, slots=True)
class Held:
    row: int
    why: str


_TAIL = SENDING | {"compaction", "reset"}
_OF_A_BRANCH = frozenset({"message", "custom_message", "branch_summary", "compaction"})
"""Entry types that go with a side branch; settings, custom and unknown entries stay there too."""


def held(session: Session, leaf: int | None, keep_labelled: bool) -> dict[int, str]:
    """Rows that must stay, with the reason. Both the chosen leaf and the active one are looked after."""
    found: dict[int, str] = {}
    if keep_labelled:
        for target in labels(session):
            row = session.row_of(target)
            if row is not None:
                found[row] = "labelled"
    for end in {leaf, session.active_leaf} - {None}:
        path = session.path_to(end)
        tail = kept_rows(session, path, session.body)
        model = _naming(session, path[: len(path) - len(tail)], tail)
        if model is not None:
            found[model] = "model"
        for row in tail:
            if session.type_of(row) in _TAIL:
                found[row] = "tail"
        for row in (*tail[:1], path[-1]):
            found[row] = "leaf" if row == path[-1] else "tail"
            if session.type_of(row) == "label":
                labelled = session.row_of(str(session.body(row).get("targetId")))
                if labelled is not None:
                    found.setdefault(labelled, "labelled")
    return found


def _naming(session: Session, before: Sequence[int], tail: Sequence[int]) -> int | None:
    """The row before the tail of the last answer on the path, if it alone names the model. None when the tail names
    one, or a model change says it too, with no answer of another model between."""
    if any(session.type_of(row) == "model_change" or _model(session, row) is not None for row in tail):
        return None
    last: int | None = None
    named: tuple[Json, Json] | None = None
    for row in reversed(before):
        if session.type_of(row) == "model_change":
            change = session.body(row)
            same = named is None or (change.get("provider"), change.get("modelId")) == named
            return None if same else last
        model = _model(session, row)
        if model is not None and named is None:
            last, named = row, model
        elif model is not None and model != named:
            break
    return last


def _model(session: Session, row: int) -> tuple[Json, Json] | None:
    """The model that an answer names; None for other entries and for copies for a chat channel."""
    if session.role_of(row) != "assistant":
        return None
    reply = session.reply(row)
    return None if reply is None or reply.mirror else (reply.provider, reply.model)


def leaving(session: Session, path: Sequence[int], first: int) -> list[int]:
    """First rows of the branches that leave the path before index `first`."""
    on_path = frozenset(path)
    return [child for row in path[:first] for child in session.children(row) if child not in on_path]


def branch_rows(session: Session, path: Sequence[int], first: int) -> Iterator[int]:
    """Rows of those branches, as far as they go with a branch."""
    waiting = leaving(session, path, first)
    while waiting:
        row = waiting.pop()
        if session.type_of(row) in _OF_A_BRANCH:
            yield row
        waiting.extend(session.children(row))


def talks(session: Session, row: int) -> bool:
    """The entry, or something below it, would be sent to a model: it belongs to a branch of the conversation."""
    waiting = [row]
    while waiting:
        row = waiting.pop()
        if session.type_of(row) in SENDING:
            return True
        waiting.extend(session.children(row))
    return False
