"""What the Compaction tab says: its headline, the line on pass 2, what it pays back, what the audit found."""

from __future__ import annotations

from core.headline import estimated, recorded
from core.payback import Payback
from core.phrase import Phrase, phrase
from gui.compaction_desk import Desk
from gui.compaction_facts import Again, Facts, Kept, Outcome
from gui.compaction_tables import by_words
from gui.translation import say
from gui.visible import visible_line


def before_words(request: int | None) -> str:
    """ "Before request 31"."""
    if request is None:
        return say(phrase("compaction_tab.place.next"))
    return say(phrase("compaction_tab.place.before", n=request))


def place_words(request: int | None, *, recorded: bool) -> str:
    """An entry of the list of places: with the cursor, or at a recorded compaction."""
    if not recorded:
        return say(phrase("compaction_tab.place.follow", where=before_words(request)))
    return say(phrase("compaction_tab.place.recorded" if request else "compaction_tab.place.recorded_next", n=request))


def headline(desk: Desk, any_recorded: bool) -> Phrase:
    """The answer first: what became of how much, and what is missing from it."""
    facts, outcome = desk.facts, desk.outcome
    if desk.said is not None:
        if desk.said.id != "compaction.nothing":
            return desk.said
        here = "nothing_here" if any_recorded else "nothing"
        return phrase(f"compaction_tab.headline.{here}", keep=desk.settings.keep)
    if facts is None:
        return phrase("compaction_tab.headline.looking")
    if outcome is not None and outcome.stopped:
        return phrase("compaction_tab.headline.stopped")
    if outcome is None or outcome.summary is None:
        return _planned(facts)
    size = recorded(outcome.counted) if outcome.counted is not None else estimated(outcome.tokens)
    said = {"n": len(facts.rows), "tokens": estimated(facts.tokens), "size": size, "where": before_words(facts.request)}
    if outcome.raised:
        return phrase("compaction_tab.headline.raised", **said)
    if outcome.rung == 3:
        first = phrase("compaction_tab.headline.note", **said)
    elif outcome.recorded:
        first = phrase("compaction_tab.headline.recorded", **said)
    else:
        by = by_words(desk.shown) if desk.shown is not None else ""
        first = phrase("compaction_tab.headline.ours", by=by, **said)
    return phrase("headline.two", first=first, second=_lost(outcome))


def _planned(facts: Facts) -> Phrase:
    asked = sum(chunk.stage != "merge" for chunk in facts.chunks)
    merges = len(facts.chunks) - asked
    where = before_words(facts.request)
    calls = phrase("compaction_tab.headline.calls", n=asked + merges)
    said = {"entries": len(facts.rows), "tokens": estimated(facts.tokens), "calls": calls}
    if facts.due:
        due = {"before": estimated(facts.tokens_before), "threshold": facts.threshold}
        return phrase(
            "headline.two",
            first=phrase("compaction_tab.headline.due", **due),
            second=phrase("compaction_tab.headline.would", **said),
        )
    quiet = {"where": where, "before": estimated(facts.tokens_before), "threshold": facts.threshold}
    return phrase(
        "headline.two",
        first=phrase("compaction_tab.headline.quiet", **quiet),
        second=phrase("compaction_tab.headline.would", **said),
    )


def _lost(outcome: Outcome) -> Phrase:
    missed = len(outcome.missed)
    if missed:
        return phrase("compaction_tab.headline.missed", n=missed)
    used = sum(name.used > 0 for name in outcome.names)
    if used:
        return phrase("compaction_tab.headline.all_there", n=used)
    return phrase("compaction_tab.headline.none_used")


def again_words(again: Again | None) -> str:
    """Pass 2: whether the prompt fits now."""
    if again is None:
        return ""
    values = {"tokens": again.tokens, "total": again.total, "limit": again.limit, "n": len(again.fired)}
    if again.total is None:
        return say(phrase("compaction_tab.again.plain", **values))
    return say(phrase("compaction_tab.again.over" if again.overflow else "compaction_tab.again.fits", **values))


def again_steps(again: Again) -> str:
    """The steps of pass 2 that did something, a line each."""
    if not again.fired:
        return say(phrase("compaction_tab.again.quiet"))
    return "\n".join(f"{say(title)}: {say(why)}" for title, why in again.fired)


def payback_words(outcome: Outcome | None, usage: Payback | None) -> str:
    """What it reclaims, the break it costs, and after how many requests it has paid. `usage`: the same of a recorded
    one by its recorded usage, which is truer than our estimate."""
    found = usage if usage is not None else outcome.payback if outcome is not None else None
    if found is None or outcome is None:
        return ""
    values = {"tokens": found.reclaimed, "broken": found.broken, "calls": found.calls, "n": found.requests}
    mark = "recorded" if usage is not None else "guessed" if outcome.recorded else "ours"
    if found.reclaimed <= 0 or found.requests is None:
        return say(phrase(f"compaction_tab.payback.{mark}_never", **values))
    id = f"compaction_tab.payback.{mark}" + ("_calls" if found.calls else "")
    return say(phrase(id, **values))


def audit_words(kept: Kept | None, fallen: int, fallen_used: int, verdicts: tuple[tuple[str, ...], ...] = ()) -> str:
    """The rest of the audit in one paragraph. `verdicts`: reasons of the safeguard's own audits."""
    if kept is None:
        return ""
    ask = "verbatim" if kept.ask else "reflected" if kept.ask_reflected else "lost"
    said = [say(phrase(f"compaction_tab.audit.ask_{ask}"))]
    if any(kept.sections):
        said.append(say(phrase("compaction_tab.audit.sections", n=sum(kept.sections), of=len(kept.sections))))
    if kept.files:
        said.append(say(phrase("compaction_tab.audit.files", n=kept.files_kept, of=kept.files)))
    if kept.errors:
        said.append(say(phrase("compaction_tab.audit.errors", n=kept.errors_kept, of=kept.errors)))
    if kept.fetches:
        said.append(say(phrase("compaction_tab.audit.fetched", n=kept.refetched, of=kept.fetches)))
    if kept.over_cap:
        said.append(say(phrase("compaction_tab.audit.cap", chars=kept.chars, cap=kept.cap)))
    if fallen:
        said.append(say(phrase("compaction_tab.audit.fallen", n=fallen, used=fallen_used)))
    if verdicts:
        faults = phrase("compaction_tab.audit.faults", n=len(verdicts[-1]))
        last = faults if verdicts[-1] else phrase("compaction_tab.audit.fine")
        said.append(say(phrase("compaction_tab.audit.verdict", n=len(verdicts), last=last)))
    return " ".join(said)


def verdict_lines(verdicts: tuple[tuple[str, ...], ...]) -> str:
    """Each audit of the safeguard in a line, with its reasons in the agent's own words."""
    lines = []
    for number, reasons in enumerate(verdicts, 1):
        what = visible_line(", ".join(reasons), 400) or say(phrase("compaction_tab.audit.fine"))
        lines.append(say(phrase("compaction_tab.audit.attempt", number=number, what=what)))
    return "\n".join(lines)
