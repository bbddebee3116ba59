"""Physical lines, the bytes behind them, and what is rescued of lines that are no JSON."""

from __future__ import annotations

import json
import os
import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.lines import RecordedFile, parse, rescue, span


def whole(value):
    return isinstance(value, dict) and "id" in value


def written(tmp_path, data: bytes):
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    return RecordedFile.at(path)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b'{"a":1}\n{"b":2}\n', [(0, b'{"a":1}'), (8, b'{"b":2}')]),
        (b'{"a":1}\r\n{"b":2}\r\n', [(0, b'{"a":1}'), (9, b'{"b":2}')]),
        (b'\xef\xbb\xbf{"a":1}\n{"b"', [(3, b'{"a":1}'), (11, b'{"b"')]),
        (b"\n\n{}", [(0, b""), (1, b""), (2, b"{}")]),
        ('{"a":"x\u2028y\u2029z\u0085"}\n'.encode(), [(0, '{"a":"x\u2028y\u2029z\u0085"}'.encode())]),
    ],
)
def test_lines_end_at_the_newline_only(tmp_path, data, lines):
    """Spans leave out the line end and the BOM; what they name can be read again."""
    source = written(tmp_path, data)
    found = [(offset, line[: span(line)]) for offset, line in source.lines()]
    assert found == lines
    assert [source(offset, len(line)) for offset, line in lines] == [line for _, line in lines]


@given(st.lists(st.binary(max_size=20).map(lambda b: b.replace(b"\n", b"")), max_size=8), st.booleans())
def test_spans_cover_the_file(tmp_path_factory, lines, ended):
    data = b"{" + b"\n".join(lines) + (b"\n" if ended else b"")
    path = tmp_path_factory.mktemp("l") / "s"
    path.write_bytes(data)
    try:
        source = RecordedFile.at(path)
    except UnreadableFile:
        assert b"\0" in data
        return
    assert b"".join(line for _, line in source.lines()) == data
    assert [source(offset, len(line)) for offset, line in source.lines()] == [line for _, line in source.lines()]


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.mkdir(), "folder"),
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.write_bytes(b"\x7fELF\0\0\0\0" * 20), "not text"),
        (lambda path: path.write_bytes('{"type":"session"}\n'.encode("utf-16")), "not text"),
        (lambda path: path.write_bytes(b"PK\x03\x04\0\0{}"), "not text"),
    ],
)
def test_what_cannot_be_opened(tmp_path, make, word):
    """One error, that says what and what next."""
    path = tmp_path / "thing"
    make(path)
    with pytest.raises(UnreadableFile, match=word):
        RecordedFile.at(path)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path):
    path = tmp_path / "s"
    path.write_bytes(b"{}")
    path.chmod(0)
    with pytest.raises(UnreadableFile, match="not permitted"):
        RecordedFile.at(path)


def test_refused_by_the_system(monkeypatch, tmp_path):
    """Whatever else the system says is passed on in its own words."""
    path = tmp_path / "s"
    path.write_bytes(b"{}")

    def denied(*args, **kwargs):
        raise PermissionError(13, "denied")

    def broken(*args, **kwargs):
        raise OSError(5, "Input/output error")

    source = RecordedFile.at(path)
    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(UnreadableFile, match="not permitted"):
        source(0, 1)
    monkeypatch.setattr("builtins.open", broken)
    with pytest.raises(UnreadableFile, match="Input/output error"):
        list(source.lines())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="no regular file"):
        RecordedFile.at(tmp_path / "pipe")


DATA = b'{"n":1}\n{"n":2}\n'


@pytest.mark.parametrize(
    ("change", "stands"),
    [
        (lambda path: None, True),
        (lambda path: path.write_bytes(DATA + b'{"n":3}\n'), True),
        (lambda path: path.write_bytes(b'{"n":1}\n'), False),
        (lambda path: (path.write_bytes(b'{"m":1}\n{"m":2}\n'), os.utime(path, ns=(1, 1))), False),
        (lambda path: path.write_bytes(b'{"version":3}\n' + DATA), False),
        (lambda path: path.unlink(), False),
        (lambda path: (path.with_name("t").write_bytes(DATA * 2), os.replace(path.with_name("t"), path)), False),
    ],
    ids=["as it was", "grown", "cut", "changed", "rewritten longer", "gone", "replaced"],
)
def test_a_file_that_changes_under_its_reader(tmp_path, change, stands):
    """A file that only grew is still good for what was read of it; any other change is told, never misread."""
    source = pickle.loads(pickle.dumps(written(tmp_path, DATA)))
    change(tmp_path / "s.jsonl")
    if stands:
        assert source(8, 7) == b'{"n":2}'
    else:
        with pytest.raises(UnreadableFile):
            source(8, 7)


def test_lines_written_later_are_not_seen(tmp_path):
    """A file is read as far as it went when it was opened: spans and size agree."""
    source = written(tmp_path, DATA[:-3])
    (tmp_path / "s.jsonl").write_bytes(DATA)
    assert [line for _, line in source.lines()] == [b'{"n":1}\n', b'{"n":'[:5]]


@pytest.mark.parametrize(
    ("line", "value", "codes", "by_agent"),
    [
        (b'{"a":"\\ud83d"}\n', {"a": "\ud83d"}, ["lone_surrogate"], True),
        (b'{"\\udc00":1}\n', {"\udc00": 1}, ["lone_surrogate"], True),
        (b'{"a":NaN}', {"a": float("nan")}, ["not_strict_json"], False),
        (b'{"a":"\xff"}', {"a": "\ufffd"}, ["invalid_utf8"], True),
        (b'{"a":1e999}', {"a": float("inf")}, [], True),
    ],
)
def test_what_only_the_tolerant_parser_takes(line, value, codes, by_agent):
    found = rescue(line, whole)
    assert repr([record.value for record in found.records]) == repr([value])
    assert [fault.code for fault in found.faults] == codes
    assert found.by_agent is by_agent
    assert repr(parse(line)) == repr(value)


@pytest.mark.parametrize(
    ("line", "ids", "code"),
    [
        (b'{"id":1}{"id":2}', [1, 2], "glued_records"),
        (b'{"id":1} {"id":2}\r\n', [1, 2], "glued_records"),
        (b'{"id":1,"te{"id":2,"x":{"y":[1]}}', [2], "spliced_record"),
        (b'{"id":1,"text":"a b{"id":2}{"id":3}', [2, 3], "spliced_record"),
        (b'{"id":1}{"id":2,"te', [1], "spliced_record"),
        (b'\0\0\0\0{"id":1}', [1], "spliced_record"),
        (b'{"id":1,"content":[{"type":"text","text":"x"}', [], "bad_json"),
        ('{"id":1,"t":"漢{"id":2,"t":"é"}'.encode(), [2], "spliced_record"),
        (b"junk", [], "bad_json"),
        (b"\0\0\0", [], "bad_json"),
        (b'{"id":' + b"[" * 100_000, [], "bad_json"),
    ],
)
def test_whole_records_of_a_broken_line(line, ids, code):
    """Two records that share a line, or one behind the beginning of a cut one: whole ones are kept, objects inside a
    broken one are not; the span of each is its own."""
    found = rescue(line, whole)
    assert [record.value["id"] for record in found.records] == ids
    assert [json.loads(line[record.start : record.end]) for record in found.records] == [r.value for r in found.records]
    assert [fault.code for fault in found.faults] == [code]
    assert not found.by_agent


@pytest.mark.parametrize("line", [b"", b"\n", b"  \t\r\n", "\u3000\ufeff\n".encode()])
def test_blank_lines_are_nothing(line):
    assert rescue(line, whole).records == ()
    assert rescue(line, whole).faults == ()


@given(
    st.binary(max_size=80)
    | st.text(alphabet='{}[]":,\\ idte1\0\ud83d', max_size=60).map(lambda t: t.encode("utf-8", "replace"))
)
def test_rescue_takes_anything(line):
    """Never a crash; what is found lies in the line, in order."""
    found = rescue(line, whole)
    at = 0
    for record in found.records:
        assert at <= record.start < record.end <= len(line)
        at = record.end


def test_a_hostile_line_costs_little():
    """Thousands of beginnings of objects in a line are given up on, not tried against each other without end."""
    line = b'{"' * 50_000 + b'{"a":"' * 50_000
    found = rescue(line, whole)
    assert [fault.code for fault in found.faults] == ["bad_json"]
