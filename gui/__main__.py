"""The program `stratascope` (also `python -m gui`): decides between a verb, a picture and the window, without Qt.

Verbs go to `core.cli` and run where Qt cannot even be loaded. Only the window and `shot` import Qt, and only after
`gui.environment` has found that Qt will not abort.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from core.phrase import Phrase, phrase, render
from gui import environment

# What core.cli answers (a test keeps them equal): the window need not import it to know that a file is no verb.
VERBS = (
    "inspect",
    "breaks",
    "steps",
    "prompt",
    "replay",
    "sweep",
    "compact",
    "truncate",
    "cap",
    "report",
    "check",
    "lesson",
    "policies",
)

DONE, CANNOT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program with `argv` (without the program's name) and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output (head, less) has left. Python would complain again at exit: give it nothing to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CANNOT
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first in VERBS:
        from core import cli, engine_far
        from gui.engine_guard import guarded

        engine_far.use(guarded)
        return cli.run(arguments, map=map, wait=time.sleep, clock=time.monotonic)
    if first == "shot":
        return _shot(arguments)
    if first in ("-h", "--help"):
        print(_help())
        return DONE
    if first in ("-V", "--version"):
        print(f"stratascope {_version()}")
        return DONE
    return _window(arguments)


def _shot(arguments: list[str]) -> int:
    # A picture needs no display; with a platform chosen by hand the person gets that one.
    os.environ["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM") or "offscreen"
    asks = {"-h", "--help"} & set(arguments)
    if not asks and (fault := environment.fault()):
        return _refuse(fault)
    from gui import shot

    return shot.run(arguments[1:])


def _window(arguments: list[str]) -> int:
    if "--" in arguments:
        cut = arguments.index("--")
        options, files = arguments[:cut], arguments[:cut] + arguments[cut + 1 :]
    else:
        options = files = arguments
    for option in options:
        if option.startswith("-"):
            return _refuse(phrase("launch.unknown_option", option=option), WRONG_USAGE)
    for file in files:
        if Path(file).is_dir():
            return _refuse(phrase("launch.folder", path=file))
        if not Path(file).exists():
            return _refuse(phrase("launch.no_file", path=file))
    if fault := environment.fault():
        return _refuse(fault)
    from gui import app

    return app.run(files)


def _refuse(reason: Phrase, code: int = CANNOT) -> int:
    print(f"stratascope: {render(reason, environment.language())}", file=sys.stderr)
    return code


def _help() -> str:
    from core import cli

    language, width = environment.language(), max(map(len, cli.VERBS))
    lines = [f"  {verb:{width}}  {render(phrase(f'cli.help.{verb}'), language)}" for verb in cli.VERBS]
    return render(phrase("launch.help", verbs="\n".join(lines)), language)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("stratascope")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
