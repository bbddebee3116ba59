"""Kills a process while it truncates a session file in place, over and over: `python -m tests.kill --kills 500`.

Every other kill comes at one call of the system, before it or after it, each in turn; the others at a moment drawn from
the time that the whole takes. After each: one complete file stands under the name, old or new; if it is the new one, or
if the archive has its name, the archive holds every byte of the old one. Then what is there is truncated once more.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from core.file_operations import FileOperations
from core.truncation_look import look
from core.truncation_write import read, write_in_place
from tests.core import compacted
from tests.core.faulty import Faulty

NAME = "s.jsonl"
CONTEXT = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
"""A forked child is a process of its own that need not import everything first."""


class Deadly(Faulty):
    """The process ends itself at a call: no clearing up, as with any SIGKILL."""

    def _do(self, name: str, *given: Any) -> Any:
        self.log.append((name, given))
        if len(self.log) == self.at and self.how == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = getattr(FileOperations, name)(self, *given)
        if len(self.log) == self.at and self.how == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return done


def truncate(path: str, files: FileOperations) -> None:
    session = read(path)
    write_in_place(session, look(session, session.active_leaf), files=files)


def killed(place: Path, old: bytes, kill: tuple[str, float]) -> str:
    """One child, killed; what stands there afterwards, "old", "old, archived" or "new". AssertionError when it is
    anything else."""
    path = place / NAME
    path.write_bytes(old)
    how, at = kill
    files: FileOperations = Deadly(int(at), how) if how in ("before", "after") else FileOperations()
    child = CONTEXT.Process(target=truncate, args=(str(path), files))
    child.start()
    if how == "time":
        time.sleep(at)
        child.kill()
    child.join()
    found = state(place, old)
    session = read(str(path))
    made = look(session, session.active_leaf)
    if made.plan.reason is None:
        write_in_place(session, made)
    for left in place.iterdir():
        left.unlink()
    return found


def state(place: Path, old: bytes) -> str:
    """Told from the bytes alone."""
    now = (place / NAME).read_bytes()
    archive = place / f"{NAME}.bak-1"
    archived = archive.exists()
    if archived:
        assert archive.read_bytes() == old, "the archive has its name and is not complete"
    if now == old:
        return "old, archived" if archived else "old"
    assert now == expected(old), "neither the old file nor the new one"
    assert archived, "the file has changed and there is no archive"
    return "new"


_expected: dict[int, bytes] = {}


def expected(old: bytes) -> bytes:
    """The file that the truncation makes when nobody disturbs it."""
    key = hash(old)
    if key not in _expected:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / NAME
            path.write_bytes(old)
            truncate(str(path), FileOperations())
            _expected[key] = path.read_bytes()
    return _expected[key]


def soak(kills: int, seed: int = 1, rounds: int = 10, messages: int = 200) -> Counter[str]:
    """What stood there after each kill, counted."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="stratascope-kill-") as folder:
        place = Path(folder) / "session"
        place.mkdir()
        old = compacted.write(Path(folder) / "made.jsonl", rounds, messages).read_bytes()
        expected(old)
        calls, took = _whole(place, old)
        found: Counter[str] = Counter()
        for number in range(kills):
            step = number // 2
            if number % 2:
                kill = ("time", chance.uniform(0, took * 1.1))
            else:
                kill = (("before", "after")[step % 2], 1 + (step // 2) % calls)
            found[killed(place, old, kill)] += 1
    return found


def _whole(place: Path, old: bytes) -> tuple[int, float]:
    """Calls and seconds of one truncation in a child that lives."""
    path = place / NAME
    path.write_bytes(old)
    files = Faulty()
    truncate(str(path), files)
    path.write_bytes(old)
    began = time.monotonic()
    child = CONTEXT.Process(target=truncate, args=(str(path), FileOperations()))
    child.start()
    child.join()
    took = time.monotonic() - began
    for left in place.iterdir():
        left.unlink()
    return len(files.log), took


def main(argv: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.kill", description=__doc__.split("\n\n")[0])
    asked.add_argument("--kills", type=int, default=500)
    asked.add_argument("--seed", type=int, default=1)
    wanted = asked.parse_args(argv)
    began = time.monotonic()
    try:
        found = soak(wanted.kills, wanted.seed)
    except AssertionError as error:
        print(f"kill: {error}", file=sys.stderr)
        return 1
    counts = ", ".join(f"{n} times {what}" for what, n in sorted(found.items()))
    print(f"{found.total()} kills in {time.monotonic() - began:.0f} s: {counts}; no file was ever damaged")
    return 0


if __name__ == "__main__":
    sys.exit(main())
