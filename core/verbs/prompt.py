"""`stratascope prompt`: the assembled prompt of one request, in cache order; `--raw`: the provider request itself."""

from __future__ import annotations

import argparse

from core import models, request_verb, verb, workspace
from core.difference import sources
from core.engine_memory import addition
from core.errors import RequestError
from core.named_sources import with_workspace
from core.payload import PLACEMENTS, RETENTIONS, Payload, payload, placement_of
from core.prompt_documents import PromptView, prompt_document
from core.prompt_source import given, resolve
from core.prompt_tables import prompt_table
from core.session import Session
from core.trace_calls import recordings
from core.truth import truth
from core.verb import Say

ID = "prompt"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    request_verb.arguments(parser, say)
    parser.add_argument("--workspace", metavar="DIR", help=say("workspace"))
    parser.add_argument("--marks", choices=PLACEMENTS, help=say("marks"))
    parser.add_argument("--retention", choices=RETENTIONS, help=say("retention"))
    parser.add_argument("--raw", action="store_true", help=say("raw"))


def run(options: argparse.Namespace) -> str:
    session = verb.opened(options)
    view, made = _view(options, session)
    if options.raw:
        if isinstance(made, RequestError):
            raise made
        return verb.document_text(made.request)
    document = prompt_document(view, options.lang)
    return verb.document_text(document) if options.json else prompt_table(document, view.shown, options.lang)


def _view(options: argparse.Namespace, session: Session) -> tuple[PromptView, Payload | RequestError]:
    """The prompt after all steps of the policy, and the request made of it, or why there is no form for that."""
    recorded = recordings(session, options.trace)
    own = [word for word in options.set if word.startswith(f"{workspace.ID}.")]
    options.set = [word for word in options.set if word not in own]  # the rest is the policy's
    profile = request_verb.profile_of(options, session.format)
    timeline, counts, counter = verb.counted(session, options)
    told = request_verb.told(options, session)
    start, steps = request_verb.traced(options, session, profile, timeline, counts, counter, told)
    assembled = start.assembled
    request = assembled.request
    by_hand = given(options.system, options.tools)
    folder = options.workspace
    by_hand, budget = with_workspace(by_hand, folder, recorded, told.key, assembled.context, own)
    source = resolve(session, timeline.path, request.entry if request else None, recorded, by_hand)
    source = source.with_addition(addition(step.carry for step in steps.steps))
    assembled = assembled.with_source(source, counter.count)
    tokens = tuple(map(start.sizes.tokens, steps.blocks))
    shown = assembled.staged(steps.blocks, tokens, sources(assembled.blocks, steps.blocks))
    long = request is not None and request.usage.write_1h > 0
    made: Payload | RequestError
    try:
        made = payload(
            source,
            steps.blocks,
            start.step.target,
            options.marks or placement_of(profile, session.format),
            options.retention or ("long" if long else "short"),
            session.header.id if session.header is not None else "",
            known.max_output if (known := models.find(start.step.target.model)) is not None else None,
        )
    except RequestError as error:
        made = error
    compared = truth(source.call, steps) if source.call is not None else None
    form = made if isinstance(made, Payload) else None
    return PromptView(session, timeline, shown, steps, source, form, recorded, compared, budget), made
