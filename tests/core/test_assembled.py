"""The assembled prompt: blocks, cache states, and where the recorded read ends.

Counts are set by hand, ten tokens a block; tools and system are what the recorded prompt has beyond them.
"""

from __future__ import annotations

import json
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assembled import assemble
from core.context import Origin
from core.context import build as build_context
from core.counts import Counts
from core.errors import RequestError
from core.format import open_session
from core.messages import Message
from core.prompt import Block
from core.timeline import build

TIME = "2026-01-05T10:00:00.000Z"


def user(text="u"):
    return {"type": "message", "message": {"role": "user", "content": text}}


def answer(read, write, input=3, model="claude-sonnet-4-5"):
    usage = {"input": input, "output": 5, "cacheRead": read, "cacheWrite": write}
    said = {"role": "assistant", "content": [], "provider": "anthropic", "model": model, "usage": usage}
    return {"type": "message", "message": {**said, "stopReason": "stop", "timestamp": 1_767_607_200_000}}


def cut(**more):
    return {"type": "compaction", "summary": "s", "tokensBefore": 1, **more}


def edit(target, replacement=None):
    return {"type": "context_edit", "targetId": target, "replacement": replacement}


def written(path: Path, entries):
    lines = [{"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": "/"}]
    for number, entry in enumerate(entries):
        above = f"e{number - 1}" if number else None
        lines.append({"timestamp": TIME, "id": f"e{number}", "parentId": above, **entry})
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return open_session(path)


@pytest.fixture
def assembled(tmp_path):
    def assembled(entries, number, each=10, error=None, **caches):
        session = written(tmp_path / "s.jsonl", entries)
        tails = {row: (("user", each),) for row in range(len(session)) if session.type_of(row) == "compaction"}
        edits = {row: 7 for row in range(len(session)) if session.type_of(row) == "context_edit"}
        counts = Counts("ten", array("q", [each] * len(session)), error, tails, edits)
        return assemble(session, build(session, session.active_leaf, counts), counts, number, **caches)

    return assembled


def drawn(found):
    """`S` tools and system, then the blocks, `|` the rule: lower case read, upper case written, dot uncached."""
    letters = {"read": "r", "written": "W", "uncached": ".", "unknown": "?"}
    blocks = "".join(letters[state] for state in found.states)
    at = found.cached_blocks
    blocks = blocks if at is None else blocks[:at] + "|" + blocks[at:]
    return letters[found.unrecorded_state] + " " + blocks


# where the read ends


def test_read_ends_behind_what_an_older_request_had_sent(assembled):
    """The first request left 1,010 tokens, the second read exactly those: its own prompt ends behind u, whatever the
    counts say of the answer and the next question."""
    found = assembled([user(), answer(0, 1010), user(), answer(1010, 500)], 2, each=300)
    assert drawn(found) == "r r|WW"
    assert (found.cached_tokens, found.cached_exact) == (1010, True)


def test_read_beyond_the_last_logged_request_is_estimated(assembled):
    """1,021 is nobody's size; 1,000 and two blocks of ten come nearest."""
    found = assembled([user(), answer(0, 1010), user(), answer(1021, 9, input=0)], 2)
    assert (drawn(found), found.cached_exact) == ("r rr|W", False)


def test_read_inside_tools_and_system(assembled):
    """The rule stands before the first block when the read ended in what is not recorded."""
    found = assembled([user(), answer(0, 1010), user(), answer(600, 430, input=0)], 2)
    assert (drawn(found), found.unrecorded) == ("r |WWW", 1000)


def test_nothing_read(assembled):
    """A first request writes; there is no rule, and nothing is read."""
    found = assembled([user(), answer(0, 1010)], 1)
    assert (drawn(found), found.cached_blocks, found.cached_tokens) == ("W W", None, 0)


def test_nothing_cached(assembled):
    assert drawn(assembled([user(), answer(0, 0, input=1010)], 1)) == ". ."


def test_cache_that_reports_no_writes(assembled):
    """What was not read is uncached: nobody says it was written."""
    found = assembled([user(), answer(0, 0, 1010), user(), answer(1010, 0, 20)], 2)
    assert drawn(found) == "r r|.."


def test_plain_input_behind_the_last_mark(assembled):
    """Twenty tokens of plain input are scaffolding; five hundred are blocks behind the last mark."""
    assert drawn(assembled([user(), answer(0, 1010), user(), answer(1010, 500, 20)], 2, each=300)) == "r r|WW"
    assert drawn(assembled([user(), answer(0, 1010), user(), answer(1010, 300, 300)], 2, each=300)) == "r r|W."


def test_older_request_of_another_compaction_says_nothing(assembled):
    """The sizes agree by chance; the messages are others."""
    entries = [user(), answer(0, 1010), cut(retainedTail=[{"role": "user", "content": "kept"}]), user()]
    found = assembled([*entries, answer(1010, 20)], 2)
    assert not found.cached_exact


def test_edit_since_the_older_request(assembled):
    """A message that was sent before has changed since: only the estimate is left."""
    found = assembled([user(), answer(0, 1010), edit("e0", {"content": "other"}), user(), answer(1010, 20)], 2)
    assert not found.cached_exact


def test_estimates_larger_than_the_prompt(assembled):
    """They are shrunk to it: half of the prompt was read, so half of the blocks were."""
    found = assembled([user(), answer(0, 0, 20), user(), user(), answer(50, 50, 0)], 2, each=100)
    assert (drawn(found), found.unrecorded) == ("r rr|WW", 0)


@pytest.mark.parametrize(("read", "drawing"), [(1250, "r r|WW"), (1400, "r r|WW"), (1650, "r rr|W"), (1700, "r rr|W")])
def test_no_block_is_claimed_beyond_the_error(assembled, read, drawing):
    """Boundaries at 1,000, 1,700 and 2,400. 1,400 is nearer to the second, but it lies farther beyond the read than the
    counter is ever wrong on what was read since the first (20 % of 400)."""
    entries = [user(), answer(0, 1000), user(), answer(read, 2400 - read, 0)]
    assert drawn(assembled(entries, 2, each=400, error=(0.01, 0.2))) == drawing


def test_recorded_sizes_of_older_requests_fix_the_boundaries(assembled):
    """Three requests left 1,010, 1,510 and 1,530 tokens; the fourth reads 1,500, so it ended behind the second's
    question. The counts alone (all blocks alike) would put it elsewhere."""
    entries = [user(), answer(0, 1010), user(), answer(1010, 500), user(), answer(1510, 20), user(), answer(1500, 100)]
    found = assembled(entries, 4)
    assert drawn(found) == "r rrr|WWWW"


def test_read_of_the_whole_previous_prompt(assembled):
    """Other caches keep all of it, plain input too (case 22): also exact."""
    found = assembled([user(), answer(0, 0, 1010), user(), answer(1010, 0, 20)], 2)
    assert found.cached_exact


# the whole


def test_what_would_be_sent_next(assembled):
    """No usage yet, so no states; tools and system as large as last time."""
    found = assembled([user(), answer(0, 1010), user()], None)
    assert (found.request, drawn(found), found.unrecorded) == (None, "? ???", 1003)


def test_nothing_recorded_at_all(assembled):
    assert assembled([user(), user()], None).unrecorded is None


@pytest.mark.parametrize("number", [0, -1, 3])
def test_requests_that_are_not_there(assembled, number):
    with pytest.raises(RequestError, match="2"):
        assembled([user(), answer(0, 1010), user(), answer(1010, 20)], number)


def test_tokens_follow_their_message(assembled):
    """Embedded messages and edited ones have counts of their own."""
    tail = {"retainedTail": [{"role": "user", "content": "kept"}]}
    found = assembled([user(), cut(**tail), user(), edit("e2", {"content": "new"}), answer(0, 100)], 1, each=10)
    assert [(block.message.role, tokens) for block, tokens in zip(found.blocks, found.tokens, strict=True)] == [
        ("compactionSummary", 10),
        ("user", 10),
        ("user", 7),
    ]


def test_caches_are_used(assembled):
    """The caller may give the blocks of an earlier request."""
    made = []

    def block(message: Message, origin: Origin) -> Block:
        made.append(Block.of(message, origin))
        return made[-1]

    found = assembled([user("a"), answer(0, 1010)], 1, block=block)
    assert all(one is other for one, other in zip(found.blocks, made, strict=True))
    assert [block.key for block in made] == [block.message.key() for block in found.blocks]


@given(
    sizes=st.lists(st.integers(0, 400), min_size=1, max_size=8),
    usages=st.lists(st.tuples(*(st.integers(0, 3000),) * 3), min_size=8, max_size=8),
    number=st.integers(1, 8),
)
def test_laws(sizes, usages, number, tmp_path_factory):
    """Blocks are those of step 0. Read blocks stand first, then written ones, then uncached ones; nothing is read
    where no read is recorded, nothing written where no write is, and the rule stands where the read blocks end."""
    entries = [
        entry
        for (read, write, input), _ in zip(usages, sizes, strict=False)
        for entry in (user(), answer(read, write, input))
    ]
    session = written(tmp_path_factory.mktemp("law") / "s.jsonl", entries)
    tokens = array("q", [sizes[row % len(sizes)] for row in range(len(session))])
    counts = Counts("drawn", tokens)
    timeline = build(session, session.active_leaf, counts)
    last = len(timeline.summaries)
    if not last:
        return
    found = assemble(session, timeline, counts, min(number, last))
    usage = found.request.usage
    path = timeline.path[: timeline.path.index(found.request.entry)]
    assert [block.message for block in found.blocks] == list(build_context(session, path).messages)
    order = ["read", "written", "uncached"]
    assert list(found.states) == sorted(found.states, key=order.index)
    assert usage.read or "read" not in found.states
    assert usage.write or "written" not in found.states
    assert found.cached_blocks == (found.states.count("read") if usage.read else None)
    assert found.unrecorded == max(0, usage.prompt - sum(found.tokens))
