"""The verbs without a window: documents, tables, exit codes, and one sentence for everything that goes wrong."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import cli, verb
from core.format import open_session
from core.phrase import catalogue
from core.tables import grid, width

CASES = Path(__file__).parent.parent / "cases"
ROOT = Path(__file__).parent.parent.parent
BREAKS = str(CASES / "35-thinking-level-change-breaks-cache.jsonl")
BREAKS_LINES = Path(BREAKS).read_text(encoding="utf-8").splitlines()
TIME = "2026-01-05T10:00:00.000Z"


@pytest.fixture
def run(capfdbinary):
    """(exit code, standard output, standard error) of a verb, as bytes decoded strictly."""

    def run(*argv):
        code = cli.run([str(word) for word in argv])
        out, err = capfdbinary.readouterr()
        return code, out.decode("utf-8"), err.decode("utf-8")

    return run


@pytest.fixture
def document(run):
    def document(*argv):
        code, out, err = run(*argv, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return document


def case(name):
    return next(CASES.glob(f"{name}-*.jsonl"))


# inspect


def test_inspect_document(document):
    """Every key of the specification, with the numbers of the file; `entries` leaves the header out."""
    told = document("inspect", case("02"))
    assert {key: told[key] for key in ("entries", "roots", "leaves", "branch_points", "path")} == {
        "entries": 6,
        "roots": 1,
        "leaves": 2,
        "branch_points": 1,
        "path": 5,
    }
    assert told["compactions"] == told["types"]["compaction"] == 2
    assert told["context"] == {
        "messages": 5,
        "roles": ["compactionSummary", "user", "assistant", "user", "assistant"],
    }
    assert told["file"]["bytes"] == case("02").stat().st_size
    assert told["file"]["lines"] == 7
    assert (told["file"]["version"], told["problems"]) == (3, [])
    assert set(told["file"]) == {"bytes", "lines", "format", "version", "session_id"}


def test_inspect_of_another_leaf(document):
    """--leaf moves path, context and requests; the active leaf stays what it is."""
    session = open_session(case("02"))
    other = next(row for row in session.leaves if row != session.active_leaf)
    told = document("inspect", case("02"), "--leaf", session.columns.ids[other])
    assert told["leaf"] == session.columns.ids[other]
    assert told["active_leaf"] == session.columns.ids[session.active_leaf]
    assert told["path"] == len(session.path_to(other))


def test_problems_say_what_and_what_next(document):
    """With code, line, sentence and hint, in the language asked for."""
    (english,) = document("inspect", case("42"))["problems"]
    assert (english["code"], english["line"], english["entry"]) == ("self_parent", 6, "selfself")
    assert english["message"]
    assert english["hint"]
    (chinese,) = document("inspect", case("42"), "--lang", "zh_CN")["problems"]
    assert chinese["message"] != english["message"]
    assert chinese["hint"] != english["hint"]


def test_inspect_table(run):
    code, out, err = run("inspect", case("02"))
    assert (code, err) == (0, "")
    assert "roots 1, leaves 2, branch points 1, compactions 2" in out
    assert "5 entries up to" in out


# breaks


def test_breaks_document(document):
    """Case 35: two breaks by a change of the thinking level, none by expiry; the first request is told apart."""
    told = document("breaks", BREAKS)
    assert told["detectors"] == {"agent": [], "ours": [2, 3]}
    first = told["breaks"][0]
    assert (first["request"], first["entry"], first["time"]) == (2, "e0000005", "2026-01-05T10:01:00.000Z")
    assert (first["gap_s"], first["expected"], first["read"], first["lost"]) == (40, 20_000, 0, 20_000)
    assert (first["cause"], first["certainty"], first["cost"]) == ("thinking_changed", "recorded", None)
    assert told["no_break"] == [{"request": 1, "entry": "e0000002", "cause": "first"}]
    assert told["counter"] == "recorded"
    assert told["totals"]["path"]["read"] == told["totals"]["session"]["read"] == 20_250
    assert told["totals"]["lost_cost"] is None


def test_no_breaks_cost_nothing(document):
    told = document("breaks", case("20"))
    assert (told["breaks"], told["totals"]["lost_cost"]) == ([], 0)


def test_every_cause_has_its_words():
    """A cause, a certainty or a note without a word would show its id."""
    for language in ("en", "zh_CN"):
        words = catalogue(language)
        for note in ("first", "below_minimum", "nothing_before"):
            assert f"table.no_break_{note}" in words
        for certainty in ("recorded", "computed", "likely", "unknown"):
            assert f"certainty.{certainty}" in words


@pytest.mark.parametrize(("language", "said"), [("en", "thinking level changed"), ("zh_CN", "思考级别变化")])
def test_breaks_table(run, language, said):
    code, out, err = run("breaks", BREAKS, "--lang", language)
    assert (code, err) == (0, "")
    assert out.count(said) == 2
    assert "table." not in out
    assert "{" not in out


# prompt


def test_prompt_of_what_would_be_sent_next(document):
    """The default: the messages now, a leading block for tools and system, nothing known of the cache."""
    told = document("prompt", BREAKS)
    assert told["request"] == "next"
    assert [block["role"] for block in told["blocks"]] == [None, *["user", "assistant"] * 4]
    assert told["cached_up_to"] is None
    assert {block["state"] for block in told["blocks"]} == {"unknown"}
    assert (told["boundary"], told["trace"]) == (None, None)
    assert told["digests"] == {"system": None, "system_stable": None, "tools": None}


def test_prompt_of_a_request(document):
    """Sizes add up to the recorded prompt, and the first block is an assumption, marked so."""
    told = document("prompt", BREAKS, "--request", "2")
    leading, *blocks = told["blocks"]
    assert (leading["section"], leading["source"], leading["role"]) == ("system", "assumed", None)
    assert (leading["chars"], leading["sha256"]) == (None, None)
    assert [block["entry"] for block in blocks] == ["e0000001", "e0000002", "e0000004"]
    assert {block["source"] for block in blocks} == {"recorded"}
    assert sum(block["tokens"] for block in told["blocks"]) == 20_150
    assert told["recorded"] == {"read": 0, "write": 20_100, "uncached": 50}


def test_last_request(document):
    """`last` is the last request of the path; the rule stands behind the last block that was read whole."""
    told = document("prompt", BREAKS, "--request", "last")
    assert told["request"] == 4
    assert told["cached_up_to"]["tokens"] == 20_250
    at = told["cached_up_to"]["block"]
    assert [block["state"] for block in told["blocks"][: at + 1]] == ["read"] * (at + 1)
    assert "read" not in [block["state"] for block in told["blocks"][at + 1 :]]


def test_digest_of_a_block(document):
    """SHA-256 of the message as canonical JSON: what anybody can compute from the line in the file."""
    block = document("prompt", BREAKS)["blocks"][1]
    said = json.loads(BREAKS_LINES[1])["message"]
    canonical = json.dumps(said, sort_keys=True, separators=(",", ":"))
    assert block["sha256"] == hashlib.sha256(canonical.encode()).hexdigest()


def test_layers_that_made_a_block(document):
    """A compaction's summary and its embedded messages come from step 0, the others from the file as it stands; the
    last step makes a user message of the summary."""
    told = document("prompt", case("31"))
    layers = [["session_context", "provider_messages"], ["session_context"], ["session_context"], [], []]
    assert [block["layers"] for block in told["blocks"][1:]] == layers


def test_characters_are_utf_16_units(document, tmp_path):
    file = tmp_path / "s.jsonl"
    lines = [
        {"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": "/"},
        {
            "type": "message",
            "id": "a",
            "parentId": None,
            "timestamp": TIME,
            "message": {"role": "user", "content": "a😀"},
        },
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert document("prompt", file)["blocks"][1]["chars"] == 3


def test_rule_in_the_table(run):
    """The rule stands between the last block that was read and the next one."""
    code, out, _ = run("prompt", BREAKS, "--request", "4")
    lines = out.splitlines()
    rule = next(at for at, line in enumerate(lines) if "CACHED UP TO HERE" in line)
    assert code == 0
    assert "read" in lines[rule - 1]
    assert "written" in lines[rule + 1]


def test_options_are_obeyed(document):
    """Counter and window are named in the document."""
    told = document("prompt", BREAKS, "--counter", "chars", "--window", "1000")
    assert (told["counter"], told["window"]) == ("chars", 1000)
    assert document("prompt", BREAKS)["window"] is None


def test_counter_without_usage(document, tmp_path):
    """Where no usage is recorded nothing can be calibrated: bpe counts, and tools and system have no size."""
    file = tmp_path / "s.jsonl"
    file.write_text("\n".join(BREAKS_LINES[:2]), encoding="utf-8")
    told = document("prompt", file)
    assert told["counter"] == "bpe"
    assert told["blocks"][0]["tokens"] is None


# what goes wrong


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["inspect", "/no/such/file"], 1),
        (["inspect", str(CASES)], 1),
        (["inspect", str(case("45"))], 1),
        (["breaks", str(case("46"))], 1),
        (["breaks", BREAKS, "--leaf", "nobody"], 1),
        (["breaks", BREAKS, "--counter", "nobody"], 1),
        (["prompt", BREAKS, "--request", "5"], 1),
        (["prompt", str(case("42")), "--request", "last"], 1),
        (["replay", BREAKS], 1),
        (["steps", BREAKS, "--request", "9"], 1),
        (["inspect"], 2),
        (["inspect", BREAKS, "--bogus"], 2),
        (["inspect", BREAKS, BREAKS], 2),
        (["inspect", BREAKS, "--lang", "xx"], 2),
        (["prompt", BREAKS, "--request", "0"], 2),
        (["prompt", BREAKS, "--request", "first"], 2),
        (["prompt", BREAKS, "--window", "-1"], 2),
        (["nonsense"], 2),
        ([], 2),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_refusals(run, argv, code, language):
    """One sentence on standard error, nothing on standard output, the right code, in both languages."""
    words = [*argv, f"--lang={language}"] if "--lang" not in argv and argv else argv
    got, out, err = run(*words)
    assert (got, out) == (code, "")
    assert err.startswith("stratascope: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert "{" not in err


def test_fault_of_our_own_is_a_sentence_too(run, monkeypatch):
    """Whatever is raised, nobody sees a traceback."""

    def fail(*_):
        raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr("core.verbs.inspect.run", fail)
    code, out, err = run("inspect", BREAKS)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "ZeroDivisionError" in err


def test_reader_that_leaves(monkeypatch):
    """`stratascope … | head` ends quietly."""

    class Gone(io.StringIO):
        def write(self, _):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert cli.run(["inspect", BREAKS]) == 1


def test_pipe_that_is_closed():
    """A real one, in a process of its own: no word on standard error."""
    command = [sys.executable, "-c", "import sys; from core import cli; sys.exit(cli.run(sys.argv[1:]))", "prompt"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*command, str(case("41")), "--json"], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("verb", cli.VERBS)
def test_help(run, verb, language):
    """Every option is explained, in both languages."""
    code, out, err = run(verb, "--help", "--lang", language)
    assert (code, err) == (0, "")
    assert "--json" in out
    assert "cli.help" not in out
    assert ("一个 JSON" in out) == (language == "zh_CN")


# recorded text


def test_recorded_text_cannot_steer_the_terminal(run, tmp_path):
    """No control character of a session reaches a terminal from a table, wherever it stands in the file."""
    evil = "\x1b[31m\x07\u202e\r\x9b1m"
    lines = [
        {"type": "session", "version": evil, "id": evil, "timestamp": TIME, "cwd": "/"},
        {
            "type": "message",
            "id": evil,
            "parentId": None,
            "timestamp": TIME,
            "message": {"role": "user", "content": evil},
        },
        {"type": evil, "id": "b" + evil, "parentId": evil, "timestamp": TIME},
        {
            "type": "message",
            "id": "c" + evil,
            "parentId": "b" + evil,
            "timestamp": TIME,
            "message": {"role": "x" + evil, "content": [{"type": "text", "text": evil + "\nsecond line"}]},
        },
    ]
    for number, (read, write) in enumerate([(0, 5000), (0, 5100), (0, 0)]):
        usage = {"input": 1, "output": 1, "cacheRead": read, "cacheWrite": write}
        said = {"role": "assistant", "content": [], "provider": "p", "model": f"m{number}" + evil, "usage": usage}
        said |= {"stopReason": "stop", "timestamp": 1_767_607_200_000}
        above = "c" + evil if number == 0 else f"d{number - 1}"
        lines.append({"type": "message", "id": f"d{number}", "parentId": above, "timestamp": TIME, "message": said})
    file = tmp_path / "evil.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for argv in (["inspect", file], ["breaks", file], ["prompt", file], ["prompt", file, "--request", "2"]):
        code, out, err = run(*argv)
        assert code == 0
        assert not [c for c in out + err if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e")]
    code, _, err = run("breaks", file, "--leaf", evil + "?")
    assert code == 1
    assert "\x1b" not in err


def test_half_characters_are_escaped(run):
    """Case 38: JSON stays UTF-8, and reading it gives the same halves back; a table shows them by name."""
    code, out, _ = run("inspect", case("38"), "--json")
    assert code == 0
    assert json.loads(out)["problems"]
    code, out, _ = run("prompt", case("38"))
    assert code == 0
    assert "⟨D8" in out or "⟨DC" in out or "⟨DE" in out


def test_half_character_survives_json():
    assert json.loads(verb.document_text({"a": "x\ud83d"})) == {"a": "x\ud83d"}
    verb.document_text({"a": "x\ud83d😀"}).encode("utf-8")


def test_terminal_that_cannot_show_everything(monkeypatch):
    """What an encoding lacks becomes a question mark; JSON is UTF-8 all the same."""
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="ascii"))
    assert cli.run(["prompt", BREAKS, "--request", "4"]) == 0
    assert b"?20,250" in held.getvalue()
    held.truncate(0)
    held.seek(0)
    assert cli.run(["breaks", BREAKS, "--lang", "zh_CN", "--json"]) == 0
    assert "思考级别" in held.getvalue().decode("utf-8")


def test_progress_only_on_a_terminal(monkeypatch, run):
    """Into a file or a pipe goes nothing; a terminal's line is wiped at the end."""
    _, _, err = run("inspect", BREAKS)
    assert err == ""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert cli.run(["inspect", BREAKS]) == 0
    assert terminal.getvalue().endswith("\r\033[K")


# tables


def test_wide_characters_take_two_columns():
    assert width("缓存ab") == 6
    assert grid([("缓存", "1"), ("a", "22")], right=(1,)) == "缓存   1\na     22"


def test_empty_grid():
    assert grid([]) == ""
