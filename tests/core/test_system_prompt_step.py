"""The step "System prompt": fired where a source tells, quiet where only the size is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.boundary import BOUNDARY
from core.leading import leading_of
from core.phrase import phrase, render
from core.pipeline import Step, Trace
from core.prompt_source import PartSource, PromptSource
from core.system_prompt import SystemPrompt
from core.system_prompt_step import system_prompt_step

BLANK = phrase("layer.off")
STEP = Step(
    *("session_context", "session_context", BLANK, "request", True, False, BLANK, None, (), (), (), ()),
    *(0, 40, 0, 10, None, False, ()),
)
TRACE = Trace("p", (STEP,), (), False)
TRACED = PartSource("trace", "cache-trace.jsonl", 3)
BUILT = PartSource("workspace", "/w")
PROMPT = SystemPrompt.of_text(f"stable{BOUNDARY}dynamic", "recorded")
WHOLE = SystemPrompt.of_text("all", "recorded")
TOOLS = ({"name": "read"},)


def step_of(source: PromptSource, unrecorded: int | None = None) -> Step:
    return system_prompt_step(TRACE, leading_of(source, lambda message: 7), unrecorded)


@pytest.mark.parametrize(
    ("source", "en", "zh"),
    [
        (
            PromptSource(PROMPT, TOOLS, TRACED, TRACED),
            "Tools, stable and dynamic part, from the trace.",
            "工具、稳定部分和动态部分，取自跟踪文件。",
        ),
        (PromptSource(), "Not recorded; size from usage.", "未记录；大小由用量推算。"),
        (
            PromptSource(WHOLE, TOOLS, BUILT, TRACED),
            "Tools, from the trace. System prompt, built from the workspace folder.",
            "工具，取自跟踪文件。系统提示词，由工作区文件夹构建。",
        ),
        (
            PromptSource(PROMPT, None, PartSource("file", "s.txt")),
            "Stable and dynamic part, from a file given by hand.",
            "稳定部分和动态部分，取自手动给出的文件。",
        ),
    ],
)
def test_its_sentence(source, en, zh):
    """What is there and where it is from; each source that differs has its own sentence."""
    why = step_of(source).why
    assert (render(why, "en"), render(why, "zh_CN")) == (en, zh)


def test_it_puts_its_blocks_in_front():
    """Tools, stable, dynamic: three blocks of 7 tokens; the trace's own blocks stay behind them."""
    step = step_of(PromptSource(PROMPT, TOOLS, TRACED, TRACED))
    assert step.fired
    assert [block.section for block in step.after] == ["tools", "system", "system"]
    assert (step.tokens_before, step.tokens_after) == (10, 31)
    assert step.chars_after - step.chars_before == len('[{"name":"read"}]') + len("stable") + len("dynamic")
    assert step.first_touched == 0
    assert step.notes == ()


def test_only_the_size_is_known():
    """Nothing stands there but tokens by difference; where no usage tells not even these."""
    known, unknown = step_of(PromptSource(), 19_543), step_of(PromptSource())
    assert not known.fired
    assert known.after == known.before
    assert known.tokens_after - known.tokens_before == 19_543
    assert unknown.tokens_after == unknown.tokens_before


def test_notes():
    """A part that is in no source, one that another call recorded, and words that are ours are named."""
    taken = replace(TRACED, own=False)
    assert "in no source" in str(step_of(PromptSource(WHOLE, None, TRACED)).notes[0])
    assert "recorded call 3" in str(step_of(PromptSource(None, TOOLS, None, taken)).notes[0])
    assert [str(note)[:12] for note in step_of(PromptSource(WHOLE, TOOLS, BUILT, taken)).notes] == [
        "The tools ar",
        "The sections",
    ]


def test_every_combination_has_words():
    """Parts that are blank are not sent: whatever is left has a name."""
    for text in ("a", f"a{BOUNDARY}b", f"a{BOUNDARY}", f"{BOUNDARY}b", ""):
        for tools in (TOOLS, None):
            prompt = SystemPrompt.of_text(text, "recorded")
            why = str(step_of(PromptSource(prompt, tools, TRACED, TRACED)).why)
            assert "layer." not in why
