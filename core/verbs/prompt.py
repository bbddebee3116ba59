"""`stratascope prompt`: the assembled prompt of one request, in cache order; `--raw`: the provider request itself."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from core import models, settings, verb, workspace
from core.assembled import assemble
from core.beside import told_of
from core.context import Context
from core.context_files import Budget
from core.difference import sources
from core.errors import RequestError
from core.payload import PLACEMENTS, RETENTIONS, Payload, payload, placement_of
from core.prompt_documents import PromptView, prompt_document
from core.prompt_inputs import inputs_of
from core.prompt_source import Given, given, resolve
from core.prompt_tables import prompt_table
from core.session import Session
from core.steps import begin
from core.steps import run as run_steps
from core.trace_calls import Recorded, recordings
from core.trace_records import tool_of
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
    by_hand, budget = _given(options, own, recorded, session, assembled.context)
    source = resolve(session, timeline.path, request.entry if request else None, recorded, by_hand)
    assembled = assembled.with_source(source, counter.count)
    start = begin(session, timeline, counts, assembled, profile, window=options.window, counter=counter)
    steps = run_steps(start, profile)
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


def _given(
    options: argparse.Namespace,
    own: Sequence[str],
    recorded: Sequence[Recorded],
    session: Session,
    context: Context,
) -> tuple[Given, Budget | None]:
    """What the person gave by hand. A workspace is built with the tools that are known, its files cut at the limits
    that `own` (of `--set`) or else a trace names."""
    by_hand = given(options.system, options.tools)
    if options.workspace is None:
        return by_hand, None
    reports = (record.report for one in recorded for record in reversed(one.trace.records) if record.report)
    usual = workspace.Settings.reported(next(reports, None))
    told = dict(word.removeprefix(f"{workspace.ID}.").partition("=")[::2] for word in own)
    wanted = settings.change(usual, workspace.ID, told)
    rosters = (call.record.tools for one in recorded for call in reversed(one.calls) if call.record.tools)
    tools = next(rosters, ()) if by_hand.tools is None else tuple(map(tool_of, by_hand.tools))
    names = [tool.name for tool in tools]
    inputs = inputs_of(told_of(session).key, names, context.model, context.thinking_level)
    built = workspace.prompt_of(workspace.read(options.workspace), inputs, wanted.limits)
    return replace(by_hand, built=built.prompt, folder=options.workspace), built.budget
