"""Where tools and system prompt come from: best source first, each named, and how large they are."""

from __future__ import annotations

import pytest

from core.assembled import assemble
from core.boundary import BOUNDARY
from core.counters import chars
from core.counts import count
from core.errors import InputError, RequestError
from core.format import open_session
from core.leading import boundary_of, leading_of
from core.prompt_source import Given, PartSource, PromptSource, given, resolve, system_file, tools_file
from core.system_prompt import SystemPrompt
from core.timeline import build
from core.trace_calls import calls_of
from tests.core.traces import answer, event, opened, result, session_lines, stage, traced, user, write

SYSTEM = f"stable{BOUNDARY}dynamic"
TOOLS = [{"name": "read"}]


def text(value: str) -> SystemPrompt:
    return SystemPrompt.of_text(value, "given")


def talk(**usage) -> list:
    return session_lines(user("a"), answer("b", "c1", **usage), result("c1", "r"), answer("d"), user("e"), answer("f"))


def source(session, recorded, entry: str | None, by_hand: Given = Given()) -> PromptSource:  # noqa: B008
    path = session.path_to(session.active_leaf)
    return resolve(session, path, None if entry is None else session.row_of(entry), recorded, by_hand)


def test_best_first(tmp_path):
    """Trace before file before workspace before nothing, for tools and system each on its own."""
    session, recorded = traced(tmp_path, talk(), [stage("stream:context", 14, system=SYSTEM)])
    by_hand = Given(text("by hand"), "system.md", tuple(TOOLS), "tools.json", text("built"), "/w")
    found = source(session, [recorded], "e2", by_hand)
    assert (found.system.text, found.system_from) == (SYSTEM, PartSource("trace", "s.cache-trace.jsonl", 1))
    assert (found.tools, found.tools_from) == (tuple(TOOLS), PartSource("file", "tools.json"))
    assert source(session, [], "e2", by_hand).system.text == "by hand"
    found = source(session, [], "e2", Given(built=text("built"), folder="/w"))
    assert (found.system.text, found.system_from.source) == ("built", "built")
    assert source(session, [], "e2") == PromptSource()


@pytest.mark.parametrize(
    ("entry", "own"),
    [("e2", True), ("e4", True), ("e6", False), (None, False)],
)
def test_a_run_is_compiled_once(tmp_path, entry, own):
    """The later calls of its tool loop have its system prompt; the next run may have another: assumed."""
    session = open_session(write(tmp_path / "s.jsonl", talk()))
    compiled = event("context.compiled", 14, systemPrompt=SYSTEM, tools=TOOLS, transcriptLeafId="e1")
    found = source(session, [calls_of(session, opened(tmp_path, [compiled]))], entry)
    assert found.system.text == SYSTEM
    assert (found.system_from.own, found.tools_from.own) == (own, own)
    assert found.tools_from.source == ("recorded" if own else "assumed")


def test_files_by_hand(tmp_path):
    """Plain text; a JSON list, or a recorded request that holds one."""
    plain = write(tmp_path / "system.md", ["# Tooling", "😀"])
    assert system_file(str(plain)).text == "# Tooling\n😀\n"
    listed = write(tmp_path / "tools.json", [TOOLS])
    held = write(tmp_path / "request.json", [{"model": "m", "tools": TOOLS}])
    assert tools_file(str(listed)) == tools_file(str(held)) == tuple(TOOLS)
    assert given(str(plain), None).system_name == "system.md"
    for wrong in ("{", "7", "[7]", '{"tools": 7}'):
        with pytest.raises(RequestError):
            tools_file(str(write(tmp_path / "wrong.json", [wrong])))
    with pytest.raises(InputError):
        system_file(str(tmp_path / "missing"))


def assembled(tmp_path, number: int | None, found: PromptSource, **usage):
    session = open_session(write(tmp_path / "s.jsonl", talk(**usage)))
    counter = chars.make(session)
    counts = count(session, counter)
    timeline = build(session, session.active_leaf, counts)
    return assemble(session, timeline, counts, number).with_source(found, counter.count)


FULL = PromptSource(
    text("s" * 4_000 + BOUNDARY + "d" * 1_000), tuple(TOOLS), PartSource("file", "x"), PartSource("file", "y")
)


def test_sizes_fill_what_usage_leaves(tmp_path):
    """tools + stable + dynamic = the recorded prompt less its messages, to the token."""
    shown = assembled(tmp_path, 1, FULL, read=0, write=1_500)
    assert [(item.section, item.part) for item in shown.leading] == [
        ("tools", None),
        ("system", "stable"),
        ("system", "dynamic"),
    ]
    assert sum(item.tokens for item in shown.leading) == shown.unrecorded
    assert {item.state for item in shown.leading} == {"written"}


def test_a_source_that_does_not_fit_stays_as_it_is(tmp_path):
    """Ten thousand recorded tokens are no thousand: nothing is stretched out of its shape."""
    shown = assembled(tmp_path, 1, FULL, read=0, write=10_000)
    assert sum(item.tokens for item in shown.leading) < 2_000
    assert shown.unrecorded > 9_000


def test_a_read_that_ends_at_the_boundary(tmp_path):
    """Only tools and stable part were read: the rule stands behind them, and the messages were written."""
    shown = assembled(tmp_path, 1, FULL, read=1_000, write=260)
    assert [item.state for item in shown.leading] == ["read", "read", "written"]
    assert (shown.cached_leading, shown.cached_blocks) == (2, 0)


def test_what_would_be_sent_next_has_no_cache_state(tmp_path):
    shown = assembled(tmp_path, None, FULL, read=0, write=1_500)
    assert {item.state for item in shown.leading} == {"unknown"}


def test_where_the_boundary_stands(tmp_path):
    """Behind the stable part; without a system prompt assumed, where something was cached; without a marker nowhere."""
    leading = assembled(tmp_path, 1, FULL, write=1_500).leading
    found = boundary_of(leading, 1_400, True)
    assert (found.block, found.source) == (1, "recorded")
    assert found.tokens == sum(item.tokens for item in leading[:2])
    assert found.chars == 4_000 + len('[{"name":"read"}]')
    assert boundary_of((), 1_400, True).source == "assumed"
    assert boundary_of((), 1_400, False) is None
    whole = leading_of(PromptSource(text("no marker"), None, PartSource("file", "x")), chars.make(None).count)
    assert boundary_of(whole, 10, True) is None


def test_blocks_hold_what_is_sent():
    """The text of a part is the sent one: blanks around the marker are gone; tools are their JSON, one text each."""
    prompt = PromptSource(
        text(f"stable \n{BOUNDARY}\n dynamic"), tuple(TOOLS), PartSource("file", "x"), PartSource("file", "y")
    )
    tools, stable, dynamic = leading_of(prompt, lambda message: len(message.text()))
    assert (stable.raw, dynamic.raw) == ("stable", "dynamic")
    assert tools.block.message.text() == '{"name":"read"}'


def test_what_an_engine_adds_stands_below_the_boundary():
    """stable ── boundary ── addition, dynamic: the stable part keeps its bytes and its source, the rest is ours."""
    recorded = PartSource("trace", "s.cache-trace.jsonl", 1)
    found = PromptSource(text(SYSTEM), None, recorded).with_addition("Remember.")
    assert found.system.text == f"stable{BOUNDARY}Remember.\n\ndynamic"
    parts = leading_of(found, lambda message: 1)
    assert [(part.part, part.raw, part.origin.source) for part in parts] == [
        ("stable", "stable", "recorded"),
        ("dynamic", "Remember.\n\ndynamic", "built"),
    ]


def test_nothing_to_add_to():
    """No addition, or no system prompt: the very same source."""
    known = PromptSource(text(SYSTEM), None, PartSource("file", "system.md"))
    assert known.with_addition("") is known
    assert PromptSource().with_addition("Remember.") == PromptSource()
