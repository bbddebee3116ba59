"""`python -m tests.bench [--only NAME …] [--json FILE] [--list]`: every benchmark in a process of its own, as a table.

It ends with 0 whatever was measured: times belong to a machine, tests to the product. Only a benchmark that could not
be measured at all makes it 1.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import tests.bench
from tests.bench.figure import Figure, table

PREFIX = "bench_"


def names() -> list[str]:
    """The benchmarks there are: modules `bench_*.py`, without the prefix."""
    found = (module.name for module in pkgutil.iter_modules(tests.bench.__path__))
    return sorted(name.removeprefix(PREFIX) for name in found if name.startswith(PREFIX))


def module_of(name: str) -> ModuleType:
    return importlib.import_module(f"tests.bench.{PREFIX}{name}")


def rule_of(name: str) -> str:
    """The first paragraph of the module's docstring, read without running the module: it may need Qt."""
    path = Path(next(iter(tests.bench.__path__))) / f"{PREFIX}{name}.py"
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    said = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else ""
    return " ".join(said.split("\n\n")[0].split())


def main(argv: Sequence[str] | None = None) -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.bench", description="The measured times of the product.")
    asked.add_argument("--only", action="append", metavar="NAME", help="one benchmark (may be repeated)")
    asked.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    asked.add_argument("--list", action="store_true", help="name the benchmarks and their rules")
    asked.add_argument("--measure", metavar="NAME", help=argparse.SUPPRESS)  # the child's side
    asked.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    wanted = asked.parse_args(argv)
    if wanted.list:
        for name in names():
            print(f"{name:16} {rule_of(name)}")
        return 0
    if wanted.measure:
        return _measure(wanted.measure, wanted.place)
    for name in wanted.only or ():
        if name not in names():
            asked.error(f"there is no benchmark {name}; there are: {', '.join(names())}")
    return _run(wanted.only or names(), wanted.json)


def _run(chosen: Sequence[str], target: Path | None) -> int:
    failed = False
    report: dict[str, Any] = {"machine": _machine(), "benchmarks": []}
    print(", ".join(f"{name} {value}" for name, value in report["machine"].items()))
    with tempfile.TemporaryDirectory(prefix="stratascope-bench-") as place:
        for name in chosen:
            print(f"\n{name}: {rule_of(name)}", flush=True)
            load, began = _load(), time.monotonic()
            found = _child(name, Path(place))
            if isinstance(found, str):
                failed = True
                print(f"  could not be measured:\n{found}")
                report["benchmarks"].append({"name": name, "rule": rule_of(name), "error": found})
                continue
            print(table(found))
            took = time.monotonic() - began
            print(f"(took {took:.1f} s; load before {load}, after {_load()})")
            figures = [figure.json() for figure in found]
            report["benchmarks"].append({"name": name, "rule": rule_of(name), "load": load, "figures": figures})
    if target is not None:
        target.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(failed)


def _child(name: str, place: Path) -> list[Figure] | str:
    """The figures of one benchmark, measured in a fresh process; its complaint if it ended badly."""
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-m", "tests.bench", "--measure", name, "--place", str(place)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    if done.returncode or not lines:
        return (done.stderr or done.stdout)[-3_000:] or f"exit code {done.returncode}"
    return [Figure.read(found) for found in json.loads(lines[-1])]


def _measure(name: str, place: Path) -> int:
    figures = module_of(name).measure(place)
    print(json.dumps([figure.written() for figure in figures]))
    return 0


def _machine() -> dict[str, Any]:
    return {
        "system": platform.platform(terse=True),
        "processors": os.cpu_count(),
        "Python": platform.python_version(),
        "load": _load(),
    }


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    sys.exit(main())
