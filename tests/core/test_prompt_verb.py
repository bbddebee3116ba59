"""`stratascope prompt` with a trace, with files given by hand, and as the request itself."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from core import cli
from core.boundary import BOUNDARY
from core.engine import Assembly, EngineInfo
from core.engine_play import play
from core.engines import legacy
from core.layers import context_engine
from tests.core.traces import answer, event, session_lines, user, write
from tests.resources.test_samples import FOLDER

SAMPLE = str(FOLDER / "traced-session.jsonl")
CASE_45 = Path(__file__).parents[1] / "cases" / "45-trajectory-sidecar-with-two-markers.jsonl"


@pytest.fixture
def run(capsys):
    def go(*argv: object) -> tuple[int, str, str]:
        code = cli.run(["prompt", *map(str, argv)])
        out, err = capsys.readouterr()
        return code, out, err

    return go


@pytest.fixture
def document(run):
    def go(*argv: object):
        code, out, err = run(*argv, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return go


def test_sections_of_a_traced_request(document):
    """Tools, system above and below the boundary, messages: each with its source, size and mark."""
    told = document(SAMPLE, "--request", "3")
    leading = told["blocks"][:3]
    assert [(block["section"], block["part"], block["source"], block["mark"]) for block in leading] == [
        ("tools", None, "recorded", None),
        ("system", "stable", "recorded", "5m"),
        ("system", "dynamic", "recorded", None),
    ]
    assert [block["from"]["name"] for block in leading] == [
        "traced-session.trajectory.jsonl",
        "traced-session.cache-trace.jsonl",
        "traced-session.cache-trace.jsonl",
    ]
    assert [block["mark"] for block in told["blocks"][3:]] == [None] * (len(told["blocks"]) - 4) + ["5m"]
    recorded = told["recorded"]
    assert (
        sum(block["tokens"] for block in told["blocks"]) == recorded["read"] + recorded["write"] + recorded["uncached"]
    )
    assert told["boundary"]["block"] == 1
    assert told["boundary"]["source"] == "recorded"
    assert told["cached_up_to"]["block"] > 2
    trace = told["trace"]
    assert (trace["equal"], trace["differs"], trace["not_comparable"]) == (len(told["blocks"]) - 3, 0, 0)


def test_digests_of_the_sample(document):
    """What anybody can compute from the trace."""
    told = document(SAMPLE, "--request", "1")
    line = json.loads((FOLDER / "traced-session.cache-trace.jsonl").read_text().split("\n")[5])
    assert line["stage"] == "stream:context"
    system = line["system"]
    stable = system.partition(BOUNDARY)[0].rstrip()
    for key, text in (("system", system), ("system_stable", stable)):
        assert told["digests"][key] == hashlib.sha256(text.encode()).hexdigest()
    assert told["blocks"][1]["sha256"] == told["digests"]["system_stable"]
    assert told["blocks"][0]["sha256"] == told["digests"]["tools"]


def test_request_15_read_only_what_stayed(document):
    """A second marker changed the dynamic part: tools and stable part were read, the rest was written."""
    told = document(SAMPLE, "--request", "15")
    assert told["cached_up_to"]["block"] == told["boundary"]["block"] == 1
    assert [block["state"] for block in told["blocks"][:4]] == ["read", "read", "written", "written"]


def test_the_request_itself(run):
    code, out, _ = run(SAMPLE, "--request", "2", "--raw")
    request = json.loads(out)
    assert code == 0
    assert list(request) == ["model", "tools", "system", "messages", "max_tokens"]
    assert [block.get("cache_control") for block in request["system"]] == [{"type": "ephemeral"}, None]
    code, out, _ = run(SAMPLE, "--request", "2", "--raw", "--marks", "none")
    assert "cache_control" not in out
    assert "CACHE_BOUNDARY" not in out
    code, out, _ = run(SAMPLE, "--request", "2", "--raw", "--retention", "long")
    assert out.count('"ttl": "1h"') == 2


def test_the_sample_alone_has_no_source(document, tmp_path):
    """Without its trace: one block sized by difference, and an assumed boundary."""
    alone = shutil.copy(SAMPLE, tmp_path / "alone.jsonl")
    told = document(alone, "--request", "3")
    assert told["blocks"][0]["source"] == "assumed"
    assert told["blocks"][0]["chars"] is None
    assert told["boundary"] == {"block": 0, "chars": None, "tokens": told["blocks"][0]["tokens"], "source": "assumed"}
    assert (told["trace"], told["context_files"], told["findings"]) == (None, None, [])
    trace = FOLDER / "traced-session.cache-trace.jsonl"
    assert document(alone, "--request", "3", "--trace", trace)["trace"]["differs"] == 0


def test_files_given_by_hand(document, tmp_path):
    session = write(tmp_path / "s.jsonl", session_lines(user("a"), answer("b", write=2_000)))
    system = write(tmp_path / "system.txt", [f"stable{BOUNDARY}dynamic"])
    tools = write(tmp_path / "tools.json", [[{"name": "read"}]])
    told = document(session, "--system", system, "--tools", tools)
    assert [block["from"]["kind"] for block in told["blocks"][:3]] == ["file"] * 3
    assert told["blocks"][0]["names"] == ["read"]


def test_a_workspace(document, tmp_path):
    """Built in our own wording, and named so."""
    session = write(tmp_path / "s.jsonl", session_lines(user("a"), answer("b", write=2_000)))
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("Be exact.")
    told = document(session, "--workspace", folder)
    assert [(block["part"], block["source"]) for block in told["blocks"][:2]] == [
        ("stable", "built"),
        ("dynamic", "built"),
    ]
    assert told["boundary"]["source"] == "built"


def test_limits_of_context_files(document, run, tmp_path):
    """Settings: 20,000 and 150,000, what a trace names, or what `--set` says; raw against injected stands beside."""
    session = write(tmp_path / "s.jsonl", session_lines(user("a"), answer("b", write=2_000)))
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("x" * 15_000)
    files = document(session, "--workspace", folder)["context_files"]
    assert (files["source"], files["per_file_limit"], files["total_limit"]) == ("built", 20_000, 150_000)
    agents = files["files"][0]
    assert (agents["name"], agents["raw"], agents["injected"], agents["truncated"]) == (
        "AGENTS.md",
        15_000,
        15_000,
        False,
    )
    set = ("--set", "workspace.each=1000", "--set", "workspace.total=2000", "--set", "guard_single.share=0.4")
    set += ("--policy", "openclaw-2026.4.5")
    files = document(session, "--workspace", folder, *set)["context_files"]
    assert (files["per_file_limit"], files["total_limit"]) == (1_000, 2_000)
    assert files["files"][0]["injected"] < 1_100
    code, _, err = run(session, "--workspace", folder, "--set", "workspace.each=none")
    assert code == 2
    assert "workspace.each" in err


def test_limits_that_a_trace_names(document, tmp_path):
    """A report beside the session: 12,000 and 60,000, for a prompt that the trace itself does not hold."""
    lines = [json.loads(line) for line in CASE_45.read_text().splitlines()]
    trace = write(tmp_path / "t.jsonl", [line for line in lines if line["type"] != "context.compiled"])
    id = lines[0]["sessionId"]
    session = write(tmp_path / "s.jsonl", session_lines(user("a"), answer("b", write=2_000), id=id))
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("x" * 15_000)
    files = document(session, "--workspace", folder, "--trace", trace)["context_files"]
    assert (files["source"], files["per_file_limit"], files["total_limit"]) == ("built", 12_000, 60_000)
    assert files["files"][0]["truncated"]


def test_case_45(document, run, tmp_path):
    """Beside a session: cut at the first marker, the second one reported, the cut and the missing file visible."""
    id = json.loads(CASE_45.read_text().split("\n")[0])["sessionId"]
    lines = session_lines(user("before"), answer("b"), user("hello"), answer("f"), id=id)
    for line, entry in zip(lines[1:], ("e0000001", "e0000002", "e0000003", "e0000004"), strict=True):
        line["id"] = entry
    for line, parent in zip(lines[2:], ("e0000001", "e0000002", "e0000003"), strict=True):
        line["parentId"] = parent
    session = write(tmp_path / "s.jsonl", lines)
    told = document(session, "--request", "2", "--trace", CASE_45)
    stable = told["blocks"][1]
    assert (stable["part"], stable["source"]) == ("stable", "recorded")
    text = "You are an assistant.\n## Tools\n- read\n\n# Project context\nAGENTS.md body"
    assert stable["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    (found,) = told["findings"]
    assert (found["code"], found["request"], found["line"]) == ("second_marker", 2, 3)
    assert told["trace"]["differs"] == 0
    assert told["trace"]["not_comparable"] > 0
    files = {file["name"]: (file["missing"], file["raw"], file["injected"]) for file in told["context_files"]["files"]}
    assert files == {"AGENTS.md": (False, 33_071, 12_000), "HEARTBEAT.md": (True, 0, 0)}
    _, out, _ = run(session, "--request", "2", "--trace", CASE_45)
    assert "33,071 → 12,000" in out
    assert "HEARTBEAT.md was missing" in out


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_table(run, language):
    code, out, err = run(SAMPLE, "--request", "15", "--lang", language)
    assert (code, err) == (0, "")
    assert "traced-session.cache-trace.jsonl" in out
    for prefix in ("table.", "finding.", "truth."):
        assert prefix not in out
    assert "{" not in out.replace('{"', "")


@pytest.mark.parametrize(
    "argv",
    [
        ("--trace", "/no/such/file"),
        ("--trace", SAMPLE),
        ("--system", "/no/such/file"),
        ("--tools", SAMPLE),
        ("--workspace", "/no/such/folder"),
    ],
)
def test_what_cannot_be_read(run, argv):
    """One sentence on standard error, no traceback."""
    code, out, err = run(SAMPLE, *argv)
    assert (code, out) == (1, "")
    assert err.startswith("stratascope: ")
    assert "Traceback" not in err


def test_a_trace_of_another_session(document, tmp_path):
    """It holds no call of this one: nothing is taken from it."""
    session = write(tmp_path / "s.jsonl", session_lines(user("a"), answer("b")))
    other = write(tmp_path / "t.jsonl", [event("context.compiled", 1, session="other", systemPrompt="S")])
    told = document(session, "--trace", other)
    assert told["blocks"][0]["source"] == "assumed"


def test_problems_of_a_trace_are_told(document, run, tmp_path):
    """A line that is none does not stop the reading, and is not silent."""
    session = write(tmp_path / "s.jsonl", session_lines(user("a"), answer("b")))
    good = event("context.compiled", 14, transcriptLeafId="e1", systemPrompt="S", tools=[])
    write(tmp_path / "s.trajectory.jsonl", [good, '{"traceSchema": "openclaw-tra'])
    told = document(session, "--request", "1")
    assert told["blocks"][1]["source"] == "recorded"
    assert [(problem["file"], problem["code"], problem["line"]) for problem in told["trace_problems"]] == [
        ("s.trajectory.jsonl", "trace_bad_line", 2)
    ]
    _, out, _ = run(session, "--request", "1")
    assert "s.trajectory.jsonl: Line 2" in out


def test_an_engine_adds_to_the_system_prompt(document, monkeypatch):
    """Below the boundary, in the document and in the request: what is above keeps its digest."""
    plain = document(SAMPLE, "--request", "3")

    class Adding:
        info = EngineInfo("keep_newest", "Adding", "1")

        def __getattr__(self, name):
            return getattr(legacy.make(), name)

        def assemble(self, messages, **_):
            return Assembly(messages, system_addition="Answer in rhyme.")

    monkeypatch.setattr(context_engine, "ask", lambda question: play(Adding, question, trusted=True))
    told = document(SAMPLE, "--request", "3", "--engine", "keep_newest")
    assert told["digests"]["system_stable"] == plain["digests"]["system_stable"]
    assert told["digests"]["system"] != plain["digests"]["system"]
    stable, dynamic = told["blocks"][1:3]
    assert (stable["source"], dynamic["source"]) == ("recorded", "built")
    assert dynamic["chars"] >= plain["blocks"][2]["chars"] + len("Answer in rhyme.")


@pytest.mark.parametrize("number", ["9", "20", "next"])
def test_prompt_and_steps_speak_of_the_same_run(document, capsys, number):
    """Cuts that an earlier request has sent stay in both: the blocks are what the last step left."""
    words = (FOLDER / "guard.jsonl", "--request", number, "--policy", "openclaw-2026.9", "--window", "40000")
    words += ("--set", "project_results.budget=30000", "--counter", "chars")
    told = document(*words)
    assert cli.run(["steps", *map(str, words), "--json"]) == 0
    steps = json.loads(capsys.readouterr().out)
    messages = [block for block in told["blocks"] if block["section"] == "messages"]
    assert len(messages) == steps["sent"]["messages"]
    assert sum(block["chars"] for block in messages) == steps["steps"][-1]["chars_after"]
