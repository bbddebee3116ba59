"""What a context engine remembers of one session, forked at every request by sharing what did not change.

    request 1   {a, b}            fork ─▶ request 2   {a', c} over {a, b}      fork ─▶ request 3  {} over both
                                     └──▶ the same request under another threshold: another fork of {a, b}

An engine sees a mutable mapping of names to JSON. What it changes is its own fork's; a list or object that it reads is
a copy of the one below, so that changing it in place leaves every other fork as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, MutableMapping
from copy import deepcopy

from core.messages import Json

DEEPEST = 24
"""Forks upon forks, until they are laid together."""
GONE = ...
"""Stands for a name that was deleted; survives a trip to another process."""


class ForkedStore(MutableMapping[str, Json]):
    """Once it was forked it must not be written to again: its forks stand upon it."""

    __slots__ = ("_below", "_depth", "_own")

    def __init__(self, values: Mapping[str, Json] = {}) -> None:
        self._below: ForkedStore | None = None
        self._own: dict[str, Json] = dict(values)
        self._depth = 0

    def fork(self) -> ForkedStore:
        """A store that holds the same and may be changed without changing this one."""
        made = ForkedStore()
        made._below = ForkedStore(self._laid()) if self._depth >= DEEPEST else self
        made._depth = made._below._depth + 1
        return made

    def changed(self) -> dict[str, Json]:
        """What this fork holds otherwise than the one it stands upon; GONE for a name that was deleted."""
        below = self._below
        return {
            name: value
            for name, value in self._own.items()
            if (value != below._found(name) if below is not None else value is not GONE)
        }

    def with_changes(self, changes: Mapping[str, Json]) -> ForkedStore:
        """A fork after changes of this form."""
        made = self.fork()
        made._own.update(changes)
        return made

    @property
    def size(self) -> int:
        """Characters of everything as JSON."""
        return sum(len(name) + len(json.dumps(value)) for name, value in self._laid().items())

    # a mapping

    def __getitem__(self, name: str) -> Json:
        value = self._found(name)
        if value is GONE:
            raise KeyError(name)
        if isinstance(value, dict | list) and name not in self._own:
            value = self._own[name] = deepcopy(value)
        return value

    def __setitem__(self, name: str, value: Json) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a store takes names, not {type(name).__name__}")
        self._own[name] = value

    def __delitem__(self, name: str) -> None:
        if self._found(name) is GONE:
            raise KeyError(name)
        self._own[name] = GONE

    def __iter__(self) -> Iterator[str]:
        return iter(self._laid())

    def __len__(self) -> int:
        return len(self._laid())

    def _found(self, name: str) -> Json:
        store: ForkedStore | None = self
        while store is not None:
            if name in store._own:
                return store._own[name]
            store = store._below
        return GONE

    def _laid(self) -> dict[str, Json]:
        """Everything in one, in the order in which the names came."""
        layers = []
        store: ForkedStore | None = self
        while store is not None:
            layers.append(store._own)
            store = store._below
        found: dict[str, Json] = {}
        for own in reversed(layers):
            found.update(own)
        return {name: value for name, value in found.items() if value is not GONE}


def only_json(changes: Mapping[str, Json]) -> None:
    """TypeError or ValueError where something of it is no JSON."""
    for name, value in changes.items():
        if value is not GONE:
            json.dumps({name: value}, allow_nan=False)
