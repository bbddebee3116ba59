"""`stratascope steps`: the layers of one request, one after the other."""

from __future__ import annotations

import argparse

from core import request_verb, verb
from core.judge import judge
from core.prompt_source import given, resolve
from core.step_documents import steps_document
from core.step_tables import steps_table
from core.trace_calls import recordings

ID = "steps"

arguments = request_verb.arguments


def run(options: argparse.Namespace) -> str:
    session = verb.opened(options)
    recorded, by_hand = recordings(session, options.trace), given(options.system, options.tools)
    profile = request_verb.profile_of(options, session.format)
    timeline, counts, counter = verb.counted(session, options)
    known = request_verb.told(options, session)
    start, trace = request_verb.traced(options, session, profile, timeline, counts, counter, known)
    faults = judge(trace.blocks, start.step.target.family, start.step)
    request = start.assembled.request
    source = resolve(session, timeline.path, request.entry if request is not None else None, recorded, by_hand)
    leading = start.assembled.with_source(source, counter.count).leading
    document = steps_document(session, start, trace, profile, faults, counts.counter, options.lang, leading)
    return verb.document_text(document) if options.json else steps_table(document, options.lang)
