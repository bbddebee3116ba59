"""What a step did in words, what a drag changes, from where a cache is written anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.fate import Fates
from core.phrase import render
from core.pipeline import Step, Trace, run
from core.profile import Profile, policy
from gui.alternative import alternative
from gui.state import State
from gui.step_effects import KINDS, against, blocks_named, consequence, done, effects, fate, first_rewritten, place_of
from tests.core import made
from tests.gui.layer_session import guarded_state, settle, small


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    made = guarded_state(tmp_path / "s.jsonl")
    settle(made)
    return made


def step(state: State, name: str = "guard_context") -> Step:
    settle(state)
    trace = state.trace
    assert trace is not None
    return next(found for found in trace.steps if found.instance == name)


def under(state: State, **values: object) -> Step:
    state.set("guard_context", **values)
    return step(state)


def test_emptied_and_cut_are_told_apart(state: State) -> None:
    """A result that only holds the placeholder is empty; one that lost text is cut."""
    cut = effects(step(state))
    assert cut.count("cut") > 0
    assert cut.count("emptied") == 0
    assert cut.tokens < 0
    empty = effects(under(state, order="oldest", first="placeholder"))
    assert empty.count("emptied") > 0
    assert empty.count("cut") == 0


@pytest.mark.parametrize("name", ["mask-10", "article-1", "article-2", "openclaw-2026.4.5", "keep-newest-result"])
def test_the_same_words_as_the_prompt_tab(name: str) -> None:
    """Emptied and cut results are called so by the dock and by the Prompt tab, whichever layer took their text."""
    talk = [made.user("go")]
    for number in range(14):
        talk += [made.reply(made.call(f"c{number}", "read")), made.result(f"c{number}", "line of text\n" * 40, "read")]
    blocks = made.blocks_of(*talk)
    trace = run(made.context_of(blocks), blocks, policy(name), made.step(window=900), made.SIZES)
    told = 0
    for number, found in enumerate(trace.steps):
        fates = Fates(trace, number, number)
        for edit in found.edits if found.layer != "provider_messages" else ():
            seen = fates.of(edit.after) if edit.after is not None else None
            if seen is not None and (seen.removed or fate(edit) in ("emptied", "cut")):
                assert seen.kind == fate(edit)
                told += 1
    assert told


SAID = {"type": "text", "text": "half an answer"}


def test_blocks_are_numbered_as_they_are_shown() -> None:
    """What a step cut has the number beside which it stands in the prompt, however many blocks a later step dropped."""
    talk = [made.user("go"), made.reply(SAID, stop="aborted"), made.reply(SAID, stop="error")]
    for number in range(5):
        talk += [made.reply(made.call(f"c{number}", "read")), made.result(f"c{number}", "x" * 400, "read")]
    blocks = made.blocks_of(*talk)
    trace = run(made.context_of(blocks), blocks, policy("article-2"), made.step(window=900), made.SIZES)
    guard = next(found for found in trace.steps if found.layer == "guard_context")
    assert str(done(guard)) == "empties blocks 5 and 7"
    assert str(done(guard, trace.blocks)) == "empties blocks 3 and 5"
    assert trace.blocks[2].first is guard.after[4].first
    assert place_of(guard.after[1], 1, trace.blocks) == 1, "what is not there keeps its number"


def test_a_step_that_is_off_does_nothing_worth_telling(state: State) -> None:
    """Against the same prompt without the step only what is sent is told."""
    here = step(state)
    trace = state.trace
    assert trace is not None
    number = trace.steps.index(here)
    state.switch("guard_context", False)
    settle(state)
    assert state.trace is not None
    said = render(against(trace, state.trace, number, trace.steps[-1].tokens_after))
    assert said.startswith("◇")
    assert "nothing" not in said


def test_dropped_and_inserted(state: State) -> None:
    """A limit of history drops everything before its first turn; nothing else."""
    state.set("limit_history", turns=1)
    found = effects(step(state, "limit_history"))
    assert sum(map(len, found.places)) == found.count("dropped")


def test_blocks_are_named_or_counted() -> None:
    """Up to four by number, from 1; more as how many and which is the first."""
    assert str(blocks_named((84,))) == "block 85"
    assert str(blocks_named((4, 2))) == "blocks 3 and 5"
    assert str(blocks_named((0, 1, 2, 3))) == "blocks 1, 2, 3 and 4"
    assert str(blocks_named((9, 11, 13, 15, 17))) == "5 blocks from block 10 on"


def test_the_effect_in_words(state: State) -> None:
    """One clause for each kind of edit; a step that did nothing says that."""
    places = effects(step(state)).places[KINDS.index("cut")]
    assert str(done(step(state))) == f"cuts {blocks_named(places)}"
    assert str(done(step(state, "limit_history"))) == "changes nothing"


def test_a_drag_against_its_start(state: State) -> None:
    """More and fewer results, more and fewer tokens, or nothing."""
    start = step(state)
    more = under(state, share=0.5)
    words = str(consequence(more, start, False, False))
    gained = effects(more).count("cut") - effects(start).count("cut")
    assert gained > 1
    assert words == f"cuts {gained} more results"
    assert str(consequence(start, more, False, False)) == f"cuts {gained} fewer results"
    assert str(consequence(start, start, False, False)) == "changes nothing here"
    assert str(consequence(start, start, True, False)) == "overflow"
    assert str(consequence(start, start, False, True)) == "no overflow"


def test_the_same_results_cut_shorter(state: State) -> None:
    """When no result more is touched, the tokens tell the difference."""
    start = step(state)
    less = under(state, share=0.745)
    assert effects(start).places == effects(less).places
    assert str(consequence(less, start, False, False)).startswith("takes ◇")
    assert str(consequence(start, less, False, False)).startswith("leaves ◇")


def of_request(state: State, request: int, profile: Profile | None = None) -> Step:
    found: list[Trace] = []
    state.compare("x", found.append, request=request, profile=profile)
    settle(state)
    return next(made for made in found[0].steps if made.instance == "guard_context")


def test_rewritten_from_the_first_block_that_is_another(state: State) -> None:
    """What the request before had sent whole and this one sends cut."""
    now, before = step(state), of_request(state, 8)
    edited = {edit.index for edit in now.edits} - {edit.index for edit in before.edits}
    first = first_rewritten(now, before)
    assert first is not None
    assert first in {edit.index for edit in now.edits}
    assert first < len(before.after)
    assert edited
    assert first_rewritten(now, None) is None


def test_an_append_rewrites_nothing(state: State) -> None:
    """Within its budget the guard changes nothing, so the prompt before is the beginning of this one."""
    now, before = of_request(state, 4), of_request(state, 3)
    assert first_rewritten(now, before) is None


def test_a_difference_from_above_is_not_the_steps_own(state: State) -> None:
    """Whoever made it first is named: what came in different was lost already."""
    now, before = step(state), of_request(state, 8)
    moved = replace(now, before=now.before[1:])
    assert first_rewritten(moved, before) is None


def test_alternatives_in_their_order(state: State) -> None:
    """Off → on; changed → as chosen; first choice → its next option; first switch; else off."""
    base = small()

    def title(profile: Profile, name: str) -> str:
        found = alternative(profile, base, name)
        assert found is not None
        assert found.profile != profile
        return str(found.title)

    assert title(base, "guard_context") == "Cut first: Oldest"
    assert title(base.set("guard_context", share=0.5), "guard_context") == "As the policy has it"
    assert title(base.switch("guard_context", False), "guard_context") == "With this step"
    assert title(base, "guard_overflow").startswith("Check for overflow")
    assert title(base, "strip_details") == "Without this step"
    assert alternative(base, base, "session_context") is None
