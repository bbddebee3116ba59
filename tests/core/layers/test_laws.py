"""Laws that every layer keeps, whatever the prompt; and those that some keep, with the exceptions by name."""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from hypothesis import given
from hypothesis import strategies as st

from core.layer import Outcome, layers
from core.prompt import Blocks
from core.sizes import message_chars
from tests.core.made import blocks_of, call, prompts, reply, result, step, user

WINDOW = 1_500
"""Tokens: so small that results of some thousand characters make every layer act."""
SETTINGS = {
    "ttl_pruning": {"gate": "open", "min_prunable": 0, "max_chars": 400, "head": 100, "tail": 100},
    "hard_cap": {"most": 1_500, "min_keep": 200},
    "cap_results": {"small": 500},
    "project_results": {"budget": 3_000},
    "mask_results": {"keep": 2},
    "limit_history": {"turns": 1},
    "sliding_window": {"messages": 3},
    "provider_edits": {"trigger": 100, "keep": 1, "at_least": 0},
}

AGAIN = {
    "guard_context": "its placeholder may be longer than what it replaces: then another result must give",
    "provider_messages": "what it made of a role is sent under another one, and converted again",
    "replay_filter": "leaving out a message may bring a heartbeat and its answer together",
    "repair_pairs": "as recorded; its safe variant is idempotent (test_repair.py)",
    "validate_turns": "a string among merged messages is lost (recorded), so that others become neighbours",
    "provider_edits": "the provider counts afresh what is left",
    "cap_results": "as hard_cap",
    "hard_cap": "the shares of the blocks are of what is left, so that one over its minimum is cut again",
}
"""Layers that may act again on what they left, and why."""
COPIES = {"repair_pairs": "as recorded: a result that answers two calls of one id is counted as dropped, and stays"}
"""Layers that may give back the same blocks as other ones, and why."""
GROWS = {
    "guard_context": "the placeholder of an emptied result",
    "guard_single": "the notice under a cut result",
    "ttl_pruning": "the notice between head and tail",
    "mask_results": "the placeholder of a masked result",
    "project_results": "the placeholder of an emptied result; an image, which counts as much as a long text, has none",
    "provider_edits": "the provider's placeholder",
}
"""Layers that take text away and may put more in its place, and what it is."""
NOTICE = 260
"""Units that such a notice takes at most."""
WRITES = {
    "provider_messages": "introduces summaries and commands",
    "validate_turns": "merges neighbours into one",
    "persist_guard": "names results",
    "context_engine": "sends what an engine gives",
    "replay_filter": "marks what came from elsewhere",
}
"""Layers that may write text of their own."""


def talk(sizes: list[int]) -> Blocks:
    """A call and a result of each size, after one user message."""
    found: list[object] = [user("go")]
    for number, size in enumerate(sizes):
        name = ("bash", "read")[number % 2]
        found += [reply(call(f"c{number}", name)), result(f"c{number}", "x" * size + "\n", name)]
    return blocks_of(*found)


anything = st.one_of(prompts, st.lists(st.integers(0, 4_000), max_size=10).map(talk))


def applied(id: str, blocks: Blocks) -> Outcome:
    layer = layers()[id]
    settings = replace(layer.Settings(), **SETTINGS.get(id, {}))
    found: Outcome = layer.apply(blocks, settings, step(window=WINDOW))
    return found


@given(anything)
def test_every_layer(blocks: Blocks) -> None:
    """No fault; the input untouched; the very blocks back where nothing is changed; the same answer each time. What a
    layer left or made it does not change again, and what stands for a block is no longer than that: but for the
    exceptions above."""
    keys = [block.key for block in blocks]
    for id in sorted(layers()):
        found = applied(id, blocks)
        assert not found.failed, id
        assert [block.key for block in blocks] == keys, id
        if id not in COPIES and len(found.blocks) == len(blocks) and all(map(is_, found.blocks, blocks)):
            assert found.blocks is blocks, id
        assert all(block.before is None or block.first in blocks for block in found.blocks), id
        once = [block.key for block in found.blocks]
        assert [block.key for block in applied(id, blocks).blocks] == once, id
        if id not in AGAIN:
            assert [block.key for block in applied(id, found.blocks).blocks] == once, id
        allowed = NOTICE if id in GROWS else 0
        for block in found.blocks if id not in WRITES else ():
            if block.before is not None:
                assert message_chars(block.message) <= message_chars(block.before.message) + allowed, id


def test_the_exceptions_are_layers() -> None:
    """None is left in the lists that is not there any more."""
    assert {*AGAIN, *COPIES, *GROWS, *WRITES, *SETTINGS} <= set(layers())
