"""Growth of prompts between neighbouring requests of a path. a: reply of a request, r: result, u: user."""

from __future__ import annotations

from core import growth
from core.growth import growths
from tests.core.talk import Talk


def between(session):
    return [(g.previous, g.rows, g.request) for g in growths(session)]


def test_a_line(tmp_path):
    """u0 a1 r2 r3 a4 u5 a6: from a1 to a4 over both results, from a4 to a6 over the user's words."""
    talk = Talk()
    talk.message("user", "hello")
    talk.reply(70)
    talk.message("toolResult", "one")
    talk.message("toolResult", "two")
    talk.reply(80)
    talk.message("user", "thanks")
    talk.reply(90)
    session = talk.open(tmp_path)
    assert between(session) == [(1, (2, 3), 4), (4, (5,), 6)]
    first, second = growths(session)
    assert first.tokens == 70 + talk.true[2] + talk.true[3]
    assert first.said == 70
    assert second.tokens == 80 + talk.true[5]
    assert second.prompt == talk.prompt() - talk.true[6]


def test_a_fork(tmp_path):
    """
    u0 a1 r2 ┬ a3
             └ u4 a5      r2 is part of both
    """
    talk = Talk()
    talk.message("user", "hello")
    talk.reply()
    shared = talk.message("toolResult", "one")
    talk.reply()
    talk.leaf = shared
    talk.message("user", "no, wait")
    talk.reply()
    assert between(talk.open(tmp_path)) == [(1, (2,), 3), (1, (2, 4), 5)]


def test_what_rewrites_a_prompt_ends_the_evidence(tmp_path):
    """Over a compaction, a reset or an edit there is no growth, before and after it there is."""
    for kind in ("compaction", "reset", "context_edit"):
        talk = Talk()
        talk.message("user", "hello")
        talk.work(2)
        talk.other(kind, summary="s", firstKeptEntryId=None, targetId="e0", replacement=None)
        talk.work(2)
        assert [(g.previous, g.request) for g in growths(talk.open(tmp_path))] == [(1, 3), (6, 8)]


def test_what_sends_nothing_is_stepped_over(tmp_path):
    """Settings, labels and unknown entries between two requests are no messages."""
    talk = Talk()
    talk.message("user", "hello")
    talk.reply()
    talk.other("thinking_level_change", thinkingLevel="high")
    talk.other("custom", customType="x", data={})
    talk.message("user", "go on")
    talk.reply()
    assert between(talk.open(tmp_path)) == [(1, (4,), 5)]


def test_another_model(tmp_path):
    """A growth over a change of model is told, and marked: the tokenizer may be another."""
    talk = Talk()
    talk.message("user", "hello")
    talk.reply()
    talk.model = "another"
    talk.work(2)
    assert [g.same_model for g in growths(talk.open(tmp_path))] == [False, True]


def test_an_aborted_reply(tmp_path):
    """Its prompt was sent and counts; what it said is not known to have been kept."""
    talk = Talk()
    talk.message("user", "hello")
    talk.reply(70)
    talk.message("user", "and")
    talk.reply(5, stop="aborted", sent_again=0)
    talk.message("user", "go on")
    talk.reply(80)
    first, second = growths(talk.open(tmp_path))
    assert (first.said, second.said) == (70, None)
    assert second.tokens == talk.true[4]


def test_far_and_lost(tmp_path, monkeypatch):
    """No request above within reach, or a parent that is not there: no growth."""
    monkeypatch.setattr(growth, "FARTHEST", 5)
    talk = Talk()
    talk.message("user", "hello")
    talk.reply()
    for _ in range(5):
        talk.message("user", "more")
    talk.reply()
    talk.message("user", "lost")
    talk.entries[-1]["parentId"] = "nobody"
    talk.reply()
    assert between(talk.open(tmp_path)) == []
