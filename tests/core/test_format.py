"""The way into a file: sniffing, choosing, refusing, reading; and every format's signs."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import format as contract
from core.errors import ContractError, UnreadableFile, UnsupportedFormat
from core.format import choose, formats, open_session, sniff
from core.lines import RecordedFile
from core.phrase import LANGUAGES, render

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/w"}
MESSAGE = {"type": "message", "id": "e1", "parentId": None, "message": {"role": "user", "content": "x"}}

SIGNS = {
    "pi": [
        [HEADER],
        [{"type": "session", "id": "s", "timestamp": "t", "cwd": "/w", "provider": "p"}],
        [MESSAGE],
        [{"type": "message", "timestamp": "t", "message": {"role": "user", "content": "x"}}],
        [{"type": "model_change", "id": "aaaaaaaa", "parentId": None, "provider": "p", "modelId": "m"}],
    ],
    "claude_code": [
        [{"type": "summary", "summary": "s", "leafUuid": "u"}],
        [{"type": "file-history-snapshot"}, {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s"}],
        [{"type": "assistant", "uuid": "u", "parentUuid": "v", "sessionId": "s", "message": {"role": "assistant"}}],
    ],
    "codex": [
        [{"timestamp": "t", "type": "session_meta", "payload": {"id": "x"}}],
        [{"timestamp": "t", "type": "response_item", "payload": {}}],
        [{"id": "x", "timestamp": "t", "instructions": None}, {"type": "message", "role": "user", "content": []}],
    ],
    "openclaw_trajectory": [[{"traceSchema": "openclaw-trajectory", "type": "session.started", "sessionId": "s"}]],
    "openclaw_cache_trace": [[{"runId": "r", "seq": 1, "stage": "session:loaded", "messages": []}]],
    "openclaw_cron_log": [[{"ts": 1, "jobId": "j", "action": "finished", "usage": {}}]],
    "hermes": [[{"role": "session_meta", "tools": []}, {"role": "user"}], [{"role": "user", "content": "x"}]],
    "gemini_cli": [
        [{"sessionId": "s", "messages": [{"type": "user", "content": "x"}, {"type": "gemini", "content": "y"}]}],
        [{"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": []}],
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "objects"), [(name, objects) for name, many in SIGNS.items() for objects in many])
def test_signs(name, objects):
    """The signs of session formats 0, one by one."""
    found = choose(objects).ID
    assert found == name


def test_every_format_has_its_signs_here():
    assert set(formats()) == set(SIGNS)


@pytest.mark.parametrize("name", sorted(SIGNS))
def test_contract(name):
    """Each format has a title in every language; a refused one says what it is and what to do; score takes anything."""
    module = formats()[name]
    for language in LANGUAGES:
        assert not render(module.TITLE, language).startswith("format.")
        if not module.SUPPORTED:
            assert len(render(module.REFUSED, language)) > len(render(module.TITLE, language))
    assert module.score([]) == 0
    assert module.score([{}]) == 0


json_objects = st.dictionaries(
    st.sampled_from(
        ["type", "id", "parentId", "uuid", "message", "role", "messages", "parts", "payload", "version", "ts"]
    ),
    st.none() | st.text(max_size=3) | st.integers() | st.lists(st.none(), max_size=1) | st.just({}),
)


@given(st.lists(json_objects, max_size=5))
def test_scores_take_anything(objects):
    for module in formats().values():
        assert module.score(objects) >= 0


def opened(tmp_path, text, name="s.jsonl"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return open_session(path)


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


def test_only_early_objects_are_sniffed(tmp_path):
    (tmp_path / "s").write_text(lines(*([MESSAGE] * 60)), encoding="utf-8")
    assert len(sniff(RecordedFile.at(tmp_path / "s"))) == contract.SNIFFED_OBJECTS


def test_a_pretty_printed_document_is_one_object(tmp_path):
    """Before every line is called malformed, the whole file is tried (session formats 5)."""
    document = {"sessionId": "s", "messages": [{"type": "user", "content": "x"}]}
    with pytest.raises(UnsupportedFormat, match="Gemini CLI"):
        opened(tmp_path, json.dumps(document, indent=2))
    with pytest.raises(UnsupportedFormat, match="Gemini CLI"):
        opened(tmp_path, json.dumps([{"role": "user", "parts": []}], indent=1))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("hello\nworld\n", "no JSON record"),
        ('{"a": 1}\n', "of no kind known"),
        ("[1, 2]\n", "no JSON record"),
        ("{\n", "no JSON"),
    ],
)
def test_what_is_no_session(tmp_path, text, word):
    with pytest.raises(UnsupportedFormat, match=word):
        opened(tmp_path, text)


def test_refused_in_both_languages(tmp_path):
    """The error is a Phrase: it names the file and the format in every language."""
    (tmp_path / "c.jsonl").write_text(lines(*SIGNS["claude_code"][2]), encoding="utf-8")
    with pytest.raises(UnsupportedFormat) as refused:
        open_session(tmp_path / "c.jsonl")
    assert "this is a Claude Code transcript; not supported yet" in str(refused.value)
    assert "Claude Code" in render(refused.value.phrase, "zh_CN")
    assert "c.jsonl" in render(refused.value.phrase, "zh_CN")


def test_missing(tmp_path):
    with pytest.raises(UnreadableFile):
        open_session(tmp_path / "gone.jsonl")
    with pytest.raises(UnreadableFile):
        open_session("a\0b")


def test_progress_is_told_and_may_cancel(tmp_path, monkeypatch):
    """Cancelled: what was read is kept, and a Problem says how far it went."""
    monkeypatch.setattr("core.formats.pi._PROGRESS_BYTES", 1000)
    text = lines(HEADER, *({**MESSAGE, "id": f"e{n}", "parentId": f"e{n - 1}" if n else None} for n in range(200)))
    (tmp_path / "s.jsonl").write_text(text, encoding="utf-8")
    told = []
    session = open_session(tmp_path / "s.jsonl", lambda *state: told.append(state) or True)
    assert len(session) == 200
    assert told == sorted(told)
    assert told[-1] == (len(text), len(text), 200)
    assert len(told) > 5
    session = open_session(tmp_path / "s.jsonl", lambda done, size, entries: entries < 50)
    assert 50 <= len(session) < 100
    [problem] = session.problems
    assert problem.code == "reading_cancelled"
    assert "of" in str(problem.message)


def test_a_plug_in_without_its_parts_is_reported(monkeypatch):
    broken = ModuleType("broken")
    broken.ID, broken.TITLE, broken.SUPPORTED, broken.score = "broken", None, True, lambda objects: 0
    monkeypatch.setattr(contract, "discover", lambda *_: {"broken": broken})
    formats.cache_clear()
    try:
        with pytest.raises(ContractError, match="broken lacks read"):
            formats()
    finally:
        formats.cache_clear()


def test_the_template_is_a_format(tmp_path, monkeypatch):
    """core/formats/_example.py is not found by itself; under another name it would read its files."""
    example = importlib.import_module("core.formats._example")
    assert example.ID not in formats()
    monkeypatch.setattr(contract, "formats", lambda: {"example": example})
    text = lines({"who": "user", "said": "hi", "at": "2026-01-05T10:00:00Z"}, 7, {"who": "assistant", "said": "é"})
    session = opened(tmp_path, text)
    assert session.format == "example"
    assert [session.body(row)["message"]["content"] for row in session.path_to(session.active_leaf)] == ["hi", "é"]
    assert [problem.line for problem in session.problems] == [2]
    assert list(session.columns.chars) == [2, 1]
    session = open_session(tmp_path / "s.jsonl", lambda *_: False)
    assert len(session) == 1
    assert session.problems[-1].code == "reading_cancelled"
