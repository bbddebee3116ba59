"""The limit of turns by the session key: configuration first, then that of its kind, then the one for all."""

from __future__ import annotations

import pytest

from core import session_key
from core.context import Origin
from core.layer import StepContext, Target
from core.layers import limit_history
from core.layers.limit_history import Settings
from core.messages import Message
from core.prompt import Block, Blocks
from tests.core.test_replay_cases import CONFIG, given
from tests.reference.vectors import UNDEFINED, Case, cases

TARGET = Target("anthropic", "anthropic-messages", "m", "anthropic")
TURNS: Blocks = tuple(
    Block.of(Message.of({"role": role, "content": str(row)}), Origin((row,)))
    for row, role in enumerate(["user", "assistant"] * 12)
)


def users(blocks: Blocks) -> int:
    return sum(block.message.role == "user" for block in blocks)


def apply(settings: Settings, key: str, config: object = None):  # type: ignore[no-untyped-def]
    extra = {} if config is None else {"config": config}
    return limit_history.apply(TURNS, settings, StepContext(200_000, TARGET, session_key=key, extra=extra))


@pytest.mark.parametrize("case", cases("getHistoryLimitFromSessionKey"))
def test_the_recorded_limits_limit(case: Case) -> None:
    """What the recorded function says of key and configuration is what the layer keeps; nothing said: its own limit."""
    key = given(case, "sessionKey")
    config = CONFIG if case.input["config"] == "CFG" else given(case, "config")
    outcome = apply(Settings(turns=5), key if isinstance(key, str) else "", config)
    said = case.output["value"]
    wanted = 5 if said is UNDEFINED or said is None else said
    assert users(outcome.blocks) == (12 if wanted == 0 else min(12, wanted))


@pytest.mark.parametrize(
    ("key", "kept", "note"),
    [
        ("telegram:dm:42", 2, "by_dm_turns"),
        ("agent:main:telegram:direct:42:thread:7", 2, "by_dm_turns"),
        ("discord:channel:777", 3, "by_channel_turns"),
        ("discord:group:777:topic:1", 3, "by_channel_turns"),
        ("agent:main:main", 5, None),
        ("", 5, None),
    ],
)
def test_limits_of_their_own(key: str, kept: int, note: str | None) -> None:
    """Direct messages, channels and groups have limits of their own; the step says which one held, and by which key."""
    outcome = apply(Settings(turns=5, dm_turns=2, channel_turns=3), key)
    assert users(outcome.blocks) == kept
    notes = [*([note] if note else []), *(["key"] if key else [])]
    assert [said.id for said in outcome.notes] == [f"layer.limit_history.{name}" for name in notes]
    assert outcome.gauges[0].setting == (note or "by_turns").removeprefix("by_")


def test_no_limit_of_its_own_is_the_limit_of_all() -> None:
    """0 for direct messages: they are like every session."""
    assert users(apply(Settings(turns=5), "telegram:dm:42").blocks) == 5


def test_a_configured_zero_is_no_limit() -> None:
    """The person 8 of the recorded configuration: 0 wins over the settings, unless the configuration is left aside."""
    settings = Settings(turns=5, dm_turns=2)
    assert apply(settings, "telegram:dm:8", CONFIG).blocks is TURNS
    assert users(apply(Settings(turns=5, dm_turns=2, configured=False), "telegram:dm:8", CONFIG).blocks) == 2


def test_kinds() -> None:
    """The kind is the second part, whatever its letters' case; a leading agent is skipped."""
    keys = ("a:DM:1", "agent:x:a:Group:2", "a", "", "agent:x", "a:thread:1")
    assert [session_key.kind(key) for key in keys] == ["dm", "channel", "", "", "", ""]
