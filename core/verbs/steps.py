"""`stratascope steps`: the layers of one request, one after the other."""

from __future__ import annotations

import argparse
from dataclasses import replace

from core import replay, verb
from core.beside import configuration, told_of
from core.judge import judge
from core.prompt_source import given, resolve
from core.session import Session
from core.session_key import Told
from core.step_documents import steps_document
from core.step_tables import steps_table
from core.trace_calls import recordings
from core.verb import Say

ID = "steps"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.file_argument(parser, say)
    verb.policy_argument(parser, say)
    verb.leaf_argument(parser, say)
    verb.counter_argument(parser, say)
    verb.window_argument(parser, say)
    verb.request_argument(parser, say)
    verb.set_argument(parser, say)
    verb.source_arguments(parser, say)
    parser.add_argument("--engine", metavar="NAME", help=say("engine"))
    parser.add_argument("--order", metavar="STEP,STEP…", help=say("order"))
    parser.add_argument("--session-key", metavar="KEY", help=say("session_key"))
    parser.add_argument("--config", metavar="FILE", help=say("config"))


def run(options: argparse.Namespace) -> str:
    session = verb.opened(options)
    recorded, by_hand = recordings(session, options.trace), given(options.system, options.tools)
    profile = verb.profile_of(options, session.format)
    if options.order is not None:
        profile = profile.ordered([name.strip() for name in options.order.split(",")])
    timeline, counts, counter = verb.counted(session, options)
    progress = verb.Progress("cli.replaying", options.lang)
    number = verb.request_of(options, timeline)
    try:
        start, trace = replay.trace(
            session,
            timeline,
            counts,
            number,
            profile,
            window=options.window,
            counter=counter,
            told=_told(options, session),
            report=lambda done: progress(done, number or len(timeline.summaries)),
        )
    finally:
        progress.clear()
    faults = judge(trace.blocks, start.step.target.family, start.step)
    request = start.assembled.request
    source = resolve(session, timeline.path, request.entry if request is not None else None, recorded, by_hand)
    leading = start.assembled.with_source(source, counter.count).leading
    document = steps_document(session, start, trace, profile, faults, counts.counter, options.lang, leading)
    return verb.document_text(document) if options.json else steps_table(document, options.lang)


def _told(options: argparse.Namespace, session: Session) -> Told:
    """The key that was given, else the one beside the file; limits of a configuration only where one was named."""
    found = told_of(session)
    if options.session_key is not None:
        found = Told(options.session_key, "given")
    return replace(found, config=configuration(options.config)) if options.config is not None else found
