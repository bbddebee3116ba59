"""The JSON documents of `steps` and `policies`. The rules of core/documents.py hold for them too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.engine import engines
from core.engine_log import lifecycle_document
from core.judge import Fault
from core.layer import layers
from core.leading import Leading
from core.messages import Json
from core.phrase import render
from core.pipeline import Edit, Step, Trace
from core.profile import Profile, said
from core.session import Session
from core.settings import Choice, Number, Patterns, Spec, Switch, specs
from core.steps import Start
from core.system_prompt_step import system_prompt_step


def steps_document(
    session: Session,
    start: Start,
    trace: Trace,
    profile: Profile,
    faults: tuple[Fault, ...],
    counter: str,
    language: str,
    leading: Sequence[Leading] = (),
) -> Json:
    """`layer`: its id; `instance`: its name in the policy, where one layer stands twice. `passes`: how often the agent
    ran the sequence; compaction after an overflow is not simulated. `leading`: tools and system prompt, where a source
    tells them: the step that puts them in front stands last, and names its parts."""
    request = start.assembled.request
    target = start.step.target
    return {
        "request": request.number if request is not None else "next",
        "entry": _id(session, request.entry) if request is not None else None,
        "policy": trace.policy,
        "window": profile.window if profile.window is not None and not start.window_fixed else start.window,
        "counter": counter,
        "target": {
            "provider": target.provider,
            "api": target.api,
            "model": target.model,
            "family": target.family,
        },
        "steps": [
            *(_step(session, step, language) for step in trace.steps),
            *(_leading_step(session, trace, leading, language) if leading else ()),
        ],
        "overflow": trace.overflow,
        "passes": 1,
        "sent": {
            "messages": len(trace.blocks),
            "roles": [block.message.role for block in trace.blocks],
            "valid": not faults,
            "faults": [
                {
                    "entry": _id(session, fault.rows[0]) if fault.rows else None,
                    "code": fault.code,
                    "message": render(fault.message, language),
                    "block": fault.index,
                }
                for fault in faults
            ],
        },
    }


def _step(session: Session, step: Step, language: str) -> Json:
    return {
        "layer": step.layer,
        "instance": step.instance,
        "title": render(step.title, language),
        "mark": step.mark,
        "on": step.on,
        "fired": step.fired,
        "why": render(step.why, language),
        "notes": [render(note, language) for note in step.notes],
        "failed": step.failed or None,
        "messages_before": len(step.before),
        "messages_after": len(step.after),
        "chars_before": step.chars_before,
        "chars_after": step.chars_after,
        "tokens_before": step.tokens_before,
        "tokens_after": step.tokens_after,
        "first_touched": step.first_touched,
        "gauges": [
            {"name": gauge.name, "value": gauge.value, "threshold": gauge.threshold, "unit": gauge.unit}
            for gauge in step.gauges
        ],
        "edits": [_edit(session, edit, language) for edit in step.edits],
        "overflow": step.overflow,
        **({"lifecycle": lifecycle_document(step.carry, language)} if step.layer == "context_engine" else {}),
    }


def _leading_step(session: Session, trace: Trace, leading: Sequence[Leading], language: str) -> tuple[Json, ...]:
    """Its messages are those that come to it: what it adds are `parts`."""
    step = system_prompt_step(trace, leading, None)
    parts = [
        {
            "section": item.section,
            "part": item.part,
            "chars": item.chars,
            "tokens": item.tokens,
            "source": item.source,
            "from": {"kind": item.origin.by, "name": item.origin.name, "call": item.origin.call},
        }
        for item in leading
    ]
    return ({**_step(session, step, language), "messages_after": len(step.before), "parts": parts},)


def _edit(session: Session, edit: Edit, language: str) -> Json:
    block = edit.after or edit.before
    assert block is not None
    tool = block.message.get("toolName")
    return {
        "kind": edit.kind,
        "index": edit.index,
        "entry": _id(session, block.origin.rows[0]) if block.origin.rows else None,
        "role": block.message.role or None,
        "tool": tool if isinstance(tool, str) else None,
        "chars_before": edit.chars_before,
        "chars_after": edit.chars_after,
        "tokens_before": edit.tokens_before,
        "tokens_after": edit.tokens_after,
        "reason": render(edit.reason, language) if edit.reason is not None else None,
    }


def policies_document(policies: Mapping[str, Profile], language: str) -> Json:
    """Every policy with its steps and their thresholds; every layer with the range, unit and default of each; every
    context engine with the package that it comes from, and what was refused to others."""
    return {
        "policies": [_policy(profile, language) for profile in policies.values()],
        "layers": [
            {
                "layer": id,
                "title": render(module.TITLE, language),
                "changes": module.MARK,
                "settings": [
                    setting_document(id, name, spec, language) for name, spec in specs(module.Settings).items()
                ],
            }
            for id, module in layers().items()
        ],
        "engines": [
            {"engine": offer.id, "owner": offer.owner, "place": offer.place} for offer in engines().by_id.values()
        ],
        "refused": [render(said, language) for said in engines().refused],
    }


def _policy(profile: Profile, language: str) -> Json:
    return {
        "policy": profile.id,
        "title": render(said(profile.title), language),
        "source": render(said(profile.source), language),
        "date": profile.date.isoformat() if profile.date is not None else None,
        "family": profile.family,
        "reserve": profile.reserve,
        "window": profile.window,
        "oddities": [render(said(oddity), language) for oddity in profile.oddities],
        "steps": [
            {
                "instance": instance.name,
                "layer": instance.layer,
                "on": instance.on,
                "settings": {name: _plain(getattr(instance.settings, name)) for name in specs(instance.settings)},
            }
            for instance in profile.instances
        ],
    }


def setting_document(layer: str, name: str, spec: Spec, language: str) -> Json:
    """One threshold: what it is called, of which kind, and what it may be."""
    place = f"setting.{layer}.{name}"
    found: dict[str, Json] = {
        "setting": f"{layer}.{name}",
        "title": render(said(place), language),
        "help": render(said(f"{place}_help"), language),
        "default": _plain(spec.default),
    }
    match spec:
        case Number():
            kind = "whole" if spec.whole else "number"
            found |= {"kind": kind, "low": spec.low, "high": spec.high, "unit": spec.unit}
        case Choice():
            found |= {"kind": "choice", "options": list(spec.options)}
        case Switch():
            found |= {"kind": "switch"}
        case Patterns():
            found |= {"kind": "patterns"}
    return found


def _plain(value: object) -> Json:
    return list(value) if isinstance(value, tuple) else value


def _id(session: Session, row: int) -> str:
    return session.columns.ids[row]
