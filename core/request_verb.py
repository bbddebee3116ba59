"""What the verbs about one request share: their options, the session key, and its steps with all that earlier requests
handed on, so that `steps` and `prompt` speak of the same run."""

from __future__ import annotations

import argparse
from dataclasses import replace

from core import replay, verb
from core.beside import configuration, told_of
from core.counter import Counter
from core.counts import Counts
from core.pipeline import Trace
from core.profile import Profile
from core.session import Session
from core.session_key import Told
from core.steps import Start
from core.timeline import Timeline


def arguments(parser: argparse.ArgumentParser, say: verb.Say) -> None:
    verb.run_arguments(parser, say)
    verb.counter_argument(parser, say)
    verb.source_arguments(parser, say)
    parser.add_argument("--engine", metavar="NAME", help=say("engine"))
    parser.add_argument("--order", metavar="STEP,STEP…", help=say("order"))
    parser.add_argument("--session-key", metavar="KEY", help=say("session_key"))
    parser.add_argument("--config", metavar="FILE", help=say("config"))


def profile_of(options: argparse.Namespace, format: str) -> Profile:
    """The policy with `--set`, `--engine` and `--order`."""
    profile = verb.profile_of(options, format)
    return profile if options.order is None else profile.ordered([name.strip() for name in options.order.split(",")])


def told(options: argparse.Namespace, session: Session) -> Told:
    """The key that was given, else the one beside the file; limits of a configuration only where one was named."""
    found = told_of(session)
    if options.session_key is not None:
        found = Told(options.session_key, "given")
    return replace(found, config=configuration(options.config)) if options.config is not None else found


def traced(
    options: argparse.Namespace,
    session: Session,
    profile: Profile,
    timeline: Timeline,
    counts: Counts,
    counter: Counter,
    known: Told,
) -> tuple[Start, Trace]:
    """The steps of the request asked for, and what they started from."""
    number = verb.request_of(options, timeline)
    progress = verb.Progress("cli.replaying", options.lang)
    try:
        return replay.trace(
            session,
            timeline,
            counts,
            number,
            profile,
            window=options.window,
            counter=counter,
            told=known,
            report=lambda done: progress(done, number or len(timeline.summaries)),
        )
    finally:
        progress.clear()
