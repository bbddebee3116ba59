"""`stratascope policies`: names, and every layer and threshold with its range, unit and default."""

from __future__ import annotations

import argparse

from core import verb
from core.profile import named, policies
from core.step_documents import policies_document
from core.step_tables import policies_table
from core.verb import Say

ID = "policies"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.policy_argument(parser, say)


def run(options: argparse.Namespace) -> str:
    known = policies()
    document = policies_document({p.id: p for p in [named(options.policy)]} if options.policy else known, options.lang)
    return verb.document_text(document) if options.json else policies_table(document, options.lang)
