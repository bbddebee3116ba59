"""Requests 1 to 20 of the sample "Flaky test": reproduce it, rule things out, look at the cache."""

from __future__ import annotations

from resources.samples import flaky_test_texts as say
from resources.samples import terminal as term
from resources.samples.flaky_test_scene import EVERY, NESTED, NOTES, Scene
from resources.samples.workspace import git_log


def reproduce(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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


def seeds_from_ci(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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


def four_workers(scene: Scene) -> str:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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
    scene.asked_for_workers = asked
    return before_branch


def temporary_directories(scene: Scene, fork: str) -> None:
    """The guess that was wrong, and the way back."""
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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


def cache(scene: Scene) -> None:
    rec, ws, t, rng = scene.rec, scene.ws, scene.tools, scene.rng
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
                "sort -k2 -n /tmp/trace-gw*.log | head -90",
                term.trace(rng, 90),
                seconds=0.2,
            ),
            t.write(NOTES, say.notes(10, 12)),
            t.exec("git blame src/parser/cache.py", ws.blame(rng, "src/parser/cache.py"), seconds=0.1, aggregated=0),
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
    # It came up again, went on with the same turn, and noted from then on when the cache was last touched.
    rec.mark_ttl()
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
            t.exec("for n in 1 2 3 4 6 8; do pytest -n $n --count 50 -q | tail -1; done", say.WORKERS, seconds=121.0),
            t.exec(
                "sort -k2 -n /tmp/trace-gw0.log | head -80",
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
