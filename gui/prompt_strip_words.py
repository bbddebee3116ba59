"""What the strip above the prompt's list says: the section in sight, how much is folded, what the column holds."""

from __future__ import annotations

from collections.abc import Sequence

from core.phrase import phrase
from gui.prompt_head import is_news
from gui.prompt_page import Page
from gui.prompt_rows import Kind, Row, shown_blocks
from gui.translation import say

ABOVE = (Kind.UNRECORDED, Kind.LEADING)
"""Rows above the messages; rules may stand between them."""


def strip_facts(rows: Sequence[Row]) -> tuple[int, bool]:
    """(how many blocks have a row of their own, whether a run is unfolded)."""
    return shown_blocks(rows), any(row.kind is Kind.RUN and row.open for row in rows)


def strip_words(page: Page, rows: Sequence[Row], at: int, facts: tuple[int, bool]) -> tuple[str, str, str, str]:
    """(section, note, link, head of the column); `at`: the first row in sight."""
    shown, unfolded = facts
    at_top = any(row.kind in ABOVE for row in rows[at : at + 3])
    section = "" if at_top else say(phrase("prompt.section_messages"))
    count = len(page.assembled.blocks)
    note = phrase("prompt.shown", shown=shown, n=count) if shown < count else phrase("prompt.blocks", n=count)
    which = "prompt.show_all" if shown < count else "prompt.fold_all" if unfolded else ""
    link = say(phrase(which)) if which else ""
    column = "prompt.column_simulated" if is_news(page) else "prompt.column_tokens"
    return section, say(note), link, say(phrase(column))
