"""The system prompt built as the agent builds it: which sections, in which order, and what moves which part."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import boundary, workspace
from core.boundary import BOUNDARY
from core.capabilities import Runtime
from core.context_files import ContextFile
from core.system_prompt_sections import PromptInputs, build
from tests.reference.vectors import UNDEFINED, assert_same, cases

NAMES = ["TOOLS.md", "HEARTBEAT.md", "AGENTS.md", "SOUL.md"]
OUTER = {name: f"@@{name}@@" for name in ("extraSystemPrompt", "heartbeatPrompt", "skillsPrompt", "ttsHint")}
FULL = {
    **OUTER,
    "contextFiles": [
        {"path": "/w/" + name, "content": "c" * size} for name, size in zip(NAMES, (30, 11, 50, 40), strict=True)
    ],
    "memorySection": True,
    "docsPath": "/docs",
    "ownerNumbers": ["1"],
    "userTimezone": "UTC",
    "toolNames": ["read", "exec", "gateway", "message", "sessions_spawn"],
    "messageToolHints": ["@@messageToolHint@@"],
    "modelAliasLines": ["@@modelAlias@@"],
    "workspaceNotes": ["@@workspaceNote@@"],
    "reactionGuidance": {"level": "minimal", "channel": "telegram"},
    "reasoningTagHint": True,
    "sandboxInfo": {"enabled": True, "workspaceDir": "/h", "containerWorkspaceDir": "/c"},
    "promptContribution": {
        "stablePrefix": "@@stablePrefix@@",
        "dynamicSuffix": "@@dynamicSuffix@@",
        "sectionOverrides": {"interaction_style": "@@interaction_style@@"},
    },
    "runtimeInfo": {"channel": "telegram", "capabilities": ["inlineButtons"], "agentId": "main"},
}
"""The base of the recorded cases (their description, section 15)."""


SANDBOX = ("containerWorkspaceDir", "workspaceDir")


def text(value) -> str:
    return value if isinstance(value, str) else ""


def texts(value) -> tuple[str, ...]:
    return tuple(item for item in value or () if isinstance(item, str))


def inputs_of(told) -> PromptInputs:
    """The agent's parameters under our names."""
    told = {name: value for name, value in told.items() if value is not UNDEFINED and value is not None}
    plugin, runtime = told.get("promptContribution", {}), told.get("runtimeInfo", {})
    overrides = plugin.get("sectionOverrides") or {}
    sandbox, reactions = told.get("sandboxInfo", {}), told.get("reactionGuidance", {})
    return PromptInputs(
        mode=told.get("promptMode", "full"),
        workspace="/w",
        tools=texts(told.get("toolNames")),
        files=tuple(
            ContextFile(text(file.get("path")), text(file.get("content"))) for file in told.get("contextFiles", ())
        ),
        skills=text(told.get("skillsPrompt")),
        memory="## Memory Recall\n@@memorySection@@" if told.get("memorySection") else "",
        docs=text(told.get("docsPath")),
        owners=texts(told.get("ownerNumbers")),
        timezone=text(told.get("userTimezone")),
        voice=text(told.get("ttsHint")),
        hints=texts(told.get("messageToolHints")),
        aliases=texts(told.get("modelAliasLines")),
        notes=texts(told.get("workspaceNotes")),
        reactions=text(reactions.get("level")),
        reaction_channel=text(reactions.get("channel")),
        reasoning_tags=bool(told.get("reasoningTagHint")),
        sandbox=tuple(text(sandbox.get(name)) for name in SANDBOX) if sandbox.get("enabled") else None,
        stable_prefix=text(plugin.get("stablePrefix")),
        dynamic_suffix=text(plugin.get("dynamicSuffix")),
        overrides={name: value for name, value in overrides.items() if isinstance(value, str)},
        extra=text(told.get("extraSystemPrompt")),
        heartbeat=text(told.get("heartbeatPrompt")),
        runtime=Runtime(
            agent=text(runtime.get("agentId")),
            model=text(runtime.get("model")),
            channel=text(runtime.get("channel")),
            capabilities=texts(runtime.get("capabilities")),
            thinking=text(told.get("defaultThinkLevel")),
        ),
        reasoning=text(told.get("reasoningLevel")) or "off",
    )


def outline(built: str, inputs: PromptInputs) -> list:
    """Headings, files, inputs and the boundary, in order of appearance: what was recorded of a prompt."""
    lengths = {f"## {file.path}": len(file.content) for file in inputs.files}
    found = []
    for piece in re.split(f"({re.escape(BOUNDARY)})", built):
        if piece == BOUNDARY:
            found.append("BOUNDARY")
            continue
        for line in piece.split("\n"):
            if line in lengths:
                found.append({"file": line[3:], "length": lengths[line]})
            elif re.match("#{1,3} ", line):
                found.append(line)
            found += [{"input": name} for name in re.findall("@@(.+?)@@", line)]
    return found


@pytest.mark.parametrize("case", cases("buildAgentSystemPrompt"))
def test_outline_agrees(case):
    """Every section in its place, only where its condition holds; the boundary between two single line ends."""
    inputs = inputs_of(case.input)
    built = build(inputs, workspace.wording()).text
    place = built.find(BOUNDARY)
    after = place + len(BOUNDARY)
    found = {
        "outline": outline(built, inputs),
        "boundaries": built.count(BOUNDARY),
        "blankLines": sum(part.count("\n\n") for part in built.split("\n" + BOUNDARY + "\n")),
        "lastLineIsReasoning": built.split("\n")[-1].startswith("Reasoning: "),
    }
    if place >= 0:
        ends = {"\n": "newline"}
        found["charBeforeBoundary"] = ends.get(built[place - 1], built[place - 1])
        found["charAfterBoundary"] = ends.get(built[after], built[after])
    assert_same(found, case.output)


@pytest.mark.parametrize("case", cases("promptCacheStability"))
def test_what_moves_which_part_agrees(case):
    """What is above the boundary stays the same bytes whatever changes below it, and the other way round."""
    base = FULL if case.input["base"] == "FULL" else case.input["base"]
    one, other = (
        boundary.divide(build(inputs_of(told), workspace.wording()).text)
        for told in (base, {**base, **case.input["change"]})
    )
    found = {"stableEqual": one.stable == other.stable, "dynamicEqual": one.dynamic == other.dynamic}
    assert_same(found, case.output)


@given(st.permutations(FULL["toolNames"]), st.permutations(FULL["contextFiles"]))
def test_the_order_things_come_in_does_not_matter(tools, files):
    """Tools and files in any order give the same bytes: nothing unsorted reaches the cache."""
    built = build(inputs_of({**FULL, "toolNames": tools, "contextFiles": files}), workspace.wording())
    assert built == build(inputs_of(FULL), workspace.wording())


@given(st.sampled_from(["full", "minimal", "none"]), st.text(max_size=20), st.text(max_size=20))
def test_sections_put_together_are_the_prompt(mode, skills, extra):
    """Slices without gap or overlap, whatever the inputs hold."""
    built = build(PromptInputs(mode=mode, skills=skills, extra=extra), workspace.wording())
    assert boundary.divide(built.text) == ((built.stable, built.dynamic) if built.bounded else None)


def test_a_marker_inside_a_file_becomes_the_boundary():
    """It is not escaped: what follows it in the stable files is sent below the boundary, and the agent's own marker as
    plain text."""
    files = (ContextFile("/w/AGENTS.md", f"above{BOUNDARY}below"), ContextFile("/w/SOUL.md", "soul"))
    built = build(PromptInputs(files=files), workspace.wording())
    parts = {(section.id, section.part) for section in built.sections if section.source}
    assert parts == {
        ("file:/w/AGENTS.md", "stable"),
        ("file:/w/AGENTS.md", "dynamic"),
        ("file:/w/SOUL.md", "dynamic"),
    }
    [stray] = boundary.stray_markers(built.text)
    assert stray > built.text.index("soul")


def test_an_unknown_tool_changes_nothing():
    inputs = inputs_of(FULL)
    more = replace(inputs, tools=(*inputs.tools, "frobnicate"))
    assert build(more, workspace.wording()) == build(inputs, workspace.wording())
