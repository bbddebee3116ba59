"""Source and Text: a cut is arithmetic on spans in UTF-16 units, never a copy.

Source  "aaaaaaaaaa\\nbbbbbbbbbb"            length 21
Text    [0,10) + "…cut…" + [16,21)          length 10 + 5 + 5
"""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from core import javascript
from core.text import Source, Span, Text
from tests.core.test_javascript import texts


def test_the_drawn_cut():
    text = Text.of("aaaaaaaaaa\nbbbbbbbbbb")
    cut = text.cut(Span(0, 10), "…cut…", Span(16, 21))
    assert str(cut) == "aaaaaaaaaa…cut…bbbbb"
    assert len(cut) == 20
    assert cut.source is text.source
    assert text.whole
    assert not cut.whole


@given(texts)
def test_a_whole_text_is_its_source(text):
    """Nothing is copied: the units are the very string of the source."""
    whole = Text.of(text)
    assert whole.units is whole.source.units
    assert len(whole) == javascript.length(text)
    assert str(whole) == javascript.joined(javascript.units(text))


@given(texts, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4), texts)
def test_length_and_units_of_a_cut_agree(text, spans, insert):
    """The length is known without making the string; empty spans vanish."""
    source = Source.of(text)
    kept = [Span(min(a, len(source)), min(b, len(source))) for a, b in spans]
    cut = Text.of(source).cut(*kept, javascript.units(insert))
    assert len(cut) == len(cut.units)
    assert all(isinstance(piece, str) or piece.end > piece.start for piece in cut.pieces)


@given(texts, texts)
def test_equal_keys_mean_equal_texts(one, other):
    """Sources compare by content, across processes too."""
    first, second = Source.of(one), Source.of(other)
    assert (first == second) == (javascript.units(one) == javascript.units(other))
    assert pickle.loads(pickle.dumps(first)) == first
    assert hash(pickle.loads(pickle.dumps(first))) == hash(first)


def test_a_cut_through_a_pair_keeps_a_half():
    """As the agents do: the half character stays a lone surrogate."""
    assert str(Text.of("a😀").cut(Span(0, 2))) == "a\ud83d"
