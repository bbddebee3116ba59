"""Sources of tools and system prompt that a person named: what their files are, and a prompt built from a workspace.

*.json                       tool definitions            AGENTS.md, SOUL.md …   the workspace folder around it
*.jsonl, packed or not       a trace                     anything else          a system prompt as plain text
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from core import settings, workspace
from core.context import Context
from core.context_files import Budget
from core.prompt_inputs import inputs_of
from core.prompt_source import Given, given
from core.trace_calls import Recorded
from core.trace_records import tool_of

Kind = Literal["trace", "system", "tools", "workspace"]


class NamedPath(NamedTuple):
    """A path of which it was said what it is."""

    kind: Kind
    path: str


Sources = tuple[str | NamedPath, ...]
"""What a person named: a path alone is told by its name."""


@dataclass(frozen=True, slots=True)
class Named:
    """`traces`: their paths, not read yet. `given`: text and tools, read. `folder`: of the workspace, "" = none."""

    traces: tuple[str, ...]
    given: Given
    folder: str


def named(paths: Sequence[str | NamedPath]) -> Named:
    """Of two files of one kind the last one counts. UnreadableFile or RequestError say what is wrong with one."""
    traces: list[str] = []
    found: dict[str, str] = {}
    for one in paths:
        kind, path = one if isinstance(one, NamedPath) else _told_by_name(one)
        if kind == "trace":
            traces.append(path)
        else:
            found[kind] = path
    by_hand = given(found.get("system"), found.get("tools"))
    return Named(tuple(traces), by_hand, found.get("workspace", ""))


def _told_by_name(path: str) -> NamedPath:
    name = Path(path).name
    if name.lower().endswith((".jsonl", ".jsonl.gz", ".jsonl.zst")):
        return NamedPath("trace", path)
    if name.lower().endswith(".json"):
        return NamedPath("tools", path)
    if name in (*workspace.EXPECTED, *workspace.OPTIONAL):
        return NamedPath("workspace", str(Path(path).parent))
    return NamedPath("system", path)


def with_workspace(
    found: Given, folder: str | None, recorded: Sequence[Recorded], key: str, context: Context, own: Sequence[str] = ()
) -> tuple[Given, Budget | None]:
    """The same with a system prompt built from a workspace folder. It knows the tools that are known, and what the
    session tells of the agent (`key`, `context`); its files are cut at the limits that `own` (`--set`), or else a trace
    names."""
    if not folder:
        return found, None
    reports = (record.report for one in recorded for record in reversed(one.trace.records) if record.report)
    usual = workspace.Settings.reported(next(reports, None))
    told = dict(word.removeprefix(f"{workspace.ID}.").partition("=")[::2] for word in own)
    wanted = settings.change(usual, workspace.ID, told)
    rosters = (call.record.tools for one in recorded for call in reversed(one.calls) if call.record.tools)
    tools = next(rosters, ()) if found.tools is None else tuple(map(tool_of, found.tools))
    inputs = inputs_of(key, [tool.name for tool in tools], context.model, context.thinking_level)
    built = workspace.prompt_of(workspace.read(folder), inputs, wanted.limits)
    return replace(found, built=built.prompt, folder=folder), built.budget
