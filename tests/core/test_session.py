"""The DAG: roots, children, leaves, branch points, the active leaf, paths; and which replies are requests."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.format import open_session
from core.session import DANGLING, ROOT, Reply, is_mirror, is_request

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/w"}


def entry(id, parent, type="message", **more):
    if type == "message":
        more.setdefault("message", {"role": "user", "content": id})
    return {"type": type, "id": id, "parentId": parent, "timestamp": "2026-01-05T10:00:01.000Z", **more}


@pytest.fixture
def session(tmp_path):
    def session(*entries, header=HEADER):
        path = tmp_path / "s.jsonl"
        path.write_text("".join(json.dumps(value) + "\n" for value in (header, *entries)), encoding="utf-8")
        return open_session(path)

    return session


def ids(session, rows):
    return [session.columns.ids[row] for row in rows]


def test_a_fork(session):
    """
    a ─ b ─ c
      └ d
    """
    s = session(entry("a", None), entry("b", "a"), entry("c", "b"), entry("d", "a"))
    assert ids(s, s.roots) == ["a"]
    assert ids(s, s.children(0)) == ["b", "d"]
    assert ids(s, s.leaves) == ["c", "d"]
    assert ids(s, s.branch_points) == ["a"]
    assert ids(s, s.path_to(s.active_leaf)) == ["a", "d"]
    assert s.path_to(None) == ()
    assert s.row_of("zz") is None


def test_the_active_leaf_is_the_last_entry_of_any_type(session):
    """A label too (recorded case h-0054)."""
    s = session(entry("a", None), entry("l", "a", "label", targetId="a", label="x"))
    assert ids(s, [s.active_leaf]) == ["l"]
    assert ids(s, s.leaves) == ["l"]


def test_a_leaf_entry_names_another(session):
    """
    a ─ b ─ c ─ leaf(b)        active: b; c is still a leaf, the control entry is none
    """
    s = session(entry("a", None), entry("b", "a"), entry("c", "b"), entry("x", "c", "leaf", targetId="b"))
    assert ids(s, [s.active_leaf]) == ["b"]
    assert ids(s, s.leaves) == ["c"]
    assert s.branch_points == ()


def test_an_entry_after_a_leaf_entry_is_active_again(session):
    """
    a ─ b ─ c ─ leaf(b)
          └ d                  active: d
    """
    s = session(
        entry("a", None), entry("b", "a"), entry("c", "b"), entry("x", "c", "leaf", targetId="b"), entry("d", "b")
    )
    assert ids(s, [s.active_leaf]) == ["d"]
    assert ids(s, s.leaves) == ["c", "d"]
    assert ids(s, s.branch_points) == ["b"]


def test_a_leaf_entry_that_something_follows_is_part_of_the_chain(session):
    """a ─ leaf(a) ─ b"""
    s = session(entry("a", None), entry("x", "a", "leaf", targetId="a"), entry("b", "x"))
    assert ids(s, s.path_to(s.active_leaf)) == ["a", "x", "b"]
    assert ids(s, s.leaves) == ["b"]


@pytest.mark.parametrize(("target", "active"), [(None, []), ("gone", ["a", "b"])])
def test_leaf_entries_that_name_nothing(session, target, active):
    """Null: before the first entry, nothing is sent. An unknown id: no effect, and a Problem."""
    s = session(entry("a", None), entry("b", "a"), entry("x", "b", "leaf", targetId=target))
    assert ids(s, s.path_to(s.active_leaf)) == active
    assert [problem.code for problem in s.problems] == (["target_missing"] if target else [])


def test_entry_tells_what_the_file_says(session):
    s = session(entry("a", None), entry("b", "gone"))
    view = s.entry(1)
    assert (view.id, view.parent_id, view.type, view.role, view.line) == ("b", "gone", "message", "user", 3)
    assert s.columns.parent[1] == DANGLING
    assert json.loads(s.line_bytes(1)) == s.body(1)
    assert [e.row for e in s.entries()] == [0, 1]


def test_a_session_crosses_to_another_process(session):
    """What is computed on demand stays behind; bodies are read from the file again."""
    s = session(*(entry(f"e{n}", f"e{n - 1}" if n else None) for n in range(50)))
    assert s.leaves
    assert s.body(0)
    there = pickle.loads(pickle.dumps(s))
    assert "_children" not in there.__dict__
    assert there.path_to(there.active_leaf) == s.path_to(s.active_leaf)
    assert there.body(7) == s.body(7)
    assert len(pickle.dumps(s)) < 10_000


names = st.sampled_from(["a", "b", "c", "d", "e", "f"])


@given(
    st.lists(st.tuples(names, st.none() | names | st.just("gone"), st.sampled_from(["message", "leaf"])), max_size=12)
)
def test_laws_of_the_dag(tmp_path_factory, shape):
    """For any ids (repeated, permuted, dangling, circular): one root above every row; children and leaves
    agree with the parents; paths run from a root to their leaf."""
    path = tmp_path_factory.mktemp("dag") / "s.jsonl"
    values = [HEADER, *(entry(id, parent, type, targetId="a") for id, parent, type in shape)]
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    s = open_session(path)
    rows = range(len(s))
    reached = [row for root in s.roots for row in _below(s, root)]
    assert sorted(reached) == list(rows)
    for row in rows:
        walked = s.path_to(row)
        assert walked[-1] == row
        assert s.columns.parent[walked[0]] in (ROOT, DANGLING)
        assert all(s.columns.parent[below] == above for above, below in pairwise(walked))
        assert all(s.columns.parent[child] == row for child in s.children(row))
    inner = {row for row in rows if any(s.type_of(below) != "leaf" for below in _below(s, row)[1:])}
    assert list(s.leaves) == [row for row in rows if row not in inner and s.type_of(row) != "leaf"]
    assert s.active_leaf is None or s.active_leaf in rows


def _below(session, row):
    found, waiting = [], [row]
    while waiting:
        found.append(waiting.pop())
        waiting += session.children(found[-1])
    return found


def reply(id, parent, usage=None, **message):
    body = {"role": "assistant", "content": [], "provider": "p", "model": "m", "timestamp": 1000, **message}
    return entry(id, parent, message={**body, **({"usage": usage} if usage is not None else {})})


USED = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 20, "totalTokens": 135}


def test_requests(session):
    """One per model call with usage: no mirrors, no failed ones, none without usage; numbered along the path."""
    s = session(
        entry("u", None),
        reply("a", "u", USED, stopReason="toolUse"),
        reply("b", "a", {"input": 0, "output": 0}, stopReason="error"),
        reply("c", "b", {"input": 0}, provider="openclaw", model="delivery-mirror"),
        reply("d", "c"),
        reply("side", "u", USED),
        reply("e", "d", USED, stopReason="stop", timestamp="2026-01-05T10:00:00.500Z"),
    )
    whole, on_path = s.requests(), s.requests(s.path_to(s.active_leaf))
    assert ids(s, [r.entry for r in whole]) == ["a", "side", "e"]
    assert ids(s, [r.entry for r in on_path]) == ["a", "e"]
    assert [r.number for r in on_path] == [1, 2]
    assert [r.usage.prompt for r in on_path] == [130, 130]
    assert on_path[1].end - on_path[1].start == 500
    assert len(s.columns.replies) == 6


@pytest.mark.parametrize("provider", ["openclaw", "clawdbot", "moltbot"])
@pytest.mark.parametrize("model", ["delivery-mirror", "gateway-injected"])
def test_mirrors(provider, model):
    """Copies of what was delivered to a chat channel: no request (agent pipeline 3)."""
    assert is_mirror(provider, model)
    assert not is_mirror(provider, "claude")
    assert not is_mirror("anthropic", model)
    assert not is_request(Reply(0, provider, model, "", "stop", None, None, None))


def test_usage_outside_of_replies(session):
    """By a compaction, a `usage` entry, a tool result: counted toward totals, never a request."""
    s = session(
        entry("c", None, "compaction", summary="s", usage=USED),
        entry("t", "c", "usage", kind="title", usage={"input": 10, "output": 2, "totalTokens": 12}),
        entry("n", "t", "usage", kind="title", input=1, totalTokens=1),
        entry("r", "n", message={"role": "toolResult", "content": [], "usage": USED}),
    )
    assert [(s.columns.ids[row], usage.total) for row, usage in s.columns.other_usage] == [
        ("c", 135),
        ("t", 12),
        ("n", 1),
        ("r", 135),
    ]
    assert s.requests() == ()
