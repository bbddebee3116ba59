"""Reading pi and OpenClaw: headers, versions, every kind of entry, and a Problem for whatever is wrong."""

from __future__ import annotations

import json
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.context import build
from core.errors import UnreadableFile
from core.format import open_session
from core.formats import pi
from core.phrase import LANGUAGES, render

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/w"}


def user(id, parent, text="x", **more):
    return {"type": "message", "id": id, "parentId": parent, "message": {"role": "user", "content": text}, **more}


@pytest.fixture
def read(tmp_path):
    """Objects become lines, bytes and strings stand as they are; `end` ends the file."""

    def read(*lines, end=b"\n", folder=""):
        path = tmp_path / folder / "s.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = [
            line if isinstance(line, bytes) else line.encode() if isinstance(line, str) else json.dumps(line).encode()
            for line in lines
        ]
        path.write_bytes(b"\n".join(raw) + end)
        return open_session(path)

    return read


def problems(session):
    """(code, line) in the order shown; each must say something in both languages."""
    for problem in session.problems:
        for language in LANGUAGES:
            for said in (problem.message, problem.hint):
                text = render(said, language)
                assert text
                assert not re.search(r"\{[a-z]+(:\w+)?\}", text), text
                assert not text.startswith("problem."), text
    return [(problem.code, problem.line) for problem in session.problems]


# headers


@pytest.mark.parametrize(
    ("version", "read_as", "codes"),
    [
        (3, 3, []),
        ("3", 3, []),
        (2, 2, []),
        (1, 1, []),
        (0, 1, []),
        ("1", 1, []),
        (None, 1, []),
        (9, 3, ["version_above_3"]),
        (3.5, 3, ["version_above_3"]),
        ("new", 3, ["version_unreadable"]),
        ({}, 3, ["version_unreadable"]),
    ],
)
def test_versions(read, version, read_as, codes):
    """Compared as JavaScript compares; above 3 is read as 3, with a note."""
    session = read({**HEADER, "version": version}, user("a", None))
    assert session.header.read_as == read_as
    assert session.header.version == version
    assert [code for code, _ in problems(session)] == codes


def test_the_header(read):
    header = {**HEADER, "parentSession": "/old.jsonl"}
    session = read(header, user("a", None))
    assert session.header.raw == header
    assert (session.header.id, session.header.cwd, session.header.parent_session) == ("s", "/w", "/old.jsonl")
    assert session.header.time == 1767607200000
    assert len(session) == 1
    assert session.lines == 2


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([user("a", None)], [("header_missing", 1)]),
        (["", user("a", None)], [("header_missing", 2)]),
        (['{"type":"sess', user("a", None)], [("header_unreadable", 1)]),
        (["junk", HEADER, user("a", None)], [("bad_json", 1)]),
        ([user("a", None), HEADER, user("b", "a")], [("header_late", 2)]),
        ([{**HEADER, "id": 7}, user("a", None)], [("header_without_id", 1)]),
        (
            [HEADER, user("a", None), {**HEADER, "id": "t"}, user("b", "t")],
            [("second_header", 3), ("dangling_parent", 4)],
        ),
        ([HEADER], []),
    ],
)
def test_where_the_header_should_be(read, lines, found):
    """pi would begin an empty session over most of these; here the entries are read and the Problem names the line."""
    session = read(*lines)
    assert problems(session) == found
    assert len(session) == sum("message" in line for line in lines if isinstance(line, dict))


def test_without_header_and_ids_it_is_a_line(read):
    """Guessed from the entries: no id anywhere is version 1."""
    session = read(*({"type": "message", "timestamp": "t", "message": {"role": "user", "content": c}} for c in "abc"))
    assert [session.columns.ids[row] for row in session.path_to(session.active_leaf)] == [
        "00000001",
        "00000002",
        "00000003",
    ]


# entries

KINDS = [
    ({"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "abc"}]}}, "user", 3),
    ({"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "out"}}, "bashExecution", 5),
    (
        {
            "type": "message",
            "message": {"role": "bashExecution", "command": "x", "output": "y", "excludeFromContext": True},
        },
        "bashExecution",
        0,
    ),
    (
        {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "😀"}]}},
        "assistant",
        2,
    ),
    (
        {
            "type": "message",
            "message": {"role": "assistant", "provider": "openclaw", "model": "delivery-mirror", "content": "x"},
        },
        "assistant",
        0,
    ),
    ({"type": "custom_message", "customType": "n", "content": "note", "display": False}, "", 4),
    ({"type": "custom", "customType": "n", "data": {"text": "never"}}, "", 0),
    ({"type": "compaction", "summary": "sum", "firstKeptEntryId": "e0", "tokensBefore": 1}, "", 3),
    ({"type": "branch_summary", "summary": "branch", "fromId": "e0"}, "", 6),
    ({"type": "label", "targetId": "e0", "label": "l"}, "", 0),
    ({"type": "session_info", "name": "n"}, "", 0),
    ({"type": "model_change", "provider": "p", "modelId": "m"}, "", 0),
    ({"type": "thinking_level_change", "thinkingLevel": "high"}, "", 0),
    ({"type": "usage", "kind": "title"}, "", 0),
    ({"type": "context_edit", "targetId": "e0", "replacement": None}, "", 0),
    ({"type": "reset", "firstKeptEntryId": "e0"}, "", 0),
    ({"type": "leaf", "targetId": "e0"}, "", 0),
]


@pytest.mark.parametrize(("entry", "role", "chars"), KINDS)
def test_every_kind(read, entry, role, chars):
    """Type, role, and the units of text that the entry would bring into a prompt. None of them is a Problem."""
    session = read(
        HEADER, user("e0", None), {"id": "e1", "parentId": "e0", "timestamp": "2026-01-05T10:00:01Z", **entry}
    )
    view = session.entry(1)
    assert (view.type, view.role, session.columns.chars[1]) == (entry["type"], role, chars)
    assert view.time == 1767607201000
    assert problems(session) == []
    assert entry["type"] in pi.KNOWN


def test_unknown_kinds_are_kept_and_told_once(read):
    future = {"type": "from_the_future", "id": "b", "parentId": "a"}
    session = read(HEADER, user("a", None), future, {**future, "id": "c", "parentId": "b"})
    assert len(session.path_to(session.active_leaf)) == 3
    assert problems(session) == [("unknown_entry_type", 3)]
    assert dict(session.problems[0].values)["n"] == 2
    assert session.problems[0].severity == "note"


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ({"id": "b", "parentId": "a"}, ["entry_without_type"]),
        ({"type": 5, "id": "b", "parentId": "a"}, ["entry_without_type"]),
        ({"type": "message", "id": "b", "parentId": "a"}, ["message_missing"]),
        ({"type": "message", "id": "b", "parentId": "a", "message": "x"}, ["message_missing"]),
        ({"type": "label", "parentId": "a"}, ["entry_without_id"]),
        ({"type": "label", "id": 7, "parentId": "a"}, ["entry_without_id"]),
        ({"type": "label", "id": "b", "parentId": "a", "targetId": "zz"}, ["target_missing"]),
        ({"type": "compaction", "id": "b", "parentId": "a", "firstKeptEntryId": "zz"}, ["first_kept_missing"]),
        ({"type": "leaf", "id": "b", "parentId": "a", "targetId": "zz"}, ["target_missing"]),
        (user("b", "zz"), ["dangling_parent"]),
        (user("b", 7), ["dangling_parent"]),
        (user("b", "b"), ["self_parent"]),
        (user("a", "a"), ["self_parent", "duplicate_id"]),
        ("null", ["not_an_object"]),
        ("[1]", ["not_an_object"]),
        ('"text"', ["not_an_object"]),
        ("{bad", ["bad_json"]),
        (b"\xff\xfe", ["bad_json"]),
        (b'{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"\xff"}}', ["invalid_utf8"]),
        ('{"type":"custom","id":"b","parentId":"a","data":"\\ud83d"}', ["lone_surrogate"]),
        ('{"type":"custom","id":"b","parentId":"a","data":NaN}', ["not_strict_json"]),
        ('{"type":"custom","id":"b","parentId":"a"}{"type":"custom","id":"c","parentId":"b"}', ["glued_records"]),
        ('{"type":"cust{"type":"custom","id":"c","parentId":"a"}', ["spliced_record"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(read, line, codes):
    """Never a crash, never silence: the rest of the file is read, and the Problem stands on its line."""
    session = read(HEADER, user("a", None), line, user("z", "a"))
    found = problems(session)
    assert sorted(code for code, _ in found) == sorted(codes)
    assert all(number == 3 for _, number in found)
    assert session.columns.ids[session.active_leaf] == "z"
    build(session, session.path_to(session.active_leaf))
    for row in range(len(session)):
        assert isinstance(session.body(row), dict)


def test_records_of_one_line_have_their_own_spans(read):
    """The second record of a line can be read again by itself."""
    both = json.dumps(user("b", "a", "é")) + json.dumps(user("c", "b", "second"))
    session = read(HEADER, user("a", None), both)
    assert [session.columns.ids[row] for row in session.path_to(session.active_leaf)] == ["a", "b", "c"]
    assert session.body(2)["message"]["content"] == "second"
    assert json.loads(session.line_bytes(1))["id"] == "b"
    assert list(session.columns.line) == [2, 3, 3]


@pytest.mark.parametrize("tail", ['{"type":"mess', json.dumps(user("b", "a"))[:-1]])
def test_a_half_written_last_line(read, tail):
    """No newline and no JSON: a writer at work. With the newline it is simply broken."""
    assert problems(read(HEADER, user("a", None), tail, end=b"")) == [("unfinished_line", 3)]
    assert problems(read(HEADER, user("a", None), tail)) == [("bad_json", 3)]


def test_a_last_line_may_lack_its_newline(read):
    session = read(HEADER, user("a", None), user("b", "a"), end=b"")
    assert problems(session) == []
    assert len(session) == 2


# versions 1 and 2


def v1(text, **more):
    return {
        "type": "message",
        "timestamp": "2026-01-05T10:00:00Z",
        "message": {"role": "user", "content": text},
        **more,
    }


V1 = {key: value for key, value in HEADER.items() if key != "version"}


@pytest.mark.parametrize(
    ("index", "kept"),
    [
        (1, "abc"),
        (2, "bc"),
        (3, "c"),
        (4, ""),
        (5, ""),
        (0, ""),
        (-1, ""),
        (99, ""),
        (1.5, ""),
        ("1", ""),
        (2.0, "bc"),
        (True, ""),
    ],
)
def test_first_kept_index_of_version_1(read, index, kept):
    """
    header a b c C d        0 1 2 3 4 5: the header counts as 0; what is not an earlier entry keeps nothing
    """
    session = read(
        V1, v1("a"), v1("b"), v1("c"), {"type": "compaction", "summary": "S", "firstKeptEntryIndex": index}, v1("d")
    )
    context = build(session, session.path_to(session.active_leaf))
    assert "".join(message.text() for message in context.messages[1:]) == kept + "d"
    assert [code for code, _ in problems(session)] == ([] if kept or index == 4 else ["first_kept_missing"])
    assert ("firstKeptEntryIndex" in session.body(3)) == (not isinstance(index, int | float) or isinstance(index, bool))


def test_lines_that_pi_does_not_parse_do_not_count(read):
    """Junk, blank lines and records recovered from a broken line are not in pi's list; a second header is."""
    cut = '{"type":"mess' + json.dumps(v1("recovered"))
    session = read(
        V1,
        v1("a"),
        "junk",
        cut,
        "",
        V1,
        v1("b"),
        v1("c"),
        {"type": "compaction", "summary": "S", "firstKeptEntryIndex": 4},
    )
    context = build(session, session.path_to(session.active_leaf))
    assert [message.text() for message in context.messages[1:]] == ["c"]


def test_ids_of_version_1_are_the_same_every_time(read):
    """Ids that the file has are overwritten, as pi does; ours are the number of the entry."""
    session = read(V1, v1("a", id="old", parentId="zz"), "junk", v1("b"))
    assert session.columns.ids == ("00000001", "00000002")
    assert session.body(1)["id"] == "00000002"
    assert session.body(1)["parentId"] == "00000001"
    assert session.body(0)["parentId"] is None
    assert json.loads(session.line_bytes(0))["id"] == "old"
    assert problems(session) == [("bad_json", 3)]


@pytest.mark.parametrize(("version", "role"), [(None, "custom"), (2, "custom"), (3, "hookMessage")])
def test_hook_messages(read, version, role):
    """Renamed up to version 2, left alone in 3."""
    hook = {"type": "message", "id": "a", "parentId": None, "message": {"role": "hookMessage", "content": "x"}}
    session = read({**HEADER, "version": version}, hook)
    assert session.role_of(0) == role
    assert session.body(0)["message"]["role"] == role


# pi or OpenClaw

SIGNS = [
    {"type": "custom", "customType": "openclaw.cache-ttl", "data": {}},
    {"type": "custom", "customType": "openclaw:prompt-error", "data": {}},
    {"type": "custom", "customType": "model-snapshot", "data": {}},
    {"type": "custom_message", "customType": "openclaw.runtime-context", "content": "c", "display": False},
    {"type": "leaf", "targetId": "e0"},
    {"type": "reset"},
    {
        "type": "message",
        "message": {"role": "assistant", "content": [], "provider": "clawdbot", "model": "gateway-injected"},
    },
    {"type": "message", "message": {"role": "user", "content": "x", "provenance": {"kind": "cron"}}},
    {
        "type": "message",
        "message": {"role": "user", "content": "Read HEARTBEAT.md if it exists. Else reply HEARTBEAT_OK."},
    },
    {
        "type": "message",
        "message": {
            "role": "user",
            "content": [{"type": "text", "text": "Run the following periodic tasks … reply HEARTBEAT_OK"}],
        },
    },
]


@pytest.mark.parametrize("sign", SIGNS, ids=range(len(SIGNS)))
def test_signs_of_openclaw(read, sign):
    """One sign anywhere in the file is enough; a session without any counts as pi's."""
    assert read(HEADER, user("e0", None), {"id": "e1", "parentId": "e0", **sign}).format == "openclaw"
    assert read(HEADER, user("e0", None, "What does HEARTBEAT_OK mean?")).format == "pi"


@pytest.mark.parametrize(
    ("folder", "format"),
    [
        ("home/.openclaw/agents/main/sessions", "openclaw"),
        ("srv/agents/main/sessions", "openclaw"),
        ("home/.clawdbot", "openclaw"),
        ("home/.pi/agent/sessions/--w--", "pi"),
        ("openclaw/sessions", "pi"),
    ],
)
def test_the_place_of_a_file_is_a_sign(read, folder, format):
    assert read(HEADER, user("a", None), folder=folder).format == format


def test_the_working_directory_is_a_sign(read):
    assert read({**HEADER, "cwd": "/home/x/.openclaw/workspace"}, user("a", None)).format == "openclaw"


# bodies


def test_a_body_that_changed_under_us_is_told(read, tmp_path):
    """The file grew, but another entry stands where this one stood: an error, not another entry's text."""
    session = pickle.loads(pickle.dumps(read(HEADER, *(user(f"e{n}", None) for n in range(200)))))
    path = tmp_path / "s.jsonl"
    data = path.read_bytes()
    with open(path, "r+b") as file:
        file.write(data.replace(b'"e150"', b'"f150"') + b"{}\n")
    assert session.body(0)["id"] == "e0"
    with pytest.raises(UnreadableFile, match="rewritten"):
        session.body(150)
    with open(path, "r+b") as file:
        file.seek(session.columns.offset[151])
        file.write(b"xxxx")
    with pytest.raises(UnreadableFile, match="rewritten"):
        session.body(151)


def test_deep_nesting(read):
    """Arguments nested as deep as the parsers go, and deeper: read or reported, never a crash."""
    call = {"type": "message", "id": "b", "parentId": "a", "message": {"role": "assistant", "content": ["HERE"]}}
    for depth in (500, 900, 5000, 200_000):
        block = '{"type":"toolCall","name":"n","arguments":' + '{"a":' * depth + "1" + "}" * depth + "}"
        session = read(HEADER, user("a", None), json.dumps(call).replace('"HERE"', block))
        if len(session) == 2:
            assert session.columns.chars[1] == depth * 6 + 1 + 1
            assert build(session, session.path_to(session.active_leaf)).messages[1].role == "assistant"
        else:
            assert problems(session) == [("bad_json", 3)]


KEYS = (
    *("type", "id", "parentId", "message", "timestamp", "customType", "targetId", "summary", "usage", "version", "cwd"),
    *("firstKeptEntryId", "firstKeptEntryIndex", "content", "role", "thinkingLevel", "replacement", "retainedTail"),
    *("provenance", "provider", "model"),
)
keys = st.sampled_from(KEYS)
kinds = st.sampled_from([*sorted(pi.KNOWN), "session", "user", "assistant", "hookMessage", "e0", "e1", "2026-01-05"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | kinds | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=10,
)


@given(st.sampled_from([None, 1, 2, 3]), st.lists(anything, max_size=8))
def test_any_records_are_read(tmp_path_factory, version, records):
    """Whatever the records are: a session, whose every body and context can be asked for."""
    path = tmp_path_factory.mktemp("any") / "s.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in ({**HEADER, "version": version}, *records)))
    session = open_session(path)
    problems(session)
    assert sum(session.type_of(row) == "session" for row in range(len(session))) == 0
    for row in range(len(session)):
        build(session, session.path_to(row))
        session.entry(row)


@given(
    st.lists(
        st.binary(max_size=30) | st.sampled_from([json.dumps(user("a", None)).encode(), b'{"type":"leaf"']), max_size=8
    )
)
def test_any_bytes_are_read(tmp_path_factory, lines):
    """Behind a header any bytes can stand."""
    path = tmp_path_factory.mktemp("bytes") / "s.jsonl"
    path.write_bytes(b"\n".join([json.dumps(HEADER).encode(), *lines]))
    session = open_session(path)
    problems(session)
    assert session.lines >= 1
    build(session, session.path_to(session.active_leaf))
