"""What-ifs for the cache: where the two prompts differ, what is still read, and what the rest costs."""

from __future__ import annotations

import json
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import counter, counts, shuffle
from core.assembled import assemble
from core.format import open_session
from core.phrase import LANGUAGES, catalogue, render
from core.prompt_source import PartSource, PromptSource
from core.shuffle import KINDS, OPENCLAW_MARKS, PI_MARKS, Head, Spent, along, kept_before, readings, shuffles
from core.system_prompt import SystemPrompt
from core.timeline import build

CASES = Path(__file__).parent.parent / "cases"
TOOLS = [{"name": name, "description": name * 50} for name in ("bash", "read", "write")]
SYSTEM = "You are careful. " * 190 + shuffle.BOUNDARY + "Workspace: parser"
SONNET = "claude-sonnet-4-5"
SPENT = Spent(cached=100_000, prompt=110_000, model=SONNET, when=1_767_607_300_000)


def quarter(text: str) -> int:
    return len(text) // 4


HEAD = Head.of(TOOLS, SYSTEM, quarter)
ALL = {"tools", "stable", "dynamic", "messages"}


def test_the_head_of_a_prompt() -> None:
    """Tools as they are written, the system prompt parted at its boundary, which itself is in neither part."""
    assert HEAD.stable + shuffle.BOUNDARY + HEAD.dynamic == SYSTEM
    assert HEAD.sizes == (quarter("\n".join(json.dumps(t, separators=(",", ":")) for t in TOOLS)), 807, 4)
    whole = Head.of([], "no boundary", quarter)
    assert (whole.stable, whole.dynamic) == ("no boundary", "")


def test_each_what_if_of_openclaw() -> None:
    """Marks behind the stable part and the messages: only what changes below the boundary spares the prompt above it.

    tools 187 │ stable 807 │ dynamic 4 │ messages      994 tokens, below Sonnet's minimum of 1,024: nothing kept
    """
    found = dict(zip(KINDS, shuffles(HEAD, SPENT, OPENCLAW_MARKS, ("z", "a")), strict=True))
    assert [(s.section, s.kept) for s in found.values()] == [
        ("tools", 0),
        ("stable", 0),
        ("dynamic", 0),
        ("dynamic", 0),
    ]
    larger = Head(HEAD.tools, HEAD.stable, HEAD.dynamic, (5_000, 3_000, 500))
    found = dict(zip(KINDS, shuffles(larger, SPENT, OPENCLAW_MARKS, ("z", "a")), strict=True))
    assert [(s.kept, s.lost) for s in found.values()] == [(0, 100_000), (0, 100_000), (8_000, 92_000), (8_000, 92_000)]


def test_the_price_of_a_break() -> None:
    """Sonnet 4.5: writing 3.75 dollars a million instead of reading at 0.30."""
    larger = Head(HEAD.tools, HEAD.stable, HEAD.dynamic, (5_000, 3_000, 500))
    order, _, below, _ = shuffles(larger, SPENT)
    assert order.cost == Decimal("0.345")
    assert below.cost == Decimal("0.3174")
    unknown = shuffles(larger, Spent(1_000, 1_000, "nobody", None))[0]
    assert (unknown.lost, unknown.cost) == (1_000, None)


def test_marked_tools_are_spared() -> None:
    """pi 1.6 marks its tools: a clock in the system prompt costs them no more; pi before had no mark above it."""
    larger = Head(HEAD.tools, HEAD.stable, HEAD.dynamic, (5_000, 3_000, 500))
    assert [s.kept for s in shuffles(larger, SPENT, ALL)] == [0, 5_000, 8_000, 100_000]
    assert [s.kept for s in shuffles(larger, SPENT, PI_MARKS)] == [0, 0, 0, 100_000]


def test_the_texts_around_the_difference() -> None:
    """The clocks differ in their seconds; the capabilities at the first one that stands elsewhere."""
    order, above, _, capabilities = shuffles(HEAD, SPENT, OPENCLAW_MARKS, ("web", "inline", "voice"))
    assert (order.place, order.before[:14], order.after[:14]) == (0, '{"name":"bash"', '{"name":"write')
    assert above.before.endswith("Current time: 10:00:00")
    assert above.after.endswith("Current time: 10:00:07")
    assert above.place == len(HEAD.stable) + len("\nCurrent time: 10:00:0")
    assert capabilities.before.endswith("capabilities=inline,voice,web")
    assert capabilities.after.endswith("capabilities=web,inline,voice")


@pytest.mark.parametrize(("tools", "ids"), [([], []), (TOOLS[:1], ["a"]), ([TOOLS[0], TOOLS[0]], ["a", "b"])])
def test_what_cannot_change(tools: list[object], ids: list[str]) -> None:
    """One tool has one order, sorted capabilities are sorted: no break, no cost, and it says so."""
    order, _, _, capabilities = shuffles(Head.of(tools, SYSTEM, quarter), SPENT, OPENCLAW_MARKS, ids)
    for found in (order, capabilities):
        assert (found.section, found.kept, found.lost, found.cost) == (None, 100_000, 0, 0)
        assert found.why.id == f"shuffle.{found.kind}_nothing"


def test_a_session_file_alone() -> None:
    """Neither tools nor system prompt are in it: sizes by difference, no texts, and all of it is marked as assumed."""
    found = shuffles(Head.unrecorded(9_000), SPENT)
    assert not any(s.recorded for s in found)
    assert [(s.kept, s.lost) for s in found[:3]] == [(0, 100_000), (0, 100_000), (9_000, 91_000)]
    assert all(s.before == s.after == "" for s in found[:3])


def test_along_a_path() -> None:
    """If it happened at every request: what each read, but for what is kept, at the price of its own day and model."""
    summaries = prompt("flaky-test", 1)[1].summaries
    read = sum(summary.request.usage.read for summary in summaries)
    found = list(readings(summaries))
    assert along(found, 0)[0] == read > 0
    assert along(found, 1_000_000) == (0, 0)
    assert along((), 0) == (0, 0)
    each = [
        shuffle.price(n.request.usage.read, Spent(0, n.request.usage.prompt, n.request.model, n.request.start))
        for n in summaries
    ]
    assert along(found, 0)[1] == sum(cost for cost in each if cost is not None) > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence(language: str) -> None:
    """Titles and reasons of every kind, kept or lost, in both languages."""
    heads = (HEAD, Head.unrecorded(9_000), Head.of([], "", quarter))
    for head in heads:
        for found in shuffles(head, SPENT, ALL, ("b", "a")):
            assert found.title.id in catalogue(language)
            assert found.why.id in catalogue(language)
            assert "{" not in render(found.why, language)


sizes = st.integers(0, 50_000)


@given(st.tuples(sizes, sizes, sizes), st.integers(0, 200_000), st.sets(st.sampled_from(sorted(ALL))))
def test_what_is_kept_and_lost(size: tuple[int, int, int], cached: int, marks: set[str]) -> None:
    """They add up to what was cached; the later the difference, and the more marks, the more is kept."""
    head = Head(HEAD.tools, HEAD.stable, HEAD.dynamic, size)
    found = shuffles(head, Spent(cached, cached, SONNET, None), marks, ("b", "a"))  # type: ignore[arg-type]
    assert all(s.kept + s.lost == cached for s in found)
    assert found[0].kept <= found[1].kept <= found[2].kept == found[3].kept
    more = shuffles(head, Spent(cached, cached, SONNET, None), ALL, ("b", "a"))  # type: ignore[arg-type]
    assert all(a.kept <= b.kept for a, b in zip(found, more, strict=True))
    assert kept_before(head, "tools", ALL, SONNET) == 0  # type: ignore[arg-type]


# of a session


def prompt(sample: str, number: int | None, traced: bool = False):  # type: ignore[no-untyped-def]
    path = str(files("resources") / "samples" / f"{sample}.jsonl")
    session = open_session(path)
    counted = counts.count(session, counter.make("chars"))
    timeline = build(session, session.active_leaf, counted)
    found = assemble(session, timeline, counted, number)
    if traced:
        parts = {"system": SystemPrompt.of_text(SYSTEM, "recorded"), "tools": tuple(TOOLS)}
        here = PartSource("trace", "t")
        found = found.with_source(PromptSource(**parts, system_from=here, tools_from=here), counter.make("chars").count)
    return session, timeline, found


def test_without_a_trace_only_the_size_is_known() -> None:
    """Tools and system prompt stand in the stable part; the differences are assumed where an agent would make them."""
    session, timeline, found = prompt("flaky-test", 23)
    head = Head.of_prompt(found)
    assert not head.recorded
    assert head.sizes == (0, found.unrecorded, 0)
    assert shuffle.capabilities_of(head) == ("threads", "inlineButtons")
    spent = shuffle.spent_of(found, timeline.summaries)
    assert spent.cached == timeline.summaries[22].request.usage.read
    ids = shuffle.capabilities_of(head)
    order = {item.kind: item for item in shuffles(head, spent, shuffle.marks_of(session.format), ids)}
    assert order["time_above"].lost == spent.cached
    assert order["time_below"].kept == order["capability_order"].kept == found.unrecorded
    assert not any(item.recorded for item in order.values())


def test_with_a_trace_the_texts_are_compared() -> None:
    """Tools, stable and dynamic part as they were sent; the first difference is found in them."""
    _, timeline, found = prompt("flaky-test", 23, traced=True)
    head = Head.of_prompt(found)
    assert head.recorded
    stable = SYSTEM.partition(shuffle.BOUNDARY)[0].rstrip()  # as it is sent
    assert (list(head.tools), head.stable, head.dynamic) == (TOOLS, stable, "Workspace: parser")
    assert all(head.sizes)
    order = dict(zip(KINDS, shuffles(head, shuffle.spent_of(found, timeline.summaries)), strict=True))
    assert order["tool_order"].section == "tools"
    assert order["time_above"].place == len(head.stable) + len("\nCurrent time: 10:00:0")
    assert order["capability_order"].section is None


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("Runtime: channel=telegram | capabilities=a,b-c,d", ("d", "b-c", "a")),
        ("capabilities=none", ("none",)),
        ("", ()),
    ],
)
def test_recorded_capabilities(line: str, ids: tuple[str, ...]) -> None:
    """In another order than the one they were sent in; one alone has none."""
    assert shuffle.capabilities_of(Head((), "", line, (0, 0, 0))) == ids


def test_what_would_be_sent_next() -> None:
    """It would find what the last request left; a session without requests, nothing."""
    _, timeline, found = prompt("flaky-test", None)
    last = timeline.summaries[-1].request
    assert shuffle.spent_of(found, timeline.summaries) == Spent(
        last.usage.prompt, last.usage.prompt, last.model, last.start
    )
    assert shuffle.spent_of(found, ()).cached == 0


def test_marks() -> None:
    assert (shuffle.marks_of("openclaw"), shuffle.marks_of("pi")) == (OPENCLAW_MARKS, PI_MARKS)
