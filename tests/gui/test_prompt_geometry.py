"""The selection of text over blocks, and what goes to the clipboard."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gui.prompt_geometry import Place, Selection, safe, word_at
from gui.prompt_text import Document

TEXTS = ("first block", "", "third", "fourth one")


def document(block: int) -> Document:
    return Document(TEXTS[block], ())


def test_within_one_block_the_order_does_not_matter() -> None:
    """Dragged forwards or backwards: the same characters."""
    for anchor, head in (((0, 2), (0, 7)), ((0, 7), (0, 2))):
        assert list(Selection(anchor, head).pieces(document)) == ["rst b"]


def test_over_blocks_the_ones_between_are_whole() -> None:
    """From the middle of one text to the middle of another; an empty block adds nothing."""
    assert list(Selection((3, 6), (0, 6)).pieces(document)) == ["block", "third", "fourth"]


def test_a_closed_block_is_taken_whole() -> None:
    """A row without its text in sight has no place inside: it counts as all of it."""
    assert list(Selection((0, 6), (2, None)).pieces(document)) == ["block", "third"]
    assert list(Selection((2, None), (2, None)).pieces(document)) == ["third"]


PLACES = st.integers(0, 3).flatmap(
    lambda block: st.tuples(st.just(block), st.none() | st.integers(0, len(TEXTS[block])))
)


@given(PLACES, PLACES)
def test_selection_is_a_slice_of_the_prompt(anchor: Place, head: Place) -> None:
    """Both directions select the same, and the pieces stand in the prompt in this order."""
    pieces = list(Selection(anchor, head).pieces(document))
    assert pieces == list(Selection(head, anchor).pieces(document))
    joined, at = "\n".join(TEXTS), 0
    for piece in pieces:
        at = joined.index(piece, at) + len(piece)


@given(st.text(st.sampled_from("a \ud83d\ude00\ud800😀\x00")))
def test_the_clipboard_gets_text_that_every_program_takes(text: str) -> None:
    """No half surrogate pair is left, halves that belong together are joined, everything else stays."""
    made = safe(text)
    made.encode("utf-8")
    assert made.replace("\ufffd", "") == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def test_word_under_a_double_click() -> None:
    """Letters, digits and underscores; another character alone; the ends of the text are no trap."""
    text = "see _test_1, ok"
    assert [text[slice(*_ends(word_at(text, 0, at)))] for at in (0, 6, 11, 14, 15)] == [
        "see",
        "_test_1",
        ",",
        "ok",
        "ok",
    ]
    assert _ends(word_at("", 0, 0)) == (0, 0)


def _ends(selection: Selection) -> tuple[int, int]:
    assert selection.anchor[1] is not None
    assert selection.head[1] is not None
    return selection.anchor[1], selection.head[1]
