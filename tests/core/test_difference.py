"""Which block stands for which, and the first character that is not the same."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.context import Origin
from core.conversion import to_provider
from core.difference import FirstDifference, align, alike, changed, first_difference, sources
from core.messages import Json, Message, Part
from core.prompt import Block, Blocks
from core.text import Text


def block(text: str, row: int, role: str = "user", **fields: Json) -> Block:
    raw = {"role": role, "content": [{"type": "text", "text": text}], **fields}
    return Block.of(Message.of(raw), Origin((row,)))


def instead(old: Block, text: str, made_by: str = "") -> Block:
    """A block that replaces another."""
    part = Part.plain(text)
    return Block.of(replace(old.message, parts=(part,)), Origin(old.origin.rows, made_by), old)


def draw(before: Blocks, after: Blocks) -> str:
    """`0=0 1- 2~1 +2 3>5 5<3`: same, dropped, replaced, inserted, moved to, moved from."""
    pieces = []
    for row in align(before, after):
        b, a = row.before, row.after
        pieces.append(
            {
                "same": f"{b}={a}",
                "replaced": f"{b}~{a}",
                "dropped": f"{b}-",
                "inserted": f"+{a}",
                "moved": f"{b}>{row.other}" if a is None else f"{a}<{row.other}",
            }[row.kind]
        )
    return " ".join(pieces)


A, B, C, D = (block(text, row) for row, text in enumerate("abcd"))


def test_kinds_of_rows() -> None:
    """a is cut, b goes, x comes, c and d change places: only one of them need move."""
    cut, new = instead(A, "a…"), block("x", 9)
    assert draw((A, B, C, D), (cut, new, D, C)) == "0~0 1- +1 2<3 2=3 3>2"
    assert draw((A, B), (A, B)) == "0=0 1=1"
    assert draw((), (A,)) == "+0"
    assert draw((A,), ()) == "0-"


def test_where_another_block_stands() -> None:
    """By identity, and only where as many blocks stand."""
    a, b, c = (block(text, row) for row, text in enumerate("abc"))
    assert changed((a, b, c), (a, block("b", 1), c)) == [1]
    assert changed((a, b), (a, b)) == []
    assert changed((a, b), (a, b, c)) is None


def test_along_several_steps() -> None:
    """From step 0 to what is sent: cut twice is still the block that it was; three merged messages are the first."""
    twice = instead(instead(A, "aa"), "a…")
    merged = instead(instead(instead(A, "x"), "a b"), "a b c", "validate_turns")
    assert draw((A, B, C), (twice, B, C)) == "0~0 1=1 2=2"
    assert draw((A, B, C, D), (merged, D)) == "0~0 1- 2- 3=1"


def test_equal_copies_are_the_same() -> None:
    """A block read anew, or copied by a layer of a third party: key and origin decide."""
    copy = block("b", 1)
    assert draw((A, B, C), (A, copy, C)) == "0=0 1=1 2=2"
    assert draw((A, B), (A, instead(copy, "bb"))) == "0=0 1~1"


def test_the_same_block_twice() -> None:
    """No index is taken twice, none is lost."""
    assert sources((A, A, B), (A, B)) == [0, 2]
    assert draw((A, A), (A, A)) == "0=0 1=1"
    assert draw((A, A, B), (A, B)) == "0=0 1- 2=1"


PROMPTS = st.lists(st.integers(0, 6), max_size=8)


@given(PROMPTS, PROMPTS)
def test_each_side_is_read_in_order_each_block_once(old: list[int], new: list[int]) -> None:
    """For any two prompts, also with the same block in several places."""
    pool = [block(str(i), i) for i in range(7)]
    before, after = tuple(pool[i] for i in old), tuple(pool[i] for i in new)
    rows = align(before, after)
    assert [row.before for row in rows if row.before is not None] == list(range(len(before)))
    assert [row.after for row in rows if row.after is not None] == list(range(len(after)))
    for row in rows:
        if row.kind == "same":
            assert row.before is not None
            assert row.after is not None
            assert before[row.before] == after[row.after]
        if row.kind == "moved":
            assert (row.before is None) != (row.after is None)
            assert row.other is not None


# the first difference


def test_first_difference_is_exact_in_units() -> None:
    """An emoji counts two; the character named is the one that differs, not where the cut was made."""
    old = block("😀 head\nmore and more", 0, "toolResult")
    text = Text.of("😀 head\nmore and more")
    cut = Block.of(
        replace(old.message, parts=(replace(old.message.parts[0], text=text.cut(*text.part(0, 7), "\n[cut]")),)),
        old.origin,
        old,
    )
    assert first_difference((A, old), (A, cut)) == FirstDifference(1, 0, 8)
    assert first_difference((A, old), (A, old)) is None


def test_one_prompt_begins_with_the_other() -> None:
    """What came next is new, nothing before it differs."""
    assert first_difference((A,), (A, B)) == FirstDifference(1)
    assert first_difference((A, B), (A,)) == FirstDifference(1)
    assert first_difference((), ()) is None


def test_what_is_never_sent_makes_no_difference() -> None:
    """Details and timestamps do not reach the model; a role or an id does."""
    result = block("out", 0, "toolResult", toolCallId="a", details={"diff": "…"}, timestamp=1)
    bare = block("out", 0, "toolResult", toolCallId="a", timestamp=2)
    other = block("out", 0, "toolResult", toolCallId="b")
    assert result.key != bare.key
    assert first_difference((result,), (bare,)) is None
    assert first_difference((result,), (other,)) == FirstDifference(0)
    assert alike(result, bare)
    assert not alike(result, other)


def test_a_summary_is_sent_the_same_before_and_after_it_is_made_a_user_message() -> None:
    """Step 0 holds it as a summary; the conversion writes the introduction that is sent with it anyhow."""
    summary = Block.of(Message.of({"role": "compactionSummary", "summary": "All."}), Origin((0,), "summary"))
    (converted,) = to_provider((summary,), {})
    assert converted.message.role == "user"
    assert first_difference((summary,), (converted,)) is None


def test_a_text_more_differs_where_it_begins() -> None:
    raw = {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    two = Block.of(Message.of(raw), Origin((0,)))
    assert first_difference((A,), (two,)) == FirstDifference(0, 1, 0)


@given(st.text("ab😀", max_size=12), st.text("ab😀", max_size=12))
def test_the_unit_is_the_first_that_is_not_the_same(one: str, other: str) -> None:
    found = first_difference((block(one, 0),), (block(other, 0),))
    if one == other:
        assert found is None
        return
    assert found is not None
    assert found.unit is not None
    a, b = Text.of(one).units, Text.of(other).units
    assert a[: found.unit] == b[: found.unit]
    assert a[found.unit : found.unit + 1] != b[found.unit : found.unit + 1]
