"""`stratascope prompt`: the assembled prompt of one request, in cache order."""

from __future__ import annotations

import argparse

from core import verb
from core.assembled import assemble
from core.documents import prompt_document
from core.errors import RequestError
from core.phrase import phrase
from core.tables import prompt_table
from core.verb import Say

ID = "prompt"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.file_argument(parser, say)
    verb.leaf_argument(parser, say)
    verb.counter_argument(parser, say)
    verb.window_argument(parser, say)
    verb.request_argument(parser, say)
    parser.add_argument("--raw", action="store_true", help=say("raw"))


def run(options: argparse.Namespace) -> str:
    if options.raw:
        raise RequestError(phrase("cli.raw_later"))
    session = verb.opened(options)
    timeline, counts, _ = verb.counted(session, options)
    assembled = assemble(session, timeline, counts, verb.request_of(options, timeline))
    document = prompt_document(session, timeline, assembled)
    return verb.document_text(document) if options.json else prompt_table(document, assembled, options.lang)
