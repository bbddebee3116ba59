"""Damages the cases and reads what is left of them, over and over: `python -m tests.soak --inputs 100000`.

Every input is made from a case by some of: bytes flipped, cut, doubled, moved; lines cut, glued, swapped, repeated;
NUL runs, broken UTF-8, lone surrogates, odd numbers, brackets without end; ids made alike; two cases spliced. The same
seed makes the same inputs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from core.context import build
from core.errors import StratascopeError
from core.format import open_session
from core.labels import labels, session_name
from core.titles import title

CASES = sorted((Path(__file__).resolve().parent / "cases").glob("*.jsonl"))
LARGEST = 200_000
"""Cases beyond this are cut before they are damaged: a soak is about many inputs."""
PATIENCE = 2.0
_ODD = (
    b"\0" * 40, b"\xff\xfe", b"\xc3", b"\\ud83d", b"\xe2\x80\xa8", b"NaN", b"1e999", b"-", b"{", b"}", b"[" * 300,
    b'"', b"\\", b"\n", b"\r\n", b"\r", b"\n\n", b"\xef\xbb\xbf", b"null", b'{"type":"session","version":2}\n',
    b'"id":"e0000001",', b'"parentId":"e0000003",', b",", b"9" * 5000, b'{"type":"message"}\n', b"\x1b[31m",
)  # fmt: skip


_OTHERS = (
    (b'"role":"user"', b'"role":7'), (b'"content":', b'"content":null,"x":'), (b'"parentId":', b'"parentId":{},"p":'),
    (b'"usage":{', b'"usage":[],"u":{'), (b'"timestamp":', b'"timestamp":true,"t":'), (b'"id":', b'"id":1.5,"i":'),
    (b'"type":"message"', b'"type":"compaction"'), (b'"type":"text"', b'"type":"toolCall"'),
    (b'"version":3', b'"version":1'), (b'"message":{', b'"message":"x","m":{'), (b'"text":"', b'"text":9,"q":"'),
    (b'"input":', b'"input":1e400,"j":'),
)  # fmt: skip
"""What a writer would never put there."""


def damaged(data: bytes, chance: random.Random) -> bytes:
    """One to five wounds."""
    data = data[:LARGEST]
    for _ in range(chance.randint(1, 5)):
        data = _WOUNDS[chance.randrange(len(_WOUNDS))](data, chance)
    return data


def _spot(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 2, 8, 60, 400)))


def _flip(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    start, end = _spot(data, chance)
    return data[:start] + data[end:]


def _end(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _double(data: bytes, chance: random.Random) -> bytes:
    start, end = _spot(data, chance)
    return data[:end] + data[start:end] * chance.randint(1, 3) + data[end:]


def _insert(data: bytes, chance: random.Random) -> bytes:
    start, _ = _spot(data, chance)
    return data[:start] + chance.choice(_ODD) + data[start:]


def _swap(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _glue(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join(lines[:at]) + chance.choice((b"", b" ", b",", b"\r")) + b"\n".join(lines[at:])


def _repeat(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"\n".join(lines)


def _alike(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"e000000" + str(chance.randrange(1, 9)).encode(), b"e0000001")


def _retype(data: bytes, chance: random.Random) -> bytes:
    old, new = chance.choice(_OTHERS)
    return data.replace(old, new, chance.choice((1, -1)))


def _splice(data: bytes, chance: random.Random) -> bytes:
    other = chance.choice(CASES).read_bytes()[:LARGEST]
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other)) :]


_WOUNDS = (_flip, _cut, _end, _double, _insert, _insert, _swap, _glue, _repeat, _alike, _retype, _retype, _splice)


@dataclass
class Result:
    """`failures`: what should never happen, with the input's number. `slowest`: seconds of one input."""

    read: int = 0
    refused: int = 0
    problems: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)


def survey(count: int, seed: int, folder: Path, tell: bool = False) -> Result:
    """Read `count` damaged cases."""
    result = Result()
    path = folder / "soak.jsonl"
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        data = damaged(chance.choice(CASES).read_bytes(), chance)
        path.write_bytes(data)
        began = time.monotonic()
        try:
            result.problems += _use(path)
            result.read += 1
        except StratascopeError as error:
            result.refused += 1
            if not str(error):
                result.failures.append(f"{number}: a refusal without words")
        except Exception:
            result.failures.append(f"{number}: {traceback.format_exc()}")
        took = time.monotonic() - began
        result.slowest = max(result.slowest, took)
        if took > PATIENCE:
            result.failures.append(f"{number}: took {took:.1f} s")
        if path.read_bytes() != data:
            result.failures.append(f"{number}: the file was changed")
        if tell and number % 5_000 == 4_999:
            print(f"{number + 1:,} inputs, {result.read:,} read, {len(result.failures)} failures", flush=True)
    path.unlink(missing_ok=True)
    return result


def _use(path: Path) -> int:
    """Everything that the window does first with a session; the number of its Problems."""
    session = open_session(path)
    path_to_leaf = session.path_to(session.active_leaf)
    context = build(session, path_to_leaf)
    for message in context.messages:
        json.dumps(message.json())
    for row in range(len(session)):
        session.body(row)
        title(session, row, session.body).words("en")
    session.requests()
    session.leaves, session.branch_points  # noqa: B018
    labels(session)
    session_name(session)
    for problem in session.problems:
        str(problem.message), str(problem.hint)
    return len(session.problems)


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.split("\n")[0])
    asked.add_argument("--inputs", type=int, default=100_000)
    asked.add_argument("--seed", type=int, default=1)
    wanted = asked.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="stratascope-soak-") as folder:
        result = survey(wanted.inputs, wanted.seed, Path(folder), tell=True)
    for failure in result.failures[:20]:
        print(failure)
    print(
        f"{wanted.inputs:,} inputs in {time.monotonic() - began:.0f} s: {result.read:,} read with {result.problems:,} "
        f"problems, {result.refused:,} refused, slowest {result.slowest:.2f} s, {len(result.failures)} failures"
    )
    return int(bool(result.failures))


if __name__ == "__main__":
    sys.exit(main())
