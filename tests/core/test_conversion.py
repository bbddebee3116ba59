"""Conversion to provider messages: every recorded case of layer j."""

from __future__ import annotations

import pytest

from core import conversion, sent
from core.context import Origin
from core.layer import StepContext, Target
from core.messages import Message
from core.prompt import Block, Blocks
from tests.reference.vectors import Case, assert_same, cases, defined

NOW = 1_700_000_000_000
TARGET = Target("anthropic", "anthropic-messages", "claude-1", "anthropic")
SYMBOLS = {
    "{{COMPACTION_INTRO}}": sent.COMPACTION_INTRO,
    "{{BRANCH_INTRO}}": sent.BRANCH_INTRO,
    "{{NO_RESULT}}": conversion.NO_RESULT,
}


def blocks_of(messages: list[object]) -> Blocks:
    return tuple(Block.of(Message.of(defined(raw)), Origin((row,))) for row, raw in enumerate(messages))


def spoken(value: object) -> object:
    if isinstance(value, str):
        for symbol, text in SYMBOLS.items():
            value = value.replace(symbol, text)
        return value
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if isinstance(value, list) else value


def test_our_texts_have_the_recorded_lengths() -> None:
    """Budgets and cuts depend on the length only."""
    assert (len(sent.COMPACTION_INTRO), len(sent.BRANCH_INTRO), len(conversion.NO_RESULT)) == (96, 89, 18)
    assert sent.COMPACTION_INTRO.endswith("<summary>\n")


@pytest.mark.parametrize("case", cases("convertToLlm"))
def test_convert_to_llm(case: Case) -> None:
    """Commands, notes and summaries become user messages; what is excluded is left out."""
    after = conversion.to_provider(blocks_of(spoken(case.input["messages"])), {}, StepContext(0, TARGET))  # type: ignore[arg-type]
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))


def normalizer(name: str | None, model: str) -> conversion.NormalizeId | None:
    def source(id: str, message: Message) -> str:
        return f"{message.get('provider')}-{model}-{id}"

    known: dict[str | None, conversion.NormalizeId | None] = {
        None: None,
        "none": None,
        "charset64": conversion.charset_64,
        "beforePipe40": conversion.before_pipe_40,
        "constant": lambda *_: "same",
        "source": source,
    }
    return known[name]


@pytest.mark.parametrize("case", cases("transformMessages"))
def test_transform_messages(case: Case) -> None:
    """Thinking, signatures, ids and open calls as the model wants them."""
    model = case.input["model"]
    model = {"provider": "anthropic", "api": "anthropic-messages", "id": "claude-1"} if model == "MODEL" else model
    target = Target(model.get("provider"), model.get("api"), model.get("id"), "anthropic")
    normalize = normalizer(case.input.get("normalizeId"), str(model.get("id")))
    if case.throws is not None:
        # A string content crashes the agent (an accident of JavaScript); here it passes through as it is.
        assert case.throws == "TypeError"
        assert case.note == "string content"
        return
    context = StepContext(0, target, NOW)
    after = conversion.transform(blocks_of(spoken(case.input["messages"])), normalize, {}, context)  # type: ignore
    assert_same([block.message.json() for block in after], spoken(case.output["messages"]))
