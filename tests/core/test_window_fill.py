"""What fills the window: every grouping has the same sum, and each piece stands in exactly one area."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.boundary import BOUNDARY
from core.leading import Leading, leading_of
from core.prompt import Blocks
from core.prompt_source import PartSource, PromptSource
from core.system_prompt import SystemPrompt
from core.window_areas import BYS, Area, fill, gathered
from core.window_fill import FillPiece, first_of, pieces, shares, system_of
from core.window_uses import pictures, thinking, tool_uses
from tests.core.made import blocks_of, call, prompts, reply, result, user

PROMPT = SystemPrompt.of_text(
    f"## Safety\nbe kind\n# Project Context\n## /w/AGENTS.md\nrules{BOUNDARY}## Runtime\nr", "built"
)
TOOLS = ({"name": "read", "input_schema": {}}, {"function": {"name": "canvas"}}, {"name": "exec"})
TRACED = PartSource("trace", "t")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAB4AAAAZCAYAAADA"  # 30 × 25 pixels


def leading() -> tuple[Leading, ...]:
    return leading_of(PromptSource(PROMPT, TOOLS, TRACED, TRACED), lambda message: 100)


def talk() -> Blocks:
    return blocks_of(
        user("look"),
        reply("reading", call("1", "read", path="a.py"), call("2", "exec", command="ls")),
        result("1", "x" * 80, "read"),
        result("2", "y" * 20, "exec"),
        {"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image", "data": PNG}]},
        {"role": "compactionSummary", "summary": "before"},
    )


def told(blocks: Blocks | None = None, size: int = 50) -> tuple[FillPiece, ...]:
    there = talk() if blocks is None else blocks
    return pieces(leading(), PROMPT, there, [size] * len(there))


def drawn(area: Area, depth: int = 0) -> list[str]:
    lines = [f"{'  ' * depth}{area.kind} {area.name} {area.tokens}"]
    return lines + [line for child in area.children for line in drawn(child, depth + 1)]


def leaves(area: Area) -> list[Area]:
    return [leaf for child in area.children for leaf in leaves(child)] if area.children else [area]


def test_by_section():
    """tools by tool, the system prompt by side and section, messages by role, results by tool."""
    lines = drawn(fill(told(), "section", 1_000))
    assert lines[:4] == ["window section 1000", "  section tools 100", "    tool read 42", "    tool canvas 38"]
    assert lines[5:12] == [
        "  section system 200",
        "    section stable 100",
        "      part Safety 31",
        "      part Project Context 32",
        "      part /w/AGENTS.md 37",
        "    section dynamic 100",
        "      part Runtime 100",
    ]
    assert [line for line in lines if line.startswith("  section")][2:] == [
        "  section user 100",
        "  section assistant 50",
        "  section toolResult 100",
        "  section summary 50",
    ]
    assert lines[-1] == "  free free 400"


def test_by_tool_and_file():
    """Schema, calls and results of a tool together; a file with what was read of it and its place in the prompt."""
    tools = {area.name: area for area in fill(told(), "tool").children if area.kind == "tool"}
    assert [child.name for child in tools["read"].children] == ["schema", "call", "result"]
    assert [child.name for child in tools["canvas"].children] == ["schema"]
    files = {area.name: area for area in fill(told(), "file").children if area.kind == "file"}
    assert [child.name for child in files["a.py"].children] == ["call", "result"]
    assert files["a.py"].children[1].tokens == 50
    assert [child.name for child in files["/w/AGENTS.md"].children] == ["section"]


def test_by_entry():
    """A block each, with what it is made of; a click knows its block and row."""
    entries = [area for area in fill(told(), "entry").children if area.kind == "entry"]
    assert [area.block for area in entries] == [3, 4, 5, 6, 7, 8]
    assert [area.row for area in entries] == [0, 1, 2, 3, 4, 5]
    assert [child.name for child in entries[1].children] == ["text", "call"]
    assert [child.name for child in entries[4].children] == ["text", "image"]


def test_small_areas_are_gathered():
    """The largest stay, in their order; what is gathered has their sum, at every level."""
    whole = fill(told(), "entry")
    few = gathered(whole, 3)
    assert [child.kind for child in few.children] == ["section", "section", "rest"]
    assert few.children[-1].name == str(len(whole.children) - 2)
    assert sum(child.tokens for child in few.children) == whole.tokens
    assert gathered(whole, 100) == whole


def test_the_system_prompt_of_its_parts():
    """Both parts as they are sent are cut at the same headings as the prompt they came from."""
    found = system_of(leading())
    assert found is not None
    assert [(section.part, section.title) for section in found.sections] == [
        (section.part, section.title) for section in PROMPT.sections
    ]
    whole = leading_of(PromptSource(SystemPrompt.of_text("# A\nx", "given"), None, TRACED), lambda message: 1)
    assert [section.title for section in system_of(whole).sections] == ["A"]
    assert system_of(()) is None
    assert (first_of(leading()), first_of(())) == (3, 1)


def test_only_the_size_of_tools_and_system_is_known():
    """One area by difference, in front of the messages; the first block is the dotted one."""
    found = pieces((), None, talk(), [10] * 6, 19_543)
    assert found[0].what == "unrecorded"
    assert found[1].block == 1
    for by in BYS:
        assert fill(found, by).children[0].name == "unrecorded"


@settings(max_examples=60)
@given(prompts, st.data())
def test_every_grouping_has_the_same_sum(blocks, data):
    """Whatever the prompt holds, no token is lost or told twice, and an area has what its children have."""
    sizes = data.draw(st.lists(st.integers(0, 500), min_size=len(blocks), max_size=len(blocks)))
    found = pieces(leading(), PROMPT, blocks, sizes)
    for by in BYS:
        root = fill(found, by)
        assert root.tokens == 300 + sum(sizes) == sum(leaf.tokens for leaf in leaves(root))
        assert root.chars == sum(leaf.chars for leaf in leaves(root))
    assert len({(piece.block, piece.part, piece.name, piece.tool) for piece in found if piece.part is not None}) == len(
        [piece for piece in found if piece.part is not None]
    )


@given(st.integers(0, 10**9), st.lists(st.integers(0, 10**6), min_size=1, max_size=20))
def test_shares(total, weights):
    """Whole numbers that make the total, each within one of its exact part."""
    found = shares(total, weights)
    assert sum(found) == total
    whole = sum(weights) or len(weights)
    assert all(
        abs(got - total * (weight if sum(weights) else 1) / whole) <= 1
        for got, weight in zip(found, weights, strict=True)
    )


# what becomes of it


def test_tools_used_and_never_used():
    """In the order of the roster; canvas is paid for with every request and was never called."""
    found = {use.name: use for use in tool_uses(told())}
    assert list(found) == ["read", "canvas", "exec"]
    assert (found["read"].calls, found["read"].results, found["read"].result_tokens) == (1, 1, 50)
    assert not found["canvas"].used
    assert found["canvas"].schema == found["canvas"].tokens == 38
    gone = tool_uses(told(blocks_of(reply("", call("1", "browser")), result("1", "r", "browser"))))[-1]
    assert (gone.name, gone.defined, gone.used) == ("browser", False, True)


def test_a_result_without_a_name_is_its_calls():
    found = told(
        blocks_of(reply("", call("1", "read", path="b.py")), {"role": "toolResult", "toolCallId": "1", "content": "r"})
    )
    assert (found[-1].tool, found[-1].file) == ("read", "b.py")


def test_pictures():
    """Size from the bytes, tokens from the area; one that cannot be read counts as one of the largest."""
    odd = {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": "AAAA"}}
    blocks = blocks_of(
        user("x"), {"role": "user", "content": [{"type": "image", "data": PNG, "mimeType": "image/png"}, odd]}
    )
    one, other = pictures(blocks, 3)
    assert (one.block, one.part, one.row, one.media, one.size, one.tokens) == (4, 0, 1, "image/png", (30, 25), 1)
    assert (other.media, other.size, other.tokens) == ("image/webp", None, 1_600)


@pytest.mark.parametrize(
    ("content", "fate"),
    [
        ([{"type": "thinking", "thinking": "hm", "thinkingSignature": "s"}, {"type": "text", "text": "a"}], "sent"),
        ([{"type": "text", "text": "hm"}, {"type": "text", "text": "a"}], "as_text"),
        ([{"type": "text", "text": "a"}], "dropped"),
        (None, "left_out"),
    ],
)
def test_the_fate_of_thinking(content, fate):
    """Recorded in step 0, and what of it is sent: as it is, as text, not, or not even its message."""
    thought = {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"}
    recorded = blocks_of(user("u"), {"role": "assistant", "content": [thought, {"type": "text", "text": "a"}]})
    sent = recorded[:1]
    if content is not None:
        [made] = blocks_of({"role": "assistant", "content": content})
        sent = (*sent, type(made)(made.key, made.section, made.message, recorded[1].origin, recorded[1]))
    [found] = thinking(recorded, sent)
    assert (found.fate, found.block, found.sent_as) == (fate, 1, None if content is None else 1)
    assert (found.parts, found.chars, found.signed, found.hidden) == (1, 2, True, False)


def test_hidden_thinking():
    """Redacted, or a signature without words: it is sent, and nobody can read it."""
    parts = [{"type": "redacted_thinking", "data": "x"}, {"type": "thinking", "thinking": "", "thinkingSignature": "s"}]
    blocks = blocks_of({"role": "assistant", "content": parts}, user("no thinking"))
    [found] = thinking(blocks, blocks)
    assert (found.hidden, found.chars, found.parts, found.fate) == (True, 0, 2, "sent")
