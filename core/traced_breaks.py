"""Causes of recorded breaks where a trace exists: not guessed from usage, but read off what both requests sent.

    request 4   tools T   system S│D   m m m          the trace of both holds what they sent:
    request 5   tools T'  system S│D   m m m m        they part in the tools, at this character  ─▶ tools_changed

Order of prompt cache 7: model and thinking level first, as the session file records them, and a second writer; then
tools, system and messages by the first difference. Only what a trace tells of the very two requests proves anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.cache import Break, Place
from core.difference import first_difference
from core.leading import Leading, leading_of
from core.phrase import phrase
from core.prompt import SENT_FIRST, Block
from core.prompt_source import PromptSource, resolve
from core.recorded_prompt import parts_of
from core.sent import sent
from core.session import Session
from core.summaries import with_breaks
from core.timeline import Timeline
from core.trace_calls import Recorded
from core.trace_findings import SHOWN, Finding, quoted
from core.visible import visible_line

FIRST = frozenset({"model_changed", "thinking_changed"})
"""Causes that come before tools and system, recorded in the session file itself."""


Found = Sequence[tuple[str, Finding]]
"""`all_findings` of the recordings: (name of the trace, finding)."""


def traced_breaks(session: Session, timeline: Timeline, recordings: Sequence[Recorded], findings: Found) -> Timeline:
    """The same timeline; breaks between requests that traces tell of have the cause that the traces show. Without
    traces it is the very same."""
    if not any(recorded.calls for recorded in recordings) or not timeline.breaks:
        return timeline
    found = tuple(traced_break(session, timeline, item, recordings, findings) for item in timeline.breaks)
    return retold(timeline, found)


def retold(timeline: Timeline, told: Sequence[Break]) -> Timeline:
    """A timeline of the same path, perhaps a longer one, with the causes that were read off traces before."""
    known = {item.entry: item for item in told if item.place is not None}
    found = tuple(replace(known.get(item.entry, item), request=item.request) for item in timeline.breaks)
    if found == timeline.breaks:
        return timeline
    return replace(
        timeline, breaks=found, summaries=with_breaks(timeline.summaries, {item.request: item for item in found})
    )


def traced_break(
    session: Session, timeline: Timeline, item: Break, recordings: Sequence[Recorded], findings: Found
) -> Break:
    """The break with the cause that traces prove; as it is where they prove none."""
    proven = item.certainty in ("recorded", "computed")
    if item.request < 2 or item.cause in FIRST or (item.cause == "second_writer" and proven):
        return item
    rows = (timeline.summaries[item.request - 2].request.entry, item.entry)
    before, after = (resolve(session, timeline.path, row, recordings) for row in rows)
    old, new = (_own(source) for source in (before, after))
    if not new or [part.section for part in old] != [part.section for part in new]:
        return item
    parted = parts_of(old, new)
    if parted is not None:
        changed = new[parted.leading]
        name = changed.origin.name
        place = Place(parted.leading, changed.section, changed.part, parted.unit, name, parted.before, parted.after)
        cause = "tools_changed" if changed.section == "tools" else "system_changed"
        told = (one for _, one in findings if (one.request, one.section) == (item.entry, changed.section))
        finding = next((one for one in told if one.unit == parted.unit), None)
        if finding is not None:
            place = replace(place, finding=finding.code)
            return replace(item, cause=cause, certainty="computed", why=finding.said(item.request, name), place=place)
        return _caused(item, cause, place, f"trace_{changed.part or changed.section}")
    place_of_message = _messages(before, after, len(new))
    if place_of_message is not None and item.cause != "compaction":
        return _caused(item, "messages_changed", place_of_message, "trace_messages")
    return replace(item, place=place_of_message) if place_of_message is not None else item


def _caused(item: Break, cause: str, place: Place, why: str) -> Break:
    block, unit = (place.message or 0) + 1, (place.unit or 0) + 1  # people count from 1
    before, after = (visible_line(text, SHOWN) for text in (place.before, place.after))
    said = phrase(f"break.{why}", block=block, unit=unit, before=before, after=after)
    return replace(item, cause=cause, certainty="computed", why=said, place=place)


def _own(source: PromptSource) -> tuple[Leading, ...]:
    """What the trace tells of this very request; () where some of it was taken over from another."""
    known = [one for one in (source.tools_from, source.system_from) if one is not None]
    return leading_of(source, lambda _: 0) if known and all(one.own and one.by == "trace" for one in known) else ()


def _messages(before: PromptSource, after: PromptSource, above: int) -> Place | None:
    """Where the recorded messages part; None when the later ones only follow, or are not recorded whole."""
    held = [
        source.call.trace.contents(source.call.record) if source.call is not None else None
        for source in (before, after)
    ]
    old, new = held
    if old is None or new is None or old.messages is None or new.messages is None or old.lossy or new.lossy:
        return None
    one, other = (tuple(Block.of(message, SENT_FIRST) for message in side.messages or ()) for side in (old, new))
    found = first_difference(one, other)
    if found is None or found.block >= min(len(one), len(other)):
        return None
    texts = [sent(blocks[found.block].message).texts for blocks in (one, other)]
    quotes = ["", ""]
    if found.text is not None and found.unit is not None:
        quotes = [quoted(side[found.text], found.unit) if found.text < len(side) else "" for side in texts]
    assert after.call is not None  # it has messages
    file = after.call.trace.name
    return Place(above + found.block, "messages", None, found.unit, file, quotes[0], quotes[1], message=found.block)
