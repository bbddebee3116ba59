"""`stratascope truncate`: the session file after a truncation; in place only with an archive, and back again."""

from __future__ import annotations

import argparse
from dataclasses import replace

from core import verb
from core.errors import UsageError
from core.phrase import phrase
from core.session import Session
from core.settings import change
from core.truncation import ID, SAFE, Settings
from core.truncation_documents import truncation_document, truncation_table, undo_document, undo_table
from core.truncation_look import look
from core.truncation_sources import sources
from core.truncation_write import on_the_way, read, undo, undo_of, write, write_in_place
from core.verb import Say


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.file_argument(parser, say)
    verb.leaf_argument(parser, say)
    verb.request_argument(parser, say)
    verb.set_argument(parser, say)
    target = parser.add_mutually_exclusive_group()
    target.add_argument("--output", metavar="NEW", help=say("output"))
    target.add_argument("--in-place", action="store_true", help=say("in_place"))
    target.add_argument("--undo", metavar="ARCHIVE", help=say("undo"))


def run(options: argparse.Namespace) -> str:
    settings = _settings(options.set)
    session = _read(options.file, options.lang)
    if options.undo is not None:
        return _undone(session, _read(options.undo, options.lang), options)
    whole = session.path_to(verb.leaf_of(session, options.leaf))
    path = whole[: verb.before_request(session, whole, options.request)]
    made = look(session, path[-1] if path else None, settings)
    progress = verb.Progress("cli.truncating", options.lang)
    output, archive = None, None
    try:
        found = sources(session, lambda row: progress(row, 2 * len(session)))
        if made.plan.reason is None and options.output is not None:
            write(session, made, options.output, lambda done: progress(session.size + done, 2 * session.size))
            output = options.output
        elif made.plan.reason is None and options.in_place:
            done = write_in_place(session, made, lambda at: progress(session.size + at, 2 * session.size))
            output, archive = done.target, done.archive
            made = replace(made, warnings=(*made.warnings, *on_the_way(session.path, done)))
    finally:
        progress.clear()
    document = truncation_document(session, made, found, output, archive, options.lang)
    return verb.document_text(document) if options.json else truncation_table(document, options.file, options.lang)


def _undone(now: Session, archive: Session, options: argparse.Namespace) -> str:
    planned = undo_of(now, archive)
    progress = verb.Progress("cli.truncating", options.lang)
    try:
        done = undo(planned, lambda at: progress(at, archive.size + now.size))
    finally:
        progress.clear()
    replaced = done.replaced
    document = undo_document(planned, replaced.size, done.equal, replaced.target, replaced.archive)
    return verb.document_text(document) if options.json else undo_table(document, options.lang)


def _read(path: str, language: str) -> Session:
    progress = verb.Progress("cli.reading", language)
    try:
        return read(path, lambda done, size, entries: progress(done, size))
    finally:
        progress.clear()


def _settings(words: list[str]) -> Settings:
    """After `--set truncate.FIELD=VALUE`; UsageError on anything else."""
    values: dict[str, object] = {}
    for word in words:
        place, equals, value = word.partition("=")
        owner, dot, field = place.rpartition(".")
        if not (equals and dot and owner == ID):
            raise UsageError(phrase("truncation.bad_set", word=word))
        values[field] = value
    settings: Settings = change(SAFE, ID, values)
    return settings
