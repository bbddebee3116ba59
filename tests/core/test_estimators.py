"""The margins of the agents' estimates, on messages whose sizes are known and on a session that teaches itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import estimators
from core.context import Origin, message_of
from core.counters.bpe import BytePairs
from core.format import open_session
from core.messages import Message
from core.phrase import LANGUAGES, catalogue
from core.prompt import Block, Blocks

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/w"}


def user(size: int) -> dict[str, object]:
    return {"role": "user", "content": "u" * size}


def result(size: int, images: int = 0) -> dict[str, object]:
    image = {"type": "image", "data": "x", "mimeType": "image/png"}
    content = [{"type": "text", "text": "r" * size}, *[image] * images]
    return {"role": "toolResult", "toolCallId": "c", "content": content, "details": {"long": "d" * 999}}


def said(size: int) -> dict[str, object]:
    return {"role": "assistant", "content": [{"type": "text", "text": "a" * size}]}


def blocks_of(*raw: dict[str, object]) -> Blocks:
    return tuple(Block.of(Message.of(found), Origin((row,))) for row, found in enumerate(raw))


TALK = blocks_of(user(400), said(1_200), result(8_000), {"role": "compactionSummary", "summary": "s" * 304})


def test_the_rows_of_a_request() -> None:
    """Each estimate with its parts, what its margin adds, and how far it is from what was recorded.

    400 + 1,200 + 8,000 characters and a summary of 304 in its introduction and tags (107)
    """
    found = estimators.margins(TALK, bpe=None, prompt=5_000, unrecorded=1_000)
    rows = {row.id: row for row in found.estimates}
    assert list(rows) == ["quarter", "results", "headroom", "pi", "safety", "recorded"]
    assert rows["quarter"].parts == (100, 300, 2_000, 103)
    assert rows["quarter"].tokens == 2_503
    assert rows["results"].parts == (100, 300, 4_000, 103)
    assert (rows["results"].base, rows["results"].margin) == ("quarter", 2_000)
    assert rows["headroom"].tokens == round((400 + 4_000 + 411 / 4) / 0.75)
    assert rows["pi"].tokens == 100 + 300 + 2_000 + 76
    assert rows["safety"].tokens == round(rows["pi"].tokens * 1.2)
    assert rows["safety"].margin == rows["safety"].tokens - rows["pi"].tokens
    assert (rows["recorded"].tokens, rows["recorded"].parts, rows["recorded"].ratio) == (4_000, (), 1.0)
    assert rows["quarter"].ratio == pytest.approx(2_503 / 4_000)


def test_nothing_recorded() -> None:
    """What would be sent next: no recorded row, no ratio, and with a tokenizer its count."""
    found = estimators.margins(TALK, bpe=BytePairs(), prompt=None, unrecorded=None)
    assert [row.id for row in found.estimates][-1] == "bpe"
    assert all(row.ratio is None for row in found.estimates)
    assert estimators.margins((), bpe=None, prompt=None, unrecorded=None).estimates[0].tokens == 0


def test_an_image_counts_2000_and_in_a_result_4000() -> None:
    """Whatever its size; details never count."""
    assert estimators.quarter(Message.of(result(0, 1))) == 2_000
    assert estimators.results(Message.of(result(0, 1))) == 4_000


def test_what_is_not_sent_counts_nothing() -> None:
    """A command kept from the model."""
    hidden = blocks_of({"role": "bashExecution", "command": "x" * 900, "excludeFromContext": True})
    assert estimators.margins(hidden, bpe=None, prompt=None, unrecorded=None).estimates[0].tokens == 0


@given(
    st.lists(
        st.one_of(
            st.builds(user, st.integers(0, 99)),
            st.builds(said, st.integers(0, 99)),
            st.builds(result, st.integers(0, 99)),
        )
    )
)
def test_margins_only_add(raw: list[dict[str, object]]) -> None:
    """Every row with a margin is at least the row it stands on; parts add up to their sum, rounding aside."""
    rows = {
        row.id: row for row in estimators.margins(blocks_of(*raw), bpe=None, prompt=None, unrecorded=None).estimates
    }
    for row in rows.values():
        assert abs(sum(row.parts) - row.tokens) <= 2
        if row.base:
            assert row.margin == row.tokens - rows[row.base].tokens
            assert row.margin >= 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_has_its_words(language: str) -> None:
    """Title and explanation of each."""
    for row in estimators.margins(TALK, bpe=BytePairs(), prompt=10, unrecorded=1).estimates:
        assert row.title.id in catalogue(language)
        assert row.explanation.id in catalogue(language)


def session(tmp_path: Path, per_token: float, steps: int = 12):  # type: ignore[no-untyped-def]
    """A loop of calls whose results weigh a token per so many characters, as the recorded usage has it."""
    lines: list[dict[str, object]] = [HEADER]
    prompt = 2_000
    parent: str | None = None

    def add(message: dict[str, object]) -> None:
        nonlocal parent
        id = f"e{len(lines)}"
        time = f"2026-01-05T10:{len(lines):02}:00.000Z"
        lines.append({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message})
        parent = id

    add(user(100))
    for step in range(steps):
        usage = {"input": prompt, "output": 50, "cacheRead": 0, "cacheWrite": 0, "totalTokens": prompt + 50}
        call = {"type": "toolCall", "id": f"c{step}", "name": "bash", "arguments": {}}
        model = {"provider": "p", "api": "a", "model": "m", "stopReason": "toolUse", "usage": usage}
        add({"role": "assistant", "content": [call], **model})
        size = 1_000 + 100 * step
        add({**result(size), "toolCallId": f"c{step}"})
        prompt += 50 + round(size / per_token)
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(found) + "\n" for found in lines), encoding="utf-8")
    return open_session(path)


@pytest.mark.parametrize(
    ("per_token", "middle", "covered", "answer"),
    [(2.0, 0.5, False, "low"), (4.0, 1.0, None, "about"), (8.0, 2.0, True, "high"), (3.6, 0.9, False, "low")],
)
def test_the_question_of_the_article(
    tmp_path: Path, per_token: float, middle: float, covered: bool | None, answer: str
) -> None:
    """Is a quarter of the characters too coarse? It depends on what the results weigh, and the session tells."""
    opened = session(tmp_path, per_token)
    found = {item.id: item for item in estimators.coverage(opened, lambda row: message_of(opened, row))}
    assert found["quarter"].middle == pytest.approx(middle, rel=0.01)
    assert len(found["quarter"].ratios) == 11
    assert found["results"].middle == pytest.approx(2 * middle, rel=0.01)
    assert found["safety"].middle == pytest.approx(1.2 * middle, rel=0.01)
    if covered is not None:
        assert found["quarter"].covered == (1.0 if covered else 0.0)
    said = estimators.answer(tuple(found.values()))
    first = dict(said.values)["first"]
    assert first.id == f"margins.answer_{answer}"  # type: ignore[attr-defined]
    assert "{" not in str(said)


def test_too_little_says_nothing(tmp_path: Path) -> None:
    """Fewer than eight growths: no answer is better than a wrong one."""
    opened = session(tmp_path, 4.0, steps=8)
    assert estimators.coverage(opened, lambda row: message_of(opened, row)) == ()
    assert estimators.answer(()).id == "margins.unknown"


def test_it_can_be_stopped(tmp_path: Path) -> None:
    """Asked now and then whether to go on."""
    opened = session(tmp_path, 4.0)
    assert estimators.coverage(opened, lambda row: message_of(opened, row), go_on=lambda done: False) == ()
