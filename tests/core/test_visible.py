"""Recorded text is safe to look at: nothing hidden stays hidden, and marks still find their place."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.visible import Places, utf16, visible, visible_line

# Everything, lone halves of surrogate pairs included, and often the dangerous ones next to each other.
HIDDEN = (
    "\x00\x07\x1b\x7f\x85\x9b\xad\u200b\u200c\u200d\u200e\u202a\u202e\u2066\u2069\u2028\u2029"
    "\ufeff\ufe0f\ufffc\ud83d\udc68"
)
ANYTHING = st.text(st.one_of(st.characters(exclude_categories=()), st.sampled_from(HIDDEN + "\n\taب👨❤1")))
# What only joins visible characters to one picture may stay.
JOINERS = "\u200c\u200d\ufe0e\ufe0f"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "⟨ESC⟩[31mred"),
        ("a\x00b\x7f", "a⟨NUL⟩b⟨DEL⟩"),
        ("\x9b31m", "⟨CSI⟩31m"),
        ("one\u2028two\u2029", "one⟨LS⟩two⟨PS⟩"),
        ("rm \u202egnp.exe", "rm ⟨RLO⟩gnp.exe"),
        ("\u2066x\u2069", "⟨LRI⟩x⟨PDI⟩"),
        ("ze\u200bro", "ze⟨ZWSP⟩ro"),
        ("cut \ud83d", "cut ⟨D83D⟩"),
        ("\udc68 half", "⟨DC68⟩ half"),
        ("\ufeffBOM", "⟨BOM⟩BOM"),
        ("\U000e0069\U000e0067", "⟨TAG i⟩⟨TAG g⟩"),
        ("a\ufe0f", "a⟨VS16⟩"),
        ("a\U000e0100", "a⟨VS17⟩"),
        ("x\ufffc", "x⟨OBJ⟩"),
        ("\ufdd0\U0001ffff", "⟨FDD0⟩⟨1FFFF⟩"),
        ("line\r\n", "line⟨CR⟩\n"),
    ],
)
def test_what_cannot_be_seen_gets_a_name(text: str, shown: str) -> None:
    """Control, direction, separator, zero-width, tag and surrogate characters become ⟨NAME⟩."""
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain ASCII, 中文, naïve, Ελληνικά, עברית",
        "family 👨\u200d👩\u200d👧 heart ❤\ufe0f key 1\ufe0f\u20e3",  # joiner and selector at work
        "می\u200cخواهم",  # Persian needs its non-joiner
        "tab\tand\nnewline",
    ],
)
def test_what_can_be_seen_stays(text: str) -> None:
    """Ordinary text is returned as it is, the same object; so are joiners that do their ordinary work."""
    assert visible(text) is text


def test_joiner_between_plain_letters_is_named() -> None:
    """A joiner that joins nothing is hidden text: a·ZWJ·b shows it."""
    assert visible("a\u200db") == "a⟨ZWJ⟩b"
    assert visible("👨\u200d") == "👨⟨ZWJ⟩"


def test_every_hidden_category_is_covered() -> None:
    """Law over all of Unicode: alone, no control, format, surrogate or separator character passes."""
    passed = [
        code
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and visible(chr(code), newline=" ", tab=" ") == chr(code)
    ]
    assert passed == []


@given(ANYTHING)
def test_result_holds_nothing_hidden(text: str) -> None:
    """Whatever comes in, only newline, tab and working joiners are left of what cannot be seen."""
    for character in visible(text):
        assert character in "\n\t" + JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


@given(ANYTHING)
def test_result_can_be_encoded(text: str) -> None:
    """The visible form is always valid UTF-8: no half of a surrogate pair is left."""
    visible(text).encode("utf-8")


@given(ANYTHING)
def test_visible_is_idempotent(text: str) -> None:
    """Showing what is already visible changes nothing."""
    assert visible(visible(text)) == visible(text)


@given(ANYTHING, st.integers(0, 40))
def test_line_is_one_line(text: str, limit: int) -> None:
    """`visible_line` never breaks the line, and looks at no more than the limit."""
    line = visible_line(text, limit)
    assert not set(line) & set("\n\r\t\x0b\x0c\x85\u2028\u2029")
    assert line == visible_line(text[:limit], limit)


def test_newline_and_tab_by_choice() -> None:
    """The caller says what a newline and a tab become."""
    assert visible("a\tb\nc", newline="⏎\n", tab="→") == "a→b⏎\nc"


@given(ANYTHING)
def test_places_agree_with_the_visible_text(text: str) -> None:
    """`shown` climbs from 0 to the end, each character's form lies between its place and the next one's."""
    shown = visible(text)
    places = Places(text)
    positions = [places.shown(index) for index in range(len(text) + 1)]
    assert positions[0] == 0
    assert positions[-1] == len(shown)
    for index, (start, end) in enumerate(pairwise(positions)):
        assert start < end
        assert shown[start:end] == text[index] or shown[start] == "⟨"
        # ... and every position in between leads back to the character.
        assert {places.source(position) for position in range(start, end)} == {index}


@given(ANYTHING.map(visible), st.integers(0, 60))
def test_utf16_counts_like_the_codec(text: str, index: int) -> None:
    """Qt's positions are UTF-16 units: a character beyond U+FFFF counts twice."""
    assert utf16(text, index) == len(text[:index].encode("utf-16-le")) // 2
