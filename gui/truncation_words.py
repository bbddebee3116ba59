"""What the Truncation tab says: its headline, its four verdicts, the lines under its switches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.headline import Run
from core.phrase import Phrase, phrase
from gui.translation import say
from gui.truncation_facts import Facts
from gui.visible import visible_line

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """`good`: nothing is lost."""

    good: bool
    title: str
    detail: str


def headline(facts: Facts | None, said: Phrase | None, archive: str = "") -> tuple[Run, ...]:
    """`said`: why the worker could not answer. `archive`: where the old file is, when it was truncated just now."""
    if said is not None:
        return (Run(say(said)),)
    if facts is None:
        return (Run(say(phrase("truncation_tab.looking"))),)
    if facts.reason is not None and archive:
        size = say(phrase("truncation_tab.entries", n=facts.entries[0]))
        name = visible_line(Path(archive).name, 60)
        return strong(say(phrase("truncation_tab.done", entries=size, archive=name)), size, name)
    if facts.reason is not None:
        return (Run(say(facts.reason)),)
    gone = say(phrase("truncation_tab.entries", n=facts.entries[0] - facts.entries[1]))
    moved = say(phrase("truncation_tab.entries", n=len(facts.reparented)))
    which = "headline" if facts.reparented else "headline_none"
    sentence = say(phrase(f"truncation_tab.{which}", gone=gone, moved=moved))
    return strong(sentence, gone, moved)


def strong(sentence: str, *numbers: str) -> tuple[Run, ...]:
    """The sentence with these parts of it strong, each where it comes next."""
    found: list[Run] = []
    at = 0
    for number in numbers:
        start = sentence.find(number, at)
        if start < 0:
            continue
        found += [Run(sentence[at:start]), Run(number, "strong")]
        at = start + len(number)
    return tuple(run for run in (*found, Run(sentence[at:])) if run.text)


def verdicts(facts: Facts | None) -> tuple[Verdict, ...]:
    if facts is None or facts.reason is not None:
        return ()
    return (_context(facts), _labels(facts), _branches(facts), _parents(facts))


def _context(facts: Facts) -> Verdict:
    before, after = facts.messages
    if facts.equal:
        return _told(True, "context", "context_equal", n=before)
    return _told(False, "context_changes", "context_left", n=after, before=before)


def _labels(facts: Facts) -> Verdict:
    if facts.lost_labels:
        return _told(False, "labels_lost", "labels_named", n=len(facts.lost_labels), names=_names(facts.lost_labels))
    if facts.labels:
        names = _names(tuple(label for _, label in facts.labels))
        return _told(True, "labels_kept", "labels_on", n=len(facts.labels), names=names, entry=facts.labels[0][0])
    return _told(True, "labels_none", "labels_untouched")


def _branches(facts: Facts) -> Verdict:
    changed = next((item for item in facts.warnings if item.code == "truncation_branch_changed"), None)
    if not facts.branches:
        return _told(True, "branches_none", "branches_untouched")
    if changed is None:
        return _told(True, "branches", "branches_same", n=facts.branches)
    return _told(False, "branches", "branches_hung", n=facts.branches)


def _parents(facts: Facts) -> Verdict:
    n = len(facts.reparented)
    if not n:
        return _told(True, "parents_none", "parents_same")
    some = ", ".join(visible_line(id, 12) for id in facts.reparented[:_NAMED])
    return _told(False, "parents", "parents_of" if n <= _NAMED else "parents_some", n=n, ids=some, rest=n - _NAMED)


def _told(good: bool, title: str, detail: str, **values: object) -> Verdict:
    made = [say(phrase(f"truncation_tab.verdict.{id}", **values)) for id in (title, detail)]
    return Verdict(good, *made)


def _names(labels: tuple[str, ...]) -> str:
    named = ", ".join(f"“{visible_line(label, 24)}”" for label in labels[:_NAMED])
    return named + (" …" if len(labels) > _NAMED else "")


def details(facts: Facts | None) -> tuple[str, str]:
    """Under "Keep labelled entries" and "Keep side branches"."""
    if facts is None:
        return "", ""
    names = (*facts.labels, *(("", label) for label in facts.lost_labels))
    labelled = phrase("truncation_tab.labelled", n=len(names), names=_names(tuple(label for _, label in names)))
    branches = phrase("truncation_tab.branches", n=facts.branches, entries=facts.branch_entries)
    return say(labelled if names else phrase("truncation_tab.labelled_none")), say(
        branches if facts.branches else phrase("truncation_tab.branches_none")
    )
