"""One line for any entry: what stands in the graph, in lists and in hover cards.

    message      the first line of what was said, else of what was thought, else the calls: "→ read src/x.py"
    tool result  the call that it answers and what came of it: "pytest -n 4 · 3 failed"
    others       a sentence of ours (a Phrase), with recorded names in it

Text is recorded data: one line, cut, otherwise untouched. Whoever shows it makes hidden characters visible. An entry
of more than LARGE bytes is not parsed for its title: the beginning of its line must do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from core.calls import call_behind, call_line, calls_of, outcome_of
from core.context import SENDING
from core.errors import InputError
from core.marks import MARKS, custom_message, first_line, unknown
from core.messages import Json
from core.phrase import Phrase, phrase
from core.session import Session, is_mirror
from core.title import Title, one_line

LARGE = 131_072
"""Bytes of a line; parsing more would be felt while scrolling."""
_PREFIX = 4_096
_COUNTED = 10_000

ParseBody = Callable[[int], Json]


def header_title(session: Session, time: str) -> Title:
    """The session itself; `time`: the hour in words, "" if not recorded."""
    if session.header is None:
        return Title("git-commit-horizontal", "other", phrase=phrase("entry.no_header"))
    name = phrase("entry.session", format=session.format, time=time)
    undated = phrase("entry.session_undated", format=session.format)
    return Title("git-commit-horizontal", "other", phrase=name if time else undated)


def title(session: Session, row: int, body: ParseBody, tokens: Sequence[int] | None = None) -> Title:
    """`body(row)`: the entry's JSON (Session.body or a cache of it). `tokens`: token counts by row, if there are any.
    Never raises for what a file may hold; a file that went away is said so."""
    try:
        if session.columns.size[row] > LARGE:
            return _large(session, row)
        entry = body(row)
        if not isinstance(entry, dict):
            return Title("triangle-alert", "other", phrase=phrase("entry.malformed"), failed=True)
        kind = session.type_of(row)
        if kind == "message":
            return _message(session, row, entry.get("message"), body)
        if kind == "compaction":
            return _compaction(session, row, entry, tokens)
        make = MARKS.get(kind)
        return make(entry) if make else unknown(kind)
    except InputError as error:
        return Title("triangle-alert", "other", phrase=error.phrase, failed=True)


def provisional(session: Session, row: int) -> Title:
    """What can be said without reading: for the moment until the title is made."""
    role = _role(session, row)
    return Title(_ICON[role], role)


def kind_name(session: Session, row: int) -> Phrase:
    """The kind of entry in a word, for screen readers and cards."""
    return kind_word(session.type_of(row), session.role_of(row))


def kind_word(kind: str, role: str) -> Phrase:
    """The same for a type of entry, and the role of a message."""
    if kind == "message":
        return phrase("entry.kind_" + _NAMES.get(role, "message"))
    return phrase("entry.kind_" + (kind if kind in MARKS or kind == "compaction" else "unknown"))


_NAMES = {"user": "user", "assistant": "assistant", "toolResult": "result", "bashExecution": "command"}
_ICON = {
    "user": "user",
    "assistant": "bot",
    "toolResult": "terminal",
    "summary": "archive",
    "other": "settings-2",
}


def _role(session: Session, row: int) -> str:
    kind, role = session.type_of(row), session.role_of(row)
    if kind in ("compaction", "branch_summary"):
        return "summary"
    if kind == "message":
        return {"bashExecution": "user"}.get(role, role if role in ("user", "assistant", "toolResult") else "other")
    return "other"


def _cwd(session: Session) -> str:
    return session.header.cwd if session.header is not None else ""


def _readable(session: Session) -> Callable[[int], bool]:
    return lambda row: session.columns.size[row] <= LARGE


def _message(session: Session, row: int, message: Json, body: ParseBody) -> Title:
    if not isinstance(message, dict):
        return Title("triangle-alert", "other", phrase=phrase("entry.no_message"), failed=True)
    role = message.get("role")
    if role == "assistant":
        return _assistant(message, _cwd(session))
    if role == "toolResult":
        call = call_behind(session, row, message.get("toolCallId"), body, _readable(session))
        called = call_line(call.get("name"), call.get("arguments"), _cwd(session)) if call else ""
        line = one_line(called) or one_line(str(message.get("toolName") or ""))
        outcome = outcome_of(message, called)
        if not line:
            return Title("terminal", "toolResult", phrase=phrase("entry.result"), failed=outcome.failed)
        return Title("terminal", "toolResult", line, None, outcome.said, outcome.note, outcome.failed)
    if role == "bashExecution":
        code = message.get("exitCode")
        failed = isinstance(code, int) and code != 0
        note = phrase("entry.exit_code", code=str(code)) if failed else None
        if message.get("excludeFromContext") is True:
            note = phrase("entry.never_sent")
        return Title("terminal", "user", "$ " + one_line(str(message.get("command") or "")), None, "", note, failed)
    said = first_line(message.get("content"))
    if role == "user":
        return Title("user", "user", said[0], said[1])
    if role in ("custom", "hookMessage"):
        return custom_message(message)
    named = str(role) if isinstance(role, str) and role else "–"
    return Title("circle-help", "other", said[0], said[1], "", phrase("entry.role", role=one_line(named)))


def _assistant(message: dict[str, Json], cwd: str) -> Title:
    failed = message.get("stopReason") in ("error", "aborted")
    note = phrase("entry." + message["stopReason"]) if failed else None
    if is_mirror(message.get("provider"), message.get("model")):
        note = phrase("entry.mirror")
    text, nothing = first_line(message.get("content"))
    if not text:
        thoughts = message.get("content")
        for block in thoughts if isinstance(thoughts, list) else ():
            if isinstance(block, dict) and block.get("type") == "thinking" and isinstance(block.get("thinking"), str):
                text = text or one_line(block["thinking"])
    if not text:
        lines = [one_line(call_line(call.get("name"), call.get("arguments"), cwd)) or "?" for call in calls_of(message)]
        text = "→ " + ", ".join(lines[:4]) + (" …" if len(lines) > 4 else "") if lines else ""
        text = one_line(text)
    if not text and isinstance(message.get("errorMessage"), str):
        text = one_line(message["errorMessage"])
    return Title("bot", "assistant", text, None if text else nothing, "", note, failed)


def _compaction(session: Session, row: int, entry: dict[str, Json], tokens: Sequence[int] | None) -> Title:
    replaced = _replaced(session, row, entry)
    size = tokens[row] if tokens is not None and row < len(tokens) else 0
    if replaced and size:
        said = phrase("entry.compaction_of", n=replaced, tokens=size)
    elif replaced:
        said = phrase("entry.compaction_counted", n=replaced)
    elif size:
        said = phrase("entry.compaction_to", tokens=size)
    else:
        said = phrase("entry.compaction")
    return Title("archive", "summary", phrase=said)


def _replaced(session: Session, row: int, entry: dict[str, Json]) -> int:
    """Messages between the previous compaction and the first kept entry: what the summary was made of (pi before 0.65;
    recorded cases of layer h). 0 when there are none, or too many to count while painting."""
    named = entry.get("firstKeptEntryId")
    kept = session.row_of(named) if isinstance(named, str) else None
    counted, before_kept = 0, 0
    found = False
    at = session.columns.parent[row]
    for _ in range(_COUNTED):
        if at < 0 or session.type_of(at) in ("compaction", "reset"):
            return before_kept if found else counted if kept is None else 0
        if session.type_of(at) in SENDING:
            counted += 1
            before_kept += found
        found = found or at == kept
        at = session.columns.parent[at]
    return 0


_STRING = r'"\s*:\s*"((?:[^"\\]|\\.)*)'
_FIRST_TEXT = re.compile(r'"(?:text|content|summary|thinking|command)' + _STRING)
_TOOL = re.compile(r'"toolName' + _STRING)
_CUT_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{0,3}$")


def _large(session: Session, row: int) -> Title:
    """From the first bytes of the line and its size."""
    head = session.read(session.columns.offset[row], _PREFIX).decode("utf-8", "replace")
    tool, text = _TOOL.search(head), _FIRST_TEXT.search(head)
    role = _role(session, row)
    words = one_line(_unescaped(tool[1] if tool else text[1] if text else ""))
    note = phrase("entry.large", size=session.columns.size[row])
    return Title(_ICON[role], role, words, None if words else kind_name(session, row), "", note)


def _unescaped(piece: str) -> str:
    """The JSON string whose beginning `piece` is; an escape that was cut at the end is dropped."""
    for whole in (piece, _CUT_ESCAPE.sub("", piece)):
        try:
            value: str = json.loads(f'"{whole}"', strict=False)
        except ValueError:
            continue
        return value
    return ""
