"""The document of the verb `truncate`, and the same as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core import numbers
from core.messages import Json
from core.phrase import phrase, render
from core.session import Session
from core.tables import grid
from core.truncation_look import Truncation, why_not
from core.truncation_sources import Share, Sources
from core.truncation_write import Undo
from core.visible import visible_line

Say = Callable[..., str]
"""(id below table.truncation, its values) -> the sentence."""

_LISTED = 12
"""Lines of a list in the table; the document has them all."""


def truncation_document(
    session: Session, made: Truncation, found: Sources | None, output: str | None, archive: str | None, language: str
) -> Json:
    """`archive`, `output`: None = not written. `reason`: EMPTY, NO_COMPACTION, COMPACTION_AT_ROOT, NOTHING_TO_REMOVE or
    BELOW_SIZE, which `why` says in words. `kept`: what the agent would remove and safe mode does not. `sources`: where
    the bytes of the file come from."""
    planned, ids = made.plan, session.columns.ids
    why = why_not(planned, session.size)
    return {
        "entries_before": len(session),
        "entries_after": len(session) - len(planned.removed),
        "removed": [ids[row] for row in planned.removed],
        "reparented": [{"entry": ids[item.row], "old": item.old, "new": item.new} for item in planned.reparented],
        "bytes_before": made.bytes_before,
        "bytes_after": made.bytes_after,
        "archive": archive,
        "output": output,
        "context_equal": made.equal,
        "reason": planned.reason,
        "warnings": [
            {
                "code": item.code.removeprefix("truncation_"),
                "line": item.line,
                "entry": item.entry,
                "message": render(item.message, language),
                "hint": render(item.hint, language),
            }
            for item in made.warnings
        ],
        "why": None if why is None else render(why, language),
        "mode": planned.settings.mode,
        "leaf": None if planned.leaf is None else ids[planned.leaf],
        "compaction": None if planned.compaction is None else ids[planned.compaction],
        "first_kept": None if planned.first_kept is None else ids[planned.first_kept],
        "context": {"messages_before": made.messages[0], "messages_after": made.messages[1]},
        "kept": [{"entry": ids[item.row], "because": item.why} for item in planned.held],
        "sources": None if found is None else _sources(found),
    }


def _sources(found: Sources) -> Json:
    return {
        "kinds": [{"kind": share.kind, "entries": share.entries, "bytes": share.bytes} for share in found.kinds],
        "rest": found.rest,
        "dead_branches": _share(found.dead),
        "duplicates": _share(found.duplicates),
        "reappended": {**_share(found.reappended), "runs": found.runs},
    }


def _share(share: Share) -> Json:
    return {"entries": share.entries, "bytes": share.bytes}


def truncation_table(document: Json, name: str, language: str) -> str:
    """`name`: of the file."""

    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.truncation.{id}", **values), language)

    sizes = {"before": document["bytes_before"], "after": document["bytes_after"]}
    lines = [visible_line(name), ""]
    if document["reason"] is not None:
        lines.append(document["why"])
    else:
        n, moved = len(document["removed"]), len(document["reparented"])
        lines.append(say("removes", n=n, entries=document["entries_before"], moved=moved))
        lines.append(say("sizes", share=_saved(document), **sizes))
        count = document["context"]["messages_after"]
        lines.append(say("equal" if document["context_equal"] else "not_equal", n=count))
    if document["reparented"]:
        rows = [tuple(say(head) for head in ("entry", "old", "new"))]
        for item in document["reparented"][:_LISTED]:
            rows.append(tuple(visible_line(item[key] or "–", 40) for key in ("entry", "old", "new")))
        lines += ["", grid(rows)]
        if moved > _LISTED:
            lines.append(say("more", n=moved - _LISTED))
    if document["kept"]:
        lines.append("")
        for because, n in Counter(item["because"] for item in document["kept"]).items():
            lines.append(say(f"kept_{because}", n=n))
    for item in document["warnings"]:
        lines += ["", visible_line(item["message"]), "  " + visible_line(item["hint"])]
    if document["sources"] is not None:
        lines += ["", *_sources_table(document, say)]
    return "\n".join([*lines, "", *_written(document, say)])


def _saved(document: Json) -> float:
    before = document["bytes_before"]
    return 1 - document["bytes_after"] / before if before else 0.0


def _sources_table(document: Json, say: Say) -> list[str]:
    found = document["sources"]
    rows = [(say("kind"), say("entries"), say("bytes"), say("share"))]
    named = [(share["kind"], share) for share in found["kinds"]]
    named += [(say(key), found[key]) for key in ("dead_branches", "duplicates", "reappended")]
    total = document["bytes_before"]
    for title, share in named:
        if share["entries"]:
            size = share["bytes"]
            rows.append(
                (visible_line(title, 40), numbers.whole(share["entries"]), numbers.size(size), _of(size, total))
            )
    return [say("sources", size=total), grid(rows, (1, 2, 3))]


def _of(part: int, whole: int) -> str:
    return numbers.percent(part / whole) if whole else "–"


def _written(document: Json, say: Say) -> list[str]:
    if document["output"] is None:
        return [say("nothing_written" if document["reason"] is not None else "dry_run")]
    written = say("written", output=visible_line(document["output"]))
    if document["archive"] is None:
        return [written]
    return [written, say("archived", archive=visible_line(document["archive"]))]


def undo_document(planned: Undo, bytes_after: int, equal: bool, output: str, archive: str) -> Json:
    """The same keys; `restored`: entries that are back, `since`: those written after the truncation, which stayed."""
    now, old = planned.now, planned.archive
    return {
        "entries_before": len(now),
        "entries_after": len(old) + len(planned.since),
        "removed": [],
        "reparented": [],
        "bytes_before": now.size,
        "bytes_after": bytes_after,
        "archive": archive,
        "output": output,
        "context_equal": equal,
        "reason": None,
        "warnings": [],
        "restored": [old.columns.ids[row] for row in planned.restored],
        "since": [now.columns.ids[row] for row in planned.since],
    }


def undo_table(document: Json, language: str) -> str:
    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.truncation.{id}", **values), language)

    lines = [
        say("restored", n=len(document["restored"]), output=visible_line(document["output"])),
        say("sizes_back", before=document["bytes_before"], after=document["bytes_after"]),
    ]
    if document["since"]:
        lines.append(say("since", n=len(document["since"])))
    lines.append(say("archived_now", archive=visible_line(document["archive"])))
    return "\n".join(lines)
