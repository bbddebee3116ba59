"""What the tools around a web service print: load tests, query plans, logs, test runs."""

from __future__ import annotations

import random
from collections.abc import Sequence

_PLANS = ("free", "team", "fleet")
_ROUTES = ("GET /v1/berths", "POST /v1/berths", "DELETE /v1/berths/:id", "GET /v1/berths?after=…")


def per_key(rng: random.Random, rows: int) -> str:
    """Requests per key and hour, largest first."""
    lines = ["     key |  plan | requests | per minute | burst (2 s) | first     | last", "-" * 74]
    count = 214_880.0
    for row in range(rows):
        key = "o-4471" if row == 0 else f"o-{rng.randint(1000, 9999)}"
        plan = "fleet" if row < 4 else rng.choice(_PLANS[:2])
        burst = 912 if row == 0 else max(1, int(count / 3600 * rng.uniform(1.4, 3.2)))
        lines.append(
            f"{key:>8} | {plan:>5} | {int(count):>8} | {count / 60:>10.1f} | {burst:>11} | "
            f"11:00:{rng.randint(0, 3):02d}.{rng.randint(0, 999):03d} | "
            f"11:59:{rng.randint(54, 59)}.{rng.randint(0, 999):03d}"
        )
        count *= rng.uniform(0.52, 0.93)
    lines.append(f"({rows} rows)")
    return "\n".join(lines) + "\n"


def load(rng: random.Random, *, connections: int, per_second: int, p99: float, refused: int = 0) -> str:
    """A wrk report with latencies and, where there are any, refused requests."""
    median = p99 / rng.uniform(3.1, 3.9)
    lines = [
        "Running 20s test @ http://127.0.0.1:8080/v1/berths",
        f"  4 threads and {connections} connections",
        "  Thread Stats   Avg      Stdev     Max   +/- Stdev",
        f"    Latency   {median * 1.12:7.2f}ms {median * 0.6:7.2f}ms {p99 * 2.4:7.2f}ms   {rng.uniform(71, 89):.2f}%",
        f"    Req/Sec   {per_second / 4000:7.2f}k  {per_second / 41000:7.2f}k  {per_second / 3600:7.2f}k    "
        f"{rng.uniform(66, 79):.2f}%",
        "  Latency Distribution",
        *(
            f"     {share}%  {value:7.2f}ms"
            for share, value in ((50, median), (75, median * 1.5), (90, median * 2.1), (99, p99))
        ),
        f"  {per_second * 20} requests in 20.03s, {per_second * 20 * 412 / 1e6:.2f}MB read",
    ]
    if refused:
        lines.append(f"  Non-2xx or 3xx responses: {refused}")
    lines.append(f"Requests/sec: {per_second:>9}.{rng.randint(10, 99)}")
    return "\n".join(lines) + "\n"


def explain(rng: random.Random, table: str, *, rows: int, loops: int = 1) -> str:
    """The plan of an upsert and of the sum over a key's rows."""
    base = rng.uniform(0.02, 0.08)
    return (
        "\n".join(
            [
                f"Insert on {table}  (cost=0.00..0.02 rows=0 width=0) "
                f"(actual time={base * 3:.3f}..{base * 3.1:.3f} rows=0 loops={loops})",
                "  Conflict Resolution: UPDATE",
                f"  Conflict Arbiter Indexes: {table}_pkey",
                f"  Tuples Inserted: {rng.randint(0, 2)}",
                f"  Conflicting Tuples: {loops}",
                f"  Buffers: shared hit={rng.randint(6, 19)}",
                "  ->  Result  (cost=0.00..0.02 rows=1 width=50) (actual time=0.003..0.003 rows=1 loops=1)",
                f"Planning Time: {base:.3f} ms",
                f"Execution Time: {base * 4.2:.3f} ms",
                "",
                f"Aggregate  (cost=8.45..8.46 rows=1 width=8) "
                f"(actual time={base * 1.2:.3f}..{base * 1.21:.3f} rows=1 loops=1)",
                f"  ->  Index Scan using {table}_pkey on {table}  (cost=0.28..8.44 rows={rows} width=4) "
                f"(actual rows={rows} loops=1)",
                "        Index Cond: ((key_id = 'k_31'::text) AND (starts = '2026-03-24 14:07:00+00'::timestamptz))",
                f"        Buffers: shared hit={rows + 2}",
                f"Planning Time: {base * 1.7:.3f} ms",
                f"Execution Time: {base * 2:.3f} ms",
            ]
        )
        + "\n"
    )


def log(rng: random.Random, lines: int, *, limited: float = 0.0, minute: int = 7) -> str:
    """JSON lines of the service."""
    made = []
    at = 0.0
    for number in range(lines):
        at += rng.random() * 0.11
        status = 429 if rng.random() < limited else rng.choice((200, 200, 200, 201, 204, 409))
        made.append(
            f'{{"level":30,"time":"2026-03-24T14:{minute:02d}:{at % 60:06.3f}Z","pid":{rng.choice((4411, 4412, 4413))},'
            f'"reqId":"req-{number:x}","owner":"o-{rng.choice((4471, 4471, 2210, 8034, 1187))}",'
            f'"route":"{rng.choice(_ROUTES)}","status":{status},"ms":{rng.uniform(0.8, 9.4):.2f}}}'
        )
    return "\n".join(made) + "\n"


def suite(rng: random.Random, groups: Sequence[tuple[str, Sequence[str]]], *, broken: str = "") -> str:
    """A vitest run with every test named."""
    lines = [" RUN  v2.1.8 /home/mira/harbor", ""]
    count = 0
    for file, names in groups:
        lines.append(f" {'❯' if broken in names else '✓'} {file} ({len(names)} tests) {rng.randint(40, 900)}ms")
        for name in names:
            count += 1
            mark = "×" if name == broken else "✓"
            lines.append(f"   {mark} {name} {rng.randint(1, 88)}ms")
    lines += [
        "",
        f" Test Files  {len(groups)} passed ({len(groups)})"
        if not broken
        else f" Test Files  1 failed | {len(groups) - 1} passed",
    ]
    lines.append(f"      Tests  {count - bool(broken)} passed" + (" | 1 failed" if broken else "") + f" ({count})")
    lines += [
        f"   Start at  14:{rng.randint(2, 58):02d}:{rng.randint(10, 59)}",
        f"   Duration  {rng.uniform(1.4, 4.2):.2f}s",
        "",
    ]
    return "\n".join(lines)


def windows(rng: random.Random, rows: int) -> str:
    """Rows of the counters, as psql prints them."""
    lines = [" key_id |         starts         | shard | taken ", "--------+------------------------+-------+-------"]
    for _ in range(rows):
        lines.append(
            f" k_{rng.randint(10, 99)}   | 2026-03-24 14:{rng.randint(0, 9):02d}:00+00 |     {rng.randint(0, 7)} "
            f"| {rng.randint(1, 260):>5} "
        )
    return "\n".join(lines) + f"\n({rows} rows)\n"


def changes(rng: random.Random, subjects: Sequence[str]) -> str:
    """`git log --oneline` with dates."""
    return (
        "\n".join(
            f"{rng.getrandbits(28):07x} 2026-0{rng.randint(1, 3)}-{rng.randint(10, 28)} {subject}"
            for subject in subjects
        )
        + "\n"
    )
