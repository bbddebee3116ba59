"""Where known agents keep their sessions, and what lies there: names, sizes and ages only, nothing is opened."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """An agent's usual folder. `pattern` is shown to a person, `root` and `depth` say where to look."""

    agent: str
    title: str
    pattern: str
    root: tuple[str, ...]
    depth: int


PLACES = (
    Place("openclaw", "OpenClaw", "~/.openclaw/agents/*/sessions", (".openclaw", "agents"), 3),
    Place("pi", "pi", "~/.pi/agent/sessions", (".pi", "agent", "sessions"), 2),
    Place("claude-code", "Claude Code", "~/.claude/projects", (".claude", "projects"), 2),
    Place("codex", "Codex", "~/.codex/sessions", (".codex", "sessions"), 4),
)
"""Session formats 2 (OpenClaw) and the agents' documented defaults."""


@dataclass(frozen=True, slots=True)
class Found:
    """A session file by name. `project`: the folder that tells what it belongs to; `age_s` of the last change."""

    path: str
    agent: str
    project: str
    size: int
    age_s: float


_SIDE = (".trajectory.jsonl", ".checkpoint.")


def find(home: Path, now: float, go_on: Callable[[int], bool] = lambda _: True) -> tuple[Found, ...]:
    """Session files in the usual folders under `home`, newest first. `now`: seconds since the epoch."""
    found: list[Found] = []
    for place in PLACES:
        for entry in _walk(Path(home, *place.root), place.depth):
            item = _found(entry, place.agent, now)
            if item is not None:
                found.append(item)
            if len(found) % 100 == 0 and not go_on(len(found)):
                break
    return tuple(sorted(found, key=lambda item: item.age_s))


def in_folder(folder: Path, now: float) -> tuple[Found, ...]:
    """Session files in a folder that a person named, up to three levels down, newest first."""
    found = (_found(entry, "", now) for entry in _walk(folder, 3))
    return tuple(sorted((item for item in found if item is not None), key=lambda item: item.age_s))


def _walk(folder: Path, depth: int) -> Iterator[os.DirEntry[str]]:
    """Files below `folder`; what cannot be listed is passed over, links to folders are not followed."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in listed:
        try:
            if entry.is_dir(follow_symlinks=False):
                if depth > 0:
                    yield from _walk(Path(entry.path), depth - 1)
            elif entry.is_file():
                yield entry
        except OSError:
            continue


def _found(entry: os.DirEntry[str], agent: str, now: float) -> Found | None:
    name = entry.name
    if not name.endswith((".jsonl", ".jsonl.zst")) or any(mark in name for mark in _SIDE):
        return None
    try:
        facts = entry.stat()
    except OSError:
        return None
    return Found(entry.path, agent, _project(Path(entry.path), agent), facts.st_size, max(0.0, now - facts.st_mtime))


def _project(path: Path, agent: str) -> str:
    """pi and Claude Code name the folder after the working directory, OpenClaw after the agent, Codex after the day."""
    if agent == "openclaw":
        return path.parent.parent.name
    if agent == "codex":
        return "-".join(path.parent.parts[-3:])
    return path.parent.name.strip("-").replace("--", "/")
