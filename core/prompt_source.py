"""Where tools and system prompt come from, best first, each on its own:

    1  a trace               what the agent wrote down of this call, or of the last one before it
    2  a file given by hand  --system, --tools
    3  a workspace folder    built as the agent builds it, in our own wording
    4  nothing               their size is known by difference only

Which one it was always stands beside the part: recorded, built or assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from core import boundary
from core.errors import RequestError
from core.lines import RecordedFile, parse
from core.messages import Json
from core.phrase import phrase
from core.session import Session
from core.system_prompt import SystemPrompt
from core.trace_calls import Recorded, TracedCall

By = Literal["trace", "file", "workspace"]

LARGEST = 64 << 20
"""Bytes of a file given by hand."""


@dataclass(frozen=True, slots=True)
class PartSource:
    """`name`: of the file or folder. `call`: number of the recorded call, None for the others. `own`: it tells of this
    very request: its call, or an earlier one of the same run, which is compiled once; else it was taken over.
    `added`: a context engine of the policy put something into it, which nobody recorded."""

    by: By
    name: str
    call: int | None = None
    own: bool = True
    added: bool = False

    @property
    def source(self) -> Literal["recorded", "built", "assumed"]:
        if self.by == "workspace" or self.added:
            return "built"
        return "recorded" if self.own else "assumed"


@dataclass(frozen=True, slots=True)
class Given:
    """What a person gave beside traces. `folder`: of the workspace that `built` was built from."""

    system: SystemPrompt | None = None
    system_name: str = ""
    tools: tuple[Json, ...] | None = None
    tools_name: str = ""
    built: SystemPrompt | None = None
    folder: str = ""


NOTHING = Given()


@dataclass(frozen=True, slots=True)
class PromptSource:
    """`call`: the recorded call of this very request, with messages to compare ours with; None = there is none."""

    system: SystemPrompt | None = None
    tools: tuple[Json, ...] | None = None
    system_from: PartSource | None = None
    tools_from: PartSource | None = None
    call: TracedCall | None = None

    def with_addition(self, said: str) -> PromptSource:
        """The same with what a context engine adds: below the cache boundary, so that the stable part stays."""
        if not said or self.system is None or self.system_from is None:
            return self
        system = SystemPrompt.of_text(boundary.add(self.system.text, said), "built")
        return replace(self, system=system, system_from=replace(self.system_from, added=True))


def resolve(
    session: Session,
    path: Sequence[int],
    request: int | None,
    recordings: Sequence[Recorded],
    given: Given = NOTHING,
) -> PromptSource:
    """For the request answered at row `request` of `path`; None = what would be sent at the end of the path.

    `recordings`: the calls of the session's traces, the most faithful trace first."""
    upto = path if request is None else path[: path.index(request) + 1]
    system, system_from = _system(session, upto, request, recordings)
    tools, tools_from = _tools(session, upto, request, recordings)
    if system is None and given.system is not None:
        system, system_from = given.system, PartSource("file", given.system_name)
    if tools is None and given.tools is not None:
        tools, tools_from = given.tools, PartSource("file", given.tools_name)
    if system is None and given.built is not None:
        system, system_from = given.built, PartSource("workspace", given.folder)
    called = [call for recorded in recordings if (call := recorded.call(request)) is not None]
    compared = next((call for call in called if call.record.messages is not None), None)
    return PromptSource(system, tools, system_from, tools_from, compared)


def _system(
    session: Session, path: Sequence[int], request: int | None, recordings: Sequence[Recorded]
) -> tuple[SystemPrompt | None, PartSource | None]:
    for recorded in recordings:
        told = [call for call in recorded.calls if call.record.system is not None]
        call, own = _latest(session, path, request, told)
        if call is not None:
            text = call.trace.system(call.record) or ""
            return SystemPrompt.of_text(text, "recorded"), PartSource("trace", recorded.trace.name, call.number, own)
    return None, None


def _tools(
    session: Session, path: Sequence[int], request: int | None, recordings: Sequence[Recorded]
) -> tuple[tuple[Json, ...] | None, PartSource | None]:
    for recorded in recordings:
        told = [call for call in recorded.calls if call.record.tools is not None]
        call, own = _latest(session, path, request, told)
        if call is not None:
            return call.trace.tools(call.record) or (), PartSource("trace", recorded.trace.name, call.number, own)
    return None, None


def _latest(
    session: Session, path: Sequence[int], request: int | None, calls: Sequence[TracedCall]
) -> tuple[TracedCall | None, bool]:
    """(the call of the request, or the last one before it on the path, else the first one at all; whether it tells of
    this very request)."""
    by_row = {call.request: call for call in calls if call.request is not None}
    if request in by_row:
        return by_row[request], True
    asked = False
    for row in reversed(path):
        if row in by_row:
            return by_row[row], not asked and request is not None
        asked = asked or (session.role_of(row) == "user" and row != request)
    return (calls[0], False) if calls else (None, False)


def system_file(path: str) -> SystemPrompt:
    """A system prompt given by hand: plain text, marker included. UnreadableFile or RequestError say what is wrong."""
    return SystemPrompt.of_text(_whole(path).decode("utf-8", "replace"), "given")


def tools_file(path: str) -> tuple[Json, ...]:
    """Tool definitions given by hand: a JSON list, or an object with one under `tools` (a recorded request)."""
    try:
        value = parse(_whole(path))
    except ValueError as error:
        raise RequestError(phrase("payload.tools_no_json", path=path)) from error
    listed = value.get("tools") if isinstance(value, dict) else value
    if not isinstance(listed, list) or not all(isinstance(tool, dict) for tool in listed):
        raise RequestError(phrase("payload.tools_no_list", path=path))
    return tuple(listed)


def given(system: str | None, tools: str | None) -> Given:
    """From the paths on a command line."""
    return Given(
        system_file(system) if system else None,
        Path(system).name if system else "",
        tools_file(tools) if tools else None,
        Path(tools).name if tools else "",
    )


def _whole(path: str) -> bytes:
    source = RecordedFile.at(path)
    if source.size > LARGEST:
        raise RequestError(phrase("payload.file_too_large", path=path, size=source.size, most=LARGEST))
    return source.whole()
