"""Tokens per message, learned from one session: how its recorded prompts grew, against what was added to them.

    growth of the prompt  −  output tokens of the reply in it  −  images   =   traits of the new texts · coefficients
                                                                               + a constant per message

Evidence is only the size of whole prompts, never their split into cached and written. Left out of the fit: growths
over a compaction, reset or edit (they are none), over a change of model, negative ones, those with a failed or
unrecorded reply in between, and outliers (a second writer, a restart with another system prompt). Fewer than
FEWEST: the coefficients stay at their defaults. Source: prompt cache 8, "Token estimate", where growth was explained
by output and bytes; the traits of the text explain it better, and the rest of this page measures how well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING, Literal

from core.growth import Growth
from core.messages import Message
from core.regression import Fit, dot, fit
from core.sent import Kind, sent
from core.traits import NONE, Traits, added, traits

if TYPE_CHECKING:
    from core.measures import Measures

FEWEST = 8
"""Usable growths below which nothing is learned."""
MOST = 1_000
"""Growths that are looked at, evenly spaced, so that a long session takes no longer."""
SMALLEST = 50
"""Tokens: errors of smaller growths are judged as if they were of this size."""
BELIEVED = 0.3
"""How far a growth may be from its prediction, relative to itself, and still be what the new messages weigh: one dense
text is that far off, a second process that writes into the file is much farther."""

DEFAULTS = (0.06, 0.8, 1.2, 0.2, 1.5, 1.6, 1.05, 0.5, 12.0, 7.0)
"""Tokens per trait (order of `core.traits.TRAITS`), per tool result, per other message. Rounded means of the two
recorded sessions that prompt cache 8 describes (Claude Sonnet 4.5 and Opus 4.5); about bytes / 3.2 on code."""
PER_REPLY = 3.0
PER_CALL = 46.0
"""Tokens of a reply, and of each tool call in it, beside their texts: read off the recorded outputs of the same two."""

_PLACE: Mapping[Kind, Traits] = {"result": (1, 0), "user": (0, 1), "summary": (0, 1), "reply": (0, 0), "none": (0, 0)}


@dataclass(frozen=True, slots=True)
class Measure:
    """What of a message tells how many tokens it has. `words`: traits of all its texts; `said`: without tool calls
    (what may be left of a reply that failed)."""

    kind: Kind = "none"
    words: Traits = NONE
    said: Traits = NONE
    images: int = 0
    calls: int = 0
    thinks: bool = False

    @classmethod
    def of(cls, message: Message) -> Measure:
        found = sent(message)
        words = _together(found.texts)
        said = _together(found.said) if found.calls else words
        return cls(found.kind, words, said, sum(found.images), found.calls, found.thinks)

    @property
    def row(self) -> Traits:
        """Its row of the regression."""
        return self.words + _PLACE[self.kind]


NOTHING = Measure()


def _together(texts: Sequence[str]) -> Traits:
    total = NONE
    for one in texts:
        total = added(total, traits(one))
    return total


@dataclass(frozen=True, slots=True)
class Calibration:
    """What one session taught.

    `used` growths took part in the fit, of `growths` that could. `error`: (median, 90th percentile) over the latter of
    the error of a growth predicted without it, relative to the growth; `prompt_error`: the same error relative to the
    whole prompt; None when nothing was learned. `per_output`: recorded output of a reply over what the coefficients
    make of its texts.
    """

    coefficients: tuple[float, ...] = DEFAULTS
    per_output: float = 1.0
    used: int = 0
    growths: int = 0
    error: tuple[float, float] | None = None
    prompt_error: tuple[float, float] | None = None

    def tokens(self, measure: Measure) -> int:
        """Estimated tokens of a message in a prompt, at least 0."""
        if measure.kind == "none":
            return 0
        text = dot(measure.row, self.coefficients)
        if measure.kind == "reply":
            text = self.per_output * (text + PER_REPLY + PER_CALL * measure.calls)
        return max(0, round(text)) + measure.images

    def said(self, measure: Measure) -> int:
        """Estimated tokens of the words of a reply without its tool calls."""
        return max(0, round(dot(measure.said, self.coefficients[: len(NONE)])))

    def believes(self, growth: Growth, predicted: int) -> bool:
        return growth.tokens > 0 and abs(growth.tokens - predicted) <= BELIEVED * max(growth.tokens, SMALLEST)


Failed = Literal["left_out", "words_kept"]
"""What became of a reply that failed or was aborted: pi 0.58 and later leave it out, earlier ones kept its words."""


def calibrate(growths: Sequence[Growth], measures: Measures, outputs: Mapping[int, int]) -> Calibration:
    """`measures[row]`: of the entry's message. `outputs`: recorded output tokens of the replies that ended well."""
    usable = [growth for growth in growths if _usable(growth, measures)]
    silent = [growth for growth in usable if not measures.thinks[growth.previous]]
    learned_from = silent if len(silent) >= FEWEST else usable
    if len(learned_from) < FEWEST:
        return Calibration(growths=len(usable))
    step = -(-len(learned_from) // MOST)
    learned_from = learned_from[::step]
    rows = [_row(growth, measures) for growth in learned_from]
    rest = [
        growth.tokens - (growth.said or 0) - sum(measures.images[row] for row in growth.rows) for growth in learned_from
    ]
    sizes = [float(max(growth.tokens, SMALLEST)) for growth in learned_from]
    found = fit(rows, rest, sizes, DEFAULTS)
    errors = _errors(found, learned_from, usable[::step], measures)
    return Calibration(
        found.coefficients,
        _per_output(found.coefficients, measures, outputs),
        sum(found.kept),
        len(errors),
        _two([abs(error) / growth.tokens for growth, error in errors]),
        _two([abs(error) / growth.prompt for growth, error in errors]),
    )


def _usable(growth: Growth, measures: Measures) -> bool:
    return (
        growth.same_model
        and growth.tokens > 0
        and growth.said is not None
        and all(measures.kind_of(row) != "reply" for row in growth.rows)
    )


def _row(growth: Growth, measures: Measures) -> list[float]:
    total: list[float] = [0.0] * len(DEFAULTS)
    for row in growth.rows:
        for j, value in enumerate(measures[row].row):
            total[j] += value
    return total


def _errors(
    found: Fit, learned_from: Sequence[Growth], usable: Sequence[Growth], measures: Measures
) -> list[tuple[Growth, float]]:
    """Every usable growth with its error: those of the fit as if left out of it, the others took no part anyway."""
    errors = list(zip(learned_from, found.errors, strict=True))
    known = {id(growth) for growth in learned_from}
    for growth in usable:
        if id(growth) not in known:
            images = sum(measures.images[row] for row in growth.rows)
            predicted = (growth.said or 0) + images + dot(_row(growth, measures), found.coefficients)
            errors.append((growth, growth.tokens - predicted))
    return errors


def _per_output(coefficients: Sequence[float], measures: Measures, outputs: Mapping[int, int]) -> float:
    plain = Calibration(tuple(coefficients))
    ratios = [
        output / estimate
        for row, output in outputs.items()
        if output > 0 and not measures.thinks[row] and (estimate := plain.tokens(measures[row])) > 0
    ]
    return median(ratios) if len(ratios) >= FEWEST else 1.0


def _two(errors: Sequence[float]) -> tuple[float, float]:
    return median(errors), quantiles(errors, n=10, method="inclusive")[8]
