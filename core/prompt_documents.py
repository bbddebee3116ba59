"""What `prompt` says with `--json`: blocks in cache order, where they come from, their marks, and the recorded truth.

    blocks    tools · system, stable · system, dynamic · messages        without a source one block, "assumed"
    trace     how many blocks of ours equal the recorded call

Keys may be added, never renamed (design, command line). `chars` are UTF-16 units; digests are SHA-256: of a message as
canonical JSON, of tools as the canonical JSON of their list, of a part of the system prompt as UTF-8 text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core import boundary
from core.assembled import Assembled
from core.context_files import Budget, FileBudget
from core.documents import entry_id, problem_document, prompt_usage, sha256
from core.leading import Leading, boundary_of
from core.messages import Json, raw_chars
from core.payload import Payload
from core.phrase import render
from core.pipeline import SESSION_CONTEXT, Trace
from core.prompt import Block
from core.prompt_source import PromptSource
from core.session import Session
from core.timeline import Timeline
from core.trace_calls import Recorded, TracedCall
from core.trace_findings import all_findings
from core.trace_records import InjectedFile, text_digest, tool_of
from core.truth import Truth


@dataclass(frozen=True, slots=True)
class PromptView:
    """`shown`: the prompt after all steps of `steps`, with tools and system prompt of `source`. `payload`: None where
    no form of request is known. `truth`: None where this request was not recorded. `budget`: of the context files of a
    workspace that the system prompt could be built from."""

    session: Session
    timeline: Timeline
    shown: Assembled
    steps: Trace
    source: PromptSource
    payload: Payload | None
    recordings: tuple[Recorded, ...]
    truth: Truth | None
    budget: Budget | None = None


def prompt_document(view: PromptView, language: str) -> Json:
    """`cached_up_to.block` is the index of the last block that was read whole; `exact` tells whether its place is known
    or estimated. `boundary.block` is the last block above the boundary; `chars` and `tokens` are those of everything
    above it, tools included."""
    shown, timeline = view.shown, view.timeline
    request = shown.request
    leading = [_leading(item) for item in shown.leading] or [_unrecorded(shown)]
    layers = layers_of(view.steps)
    blocks = leading + [
        _message(view.session, block, tokens, state, layers.get(id(block), ()))
        for block, tokens, state in zip(shown.blocks, shown.tokens, shown.states, strict=True)
    ]
    for block, mark in zip(blocks if shown.leading else blocks[1:], _marks(view), strict=True):
        block["mark"] = mark
    return {
        "request": request.number if request else "next",
        "entry": entry_id(view.session, request.entry) if request else None,
        "counter": timeline.counter,
        "window": timeline.window if timeline.window_known else None,
        "policy": view.steps.policy,
        "recorded": prompt_usage(request.usage.input, request.usage.read, request.usage.write) if request else None,
        "blocks": blocks,
        "boundary": _boundary(shown),
        "cached_up_to": _cached(shown, len(leading)),
        "digests": digests(view.source),
        "trace": _truth(view.truth),
        "context_files": _context_files(view),
        "findings": _findings(view, language),
        "trace_problems": [
            {"file": recorded.trace.name, **problem_document(problem, language)}
            for recorded in view.recordings
            for problem in recorded.problems
        ],
    }


def layers_of(steps: Trace) -> dict[int, tuple[str, ...]]:
    """Instances that made a block what it is, by its identity, in order."""
    found: dict[int, tuple[str, ...]] = {
        id(block): (SESSION_CONTEXT,) for block in steps.steps[0].after if block.origin.made_by
    }
    for step in steps.steps:
        for edit in step.edits:
            if edit.after is not None and edit.kind in ("replaced", "inserted"):
                before = found.get(id(edit.before), ()) if edit.before is not None else ()
                found[id(edit.after)] = (*before, step.instance)
    return found


def digests(source: PromptSource) -> dict[str, Json]:
    """`system` covers the text with its boundary marker, as the agent digests it; `system_stable` what is sent of it
    above the boundary."""
    system = source.system.text if source.system is not None else None
    halves = boundary.split(system) if system is not None else None
    return {
        "system": None if system is None else text_digest(system),
        "system_stable": None if system is None else text_digest(halves.stable if halves else system),
        "tools": None if source.tools is None else sha256(list(source.tools)),
    }


def _marks(view: PromptView) -> Sequence[str | None]:
    """Of every block but the dotted one."""
    size = len(view.shown.leading) + len(view.shown.blocks)
    marks = view.payload.marks if view.payload is not None else ()
    return marks if len(marks) == size else (None,) * size


def _unrecorded(shown: Assembled) -> dict[str, Json]:
    return {
        "section": "system",
        "part": None,
        "role": None,
        "entry": None,
        "layers": [],
        "chars": None,
        "tokens": shown.unrecorded,
        "sha256": None,
        "mark": None,
        "source": "assumed",
        "state": shown.unrecorded_state,
    }


def _leading(item: Leading) -> dict[str, Json]:
    text = item.raw if isinstance(item.raw, str) else None
    made: dict[str, Json] = {
        "section": item.section,
        "part": item.part,
        "role": None,
        "entry": None,
        "layers": ["system_prompt"],
        "chars": item.chars,
        "tokens": item.tokens,
        "sha256": sha256(item.raw) if text is None else text_digest(text),
        "mark": None,
        "source": item.source,
        "state": item.state,
        "from": {"kind": item.origin.by, "name": item.origin.name, "call": item.origin.call},
    }
    return made if text is not None else {**made, "names": [tool_of(tool).name for tool in item.raw]}


def _message(session: Session, block: Block, tokens: int, state: str, layers: Sequence[str]) -> dict[str, Json]:
    raw = block.message.json()
    return {
        "section": block.section,
        "part": None,
        "role": block.message.role or None,
        "entry": entry_id(session, block.origin.rows[0] if block.origin.rows else None),
        "layers": list(layers),
        "chars": raw_chars(raw) if isinstance(raw, dict) else 0,
        "tokens": tokens,
        "sha256": sha256(raw),
        "mark": None,
        "source": "recorded",
        "state": state,
    }


def _boundary(shown: Assembled) -> Json:
    has_cache = shown.request is not None and bool(shown.request.usage.read or shown.request.usage.write)
    found = boundary_of(shown.leading, shown.unrecorded, has_cache)
    if found is None:
        return None
    return {"block": found.block, "chars": found.chars, "tokens": found.tokens, "source": found.source}


def _cached(shown: Assembled, before: int) -> Json:
    if shown.cached_blocks is None:
        return None
    whole = shown.cached_leading if shown.leading else before
    if shown.cached_blocks:
        whole = before + shown.cached_blocks
    return {"block": whole - 1, "tokens": shown.cached_tokens, "exact": shown.cached_exact}


def _truth(found: Truth | None) -> Json:
    if found is None:
        return None
    began = found.began
    return {
        "equal": found.equal,
        "differs": found.differs,
        "not_comparable": found.not_comparable,
        "file": found.call.trace.name,
        "call": found.call.number,
        "recognised_by": found.call.by,
        "began": None if began is None else {"stage": began[0], "step": began[1]},
        "stages": [
            {
                "stage": stage.stage,
                "after": stage.upto,
                "line": stage.line,
                "equal": stage.counts["equal"],
                "differs": stage.counts["differs"],
                "not_comparable": stage.counts["not_comparable"],
            }
            for stage in found.stages
        ],
        "blocks": [
            {"block": row.ours, "recorded": row.recorded, "unit": row.unit, "step": row.step}
            for row in found.rows
            if row.verdict == "differs"
        ],
    }


def _context_files(view: PromptView) -> Json:
    """Context files, raw against injected: as the agent itself reports of the run, else as the prompt was built from a
    workspace; None where there is neither."""
    for recorded in view.recordings:
        call = _call_of(view, recorded)
        report = recorded.trace.report(call.record.run) if call is not None else None
        if report is not None:
            return _files("recorded", report.per_file, report.total, report.files)
    built = view.source.system_from is not None and view.source.system_from.by == "workspace"
    if view.budget is None or not built:
        return None
    limits = view.budget.limits
    return _files("built", int(limits.each), int(limits.total), view.budget.files)


def _files(source: str, each: int | None, total: int | None, files: Sequence[InjectedFile | FileBudget]) -> Json:
    listed = [
        {"name": file.name, "missing": file.missing, "raw": file.raw, "injected": file.injected}
        | {"truncated": file.truncated}
        for file in files
    ]
    return {"source": source, "per_file_limit": each, "total_limit": total, "files": listed}


def _call_of(view: PromptView, recorded: Recorded) -> TracedCall | None:
    """The call of the request, or that of its run."""
    for part in (view.source.system_from, view.source.tools_from):
        if part is not None and part.by == "trace" and part.name == recorded.trace.name and part.call is not None:
            return recorded.calls[part.call - 1]
    return None


def _findings(view: PromptView, language: str) -> list[Json]:
    numbers = {summary.request.entry: summary.request.number for summary in view.timeline.summaries}
    made = []
    for name, found in all_findings(view.recordings):
        number = numbers.get(found.request) if found.request is not None else None
        made.append(
            {
                "code": found.code,
                "file": name,
                "line": found.line,
                "call": found.call,
                "request": number,
                "section": found.section,
                "unit": found.unit,
                "title": found.title or None,
                "names": list(found.names),
                "before": found.before or None,
                "after": found.after or None,
                "message": render(found.said(number, name), language),
            }
        )
    return made
