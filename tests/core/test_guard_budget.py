"""The budget pass: moving the budget gives what the pass gives from nothing, and tells how much is still too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import guard_budget as guard
from core.cutting import PLACEHOLDER
from core.estimate import guard_chars
from core.guard_budget import Budget
from core.prompt import Block
from tests.core.made import blocks_of, call, reply, result, step, user

results = st.one_of(
    st.builds(
        lambda n, tail, more: result("x", "line\n" * (n // 5) + "w" * (n % 5) + tail, **more),
        st.one_of(st.integers(0, 130), st.integers(0, 9_000)),
        st.sampled_from(["", " Error: failed", "}"]),
        st.sampled_from([{}, {"details": "d" * 300}, {"details": None}]),
    ),
    st.builds(lambda n: {**result("x"), "content": "s" * n}, st.integers(0, 400)),
    st.just({**result("x"), "content": [{"type": "image", "data": "AAAA"}]}),
    st.just(result("x", PLACEHOLDER)),
    st.just(result("x", "t" * 48, details="d" * 200)),
    st.just(result("x", "t" * 20, details="d" * 200)),
)
prompts = st.lists(st.one_of(results, st.just(user("u" * 40)), st.just(reply(call("x")))), max_size=12).map(
    lambda raw: blocks_of(*raw)
)
needs = st.lists(st.integers(1, 40_000), min_size=1, max_size=6)


def plain(blocks, need, direction, first) -> Budget:
    """The two passes as they are described, result by result."""
    context = step()
    after, reduced, cut, emptied = list(blocks), 0, 0, 0
    order = guard.order(context, blocks, direction)

    def count(block):
        return guard_chars(block.message)

    hollow = guard._is_placeholder

    def give(index, block):
        nonlocal reduced
        reduced += max(0, count(after[index]) - count(block))
        after[index] = block

    for index in order if first == "partial" else ():
        before = count(after[index])
        if reduced >= need or before <= 48:
            continue
        target = max(192, before - (need - reduced))
        block = guard.emptied_block(context, after[index])
        if before > target:
            less = Block.of(guard._cut_to(after[index].message, target), after[index].origin, after[index])
            block = less if count(less) < before else block
        cut, emptied = (cut, emptied + 1) if hollow(block) else (cut + 1, emptied)
        give(index, block)
    for index in order:
        if reduced >= need or count(after[index]) <= 48:
            continue
        if not hollow(after[index]):
            cut, emptied = cut - (after[index] is not blocks[index]), emptied + 1
        give(index, guard.emptied_block(context, blocks[index]))
    return Budget(tuple(after), cut, emptied, max(0, need - reduced))


@given(
    prompts, needs, st.sampled_from(["second_newest", "oldest", "newest"]), st.sampled_from(["partial", "placeholder"])
)
def test_moving_the_budget_is_starting_anew(blocks, moved, direction, first):
    """Whatever was asked before of the same blocks, more or less: blocks, counts and rest are the same."""
    context = step()
    for need in moved:
        found = guard.spend(context, blocks, need, direction, first)
        expected = plain(blocks, need, direction, first)
        assert [b.message.json() for b in found.blocks] == [b.message.json() for b in expected.blocks]
        assert (found.cut, found.emptied, found.missing) == (expected.cut, expected.emptied, expected.missing)
        for old, new in zip(blocks, found.blocks, strict=True):
            assert new is old or new.before is old


def test_the_same_need_gives_the_same_blocks():
    """Moved away and back: not merely equal ones."""
    blocks = blocks_of(*(result(f"c{n}", str(n) * 2_000) for n in range(5)))
    context = step()
    first = guard.spend(context, blocks, 5_000, "second_newest", "partial").blocks
    guard.spend(context, blocks, 9_000, "second_newest", "partial")
    again = guard.spend(context, blocks, 5_000, "second_newest", "partial").blocks
    assert all(a is b for a, b in zip(first, again, strict=True))


@pytest.mark.parametrize(
    ("name", "expected"), [("oldest", [1, 3, 5]), ("newest", [5, 3, 1]), ("second_newest", [3, 1, 5])]
)
def test_order(name, expected):
    """`second_newest`: back from the one before the last, which comes last."""
    blocks = blocks_of(user(), result("a"), user(), result("b"), user(), result("c"))
    assert list(guard.order(step(), blocks, name)) == expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([], None),
        ([user()], None),
        ([result("a", name="read"), user()], 0),
        ([result("a", name="read"), result("b")], None),
        ([{**result("a", name=" "), "tool_name": "read"}], 0),
        ([result("a", name=" read ")], None),
    ],
)
def test_latest_read(messages, expected):
    """The newest result counts, and its name as it is written."""
    assert guard.latest_read(step(), blocks_of(*messages)) == expected


@given(prompts, needs, st.integers(0, 11), st.sampled_from(["second_newest", "oldest", "newest"]), st.data())
def test_a_ladder_handed_on_is_a_new_one(blocks, wanted, at, direction, data):
    """One block becomes another between two needs, as when a threshold above the budget pass is moved: what was made of
    the others is taken over, and the outcome is that of a ladder that knows nothing.

        needs 9,000 · 200   block 3 is cut above   needs 12,000 · 60 …
    """
    first = data.draw(st.sampled_from(["partial", "placeholder"]))
    held = step()
    for need in wanted:
        guard.spend(held, blocks, need, direction, first)
    if blocks:
        old = blocks[at % len(blocks)]
        new = Block.of(blocks_of(result("x", "n" * data.draw(st.integers(0, 3_000))))[0].message, old.origin, old)
        blocks = tuple(new if block is old else block for block in blocks)
    for need in data.draw(needs):
        mine = guard.spend(held, blocks, need, direction, first)
        whole = guard.spend(step(), blocks, need, direction, first)
        assert (mine.cut, mine.emptied, mine.missing) == (whole.cut, whole.emptied, whole.missing)
        assert [block.key for block in mine.blocks] == [block.key for block in whole.blocks]
