"""Sample "Flaky test": a test fails one run in ten, and the reason is a cache key.

The story in its 46 requests: reproduce (1-7), seeds from CI (8-10), four workers (11) and an abandoned guess about
temporary directories on a side branch, a coffee break longer than the cache lives (12), the module-level cache (12-22),
a log so long that the guard cuts older results from request 23 on, the fix (23), checks (24-30), a compaction, the
changelog (31-36), a question in Chinese, an aborted answer and a changed tool list (37-41), the release notes (42-46).
"""

from __future__ import annotations

import random

from resources.samples import flaky_test_texts as say
from resources.samples import terminal as term
from resources.samples.recorder import Recorder
from resources.samples.tools import Tools
from resources.samples.workspace import Workspace, git_log

CWD = "/home/dev/parser"
NOTES = "notes/nested-quotes.md"
NESTED, EVERY = term.NESTED_TESTS, term.ALL_TESTS


def record() -> Recorder:
    rec = Recorder(seed=4127, start="2026-04-07T14:02:11+00:00", cwd=CWD)
    story = _Story(rec)
    rec.choose_model()
    rec.choose_thinking("off")
    rec.snapshot_model()
    rec.name("fix-flaky-quote-test")
    # A second process wrote to the same file while the history was being compacted; its parent stayed in the old one.
    rec.insert_at_line(118, parent="5d0c77e1", text=say.STRAY)
    story.reproduce()
    story.seeds_from_ci()
    left = story.four_workers()
    story.temporary_directories(left)
    story.cache()
    story.long_log_and_fix()
    first_kept = story.check()
    rec.wait(75)
    rec.compact(say.SUMMARY, first_kept, seconds=41, files=(say.READ_FILES, say.MODIFIED_FILES))
    story.changelog()
    story.chinese_quotes()
    story.release()
    return rec


class _Story:
    def __init__(self, rec: Recorder) -> None:
        self.rec = rec
        self.rng = random.Random(20260407)
        self.ws = Workspace("parser")
        self.tools = Tools(self.ws, CWD)
        self.asked_for_workers = ""

    def reproduce(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.ask("test_parse_nested_quotes fails one run in ten. Find the cause and fix it.")
        rec.reply(say.A[1], [t.grep("quote", "src", "tests")])
        rec.reply(say.A[2], [t.read("src/parser/tokenizer.py")])
        rec.reply(
            say.A[3],
            [
                t.read("tests/test_parser.py"),
                t.read("src/parser/__init__.py"),
                t.exec(
                    "pytest tests/test_parser.py tests/test_cache.py",
                    term.run(rng, ws, EVERY, durations=12),
                    seconds=2.4,
                    aggregated=0,
                ),
                t.exec("git log --oneline --stat -24", git_log(rng, say.COMMITS, stat=True), seconds=0.1),
            ],
        )
        rec.reply(
            say.A[4],
            [
                t.exec(
                    'for s in $(shuf -i 1000-99999 -n 40); do pytest -q -p "randomly_seed=$s" | tail -1; done',
                    term.sweep(rng, 40, len(EVERY)),
                    seconds=154.0,
                ),
                t.read("src/parser/reader.py"),
                t.grep("_CACHE", "src", "tests"),
            ],
        )
        rec.reply(
            say.A[5],
            [
                t.exec(
                    "git blame src/parser/tokenizer.py",
                    ws.blame(rng, "src/parser/tokenizer.py"),
                    seconds=0.2,
                    aggregated=0,
                ),
                t.exec(
                    "pytest -v --count 24 -k nested_quotes",
                    term.run(rng, ws, NESTED, count=24),
                    seconds=2.9,
                ),
                t.exec("python -VV; pip list --format=columns", term.pip_list(), seconds=0.8),
                t.read("pyproject.toml"),
            ],
        )
        rec.reply(
            say.A[6],
            [
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -v -p randomly",
                    term.run(rng, ws, EVERY, seed=4127, hash_seed="4127"),
                    seconds=2.2,
                    aggregated=0,
                ),
                t.exec("pytest -v -p no:randomly", term.run(rng, ws, EVERY, durations=20), seconds=2.1, aggregated=0),
                t.write(NOTES, say.notes(5, 6)),
                t.exec("git show 2.3.0 -- src/parser/cache.py", say.commit(ws, "src/parser/cache.py"), seconds=0.1),
            ],
        )
        rec.reply(say.A[7])
        rec.mark_ttl()

    def seeds_from_ci(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.wait(48)
        rec.ask("It does fail on CI. Take the log of last night's job and try its seed.")
        rec.reply(
            say.A[8],
            [
                t.exec(
                    "gh run view 1847 --job 3 --log",
                    term.ci_log(rng, ws, os="ubuntu-24.04", python="3.12", seed=86021, lines=44),
                    seconds=1.9,
                ),
                t.read(".github/workflows/ci.yml"),
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -v -p randomly --randomly-seed=86021",
                    term.run(rng, ws, EVERY, seed=86021, hash_seed="4127"),
                    seconds=2.3,
                    aggregated=2_000,
                ),
                t.exec(
                    "pytest -q --json-report --json-report-file=/dev/stdout tests/test_cache.py tests/test_parser.py",
                    term.json_report(rng, EVERY),
                    seconds=2.2,
                    aggregated=0,
                ),
            ],
        )
        rec.reply(
            say.A[9],
            [
                t.read("src/parser/dialect.py"),
                t.write(NOTES, say.notes(8, 9)),
                t.exec(
                    "for h in $(seq 1 30); do PYTHONHASHSEED=$h pytest -q | tail -1; done",
                    term.sweep(rng, 30, len(EVERY)),
                    seconds=97.0,
                ),
            ],
        )
        rec.reply(say.A[10])
        rec.mark_ttl()

    def four_workers(self) -> str:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.wait(77)
        asked = rec.ask("It only fails under xdist. Try four workers.")
        rec.wait(0.5)
        rec.reply(
            say.A[11],
            [
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -n 4 --count 50 -k nested_quotes -q",
                    term.run(
                        rng,
                        ws,
                        NESTED,
                        seed=86021,
                        workers=4,
                        count=50,
                        hash_seed="4127",
                        verbose=False,
                        failures=[(0, "gw2"), (2, "gw2"), (5, "gw0")],
                    ),
                    seconds=9.8,
                    code=1,
                )
            ],
        )
        before_branch = rec.leaf
        assert before_branch is not None
        self.asked_for_workers = asked
        return before_branch

    def temporary_directories(self, fork: str) -> None:
        """The guess that was wrong, and the way back."""
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        kept = dict(ws.files)
        edit = t.edit(
            "tests/conftest.py",
            *say.TEMPORARY_DIRECTORY,
        )
        log = term.run(
            rng,
            ws,
            NESTED,
            seed=86021,
            workers=4,
            count=50,
            hash_seed="4127",
            verbose=False,
            failures=[(1, "gw3"), (2, "gw1"), (4, "gw1"), (7, "gw0")],
        )
        rec.reply(
            say.BRANCH,
            [edit, t.exec("PYTHONHASHSEED=4127 pytest -n 4 --count 50 -k nested_quotes -q", log, seconds=10.4, code=1)],
        )
        left = rec.leaf
        assert left is not None
        ws.files = kept
        rec.summarize_branch(say.BRANCH_SUMMARY, back_to=fork, left=left, seconds=9)

    def cache(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        # Longer than the five minutes a cache entry lives.
        rec.wait(11 * 60 + 20)
        rec.ask("Go back. Look at the module-level cache instead.")
        rec.reply(
            say.A[12],
            [
                t.read("src/parser/cache.py"),
                t.grep("lookup|store|key_for|_CACHE", "src", "tests"),
                t.write("scripts/trace_cache.py", say.TRACE_SCRIPT),
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -n 4 -p scripts.trace_cache -q 2>&1 | grep lookup | head -120",
                    term.trace(rng, 120),
                    seconds=4.2,
                ),
            ],
        )
        rec.reply(
            say.A[13],
            [
                t.exec(
                    "grep WRONG /tmp/trace-*.log | sort | uniq -c | sort -rn | head -90",
                    term.trace(rng, 90),
                    seconds=0.2,
                ),
                t.write(NOTES, say.notes(10, 12)),
                t.exec(
                    "git blame src/parser/cache.py", ws.blame(rng, "src/parser/cache.py"), seconds=0.1, aggregated=0
                ),
                t.read("docs/quoting.md"),
            ],
        )
        rec.reply(
            say.A[14],
            [
                t.write("scripts/minimal.py", say.MINIMAL_SCRIPT),
                t.exec("python scripts/minimal.py", say.MINIMAL_OUTPUT, seconds=0.3, code=1),
                t.exec("python scripts/minimal.py --reverse", say.MINIMAL_REVERSED, seconds=0.3),
            ],
        )
        rec.reply(
            say.A[15],
            [
                t.grep("style", "src/parser"),
                t.read("src/parser/writer.py"),
                t.grep("Tokenizer\\(", "src", "tests"),
                t.exec(
                    "python -m cProfile -s cumtime scripts/minimal.py | head -52",
                    term.profile(rng, 46),
                    seconds=1.1,
                    aggregated=0,
                ),
            ],
        )
        rec.reply(
            say.A[16],
            [
                t.grep("prose|PROSE", "src", "tests"),
                # The gateway restarted while this ran; nobody recorded what it printed.
                t.exec("pytest -n 4 --count 500 -x -q -k 'nested or prose'", None, seconds=0.0),
                t.write(NOTES, say.notes(11, 17)),
                t.exec(
                    "git stash list; git status --short",
                    "?? scripts/minimal.py\n?? scripts/trace_cache.py\n",
                    seconds=0.1,
                ),
            ],
        )
        rec.wait(20)
        rec.reply(
            say.A[17],
            [
                t.exec(
                    "pytest -n 4 --dist loadfile --count 20 -v -k nested_quotes | head -122",
                    term.run(rng, ws, NESTED, seed=86021, workers=4, count=20, shown=112),
                    seconds=5.8,
                    aggregated=3_000,
                ),
                t.exec(
                    "pytest -n 2 --count 20 -v -k nested_quotes | tail -60",
                    term.run(rng, ws, NESTED, seed=12, workers=2, count=20, shown=64, failures=[(4, "gw1")]),
                    seconds=6.1,
                    code=1,
                    aggregated=3_000,
                ),
                t.exec("nproc; uptime; free -m", say.MACHINE, seconds=0.1),
            ],
        )
        rec.reply(
            say.A[18],
            [
                t.exec(
                    "for n in 1 2 3 4 6 8; do pytest -n $n --count 50 -q | tail -1; done", say.WORKERS, seconds=121.0
                ),
                t.exec(
                    "sort /tmp/order-gw2.log | head -80",
                    term.trace(rng, 80, workers=1),
                    seconds=0.1,
                ),
                t.grep("corpus", "tests"),
                t.read("src/parser/tokenizer.py", offset=76, limit=20),
            ],
        )
        rec.reply(
            say.A[19],
            [
                t.write("tests/test_cache_order.py", say.ORDER_TEST),
                t.exec(
                    "pytest -v tests/test_cache_order.py",
                    term.run(rng, ws, say.ORDER_TESTS, verbose=True),
                    seconds=1.2,
                    aggregated=0,
                ),
                t.exec(
                    "git diff --stat; pytest -n 4 --count 5 --collect-only -q | head -158",
                    say.DIFF_STAT + term.collected(EVERY, 5, 150),
                    seconds=0.9,
                    aggregated=0,
                ),
            ],
        )
        rec.reply(
            say.A[20],
            [
                t.exec(
                    "pytest -n 4 -v tests/test_parser.py | head -60",
                    term.run(rng, ws, EVERY, seed=7, workers=4),
                    seconds=2.6,
                    aggregated=0,
                ),
                t.grep("scope=", "tests"),
                t.write(NOTES, say.notes(12, 20)),
                t.exec("python -m timeit -s 'from parser import *' 'Tokenizer(EXCEL)'", say.TIMEIT, seconds=3.1),
            ],
        )

    def long_log_and_fix(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.reply(say.A[21], [t.read("tests/conftest.py"), t.read("src/parser/quotes.py")])
        rec.reply(
            say.A[22],
            [
                t.edit("tests/conftest.py", *say.RESET_FIXTURE),
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -n 4 --count 200 -k nested_quotes -v",
                    say.exactly(
                        term.run(
                            rng,
                            ws,
                            NESTED,
                            seed=86021,
                            workers=4,
                            count=200,
                            shown=LONG_LOG_LINES,
                            hash_seed="4127",
                            failures=[(2, "gw2")],
                            captured=term.trace(rng, 12, workers=1, tests=NESTED).splitlines(),
                        ),
                        LONG_LOG_UNITS,
                    ),
                    seconds=92.0,
                    code=1,
                    aggregated=2_000,
                ),
            ],
        )
        rec.reply(say.A[23], [t.edit("src/parser/cache.py", *say.FIX)])

    def check(self) -> str:
        """Requests 24 to 30; returns the entry from which the compaction keeps."""
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        kept = rec.reply(
            say.A[24],
            [
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -n 4 --count 200 -k nested_quotes -v | tail -70",
                    term.run(rng, ws, NESTED, seed=86021, workers=4, count=200, shown=62, hash_seed="4127"),
                    seconds=88.0,
                    aggregated=0,
                )
            ],
        )
        suite = term.run(rng, ws, EVERY, count=2, durations=10)
        rec.reply("", [t.exec("pytest -v --count 2 --durations 10", suite, seconds=4.3, aggregated=0)])
        rec.reply("", [t.read("src/parser/tokenizer.py")])
        rec.reply("", [t.edit("tests/test_cache.py", *say.KEY_TEST)])
        tests = term.run(rng, ws, say.CACHE_TESTS, count=10)
        rec.reply("", [t.exec("pytest -v --count 10 tests/test_cache.py", tests, seconds=2.1, aggregated=0)])
        rec.reply(
            say.A[29],
            [t.exec("git diff", ws.diff("src/parser/cache.py", *say.FIX), seconds=0.1)],
        )
        rec.reply(say.A[30])
        rec.mark_ttl()
        return kept

    def changelog(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.wait(14)
        rec.ask("Now write the changelog entry.")
        rec.reply(
            say.A[31],
            [t.read("CHANGELOG.md", limit=22), t.exec("git tag --sort=-creatordate | head", say.TAGS, seconds=0.1)],
        )
        rec.reply(
            say.A[32],
            [
                t.exec("git log --stat 2.3.1..HEAD", git_log(rng, say.COMMITS[:12], stat=True), seconds=0.2),
                t.read("tests/conftest.py"),
                t.exec(
                    "git log -12 --format='%h %ad %an: %s' -- tests/conftest.py",
                    git_log(rng, say.COMMITS[6:18]),
                    seconds=0.1,
                ),
            ],
        )
        rec.reply(say.A[33], [t.edit("CHANGELOG.md", *say.CHANGELOG), t.read("docs/quoting.md")])
        rec.reply(
            say.A[34],
            [
                t.edit("docs/quoting.md", *say.DOCS),
                t.grep("cache", "docs", "src", "CHANGELOG.md"),
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -n 4 -v --count 3 --durations 16",
                    term.run(rng, ws, EVERY, seed=4127, workers=4, count=3, hash_seed="4127", durations=16),
                    seconds=2.9,
                    aggregated=2_000,
                ),
            ],
        )
        rec.reply(
            say.A[35],
            [
                t.read("src/parser/tokenizer.py"),
                t.exec(
                    "git blame src/parser/reader.py", ws.blame(rng, "src/parser/reader.py"), seconds=0.2, aggregated=0
                ),
                t.exec("ruff check . && mypy", say.LINTERS, seconds=3.3),
            ],
        )
        rec.reply(say.A[36])
        rec.mirror(say.A[36])
        rec.mark_ttl()

    def chinese_quotes(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.wait(96)
        rec.ask(say.CHINESE_QUESTION)
        rec.abort(after=2.6)
        rec.wait(21)
        rec.ask("Sorry, that was me. Go on.")
        rec.reply(
            say.A[37],
            [
                t.grep("300c|300e|「|『", "src", "tests", "docs"),
                t.read("src/parser/quotes.py"),
                t.read("tests/test_parser.py"),
            ],
        )
        # A server announced its tools in another order: same size, other prefix.
        rec.change_tools()
        rec.reply(
            say.A[38],
            [
                t.write("tests/test_chinese.py", say.CHINESE_TEST),
                t.exec(
                    "pytest -v tests/test_chinese.py -n 4 --count 25",
                    term.run(rng, ws, say.CHINESE_TESTS, workers=4, count=25, seed=11, shown=170),
                    seconds=3.4,
                    aggregated=2_000,
                ),
            ],
        )
        rec.reply(
            say.A[39],
            [
                t.exec(
                    "pytest -v -n 4",
                    term.run(rng, ws, (*EVERY, *say.CHINESE_TESTS), seed=88, workers=4),
                    seconds=2.8,
                    aggregated=0,
                ),
                t.exec(
                    "gh run view 1851 --job 1 --log | tail -90",
                    term.ci_log(rng, ws, os="macos-15", python="3.13", seed=90211, lines=36),
                    seconds=1.7,
                    aggregated=0,
                ),
            ],
        )
        rec.reply(
            say.A[40],
            [
                t.exec("git blame tests/conftest.py", ws.blame(rng, "tests/conftest.py"), seconds=0.2, aggregated=0),
                t.read("src/parser/reader.py"),
            ],
        )
        rec.reply(say.A[41])
        rec.mark_ttl()

    def release(self) -> None:
        rec, ws, t, rng = self.rec, self.ws, self.tools, self.rng
        rec.wait(12)
        rec.append("label", targetId=self.asked_for_workers, label="repro")
        rec.wait(120)
        rec.ask("Good. Prepare 2.3.2, but do not tag it.")
        rec.reply(
            say.A[42],
            [
                t.grep("2\\.3\\.1", "src", "pyproject.toml", "CHANGELOG.md"),
                t.edit("src/parser/__init__.py", '__version__ = "2.3.1"', '__version__ = "2.3.2"'),
                t.edit("pyproject.toml", 'version = "2.3.1"', 'version = "2.3.2"'),
            ],
        )
        rec.reply(
            say.A[43],
            [
                t.exec(
                    "python -m build 2>&1 | tail -40 && pytest -n 4 --count 4 -v -p randomly",
                    term.run(rng, ws, (*EVERY, *say.CHINESE_TESTS), seed=5150, workers=4, count=4, durations=24),
                    seconds=14.0,
                    aggregated=0,
                ),
                t.exec("git status --short; git diff --stat", say.RELEASE_STAT, seconds=0.1),
            ],
        )
        rec.reply(
            say.A[44],
            [
                t.exec(
                    "for h in 4127 $(seq 1 60); do PYTHONHASHSEED=$h pytest -n 4 -q | tail -1; done",
                    term.sweep(rng, 61, len(EVERY) + len(say.CHINESE_TESTS)),
                    seconds=164.0,
                    aggregated=3_000,
                )
            ],
        )
        rec.reply(
            say.A[45],
            [
                t.exec(
                    "PYTHONHASHSEED=4127 pytest -n 4 --count 200 -k nested_quotes -v | tail -220",
                    term.run(rng, ws, NESTED, seed=86021, workers=4, count=200, shown=210, hash_seed="4127"),
                    seconds=37.0,
                    aggregated=2_000,
                ),
                t.read("CHANGELOG.md", limit=14),
            ],
        )
        rec.reply(say.A[46])
        rec.mark_ttl()


# The log of request 22, in characters before the note about its exit code, and the verbose lines it is made from.
LONG_LOG_UNITS = 48_182
LONG_LOG_LINES = 470
