"""Sample "Two branches and a compaction": three ways to limit requests, two of them left, and a decision that got lost.

The path has 38 requests. Two side branches hang below request 6. The first compaction (before request 17) keeps the
messages of requests 13 to 16, in which the user named the limits of each plan. The second (before request 29) starts
behind them: they stand in neither summary and are not kept, and at request 30 the agent writes the wrong numbers.
Written by pi itself: no tools guard, thinking blocks, user commands.
"""

from __future__ import annotations

import random
import re
from importlib.resources import files

from resources.samples import terminal_web as web
from resources.samples.recorder import OPUS, Call, Recorder
from resources.samples.workspace import Workspace

CWD = "/home/mira/harbor"
KEY_TESTS = ("knows a valid key", "does not know a revoked key", "keeps a key for thirty seconds")
LIMIT_TESTS = (
    "lets the first request of a window through",
    "refuses the request after the last",
    "starts again with the next window",
    "counts keys apart",
    "counts over all shards",
    "says how many are left",
    "says when the window ends",
    "survives a table that was emptied",
    "makes no row for an unknown key",
)
PLAN_TESTS = (
    "free: 20 pass, the 21st is refused",
    "team: 100 pass, the 101st is refused",
    "fleet: 1,000 pass, the 1,001st is refused",
    "o-4471: 1,200 pass within ten seconds",
    "health routes make no row",
)


def _text(name: str) -> str:
    return (files("resources.samples") / "material" / "limits" / f"{name}.txt").read_text(encoding="utf-8")


def _numbered(name: str) -> dict[str, str]:
    parts = re.split(r"^=== (\w+)\n", _text(name), flags=re.MULTILINE)[1:]
    return {number: text.rstrip() for number, text in zip(parts[::2], parts[1::2], strict=True)}


def record() -> Recorder:
    rec = Recorder(
        seed=207, start="2026-03-24T13:20:40+00:00", cwd=CWD, model=OPUS, stable=5_260, dynamic=318, guard=False
    )
    rec.choose_model()
    rec.choose_thinking("medium")
    rec.name("rate-limits")
    story = _Story(rec)
    story.look()
    fork = rec.leaf
    assert fork is not None
    story.memory()
    rec.go_to(fork)
    left = story.redis()
    rec.summarize_branch(_text("branch_summary").rstrip(), back_to=fork, left=left, seconds=7)
    story.postgres()
    kept = story.plans()
    rec.compact(_text("summary_1").rstrip(), kept, seconds=24, files=(FILES[:5], FILES[5:8]))
    again = story.refine()
    rec.compact(_text("summary_2").rstrip(), again, seconds=22, files=(FILES[:6], FILES[5:]))
    story.customers()
    return rec


FILES = [
    "docs/operations.md",
    "src/config.ts",
    "src/keys.ts",
    "src/routes.ts",
    "src/metrics.ts",
    "src/server.ts",
    "migrations/0007_limits.sql",
    "src/limits/window.ts",
    "test/limits.test.ts",
]


class _Story:
    def __init__(self, rec: Recorder) -> None:
        self.rec = rec
        self.rng = random.Random(4471)
        self.ws = Workspace("harbor")
        self.say = _numbered("answers")
        self.think = _numbered("thinking")

    def step(self, key: str, *calls: Call) -> str:
        return self.rec.reply(self.say[key], calls, thinking=self.think.get(key, ""))

    def read(self, path: str) -> Call:
        return Call("read", {"path": path}, self.ws.read(path), seconds=0.04)

    def bash(self, command: str, output: str, *, seconds: float = 0.6, code: int = 0) -> Call:
        suffix = f"\n\nCommand exited with code {code}" if code else ""
        return Call("bash", {"command": command}, output + suffix, error=code != 0, seconds=seconds)

    def write(self, path: str, text: str) -> Call:
        return Call("write", {"path": path, "content": text}, self.ws.write(path, text), seconds=0.05)

    def edit(self, path: str, old: str, new: str) -> Call:
        message, details = self.ws.edit(path, old, new)
        return Call("edit", {"path": path, "oldText": old, "newText": new}, message, details, seconds=0.05)

    def look(self) -> None:
        rng = self.rng
        self.rec.ask("Add rate limits to the public API, 100 requests a minute per key. Propose before you build.")
        self.step("1", self.read("src/server.ts"), self.read("src/keys.ts"))
        self.step("2", self.read("docs/operations.md"), self.read("src/config.ts"), self.read("package.json"))
        self.step("3", self.bash("psql harbor -f scripts/per_key.sql", web.per_key(rng, 46), seconds=2.2))
        self.step(
            "4",
            self.read("src/routes.ts"),
            self.bash("psql copy -c 'explain (analyze, buffers) …'", web.explain(rng, "windows", rows=8)),
        )
        self.step(
            "5", self.bash("npm run load", web.load(rng, connections=64, per_second=23_400, p99=7.7), seconds=20.4)
        )
        self.step("6")

    def memory(self) -> None:
        """The first side branch: one process, one Map."""
        rng = self.rng
        self.rec.wait(50)
        self.rec.ask("Start simple: keep it in memory.")
        self.step("A1", self.write("src/limits/bucket.ts", _text("bucket_ts")))
        tests = [("test/keys.test.ts", KEY_TESTS), ("test/bucket.test.ts", LIMIT_TESTS[:4])]
        self.step("A2", self.bash("npm test", web.suite(rng, tests), seconds=3.1))
        self.step(
            "A3",
            self.bash("node scripts/three.mjs --key k_31 --seconds 60", web.log(rng, 26, limited=0.3), seconds=61.0),
        )
        self.step("A4")

    def redis(self) -> str:
        """The second side branch; returns where it was left."""
        rng = self.rng
        self.rec.wait(45)
        self.rec.ask("No, that is too loose. Try Redis, even if nobody likes it.")
        self.step(
            "B1",
            self.write("src/limits/redis.ts", _text("redis_ts")),
            self.bash("docker run -d -p 6379:6379 redis:7 && npm i redis", "added 9 packages in 2s\n", seconds=6.2),
        )
        self.step(
            "B2",
            self.bash("node scripts/three.mjs --key k_31 --seconds 60", web.log(rng, 30, limited=0.7), seconds=61.0),
        )
        self.step(
            "B3",
            self.bash("docker stop redis; node scripts/one.mjs --count 40", web.log(rng, 14, minute=31), seconds=82.0),
        )
        self.step(
            "B4", self.bash("node scripts/one.mjs --count 400 --breaker", web.log(rng, 22, minute=36), seconds=9.0)
        )
        left = self.step("B5")
        return left

    def postgres(self) -> None:
        rng = self.rng
        self.rec.wait(20)
        self.rec.ask("You were right. Postgres.")
        self.step(
            "7",
            self.read("migrations/0006_berth_ranges.sql"),
            self.write("migrations/0007_limits.sql", _text("migration")),
        )
        self.step("8", self.bash("pgbench -f scripts/upsert.sql -c 64 -T 20 copy", web.windows(rng, 60), seconds=20.8))
        self.step(
            "9",
            self.bash(
                "npm run load -- --key k_31", web.load(rng, connections=64, per_second=7_100, p99=61.2), seconds=20.4
            ),
            self.bash("psql copy -c 'explain (analyze, buffers) …'", web.explain(rng, "windows", rows=1, loops=64)),
        )
        self.step(
            "10",
            self.write("src/limits/window.ts", _text("window_ts")),
            self.bash(
                "npm run load -- --key k_31", web.load(rng, connections=64, per_second=21_900, p99=6.8), seconds=20.4
            ),
        )
        hook = "    request.apiKey = key;\n"
        verdict = (
            hook
            + "    const verdict = await take(pool, key, 100);\n    if (!verdict.pass) return reply.code(429).send();\n"
        )
        self.step(
            "11",
            self.edit("src/server.ts", hook, verdict),
            self.edit(
                "src/server.ts", "import { config }", 'import { take } from "./limits/window.js";\nimport { config }'
            ),
        )
        tests = [("test/keys.test.ts", KEY_TESTS), ("test/limits.test.ts", LIMIT_TESTS)]
        self.step(
            "12",
            self.bash("npm test", web.suite(rng, tests), seconds=4.0),
            self.bash("psql copy -c 'select * from windows order by starts desc limit 80'", web.windows(rng, 80)),
        )

    def plans(self) -> str:
        """The messages that get lost; returns the entry from which the first compaction keeps."""
        rng, rec = self.rng, self.rec
        rec.wait(64)
        kept = rec.ask(
            "Not 100 for all. Free keys get 20 a minute, team 100, fleet 1,000. o-4471 may burst to 1,200 in ten "
            "seconds, that is agreed with sales. And never count the health checks."
        )
        self.step("13", self.write("migrations/0007_plans.sql", _text("plans_sql")))
        self.step(
            "14",
            self.read("test/keys.test.ts"),
            self.bash("npm test -- limits", web.suite(rng, [("test/limits.test.ts", PLAN_TESTS)]), seconds=2.9),
        )
        self.step("15", self.bash('curl -si -H "$KEY" localhost:8080/v1/berths | head -12', HEADERS))
        self.step("16")
        rec.bash("git stash list", "", excluded=True)
        rec.wait(80)
        return kept

    def refine(self) -> str:
        """Between the compactions; returns the entry from which the second one keeps."""
        rng, rec = self.rng, self.rec
        rec.wait(9)
        rec.ask("Good. Continue with the clean-up, then measure again.")
        self.step(
            "17",
            self.bash(
                "psql copy -c \"delete from windows where starts < now() - interval '5 min'\"",
                "DELETE 6120\nTime: 12.204 ms\n",
            ),
        )
        self.step(
            "18",
            self.read("src/metrics.ts"),
            self.bash("psql copy -c 'select * from windows limit 90'", web.windows(rng, 90)),
        )
        self.step(
            "19",
            self.bash(
                "npm run load -- --all-plans",
                web.load(rng, connections=64, per_second=20_100, p99=9.1, refused=181_204),
                seconds=20.4,
            ),
        )
        self.step(
            "20",
            self.bash("clinic flame -- node dist/server.js", web.log(rng, 60, limited=0.2, minute=41), seconds=24.0),
            self.bash("psql copy -c 'explain (analyze, buffers) …'", web.explain(rng, "windows", rows=8)),
        )
        self.step("21", self.bash("psql copy -f migrations/0008_take_one.sql", "CREATE FUNCTION\nTime: 3.118 ms\n"))
        self.step(
            "22",
            self.bash(
                "npm run load -- --all-plans",
                web.load(rng, connections=64, per_second=21_300, p99=8.2, refused=190_377),
                seconds=20.4,
            ),
        )
        rec.wait(30)
        rec.bash("kubectl rollout status deploy/harbor", ROLLOUT)
        rec.ask("What happens while a deploy is rolling? And after a failover?")
        order = "Deploys are rolling, one instance at a time, and take about four minutes."
        self.step(
            "23",
            self.read("docs/operations.md"),
            self.edit("docs/operations.md", order, order + " The migration comes first."),
        )
        self.step("24", self.bash("pg_ctl promote -D standby && psql standby -c '\\dt+ windows'", FAILOVER))
        self.step(
            "25", self.bash("node scripts/after_failover.mjs", web.log(rng, 70, limited=0.1, minute=52), seconds=12.0)
        )
        kept = self.step(
            "26", self.bash("psql copy -c 'alter table limit_exceptions add off_until timestamptz'", "ALTER TABLE\n")
        )
        self.step(
            "27",
            self.bash(
                "npm test",
                web.suite(
                    rng, [("test/keys.test.ts", KEY_TESTS), ("test/limits.test.ts", (*LIMIT_TESTS, *PLAN_TESTS))]
                ),
                seconds=4.4,
            ),
        )
        self.step("28")
        rec.wait(70)
        return kept

    def customers(self) -> None:
        rng, rec = self.rng, self.rec
        rec.wait(10)
        rec.ask("Now the page for customers.")
        self.step("29", self.read("docs/operations.md"))
        self.step("30", self.write("docs/limits.md", _text("customers_page")))
        self.step(
            "31",
            self.bash(
                "node scripts/check_examples.mjs docs/limits.md", web.log(rng, 44, limited=0.4, minute=58), seconds=8.0
            ),
        )
        self.step("32", self.bash("psql copy -c 'table plan_limits; table limit_exceptions'", TABLES))
        self.step("33")
        rec.wait(40)
        rec.ask("We agreed on 20, 100 and 1,000. I wrote it here, in this conversation. Where did that go?")
        page = "| free | 100 |\n| team | 100 |\n| fleet | 100 |\n"
        self.step("34", self.edit("docs/limits.md", page, "| free | 20 |\n| team | 100 |\n| fleet | 1,000 |\n"))
        tests = [
            ("test/keys.test.ts", KEY_TESTS),
            ("test/limits.test.ts", (*LIMIT_TESTS, *PLAN_TESTS)),
            ("test/docs.test.ts", ("the page has the numbers of the table",)),
        ]
        self.step("35", self.bash("npm test", web.suite(rng, tests), seconds=4.6))
        self.step(
            "36",
            self.bash(
                "npm run load -- --all-plans",
                web.load(rng, connections=64, per_second=21_250, p99=8.3, refused=189_902),
                seconds=20.4,
            ),
        )
        self.step("37", self.bash("git diff --stat main", DIFF), self.read("src/server.ts"))
        self.step("38")


HEADERS = """\
HTTP/1.1 429 Too Many Requests
content-type: application/json; charset=utf-8
retry-after: 21
ratelimit-limit: 20
ratelimit-remaining: 0
ratelimit-reset: 21

{"error":"limited","message":"20 requests a minute are allowed for this key. Try again in 21 seconds."}
"""
ROLLOUT = """\
Waiting for deployment "harbor" rollout to finish: 1 out of 3 new replicas have been updated...
Waiting for deployment "harbor" rollout to finish: 2 out of 3 new replicas have been updated...
deployment "harbor" successfully rolled out
"""
FAILOVER = """\
waiting for server to promote.... done
server promoted
                                  List of relations
 Schema |  Name   | Type  | Owner  | Persistence | Access method |    Size    | Description
--------+---------+-------+--------+-------------+---------------+------------+-------------
 public | windows | table | harbor | unlogged    | heap          | 0 bytes    |
(1 row)
"""
TABLES = """\
 plan  | per_minute
-------+------------
 free  |         20
 team  |        100
 fleet |       1000
(3 rows)

 owner  | burst | burst_s |                                note                                 | off_until
--------+-------+---------+---------------------------------------------------------------------+-----------
 o-4471 |  1200 |      10 | planner runs every quarter of an hour; agreed with sales 2026-03-24 |
(1 row)
"""
DIFF = """\
 docs/limits.md              |  21 +++++++++++++++++
 docs/operations.md          |   2 +-
 migrations/0007_limits.sql  |  12 +++++++++
 migrations/0007_plans.sql   |  14 +++++++++++
 migrations/0008_take_one.sql|  31 +++++++++++++++++++++++++
 src/limits/window.ts        |  31 +++++++++++++++++++++++++
 src/metrics.ts              |   9 +++++++
 src/server.ts               |   8 ++++++-
 test/docs.test.ts           |  16 +++++++++++++
 test/limits.test.ts         | 148 +++++++++++++++++++++++++++++++++++++++++++++++++++++++++++
 10 files changed, 289 insertions(+), 3 deletions(-)
"""
