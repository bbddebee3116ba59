"""Where a prompt first differs from that of the request before, in its messages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from core.pipeline import Trace
from gui.differs import Differs, of_messages
from gui.prompt_differs import Differing
from gui.stage import Stage
from gui.state import State
from tests.core.stepped import profile, reply, result, trace, user

LONG = "a line of the file\n" * 60
TALK = [user("read it"), reply("", "c1"), result("c1", LONG), reply("done"), user("and now?")]
WHOLE, CUT = profile("strip_details"), profile("guard_single")


def stage(of: Trace) -> Stage:
    return cast(Stage, SimpleNamespace(trace=of, step=None))


def test_what_only_follows_is_no_difference() -> None:
    """A request appends: the old prompt is the beginning of the new one."""
    assert of_messages(trace(TALK[:3], WHOLE), trace(TALK, WHOLE)) is None
    assert of_messages(trace(TALK, WHOLE), trace(TALK, WHOLE)) is None


def test_a_cut_is_named_with_its_step() -> None:
    """Block, character and step: what was whole in the request before is cut now; both texts from there on."""
    found = of_messages(trace(TALK[:3], WHOLE), trace(TALK, CUT))
    assert found is not None
    assert (found.block, found.text) == (2, 0)
    assert found.unit is not None
    assert LONG[found.unit :].startswith(found.before)
    assert not found.after.startswith(found.before)
    assert found.why is not None
    assert dict(found.why.values)["title"].id == "layer.guard_single.title"


def test_a_message_that_is_another_one() -> None:
    """None of our steps made it: no step is named."""
    other = [user("read that"), *TALK[1:]]
    assert of_messages(trace(TALK, WHOLE), trace(other, WHOLE)) == Differs(None, 0, len("read "), 0, None, "it", "that")


def test_a_shorter_prompt_has_none() -> None:
    """A compaction aside, a prompt that lost its end differs nowhere before it."""
    assert of_messages(trace(TALK, WHOLE), trace(TALK[:3], WHOLE)) is None


def test_asked_once_for_a_trace() -> None:
    """The request before is worked out once; an answer for an older trace is not taken."""
    asked: list[Any] = []
    came: list[bool] = []
    state = SimpleNamespace(
        timeline=SimpleNamespace(summaries=(1, 2, 3)),
        cursor=SimpleNamespace(request=3),
        stale=False,
        grasped=False,
        recorded=SimpleNamespace(parted=None),
        against=SimpleNamespace(chosen=None, found=None),
        compare=lambda name, done, request: asked.append((done, request)),
    )
    differing, given = Differing(lambda: came.append(True)), cast(State, state)
    first, second = stage(trace(TALK, CUT)), stage(trace([*TALK, reply("yes")], CUT))
    differing.ask(given, first)
    differing.ask(given, second)
    asked[0][0](trace(TALK[:3], WHOLE))
    assert (came, [request for _, request in asked]) == ([], [2, 2])
    asked[1][0](trace(TALK[:3], WHOLE))
    assert came == [True]
    assert differing.of(given, first) is None
    assert differing.of(given, second) is not None
    differing.ask(given, second)
    assert len(asked) == 2
