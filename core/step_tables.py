"""The documents of `steps` and `policies` as tables for people. Recorded text is made safe for a terminal first."""

from __future__ import annotations

from core import numbers
from core.messages import Json
from core.phrase import phrase, render
from core.tables import GAP, grid
from core.visible import visible_line


def steps_table(document: Json, language: str) -> str:
    """A row a step, then the reasons of the fired ones in full, then what is sent and whether it is valid."""

    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.{id}", **values), language)

    number = document["request"]
    head = say("steps_next") if number == "next" else say("steps_of", number=number)
    frame = say(
        "steps_frame",
        policy=document["policy"],
        window=document["window"],
        counter=document["counter"],
        model=visible_line(document["target"]["model"] or "–", 60),
    )
    rows = [tuple(say(name) for name in ("step", "layer", "messages", "chars", "tokens", "first", "reason"))]
    for at, step in enumerate(document["steps"]):
        touched = step["first_touched"]
        rows.append(
            (
                f"{at} {_sign(step)}",
                visible_line(step["title"], 40),
                numbers.whole(step["messages_after"]),
                _change(step["chars_before"], step["chars_after"], at),
                _change(step["tokens_before"], step["tokens_after"], at),
                "–" if touched is None else str(touched),
                visible_line(step["why"]),
            )
        )
    lines = [head, frame, "", grid(rows, (2, 3, 4, 5))]
    for step in document["steps"]:
        lines += [f"{GAP}{visible_line(step['title'])}: {say('changes_file')}"] if _for_good(step) else []
        lines += [f"{GAP}{visible_line(step['title'])}: {visible_line(note)}" for note in step["notes"]]
    sent = document["sent"]
    lines += ["", say("overflow")] if document["overflow"] else [""]
    family = document["target"]["family"]
    verdict = "sent_valid" if sent["valid"] else "sent_refused"
    lines.append(say(verdict, n=sent["messages"], family=family))
    for fault in sent["faults"]:
        lines.append(f"{GAP}{visible_line(fault['entry'] or '–', 40)}  {visible_line(fault['message'])}")
    return "\n".join(lines)


def _for_good(step: Json) -> bool:
    return bool(step["mark"] == "file" and step["on"])


def _sign(step: Json) -> str:
    """Filled: it fired; hollow: it did not; crossed: off; a mark: it failed."""
    if step["failed"]:
        return "!"
    return "x" if not step["on"] else "●" if step["fired"] else "○"


def _change(before: int, after: int, at: int) -> str:
    """Step 0 tells the size, every other step its change, nothing when there is none."""
    if at == 0:
        return numbers.whole(after)
    return numbers.signed(after - before) if after != before else ""


def policies_table(document: Json, language: str) -> str:
    """Each policy with its steps in one line, then every threshold with its range, unit and default."""

    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.{id}", **values), language)

    lines: list[str] = []
    for policy in document["policies"]:
        lines += [f"{policy['policy']}  {policy['title']}", GAP + policy["source"]]
        steps = [step["instance"] if step["on"] else f"({step['instance']})" for step in policy["steps"]]
        lines.append(GAP + " → ".join(steps))
        lines += [f"{GAP}· {oddity}" for oddity in policy["oddities"]]
        lines.append("")
    rows = [tuple(say(name) for name in ("setting", "default", "range", "meaning"))]
    for layer in document["layers"]:
        for setting in layer["settings"]:
            default = setting["default"]
            rows.append((setting["setting"], _value(default), _range(setting), visible_line(setting["title"])))
    engines = [
        (say("engine"), say("owner")),
        *((visible_line(one["engine"]), visible_line(one["owner"])) for one in document["engines"]),
    ]
    refused = [f"{GAP}! {visible_line(said)}" for said in document["refused"]]
    return "\n".join([*lines, grid(rows), "", grid(engines), *refused])


def _value(value: Json) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) or "–" if isinstance(value, list) else str(value)


def _range(setting: Json) -> str:
    match setting["kind"]:
        case "number" | "whole":
            return f"{setting['low']}…{setting['high']} {setting['unit']}".rstrip()
        case "choice":
            return " | ".join(setting["options"])
        case "switch":
            return "on | off"
    return "NAME,…"
