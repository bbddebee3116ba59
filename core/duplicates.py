"""Keys that stand twice in one object. The last one counts, in the agent's parser as in ours; that there was another is
seen only by a parser that is told of every pair, several times slower than reading: so it is asked for afterwards.
"""

from __future__ import annotations

import json
from typing import Any

from core.errors import Problem
from core.measure import lines_of
from core.session import Session


def duplicate_keys(session: Session, first: int, last: int) -> tuple[Problem, ...]:
    """Of the rows first … last - 1, a Problem for every key that is repeated in its object, once a row."""
    found: list[Problem] = []
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
    for row, line in lines_of(session, first, last):
        twice.clear()
        try:
            decode(line.decode("utf-8", "replace").strip("\ufeff"))
        except (ValueError, RecursionError):
            continue
        found += [
            Problem("duplicate_key", columns.line[row], columns.ids[row] or None, "warning", (("key", key),))
            for key in twice[:_A_ROW]
        ]
    return tuple(found)


_A_ROW = 5
