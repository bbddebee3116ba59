"""What the hover card says about a row of the prompt: where it comes from, its size, its cache state, since when."""

from __future__ import annotations

from datetime import datetime
from itertools import islice

from core.fate import Fate
from core.phrase import Phrase, literal, phrase
from core.visible import visible_line
from gui.against_words import against_none, against_words
from gui.prompt_blocks import block_id, role_name
from gui.prompt_chips import fate_words
from gui.prompt_leading import difference_words, source_of, title_of
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row, leading_index
from gui.state import State
from gui.translation import say

PROBLEMS = 3
"""Problems of a trace that its card tells."""


def lines(page: Page, row: Row) -> tuple[str, ...]:
    """The card of a row; () where there is nothing to add."""
    if row.kind is Kind.UNRECORDED:
        return tuple(say(phrase(f"prompt.card.{name}")) for name in ("unrecorded", "unrecorded_how"))
    if row.kind is Kind.LEADING:
        return (*_leading(page, leading_index(row.first)), *_parted(page, row.first))
    if row.kind is Kind.DIFFERENCE:
        found = page.differs
        if found is None:
            return against_words(page.state), against_none(page.state)
        return _parted(page, found.row)
    if row.kind is Kind.RUN:
        total = sum(page.assembled.tokens[row.first : row.last + 1])
        state = say(phrase(f"prompt.state.{page.assembled.states[row.first]}"))
        return (
            say(phrase("prompt.card.run", first=row.first + 1, last=row.last + 1)),
            say(phrase("prompt.card.tokens", n=total, state=state)),
        )
    if row.kind is Kind.LOST:
        return (say(_line(page.state, row.first)),)
    if row.kind is not Kind.BLOCK:
        return ()
    return (*(say(said) for said in block_facts(page, row.first)), *_parted(page, row.first))


def _parted(page: Page, first: int) -> tuple[str, ...]:
    """Of the row where the prompt first differs: against which request, where, and both texts from there on."""
    found = page.differs
    if found is None or found.row != first:
        return ()
    said = [f"{against_words(page.state)}: {difference_words(found, page)}"]
    if found.before or found.after:
        said.append(say(phrase("prompt.card.before", text=visible_line(found.before))))
        said.append(say(phrase("prompt.card.after", text=visible_line(found.after))))
    return tuple(said)


def _leading(page: Page, index: int) -> list[str]:
    """Tools, or a part of the system prompt: size, state, source, and what the traces warn of."""
    item = page.assembled.leading[index]
    state = say(phrase(f"prompt.state.{item.state}"))
    said = [title_of(item), say(phrase("prompt.card.tokens", n=item.tokens, state=state)), source_of(item)]
    said.append(say(phrase(f"prompt.card.source_{item.origin.by}{'' if item.origin.own else '_other'}")))
    recorded = page.state.recorded
    said += [say(cause.said) for cause in recorded.causes if cause.section == item.section]
    wrong = [problem for name, problem in recorded.problems if name == item.origin.name]
    return said + [say(problem.message) for problem in wrong[:PROBLEMS]]


def block_facts(page: Page, index: int) -> list[Phrase]:
    """Everything known about a block, most telling first."""
    block = page.assembled.blocks[index]
    role = role_name(block.message.role)
    said = [phrase("prompt.card.block", n=index + 1, role=role, entry=block_id(page, index))]
    rows = block.origin.rows
    if rows:
        said.append(_line(page.state, rows[0]))
    state = say(phrase(f"prompt.state.{page.assembled.states[index]}"))
    said.append(phrase("prompt.card.tokens", n=page.assembled.tokens[index], state=state))
    fate = page.fate(index)
    if fate is not None:
        said += [literal(words) for words in deeds(fate)[-2:]]
    said += [fault.message for fault in page.faults.get(index, ())[:2]]
    made = {"retained_tail": "retained", "context_edit": "edited", "summary": "summary"}.get(block.origin.made_by)
    if made:
        said.append(phrase(f"prompt.card.{made}"))
    if rows:
        first = since(page.state, rows[0])
        said.append(phrase("prompt.card.since_now") if first is None else phrase("prompt.card.since", n=first))
    return said


def spoken(page: Page, row: Row) -> str:
    """A row as a screen reader should say it."""
    assembled = page.assembled
    if row.kind is Kind.RUN:
        return say(phrase("prompt.announce_run", first=row.first + 1, last=row.last + 1))
    if row.kind is Kind.NOTE:
        return say(phrase("prompt.fell_out", n=len(assembled.context.fell_out)))
    if row.kind is Kind.LEADING:
        return ". ".join((*_leading(page, leading_index(row.first)), *_parted(page, row.first)))
    if row.kind is not Kind.BLOCK:
        return ""
    said = phrase(
        "prompt.announce_block",
        n=row.first + 1,
        all=len(assembled.blocks),
        role=role_name(assembled.blocks[row.first].message.role),
        entry=block_id(page, row.first),
        tokens=assembled.tokens[row.first],
        state=say(phrase(f"prompt.state.{assembled.states[row.first]}")),
    )
    words = [say(said)]
    fate = page.fate(row.first)
    words += [fate_words(fate)] if fate is not None else []
    words += [say(fault.message) for fault in page.faults.get(row.first, ())]
    words += _parted(page, row.first)
    return ". ".join(words)


def deeds(fate: Fate) -> list[str]:
    """Which steps made a block what it is, and why."""
    found: list[str] = []
    for deed in fate.deeds:
        by = say(phrase("prompt.card.by", title=deed.step.title))
        found.append(f"{by}: {say(deed.edit.reason)}" if deed.edit.reason is not None else by)
    return found


def _line(state: State, row: int) -> Phrase:
    entry = state.session.entry(row)
    if entry.time is None:
        return phrase("prompt.card.line_timeless", line=entry.line)
    moment = datetime.fromtimestamp(entry.time / 1000).astimezone()
    return phrase("prompt.card.line", line=entry.line, time=moment.strftime("%Y-%m-%d %H:%M:%S"))


def since(state: State, row: int) -> int | None:
    """Number of the first request on the path that was sent after the entry; None when there is none yet."""
    path, summaries = state.timeline.path, state.timeline.summaries
    try:
        at = path.index(row)
    except ValueError:
        return None
    numbers = {summary.request.entry: summary.request.number for summary in summaries}
    return next((numbers[later] for later in islice(path, at + 1, None) if later in numbers), None)
