"""Whole or not at all, and never over what is there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import storage
from core.errors import RequestError
from core.storage import write_new


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file(tmp_path: Path) -> None:
    """All bytes, for its owner only, and nothing beside it."""
    assert write_new(tmp_path / "new", [b"ab", b"", b"c"]) == 3
    assert (tmp_path / "new").read_bytes() == b"abc"
    assert names(tmp_path) == ["new"]
    if os.name == "posix":
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_nothing_is_written_over(tmp_path: Path, kind: str) -> None:
    """A file, a folder, even a link to nowhere keeps its name and content."""
    target = tmp_path / "there"
    if kind == "file":
        target.write_bytes(b"old")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(RequestError, match="there already"):
        write_new(target, [b"new"])
    assert names(tmp_path) == ["there"]
    assert kind != "file" or target.read_bytes() == b"old"


def test_a_name_taken_meanwhile_stays(tmp_path: Path) -> None:
    """Somebody else writes the name while we write ours: theirs stays."""

    def chunks() -> Iterator[bytes]:
        yield b"ours"
        (tmp_path / "new").write_bytes(b"theirs")

    with pytest.raises(RequestError, match="there already"):
        write_new(tmp_path / "new", chunks())
    assert (tmp_path / "new").read_bytes() == b"theirs"
    assert names(tmp_path) == ["new"]


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    """The source breaks in the middle: no file, no part of one."""

    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise ValueError("gone")

    with pytest.raises(ValueError, match="gone"):
        write_new(tmp_path / "new", chunks())
    assert names(tmp_path) == []


def test_a_missing_folder(tmp_path: Path) -> None:
    """Said in one sentence, with the name."""
    with pytest.raises(RequestError, match=r"nowhere.*cannot be written"):
        write_new(tmp_path / "nowhere" / "new", [b"x"])


def test_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that has no links: the same outcome, and a name that is taken still stays."""

    def no_links(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(storage.os, "link", no_links)
    assert write_new(tmp_path / "new", [b"abc"]) == 3
    assert (tmp_path / "new").read_bytes() == b"abc"

    def chunks() -> Iterator[bytes]:
        yield b"ours"
        (tmp_path / "other").write_bytes(b"theirs")

    with pytest.raises(RequestError, match="there already"):
        write_new(tmp_path / "other", chunks())
    assert (tmp_path / "other").read_bytes() == b"theirs"
    assert names(tmp_path) == ["new", "other"]


def test_two_writers_of_one_process(tmp_path: Path) -> None:
    """The second one finds the part of the first and gives up; the first one finishes."""

    def chunks() -> Iterator[bytes]:
        yield b"a"
        with pytest.raises(RequestError):
            write_new(tmp_path / "new", [b"b"])

    write_new(tmp_path / "new", chunks())
    assert (tmp_path / "new").read_bytes() == b"a"
