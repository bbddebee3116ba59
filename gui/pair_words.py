"""What the hover card and a screen reader say about a row of two columns."""

from __future__ import annotations

from core.phrase import phrase
from gui.pair_page import AFTER, BEFORE, PairPage
from gui.prompt_blocks import role_name
from gui.prompt_card import deeds
from gui.prompt_rows import Kind, Row
from gui.translation import say


def facts(pairs: PairPage, row: Row) -> tuple[str, ...]:
    """The card of a row: what it is on each side, and which step did it, why."""
    if row.kind is Kind.RUN:
        return (say(phrase("prompt.pair.announce_run", n=row.last - row.first + 1)),)
    if row.kind is not Kind.PAIR:
        return ()
    said = [spoken(pairs, row)]
    fate = pairs.fate(row.first)
    if fate is not None:
        said += deeds(fate)
    step = pairs.page.step
    block = pairs.block(row.first, BEFORE)
    if fate is None and block is not None and pairs.rows[row.first].kind == "dropped":
        stage = pairs.page.stage
        steps = (step,) if step is not None else stage.trace.steps if stage is not None else ()
        for found in steps:
            for edit in found.edits:
                if edit.after is None and edit.before is not None and edit.before.first is block.first:
                    said.append(say(phrase("prompt.card.by", title=found.title)))
                    if edit.reason is not None:
                        said.append(say(edit.reason))
    return tuple(said)


def spoken(pairs: PairPage, row: Row) -> str:
    """A row as a screen reader should say it."""
    if row.kind is Kind.RUN:
        return say(phrase("prompt.pair.announce_run", n=row.last - row.first + 1))
    if row.kind is Kind.SAME:
        return say(phrase("prompt.pair.announce_lines", n=pairs.hunks(row.first)[row.part].lines))
    kind = say(phrase(f"prompt.pair.kind.{pairs.rows[row.first].kind}"))
    before, after = (_side(pairs, row.first, side) for side in (BEFORE, AFTER))
    return say(phrase("prompt.pair.announce", kind=kind, before=before, after=after))


def _side(pairs: PairPage, index: int, side: int) -> str:
    pair = pairs.rows[index]
    at = pair.before if side == BEFORE else pair.after
    block = pairs.block(index, side)
    if at is None or block is None:
        return say(phrase("prompt.pair.none"))
    role = role_name(block.message.role)
    return say(phrase("prompt.pair.side", n=at + 1, role=role, tokens=pairs.tokens[side][at]))
