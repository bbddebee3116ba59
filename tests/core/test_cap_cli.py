"""The verb `cap`: what it says, what it writes, and that it writes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import capping, cli, cutting, persistence
from core.cap_documents import cap_table
from core.errors import UsageError
from core.format import open_session
from core.profile import policy
from tests.core.test_capping import HEADER, line, result


@pytest.fixture
def run(capfdbinary):  # type: ignore[no-untyped-def]
    def run(*argv: object):  # type: ignore[no-untyped-def]
        code = cli.run([str(word) for word in argv])
        out, err = capfdbinary.readouterr()
        return code, out.decode("utf-8"), err.decode("utf-8")

    return run


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Three results: one over 40,000 with an important tail, one of many small blocks, one that fits."""
    path = tmp_path / "s.jsonl"
    rows = [
        line("aa", None, {"role": "user", "content": "q"}),
        line("bb", "aa", result("a\n" * 30_000 + "3 failed\nexit code 1")),
        line("cc", "bb", result(*["y" * 3_000] * 20)),
        line("dd", "cc", result("z" * 100)),
    ]
    path.write_bytes(b"\n".join((HEADER, *rows)) + b"\n")
    return path


def test_the_document(run, session: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Every key of the specification, and the file as it says; the session itself stays as it was."""
    before = session.read_bytes()
    code, out, err = run("cap", session, "--output", tmp_path / "new.jsonl", "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert session.read_bytes() == before
    assert told["output"] == str(tmp_path / "new.jsonl")
    assert (told["bytes_before"], told["bytes_after"]) == (len(before), (tmp_path / "new.jsonl").stat().st_size)
    assert [(item["entry"], item["chars_before"], item["over"]) for item in told["capped"]] == [
        ("bb", 60_020, 0),
        ("cc", 60_000, 20 * 2_151 - 40_000),
    ]
    assert told["capped"][0]["words"] == ["failed", "exit code"]
    after = open_session(tmp_path / "new.jsonl")
    assert [item["chars_after"] for item in told["capped"]] == [after.columns.chars[row] for row in (1, 2)]


def test_without_output_nothing_is_written(run, session: Path) -> None:  # type: ignore[no-untyped-def]
    """The plan alone."""
    code, out, _ = run("cap", session, "--json")
    assert (code, json.loads(out)["output"]) == (0, None)
    assert [path.name for path in session.parent.iterdir()] == ["s.jsonl"]


@pytest.mark.parametrize("which", ["itself", "another"])
def test_nothing_is_written_over(run, session: Path, tmp_path: Path, which: str) -> None:  # type: ignore[no-untyped-def]
    """Neither the session nor any other file."""
    target = session if which == "itself" else tmp_path / "other"
    if which == "another":
        target.write_bytes(b"x")
    before = target.read_bytes()
    code, out, err = run("cap", session, "--output", target)
    assert (code, out) == (1, "")
    assert "there already" in err
    assert target.read_bytes() == before


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["--set", "hard_cap.most=x"], 2),
        (["--set", "hard_cap.nothing=1"], 2),
        (["--set", "nobody.most=1"], 2),
        (["--set", "most=1"], 2),
        (["--policy", "nobody"], 1),
        (["--leaf", "aa"], 2),
        (["--output", "/no/such/folder/new.jsonl"], 1),
    ],
)
def test_refusals(run, session: Path, argv: list[str], code: int) -> None:  # type: ignore[no-untyped-def]
    """One sentence, nothing on standard output, no file."""
    got, out, err = run("cap", session, *argv)
    assert (got, out) == (code, "")
    assert err.count("\n") == 1
    assert [path.name for path in session.parent.iterdir()] == ["s.jsonl"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_table(run, session: Path, language: str) -> None:  # type: ignore[no-untyped-def]
    """The same in words; what stays over the cap has a mark that is explained."""
    _, out, _ = run("cap", session, "--lang", language)
    assert "60,020" in out
    assert "43,020 *" in out
    assert "failed, exit code" in out
    assert "{" not in out


def test_the_table_of_nothing() -> None:
    """No result over the cap: no empty grid, no note."""
    document = {"policy": "pi", "most": 40_000, "capped": [], "bytes_before": 5, "bytes_after": 5, "output": None}
    assert cap_table(document, "en").count("\n") == 2


@pytest.mark.parametrize(
    ("name", "window", "most"),
    [
        *[("openclaw-2026.3.24", 0, 400_000), ("openclaw-2026.4.5", 0, 40_000), ("openclaw-2026.4.14", 0, 40_000)],
        *[("article-2", 0, 400_000), ("pi", 0, 40_000), ("openclaw-2026.9", 50_000, 16_000)],
        *[("openclaw-2026.9", 150_000, 32_000), ("openclaw-2026.9", 1_000_000, 64_000)],
    ],
)
def test_the_cap_of_a_policy(name: str, window: int, most: int) -> None:
    """By version, for 2026.9 by the window; the notice of later versions counts."""
    cap = capping.cap_of(policy(name), window)
    assert cap.most == most
    assert cap.suffix == (cutting.more_characters if name == "openclaw-2026.9" else persistence.GUARD_SUFFIX)


def test_changes_of_the_cap() -> None:
    """Thresholds of the step, as for every step."""
    cap = capping.cap_of(policy("pi"), 0, ["hard_cap.most=5000", "hard_cap.min_keep=7", "hard_cap.notice=count"])
    assert cap == capping.Cap(5_000, cutting.more_characters, 7)
    with pytest.raises(UsageError):
        capping.cap_of(policy("pi"), 0, ["hard_cap.most=-1"])
