"""The JSON documents of the command line: what `inspect` and `breaks` say with `--json`.

Keys may be added, never renamed or given another meaning. `chars` are UTF-16 units, `tokens` come from the counter that
the document names, times are ISO 8601 in UTC, money is US dollars. A digest is the SHA-256 of the message as canonical
JSON: keys sorted, no spaces, everything outside ASCII escaped.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from core.cache import Break
from core.context import build
from core.errors import Problem
from core.messages import Json
from core.phrase import render
from core.session import Session
from core.timeline import Timeline
from core.totals import Totals

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def inspect_document(session: Session, leaf: int | None, language: str) -> Json:
    """What the file holds; path, context and requests are those of the path to `leaf`."""
    path = session.path_to(leaf)
    context = build(session, path)
    types = Counter(session.type_of(row) for row in range(len(session)))
    header = session.header
    active = session.active_leaf
    return {
        "file": {
            "bytes": session.size,
            "lines": session.lines,
            "format": session.format,
            "version": header.version if header else None,
            "session_id": header.id if header else None,
        },
        "entries": len(session),
        "types": dict(sorted(types.items(), key=lambda item: (-item[1], item[0]))),
        "roots": len(session.roots),
        "leaves": len(session.leaves),
        "branch_points": len(session.branch_points),
        "compactions": types["compaction"],
        "active_leaf": entry_id(session, active),
        "leaf": entry_id(session, leaf),
        "path": len(path),
        "context": {"messages": len(context.messages), "roles": [message.role for message in context.messages]},
        "requests": len(session.requests(path)),
        "problems": [problem_document(problem, language) for problem in session.problems],
    }


def breaks_document(session: Session, timeline: Timeline, language: str, traced: bool = False) -> Json:
    """The recorded breaks of the timeline's path. `no_break` lists requests that read nothing for a good reason.
    `traced`: traces were looked at; then each break tells where the two requests part, null where they do not say."""
    found = timeline.breaks
    return {
        "counter": timeline.counter,
        "leaf": entry_id(session, timeline.leaf),
        "requests": len(timeline.summaries),
        "detectors": {
            "agent": [item.request for item in found if "agent" in item.detectors],
            "ours": [item.request for item in found if "ours" in item.detectors],
        },
        "breaks": [{**_break(session, item, language), **(_place(item, language) if traced else {})} for item in found],
        "no_break": [
            {"request": item.request.number, "entry": entry_id(session, item.request.entry), "cause": item.note}
            for item in timeline.summaries
            if item.note
        ],
        "totals": {
            "path": _totals(timeline.totals),
            "session": _totals(timeline.session_totals),
            "lost_cost": _sum(item.cost for item in found),
            "lost_cost_session": _number(timeline.session_lost),
        },
    }


def sha256(value: Json) -> str:
    """Of a JSON value in canonical form; lone surrogates are escaped like everything outside ASCII."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def iso(time: int | None) -> str | None:
    """Epoch ms as ISO 8601 in UTC; None for what no calendar holds."""
    if time is None:
        return None
    try:
        moment = _EPOCH + timedelta(milliseconds=time)
    except OverflowError:
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _break(session: Session, item: Break, language: str) -> Json:
    return {
        "request": item.request,
        "entry": entry_id(session, item.entry),
        "time": iso(item.time),
        "gap_s": item.gap_s,
        "idle_s": item.idle_s,
        "expected": item.expected,
        "read": item.read,
        "lost": item.lost,
        "cost": _number(item.cost),
        "cause": item.cause,
        "certainty": item.certainty,
        "why": render(item.why, language),
        "detectors": sorted(item.detectors),
    }


def _place(item: Break, language: str) -> dict[str, Json]:
    """`block`: index among the blocks of `prompt`; `character`: the UTF-16 unit in it; `where`: both in words."""
    place, where = item.place, item.where
    if place is None or where is None:
        return dict.fromkeys(("block", "section", "part", "character", "before", "after", "trace", "finding", "where"))
    return {
        "block": place.block,
        "section": place.section,
        "part": place.part,
        "character": place.unit,
        "before": place.before,
        "after": place.after,
        "trace": place.file,
        "finding": place.finding or None,
        "where": render(where, language),
    }


def _totals(totals: Totals) -> Json:
    usage = totals.usage
    return {
        "requests": totals.requests,
        "other_calls": totals.others,
        **prompt_usage(usage.input, usage.read, usage.write),
        "output": usage.output,
        "tokens": usage.total,
        "hit_rate": totals.hit_rate,
        "cost": _number(totals.cost),
        "unpriced": totals.unpriced,
    }


def prompt_usage(input: int, read: int, write: int) -> dict[str, Json]:
    return {"read": read, "write": write, "uncached": input}


def problem_document(problem: Problem, language: str) -> dict[str, Json]:
    return {
        "code": problem.code,
        "line": problem.line,
        "entry": problem.entry,
        "severity": problem.severity,
        "message": render(problem.message, language),
        "hint": render(problem.hint, language),
    }


def entry_id(session: Session, row: int | None) -> str | None:
    return None if row is None else session.columns.ids[row]


def _sum(costs: Iterable[Decimal | None]) -> float | None:
    """The sum of what is known; None when there are costs and none of them is."""
    every = list(costs)
    known = [cost for cost in every if cost is not None]
    return None if every and not known else _number(sum(known, Decimal(0)))


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
