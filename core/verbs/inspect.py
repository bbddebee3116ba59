"""`stratascope inspect`: what the file holds, and its problems."""

from __future__ import annotations

import argparse

from core.documents import inspect_document
from core.tables import inspect_table
from core.verb import Say, document_text, file_argument, leaf_argument, leaf_of, opened

ID = "inspect"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    file_argument(parser, say)
    leaf_argument(parser, say)


def run(options: argparse.Namespace) -> str:
    session = opened(options)
    document = inspect_document(session, leaf_of(session, options.leaf), options.lang)
    return document_text(document) if options.json else inspect_table(document, options.file, options.lang)
