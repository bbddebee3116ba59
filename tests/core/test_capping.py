"""A session file whose results are capped: only the bytes of what was cut differ, and it reads as it did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import capping, cutting, persistence
from core.capping import Cap
from core.context import build
from core.errors import InputError, UnreadableFile
from core.format import open_session
from core.messages import Message
from core.session import Session
from core.storage import write_new

CASES = Path(__file__).parent.parent / "cases"
SESSIONS = [path for path in sorted(CASES.glob("*.jsonl")) if int(path.name[:2]) in (*range(45), 72)]
"""Those of pi and OpenClaw."""
HEADER = b'{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/w"}'


def line(id: str, parent: str | None, message: dict[str, object], **style: object) -> bytes:
    entry = {
        "type": "message",
        "id": id,
        "parentId": parent,
        "timestamp": "2026-01-05T10:00:01.000Z",
        "message": message,
    }
    return json.dumps(entry, **style).encode("utf-8", "surrogatepass")  # type: ignore[arg-type]


def result(*texts: str, **more: object) -> dict[str, object]:
    content = [{"type": "text", "text": text} for text in texts]
    return {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": content, **more}


def capped(session: Session, path: Path, cap: Cap) -> tuple[capping.CapPlan, Session]:
    planned = capping.plan(session, cap)
    assert write_new(path, capping.chunks(session, planned)) == planned.bytes_after
    return planned, open_session(path)


def messages(session: Session) -> list[Message]:
    return list(build(session, session.path_to(session.active_leaf)).messages)


def agree(before: Session, after: Session, planned: capping.CapPlan) -> None:
    """Unchanged entries byte for byte, changed ones as the cap makes them, the rest of the file and its shape alike."""
    rows = {item.row: item for item in planned.capped}
    assert after.columns.ids == before.columns.ids
    assert after.columns.parent == before.columns.parent
    assert [p.code for p in after.problems] == [p.code for p in before.problems]
    for row in range(len(before)):
        if row not in rows:
            assert after.line_bytes(row) == before.line_bytes(row)
            continue
        old, new = before.body(row), after.body(row)
        assert {**old, "message": None} == {**new, "message": None}
        cap = planned.cap
        wanted = persistence.hard_cap(Message.of(old["message"]), cap.most, cap.suffix, cap.min_keep)
        assert Message.of(new["message"]).json() == wanted.json()
        assert rows[row].bytes_after == after.columns.size[row]
        assert rows[row].chars_after == persistence.text_chars(wanted)
    for old, new in zip(messages(before), messages(after), strict=True):
        assert new.json() in (old.json(), persistence.hard_cap(old, planned.cap.most, planned.cap.suffix).json())


def test_only_the_cut_text_changes(tmp_path: Path) -> None:
    """Byte order mark, line ends, odd spacing, numbers, malformed lines and an unfinished one stay as they are."""
    path = tmp_path / "s.jsonl"
    details = b'{"n":1.0,"big":12345678901234567890,"e":1E3}'
    text = json.dumps("x" * 50_000 + " Error: é 😀")
    content = b'[{"type":"text","text":' + text.encode() + b'},{"type":"image","data":"A"}]'
    message = b'{"role":"toolResult","details":' + details + b',"content":' + content + b"}"
    time = b'"timestamp":"2026-01-05T10:00:01.000Z"'
    long = b'{ "type":"message", "id":"b","parentId":"a",' + time + b',"message":' + message + b"}  "
    lines = [
        b"\xef\xbb\xbf" + HEADER,
        line("a", None, {"role": "user", "content": "q"}),
        b"not json",
        long,
        b"",
        b'{"half',
    ]
    path.write_bytes(b"\r\n".join(lines))
    before = open_session(path)
    planned, after = capped(before, tmp_path / "new.jsonl", Cap())
    assert [(item.entry, item.chars_before > 50_000, item.chars_after) for item in planned.capped] == [
        ("b", True, 40_000)
    ]
    agree(before, after, planned)
    old, new = path.read_bytes(), (tmp_path / "new.jsonl").read_bytes()
    start = old.index(text.encode())
    assert new[:start] == old[:start]
    rest = old[start + len(text) :]
    assert new.endswith(rest)
    kept = json.loads(new[start : len(new) - len(rest)])
    assert kept.startswith("xxx")
    assert kept.endswith("Error: é 😀" + persistence.GUARD_SUFFIX)


def test_nothing_to_cap_is_a_copy(tmp_path: Path) -> None:
    """Every byte of the file."""
    for case in SESSIONS:
        before = open_session(case)
        planned = capping.plan(before, Cap())
        if not planned.capped:
            write_new(tmp_path / case.name, capping.chunks(before, planned))
            assert (tmp_path / case.name).read_bytes() == case.read_bytes()


@pytest.mark.parametrize("case", SESSIONS, ids=lambda path: path.name[:2])
def test_case_files(case: Path, tmp_path: Path) -> None:
    """With a cap that bites: shape, problems and context are those of the file, but for the capped results."""
    before = open_session(case)
    planned, after = capped(before, tmp_path / case.name, Cap(100, "~", 10))
    rows = {item.row for item in planned.capped}
    for row in range(len(before)):
        assert (after.line_bytes(row) == before.line_bytes(row)) is (row not in rows)


def test_half_characters(tmp_path: Path) -> None:
    """A lone surrogate in a cut text stays the escape that it was; one made by the cut becomes one."""
    path = tmp_path / "s.jsonl"
    odd = "\ud800" + "😀" * 30_000
    path.write_bytes(HEADER + b"\n" + line("a", None, result(odd)) + b"\n")
    before = open_session(path)
    planned, after = capped(before, tmp_path / "new.jsonl", Cap(40_000))
    agree(before, after, planned)
    assert b"\\ud800" in (tmp_path / "new.jsonl").read_bytes()


def test_old_versions(tmp_path: Path) -> None:
    """A version 1 file has no ids in it, before and after: nothing is migrated."""
    path = tmp_path / "s.jsonl"
    header = b'{"type":"session","id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/w"}'
    entry = {"type": "message", "timestamp": "2026-01-05T10:00:01.000Z", "message": result("y" * 90_000)}
    path.write_bytes(header + b"\n" + json.dumps(entry).encode() + b"\n")
    before = open_session(path)
    planned, after = capped(before, tmp_path / "new.jsonl", Cap())
    agree(before, after, planned)
    assert set(json.loads((tmp_path / "new.jsonl").read_bytes().split(b"\n")[1])) == set(entry)


def test_a_file_that_changed_is_refused(tmp_path: Path) -> None:
    """Rewritten between plan and writing: an error, and no new file."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEADER + b"\n" + line("a", None, result("y" * 90_000)) + b"\n")
    session = open_session(path)
    planned = capping.plan(session, Cap())
    path.write_bytes(HEADER + b"\n" + line("a", None, result("z")) + b"\n")
    with pytest.raises(UnreadableFile):
        write_new(tmp_path / "new.jsonl", capping.chunks(session, planned))
    assert not (tmp_path / "new.jsonl").exists()


def test_it_can_be_stopped(tmp_path: Path) -> None:
    """Planning ends early with what it has; writing ends without a file."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEADER + b"\n" + line("a", None, result("y" * 90_000)) + b"\n")
    session = open_session(path)
    assert capping.plan(session, Cap(), lambda rows: False).capped == ()
    with pytest.raises(InputError):
        write_new(tmp_path / "new.jsonl", capping.chunks(session, capping.plan(session, Cap()), lambda done: False))
    assert [p.name for p in tmp_path.iterdir()] == ["s.jsonl"]


texts = st.one_of(
    st.text(max_size=40),
    st.builds(lambda s, n: s * n, st.sampled_from(["a", "line\n", "漢", "😀", '"\\', "\x00"]), st.integers(0, 900)),
)


@settings(max_examples=60)
@given(st.lists(st.lists(texts, max_size=3), min_size=1, max_size=4), st.integers(50, 1_500), st.booleans())
def test_any_texts(tmp_path_factory: pytest.TempPathFactory, results: list[list[str]], most: int, ascii: bool) -> None:
    """Whatever is in the results and however their writer escaped it."""
    folder = tmp_path_factory.mktemp("capping")
    path = folder / "s.jsonl"
    rows = [
        line(str(i), str(i - 1) if i else None, result(*texts), ensure_ascii=ascii) for i, texts in enumerate(results)
    ]
    path.write_bytes(b"\n".join((HEADER, *rows)) + b"\n")
    before = open_session(path)
    planned, after = capped(before, folder / "new.jsonl", Cap(most, cutting.more_characters, 20))
    assert [item.entry for item in planned.capped] == [
        str(i)
        for i, found in enumerate(results)
        if persistence.hard_cap(Message.of(result(*found)), most, cutting.more_characters, 20).json() != result(*found)
    ]
    for row in range(len(before)):
        old, new = before.body(row)["message"], after.body(row)["message"]
        assert new == persistence.hard_cap(Message.of(old), most, cutting.more_characters, 20).json()
