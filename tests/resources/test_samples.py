"""The bundled samples: generated, listed, readable; their usage follows from their messages, and each has its story."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core import compaction, compaction_run, models
from core.compaction_audit import of_run
from core.format import open_session
from core.messages import Usage
from core.phrase import LANGUAGES, catalogue
from core.redaction import redact
from core.retention import mentions
from core.session import Request, Session
from core.summarizer import Scene
from core.summarizers import scripted
from resources.samples import generate, guard_rules, hostile_details, overflow, tokens
from resources.samples.prefix_cache import PrefixCache
from resources.samples.wire import Block
from tests.reference.vectors import Case, cases

FOLDER = Path(str(files("resources.samples")))
NAMES = [sample.name for sample in generate.SAMPLES]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return generate.generated()


@cache
def session(name: str) -> Session:
    return open_session(FOLDER / f"{name}.jsonl")


@cache
def entries(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")[:-1])


def requests(name: str) -> tuple[Request, ...]:
    opened = session(name)
    return tuple(opened.requests(opened.path_to(opened.active_leaf)))


def messages(name: str, role: str) -> list[dict[str, Any]]:
    return [e["message"] for e in entries(name) if e["type"] == "message" and e["message"]["role"] == role]


def counted(name: str) -> list[dict[str, Any]]:
    """Assistant messages with recorded tokens."""
    return [message for message in messages(name, "assistant") if message["usage"]["totalTokens"]]


# The generator ------------------------------------------------------------------------------------------------------


def test_committed_files_are_what_the_generator_writes(texts: dict[str, str]) -> None:
    """A sample changes by changing the generator; the files are never edited."""
    for name, text in texts.items():
        assert (FOLDER / name).read_bytes() == text.encode(), f"{name}: run python -m resources.samples.generate"


def test_no_file_without_a_generator(texts: dict[str, str]) -> None:
    assert {path.name for path in FOLDER.glob("*.json*")} == set(texts)


def test_the_generator_has_no_memory(texts: dict[str, str]) -> None:
    """A second run in the same process gives the same bytes: no shared random state, no clock."""
    assert generate.generated() == texts


def test_main_writes_the_files(tmp_path: Path, texts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(tmp_path) == 0
    assert {path.name: path.read_bytes().decode() for path in tmp_path.iterdir()} == texts
    said = capsys.readouterr().err
    assert all(name in said for name in texts)


# The list -----------------------------------------------------------------------------------------------------------


def test_the_list_counts_the_requests_right() -> None:
    """The start page promises a number of requests; opening the sample must show it."""
    rows = json.loads((FOLDER / "index.json").read_text())
    assert [row["file"] for row in rows] == [f"{name}.jsonl" for name in NAMES]
    for row in rows:
        name = row["file"].removesuffix(".jsonl")
        assert row["requests"] == len(requests(name))
        assert row["request"] is None or 1 <= row["request"] <= row["requests"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sample_has_words(language: str) -> None:
    """Title, what it teaches and its facts, in both languages; the facts begin with the number of requests."""
    words = catalogue(language)
    for sample in generate.SAMPLES:
        key = sample.name.replace("-", "_")
        assert words[f"sample.{key}.title"]
        assert words[f"sample.{key}.teaches"]
        assert str(words[f"sample.{key}.facts"]).startswith(f"{sample.requests} ")


# Every file ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_is_a_clean_session_of_version_3(name: str) -> None:
    """Read by the product itself; the only problem of all samples is the one that the first shows on purpose."""
    opened = session(name)
    assert opened.header is not None
    assert opened.header.version == 3
    problems = [(problem.code, problem.line) for problem in opened.problems]
    assert problems == ([("dangling_parent", 118)] if name == "flaky-test" else [])


@pytest.mark.parametrize("name", NAMES)
def test_is_small_enough_to_ship(name: str) -> None:
    assert (FOLDER / f"{name}.jsonl").stat().st_size < 950_000


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_unique_and_time_goes_forward(name: str) -> None:
    rows = entries(name)
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids))
    assert [row["timestamp"] for row in rows] == sorted(row["timestamp"] for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_text_is_clean(name: str) -> None:
    """No lone surrogates and no control characters: those belong to test cases, not to a first impression."""
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    assert not [c for c in text if c != "\n" and (ord(c) < 0x20 or 0xD800 <= ord(c) < 0xE000)]


@pytest.mark.parametrize("name", NAMES)
def test_usage_adds_up_and_is_priced(name: str) -> None:
    """totalTokens is the sum of the four counts, and every cost is what the dated price table gives."""
    for message in counted(name):
        raw = message["usage"]
        assert raw["totalTokens"] == raw["input"] + raw["output"] + raw["cacheRead"] + raw["cacheWrite"]
        parts = sum(raw["cost"][part] for part in ("input", "output", "cacheRead", "cacheWrite"))
        assert raw["cost"]["total"] == pytest.approx(parts)
        usage = Usage(input=raw["input"], output=raw["output"], read=raw["cacheRead"], write=raw["cacheWrite"])
        cost = models.cost(message["model"], usage, message["timestamp"])
        assert cost is not None
        assert Decimal(repr(raw["cost"]["total"])) == pytest.approx(cost, abs=Decimal("1e-9"))


@pytest.mark.parametrize("name", NAMES)
def test_prompts_fit_the_window(name: str) -> None:
    for message in counted(name):
        model = models.find(message["model"])
        assert model is not None
        assert message["usage"]["totalTokens"] <= model.context


@pytest.mark.parametrize("name", NAMES)
def test_only_the_scaffolding_is_never_cached(name: str) -> None:
    """Tokens behind the last mark: three or four in every request."""
    assert {message["usage"]["input"] for message in counted(name)} <= {3, 4}


@pytest.mark.parametrize("name", NAMES)
def test_a_read_ends_where_an_earlier_request_wrote(name: str) -> None:
    """Every cache read is nothing, the stable system part, or exactly what an earlier request had read and written."""
    stable = {
        "flaky-test": 18_120,
        "guard": 12_060,
        "broken-pairs": 11_300,
        "two-branches": 5_260,
        "hostile-details": 12_400,
        "traced-session": 2_112,
        "overflow": 17_300,
    }[name]
    seen = {0, stable}
    for message in counted(name):
        usage = message["usage"]
        assert usage["cacheRead"] in seen
        seen.add(usage["cacheRead"] + usage["cacheWrite"])


@pytest.mark.parametrize("name", NAMES)
def test_sizes_follow_one_tokenizer(name: str) -> None:
    """Law: an answer's output is the sum of its blocks under the sample tokenizer and what stands around a block."""
    for message in counted(name):
        said = [part.get("text") or part.get("thinking") or "" for part in message["content"]]
        calls = [part for part in message["content"] if part["type"] == "toolCall"]
        least = sum(map(tokens.tokens, said)) + sum(
            tokens.tokens(json.dumps(call.get("arguments"), ensure_ascii=False, separators=(",", ":")))
            for call in calls
        )
        around = 50 * len(message["content"])
        assert least <= message["usage"]["output"] <= max(1, least + around)


# The stories --------------------------------------------------------------------------------------------------------


def test_flaky_breaks_of_the_cache() -> None:
    """Cold start, a pause longer than five minutes, eight requests with cut results (the last finds only the stable
    part), the compaction, a changed tool list. Everything else reads what the request before it left."""
    usages = [request.usage for request in requests("flaky-test")]
    broken = {}
    for number, (before, usage) in enumerate(pairwise(usages), start=2):
        if usage.read != before.read + before.write:
            broken[number] = usage.read
    assert list(broken) == [12, *range(23, 32), 38]
    assert broken[12] == broken[38] == 0
    assert broken[30] == broken[31] == 18_120
    assert broken[23] == usages[20].read + usages[20].write
    assert {broken[number] for number in range(24, 30)} == {usages[21].read + usages[21].write}


def test_flaky_request_23() -> None:
    """88 messages and 62 calls stand before it, one of them without a result; the newest result has 48,211 characters,
    and the guard takes from the three before it."""
    opened = session("flaky-test")
    path = opened.path_to(opened.active_leaf)
    before = path[: path.index(requests("flaky-test")[22].entry)]
    sent = [opened.body(row) for row in before if opened.type_of(row) in ("message", "branch_summary")]
    assert len(sent) == 88
    calls = [
        part["id"]
        for entry in sent
        if entry.get("message", {}).get("role") == "assistant"
        for part in entry["message"]["content"]
        if part["type"] == "toolCall"
    ]
    results = [e["message"] for e in sent if e.get("message", {}).get("role") == "toolResult"]
    assert (len(calls), len(results)) == (62, 61)
    assert len(results[-1]["content"][0]["text"]) == 48_211
    wire = [e["message"] for e in sent if "message" in e]
    cut = guard_rules.cut_results(wire, 200_000)
    touched = [at for at, (old, new) in enumerate(zip(wire, cut, strict=True)) if old is not new]
    assert [wire[at]["toolName"] for at in touched] == ["read", "read", "edit"]
    assert guard_rules.total(cut) <= 600_000 < guard_rules.total(wire)


def test_flaky_has_what_a_tour_needs() -> None:
    """A left branch with its summary, a label, a name, a mirror, an aborted answer, cache notes, a compaction, side
    information on results, Chinese, an emoji and a very long line."""
    kinds = Counter(row["type"] for row in entries("flaky-test"))
    expected = {"branch_summary": 1, "label": 1, "session_info": 1, "compaction": 1, "model_change": 1}
    assert {kind: kinds[kind] for kind in expected} == expected
    custom = Counter(row["customType"] for row in entries("flaky-test") if row["type"] == "custom")
    assert custom == {"model-snapshot": 1, "openclaw.cache-ttl": 6}
    assistants = messages("flaky-test", "assistant")
    assert sum(message["model"] == "delivery-mirror" for message in assistants) == 1
    assert sum(message["stopReason"] == "aborted" for message in assistants) == 1
    details = [m["details"] for m in messages("flaky-test", "toolResult") if "details" in m]
    assert sum(len(json.dumps(item)) for item in details) > 80_000
    text = (FOLDER / "flaky-test.jsonl").read_text(encoding="utf-8")
    assert "再确认一下" in text
    assert "\N{GRINNING FACE}" in text
    lines = [
        line for m in messages("flaky-test", "toolResult") for line in m["content"][0]["text"].split("\n")
    ]  # fmt: skip
    assert max(map(len, lines)) > 7_000
    assert len(session("flaky-test").leaves) == 3


def test_flaky_summary_forgets_two_names() -> None:
    """The audit of identifiers has something to find: both are used again after the compaction."""
    rows = entries("flaky-test")
    at = next(number for number, row in enumerate(rows) if row["type"] == "compaction")
    later = json.dumps(rows[at + 1 :], ensure_ascii=False)
    for name in ("tests/conftest.py", "PYTHONHASHSEED=4127"):
        assert name not in rows[at]["summary"]
        assert name in json.dumps(rows[:at], ensure_ascii=False)
        assert name in later
    assert "src/parser/cache.py" in rows[at]["summary"]
    assert 4_500 < tokens.tokens(rows[at]["summary"]) < 6_000


def test_flaky_prompt_grows_shrinks_and_grows() -> None:
    prompts = [request.usage.prompt for request in requests("flaky-test")]
    assert max(prompts) == max(prompts[22:30]) > 130_000
    assert prompts[30] < 40_000
    assert prompts[45] > 100_000


def test_two_branches_loses_a_decision() -> None:
    """Messages that the first compaction kept stand before the point from which the second keeps, and the numbers the
    user gave in them are in neither summary.

        … 12 │ 13 14 15 16 │C1│ 17 … 25 │ 26 27 28 │C2│ 29 …
                kept by C1, summarised by nobody ─┘ └─ kept by C2
    """
    rows = entries("two-branches")
    place = {row["id"]: number for number, row in enumerate(rows)}
    first, second = [row for row in rows if row["type"] == "compaction"]
    lost = rows[place[first["firstKeptEntryId"]] : place[first["id"]]]
    assert place[second["firstKeptEntryId"]] > place[first["id"]]
    said = json.dumps(lost, ensure_ascii=False)
    assert "Free keys get 20 a minute" in said
    for row in (first, second):
        assert "1,200" not in row["summary"]
        assert "1,000" not in row["summary"]
    assert len(lost) > 8
    assert len(session("two-branches").leaves) == 3
    assert len(session("two-branches").branch_points) == 1


def test_hostile_details_are_hostile_in_details_only() -> None:
    """Every order to the reader stands in some `details` and in no content; two secrets stand in a file."""
    results = messages("hostile-details", "toolResult")
    details = json.dumps([result.get("details") for result in results], ensure_ascii=False)
    spoken = [entry["message"] for entry in entries("hostile-details") if entry["type"] == "message"]
    said = json.dumps([{**message, "details": None} for message in spoken], ensure_ascii=False)
    for order in (*hostile_details.ORDERS, hostile_details.STATUS):
        told = json.dumps(order, ensure_ascii=False)[1:-1]
        assert told in details
        assert told not in said
    (settings,) = [r["content"][0]["text"] for r in results if "CURRENCY" in r["content"][0]["text"]]
    assert len(redact(settings).marks) == 2


def test_broken_pairs_are_broken_in_every_way() -> None:
    """Calls without a result, results without a call, one id twice, a late result, an id used by two results, calls
    without name, id or input, users in a row, empty and failed answers, a mirror, a heartbeat, a hidden command."""
    rows = [row["message"] for row in entries("broken-pairs") if row["type"] == "message"]
    calls = [part for m in rows if m["role"] == "assistant" for part in m["content"] if part["type"] == "toolCall"]
    ids = Counter(call.get("id") for call in calls)
    results = Counter(m["toolCallId"] for m in rows if m["role"] == "toolResult")
    assert [id for id in ids if id and id not in results]
    assert [id for id in results if id not in ids]
    assert [id for id in results if results[id] == 2 and ids[id] == 1]
    assert ids["functions_exec_0"] == results["functions_exec_0"] == 2
    assert ids["call_01"] == 2
    assert [call for call in calls if not call["name"]]
    assert [call for call in calls if "id" not in call]
    assert [call for call in calls if "arguments" not in call]
    roles = [m["role"] for m in rows]
    pairs = list(pairwise(roles))
    assert ("user", "user") in pairs
    assert ("user", "toolResult") in pairs
    stops = Counter((m["stopReason"], bool(m["content"])) for m in rows if m["role"] == "assistant")
    assert stops["stop", False] == 1
    assert stops["error", True] == stops["error", False] == 1
    assert [m for m in rows if m["role"] == "bashExecution" and m.get("excludeFromContext")]
    assert [m for m in rows if m["role"] == "assistant" and m["content"] == [{"type": "text", "text": "HEARTBEAT_OK"}]]
    assert [m for m in rows if m.get("model") == "delivery-mirror"]


def test_guard_reaches_every_limit() -> None:
    """As the guard counts, with a window of 200,000: one result over 200,000, everything over 600,000 from request 20
    on, and user and assistant alone over 720,000 in the last request only."""
    opened = session("guard")
    path = opened.path_to(opened.active_leaf)
    totals, words = [], []
    for request in requests("guard"):
        before = [opened.body(row)["message"] for row in path[: path.index(request.entry)] if opened.role_of(row)]
        sent = [m for m in before if m.get("provider") != "openclaw"]
        totals.append(guard_rules.total(sent))
        words.append(guard_rules.total([m for m in sent if m["role"] != "toolResult"]))
    largest = max(len(m["content"][0]["text"]) for m in messages("guard", "toolResult"))
    assert 100_000 < largest < 110_000
    assert next(number for number, total in enumerate(totals, start=1) if total > 600_000) == 20
    assert [number for number, total in enumerate(words, start=1) if total > 720_000] == [32]


def test_guard_breaks_nothing_while_it_is_recorded() -> None:
    """It was recorded without a guard: every read is whole, so each break of a replay comes from the policy."""
    usages = [request.usage for request in requests("guard")]
    for before, usage in pairwise(usages):
        assert usage.read == before.read + before.write


# The pretended agent ------------------------------------------------------------------------------------------------


def _with_lists(message: dict[str, Any]) -> dict[str, Any]:
    """The samples write content as blocks only; a string is one text block."""
    content = message.get("content")
    return {**message, "content": [{"type": "text", "text": content}]} if isinstance(content, str) else message


def _plain(case: Case) -> bool:
    """Windows of a real size, messages of text and calls only, no overflow: what the samples consist of."""
    given = case.input
    if case.throws or given["contextWindowTokens"] < 1_024 or case.output.get("preferOverflow"):
        return False
    for message in given["messages"]:
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant", "toolResult"):
            return False
        if "details" in message or not isinstance(_with_lists(message).get("content"), list):
            return False
        if message["role"] == "assistant" and not isinstance(message["content"], list):
            return False
        for part in _with_lists(message)["content"]:
            known = ("text",) if message["role"] != "assistant" else ("text", "toolCall")
            if not isinstance(part, dict) or part.get("type") not in known:
                return False
            if part["type"] == "text" and not (isinstance(part.get("text"), str) and part["text"].isascii()):
                return False
    return True


@pytest.mark.parametrize("case", cases("toolResultContextGuard", version="2026.4.5", where=_plain))
def test_its_guard_agrees_with_the_recordings(case: Case) -> None:
    """The usage of the first sample rests on these rules, so they are held against the real agent's cuts."""
    given = [_with_lists(message) for message in case.input["messages"]]
    assert guard_rules.total(given) == case.output["estimatedBefore"]
    assert (
        guard_rules.total(guard_rules.cut_results(given, case.input["contextWindowTokens"]))
        == case.output["estimatedAfter"]
    )


def test_its_cache_looks_back_twenty_blocks() -> None:
    """An entry at block 15 is found from a mark at block 34 and not from one at 35 (prompt cache 1)."""
    blocks = [Block(f"block {number}", 100) for number in range(1, 41)]
    for mark, read in ((34, 1_500), (35, 0)):
        cache = PrefixCache(minimum=1_024)
        assert cache.request(blocks[:15], marks=(14,), at_ms=0) == (0, 1_500)
        assert cache.request(blocks[:mark], marks=(mark - 1,), at_ms=1_000)[0] == read


def test_its_cache_lives_five_minutes_from_the_last_use() -> None:
    """Write at 0, read at 4 min and at 8 min; nothing is left at 13 min and a millisecond."""
    cache = PrefixCache(minimum=1_024)
    blocks = [Block("all", 2_000)]
    reads = [cache.request(blocks, marks=(0,), at_ms=at)[0] for at in (0, 240_000, 480_000, 780_001)]
    assert reads == [0, 2_000, 2_000, 0]


def test_its_cache_has_a_minimum() -> None:
    cache = PrefixCache(minimum=1_024)
    blocks = [Block("short", 1_023)]
    assert [cache.request(blocks, marks=(0,), at_ms=at) for at in (0, 1)] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),  # a word takes the space before it
        ("12345678", 3),  # digits by threes
        ("    return value\n", 4),  # indentation, two words, the line end
        ("你好世界", 5),  # a Chinese character is a bit more than one
        ("\U0001f600", 2),
        ("internationalisation", 4),  # long words fall apart
    ],
)
def test_its_tokenizer(text: str, count: int) -> None:
    assert tokens.tokens(text) == count


def side(ending: str) -> list[dict[str, Any]]:
    text = (FOLDER / f"traced-session.{ending}").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def test_traced_calls_are_the_requests() -> None:
    """Every request has its call in the cache trace, sent just before its answer began; a run has one trajectory."""
    calls = [line for line in side("cache-trace.jsonl") if line["stage"] == "stream:context"]
    asked = requests("traced-session")
    assert len(calls) == len(asked) == 17
    assert [line["messages"][-1]["role"] for line in calls].count("user") == 5
    runs = [line["runId"] for line in side("trajectory.jsonl") if line["type"] == "context.compiled"]
    assert len(runs) == len(set(runs)) == 5
    assert {line["runId"] for line in calls} == set(runs)


def test_traced_roster_shrinks_and_returns() -> None:
    """Nine tools, six, nine again; the whole prompt is written again both times."""
    rosters = [len(line["data"]["tools"]) for line in side("trajectory.jsonl") if line["type"] == "context.compiled"]
    assert rosters == [9, 6, 9, 9, 9]
    usages = [request.usage for request in requests("traced-session")]
    assert [number for number, usage in enumerate(usages, 1) if usage.read == 0] == [1, 5, 8, 12]


def test_traced_system_prompt() -> None:
    """One boundary, a second marker in the last run, and a time above the boundary that changed once."""
    systems = [line["system"] for line in side("cache-trace.jsonl") if line["stage"] == "stream:context"]
    marker = "\n<!-- OPENCLAW_CACHE_BOUNDARY -->\n"
    assert [text.count(marker) for text in systems] == [1] * 14 + [2] * 3
    started = [text.partition("Agent started: ")[2][:20] for text in systems]
    assert len(set(started[:11])) == len(set(started[11:])) == 1
    assert started[10] != started[11]
    stable = [text.partition(marker)[0] for text in systems]
    assert len(set(stable)) == 2


def test_traced_lists_are_cut_as_a_trajectory_cuts_them() -> None:
    for line in side("trajectory.jsonl"):
        assert len(line["data"].get("messages", ())) <= 64


# Overflow, three fallbacks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "broken", "level"),
    [({}, frozenset(), 1), ({"largest": 80_000}, frozenset(), 2), ({"fail": ("all",)}, frozenset(), 3)],
)
def test_overflow_reaches_every_rung(script: dict[str, Any], broken: frozenset[int], level: int) -> None:
    """A compaction is due before request 6; the log alone is too large for the second rung, and a plain note loses what
    is asked for later."""
    opened = session("overflow")
    path = opened.path_to(opened.active_leaf)
    before = path[: path.index(requests("overflow")[5].entry)]
    planned = compaction.plan(opened, before, 200_000)
    assert planned is not None
    assert planned.due
    assert len(planned.oversized) == 1
    done = compaction_run.run(opened, planned, scripted.make(scripted.Settings(**script), Scene()), broken=broken)
    assert done.rung == level
    missed = {item.identifier.text for item in of_run(opened, mentions(opened, path), done).missed}
    assert {overflow.TRACE, overflow.ORDER} <= missed


def test_overflow_fits_into_the_window() -> None:
    """It is full, and no request is larger than what the provider takes."""
    assert all(request.usage.prompt < 200_000 for request in requests("overflow"))
    assert requests("overflow")[5].usage.prompt > 180_000
