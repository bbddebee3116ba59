"""Changed documents: woven into one text, or as lines side by side. Laws for any pair, and the cases one looks at."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.messages import Message, Part
from gui.prompt_changes import Hunk, hunks, inside, segments_of, slice_of, weave, with_folds
from gui.prompt_text import Document, document_of
from tests.gui.prompt_session import call, reply, result

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "cc dd\n", "\n", "x", "😀"]), max_size=14).map("".join)


def documents(before: str, after: str) -> tuple[Document, Document]:
    return document_of(Message.of(result("t", before))), document_of(Message.of(result("t", after)))


@given(TEXTS, TEXTS)
def test_woven_text_holds_both_sides(before: str, after: str) -> None:
    """Without what was inserted it is the text before, without what was removed the text after."""
    one, other = documents(before, after)
    woven = weave(one, other, segments_of(one, other))
    text = woven.document.text
    assert without(text, woven.inserted) == before
    assert without(text, woven.removed) == after
    for section, following in pairwise(woven.document.sections):
        assert section.end <= following.start


def without(text: str, ranges: tuple[tuple[int, int], ...]) -> str:
    for start, end in reversed(ranges):
        text = text[:start] + text[end:]
    return text


@given(TEXTS, TEXTS)
def test_hunks_are_whole_lines_of_both_sides(before: str, after: str) -> None:
    """They tile both texts, kinds alternate, equal ones are equal, and every one begins where a line begins."""
    one, other = documents(before, after)
    found = hunks(segments_of(one, other), before, after)
    at = to = 0
    for hunk in found:
        assert (hunk.before[0], hunk.after[0]) == (at, to)
        at, to = hunk.before[1], hunk.after[1]
        if hunk.kind == "same":
            assert before[slice(*hunk.before)] == after[slice(*hunk.after)] != ""
        for text, place in ((before, hunk.before[0]), (after, hunk.after[0])):
            assert place in (0, len(text)) or text[place - 1] == "\n"
    assert (at, to) == (len(before), len(after))


@given(TEXTS, TEXTS)
def test_folds_hide_nothing_but_what_is_the_same(before: str, after: str) -> None:
    one, other = documents(before, after)
    found = hunks(segments_of(one, other), before, after)
    folded = with_folds(found, before)
    assert "".join(before[slice(*hunk.before)] for hunk in folded) == before
    assert "".join(after[slice(*hunk.after)] for hunk in folded) == after
    assert [hunk for hunk in folded if hunk.kind == "changed"] == [hunk for hunk in found if hunk.kind == "changed"]


def test_a_change_keeps_three_lines_around_it() -> None:
    """Twenty lines, one of them changed: what is far away is folded, and opened by the place where it begins."""
    lines = [f"line {n}\n" for n in range(20)]
    before = "".join(lines)
    after = before.replace("line 10\n", "line ten\n")
    one, other = documents(before, after)
    found = hunks(segments_of(one, other), before, after)
    folded = with_folds(found, before)
    assert [(hunk.kind, hunk.lines) for hunk in folded] == [
        ("fold", 7),
        ("same", 0),
        ("changed", 0),
        ("same", 0),
        ("fold", 6),
    ]
    opened = with_folds(found, before, frozenset({folded[4].before[0]}))
    assert [hunk.kind for hunk in opened] == ["fold", "same", "changed", "same"]


def test_lines_too_long_to_show_are_folded_whole() -> None:
    """A line of 10,000 characters beside a change is no context."""
    before = "x" * 10_000 + "\n" + "y\n" * 5 + "a\n"
    after = before[:-2] + "b\n"
    one, other = documents(before, after)
    folded = with_folds(hunks(segments_of(one, other), before, after), before)
    assert folded[0].kind == "fold"
    assert folded[0].before == (0, 10_001 + 2 * 2)


def test_parts_are_compared_one_by_one() -> None:
    """A cut of the text of a reply is known, its call is compared; the newline between them belongs to neither."""
    message = Message.of(reply("Some words.", call("read", path="a.py")))
    text = message.parts[0].text
    assert text is not None
    cut = replace(message, parts=(replace(message.parts[0], text=text.cut(*text.part(0, 5), "…")), message.parts[1]))
    one, other = document_of(message), document_of(cut)
    woven = weave(one, other, segments_of(one, other))
    assert woven.document.text.startswith("Some words.…\nread\n")
    assert [one.text[a:b] for a, b in woven.removed] == ["words."]
    assert [section.style for section in woven.document.sections] == ["text", "name", "call"]


def test_several_texts_joined_and_cut() -> None:
    """The guard joins the texts of a result before it cuts: the cut is still known."""
    content = [{"type": "text", "text": "one\ntwo"}, {"type": "text", "text": "two\nthree"}]
    message = Message.of({**result("t", ""), "content": content})
    joined = Part.plain("one\ntwo\ntwo\nthree")
    assert joined.text is not None
    part = replace(joined, text=joined.text.cut(*joined.text.part(0, 8), "two…"))
    one, other = document_of(message), document_of(replace(message, parts=(part,)))
    segments = segments_of(one, other)
    assert [(found.kind, one.text[slice(*found.before)], other.text[slice(*found.after)]) for found in segments] == [
        ("kept", "one\ntwo\n", "one\ntwo\n"),
        ("removed", "two\nthree", ""),
        ("inserted", "", "two…"),
    ]


def test_slices() -> None:
    """A slice is a document without its last line break; ranges are counted from its beginning."""
    document = document_of(Message.of(reply("a\nb\nc", call("read", path="x"))))
    part = slice_of(document, (2, 6))
    assert part.text == "b\nc"
    assert [(section.style, section.start, section.end) for section in part.sections] == [("text", 0, 3)]
    whole = slice_of(document, (0, len(document)))
    assert whole.text == document.text
    assert [section.style for section in whole.sections] == ["text", "name", "call"]
    assert inside([(0, 3), (5, 9)], (2, 6)) == [(0, 1), (3, 4)]
    assert Hunk("same", (0, 0), (0, 0)).lines == 0
