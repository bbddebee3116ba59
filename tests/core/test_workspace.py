"""A workspace folder read for its system prompt: what is taken, what is missing, what was cut."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core import workspace
from core.capabilities import Runtime
from core.context_files import Limits, WorkspaceFile
from core.errors import UnreadableFile
from core.system_prompt import SystemPrompt
from core.system_prompt_sections import PromptInputs

SAMPLE = Path(__file__).parent.parent / "data" / "workspace"


def names(found: workspace.Workspace) -> list[tuple[str, bool]]:
    return [(file.name, file.missing) for file in found.files]


def test_files_in_the_order_of_the_prompt():
    """Known names only; an expected one that is missing is named, an optional one is not; HEARTBEAT last."""
    assert names(workspace.read(SAMPLE)) == [
        ("AGENTS.md", False),
        ("SOUL.md", False),
        ("IDENTITY.md", False),
        ("USER.md", True),
        ("TOOLS.md", False),
        ("MEMORY.md", False),
        ("HEARTBEAT.md", False),
    ]


def test_skills_by_folder():
    """From the head of each SKILL.md; the folder's name where the head has none."""
    found = workspace.read(SAMPLE).skills
    assert [(skill.name, skill.description) for skill in found] == [
        ("release-notes", "Write release notes from commits"),
        ("weather", "What the sky does: now and tomorrow."),
    ]


def test_the_prompt_of_the_sample():
    """Context files above the boundary, HEARTBEAT and run time below; each file under its path."""
    runtime = Runtime(agent="main", channel="telegram", capabilities=("reactions", "inlineButtons"))
    inputs = PromptInputs(tools=("exec", "read"), heartbeat="Anything new?", runtime=runtime)
    found = workspace.prompt_of(workspace.read(SAMPLE), inputs)
    stable = [section.id.rpartition("/")[2] for section in found.prompt.sections if section.part == "stable"]
    dynamic = [section.id.rpartition("/")[2] for section in found.prompt.sections if section.part == "dynamic"]
    files = ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "MEMORY.md"]
    assert stable[-9:] == ["messaging", "context", *files, "silent_replies"]
    assert dynamic == ["dynamic_context", "HEARTBEAT.md", "heartbeats", "runtime"]
    assert "capabilities=inlinebuttons,reactions" in found.prompt.dynamic
    assert "[MISSING] Expected at: " in found.prompt.stable
    assert "weather: What the sky does" in found.prompt.stable
    assert found.prompt.where == "built"
    assert found.warnings == ()


def test_its_headings_tell_the_same_sections():
    """Read back as a text of which nothing is known, the built prompt has the sections it was built of: headings of
    the files ("## Safety", "## Heartbeats - be brief") are none."""
    built = workspace.prompt_of(workspace.read(SAMPLE), PromptInputs(tools=("message",), extra="Talk in group.")).prompt
    assert SystemPrompt.of_text(built.text, "built") == built


def test_raw_against_injected_size():
    """Limits are settings: each file and all together, in UTF-16 units."""
    found = workspace.prompt_of(workspace.read(SAMPLE), limits=Limits(100, 400))
    rows = {file.name: file for file in found.budget.files}
    assert rows["AGENTS.md"].raw == 195
    assert rows["AGENTS.md"].truncated
    assert rows["AGENTS.md"].causes == ("per-file-limit",)
    assert rows["USER.md"].missing
    assert rows["SOUL.md"].injected == rows["SOUL.md"].raw == len("# SOUL.md\n\nCurious, calm, plain words.")
    assert any("AGENTS.md is cut from 195" in str(said) for said in found.warnings)
    assert found.budget.injected <= 400


def test_files_beside_the_known_ones():
    """A caller may add files; they stand behind the known names."""
    extra = WorkspaceFile("zeta.md", "/x/zeta.md", "zeta")
    found = workspace.prompt_of(workspace.read(SAMPLE), extra_files=(extra,))
    ids = [section.id for section in found.prompt.sections if section.source]
    assert [name.rpartition("/")[2] for name in ids][-3:] == ["MEMORY.md", "zeta.md", "HEARTBEAT.md"]


@pytest.mark.parametrize("name", ["nowhere", "AGENTS.md"])
def test_what_is_no_folder(name):
    """Missing, or a file: said in a sentence, with what to name instead."""
    with pytest.raises(UnreadableFile, match="as a workspace folder"):
        workspace.read(SAMPLE / name)


@pytest.mark.skipif(os.name == "nt", reason="making links needs rights there")
def test_links_out_of_the_folder_are_not_followed(tmp_path):
    """A workspace may come from anywhere: its AGENTS.md must not show another file of this machine."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "AGENTS.md").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "w" / "SOUL.md").mkdir()
    found = workspace.read(tmp_path / "w")
    assert ("AGENTS.md", True) in names(found)
    assert ("SOUL.md", True) in names(found)
    assert all(file.content == "" for file in found.files)


def test_any_letter_case_and_any_bytes(tmp_path):
    """agents.MD counts as AGENTS.md; bytes that are no UTF-8 are replaced, a mark at the start goes."""
    (tmp_path / "agents.md").write_bytes(b"\xef\xbb\xbfbe \xff kind")
    [file] = [file for file in workspace.read(tmp_path).files if not file.missing]
    assert (file.name, file.content) == ("agents.md", "be \ufffd kind")


def test_wording_covers_every_section():
    """Every template fills from the fields its section has: a field that is missing would raise."""
    full = PromptInputs(
        tools=("gateway", "message", "memory_get"),
        docs="/d",
        owners=("1",),
        timezone="UTC",
        aliases=("a: b",),
        sandbox=("/c", "/h"),
        reactions="extensive",
        reasoning_tags=True,
        heartbeat="hb",
        extra="x",
        voice="v",
        skills="s",
    )
    built = workspace.prompt_of(workspace.read(SAMPLE), full).prompt
    assert "{" not in built.text
    used = {section.id for section in built.sections}
    optional = {"introduction", "none", "message_tool", "buttons_on", "buttons_off", "reasoning"}
    told = {name.removesuffix("_minimal").removesuffix("_extensive") for name in workspace.wording().texts}
    assert told - optional <= used
