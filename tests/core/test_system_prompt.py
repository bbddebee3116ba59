"""The system prompt as a value: exact slices on both sides of the cache boundary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import boundary
from core.boundary import BOUNDARY
from core.system_prompt import Piece, SystemPrompt

lines = st.sampled_from(
    [
        *("## Tooling\n", "# Project Context\n", "## /w/AGENTS.md\n", "## Safety\n", "## Runtime\n", "# x\n", "text\n"),
        *("```\n", "\n", " ", BOUNDARY, "## HEARTBEAT.md\n", "## Heartbeats\n"),
    ]
)
texts = st.lists(lines, max_size=14).map("".join)


@given(texts)
def test_sections_are_slices(text):
    """Put together, with the marker where the parts meet, they are the text: nothing is lost or trimmed."""
    prompt = SystemPrompt.of_text(text, "recorded")
    assert prompt.text == text
    assert prompt.bounded == (BOUNDARY in text)
    assert all(section.text for section in prompt.sections)


@given(texts)
def test_what_is_sent_is_what_the_boundary_splits(text):
    """Two blocks, trimmed where they meet; one block as it stands without a boundary; empty ones are not sent."""
    halves = boundary.split(text)
    expected = tuple(part for part in halves if part) if halves else tuple(filter(None, [text]))
    assert SystemPrompt.of_text(text, "given").sent == expected


def ids(text: str) -> list[tuple[str, str]]:
    return [(section.id, section.part) for section in SystemPrompt.of_text(text, "recorded").sections]


def test_headings_of_files_are_no_sections():
    """Files have headings of their own, and often the agent's names; paths and the agent's later headings end one.

    # Project Context ─ ## /w/AGENTS.md ─ # AGENTS ─ ## Safety ─ ## Silent Replies
                        └──────── one section ─────────┘
    """
    text = (
        "You are.\n## Safety\nours\n# Project Context\n## /w/AGENTS.md\n# AGENTS\n## Safety\ntheirs\n"
        f"## Silent Replies\nq\n{BOUNDARY}\n# Dynamic Project Context\n## /w/HEARTBEAT.md\n## Todo\n## Runtime\nr"
    )
    assert ids(text) == [
        ("introduction", "stable"),
        ("safety", "stable"),
        ("context", "stable"),
        ("file:/w/AGENTS.md", "stable"),
        ("silent_replies", "stable"),
        ("dynamic_context", "dynamic"),
        ("file:/w/HEARTBEAT.md", "dynamic"),
        ("runtime", "dynamic"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("plain", [("introduction", "stable")]),
        ("## Own rules\nx", [("heading:Own rules", "stable")]),
        ("# Project context\nx\n## AGENTS.md\ny", [("context", "stable"), ("file:AGENTS.md", "stable")]),
        ("## A\n```\n# a comment\n## b\n```\n## C\n", [("heading:A", "stable"), ("heading:C", "stable")]),
        (f"a{BOUNDARY}b", [("introduction", "stable"), ("introduction", "dynamic")]),
        (f"{BOUNDARY}b", [("introduction", "dynamic")]),
        (f"## A\n{BOUNDARY}\n## B\n", [("heading:A", "stable"), ("heading:B", "dynamic")]),
        (f"## A\n{BOUNDARY}\n", [("heading:A", "stable"), ("heading:A", "dynamic")]),
    ],
)
def test_sections_of_a_text(text, found):
    """Fenced lines are no headings; line ends below the marker go to the section that follows."""
    assert ids(text) == found


def test_pieces_are_cut_at_the_first_marker():
    """Also in the middle of a file, whose second half then is sent below the boundary."""
    pieces = [Piece("a", "A", "one\n"), Piece("file:x", "x", f"two{BOUNDARY}three\n", "x"), Piece("b", "B", "four")]
    prompt = SystemPrompt.of_pieces(pieces, "built")
    assert [(section.id, section.text, section.part) for section in prompt.sections] == [
        ("a", "one\n", "stable"),
        ("file:x", "two", "stable"),
        ("file:x", "three\n", "dynamic"),
        ("b", "four", "dynamic"),
    ]
    assert (prompt.stable, prompt.dynamic) == ("one\ntwo", "three\nfour")
