"""The verb `compact`: its document, its table, what it refuses, and the file that it appends to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import cli
from core.context import build
from core.format import open_session
from tests.core.summarizers.loopback import events, serving
from tests.core.test_compaction import talk

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "resources" / "samples" / "flaky-test.jsonl"
KEYS = {
    *("policy", "summarizer", "tokens_before", "summarized", "first_kept", "chunk_ratio", "chunks", "oversized"),
    *("calls", "level", "summary", "tokens_after", "identifiers"),
}
CALL_KEYS = {"stage", "chunk", "attempt", "ok", "error", "input_tokens", "output_tokens"}
SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def run(capfdbinary):
    def run(*argv, **means):
        code = cli.run(["compact", *map(str, argv)], **means)
        out, err = capfdbinary.readouterr()
        return code, out.decode("utf-8"), err.decode("utf-8")

    return run


@pytest.fixture
def document(run):
    def document(*argv, **means):
        code, out, err = run(*argv, "--json", **means)
        assert (code, err) == (0, "")
        return json.loads(out)

    return document


@pytest.fixture
def talked(tmp_path):
    """A file of its own, with a secret in it, that is long enough to be compacted with `--set compaction.keep=1500`."""
    path = tmp_path / "talk.jsonl"
    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-04-07T14:02:11.000Z", "cwd": "/w"}
    lines, before = [header], None
    for number, one in enumerate(talk()):
        entry = {"id": f"e{number}", "parentId": before, "timestamp": "2026-04-07T14:02:12.000Z", **one}
        lines.append(entry)
        before = entry["id"]
    lines[1]["message"]["content"][0]["text"] += f" export GH_TOKEN={SECRET}"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


SHORT = ("--set", "compaction.keep=1500", "--set", "compaction.chunk=1600", "--window", "30000")


def test_document(document) -> None:
    """Every key of the specification; offline unless something else is asked for."""
    found = document(SAMPLE)
    assert found.keys() >= KEYS
    assert (found["summarizer"], found["policy"], found["level"]) == ("extractive", "openclaw-2026.4.5", 1)
    assert all(call.keys() >= CALL_KEYS for call in found["calls"])
    assert {call["stage"] for call in found["calls"]} <= {"chunk", "merge", "prefix"}
    assert found["identifiers"].keys() >= {"found", "in_summary", "in_tail", "lost"}
    assert all(lost.keys() == {"text", "kind", "used_later"} for lost in found["identifiers"]["lost"])
    assert found["summarized"] == sum(chunk["messages"] for chunk in found["chunks"])
    assert found["tokens_after"] < found["tokens_before"]
    assert found["output"] is None


@pytest.mark.parametrize(("fail", "level"), [("1,2,3", 2), ("all", 3), ("2", 1)])
def test_scripted_failures(document, talked, fail: str, level: int) -> None:
    """`--set scripted.fail=…` is enough to choose the scripted summarizer; every failed attempt is listed."""
    found = document(talked, *SHORT, "--set", f"scripted.fail={fail}")
    assert (found["summarizer"], found["level"]) == ("scripted", level)
    assert found["summary"].strip()
    failed = [call for call in found["calls"] if not call["ok"]]
    assert all(call["error"] == "failed" for call in failed)
    if fail != "all":
        assert [call["number"] for call in failed] == [int(number) for number in fail.split(",")]


def test_waits_and_times(document, talked) -> None:
    """Sleeping and the clock are lent by the caller."""
    waited, ticks = [], iter(range(1_000))
    found = document(talked, *SHORT, "--set", "scripted.fail=1", wait=waited.append, clock=lambda: float(next(ticks)))
    assert waited == [0.5]
    assert found["calls"][0]["seconds"] == 1.0


def test_at_a_recorded_compaction(document) -> None:
    """Its path, its cut; what the file holds behind it is what was used later."""
    session = open_session(SAMPLE)
    at = next(row for row in session.path_to(session.active_leaf) if session.type_of(row) == "compaction")
    id, body = session.columns.ids[at], session.body(at)
    ours = document(SAMPLE, "--at", id)
    theirs = document(SAMPLE, "--at", id, "--summarizer", "recorded")
    assert ours["first_kept"] == theirs["first_kept"] == body["firstKeptEntryId"]
    assert theirs["summary"] == body["summary"]
    assert ours["identifiers"]["used_later"] == theirs["identifiers"]["used_later"] > 0
    assert ours["identifiers"]["found"] == theirs["identifiers"]["found"]


def test_before_a_request(document, run) -> None:
    """The path ends in front of it; a request that is not there is refused."""
    early, late = document(SAMPLE, "--request", "20"), document(SAMPLE, "--request", "23")
    assert early["tokens_before"] < late["tokens_before"]
    assert late["identifiers"]["used_later"] > 0
    code, _, err = run(SAMPLE, "--request", "999")
    assert code == 1
    assert "999" in err


def test_modes_and_breaking(document, talked) -> None:
    """By `--set`, and rungs by hand."""
    guarded = document(talked, *SHORT, "--set", "compaction.mode=safeguard", "--set", "compaction.cap=9000")
    assert "## Recent turns preserved verbatim" in guarded["summary"]
    broken = document(talked, *SHORT, "--break", "1,2")
    assert broken["level"] == 3
    assert {call["error"] for call in broken["calls"]} == {"broken"}
    alone = document(talked, *SHORT, "--set", "compaction.mode=pi", "--set", "scripted.fail=all")
    assert (alone["raised"], alone["chunk_limit"]) == (True, None)


def test_append(document, run, talked, tmp_path) -> None:
    """A new file that the agent reads as planned; nothing that is there is overwritten."""
    target = tmp_path / "new.jsonl"
    before = talked.read_bytes()
    found = document(talked, *SHORT, "--append", "--output", target)
    assert found["output"] == str(target)
    session = open_session(target)
    context = build(session, session.path_to(session.active_leaf))
    assert context.messages[0].get("summary") == found["summary"]
    assert session.columns.ids[context.origins[1].rows[0]] == found["first_kept"]
    assert talked.read_bytes() == before
    code, out, err = run(talked, *SHORT, "--append", "--output", target)
    assert (code, out) == (1, "")
    assert str(target) in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.jsonl", "talk.jsonl"]


def test_table(run, talked) -> None:
    """The same for people, in both languages; no control characters of the session in it."""
    code, out, err = run(talked, *SHORT, "--set", "scripted.fail=1")
    assert (code, err) == (0, "")
    assert "messages become a summary" in out
    assert "The summarizer failed." in out
    code, out, _ = run(talked, *SHORT, "--lang", "zh_CN")
    assert code == 0
    assert "条消息压缩为摘要" in out


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (("--append",), 2, "--output"),
        (("--output", "x.jsonl"), 2, "--append"),
        (("--summarizer", "gpt"), 2, "extractive"),
        (("--set", "guard_single.share=1"), 2, "compaction"),
        (("--set", "compaction.keep=-1"), 2, "keep"),
        (("--set", "scripted.fail=first"), 2, "first"),
        (("--summarizer", "extractive", "--set", "scripted.fail=1"), 2, "scripted"),
        (("--break", "3"), 2, "rungs"),
        (("--at", "nobody"), 1, "6ef38879"),
        (("--summarizer", "recorded"), 1, "no compaction"),
        (("--set", "compaction.keep=9000000"), 1, "compaction.keep"),
    ],
)
def test_refusals(run, argv, code: int, words: str) -> None:
    """One sentence: what is wrong and what to do."""
    found, out, err = run(SAMPLE, *argv)
    assert (found, out) == (code, "")
    assert words in err
    assert err.count("\n") == 1


# what leaves the machine


def test_preview(document, run, talked) -> None:
    """The exact text, secrets replaced and marked, sizes and price; nobody is asked."""
    found = document(talked, *SHORT, "--summarizer", "anthropic", "--model", "claude-sonnet-4-5", "--preview")
    first = found["calls"][0]
    assert "Please look at file0.py" in first["user"]
    assert SECRET not in json.dumps(found)
    ((start, end, kind),) = first["redacted"]
    assert (first["user"][start:end], kind) == ("[redacted: GitHub token 1]", "GitHub token")
    assert found["input_tokens"] > 0
    assert found["max_cost"] > 0
    code, out, _ = run(talked, *SHORT, "--preview")
    assert code == 0
    assert SECRET not in out
    assert "Please look at file0.py" in out


def test_nothing_is_sent_unless_confirmed(run, talked, monkeypatch) -> None:
    """Without --send: how much it would be, and what to do."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-test")
    with serving() as server:
        code, out, err = run(talked, *SHORT, "--summarizer", "anthropic", "--base-url", server.address)
        assert server.requests == []
    assert (code, out) == (1, "")
    assert "--send" in err
    assert "--preview" in err


def test_sending(document, talked, monkeypatch) -> None:
    """With --send: what was previewed, call by call, and the provider's own counts."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-test")
    shown = document(talked, *SHORT, "--preview", "--model", "m")
    with serving() as server:
        server.reply = lambda reply: reply.stream(events("A summary."))
        options = ("--summarizer", "anthropic", "--base-url", server.address, "--model", "m", "--send")
        found = document(talked, *SHORT, *options)
        sent = [body["messages"][0]["content"] for _, body in server.requests]
    assert (found["level"], found["calls"][0]["input_tokens"], found["calls"][0]["counted"]) == (1, 321, True)
    assert found["summary"].startswith("A summary.")
    assert len(sent) == len(shown["calls"])
    assert sent[0] == shown["calls"][0]["user"]
    assert not any(SECRET in text or "HOSTILE" in text for text in sent)


def test_an_unreachable_provider_still_gives_a_summary(document, talked, monkeypatch) -> None:
    """The plain note, and why."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03-test")
    with serving() as server:
        address = server.address
    options = ("--summarizer", "anthropic", "--base-url", address, "--send")
    found = document(talked, *SHORT, *options, "--set", "compaction.parts=1", "--set", "compaction.chunk=900000")
    assert found["level"] == 3
    assert {call["error"] for call in found["calls"]} == {"unreachable"}


def test_an_own_rule_on_identifiers(document, talked) -> None:
    """In place of the strict one, in every call; the policy need not be named beside it."""
    small = ("--set", "compaction.keep=1500", "--set", "compaction.chunk=1600")
    found = document(talked, *small, "--identifiers", "Keep every ticket as it is.", "--preview")
    assert found["calls"]
    assert all("Keep every ticket as it is." in call["user"] for call in found["calls"])


def test_rules_of_the_workspace(document, run, talked, tmp_path) -> None:
    """The safeguard repeats them in the summary; a folder that is none is said."""
    rules = "# Agent\n\n## Session Startup\nRead the plan.\n\n## Red Lines\nNever push to main.\n"
    (tmp_path / "AGENTS.md").write_text(rules, encoding="utf-8")
    small = ("--set", "compaction.keep=1500", "--set", "compaction.mode=safeguard")
    assert "Never push to main." in document(talked, *small, "--workspace", tmp_path)["summary"]
    assert "Never push to main." not in document(talked, *small)["summary"]
    code, _, err = run(talked, *small, "--workspace", tmp_path / "nowhere")
    assert code != 0
    assert "nowhere" in err
