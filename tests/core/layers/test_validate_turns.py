"""Who needs which turns: the target decides unless a setting says otherwise. The merges themselves: test_repair."""

from __future__ import annotations

import pytest

from core.layers import validate_turns
from core.layers.validate_turns import Settings
from core.phrase import render
from core.sanitizing import GOOGLE_BOOTSTRAP
from tests.core.made import CLAUDE, GEMINI, GPT, Target, blocks_of, reply, step, user

RESPONSES = Target("openai", "openai-responses", "gpt-x", "openai")
PROMPT = blocks_of(reply("a"), reply("b"), user("c"), user("d"))


def roles(settings=Settings(), target=CLAUDE):  # noqa: B008
    outcome = validate_turns.apply(PROMPT, settings, step(target=target))
    return "".join(block.message.role[0] for block in outcome.blocks), outcome


@pytest.mark.parametrize(("target", "expected"), [(CLAUDE, "aau"), (GEMINI, "uauu"), (GPT, "uau"), (RESPONSES, "aauu")])
def test_by_provider(target, expected):
    """Anthropic merges users, Google replies and wants a user first, completions want both, responses nothing."""
    assert roles(target=target)[0] == expected


def test_settings_win():
    """Always and never, whatever the target is."""
    assert roles(Settings("always", "always", "always"))[0] == "uau"
    assert roles(Settings("never", "never", "never"), GPT)[0] == "aauu"
    assert roles(Settings("never", "always", "never"))[0] == "auu"


def test_it_says_why_not():
    """Nothing to merge, and nothing that this provider would want merged, are two reasons."""
    quiet = validate_turns.apply(blocks_of(user("a"), reply("b")), Settings(), step())
    assert render(quiet.why) == "Roles already alternate; nothing to merge."
    _, free = roles(target=RESPONSES)
    assert free.blocks is PROMPT
    assert render(free.why) == "This provider takes neighbouring messages of one role."


def test_a_user_in_front_of_a_leading_reply():
    """Our words, of the recorded length, and the step says so."""
    _, outcome = roles(Settings("always", "never", "never"))
    added = outcome.blocks[0]
    assert (added.message.role, added.message.text(), added.origin.rows) == ("user", GOOGLE_BOOTSTRAP, ())
    assert outcome.blocks[1:] == PROMPT
    assert render(outcome.why) == "Put a user message in front: this provider wants one first."
    assert "wording here is ours" in render(outcome.notes[0])


def test_merged_messages_keep_all_entries():
    """Their rows, in order; the same merge is the same object."""
    context = step()
    first, second = (validate_turns.apply(PROMPT, Settings(), context).blocks for _ in range(2))
    assert first[-1].origin.rows == (2, 3)
    assert first[-1] is second[-1]


@pytest.mark.parametrize("id", [None, [], {}, 7, ""])
def test_a_use_without_a_proper_id_goes(id):
    """It can have no answer; nothing breaks on it."""
    use = {"type": "toolUse", "id": id, "name": "x", "input": {}}
    blocks = blocks_of(user("a"), reply("b", use), user("c"))
    after = validate_turns.apply(blocks, Settings(), step()).blocks
    assert [part.kind for part in after[1].message.parts] == ["text"]
