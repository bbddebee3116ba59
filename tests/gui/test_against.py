"""A prompt held against any other request: of this branch, of another one, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.profile import default_policy
from core.session_key import NOTHING
from gui import opened
from gui.against import Chosen
from gui.differ_task import against
from gui.differs import Against

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


def go_on(*_: object) -> bool:
    return True


def compare(name: str, here: tuple[int | None, int | None], there: tuple[int | None, int | None]) -> Against | None:
    path = str(SAMPLES / name)
    try:
        session = opened.session_of(path, go_on)
        profile = default_policy(session.format)
        return against(path, here, there, "recorded", profile, NOTHING, (), go_on)
    finally:
        opened.forget(path, go_on)


def test_an_earlier_request_is_the_beginning() -> None:
    """Messages only grew from request 2 to 3: no difference, and how many blocks they share."""
    found = compare("guard.jsonl", (None, 3), (None, 2))
    assert found is not None
    assert (found.number, found.differs, found.shared) == (2, None, found.theirs)


def test_tools_that_are_gone() -> None:
    """Request 5 of the traced session has fewer tools than request 2: the first difference lies there, with both
    texts, whatever follows in the messages."""
    found = compare("traced-session.jsonl", (None, 5), (None, 2))
    assert found is not None
    assert found.leading
    assert found.differs is not None
    assert found.differs.leading == 0
    assert found.differs.before.startswith(',{"name":')
    assert found.differs.after == "]"


def test_another_branch_parts_at_the_fork() -> None:
    """The branch that was left shares the messages above the fork; a number beyond its end counts as its last."""
    path = str(SAMPLES / "two-branches.jsonl")
    session = opened.session_of(path, go_on)
    active = session.active_leaf
    assert active is not None
    other = next(leaf for leaf in session.leaves if leaf != active)
    last = len(session.requests(session.path_to(other)))
    assert (found := compare("two-branches.jsonl", (None, last), (other, last + 40))) is not None
    assert found.number == last
    here = compare("two-branches.jsonl", (other, last), (other, last))
    assert here is not None
    assert here.differs is None
    assert here.shared == here.theirs > 0


def test_there_is_no_such_request() -> None:
    """A path without any request: nothing to hold against."""
    session = opened.session_of(str(SAMPLES / "guard.jsonl"), go_on)
    root = session.roots[0]
    assert compare("guard.jsonl", (None, 3), (root, 1)) is None


def test_a_choice_stays_and_an_outdated_answer_is_dropped(qtbot: Any) -> None:
    """What was chosen stays while the inspection point moves; what comes for an older one is not taken."""
    now: list[Any] = [((7, 3), default_policy("pi"), ())]
    asked: list[Any] = []
    chosen = Chosen(lambda: now[0])
    chosen.ask = lambda wanted, there, done: asked.append((wanted[0], there, done))
    chosen.choose((None, 1))
    with qtbot.waitSignal(chosen.came, raising=False, timeout=150):
        pass
    assert asked[0][:2] == ((7, 3), (None, 1))
    now[0] = ((7, 4), *now[0][1:])
    chosen.stir()
    chosen.look()
    first, second = Against(1, None, 1, 1, False), Against(1, None, 2, 2, False)
    asked[0][2](first)
    assert chosen.found is None
    asked[1][2](second)
    assert chosen.found is second
    assert not chosen.waiting
    chosen.forget(moved=True)
    assert (chosen.chosen, chosen.waiting) == (None, False)


@pytest.mark.parametrize("text", ["0", "99999", "nothing of the kind"])
def test_what_is_no_request_is_told(text: str) -> None:
    """Neither a request of the branch nor an entry: the strip says so, nothing is chosen."""
    from types import SimpleNamespace

    from gui.against_menu import choose

    session = opened.session_of(str(SAMPLES / "guard.jsonl"), go_on)
    told: list[Any] = []
    picked: list[Any] = []
    state: Any = SimpleNamespace(
        session=session,
        timeline=SimpleNamespace(summaries=session.requests()),
        against=SimpleNamespace(choose=picked.append),
    )
    window: Any = SimpleNamespace(strip=SimpleNamespace(show_notice=told.append))
    choose(window, state, text)
    assert ([notice.said.id for notice in told], picked) == (["against.unknown"], [])
    choose(window, state, "2")
    assert picked == [(None, 2)]
