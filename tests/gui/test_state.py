"""State: profile and undo, the steps of the request in focus, standing between two of them, the prompt shown there."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.counts import Counts
from core.errors import RequestError, UsageError
from core.following import Following
from core.formats import pi
from core.lines import RecordedFile
from core.part import grown
from core.profile import policy
from core.timeline import uncounted
from gui.state import Change, State
from tests.gui.layer_session import guarded_state, settle, small
from tests.gui.prompt_session import long_session, state_of


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """Eight results of 900 characters where the guard allows 12,000 (counted twice: 14,400)."""
    made = guarded_state(tmp_path / "s.jsonl")
    settle(made)
    return made


def guard(state: State):  # type: ignore[no-untyped-def]
    trace = state.trace
    assert trace is not None
    return next(step for step in trace.steps if step.instance == "guard_context")


# the profile


def test_each_format_begins_with_its_policy(qtbot: QtBot, tmp_path: Path) -> None:
    """A pi file is replayed as pi would send it."""
    state = state_of(long_session(tmp_path / "s.jsonl", 2), 1)
    assert state.profile == policy("pi")
    assert state.changes() == ()
    assert not state.can_undo


def test_a_threshold_is_changed_and_taken_back(state: State) -> None:
    """Undo and redo walk through whole profiles; a new change forgets what was undone."""
    state.set("guard_context", share=0.7)
    state.switch("strip_details", False)
    assert state.changes() == ("strip_details", "guard_context.share")
    state.undo()
    assert state.changes() == ("guard_context.share",)
    state.undo()
    assert state.changes() == ()
    assert state.can_redo
    state.redo()
    assert state.profile.instance("guard_context").settings.share == 0.7
    state.set("guard_context", share=0.6)
    assert not state.can_redo


def test_a_drag_is_one_step(state: State) -> None:
    """However many values the pointer passed: one undo leads back to where it was grasped."""
    state.grasp()
    for share in (0.74, 0.73, 0.72):
        state.set("guard_context", share=share)
    state.let_go()
    state.undo()
    assert state.profile.instance("guard_context").settings.share == 0.75
    state.redo()
    assert state.profile.instance("guard_context").settings.share == 0.72


def test_a_drag_back_to_where_it_was_is_no_step(state: State) -> None:
    """Nothing changed, so there is nothing to undo beyond what was there before."""
    state.set("guard_context", order="oldest")
    state.grasp()
    state.set("guard_context", share=0.7)
    state.set("guard_context", share=0.75)
    state.let_go()
    state.undo()
    assert state.changes() == ()


def test_a_gesture_that_continues_joins_the_one_before(state: State) -> None:
    """A key that repeats, or the press of a double click: again one undo."""
    for again in (False, True, True):
        state.grasp(again)
        state.set("guard_context", share=round(state.profile.instance("guard_context").settings.share - 0.01, 2))
        state.let_go()
    state.undo()
    assert state.changes() == ()


def test_reset_of_a_setting_a_step_and_everything(state: State) -> None:
    """Each is a change of its own and can be undone."""
    state.set("guard_context", share=0.7, order="oldest")
    state.switch("guard_context", False)
    state.set("limit_history", turns=3)
    state.reset("guard_context", "share")
    assert state.changes() == ("limit_history.turns", "guard_context", "guard_context.order")
    state.reset("guard_context")
    assert state.changes() == ("limit_history.turns",)
    state.reset()
    assert state.profile == state.base == small()
    state.undo()
    assert state.changes() == ("limit_history.turns",)


def test_choosing_a_policy_is_a_change(state: State) -> None:
    """By id, with undo; an unknown one is refused and leaves everything as it was."""
    state.choose("openclaw-2026.3.24")
    assert state.base == policy("openclaw-2026.3.24")
    with pytest.raises(RequestError):
        state.choose("openclaw-9")
    state.undo()
    assert state.base == small()


def test_wrong_values_change_nothing(state: State) -> None:
    """The core says what is wrong; no history step, no signal."""
    heard: list[Change] = []
    state.changed.connect(heard.append)
    with pytest.raises(UsageError):
        state.set("guard_context", share=7)
    with pytest.raises(RequestError):
        state.move("guard_context", 0)
    state.switch("session_context", False)
    state.set("guard_context", share=0.75)
    assert heard == []
    state.undo()
    assert state.base != small()  # the only step there is: that of choosing this profile


# the steps


def test_the_steps_follow_the_threshold(state: State) -> None:
    """A lower budget cuts more; what stands above the moved step is taken over, not run again."""
    before = state.trace
    assert before is not None
    cut = len(guard(state).edits)
    state.set("guard_context", share=0.4)
    settle(state)
    after = state.trace
    assert after is not None
    assert len(guard(state).edits) > cut
    place = [step.instance for step in after.steps].index("guard_context")
    assert all(a is b for a, b in zip(before.steps[:place], after.steps[:place], strict=True))


def test_steps_below_that_get_what_they_got_stay(state: State) -> None:
    """A threshold that moves without cutting anything else leaves the steps below as they are, one at a time too."""
    before = state.trace
    assert before is not None
    names = [step.instance for step in before.steps]
    at = names.index("guard_single")
    state.set("guard_single", share=0.45)
    after = state.trace
    assert after is not None
    assert after.steps[at] is not before.steps[at]
    assert after.steps[at].after is before.steps[at].after
    assert all(one is other for one, other in zip(after.steps[at + 1 :], before.steps[at + 1 :], strict=True))


def test_the_signal_tells_of_profile_and_steps(state: State) -> None:
    """First that the profile is another, then that its steps are there."""
    heard = Change(0)

    def hear(change: Change) -> None:
        nonlocal heard
        heard |= change

    state.changed.connect(hear)
    state.set("guard_context", share=0.5)
    assert heard & Change.PROFILE
    settle(state)
    assert heard & Change.TRACE
    assert not heard & Change.SESSION


def test_another_request_has_other_steps(state: State) -> None:
    """The trace is that of the request in focus: below its budget the guard does nothing at request 3."""
    assert guard(state).fired
    state.go(request=3)
    settle(state)
    assert not guard(state).fired
    assert state.trace_key == (state.timeline.leaf, 3)


def test_equal_blocks_of_neighbouring_requests_are_one_object(state: State) -> None:
    """So that what was made of a block at one request is found again at the next."""
    before = state.assembled.blocks
    state.go(request=7)
    assert all(a is b for a, b in zip(before, state.assembled.blocks, strict=False))


def test_long_prompts_are_computed_in_slices(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is predicted to take long leaves the old steps in place, marked stale, until the new ones are there."""
    old = state.trace
    state._live._costs = dict.fromkeys(state._live._costs, 60.0)
    state.set("guard_context", share=0.5)
    assert state.stale
    assert state.trace is old
    settle(state)
    assert state.trace is not old


def test_newest_wins(state: State) -> None:
    """A profile that was passed on the way is never shown once a newer one is wanted."""
    state._live._costs = dict.fromkeys(state._live._costs, 60.0)
    for share in (0.5, 0.4, 0.3):
        state.set("guard_context", share=share)
    settle(state)
    assert guard(state).gauges[0].threshold == 4_000 * 4 * 0.3


def test_steps_can_be_computed_elsewhere(state: State) -> None:
    """`compute` gets what is slow; an answer that comes too late is dropped."""
    asked = []
    state._live.compute = lambda key, profile, done: asked.append((key, profile, done))
    state._live._costs = dict.fromkeys(state._live._costs, 60.0)
    old = state.trace
    state.set("guard_context", share=0.5)
    state._live._turn()
    state.set("guard_context", share=0.4)
    state._live._turn()
    assert [profile.instance("guard_context").settings.share for _, profile, _ in asked] == [0.5, 0.4]
    assert old is not None
    asked[0][2](old)
    assert state.stale
    asked[1][2](old)
    assert not state.stale


def test_another_trace_for_comparison(state: State) -> None:
    """Of the request before, and of this one under another profile; both come in idle time."""
    found = {}
    state.compare("before", lambda trace: found.update(before=trace), request=8)
    state.compare(
        "other", lambda trace: found.update(other=trace), profile=state.profile.switch("guard_context", False)
    )
    settle(state)
    assert len(found["before"].steps[0].after) == len(state.assembled.blocks) - 2
    assert not next(step for step in found["other"].steps if step.instance == "guard_context").fired


def test_nothing_is_compared_during_a_drag(state: State) -> None:
    """What nobody waits for waits until the ring is let go."""
    found = []
    state.grasp()
    state.compare("other", found.append, profile=state.profile.switch("guard_context", False))
    assert not state._idle._timer.isActive()
    state.let_go()
    settle(state)
    assert len(found) == 1


# standing between two steps


def test_step_by_step(state: State) -> None:
    """First, forward, back, last: None stands for all steps applied, which is also behind the last step."""
    names = ["session_context", *(instance.name for instance in state.profile.instances)]
    assert state.cursor.step is None
    state.step_by(1)
    assert state.cursor.step is None
    state.step_by(-1)
    assert state.cursor.step == names[-2]
    state.step_by(1)
    assert state.cursor.step is None
    state.step_first()
    assert state.cursor.step == "session_context"
    state.step_by(-1)
    assert state.cursor.step == "session_context"
    state.step_by(1)
    assert state.cursor.step == names[1]
    state.step_last()
    assert state.cursor.step is None


def test_the_stage_follows(state: State) -> None:
    """Behind step 0 the prompt is as the file has it; with all steps it is what is sent."""
    state.step_first()
    stage = state.stage
    assert stage is not None
    assert stage.blocks == state.assembled.blocks
    assert state.shown.tokens == state.assembled.tokens
    state.go(step="guard_context")
    stage = state.stage
    assert stage is not None
    assert stage.step is guard(state)
    assert stage.edits == guard(state).edits
    state.step_last()
    stage = state.stage
    assert stage is not None
    assert stage.step is None
    assert sum(stage.tokens) == stage.trace.steps[-1].tokens_after
    assert sum(stage.tokens) < sum(stage.tokens_before)
    assert state.stage is stage


def test_a_step_that_is_no_more_is_left(state: State) -> None:
    """Standing behind a step that the newly chosen policy does not have: all steps applied."""
    state.go(step="guard_context")
    state.choose("none")
    assert state.cursor.step is None


def test_recorded_states_come_along(state: State) -> None:
    """Whatever layers insert or drop, each block keeps what the recorded usage says of it."""
    recorded = state.assembled
    shown = state.shown
    stage = state.stage
    assert stage is not None
    assert recorded.cached_blocks is not None
    assert len(shown.blocks) == len(shown.states) == len(shown.tokens)
    for at, (source, given) in enumerate(zip(stage.source, shown.states, strict=True)):
        assert source is not None, at
        assert given == recorded.states[source]
    assert shown.cached_blocks == next(i for i, at in enumerate(stage.source) if at == recorded.cached_blocks)


def test_dropped_blocks_do_not_shift_the_states(state: State) -> None:
    """Two turns are sent of one: with a limit of history everything before is gone, and nothing cached is left."""
    state.set("limit_history", turns=1)
    settle(state)
    assert len(state.shown.states) == len(state.shown.blocks)
    assert state.shown.cached_blocks is not None
    assert state.shown.cached_blocks <= len(state.shown.blocks)


def test_the_block_in_focus_stays_with_its_entry(state: State) -> None:
    """Its number is that of the prompt shown; the entry decides when the prompt becomes another."""
    state.go(block=5)
    entry = state.cursor.entry
    state.step_first()
    assert state.cursor.entry == entry
    block = state.cursor.block
    assert block is not None
    assert entry in state.shown.blocks[block].origin.rows
    state.switch("replay_filter", False)
    settle(state)
    assert state.cursor.block is not None
    assert entry in state.shown.blocks[state.cursor.block].origin.rows


def test_another_timeline_forgets_the_steps(state: State) -> None:
    """Counts and path may be others: nothing that was computed holds."""
    old = state.trace
    state.show_timeline(state.timeline, state.counts)
    settle(state)
    assert state.trace is not old


def test_parts_are_joined_in_the_order_in_which_they_came(qtbot: QtBot, tmp_path: Path) -> None:
    """Joining takes turns of the event loop where it takes long; what waits for it is called after its part, and what
    waits for all of them when nothing is left.

        session 0 … 3   +  4 … 6  +  7 … 9   then(7 rows)  then(10 rows)  all
    """
    path = tmp_path / "s.jsonl"
    lines = ['{"type":"session","version":3,"id":"s","cwd":""}']
    lines += [
        f'{{"type":"message","id":"e{n}","parentId":{"null" if not n else chr(34) + f"e{n - 1}" + chr(34)},'
        f'"message":{{"role":"user","content":"{n}"}}}}'
        for n in range(10)
    ]
    path.write_text("\n".join(lines[:5]) + "\n")
    follow = Following(pi.Reading(RecordedFile.at(path)))
    everything = lambda done, whole, entries: True  # noqa: E731
    list(follow.read(1 << 20, everything))
    state = State(grown(None, follow.part()), uncounted(), Counts("", array("q")))
    said: list[tuple[str, int]] = []
    parts = []
    for end in (8, 11):
        path.write_text("\n".join(lines[:end]) + "\n")
        assert follow.look() == "grew"
        list(follow.read(1 << 20, everything))
        parts.append(follow.part())
    for part in parts:
        state.take(part, lambda: said.append(("part", len(state.session))))
    state.after_parts(lambda: said.append(("all", len(state.session))))
    qtbot.waitUntil(lambda: len(said) == 3)
    assert said == [("part", 7), ("part", 10), ("all", 10)]
    assert state.session.columns.ids == tuple(f"e{n}" for n in range(10))
