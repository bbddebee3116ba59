"""The timeline: budgets by role, windows, costs and totals."""

from __future__ import annotations

import json
from array import array
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.assembled import assemble, tokens_of
from core.budget import ROLES, place
from core.context import build as build_context
from core.counts import Counts, count
from core.format import open_session
from core.timeline import build
from core.totals import totals

CASES = Path(__file__).parent.parent / "cases"
TIME = "2026-01-05T10:00:00.000Z"
MS = 1_767_607_200_000


class Lengths:
    """Counts the characters of a message's JSON: any change of a message changes its count."""

    id = "lengths"

    def count(self, message):
        return len(json.dumps(message.json()))


def written(path, entries, header=()):
    """A v3 file of these entries; each follows the one before unless it names another parent."""
    lines = [{"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": "/", **dict(header)}]
    above = None
    for number, entry in enumerate(entries):
        lines.append({"timestamp": TIME, "parentId": above, "id": f"e{number}", **entry})
        above = lines[-1]["id"]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return open_session(path)


def message(role, text="x", **more):
    return {"type": "message", "message": {"role": role, "content": [{"type": "text", "text": text}]}, **more}


def answer(usage=(10, 5, 0, 0), text="a", model="claude-sonnet-4-5", cost=None, time=MS, **more):
    numbers = dict(zip(("input", "output", "cacheRead", "cacheWrite"), usage, strict=True))
    if cost is not None:
        numbers["cost"] = {"total": cost}
    said = {"role": "assistant", "content": [{"type": "text", "text": text}], "provider": "anthropic", "model": model}
    return {"type": "message", "message": {**said, "usage": numbers, "stopReason": "stop", "timestamp": time}, **more}


@pytest.fixture
def opened(tmp_path):
    return lambda *entries, **more: written(tmp_path / "session.jsonl", entries, **more)


def timeline_of(session, leaf=None, window=None):
    row = session.active_leaf if leaf is None else session.row_of(leaf)
    return build(session, row, count(session, Lengths()), window)


# budgets


KINDS = ("user", "assistant", "result", "bash", "custom", "branch", "label", "cut", "cut", "reset", "edit", "edit")


def entry_of(draw, kind, text, known):
    """One entry of a kind; what it may draw on: ids in `known`, some of them of no entry."""
    kept = {"firstKeptEntryId": draw(known)} if kind in ("cut", "reset") and draw(st.booleans()) else {}
    match kind:
        case "user":
            return message("user", text)
        case "assistant":
            return answer(text=text)
        case "result":
            return message("toolResult", text)
        case "bash":
            said = {"role": "bashExecution", "command": text, "output": "", "excludeFromContext": True}
            return {"type": "message", "message": said}
        case "custom":
            return {"type": "custom_message", "customType": "c", "content": text, "display": False}
        case "branch":
            return {"type": "branch_summary", "fromId": "e0", "summary": text}
        case "cut":
            tail = [message("user", text)["message"], answer()["message"], None]
            embedded = {"retainedTail": tail} if draw(st.booleans()) else {}
            return {"type": "compaction", "summary": text, "tokensBefore": 1, **embedded, **kept}
        case "reset":
            return {"type": "reset", **kept}
        case "edit":
            replacement = draw(st.sampled_from([None, {"content": "other words"}, {"content": []}, "junk", {}]))
            return {"type": "context_edit", "targetId": draw(known), "replacement": replacement}
    return {"type": "label", "targetId": draw(known), "label": "l"}


@st.composite
def graphs(draw):
    """Entries of every kind that touches a context, on branches, some with repeated ids or parents that are missing."""
    size = draw(st.integers(1, 30))
    known = st.sampled_from([f"e{number}" for number in range(size)] + ["gone"])
    entries = []
    for number in range(size):
        entry = entry_of(draw, draw(st.sampled_from(KINDS)), "x" * draw(st.integers(0, 5)), known)
        if number and draw(st.integers(0, 4)) == 0:
            entry["parentId"] = draw(known)
        if number and draw(st.integers(0, 9)) == 0:
            entry["id"] = draw(known)
        entries.append(entry)
    return entries


def cut(**more):
    return {"type": "compaction", "summary": "s", "tokensBefore": 1, **more}


def edit(target, replacement=None):
    return {"type": "context_edit", "targetId": target, "replacement": replacement}


# An edit of what a compaction then leaves out, one of what it keeps, and one of what it had left out already.
@example(entries=[message("user", "xyz"), message("user"), edit("e0"), cut(firstKeptEntryId="e1"), answer()])
@example(entries=[message("user"), message("user", "xyz"), edit("e1"), cut(firstKeptEntryId="e1"), answer()])
@example(entries=[message("user", "xyz"), message("user"), cut(firstKeptEntryId="e1"), edit("e0"), answer()])
# A second compaction keeps from before the first one, which then adds nothing.
@example(entries=[message("user"), message("user"), cut(firstKeptEntryId="e1"), cut(firstKeptEntryId="e0"), answer()])
@example(entries=[message("user"), edit("e0", {"content": "longer than before"}), edit("e0", "junk"), answer()])
@given(entries=graphs())
def test_budgets_are_the_sum_of_step_0(entries, tmp_path_factory):
    """For every request of every path, and for what would be sent next: the budget by role is the sum of the counts
    of the messages that step 0 lists, whatever compactions, resets and edits stand on the path."""
    session = written(tmp_path_factory.mktemp("law") / "s.jsonl", entries)
    counter = Lengths()
    counts = count(session, counter)
    for leaf in session.leaves or (session.active_leaf,):
        made = build(session, leaf, counts)
        asked = [
            (item.tokens, item.compaction, made.path[: made.path.index(item.request.entry)]) for item in made.summaries
        ]
        for tokens, compaction, path in [*asked, (made.next_tokens, None, made.path)]:
            context = build_context(session, path)
            sums = [0] * len(ROLES)
            for said in context.messages:
                sums[place(said.role)] += counter.count(said)
            assert tokens == tuple(sums)
            assert tokens_of(context, counts) == tuple(map(counter.count, context.messages))
            if path is not made.path:
                assert compaction == context.compaction


def test_roles_of_the_stack(opened):
    """Shell commands and custom messages stand with the user, summaries of both kinds together."""
    session = opened(
        message("user"),
        message("toolResult"),
        {"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": ""}},
        {"type": "custom_message", "customType": "c", "content": "x", "display": True},
        {"type": "branch_summary", "fromId": "e0", "summary": "s"},
        answer(),
    )
    counts = Counts("ones", array("q", [1] * len(session)))
    made = build(session, session.active_leaf, counts)
    assert dict(zip(ROLES, made.summaries[0].tokens, strict=True)) == {
        "toolResult": 1,
        "summary": 1,
        "assistant": 0,
        "user": 3,
    }
    assert sum(made.next_tokens) == 6


def test_what_is_not_recorded_is_the_difference(opened):
    """Recorded prompt less the messages; never below nothing."""
    session = opened(message("user"), answer((5000, 5, 0, 0)), message("user", "y" * 900), answer((3, 5, 0, 0)))
    first, second = timeline_of(session).summaries
    assert first.unrecorded == 5000 - sum(first.tokens)
    assert second.unrecorded == 0


def test_empty_path(opened):
    """Before the first entry there is nothing, and that is no error."""
    made = build(opened(message("user"), answer()), None, Counts("none", array("q", [0, 0])))
    assert (made.path, made.summaries, made.next_tokens) == ((), (), (0, 0, 0, 0))


# windows


@pytest.mark.parametrize(
    ("model", "prompt", "wanted", "window"),
    [
        ("claude-sonnet-4-5", 1000, None, (200_000, True)),
        ("claude-sonnet-4-5", 300_000, None, (1_000_000, True)),
        ("no-such-model", 1000, None, (200_000, False)),
        ("no-such-model", 1000, 1_000_000, (1_000_000, True)),
    ],
)
def test_window(opened, model, prompt, wanted, window):
    """The person's word, else the model's (the larger one where a prompt shows it was in use), else 200,000 assumed."""
    made = timeline_of(opened(message("user"), answer((prompt, 1, 0, 0), model=model)), window=wanted)
    assert (made.window, made.window_known) == window


def test_window_of_a_reported_case():
    """Case 20: of 1,000,000 tokens 98,423 are in use at the last turn, not 0 %."""
    session = open_session(CASES / "20-context-percent-with-cache-read.jsonl")
    made = timeline_of(session, window=1_000_000)
    assert (made.window, made.summaries[-1].request.usage.prompt) == (1_000_000, 98_423)


# money and totals


def test_recorded_cost_comes_first(opened):
    """Recorded, also when it is nothing (a subscription); computed by the day's price; unknown stays unknown."""
    million = (0, 0, 0, 100_000)
    session = opened(
        message("user"),
        answer(million, cost=0.5),
        answer(million, cost=0),
        answer(million),
        answer(million, model="no-such-model"),
    )
    made = timeline_of(session)
    assert [item.cost for item in made.summaries] == [Decimal("0.5"), 0, Decimal("0.375"), None]
    assert [item.cost_recorded for item in made.summaries] == [True, True, False, False]
    assert made.summaries[-1].total_cost == Decimal("0.875")
    assert made.totals.unpriced == 1


def test_other_branches_count_in_the_file_only(opened):
    """
    u ─ a1 ─ a2        path: a1 + a3; file: all three
         └── a3
    """
    session = opened(
        message("user"), answer(cost=1, id="a1"), answer(cost=2, id="a2"), answer(cost=4, id="a3", parentId="a1")
    )
    made = timeline_of(session)
    assert (made.totals.cost, made.session_cost) == (5, 7)
    assert (made.totals.requests, made.session_totals.requests) == (2, 3)


def test_cached_share_of_a_reported_case():
    """Case 22: 47,520 of 61,400 prompt tokens were read, 77.4 %; never a share above 100 %."""
    session = open_session(CASES / "22-cached-share-never-over-100.jsonl")
    sums = totals(session, session.path_to(session.active_leaf))
    assert (sums.usage.input, sums.usage.read, sums.usage.write) == (1_600, 47_520, 12_280)
    assert round(sums.hit_rate, 3) == 0.774


@pytest.mark.parametrize(
    ("file", "tokens"), [("31-compaction-with-retained-tail", 9_400), ("72-every-unusual-entry-kind", 12)]
)
def test_calls_that_are_no_requests(file, tokens):
    """Cases 31 and 72: the usage of a compaction and of a title counts in the totals, and is no turn."""
    session = open_session(CASES / f"{file}.jsonl")
    sums = totals(session)
    asked = sum(request.usage.prompt + request.usage.output for request in session.requests())
    assert sums.usage.total == asked + tokens
    assert (sums.requests, sums.others) == (len(session.requests()), 1)


def test_no_tokens_have_no_share(opened):
    """Nothing sent, nothing divided by zero."""
    assert totals(opened(message("user"))).hit_rate is None


def test_numbers_of_a_path_are_asked_by_request(opened):
    """A timeline's requests are numbered from 1 along its path, and each has its prompt."""
    session = opened(message("user"), answer(), message("user"), answer())
    counts = count(session, Lengths())
    made = build(session, session.active_leaf, counts)
    assert [item.request.number for item in made.summaries] == [1, 2]
    assert [len(assemble(session, made, counts, number).blocks) for number in (1, 2, None)] == [1, 3, 4]
