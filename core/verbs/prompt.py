"""`stratascope prompt`: the assembled prompt of one request, in cache order; `--raw`: the provider request itself."""

from __future__ import annotations

import argparse

from core import models, verb, workspace
from core.assembled import assemble
from core.beside import told_of
from core.difference import sources
from core.engine_memory import addition
from core.errors import RequestError
from core.named_sources import with_workspace
from core.payload import PLACEMENTS, RETENTIONS, Payload, payload, placement_of
from core.prompt_documents import PromptView, prompt_document
from core.prompt_source import given, resolve
from core.prompt_tables import prompt_table
from core.session import Session
from core.steps import begin
from core.steps import run as run_steps
from core.trace_calls import recordings
from core.truth import truth
from core.verb import Say

ID = "prompt"


def arguments(parser: argparse.ArgumentParser, say: Say) -> None:
    verb.file_argument(parser, say)
    verb.policy_argument(parser, say)
    verb.leaf_argument(parser, say)
    verb.counter_argument(parser, say)
    verb.window_argument(parser, say)
    verb.request_argument(parser, say)
    verb.set_argument(parser, say)
    parser.add_argument("--engine", metavar="NAME", help=say("engine"))
    verb.source_arguments(parser, say)
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
    profile = verb.profile_of(options, session.format)
    timeline, counts, counter = verb.counted(session, options)
    assembled = assemble(session, timeline, counts, verb.request_of(options, timeline))
    request = assembled.request
    by_hand = given(options.system, options.tools)
    key, folder = told_of(session).key, options.workspace
    by_hand, budget = with_workspace(by_hand, folder, recorded, key, assembled.context, own)
    source = resolve(session, timeline.path, request.entry if request else None, recorded, by_hand)
    assembled = assembled.with_source(source, counter.count)
    start = begin(session, timeline, counts, assembled, profile, window=options.window, counter=counter)
    steps = run_steps(start, profile)
    said = addition(step.carry for step in steps.steps)
    if said:
        source = source.with_addition(said)
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
