"""Masks, windows and the caps of 2026.9: what each keeps, and what of it holds for any history."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import cutting, projection
from core.context import Origin
from core.layer import StepContext, Target
from core.layers import cap_results, mask_results, project_results, sliding_window
from core.messages import Message
from core.phrase import render
from core.prompt import Block, Blocks

TARGET = Target("anthropic", "anthropic-messages", "m", "anthropic")


def context(window: int = 200_000, **more: object) -> StepContext:
    return StepContext(window=window, target=TARGET, **more)  # type: ignore[arg-type]


def block(row: int, raw: dict[str, object]) -> Block:
    return Block.of(Message.of(raw), Origin((row,)))


def history(kinds: str, size: int = 100) -> Blocks:
    """`uarar`: user, assistant, result …; every result has its row in its text, and is `size` long."""
    raw = {
        "u": {"role": "user", "content": "q"},
        "a": {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
        "s": {"role": "compactionSummary", "summary": "s"},
        "r": {"role": "toolResult", "toolCallId": "c", "toolName": "bash"},
    }
    return tuple(
        block(
            row,
            {
                **raw[kind],
                **({"content": [{"type": "text", "text": f"{row} ".ljust(size, "x")}]} if kind == "r" else {}),
            },
        )
        for row, kind in enumerate(kinds)
    )


def rows(blocks: Blocks) -> list[int]:
    return [found.origin.rows[0] for found in blocks]


def masked(blocks: Blocks) -> list[int]:
    return [found.origin.rows[0] for found in blocks if found.message.text() == mask_results.MASK]


# mask


@pytest.mark.parametrize(
    ("results", "keep", "every", "gone"),
    [(3, 10, 1, 0), (10, 10, 1, 0), (11, 10, 1, 1), (4, 0, 1, 4), (14, 10, 5, 0), (15, 10, 5, 5), (19, 10, 5, 5)],
)
def test_how_many_are_masked(results: int, keep: int, every: int, gone: int) -> None:
    """The oldest ones, in steps of `every`."""
    before = history("u" + "ar" * results)
    settings = mask_results.Settings(keep=keep, every=every)
    outcome = mask_results.apply(before, settings, context())
    assert masked(outcome.blocks) == [row for row in rows(before) if before[row].message.role == "toolResult"][:gone]
    assert (outcome.blocks is before) is (gone == 0)


@pytest.mark.parametrize(
    ("results", "keep", "every", "next"), [(3, 10, 1, 11), (14, 10, 5, 15), (11, 10, 10, 20), (0, 0, 1, 1)]
)
def test_a_mask_that_waits_says_for_what(results: int, keep: int, every: int, next: int) -> None:
    """At so many results it moves on: with one fewer nothing is masked, with so many something is."""
    settings = mask_results.Settings(keep=keep, every=every)
    outcome = mask_results.apply(history("u" + "ar" * results), settings, context())
    assert f"there are {results}, and the first ones are masked at {next}." in render(outcome.why)
    assert mask_results.masked(next - 1, keep, every) == 0 < mask_results.masked(next, keep, every)


def test_results_that_are_short_are_counted_apart() -> None:
    """Three old results, one of them no longer than a mask: two of three are masked."""
    before = history("uarararar")
    short = Message.of({"role": "toolResult", "toolCallId": "s", "content": [{"type": "text", "text": "ok"}]})
    places = [at for at, block in enumerate(before) if block.message.role == "toolResult"]
    blocks = tuple(Block.of(short, block.origin) if at == places[1] else block for at, block in enumerate(before))
    outcome = mask_results.apply(blocks, mask_results.Settings(keep=1), context())
    assert render(outcome.why).startswith("Masked 2 of 3 old results, the others are no longer than a mask; of 4,")


def test_some_tools_are_never_masked() -> None:
    """Their results neither go nor count."""
    before = history("uararar")
    settings = mask_results.Settings(keep=1, never=("ba*",))
    assert mask_results.apply(before, settings, context()).blocks is before


def test_the_mask_moves_in_steps() -> None:
    """While the history grows by one result at a time, the prompt before it changes once in five, not always."""
    settings = mask_results.Settings(keep=10, every=5)
    changes = 0
    last: list[int] = []
    for results in range(10, 41):
        now = masked(mask_results.apply(history("u" + "ar" * results), settings, context()).blocks)
        changes += now != last
        last = now
    assert changes == 6
    always = [
        masked(mask_results.apply(history("u" + "ar" * n), mask_results.Settings(), context()).blocks)
        for n in range(10, 41)
    ]
    assert len({tuple(found) for found in always}) == 31


kinds = st.text("uarr", max_size=40).map(lambda text: "s" + text)


@given(kinds, st.integers(0, 6), st.integers(1, 4), st.integers(0, 60))
def test_masking_is_idempotent_and_never_grows(shape: str, keep: int, every: int, size: int) -> None:
    """A mask is not masked again; a result shorter than the mask stays."""
    before = history(shape, size)
    settings = mask_results.Settings(keep=keep, every=every)
    once = mask_results.apply(before, settings, context()).blocks
    assert mask_results.apply(once, settings, context()).blocks is once
    for old, new in zip(before, once, strict=True):
        assert len(new.message.text()) <= len(old.message.text())
        assert new is old or (old.message.role == "toolResult" and new.before is old)


# sliding window


@pytest.mark.parametrize(
    ("shape", "settings", "left"),
    [
        ("uaru", {"messages": 4}, [0, 1, 2, 3]),
        ("uaruaru", {"messages": 3}, [0, 4, 5, 6]),
        ("uaruaru", {"messages": 2}, [0, 6]),
        ("uaruaru", {"messages": 3, "keep_task": False}, [4, 5, 6]),
        ("suaruaru", {"messages": 2}, [0, 1, 7]),
        ("suaruaru", {"messages": 2, "keep_summary": False}, [1, 7]),
        ("uaruaruaru", {"messages": 4, "every": 3}, [0, 6, 7, 8, 9]),
        ("rrr", {"messages": 1}, []),
    ],
)
def test_what_the_window_shows(shape: str, settings: dict[str, object], left: list[int]) -> None:
    """The newest messages, and what stays; it never begins with a result, so it may be shorter than asked.

    uaruaru, 2: the window r5 u6 would begin with a result      u0 | u6
    """
    outcome = sliding_window.apply(history(shape), sliding_window.Settings(**settings), context())  # type: ignore[arg-type]
    assert rows(outcome.blocks) == left


@given(kinds, st.integers(1, 12), st.booleans(), st.booleans())
def test_a_window_is_a_suffix_and_what_stays(shape: str, messages: int, task: bool, summary: bool) -> None:
    """In order, nothing changed; the same window over it changes nothing more."""
    before = history(shape)
    settings = sliding_window.Settings(messages=messages, keep_task=task, keep_summary=summary)
    once = sliding_window.apply(before, settings, context()).blocks
    stay = {before[index] for index in sliding_window._stay(before, settings)}
    counted = [found for found in once if found not in stay]
    assert len(counted) <= messages
    assert list(once) == [found for found in before if found in set(once)]
    assert counted == [found for found in before if found not in stay][len(before) - len(stay) - len(counted) :]
    assert sliding_window.apply(once, settings, context()).blocks is once
    if once is not before and counted:
        assert counted[0].message.role != "toolResult"


# caps of 2026.9


@pytest.mark.parametrize(
    ("window", "cap", "tier"),
    [(8_000, 9_600, "small"), (60_000, 16_000, "small"), (100_000, 32_000, "medium"), (200_000, 64_000, "large")],
)
def test_the_cap_by_tier(window: int, cap: int, tier: str) -> None:
    """One result of 100,000 characters, cut to the tier of the window; the gauge names the setting."""
    before = history("uar", 100_000)
    outcome = cap_results.apply(before, cap_results.Settings(), context(window))
    assert len(outcome.blocks[2].message.text()) == cap
    assert (outcome.gauges[0].threshold, outcome.gauges[0].setting) == (cap, tier)


def test_weighted_characters() -> None:
    """A Chinese character counts 4: 16,000 characters of cap hold less than 4,000 of them."""
    raw = {"role": "toolResult", "toolCallId": "c", "content": [{"type": "text", "text": "字" * 10_000}]}
    before = (block(0, raw),)
    after = cap_results.apply(before, cap_results.Settings(), context(60_000)).blocks
    assert 15_900 < projection.chars(context(), after[0]) <= 16_000
    assert 3_900 < len(after[0].message.text()) < 4_050


def test_images_stay() -> None:
    """The cap is aware of images: they count 8,000 and are not thrown away."""
    image = {"type": "image", "data": "x", "mimeType": "image/png"}
    raw = {"role": "toolResult", "toolCallId": "c", "content": [{"type": "text", "text": "x" * 20_000}, image]}
    after = cap_results.apply((block(0, raw),), cap_results.Settings(), context(60_000)).blocks
    assert after[0].message.parts[1].raw == image
    assert len(after[0].message.text()) == 8_000


def run(blocks: Blocks, carry: object = None, window: int = 10_000, **settings: object):  # type: ignore[no-untyped-def]
    return project_results.apply(blocks, project_results.Settings(**settings), context(window, carry=carry))  # type: ignore[arg-type]


def test_all_results_together() -> None:
    """Oldest first, in part before they are emptied; what was just asked for stays.

    budget 48,000 (four caps of 12,000)   r 20,000 · r 20,000 · r 20,000 · r 20,000 (newest, protected)
    """
    before = history("uararar" + "ar", 20_000)
    outcome = run(before)
    sizes = [len(found.message.text()) for found in outcome.blocks if found.message.role == "toolResult"]
    assert outcome.gauges[0].threshold == 48_000
    assert sizes[2:] == [20_000, 20_000]
    assert sizes[0] == 2_000
    assert sum(sizes) <= 48_000


def test_emptied_only_when_cutting_is_not_enough() -> None:
    """A budget that even 2,000 characters each would break: the oldest are emptied."""
    outcome = run(history("u" + "ar" * 30, 3_000), budget=40_000)
    texts = [found.message.text() for found in outcome.blocks if found.message.role == "toolResult"]
    empty = [text == cutting.PLACEHOLDER for text in texts]
    assert empty == sorted(empty, reverse=True)
    assert 0 < sum(empty) < 29
    assert sum(map(len, texts)) <= 40_000


def test_without_sticky_every_request_decides_anew() -> None:
    """Nothing is carried, nothing held."""
    first = run(history("u" + "ar" * 5, 20_000), sticky=False)
    assert first.carry == project_results.Carry()
    assert run(history("uar", 20_000), first.carry, sticky=False).blocks[2].message.text().startswith("2 xx")


@given(st.lists(st.integers(0, 30_000), min_size=1, max_size=8), st.lists(st.integers(1, 3), min_size=1, max_size=5))
def test_sticky_cuts_never_change_once_sent(sizes: list[int], grow: list[int]) -> None:
    """However the history grows: what was sent shortened is sent in the same bytes."""
    blocks = history("u")
    sent: dict[Origin, bytes] = {}
    carry: object = None
    for more in grow:
        for size in sizes[:more]:
            row = len(blocks)
            blocks = (*blocks, block(row, {"role": "assistant", "content": []}), history("u" * row + "ur", size)[-1])
        outcome = run(blocks, carry)
        carry = outcome.carry
        for old, new in zip(blocks, outcome.blocks, strict=True):
            if old.origin in sent:
                assert new.key == sent[old.origin]
            if new.key != old.key:
                sent[old.origin] = new.key
                assert new.before is old
                assert old in outcome.reasons


@given(st.lists(st.integers(0, 40_000), max_size=6), st.integers(200, 300_000))
def test_the_caps_never_make_a_result_larger(sizes: list[int], window: int) -> None:
    """Both, whatever the window: a result only shrinks, and cutting what is cut changes nothing."""
    before = tuple(found for size in sizes for found in history("ur", size)[1:])
    step = context(window)
    for layer in (cap_results, project_results):
        once = layer.apply(before, layer.Settings(), step).blocks  # type: ignore[attr-defined]
        for old, new in zip(before, once, strict=True):
            assert projection.chars(step, new) <= projection.chars(step, old)
        assert layer.apply(once, layer.Settings(), step).blocks is once  # type: ignore[attr-defined]
