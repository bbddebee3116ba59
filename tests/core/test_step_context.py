"""What a step remembers: facts of messages, values about whole prompts, edited blocks. Remembering changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import layer
from core.messages import Message
from core.prompt import Block
from tests.core.made import blocks_of, step, user

texts = st.lists(st.sampled_from("abcdefgh"), max_size=9)


def size(message: Message) -> int:
    return ord(message.text()[0])


@given(st.lists(texts, min_size=1, max_size=8), st.data())
def test_facts_are_those_of_the_messages(prompts, data):
    """Whatever was asked before: longer prompts or shorter ones, the same one again, one with some blocks changed."""
    context = step()
    known = [blocks_of(*map(user, prompt)) for prompt in prompts]
    for _ in range(12):
        blocks = data.draw(st.sampled_from(known))
        if blocks and data.draw(st.booleans()):  # as after a cut
            at = data.draw(st.integers(0, len(blocks) - 1))
            new = Block.of(Message.of(user(data.draw(st.sampled_from("xyz")))), blocks[at].origin, blocks[at])
            blocks = (*blocks[:at], new, *blocks[at + 1 :])
            known.append(blocks)
        assert list(context.each("size", blocks, size)) == [size(block.message) for block in blocks]
        other = data.draw(st.sampled_from(known))
        expected = [i for i, (a, b) in enumerate(zip(blocks, other, strict=False)) if a is not b]
        assert context.touched(blocks, other) == (expected if len(blocks) == len(other) else None)


def test_only_what_is_new_is_looked_at():
    """Each message once; after a cut only the block that was cut."""
    context, seen = step(), []

    def fact(message: Message) -> str:
        seen.append(message.text())
        return message.text().upper()

    blocks = blocks_of(*map(user, "abcb"))
    assert list(context.each("upper", blocks, fact)) == ["A", "B", "C", "B"]
    cut = Block.of(Message.of(user("x")), blocks[2].origin, blocks[2])
    assert list(context.each("upper", (*blocks[:2], cut, blocks[3]), fact)) == ["A", "B", "X", "B"]
    assert seen == ["a", "b", "c", "b", "x"] or seen == ["a", "b", "c", "x"]
    assert context.each("upper", blocks, fact) is context.each("upper", blocks, fact)


def test_facts_of_different_names_do_not_mix():
    context, blocks = step(), blocks_of(user("a"))
    assert list(context.each("one", blocks, lambda _: 1)) == [1]
    assert list(context.each("two", blocks, lambda _: 2)) == [2]


def test_a_value_about_a_prompt_is_worked_out_once():
    """Until another prompt comes under the same name: identity decides, not equality."""
    context, made = step(), []
    one, other = blocks_of(user("a")), blocks_of(user("a"))
    for blocks in (one, one, other, one):
        context.whole("n", blocks, lambda: made.append(1) or len(made))
    assert len(made) == 3


def test_what_stands_for_a_made_block_leads_back_to_it():
    """Two ways may give equal blocks; what is made of each still names the one that was given."""
    context = step()
    [block] = blocks_of(user("abc"))
    first = context.made(block, ("first",), lambda: Message.of(user("a")))
    second = context.made(block, ("second",), lambda: Message.of(user("a")))
    assert first == second
    assert first is not second
    for made in (first, second):
        assert context.made(made, ("again",), lambda: Message.of(user("b"))).before is made


def test_what_is_added_is_the_same_each_time():
    """A result made up for a call is one object as long as the call is."""
    context = step()
    [block] = blocks_of(user("a"))
    made = context.added(block, ("more", 1), lambda: Block.of(Message.of(user("b")), block.origin))
    assert context.added(block, ("more", 1), lambda: Block.of(Message.of(user("c")), block.origin)) is made
    assert context.added(block, ("more", 2), lambda: Block.of(Message.of(user("c")), block.origin)) is not made


@pytest.mark.parametrize("most", [0, 3])
def test_forgetting_changes_nothing(monkeypatch, most):
    """A long drag makes more than is kept."""
    monkeypatch.setattr(layer, "MOST", most)
    context = step()
    blocks = blocks_of(*map(user, "abcdefgh"))
    for round in range(3):
        for block in blocks:
            made = context.made(block, (round,), lambda b=block: Message.of(user(b.message.text() * 2)))
            assert (made.message.text(), made.before) == (block.message.text() * 2, block)
        for start in range(len(blocks)):
            assert list(context.each("size", blocks[start:], size)) == [size(b.message) for b in blocks[start:]]
    assert len(context.memo) <= most + 1
