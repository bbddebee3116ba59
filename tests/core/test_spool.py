"""`.jsonl.zst` is read as `.jsonl`: the same session, spans into what was unpacked; damage and size are told."""

from __future__ import annotations

import os
import sys
from itertools import pairwise

import pytest

from core import spool
from core.errors import UnreadableFile
from core.following import Following
from core.format import open_session
from core.formats import pi
from core.lines import RecordedFile
from tests.core.test_hostile import HEADER, L, message

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PLAIN = HEADER + L + b"".join(message(f"e{n}", f"e{n - 1}" if n else None, f"text {n} " * 50) + L for n in range(300))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    place = tmp_path / "spool"
    place.mkdir()
    monkeypatch.setattr(spool, "_folder", str(place))
    return place


def written(tmp_path, data: bytes):
    path = tmp_path / "s.jsonl.zst"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("frames", [1, 3])
def test_read_like_the_plain_file(tmp_path, frames):
    """One frame or several behind each other; the packed file stays as it was."""
    cut = [len(PLAIN) * part // frames for part in range(frames + 1)]
    data = b"".join(zstd.compress(PLAIN[start:end]) for start, end in pairwise(cut))
    path = written(tmp_path, data)
    plain = tmp_path / "p.jsonl"
    plain.write_bytes(PLAIN)
    one, other = open_session(path), open_session(plain)
    assert one.path == str(path)
    assert one.columns.ids == other.columns.ids
    assert one.columns.offset == other.columns.offset
    assert [one.body(row) for row in (0, 150, 299)] == [other.body(row) for row in (0, 150, 299)]
    assert one.problems == other.problems == ()
    assert path.read_bytes() == data


def test_unpacked_once(tmp_path, folder):
    path = written(tmp_path, zstd.compress(PLAIN))
    open_session(path)
    [place] = folder.iterdir()
    inode = place.stat().st_ino
    open_session(path)
    assert place.stat().st_ino == inode


def test_a_cut_archive_gives_what_it_has(tmp_path):
    """Entries up to the damage, and a Problem that names the line behind which it is."""
    chance = os.urandom(200_000).hex().encode()
    data = zstd.compress(PLAIN + message("z", "e299", chance.decode()) + L + message("y", "z") + L)
    session = open_session(written(tmp_path, data[: len(data) * 2 // 3]))
    assert len(session) == 300
    [problem] = [problem for problem in session.problems if problem.code == "archive_cut"]
    assert problem.line == session.lines
    assert "damaged" in str(problem.message)


@pytest.mark.parametrize("data", [spool.MAGIC + b"junk" * 20, zstd.compress(PLAIN)[:9], spool.MAGIC])
def test_a_damaged_archive_is_refused(tmp_path, folder, data):
    with pytest.raises(UnreadableFile, match="damaged archive"):
        open_session(written(tmp_path, data))
    assert list(folder.iterdir()) == []


def test_a_bomb_is_stopped(tmp_path, folder, monkeypatch):
    """Some hundred bytes that would fill the disk: refused, and nothing is left of it."""
    monkeypatch.setattr(spool, "LIMIT", 5 << 20)
    with pytest.raises(UnreadableFile, match="unpacks to more than"):
        open_session(written(tmp_path, zstd.compress(b"{" + b" " * (300 << 20))))
    assert list(folder.iterdir()) == []


def test_an_empty_archive(tmp_path):
    with pytest.raises(UnreadableFile, match="damaged archive"):
        open_session(written(tmp_path, zstd.compress(b"")))


def test_followed(tmp_path):
    """Untouched: the same. Grown, or replaced: read again, once it has come to rest. Gone: that is said."""
    path = written(tmp_path, zstd.compress(PLAIN))
    follow = Following(pi.Reading(RecordedFile.at(path)))
    for _ in follow.read(1 << 20, lambda done, whole, entries: True):
        pass
    assert [follow.look(), follow.look()] == ["same", "same"]
    for more in (b"", L):
        path.write_bytes(path.read_bytes() + zstd.compress(message("e300", "e299") + L + more))
        assert follow.look() == "same", "another piece of it may be on its way"
    assert follow.look() == "other"
    assert open_session(path).columns.ids[-1] == "e300"
    path.unlink()
    with pytest.raises(UnreadableFile):
        follow.look()
