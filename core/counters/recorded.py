"""Calibrated on the session itself: exact where its recorded usage shows it, else as its other messages teach.

Exact, because it is recorded or a difference of recorded numbers:

    a reply                                  its output tokens, when the growth over it confirms them
    the only message between two requests    growth of the prompt − output tokens of the reply before it
    one of several, the others being exact   what is left of the growth (a fork shows the shared ones twice)

Several unknown messages in one growth share what is left of it as they are estimated: their sum is exact, each is
not. Hidden reasoning and thinking are sent back changed, so such a reply is one of the unknown. A growth that is far
from its prediction (another process wrote into the file, the system prompt changed) proves nothing. Everything else
is estimated by the calibration; without enough recorded usage by its defaults, about bytes / 3.2.

Whether a failed or aborted reply was sent again is told by the same evidence: pi 0.58 and later leave it out, older
ones kept its words. Where nothing tells, it counts 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from statistics import median_low

import numpy as np

from core.calibration import Calibration, Failed, Measure, calibrate
from core.counter import RowCounts
from core.growth import FARTHEST, REWRITING, Growth, growths
from core.measures import Measures
from core.measures import measures as measures_of
from core.messages import Message
from core.phrase import phrase
from core.reply import FAILED
from core.session import Session

ID = "recorded"
TITLE = phrase("counter.recorded")

FEW_WORDS = 10
"""Tokens of words in failed replies below which a growth cannot tell whether they were sent."""
SHARED, EXACT = 1, 2


class Recorded:
    """`calibration` and `failed` are known once `rows` was asked for or the first message was counted."""

    id = ID

    def __init__(self, session: Session | None) -> None:
        self._session = session
        self._calibration: Calibration | None = Calibration() if session is None else None
        self.failed: Failed = "left_out"

    @property
    def calibration(self) -> Calibration:
        if self._calibration is None:
            assert self._session is not None
            self.rows(self._session, lambda _: True)
        return self._calibration or Calibration()

    def count(self, message: Message) -> int:
        """By the calibration, whatever is recorded with the message: a layer may have changed it since."""
        return self.calibration.tokens(Measure.of(message))

    def rows(self, session: Session, go_on: Callable[[int], bool]) -> RowCounts | None:
        """Tokens of every entry of its own session; None for another one, or when `go_on` ends it early."""
        if session is not self._session:
            return None
        measures = measures_of(session, go_on)
        if measures is None:
            return None
        evidence = growths(session)
        replies = session.columns.replies
        lost = frozenset(row for at, row in enumerate(replies.entry) if replies.stop(at) in FAILED)
        mirrors = frozenset(replies.entry[at] for at in np.flatnonzero(replies.mirrors()))
        unsent = lost | mirrors
        outputs = {
            row: replies.output(at) for at, row in enumerate(replies.entry) if replies.known[at] and row not in unsent
        }
        learned = calibrate(evidence, measures, outputs)
        tokens = array("q", bytes(8 * len(session)))
        for row in range(len(session)):
            if row not in unsent:
                output = outputs.get(row, 0)
                tokens[row] = output if output > 0 else learned.tokens(measures[row])
        self.failed = _failed(evidence, measures, tokens, lost, learned)
        if self.failed == "words_kept":
            for row in lost:
                tokens[row] = learned.said(measures[row])
        exact = _settle(evidence, measures, tokens, learned)
        self._calibration = learned
        return RowCounts(tokens, exact, _unrecorded(session, tokens), learned)


def _failed(
    evidence: Sequence[Growth],
    measures: Measures,
    tokens: Sequence[int],
    lost: frozenset[int],
    learned: Calibration,
) -> Failed:
    """The majority of the growths over a failed reply with words: are they met better with its words, or without?"""
    votes = 0
    for growth in evidence:
        rows = (growth.previous, *growth.rows)
        words = sum(learned.said(measures[row]) for row in rows if row in lost)
        if words >= FEW_WORDS and growth.same_model:
            missing = growth.tokens - sum(tokens[row] for row in rows)
            votes += 1 if abs(missing - words) < abs(missing) else -1
    return "words_kept" if votes > 0 else "left_out"


def _settle(evidence: Sequence[Growth], measures: Measures, tokens: array[int], learned: Calibration) -> bytes:
    """Change `tokens` so that the messages of each believable growth sum up to it; 1 for every row known exactly."""
    settled = bytearray(len(tokens))
    for growth in evidence:
        rows = (growth.previous, *growth.rows)
        if not growth.same_model or not learned.believes(growth, sum(tokens[row] for row in rows)):
            continue
        if growth.said and not measures.thinks[growth.previous] and not settled[growth.previous]:
            settled[growth.previous] = EXACT
        unknown = [row for row in rows if tokens[row] > 0 and not settled[row]]
        known = [row for row in rows if settled[row]]
        left = growth.tokens - sum(tokens[row] for row in known)
        if not unknown or left < len(unknown):
            continue
        certain = len(unknown) == 1 and all(settled[row] == EXACT for row in known)
        for row, share in zip(unknown, _shares(left, [tokens[row] for row in unknown]), strict=True):
            tokens[row] = share
            settled[row] = EXACT if certain else SHARED
    return bytes(state == EXACT for state in settled)


def _shares(total: int, parts: Sequence[int]) -> list[int]:
    """`total` divided like `parts` (all positive), in whole numbers that add up to it."""
    whole, so_far, given = sum(parts), 0, 0
    shares: list[int] = []
    for part in parts:
        so_far += part
        upto = round(total * so_far / whole)
        shares.append(upto - given)
        given = upto
    return shares


def _unrecorded(session: Session, tokens: Sequence[int]) -> int | None:
    """The middle one of what the requests' prompts hold beside their messages: tools and system prompt.

    Only requests without a compaction, reset or edit above them. None when there is none."""
    before: dict[int, int | None] = {}
    found: list[int] = []
    for request in session.requests():
        total: int | None = 0
        row = session.columns.parent[request.entry]
        for _ in range(FARTHEST):
            if total is None or row < 0:
                break
            if row in before:
                above = before[row]
                total = None if above is None else total + above + tokens[row]
                break
            total = None if session.type_of(row) in REWRITING else total + tokens[row]
            row = session.columns.parent[row]
        else:
            total = None
        before[request.entry] = total
        if total is not None and request.usage.prompt > 0:
            found.append(request.usage.prompt - total)
    return max(0, median_low(found)) if found else None


def make(session: Session | None) -> Recorded:
    return Recorded(session)
