"""Two profiles on one request: what each takes away, where they part, what that costs."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.compared import common, compared, sent
from core.cutting import PLACEHOLDER
from core.layer import StepContext
from core.models import price_at
from core.pipeline import Sizes, Trace, run
from core.prompt import Block, Blocks
from tests.core.made import prompts
from tests.core.stepped import ANTHROPIC, blocks, chars, context, profile, reply, result, user

SONNET = "claude-sonnet-4-5"
KEEP = profile("provider_messages")
OLDEST = profile(
    ("guard_context", {"order": "oldest", "first": "placeholder", "protect_latest_read": False}), "provider_messages"
)
NEWEST = profile(
    ("guard_context", {"order": "newest", "first": "placeholder", "protect_latest_read": False}), "provider_messages"
)


def ran(made: Blocks, wanted, window: int = 1_000) -> Trace:
    step = StepContext(window=window, target=ANTHROPIC)
    return run(context(tuple(block.message for block in made)), made, wanted, step, Sizes(chars, chars))


def talk(*sizes: int) -> Blocks:
    said = [user("go")]
    for number, size in enumerate(sizes):
        said += [reply("", f"c{number}"), result(f"c{number}", str(number) * size)]
    return blocks(said)


def both(made: Blocks, one, other, **price):
    return compared(ran(made, one), ran(made, other), chars, **price)


def test_oldest_and_newest_first():
    """Each empties another result; they part at the older one, and everything behind it is written again."""
    made = talk(1_000, 700)
    found = both(made, NEWEST, OLDEST, model=SONNET)
    assert (found.a.emptied, found.b.emptied) == ((4,), (2,))
    assert (found.a.cut, found.b.cut) == ((), ())
    assert (found.a.hidden, found.b.hidden) == (700, 1_000)
    assert [row.kind for row in found.rows] == ["same", "same", "replaced", "same", "replaced"]
    assert found.first is not None
    assert found.first.block == 2
    assert found.behind == (1_000 + len(PLACEHOLDER), len(PLACEHOLDER) + 700)
    price = price_at(SONNET, None, 0)
    assert price is not None
    assert found.cost == found.behind[1] * (price.write - price.read) / 1_000_000


def test_the_same_is_sent():
    """Nothing parts, nothing costs."""
    found = both(talk(20, 20), NEWEST, OLDEST)
    assert (found.first, found.behind, found.cost, found.different) == (None, (0, 0), Decimal(0), 0)


def test_without_a_price():
    """Of a model that is not known the tokens are told alone."""
    found = both(talk(1_000, 700), NEWEST, OLDEST, model="nobody's")
    assert found.cost is None
    assert found.behind[1] > 0


def test_what_is_left_out():
    """A message that one side drops is a row of its own, and its text is hidden if it was a result."""
    made = talk(30, 40)
    window = profile(("sliding_window", {"messages": 2}), "provider_messages")
    found = both(made, KEEP, window)
    assert (found.a.dropped, found.b.dropped) == (0, 2)
    assert (found.a.hidden, found.b.hidden) == (0, 30)
    assert [row.kind for row in found.rows] == ["same", "dropped", "dropped", "same", "same"]


def test_merged_messages_are_not_left_out():
    """What went into its neighbour is sent."""
    made = blocks([user("a"), user("b")])
    assert sent(ran(made, profile("validate_turns")), chars).dropped == 0


def test_what_came_in_cut_is_nobodys_doing():
    """Only what the steps of a side took counts as theirs."""
    made = tuple(Block.of(block.message, block.origin) for block in ran(talk(1_000, 700), OLDEST).blocks)
    found = sent(ran(made, KEEP), chars)
    assert (found.cut, found.emptied, found.hidden) == ((), (), 0)


SETS = (KEEP, OLDEST, NEWEST, profile("repair_pairs", "validate_turns"), profile(("sliding_window", {"messages": 3})))


@settings(max_examples=settings().max_examples // 3)  # each compares three pairs of prompts
@given(prompts, st.sampled_from(SETS), st.sampled_from(SETS))
def test_rows_hold_every_block_once(made, one, other):
    """Read on one side alone they are that side's prompt; a profile compared with itself differs nowhere."""
    a, b = (ran(made, wanted, 100) for wanted in (one, other))
    found = compared(a, b, chars)
    assert [row.before for row in found.rows if row.before is not None] == list(range(len(a.blocks)))
    assert [row.after for row in found.rows if row.after is not None] == list(range(len(b.blocks)))
    assert all(n >= 0 for n in (found.a.hidden, found.b.hidden, found.a.dropped, found.b.dropped))
    same = compared(a, a, chars)
    assert (same.first, same.different) == (None, 0)
    indices = [at for at in common(a.blocks, b.blocks) if at is not None]
    assert len(set(indices)) == len(indices)
    mirrored = compared(b, a, chars)
    assert (mirrored.first is None) == (found.first is None)
    assert mirrored.behind == found.behind[::-1]


@pytest.mark.parametrize("side", [0, 1])
def test_sides_are_told_alike(side):
    """A and B are the same to it, only the price is B's."""
    made = talk(1_000, 700)
    order = (NEWEST, OLDEST) if side else (OLDEST, NEWEST)
    found = both(made, *order)
    told = (found.a, found.b)[side], partial(sent, tokens=chars)(ran(made, OLDEST))
    assert told[0] == told[1]
