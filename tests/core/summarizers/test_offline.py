"""The summarizers that need no network: extractive, scripted, recorded, the template, and how they are found."""

from __future__ import annotations

import pytest

from core.errors import RequestError, UsageError
from core.messages import Message
from core.settings import change
from core.summarizer import Ask, Scene, SummaryError, summarizer, summarizers
from core.summarizers import _example, extractive, recorded, scripted
from core.summarizing import Rules, Summarizing, Work

MESSAGES = (
    Message.of({"role": "user", "content": "deploy src/app.py with API_TOKEN=ghp_" + "a1B2" * 9}),
    Message.of({"role": "assistant", "content": [{"type": "text", "text": "deployed"}]}),
)


def ask(number: int = 1, previous: str | None = None, max_output: int = 1_000) -> Ask:
    return Ask(number, "chunk", 1, 1, MESSAGES, previous, None, max_output)


def answer(made, asked: Ask) -> str:
    return made.answer(asked, lambda size: None, lambda: False).text


def test_all_are_found() -> None:
    """By id, checked against the contract; the template is none; only one of them sends anything away."""
    assert list(summarizers()) == ["anthropic", "extractive", "recorded", "scripted"]
    assert [name for name, module in summarizers().items() if module.LEAVES] == ["anthropic"]
    assert summarizer("scripted") is scripted
    with pytest.raises(RequestError, match="extractive"):
        summarizer("gpt")


def test_extractive() -> None:
    """Within its size and the call's, no secret in it."""
    made = extractive.make(extractive.Settings(600), Scene())
    assert "src/app.py" in answer(made, ask())
    assert len(answer(made, ask())) <= 600
    assert "ghp_" not in answer(made, ask())
    large = extractive.make(extractive.Settings(16_000), Scene())
    assert len(answer(large, ask(max_output=150))) <= 600


def test_recorded() -> None:
    """The file's own summary, whatever is asked; without one there is no such summarizer."""
    made = recorded.make(recorded.Settings(), Scene(recorded="as it was"))
    assert answer(made, ask()) == answer(made, ask(7, "previous")) == "as it was"
    with pytest.raises(RequestError):
        recorded.make(recorded.Settings(), Scene())


def test_the_template() -> None:
    """It keeps the contract that it explains."""
    made = _example.make(_example.Settings(), Scene())
    assert answer(made, ask(previous="before")).startswith("before\nuser: deploy src/app.py")
    with pytest.raises(SummaryError):
        made.answer(ask(), lambda size: None, lambda: True)


def script(**values: str) -> scripted.Scripted:
    return scripted.make(change(scripted.Settings(), "scripted", values), Scene())


def fails(made: scripted.Scripted, asked: Ask) -> str | None:
    try:
        answer(made, asked)
    except SummaryError as error:
        return error.kind
    return None


def test_scripted_fails_at_calls() -> None:
    """At the numbers given, or at all of them, in the way given."""
    made = script(fail="1,3", kind="timeout")
    assert [fails(made, ask(number)) for number in (1, 2, 3, 4)] == ["timeout", None, "timeout", None]
    assert fails(script(fail="all"), ask(99)) == "failed"
    with pytest.raises(UsageError, match="first"):
        script(fail="first")


def test_scripted_fails_at_messages() -> None:
    """At words and at large messages; other messages pass."""
    assert fails(script(words="deploy"), ask()) == "failed"
    assert fails(script(words="other"), ask()) is None
    assert fails(script(largest="5"), ask()) == "failed"
    assert fails(script(largest="500"), ask()) is None


def test_scripted_answers() -> None:
    """Short ones carry the previous summary on, overlong ones are longer than allowed, empty ones are empty."""
    assert answer(script(), ask(2, "before")) == "before\nScripted summary 2 of 2 messages."
    assert len(answer(script(answers="overlong"), ask())) > 4 * 1_000
    assert answer(script(answers="empty"), ask()) == ""
    with pytest.raises(SummaryError) as caught:
        answer(script(fail="all", retry_after="4"), ask())
    assert caught.value.retry_after == 4.0


@pytest.mark.parametrize(
    ("values", "rung", "overlong"),
    [
        ({}, 1, False),
        ({"fail": "1,2,3"}, 2, False),
        ({"largest": "50000"}, 2, False),
        ({"fail": "all"}, 3, False),
        ({"fail": "all", "kind": "overflow"}, 3, False),
        ({"answers": "empty"}, 3, False),
        ({"answers": "overlong"}, 1, True),
    ],
)
def test_scripted_reaches_every_rung(values: dict[str, str], rung: int, overlong: bool) -> None:
    """Never empty, never an exception."""
    large = Message.of({"role": "toolResult", "content": [{"type": "text", "text": "x" * 440_000}]})
    run = Summarizing(script(**values).answer, Rules())
    told = run.in_stages(Work((*MESSAGES, large), 1_000_000, 200_000, 1_000))
    assert told.rung == rung
    assert told.text.strip()
    assert any(call.overlong for call in run.calls) is overlong
