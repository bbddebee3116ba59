"""What is said of the session graph: a row to a screen reader and in the hover card, the whole above and below it."""

from __future__ import annotations

from core.branches import Branch, branch_count
from core.phrase import Phrase, phrase
from core.rows import HEADER
from core.titles import kind_name, title
from gui.dag_items import Items
from gui.numbers import tokens
from gui.translation import language, say
from gui.visible import visible_line

ID_LENGTH, LABEL_LENGTH = 40, 60


def spoken(items: Items, item: int, words: str) -> str:
    """`Entry e03, tool result, estimated 14 tokens, in request 23: read src/x.py`. `words`: the title."""
    row, said = items.row(item), visible_line(words)
    size = tokens(items.tokens_of(item))
    if items.shown.folded(item):
        return say(phrase("dag.spoken_fold", what=said, tokens=size))
    if row == HEADER:
        return said
    session, number = items.state.session, items.state.cursor.request
    facts: list[Phrase] = [
        phrase("dag.spoken_entry", id=visible_line(session.columns.ids[row], ID_LENGTH)),
        kind_name(session, row),
    ]
    if items.tokens_of(item):
        facts.append(phrase("dag.spoken_tokens", tokens=size))
    if row in items.number_of:
        facts.append(phrase("dag.spoken_answers", request=items.number_of[row]))
    if items.inside_request(item) and number is not None:
        facts.append(phrase("dag.spoken_inside", request=number))
    marked = items.state.marked
    if marked is not None and marked.holds(row, row)[0]:
        facts.append(phrase("compaction_tab.dag_replaced"))
    if not items.on_path[row]:
        facts.append(phrase("dag.spoken_elsewhere"))
    if row in items.labels:
        facts.append(phrase("dag.spoken_label", label=visible_line(items.labels[row], LABEL_LENGTH)))
    return say(phrase("dag.spoken", facts=say(phrase("dag.comma")).join(map(say, facts)), what=said))


def card_lines(items: Items, item: int, words: str) -> tuple[str, ...]:
    """The hover card of an entry: its whole title, what it is, its size, where it stands. () for other rows."""
    row = items.row(item)
    if items.shown.folded(item) or row == HEADER:
        return ()
    session, number = items.state.session, items.state.cursor.request
    facts = (
        say(kind_name(session, row)),
        visible_line(session.columns.ids[row], ID_LENGTH),
        say(phrase("dag.line", line=session.columns.line[row])),
    )
    lines = [visible_line(words), " · ".join(facts)]
    if items.tokens_of(item):
        lines.append(say(phrase("dag.size", tokens=tokens(items.tokens_of(item)))))
    if row in items.number_of:
        lines.append(say(phrase("dag.answers", request=items.number_of[row])))
    elif not items.on_path[row]:
        lines.append(say(phrase("dag.elsewhere")))
    elif items.inside_request(item) and number is not None:
        lines.append(say(phrase("dag.is_inside", request=number)))
    return tuple(lines)


def counts(items: Items) -> str:
    """`164 entries · 2 branches`."""
    branches = branch_count(items.state.session, items.tree)
    return " · ".join((say(phrase("dag.entries", n=len(items.tree))), say(phrase("dag.branches", n=branches))))


def request_words(items: Items) -> tuple[str, str]:
    """(what is in the request in view, what follows it)."""
    number, last = items.state.cursor.request, len(items.state.timeline.summaries)
    if number is None:
        return say(phrase("dag.inside_next", n=items.sent)), ""
    follow = phrase("dag.follow", n=last - number) if last > number else phrase("dag.follow_none")
    return say(phrase("dag.inside", n=items.sent, request=number)), say(follow)


def rows_shown(items: Items) -> Phrase | None:
    """How many entries have a row of their own; None when all have."""
    return phrase("dag.partial", shown=items.shown.shown, n=items.shown.total) if items.partial else None


def branch_words(items: Items, branch: Branch) -> str:
    """The name of a branch: main, else the label of its last entry, else what was first said on it."""
    if branch.main:
        return say(phrase("dag.branch_main"))
    label = items.labels.get(branch.leaf)
    if label:
        return visible_line(label, LABEL_LENGTH)
    state = items.state
    return visible_line(
        title(state.session, branch.said, state.body, state.counts.tokens).words(language()), LABEL_LENGTH
    )
