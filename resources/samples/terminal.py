"""What test runs and other commands print, with times, workers and seeds drawn from a given random generator."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from resources.samples.workspace import Workspace

NESTED_IDS = (
    r"\u201csay \u2018hi\u2019\u201d-2",
    r"\u201ca, \u2018b, \u300cc\u300d\u2019\u201d-3",
    r"\u300c\u4ed6\u8bf4\uff1a\u300e\u597d\u300f\u300d-2",
    r"\u300c\u7b2c\u4e00\u3001\u300c\u7b2c\u4e8c\u3001\u300e\u7b2c\u4e09\u300f\u300d\u300d-3",
    r'"outer \u201cinner\u201d outer"-2',
    r"\u2018one \u201ctwo \u300cthree \u300efour\u300f\u300d\u201d\u2019-4",
    r"\u201c\U0001f600 \u2018\U0001f9ea\u2019\u201d-2",
    r"\u201ctwo\nlines \u2018and\nthree\u2019\u201d-2",
)
NESTED_TEXTS = (
    "“say ‘hi’”",
    "“a, ‘b, 「c」’”",
    "「他说：『好』」",
    "「第一、「第二、『第三』」」",
    '"outer “inner” outer"',
    "‘one “two 「three 『four』」”’",
    "“\U0001f600 ‘\U0001f9ea’”",
    "“two\nlines ‘and\nthree’”",
)
NESTED_DEPTHS = (2, 3, 2, 3, 2, 4, 2, 2)

PARSER_TESTS = (
    "test_plain_row",
    "test_empty_fields",
    "test_last_line_without_newline",
    r"test_line_ends[\n]",
    r"test_line_ends[\r\n]",
    r"test_line_ends[\r]",
    'test_doubled_quotes["a"-a]',
    'test_doubled_quotes["a,b"-a,b]',
    'test_doubled_quotes["say ""hi"""-say "hi"]',
    'test_doubled_quotes[""-]',
    r'test_doubled_quotes["line\nline"-line\nline]',
    r'test_escaped_quotes["a\\"b"-a"b]',
    r'test_escaped_quotes["tab\\there"-tab\there]',
    r'test_escaped_quotes["\\\\"-\\]',
    *(f"test_parse_nested_quotes[{name}]" for name in NESTED_IDS),
    *(f"test_nested_value_keeps_inner_quotes[{name}]" for name in NESTED_IDS),
    "test_nesting_has_a_limit",
    'test_unterminated["open]',
    r'test_unterminated[a,"open\nb]',
    r'test_unterminated[x\n"open,""\n]',
    "test_row_length_is_checked",
    "test_prose_dialogue",
    "test_doubled_inside_prose",
)
CACHE_TESTS = (
    "test_same_dialect_shares",
    "test_other_delimiter_does_not_share",
    "test_hits_are_counted",
    "test_oldest_goes_first",
    "test_key_is_stable[dialect0]",
    "test_key_is_stable[dialect1]",
    "test_key_is_stable[dialect2]",
)
ALL_TESTS = tuple(
    [f"tests/test_parser.py::{name}" for name in PARSER_TESTS]
    + [f"tests/test_cache.py::{name}" for name in CACHE_TESTS]
)
NESTED_TESTS = tuple(f"tests/test_parser.py::test_parse_nested_quotes[{name}]" for name in NESTED_IDS)


def rule(title: str, sign: str = "=", width: int = 100) -> str:
    return f" {title} ".center(width, sign)


def header(seed: int | None, *, workers: int = 0, tests: int, hash_seed: str = "random") -> list[str]:
    lines = [
        rule("test session starts"),
        "platform linux -- Python 3.12.3, pytest-8.3.4, pluggy-1.5.0 -- /home/dev/parser/.venv/bin/python",
        "cachedir: .pytest_cache",
    ]
    if seed is not None:
        lines.append(f"Using --randomly-seed={seed}")
    lines += [
        f"corpus: /home/dev/parser/tests/data, hash seed: {hash_seed}",
        "rootdir: /home/dev/parser",
        "configfile: pyproject.toml",
        "plugins: xdist-3.6.1, repeat-0.9.3, randomly-3.16.0, hypothesis-6.122.3",
    ]
    if workers:
        lines.append(f"{workers} workers [{tests} items]")
        lines.append("scheduling tests via LoadScheduling")
    else:
        lines.append(f"collected {tests} items")
    return [*lines, ""]


def failure(ws: Workspace, test: str, which: int, worker: str, *, captured: Sequence[str] = ()) -> list[str]:
    """The long traceback of one failed nested-quotes test, with the source as it stands now."""
    start, body = ws.function("tests/test_parser.py", "test_parse_nested_quotes")
    _, walker = ws.function("src/parser/tokenizer.py", "tokens")
    call = ws.line_of("tests/test_parser.py", 'tokens = list(Tokenizer(dialect).tokens(f"a,{text},z')
    raised = ws.line_of("src/parser/tokenizer.py", "raise UnterminatedQuote(self._line, position, character)")
    text = NESTED_TEXTS[which]
    lines = [rule(test.split("::")[1], "_"), f"[{worker}] linux -- Python 3.12.3 /home/dev/parser/.venv/bin/python", ""]
    lines += [f"text = {text!r}, depth = {NESTED_DEPTHS[which]}", ""]
    for number, line in enumerate(body, start=start):
        lines.append((">   " if number == call else "    ") + line)
        if number == call:
            break
    lines += ["", f"tests/test_parser.py:{call}: ", "_ " * 50, ""]
    for line in walker:
        marked = "raise UnterminatedQuote(self._line, position, character)" in line
        lines.append((">" if marked else " ") + line[1:])
        if marked:
            break
    place = f"line 1, offset 2: {text[0]} is opened here and never closed"
    lines += [f"E               parser.errors.UnterminatedQuote: {place}", ""]
    lines.append(f"src/parser/tokenizer.py:{raised}: UnterminatedQuote")
    if captured:
        lines += [rule("Captured stderr call", "-"), *captured]
    return lines


def run(
    rng: random.Random,
    ws: Workspace,
    tests: Sequence[str],
    *,
    seed: int | None = None,
    workers: int = 0,
    count: int = 1,
    failures: Sequence[tuple[int, str]] = (),
    verbose: bool = True,
    shown: int = 0,
    hash_seed: str = "random",
    captured: Sequence[str] = (),
    durations: int = 0,
) -> str:
    """A pytest run of `tests`, each `count` times.

    `failures` = (index into the nested tests, worker); `shown` limits the verbose lines, as a long run piped through
    `head` would; quiet runs print dots.
    """
    total = len(tests) * count
    names = [_repeated(test, number, count) for test in tests for number in range(1, count + 1)]
    if seed is not None or workers:
        rng.shuffle(names)
    broken = [
        (_repeated(NESTED_TESTS[which], rng.randint(1, count), count), which, worker) for which, worker in failures
    ]
    bad = {name: worker for name, _, worker in broken}
    lines = header(seed, workers=workers, tests=total, hash_seed=hash_seed)
    if verbose:
        ordinary = [name for name in names if name not in bad][: (shown or total) - len(bad)]
        for name in bad:
            ordinary.insert(rng.randint(len(ordinary) // 4, len(ordinary)), name)
        for at, name in enumerate(ordinary, start=1):
            percent = f"[{at * 100 // len(ordinary):>3}%]"
            outcome = "FAILED" if name in bad else "PASSED"
            if workers:
                worker = bad.get(name) or f"gw{rng.randrange(workers)}"
                lines.append(f"[{worker}] {percent} {outcome} {name} ")
            else:
                lines.append(f"{name} {outcome}".ljust(92) + percent)
    else:
        marks = ["F" if name in bad else "." for name in names]
        for at in range(0, len(marks), 80):
            row = "".join(marks[at : at + 80])
            lines.append(f"{row:<80} [{min(at + 80, total) * 100 // total:>3}%]")
    lines.append("")
    if broken:
        lines.append(rule("FAILURES"))
        for name, which, worker in broken:
            lines += failure(ws, name, which, worker, captured=captured)
    if durations:
        lines.append(rule(f"slowest {durations} durations"))
        slow = sorted((round(rng.random() * 0.09 + 0.004, 3) for _ in range(durations)), reverse=True)
        lines += [f"{time:.3f}s {rng.choice(['call', 'setup', 'setup'])} {rng.choice(names)}" for time in slow]
    seconds = total * (0.0045 if workers else 0.011) + 1.2 + rng.random() * 0.6
    if broken:
        lines.append(rule("short test summary info"))
        for name, which, _ in broken:
            place = f"line 1, offset 2: {NESTED_TEXTS[which][0]} is opened here and never closed"
            lines.append(f"FAILED {name} - parser.errors.UnterminatedQuote: {place}")
        lines.append(rule(f"{len(broken)} failed, {total - len(broken)} passed in {seconds:.2f}s"))
    else:
        lines.append(rule(f"{total} passed in {seconds:.2f}s"))
    return "\n".join(lines) + "\n"


def _repeated(test: str, number: int, count: int) -> str:
    if count == 1:
        return test
    if test.endswith("]"):
        return f"{test[:-1]}-{number}-{count}]"
    return f"{test}[{number}-{count}]"


def collected(tests: Sequence[str], count: int, shown: int) -> str:
    """`pytest --collect-only -q`, the first `shown` of each test `count` times."""
    return (
        "\n".join([_repeated(test, number, count) for test in tests for number in range(1, count + 1)][:shown]) + "\n"
    )


def sweep(rng: random.Random, runs: int, tests: int, *, first: int = 1, failed: Sequence[int] = ()) -> str:
    """A shell loop over seeds, one line a run."""
    lines = []
    for number in range(first, first + runs):
        seed = rng.randint(1000, 99999)
        bad = 1 if number in failed else 0
        outcome = f"{bad} failed, {tests - bad} passed" if bad else f"{tests} passed"
        lines.append(
            f"run {number:>3}  seed {seed:<6} load {rng.random() * 3:.2f}  {outcome} in {1.6 + rng.random():.2f}s"
        )
    return "\n".join(lines) + "\n"


def trace(rng: random.Random, count: int, *, workers: int = 4) -> str:
    """Lines of the instrumented cache: who asked for which key, what came back. The first in a worker owns a key."""
    prose = "'\"“‘「『'"
    kinds = (
        ("','", "'\"'", "None", "DOUBLED", ("test_plain_row", "test_doubled_quotes", "test_same_dialect_shares")),
        ("'\\t'", "'\"'", "'\\\\'", "ESCAPED", ("test_escaped_quotes", "test_key_is_stable")),
        ("','", prose, "None", "NESTED", ("test_parse_nested_quotes", "test_nested_value_keeps_inner_quotes")),
        ("','", prose, "None", "DOUBLED", ("test_doubled_inside_prose", "test_prose_dialogue")),
        ("';'", "'\"'", "None", "DOUBLED", ("test_other_delimiter_does_not_share",)),
    )
    owners: dict[tuple[str, str], tuple[str, int]] = {}
    lines = []
    for time in sorted(rng.random() * 9 for _ in range(count)):
        worker = f"gw{rng.randrange(workers)}"
        delimiter, quotes, escape, style, tests = rng.choice(kinds)
        key = f"({delimiter}, {quotes}, {escape})"
        made = (style, 0x7F0000000000 + rng.getrandbits(36) * 16)
        owner, address = owners.setdefault((worker, key), made)
        note = "ok" if owner == style else f"WRONG STYLE: asked {style}, got {owner}"
        lines.append(
            f"{worker} {time:7.4f} lookup {key:<34} -> <Scanner {owner:<7} at {address:#x}> {note}"
            f"  # {rng.choice(tests)}"
        )
    return "\n".join(lines) + "\n"


def ci_log(rng: random.Random, ws: Workspace, *, os: str, python: str, seed: int, lines: int) -> str:
    """A job of the hosted runner, every line with its time."""
    text = [
        "##[group]Run actions/checkout@v4",
        "with:",
        "  repository: dev/parser",
        "  fetch-depth: 1",
        "##[endgroup]",
        "Syncing repository: dev/parser",
        "Fetching the repository",
        "Determining the checkout info",
        "Checking out the ref",
        "##[group]Run pip install -e .[dev]",
        "Obtaining file:///home/runner/work/parser/parser",
        "  Installing build dependencies: started",
        "  Installing build dependencies: finished with status 'done'",
        *(
            f"  Downloading {name}-{version}-py3-none-any.whl ({rng.randint(20, 900)} kB)"
            for name, version in PACKAGES[:14]
        ),
        "Successfully installed " + " ".join(f"{name}-{version}" for name, version in PACKAGES),
        "##[endgroup]",
        "##[group]Run ruff check .",
        "All checks passed!",
        "##[endgroup]",
        "##[group]Run mypy",
        "Success: no issues found in 9 source files",
        "##[endgroup]",
        "##[group]Run pytest -n 4 --dist load -p randomly",
    ]
    body = run(rng, ws, ALL_TESTS, seed=seed, workers=4, failures=[(2, "gw2")], shown=lines, hash_seed="4127")
    text += body.splitlines()
    text += ["##[error]Process completed with exit code 1.", f"Job {os} / {python} failed."]
    clock = 0.0
    stamped = []
    for line in text:
        clock += rng.random() * 0.7
        whole = int(clock)
        stamp = f"2026-04-06T21:{14 + whole // 60:02d}:{whole % 60:02d}.{int(clock % 1 * 10_000_000):07d}Z"
        stamped.append(f"{stamp} {line}")
    return "\n".join(stamped) + "\n"


PACKAGES = (
    ("attrs", "24.3.0"),
    ("build", "1.2.2"),
    ("coverage", "7.6.9"),
    ("editables", "0.5"),
    ("execnet", "2.1.1"),
    ("filelock", "3.16.1"),
    ("hatchling", "1.27.0"),
    ("hypothesis", "6.122.3"),
    ("iniconfig", "2.0.0"),
    ("mypy", "1.13.0"),
    ("mypy_extensions", "1.0.0"),
    ("packaging", "24.2"),
    ("pathspec", "0.12.1"),
    ("platformdirs", "4.3.6"),
    ("pluggy", "1.5.0"),
    ("pytest", "8.3.4"),
    ("pytest_randomly", "3.16.0"),
    ("pytest_repeat", "0.9.3"),
    ("pytest_xdist", "3.6.1"),
    ("ruff", "0.8.3"),
    ("sortedcontainers", "2.4.0"),
    ("trove_classifiers", "2025.1.6.15"),
    ("typing_extensions", "4.12.2"),
    ("virtualenv", "20.28.0"),
)


def pip_list() -> str:
    rows = [f"{name.replace('_', '-'):<22}{version}" for name, version in PACKAGES]
    return "Python 3.12.3 (main, Nov  6 2025, 18:32:19) [GCC 13.3.0]\n" + "\n".join(rows) + "\n"


def json_report(rng: random.Random, tests: Sequence[str]) -> str:
    """A machine-readable report: one very long line."""
    results = [
        {
            "nodeid": test,
            "lineno": rng.randint(20, 120),
            "outcome": "passed",
            "setup": {"duration": round(rng.random() / 900, 6)},
            "call": {"duration": round(rng.random() / 400, 6)},
        }
        for test in tests
    ]
    report = {
        "created": 1775509812.44,
        "duration": 2.318,
        "exitcode": 0,
        "summary": {"passed": len(tests)},
        "tests": results,
    }
    return json.dumps(report, separators=(",", ":"))


def profile(rng: random.Random, rows: int) -> str:
    """The head of a cProfile table."""
    names = (
        "src/parser/tokenizer.py:96(tokens)",
        "src/parser/tokenizer.py:128(_nested)",
        "src/parser/cache.py:27(lookup)",
        "src/parser/cache.py:22(key_for)",
        "src/parser/quotes.py:66(is_opening)",
        "src/parser/quotes.py:75(closing_for)",
        "src/parser/reader.py:37(__iter__)",
        "src/parser/reader.py:65(_value)",
        "{method 'match' of 're.Pattern' objects}",
        "{built-in method builtins.len}",
        "{method 'append' of 'list' objects}",
        "{built-in method builtins.sorted}",
        "lib/python3.12/re/__init__.py:330(_compile)",
        "lib/python3.12/re/_compiler.py:745(compile)",
        "lib/python3.12/re/_parser.py:970(parse)",
        "lib/python3.12/dataclasses.py:1529(replace)",
        "lib/python3.12/enum.py:1562(__hash__)",
        "src/parser/quotes.py:130(strip_quotes)",
    )
    total = rng.randint(1_800_000, 2_400_000)
    lines = [
        f"         {total} function calls ({total - 1841} primitive calls) in 1.{rng.randint(100, 900)} seconds",
        "",
    ]
    lines += [
        "   Ordered by: cumulative time",
        "",
        "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)",
    ]
    left = 1.6
    for at in range(rows):
        calls = rng.randint(12, 400_000)
        own = left * rng.random() * 0.4
        lines.append(f"{calls:>9}  {own:7.3f}    0.000  {left:7.3f}    0.000 {names[at % len(names)]}")
        left *= 0.86
    return "\n".join(lines) + "\n"
