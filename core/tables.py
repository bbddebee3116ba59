"""The documents of the command line as tables for people. Recorded text is made safe for a terminal first."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from core import numbers
from core.messages import Json
from core.phrase import phrase, render
from core.visible import visible_line

GAP = "  "


def width(text: str) -> int:
    """Columns of a terminal: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def grid(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> str:
    """Rows of equal length in columns; `right`: which of them are set to the right (numbers)."""
    if not rows:
        return ""
    rightward = set(right)
    widths = [max(width(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for at, cell in enumerate(row):
            space = " " * (widths[at] - width(cell))
            cells.append(space + cell if at in rightward else cell + space)
        lines.append(GAP.join(cells).rstrip())
    return "\n".join(lines)


def inspect_table(document: Json, name: str, language: str) -> str:
    """`name`: of the file."""

    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.{id}", **values), language)

    file = document["file"]
    format = render(phrase(f"format.{file['format']}"), language)
    version = "–" if file["version"] is None else visible_line(str(file["version"]), 40)
    context = document["context"]
    rows = [
        (say("file"), say("file_is", format=format, version=version, size=file["bytes"], lines=file["lines"])),
        (say("session"), visible_line(str(file["session_id"] or "–"), 120)),
        (say("entries"), say("counted", n=document["entries"], parts=_parts(document["types"]))),
        (
            say("graph"),
            say(
                "graph_is",
                roots=document["roots"],
                leaves=document["leaves"],
                forks=document["branch_points"],
                compactions=document["compactions"],
            ),
        ),
        (say("leaf"), say("leaf_is", leaf=visible_line(document["leaf"] or "–", 120), n=document["path"])),
        (say("context"), say("counted", n=context["messages"], parts=_parts(Counter(context["roles"])))),
        (say("requests"), numbers.whole(document["requests"])),
        (say("problems"), numbers.whole(len(document["problems"])) if document["problems"] else say("none")),
    ]
    lines = [visible_line(name), "", grid(rows)]
    for problem in document["problems"]:
        lines += ["", visible_line(problem["message"]), GAP + visible_line(problem["hint"])]
    return "\n".join(lines)


def breaks_table(document: Json, language: str) -> str:
    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.{id}", **values), language)

    found, totals, detectors = document["breaks"], document["totals"], document["detectors"]
    lines = [
        say(
            "breaks_are",
            n=len(found),
            requests=document["requests"],
            agent=len(detectors["agent"]),
            ours=len(detectors["ours"]),
            cost=_money(totals["lost_cost"]),
        )
    ]
    if found:
        heads: tuple[str, ...] = (
            "request",
            "entry",
            "time",
            "gap",
            "expected",
            "read",
            "lost",
            "cost",
            "cause",
            "certainty",
            "found_by",
        )
        placed = any(item.get("section") for item in found)  # a trace tells where
        if placed:
            heads = (*heads, "where")
        rows = [tuple(say(head) for head in heads)]
        for item in found:
            rows.append(
                (
                    str(item["request"]),
                    visible_line(item["entry"], 40),
                    (item["time"] or "–").replace("T", " ").partition(".")[0],
                    "–" if item["gap_s"] is None else numbers.duration(item["gap_s"], language),
                    numbers.count(item["expected"]),
                    numbers.count(item["read"]),
                    numbers.count(item["lost"]),
                    numbers.money(_money(item["cost"])),
                    _cause(item, language),
                    render(phrase(f"certainty.{item['certainty']}"), language),
                    ", ".join(say(f"detector_{name}") for name in item["detectors"]),
                    *([visible_line(item["where"] or "–")] if placed else []),
                )
            )
        lines += ["", grid(rows, (0, 3, 4, 5, 6, 7)), "", say("why")]
        reasons = Counter(visible_line(item["why"]) for item in found)
        lines += [f"{GAP}{n} × {why}" for why, n in reasons.most_common()]
    for item in document["no_break"]:
        lines += ["", say(f"no_break_{item['cause']}", request=item["request"])]
    lines.append("")
    for which in ("path", "session"):
        sums = totals[which]
        lines.append(
            say(
                f"totals_{which}",
                requests=sums["requests"],
                read=sums["read"],
                write=sums["write"],
                uncached=sums["uncached"],
                share=sums["hit_rate"] or 0.0,
                cost=_money(sums["cost"]),
            )
        )
    return "\n".join(lines)


def _cause(item: Json, language: str) -> str:
    """In words. A system prompt that a trace shows to be another one is no longer "tools or system"."""
    cause = "system_proven" if item["cause"] == "system_changed" and item.get("section") else item["cause"]
    return render(phrase(f"cause.{cause}"), language)


def _parts(counts: dict[str, int]) -> str:
    """`message 914, label 2`: the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{visible_line(name, 60) or '–'} {numbers.whole(n)}" for name, n in ordered) or "–"


def _money(cost: float | None) -> Decimal | None:
    return None if cost is None else Decimal(repr(cost))
