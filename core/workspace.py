"""A workspace folder of the agent, read for its system prompt: context files and skills. Also our own wording of it.

    workspace/ AGENTS.md  SOUL.md  …  HEARTBEAT.md     context files
               skills/NAME/SKILL.md                    name and description of each, from its head

Nothing else of the folder is opened, no link is followed out of it, and what is too large is read only as far as the
largest limit could take it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from core import context_files
from core.context_files import Budget, Limits, WorkspaceFile
from core.errors import UnreadableFile
from core.javascript import trim
from core.phrase import Phrase, phrase
from core.settings import number
from core.system_prompt import SystemPrompt
from core.system_prompt_sections import PromptInputs, Wording, build
from core.trace_records import PromptReport

ID = "workspace"
"""How its settings are named: workspace.each, workspace.total."""
EXPECTED = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "HEARTBEAT.md")
"""Named in the prompt even when they are missing."""
OPTIONAL = ("BOOTSTRAP.md", "MEMORY.md")
MOST = 4_000_000
"""Bytes read of one file."""
MOST_SKILLS = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """How much of each context file, and of all together, goes into the prompt, in UTF-16 units."""

    each: int = number(20_000, 1, 10_000_000, unit="chars", step=1_000)
    total: int = number(150_000, 1, 10_000_000, unit="chars", step=5_000)

    @classmethod
    def reported(cls, report: PromptReport | None) -> Settings:
        """As the agent's own report has them; what it does not name, or names out of range, stays as usual."""
        known = cls()
        if report is None:
            return known
        told = {"each": report.per_file, "total": report.total}
        return replace(known, **{name: size for name, size in told.items() if size and 1 <= size <= 10_000_000})

    @property
    def limits(self) -> Limits:
        return Limits(self.each, self.total)


@dataclass(frozen=True, slots=True)
class Skill:
    """`path`: of its SKILL.md."""

    name: str
    description: str
    path: str


@dataclass(frozen=True, slots=True)
class Workspace:
    """`files` in the order of the prompt, expected ones that are missing among them; their content is raw."""

    folder: str
    files: tuple[WorkspaceFile, ...]
    skills: tuple[Skill, ...]


@dataclass(frozen=True, slots=True)
class WorkspacePrompt:
    """A prompt built from a workspace: `budget` has raw against injected size per file, `warnings` what was cut."""

    prompt: SystemPrompt
    budget: Budget
    warnings: tuple[Phrase, ...]


def read(folder: str | Path) -> Workspace:
    """The folder's context files and skills. UnreadableFile when it is no folder or cannot be listed."""
    root = Path(folder).absolute()  # as the agent names its files
    try:
        there = {path.name: path for path in root.iterdir() if path.suffix.lower() == ".md"}
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnreadableFile(phrase("system_prompt.no_workspace", folder=str(folder), reason=reason)) from error
    exact = {name.lower(): name for name in there}
    wanted = [exact.get(name.lower(), name) for name in (*EXPECTED, *OPTIONAL)]
    names = [name for name in wanted if name in there or name in EXPECTED]
    found = [_file(root, name, name in there) for name in names]
    order = {path: at for at, path in enumerate(context_files.in_order(file.path for file in found))}
    found.sort(key=lambda file: (context_files.is_dynamic(file.path), order[file.path]))
    return Workspace(str(root), tuple(found), tuple(_skills(root)))


def rules(folder: str | Path) -> str | None:
    """The text of its AGENTS.md, of which a compaction with a safety net repeats sections; None where there is none."""
    return next(
        (file.content for file in read(folder).files if file.name.lower() == "agents.md" and file.content), None
    )


def prompt_of(
    workspace: Workspace,
    inputs: PromptInputs | None = None,
    limits: Limits | None = None,
    extra_files: tuple[WorkspaceFile, ...] = (),
) -> WorkspacePrompt:
    """The system prompt of a workspace. `inputs`: what else the agent knows (tools, channel, run time …); its files and
    workspace are filled in here, and its skills where it names none. `extra_files`: others, put in behind the known."""
    known = inputs or PromptInputs()
    bounds = limits or Limits()
    given = (*workspace.files, *extra_files)
    injected = context_files.inject(given, bounds)
    told = replace(
        known,
        files=injected.files,
        workspace=known.workspace or workspace.folder,
        skills=known.skills or skills_text(workspace.skills),
    )
    budget = context_files.budget(given, injected.files, bounds)
    return WorkspacePrompt(build(told, wording()), budget, injected.warnings)


def skills_text(skills: tuple[Skill, ...]) -> str:
    """A line for each skill, in the order of their names: our own form."""
    return "\n".join(f"- {skill.name}: {skill.description} ({skill.path})" for skill in skills)


@cache
def wording() -> Wording:
    """Our own words for the sections."""
    table = tomllib.loads((files("resources") / "wording" / "system_prompt.toml").read_text(encoding="utf-8"))
    tools = table.pop("tools")
    return Wording({name: str(text) for name, text in table.items()}, {name: str(said) for name, said in tools.items()})


def _file(root: Path, name: str, there: bool) -> WorkspaceFile:
    path = (root / name).as_posix()
    content = _text(root, root / name) if there else None
    return WorkspaceFile(name, path, content or "", content is None)


def _text(root: Path, path: Path) -> str | None:
    """What stands in a file of the workspace; None for one that cannot be read, or that lies elsewhere."""
    try:
        if not path.resolve().is_relative_to(root.resolve()) or not path.is_file():
            return None
        with open(path, "rb") as file:
            data = file.read(MOST)
    except OSError:
        return None
    return data.decode("utf-8-sig", "replace")


def _skills(root: Path) -> Iterator[Skill]:
    try:
        folders = sorted(path for path in (root / "skills").iterdir() if path.is_dir())[:MOST_SKILLS]
    except OSError:
        return
    for folder in folders:
        path = folder / "SKILL.md"
        text = _text(root, path)
        if text is not None:
            head = _head(text)
            yield Skill(head.get("name") or folder.name, head.get("description", ""), path.as_posix())


def _head(text: str) -> dict[str, str]:
    """The plain `key: value` lines between the first two `---` of a file."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---" or "---" not in (ends := [line.strip() for line in lines[1:]]):
        return {}
    pairs = (line.partition(":") for line in lines[1 : 1 + ends.index("---")])
    return {trim(key): trim(value).strip("\"'") for key, colon, value in pairs if colon}
