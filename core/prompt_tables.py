"""The document of `prompt` as a table for people. Recorded text is made safe for a terminal first."""

from __future__ import annotations

from core import numbers
from core.assembled import Assembled
from core.messages import Json
from core.phrase import phrase, render
from core.tables import GAP, grid
from core.visible import visible_line

BEGINNING = 60
"""Characters of a block that are shown of it."""


def prompt_table(document: Json, shown: Assembled, language: str) -> str:
    def say(id: str, **values: object) -> str:
        return render(phrase(f"table.{id}", **values), language)

    blocks, recorded, cached = document["blocks"], document["recorded"], document["cached_up_to"]
    if recorded is None:
        lines = [say("prompt_next", n=len(shown.blocks))]
    else:
        sent = recorded["read"] + recorded["write"] + recorded["uncached"]
        lines = [say("prompt_sent", number=document["request"], sent=sent, **recorded)]
    lines += [say("counted_by", counter=document["counter"]), ""]
    rows = [tuple(say(head) for head in ("block", "role", "entry", "chars", "tokens", "state", "mark", "text"))]
    texts = [_beginning(item.block.message.json()) for item in shown.leading] or [say("not_recorded")]
    texts += [_beginning(block.message.json()) for block in shown.blocks]
    for at, (block, text) in enumerate(zip(blocks, texts, strict=True)):
        rows.append(
            (
                str(at),
                say(_name(block)) if block["section"] != "messages" else visible_line(block["role"] or "–", 24),
                _origin(block),
                "–" if block["chars"] is None else numbers.whole(block["chars"]),
                "–" if block["tokens"] is None else "≈ " + numbers.whole(block["tokens"]),
                say(f"state_{block['state']}"),
                block["mark"] or "",
                ", ".join(visible_line(name, 24) for name in block["names"]) if "names" in block else text,
            )
        )
    listed = grid(rows, (0, 3, 4)).split("\n")
    rules = []
    if cached is not None:
        mark = say("cached_exact" if cached["exact"] else "cached_about", tokens=cached["tokens"])
        rules.append((cached["block"] + 2, mark))
    edge = document["boundary"]
    if edge is not None and edge["source"] != "assumed":
        rules.append((edge["block"] + 2, say("boundary", tokens=edge["tokens"])))
    for place, words in sorted(rules, reverse=True):
        listed.insert(place, f"──── {words} ────")
    return "\n".join([*lines, *listed, *_told(document, language)])


def _name(block: Json) -> str:
    if block["chars"] is None:
        return "unrecorded_block"
    if block["section"] == "tools":
        return "tools_block"
    return f"system_{block['part']}_block" if block["part"] else "system_block"


def _origin(block: Json) -> str:
    """The entry of a message; the file of anything else."""
    where = block.get("from")
    return visible_line(block["entry"] or (where["name"] if where else "–"), 40)


def _told(document: Json, language: str) -> list[str]:
    """What the trace says beyond the blocks."""
    lines: list[str] = []
    truth = document["trace"]
    if truth is not None:
        counts = {key: truth[key] for key in ("equal", "differs", "not_comparable")}
        lines.append(render(phrase("truth.counts", n=truth["equal"] + truth["differs"], **counts), language))
        if truth["began"] is not None:
            step = truth["began"]["step"]
            which = "truth.began" if step is not None else "truth.began_elsewhere"
            lines.append(render(phrase(which, stage=truth["began"]["stage"], step=step or ""), language))
    lines += [visible_line(found["message"]) for found in document["findings"]]
    lines += [
        f"{visible_line(found['file'])}: {visible_line(found['message'])}" for found in document["trace_problems"]
    ]
    files = document["context_files"]
    for file in files["files"] if files is not None else ():
        if file["missing"] or file["truncated"]:
            which = "truth.file_missing" if file["missing"] else "truth.file_cut"
            said = phrase(which, name=visible_line(file["name"], 60), raw=file["raw"], injected=file["injected"])
            lines.append(render(said, language))
    return ["", *(GAP + line for line in lines)] if lines else []


def _beginning(raw: Json) -> str:
    """The first words of a message, on one line."""
    if not isinstance(raw, dict):
        return ""
    content = raw.get("content")
    texts: list[Json] = [content] if isinstance(content, str) else []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            called = block.get("name") if block.get("type") == "toolCall" else None
            texts.append(block.get("text") or block.get("thinking") or called)
    texts += [raw.get("command"), raw.get("summary")]
    return next((visible_line(text.strip(), BEGINNING) for text in texts if isinstance(text, str) and text.strip()), "")
