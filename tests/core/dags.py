"""Any session file, for laws about graphs: entries of every kind under any parent, odd ids, broken and shared lines."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-04-07T14:02:11.000Z", "cwd": "/w"}
_KINDS = (
    *("user", "assistant", "result") * 4,
    *("custom", "custom_message", "label", "label", "branch_summary"),
    *("branch_summary", "compaction", "model_change", "thinking_level_change", "context_edit", "leaf", "reset", "odd"),
    "empty_summary",
)

_steps = st.tuples(
    st.sampled_from(_KINDS),
    st.sampled_from(["chain"] * 30 + ["back"] * 4 + ["root", "unknown", "self"]),  # its parent
    st.integers(0, 400),  # which entry is meant, where one is named
    st.sampled_from(["own"] * 50 + ["again", "none"]),  # its id
    st.sampled_from([""] * 50 + ["junk", "glued", "blank", "spliced"]),  # what stands around the line
)


def _entry(kind: str, number: int, named: str | None) -> dict[str, Any]:
    said = f"{kind} {number}"
    match kind:
        case "user":
            return {"type": "message", "message": {"role": "user", "content": said}}
        case "assistant":
            content = [{"type": "text", "text": said}]
            model = {"provider": "anthropic", "model": f"claude-{number % 3}", "stopReason": "stop"}
            return {"type": "message", "message": {"role": "assistant", "content": content, **model}}
        case "result":
            content = [{"type": "text", "text": said}]
            return {"type": "message", "message": {"role": "toolResult", "toolCallId": "x", "content": content}}
        case "label":
            return {"type": "label", "targetId": named, **({"label": said} if number % 4 else {})}
        case "branch_summary" | "empty_summary":
            return {"type": "branch_summary", "fromId": "x", "summary": said if kind == "branch_summary" else ""}
        case "compaction" | "reset":
            kept = {} if number % 7 == 0 else {"firstKeptEntryId": named}
            return {"type": kind, **({"summary": said, "tokensBefore": 9} if kind == "compaction" else {}), **kept}
        case "context_edit":
            return {"type": kind, "targetId": named, "replacement": {"content": said} if number % 2 else None}
        case "leaf":
            return {"type": kind, "targetId": named}
        case "custom_message":
            return {"type": kind, "customType": "c", "content": said, "display": False}
        case "model_change":
            return {"type": kind, "provider": "openai", "modelId": said}
        case "thinking_level_change":
            return {"type": kind, "thinkingLevel": said}
        case _:
            return {"type": kind if kind == "custom" else "never_seen", "customType": "c", "data": {"n": number}}


def _file(steps: list[tuple[str, str, int, str, str]], compacted: tuple[int, int]) -> bytes:
    """The lines; a compaction behind the step `compacted[0]` makes a truncation likely to find something."""
    at, back = compacted
    steps = [*steps[:at], ("compaction", "chain", max(0, min(at, len(steps)) - back), "own", ""), *steps[at:]]
    ids: list[str] = []
    pieces = [json.dumps(HEADER).encode() + b"\n"]
    for number, (kind, under, meant, own, around) in enumerate(steps):
        named = ids[meant % len(ids)] if ids else None
        under = "chain" if number > at and number % 4 else under  # mostly on the path of that compaction
        parent = {"root": None, "unknown": "zz", "self": f"e{number}", "back": named}.get(under, ids[-1:] and ids[-1])
        id = named if own == "again" and named else f"e{number}"
        entry = {"id": id, "parentId": parent or None, **_entry(kind, number, named)}
        if own == "none":
            del entry["id"]
        else:
            ids.append(str(id))
        line = json.dumps(entry, separators=(", ", ":") if number % 5 == 0 else (",", ":")).encode()
        if around == "spliced":
            line = b'{"type":"message","id":"cu' + line
        pieces.append(line + (b"" if around == "glued" else b"\r\n" if number % 11 == 0 else b"\n"))
        pieces.append({"junk": b'{"type":"mess\n', "blank": b"\n"}.get(around, b""))
    return b"".join(pieces)


files = st.builds(_file, st.lists(_steps, min_size=9, max_size=28), st.tuples(st.integers(5, 24), st.integers(0, 9)))
"""Bytes of session files."""
