"""What two texts have in common: laws that hold for any pair, and the cases that one looks at."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from core.javascript import joined, units
from core.segments import Segments, common_prefix, common_suffix, in_characters, of_strings, of_texts
from core.text import Span, Text

LINES = st.lists(st.sampled_from(["a\n", "b\n", "cc dd\n", "\n", "x"]), max_size=12).map("".join)
ANY = st.text(st.sampled_from("ab \n😀中\ud83d"), max_size=30)


def rebuilt(segments: Segments, before: str, after: str) -> None:
    """Both sides are tiled without a gap, and what is kept is the same text."""
    at = to = 0
    for found in segments:
        assert (found.before[0], found.after[0]) == (at, to)
        at, to = found.before[1], found.after[1]
        one, other = before[slice(*found.before)], after[slice(*found.after)]
        if found.kind == "kept":
            assert one == other != ""
        else:
            assert (one if found.kind == "removed" else other) != ""
            assert (other if found.kind == "removed" else one) == ""
    assert (at, to) == (len(before), len(after))


def drawn(segments: Segments, before: str, after: str) -> str:
    """kept text, [-removed-], [+inserted+]."""
    pieces = []
    for found in segments:
        old, new = before[slice(*found.before)], after[slice(*found.after)]
        pieces.append({"kept": old, "removed": f"[-{old}-]", "inserted": f"[+{new}+]"}[found.kind])
    return "".join(pieces)


def compared(before: str, after: str) -> str:
    return drawn(of_strings(before, after), before, after)


@given(LINES | ANY, LINES | ANY)
def test_any_two_texts_are_rebuilt(before: str, after: str) -> None:
    rebuilt(of_strings(before, after), before, after)


@given(LINES, LINES, st.integers(0, 30))
def test_few_steps_make_it_coarser_never_wrong(before: str, after: str, steps: int) -> None:
    rebuilt(of_strings(before, after, steps), before, after)


@given(LINES | ANY)
def test_a_text_and_itself(text: str) -> None:
    """Nothing but one kept segment."""
    assert [found.kind for found in of_strings(text, text)] == (["kept"] if text else [])


@given(LINES | ANY, LINES | ANY)
def test_neighbours_are_of_different_kinds(before: str, after: str) -> None:
    """Never two segments where one would do, and removed always before inserted."""
    kinds = [found.kind for found in of_strings(before, after)]
    assert all(a != b for a, b in pairwise(kinds))
    assert ("inserted", "removed") not in set(pairwise(kinds))


def test_lines_then_words() -> None:
    """Whole lines that came or went, and the words of a line that changed; no letters of two different words."""
    assert compared("one\ntwo\nthree\n", "one\nthree\n") == "one\n[-two\n-]three\n"
    assert compared("one\nthree\n", "one\ntwo\nthree\n") == "one\n[+two\n+]three\n"
    assert compared("a\nthe cat sat\nz\n", "a\nthe dog sat\nz\n") == "a\nthe [-cat-][+dog+] sat\nz\n"
    assert compared("a\nb\nc\nd\n", "a\nX\nc\nY\n") == "a\n[-b-][+X+]\nc\n[-d-][+Y+]\n"
    assert compared("let x = 1;", "let yy = 22;") == "let [-x-][+yy+] = [-1-][+22+];"
    assert compared("这是旧的词", "这是新的词") == "这是[-旧-][+新+]的词"


def test_long_changed_stretches_are_not_taken_apart() -> None:
    """Over 2,048 characters words are not compared: it would take too long, and nobody could read it."""
    old, new = "a1 " * 1000, "b2 " * 1000
    assert compared(old, new) == f"[-{old[:-1]}-][+{new[:-1]}+] "


def test_a_megabyte_takes_a_bounded_time() -> None:
    """The hardest case: lines that all stand on both sides, in another order."""
    rows = [f"line {i * 7919 % 20_011}\n" for i in range(20_000)]
    before, after = "".join(rows), "".join(sorted(rows))
    start = process_time()
    found = of_strings(before, after)
    assert process_time() - start < 1.0
    rebuilt(found, before, after)


def test_when_the_steps_are_spent_lines_that_stand_once_hold_the_texts_together() -> None:
    before = "x\n" * 50 + "anchor\n" + "y\n" * 50
    after = "z\n" * 50 + "anchor\n" + "w\n" * 50
    found = of_strings(before, after, 0)
    assert "anchor\n" in "".join(before[slice(*part.before)] for part in found if part.kind == "kept")


# a known cut


@st.composite
def selections(draw: st.DrawFn) -> tuple[Text, Text]:
    """Two selections of one source, pieces in its order, with notices between."""
    source = Text.of(draw(ANY)).source

    def selection() -> Text:
        places = sorted(draw(st.lists(st.integers(0, len(source)), max_size=6)))
        pieces: list[Span | str] = []
        for start, end in zip(places[::2], places[1::2], strict=False):
            pieces.append(draw(st.sampled_from(["", "a", "…cut…", "\nb"])))
            pieces.append(Span(start, end))
        pieces.append(draw(st.sampled_from(["", "a", "\n[cut]"])))
        return Text(source, tuple(piece for piece in pieces if not isinstance(piece, str) or piece))

    return selection(), selection()


@given(selections())
def test_cuts_of_one_source_are_rebuilt(pair: tuple[Text, Text]) -> None:
    """In units, and in characters, where a character that the cut halves is not kept."""
    before, after = pair
    found = of_texts(before, after)
    assert found is not None
    rebuilt(found, before.units, after.units)
    rebuilt(in_characters(found, before.units, after.units), joined(before.units), joined(after.units))


def test_a_cut_is_known_not_guessed() -> None:
    """The notice begins like the text that it stands for: comparing would take those characters for kept."""
    whole = Text.of("head\nmiddle\ntail")
    cut = whole.cut(Span(0, 4), "\nm…cut", Span(11, 16))
    found = of_texts(whole, cut)
    assert found is not None
    assert drawn(found, whole.units, cut.units) == "head[-\nmiddle-][+\nm…cut+]\ntail"
    assert of_texts(Text.of("a"), Text.of("b")) is None


def test_a_cut_of_a_cut() -> None:
    """Both sides carry the same notice: it stays, though it is no part of the source."""
    whole = Text.of("0123456789")
    once = whole.cut(Span(0, 6), "…")
    twice = whole.cut(Span(0, 3), "…")
    found = of_texts(once, twice)
    assert found is not None
    assert drawn(found, once.units, twice.units) == "012[-345-]…"
    other = of_texts(whole.cut(Span(0, 6), "[cut]"), whole.cut(Span(0, 3), "[shortened]"))
    assert other is not None
    assert [part.kind for part in other] == ["kept", "removed", "inserted"]
    same = of_texts(once, once.cut(Span(0, 6), "…", "more"))
    assert same is not None
    assert [part.kind for part in same] == ["kept", "inserted"]


def test_pieces_out_of_order_are_not_known() -> None:
    whole = Text.of("abc")
    assert of_texts(whole, whole.cut(Span(2, 3), Span(0, 1))) is None


def test_half_a_character_is_not_kept() -> None:
    """The agent's cut may split a pair: before, the whole character is gone; after, half of it stands there anew."""
    whole = Text.of("a😀b")
    cut = whole.cut(Span(0, 2), "!")
    found = of_texts(whole, cut)
    assert found is not None
    before, after = "a😀b", joined(cut.units)
    assert drawn(in_characters(found, whole.units, cut.units), before, after) == "a[-😀b-][+\ud83d!+]"


# ends


@settings(max_examples=40)
@given(st.text("ab", max_size=8), st.integers(0, 3))
def test_common_ends(text: str, blocks: int) -> None:
    """Also over more than one block of comparison, and never more than asked for."""
    long = "x" * 4_096 * blocks + text
    assert common_prefix(long, long + "c") == len(long)
    assert common_prefix(long + "c", long + "d") == len(long)
    assert common_suffix("c" + long, "d" + long, 10**6) == len(long)
    assert common_suffix(long, long, 3) == min(3, len(long))


def test_units_count_as_units() -> None:
    assert units("😀") == "\ud83d\ude00"
