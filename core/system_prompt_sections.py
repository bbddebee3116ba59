"""The system prompt built as the agent builds it: its sections in its order, in our own words.

    tooling · styles · safety · skills · memory · workspace · docs · … · context files · silent replies     stable
    ──────────────────────────────── CACHE BOUNDARY ────────────────────────────────
    HEARTBEAT.md · group chat or subagent context · additions · heartbeats · run-time line                  dynamic

A minimal prompt (subagents) leaves sections out, "none" is one sentence. Source: recorded cases of layer o (2026.4.5):
order, conditions, headings and the place of the boundary; the texts come from `resources/wording`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.boundary import BOUNDARY, normalise
from core.capabilities import Runtime, capability_ids
from core.context_files import ContextFile, in_order, is_dynamic
from core.javascript import trim
from core.system_prompt import IDS, INTRODUCTION, Piece, SystemPrompt

Mode = Literal["full", "minimal", "none"]

TITLES = {name: title for title, name in IDS.items()}
AS_GIVEN = ("read", "exec", "process")
"""Tools whose names stand in the text as they were given; of others the letter case does not matter."""


@dataclass(frozen=True, slots=True)
class Wording:
    """`texts`: of the sections by id, with fields in braces. `tools`: what known tools do, in their fixed order."""

    texts: Mapping[str, str]
    tools: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PromptInputs:
    """What the agent knows when it builds the prompt; "" and () = nothing, and then no section of it.

    `tools`: names. `skills`, `voice`, `extra` (group chat or subagent context), `heartbeat` (its prompt): texts as they
    are put in. `memory`: the section of a memory plugin, its heading included. `owners`: senders that may give
    instructions. `aliases`, `notes`, `hints` (of the message tool): lines. `reactions`: "minimal" or "extensive".
    `sandbox`: the workspace inside and outside of the container. `stable_prefix`, `dynamic_suffix` and `overrides` (of
    interaction_style, tool_call_style and execution_bias): what a provider plugin contributes."""

    mode: Mode = "full"
    workspace: str = ""
    tools: tuple[str, ...] = ()
    files: tuple[ContextFile, ...] = ()
    skills: str = ""
    memory: str = ""
    docs: str = ""
    owners: tuple[str, ...] = ()
    timezone: str = ""
    voice: str = ""
    hints: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reactions: str = ""
    reaction_channel: str = ""
    reasoning_tags: bool = False
    sandbox: tuple[str, str] | None = None
    stable_prefix: str = ""
    dynamic_suffix: str = ""
    overrides: Mapping[str, str] = field(default_factory=dict)
    extra: str = ""
    heartbeat: str = ""
    runtime: Runtime = field(default_factory=Runtime)
    reasoning: str = "off"


def build(inputs: PromptInputs, wording: Wording) -> SystemPrompt:
    """The prompt of these inputs. The same inputs, in whatever order tools and files come, give the same bytes."""
    if inputs.mode == "none":
        return SystemPrompt.of_pieces([Piece(INTRODUCTION, "", wording.texts["none"])], "built")
    desk = _Desk(inputs, wording)
    stable, dynamic = desk.stable(), desk.dynamic()
    pieces = [*_ended(stable[:-1]), stable[-1]._replace(text=f"{stable[-1].text}\n{BOUNDARY}\n"), *_ended(dynamic[:-1])]
    return SystemPrompt.of_pieces([*pieces, dynamic[-1]], "built")


def _ended(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece._replace(text=piece.text + "\n") for piece in pieces]


class _Files(NamedTuple):
    stable: list[Piece]
    dynamic: list[Piece]


class _Desk:
    """Puts the pieces together; one without content is left out."""

    def __init__(self, inputs: PromptInputs, wording: Wording) -> None:
        self._inputs, self._wording = inputs, wording
        self._full = inputs.mode == "full"
        self._tools = _by_name(inputs.tools)
        self._files = _context_files(inputs.files)

    def stable(self) -> list[Piece]:
        given, full, files = self._inputs, self._full, self._files.stable
        text = self._section
        return _some(
            Piece(INTRODUCTION, "", self._words("introduction")),
            text("tooling", True, tools=self._tool_lines(), **self._names()),
            self._override("interaction_style", False),
            self._override("tool_call_style", True),
            self._override("execution_bias", full),
            self._bare("stable_prefix", given.stable_prefix),
            text("safety"),
            text("cli"),
            text("skills", bool(normalise(given.skills)), skills=normalise(given.skills), **self._names()),
            self._memory() if full else None,
            text("self_update", full and "gateway" in self._tools),
            text("model_aliases", full and bool(_lines(given.aliases)), aliases=_lines(given.aliases)),
            text("workspace", workspace=given.workspace or ".", notes=_lines(given.notes)),
            text("docs", full and bool(trim(given.docs)), docs=trim(given.docs)),
            self._sandbox(),
            text("senders", full and bool(_listed(given.owners)), owners=_listed(given.owners)),
            text("time", bool(trim(given.timezone)), timezone=trim(given.timezone)),
            text("workspace_files"),
            text("reply_tags", full),
            self._messaging() if full else None,
            self._put("voice", given.voice) if full else None,
            self._reactions(),
            text("reasoning_format", given.reasoning_tags),
            text("context", bool(files), level="#"),
            *files,
            text("silent_replies", full),
        )

    def dynamic(self) -> list[Piece]:
        given, full, files = self._inputs, self._full, self._files.dynamic
        heading = "dynamic_context" if self._files.stable else "context"
        heartbeat = normalise(given.heartbeat)
        reasoning = self._words("reasoning", reasoning=given.reasoning or "off")
        return _some(
            self._section(heading, bool(files), level="#"),
            *files,
            self._put("group_chat" if full else "subagent", given.extra),
            self._bare("dynamic_suffix", given.dynamic_suffix),
            self._section("heartbeats", full and bool(heartbeat), heartbeat=heartbeat),
            _titled("runtime", f"{given.runtime.line}\n{reasoning}"),
        )

    # what the pieces are made of

    def _words(self, name: str, **values: str) -> str:
        """The wording with its fields filled; a line of which nothing is left is dropped."""
        template = self._wording.texts[name].strip("\n").split("\n")
        return "\n".join(line for line in (line.format(**values) for line in template) if line)

    def _section(self, name: str, wanted: bool = True, level: str = "##", **values: str) -> Piece | None:
        return _titled(name, self._words(name, **values), level) if wanted else None

    def _put(self, name: str, text: str) -> Piece | None:
        """A section that holds nothing but what was given."""
        said = normalise(text)
        return _titled(name, said) if said else None

    def _bare(self, name: str, text: str) -> Piece | None:
        said = normalise(text)
        return Piece(name, "", said) if said else None

    def _override(self, name: str, usual: bool) -> Piece | None:
        """A plugin's own text for a section, which then has no heading of ours; else the usual one, if any."""
        return self._bare(name, self._inputs.overrides.get(name, "")) or self._section(name, usual)

    def _names(self) -> dict[str, str]:
        return {name: self._tools.get(name, name) for name in AS_GIVEN}

    def _tool_lines(self) -> str:
        known = [name for name in self._wording.tools if name in self._tools]
        names = [self._tools[name] if name in AS_GIVEN else name for name in known]
        return "\n".join(f"- {shown}: {self._wording.tools[name]}" for name, shown in zip(known, names, strict=True))

    def _memory(self) -> Piece | None:
        plugin = normalise(self._inputs.memory)
        if plugin:
            return Piece("memory", TITLES["memory"], plugin)
        return self._section("memory", any(name.startswith("memory_") for name in self._tools))

    def _sandbox(self) -> Piece | None:
        inside, outside = self._inputs.sandbox or ("", "")
        return self._section("sandbox", self._inputs.sandbox is not None, container=inside, host=outside)

    def _messaging(self) -> Piece:
        words = self._words("messaging")
        if "message" in self._tools:
            runtime = self._inputs.runtime
            buttons = "inlinebuttons" in capability_ids(runtime.capabilities)
            told = self._words("buttons_on") if buttons else self._words("buttons_off", channel=runtime.channel or "it")
            own = self._words("message_tool", buttons=told, hints=_lines(self._inputs.hints))
            words = f"{words}\n### message tool\n{own}"
        return _titled("messaging", words)

    def _reactions(self) -> Piece | None:
        level = self._inputs.reactions
        words = f"reactions_{level}"
        if words not in self._wording.texts:
            return None
        return _titled("reactions", self._words(words, channel=self._inputs.reaction_channel or "this channel"))


def _titled(name: str, text: str, level: str = "##") -> Piece:
    title = TITLES[name]
    return Piece(name, title, f"{level} {title}\n{text}" if text else f"{level} {title}")


def _some(*pieces: Piece | None) -> list[Piece]:
    return [piece for piece in pieces if piece is not None]


def _lines(given: Iterable[str]) -> str:
    return "\n".join(line for line in map(normalise, given) if line)


def _listed(given: Iterable[str]) -> str:
    return ", ".join(owner for owner in map(trim, given) if owner)


def _by_name(tools: Iterable[str]) -> dict[str, str]:
    """The tools by name in lower case; the first spelling counts."""
    found: dict[str, str] = {}
    for tool in map(trim, tools):
        if tool:
            found.setdefault(tool.lower(), tool)
    return found


def _context_files(files: Iterable[ContextFile]) -> _Files:
    """In the order of the prompt, each with its path as heading."""
    by_path: dict[str, list[ContextFile]] = {}
    for file in files:
        if trim(file.path):
            by_path.setdefault(file.path, []).append(file)
    found = _Files([], [])
    for path in in_order(by_path):
        for file in by_path[path]:
            text = f"## {path}\n{file.content}" if file.content else f"## {path}"
            (found.dynamic if is_dynamic(path) else found.stable).append(Piece(f"file:{path}", path, text, path))
    return found
