"""From a request of a session to its Trace: what the layers get to know, and the run of them.

    session ─ timeline ─ counts ─▶ Assembled (step 0) ─▶ Start ─▶ pipeline.run under a profile ─▶ Trace

An unanswered prompt at the leaf: recorded cases of layer k (`core.trailing`) leave it out when *another* prompt is
typed, so that two user turns do not stand in a row; the DAG then says so itself: the new prompt hangs beside it. But of
what would be sent now, the user message at the leaf is the prompt itself: it stays, and step 0 says what may become of
it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any

from core import pipeline
from core.assembled import Assembled, assemble
from core.context import Origin
from core.counter import Counter
from core.counts import Counts
from core.engine_around import NAME, Around
from core.engine_memory import rewritten
from core.engine_rewrite import amended, appended_again
from core.layer import StepContext, Target
from core.messages import Json, Message
from core.paths import place_of
from core.phrase import Phrase, phrase
from core.pipeline import Sizes, Trace
from core.profile import Profile, index_of_change
from core.prompt import Block, Blocks
from core.session import Session
from core.session_key import NOTHING, Told
from core.sizes import Measures
from core.timeline import Timeline
from core.touches import touches
from core.transcript_policy import family_of

APIS = {
    "anthropic": "anthropic-messages",
    "amazon-bedrock": "bedrock-converse-stream",
    "google": "google-generative-ai",
    "google-vertex": "google-vertex",
    "openai": "openai-responses",
    "openai-codex": "openai-codex-responses",
    "azure-openai-responses": "azure-openai-responses",
}
"""API of a provider, where no reply of its model tells. General knowledge; of others nothing is assumed."""


@dataclass(slots=True)
class Memory:
    """What outlives a run: measures and edited blocks, so that the same edit of the same block is the same object.

    One for a session; requests share it, and so do the profiles that a person tries."""

    sizes: dict[object, dict[bytes, Any]] = field(default_factory=dict)
    memo: dict[tuple[object, ...], Block] = field(default_factory=dict)
    chars: dict[bytes, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Start:
    """What the steps of one request start from. `window`: tokens, before the profile has its say."""

    assembled: Assembled
    step: StepContext
    sizes: Sizes
    window: int
    window_fixed: bool
    unanswered: bool
    """The last message is a prompt that was never answered (only of what would be sent next)."""


def begin(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    assembled: Assembled,
    profile: Profile,
    *,
    window: int | None = None,
    counter: Counter | None = None,
    memory: Memory | None = None,
    told: Told = NOTHING,
) -> Start:
    """`window`: tokens, wins over the profile's and the model's. `counter`: see `core.sizes.Measures`. `told`: what is
    known of the session beside its file."""
    held = memory or Memory()
    measures = Measures.of(session, counts, assembled, counter, held.chars)
    target = target_of(session, timeline, assembled, profile.family)
    request = assembled.request
    step = StepContext(
        window=0,
        target=target,
        now=request.start if request is not None else None,
        session_key=told.key,
        extra=_told(session, timeline, assembled)
        | ({} if told.config is None else {"config": told.config})
        | {NAME: Around(session, timeline, request, profile.reserve)},
        sizes=held.sizes,
        memo=held.memo,
        tokens=measures.tokens,
    )
    leaf = timeline.leaf
    unanswered = request is None and leaf is not None and session.role_of(leaf) == "user"
    return Start(
        assembled,
        step,
        Sizes(measures.chars, measures.tokens),
        window if window is not None else timeline.window,
        window is not None,
        unanswered and session.format == "openclaw",
    )


def _told(session: Session, timeline: Timeline, assembled: Assembled) -> dict[str, Json]:
    """What layers get to know beside the blocks: when the cache was touched (`core.touches`), and `unrecorded_tokens`,
    the size of tools and system prompt as far as recorded usage tells it."""
    request = assembled.request
    path = timeline.path if request is None else timeline.path[: place_of(timeline.path, request.entry)]
    found = touches(session, path)
    if assembled.unrecorded is not None:
        found["unrecorded_tokens"] = assembled.unrecorded
    return found


def run(
    start: Start,
    profile: Profile,
    previous: Trace | None = None,
    before: Profile | None = None,
    carries: Mapping[str, object] | None = None,
) -> Trace:
    """The Trace under `profile`. `previous` with its profile `before`: only the changed step and those below it run.

    `carries`: what the request before handed over, by instance (`core.replay`); the same as `previous` had."""
    window = profile.window if profile.window is not None and not start.window_fixed else start.window
    step = replace(start.step, window=window)
    first = 0
    if previous is not None and before is not None and _same_frame(before, profile):
        changed = index_of_change(before, profile)
        if changed is None:
            return previous
        first = changed + 1
    rewrites = rewritten((carries or {}).values())
    blocks = amended(start.assembled.blocks, rewrites, step)
    if previous is not None and first and _other(previous.steps[0].after, blocks):
        previous, first = None, 0
    done = pipeline.run(start.assembled.context, blocks, profile, step, start.sizes, carries, previous, first)
    if first == 0:
        notes: tuple[Phrase, ...] = (phrase("layer.session_context.unanswered"),) if start.unanswered else ()
        if blocks is not start.assembled.blocks:
            notes += (_rewritten(start, rewrites),)
        if notes:
            done = replace(done, steps=(replace(done.steps[0], notes=notes), *done.steps[1:]))
    return done


def _other(before: Blocks, after: Blocks) -> bool:
    """Whether step 0 is not that of another branch any more, or is one now (`core.engine_rewrite`)."""
    return before is not after and (len(before) != len(after) or not all(map(is_, before, after)))


def _rewritten(start: Start, rewrites: Mapping[int, Message]) -> Phrase:
    around = start.step.extra[NAME]
    rows = [block.origin.rows[0] for block in start.assembled.blocks if block.origin.rows]
    there = {row: message for row, message in rewrites.items() if row in rows}
    again, _ = appended_again(around.session, around.path, there)
    return phrase("engine.rewritten", n=len(there), again=again)


def _same_frame(before: Profile, after: Profile) -> bool:
    """Nothing but instances differs: every step that is not changed itself would do the same again."""
    return (before.window, before.family) == (after.window, after.family)


def trace(
    session: Session,
    timeline: Timeline,
    counts: Counts,
    number: int | None,
    profile: Profile,
    *,
    message: Callable[[int], Message | None] | None = None,
    body: Callable[[int], Json] | None = None,
    block: Callable[[Message, Origin], Block] = Block.of,
    window: int | None = None,
    counter: Counter | None = None,
) -> Trace:
    """The Trace of request `number` (from 1; None: of what would be sent next), from nothing. RequestError names the
    numbers that exist."""
    assembled = assemble(session, timeline, counts, number, message=message, body=body, block=block)
    return run(begin(session, timeline, counts, assembled, profile, window=window, counter=counter), profile)


def target_of(session: Session, timeline: Timeline, assembled: Assembled, family: str) -> Target:
    """Whom the request went to: its reply says it; of what would be sent next, the model that the agent would take up.

    `family`: for an API that tells none."""
    if assembled.request is not None:
        reply = session.reply(assembled.request.entry)
        provider, model = assembled.request.provider, assembled.request.model
        api = reply.api if reply is not None else ""
    else:
        named = assembled.context.model or ("", "")
        provider, model = (name if isinstance(name, str) else "" for name in named)
        api = _api_of(session, timeline, provider, model)
    api = api or APIS.get(provider, "")
    return Target(provider, api, model, family_of(api, family))


def _api_of(session: Session, timeline: Timeline, provider: str, model: str) -> str:
    """As the newest reply of the model on the path has it, else of the provider."""
    of_provider = ""
    for row in reversed(timeline.path):
        reply = session.reply(row)
        if reply is None or reply.mirror or reply.provider != provider:
            continue
        if reply.model == model:
            return reply.api
        of_provider = of_provider or reply.api
    return of_provider
