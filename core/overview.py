"""What a list of sessions tells of each: requests, cost, problems, name. Read without looking into any text."""

from __future__ import annotations

import os
from dataclasses import dataclass
from decimal import Decimal

from core.errors import InputError
from core.format import Progress, recognised
from core.labels import session_name
from core.lines import RecordedFile
from core.phrase import Phrase
from core.totals import totals


@dataclass(frozen=True, slots=True)
class Overview:
    """`refused`: why it cannot be shown (the rest is empty then). `cost`: US dollars of all calls with a known price,
    None when none has one. `complete`: the file was read to its end."""

    path: str
    name: str = ""
    entries: int = 0
    requests: int = 0
    cost: Decimal | None = None
    problems: int = 0
    refused: Phrase | None = None
    complete: bool = True


def overview(path: str | os.PathLike[str], progress: Progress | None = None) -> Overview:
    """Never raises for what a file may be."""
    place = os.fspath(path)
    going = True

    def go_on(done: int, whole: int, entries: int) -> bool:
        nonlocal going
        going = going and (progress is None or progress(done, whole, entries))
        return going

    try:
        source = RecordedFile.at(place)
        session = recognised(source).read(source, go_on)
        sums = totals(session)
        calls = sums.requests + sums.others
        return Overview(
            place,
            session_name(session) or "",
            len(session),
            sums.requests,
            sums.cost if calls > sums.unpriced else None,
            sum(problem.severity != "note" for problem in session.problems),
            complete=going,
        )
    except InputError as error:
        return Overview(place, refused=error.phrase)
