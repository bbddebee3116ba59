"""Where a compaction cuts: when it is due, which entry is kept first, what is summarised, which files were used.

    path    u1 a1 r1 a2 │ u2 a3 r3 │ a4 r4 a5            keep ≥ 20,000 tokens, walking back
            summarised    turn prefix   kept tail          the cut falls inside the turn of u2: it is split

Source: recorded cases of layer h (section 10 of their description) with their pins in n: pi 0.61 (OpenClaw 2026.3) and
0.65 (2026.4). Since 0.65 a summary's input begins at the previous compaction's first kept entry, before that behind the
previous compaction: what the first kept and the second does not keep is then in no summary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.context import build, message_of, summary_message
from core.estimate import pi_context_tokens, pi_tokens
from core.javascript import epoch_ms, units
from core.messages import Json, Message, Shape
from core.session import Session

RESERVE = 16_384
"""Tokens of the window that pi keeps free for the answer."""
RESERVE_FLOOR = 20_000
"""OpenClaw keeps at least this much free."""
KEEP_RECENT = 20_000

_CUTTABLE = frozenset({"user", "assistant", "custom", "bashExecution", "branchSummary", "compactionSummary"})
_CUTTABLE_KINDS = frozenset({"branch_summary", "custom_message"})


def due(context_tokens: float, window: float, reserve: float = RESERVE, *, enabled: bool = True) -> bool:
    """pi's `shouldCompact`: the context is larger than the window without the reserve."""
    return enabled and context_tokens > window - reserve


@dataclass(frozen=True, slots=True)
class Cut:
    """Indices into the entries. `first_kept`: the first that stays. `turn_start`: of the split turn, -1 for none."""

    first_kept: int
    turn_start: int
    split: bool


def find_cut(entries: Sequence[Json], start: int, end: int, keep: float) -> Cut:
    """`findCutPoint` among the entry bodies [start, end): never at a tool result."""
    valid = [at for at in range(start, end) if _cuttable(entries[at])]
    if not valid:
        return Cut(start, -1, False)
    cut = valid[0]
    size = 0
    for at in range(end - 1, start - 1, -1):
        if _type(entries[at]) != "message":
            continue
        size += pi_tokens(_said(entries[at]))
        if size >= keep:
            cut = next((place for place in valid if place >= at), cut)
            break
    while cut > start and _type(entries[cut - 1]) not in ("compaction", "message"):
        cut -= 1
    if _role(entries[cut]) == "user":
        return Cut(cut, -1, False)
    turn = next((at for at in range(cut, start - 1, -1) if _begins_turn(entries[at])), -1)
    return Cut(cut, turn, turn >= 0)


def _type(entry: Json) -> Json:
    return entry.get("type") if isinstance(entry, dict) else None


def _role(entry: Json) -> str:
    return _said(entry).role if _type(entry) == "message" else ""


def _said(entry: Json) -> Message:
    return Message.of(entry.get("message"))


def _cuttable(entry: Json) -> bool:
    return _type(entry) in _CUTTABLE_KINDS or _role(entry) in _CUTTABLE


def _begins_turn(entry: Json) -> bool:
    return _type(entry) in _CUTTABLE_KINDS or _role(entry) in ("user", "bashExecution")


# files


@dataclass(frozen=True, slots=True)
class FileOperations:
    """Paths in the order in which the agent first read, wrote or edited them."""

    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()

    @property
    def modified_files(self) -> tuple[str, ...]:
        """Edited or written, sorted by code unit."""
        return tuple(sorted({*self.edited, *self.written}, key=units))

    @property
    def read_files(self) -> tuple[str, ...]:
        """Read and not modified, sorted by code unit."""
        return tuple(sorted({*self.read} - {*self.edited, *self.written}, key=units))


def file_operations(messages: Sequence[Message], previous: Json = None) -> FileOperations:
    """From the calls of `read`, `write` and `edit`, after the lists of the previous compaction entry.

    Those are not taken over when an extension wrote it (`fromHook`).
    """
    found: dict[str, dict[str, None]] = {"read": {}, "write": {}, "edit": {}}
    details = previous.get("details") if isinstance(previous, dict) and not previous.get("fromHook") else None
    if isinstance(details, dict):
        found["read"].update(dict.fromkeys(_strings(details.get("readFiles"))))
        found["edit"].update(dict.fromkeys(_strings(details.get("modifiedFiles"))))
    for message in messages:
        if message.role != "assistant" or message.shape is not Shape.LIST:
            continue
        for part in message.parts:
            if part.kind != "toolCall":
                continue
            name, arguments = part.get("name"), part.get("arguments")
            path = arguments.get("path") if isinstance(arguments, dict) else None
            if isinstance(path, str) and path and isinstance(name, str) and name in found:
                found[name][path] = None
    return FileOperations(tuple(found["read"]), tuple(found["write"]), tuple(found["edit"]))


def _strings(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


# the whole preparation


@dataclass(frozen=True, slots=True)
class Preparation:
    """What a compaction of a path would work on.

    `first_kept`: row of the first entry that stays. `messages`, `prefix`: what goes to the summarizer, with the rows
    they come from; `prefix` is the beginning of the turn that the cut splits. `kept`: rows from the cut on.
    `tokens_before`: pi's estimate of the context. `previous`: row of the compaction before, `previous_summary` its
    text.
    """

    first_kept: int
    messages: tuple[Message, ...]
    rows: tuple[int, ...]
    prefix: tuple[Message, ...]
    prefix_rows: tuple[int, ...]
    split: bool
    kept: tuple[int, ...]
    tokens_before: int
    previous: int | None
    previous_summary: str | None
    files: FileOperations

    def without_details(self) -> Preparation:
        """What a summarizer may see: `details` are material for the screen, and possibly hostile."""
        return replace(self, messages=tuple(map(stripped, self.messages)), prefix=tuple(map(stripped, self.prefix)))


def stripped(message: Message) -> Message:
    """The message without `details`, whatever its role (notes of extensions have some too)."""
    if not message.is_object or "details" not in message.fields:
        return message
    return replace(message, fields={key: value for key, value in message.fields.items() if key != "details"})


def prepare(
    session: Session,
    path: Sequence[int],
    keep: float = KEEP_RECENT,
    *,
    generation: str = "2026.4",
    first_kept: int | None = None,
) -> Preparation | None:
    """`prepareCompaction` for the path (rows, root first). None when there is nothing to compact: an empty path, a path
    that ends with a compaction, or a cut at an entry without an id.

    `first_kept`: row of a cut that was made before (a recorded compaction's); no turn counts as split there."""
    if not path or session.type_of(path[-1]) == "compaction":
        return None
    bodies = _Bodies(session, path)
    old = generation == "2026.3"
    before = next((at for at in range(len(path) - 1, -1, -1) if session.type_of(path[at]) == "compaction"), None)
    start = 0
    if before is not None:
        start = before + 1
        named = bodies[before].get("firstKeptEntryId")
        if not old and isinstance(named, str):
            start = next((at for at, row in enumerate(path) if session.columns.ids[row] == named), start)
    if first_kept is None:
        cut = find_cut(bodies, start, len(path), keep)
    else:
        cut = Cut(path.index(first_kept) if first_kept in path else len(path) - 1, -1, False)
    if cut.first_kept >= len(path) or not session.columns.ids[path[cut.first_kept]]:
        return None
    end = cut.turn_start if cut.split else cut.first_kept
    rows, messages = _sent(session, path, bodies, start, end, old)
    prefix_rows, prefix = _sent(session, path, bodies, cut.turn_start, cut.first_kept, old) if cut.split else ((), ())
    previous = bodies[before] if before is not None else None
    summary = previous.get("summary") if previous is not None else None
    return Preparation(
        first_kept=path[cut.first_kept],
        messages=messages,
        rows=rows,
        prefix=prefix,
        prefix_rows=prefix_rows,
        split=cut.split,
        kept=tuple(path[cut.first_kept :]),
        tokens_before=_tokens_before(session, path, bodies, before, old),
        previous=path[before] if before is not None else None,
        previous_summary=summary if isinstance(summary, str) else None,
        files=file_operations((*messages, *prefix), previous),
    )


class _Bodies(Sequence[Json]):
    """The bodies of a path's entries by place, read when they are asked for: what lies before the last compaction is
    not looked at again."""

    def __init__(self, session: Session, path: Sequence[int]) -> None:
        self._session, self._path = session, path
        self._read: dict[int, Json] = {}

    def __len__(self) -> int:
        return len(self._path)

    def __getitem__(self, at: int) -> Json:  # type: ignore[override]
        return self.of_row(self._path[at])

    def of_row(self, row: int) -> Json:
        if row not in self._read:
            self._read[row] = self._session.body(row)
        return self._read[row]


def _tokens_before(session: Session, path: Sequence[int], bodies: _Bodies, before: int | None, old: bool) -> int:
    if not old:
        return pi_context_tokens(build(session, path, body=bodies.of_row).messages).tokens
    return pi_context_tokens(_sent(session, path, bodies, before or 0, len(path), old)[1]).tokens


def _sent(
    session: Session, path: Sequence[int], bodies: Sequence[Json], start: int, end: int, old: bool
) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    """Rows and messages of the entries [start, end) that bring one, as an empty branch summary does here."""
    rows: list[int] = []
    messages: list[Message] = []
    for at in range(start, end):
        kind = session.type_of(path[at])
        if kind == "compaction":
            message = summary_message(bodies[at]) if old else None
        elif kind == "branch_summary":
            said = {key: bodies[at][key] for key in ("summary", "fromId") if key in bodies[at]}
            when = epoch_ms(bodies[at].get("timestamp"))
            message = Message.of({"role": "branchSummary", **said, "timestamp": when})
        else:
            message = message_of(session, path[at], bodies[at])
        if message is not None:
            rows.append(path[at])
            messages.append(message)
    return tuple(rows), tuple(messages)
