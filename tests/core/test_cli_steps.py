"""The verbs `steps` and `policies`: documents, tables, and what is refused."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from core import cli
from core.layer import layers
from core.profile import policies, policy, text
from core.settings import specs

CASES = Path(__file__).parent.parent / "cases"
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
GUARD = str(SAMPLES / "guard.jsonl")


@pytest.fixture
def run(capfdbinary):
    """(exit code, standard output, standard error) of a verb."""

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


def test_steps_document(document):
    """Every key of the specification; roles are the agent's; entries are ids of the file."""
    told = document("steps", case("14"))
    assert set(told) >= {"request", "policy", "window", "counter", "steps", "overflow", "passes", "sent"}
    assert (told["request"], told["policy"], told["overflow"], told["passes"]) == (
        "next",
        "openclaw-2026.4.5",
        False,
        1,
    )
    first, second = told["steps"][:2]
    wanted = {"layer", "title", "fired", "why", "first_touched", "gauges", "edits"}
    wanted |= {f"{unit}_{when}" for unit in ("messages", "chars", "tokens") for when in ("before", "after")}
    assert all(set(step) >= wanted for step in told["steps"])
    assert (first["layer"], first["messages_before"], first["messages_after"]) == ("session_context", 0, 6)
    assert (second["layer"], second["fired"], second["messages_after"], second["first_touched"]) == (
        "replay_filter",
        True,
        4,
        2,
    )
    assert [(e["kind"], e["entry"], e["role"], e["chars_after"]) for e in second["edits"]] == [
        ("dropped", "e0000003", "assistant", 0),
        ("dropped", "e0000006", "assistant", 0),
    ]
    assert told["sent"] == {
        "messages": 4,
        "roles": ["user", "assistant", "user", "assistant"],
        "valid": True,
        "faults": [],
    }


def test_edits_and_gauges(document):
    """Which tool's result was cut, by how much and why; the measured value beside its threshold."""
    requests = document("inspect", GUARD)["requests"]
    found: dict[str, dict] = {}
    for number in range(requests, 0, -1):
        told = document("steps", GUARD, "--request", number)
        found |= {s["layer"]: s for s in told["steps"] if s["edits"] and s["layer"].startswith("guard_")}
        if len(found) == 2:
            break
    edit = found["guard_single"]["edits"][0]
    assert (edit["kind"], edit["role"]) == ("replaced", "toolResult")
    assert edit["tool"]
    assert edit["chars_after"] < edit["chars_before"]
    assert "guard characters" in edit["reason"]
    [gauge] = found["guard_context"]["gauges"]
    assert (gauge["name"], gauge["threshold"], gauge["unit"]) == ("total", 600_000, "guard_chars")
    assert gauge["value"] > gauge["threshold"]
    assert found["guard_context"]["first_touched"] == min(e["index"] for e in found["guard_context"]["edits"])


def test_overflow_is_told(document):
    """By the document, by the step that raises, and by one pass: the compaction that follows is not simulated."""
    told = document("steps", GUARD, "--request", "last", "--set", "guard_overflow.share=0.05", "--window", "20000")
    assert (told["overflow"], told["passes"]) == (True, 1)
    assert [s["layer"] for s in told["steps"] if s["overflow"]] == ["guard_overflow"]


def test_sizes_are_carried_from_step_to_step(document):
    for number in ("1", "last", "next"):
        steps = document("steps", GUARD, "--request", number)["steps"]
        for before, after in pairwise(steps):
            for unit in ("messages", "chars", "tokens"):
                assert after[f"{unit}_before"] == before[f"{unit}_after"]


def test_the_counter_is_named_and_counts(document):
    """recorded where usage is, else bpe; another one gives other tokens and the same characters."""
    told = {name: document("steps", GUARD, "--counter", name) for name in ("chars", "recorded")}
    assert document("steps", GUARD)["counter"] == "recorded"
    assert document("steps", case("34"))["counter"] == "recorded"
    assert [s["chars_after"] for s in told["chars"]["steps"]] == [s["chars_after"] for s in told["recorded"]["steps"]]
    assert told["chars"]["steps"][0]["tokens_after"] != told["recorded"]["steps"][0]["tokens_after"]


def test_policy_threshold_window_and_engine(document, tmp_path):
    """--policy takes a name or a file; --set a threshold or a switch, several times; --window moves the limits."""
    base = document("steps", case("12"), "--policy", "none")
    assert [s["layer"] for s in base["steps"]] == ["session_context", "provider_messages"]
    told = document(
        *("steps", GUARD, "--window", "50000", "--set", "guard_context.share=0.5", "--set", "replay_filter=off"),
        *("--set", "repair_pairs#2.variant=safe", "--engine", "legacy"),
    )
    by_name = {step["instance"]: step for step in told["steps"]}
    assert told["window"] == 50_000
    assert by_name["guard_context"]["gauges"][0]["threshold"] == 100_000
    assert (by_name["replay_filter"]["on"], by_name["replay_filter"]["why"]) == (False, "Switched off.")
    assert by_name["repair_pairs#2"]["layer"] == "repair_pairs"
    own = tmp_path / "own.toml"
    own.write_text(text(policy("pi")).replace('id = "pi"', 'id = "own"'), encoding="utf-8")
    assert document("steps", case("12"), "--policy", own)["policy"] == "own"


def test_leaf_and_request(document):
    """Another leaf is another path; requests are numbered on it."""
    told = document("steps", case("29"), "--leaf", "e0000004")
    assert told["sent"]["messages"] == 4
    assert document("steps", case("29"), "--request", "1")["entry"] == "e0000002"


def test_faults_name_entry_and_code(document):
    """What the provider would refuse; the prompt as pi sends it, its own repairs off."""
    told = document("steps", case("13"), "--set", "repair_pairs=off")
    assert told["sent"]["valid"] is False
    [fault] = told["sent"]["faults"]
    assert (fault["entry"], fault["code"]) == ("e0000003", "result_without_call")
    assert fault["message"]


def test_made_up_results_have_no_entry(document):
    told = document("steps", case("09"))
    [edit] = next(s for s in told["steps"] if s["fired"])["edits"]
    assert (edit["kind"], edit["entry"], edit["role"], edit["chars_before"]) == ("inserted", None, "toolResult", 0)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_steps_table(run, language):
    """A row a step with sign, size and reason; then the verdict."""
    code, out, err = run("steps", GUARD, "--request", "last", "--lang", language)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    rows = [line for line in lines if line[:2].strip().isdigit()]
    assert len(rows) == len(policy("openclaw-2026.4.5").instances) + 1
    assert "●" in out
    assert "○" in out
    assert "anthropic" in lines[-1]
    assert "{" not in out


def test_tools_and_system_prompt_of_a_trace(run, document):
    """Where a source tells them, a last step puts them in front: its size is theirs, its messages those before it."""
    traced = str(SAMPLES / "traced-session.jsonl")
    steps = document("steps", traced, "--request", "3")["steps"]
    assert len(steps) == len(policy("openclaw-2026.4.5").instances) + 2
    last, before = steps[-1], steps[-2]
    assert (last["layer"], last["fired"], last["first_touched"]) == ("system_prompt", True, 0)
    assert last["messages_after"] == last["messages_before"] == before["messages_after"]
    assert [(part["section"], part["part"], part["from"]["kind"]) for part in last["parts"]] == [
        ("tools", None, "trace"),
        ("system", "stable", "trace"),
        ("system", "dynamic", "trace"),
    ]
    for unit in ("chars", "tokens"):
        assert last[f"{unit}_after"] - before[f"{unit}_after"] == sum(part[unit] for part in last["parts"])
    _, out, _ = run("steps", traced, "--request", "3")
    row = next(line for line in out.splitlines() if line.startswith(f"{len(steps) - 1} ●"))
    assert "System prompt" in row
    assert row.endswith("Tools, stable and dynamic part, from the trace.")


def test_tools_and_system_prompt_given_by_hand(document, tmp_path):
    """A file that a person names is a source too; without any, there is no such step."""
    (tmp_path / "system.txt").write_text("Be kind.", encoding="utf-8")
    known = document("steps", GUARD, "--system", tmp_path / "system.txt")["steps"]
    assert known[-1]["layer"] == "system_prompt"
    assert known[-1]["parts"][0]["from"] == {"kind": "file", "name": "system.txt", "call": None}
    assert document("steps", GUARD)["steps"] == known[:-1]


def test_signs(run):
    """Off, and a step that is not there."""
    _, out, _ = run("steps", case("13"), "--set", "repair_pairs=off")
    assert "2 x" in out
    assert "refuse" in out


def test_hostile_text_stays_text(run, tmp_path):
    """Control characters of a file never reach the terminal."""
    lines = case("09").read_text(encoding="utf-8").replace("model-a", "\\u001b[31mred").replace('"t1"', '"t\\u001b1"')
    (tmp_path / "s.jsonl").write_text(lines, encoding="utf-8")
    code, out, _ = run("steps", tmp_path / "s.jsonl")
    assert code == 0
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["--request", "9"], 1, "no request 9"),
        (["--policy", "nobody"], 1, "openclaw-2026.4.5"),
        (["--policy", "/no/such.toml"], 1, "such.toml"),
        (["--leaf", "nobody"], 1, "nobody"),
        (["--set", "guard_context.share=7"], 2, "guard_context.share"),
        (["--set", "guard_context.shape=7"], 2, "shape"),
        (["--set", "guard_context"], 2, "guard_context"),
        (["--set", "far.share=7"], 2, "far"),
        (["--set", "far=off"], 2, "far"),
        (["--engine", "nobody"], 2, "legacy"),
        (["--policy", "pi", "--engine", "legacy"], 2, "context_engine"),
        (["--window", "0"], 2, "window"),
    ],
)
def test_refusals(run, argv, code, said):
    """One sentence, and whether the file or the words are wrong."""
    policy_of = [] if "--policy" in argv else ["--policy", "openclaw-2026.4.5"]
    got, out, err = run("steps", case("29"), *policy_of, *argv)
    assert (got, out) == (code, "")
    assert said in err
    assert err.count("\n") == 1


# policies


def test_policies_document(document):
    """Every policy with its steps, every layer with the range, unit and default of each threshold."""
    told = document("policies")
    assert [p["policy"] for p in told["policies"]] == list(policies())
    latest = next(p for p in told["policies"] if p["policy"] == "openclaw-2026.4.5")
    assert (latest["date"], latest["reserve"], latest["family"]) == ("2026-04-05", 20_000, "anthropic")
    names = [step["instance"] for step in latest["steps"]]
    assert names == [instance.name for instance in policy("openclaw-2026.4.5").instances]
    assert latest["source"].startswith("Recorded cases")
    assert all(oddity.endswith(".") for oddity in latest["oddities"])
    known = {layer["layer"]: layer for layer in told["layers"]}
    assert set(known) == set(layers())
    for id, module in layers().items():
        assert [s["setting"] for s in known[id]["settings"]] == [f"{id}.{name}" for name in specs(module.Settings)]
    share = next(s for s in known["guard_context"]["settings"] if s["setting"] == "guard_context.share")
    assert (share["kind"], share["low"], share["high"], share["unit"], share["default"]) == (
        "number",
        0.05,
        1.0,
        "share",
        0.75,
    )
    order = next(s for s in known["guard_context"]["settings"] if s["setting"] == "guard_context.order")
    assert order["options"] == ["second_newest", "oldest", "newest"]


def test_one_policy(document):
    assert [p["policy"] for p in document("policies", "--policy", "pi")["policies"]] == ["pi"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_policies_table(run, language):
    """Names, sources, oddities, then every threshold, in both languages."""
    code, out, err = run("policies", "--lang", language)
    assert (code, err) == (0, "")
    for name in policies():
        assert name in out
    assert "guard_context.share" in out
    assert "0.05…1.0 share" in out
    assert "policy." not in out
    assert "setting." not in out


@pytest.mark.parametrize("argv", [["policies", GUARD], ["policies", "--leaf", "x"], ["policies", "--window", "1"]])
def test_policies_takes_no_file(run, argv):
    assert run(*argv)[0] == 2


# orders, keys, what earlier requests handed on


def test_another_order(document, run):
    """Only where the policy allows it; the judge then speaks of what that order would send."""
    file = case("13")
    told = document("steps", file, "--policy", "sliding-window-20", "--order", "repair_pairs, sliding_window")
    names = [step["instance"] for step in told["steps"]]
    assert names.index("repair_pairs") < names.index("sliding_window")
    code, _, err = run("steps", file, "--order", "repair_pairs,limit_history")
    assert code == 1
    assert "order of pi is fixed" in err
    assert run("steps", file, "--policy", "sliding-window-20", "--order", "far,repair_pairs")[0] == 1
    assert run("steps", file, "--policy", "sliding-window-20", "--order", "repair_pairs,repair_pairs")[0] == 2


def test_the_limit_of_a_key(document, run, tmp_path):
    """Given, or from the index beside the file; the limit itself from a configuration."""
    config = tmp_path / "openclaw.json"
    config.write_text(json.dumps({"channels": {"telegram": {"dmHistoryLimit": 1}}}), encoding="utf-8")

    def limit(*argv):
        told = document("steps", *argv, "--config", config)
        return next(step for step in told["steps"] if step["layer"] == "limit_history")

    assert limit(case("14"))["notes"] == []
    given = limit(case("14"), "--session-key", "telegram:dm:42")
    assert given["fired"]
    file = tmp_path / "s.jsonl"
    file.write_bytes(case("14").read_bytes())
    id = json.loads(file.read_bytes().splitlines()[0])["id"]
    index = {"telegram:dm:42": {"sessionId": id}}
    (tmp_path / "sessions.json").write_text(json.dumps(index), encoding="utf-8")
    assert limit(file) == given
    assert run("steps", case("14"), "--config", tmp_path / "missing.json")[0] == 1


def test_cuts_of_earlier_requests_stay(document):
    """Under 2026.9 a request is told with what those before it cut."""
    cut = ["--policy", "openclaw-2026.9", "--set", "project_results.budget=30000"]
    told = document("steps", GUARD, "--request", 20, *cut)
    [step] = [step for step in told["steps"] if step["layer"] == "project_results"]
    assert any("before" in edit["reason"] or "earlier" in edit["reason"] for edit in step["edits"])


def test_marks(document):
    """Which steps change the file for good, and which this request alone."""
    told = document("steps", GUARD, "--policy", "openclaw-2026.9", "--request", 1)
    marks = {step["layer"]: step["mark"] for step in told["steps"]}
    assert (marks["hard_cap"], marks["ttl_pruning"], marks["session_context"]) == ("file", "request", "request")
