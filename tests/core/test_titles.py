"""One line for any entry, and what may stand in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.phrase import catalogue, phrase
from core.session import Session
from core.title import LENGTH, Title, one_line
from core.titles import LARGE, header_title, kind_name, provisional, title
from tests.core.drawn import call, opened, said


def titles(tmp_path: Path, *entries: dict[str, Any], **more: Any) -> list[Title]:
    session = opened(*entries, tmp_path=tmp_path, **more)
    return [title(session, row, session.body) for row in range(len(session))]


def words(tmp_path: Path, *entries: dict[str, Any], **more: Any) -> str:
    """The title of the last entry."""
    return titles(tmp_path, *entries, **more)[-1].words()


def result(text: str, id: str = "t1", tool: str = "exec", **fields: Any) -> dict[str, Any]:
    return said("toolResult", text, toolCallId=id, toolName=tool, **fields)


def test_the_first_line_of_what_was_said(tmp_path: Path) -> None:
    """Blank lines and runs of spaces are passed over; a content may be a string."""
    assert words(tmp_path, said("user", "\n\n   Find  the\tcause.\nAnd fix it.")) == "Find the cause."
    assert words(tmp_path, {"type": "message", "message": {"role": "user", "content": "plain"}}) == "plain"
    picture = {"type": "image", "data": "", "mimeType": "image/png"}
    assert words(tmp_path, said("user", picture, "what is this?")) == "what is this?"
    assert words(tmp_path, said("user", picture)) == "Image"
    assert words(tmp_path, said("user")) == "Empty message"


def test_an_answer_says_what_it_thought_or_calls_when_it_says_nothing(tmp_path: Path) -> None:
    """Text before thoughts before calls before the error."""
    thought = {"type": "thinking", "thinking": "First, look.\nThen act."}
    calls = (call("read", "t1", path="src/x.py"), call("bash", "t2", command="make test"))
    assert words(tmp_path, said("assistant", thought, "I look.", *calls)) == "I look."
    assert words(tmp_path, said("assistant", thought, *calls)) == "First, look."
    assert words(tmp_path, said("assistant", *calls)) == "→ read src/x.py, make test"
    assert words(tmp_path, said("assistant", *(call("ls") for _ in range(6)))) == "→ ls, ls, ls, ls …"
    assert (
        words(tmp_path, said("assistant", stopReason="error", errorMessage="429 slow down")) == "429 slow down · error"
    )
    assert words(tmp_path, said("assistant", stopReason="aborted")) == "Empty message · aborted"


def test_failed_and_mirrored_answers_say_so(tmp_path: Path) -> None:
    """A failed answer is marked; a copy for a chat channel is none of its own."""
    made = titles(
        tmp_path,
        said("assistant", "half", stopReason="aborted"),
        said("assistant", "done", provider="openclaw", model="delivery-mirror"),
    )
    assert [(one.words(), one.failed) for one in made] == [
        ("half · aborted", True),
        ("done · copy for a chat channel", False),
    ]


def test_a_result_is_named_by_its_call(tmp_path: Path) -> None:
    """The call is looked for upwards on the path, past other results; without it the tool's name must do."""
    asked = said("assistant", "both", call("read", "t1", path="a.py"), call("grep", "t2", pattern="x", path="src"))
    found = titles(tmp_path, asked, result("…", "t1", "read"), result("…", "t2", "grep"), result("…", "t9", "web"))
    assert [one.text for one in found] == ["both", "read a.py", "grep src", "web"]


def test_a_result_of_another_branch_does_not_answer_for_this_one(tmp_path: Path) -> None:
    """Two branches reuse a call id: each result is named by the call above it."""
    found = titles(
        tmp_path,
        said("user", "go"),
        said("assistant", call("read", "t1", path="left.py")),
        {**said("assistant", call("read", "t1", path="right.py")), "parentId": "e0"},
        {**result("…", "t1", "read"), "parentId": "e1"},
        {**result("…", "t1", "read"), "parentId": "e2"},
    )
    assert [one.text for one in found[3:]] == ["read left.py", "read right.py"]


def test_paths_are_written_from_the_folder_of_the_session(tmp_path: Path) -> None:
    """`/w` is the recorded folder; other paths stay whole."""
    for asked, shown in (
        (call("read", path="/w/src/x.py"), "read src/x.py"),
        (call("read", path="/web/x.py"), "read /web/x.py"),
        (call("bash", command="cd /w && make"), "make"),
        (call("bash", command="cd /web && make"), "cd /web && make"),
    ):
        assert words(tmp_path, said("assistant", asked), result("ok")) == shown


PYTEST = "....F\n==== short test summary ====\n====== 3 failed, 47 passed in 3.51s ======"


@pytest.mark.parametrize(
    ("command", "text", "fields", "outcome"),
    [
        ("pytest -n 4", PYTEST + "\n\n(Command exited with code 1)", {"details": {"exitCode": 1}}, "3 failed"),
        ("pytest", "=== 52 passed, 2 skipped in 1.61s ===", {}, "52 passed"),
        ("pytest", "=== 1 failed, 2 errors in 61.20s (0:01:01) ===", {}, "1 failed, 2 errors"),
        ("cat log", PYTEST, {}, ""),
        ("pytest", "nothing of the kind: 3 failed", {}, ""),
        ("false", "", {"details": {"exitCode": 2}}, "exit code 2"),
        ("true", "", {"details": {"exitCode": 0}}, ""),
        ("false", "no\n\nCommand exited with code 1", {"isError": True}, "exit code 1"),
        ("rm x", "denied", {"isError": True}, "error"),
        ("apply", "", {"details": {"diff": "--- a\n+++ b\n@@\n+new\n+more\n-old\n same"}}, "+2 −1"),
        ("apply", "", {"details": {"diff": 5, "exitCode": True}}, ""),
        ("apply", "", {"details": "text"}, ""),
    ],
)
def test_the_outcome_is_told_only_where_the_record_is_plain(
    tmp_path: Path, command: str, text: str, fields: dict[str, Any], outcome: str
) -> None:
    """pytest's last line for a test command, an exit code, an error flag, a diff; else nothing."""
    line = words(tmp_path, said("assistant", call("exec", command=command)), result(text, **fields))
    assert line == " · ".join(part for part in (command, outcome) if part)


def test_commands_of_the_user(tmp_path: Path) -> None:
    """`!` commands with their exit code; `!!` commands are never sent."""

    def run(**fields: Any) -> dict[str, Any]:
        return {"type": "message", "message": {"role": "bashExecution", "command": "make", "output": "", **fields}}

    assert words(tmp_path, run(exitCode=0)) == "$ make"
    assert words(tmp_path, run(exitCode=2)) == "$ make · exit code 2"
    assert words(tmp_path, run(exitCode=0, excludeFromContext=True)) == "$ make · never sent"


def test_a_compaction_counts_what_its_summary_was_made_of(tmp_path: Path) -> None:
    """Messages from the previous compaction to the first kept entry; settings are no messages."""
    setting = {"type": "model_change", "provider": "p", "modelId": "m"}
    talk = [said("user", "a"), said("assistant", "b"), setting, said("user", "c"), said("assistant", "d")]
    first = {"type": "compaction", "summary": "s", "firstKeptEntryId": "e4", "tokensBefore": 9}
    second = {"type": "compaction", "summary": "s", "firstKeptEntryId": "e7", "tokensBefore": 9}
    entries = [*talk, first, said("user", "e"), said("user", "f"), second]
    session = opened(*entries, tmp_path=tmp_path)
    tokens = [0] * 5 + [5480, 0, 0, 0]
    assert title(session, 5, session.body, tokens).words() == "Compaction · 3 entries → 5,480"
    assert title(session, 8, session.body, tokens).words() == "Compaction of 1 entry"
    assert title(session, 5, session.body, tokens).words("zh_CN") == "压缩 · 3 个条目 → 5,480"
    lost = {**first, "firstKeptEntryId": "e0"}
    assert words(tmp_path, *talk, lost) == "Compaction"


def test_a_compaction_that_keeps_from_before_the_previous_one_replaces_nothing_new(tmp_path: Path) -> None:
    """The normal case of OpenClaw: nothing is counted twice."""
    cut = {"type": "compaction", "summary": "s", "firstKeptEntryId": "e1", "tokensBefore": 9}
    assert words(tmp_path, said("user", "a"), said("user", "b"), cut, said("user", "c"), cut) == "Compaction"


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ({"type": "model_change", "provider": "p", "modelId": "claude"}, "Model claude"),
        ({"type": "thinking_level_change", "thinkingLevel": "high"}, "Thinking level high"),
        ({"type": "session_info", "name": "fix it"}, "Named “fix it”"),
        ({"type": "label", "targetId": "e0", "label": "repro"}, "Label “repro” for e0"),
        ({"type": "label", "targetId": "e0"}, "Label of e0 cleared"),
        ({"type": "custom", "customType": "openclaw.cache-ttl", "data": {}}, "Cache touched"),
        ({"type": "custom", "customType": "model-snapshot", "data": {"modelId": "m"}}, "Model noted: m"),
        ({"type": "custom", "customType": "openclaw:prompt-error", "data": {"error": "late"}}, "Prompt error: late"),
        ({"type": "custom", "customType": "mine"}, "Note of an extension: mine"),
        ({"type": "custom_message", "customType": "x", "content": "note", "display": False}, "note · hidden, but sent"),
        ({"type": "custom_message", "customType": "x", "content": [], "display": True}, "x"),
        ({"type": "branch_summary", "fromId": "e0", "summary": "## Tried\nit"}, "## Tried"),
        ({"type": "branch_summary", "fromId": "e0", "summary": ""}, "Branch left, without a summary"),
        ({"type": "usage", "kind": "title"}, "Usage of a side call: title"),
        ({"type": "context_edit", "targetId": "e0"}, "Edit of e0"),
        ({"type": "leaf", "targetId": "e0"}, "Went back to e0"),
        ({"type": "reset"}, "Context reset"),
        ({"type": "from_the_future"}, "Unknown entry type from_the_future"),
        ({"type": "message"}, "Message entry without a message"),
        ({"type": "message", "message": {"role": "critic", "content": "no"}}, "no · role critic"),
        ({"type": "model_change"}, "Model –"),
        ({"type": "session_info", "name": {"not": "text"}}, "Named “–”"),
    ],
)
def test_other_entries(tmp_path: Path, entry: dict[str, Any], line: str) -> None:
    """A sentence of ours with recorded names in it."""
    assert words(tmp_path, said("user", "hi"), entry) == line


def test_a_line_that_is_no_record(tmp_path: Path) -> None:
    """JSON, but no object: kept in the graph, with a title that says so."""
    path = tmp_path / "session.jsonl"
    opened(said("user", "hi"), tmp_path=tmp_path)
    path.write_text(path.read_text() + "[1, 2]\n")
    from core.format import open_session

    session = open_session(str(path))
    assert title(session, len(session) - 1, session.body).failed


def test_the_session_itself(tmp_path: Path) -> None:
    """Format and hour; an hour that is not recorded is left out."""
    session = opened(said("user", "hi"), tmp_path=tmp_path)
    assert header_title(session, "14:02").words() == "Session opened · pi · 14:02"
    assert header_title(session, "").words() == "Session opened · pi"


def test_a_huge_entry_is_not_parsed_for_its_title(tmp_path: Path) -> None:
    """The beginning of its line and its size; the body is not asked for."""
    long = "first line\nand " + "more " * LARGE
    session = opened(
        said("user", long),
        {"type": "message", "message": {"role": "toolResult", "toolName": "read", "content": long}},
        said("assistant", {"type": "thinking", "thinking": "\\" * LARGE}),
        tmp_path=tmp_path,
    )

    def never(row: int) -> Any:
        raise AssertionError("parsed")

    lines = [title(session, row, never) for row in range(3)]
    assert lines[0].words().startswith("first line · 656")
    assert lines[1].text == "read"
    assert (lines[2].role, lines[2].icon) == ("assistant", "bot")
    assert set(lines[2].text) <= {"\\", "…"}


def test_a_file_that_went_away_is_said_so(tmp_path: Path) -> None:
    """A title never raises for the state of the file."""
    session = opened(said("user", "hi"), tmp_path=tmp_path)

    def gone(row: int) -> Any:
        raise UnreadableFile(phrase("file.changed", path="x"))

    assert "x" in title(session, 0, gone).words()


def test_kinds_have_names_in_both_languages(tmp_path: Path) -> None:
    """Every type the format knows, and any other."""
    types = ["compaction", "branch_summary", "custom", "custom_message", "label", "model_change", "leaf", "reset", "?"]
    session = opened(
        *(said(role, "x") for role in ("user", "assistant", "toolResult", "bashExecution", "x")),
        *({"type": kind} for kind in types),
        tmp_path=tmp_path,
    )
    ids = [kind_name(session, row).id for row in range(len(session))]
    assert ids[:5] == ["entry.kind_" + name for name in ("user", "assistant", "result", "command", "message")]
    assert ids[-1] == "entry.kind_unknown"
    for id in ids:
        assert catalogue("en")[id]
        assert catalogue("zh_CN")[id]


def test_what_is_known_without_reading(tmp_path: Path) -> None:
    """Icon and role of the moment before the title is made are those of the title."""
    session = opened(
        said("user", "x"), said("assistant", "x"), said("toolResult", "x", toolCallId="t"), tmp_path=tmp_path
    )
    for row in range(3):
        made = title(session, row, session.body)
        assert (provisional(session, row).icon, provisional(session, row).role) == (made.icon, made.role)


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    """Law: no breaks, no tabs, no more than LENGTH characters, and the words are the text's own."""
    line = one_line(text)
    assert len(line) <= LENGTH
    assert len(line.splitlines()) <= 1
    assert "\t" not in line
    assert line.removesuffix("…").replace(" ", "") in "".join(text.split())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    kind=st.sampled_from(["message", "compaction", "label", "custom", "custom_message", "branch_summary", "leaf", "x"]),
    role=st.sampled_from(["user", "assistant", "toolResult", "bashExecution", "custom", "x"]),
    keys=st.dictionaries(
        st.sampled_from(
            ["content", "toolCallId", "details", "usage", "stopReason", "label", "data", "summary", "name"]
        ),
        json_values,
    ),
    body=json_values,
    whole=st.booleans(),
)
def test_no_entry_is_too_odd_for_a_title(kind: str, role: str, keys: dict[str, Any], body: Any, whole: bool) -> None:
    """Law: whatever JSON stands in an entry, a title of one line is made."""
    session: Session = _odd(kind, role)
    entry = body if whole else {"type": kind, **keys, "message": {"role": role, **keys}}
    made = title(session, 0, lambda row: entry)
    assert len(made.words().splitlines()) <= 1


def _odd(kind: str, role: str) -> Session:
    from dataclasses import replace

    from tests.core.drawn import shaped

    session = shaped([-1])
    columns = replace(session.columns, kinds=(kind,), roles=(role,))
    return replace(session, columns=columns)
