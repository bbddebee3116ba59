"""The document of the verb `cap`, and the same as a table."""

from __future__ import annotations

from core import numbers
from core.capping import CapPlan
from core.messages import Json
from core.phrase import phrase, render
from core.tables import grid
from core.visible import visible_line


def cap_document(planned: CapPlan, policy: str, output: str | None) -> Json:
    """`words`: what made the tail of a result important, so that it was kept too. `over`: characters by which a result
    stays over the cap. `output` None: nothing was written."""
    return {
        "policy": policy,
        "most": planned.cap.most,
        "capped": [
            {
                "entry": item.entry,
                "line": item.line,
                "chars_before": item.chars_before,
                "chars_after": item.chars_after,
                "over": max(0, item.chars_after - planned.cap.most),
                "words": [word for block in item.blocks for _, _, word in block.words],
            }
            for item in planned.capped
        ],
        "bytes_before": planned.bytes_before,
        "bytes_after": planned.bytes_after,
        "output": output,
    }


def cap_table(document: Json, language: str) -> str:
    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.{id}", **values), language)

    found = document["capped"]
    lines = [say("cap_is", n=len(found), most=document["most"], policy=document["policy"])]
    if found:
        rows = [tuple(say(head) for head in ("entry", "line", "before", "after", "tail_kept_for"))]
        for item in found:
            words = ", ".join(dict.fromkeys(item["words"]))
            rows.append(
                (
                    visible_line(item["entry"], 40),
                    str(item["line"]),
                    numbers.whole(item["chars_before"]),
                    numbers.whole(item["chars_after"]) + (" *" if item["over"] else ""),
                    visible_line(words, 40) or "–",
                )
            )
        lines += ["", grid(rows, (1, 2, 3))]
    if any(item["over"] for item in found):
        lines += ["", say("still_over")]
    sizes = {"before": document["bytes_before"], "after": document["bytes_after"]}
    if document["output"] is None:
        lines += ["", say("cap_not_written", **sizes)]
    else:
        lines += ["", say("cap_written", output=visible_line(document["output"]), **sizes)]
    return "\n".join(lines)
