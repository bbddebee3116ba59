"""What is not said again, and that the rest is the very same."""

from __future__ import annotations

import pytest

from core.context import Origin
from core.layer import StepContext, Target
from core.layers import replay_filter
from core.messages import Message
from core.pairing import calls, result_id
from core.prompt import Block, Blocks

STEP = StepContext(window=200_000, target=Target("anthropic", "anthropic-messages", "m", "anthropic"))


def user(text: str) -> dict[str, object]:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def said(text: str, **more: object) -> dict[str, object]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}], "provider": "p", "model": "m", **more}


def called(*ids: str) -> dict[str, object]:
    content = [{"type": "toolCall", "id": id, "name": "bash", "arguments": {}} for id in ids]
    return {"role": "assistant", "content": content, "provider": "p", "model": "m"}


def result(id: str) -> dict[str, object]:
    return {"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": [{"type": "text", "text": id}]}


def blocks_of(*messages: dict[str, object]) -> Blocks:
    return tuple(Block.of(Message.of(raw), Origin((row,))) for row, raw in enumerate(messages))


def rows(blocks: Blocks) -> list[int]:
    return [block.origin.rows[0] for block in blocks]


MIRROR = said("hello", provider="openclaw", model="delivery-mirror")
HEARTBEAT = user("Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.")


@pytest.mark.parametrize(
    ("messages", "kept"),
    [
        ((user("a"), said("hello"), MIRROR, user("b")), [0, 1, 3]),
        ((user("a"), HEARTBEAT, said("HEARTBEAT_OK"), user("b")), [0, 3]),
        ((user("a"), HEARTBEAT, said("The build is red. " * 40)), [0, 1, 2]),
        ((user("a"), {**said(""), "content": []}, user("b")), [0, 2]),
        ((user("a"), said("  "), user("b")), [0, 2]),
        ((user("a"), {"role": "bashExecution", "command": "x", "excludeFromContext": True}), [0]),
        ((user("a"), {"role": "bashExecution", "command": "x"}), [0, 1]),
        ((user("a"), {**said(""), "content": [{"type": "thinking", "thinking": ""}]}), [0, 1]),
    ],
)
def test_what_is_left_out(messages: tuple[dict[str, object], ...], kept: list[int]) -> None:
    """Mirrors, heartbeat pairs, empty replies and excluded commands; everything else stays."""
    before = blocks_of(*messages)
    outcome = replay_filter.apply(before, replay_filter.Settings(), STEP)
    assert rows(outcome.blocks) == kept
    assert (outcome.blocks is before) is (len(kept) == len(messages))
    assert set(outcome.reasons) == {block for block in before if block.origin.rows[0] not in kept}


def test_two_calls_of_one_id_become_distinct() -> None:
    """First result to the first call, second to the second.

    a[x, x] r(x) r(x)   ─▶   a[x, x2…] r(x) r(x2…)
    """
    before = blocks_of(user("a"), called("x", "x"), result("x"), result("x"))
    after = replay_filter.apply(before, replay_filter.Settings(), STEP).blocks
    ids = [call.id for call in calls(after[1].message)]
    assert len(set(ids)) == 2
    assert [result_id(block.message) for block in after[2:]] == ids
    assert after[1].before is before[1]


def test_distinct_ids_are_left_alone() -> None:
    """Ids that restart every turn pair within their turn; nothing is rewritten."""
    before = blocks_of(called("x"), result("x"), called("x"), result("x"))
    assert replay_filter.apply(before, replay_filter.Settings(), STEP).blocks is before


def test_rules_from_reports_are_named_as_such() -> None:
    """Where no recorded case stands behind a rule, the step says so."""
    outcome = replay_filter.apply(blocks_of(user("a"), MIRROR), replay_filter.Settings(), STEP)
    assert [note.id for note in outcome.notes] == ["layer.from_reports"]
    outcome = replay_filter.apply(blocks_of(HEARTBEAT, said("HEARTBEAT_OK")), replay_filter.Settings(), STEP)
    assert outcome.notes == ()


@pytest.mark.parametrize("field", ["mirrors", "empty_assistants", "excluded_commands", "heartbeats"])
def test_each_rule_can_be_switched_off(field: str) -> None:
    """Off: what it would leave out stays."""
    messages = {
        "mirrors": (MIRROR,),
        "empty_assistants": (said(""),),
        "excluded_commands": ({"role": "bashExecution", "command": "x", "excludeFromContext": True},),
        "heartbeats": (HEARTBEAT, said("HEARTBEAT_OK")),
    }[field]
    before = blocks_of(*messages)
    assert replay_filter.apply(before, replay_filter.Settings(**{field: False}), STEP).blocks is before
    assert replay_filter.apply(before, replay_filter.Settings(), STEP).blocks == ()
