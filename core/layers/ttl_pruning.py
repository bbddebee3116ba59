"""Old tool results are trimmed, then emptied, but only when the provider's cache has lapsed anyhow: a warm one stays.

Source: recorded cases of layer d with their pins in n; the gate is described, not recorded (section 6, "Trigger"). The
run supplies, beside `context.now`, in `context.extra` (see `core.touches`):

    cache_marker    epoch ms of the last `openclaw.cache-ttl` entry on the path; absent = pruning was off there
    last_request    epoch ms of the start of the last successful request

2026.4.5 prunes one request and, touched by that, sends everything whole again at the next: the step says so. The sticky
form of 2026.9 keeps what it has cut.
"""

from __future__ import annotations

from dataclasses import dataclass

from core import sticky
from core.layer import Gauge, Outcome, StepContext
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.pruning import Pruned, Rules, prune
from core.settings import choice, number, patterns, switch

ID = "ttl_pruning"
TITLE = phrase("layer.ttl_pruning.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`gate`: waits for the lifetime after the last marker, after the last request, or not at all (a what-if).

    `soft`, `hard`: shares of the window, four characters a token. `keep`: the newest assistants, from which on nothing
    is touched. `sizes`: whether Chinese, Japanese and Korean count 4, and thinking signatures at all. `sticky`: what
    was cut stays cut. `whole_characters`: no cut inside a surrogate pair."""

    gate: str = choice("marker", "marker", "request", "open")
    ttl: int = number(300, 0, 86_400, unit="seconds", step=10, gauge="idle")
    soft: float = number(0.3, 0.0, 1.0, unit="share", step=0.01, gauge="filled")
    hard: float = number(0.5, 0.0, 1.0, unit="share", step=0.01, gauge="filled_after")
    hard_clear: bool = switch(True)
    keep: int = number(3, 0, 100, unit="messages", gauge="assistants")
    min_prunable: int = number(50_000, 0, 2_000_000, unit="chars", step=1_000)
    max_chars: int = number(4_000, 0, 400_000, unit="chars", step=100)
    head: int = number(1_500, 0, 200_000, unit="chars", step=100)
    tail: int = number(1_500, 0, 200_000, unit="chars", step=100)
    allow: tuple[str, ...] = patterns()
    deny: tuple[str, ...] = patterns()
    sizes: str = choice("2026.4.5", "2026.4.5", "2026.3.24")
    sticky: bool = switch(False)
    whole_characters: bool = switch(False)
    thinking_dropped: bool = switch(False)


@dataclass(frozen=True, slots=True)
class Carry:
    """`touch`: when this layer last pruned, epoch ms. `cuts`: what stands cut; without `sticky` only the last
    request's, to tell what is sent whole again."""

    touch: int | None = None
    cuts: sticky.Cuts = sticky.NONE


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    carry = context.carry if isinstance(context.carry, Carry) else Carry()
    rules = _rules(settings)
    held: frozenset[int] = frozenset()
    before = blocks
    if settings.sticky:
        blocks, held = sticky.put_back(context, before, carry.cuts)
    idle = _idle(settings, context, carry)
    open_ = settings.gate == "open" or (idle is not None and settings.ttl > 0 and idle >= settings.ttl * 1000)
    if not open_:
        return _waiting(before, blocks, held, settings, context, carry, idle)
    found = prune(context, blocks, rules, context.window, held)
    new = sorted(found.sizes)
    reasons = _reasons(before, blocks, found, held)
    cuts = sticky.carried(carry.cuts if settings.sticky else sticky.NONE, found.blocks, held, new)
    gauges = _gauges(blocks, found, settings, context, idle)
    after = Carry(context.now if new else carry.touch, cuts)
    if not new:
        name = _quiet(found, rules, context.window)
        said = {"filled": _share(found.total, context), "limit": settings.soft, "keep": settings.keep}
        why = phrase(f"layer.ttl_pruning.{name}", **said, worth=found.too_little or 0, least=settings.min_prunable)
        return _outcome(before, blocks, why, phrase("layer.ttl_pruning.quiet_short", **said), gauges, reasons, after)
    cleared = len(found.cleared)
    shares = {"before": _share(found.total, context), "after": _share(found.after, context)}
    fired = phrase("layer.ttl_pruning.fired", trimmed=len(new) - cleared, cleared=cleared, **shares)
    if idle is None:
        first = phrase("layer.ttl_pruning.always", n=len(new))
    else:
        first = phrase("layer.ttl_pruning.lapsed", n=len(new), idle=idle / 1000, ttl=settings.ttl)
    why = phrase("layer.also", first=first, second=fired)
    return _outcome(before, found.blocks, why, None, gauges, reasons, after)


def carries(settings: Settings, context: StepContext) -> bool:
    """Where the gate can open at all, an earlier prune is a touch of the cache, and sticky cuts stay."""
    if settings.gate == "open":
        return settings.sticky
    return settings.ttl > 0 and isinstance(context.extra.get(_touch(settings)), int)


def _rules(settings: Settings) -> Rules:
    return Rules(
        ttl_ms=settings.ttl * 1000,
        keep_last_assistants=settings.keep,
        soft_ratio=settings.soft,
        hard_ratio=settings.hard,
        min_prunable=settings.min_prunable,
        allow=settings.allow,
        deny=settings.deny,
        max_chars=settings.max_chars,
        head=settings.head,
        tail=settings.tail,
        hard_clear=settings.hard_clear,
        weighted=settings.sizes != "2026.3.24",
        whole_characters=settings.whole_characters,
        thinking_dropped=settings.thinking_dropped,
    )


# the gate


def _idle(settings: Settings, context: StepContext, carry: Carry) -> int | None:
    """Milliseconds since the cache was touched; None when that is not known."""
    if context.now is None or settings.gate == "open":
        return None
    given = context.extra.get(_touch(settings))
    known = [time for time in (given, carry.touch) if isinstance(time, int)]
    # A prune of our own counts as a touch only where there is a cache at all to be touched.
    return max(0, context.now - max(known)) if isinstance(given, int) else None


def _touch(settings: Settings) -> str:
    """The time that the gate runs from, by its name in `context.extra`."""
    return "cache_marker" if settings.gate == "marker" else "last_request"


def _waiting(
    before: Blocks,
    blocks: Blocks,
    held: frozenset[int],
    settings: Settings,
    context: StepContext,
    carry: Carry,
    idle: int | None,
) -> Outcome:
    """The gate is closed: nothing new is cut."""
    if idle is None:
        name = "no_time" if context.now is None else f"no_{settings.gate}"
        why = phrase(f"layer.ttl_pruning.{name}")
        short = phrase(f"layer.ttl_pruning.{name}_short")
        gauges: tuple[Gauge, ...] = ()
    else:
        said = {"idle": idle / 1000, "ttl": settings.ttl}
        why, short = phrase("layer.ttl_pruning.warm", **said), phrase("layer.ttl_pruning.warm_short", **said)
        gauges = (Gauge("idle", idle / 1000, settings.ttl, "seconds", "ttl"),)
    reasons = _kept_reasons(before, blocks, held)
    if settings.sticky:
        cuts = sticky.carried(carry.cuts, blocks, held, ())
        return _outcome(before, blocks, why, short, gauges, reasons, Carry(carry.touch, cuts))
    back = len(carry.cuts.sent)
    notes = (phrase("layer.ttl_pruning.whole_again", n=back),) if back else ()
    return Outcome(blocks, why, short, gauges, carry=Carry(carry.touch), notes=notes)


# what is said


def _outcome(
    before: Blocks,
    after: Blocks,
    why: Phrase,
    short: Phrase | None,
    gauges: tuple[Gauge, ...],
    reasons: dict[Block, Phrase],
    carry: Carry,
) -> Outcome:
    again = sum(reason.id == "layer.ttl_pruning.held" for reason in reasons.values())
    if again:
        why = phrase("layer.also", first=why, second=phrase("layer.ttl_pruning.held_part", n=again))
        short = None
    notes = (phrase("layer.wording_ours"),) if after is not before else ()
    if again:
        notes = (*notes, phrase("layer.from_reports"))
    return Outcome(after, why, short, gauges, reasons, carry, notes=notes)


def _kept_reasons(before: Blocks, blocks: Blocks, held: frozenset[int]) -> dict[Block, Phrase]:
    return {before[i]: phrase("layer.ttl_pruning.held") for i in held if before[i] is not blocks[i]}


def _reasons(before: Blocks, blocks: Blocks, found: Pruned, held: frozenset[int]) -> dict[Block, Phrase]:
    reasons = _kept_reasons(before, blocks, held)
    cleared = set(found.cleared)
    for index, (was, now) in found.sizes.items():
        name = "layer.ttl_pruning.cleared" if index in cleared else "layer.ttl_pruning.trimmed"
        reasons[before[index]] = phrase(name, before=was, after=now)
    return reasons


def _share(total: int, context: StepContext) -> float:
    return total / (context.window * 4) if context.window > 0 else 0.0


def _gauges(
    blocks: Blocks, found: Pruned, settings: Settings, context: StepContext, idle: int | None
) -> tuple[Gauge, ...]:
    assistants = sum(block.message.role == "assistant" for block in blocks)
    gauges = [Gauge("filled", _share(found.total, context), settings.soft, "share", "soft")]
    if found.after != found.total or found.cleared:
        gauges.append(Gauge("filled_after", _share(found.after, context), settings.hard, "share", "hard"))
    gauges.append(Gauge("assistants", assistants, settings.keep, "messages", "keep"))
    if idle is not None:
        gauges.append(Gauge("idle", idle / 1000, settings.ttl, "seconds", "ttl"))
    return tuple(gauges)


def _quiet(found: Pruned, rules: Rules, window: int) -> str:
    if found.protected == "assistants":
        return "few_assistants"
    if not window > 0 or found.total / (window * 4) < rules.soft_ratio:
        return "below"
    if found.protected == "users":
        return "no_user"
    return "too_little" if found.too_little else "nothing"
