"""Fingerprints of requests: what is the same, and the first place that is not, without the bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import boundary
from core.context import Origin
from core.fingerprints import Fingerprints, fingerprints, first_change, names_digest, tool_names
from core.messages import Message
from core.prompt import Block
from core.system_prompt import SystemPrompt
from tests.reference.vectors import assert_same, cases

PROMPT = SystemPrompt.of_text(f"stable \n{boundary.BOUNDARY}\ndynamic", "recorded")
TOOLS = [{"name": "b", "input": 1}, {"name": " a "}]


def block(text: str, row: int = 0) -> Block:
    return Block.of(Message.of({"role": "user", "content": text}), Origin((row,)))


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("case", cases("collectPromptCacheToolNames"))
def test_tool_names_agree(case):
    assert_same(tool_names(case.input["tools"]), case.output["value"])


def test_digests_are_sha256_of_what_is_sent():
    """The whole prompt as the agent holds it, its parts as they are sent, the tools' JSON, the agent's digest of a
    message: its JSON with keys in order."""
    found = fingerprints(PROMPT, TOOLS, (block("hi"),))
    assert found.system == sha(PROMPT.text)
    assert (found.stable, found.dynamic) == (sha("stable"), sha("dynamic"))
    assert found.tools == sha('[{"name":"b","input":1},{"name":" a "}]')
    assert found.names == sha('["a","b"]')
    assert found.blocks == (sha(json.dumps({"content": "hi", "role": "user"}, separators=(",", ":"))),)


def test_without_a_boundary_all_is_stable():
    plain = fingerprints(SystemPrompt.of_text("all", "given"), None, ())
    assert (plain.system, plain.stable, plain.dynamic, plain.tools, plain.names) == (
        sha("all"),
        sha("all"),
        *[None] * 3,
    )
    assert fingerprints(None, (), ()) == Fingerprints(None, None, None, sha("[]"), sha("[]"), ())


def test_digests_are_kept_by_block():
    """A block met before is not read again: its key tells."""
    known = {block("hi").key: "kept"}
    assert fingerprints(None, None, (block("hi"), block("ho", 1)), known).blocks[0] == "kept"
    assert len(known) == 2


@given(st.permutations(["b", "a", "a", "\ud800", "😀", "\uffff"]))
def test_names_in_any_order(names):
    """By UTF-16 unit, so that an emoji comes before U+FFFF; the order they came in does not matter."""
    assert names_digest(names) == names_digest(["a", "a", "b", "\ud800", "😀", "\uffff"])


def test_first_change_in_cache_order():
    """tools ─ stable ─ dynamic ─ messages: the first that differs decides what is still read."""
    one = fingerprints(PROMPT, TOOLS, (block("a"), block("b", 1)))
    assert first_change(one, one) is None
    assert first_change(one, replace(one, blocks=one.blocks[:1])) is None
    assert first_change(one, replace(one, blocks=(*one.blocks, "c"))) is None
    assert first_change(one, replace(one, blocks=(one.blocks[0], "x"))) == ("messages", 1)
    assert first_change(one, replace(one, dynamic="x", blocks=("x",))) == ("dynamic", 0)
    assert first_change(one, replace(one, dynamic=None)) == ("dynamic", 0)
    assert first_change(one, replace(one, stable="x", dynamic="x")) == ("stable", 0)
    assert first_change(one, replace(one, tools="x", stable="x")) == ("tools", 0)
    assert first_change(one, replace(one, tools=None, system=None, stable=None, dynamic=None)) is None


def test_reordered_tools_are_no_change_of_names():
    """The agent compares names in any order; the cache reads the definitions in theirs."""
    one, other = fingerprints(None, TOOLS, ()), fingerprints(None, TOOLS[::-1], ())
    assert one.names == other.names
    assert first_change(one, other) == ("tools", 0)
