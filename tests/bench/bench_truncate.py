"""A file of 500 MB is truncated within 600 bytes of memory an entry: looked at, written to a new file, proven.

The yardstick is a plain copy of the file in the same process. STRATASCOPE_LARGE=0 leaves the 500 MB out.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from core.format import formats
from core.truncation_look import look
from core.truncation_sources import sources
from core.truncation_write import read, write
from tests.bench import made
from tests.bench.bench_large import chosen
from tests.bench.figure import Figure, Yardstick

AN_ENTRY, MANY = 600, 100_000


def measure(place: Path) -> list[Figure]:
    formats()
    found = []
    for name, count, mean, bad, _ in chosen():
        file = made.write(place / f"made-{count}.jsonl", count, mean, forks=0, bad=bad)
        yard = Yardstick("plain copy", _copied(file, place / "copy.jsonl"))
        began = time.perf_counter()
        session = read(str(file))
        opened = time.perf_counter()
        planned = look(session, session.active_leaf)
        looked = time.perf_counter()
        write(session, planned, str(place / "new.jsonl"))
        written = time.perf_counter()
        sources(session)
        told = time.perf_counter()
        (place / "new.jsonl").unlink()
        del session
        saved = 100 * (1 - planned.bytes_after / planned.bytes_before)
        gone = len(planned.plan.removed)
        del planned
        found += [
            Figure(f"read, {name}", ((opened - began) * 1000,), "median", None, yard),
            Figure(f"plan and dry run, {name}", ((looked - opened) * 1000,), "median", None, yard),
            Figure(f"write to a new file, reopen, prove, {name}", ((written - looked) * 1000,), "median", None, yard),
            Figure(f"where the bytes come from, {name}", ((told - written) * 1000,), "median", None, yard),
            Figure(f"removed, {name}", (float(gone),), "median", None, None, "rows"),
            Figure(f"less, {name}", (saved,), "median", None, None, "%"),
        ]
        if Path("/proc/self/clear_refs").exists():
            limit = AN_ENTRY if count > MANY else None  # of fewer entries the buffers weigh as much as they do
            found.append(Figure(f"memory an entry, {name}", (_memory(file, place, count),), "max", limit, None, "B"))
    return found


def _copied(file: Path, target: Path) -> float:
    began = time.perf_counter()
    with file.open("rb") as old, target.open("wb") as new:
        while piece := old.read(1 << 20):
            new.write(piece)
    target.unlink()
    return (time.perf_counter() - began) * 1000


_PEAK = """
import sys
from core import cli

def status(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1]) * 1024

small, file, target = sys.argv[1:]
real, sys.stdout = sys.stdout, open("/dev/null", "w")
cli.run(["truncate", small, "--json"])
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
code = cli.run(["truncate", file, "--output", target, "--json"])
print(code, status("VmHWM") - before, file=real)
"""


def _memory(file: Path, place: Path, count: int) -> float:
    """Bytes an entry by which the verb raises the peak of a fresh process: reading, plan, writing, proof and answer."""
    small = Path(made.__file__).parent.parent / "cases" / "07-error-and-aborted-assistants.jsonl"
    target = place / "peak.jsonl"
    command = [sys.executable, "-c", _PEAK, str(small), str(file), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    target.unlink()
    code, peak = done.stdout.split()
    if code != "0":
        raise RuntimeError(done.stderr)
    return int(peak) / count
