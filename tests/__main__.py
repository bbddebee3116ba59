"""The whole suite: `python -m tests`, which `make test` runs. With arguments it is plain pytest.

Everything without a window runs in one process. Beside it the window's tests run in a process for each file: Qt
objects that one file leaves in reference cycles are then never collected in the middle of another file's test, at a
moment and in an order that nobody chose. What a process printed is shown when it ends. A process that dies of a signal
is told and tried again; a failed test never is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

HERE = Path(__file__).parent
NO_TESTS = 5
TRIES = 4
WINDOWLESS = "everything without a window"


def command(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    return [sys.executable, "-m", "pytest", *arguments], {"QT_QPA_PLATFORM": "offscreen", **os.environ}


def ran(arguments: list[str]) -> tuple[int, str]:
    """pytest in a process of its own: (its exit code, negative when a signal ended it; what it printed)."""
    said = ""
    line, environment = command(arguments)
    for _ in range(TRIES):
        done = subprocess.run(
            line, cwd=HERE.parent, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        said += done.stdout
        if done.returncode >= 0:
            break
        said += f"tests: ended by signal {-done.returncode}; once more\n"
    return done.returncode, said


def main(arguments: list[str]) -> int:
    if arguments:
        line, environment = command(arguments)
        return subprocess.run(line, cwd=HERE.parent, env=environment).returncode
    files = [path.relative_to(HERE.parent).as_posix() for path in (HERE / "gui").glob("test_*.py")]
    files.sort(key=lambda name: -(HERE.parent / name).stat().st_size)  # long ones first: no core idles at the end
    failed = []
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        asked: dict[Future[tuple[int, str]], str] = {
            pool.submit(ran, ["-q", "--ignore=tests/gui", "--durations=15"]): WINDOWLESS
        }
        asked |= {pool.submit(ran, ["-q", name]): name for name in files}
        for done in as_completed(asked):
            code, said = done.result()
            print(f"== {asked[done]}\n{said}", end="", flush=True)
            if code not in (0, NO_TESTS):
                failed.append(asked[done])
    print(f"tests: failed: {', '.join(failed)}" if failed else "tests: all passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
