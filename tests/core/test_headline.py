"""The sentence over a prompt: which one follows from the recorded usage, and how it is cut into runs."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from core.assembled import Assembled
from core.cache import Break
from core.context import Context
from core.headline import CAUSES, Run, cause, headline, runs
from core.messages import Usage
from core.phrase import LANGUAGES, catalogue, phrase, render
from core.session import Request
from core.timeline import RequestSummary, Timeline
from core.totals import Totals

CONTEXT = Context((), (), None, (), (), "off", None)
NOTHING = Totals(0, 0, Usage(), Decimal(0), 0)
TIMELINE = Timeline(
    0, (0,), "chars", 200_000, True, (), (), (0, 0, 0, 0), Decimal(0), NOTHING, NOTHING, session_lost=Decimal(0)
)


def summary_of(usage: Usage, broke: Break | None = None, note: str = "") -> RequestSummary:
    request = Request(23, 7, "anthropic", "m", 0, 1, usage)
    return RequestSummary(request, (1, 2, 3, 4), 19_543, None, broke, None, False, Decimal(0), note)


def assembled_of(request: Request | None, unrecorded: int | None = 19_543, tokens: tuple[int, ...] = ()) -> Assembled:
    return Assembled(request, CONTEXT, (), tokens, unrecorded, (), "read", None, 0)


def said(usage: Usage, broke: Break | None = None, note: str = "", language: str = "en") -> str:
    summary = summary_of(usage, broke, note)
    return render(headline(assembled_of(summary.request), summary, TIMELINE), language)


def broken(**fields: object) -> Break:
    found = Break(23, 7, 0, 700.0, 118_806, 0, 118_806, Decimal("0.36"), "ttl_expired", "computed", frozenset({"ours"}))
    return replace(found, **fields)


def test_the_words_of_the_design() -> None:
    """Read and written: the sentence of the visual design, in both languages."""
    usage = Usage(input=0, read=118_806, write=20_968)
    assert said(usage) == (
        "Sent ●139,774 tokens, 70\u202f% of the window: ●118,806 were read from the cache, ●20,968 written. "
        "Tools and system prompt are not in the file."
    )
    assert said(usage, language="zh_CN") == (
        "发送了 ●139,774 词元，占窗口 70%：●118,806 读自缓存，●20,968 为新写入。工具和系统提示词不在文件中。"
    )


@pytest.mark.parametrize(
    ("usage", "note", "words"),
    [
        (Usage(input=300, read=700), "", "●700 were read from the cache, ●300 were not."),
        (Usage(input=3, write=900), "", "nothing was read from the cache, ●900 written."),
        (Usage(input=3, write=900), "first", "the first request finds nothing in the cache; ●900 were written."),
        (
            Usage(input=3, write=900),
            "nothing_before",
            "the previous request was too short to be cached; ●900 were written.",
        ),
        (Usage(input=903), "below_minimum", "a prompt this short is not cached."),
        (Usage(input=903), "", "The file records no use of the cache."),
    ],
)
def test_each_use_of_the_cache_has_its_sentence(usage: Usage, note: str, words: str) -> None:
    """What was neither read nor written is never called written."""
    assert words in said(usage, note=note)


def test_a_break_names_its_cause_and_its_cost() -> None:
    """A break takes the place of what was read; computed money is marked as ours."""
    text = said(Usage(input=3, write=139_771), broken(idle_s=661.0))
    assert text == (
        "Sent ●139,774 tokens, 70\u202f% of the window, but the cache broke: it expired, unused for 11\u202fmin. "
        "●118,806 cached tokens were not read, which cost ≈$0.36."
    )
    assert "likely because the thinking level changed" in said(
        Usage(write=9), broken(cause="thinking_changed", certainty="likely")
    )
    assert said(Usage(write=9), broken(cost=None)).endswith("●118,806 cached tokens were not read.")


def test_every_cause_has_words_in_both_languages() -> None:
    """A cause with no words of its own is told as unknown, never as its name."""
    for language in LANGUAGES:
        words = {render(cause(broken(cause=name, gap_s=None)), language) for name in CAUSES}
        assert len(words) == len(CAUSES)
    assert cause(broken(cause="params_changed(effort)")) == phrase("headline.cause.params_changed")
    assert render(cause(broken(cause="solar_flare"))) == "the file does not show why"


def test_what_was_not_sent_is_estimated() -> None:
    """The next request: ≈, with tools and system as large as last time; without any call that is said."""
    timeline = replace(TIMELINE, summaries=(summary_of(Usage(input=3)),))
    text = render(headline(assembled_of(None, 1_000, (400, 600)), None, timeline))
    assert (
        text == "Would send ≈2,000 tokens, 1\u202f% of the window, "
        "with tools and system prompt as large as in the last request."
    )
    alone = render(headline(assembled_of(None, None, (400, 600)), None, TIMELINE))
    assert (
        alone
        == "Would send ≈1,000 tokens of messages, 1\u202f% of the window. No model call is recorded in this branch."
    )


def test_an_assumed_window_is_called_assumed() -> None:
    """Percent of a window nobody named must not look like a fact."""
    summary = summary_of(Usage(input=50_000))
    text = render(headline(assembled_of(summary.request), summary, replace(TIMELINE, window_known=False)))
    assert "25\u202f% of an assumed window of 200k" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_runs_are_the_sentence_in_pieces(language: str) -> None:
    """Joined runs = the rendered sentence; numbers are strong, their marks are marks, words are plain."""
    for usage, broke in ((Usage(read=118_806, write=20_968), None), (Usage(write=9), broken())):
        summary = summary_of(usage, broke)
        phrase_ = headline(assembled_of(summary.request), summary, TIMELINE)
        found = runs(phrase_, language)
        assert "".join(run.text for run in found) == render(phrase_, language)
        assert all(run.text in "●≈" for run in found if run.kind == "mark")
        assert all(any(c.isdigit() for c in run.text) for run in found if run.kind == "strong")
        assert not any("●" in run.text or "≈" in run.text for run in found if run.kind == "plain")


def test_a_sentence_without_inner_phrases_is_one_run() -> None:
    """Nothing to make strong: one plain run."""
    assert runs(phrase("headline.not_in_file")) == (Run("Tools and system prompt are not in the file."),)


def test_catalogues_in_step() -> None:
    """Every headline and prompt phrase exists in both languages with the same fields."""
    import re

    english, chinese = catalogue("en"), catalogue("zh_CN")
    for id, template in english.items():
        if id.split(".")[0] in ("headline", "prompt", "budget"):
            fields = [set(re.findall(r"{(\w+)", str(t))) for t in (template, chinese[id])]
            assert fields[0] == fields[1], id
