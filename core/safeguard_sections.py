"""The parts that the safeguard adds to a summary: recent turns verbatim, failures, files, workspace rules; its cap.

    summary  │  ## Recent turns preserved verbatim  │  ## Tool Failures  │  <read-files> <modified-files>  │  rules
    cut to fit ◀────────────────────── the suffix is kept whole, 16,000 units in all ──────────────────────▶

Source: recorded cases of layer m (section 18 of their description), OpenClaw 2026.4.5. Lengths are UTF-16 units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core import chunks, javascript
from core.instructions import SECTIONS
from core.messages import Json, Message, Shape
from core.pairing import calls, result_id
from core.quality import lines, message_text

CAP = 16_000
TRUNCATED = "\n\n[The rest of that summary is over the limit]"
"""46 units; wording ours."""
TURNS = 3
MOST_TURNS = 12
TURN_LIMIT = 600
RETRIES = 1
MOST_RETRIES = 3
FAILURES = 8
FAILURE_LIMIT = 240
FILES_LIMIT = 900
RULES_LIMIT = 2_000
RULES = (("Session Startup", "Red Lines"), ("Every Session", "Safety"))
"""Headings of AGENTS.md whose sections are kept; the second pair where there is none of the first."""

_SPACES = re.compile(f"[{javascript.SPACE}]+")


def _count(value: Json, default: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return min(default, most)
    return min(most, max(0, math.floor(value)))


def recent_turns(value: Json) -> int:
    """`resolveRecentTurnsPreserve`: 0 to 12, 3 when it is no number."""
    return _count(value, TURNS, MOST_TURNS)


def quality_retries(value: Json) -> int:
    """`resolveQualityGuardMaxRetries`: 0 to 3, 1 when it is no number."""
    return _count(value, RETRIES, MOST_RETRIES)


# recent turns


def split_recent(
    messages: Sequence[Message], turns: Json, now: int | None = None
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """`splitPreservedRecentTurns`: (to summarise, kept verbatim). The former is repaired where something was taken.

    With too few users the newest messages of either side fill up. Results follow the calls of kept assistants."""
    wanted = _count(turns, 0, MOST_TURNS)
    given = tuple(messages)
    spoken = [at for at, message in enumerate(given) if message.role in ("user", "assistant")]
    if not wanted or not spoken:
        return given, ()
    users = [at for at in spoken if given[at].role == "user"]
    if len(users) >= wanted:
        kept = {at for at in spoken if at >= users[-wanted]}
    else:
        kept = set(users)
        for at in reversed(spoken):
            kept.add(at)
            if len(kept) >= 2 * wanted:
                break
    asked = {call.id for at in kept if given[at].role == "assistant" for call in calls(given[at])}
    first = min(kept)
    for at in range(first, len(given)):
        if given[at].role == "toolResult" and result_id(given[at]) in asked:
            kept.add(at)
    preserved = tuple(given[at] for at in sorted(kept))
    rest, _ = chunks.paired([message for at, message in enumerate(given) if at not in kept], now=now)
    return rest, preserved


def turns_section(messages: Sequence[Message]) -> str:
    """`formatPreservedTurnsSection`."""
    listed = []
    for message in messages:
        match message.role:
            case "user":
                label = "User"
            case "assistant":
                label = "Assistant"
            case "toolResult":
                label = f"Tool result ({_tool(message)})"
            case _:
                continue
        said = "\n".join(filter(None, (message_text(message), _other_content(message))))
        if not said:
            continue
        held = javascript.units(said)
        if len(held) > TURN_LIMIT:
            said = javascript.joined(held[:TURN_LIMIT]) + "..."
        listed.append(f"- {label}: {said}")
    return "\n\n## Recent turns preserved verbatim\n" + "\n".join(listed) if listed else ""


def _tool(message: Message) -> str:
    name = message.get("toolName")
    return name if isinstance(name, str) and javascript.trim(name) else "tool"


def _other_content(message: Message) -> str:
    """What stands for blocks that are no text."""
    if message.shape is Shape.OTHER:
        return "[non-text content]" if message.fields["content"] is not None else ""
    if message.shape is not Shape.LIST:
        return ""
    counted: dict[str, int] = {}
    for part in message.parts:
        kind = part.get("type")
        kind = kind if isinstance(kind, str) and javascript.trim(kind) else "unknown"
        if isinstance(part.raw, dict) and kind != "text":
            counted[kind] = counted.get(kind, 0) + 1
    listed = ", ".join(kind if n == 1 else f"{kind} x{n}" for kind, n in counted.items())
    return f"[non-text content: {listed}]" if listed else ""


# failures


@dataclass(frozen=True, slots=True)
class Failure:
    """A tool result that was an error. `meta`: status and exit code from its details, "" without."""

    call: str
    tool: str
    said: str
    meta: str = ""


_PLAIN_STATUS = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,23}")


def failures(messages: Sequence[Message], *, plain: bool = False) -> tuple[Failure, ...]:
    """`collectToolFailures`: one for each call id. `plain`: a status that is more than a word is not told."""
    found: dict[str, Failure] = {}
    for message in messages:
        id = message.get("toolCallId")
        if message.role != "toolResult" or message.get("isError") is not True or not isinstance(id, str) or not id:
            continue
        if id not in found:
            meta = _meta(message.get("details"), plain)
            said = javascript.trim(_SPACES.sub(" ", message.text()))
            held = javascript.units(said)
            if not said:
                said = "failed" if meta else "failed (no output)"
            elif len(held) > FAILURE_LIMIT:
                said = javascript.joined(held[: FAILURE_LIMIT - 3]) + "..."
            found[id] = Failure(id, _tool(message), said, meta)
    return tuple(found.values())


def _meta(details: Json, plain: bool) -> str:
    if not isinstance(details, dict):
        return ""
    status, code = details.get("status"), details.get("exitCode")
    if plain and isinstance(status, str) and not _PLAIN_STATUS.fullmatch(status):
        status = None
    found = [f"status={status}"] if isinstance(status, str) and status else []
    if isinstance(code, int | float) and not isinstance(code, bool) and math.isfinite(code):
        found.append(f"exitCode={javascript.number_text(code)}")
    return " ".join(found)


def failures_section(found: Sequence[Failure]) -> str:
    """`formatToolFailuresSection`."""
    if not found:
        return ""
    listed = [f"- {one.tool}{f' ({one.meta})' if one.meta else ''}: {one.said}" for one in found[:FAILURES]]
    if len(found) > FAILURES:
        listed.append(f"- ...and {len(found) - FAILURES} more")
    return "\n\n## Tool Failures\n" + "\n".join(listed)


# files


def files_section(read: Sequence[str], modified: Sequence[str]) -> str:
    """`formatFileOperations`."""
    listed = [found for found in (_files("read-files", read), _files("modified-files", modified)) if found]
    return "\n\n" + "\n\n".join(listed) if listed else ""


def _files(tag: str, files: Sequence[str]) -> str:
    kept: list[str] = []
    used = len(f"<{tag}>\n\n</{tag}>")
    for at, file in enumerate(files):
        line = file + "\n"
        rest = len(files) - at - 1
        note = f"...and {rest} more\n" if rest else ""
        size = javascript.length(line)
        if used + size + len(note) > FILES_LIMIT:
            last = f"...and {len(files) - at} more\n"
            if used + len(last) <= FILES_LIMIT:
                kept.append(last)
            break
        kept.append(line)
        used += size
    return f"<{tag}>\n{''.join(kept)}\n</{tag}>" if kept else ""


# workspace rules

_HEADING = re.compile(rf"(##|###)[{javascript.SPACE}]+(.+)")


def sections(content: str, names: Sequence[str]) -> tuple[str, ...]:
    """`extractSections`: the parts of a Markdown file under headings of these names, in the order of the names."""
    rows = content.split("\n")
    headings: list[tuple[int, str] | None] = []
    fenced = False
    for row in rows:
        if javascript.trim_start(row).startswith("```"):
            fenced = not fenced
            headings.append(None)
            continue
        match = None if fenced else _HEADING.match(row)
        headings.append((len(match[1]), javascript.trim(match[2]).lower()) if match else None)
    found = []
    for name in names:
        start = next((at for at, heading in enumerate(headings) if heading and heading[1] == name.lower()), None)
        if start is None:
            continue
        level = (headings[start] or (0, ""))[0]
        end = next(
            (at for at in range(start + 1, len(rows)) if (heading := headings[at]) and heading[0] <= level), len(rows)
        )
        found.append(javascript.trim("\n".join(rows[start:end])))
    return tuple(found)


def workspace_section(content: str | None) -> str:
    """The critical rules of AGENTS.md, 2,000 units of them."""
    for names in RULES:
        found = sections(content or "", names)
        if found:
            held = javascript.units("\n\n".join(found))
            text = javascript.joined(held[:RULES_LIMIT]) + ("\n...[truncated]..." if len(held) > RULES_LIMIT else "")
            return f"\n\n<workspace-critical-rules>\n{text}\n</workspace-critical-rules>"
    return ""


# the whole


def structured_fallback(previous: str | None) -> str:
    """`buildStructuredFallbackSummary`: the previous summary if it has the headings in order, else around it."""
    text = javascript.trim(previous) if previous else ""
    if text:
        rows = iter(lines(text))
        if all(section in rows for section in SECTIONS):
            return text
    said = f"{SECTIONS[0]}\n{text or 'No prior history.'}"
    for section in SECTIONS[1:4]:
        said += f"\n\n{section}\nNone."
    return f"{said}\n\n{SECTIONS[4]}\nNone captured."


def appended(summary: str, section: str) -> str:
    """`appendSummarySection`."""
    if not section:
        return summary
    return summary + section if javascript.trim(summary) else javascript.trim_start(section)


def capped(summary: str, most: int = CAP) -> str:
    """`capCompactionSummary`."""
    held = javascript.units(summary)
    if most <= 0 or len(held) <= most:
        return summary
    if most <= len(TRUNCATED):
        return javascript.joined(held[:most])
    return javascript.joined(held[: most - len(TRUNCATED)]) + TRUNCATED


def capped_with_suffix(body: str, suffix: str, most: int = CAP) -> str:
    """`capCompactionSummaryPreservingSuffix`: the body gives way."""
    if not suffix:
        return capped(body, most)
    if most <= 0:
        return body + suffix
    held = javascript.units(suffix)
    if len(held) >= most:
        return javascript.joined(held[-most:])
    return capped(body, most - len(held)) + suffix
