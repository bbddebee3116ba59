"""Rows and folds: what folds by itself, what unfolds it, where the rules stand."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.assembled import Assembled
from core.context import Context, Origin
from core.messages import Message
from core.prompt import Block
from core.session import Request
from gui.prompt_rows import Folds, Kind, Row, hidden, row_of_block, rows_of, shown_blocks
from tests.gui.prompt_session import user

REQUEST = Request(1, 0, "p", "m", 0, 1, None)  # type: ignore[arg-type]


def assembled(states: str, cached: int | None = None, *, compaction: bool = False, lost: int = 0) -> Assembled:
    """States by letter: r(ead) w(ritten) u(ncached) ?(unknown)."""
    names = {"r": "read", "w": "written", "u": "uncached", "?": "unknown"}
    blocks = tuple(Block.of(Message.of(user(str(i))), Origin((i,))) for i in range(len(states)))
    context = Context((), (), 0 if compaction else None, (), tuple(range(900, 900 + lost)), "off", None)
    request = None if "?" in states else REQUEST
    known = tuple(names[state] for state in states)
    return Assembled(request, context, blocks, (10,) * len(states), 99, known, "read", cached, 5)  # type: ignore[arg-type]


def drawn(rows: list[Row]) -> str:
    """T dotted block, A boundary, C cached, N note, L lost; blocks by number (* = open), runs a-b (open: [a-b])."""
    letters = {Kind.UNRECORDED: "T", Kind.ASSUMED: "A", Kind.CACHED: "C", Kind.NOTE: "N", Kind.LOST: "L"}
    said = []
    for row in rows:
        if row.kind is Kind.BLOCK:
            said.append(f"{row.first}*" if row.open else f"{row.first}")
        elif row.kind is Kind.RUN:
            said.append(f"[{row.first}-{row.last}]" if row.open else f"{row.first}-{row.last}")
        else:
            said.append(letters[row.kind])
    return " ".join(said)


def test_the_read_part_folds_up_to_the_edge() -> None:
    """As the design draws it: first block, one run, the rule, what is new."""
    assert drawn(rows_of(assembled("rrrrrrrrww", 8), Folds())) == "T A 0 1-7 C 8 9"


def test_short_runs_do_not_fold() -> None:
    """Three blocks save no room."""
    assert drawn(rows_of(assembled("rrrrw", 4), Folds())) == "T A 0 1 2 3 C 4"


def test_after_a_compaction_the_summary_and_the_first_kept_stay() -> None:
    """The summary, what fell out, the first kept message, then the run."""
    rows = rows_of(assembled("rrrrrrrw", 7, compaction=True, lost=2), Folds())
    assert drawn(rows) == "T A 0 N 1 2-6 C 7"
    rows = rows_of(assembled("rrrrrrrw", 7, compaction=True, lost=2), Folds(lost_open=True))
    assert drawn(rows) == "T A 0 N L L 1 2-6 C 7"
    assert [row.first for row in rows if row.kind is Kind.LOST] == [900, 901]


def test_everything_written_keeps_the_newest() -> None:
    """After a break nothing was read: the middle folds, what was added last does not."""
    assert drawn(rows_of(assembled("w" * 14, None), Folds())) == "T A 0 1-7 8 9 10 11 12 13"


def test_nothing_sent_has_no_rules() -> None:
    """What would be sent next has neither boundary nor read."""
    assert drawn(rows_of(assembled("???"), Folds())) == "T 0 1 2"


def test_the_read_ended_inside_the_dotted_block_or_after_the_last() -> None:
    """The rule stands even where no message lies on one of its sides."""
    assert drawn(rows_of(assembled("ww", 0), Folds())) == "T A C 0 1"
    assert drawn(rows_of(assembled("rr", 2), Folds())) == "T A 0 1 C"


def test_a_block_pointed_at_opens_a_gap_in_its_run() -> None:
    """Two neighbours on each side come along; what is left on both sides stays folded."""
    folds = Folds()
    folds.reveal(20)
    rows = rows_of(assembled("r" * 40, 40), folds)
    assert drawn(rows) == "T A 0 1-17 18 19 20 21 22 23-39 C"
    assert not hidden(rows, 20)
    assert hidden(rows, 30)


def test_a_run_unfolds_and_folds_again() -> None:
    """Its head stays, so that it can be folded with the same gesture."""
    folds, prompt = Folds(), assembled("r" * 8, 8)
    folds.toggle_run(1, 7)
    assert drawn(rows_of(prompt, folds)) == "T A 0 [1-7] 1 2 3 4 5 6 7 C"
    folds.toggle_run(1, 7)
    assert drawn(rows_of(prompt, folds)) == "T A 0 1-7 C"


def test_folding_everything_closes_texts() -> None:
    """Unfold all shows all blocks; fold all also closes what was opened by hand."""
    folds, prompt = Folds(), assembled("r" * 8, 8)
    folds.opened.add(prompt.blocks[0].key)
    folds.everything(True)
    assert drawn(rows_of(prompt, folds)) == "T A 0* [1-7] 1 2 3 4 5 6 7 C"
    folds.everything(False)
    assert drawn(rows_of(prompt, folds)) == "T A 0 1-7 C"


@given(st.text("rwu", min_size=1, max_size=60), st.data())
def test_every_block_has_exactly_one_place(states: str, data: st.DataObject) -> None:
    """Whatever is read, folded, unfolded or pointed at: each block is shown once, or held by one folded run."""
    cached = data.draw(st.none() | st.integers(0, len(states)))
    folds = Folds()
    for _ in range(data.draw(st.integers(0, 3))):
        folds.reveal(data.draw(st.integers(0, len(states) - 1)))
    prompt = assembled(states, cached)
    runs = [row for row in rows_of(prompt, folds) if row.kind is Kind.RUN]
    if runs:
        row = data.draw(st.sampled_from(runs))
        folds.toggle_run(row.first, row.last)
    rows = rows_of(prompt, folds)
    placed = [block for row in rows if row.kind is Kind.BLOCK for block in (row.first,)]
    placed += [b for row in rows if row.kind is Kind.RUN and not row.open for b in range(row.first, row.last + 1)]
    assert sorted(placed) == list(range(len(states)))
    assert shown_blocks(rows) == sum(row.kind is Kind.BLOCK for row in rows)
    assert sum(row.kind is Kind.CACHED for row in rows) == (cached is not None)
    for block in range(len(states)):
        place = row_of_block(rows, block)
        assert place is not None
        assert rows[place].first <= block <= rows[place].last
    if cached is not None:
        at = next(i for i, row in enumerate(rows) if row.kind is Kind.CACHED)
        assert all(row.last < cached for row in rows[:at] if row.kind in (Kind.BLOCK, Kind.RUN))
        assert all(row.first >= cached for row in rows[at:] if row.kind in (Kind.BLOCK, Kind.RUN))


def test_no_block_is_nowhere() -> None:
    """Asking for no block finds no row."""
    assert row_of_block(rows_of(replace(assembled("r"), cached_blocks=None), Folds()), None) is None
