"""Compaction with a safety net, OpenClaw's default for new set-ups: what it summarises, audits, retries and adds.

    messages ─▶ too much? the oldest are summarised for themselves ─▶ keep 3 turns ─▶ stages ─▶ audit ─▶ + sections
                                                                          ▲ corrected instructions │ not fine

Source: recorded cases of layer m (`compactionSafeguard`, section 18 of their description), OpenClaw 2026.4.5. Like the
agent it gives up (None) when the first attempt fails; behind `core.summarizing` no attempt does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core import chunks, heartbeat, instructions, javascript
from core.messages import Json, Message, Shape
from core.quality import Verdict, audit, latest_ask, message_text, opaque_identifiers
from core.safeguard_sections import (
    CAP,
    appended,
    capped_with_suffix,
    failures,
    failures_section,
    files_section,
    quality_retries,
    recent_turns,
    split_recent,
    structured_fallback,
    turns_section,
    workspace_section,
)
from core.summarizing import Work

NO_REPLY = "no_reply"
LOOK_BACK = 20
"""Messages before a tool result among which a real user must be."""
IDENTIFIED = 10
"""Messages at the end whose identifiers the summary must hold."""
_UNSAID = frozenset({"toolCall", "toolUse", "functionCall", "thinking", "reasoning"})
SPLIT_RULE = "\n\n---\n\n"


def real(messages: Sequence[Message]) -> tuple[bool, ...]:
    """`isRealConversationMessage`, for each: somebody said something, or a tool answered after a user had."""
    found = []
    for at, message in enumerate(messages):
        if message.role in ("user", "assistant"):
            found.append(_meant(message))
        elif message.role == "toolResult":
            before = messages[max(0, at - LOOK_BACK) : at]
            found.append(any(one.role == "user" and _meant(one) for one in before))
        else:
            found.append(False)
    return tuple(found)


def _meant(message: Message) -> bool:
    if message.shape is Shape.STRING:
        return _text_meant(str(message.parts[0].text))
    if message.shape is not Shape.LIST:
        return False
    for part in message.parts:
        if part.kind == "text" and part.text is not None:
            if _text_meant(str(part.text)):
                return True
        elif isinstance(part.raw, dict) and part.get("type") != "text" and part.get("type") not in _UNSAID:
            return True
    return False


def _text_meant(text: str) -> bool:
    plain = javascript.trim(text)
    if not plain or plain.lower() == NO_REPLY:
        return False
    _, left, stripped = heartbeat.strip_token(plain)
    return bool(left) if stripped else True


@dataclass(frozen=True, slots=True)
class Net:
    """The configuration. `turns`, `retries`: as the agent reads any JSON value. `quality`: audit and correct.

    `share`: of the window that new messages may fill. `own`: text of policy "custom". `focus`: configured instructions.
    `workspace`: text of AGENTS.md. `chunk`: tokens of a chunk set by hand, 0 = adaptive. `cap`: units of the summary
    with its sections. `plain_status`: of the status in a failed result's details only a plain word is told
    (ours: details are untrusted, and the next summarizer reads this summary)."""

    turns: Json = None
    quality: bool = False
    retries: Json = None
    share: float = chunks.HISTORY_SHARE
    policy: str = "strict"
    own: str | None = None
    focus: str | None = None
    workspace: str | None = None
    plain_status: bool = False
    chunk: int = 0
    cap: int = CAP


@dataclass(frozen=True, slots=True)
class Material:
    """What is to be compacted. Files sorted; `tokens_before` None when it is not known; `reserve`: for an answer."""

    messages: tuple[Message, ...]
    prefix: tuple[Message, ...]
    split: bool
    previous: str | None
    read: tuple[str, ...]
    modified: tuple[str, ...]
    tokens_before: float | None
    reserve: float
    focus: str | None = None


@dataclass(frozen=True, slots=True)
class Guarded:
    """`summary` with its sections. `structured`: nothing real was said, so nobody was asked. `verdicts`: one for each
    audited attempt. `preserved`: messages kept verbatim. `dropped`: how many were summarised for themselves first."""

    summary: str
    structured: bool
    verdicts: tuple[Verdict, ...] = ()
    preserved: int = 0
    dropped: int = 0


Stages = Callable[[Work], str]


def guarded(material: Material, net: Net, window: int, stages: Stages, now: int | None = None) -> Guarded | None:
    """The whole handler. `stages(work)` summarises (`core.summarizing.Summarizing.in_stages`)."""
    if not any(real(material.messages)) and not any(real(material.prefix)):
        return Guarded(structured_fallback(material.previous), True)
    base = instructions.structure(instructions.focus(material.focus, net.focus), net.policy, net.own)
    reserve = max(1, math.floor(material.reserve))
    messages, previous, dropped = _fitted(material, net, window, stages, base, reserve, now)
    everything = (*messages, *material.prefix)
    messages, preserved = split_recent(messages, recent_turns(net.turns), now)
    texts = [text for message in everything[-IDENTIFIED:] if (text := message_text(message))]
    asked, names = latest_ask(everything), opaque_identifiers("\n".join(texts))
    limit = net.chunk or chunks.limit((*messages, *material.prefix), window)
    history = part = ""
    verdicts: list[Verdict] = []
    current = base
    for attempt in range(quality_retries(net.retries) + 1 if net.quality else 1):
        try:
            work = Work(messages, limit, window, reserve, previous, current)
            new_history = stages(work) if messages else structured_fallback(previous)
            new_part = ""
            if material.split and material.prefix:
                of_prefix = replace(
                    work,
                    messages=material.prefix,
                    previous=None,
                    custom=instructions.of_turn_prefix(current),
                    stage="prefix",
                )
                new_part = f"{instructions.SPLIT_TURN}\n\n{stages(of_prefix)}"
        except Exception:
            if not attempt:
                return None
            break
        history, part = new_history, new_part
        if not net.quality:
            break
        whole = (f"{history}{SPLIT_RULE}{part}" if javascript.trim(history) else part) if part else history
        verdicts.append(audit(whole, names, asked, net.policy))
        if verdicts[-1].ok:
            break
        current = instructions.correction(base, verdicts[-1].reasons, net.policy)
    suffix = _suffix(material, net, part, preserved)
    return Guarded(capped_with_suffix(history, suffix, net.cap), False, tuple(verdicts), len(preserved), dropped)


def _fitted(
    material: Material, net: Net, window: int, stages: Stages, base: str, reserve: int, now: int | None
) -> tuple[tuple[Message, ...], str | None, int]:
    """(messages, previous summary, how many were dropped): where what stays is too large already, the oldest messages
    are summarised for themselves and become the previous summary."""
    before = material.tokens_before
    if before is None or not math.isfinite(before):
        return material.messages, material.previous, 0
    own = chunks.tokens(material.messages) + chunks.tokens(material.prefix)
    if max(0, math.floor(before - own)) <= math.floor(window * net.share * chunks.MARGIN):
        return material.messages, material.previous, 0
    cut = chunks.pruned(material.messages, window, share=net.share, now=now)
    if not cut.rounds:
        return material.messages, material.previous, 0
    previous = material.previous
    try:
        limit = net.chunk or chunks.limit(cut.dropped, window)
        previous = stages(Work(cut.dropped, limit, window, reserve, material.previous, base))
    except Exception:  # the agent goes on with what it has
        previous = material.previous
    return cut.kept, previous, len(cut.dropped)


def _suffix(material: Material, net: Net, part: str, preserved: tuple[Message, ...]) -> str:
    failed = failures((*material.messages, *material.prefix), plain=net.plain_status)
    suffix = ""
    for section in (
        part,
        turns_section(preserved),
        failures_section(failed),
        files_section(material.read, material.modified),
        workspace_section(net.workspace),
    ):
        suffix = appended(suffix, section)
    if suffix and suffix[0] not in javascript.SPACE:
        suffix = "\n\n" + suffix
    return suffix
