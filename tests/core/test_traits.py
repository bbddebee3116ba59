"""What a text is made of: each count against a slow one that says what it means."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from core import traits as module
from core.traits import NONE, TRAITS, added, tally, traits

MEANING = {
    "letters": r"[A-Za-z]",
    "words": r"[A-Za-z]+",
    "humps": r"[a-z](?=[A-Z])",
    "digits": r"[0-9]",
    "numbers": r"[0-9]+",
    "lines": r"\n",
    "marks": r"[!-/:-@\[-`{-~]+",
}

texts = st.text() | st.text(alphabet="aB1 \n_.é漢\ud800", max_size=60)


def named(text: str) -> dict[str, int]:
    return dict(zip(TRAITS, traits(text), strict=True))


def test_the_example():
    """let userId = 42;⏎"""
    assert named("let userId = 42;\n") == {
        "letters": 9,
        "words": 2,
        "humps": 1,
        "digits": 2,
        "numbers": 1,
        "lines": 1,
        "marks": 2,
        "foreign": 0,
    }


@given(texts)
def test_each_count_is_what_it_says(text):
    found = named(text)
    for name, pattern in MEANING.items():
        assert found[name] == len(re.findall(pattern, text)), name
    assert found["foreign"] == sum(len(c.encode("utf-8", "surrogatepass")) for c in text if not c.isascii())


@given(texts, texts)
def test_lines_do_not_interact(one, other):
    """Two texts on two lines are made of both and a line end."""
    assert traits(f"{one}\n{other}") == added(added(traits(one), traits(other)), traits("\n"))
    assert added(traits(one), NONE) == traits(one)


@given(st.lists(st.lists(texts, max_size=3), max_size=6), st.integers(1, 40))
def test_many_at_once(groups, window):
    """A tally of groups of texts is what the single texts add up to, wherever it is cut into windows."""
    expected = []
    for group in groups:
        total = NONE
        for text in group:
            total = added(total, traits(text))
        expected.append(total)
    before, module._WINDOW = module._WINDOW, window
    try:
        found = tally(groups)
    finally:
        module._WINDOW = before
    assert found.shape == (len(groups), len(TRAITS))
    assert list(map(tuple, found.tolist())) == expected
