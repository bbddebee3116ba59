"""Requests 21 to 46 of the sample "Flaky test": the long log, the fix, and what comes after the compaction."""

from __future__ import annotations

from resources.samples import flaky_test_texts as say
from resources.samples import terminal as term
from resources.samples.flaky_test_scene import EVERY, NESTED, Scene
from resources.samples.workspace import git_log

# The log of request 22, in characters before the note about its exit code, and the verbose lines it is made from.
LONG_LOG_UNITS = 48_182
LONG_LOG_LINES = 470


def long_log_and_fix(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
    rec.reply(say.A[21], [t.read("tests/conftest.py"), t.read("src/parser/quotes.py")])
    rec.mark_ttl()
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
                        captured=term.trace(rng, 12, workers=1).splitlines(),
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


def check(scene: Scene) -> str:
    """Requests 24 to 30; returns the entry from which the compaction keeps."""
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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


def changelog(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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
            t.exec("git blame src/parser/reader.py", ws.blame(rng, "src/parser/reader.py"), seconds=0.2, aggregated=0),
            t.exec("ruff check . && mypy", say.LINTERS, seconds=3.3),
        ],
    )
    rec.reply(say.A[36])
    rec.mirror(say.A[36])
    rec.mark_ttl()


def chinese_quotes(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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


def release(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
    rec.wait(12)
    rec.append("label", targetId=scene.asked_for_workers, label="repro")
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
