"""What every test gets: no screen, a home of its own, and hypothesis without a stopwatch."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports Qt. A developer who wants to watch the windows sets QT_QPA_PLATFORM himself.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Deadlines lie on a shared two-core machine; laws are judged by what holds, not by how long it took.
_UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=100, **_UNTIMED)
settings.register_profile("ci", max_examples=100, derandomize=True, print_blob=True, **_UNTIMED)
settings.register_profile("thorough", max_examples=3000, **_UNTIMED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(autouse=True, scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder for the whole run: no test reads or writes the developer's own files."""
    folder = tmp_path_factory.mktemp("home")
    replaced = {
        "HOME": folder,
        "USERPROFILE": folder,
        "APPDATA": folder / "roaming",
        "LOCALAPPDATA": folder / "local",
        "XDG_CONFIG_HOME": folder / "config",
        "XDG_DATA_HOME": folder / "data",
        "XDG_CACHE_HOME": folder / "cache",
        "XDG_STATE_HOME": folder / "state",
    }
    before = {name: os.environ.get(name) for name in replaced}
    os.environ.update({name: str(path) for name, path in replaced.items()})
    yield folder
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
