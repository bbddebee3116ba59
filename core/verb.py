"""The contract of a verb of the command line, and what verbs share. Implementations: `core/verbs/`, one each.

    ID                                        its word
    def arguments(parser, say) -> None        its options; `say(id)` is the help text cli.help.<id>
    def run(options) -> str                   what is printed: the document as JSON with `--json`, else a table

A verb writes nothing but its `--output`. It raises UsageError for wrong usage and another StratascopeError where the
file cannot be read or the request cannot be met. `options` carries its arguments, the language (`lang`), `json`, and
what the caller lends: `map`, `wait` (sleeps) and `clock` (seconds).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence

from core import counter as counting
from core import counts as tables_of_counts
from core.errors import RequestError, UsageError
from core.format import open_session
from core.messages import Json
from core.phrase import phrase, render
from core.profile import Profile, changed, default_policy, named
from core.session import Session
from core.timeline import Timeline, build

Say = Callable[[str], str]
"""The text of cli.help.<id> in the language asked for."""

# options that several verbs have


def file_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("file", metavar="FILE", help=say("file"))


def policy_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--policy", metavar="NAME", help=say("policy"))


def leaf_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--leaf", metavar="ID", help=say("leaf"))


def counter_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--counter", metavar="NAME", help=say("counter"))


def window_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--window", metavar="TOKENS", type=_tokens, help=say("window"))


def request_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--request", metavar="N|last|next", type=_request, default="next", help=say("request"))


def set_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--set", metavar="LAYER.FIELD=VALUE", action="append", default=[], help=say("set"))


def trace_argument(parser: argparse.ArgumentParser, say: Say) -> None:
    parser.add_argument("--trace", metavar="FILE", action="append", default=[], help=say("trace"))


def source_arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    """Where tools and system prompt come from, other than traces beside the file."""
    trace_argument(parser, say)
    parser.add_argument("--system", metavar="FILE", help=say("system"))
    parser.add_argument("--tools", metavar="FILE", help=say("tools"))


def _tokens(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", word) or int(word) == 0:
        raise argparse.ArgumentTypeError(f"{word!r} is no number of tokens")
    return int(word)


def _request(word: str) -> str:
    if word not in ("last", "next") and (not re.fullmatch(r"[0-9]{1,15}", word) or int(word) == 0):
        raise argparse.ArgumentTypeError(f"{word!r} is neither a number from 1 nor last nor next")
    return word


# what they ask for


def opened(options: argparse.Namespace) -> Session:
    """The session of the file asked for."""
    progress = Progress("cli.reading", options.lang)
    try:
        return open_session(options.file, lambda done, size, entries: progress(done, size))
    finally:
        progress.clear()


def leaf_of(session: Session, wanted: str | None) -> int | None:
    """The row of the leaf asked for; that of the active leaf without one."""
    if wanted is None:
        return session.active_leaf
    row = session.row_of(wanted)
    if row is None:
        raise RequestError(phrase("cli.unknown_leaf", leaf=wanted, path=session.path))
    return row


def request_of(options: argparse.Namespace, timeline: Timeline) -> int | None:
    """The request asked for; None: what would be sent next."""
    if options.request == "next":
        return None
    if options.request != "last":
        return int(options.request)
    if not timeline.summaries:
        raise RequestError(phrase("request.none"))
    return len(timeline.summaries)


def before_request(session: Session, whole: Sequence[int], wanted: str) -> int:
    """How much of the path stands in front of the request asked for; all of it for the next one."""
    if wanted == "next":
        return len(whole)
    calls = session.requests(whole)
    number = len(calls) if wanted == "last" else int(wanted)
    if not calls:
        raise RequestError(phrase("request.none"))
    if number > len(calls):
        raise RequestError(phrase("request.unknown", number=number, n=len(calls)))
    return whole.index(calls[number - 1].entry)


def policy_of(options: argparse.Namespace, format: str) -> Profile:
    """The policy named, or that of the format, as it is."""
    return named(options.policy) if options.policy else default_policy(format)


def profile_of(options: argparse.Namespace, format: str) -> Profile:
    """The policy with `--set` and `--engine`. What is wrong there is wrong usage."""
    profile = policy_of(options, format)
    try:
        for word in options.set:
            profile = changed(profile, word)
        return profile.set("context_engine", engine=options.engine) if options.engine else profile
    except RequestError as error:
        raise UsageError(error.phrase) from error


def counted(
    session: Session, options: argparse.Namespace
) -> tuple[Timeline, tables_of_counts.Counts, counting.Counter]:
    """The requests of the path, and the counts they were measured with."""
    name = options.counter or ("recorded" if session.requests() else "bpe")
    leaf = leaf_of(session, options.leaf)
    progress = Progress("cli.counting", options.lang)
    try:
        counter = counting.make(name, session)
        counts = tables_of_counts.count(session, counter, lambda row: progress(row, len(session)))
    finally:
        progress.clear()
    return build(session, leaf, counts, options.window), counts, counter


class Progress:
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


# what they print

_LONE = re.compile("[\ud800-\udfff]")


def document_text(document: Json) -> str:
    """Readable JSON. Halves of surrogate pairs stay escapes: no UTF-8 can hold them."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def run_arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    """Which request of which file, under which policy: what every verb takes that runs the layers."""
    file_argument(parser, say)
    policy_argument(parser, say)
    leaf_argument(parser, say)
    window_argument(parser, say)
    request_argument(parser, say)
    set_argument(parser, say)
