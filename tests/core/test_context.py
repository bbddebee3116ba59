"""Step 0: which messages stand in the context of a path, where they come from, and what fell out on the way.

    path      m1 m2 m3 C(keep m3) m4 m5
    context   [summary of C] m3 m4 m5          m1, m2 are summarised

The recorded cases of the agent stand in test_open_session.py; here are the rules that they do not reach.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.context import build, kept_rows, message_of, settings_on
from tests.core.drawn import opened, said

M, C, R = "m", "c", "r"


def drawn(tmp_path, picture):
    """`u0 C(u0) R(-) …`: messages named by their text, compactions C and resets R with the first kept entry in ()."""
    entries = []
    for word in picture.split():
        if word[0] in "CR":
            name, kept = word.rstrip(")").split("(")
            kind = "compaction" if name[0] == "C" else "reset"
            more = {"summary": name} if kind == "compaction" else {}
            entries.append({"type": kind, "id": name, **more, **({"firstKeptEntryId": kept} if kept != "-" else {})})
        else:
            entries.append({**said("user", word), "id": word})
    session = opened(*entries, tmp_path=tmp_path)
    return session, session.path_to(session.active_leaf)


def shown(session, context):
    return [message.get("summary") or message.text() for message in context.messages]


def named(session, rows):
    return [session.columns.ids[row] for row in rows]


@pytest.mark.parametrize("picture", ["m1 m2", "m1 m2 C1(m2) m3", "m1 C1(-) m2", "m1 C1(m1) m2 R1(m2) m3 C2(gone) m4"])
def test_rows_that_are_sent(tmp_path, picture):
    """Everything that stands in the context comes from them: reading them first leaves nothing to read."""
    session, path = drawn(tmp_path, picture)
    rows = kept_rows(session, path, session.body)
    sent = {row for origin in build(session, path).origins for row in origin.rows}
    assert sent <= set(rows) | {row for row in path if session.type_of(row) == "compaction"}
    assert {row for row in rows if session.type_of(row) == "message"} <= sent


@pytest.mark.parametrize(
    ("picture", "context", "summarised", "fell_out"),
    [
        ("m1 m2", "m1 m2", "", ""),
        ("m1 m2 m3 C1(m3) m4 m5", "C1 m3 m4 m5", "m1 m2", ""),
        ("m1 m2 C1(-) m3", "C1 m3", "m1 m2", ""),
        ("m1 m2 C1(gone) m3", "C1 m3", "m1 m2", ""),
        # kept by the first, lost by the second: pi before 0.65 summarises only what follows the previous compaction
        ("m1 m2 C1(m2) m3 C2(m3) m4", "C2 m3 m4", "m1", "m2"),
        ("m1 m2 C1(m2) m3 C2(m2) m4", "C2 m2 m3 m4", "m1", ""),
        # a reset has no summary: what it removes fell out
        ("m1 m2 R1(-) m3", "m3", "", "m1 m2"),
        ("m1 m2 R1(m2) m3", "m2 m3", "", "m1"),
        ("m1 C1(-) m2 R1(-) m3", "m3", "m1", "m2"),
        ("m1 R1(-) m2 C1(-) m3", "C1 m3", "m2", "m1"),
    ],
)
def test_cuts(tmp_path, picture, context, summarised, fell_out):
    """The latest compaction or reset decides; earlier ones add nothing."""
    session, path = drawn(tmp_path, picture)
    found = build(session, path)
    assert shown(session, found) == context.split()
    assert named(session, found.summarised) == summarised.split()
    assert named(session, found.fell_out) == fell_out.split()


def test_what_a_newer_agent_summarises(tmp_path):
    """From 0.65 on the input of a summary begins at the previous one's first kept entry: nothing falls out."""
    session, path = drawn(tmp_path, "m1 m2 C1(m2) m3 C2(m3) m4")
    found = build(session, path, summary_input="from_first_kept")
    assert named(session, found.summarised) == ["m1", "m2"]
    assert found.fell_out == ()


def test_origins(tmp_path):
    """Every message tells its entry, and what made it when it is not the entry itself."""
    tail = [{"role": "user", "content": "kept"}]
    session = opened(
        said("user", "m1"),
        {"type": "compaction", "summary": "S", "retainedTail": tail, "tokensBefore": 9},
        said("user", "m2"),
        tmp_path=tmp_path,
    )
    found = build(session, session.path_to(session.active_leaf))
    assert [(origin.rows, origin.made_by) for origin in found.origins] == [
        ((1,), "summary"),
        ((1,), "retained_tail"),
        ((2,), ""),
    ]
    assert found.compaction == 1
    assert found.messages[0].json() == {
        "role": "compactionSummary",
        "summary": "S",
        "tokensBefore": 9,
        "timestamp": 1775570532000,
    }


def test_context_edits(tmp_path):
    """The last edit on the path wins for its target: new content, or away; another branch's edit has no effect."""
    session = opened(
        said("user", "m1"),
        said("user", "m2"),
        {"type": "context_edit", "targetId": "e0", "replacement": None},
        {"type": "context_edit", "targetId": "e0", "replacement": {"content": "new"}},
        {"type": "context_edit", "targetId": "e1", "replacement": None},
        tmp_path=tmp_path,
    )
    path = session.path_to(session.active_leaf)
    found = build(session, path)
    assert [message.json() for message in found.messages] == [{"role": "user", "content": "new"}]
    assert (found.origins[0].rows, found.origins[0].made_by) == ((0, 3), "context_edit")
    assert shown(session, build(session, path[:3])) == ["m2"]
    assert shown(session, build(session, path[:2])) == ["m1", "m2"]


def test_settings(tmp_path):
    """The last one named wins; a delivery mirror names no model."""
    session = opened(
        {"type": "thinking_level_change", "thinkingLevel": "high"},
        {"type": "model_change", "provider": "p", "modelId": "m"},
        said("assistant", "a", provider="q", model="n"),
        said("assistant", "a", provider="openclaw", model="delivery-mirror"),
        tmp_path=tmp_path,
    )
    path = session.path_to(session.active_leaf)
    assert settings_on(session, path, session.body) == ("high", ("q", "n"))
    assert settings_on(session, path[:2], session.body) == ("high", ("p", "m"))
    assert settings_on(session, (), session.body) == ("off", None)


def test_what_is_no_message(tmp_path):
    """Settings, an empty branch summary, a message entry without a message: nothing is sent."""
    session = opened(
        {"type": "label", "targetId": "x"},
        {"type": "branch_summary", "summary": "", "fromId": "x"},
        {"type": "message"},
        {"type": "unknown", "message": {"role": "user", "content": "x"}},
        tmp_path=tmp_path,
    )
    assert [message_of(session, row) for row in range(4)] == [None] * 4
    assert build(session, session.path_to(session.active_leaf)).messages == ()


def test_a_cache_of_messages_is_used(tmp_path):
    """The callers' caches stand in for the file: without compaction every message is asked for once."""
    session, path = drawn(tmp_path, "m1 m2 m3")
    asked = []

    def message(row):
        asked.append(row)
        return message_of(session, row)

    found = build(session, path, message=message, body=session.body)
    assert asked == [0, 1, 2]
    assert len(found.messages) == 3


words = st.sampled_from(["m", "C", "R"])


@given(st.lists(st.tuples(words, st.integers(0, 9)), min_size=1, max_size=10))
def test_laws(tmp_path_factory, shape):
    """Every message of the path is sent, summarised, or fell out: exactly one of the three; order is kept."""
    picture = " ".join(
        f"m{i}" if word == "m" else f"{word}{i}({'m' + str(kept) if kept < i else '-'})"
        for i, (word, kept) in enumerate(shape)
    )
    session, path = drawn(tmp_path_factory.mktemp("c"), picture)
    for summary_input in ("after_compaction", "from_first_kept"):
        found = build(session, path, summary_input=summary_input)
        sent = [origin.rows[0] for origin in found.origins if not origin.made_by]
        assert sent == sorted(sent)
        messages = [row for row in path if session.type_of(row) == "message"]
        assert sorted([*sent, *found.summarised, *found.fell_out]) == messages
        assert len(found.messages) == len(found.origins)
        assert (found.compaction is None) == all(session.type_of(row) == "message" for row in path)
