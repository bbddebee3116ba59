"""`stratascope breaks`: recorded cache breaks, by cause and money."""

from __future__ import annotations

import argparse

from core.documents import breaks_document
from core.tables import breaks_table
from core.trace_calls import recordings
from core.trace_findings import all_findings
from core.traced_breaks import traced_breaks
from core.verb import (
    Say,
    counted,
    counter_argument,
    document_text,
    file_argument,
    leaf_argument,
    opened,
    trace_argument,
    window_argument,
)

ID = "breaks"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    file_argument(parser, say)
    leaf_argument(parser, say)
    counter_argument(parser, say)
    window_argument(parser, say)
    trace_argument(parser, say)


def run(options: argparse.Namespace) -> str:
    session = opened(options)
    timeline, _, _ = counted(session, options)
    recorded = recordings(session, options.trace)
    timeline = traced_breaks(session, timeline, recorded, all_findings(recorded))
    document = breaks_document(session, timeline, options.lang, any(one.calls for one in recorded))
    return document_text(document) if options.json else breaks_table(document, options.lang)
