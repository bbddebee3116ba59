"""The last visible step: tools and system prompt before the messages, and where they come from.

    messages ─▶ tools · stable · dynamic · messages        fired: from a trace, a file, a workspace
    messages ─▶ (≈ n tokens) · messages                    not: only their size is known, by difference

No layer of a policy: it has no threshold, cannot be switched off or moved, and what it adds no layer may touch. It
stands behind the steps of a Trace, whose blocks stay the messages alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.leading import Leading
from core.phrase import Phrase, phrase
from core.pipeline import Step, Trace
from core.prompt_source import By

ID = "system_prompt"
TITLE = phrase("layer.system_prompt.title")


def system_prompt_step(trace: Trace, leading: Sequence[Leading], unrecorded: int | None) -> Step:
    """What stands behind `trace`. `leading`: with their sizes (`core.assembled`); `unrecorded`: tokens of tools and
    system prompt by difference, None = no usage tells."""
    last = trace.steps[-1]
    chars = sum(item.chars for item in leading)
    tokens = sum(item.tokens for item in leading) if leading else unrecorded or 0
    size = phrase("layer.system_prompt.tokens", tokens=tokens)
    return Step(
        instance=ID,
        layer=ID,
        title=TITLE,
        mark="request",
        on=True,
        fired=bool(leading),
        why=_why(leading),
        short=size if leading else None,
        gauges=(),
        edits=(),
        before=last.after,
        after=(*(item.block for item in leading), *last.after),
        chars_before=last.chars_after,
        chars_after=last.chars_after + chars,
        tokens_before=last.tokens_after,
        tokens_after=last.tokens_after + tokens,
        first_touched=0 if leading else None,
        overflow=False,
        notes=_notes(leading),
    )


def _why(leading: Sequence[Leading]) -> Phrase:
    """ "Tools, stable and dynamic part, from the trace." Sources that differ have a sentence each."""
    if not leading:
        return phrase("layer.system_prompt.unrecorded")
    by: dict[By, list[Leading]] = {}
    for item in leading:
        by.setdefault(item.origin.by, []).append(item)
    said = [phrase(f"layer.system_prompt.from_{source}", what=_what(items)) for source, items in by.items()]
    why = said[0]
    for more in said[1:]:
        why = phrase("layer.also", first=why, second=more)
    return why


def _what(items: Sequence[Leading]) -> Phrase:
    parts = {item.part for item in items if item.section == "system"}
    names = ["tools"] if any(item.section == "tools" for item in items) else []
    if parts:
        names.append("both" if len(parts) == 2 else "whole" if None in parts else next(part for part in parts if part))
    return phrase("layer.system_prompt.what_" + "_".join(names))


def _notes(leading: Sequence[Leading]) -> tuple[Phrase, ...]:
    notes = []
    for section in ("tools", "system"):
        there = [item for item in leading if item.section == section]
        if leading and not there:
            notes.append(phrase(f"layer.system_prompt.no_{section}"))
        elif any(not item.origin.own for item in there):
            notes.append(phrase(f"layer.system_prompt.taken_over_{section}", call=there[0].origin.call or 0))
    if any(item.origin.by == "workspace" for item in leading):
        notes.append(phrase("layer.system_prompt.built"))
    return tuple(notes)
