"""The system prompt as a value: sections in order, on both sides of the cache boundary.

    tooling · style · safety · skills · … · context files          stable
    ──────────────── CACHE BOUNDARY ────────────────
    HEARTBEAT.md · group chat · heartbeat · runtime                 dynamic

The sections' texts are exact slices: put together, with the marker where the parts meet, they are the prompt. One that
was recorded or given by hand is cut at its headings (`of_text`); one that is built comes with its pieces (`of_pieces`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core import boundary, javascript

Part = Literal["stable", "dynamic"]
Where = Literal["recorded", "given", "built"]
"""From a trace; from a file given by hand; built from a workspace folder in our own wording."""


@dataclass(frozen=True, slots=True)
class PromptSection:
    """`id`: what it is ("tooling", "runtime", "file:/w/AGENTS.md"); one that the boundary cuts in two has it twice.

    `title`: its heading without the marks, "" where it has none. `text`: every character of it, the heading and the
    line end to the next section included. `source`: the file it comes from, "" = the agent itself."""

    id: str
    title: str
    text: str
    part: Part
    source: str = ""


class Piece(NamedTuple):
    """A section before it is known on which side of the boundary it stands."""

    id: str
    title: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """`bounded`: there is a cache boundary; without one all sections are stable, since all are sent in one block."""

    sections: tuple[PromptSection, ...]
    where: Where
    bounded: bool

    @classmethod
    def of_pieces(cls, pieces: Iterable[Piece], where: Where) -> SystemPrompt:
        """Pieces whose texts, put together, are the whole prompt, markers included. The first marker is the boundary,
        also one that stands in the middle of a file."""
        sections: list[PromptSection] = []
        given = tuple(pieces)
        text = "".join(piece.text for piece in given)
        halves = boundary.divide(text)
        end = len(halves.stable) if halves else len(text)
        begin = end + len(boundary.BOUNDARY)
        at, lead = 0, ""
        for number, piece in enumerate(given, 1):
            above, below = piece.text[: max(0, end - at)], piece.text[max(0, begin - at) :] if halves else ""
            at += len(piece.text)
            if above:
                sections.append(PromptSection(piece.id, piece.title, above, "stable", piece.source))
            if above and below and not javascript.trim(below) and number < len(given):
                lead = below  # line ends below the marker are no section
            elif below:
                sections.append(PromptSection(piece.id, piece.title, lead + below, "dynamic", piece.source))
                lead = ""
        return cls(tuple(sections), where, halves is not None)

    @classmethod
    def of_text(cls, text: str, where: Where) -> SystemPrompt:
        """A prompt of which only the text is known, cut at its headings."""
        return cls.of_pieces(pieces_of(text), where)

    @property
    def stable(self) -> str:
        """Every character above the boundary; all of them without one."""
        return "".join(section.text for section in self.sections if section.part == "stable")

    @property
    def dynamic(self) -> str:
        return "".join(section.text for section in self.sections if section.part == "dynamic")

    @property
    def text(self) -> str:
        """The prompt as the agent holds it, marker included."""
        return boundary.join(self.stable, self.dynamic) if self.bounded else self.stable

    @property
    def sent(self) -> tuple[str, ...]:
        """The text blocks that are sent, empty ones left out: stable and dynamic part as `boundary.split` gives them,
        or the one text as it stands."""
        if not self.bounded:
            return (self.stable,) if self.stable else ()
        return tuple(part for part in boundary.split(self.text) or () if part)


IDS = {
    "Tooling": "tooling",
    "Tool Call Style": "tool_call_style",
    "Execution Bias": "execution_bias",
    "Safety": "safety",
    "OpenClaw CLI Quick Reference": "cli",
    "Skills (mandatory)": "skills",
    "Memory Recall": "memory",
    "OpenClaw Self-Update": "self_update",
    "Model Aliases": "model_aliases",
    "Workspace": "workspace",
    "Documentation": "docs",
    "Sandbox": "sandbox",
    "Authorized Senders": "senders",
    "Current Date & Time": "time",
    "Workspace Files (injected)": "workspace_files",
    "Reply Tags": "reply_tags",
    "Messaging": "messaging",
    "Voice (TTS)": "voice",
    "Reactions": "reactions",
    "Reasoning Format": "reasoning_format",
    "Project Context": "context",
    "Silent Replies": "silent_replies",
    "Dynamic Project Context": "dynamic_context",
    "Group Chat Context": "group_chat",
    "Subagent Context": "subagent",
    "Heartbeats": "heartbeats",
    "Runtime": "runtime",
}
"""Headings of the agent's own sections (recorded cases of layer o), and what they are called here."""

AFTER_FILES = frozenset(
    {
        "Silent Replies",
        "Dynamic Project Context",
        "Project Context",
        "Group Chat Context",
        "Subagent Context",
        "Heartbeats",
        "Runtime",
    }
)
"""What may follow the context files. Files have headings of their own, and often the agent's names: within them only
these and paths begin a section."""

INTRODUCTION = "introduction"
"""Id of what stands before the first heading."""

_HEADING = re.compile(r"^(?:(?P<level>#{1,2})[ \t]+(?P<title>\S.*?)[ \t]*$|```)", re.MULTILINE)
_IDS = {title.lower(): name for title, name in IDS.items()}
_AFTER = frozenset(title.lower() for title in AFTER_FILES)
_PATH = re.compile(r"(/|~[/\\]|[A-Za-z]:[/\\]).*|(AGENTS|SOUL|IDENTITY|USER|TOOLS|BOOTSTRAP|MEMORY|HEARTBEAT)\.md")


def pieces_of(text: str) -> Sequence[Piece]:
    """The sections of a prompt by its headings of the first two levels; their texts put together are `text`."""
    found: list[tuple[int, str, str, str]] = [(0, INTRODUCTION, "", "")]
    inside = fenced = False
    for heading in _HEADING.finditer(text):
        level, title = heading.group("level", "title")
        if level is None:
            fenced = not fenced
            continue
        after = title.lower() in _AFTER
        path = inside and level == "##" and not after and _PATH.fullmatch(title) is not None
        if (fenced and not inside) or (inside and not after and not path):
            continue
        if after:
            inside = title.lower().endswith("project context")
        name = f"file:{title}" if path else _IDS.get(title.lower(), f"heading:{title}")
        found.append((heading.start(), name, title, title if path else ""))
    ends = [start for start, *_ in found[1:]] + [len(text)]
    return [
        Piece(name, title, text[start:end], source)
        for (start, name, title, source), end in zip(found, ends, strict=True)
        if end > start
    ]
