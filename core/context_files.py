"""The workspace files that go into the system prompt: their order, how they are cut, and what of them is left.

    AGENTS SOUL IDENTITY USER TOOLS BOOTSTRAP MEMORY, others by name     stable part
    HEARTBEAT                                                           dynamic part

    raw ─ cut at its own limit: head 70 % · marker · tail 20 % ─ cut at what the total leaves ─ injected

Sizes are UTF-16 units. Source: recorded cases of layer o (2026.4.5); the marker's words are ours, its length is the
agent's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core import javascript
from core.collation import Key, keys
from core.messages import Json
from core.phrase import Phrase, phrase

KNOWN = ("agents.md", "soul.md", "identity.md", "user.md", "tools.md", "bootstrap.md", "memory.md")
"""Base names in the order in which the prompt has them, in front of all others."""
DYNAMIC = "heartbeat.md"
MISSING = "[MISSING] Expected at: "
LEAST = 64
"""A file gets no room at all when fewer units than these are left of the total."""
HEAD, TAIL = 0.7, 0.2
NEAR = 0.85
"""Share of a limit from which on it counts as nearly reached."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Units of each file, and of all together. Later versions trace 12,000 and 60,000."""

    each: float = 20_000
    total: float = 150_000

    @classmethod
    def of_config(cls, config: Json) -> Limits:
        """`agents.defaults.bootstrapMaxChars` and `…TotalMaxChars` of the agent's config; what is no number above 0
        is the default."""
        agents = config.get("agents") if isinstance(config, dict) else None
        defaults = agents.get("defaults") if isinstance(agents, dict) else None
        told = defaults if isinstance(defaults, dict) else {}
        return cls(
            _limit(told.get("bootstrapMaxChars"), cls().each), _limit(told.get("bootstrapTotalMaxChars"), cls().total)
        )


def _limit(value: object, default: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        return default
    return math.floor(value)


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """A file as it was found, or expected and not found."""

    name: str
    path: str
    content: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class ContextFile:
    """What of a file stands in the prompt."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Injection:
    """`files` in the order given; what did not fit is not among them. `warnings`: what was cut or left out."""

    files: tuple[ContextFile, ...]
    warnings: tuple[Phrase, ...]


def base_name(path: str) -> str:
    return javascript.trim(path).replace("\\", "/").rpartition("/")[2].lower()


def is_dynamic(path: str) -> bool:
    """Does it change so often that it stands below the cache boundary?"""
    return base_name(path) == DYNAMIC


def in_order(paths: Iterable[str]) -> list[str]:
    """As the prompt has them: the known names first, then by name, then by path; equal ones keep their order."""
    given = list(paths)
    names = list(map(base_name, given))
    by_name, by_path = keys(names), keys([javascript.trim(path).replace("\\", "/") for path in given])

    def place(index: int) -> tuple[int, Key, Key]:
        name = names[index]
        return KNOWN.index(name) if name in KNOWN else len(KNOWN), by_name[index], by_path[index]

    return [given[index] for index in sorted(range(len(given)), key=place)]


Marker = Callable[[str, int, int, int], str]


def cut_marker(name: str, head: int, tail: int, size: int) -> str:
    """Stands where a file was cut: its name twice, what was kept, what there was. 74 units beside these, as the
    agent's own has; the words are ours."""
    return f"[… {name} is cut here, to its first {head} and last {tail} units of {size}; for the rest, read {name} …]"


def inject(files: Sequence[WorkspaceFile], limits: Limits, marker: Marker = cut_marker) -> Injection:
    """What the prompt gets of the files: each cut at its limit, then at what is left of the total."""
    injected: list[ContextFile] = []
    warnings: list[Phrase] = []
    left: float = max(1, _floor(limits.total))
    for file in files:
        if left <= 0:
            break
        path = javascript.trim(file.path)
        if not path:
            warnings.append(phrase("system_prompt.no_path", name=file.name))
            continue
        if file.missing:
            content = _clamp(javascript.units(MISSING + path), left)
        elif left < LEAST:
            warnings.append(phrase("system_prompt.no_room", name=file.name, left=left))
            break
        else:
            raw = javascript.units(javascript.trim_end(file.content))
            content = _clamp(_trimmed(raw, file.name, max(1, min(limits.each, left)), marker), left)
            if content and content != raw:
                said = {"raw": len(raw), "injected": len(content)}
                warnings.append(phrase("system_prompt.file_cut", name=file.name, **said))
        if content:
            left -= len(content)
            injected.append(ContextFile(path, javascript.joined(content)))
    return Injection(tuple(injected), tuple(warnings))


def _floor(limit: float) -> float:
    """No limit stays none."""
    return math.floor(limit) if math.isfinite(limit) else limit


def _trimmed(raw: str, name: str, most: float, marker: Marker) -> str:
    """In units. Head and tail are cut without regard to pairs; with no tail, the agent's `slice(-0)` takes it all."""
    if len(raw) <= most:
        return raw
    head, tail = math.floor(HEAD * most), math.floor(TAIL * most)
    said = javascript.units(marker(name, head, tail, len(raw)))
    return f"{raw[:head]}\n\n{said}\n\n{raw[-tail:]}"


def _clamp(text: str, most: float) -> str:
    """In units: at most so many, the last one "…" where there is room for it, no pair split."""
    if len(text) <= most:
        return text
    end = math.floor(most)
    return _whole(text, end) if end <= 3 else _whole(text, end - 1) + "…"


def _whole(text: str, end: int) -> str:
    splits = 0 < end < len(text) and "\ud800" <= text[end - 1] <= "\udbff" and "\udc00" <= text[end] <= "\udfff"
    return text[: end - 1 if splits else end]


@dataclass(frozen=True, slots=True)
class FileBudget:
    """Raw against injected units of one file. `causes`: "per-file-limit", "total-limit", only where it was cut."""

    name: str
    path: str
    missing: bool
    raw: int
    injected: int
    truncated: bool
    near: bool
    causes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Budget:
    """`raw`, `injected`, `truncated`: sums over the files that are there. `near`: the total limit is nearly reached."""

    files: tuple[FileBudget, ...]
    raw: int
    injected: int
    truncated: int
    near: bool
    limits: Limits
    ratio: float


def budget(
    files: Sequence[WorkspaceFile], injected: Sequence[ContextFile], limits: Limits, ratio: float = NEAR
) -> Budget:
    """What of each file was injected, and why not all of it. A ratio outside 0 … 1 is the default."""
    each, total = (_floor(limit) if limit > 0 else 1 for limit in (limits.each, limits.total))
    share = ratio if 0 < ratio < 1 else NEAR
    raw = [0 if file.missing else javascript.length(javascript.trim_end(file.content)) for file in files]
    found = [_injected(file, injected) for file in files]
    there = [index for index, file in enumerate(files) if not file.missing]
    whole = sum(found[index] for index in there)
    rows = []
    for file, size, got in zip(files, raw, found, strict=True):
        truncated = not file.missing and got < size
        limited = (("per-file-limit", size > each), ("total-limit", whole >= total))
        causes = tuple(name for name, so in limited if so and truncated)
        near = not file.missing and size >= each * share
        rows.append(FileBudget(file.name, file.path, file.missing, size, got, truncated, near, causes))
    sizes = sum(raw[index] for index in there)
    lost = sum(max(0, raw[index] - found[index]) for index in there)
    return Budget(tuple(rows), sizes, whole, lost, whole >= total * share, Limits(each, total), share)


def _injected(file: WorkspaceFile, injected: Sequence[ContextFile]) -> int:
    """By path, else by a path that is the name, else by base name."""
    ways: tuple[Callable[[str], bool], ...] = (
        lambda path: path == javascript.trim(file.path),
        lambda path: path == file.name,
        lambda path: _last(path) == _last(file.path),
    )
    for way in ways:
        for other in injected:
            if way(javascript.trim(other.path)):
                return javascript.length(other.content)
    return 0


def _last(path: str) -> str:
    return javascript.trim(path).replace("\\", "/").rpartition("/")[2]
