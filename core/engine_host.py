"""Who asks the engine: one of ours here, one of somebody else's where it can do no harm.

    Question ─┬─ built in ──────────────▶ played in this process
              └─ of an installed package ▶ `far`, which the program lends: another process, with a time limit
                                           (nothing lent: played here, on copies)

The core starts no processes; `use` takes the one who can, as `core.cli.run` takes a `map`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.engine import built_in, engines, make
from core.engine_desk import Desk
from core.engine_line import Line
from core.engine_memory import Played, Question
from core.engine_play import play
from core.errors import RequestError
from core.phrase import phrase

Ask = Callable[[Question], Played]

_lent: list[Ask] = []


def use(far: Ask | None) -> None:
    """From now on engines of installed packages are asked by `far`; None: in this process."""
    _lent[:] = [far] if far is not None else []


def ask(question: Question) -> Played:
    """What the engine answers. RequestError when there is no such engine; nothing else is raised."""
    if built_in(question.engine):
        return play(lambda: make(question.engine), question, trusted=True)
    if question.engine not in engines().by_id:
        known = ", ".join(engines().by_id)
        raise RequestError(phrase("engine.unknown", name=question.engine, known=known))
    played = _lent[0](question) if _lent else Line(Desk().answer).ask(question)
    if played.store is None:
        played = replace(played, store=question.store)
    return played
