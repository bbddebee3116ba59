"""The agents' token estimates for one request, each with its margin, beside a tokenizer's count and the recorded size.

    quarter     characters / 4                              the rule of thumb
    results     tool results / 2 instead                    the guard's count: output of programs is dense
    headroom    the same / 0.75                             the window that the guard would want for it
    pi          pi's own quarter                            decides about compaction
    safety      the same × 1.2                              what compaction plans with
    bpe         a tokenizer
    recorded    what the provider counted

Articles, first source, question 4: is a quarter of the characters too coarse? `coverage` answers with the session's own
growths: how far each estimate is from what new messages really weighed, and for how many its margin was enough.
Sources: section 4 of the recorded cases' description (results count double, images 8,000 characters, three quarters of
the window), layers g and h (pi); compaction's margin of 1.2 holds in all versions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles

from core import javascript
from core.calibration import SMALLEST
from core.counter import Counter
from core.estimate import IMAGE, pi_tokens
from core.growth import Growth, growths
from core.messages import Message
from core.phrase import Phrase, phrase
from core.prompt import Blocks
from core.sent import Kind, sent
from core.session import Session

HEADROOM = 0.75
SAFETY = 1.2
PARTS: tuple[Kind, ...] = ("user", "reply", "result", "summary")

Way = Callable[[Message], float]
"""Tokens of one message by some estimate; not rounded."""


def quarter(message: Message) -> float:
    """A quarter of the characters of every text that is sent; an image counts 2,000 tokens."""
    return _characters(message)[0] / 4


def results(message: Message) -> float:
    """The same, but a tool result counts two characters a token, its images too."""
    found, kind = _characters(message)
    return found / (2 if kind == "result" else 4)


def _characters(message: Message) -> tuple[int, Kind]:
    found = sent(message)
    return sum(map(javascript.length, found.texts)) + IMAGE * len(found.images), found.kind


WAYS: Mapping[str, Way] = {
    "quarter": quarter,
    "results": results,
    "headroom": lambda message: results(message) / HEADROOM,
    "pi": pi_tokens,
    "safety": lambda message: pi_tokens(message) * SAFETY,
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """`parts`: tokens by PARTS, () where only the sum is known. `margin`: what this row adds to the one it stands on
    (`base`, an id, "" for none). `ratio`: over the recorded messages, None where nothing is recorded."""

    id: str
    tokens: int
    parts: tuple[int, ...]
    base: str
    margin: int
    ratio: float | None

    @property
    def title(self) -> Phrase:
        return phrase(f"margins.{self.id}")

    @property
    def explanation(self) -> Phrase:
        return phrase(f"margins.{self.id}_help")


@dataclass(frozen=True, slots=True)
class Margins:
    """`estimates` in the order of the page, of the messages alone. `prompt`: recorded size of the whole prompt;
    `unrecorded`: tokens of tools and system prompt in it, estimated by difference; None where nothing is recorded."""

    estimates: tuple[Estimate, ...]
    prompt: int | None
    unrecorded: int | None


_BASE = {"results": "quarter", "headroom": "results", "safety": "pi"}


def margins(blocks: Blocks, *, bpe: Counter | None, prompt: int | None, unrecorded: int | None) -> Margins:
    """`blocks`: the messages of the request. `bpe`: None leaves the tokenizer's row out. `prompt`: recorded tokens."""
    recorded = prompt - unrecorded if prompt is not None and unrecorded is not None else None
    kinds = [sent(block.message).kind for block in blocks]
    ways: dict[str, Way] = dict(WAYS)
    if bpe is not None:
        ways["bpe"] = bpe.count
    found: dict[str, Estimate] = {}
    for name, way in ways.items():
        parts = dict.fromkeys(PARTS, 0.0)
        for block, kind in zip(blocks, kinds, strict=True):
            if kind != "none":
                parts[kind] += way(block.message)
        tokens = round(sum(parts.values()))
        base = _BASE.get(name, "")
        margin = tokens - found[base].tokens if base else 0
        ratio = tokens / recorded if recorded else None
        found[name] = Estimate(name, tokens, tuple(round(part) for part in parts.values()), base, margin, ratio)
    rows = list(found.values())
    if recorded is not None:
        rows.append(Estimate("recorded", recorded, (), "", 0, 1.0))
    return Margins(tuple(rows), prompt, unrecorded)


# the whole session


@dataclass(frozen=True, slots=True)
class Coverage:
    """One estimate against the growths of a session. `ratios`: estimate / recorded, ascending. `middle`: their median;
    `low`, `high`: 10th and 90th percentile. `covered`: share of the growths for which the estimate was enough."""

    id: str
    ratios: tuple[float, ...]
    middle: float
    low: float
    high: float
    covered: float


@dataclass(frozen=True, slots=True)
class Explained:
    """The estimates of one request, and how well each foretells the growths of its session (() = too little known)."""

    margins: Margins
    coverage: tuple[Coverage, ...]

    def covered(self, id: str) -> Coverage | None:
        """Of one estimate; None for the recorded size, and where too little is known."""
        return next((item for item in self.coverage if item.id == id), None)


def coverage(
    session: Session,
    message: Callable[[int], Message | None],
    *,
    bpe: Counter | None = None,
    evidence: Sequence[Growth] | None = None,
    go_on: Callable[[int], bool] = lambda _: True,
) -> tuple[Coverage, ...]:
    """How well each estimate foretells what new messages weigh. () where too little is recorded to say.

    Taken are growths over one reply that ended well, by the same model, of at least SMALLEST tokens beside it.
    `message`: of a row (may be a cache); `go_on(growths done)`: False ends it early with what there is."""
    ways: dict[str, Way] = dict(WAYS)
    if bpe is not None:
        ways["bpe"] = bpe.count
    ratios: dict[str, list[float]] = {name: [] for name in ways}
    for done, growth in enumerate(growths(session) if evidence is None else evidence):
        if done % 64 == 0 and not go_on(done):
            break
        weight = growth.tokens - (growth.said or 0)
        if growth.said is None or not growth.same_model or weight < SMALLEST:
            continue
        new = [found for row in growth.rows if (found := message(row)) is not None]
        if not new or any(found.role == "assistant" for found in new):
            continue
        for name, way in ways.items():
            ratios[name].append(sum(map(way, new)) / weight)
    return tuple(map(partial(_coverage, ratios), ways)) if len(ratios["quarter"]) >= FEWEST else ()


FEWEST = 8
"""Growths below which nothing is said."""


def _coverage(ratios: Mapping[str, list[float]], name: str) -> Coverage:
    found = sorted(ratios[name])
    tenths = quantiles(found, n=10, method="inclusive")
    covered = sum(ratio >= 1 for ratio in found) / len(found)
    return Coverage(name, tuple(found), median(found), tenths[0], tenths[8], covered)


def answer(found: Sequence[Coverage]) -> Phrase:
    """Whether a quarter of the characters is too coarse, by this session: the rule of thumb, and what margins mend."""
    known = {item.id: item for item in found}
    if not known:
        return phrase("margins.unknown")
    plain, guard, safe = known["quarter"], known["results"], known["safety"]
    said = {"n": len(plain.ratios), "low": plain.low, "high": plain.high}
    margins = {"plain": plain.covered, "guard": guard.covered, "safe": safe.covered}
    off = plain.middle - 1
    name = "about" if abs(off) < 0.05 else "low" if off < 0 else "high"
    first = phrase(f"margins.answer_{name}", off=abs(off), **said)
    return phrase("layer.also", first=first, second=phrase("margins.answer_margins", **margins))
