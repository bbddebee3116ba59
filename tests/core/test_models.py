"""Windows, dated prices and cache minimums: the table's form, every documented row, dates, tiers and look-up."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal as D
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import models
from core.errors import UnreadableFile
from core.messages import Usage
from tests.reference.vectors import UNDEFINED, cases

RAW = json.loads((files("resources") / "models.json").read_text(encoding="utf-8"))


def day(text: str) -> int:
    """Epoch milliseconds of a moment in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def figures(price: models.Price) -> tuple[str, ...]:
    """Input, output, read, write, long write, without trailing zeros."""
    money = (price.input, price.output, price.read, price.write, price.write_1h)
    return tuple(f"{value.normalize():f}" for value in money)


def prices(model: str, when: str | None = None, prompt: int = 1_000) -> tuple[str, ...]:
    price = models.price_at(model, None if when is None else day(when), prompt)
    assert price is not None
    return figures(price)


# The form of the table ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", RAW["models"], ids=lambda row: row["id"])
def test_row_has_the_form_of_the_table(row: dict) -> None:
    """Sizes are whole numbers, money is decimal text, policies and sources are named, dates are dates."""
    assert set(row) - {"note", "context_max"} == {
        *("id", "patterns", "family", "policy", "context", "max_output", "minimum", "prices", "source", "as_of"),
    }
    assert row["patterns"]
    assert all(isinstance(pattern, str) for pattern in row["patterns"])
    assert row["family"] in {"anthropic", "openai", "google", "deepseek", "xai"}
    assert row["policy"] is None or row["policy"] in RAW["policies"]
    assert row["source"]
    assert set(row["source"]) <= set(RAW["sources"])
    assert date.fromisoformat(row["as_of"])
    for size in ("context", "max_output", "minimum"):
        assert row[size] is None or (type(row[size]) is int and row[size] > 0)
    for price in row["prices"]:
        assert set(price) <= {"from", "until", "above", "input", "output", "read", "write", "write_1h"}
        for name in ("input", "output", "read", "write", "write_1h"):
            assert name not in price or (isinstance(price[name], str) and D(price[name]) > 0)
        assert type(price.get("above", 0)) is int


def test_no_two_rows_claim_the_same_id() -> None:
    """Ids and literal patterns are unique, also once dots and dashes are the same."""
    patterns = [pattern for model in models.table() for pattern in model.patterns]
    assert len(patterns) == len(set(patterns))
    assert len({model.id for model in models.table()}) == len(models.table())


@pytest.mark.parametrize("model", models.table(), ids=lambda model: model.id)
def test_prices_of_one_size_follow_each_other(model: models.Model) -> None:
    """No two prices of a tier hold on the same day, every dated price meets the next, and prices are ordered as they
    must be: reading is cheapest, writing costs at least as much as plain input."""
    for above in {row.above for row in model.prices}:
        rows = sorted((r for r in model.prices if r.above == above), key=lambda r: r.since or date.min)
        for first, second in combinations(rows, 2):
            assert first.until is not None
            assert first.until <= (second.since or date.min)
    for row in model.prices:
        assert row.price.read < row.price.input <= row.price.write <= row.price.write_1h


@pytest.mark.parametrize("model", models.table(), ids=lambda model: model.id)
def test_every_pattern_finds_its_own_row(model: models.Model) -> None:
    for pattern in model.patterns:
        assert models.find(pattern) is model


# Every documented row -----------------------------------------------------------------------------------------------

ROWS = """
claude-fable-5-2       1000000 128000     - 8    40  0.2   10    16
claude-mythos-5-2      1000000 128000     - 8    40  0.2   10    16
claude-fable-5-1       1000000 128000   512 10   50  0.25  12.5  20
claude-fable-5         1000000 128000   512 10   50  1     12.5  20
claude-opus-5-5        1000000 128000   512 4    20  0.2   5     8
claude-opus-5          1000000 128000   512 5    25  0.5   6.25  10
claude-opus-4-8        1000000 128000  1024 5    25  0.5   6.25  10
claude-opus-4-7        1000000 128000  2048 5    25  0.5   6.25  10
claude-opus-4-6        1000000 128000  4096 5    25  0.5   6.25  10
claude-opus-4-5         200000  64000  4096 5    25  0.5   6.25  10
claude-sonnet-5-5      1000000 128000   512 2    10  0.1   2.5   4
claude-sonnet-5        1000000 128000  1024 2    10  0.2   2.5   4
claude-sonnet-4-6      1000000 128000  1024 3    15  0.3   3.75  6
claude-sonnet-4-5       200000  64000  1024 3    15  0.3   3.75  6
claude-haiku-5-5       1000000 128000   512 0.1  0.5 0.01  0.125 0.2
claude-haiku-4-5        200000  64000  4096 1    5   0.1   1.25  2
gpt-6.2-astra           922000 128000  1024 8    40  0.4   10    10
gpt-6.2-sol             922000 128000  1024 2    10  0.1   2.5   5
gpt-6.1-sol             922000 128000  1024 2    10  0.1   2.5   5
gpt-6-astra             922000 128000  1024 10   50  1     12.5  25
gpt-6-sol               922000 128000  1024 2    10  0.2   2.5   5
gpt-6.1-terra           922000 128000  1024 1    5   0.05  1.25  2.5
gpt-6-luna              922000 128000  1024 0.1  0.5 0.01  0.125 0.25
gpt-5.6-sol             922000 128000  1024 4    20  0.4   5     10
gpt-5.6-terra           922000 128000  1024 2    12  0.2   2.5   5
gpt-5.6-luna            922000 128000  1024 0.2  1.2 0.02  0.25  0.5
gpt-5.5                1050000 128000  1024 5    30  0.5   5     5
gpt-5.1                 400000 128000  1024 1.25 10  0.125 1.25  1.25
gpt-5                   400000 128000  1024 1.25 10  0.125 1.25  1.25
gemini-4-argon         1048576      -  4096 2    10  0.1   2     2
gemini-3.8-flash       1048576  65536  4096 0.75 3.75 0.075 0.75 0.75
gemini-3.7-flash       1048576  65536  4096 0.75 3.75 0.075 0.75 0.75
gemini-3.6-flash       1048576  65536  4096 0.75 3.75 0.075 0.75 0.75
gemini-3.1-pro-preview 1048576  65536  4096 2    12  0.2   2     2
deepseek-flash         1000000 393000     - 0.15 0.6 0.003 0.15  0.15
grok-4.7                500000 500000     - 2    6   0.5   2     2
""".strip().splitlines()


@pytest.mark.parametrize("line", ROWS, ids=lambda line: line.split()[0])
def test_documented_row(line: str) -> None:
    """Columns: window, longest output, cacheable minimum, then input, output, read, write, long write (Nov 2026)."""
    id, context, output, minimum, *money = line.split()
    model = models.find(id)
    assert model is not None
    known = (str(model.context), str(model.max_output or "-"), str(model.minimum or "-"))
    assert known == (context, output, minimum)
    assert prices(id, "2026-11-20T12:00") == tuple(f"{D(value).normalize():f}" for value in money)


MINIMUMS = [
    *(
        (512, id)
        for id in ("claude-opus-5", "claude-opus-5-5", "claude-fable-5", "claude-mythos-5", "claude-fable-5-1")
    ),
    *((512, id) for id in ("claude-mythos-5-1", "claude-sonnet-5-5", "claude-haiku-5-5")),
    *((1024, id) for id in ("claude-opus-4-8", "claude-opus-4-1", "claude-opus-4", "claude-sonnet-5")),
    *((1024, id) for id in ("claude-sonnet-4-6", "claude-sonnet-4-5", "claude-sonnet-4")),
    *((2048, id) for id in ("claude-opus-4-7", "claude-mythos-preview", "claude-3-5-haiku")),
    *((4096, id) for id in ("claude-opus-4-6", "claude-opus-4-5", "claude-haiku-4-5")),
]


@pytest.mark.parametrize(("minimum", "id"), MINIMUMS)
def test_cacheable_minimum(minimum: int, id: str) -> None:
    """The provider's table of minimum prefixes (prompt cache 1)."""
    model = models.find(id)
    assert model is not None
    assert model.minimum == minimum


@pytest.mark.parametrize("model", [m for m in models.table() if m.family == "anthropic"], ids=lambda m: m.id)
def test_anthropic_writes_cost_a_fixed_multiple(model: models.Model) -> None:
    """1.25 times the input price for five minutes, twice for an hour (prompt cache 1)."""
    for row in model.prices:
        assert row.price.write == row.price.input * D("1.25")
        assert row.price.write_1h == row.price.input * 2


@pytest.mark.parametrize(
    ("id", "policy", "lifetime"),
    [
        ("claude-sonnet-4-5", "anthropic-5m", 300),
        ("gpt-6-sol", "openai-5.6+", 1800),
        ("gpt-5.5", "openai-legacy", 600),
        ("gemini-3.8-flash", "gemini-implicit", None),
        ("deepseek-flash", "deepseek", None),
        ("grok-4.7", None, None),
    ],
)
def test_cache_policy(id: str, policy: str | None, lifetime: float | None) -> None:
    model = models.find(id)
    assert model is not None
    assert (model.policy, model.lifetime_s) == (policy, lifetime)


# Dates and tiers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "prompt", "before", "after", "edge"),
    [
        # read price cut in half
        ("claude-sonnet-5-5", 9, ("2", "10", "0.2", "2.5", "4"), ("2", "10", "0.1", "2.5", "4"), "2026-10-07"),
        # the premium for long prompts ends; short prompts cost the same on both sides
        (
            "claude-sonnet-4-6",
            200_001,
            ("6", "22.5", "0.6", "7.5", "12"),
            ("3", "15", "0.3", "3.75", "6"),
            "2026-03-13",
        ),
        ("claude-sonnet-4-6", 200_000, ("3", "15", "0.3", "3.75", "6"), ("3", "15", "0.3", "3.75", "6"), "2026-03-13"),
        (
            "claude-opus-4-6",
            200_001,
            ("10", "37.5", "1", "12.5", "20"),
            ("5", "25", "0.5", "6.25", "10"),
            "2026-03-13",
        ),
        # prices that double
        ("gemini-4-argon", 9, ("2", "10", "0.1", "2", "2"), ("4", "20", "0.2", "4", "4"), "2026-12-01"),
        (
            "gemini-3.8-flash",
            9,
            ("0.75", "3.75", "0.075", "0.75", "0.75"),
            ("1.5", "7.5", "0.15", "1.5", "1.5"),
            "2027-01-01",
        ),
        # prices that fell
        ("gpt-5.6-sol", 9, ("5", "30", "0.5", "6.25", "6.25"), ("4", "20", "0.4", "5", "10"), "2026-08-21"),
        ("gpt-5.6-luna", 272_001, ("2", "9", "0.2", "2.5", "2.5"), ("0.4", "1.8", "0.04", "0.5", "1"), "2026-07-30"),
    ],
)
def test_date_edges(id: str, prompt: int, before: tuple, after: tuple, edge: str) -> None:
    """A price holds until the last millisecond of the day before, and its successor from midnight UTC on."""
    last = models.price_at(id, day(edge) - 1, prompt)
    first = models.price_at(id, day(edge), prompt)
    assert last is not None
    assert first is not None
    assert figures(last) == before
    assert figures(first) == after


@pytest.mark.parametrize(
    ("id", "limit", "small", "large"),
    [
        ("claude-sonnet-4-5", 200_000, ("3", "15", "0.3"), ("6", "22.5", "0.6")),
        ("claude-haiku-5-5", 100_000, ("0.1", "0.5", "0.01"), ("0.5", "2.5", "0.05")),
        ("gpt-6-astra", 272_000, ("10", "50", "1"), ("20", "75", "2")),
        ("gpt-6.2-astra", 272_000, ("8", "40", "0.4"), ("16", "60", "0.8")),
        ("gpt-5.5", 272_000, ("5", "30", "0.5"), ("10", "45", "1")),
        ("gemini-3.1-pro-preview", 200_000, ("2", "12", "0.2"), ("4", "18", "0.4")),
        ("grok-4.7", 200_000, ("2", "6", "0.5"), ("4", "12", "1")),
    ],
)
def test_large_prompts_cost_more(id: str, limit: int, small: tuple, large: tuple) -> None:
    """The step is above the limit, not at it, and holds for the whole request."""
    assert prices(id, "2026-11-20", limit)[:3] == small
    assert prices(id, "2026-11-20", limit + 1)[:3] == large


def test_cached_tokens_count_toward_the_tier() -> None:
    """A request that reads 200,001 tokens from the cache and sends nothing new is a large one: 0.60 per million."""
    assert models.cost("claude-sonnet-4-5", Usage(read=200_001), None) == D("200001") * D("0.60") / 1_000_000


def test_unknown_time_is_the_day_of_the_row() -> None:
    """Of a price that changed twice, the one that held when the row was written down."""
    assert prices("claude-sonnet-5-5")[2] == "0.1"
    assert prices("gemini-4-argon")[0] == "2"


@pytest.mark.parametrize("when", [10**18, -(10**18)])
def test_times_that_no_calendar_holds(when: int) -> None:
    """Damaged files carry such times; they are priced with the last or the first price there is."""
    price = models.price_at("claude-sonnet-5-5", when, 1)
    assert price is not None
    assert price.read == (D("0.10") if when > 0 else D("0.20"))


# Cost ---------------------------------------------------------------------------------------------------------------


def test_cost_is_exact() -> None:
    """The first request of a recorded session: 3 in, 191 out, 1,684 written = $0.009189 (its file says the same)."""
    usage = Usage(input=3, output=191, write=1_684)
    assert models.cost("claude-sonnet-4-5", usage, day("2025-11-20T23:33:54")) == D("0.009189")


def test_long_lived_writes_have_their_own_price() -> None:
    """1,000 written, 400 of them for an hour: 600 x 3.75 + 400 x 6 per million."""
    usage = Usage(write=1_000, write_1h=400)
    assert models.cost("claude-sonnet-4-5", usage, None) == D("0.00465")


def test_a_cache_without_write_fee_writes_at_the_input_price() -> None:
    assert models.cost("gpt-5.1", Usage(write=1_000_000), None) == models.cost("gpt-5.1", Usage(input=1_000_000), None)


counts = st.integers(min_value=0, max_value=10**7)


@given(counts, counts, counts, counts)
def test_cost_adds_up(input: int, output: int, read: int, write: int) -> None:
    """Law: within one tier the cost of a call is the sum of its parts, without rounding."""
    model = models.find("claude-opus-5")
    assert model is not None
    parts = [Usage(input=input), Usage(output=output), Usage(read=read), Usage(write=write)]
    whole = models.cost(model, Usage(input=input, output=output, read=read, write=write), None)
    assert whole == sum(models.cost(model, part, None) or D(0) for part in parts)


# Look-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id",
    [
        "claude-sonnet-4-5",
        "claude-sonnet-4.5",
        "anthropic/claude-sonnet-4.5",
        "openrouter/anthropic/claude-sonnet-4.5:beta",
        "claude-sonnet-4-5-20250929",
        "claude-sonnet-4-5-latest",
        "claude-sonnet-4-5@20250929",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "claude-sonnet-4-5[1m]",
        "  Claude-Sonnet-4-5 ",
    ],
)
def test_one_model_has_many_names(id: str) -> None:
    model = models.find(id)
    assert model is not None
    assert model.id == "claude-sonnet-4-5"


@pytest.mark.parametrize(
    ("id", "found"),
    [
        ("claude-opus-4-20250514", "claude-opus-4"),
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("claude-sonnet-5-5-20260928", "claude-sonnet-5-5"),
        ("claude-3-5-haiku-20241022", "claude-3-5-haiku"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("openai/gpt-5.1-codex", "gpt-5.1"),
        ("gpt-5.6", "gpt-5.6-sol"),
        ("deepseek/deepseek-v4-flash", "deepseek-flash"),
    ],
)
def test_the_closest_row_wins(id: str, found: str) -> None:
    """A date is not a version: `-4-20250514` is Opus 4, `-4-5-20251101` is Opus 4.5."""
    model = models.find(id)
    assert model is not None
    assert model.id == found


@pytest.mark.parametrize(
    "id", ["", "model-a", "claude", "gpt-5-nano", "claude-opus-4-99", "claude-sonnet-5-5-fast", "llama"]
)
def test_unknown_models_stay_unknown(id: str) -> None:
    """A variant is not priced like its neighbour, and nothing is guessed."""
    assert models.find(id) is None
    assert models.price_at(id, None, 1) is None
    assert models.cost(id, Usage(input=1), None) is None


@given(st.text(max_size=60))
def test_any_text_may_be_asked_for(id: str) -> None:
    """Law: model ids come from untrusted files; every text gives a row or None, and its plain form is stable."""
    models.find(id)
    assert models.plain_id(models.plain_id(id)) == models.plain_id(id)


def test_a_model_without_prices_has_no_cost() -> None:
    """Only the minimum is documented for it: no price is made up, and the window is the agents' default."""
    model = models.find("claude-mythos-preview")
    assert model is not None
    assert models.cost(model, Usage(input=1), None) is None
    assert model.context == models.DEFAULT_WINDOW


# A table of one's own -----------------------------------------------------------------------------------------------

OWN = {
    "models": [
        {
            "id": "claude-sonnet-4-5",
            "patterns": ["claude-sonnet-4-5"],
            "family": "anthropic",
            "policy": "anthropic-1h",
            "context": 1_000_000,
            "max_output": 64_000,
            "minimum": 1_024,
            "source": ["contract"],
            "as_of": "2026-11-01",
            "prices": [{"input": "2.40", "output": "12", "read": "0.24", "write": "3", "write_1h": "4.8"}],
        },
        {
            "id": "house-model",
            "patterns": ["house-*"],
            "family": "openai",
            "policy": None,
            "context": 32_000,
            "max_output": None,
            "minimum": None,
            "source": ["us"],
            "as_of": "2026-11-01",
            "prices": [],
        },
    ]
}


def test_own_table_wins_row_by_row(tmp_path: Path) -> None:
    """A negotiated price and a model of the house; everything else stays as shipped."""
    path = tmp_path / "own.json"
    path.write_text(json.dumps(OWN))
    own = models.find("anthropic/claude-sonnet-4.5", path)
    assert own is not None
    assert (own.context, own.lifetime_s) == (1_000_000, 3600)
    assert models.cost("claude-sonnet-4-5", Usage(input=1_000_000), None, path) == D("2.40")
    assert models.cost("claude-sonnet-4-5", Usage(input=1_000_000), None) == D("6")
    house = models.find("house-7b", path)
    assert house is not None
    assert house.context == 32_000
    assert models.find("claude-opus-5", path) is not None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"models": [{"id": "x"}]}', json.dumps(OWN).replace('"2.40"', '"cheap"'), "\xff"]
)
def test_a_bad_table_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UnreadableFile, match=r"own\.json is not a price table"):
        models.table(path)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"none\.json cannot be read"):
        models.table(tmp_path / "none.json")


# The agent's own window ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("resolveContextWindowTokens"))
def test_agent_window_agrees_with_the_recordings(case) -> None:
    """contextTokens, else contextWindow, else 200,000; rounded down, at least 1."""
    model = case.input["model"]
    known = {} if model is UNDEFINED or model is None else model
    named = [None if known.get(key) is UNDEFINED else known.get(key) for key in ("contextTokens", "contextWindow")]
    assert models.agent_window(*named) == case.output["value"]
