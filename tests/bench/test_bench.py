"""What the benchmarks say of their measurements, and the files they measure; never a time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import orjson
import pytest

from core.difference import FirstDifference, first_difference
from core.format import open_session
from tests.bench import __main__ as bench
from tests.bench import bench_prompt_big, files
from tests.bench.figure import Figure, Yardstick, table


def test_p95_is_a_measured_value() -> None:
    """The smallest one that 95 of 100 do not exceed; of a single value that value."""
    assert Figure("", tuple(range(1, 101))).p95 == 95
    assert Figure("", tuple(range(1, 21))).p95 == 19
    assert Figure("", (7.0,)).p95 == 7


@pytest.mark.parametrize(
    ("values", "taken", "limit", "verdict"),
    [
        ((1, 2, 3), "median", 2, "within"),
        ((1, 5, 9), "median", 2, "over at times"),
        ((3, 5, 9), "median", 2, "OVER"),
        ((1, 1, 1, 9), "p95", 5, "over at times"),
        ((6, 6, 9), "p95", 5, "OVER"),
        ((6, 6, 9), "max", None, ""),
    ],
)
def test_verdicts(values: tuple[float, ...], taken: str, limit: float | None, verdict: str) -> None:
    """Within, over now and then, or over: by the value that the limit speaks of, then by the better ones."""
    assert Figure("", values, taken, limit).verdict == verdict  # type: ignore[arg-type]


def test_a_figure_crosses_to_the_parent() -> None:
    """A benchmark runs in a process of its own: what it wrote is read back as it was."""
    figure = Figure("open", (1.5, 2.5), "p95", 500, Yardstick("idle gap", 0.5))
    assert Figure.read(json.loads(json.dumps(figure.written()))) == figure
    assert figure.json()["ratio"] == 5.0


def test_the_table_lines_up() -> None:
    """One line a figure under its heading, with limit, verdict and ratio."""
    said = table([Figure("open", (400.0,), limit=500, yardstick=Yardstick("parse", 10)), Figure("zoom", (0.25,))])
    heading, _, first, second = said.splitlines()
    assert first.split()[:4] == ["open", "median", "400", "ms"], first
    assert "within" in first
    assert first.endswith("40.00×")
    assert second.index(" ms") == first.index(" ms"), "numbers stand right under each other"
    assert heading.startswith("figure")


def test_every_benchmark_tells_its_rule() -> None:
    """A sentence, read without importing what it measures."""
    for name in bench.names():
        assert bench.rule_of(name).endswith("."), name


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With the names there are."""
    with pytest.raises(SystemExit):
        bench.main(["--only", "nonsense"])
    assert "cursor" in capsys.readouterr().err


@pytest.mark.parametrize("shape", [files.CORPUS_LIKE, files.BRANCHED], ids=["corpus", "branched"])
def test_files_are_as_they_are_asked_for(tmp_path: Path, shape: files.Shape) -> None:
    """The same bytes each time, about as large and as long as asked, and a session without problems."""
    path = files.write(tmp_path / "a.jsonl", shape)
    assert path.read_bytes() == files.write(tmp_path / "b.jsonl", shape).read_bytes()
    session = open_session(str(path))
    assert session.problems == ()
    assert abs(path.stat().st_size / shape.size - 1) < 0.1
    assert shape.entries <= len(session) < shape.entries * 1.05
    assert len(session.leaves) == shape.branches
    kinds = Counter(session.type_of(row) for row in range(len(session)))
    assert kinds["compaction"] == shape.compactions


def test_the_live_file_has_its_results(tmp_path: Path) -> None:
    """10,000 messages, 3,000 of them results (a tenth of it is written here)."""
    path = files.write(tmp_path / "live.jsonl", files.grown(files.LIVE, 0.1))
    roles = Counter(orjson.loads(line).get("message", {}).get("role") for line in path.read_bytes().splitlines())
    assert 250 < roles["toolResult"] < 400
    assert abs(sum(roles.values()) - roles[None] - 1_000) < 20


def test_the_big_prompt_is_big(tmp_path: Path) -> None:
    """2,000 blocks and 5 MB, one of 1 MB, lines of 400,000 characters; spoiling one changes its last character."""
    session = open_session(str(bench_prompt_big.write(tmp_path / "big.jsonl")))
    blocks = bench_prompt_big.prompt(session, session.path_to(session.active_leaf))
    texts = [block.message.text() for block in blocks]
    assert (len(blocks), max(map(len, texts)) > 990_000) == (2_000, True)
    assert 4_500_000 < sum(map(len, texts)) < 5_500_000
    assert sum(max(map(len, text.split("\n"))) >= 399_999 for text in texts) == 3
    at = texts.index(max(texts, key=len))
    found = first_difference(blocks, bench_prompt_big.spoiled(blocks, at))
    assert found == FirstDifference(at, 0, len(texts[at]) - 1)
