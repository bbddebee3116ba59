"""`stratascope compact`: one compaction: plan, calls, fallback, audit."""

from __future__ import annotations

import argparse

from core import verb
from core.compact_verb import Means, add_options, compact
from core.compaction_documents import compact_table, preview_table
from core.verb import Say

ID = "compact"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.run_arguments(parser, say)
    add_options(parser, say)


def run(options: argparse.Namespace) -> str:
    session = verb.opened(options)
    profile = verb.policy_of(options, session.format)
    whole = session.path_to(verb.leaf_of(session, options.leaf))
    progress = verb.Progress("cli.auditing", options.lang)
    means = Means(options.wait, options.clock, lambda share: progress(int(share * 1000), 1000))
    try:
        document = compact(session, whole, profile, options, means)
    finally:
        progress.clear()
    if options.json:
        return verb.document_text(document)
    return preview_table(document, options.lang) if options.preview else compact_table(document, options.lang)
