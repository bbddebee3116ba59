"""All rows of 50 MB and 500 MB are there in at most 1.5 times a plain parse of the lines, in 500 bytes an entry.

The yardstick is `orjson.loads` over the lines of the same file in the same process; where Node is installed, JSON.parse
over the lines stands beside it. STRATASCOPE_LARGE=0 leaves the 500 MB out, which take a minute to make.
"""

from __future__ import annotations

import gc
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import orjson

from core.duplicates import duplicate_keys
from core.following import Following
from core.format import formats, recognised
from core.lines import RecordedFile
from core.measure import measured
from core.session import Session
from tests.bench import made
from tests.bench.figure import Figure, Yardstick

SIZES = (("50 MB", 18_000, 2_850, 0, 5), ("500 MB", 360_000, 1_230, 7, 3))
RATIO, AN_ENTRY = 1.5, 500
_PIECE = 1 << 20
_NODE = """
const fs = require("fs"), readline = require("readline");
const began = process.hrtime.bigint();
const lines = readline.createInterface({ input: fs.createReadStream(process.argv[1]), crlfDelay: Infinity });
let count = 0;
lines.on("line", (line) => { try { JSON.parse(line); count++; } catch {} });
lines.on("close", () => console.log(Number(process.hrtime.bigint() - began) / 1e6));
"""


def chosen() -> tuple[tuple[str, int, int, int, int], ...]:
    return SIZES[:1] if os.environ.get("STRATASCOPE_LARGE") == "0" else SIZES


def measure(place: Path) -> list[Figure]:
    formats()
    found = []
    for name, count, mean, bad, times in chosen():
        file = made.write(place / f"made-{count}.jsonl", count, mean, bad=bad)
        _read(file)  # once before: pages in the cache, code compiled
        pairs = [(_plain(file), _timed(file)) for _ in range(times)]
        for at, kind in enumerate(("", ", processor time alone")):
            plain = statistics.median(one[at] for one, _ in pairs)
            reads = tuple(read[at] for _, read in pairs)
            yard = Yardstick("orjson over lines", plain)
            found.append(Figure(f"all rows, {name}{kind}", reads, "median", RATIO * plain, yard))
        found.append(Figure("  … first rows", tuple(_first(file) for _ in range(times)), "median", 300))
        node = _node(file)
        if node is not None:
            clock = tuple(read[0] for _, read in pairs)
            found.append(Figure(f"all rows beside Node, {name}", clock, "median", None, Yardstick("JSON.parse", node)))
        if Path("/proc/self/clear_refs").exists():
            found.append(Figure(f"memory an entry, {name}", (_memory(file, count),), "max", AN_ENTRY, None, "B"))
        session = _read(file)
        began = time.perf_counter()
        session = measured(session)
        sizes = time.perf_counter() - began
        found.append(Figure(f"sizes of all texts, {name}", (sizes * 1000,), "median", None))
        began = time.perf_counter()
        duplicate_keys(session)
        found.append(Figure(f"keys that stand twice, {name}", ((time.perf_counter() - began) * 1000,), "median", None))
    return found


def _read(file: Path) -> Session:
    source = RecordedFile.at(file)
    session: Session = recognised(source).read(source, None)
    return session


Took = tuple[float, float]
"""ms on the clock, and of the processor: the first grows on a machine that does other things too."""


def _since(began: Took) -> Took:
    return (time.perf_counter() - began[0]) * 1000, (time.process_time() - began[1]) * 1000


def _timed(file: Path) -> Took:
    gc.collect()
    began = time.perf_counter(), time.process_time()
    _read(file)
    return _since(began)


def _first(file: Path) -> float:
    """Milliseconds until a first Part could be shown."""
    began = time.perf_counter()
    source = RecordedFile.at(file)
    following = Following(recognised(source).Reading(source))
    for _ in following.read(_PIECE, lambda done, whole, entries: True):
        following.part()
        break
    return (time.perf_counter() - began) * 1000


def _plain(file: Path) -> Took:
    gc.collect()
    began = time.perf_counter(), time.process_time()
    with file.open("rb") as lines:
        for line in lines:
            try:
                orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
    return _since(began)


def _node(file: Path) -> float | None:
    node = shutil.which("node")
    if node is None:
        return None
    done = subprocess.run([node, "-e", _NODE, str(file)], capture_output=True, text=True, check=False)
    return float(done.stdout) if done.returncode == 0 and done.stdout.strip() else None


_PEAK = """
import sys
from core.format import formats, recognised
from core.lines import RecordedFile

def status(name):
    return int(next(line for line in open("/proc/self/status") if line.startswith(name)).split()[1]) * 1024

formats()
small = RecordedFile.at(sys.argv[1]); recognised(small).read(small, None)
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
source = RecordedFile.at(sys.argv[2]); session = recognised(source).read(source, None)
print(status("VmHWM") - before)
"""


def _memory(file: Path, count: int) -> float:
    """Bytes an entry by which reading raises the peak of a fresh process, buffers included."""
    case = Path(made.__file__).parent.parent / "cases" / "07-error-and-aborted-assistants.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(case), str(file)], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / count
