"""A session file replaced in place: at every instant the old or the new one, and the archive before that.

Every call of the system that the write makes is made to fail in turn, and the machine to stop before and after it.
"""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from core.errors import RequestError
from core.lines import RecordedFile
from core.storage import replace, write_new
from tests.core.faulty import METHODS, Crash, Faulty, content

OLD, NEW = b'{"type":"session"}\n' + b"old\n" * 300_000, b'{"type":"session"}\n' + b"new\n" * 300
NAME, ARCHIVE = "s.jsonl", "s.jsonl.bak-1"
posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")


@pytest.fixture
def source(tmp_path: Path) -> RecordedFile:
    (tmp_path / NAME).write_bytes(OLD)
    return RecordedFile.at(tmp_path / NAME)


def replaced(source: RecordedFile, files: Faulty | None = None):  # type: ignore[no-untyped-def]
    return replace(source, [NEW[:100], b"", NEW[100:]], lambda path: None, files or Faulty())


def test_the_new_content_and_the_old_beside_it(tmp_path: Path, source: RecordedFile) -> None:
    done = replaced(source)
    assert content(tmp_path) == {NAME: NEW, ARCHIVE: OLD}
    assert (done.target, done.archive, done.size) == (str(tmp_path / NAME), str(tmp_path / ARCHIVE), len(NEW))


def test_the_next_archive_has_the_next_number(tmp_path: Path, source: RecordedFile) -> None:
    """No archive is ever written over."""
    (tmp_path / ARCHIVE).write_bytes(b"an older one")
    assert replaced(source).archive == str(tmp_path / "s.jsonl.bak-2")
    assert (tmp_path / ARCHIVE).read_bytes() == b"an older one"


def test_every_operation_is_one_of_those_that_can_fail() -> None:
    """The list that the tests below go through is that of the class."""
    assert {"create", "write", "flush", "close", "link", "rename", "flush_folder", "make_like"} <= set(METHODS)


def calls(tmp_path: Path) -> list[str]:
    """The calls of one write that succeeds."""
    place = tmp_path / "counted"
    place.mkdir()
    (place / NAME).write_bytes(OLD)
    files = Faulty()
    replaced(RecordedFile.at(place / NAME), files)
    return files.names


def test_the_order_on_the_disk(tmp_path: Path) -> None:
    """What a power cut may not reorder: both files flushed, the archive's name, then the rename, and that name."""
    names = calls(tmp_path)
    assert [name for name in names if name in ("flush", "link", "flush_folder", "rename")] == [
        "flush",
        "flush",
        "link",
        "flush_folder",
        "rename",
        "flush_folder",
    ]


def _fresh(tmp_path: Path, name: str) -> RecordedFile:
    place = tmp_path / name
    place.mkdir()
    (place / NAME).write_bytes(OLD)
    return RecordedFile.at(place / NAME)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES, errno.EINTR])
def test_any_call_may_fail(tmp_path: Path, error: int) -> None:
    """Disk full, broken disk, read-only: the file is as it was, or changed whole with its archive; nothing else is left
    but what could not be removed, and the refusal says which."""
    names = calls(tmp_path)
    for at, name in enumerate(names, 1):
        source = _fresh(tmp_path, f"f{at}")
        place = tmp_path / f"f{at}"
        try:
            replaced(source, Faulty(at, error))
        except RequestError as refused:
            text = str(refused)
            changed = (place / NAME).read_bytes() == NEW
            assert changed == ("has its new content" in text), (name, text)
            assert os.strerror(error) in text, (name, text)
        found = content(place)
        assert found[NAME] in (OLD, NEW), name
        if found[NAME] == NEW:
            assert found[ARCHIVE] == OLD, name
        extra = set(found) - {NAME, ARCHIVE}
        assert not extra or name in ("unlink",), (name, extra)
        assert found.get(ARCHIVE, OLD) == OLD, name


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_machine_may_stop_at_any_call(tmp_path: Path, when: str) -> None:
    """One complete file stands there, the archive is whole as soon as it has its name, and the next write works."""
    names = calls(tmp_path)
    for at, name in enumerate(names, 1):
        source = _fresh(tmp_path, f"{when}{at}")
        place = tmp_path / f"{when}{at}"
        with pytest.raises(Crash):
            replaced(source, Faulty(at, when))
        found = content(place)
        assert found[NAME] in (OLD, NEW), name
        assert found.get(ARCHIVE, OLD) == OLD, name
        assert found[NAME] == OLD or ARCHIVE in found, name
        again = replaced(RecordedFile.at(place / NAME))
        assert Path(again.target).read_bytes() == NEW
        assert Path(again.archive).read_bytes() == found[NAME]


def test_at_every_instant(source: RecordedFile, tmp_path: Path) -> None:
    """Looked at after every single call: old, then old with a whole archive, then new with it."""
    states: list[tuple[bytes, bool]] = []

    def look() -> None:
        found = content(tmp_path)
        assert found.get(ARCHIVE, OLD) == OLD
        states.append((found[NAME][-4:-1], ARCHIVE in found))

    replaced(source, Faulty(seen=look))
    assert list(dict.fromkeys(states)) == [(b"old", False), (b"old", True), (b"new", True)]


def test_the_disk_may_take_less_than_it_was_given(tmp_path: Path) -> None:
    """A short write goes on where it stopped."""
    for at, name in enumerate(calls(tmp_path), 1):
        if name == "write":
            source = _fresh(tmp_path, f"s{at}")
            replaced(source, Faulty(at, "short"))
            assert content(tmp_path / f"s{at}") == {NAME: NEW, ARCHIVE: OLD}


def test_nothing_without_the_proof(tmp_path: Path, source: RecordedFile) -> None:
    """The finished file is looked at before anything changes; whoever says no is heard."""

    def no(path: str) -> None:
        assert Path(path).read_bytes() == NEW
        assert content(tmp_path)[NAME] == OLD
        raise ValueError("not proven")

    with pytest.raises(ValueError, match="not proven"):
        replace(source, [NEW], no)
    assert content(tmp_path) == {NAME: OLD}


@pytest.mark.parametrize("holder", [json.dumps({"pid": 4711}), "{", "[]", ""])
def test_a_running_agent_is_left_alone(tmp_path: Path, source: RecordedFile, holder: str) -> None:
    """Its lock is respected whatever is in it, and its process is named."""
    (tmp_path / f"{NAME}.lock").write_text(holder)
    with pytest.raises(RequestError, match="4711" if "pid" in holder else "an agent holds it"):
        replaced(source)
    assert content(tmp_path)[NAME] == OLD
    assert len(content(tmp_path)) == 2


def test_an_agent_that_starts_meanwhile(tmp_path: Path, source: RecordedFile) -> None:
    """The lock is looked for again right before the rename."""
    with pytest.raises(RequestError, match="an agent holds it"):
        replace(source, [NEW], lambda _: (tmp_path / f"{NAME}.lock").write_text("{}") and None)
    assert set(content(tmp_path)) == {NAME, f"{NAME}.lock"}


@pytest.mark.parametrize("how", ["grown", "rewritten", "replaced", "gone"])
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_file_that_somebody_else_changes(tmp_path: Path, source: RecordedFile, how: str, when: str) -> None:
    """Their bytes stay, also when they come while ours are being written."""
    path = tmp_path / NAME

    def change() -> None:
        if how == "grown":
            with path.open("ab") as file:
                file.write(b"more\n")
        elif how == "rewritten":
            path.write_bytes(b"x" * len(OLD))
            os.utime(path, ns=(1, 1))
        elif how == "replaced":
            (tmp_path / "other").write_bytes(OLD)
            os.replace(tmp_path / "other", path)
        else:
            path.unlink()

    if when == "before":
        change()
    before = content(tmp_path)
    with pytest.raises(RequestError, match=r"not changed"):
        replace(source, [NEW], lambda _: change() if when == "meanwhile" else None)
    if when == "before":
        assert content(tmp_path) == before
    else:
        assert set(content(tmp_path)) == (set() if how == "gone" else {NAME})


@posix
def test_permissions_are_kept(tmp_path: Path, source: RecordedFile) -> None:
    """Of the file, for it and for its archive."""
    (tmp_path / NAME).chmod(0o640)
    replaced(source)
    assert {path.stat().st_mode & 0o7777 for path in tmp_path.iterdir()} == {0o640}


@posix
def test_read_only_means_it(tmp_path: Path, source: RecordedFile) -> None:
    """A rename would not mind; the person who forbade writing does."""
    (tmp_path / NAME).chmod(0o400)
    with pytest.raises(RequestError, match="read-only"):
        replaced(source)
    assert content(tmp_path) == {NAME: OLD}


@posix
def test_a_link_is_followed(tmp_path: Path, source: RecordedFile) -> None:
    """The file it leads to changes, with its archive beside it; the link stays a link."""
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "here.jsonl"
    link.symlink_to(tmp_path / NAME)
    done = replaced(RecordedFile.at(link))
    assert link.is_symlink()
    assert link.read_bytes() == NEW
    assert done.archive == str(tmp_path / ARCHIVE)
    assert content(tmp_path / "links") == {"here.jsonl": NEW}


@posix
def test_other_names_of_the_file_keep_the_old_content(tmp_path: Path, source: RecordedFile) -> None:
    """Hard links: told by their number."""
    os.link(tmp_path / NAME, tmp_path / "twin")
    again = RecordedFile.at(tmp_path / NAME)
    assert replaced(again).names == 2
    assert (tmp_path / "twin").read_bytes() == OLD


def test_a_new_file_is_proven_before_it_has_its_name(tmp_path: Path) -> None:
    """Forbidden: nothing is left."""

    def no(path: str) -> None:
        assert Path(path).read_bytes() == b"x"
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        write_new(tmp_path / "new", [b"x"], proven=no)
    assert content(tmp_path) == {}
