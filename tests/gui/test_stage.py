"""A stage that knows the one before it says the same as one that computes everything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.stage import Stage, known_of, stage_of
from gui.state import State
from tests.gui.prompt_session import call, reply, result, state_of, user, write_session


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """Eight results of growing length, of which a guard cuts more or less."""
    said: list[Any] = [user("go")]
    for turn in range(8):
        said += [reply("on", call(f"read{turn}")), result(f"read{turn}", f"{turn}" * 4_000 * (turn + 1))]
    made = state_of(write_session(tmp_path / "s.jsonl", [*said, reply("done")]))
    made.choose("openclaw-2026.4.5")
    return made


def told(stage: Stage) -> tuple[object, ...]:
    return stage.tokens, stage.source, stage.shown.states, stage.shown.cached_blocks, stage.shown.blocks


def test_known_stages_change_nothing_but_the_time(qtbot: QtBot, state: State) -> None:
    """Moving thresholds, switching layers, standing between steps: always as if computed from nothing."""
    moves = [
        lambda: state.set("guard_context", share=0.1),
        lambda: state.set("guard_context", share=0.05),
        lambda: state.set("guard_single", share=0.1),
        lambda: state.go(step="guard_single"),
        lambda: state.go(step=None),
        lambda: state.switch("guard_context", False),
        lambda: state.set("limit_history", turns=1),
        lambda: state.go(request=4),
        lambda: state.go(request=None),
        lambda: state.choose("none"),
    ]
    used = 0
    for move in [lambda: None, *moves]:
        move()
        qtbot.waitUntil(lambda: not state.stale)
        stage = state.stage
        assert stage is not None
        used += stage.known is not None
        assert told(stage) == told(replace(stage, known=None))
    assert used >= 4, "hardly any stage knew the one before it"


def test_nothing_is_known_of_another_prompt(qtbot: QtBot, state: State) -> None:
    """Of a stage that was never asked, or of another request, nothing is taken over."""
    qtbot.waitUntil(lambda: not state.stale)
    stage, trace = state.stage, state.trace
    assert stage is not None
    assert trace is not None
    fresh = stage_of(trace, None, stage.assembled, stage.sizes)
    assert known_of(fresh, stage.assembled, stage.sizes) is None
    assert fresh.shown is not None
    assert known_of(fresh, stage.assembled, stage.sizes) is not None
    assert known_of(fresh, replace(stage.assembled), stage.sizes) is None
