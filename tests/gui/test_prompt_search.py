"""Find in a prompt: every place, small and capital letters alike, places of the recorded text."""

from __future__ import annotations

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from core.assembled import Assembled
from core.context import Context, Origin
from core.messages import Message
from core.prompt import Block
from gui.prompt_geometry import RAW
from gui.prompt_page import Page
from gui.prompt_search import find, find_in, warm
from gui.prompt_texts import Texts
from tests.gui.prompt_session import user


def prompt(*texts: str) -> Page:
    blocks = tuple(Block.of(Message.of(user(text)), Origin((row,))) for row, text in enumerate(texts))
    context = Context((), (), None, (), (), "off", None)
    unknown = ("unknown",) * len(texts)
    assembled = Assembled(None, context, blocks, (1,) * len(texts), None, unknown, "unknown", None, 0)  # type: ignore[arg-type]
    return Page(None, assembled, Texts())  # type: ignore[arg-type]


def test_hits_in_reading_order() -> None:
    """Block by block, from its beginning; overlapping ones count once."""
    found = find(prompt("Cache the cache", "none", "aCACHEb"), "cache")
    assert [(hit.block, hit.start, hit.end) for hit in found] == [(0, 0, 5), (0, 10, 15), (2, 1, 6)]
    assert len(find(prompt("aaaa"), "aa")) == 2


def test_nothing_typed_finds_nothing() -> None:
    """No words, no hits."""
    assert find(prompt("text"), "") == ()
    assert find_in(RAW, "text", "") == ()


def test_where_small_letters_are_longer_places_stay_true() -> None:
    """İ grows when made small; the hit after it still stands where it stands."""
    found = find(prompt("İİ cache"), "CACHE")
    assert [(hit.start, hit.end) for hit in found] == [(3, 8)]


def test_hits_are_counted_up_to_a_bound() -> None:
    """A letter of a long text is not told a million times."""
    assert len(find(prompt("a " * 9_000), "a", most=100)) == 100


@given(st.text(st.sampled_from("abAB \n.(")), st.text(st.sampled_from("abAB.("), min_size=1, max_size=3))
def test_like_a_search_of_the_standard_library(text: str, words: str) -> None:
    """The same places as `re` finds for the escaped words, ignoring case."""
    expected = [match.start() for match in re.finditer(re.escape(words), text, re.IGNORECASE)]
    assert [hit.start for hit in find_in(RAW, text, words)] == expected
    assert [hit.start for hit in find(prompt(text), words)] == expected


def test_warming_comes_in_slices_and_makes_the_search_cheap() -> None:
    """5 MB: prepared a few milliseconds at a time, then searched without putting any text together."""
    many = prompt(*("some words of a long text, line after line\n" * 120 for _ in range(100)), "needle")
    for _ in warm(many.assembled, many.texts):
        pass
    begin = time.perf_counter()
    assert len(find(many, "Needle")) == 1
    assert time.perf_counter() - begin < 0.5  # 12 ms when the machine is free
