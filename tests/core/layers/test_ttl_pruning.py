"""Pruning as a layer: the gate of the cache's lifetime, the recorded cases behind it, and cuts that stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import pruning
from core.context import Origin
from core.format import open_session
from core.layer import Outcome, StepContext, Target
from core.layers import ttl_pruning
from core.layers.ttl_pruning import Carry, Settings
from core.messages import Message
from core.phrase import Phrase
from core.prompt import Block, Blocks
from core.touches import touches
from tests.core.test_pruning import spoken, window_of
from tests.reference.vectors import Case, assert_same, cases

TARGET = Target("anthropic", "anthropic-messages", "m", "anthropic")
CASES = Path(__file__).parent.parent.parent / "cases"
T = 1_767_607_300_000


def context(window: float = 1_000, **more: object) -> StepContext:
    return StepContext(window=window, target=TARGET, **more)  # type: ignore[arg-type]


def block(row: int, raw: dict[str, object]) -> Block:
    return Block.of(Message.of(raw), Origin((row,)))


def result(row: int, size: int, name: str = "bash") -> Block:
    content = [{"type": "text", "text": f"{row % 10}" * size}]
    return block(row, {"role": "toolResult", "toolCallId": f"c{row}", "toolName": name, "content": content})


def said(row: int) -> Block:
    return block(row, {"role": "assistant", "content": [{"type": "text", "text": "a"}]})


def asked(row: int) -> Block:
    return block(row, {"role": "user", "content": "q"})


SESSION: Blocks = (asked(0), said(1), result(2, 9_000), said(3), result(4, 9_000), said(5), said(6), said(7))


def lengths(blocks: Blocks) -> list[int]:
    return [len(b.message.text()) for b in blocks if b.message.role == "toolResult"]


OPEN = Settings(gate="open", min_prunable=0)


def held_by_a_form(case: Case) -> bool:
    """A placeholder of their own and patterns that are no list of texts have only the cases of `core.pruning`."""
    given = case.raw["input"]["settings"]
    if given == "DEFAULT":
        return True
    return given["hardClear"]["placeholder"] == pruning.PLACEHOLDER and all(
        isinstance(found, list) and all(isinstance(name, str) for name in found) for found in given["tools"].values()
    )


@pytest.mark.parametrize("case", cases("pruneContextMessages", where=held_by_a_form))
def test_the_layer_prunes_as_recorded(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the gate open: every recorded case of layers d and n that uses the agent's own placeholder."""
    monkeypatch.setattr(pruning.Rules, "__init__", _with_filler(pruning.Rules.__init__))
    given = case.input["settings"]
    settings = Settings(gate="open", sizes=case.version if case.version == "2026.3.24" else "2026.4.5")
    if given != "DEFAULT":
        settings = Settings(
            gate="open",
            sizes=settings.sizes,
            soft=given["softTrimRatio"],
            hard=given["hardClearRatio"],
            hard_clear=given["hardClear"]["enabled"],
            keep=given["keepLastAssistants"],
            min_prunable=given["minPrunableToolChars"],
            max_chars=given["softTrim"]["maxChars"],
            head=given["softTrim"]["headChars"],
            tail=given["softTrim"]["tailChars"],
            allow=tuple(given["tools"].get("allow", ())),
            deny=tuple(given["tools"].get("deny", ())),
            thinking_dropped=bool(case.input.get("dropThinkingBlocksForEstimate")),
        )
    before = tuple(block(row, raw) for row, raw in enumerate(case.input["messages"]))
    after = ttl_pruning.apply(before, settings, context(window_of(case))).blocks
    if case.throws is None:
        assert (after is before) is case.output["sameRef"]
        assert_same([b.message.json() for b in after], spoken(case.output["messages"]))


def _with_filler(init):  # type: ignore[no-untyped-def]
    def made(self, *given, **more):  # type: ignore[no-untyped-def]
        init(self, *given, **{"image_marker": "~" * 38, **more})

    return made


# the gate


@pytest.mark.parametrize(
    ("gate", "extra", "idle", "why"),
    [
        ("marker", {}, 400, "no_marker"),
        ("marker", {"last_request": T}, 400, "no_marker"),
        ("marker", {"cache_marker": T}, 299, "warm"),
        ("marker", {"cache_marker": T}, 300, "lapsed"),
        ("request", {"cache_marker": T}, 400, "no_request"),
        ("request", {"last_request": T}, 299, "warm"),
        ("request", {"last_request": T}, 301, "lapsed"),
        ("open", {}, 0, "always"),
    ],
)
def test_the_gate(gate: str, extra: dict[str, int], idle: int, why: str) -> None:
    """Nothing is cut while the cache is warm, or where no touch is recorded; at the lifetime exactly it is cut."""
    step = context(now=T + idle * 1000, extra=extra)
    outcome = ttl_pruning.apply(SESSION, Settings(gate=gate, min_prunable=0), step)
    fired = why in ("lapsed", "always")
    first = dict(outcome.why.values)["first"] if fired else outcome.why
    assert isinstance(first, Phrase)
    assert first.id == f"layer.ttl_pruning.{why}"
    assert (outcome.blocks is SESSION) is not fired


def test_an_unknown_time_keeps_the_gate_closed() -> None:
    """What would be sent next has no time yet: no guess is made."""
    outcome = ttl_pruning.apply(SESSION, Settings(gate="request"), context(extra={"last_request": T}))
    assert outcome.why.id == "layer.ttl_pruning.no_time"


def test_pruning_touches_the_cache_itself() -> None:
    """2026.4.5: after pruning the gate is closed again, and everything is sent whole: the step says so."""
    settings = Settings(min_prunable=0)
    first = ttl_pruning.apply(SESSION, settings, context(now=T + 301_000, extra={"cache_marker": T}))
    assert lengths(first.blocks) != [9_000, 9_000]
    again = context(now=T + 310_000, extra={"cache_marker": T}, carry=first.carry)
    second = ttl_pruning.apply(SESSION, settings, again)
    assert second.blocks is SESSION
    assert [note.id for note in second.notes] == ["layer.ttl_pruning.whole_again"]
    third = ttl_pruning.apply(
        SESSION, settings, context(now=T + 620_000, extra={"cache_marker": T}, carry=second.carry)
    )
    assert lengths(third.blocks) == lengths(first.blocks)


def test_touches_of_a_file() -> None:
    """The last marker on the path, and the start of the last request that succeeded."""
    session = open_session(CASES / "01-cache-ttl-between-two-compactions.jsonl")
    found = touches(session, session.path_to(session.active_leaf))
    assert found["cache_marker"] == T
    marker = next(row for row in range(len(session)) if session.type_of(row) == "custom")
    assert "cache_marker" not in touches(session, session.path_to(marker)[:-1])
    failed = open_session(CASES / "07-error-and-aborted-assistants.jsonl")
    path = failed.path_to(failed.active_leaf)
    starts = [reply.start for reply in failed.columns.replies if reply.stop not in ("error", "aborted")]
    assert touches(failed, path) == {"last_request": starts[-1]}
    assert touches(failed, path[: path.index(failed.columns.replies[-1].entry)])["last_request"] == starts[0]


# cuts that stay

STICKY = Settings(gate="request", sticky=True, whole_characters=True, min_prunable=0)


def run(blocks: Blocks, idle: int, carry: object, settings: Settings = STICKY) -> Outcome:
    return ttl_pruning.apply(blocks, settings, context(now=T + idle * 1000, extra={"last_request": T}, carry=carry))


def test_a_cut_stays_while_the_cache_is_warm() -> None:
    """The bytes of the first shortened request are sent again, and named in the step."""
    first = run(SESSION, 301, None)
    grown = (*SESSION, result(8, 500), said(9))
    second = run(grown, 5, first.carry)
    assert [b.key for b in second.blocks[: len(SESSION)]] == [b.key for b in first.blocks]
    assert second.blocks[8] is grown[8]
    assert {reason.id for reason in second.reasons.values()} == {"layer.ttl_pruning.held"}
    assert isinstance(second.carry, Carry)
    assert second.carry.cuts is first.carry.cuts  # type: ignore[attr-defined]


def test_a_compaction_forgets_the_cuts() -> None:
    """What is no longer in the context is no longer held, also when it comes back later."""
    first = run(SESSION, 301, None)
    second = run(SESSION[5:], 5, first.carry)
    assert run(SESSION, 5, second.carry).blocks is SESSION


sizes = st.lists(st.integers(0, 9_000), min_size=1, max_size=8)
rounds = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 600)), min_size=1, max_size=6)


@given(sizes, rounds, st.integers(200, 5_000), st.integers(0, 2))
def test_sticky_cuts_never_change_once_sent(
    results: list[int], steps: list[tuple[int, int]], window: int, keep: int
) -> None:
    """However the session grows and whatever the clock says: a result that was sent shortened keeps its bytes."""
    blocks: Blocks = (asked(0), said(1))
    carry: object = None
    sent: dict[Origin, bytes] = {}
    settings = Settings(gate="request", sticky=True, min_prunable=0, keep=keep, head=100, tail=100, max_chars=300)
    row = 2
    for grow, idle in steps:
        for size in results[:grow]:
            blocks = (*blocks, result(row, size), said(row + 1))
            row += 2
        step = context(window, now=T + idle * 1000, extra={"last_request": T}, carry=carry)
        outcome = ttl_pruning.apply(blocks, settings, step)
        carry = outcome.carry
        for old, new in zip(blocks, outcome.blocks, strict=True):
            if old.origin in sent:
                assert new.key == sent[old.origin]
            if new.key != old.key:
                sent[old.origin] = new.key


@given(sizes, st.integers(200, 5_000), st.booleans())
def test_blocks_keep_their_place_and_kin(results: list[int], window: int, sticky: bool) -> None:
    """Nothing dropped, moved or made up; each replaced block names what it replaced and has a reason."""
    rows = [b for row, size in enumerate(results) for b in (result(2 * row + 2, size), said(2 * row + 3))]
    blocks = (asked(0), said(1), *rows)
    outcome = ttl_pruning.apply(blocks, Settings(gate="open", sticky=sticky, min_prunable=0, keep=1), context(window))
    for old, new in zip(blocks, outcome.blocks, strict=True):
        assert new.origin == old.origin
        if new is not old:
            assert new.before is old
            assert old in outcome.reasons
