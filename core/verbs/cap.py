"""`stratascope cap`: the session file with its tool results capped as on persistence."""

from __future__ import annotations

import argparse

from core import verb
from core.cap_documents import cap_document, cap_table
from core.capping import cap_of, chunks, plan
from core.errors import RequestError, UsageError
from core.storage import write_new
from core.timeline import window_of
from core.verb import Say

ID = "cap"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.file_argument(parser, say)
    verb.policy_argument(parser, say)
    verb.window_argument(parser, say)
    verb.set_argument(parser, say)
    parser.add_argument("--output", metavar="FILE", help=say("output"))


def run(options: argparse.Namespace) -> str:
    session = verb.opened(options)
    path = session.path_to(session.active_leaf)
    window, _ = window_of(session, path, session.requests(path), options.window)
    profile = verb.policy_of(options, session.format)
    try:
        cap = cap_of(profile, window, options.set)
    except RequestError as error:
        raise UsageError(error.phrase) from error
    progress = verb.Progress("cli.capping", options.lang)
    try:
        planned = plan(session, cap, lambda row: progress(row, len(session)))
        if options.output is not None:
            write_new(options.output, chunks(session, planned, lambda done: progress(done, session.size)))
    finally:
        progress.clear()
    document = cap_document(planned, profile.id, options.output)
    return verb.document_text(document) if options.json else cap_table(document, options.lang)
