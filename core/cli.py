"""The command line without a window: finds the verb in `core/verbs/`, parses its arguments, prints what it says.

One document on standard output, progress on standard error and only on a terminal. Exit codes: 0 done; 1 the file
cannot be read or the request cannot be met, told in one sentence; 2 wrong usage. Never a traceback.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, NoReturn

from core.errors import RequestError, StratascopeError, UsageError
from core.phrase import LANGUAGES, phrase, render
from core.visible import visible_line

DONE, CANNOT, WRONG_USAGE = 0, 1, 2

VERBS = ("inspect", "breaks", "steps", "prompt", "compact", "truncate", "cap", "policies")
"""In the order of the help; each is the module of that name in `core/verbs/`, imported when it is asked for."""
LATER = ("replay", "sweep", "report", "check", "lesson")
"""Verbs that are planned and not there yet."""

Map = Callable[..., Iterable[Any]]


def run(
    argv: Sequence[str],
    map: Map = map,
    wait: Callable[[float], None] = lambda _: None,
    clock: Callable[[], float] | None = None,
) -> int:
    """Runs the verb `argv[0]` and returns its exit code. `map` spreads independent runs over processes, for the verbs
    that have some. `wait` sleeps and `clock` tells seconds, for verbs that ask somebody."""
    language = "en"
    try:
        options = _parse(argv)
        language = options.lang
        options.map, options.wait, options.clock = map, wait, clock
        _say(_verb(options.verb).run(options), exact=options.json)
    except UsageError as error:
        return _refuse(error, _language(argv), WRONG_USAGE)
    except StratascopeError as error:
        return _refuse(error, language, CANNOT)
    except SystemExit as stop:  # argparse has printed its help
        return stop.code if isinstance(stop.code, int) else DONE
    except BrokenPipeError:  # whoever read the output has left; nobody is there to be told
        _forget_output()
        return CANNOT
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return _refuse(StratascopeError(phrase("cli.failed", reason=reason)), language, CANNOT)
    return DONE


def _verb(name: str) -> ModuleType:
    return importlib.import_module(f"core.verbs.{name}")


# the arguments


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(phrase("cli.usage", message=message, command=self.prog))


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    verb, language = argv[0] if argv else "", _language(argv)
    if verb in LATER:
        raise RequestError(phrase("cli.later", verb=verb, known=", ".join(VERBS)))
    if verb not in VERBS:
        raise UsageError(phrase("cli.unknown_verb", verb=verb, known=", ".join(VERBS)))

    def say(id: str) -> str:
        return render(phrase(f"cli.help.{id}"), language).replace("%", "%%")

    parser = _Parser(prog=f"stratascope {verb}", description=say(verb), allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help=say("json"))
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help=say("lang"))
    _verb(verb).arguments(parser, say)
    options = parser.parse_args(list(argv[1:]))
    options.verb = verb
    return options


def _language(argv: Sequence[str]) -> str:
    """The language asked for, also when the rest of the line is wrong."""
    for at, word in enumerate(argv):
        wanted = word.partition("=")[2] if word.startswith("--lang=") else ""
        if word == "--lang" and at + 1 < len(argv):
            wanted = argv[at + 1]
        if wanted in LANGUAGES:
            return wanted
    return "en"


# writing


def _say(text: str, exact: bool) -> None:
    """`exact`: UTF-8 whatever the terminal's own encoding is; else what that cannot show becomes a question mark."""
    encoding = "utf-8" if exact else sys.stdout.encoding or "utf-8"
    data = (text + "\n").encode(encoding, "replace")
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(data.decode(encoding))
    else:
        sys.stdout.flush()
        stream.write(data)
    sys.stdout.flush()


def _forget_output() -> None:
    """Python would complain at exit about what it could not write: give it a place where that goes."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return


def _refuse(error: StratascopeError, language: str, code: int) -> int:
    print("stratascope: " + visible_line(render(error.phrase, language)), file=sys.stderr)
    return code
