"""Words, files and edits of the sample "Flaky test"; the longer ones stand under `material/flaky`."""

from __future__ import annotations

import re
from importlib.resources import files

from resources.samples import terminal
from resources.samples.workspace import Workspace


def _text(name: str) -> str:
    return (files("resources.samples") / "material" / "flaky" / f"{name}.txt").read_text(encoding="utf-8")


_parts = re.split(r"^=== (\d+)\n", _text("answers"), flags=re.MULTILINE)[1:]
#: What the assistant says at each request; the calls follow in the story.
A = {int(number): text.rstrip() for number, text in zip(_parts[::2], _parts[1::2], strict=True)}
BRANCH = _text("branch").rstrip()
BRANCH_SUMMARY = _text("branch_summary").rstrip()
TRACE_SCRIPT = _text("trace_script")
MINIMAL_SCRIPT = _text("minimal_script")
MINIMAL_OUTPUT = _text("minimal_output")
MINIMAL_REVERSED = _text("minimal_reversed")
MACHINE = _text("machine")
WORKERS = _text("workers")
ORDER_TEST = _text("order_test")
DIFF_STAT = _text("diff_stat")
TIMEIT = _text("timeit")
TAGS = _text("tags")
LINTERS = "All checks passed!\nSuccess: no issues found in 9 source files\n"
CHINESE_TEST = _text("chinese_test")
RELEASE_STAT = _text("release_stat")
COMMITS = _text("commits").splitlines()
CHINESE_QUESTION = _text("chinese_question").strip()
STRAY = _text("stray").strip()

_HYPOTHESES = _text("hypotheses").splitlines()
SUMMARY = "\n".join(
    [
        _text("summary"),
        "## Hypotheses and what became of them\n" + "\n".join(f"- {line}" for line in _HYPOTHESES),
        f"\n## The test for the order of first use\n```python\n{ORDER_TEST}```",
        f"\n## The trace plugin\n```python\n{TRACE_SCRIPT}```",
        "\n## The last reports, word for word",
        *(f"> {line}".rstrip() for number in (10, 23, 30) for line in [*A[number].splitlines(), ""]),
    ]
).rstrip("> \n")

READ_FILES = [
    "docs/quoting.md",
    "pyproject.toml",
    "src/parser/__init__.py",
    "src/parser/dialect.py",
    "src/parser/quotes.py",
    "src/parser/reader.py",
    "src/parser/writer.py",
    "tests/helpers.py",
    "tests/test_parser.py",
]
MODIFIED_FILES = ["src/parser/cache.py", "tests/test_cache.py", "tests/test_cache_order.py"]

CACHE_TESTS = (
    *(test for test in terminal.ALL_TESTS if "test_cache" in test),
    "tests/test_cache.py::test_style_is_part_of_the_key",
)
_STYLES = ("doubled", "escaped", "nested")
ORDER_TESTS = tuple(
    f"tests/test_cache_order.py::test_order_of_first_use[{first}-{second}{number}]"
    for number, (first, second) in enumerate((a, b) for a in (*_STYLES, "doubled") for b in _STYLES)
)
CHINESE_TESTS = tuple(
    "tests/test_chinese.py::test_\\u5d4c\\u5957[" + text.encode("unicode_escape").decode() + f"-{depth}]"
    for text, depth in (
        ("「他说：『好』」", 2),
        ("「第一，第二，第三」", 1),
        ("「《红楼梦》里写道：『假作真时真亦假』」", 2),
        ("《论「引号」》", 2),
        ("「外『中「内」中』外」", 3),
        ("『一「二《三「四『五』四」三》二」一』", 5),
        ("「换行\n也在『引号』里」", 2),
        ("“混用 ‘西文’ 与「中文」”", 2),
    )
)

TEMPORARY_DIRECTORY = (
    '    with tempfile.TemporaryDirectory(prefix=f"parser-{worker_id()}-") as name:\n        yield Path(name)\n',
    '    base = Path(tempfile.gettempdir()) / "parser-tests" / worker_id()\n'
    "    base.mkdir(parents=True, exist_ok=True)\n"
    "    with tempfile.TemporaryDirectory(dir=base) as name:\n        yield Path(name).resolve()\n"
    "    for leftover in base.iterdir():\n        leftover.unlink(missing_ok=True)\n",
)
RESET_FIXTURE = (
    "@pytest.fixture()\ndef fresh() -> Iterator[None]:",
    "@pytest.fixture(autouse=True)\ndef reset_scanners() -> None:\n    _CACHE.clear()\n\n\n"
    "@pytest.fixture()\ndef fresh() -> Iterator[None]:",
)
FIX = (
    '    return (dialect.delimiter, "".join(sorted(dialect.quotes)), dialect.escape)\n',
    "    # Dialects may differ in nothing but their style; a scanner of one is useless for the other.\n"
    "    style = dialect.style.value\n"
    '    return (dialect.delimiter, "".join(sorted(dialect.quotes)), dialect.escape, style)\n',
)
KEY_TEST = (
    '@pytest.mark.parametrize("dialect", [EXCEL, MYSQL, PROSE])\n',
    "def test_style_is_part_of_the_key() -> None:\n"
    "    keys = {key_for(PROSE.with_style(style)) for style in QuoteStyle}\n"
    '    assert len(keys) == 3\n\n\n@pytest.mark.parametrize("dialect", [EXCEL, MYSQL, PROSE])\n',
)
CHANGELOG = (
    "# Changelog\n\n",
    "# Changelog\n\n## 2.3.2 (unreleased)\n- Dialects that differ only in their quote style no longer share a compiled "
    "scanner. Before, the style that was used\n  first in a process was used for both (#221).\n\n",
)
DOCS = (
    "delimiter, the set of quote characters, and the escape character.\n",
    "delimiter, the set of quote characters, the escape character, and the style.\n",
)


def notes(hypotheses: int, steps: int) -> str:
    """The agent's own notes file after so many hypotheses and steps."""
    rows = [line for line in SUMMARY.splitlines() if re.match(r"\| (step|---|\d|side)", line)][: steps + 2]
    head = "# test_parse_nested_quotes\n\nOne run in ten fails on CI with `UnterminatedQuote`. What was tried:\n\n"
    return head + "\n".join(rows) + "\n\n## Hypotheses\n\n" + "\n\n".join(_HYPOTHESES[:hypotheses]) + "\n"


def commit(ws: Workspace, path: str) -> str:
    """The commit that added `path`, as `git show` prints it."""
    head = "commit 41c07be2\nAuthor: Tom Okafor <tom@example.org>\nDate:   Sat Jan 17 11:20:44 2026 +0100\n\n"
    return f"{head}    Cache compiled scanners per process (#197)\n\n" + ws.diff(path, "", ws.files[path])


def exactly(text: str, units: int) -> str:
    """`text` shortened to `units` characters: lines go from its middle, and a part of one line for the rest."""
    surplus = len(text) - units
    if surplus < 0:
        raise ValueError(f"{-surplus} characters too short")
    lines = text.splitlines(keepends=True)
    at = 20
    while surplus >= len(lines[at]):
        surplus -= len(lines.pop(at))
    line = lines[at].rstrip("\n")
    lines[at] = line[: len(line) - surplus] + "\n"
    return "".join(lines)
