"""The command line without a window: `inspect`, `breaks`, `steps`, `prompt`, `compact`, `cap`, `policies`.

One document on standard output, progress on standard error and only on a terminal. Exit codes: 0 done; 1 the file
cannot be read or the request cannot be met, told in one sentence; 2 wrong usage. Never a traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from core import counter as counting
from core import counts as tables_of_counts
from core.assembled import assemble
from core.cap_documents import cap_document, cap_table
from core.capping import cap_of, chunks, plan
from core.compact_verb import Means, add_options, compact
from core.compaction_documents import compact_table, preview_table
from core.documents import breaks_document, inspect_document, prompt_document
from core.errors import RequestError, StratascopeError, UsageError
from core.format import open_session
from core.judge import judge
from core.messages import Json
from core.phrase import LANGUAGES, phrase, render
from core.profile import Profile, changed, default_policy, named, policies
from core.session import Session
from core.step_documents import policies_document, steps_document
from core.step_tables import policies_table, steps_table
from core.steps import begin
from core.steps import run as run_steps
from core.storage import write_new
from core.tables import breaks_table, inspect_table, prompt_table
from core.timeline import Timeline, build, window_of
from core.visible import visible_line

DONE, CANNOT, WRONG_USAGE = 0, 1, 2

VERBS = ("inspect", "breaks", "steps", "prompt", "compact", "cap", "policies")
LATER = ("replay", "sweep", "truncate", "report", "check", "lesson")
"""Verbs that are planned and not there yet."""

Map = Callable[..., Iterable[Any]]


def run(
    argv: Sequence[str],
    map: Map = map,
    wait: Callable[[float], None] = lambda _: None,
    clock: Callable[[], float] | None = None,
) -> int:
    """Runs the verb `argv[0]` and returns its exit code. `map` spreads independent runs over processes, for the verbs
    that have some; those of today have none. `wait` sleeps and `clock` tells seconds, for verbs that ask somebody."""
    language = "en"
    try:
        options = _parse(argv)
        language = options.lang
        options.wait, options.clock = wait, clock
        _say(_VERB[options.verb](options), exact=options.json)
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


# verbs


def _inspect(options: argparse.Namespace) -> str:
    session = _open(options)
    document = inspect_document(session, _leaf(session, options.leaf), options.lang)
    return _json(document) if options.json else inspect_table(document, options.file, options.lang)


def _breaks(options: argparse.Namespace) -> str:
    session = _open(options)
    timeline, _ = _timeline(session, options)
    document = breaks_document(session, timeline, options.lang)
    return _json(document) if options.json else breaks_table(document, options.lang)


def _prompt(options: argparse.Namespace) -> str:
    if options.raw:
        raise RequestError(phrase("cli.raw_later"))
    session = _open(options)
    timeline, counts, _ = _counted(session, options)
    assembled = assemble(session, timeline, counts, _number(options, timeline))
    document = prompt_document(session, timeline, assembled)
    return _json(document) if options.json else prompt_table(document, assembled, options.lang)


def _steps(options: argparse.Namespace) -> str:
    session = _open(options)
    profile = _profile(options, session.format)
    timeline, counts, counter = _counted(session, options)
    assembled = assemble(session, timeline, counts, _number(options, timeline))
    start = begin(session, timeline, counts, assembled, profile, window=options.window, counter=counter)
    trace = run_steps(start, profile)
    faults = judge(trace.blocks, start.step.target.family, start.step)
    document = steps_document(session, start, trace, profile, faults, counts.counter, options.lang)
    return _json(document) if options.json else steps_table(document, options.lang)


def _compact(options: argparse.Namespace) -> str:
    session = _open(options)
    profile = named(options.policy) if options.policy else default_policy(session.format)
    whole = session.path_to(_leaf(session, options.leaf))
    progress = _Progress("cli.auditing", options.lang)
    means = Means(options.wait, options.clock, lambda share: progress(int(share * 1000), 1000))
    try:
        document = compact(session, whole, profile, options, means)
    finally:
        progress.clear()
    if options.json:
        return _json(document)
    return preview_table(document, options.lang) if options.preview else compact_table(document, options.lang)


def _cap(options: argparse.Namespace) -> str:
    session = _open(options)
    path = session.path_to(session.active_leaf)
    window, _ = window_of(session, path, session.requests(path), options.window)
    profile = named(options.policy) if options.policy else default_policy(session.format)
    try:
        cap = cap_of(profile, window, options.set)
    except RequestError as error:
        raise UsageError(error.phrase) from error
    progress = _Progress("cli.capping", options.lang)
    try:
        planned = plan(session, cap, lambda row: progress(row, len(session)))
        if options.output is not None:
            write_new(options.output, chunks(session, planned, lambda done: progress(done, session.size)))
    finally:
        progress.clear()
    document = cap_document(planned, profile.id, options.output)
    return _json(document) if options.json else cap_table(document, options.lang)


def _policies(options: argparse.Namespace) -> str:
    known = policies()
    document = policies_document({p.id: p for p in [named(options.policy)]} if options.policy else known, options.lang)
    return _json(document) if options.json else policies_table(document, options.lang)


_VERB: dict[str, Callable[[argparse.Namespace], str]] = {
    "inspect": _inspect,
    "breaks": _breaks,
    "steps": _steps,
    "prompt": _prompt,
    "compact": _compact,
    "cap": _cap,
    "policies": _policies,
}


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
    if verb != "policies":
        parser.add_argument("file", metavar="FILE", help=say("file"))
    parser.add_argument("--json", action="store_true", help=say("json"))
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help=say("lang"))
    if verb in ("steps", "compact", "cap", "policies"):
        parser.add_argument("--policy", metavar="NAME", help=say("policy"))
    if verb not in ("cap", "policies"):
        parser.add_argument("--leaf", metavar="ID", help=say("leaf"))
    if verb not in ("inspect", "compact", "cap", "policies"):
        parser.add_argument("--counter", metavar="NAME", help=say("counter"))
    if verb not in ("inspect", "policies"):
        parser.add_argument("--window", metavar="TOKENS", type=_tokens, help=say("window"))
    if verb in ("prompt", "steps", "compact"):
        parser.add_argument("--request", metavar="N|last|next", type=_request, default="next", help=say("request"))
    if verb in ("steps", "compact", "cap"):
        parser.add_argument("--set", metavar="LAYER.FIELD=VALUE", action="append", default=[], help=say("set"))
    if verb == "steps":
        parser.add_argument("--engine", metavar="NAME", help=say("engine"))
    if verb == "cap":
        parser.add_argument("--output", metavar="FILE", help=say("output"))
    if verb == "compact":
        add_options(parser, say)
    if verb == "prompt":
        parser.add_argument("--raw", action="store_true", help=say("raw"))
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


def _tokens(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", word) or int(word) == 0:
        raise argparse.ArgumentTypeError(f"{word!r} is no number of tokens")
    return int(word)


def _request(word: str) -> str:
    if word not in ("last", "next") and (not re.fullmatch(r"[0-9]{1,15}", word) or int(word) == 0):
        raise argparse.ArgumentTypeError(f"{word!r} is neither a number from 1 nor last nor next")
    return word


# reading


def _open(options: argparse.Namespace) -> Session:
    progress = _Progress("cli.reading", options.lang)
    try:
        return open_session(options.file, lambda done, size, entries: progress(done, size))
    finally:
        progress.clear()


def _leaf(session: Session, wanted: str | None) -> int | None:
    if wanted is None:
        return session.active_leaf
    row = session.row_of(wanted)
    if row is None:
        raise RequestError(phrase("cli.unknown_leaf", leaf=wanted, path=session.path))
    return row


def _number(options: argparse.Namespace, timeline: Timeline) -> int | None:
    """The request asked for; None: what would be sent next."""
    if options.request == "next":
        return None
    if options.request != "last":
        return int(options.request)
    if not timeline.summaries:
        raise RequestError(phrase("request.none"))
    return len(timeline.summaries)


def _profile(options: argparse.Namespace, format: str) -> Profile:
    """The policy named, or that of the format, with `--set` and `--engine`. What is wrong there is wrong usage."""
    profile = named(options.policy) if options.policy else default_policy(format)
    try:
        for word in options.set:
            profile = changed(profile, word)
        return profile.set("context_engine", engine=options.engine) if options.engine else profile
    except RequestError as error:
        raise UsageError(error.phrase) from error


def _timeline(session: Session, options: argparse.Namespace) -> tuple[Timeline, tables_of_counts.Counts]:
    return _counted(session, options)[:2]


def _counted(
    session: Session, options: argparse.Namespace
) -> tuple[Timeline, tables_of_counts.Counts, counting.Counter]:
    name = options.counter or ("recorded" if session.requests() else "bpe")
    leaf = _leaf(session, options.leaf)
    progress = _Progress("cli.counting", options.lang)
    try:
        counter = counting.make(name, session)
        counts = tables_of_counts.count(session, counter, lambda row: progress(row, len(session)))
    finally:
        progress.clear()
    return build(session, leaf, counts, options.window), counts, counter


class _Progress:
    """A line on a terminal that is wiped when the work is done; nothing anywhere else. Never stops the work."""

    def __init__(self, id: str, language: str) -> None:
        self._id, self._language = id, language
        self._shown = -1
        self._on = sys.stderr.isatty()

    def __call__(self, done: int, size: int) -> bool:
        share = 100 * done // size if size else 100
        if self._on and share > self._shown:
            self._shown = share
            sys.stderr.write("\r" + render(phrase(self._id, share=share / 100), self._language))
            sys.stderr.flush()
        return True

    def clear(self) -> None:
        if self._on and self._shown >= 0:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


# writing

_LONE = re.compile("[\ud800-\udfff]")


def _json(document: Json) -> str:
    """Readable JSON. Halves of surrogate pairs stay escapes: no UTF-8 can hold them."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
