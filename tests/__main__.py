"""The whole suite: `python -m tests`, which `make test` runs. With arguments it is plain pytest.

Everything without a window runs in one process. The window's tests run in a process for each file: Qt objects that
one file leaves in reference cycles are then never collected in the middle of another file's test, at a moment and in
an order that nobody chose. A process that dies of a signal is told and tried again; a failed test never is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NO_TESTS = 5
TRIES = 4


def run(*arguments: str) -> int:
    """pytest in a process of its own; its exit code, negative when a signal ended it."""
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=HERE.parent, env={"QT_QPA_PLATFORM": "offscreen", **os.environ}).returncode


def main(arguments: list[str]) -> int:
    if arguments:
        return run(*arguments)
    failed = [] if run("--ignore=tests/gui") in (0, NO_TESTS) else ["everything without a window"]
    for path in sorted((HERE / "gui").glob("test_*.py")):
        name = path.relative_to(HERE.parent).as_posix()
        print(f"== {name}", flush=True)
        for _ in range(TRIES):
            code = run("-q", name)
            if code >= 0:
                break
            print(f"tests: {name} was ended by signal {-code}; once more", flush=True)
        if code not in (0, NO_TESTS):
            failed.append(name)
    print(f"tests: failed: {', '.join(failed)}" if failed else "tests: all passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
