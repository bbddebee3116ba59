"""Keys that stand twice in one object. The last one counts, in the agent's parser as in ours; that there was another is
seen only by a parser that is told of every pair, several times slower than reading: so it is asked for afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import orjson

from core.errors import Problem
from core.measure import lines_of
from core.problem_log import ProblemLog
from core.session import Session


def duplicate_keys(session: Session, go_on: Callable[[int], bool] = lambda _: True) -> tuple[Problem, ...]:
    """A Problem for every key that is repeated in its object, once a row. `go_on(rows done)`: asked now and then; False
    ends the search. Raises UnreadableFile."""
    problems = ProblemLog()
    twice: list[str] = []

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(members)
        if len(made) < len(members):
            seen: set[str] = set()
            for key, _ in members:
                if key in seen and key not in twice:
                    twice.append(key)
                seen.add(key)
        return made

    decode = json.JSONDecoder(object_pairs_hook=pairs, parse_int=float, strict=False).decode
    columns = session.columns
    for row, line in lines_of(session):
        twice.clear()
        if not _as_written(line):
            with suppress(ValueError, RecursionError):
                decode(line.decode("utf-8", "replace"))
        for key in twice[:_A_ROW]:
            problems.add("duplicate_key", columns.line[row], columns.ids[row], key=key)
        if row % 256 == 0 and not go_on(row):
            break
    return problems.done()


def _as_written(line: bytes) -> bool:
    """Read and written again it is the same, byte for byte: no key stands twice, for one of them would be gone. Agents
    write their lines like this, and it is found out many times faster."""
    try:
        return orjson.dumps(orjson.loads(line)) == line.rstrip(b"\r\n")
    except (ValueError, TypeError, RecursionError):
        return False


_A_ROW = 5


def checked(session: Session, found: tuple[Problem, ...]) -> Session:
    """The session with what `duplicate_keys` found among its problems, which stay in order of their lines."""
    if not found:
        return session
    problems = sorted((*session.problems, *found), key=lambda problem: (problem.line is None, problem.line or 0))
    return replace(session, problems=tuple(problems))
