"""Bodies that the window must not wait for come from the worker; until then the window says that it reads them.

row 2: 400 KB     body ─▶ "reading …" ─▶ worker ─▶ the text, everywhere where it is shown
"""

from __future__ import annotations

import json

import pytest

from core.format import open_session
from core.messages import Message
from gui import fetching
from gui.fetching import NEAR, fetch, local, waiting
from gui.jobs import Jobs
from gui.sessions import Sessions
from tests.core.test_hostile import HEADER, L, message

LONG = "begin " + "word " * (NEAR // 4) + "end"


def mount(point: str, kind: str) -> str:
    return f"36 35 98:0 / {point} rw,noatime - {kind} somewhere rw"


PLACES = (("/", "ext4"), ("/net", "nfs4"), ("/net/near", "tmpfs"), ("/my\\040disk", "fuse.sshfs"), ("/usb", "fuseblk"))
MOUNTS = "\n".join((*(mount(*place) for place in PLACES), "not a line", "1 2 - "))


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/home/a.jsonl", True),
        ("/net/a.jsonl", False),
        ("/net/near/a.jsonl", True),
        ("/network/a.jsonl", True),
        ("/my disk/a.jsonl", False),
        ("/usb/a.jsonl", True),
        ("//server/share/a.jsonl", False),
    ],
)
def test_which_disk(path, near):
    """The innermost mount decides, by whole names of folders; nothing of the path itself is touched."""
    assert local(path, lambda: MOUNTS) is near


def test_without_a_list_of_mounts():
    """Another system: taken to be here."""

    def none() -> str:
        raise FileNotFoundError

    assert local("/home/a.jsonl", none)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "s.jsonl"
    lines = [HEADER, message("a", None, "hello"), message("b", "a", LONG), message("c", "b", "short")]
    path.write_bytes(L.join(lines) + L)
    return path


@pytest.fixture
def sessions(qtbot):
    jobs = Jobs()
    made = Sessions(jobs)
    yield made
    made.close_all()
    jobs.close()


def opened(sessions, qtbot, path):
    with qtbot.waitSignal(sessions.completed, timeout=30_000):
        sessions.open(str(path))
    return sessions.states[0]


def test_a_long_body(sessions, qtbot, file):
    """First that it is being read, then its text: in the body, the message and the prompt; the others at once."""
    state = opened(sessions, qtbot, file)
    assert not state.at_hand(1)
    assert state.body(2)["message"]["content"] == "short"
    assert "reading" in state.message(1).text()
    assert "reading" in state.assembled.blocks[1].message.text()
    qtbot.waitUntil(lambda: state.at_hand(1), timeout=10_000)
    expected = Message.of(open_session(file).body(1)["message"])
    assert state.message(1) == expected
    assert state.assembled.blocks[1].message is state.message(1)
    assert state.assembled.blocks[1].key == expected.key()


def test_a_distant_file(sessions, qtbot, file, monkeypatch):
    """Nothing of it is read by the window, however short."""
    monkeypatch.setattr("gui.sessions.local", lambda path: False)
    state = opened(sessions, qtbot, file)
    read = []
    monkeypatch.setattr(type(state.session), "body", lambda session, row: read.append(row))
    state.assembled  # noqa: B018
    qtbot.waitUntil(lambda: all(map(state.at_hand, range(3))), timeout=10_000)
    assert [block.message.text() for block in state.assembled.blocks] == ["hello", LONG, "short"]
    assert read == []


def test_a_file_that_went_away(sessions, qtbot, file):
    """It is said; what stands there stays."""
    state = opened(sessions, qtbot, file)
    file.unlink()
    with qtbot.waitSignal(sessions.noted, timeout=10_000):
        state.body(1)
    assert "reading" in json.dumps(state.body(1))


def test_in_pieces(file, monkeypatch):
    """What was read is told now and then, not only at the end."""

    class Report:
        parts = ()

        def __call__(self, said, share):
            return True

        def part(self, value):
            self.parts = (*self.parts, value)

    report = Report()
    monkeypatch.setattr(fetching, "_TOGETHER", 0)
    fetch(str(file), (0, 2, 1), report)
    assert [[one.row for one in part] for part in report.parts] == [[0], [2], [1]]


@pytest.mark.parametrize("path", ["07-error-and-aborted-assistants", "02-compaction-retry-fork"])
def test_stand_ins(path):
    """An entry of any kind has one, with its id, type and role."""
    from pathlib import Path

    session = open_session(Path(__file__).parent.parent / "cases" / f"{path}.jsonl")
    for row in range(len(session)):
        entry = waiting(session, row, "soon")
        assert (entry["type"], entry["id"]) == (session.type_of(row), session.columns.ids[row])
        if session.type_of(row) in ("message", "compaction"):
            assert "soon" in json.dumps(entry)
