"""The cache boundary: where the system prompt is divided, and that nothing below it moves a byte above it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core import boundary, javascript
from core.boundary import BOUNDARY
from tests.reference.vectors import UNDEFINED, assert_same, cases

WORDS = BOUNDARY.strip()

texts = st.lists(
    st.sampled_from([BOUNDARY, WORDS, "\n", "\r\n", "\r", " \t", "\u00a0", "\u2028", "a", "# b", "é😀"]),
    max_size=12,
).map("".join)
"""Texts with markers, halves of markers and every kind of line end."""


def ends_in_words(text: str) -> bool:
    """Does it end in a marker that only lacks its line end? Joined to something, it gets one."""
    return text.endswith(BOUNDARY[:-1])


@pytest.mark.parametrize("case", cases("stripSystemPromptCacheBoundary"))
def test_strip_agrees(case):
    """Every marker becomes one line end."""
    assert_same(boundary.strip(case.input["text"]), case.output["value"])


@pytest.mark.parametrize("case", cases("splitSystemPromptCacheBoundary"))
def test_split_agrees(case):
    """At the first marker; white space beside it goes; no marker, no split."""
    found = boundary.split(case.input["text"])
    expected = case.output["value"]
    if expected is UNDEFINED:
        assert found is None
    else:
        assert_same({"stablePrefix": found.stable, "dynamicSuffix": found.dynamic}, expected)


@pytest.mark.parametrize("case", cases("normalizeStructuredPromptSection"))
def test_normalise_agrees(case):
    assert_same(boundary.normalise(case.input["text"]), case.output["value"])


@pytest.mark.parametrize("case", cases("prependSystemPromptAdditionAfterCacheBoundary"))
def test_add_agrees(case):
    """Below the marker, in front of what stands there; in front of everything without one."""
    given_input = case.input
    added = boundary.add(given_input["systemPrompt"], given_input.get("systemPromptAddition"))
    assert_same(added, case.output["value"])


@given(texts)
def test_divide_and_join_are_inverse(text):
    """join(divide(t)) = t, and divide(join(a, b)) = (a, b) where a brings no marker of its own."""
    halves = boundary.divide(text)
    if halves is None:
        assert BOUNDARY not in text
        assume(not ends_in_words(text))
        assert boundary.divide(boundary.join(text, "below")) == (text, "below")
    else:
        assert boundary.join(*halves) == text


@given(texts, texts)
def test_split_of_joined_parts_gives_them_back(stable, dynamic):
    """split ∘ join = identity on parts as `split` gives them."""
    halves = boundary.split(boundary.join(stable, dynamic))
    assert halves is not None
    assume(not ends_in_words(halves.stable))
    assert boundary.split(boundary.join(*halves)) == halves


@given(texts)
def test_normalisation_is_idempotent(text):
    once = boundary.normalise(text)
    assert boundary.normalise(once) == once
    assert once == javascript.trim(once)
    assert "\r" not in once


@given(texts, texts, texts)
def test_an_addition_never_touches_the_stable_bytes(stable, dynamic, addition):
    """Whatever a context engine adds, what is sent above the boundary is the same bytes."""
    text = boundary.join(stable, dynamic)
    before, after = boundary.split(text), boundary.split(boundary.add(text, addition))
    assert before is not None
    assert after is not None
    assume(not ends_in_words(before.stable))
    assert after.stable == before.stable


def test_the_agent_s_accident():
    """The one exception: words of a marker with a foreign line end, right above the boundary. Trimmed, they get the
    line end that they lacked, and are the first marker from then on. The agent does the same."""
    text = boundary.join(f"above\n{WORDS}\r\n", "below")
    assert boundary.split(text).stable == f"above\n{WORDS}"
    assert boundary.split(boundary.add(text, "more")).stable == "above"


@given(texts)
def test_nothing_is_added_twice_by_blank_additions(text):
    """A blank addition, or none, is the very prompt."""
    for addition in ("", " \n\t", None, 5, ["x"]):
        assert boundary.add(text, addition) is text


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("no marker", ()),
        (f"a{BOUNDARY}b", ()),
        (f"a{BOUNDARY}b{BOUNDARY}c", (1 + 34 + 1 + 1,)),
        (f"a{BOUNDARY}{BOUNDARY}", (1 + 34 + 1,)),
        (f"a{BOUNDARY}{WORDS}\n", (1 + 34,)),  # shares its line end with the first
        (f"{WORDS}\na{BOUNDARY}b", (0,)),  # no line end before it: no boundary
        (f"say {WORDS} here", (4,)),
    ],
)
def test_stray_markers_are_placed(text, places):
    """Another marker is plain text for the model; it is found at the character where it begins."""
    assert boundary.stray_markers(text) == places
    assert all(text.startswith(WORDS, place) for place in places)
