"""Who asks the engine: one of ours here, one of somebody else's where it can do no harm.

    Question ─┬─ built in ──────────────▶ played in this process
              └─ of an installed package ▶ `far`, which the program lends: another process, with a time limit
                                           (nothing lent: played here, on copies)

The core starts no processes: `core.engine_far.use` takes the one who can, as `core.cli.run` takes a `map`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from core.engine import built_in, engines, make
from core.engine_desk import Desk
from core.engine_far import far
from core.engine_line import Line
from core.engine_memory import Played, Question
from core.engine_play import play
from core.engine_store import ForkedStore
from core.errors import RequestError
from core.phrase import phrase
from core.profile import Profile

_heard: list[list[tuple[bytes, Played]]] = []


def compaction_owner(profile: Profile) -> str:
    """The name of the engine of the profile that owns compaction, so that the agent's own trigger stays silent; "" for
    the agent. Ours leave it to the agent; one of a package is asked."""
    for made in profile.instances:
        engine = getattr(made.settings, "engine", "legacy")
        if made.on and made.layer == "context_engine" and not built_in(engine):
            played = ask(Question(engine, ForkedStore(), True, (), 0, 0, "", ""))
            if played.info is not None and played.info.owns_compaction:
                return played.info.name
    return ""


def not_here(question: Question) -> Played:
    """Who asks in a process that must not wait, as that of a window: nobody. The answer is brought in (`hearing`)."""
    return Played(None, None, fault=phrase("engine.not_yet"), pending=True)


@contextmanager
def hearing() -> Iterator[list[tuple[bytes, Played]]]:
    """Collects the answers of engines of installed packages, each with the key of its question."""
    found: list[tuple[bytes, Played]] = []
    _heard.append(found)
    try:
        yield found
    finally:
        _heard.remove(found)


def ask(question: Question) -> Played:
    """What the engine answers. RequestError when there is no such engine; nothing else is raised."""
    if built_in(question.engine):
        return play(lambda: make(question.engine), question, trusted=True)
    if question.engine not in engines().by_id:
        known = ", ".join(engines().by_id)
        raise RequestError(phrase("engine.unknown", name=question.engine, known=known))
    asking = far()
    played = asking(question) if asking is not None else Line(Desk().answer).ask(question)
    for heard in _heard:
        heard.append((question.key, replace(played, store=None)))
    return played
