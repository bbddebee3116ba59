"""The document of the verb `compact`, and the same as a table."""

from __future__ import annotations

from dataclasses import asdict

from core import numbers
from core.audit import Audit, Item
from core.compaction_preview import Estimate, Planned
from core.compaction_run import Compaction
from core.messages import Json
from core.phrase import phrase, render
from core.session import Session
from core.tables import grid
from core.visible import visible_line

SHOWN = 12
"""Lost identifiers that the table lists."""


def compact_document(
    session: Session, done: Compaction, audited: Audit, policy: str, summarizer: str, output: str | None
) -> Json:
    """Tokens are pi's estimate (`counter`), those of calls the provider's where it counted. `level`: the last rung that
    was needed. `raised`: the agent would raise an error (mode pi). Identifiers that are secrets are masked."""
    plan, found = done.plan, done.plan.preparation
    return {
        "policy": policy,
        "summarizer": summarizer,
        "counter": "pi",
        "mode": plan.settings.mode,
        "window": plan.window,
        "threshold": plan.threshold,
        "due": plan.due,
        "owner": plan.owner or None,
        "tokens_before": found.tokens_before,
        "summarized": plan.summarised,
        "first_kept": session.columns.ids[found.first_kept],
        "split_turn": found.split,
        "kept": len(found.kept),
        "chunk_ratio": plan.ratio,
        "chunk_limit": None if plan.limit == float("inf") else plan.limit,
        "chunks": [
            {"messages": len(piece.messages), "tokens": piece.tokens, "stage": piece.stage, "part": piece.part}
            for piece in plan.pieces
        ],
        "oversized": len(plan.oversized),
        "calls": [asdict(call) for call in done.calls],
        "level": done.rung,
        "raised": done.raised,
        "left_out": done.left_out,
        "summary": done.summary,
        "summary_chars": audited.chars,
        "tokens_after": done.tokens_after,
        "quality": [list(verdict.reasons) for verdict in done.verdicts],
        "identifiers": identifiers_document(audited),
        "audit": audit_document(session, audited),
        "output": output,
    }


def identifiers_document(audited: Audit) -> Json:
    """`used_later`: entries after the compaction that ask for it."""
    return {
        "found": audited.found,
        "in_summary": audited.kept,
        "in_tail": audited.in_tail,
        "changed": [
            {"text": item.identifier.shown, "kind": item.identifier.kind, "as": item.form}
            for item in audited.items
            if item.form and not item.in_tail
        ],
        "lost": [_lost(item) for item in audited.lost],
        "used_later": sum(item.used > 0 for item in audited.items),
        "kept_and_used_later": audited.kept_used,
    }


def _lost(item: Item) -> Json:
    return {"text": item.identifier.shown, "kind": item.identifier.kind, "used_later": item.used}


def audit_document(session: Session, audited: Audit) -> Json:
    return {
        "sections": list(audited.sections),
        "last_request": {"verbatim": audited.ask_kept, "reflected": audited.ask_reflected},
        "modified_files": {"found": len(audited.modified), "in_summary": len(audited.modified_kept)},
        "open_errors": {"found": len(audited.errors), "in_summary": audited.errors_kept},
        "refetched": {"calls": audited.fetches, "again": audited.refetched},
        "over_cap": audited.over_cap,
        "fell_out": {
            "entries": [session.columns.ids[row] for row in audited.fell_out],
            "used_later": [_lost(item) for item in audited.fallen],
        },
    }


def compact_table(document: Json, language: str) -> str:
    def say(id: str, **values: object) -> str:
        return render(phrase(f"compaction.table.{id}", **values), language)

    found, audited = document["identifiers"], document["audit"]
    lines = [
        say(
            "headline",
            n=document["summarized"],
            before=document["tokens_before"],
            after=document["tokens_after"],
            first=visible_line(document["first_kept"], 40),
        ),
        say(f"level_{document['level']}", n=len(document["calls"]), summarizer=document["summarizer"]),
    ]
    if document["raised"]:
        lines.append(say("raised"))
    rows = [tuple(say(head) for head in ("stage", "chunk", "attempt", "rung", "messages", "in", "out", "answer"))]
    for call in document["calls"]:
        error = render(phrase(f"compaction.failure.{call['error']}"), language) if call["error"] else say("ok")
        sizes = (numbers.whole(call[key]) for key in ("messages", "input_tokens", "output_tokens"))
        rows.append(
            (say(f"stage_{call['stage']}"), str(call["chunk"]), str(call["attempt"]), str(call["rung"]), *sizes, error)
        )
    if document["calls"]:
        lines += ["", grid(rows, range(1, 7))]
    lost = found["lost"]
    missed = sum(item["used_later"] > 0 for item in lost)
    kept = {"found": found["found"], "summary": found["in_summary"], "tail": found["in_tail"]}
    lines += ["", say("identifiers", **kept, lost=len(lost), missed=missed)]
    rows = [(say("lost"), say("kind"), say("used"))]
    rows += [(visible_line(item["text"], 70), item["kind"], str(item["used_later"])) for item in lost[:SHOWN]]
    if lost:
        lines += [grid(rows, (2,))]
    if len(lost) > SHOWN:
        lines.append(say("more", n=len(lost) - SHOWN))
    ask = audited["last_request"]
    lines.append(say("ask_verbatim" if ask["verbatim"] else "ask_reflected" if ask["reflected"] else "ask_lost"))
    files, errors = audited["modified_files"], audited["open_errors"]
    lines.append(
        say("files", kept=files["in_summary"], n=files["found"], errors=errors["found"], told=errors["in_summary"])
    )
    if audited["fell_out"]["entries"]:
        lines.append(say("fell_out", n=len(audited["fell_out"]["entries"])))
    lines += ["", visible_text(document["summary"])]
    if document["output"] is not None:
        lines += ["", say("written", path=visible_line(document["output"], 200))]
    return "\n".join(lines)


def visible_text(text: str) -> str:
    """A text of several lines, each made safe for a terminal."""
    return "\n".join(visible_line(line, 2_000) for line in text.split("\n"))


def preview_document(planned: tuple[Planned, ...], estimated: Estimate, model: str) -> Json:
    """What would be sent, before anything is. `redacted`: [start, end, kind] of replacements in `user`."""
    return {
        "model": model,
        "calls": [
            {
                "stage": one.ask.stage,
                "chunk": one.ask.chunk,
                "messages": len(one.ask.messages),
                "waits_for_a_summary": one.waits,
                "tokens": one.prompt.tokens,
                "max_output_tokens": one.ask.max_output,
                "system": one.prompt.system,
                "user": one.prompt.user.text,
                "redacted": [[mark.start, mark.end, mark.kind] for mark in one.prompt.user.marks],
            }
            for one in planned
        ],
        "input_tokens": estimated.input,
        "max_output_tokens": estimated.output,
        "max_cost": None if estimated.cost is None else float(estimated.cost),
    }


def preview_table(document: Json, language: str) -> str:
    def say(id: str, **values: object) -> str:
        return render(phrase(f"compaction.table.{id}", **values), language)

    lines = []
    for call in document["calls"]:
        heading = {"stage": say(f"stage_{call['stage']}"), "chunk": call["chunk"], "tokens": call["tokens"]}
        lines += [say("prompt", **heading, n=len(call["redacted"])), "", visible_text(call["user"]), ""]
    return "\n".join(lines).rstrip()
