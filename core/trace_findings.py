"""What broke the cache, read off the recorded calls: each cause with its call, its name and the exact character.

    call 4   system  "… Started at 09:41:07 …"  ┐ above the boundary: everything behind it is written again
    call 5   system  "… Started at 09:52:30 …"  ┘
    call 5   tools   exec read write            ← browser is gone: shrank; call 9 has it again: returned

Neighbouring calls are compared by digest; only where those differ are the lines read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core import boundary, javascript
from core.difference import unit_of_difference
from core.phrase import Phrase, phrase
from core.system_prompt import SystemPrompt
from core.trace_calls import Recorded, TracedCall
from core.trace_records import LIMIT, Tool
from core.visible import visible_line

Code = Literal[
    "second_marker",
    "broken_marker",
    "clock_above_boundary",
    "stable_changed",
    "tools_shrank",
    "tools_returned",
    "tools_grew",
    "tools_reordered",
    "tool_changed",
]

SHOWN = 48
"""Characters of both texts that are quoted from the first difference on."""
NAMED = 5
"""Tools that are named in a sentence."""

_CLOCK = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"  # 2026-04-05T09:41:07Z
    r"|\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\b)?"
    r"|(?<!\d)1[5-9]\d{8}(?:\d{3})?(?!\d)"  # seconds or milliseconds since 1970
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+\d{0,2}\s*[A-Z][a-z]+\s+\d{1,4}"
)
"""Dates and times as programs print them."""
_NEAR = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """`call`: number of the recorded call that shows it, `request`: row of its answer, `line`: of the trace.

    `section`: where it stands; `unit`: the UTF-16 unit there, of the system prompt as recorded or of the tools as one
    JSON text. `title`: heading of the system prompt's section. `names`: of the tools concerned. `before`, `after`: both
    texts from there on, "" where only one call is spoken of. `count`: boundary markers in all."""

    code: Code
    call: int
    request: int | None
    line: int
    section: Literal["tools", "system"]
    unit: int
    title: str = ""
    names: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    count: int = 0

    def said(self, number: int | None, file: str) -> Phrase:
        """`number`: of the request on the path, None when it is not there: then the call of the trace is named."""
        called = phrase("finding.call", call=self.call, file=file)
        names = ", ".join(visible_line(name, 40) for name in self.names[:NAMED])
        return phrase(
            f"finding.{self.code}",
            n=len(self.names),
            count=self.count,
            who=called if number is None else phrase("finding.request", number=number),
            unit=self.unit + 1,  # people count from 1
            title=visible_line(self.title, 60) or "–",
            names=names + (" …" if len(self.names) > NAMED else ""),
            before=visible_line(self.before, SHOWN),
            after=visible_line(self.after, SHOWN),
        )


def all_findings(recordings: Sequence[Recorded]) -> tuple[tuple[str, Finding], ...]:
    """(name of the trace, what it shows) of all traces of a session, in the order of the session. What two traces tell
    of the same request is told once, by the more faithful one."""
    found: dict[tuple[Code, object], tuple[str, Finding]] = {}
    for recorded in recordings:
        for item in findings(recorded):
            place = item.request if item.request is not None else (recorded.trace.name, item.call)
            found.setdefault((item.code, place), (recorded.trace.name, item))
    return tuple(sorted(found.values(), key=lambda told: (told[1].request is None, told[1].request or 0)))


def findings(recorded: Recorded) -> tuple[Finding, ...]:
    """In the order of the calls; each change is told once, where it first shows."""
    found: list[Finding] = []
    system: TracedCall | None = None
    tools: TracedCall | None = None
    seen: set[str] = set()
    for call in recorded.calls:
        record = call.record
        if record.system is not None:
            found += _markers(call, system)
            if system is not None and system.record.stable != record.stable:
                found += _stable(system, call)
            system = call
        if record.tools is not None:
            if tools is not None and tools.record.tools != record.tools:
                found += _tools(tools, call, seen)
            seen.update(tool.name for tool in record.tools)
            tools = call
    return tuple(found)


def _system(call: TracedCall) -> str:
    return call.trace.system(call.record) or ""


def _markers(call: TracedCall, before: TracedCall | None) -> Iterator[Finding]:
    if call.record.strays <= (before.record.strays if before is not None else 0):
        return
    text = _system(call)
    strays = boundary.stray_markers(text)
    if strays:
        unit = javascript.length(text[: strays[0]])
        bounded = boundary.divide(text) is not None
        code: Code = "second_marker" if bounded else "broken_marker"
        yield _finding(code, call, "system", unit, _title(text, unit), count=bounded + len(strays))


def _stable(before: TracedCall, call: TracedCall) -> Iterator[Finding]:
    """Content above the boundary that is not what it was; a time or date is a cause of its own."""
    old, new = _system(before), _system(call)
    (one, other) = (_above(text) for text in (old, new))
    if one == other:
        return
    unit = unit_of_difference(one, other)
    clocks = tuple(_clock(text, unit) for text in (one, other))
    if all(clocks):
        yield _finding(
            "clock_above_boundary", call, "system", unit, _title(new, unit), before=clocks[0], after=clocks[1]
        )
        return
    was, now = quoted(one, unit), quoted(other, unit)
    yield _finding("stable_changed", call, "system", unit, _title(new, unit), before=was, after=now)


def quoted(text: str, unit: int) -> str:
    """The text from a UTF-16 unit on, the beginning of it."""
    return javascript.joined(javascript.units(text)[unit : unit + SHOWN])


def _above(text: str) -> str:
    halves = boundary.split(text)
    return halves.stable if halves is not None else text


def _clock(text: str, unit: int) -> str:
    """The date or time in which the unit lies; "" when it lies in none."""
    spelled = javascript.units(text)
    start = max(spelled.rfind("\n", 0, unit) + 1, unit - _NEAR)
    end = spelled.find("\n", unit)
    line = spelled[start : end if 0 <= end < unit + _NEAR else unit + _NEAR]
    return next((found[0] for found in _CLOCK.finditer(line) if found.start() <= unit - start < found.end()), "")


def _title(text: str, unit: int) -> str:
    """Heading of the section in which the unit lies."""
    at = 0
    title = ""
    for section in SystemPrompt.of_text(text, "recorded").sections:
        start = text.find(section.text, at)
        if start < 0 or javascript.length(text[:start]) > unit:
            break
        title, at = section.title, start + len(section.text)
    return title


def _tools(before: TracedCall, call: TracedCall, seen: set[str]) -> Iterator[Finding]:
    old, new = before.record.tools or (), call.record.tools or ()
    if call.trace.kind == "trajectory" and LIMIT in (len(old), len(new)):  # lists that ended there hold more
        old, new = old[: min(len(old), len(new))], new[: min(len(old), len(new))]
        if old == new:
            return
    texts = [javascript.json_text(list(one.trace.tools(one.record) or ())) for one in (before, call)]
    unit = unit_of_difference(*texts)
    names = [tuple(tool.name for tool in roster) for roster in (old, new)]
    gone = tuple(name for name in names[0] if name not in names[1])
    came = tuple(name for name in names[1] if name not in names[0])
    returned = tuple(name for name in came if name in seen)
    grown = tuple(name for name in came if name not in seen)
    changes: tuple[tuple[Code, tuple[str, ...]], ...] = (
        ("tools_shrank", gone),
        ("tools_returned", returned),
        ("tools_grew", grown),
        ("tools_reordered", _moved(*names)),
        ("tool_changed", _redefined(old, new)),
    )
    for code, concerned in changes:
        if concerned:
            yield _finding(code, call, "tools", unit, names=concerned)


def _moved(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Tools of both rosters that stand in another order."""
    one = [name for name in old if name in new]
    other = [name for name in new if name in old]
    return tuple(name for before, name in zip(one, other, strict=False) if before != name)


def _redefined(old: Sequence[Tool], new: Sequence[Tool]) -> tuple[str, ...]:
    known = {tool.name: tool.digest for tool in old}
    return tuple(tool.name for tool in new if known.get(tool.name, tool.digest) != tool.digest)


def _finding(
    code: Code,
    call: TracedCall,
    section: Literal["tools", "system"],
    unit: int,
    title: str = "",
    *,
    names: tuple[str, ...] = (),
    before: str = "",
    after: str = "",
    count: int = 0,
) -> Finding:
    line = call.record.line
    return Finding(code, call.number, call.request, line, section, unit, title, names, before, after, count)
