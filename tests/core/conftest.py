"""Fixtures of the tests of the core: engines as installed packages offer them, in this process, asked on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from core import engine, engine_far, plugins
from tests.core.rogues import point

Offer = Callable[..., None]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    """`installed(module …)` or `installed((package, id, module) …)`: what the entry points of the group name."""
    before = list(engine_far._lent)
    engine_far.use(None)

    def offer(*found: ModuleType | tuple[str, str, ModuleType]) -> None:
        points = [point(one) if isinstance(one, ModuleType) else point(one[2], one[0], one[1]) for one in found]
        real = plugins.points
        monkeypatch.setattr(plugins, "points", lambda group: points if group == "stratascope.engines" else real(group))
        engine.engines.cache_clear()

    yield offer
    engine.engines.cache_clear()
    engine_far.use(before[0] if before else None)
