"""`stratascope steps`: the layers of one request, one after the other."""

from __future__ import annotations

import argparse

from core import verb
from core.assembled import assemble
from core.judge import judge
from core.step_documents import steps_document
from core.step_tables import steps_table
from core.steps import begin
from core.steps import run as run_steps
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
    parser.add_argument("--engine", metavar="NAME", help=say("engine"))


def run(options: argparse.Namespace) -> str:
    session = verb.opened(options)
    profile = verb.profile_of(options, session.format)
    timeline, counts, counter = verb.counted(session, options)
    assembled = assemble(session, timeline, counts, verb.request_of(options, timeline))
    start = begin(session, timeline, counts, assembled, profile, window=options.window, counter=counter)
    trace = run_steps(start, profile)
    faults = judge(trace.blocks, start.step.target.family, start.step)
    document = steps_document(session, start, trace, profile, faults, counts.counter, options.lang)
    return verb.document_text(document) if options.json else steps_table(document, options.lang)
