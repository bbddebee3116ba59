"""What earlier requests hand to the one in focus: asked for when it matters, taken over when it comes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core import replay
from core.beside import told_of
from core.pipeline import Trace
from core.profile import Profile, policy
from core.replay import carries_at
from core.session_key import Told
from gui import carry_task
from gui.carry_task import carries
from gui.state import State
from gui.worker import load
from tests.gui.guard_answers import SAMPLES
from tests.gui.layer_session import guarded, settle
from tests.gui.prompt_session import state_of

STICKY = policy("openclaw-2026.9").set("project_results", budget=6_000).switch("ttl_pruning", False)


class Asked(list):
    """Notes what is asked, and of whom."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[State] = []

    def __call__(self, key, profile, done, lane) -> None:
        self.append((key, profile, done))


@pytest.fixture
def asked() -> Iterator[Asked]:
    made = Asked()
    yield made
    for state in made.states:
        state.carried.forget()


def state(path: Path, asked: Asked, profile: Profile = STICKY, request: int = 9) -> State:
    made = state_of(guarded(path), request)
    made.carried.ask = asked
    asked.states.append(made)
    made.choose(profile)
    settle(made)
    return made


def answer(made: State, asked: Asked, at: int = -1) -> None:
    key, profile, done = asked[at]
    done(carries_at(made.session, made.timeline, made.counts, key[1], profile))


def held(made: State) -> list[bytes]:
    """What stands for results that were cut before."""
    step = next(step for step in made.trace.steps if step.instance == "project_results")
    return [edit.after.key for edit in step.edits if edit.reason.id.endswith(".held")]


def test_cuts_of_earlier_requests_come_in(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """Until then the steps stand alone, and are told to be out of date when it takes long; afterwards they are those
    of the fold."""
    made = state(tmp_path / "s.jsonl", asked)
    made.carried.look()
    assert made.carried.pending
    assert not made.stale
    qtbot.waitUntil(lambda: made.stale)
    assert [(key, profile) for key, profile, _ in asked] == [((made.timeline.leaf, 9), STICKY)]
    answer(made, asked)
    settle(made)
    _, expected = replay.trace(made.session, made.timeline, made.counts, 9, STICKY)
    assert [block.key for block in made.trace.blocks] == [block.key for block in expected.blocks]
    assert next(step for step in made.trace.steps if step.instance == "project_results").carried is not None


def test_asked_once(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """What is known, or under way, is not asked for again; another profile is; what was seen before is known."""
    made = state(tmp_path / "s.jsonl", asked)
    made.carried.look()
    made.carried.look()
    answer(made, asked)
    made.carried.look()
    assert len(asked) == 1
    made.set("project_results", budget=5_000)
    made.carried.look()
    assert len(asked) == 2
    answer(made, asked)
    made.undo()
    made.carried.look()
    assert len(asked) == 2


def test_an_answer_for_another_request_is_kept(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """It came too late for the one it was for, which knows it when it is in focus again."""
    made = state(tmp_path / "s.jsonl", asked)
    made.carried.look()
    made.go(request=8)
    answer(made, asked)
    assert not made.carried.waiting
    made.go(request=9)
    settle(made)
    made.carried.look()
    assert len(asked) == 1
    assert next(step for step in made.trace.steps if step.instance == "project_results").carried is not None


def test_while_it_is_worked_out_the_last_known_holds(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """A moved threshold does not make every earlier cut whole for a moment."""
    made = state(tmp_path / "s.jsonl", asked)
    made.carried.look()
    answer(made, asked)
    settle(made)
    before = held(made)
    assert before
    made.set("project_results", budget=100_000)
    settle(made)
    assert held(made) == before


@pytest.mark.parametrize("profile", [policy("openclaw-2026.4.5"), policy("none"), policy("pi")])
def test_nothing_is_asked_where_nothing_carries(qtbot: QtBot, tmp_path: Path, asked: Asked, profile: Profile) -> None:
    made = state(tmp_path / "s.jsonl", asked, profile)
    made.carried.look()
    assert not asked
    assert not made.stale


def test_the_worker_folds(tmp_path: Path) -> None:
    """The task gives what the core gives; stopped, it gives nothing."""
    path = str(SAMPLES / "guard.jsonl")
    loaded = load(path, None, None, lambda *_: True)
    profile = STICKY.set("project_results", budget=30_000)
    leaf, counter = loaded.timeline.leaf, loaded.counts.counter
    found = carries(path, leaf, counter, 20, profile, loaded.told, lambda *_: True)
    expected = carries_at(loaded.session, loaded.timeline, loaded.counts, 20, profile)
    assert found["project_results"].cuts.sent.keys() == expected["project_results"].cuts.sent.keys()
    assert found["project_results"].cuts.sent
    assert carries(path, leaf, counter, None, profile, loaded.told, lambda *_: False) is None
    assert loaded.told == told_of(loaded.session)


def test_the_fold_goes_on_where_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stepping through a session would else begin at its first request at every step."""
    path, begun = str(SAMPLES / "guard.jsonl"), []
    real = carry_task.fold
    monkeypatch.setattr(carry_task, "fold", lambda *known, **more: begun.append(1) or real(*known, **more))
    monkeypatch.setattr(carry_task, "_folds", OrderedDict())
    loaded = load(path, None, None, lambda *_: True)
    leaf, counter = loaded.timeline.leaf, loaded.counts.counter
    session = loaded.session
    profile = policy("openclaw-2026.9")
    for number in (5, 9, 7, None):
        found = carries(path, leaf, counter, number, profile, loaded.told, lambda *_: True)
        told = told_of(session)
        expected = carries_at(session, loaded.timeline, loaded.counts, number, profile, told=told)
        assert found.keys() == expected.keys()
    assert begun == [1]
    carries(path, leaf, counter, 5, profile.set("project_results", budget=7_000), loaded.told, lambda *_: True)
    assert begun == [1, 1]


def test_a_key_that_a_person_gives(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """The limit of that key holds at once, and another one when it is taken back."""
    limited = policy("openclaw-2026.4.5").set("limit_history", dm_turns=1)
    made = state(tmp_path / "s.jsonl", asked, limited)

    def notes() -> list[str]:
        settle(made)
        step = next(step for step in made.trace.steps if step.instance == "limit_history")
        return [note.id.rpartition(".")[2] for note in step.notes]

    assert notes() == []
    made.tell(Told("telegram:dm:42", "given"))
    assert notes() == ["by_dm_turns", "key"]
    made.tell(Told())
    assert notes() == []


def test_without_an_answer(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """Stopped by the person, or the file is gone: the steps stand as they are, and it is not asked again."""
    made = state(tmp_path / "s.jsonl", asked)
    made.carried.look()
    asked[-1][2](None)
    made.carried.look()
    assert len(asked) == 1
    assert not made.carried.pending
    assert not made.stale
    made.set("project_results", budget=5_000)
    made.carried.look()
    assert len(asked) == 2


def test_the_request_before_is_compared_with_what_was_handed_to_it(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """A cut that was made long ago is no difference: both requests send it. Two that want the same ask once; what was
    computed ahead without it is not taken; what is no longer wanted is not handed over."""
    made = state(tmp_path / "s.jsonl", asked)
    made.carried.look()
    answer(made, asked)
    settle(made)
    made.look_ahead((8,))
    qtbot.waitUntil(lambda: not made.comparing)
    taken: dict[str, Trace] = {}
    for name in ("one", "two", "dropped"):
        made.compare(name, partial(taken.__setitem__, name), request=8)
    qtbot.waitUntil(lambda: len(asked) == 2)
    qtbot.wait(100)
    assert made.comparing
    made.drop_comparisons("dropped")
    assert asked[1][0] == (made.timeline.leaf, 8)
    answer(made, asked)
    qtbot.waitUntil(lambda: len(taken) == 2)
    qtbot.waitUntil(lambda: not made.comparing)
    assert sorted(taken) == ["one", "two"]
    assert len(asked) == 2
    now = next(step for step in made.trace.steps if step.instance == "project_results")
    before = next(step for step in taken["one"].steps if step.instance == "project_results")
    old = {edit.after.key for edit in now.edits if edit.reason.id.endswith(".held")}
    assert old
    assert old <= {edit.after.key for edit in before.edits}


def test_other_questions_wait_for_each_other(qtbot: QtBot, tmp_path: Path, asked: Asked) -> None:
    """In a lane the newest question counts: the next one is asked once the first was answered, with or without."""
    made = state(tmp_path / "s.jsonl", asked)
    came: list[int] = []
    key = made.timeline.leaf
    assert made.carried.fetch((key, 7), STICKY, lambda: came.append(7))
    assert made.carried.fetch((key, 8), STICKY, lambda: came.append(8))
    assert made.carried.fetch((key, 7), STICKY, lambda: came.append(70))
    assert [question[0] for question in asked] == [(key, 7)]
    asked[0][2](None)
    assert [question[0] for question in asked] == [(key, 7), (key, 8)]
    assert came == [7, 70]
    answer(made, asked)
    assert came == [7, 70, 8]
    assert not made.carried.fetch((key, 8), STICKY, lambda: came.append(80))
