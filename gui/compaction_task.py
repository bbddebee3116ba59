"""The worker's side of the Compaction tab. No Qt in here.

    look     cut, chunks and exact prompts at once (a part), then the identifiers; of a recorded one its whole audit
    carry    runs it: every Ask and Call as a part, then the Outcome with audit, pass 2 and what it costs
    append   a new session file with the compaction as its last entry

The index of a path's identifiers is kept for the paths looked at last: another cut or summary is audited at once.
"""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core import audit as audits
from core import models
from core.assembled import assemble
from core.audit import Audit, Region
from core.compaction_audit import Place, of_run, region
from core.compaction_entry import entry, file_with
from core.compaction_run import Compaction, kept_messages, run
from core.errors import RequestError
from core.estimate import pi_tokens
from core.messages import Message, Usage
from core.payback import Payback, call_cost, payback
from core.phrase import phrase
from core.pipeline import Trace
from core.retention import Mentions, mentions
from core.second_pass import second_pass
from core.steps import begin
from core.storage import write_new
from core.summarizer import Ask, Scene, summarizer
from core.summarizing import Call
from gui.compaction_cut import Cut
from gui.compaction_facts import Again, By, Facts, Fallen, Kept, Name, Outcome, Wish
from gui.opened import opened, show

KEPT = 2
"""Indices of paths that are kept."""
ROWS = 200
"""Entries that are told for one identifier."""
OFTEN = 0.1
"""Seconds between two words on how far an answer is; a call that waits is looked after as often."""

_indices: OrderedDict[tuple[str, int | None], tuple[object, int, Mentions]] = OrderedDict()


# what a window asks for


def look(wish: Wish, report: Any) -> tuple[Facts, Outcome]:
    """The cut, and the audit of what is recorded there; of a cut that nobody made, its identifiers.

    RequestError where there is nothing to summarise."""
    report(phrase("compaction.job.plan"), None)
    cut = Cut(wish, report)
    facts = cut.facts()
    _hand_over(report, facts)
    index = _index(wish, cut, report)
    if cut.place is None:
        assert cut.plan is not None
        at = region(cut.session, cut.whole, Compaction(cut.plan, "", 1, ()))
        found = audits.audit(index, at, "", wish.settings.cap)
        names = tuple(replace(name, kept=None, form="") for name in _names(index, at, found))
        names = tuple(sorted(names, key=lambda name: -name.used))
        return facts, Outcome(False, None, 0, None, names, None, _fallen(found))
    place = cut.place
    return facts, _recorded(cut, place, audits.audit(index, place.region, place.summary, wish.settings.cap), index)


def _recorded(cut: Cut, place: Place, found: Audit, index: Mentions) -> Outcome:
    body = cut.session.body(place.row)
    usage = Usage.of(body.get("usage"))
    size = -(-found.chars // 4)
    tail = sum(map(pi_tokens, kept_messages(cut.session, cut.plan))) if cut.plan is not None else 0
    model, when = cut.model, cut.session.entry(place.row).time
    return Outcome(
        recorded=True,
        summary=place.summary,
        tokens=size,
        counted=usage.output if usage is not None and usage.output else None,
        names=_names(index, place.region, found),
        kept=_kept(found),
        fallen=_fallen(found),
        rung=3 if place.summary.startswith("Context contained ") else None,
        tokens_after=size + tail,
        payback=_payback(cut.messages_before(), size + tail, (), model, when),
        cost=(usage.cost or models.cost(model, usage, when)) if usage is not None and usage.any else None,
    )


def carry(wish: Wish, by: By, report: Any) -> tuple[Facts, Outcome]:
    """Run it. Stopped: the Outcome says so, and nothing may be done with it.

    RequestError where there is nothing to summarise, or the summarizer cannot be made."""
    cut = Cut(wish, report)
    facts = cut.facts()
    if cut.plan is None:
        raise RequestError(phrase("compaction.nothing", keep=wish.settings.keep))
    _hand_over(report, facts)
    line = _Line(report, len(facts.chunks))
    recorded = cut.place.summary if cut.place is not None else None
    module = summarizer(by.summarizer)
    model = by.model or (getattr(module, "DEFAULT_MODEL", "") if module.LEAVES else cut.model)
    scene = Scene(recorded, model, by.base_url, by.consent, os.environ)
    hindered = module.hindrance(scene) if hasattr(module, "hindrance") else None
    if hindered is not None:
        raise RequestError(hindered)
    asking = module.make(by.own, scene)
    done = run(
        cut.session,
        cut.plan,
        asking,
        wait=line.wait if module.LEAVES else lambda seconds: None,  # told, but nobody is spared by it
        cancelled=line.cancelled,
        report=line.told,
        progress=line.progress,
        clock=time.monotonic,
        broken=by.broken,
    )
    if done.stopped:
        return facts, replace(_empty(done), stopped=True)
    index = _index(wish, cut, report)
    found = of_run(cut.session, index, done)
    when = None
    price = models.price_at(model, when, facts.tokens_before)
    asked_nobody = not module.LEAVES
    return facts, replace(
        _empty(done),
        names=_names(index, region(cut.session, cut.whole, done), found),
        kept=_kept(found),
        fallen=_fallen(found),
        payback=None
        if done.raised
        else _payback(cut.messages_before(), done.tokens_after, () if asked_nobody else done.calls, model, when),
        cost=None if price is None or asked_nobody else call_cost(done.calls, price),
        again=None if done.raised else _again(cut, wish, done, report),
    )


def append(wish: Wish, summary: str, target: str, report: Any) -> int:
    """Write a new file: the session and the compaction behind it. The number of bytes.

    RequestError where the file exists or cannot be written, or the session has no header."""
    report(phrase("compaction.job.write"), None)
    cut = Cut(wish, report)
    if cut.plan is None:
        raise RequestError(phrase("compaction.nothing", keep=wish.settings.keep))
    done = Compaction(cut.plan, summary, 1, ())
    return write_new(target, file_with(cut.session, entry(cut.session, done)))


# pieces of an answer


def _hand_over(report: Any, value: object) -> None:
    part: Callable[[object], None] | None = getattr(report, "part", None)
    if part is not None:
        part(value)


class _Line:
    """To the window while calls run: what is asked, how much has come, whether to go on."""

    def __init__(self, report: Any, calls: int) -> None:
        self._report, self._calls = report, calls
        self._ask: Ask | None = None
        self._size = 0
        self._next = 0.0
        self._on = True

    def told(self, what: Call | Ask) -> None:
        if isinstance(what, Ask):
            self._ask, self._size = what, 0
            self._tell()
        else:
            _hand_over(self._report, what)

    def progress(self, size: int) -> None:
        self._size = size
        self.cancelled()

    def cancelled(self) -> bool:
        if self._on and time.monotonic() >= self._next:
            self._tell()
        return not self._on

    def wait(self, seconds: float) -> None:
        """Between attempts, in pieces: whoever stops does not wait for the end."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.cancelled():
            time.sleep(min(OFTEN, left))

    def _tell(self) -> None:
        self._next = time.monotonic() + OFTEN
        said = phrase("compaction.job.begin")
        share = None
        if self._ask is not None:
            number = self._ask.number
            said = phrase("compaction.job.call", n=number, of=max(number, self._calls), chars=self._size)
            share = min(1.0, (number - 1) / max(1, self._calls))
        self._on = bool(self._report(said, share))


def _empty(done: Compaction) -> Outcome:
    """What a run says before it is audited."""
    return Outcome(
        recorded=False,
        summary=done.summary,
        tokens=done.summary_tokens,
        counted=None,
        names=(),
        kept=None,
        fallen=Fallen((), 0),
        rung=done.rung,
        calls=done.calls,
        left_out=done.left_out,
        raised=done.raised,
        structured=done.structured,
        verdicts=tuple(tuple(verdict.reasons) for verdict in done.verdicts),
        tokens_after=done.tokens_after,
    )


def _index(wish: Wish, cut: Cut, report: Any) -> Mentions:
    """A file that was read again, or that grew, begins anew; so does an index that was stopped."""
    key, file = (wish.path, wish.leaf), opened(wish.path, report)
    known = _indices.pop(key, None)
    if known is None or known[0] is not file or known[1] != len(file.session):
        size, on = max(1, len(cut.whole)), True

        def go_on(done: int) -> bool:
            nonlocal on
            on = bool(report(phrase("compaction.job.audit", share=done / size), done / size))
            return on

        index = mentions(cut.session, cut.whole, go_on)
        if not on:
            return index
        known = (file, len(file.session), index)
    _indices[key] = known
    while len(_indices) > KEPT:
        _indices.popitem(last=False)
    return known[2]


def _names(index: Mentions, at: Region, found: Audit) -> tuple[Name, ...]:
    wanted: dict[int, list[int]] = {}
    for item in found.items:
        number = index.numbers.get(item.identifier)
        if number is not None:
            wanted[number] = []
    for place in (*at.summarised, *at.tail, *at.later):
        for number in index.held[place]:
            rows = wanted.get(number)
            if rows is not None and len(rows) < ROWS:
                rows.append(index.path[place])
    return tuple(
        Name(
            number,
            item.identifier.shown,
            item.identifier.text,
            item.identifier.kind,
            item.kept,
            item.form,
            item.in_tail,
            item.used,
            item.first,
            tuple(wanted.get(index.numbers.get(item.identifier, -1), ())),
        )
        for number, item in enumerate(found.items, 1)
    )


def _kept(found: Audit) -> Kept:
    return Kept(
        found.ask_kept,
        found.ask_reflected,
        found.sections,
        len(found.modified),
        len(found.modified_kept),
        len(found.errors),
        found.errors_kept,
        found.fetches,
        found.refetched,
        found.over_cap,
        found.chars,
        found.cap,
    )


def _fallen(found: Audit) -> Fallen:
    return Fallen(found.fell_out, len(found.fallen))


def _payback(before: int, after: int, calls: tuple[Call, ...], model: str, when: int | None) -> Payback | None:
    price = models.price_at(model, when, before)
    return payback(before, after, calls, price) if price is not None and before > 0 else None


def _again(cut: Cut, wish: Wish, done: Compaction, report: Any) -> Again:
    """Pass 2 of the request behind the compaction."""
    loaded = show(wish.path, wish.counter, wish.leaf, report)
    assembled = assemble(cut.session, loaded.timeline, loaded.counts, cut.request)
    start = begin(cut.session, loaded.timeline, loaded.counts, assembled, wish.profile)
    trace = second_pass(cut.session, start, done, wish.profile)
    return again(trace)


def again(trace: Trace) -> Again:
    """A Trace as a person needs it."""
    last = next((step for step in trace.steps if step.layer == "guard_overflow" and step.on), None)
    gauge = next((gauge for gauge in last.gauges if gauge.name == "total"), None) if last is not None else None
    fired = tuple((step.title, step.why) for step in trace.steps[1:] if step.fired)
    sent = sum(map(pi_tokens, _messages(trace)))
    measured = (int(gauge.value), int(gauge.threshold)) if gauge is not None else (None, None)
    return Again(sent, fired, trace.overflow, *measured)


def _messages(trace: Trace) -> list[Message]:
    return [block.message for block in trace.blocks if block.section == "messages"]
