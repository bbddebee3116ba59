"""Tool calls in one line: a name with its main argument, and what came of it as far as the record says so plainly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.messages import Json
from core.numbers import MINUS
from core.phrase import Phrase, phrase
from core.session import Session

SHELLS = frozenset({"bash", "exec", "shell", "run", "process", "terminal", "run_command", "execute_command"})
"""Tools whose command says everything: their own name is left out."""

_MAIN = ("command", "cmd", "path", "file_path", "filePath", "file", "pattern", "query", "url", "name", "id", "action")
_ENTRIES_BACK, _ANSWERS_BACK = 400, 8

# "===== 3 failed, 47 passed in 3.51s =====", the last line that pytest prints.
_PYTEST = re.compile(r"^=+ (?P<counts>(?:\d+ [a-z]+(?:, )?)+) in [\d.:]+ ?s?\b.*=+\s*$", re.MULTILINE)
_EXITED = re.compile(r"[Cc]ommand exited with code (?P<code>-?\d+)\)?\s*$")
_TAIL = 1_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """`said`: in the tool's own words (data), or `note`: in ours. `failed`: the record calls it an error."""

    said: str = ""
    note: Phrase | None = None
    failed: bool = False


def calls_of(message: Json) -> Iterator[dict[str, Json]]:
    """The tool-call blocks of an assistant message."""
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "toolCall":
            yield block


def call_line(name: Json, arguments: Json, cwd: str = "") -> str:
    """`read src/x.py`, `make test`; the name alone when there is no telling argument.

    `cwd`: the session's folder. Paths below it are written from there, and a command's `cd` to it is left out.
    """
    named = name if isinstance(name, str) else ""
    argument = _main_argument(arguments)
    if named in SHELLS and argument:
        return argument.removeprefix(f"cd {cwd} && ") if cwd else argument
    return f"{named} {argument.removeprefix(cwd.rstrip('/') + '/') if cwd else argument}".strip()


def _main_argument(arguments: Json) -> str:
    if not isinstance(arguments, dict):
        return ""
    for key in _MAIN:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if key in ("command", "cmd") and isinstance(value, list):
            return " ".join(str(word) for word in value[:40])
    return next((value for value in arguments.values() if isinstance(value, str) and value.strip()), "")


def call_behind(
    session: Session, row: int, call_id: Json, body: Callable[[int], Json], readable: Callable[[int], bool]
) -> dict[str, Json] | None:
    """The call that the result at `row` answers: the nearest above it on its path with this id, within some hundred
    entries and a few answers. `readable(row)` says whether an entry is small enough to be read for this."""
    if not isinstance(call_id, str):
        return None
    answers = 0
    at = session.columns.parent[row]
    for _ in range(_ENTRIES_BACK):
        if at < 0 or answers >= _ANSWERS_BACK:
            break
        if session.role_of(at) == "assistant" and readable(at):
            answers += 1
            entry = body(at)
            for call in calls_of(entry.get("message") if isinstance(entry, dict) else None):
                if call.get("id") == call_id:
                    return call
        at = session.columns.parent[at]
    return None


def outcome_of(message: Json, line: str) -> Outcome:
    """What came of a call whose `call_line` is `line`, from its result. Nothing is guessed: see the fields read."""
    text = last_text(message)
    details = message.get("details")
    details = details if isinstance(details, dict) else {}
    failed = message.get("isError") is True
    if "test" in line and (found := _PYTEST.findall(text)):
        counts: list[str] = found[-1].split(", ")
        bad = [part for part in counts if part.split()[-1] in ("failed", "error", "errors")]
        return Outcome(", ".join(bad) if bad else counts[0], None, failed)
    code = details.get("exitCode")
    if code is None and (exited := _EXITED.search(text)):
        code = int(exited["code"])
    if isinstance(code, int) and not isinstance(code, bool) and code:
        return Outcome("", phrase("entry.exit_code", code=str(code)), failed)
    if failed:
        return Outcome("", phrase("entry.error"), True)
    diff = details.get("diff")
    if isinstance(diff, str) and len(diff) <= 100_000:
        lines = diff.splitlines()
        more = sum(one.startswith("+") and not one.startswith("+++") for one in lines)
        less = sum(one.startswith("-") and not one.startswith("---") for one in lines)
        return Outcome(f"+{more} {MINUS}{less}")
    return Outcome()


def last_text(message: Json) -> str:
    """The end of the last text block, at most a thousand characters."""
    content = message.get("content")
    if isinstance(content, str):
        return content[-_TAIL:]
    for block in reversed(content) if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            text: str = block["text"]
            return text[-_TAIL:]
    return ""
