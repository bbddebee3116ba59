"""The agents' cuts: every recorded case of layer a, and those of layer b that cut to a budget."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import cutting, javascript
from core.messages import Message
from core.text import Text
from tests.reference.vectors import Case, Digest, assert_same, cases

GUARD_SUFFIX = "\n\n⚠️" + "~" * 147
SYMBOLS = {"{{GUARD_SUFFIX}}": GUARD_SUFFIX}


def spoken(value: object) -> object:
    """The recorded output with our own texts of the recorded lengths in the place of the symbols."""
    if isinstance(value, str):
        import re

        for symbol, text in SYMBOLS.items():
            value = value.replace(symbol, text)
        return re.sub(r"\{\{MORE_CHARS_NOTICE:(\d+)\}\}", lambda m: cutting.more_characters(int(m[1])), value)
    if isinstance(value, dict):
        return {key: spoken(item) for key, item in value.items()}
    if isinstance(value, list):
        return [spoken(item) for item in value]
    return value


def suffix_of(case: Case) -> cutting.Suffix:
    if case.version == "2026.4.14":
        return cutting.more_characters
    given = case.input.get("suffix")
    return javascript.units(str(spoken(given))) if given is not None else cutting.TRUNCATION_SUFFIX


@pytest.mark.parametrize("case", cases("hasImportantTail"))
def test_important_tail(case: Case) -> None:
    """The last 2,000 units decide, by word or by a closing brace."""
    assert (cutting.important_tail(javascript.units(case.input["text"])) is not None) is case.output["value"]


@pytest.mark.parametrize("case", cases("truncateToolResultText"))
def test_cut_result(case: Case) -> None:
    """Head, or head and tail, at the recorded units."""
    cut = cutting.cut_result(
        Text.of(case.input["text"]),
        case.input["maxChars"],
        suffix_of(case),
        case.input.get("minKeepChars", cutting.MIN_KEEP),
    )
    if "length" in case.output:
        assert len(cut) == case.output["length"]
    if "text" in case.output and not isinstance(case.output["text"], Digest):
        assert_same(str(cut), spoken(case.output["text"]))


@pytest.mark.parametrize("case", cases("calculateMaxToolResultChars"))
def test_result_cap(case: Case) -> None:
    """30 % of the window, at most the version's hard cap."""
    most = 400_000 if case.version == "2026.3.24" else 40_000
    assert cutting.result_cap(case.input["contextWindowTokens"], most) == case.output["value"]


@pytest.mark.parametrize("case", cases("truncateTextToBudget"))
def test_cut_to_budget(case: Case) -> None:
    """The head and a notice, back to a line end beyond 70 %."""
    cut = cutting.cut_head_counting if case.version == "2026.4.14" else cutting.cut_head
    assert_same(str(cut(Text.of(case.input["text"]), case.input["maxChars"])), spoken(case.output["text"]))


@pytest.mark.parametrize("case", cases("truncateToolResultMessage"))
def test_cut_message(case: Case) -> None:
    """Every text block gets its share; the very message comes back when nothing is to be done."""
    message = Message.of(case.input["message"])
    cut = cutting.cut_message(
        message, case.input["maxChars"], suffix_of(case), case.input.get("minKeepChars", cutting.MIN_KEEP)
    )
    assert (cut is message) is case.output.get("sameRef", cut is message)
    assert_same(cut.json(), spoken(case.output["message"]))


@given(st.text(alphabet=st.characters(codec="utf-16"), max_size=400), st.integers(0, 300), st.integers(0, 100))
def test_a_cut_keeps_only_what_was_there(text: str, limit: int, keep: int) -> None:
    """Spans of the source and our own notices, nothing else; a text that fits is the very text."""
    whole = Text.of(text)
    cut = cutting.cut_result(whole, limit, "~", keep)
    assert (cut is whole) is (len(whole) <= limit)
    assert all(piece in ("~", cutting.MIDDLE_OMISSION) for piece in cut.pieces if isinstance(piece, str))
    spans = [piece for piece in cut.pieces if not isinstance(piece, str)]
    assert all(0 <= a.start <= a.end <= len(whole) for a in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
