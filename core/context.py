"""Step 0: the messages on a path, after the compaction rule and before every other layer.

    path      m1 m2 m3 C(keep m3) m4 m5
    context   [summary of C] m3 m4 m5          m1, m2 are summarised

Source: recorded cases of layer h (`buildSessionContext`, pi 0.65.0); `reset`, `context_edit` and `retainedTail` come
from reports and later versions (session formats 1.5, 1.6; agent pipeline 3). What fell out without being in any
summary is told by the rule of pi before 0.65 (a summary's input begins after the previous compaction entry), or of
0.65 and later (it begins at the previous compaction's first kept entry).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.javascript import epoch_ms
from core.messages import Json, Message
from core.paths import Places, Rows, as_array
from core.session import Session

SENDING = frozenset({"message", "custom_message", "branch_summary"})
"""Entry types that become messages (a branch summary only if it is not empty)."""

SummaryInput = Literal["after_compaction", "from_first_kept"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a message or block comes from: rows of entries, and what made it ("" = the file as it stands)."""

    rows: tuple[int, ...]
    made_by: str = ""


@lru_cache(maxsize=100_000)
def of_row(row: int) -> Origin:
    """A message as its entry holds it. They are made for each request of a session: one of a row will do."""
    return Origin((row,))


@dataclass(frozen=True, slots=True)
class Context:
    """Messages in order with their origins (same length).

    `compaction`: row of the compaction (or reset) that applies. `summarised`: rows its summary replaces, as far as
    they were in the input of this or an earlier summary. `fell_out`: rows of messages that are neither sent nor were
    in the input of any summary. `thinking_level` and `model` (provider, model id) as the agent would take them up.
    """

    messages: tuple[Message, ...]
    origins: tuple[Origin, ...]
    compaction: int | None
    summarised: Sequence[int]
    fell_out: tuple[int, ...]
    thinking_level: Json
    model: tuple[Json, Json] | None


def message_of(session: Session, row: int, body: Json | None = None) -> Message | None:
    """The message that the entry brings into a context by itself, or None (settings, labels, compactions …)."""
    kind = session.type_of(row)
    if kind not in SENDING:
        return None
    raw = raw_message(kind, session.body(row) if body is None else body)
    return None if raw is None else Message.of(raw)


def raw_message(kind: str, entry: Json) -> Json:
    """The same as JSON: what an entry of a type among SENDING brings into a context."""
    if kind == "message":
        return entry.get("message")
    if kind == "custom_message":
        said = {"role": "custom", **_present(entry, "customType", "content", "display", "details")}
        return {**said, "timestamp": epoch_ms(entry.get("timestamp"))}
    if not entry.get("summary"):
        return None
    said = {"role": "branchSummary", **_present(entry, "summary", "fromId")}
    return {**said, "timestamp": epoch_ms(entry.get("timestamp"))}


def summary_message(body: Json) -> Message:
    """The message of a compaction entry."""
    return Message.of(raw_summary(body))


def raw_summary(body: Json) -> Json:
    """The same as JSON."""
    said = {"role": "compactionSummary", **_present(body, "summary", "tokensBefore")}
    return {**said, "timestamp": epoch_ms(body.get("timestamp"))}


def _present(body: Json, *keys: str) -> dict[str, Json]:
    return {key: body[key] for key in keys if key in body}


def build(
    session: Session,
    path: Sequence[int],
    *,
    message: Callable[[int], Message | None] | None = None,
    body: Callable[[int], Json] | None = None,
    summary_input: SummaryInput = "after_compaction",
) -> Context:
    """The context on `path` (rows, root first). `message` and `body` may be caches of message_of and Session.body."""
    body = body or session.body
    if message is None:
        fetch = body

        def message(row: int) -> Message | None:
            return message_of(session, row, fetch(row) if session.type_of(row) in SENDING else None)

    thinking, model = settings_on(session, path, body)
    cuts = at_kinds(session, path, ("compaction", "reset"))
    messages: list[Message] = []
    origins: list[Origin] = []
    sent: set[int] = set()

    def emit(rows: Sequence[int]) -> None:
        for row in rows:
            found = message(row)
            if found is not None:
                messages.append(found)
                origins.append(of_row(row))
                sent.add(row)

    compaction: int | None = None
    if not cuts:
        emit(path)
    else:
        at = cuts[-1]
        compaction = path[at]
        cut = body(compaction)
        if session.type_of(compaction) == "compaction":
            messages.append(summary_message(cut))
            origins.append(Origin((compaction,), "summary"))
            tail = cut.get("retainedTail")
            for kept in tail if isinstance(tail, list) else ():
                messages.append(Message.of(kept))
                origins.append(Origin((compaction,), "retained_tail"))
        first_kept = _first_kept(session, path)
        start = first_kept(at, cut)
        emit(path[start:at])
        emit(path[at + 1 :])
    _edit(session, path, messages, origins, body)
    if not cuts:
        return Context(tuple(messages), tuple(origins), None, (), (), thinking, model)
    before = as_array(path)[: cuts[-1]]
    unsent = before[_unsent(session, before, sent, message)]
    covered = _summarised(session, path, cuts, body, summary_input, first_kept)
    summarised = covered[unsent]
    return Context(
        tuple(messages),
        tuple(origins),
        compaction,
        array("q", unsent[summarised].tobytes()),
        tuple(unsent[~summarised].tolist()),
        thinking,
        model,
    )


def _unsent(
    session: Session, before: Rows, sent: Collection[int], message: Callable[[int], Message | None]
) -> NDArray[np.bool_]:
    """Which of the rows before a cut have a message that is not sent. The body is asked only where nothing else tells:
    of a long session most would have to be read for nothing else."""
    columns = session.columns
    kind, role = np.asarray(columns.kind)[before], np.asarray(columns.role)[before]
    surely = _among(columns.kinds, ("custom_message",))[kind]
    spoken = _among(columns.kinds, ("message",))[kind]
    surely |= spoken & (role != columns.roles.index(""))
    gone = np.ones(len(session), dtype=np.bool_)
    gone[np.fromiter(sent, np.int64, len(sent))] = False
    found: NDArray[np.bool_] = surely & gone[before]
    maybe = (spoken | _among(columns.kinds, tuple(SENDING))[kind]) & ~surely
    for at in np.flatnonzero(maybe).tolist():
        row = int(before[at])
        found[at] = row not in sent and message(row) is not None
    return found


def _among(kinds: Sequence[str], names: Sequence[str]) -> NDArray[np.bool_]:
    """Of each number of a kind, whether it is one of these."""
    return np.array([name in names for name in kinds], dtype=np.bool_)


def at_kinds(session: Session, path: Sequence[int], names: Sequence[str]) -> list[int]:
    """Indexes in `path` of entries of these types; most sessions have none of them, which costs nothing to tell."""
    wanted = _among(session.columns.kinds, names)
    if not wanted.any() or not len(path):
        return []
    found: list[int] = np.flatnonzero(wanted[np.asarray(session.columns.kind)[as_array(path)]]).tolist()
    return found


def settings_on(
    session: Session, path: Sequence[int], body: Callable[[int], Json]
) -> tuple[Json, tuple[Json, Json] | None]:
    """(thinking level, (provider, model) or None) after the entries of `path`: the last one named wins.

    A delivery mirror names no model: it is a copy for a chat channel (agent pipeline 3)."""
    kinds, kind = session.columns.kinds, session.columns.kind
    thinking: Json = "off"
    named: tuple[Json, Json] | None = None
    wanted = {"thinking_level_change", "model_change", "message"} & set(kinds)
    for row in reversed(path):  # the last one is near the end, as a rule
        name = kinds[kind[row]]
        if name not in wanted:
            continue
        if name == "thinking_level_change":
            thinking = body(row).get("thinkingLevel")
            wanted.discard(name)
        elif name == "model_change":
            change = body(row)
            named = (change.get("provider"), change.get("modelId"))
            wanted -= {"model_change", "message"}
        elif session.role_of(row) == "assistant":
            reply = session.reply(row)
            if reply is not None and not reply.mirror:
                named = (reply.provider, reply.model)
                wanted -= {"model_change", "message"}
        if not wanted:
            break
    return thinking, named


def kept_rows(session: Session, path: Sequence[int], body: Callable[[int], Json]) -> Sequence[int]:
    """The rows of the path that are sent, as far as they have a message: from the last cut's first kept entry on."""
    cuts = at_kinds(session, path, ("compaction", "reset"))
    return path[_first_kept(session, path)(cuts[-1], body(path[cuts[-1]])) :] if cuts else path


def _first_kept(session: Session, path: Sequence[int]) -> Callable[[int, Json], int]:
    """Index in path of the first kept entry before the cut at an index; that index itself when there is none (nothing
    kept). Of a repeated id the first entry on the path is meant."""
    ids = session.columns.ids
    places: dict[str, int] = {}
    rows = Places(path)

    def first_kept(at: int, cut: Json) -> int:
        named = cut.get("firstKeptEntryId")
        if not isinstance(named, str):
            return at
        row = session.row_of(named)
        if row is not None and not session.repeats:
            found = rows.of(row)
            return at if found is None else min(found, at)
        if not places:
            places.update(zip(map(ids.__getitem__, reversed(path)), range(len(path) - 1, -1, -1), strict=True))
        return min(places.get(named, at), at)

    return first_kept


def _summarised(
    session: Session,
    path: Sequence[int],
    cuts: Sequence[int],
    body: Callable[[int], Json],
    summary_input: SummaryInput,
    first_kept: Callable[[int, Json], int],
) -> NDArray[np.bool_]:
    """Which rows were in the input of some summary on the path. A reset has none."""
    covered = np.zeros(len(session), dtype=np.bool_)
    rows = as_array(path)
    begin = 0
    for at in cuts:
        cut = body(path[at])
        kept = first_kept(at, cut)
        if session.type_of(path[at]) == "compaction":
            covered[rows[begin:kept]] = True
            begin = kept if summary_input == "from_first_kept" and kept < at else at + 1
        else:
            begin = at + 1
    return covered


def _edit(
    session: Session,
    path: Sequence[int],
    messages: list[Message],
    origins: list[Origin],
    body: Callable[[int], Json],
) -> None:
    """Apply `context_edit` entries: the last one on the path wins for its target; a null replacement removes it."""
    edits: dict[int, tuple[int, Json]] = {}
    for at in at_kinds(session, path, ("context_edit",)):
        edit = body(path[at])
        target = edit.get("targetId")
        found = session.row_of(target) if isinstance(target, str) else None
        if found is not None:
            edits[found] = (path[at], edit.get("replacement"))
    if not edits:
        return
    for index in range(len(messages) - 1, -1, -1):
        rows = origins[index].rows
        if origins[index].made_by or rows[0] not in edits:
            continue
        by, replacement = edits[rows[0]]
        if replacement is None:
            del messages[index], origins[index]
        elif (after := edited(messages[index], replacement)) is not None:
            messages[index] = after
            origins[index] = Origin((rows[0], by), "context_edit")


def edited(message: Message, replacement: Json) -> Message | None:
    """The message with the content of a context edit's `replacement`; None where that changes nothing."""
    if not message.is_object or not isinstance(replacement, dict) or "content" not in replacement:
        return None
    return Message.of({**message.json(), "content": replacement["content"]})
