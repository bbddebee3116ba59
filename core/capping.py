"""The session file with its tool results capped as the agent would have capped them when it wrote it.

    plan(session, cap)  ─▶  which results, block by block, and the bytes  ─▶  chunks(session, plan)  ─▶  a new file

Only the bytes of a cut text change: every other line, and the rest of the line that holds it, are those of the file,
malformed lines, line ends and byte order mark included. The file itself is never touched (`core.storage.write_new`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from core import cutting, javascript
from core.context import message_of
from core.copying import Change, copied
from core.json_places import place, replaced
from core.layers import hard_cap
from core.messages import Message
from core.persistence import CAPS, GUARD_SUFFIX, BlockShare, preview, text_chars
from core.profile import Instance, Profile, changed
from core.session import Session

USUAL = CAPS["2026.4.5"]
"""Characters, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Cap:
    """How results are capped: characters, the notice under a cut text, what every text block keeps at least."""

    most: int = USUAL
    suffix: cutting.Suffix = GUARD_SUFFIX
    min_keep: int = cutting.MIN_KEEP


def cap_of(profile: Profile, window: int, changes: Sequence[str] = ()) -> Cap:
    """The cap of a policy: that of its step `hard_cap`, on or off, else that of its version, else of 2026.4.5.

    `changes`: `hard_cap.FIELD=VALUE`, see `core.profile.changed`. `window`: tokens, for a cap that depends on it."""
    if not any(found.layer == hard_cap.ID for found in profile.instances):
        most = CAPS.get(profile.id.removeprefix("openclaw-"), USUAL)
        made = Instance(hard_cap.ID, hard_cap.ID, True, hard_cap.Settings(most=most))
        profile = replace(profile, instances=(made, *profile.instances))
    for word in changes:
        profile = changed(profile, word)
    settings = next(found.settings for found in profile.instances if found.layer == hard_cap.ID)
    return Cap(max(0, hard_cap.cap_of(settings, window)), hard_cap.suffix_of(settings), settings.min_keep)


@dataclass(frozen=True, slots=True)
class Capped:
    """One result that is cut. `entry`: its id. Characters are UTF-16 units of its text blocks, bytes those of its line.

    `chars_after` over the cap: many small blocks, each of which keeps a minimum."""

    row: int
    entry: str
    line: int
    chars_before: int
    chars_after: int
    bytes_before: int
    bytes_after: int
    blocks: tuple[BlockShare, ...]


@dataclass(frozen=True, slots=True)
class CapPlan:
    cap: Cap
    capped: tuple[Capped, ...]
    bytes_before: int
    bytes_after: int


def plan(session: Session, cap: Cap, go_on: Callable[[int], bool] = lambda _: True) -> CapPlan:
    """What writing with this cap would cut, in file order. `go_on(rows done)`: False ends it early."""
    found: list[Capped] = []
    for row in range(len(session)):
        if row % 256 == 0 and not go_on(row):
            break
        message = _over(session, row, cap)
        if message is None:
            continue
        seen = preview(message, cap.most, cap.suffix, cap.min_keep)
        after = _line(session.line_bytes(row), message, seen.after)
        if after is None:
            continue
        found.append(
            Capped(
                row,
                session.columns.ids[row],
                session.columns.line[row],
                seen.chars,
                seen.kept,
                session.columns.size[row],
                len(after),
                seen.blocks,
            )
        )
    change = sum(item.bytes_after - item.bytes_before for item in found)
    return CapPlan(cap, tuple(found), session.size, session.size + change)


def chunks(session: Session, planned: CapPlan, go_on: Callable[[int], bool] = lambda _: True) -> Iterator[bytes]:
    """The new file's bytes. UnreadableFile when the file changed since it was opened; `go_on(bytes read)`."""
    return copied(session, _changes(session, planned), go_on)


def _changes(session: Session, planned: CapPlan) -> Iterator[Change]:
    cap = planned.cap
    for item in planned.capped:
        message = _over(session, item.row, cap)
        line = session.line_bytes(item.row)
        after = None
        if message is not None:
            after = _line(line, message, preview(message, cap.most, cap.suffix, cap.min_keep).after)
        if after is not None:
            offset = session.columns.offset[item.row]
            yield Change(offset, offset + session.columns.size[item.row], after)


def _over(session: Session, row: int, cap: Cap) -> Message | None:
    """The message of a tool result whose text is over the cap."""
    if session.role_of(row) != "toolResult" or session.columns.chars[row] <= cap.most:
        return None
    message = message_of(session, row)
    return message if message is not None and text_chars(message) > cap.most else None


def _line(line: bytes, before: Message, after: Message) -> bytes | None:
    """The line with the texts that were cut; None when none was."""
    values: list[tuple[tuple[int, int], bytes]] = []
    for index, (old, new) in enumerate(zip(before.parts, after.parts, strict=True)):
        if new is old or new.text is None:
            continue
        where = place(line, ("message", "content", index, "text"))
        if where is not None:
            values.append((where, javascript.json_string(str(new.text)).encode("utf-8")))
    return replaced(line, values) if values else None
