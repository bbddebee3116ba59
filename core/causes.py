"""Why a request read less from the cache than was there, by what the session file proves.

Order (prompt cache 7): what else changed the prompt or its reader comes first, then expiry, then what the size of the
read tells. *recorded*: an entry of the file says so; *computed*: it follows from recorded numbers; *likely*: the best
explanation of them; *unknown*: none.

    overlap, or the next call never saw this one   second_writer      computed
    other model · other thinking level             model_changed · thinking_changed            recorded
    compaction · reset, context edit in between    compaction · messages_changed               recorded
    idle longer than the entry lives               ttl_expired        computed
    the previous call was a second writer's        second_writer      likely
    read something: an older entry's exact size    messages_changed   likely; second_writer: last answer not in it
    read nothing: prompt below the minimum         below_minimum      computed
                  nothing written either           not_marked         likely
                  over 20 new blocks               lookback_exceeded  likely
                  tools + system were cacheable    system_changed     likely: tools, system or key (often a restart)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.evidence import Call, Evidence
from core.phrase import Phrase, phrase
from core.session import Session

Certainty = Literal["recorded", "computed", "likely", "unknown"]

LOOKBACK = 20
"""Positions that a read walks back from a mark, the mark included (prompt cache 1)."""

LARGEST_MINIMUM = 4096
"""The largest cacheable minimum of any known model: what is above it was cacheable, whichever model it was."""

UNITS_PER_TOKEN = 3.2
"""UTF-16 units per token of messages, measured on two sessions (prompt cache 8)."""

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Policy:
    """What is known of a model's cache. `minimum`: tokens that a prefix needs to be cached, `lifetime_s`: of an entry,
    both None when not known."""

    minimum: int | None = None
    lifetime_s: float | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """`name`: of the vocabulary in prompt cache 1; `why`: the evidence, as a sentence."""

    name: str
    certainty: Certainty
    why: Phrase


def cause(session: Session, evidence: Evidence, index: int, policy: Callable[[Call, bool], Policy]) -> Cause:
    """The cause of the break at `evidence.calls[index]`, which has a previous call and read less than expected.

    `policy(call, whether its cache reports writes)`.
    """
    call = evidence.calls[index]
    assert call.previous is not None
    previous = evidence.calls[call.previous]
    exact = call.model in evidence.explicit  # caches that report no writes are best effort: a miss proves little
    rules = policy(call, exact)
    if (why := _second_writer(evidence, index)) is not None:
        return Cause("second_writer", "computed", why)
    if call.model != previous.model:
        names = _named(previous.model), _named(call.model)
        return Cause("model_changed", "recorded", phrase("break.model", before=names[0], after=names[1]))
    if call.level != evidence.levels[call.previous]:
        said = phrase("break.thinking", before=_word(evidence.levels[call.previous]), after=_word(call.level))
        return Cause("thinking_changed", "recorded", said)
    if call.event is not None:
        kind = session.type_of(call.event)
        name = "compaction" if kind == "compaction" else "messages_changed"
        return Cause(name, "recorded", phrase(f"break.{kind}", entry=session.columns.ids[call.event]))
    idle = evidence.idle_s[index]
    lifetime = lifetime_of(evidence, index, rules)
    if idle is not None and lifetime is not None and idle > lifetime:
        certainty: Certainty = "computed" if exact else "likely"
        return Cause("ttl_expired", certainty, phrase("break.ttl", idle=idle, lifetime=lifetime))
    if previous.previous is not None and _second_writer(evidence, call.previous) is not None:
        return Cause("second_writer", "likely", phrase("break.after_second_writer", entry=_id(session, previous)))
    if not exact:
        return Cause("unknown", "unknown", phrase("break.best_effort"))
    if call.request.usage.read:
        return _partial(session, evidence, index)
    return _nothing(session, evidence, index, rules)


def lifetime_of(evidence: Evidence, index: int, rules: Policy) -> float | None:
    """Seconds that the previous call's entry lives: an hour if its write was recorded so, or if entries of this model
    were read after twice their usual lifetime (older files do not record the lifetime); else the policy's.
    """
    call = evidence.calls[index]
    if call.previous is not None and evidence.hour[call.previous]:
        return HOUR
    if rules.lifetime_s is not None and evidence.longest_s.get(call.model, 0.0) > 2 * rules.lifetime_s:
        return max(HOUR, rules.lifetime_s)
    return rules.lifetime_s


def system_size(evidence: Evidence, index: int) -> int:
    """Tokens of tools and system by difference: the first prompt of the branch less its messages at the measured rate.

    Rather too small than too large: 0 where the messages alone may make up the prompt.
    """
    call = evidence.calls[evidence.calls[index].first]
    return max(0, call.request.usage.prompt - round(call.chars / UNITS_PER_TOKEN))


def system_cacheable(evidence: Evidence, index: int, rules: Policy) -> bool:
    """Tools and system alone reach the cacheable minimum, so they would be read if only messages had changed."""
    return system_size(evidence, index) >= (LARGEST_MINIMUM if rules.minimum is None else rules.minimum)


def _second_writer(evidence: Evidence, index: int) -> Phrase | None:
    """Two processes write one file by turns (prompt cache 8, rows 465 and 491).

    It left before the previous answer was complete; or a following call reads exactly what the call *before* this one
    had left, and grew by less than this one's answer, so it never saw this one. Without that growth the read proves
    nothing: an agent that cuts its history anew each time falls back to an older entry just so.
    """
    call = evidence.calls[index]
    if call.previous is None:
        return None
    previous = evidence.calls[call.previous]
    start, end = call.request.start, previous.request.end
    if start is not None and end is not None and start < end:
        return phrase("break.overlap", seconds=(end - start) / 1000)
    for after in evidence.followers.get(index, ()):
        usage = evidence.calls[after].request.usage
        from_before = usage.read == previous.left > 0 and previous.left != call.left
        unseen = usage.prompt - usage.read < call.request.usage.output
        if from_before and unseen and call.request.usage.read < previous.left:
            return phrase("break.never_seen", read=usage.read)
    return None


def _partial(session: Session, evidence: Evidence, index: int) -> Cause:
    call = evidence.calls[index]
    assert call.previous is not None
    read = call.request.usage.read
    older = evidence.read_from[index]
    if older is not None:
        said = phrase("break.older_entry", read=read, entry=_id(session, evidence.calls[older]))
        unseen = call.request.usage.prompt - read < evidence.calls[call.previous].request.usage.output
        return Cause("second_writer" if unseen else "messages_changed", "likely", said)
    new = _new_blocks(session, evidence, index)
    if new > LOOKBACK and read <= system_size(evidence, index) * 1.05:
        return Cause("lookback_exceeded", "likely", phrase("break.lookback", n=new))
    return Cause("messages_changed", "likely", phrase("break.partial", read=read))


def _nothing(session: Session, evidence: Evidence, index: int, rules: Policy) -> Cause:
    call = evidence.calls[index]
    usage = call.request.usage
    if rules.minimum is not None and usage.prompt < rules.minimum and not usage.write:
        said = phrase("break.below_minimum", prompt=usage.prompt, minimum=rules.minimum)
        return Cause("below_minimum", "computed", said)
    if not usage.write:
        return Cause("not_marked", "likely", phrase("break.not_marked"))
    if evidence.idle_s[index] is None:
        return Cause("unknown", "unknown", phrase("break.no_time"))
    size = system_size(evidence, index)
    if system_cacheable(evidence, index, rules):
        minimum = LARGEST_MINIMUM if rules.minimum is None else rules.minimum
        return Cause("system_changed", "likely", phrase("break.system", size=size, minimum=minimum))
    new = _new_blocks(session, evidence, index)
    if new > LOOKBACK:
        return Cause("lookback_exceeded", "likely", phrase("break.lookback", n=new))
    if call.asked:
        return Cause("system_changed", "likely", phrase("break.restart"))
    return Cause("unknown", "unknown", phrase("break.unknown"))


def _new_blocks(session: Session, evidence: Evidence, index: int) -> int:
    """Content blocks between the previous call's last mark (before its answer) and the end of this prompt."""
    call = evidence.calls[index]
    assert call.previous is not None
    stop = evidence.calls[call.previous].request.entry
    row = session.columns.parent[call.request.entry]
    found = 0
    while row >= 0:
        if session.role_of(row):
            content = session.body(row).get("message", {}).get("content")
            found += len(content) if isinstance(content, list) else 1
        if row == stop:
            break
        row = session.columns.parent[row]
    return found


def _id(session: Session, call: Call) -> str:
    return session.columns.ids[call.request.entry]


def _named(model: tuple[str, str]) -> str:
    return "/".join(part for part in model if part) or "–"


def _word(level: object) -> str:
    return level if isinstance(level, str) else "–"
