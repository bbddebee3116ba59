"""The window shows what an engine of a package answered in the worker, without ever running it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from core import engine, engine_far, plugins, replay
from core.engine import Assembly
from core.engine_log import lifecycle
from core.engine_memory import pending
from core.engines import legacy
from core.layers import context_engine
from core.messages import Message
from core.session_key import NOTHING
from gui.engine_guard import elsewhere
from gui.engine_lines import EngineLines
from gui.engine_task import with_answers
from gui.state import State
from gui.theme import Look
from tests.core.rogues import Ordinary, module, point
from tests.gui.layer_session import guarded_state

ran: list[int] = []


def assemble(messages: tuple[Message, ...], **_: object) -> Assembly:
    """A note before the first message; and a note of ours that it ran."""
    ran.append(len(messages))
    return Assembly((Message.of({"role": "user", "content": "note"}), messages[0]), why="Because.")


@pytest.fixture
def state(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[State]:
    """At the last request, under an engine "far" of a package."""
    found = module(lambda: Ordinary(methods={"assemble": assemble}), "far")
    real = plugins.points
    monkeypatch.setattr(plugins, "points", lambda g: [point(found)] if g == "stratascope.engines" else real(g))
    engine.engines.cache_clear()
    before = list(engine_far._lent)
    engine_far.use(None)
    ran.clear()
    made = guarded_state(tmp_path / "session.jsonl")
    settings = context_engine.Settings("far")
    profile = made.profile
    instances = tuple(
        one if one.layer != "context_engine" else replace(one, settings=settings) for one in profile.instances
    )
    engine_far.use(elsewhere)
    made.choose(replace(profile, instances=instances))
    yield made
    made.drop_comparisons()
    made._live.forget()
    made.carried.forget()
    engine_far.use(before[0] if before else None)
    engine.engines.cache_clear()


def step(state: State):  # type: ignore[no-untyped-def]
    trace = state.trace
    assert trace is not None
    return next(found for found in trace.steps if found.layer == "context_engine")


def answered(state: State) -> replay.Carries:
    """As the worker does it: the carries, and with them the answer of the request in focus."""
    engine_far.use(None)
    known = (state.session, state.timeline, state.counts, state.cursor.request, state.profile)
    found = with_answers(*known, replay.carries_at(*known), NOTHING)
    engine_far.use(elsewhere)
    return found


def test_nothing_runs_here(state: State) -> None:
    """Until the answer comes the messages pass on, and the picture counts as out of date."""
    assert step(state).after == step(state).before
    assert pending([step(state).carry])
    assert state.stale
    assert ran == []


def test_the_answer_is_brought_in(state: State) -> None:
    """The steps are then those that the worker computed, and nothing was run here for them."""
    carries = answered(state)
    there = list(ran)
    assert len(there) == 9, "each earlier request, then this one"
    state.carried.learn(state._key(), state.profile, carries)
    state._live.renew()
    assert state._live.trace is not None
    shown = step(state)
    assert [block.message.text() for block in shown.after] == ["note", "Find the cause."]
    assert "Because." in str(shown.why)
    assert not state.stale
    assert ran == there


def test_another_window_asks_again(state: State) -> None:
    """An answer to another question is none: with less room the engine may say something else."""
    state.carried.learn(state._key(), state.profile, answered(state))
    state._live.renew()
    assert not pending([step(state).carry])
    state.choose(replace(state.profile, window=9_000))
    assert pending([step(state).carry])
    assert state.stale


def test_a_comparison_without_its_answer_is_dropped(state: State) -> None:
    """What a step would do at another request is not told as long as its engine was not asked about that one."""
    found: list[object] = []
    state.compare("before", found.append, request=3)
    for _ in range(2_000):
        if not state.comparing:
            break
        state._idle._turn()
    assert not state.comparing
    assert found == []


def test_the_log_in_the_detail(qapp: object) -> None:
    """A row a call; a failing one in the colour of errors; hidden for every other step. Words stay plain text."""
    from core.engine_memory import Called, Remembered
    from core.engine_store import ForkedStore

    lines = EngineLines(Look("light", 100))
    lines.show_carry(None)
    assert not lines.isVisibleTo(QWidget())
    calls = (
        Called("bootstrap", {"begins": True, "imported": 2}, ("<b>a</b>", "b", "c", "d")),
        Called("assemble", {}, (), "RuntimeError: <i>no</i>"),
    )
    carry = Remembered("x", ForkedStore({"a": 1}), calls=calls)
    lines.show_carry(carry)
    assert not lines.isHidden()
    assert [[label.text() for label in row] for row in lines.rows] == [
        ["bootstrap", "begins; 2 messages imported · stored <b>a</b>, b, c …", ""],
        ["assemble", "", "failed: RuntimeError: <i>no</i>"],
    ]
    assert lines.kept.text() == "Stored: 1 name, 2 characters."
    assert all(label.textFormat() == label.textFormat().PlainText for row in lines.rows for label in row)
    lines.show_carry(Remembered("x", ForkedStore(), calls=calls[:1]))
    assert [row[0].text() for row in lines.rows] == ["bootstrap", ""]
    assert lines.kept.isHidden()
    assert lifecycle(carry)[1].failed


def test_ours_are_asked_in_the_window(qapp: object, tmp_path: Path) -> None:
    """They keep no memory and cannot hang: no worker is waited for."""
    before = list(engine_far._lent)
    engine_far.use(elsewhere)
    try:
        made = guarded_state(tmp_path / "session.jsonl")
        made.set("context_engine", engine="keep_newest")
        assert not pending([step(made).carry])
        assert "keep_newest: changed" in str(step(made).why)
        assert legacy.ID == "legacy"
    finally:
        engine_far.use(before[0] if before else None)
        made.drop_comparisons()
        made._live.forget()
        made.carried.forget()
