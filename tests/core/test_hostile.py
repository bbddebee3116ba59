"""Files that broke something: each is drawn, read, and told with code, physical line and entry, or refused in one clear
sentence. Never a crash, a hang, silence or a changed file.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import heads
from core.context import build
from core.errors import InputError, StratascopeError
from core.format import open_session
from core.formats import pi
from core.lines import RecordedFile
from core.measure import measured
from core.phrase import LANGUAGES, render
from core.problem_log import ALWAYS, LISTED
from core.session import DANGLING
from tests.soak import CASES, damaged, survey

HEADER = b'{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/w"}'


def message(id: str, parent: str | None, text: str = "x") -> bytes:
    entry = {"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-05T10:00:01.000Z"}
    return json.dumps({**entry, "message": {"role": "user", "content": text}}, ensure_ascii=False).encode()


A, B, C = message("a", None), message("b", "a"), message("c", "b")


@pytest.fixture
def read(tmp_path):
    """The session of these bytes; the file must be afterwards what it was before."""

    def read(data: bytes, name: str = "s.jsonl"):
        path = tmp_path / name
        path.write_bytes(data)
        before = path.read_bytes(), path.stat().st_mtime_ns
        session = open_session(path)
        build(session, session.path_to(session.active_leaf))
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
        for problem in session.problems:
            for language in LANGUAGES:
                for said in (problem.message, problem.hint):
                    assert render(said, language).strip(), problem
        return session

    return read


def told(session) -> list[tuple[str, int | None, str | None]]:
    return [(problem.code, problem.line, problem.entry) for problem in session.problems]


L = b"\n"
DRAWN = {
    # name: (bytes, problems as (code, line, entry), ids)
    "bad JSON": (HEADER + L + A + L + b"{bad" + L + message("b", "a") + L, [("bad_json", 3, None)], "ab"),
    "a cut line": (HEADER + L + A + L + B[:50] + L + C + L,
                   [("bad_json", 3, None), ("dangling_parent", 4, "c")], "ac"),
    "a cut line glued to the next": (HEADER + L + A + L + B[:50] + message("c", "a") + L,
                                     [("spliced_record", 3, "c")], "ac"),
    "two records on one line": (HEADER + L + A + L + B + C + L, [("glued_records", 3, "c")], "abc"),
    "two records, a space between": (HEADER + L + A + L + B + b" " + C + L, [("glued_records", 3, "c")], "abc"),
    "a byte order mark": (b"\xef\xbb\xbf" + HEADER + L + A + L, [], "a"),
    "a byte order mark inside": (HEADER + L + b"\xef\xbb\xbf" + A + L, [("spliced_record", 2, "a")], "a"),
    "CRLF": (HEADER + b"\r\n" + A + b"\r\n" + B + b"\r\n", [], "ab"),
    "CR alone": (HEADER + L + A + b"\r" + B + L, [("glued_records", 2, "b")], "ab"),
    "a run of NUL": (HEADER + L + A + L + b"\0" * 64 + B + L, [("spliced_record", 3, "b")], "ab"),
    "a line of NUL": (HEADER + L + A + L + b"\0" * 64 + L + B + L, [("bad_json", 3, None)], "ab"),
    "U+2028 in a text": (HEADER + L + message("a", None, "x\u2028y\u2029z\u0085") + L + B + L, [], "ab"),
    "a lone surrogate": (HEADER + L + A.replace(b'"x"', b'"\\ud83d"') + L + B + L, [("lone_surrogate", 2, "a")], "ab"),
    "a lone surrogate that is skipped": (HEADER + L + A[:-1] + b',"details":"\\ud83d"}' + L,
                                         [("lone_surrogate", 2, "a")], "a"),
    "half a character in UTF-8": (HEADER + L + A.replace(b'"x"', b'"\xf0\x9f"') + L, [("invalid_utf8", 2, "a")], "a"),
    "half a character that is skipped": (HEADER + L + A[:-1] + b',"details":"\xf0\x9f"}' + L,
                                         [("invalid_utf8", 2, "a")], "a"),
    "NaN": (HEADER + L + A[:-1] + b',"cost":NaN}' + L, [("not_strict_json", 2, "a")], "a"),
    "Infinity": (HEADER + L + A[:-1] + b',"cost":-Infinity}' + L, [("not_strict_json", 2, "a")], "a"),
    "a number without bounds": (HEADER + L + A[:-1] + b',"n":1e999,"m":' + b"9" * 400 + b"}" + L, [], "a"),
    "a number too long to convert": (HEADER + L + A[:-1] + b',"m":' + b"9" * 5000 + b"}" + L + B + L, [], "ab"),
    "an id twice": (HEADER + L + A + L + message("a", None) + L + B + L, [("duplicate_id", 3, "a")], "aab"),
    "an unknown parent": (HEADER + L + A + L + message("b", "zz") + L, [("dangling_parent", 3, "b")], "ab"),
    "its own parent": (HEADER + L + A + L + message("b", "b") + L, [("self_parent", 3, "b")], "ab"),
    "a circle of three": (HEADER + L + message("a", "c") + L + B + L + C + L, [("cycle", 2, "a")], "abc"),
    "two headers": (HEADER + L + A + L + HEADER + L + B + L, [("second_header", 3, None)], "ab"),
    "no header": (A + L + B + L, [("header_missing", 1, None)], "ab"),
    "version 4": (HEADER.replace(b":3", b":4") + L + A + L, [("version_above_3", 1, None)], "a"),
    "an array": (HEADER + L + A + L + b"[1,2]" + L, [("not_an_object", 3, None)], ["a", ""]),
    "half a last line": (HEADER + L + A + L + B[:30], [("unfinished_line", 3, None)], "a"),
    "deep nesting": (HEADER + L + A[:-1] + b',"d":' + b"[" * 900 + b"]" * 900 + b"}" + L, [], "a"),
    "nesting without end": (HEADER + L + A[:-1] + b',"d":' + b"[" * 100_000 + L + B + L,
                            [("bad_json", 2, None), ("dangling_parent", 3, "b")], "b"),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
def test_drawn(name, read):
    """The Problem stands on its physical line and names its entry; everything that can be read is read."""
    data, problems, ids = DRAWN[name]
    session = read(data)
    assert told(session) == problems
    assert list(session.columns.ids) == list(ids)


REFUSED = {
    "empty": (b"", "is empty"),
    "spaces only": (b" \n\n  ", "no JSON record"),
    "binary": (os.urandom(8) + b"\0" * 400 + b"\x7fELF", "is not text"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1", "is not text"),
    "words": (b"hello\nworld\n", "no JSON record"),
    "a pretty-printed document": (
        json.dumps({"sessionId": "s", "messages": [{"type": "user", "content": "x"}]}, indent=2).encode(),
        "Gemini CLI",
    ),
    "a document of no known kind": (json.dumps({"a": {"b": 1}}, indent=2).encode(), "no kind known"),
    "an endless list": (b"[" * 1_000_000, "no JSON record"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    """One error, that says what and what next, in both languages."""
    data, words = REFUSED[name]
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as refused:
        open_session(path)
    assert render(refused.value.phrase, "zh_CN")
    assert path.read_bytes() == data


def test_a_folder_and_a_file_that_vanished(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        open_session(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        open_session(tmp_path / "gone.jsonl")


def test_a_file_that_vanishes_while_it_is_read(tmp_path, monkeypatch):
    """The pass itself holds the file open; whoever asks for a body later is told."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEADER + L + b"".join(message(f"e{n}", None) + L for n in range(500)))
    monkeypatch.setattr(pi, "_PROGRESS_BYTES", 1000)
    source = RecordedFile.at(path)
    session = pi.read(source, lambda done, size, entries: path.unlink(missing_ok=True) or True)
    assert len(session) == 500
    with pytest.raises(InputError, match="no such file"):
        session.body(3)


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        (A[:-1] + b',"id":"z"}', {"id"}),
        (A[:-1] + b',"message":{"role":"user","content":"y"}}', {"message"}),
        (A.replace(b'"content"', b'"role":"user","content"'), {"role"}),
        (A[:-1] + b',"d":[{"k":1,"k":2},{"k":3}]}', {"k"}),
        (A[:-1] + b',"text":"\\"id\\":1,\\"id\\":2"}', set()),
        (A[:-1] + b',"d":[{"k":1},{"k":2}]}', set()),
    ],
)
def test_a_key_that_stands_twice_in_a_record(read, line, keys):
    """The last one counts, as in the agent's parser; which keys they were is told."""
    session = read(HEADER + L + line + L)
    found = session.problems
    assert {problem.code for problem in found} == ({"duplicate_key"} if keys else set())
    assert {dict(problem.values)["key"] for problem in found} == keys
    for problem in found:
        assert problem.line == 2
        assert all(render(said, language) for said in (problem.message, problem.hint) for language in LANGUAGES)


def test_a_million_problems_are_a_summary(tmp_path):
    """The first thousand in a list, every other kind represented, and the rest counted. Drawn with fewer lines."""
    path = tmp_path / "s.jsonl"
    bad = 4 * LISTED
    lines = [HEADER, A, *[b"{bad"] * bad, *(message(f"x{n}", "zz") for n in range(50)), b"[1]"]
    path.write_bytes(L.join(lines) + L)
    session = open_session(path)
    codes = [problem.code for problem in session.problems]
    assert codes.count("bad_json") == LISTED
    assert codes.count("dangling_parent") == ALWAYS
    assert codes.count("not_an_object") == 1
    more = {dict(p.values)["code"]: dict(p.values)["n"] for p in session.problems if p.code == "more_of_a_kind"}
    assert more == {"bad_json": bad - LISTED, "dangling_parent": 50 - ALWAYS}
    assert len(session) == 52


# the fast way and the general way agree


def entry_texts():
    scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=6)
    some = st.sampled_from
    usage = st.dictionaries(
        some(["input", "output", "cacheRead", "cacheWrite", "totalTokens", "reasoning", "cost"]),
        scalars | st.just({"total": 0.25}) | st.just({"total": 2}) | st.just({"total": None}),
        max_size=5,
    )
    block = st.dictionaries(some(["type", "text", "thinking", "name", "arguments"]), scalars | st.just({}), max_size=3)
    content = st.text(max_size=8) | st.lists(block | scalars, max_size=3) | scalars
    said = st.fixed_dictionaries(
        {"role": some(["user", "assistant", "toolResult", "bashExecution", "hookMessage", "odd"]) | scalars},
        optional={
            "content": content,
            "provider": some(["p", "openclaw"]) | scalars,
            "model": some(["m", "delivery-mirror"]) | scalars,
            "api": st.just("a"),
            "stopReason": some(["stop", "error"]) | scalars,
            "usage": usage | scalars,
            "timestamp": st.integers(0, 2**45) | some(["2026-01-05T10:00:00.000Z", "no"]) | scalars,
            "provenance": scalars,
            "excludeFromContext": st.booleans(),
            "command": st.text(max_size=4) | scalars,
        },
    )
    stamps = some(["2026-01-05T10:00:00.000Z", "2026-02-30T10:00:00.000Z", "2024-02-29T23:59:59.999Z", "x", ""])
    return st.fixed_dictionaries(
        {"type": some(["message", "custom", "custom_message", "compaction", "label", "session", "future"]) | scalars},
        optional={
            "id": some("abcdef") | scalars,
            "parentId": some("abcdef") | scalars,
            "timestamp": stamps | scalars,
            "message": said | scalars,
            "customType": some(["openclaw.x", "y"]) | scalars,
            "version": st.integers(1, 4),
            "targetId": some("abc"),
            "summary": st.text(max_size=3),
        },
    )


def described(session):
    columns = session.columns
    return (
        session.format,
        repr(session.header),  # two NaN are not equal
        [repr(problem) for problem in session.problems],
        [repr(entry) for entry in session.entries()],
        list(columns.chars),
        [repr(reply) for reply in columns.replies],
        [(row, repr(usage)) for row, usage in columns.other_usage],
        columns.named_parent,
    )


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(entry_texts(), min_size=1, max_size=8), st.booleans())
def test_typed_heads_are_read_as_everything_else_is(tmp_path_factory, entries, headed):
    """What the typed parser takes, it takes exactly as the general way does: a law over any values in any place."""
    path = tmp_path_factory.mktemp("law") / "s.jsonl"
    lines = [json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") for entry in entries]
    path.write_bytes(L.join([HEADER] * headed + lines) + L)
    try:
        source = RecordedFile.at(path)
    except InputError:
        return
    fast = described(measured(pi.read(source)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pi, "heads_of", lambda lines: [None] * len(lines))
        slow = described(measured(pi.read(source)))
    assert fast == slow


ids = st.sampled_from(["", *"abcdef"])
names = st.none() | st.sampled_from(["", *"abcdefgz"])


@settings(max_examples=100)
@given(st.lists(st.tuples(ids, names), max_size=16), st.lists(st.integers(0, 16), max_size=4))
def test_a_graph_in_pieces_is_the_graph(entries, cuts):
    """Read at once or in any pieces, with the parents settled in between or not: the same rows and Problems."""
    from core.links import Links

    def linked(bounds):
        links, ids = Links(), []
        for start, stop in zip([0, *bounds], [*bounds, len(entries)], strict=True):
            piece = entries[start:stop]
            ids += [id for id, _ in piece]
            links.extend([id for id, _ in piece], [name for _, name in piece], range(start + 2, stop + 2))
            links.settle(ids, range(2, len(ids) + 2))
        log = links.settle(ids, range(2, len(ids) + 2))
        return list(links.parent), links.named, sorted(map(repr, log.done()))

    whole = linked([])
    assert linked(sorted(min(cut, len(entries)) for cut in cuts)) == whole
    assert linked(list(range(1, len(entries)))) == whole
    assert all(parent >= DANGLING for parent in whole[0])


# fuzzing


def test_damaged_cases(tmp_path):
    """2,000 damaged cases: no crash, no hang over 2 s, the file unchanged. `python -m tests.soak` takes longer."""
    result = survey(2_000, seed=20260105, folder=tmp_path)
    assert result.failures == []
    assert result.slowest < 2.0
    assert result.read > 200
    assert result.refused > 20


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.integers(0, len(CASES) - 1), st.randoms(use_true_random=False))
def test_any_damage(tmp_path_factory, case, chance):
    """Hypothesis chooses where to hurt, and shrinks what hurt."""
    path = tmp_path_factory.mktemp("f") / "s.jsonl"
    data = damaged(CASES[case].read_bytes(), chance)
    path.write_bytes(data)
    began = time.monotonic()
    try:
        session = open_session(path)
        build(session, session.path_to(session.active_leaf))
        for row in range(len(session)):
            session.body(row)
    except StratascopeError:
        pass
    assert time.monotonic() - began < 2
    assert path.read_bytes() == data


def test_a_spliced_giant_costs_little(tmp_path):
    """A line of 20 MB that is nothing but beginnings of records does not hang the reader."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(HEADER + L + A + L + b'{"type":"message","id":"' * 800_000 + L + B + L)
    began = time.monotonic()
    session = open_session(path)
    assert len(session) == 2
    assert time.monotonic() - began < 2


def test_the_soak_changes_nothing(tmp_path):
    """The cases themselves are only ever read."""
    digest = {path: hashlib.sha256(Path(path).read_bytes()).digest() for path in CASES}
    survey(50, seed=1, folder=tmp_path)
    assert digest == {path: hashlib.sha256(Path(path).read_bytes()).digest() for path in CASES}
    assert random.Random(1).random() != random.Random(2).random()
    assert heads.head(A) is not None
