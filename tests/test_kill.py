"""A few of the kills of `python -m tests.kill`, and that it would see damage."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import kill

posix = pytest.mark.skipif(os.name != "posix", reason="SIGKILL")


@posix
def test_killed_at_any_moment_nothing_is_lost() -> None:
    """Old and whole, or new and whole with the archive of the old one."""
    found = kill.soak(20, rounds=2, messages=50)
    assert found.total() == 20
    assert found["old"]


def test_damage_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a file, a file without its archive, half an archive: each is told."""
    old = b"old" * 9
    monkeypatch.setattr(kill, "expected", lambda _: b"new")
    path, archive = tmp_path / kill.NAME, tmp_path / f"{kill.NAME}.bak-1"
    path.write_bytes(old[:5])
    with pytest.raises(AssertionError, match="neither"):
        kill.state(tmp_path, old)
    path.write_bytes(b"new")
    with pytest.raises(AssertionError, match="no archive"):
        kill.state(tmp_path, old)
    archive.write_bytes(old)
    assert kill.state(tmp_path, old) == "new"
    archive.write_bytes(old[:5])
    with pytest.raises(AssertionError, match="not complete"):
        kill.state(tmp_path, old)
    path.write_bytes(old)
    archive.unlink()
    assert kill.state(tmp_path, old) == "old"
