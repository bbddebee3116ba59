"""Summarising that never fails: chunk by chunk, in stages with a merge, and three rungs to fall back on.

    1  everything, in chunks, each with the summary of those before       ─┐ failed (3 attempts a chunk)
    2  the same without oversized messages, and a note for each of them   ─┤ failed, or nothing is small
    3  a plain note with the counts                                       ◀┘

    stages    part 1 ─▶ S1 ┐
              part 2 ─▶ S2 ┴▶ merge (with the previous summary) ─▶ S

Source: recorded cases of layer g (section 9) with their pins in n. Ours: a blank answer counts as a failure, some
failures are not asked again (`core.summarizer.FINAL`), a provider that asks to wait is obeyed, the wait has no
jitter, and the ladder "article", which goes on halving the messages after rung 2 (article 1's smaller subset).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core import chunks, instructions, javascript
from core.compaction_plan import stripped
from core.estimate import pi_tokens
from core.messages import Message
from core.summarizer import FINAL, Answer, Ask, FailureKind, Progress, Stage, SummaryError
from core.summary_prompt import prompt_length

ATTEMPTS = 3
DELAY = 0.5
MAX_DELAY = 5.0
"""Seconds between attempts, doubling from the first to at most the second."""
MAX_WAIT = 60.0
"""Seconds that a provider may make us wait before the attempt counts as failed."""
MIN_MESSAGES = 4
"""Fewer messages are never split into stages."""
HALVINGS = 3
"""How often the ladder "article" tries the newer half."""
NO_HISTORY = "No prior history."


@dataclass(frozen=True, slots=True)
class Rules:
    """`generation`: 2026.3, 2026.4 or 2026.4.14 (no second try when nothing is oversized, time-outs are final).

    `ladder`: recorded or article. `policy`, `own`: the rule on identifiers. `broken`: rungs that fail by hand."""

    generation: str = "2026.4"
    ladder: str = "recorded"
    policy: str = "strict"
    own: str | None = None
    parts: float = chunks.PARTS
    attempts: int = ATTEMPTS
    broken: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Work:
    """What to summarise. Tokens: `limit` of a chunk before the margin, `window` of the model, `output` of an answer."""

    messages: tuple[Message, ...]
    limit: float
    window: float
    output: int
    previous: str | None = None
    custom: str | None = None
    stage: Stage = "chunk"
    min_messages: int = MIN_MESSAGES


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt as it went. `messages`: how many it was given. `rung`: of the ladder. Tokens are the provider's where
    `counted`, else estimated from the text. `waited`: seconds before it; `seconds`: its own, None without a clock."""

    number: int
    stage: Stage
    chunk: int
    attempt: int
    rung: int
    messages: int
    ok: bool
    error: FailureKind | None
    input_tokens: int
    output_tokens: int
    counted: bool
    waited: float
    seconds: float | None
    overlong: bool


@dataclass(frozen=True, slots=True)
class Told:
    """`text` is never empty. `rung`: the last one that was needed. `left_out`: oversized messages a note stands for."""

    text: str
    rung: int
    left_out: int = 0


class Stopped(Exception):
    """`cancelled()` said so. No summary."""


Asking = Callable[[Ask, Progress, Callable[[], bool]], Answer]
Report = Callable[[Call | Ask], None]
"""Told every Ask before it goes out and every Call when it came back."""


class Summarizing:
    """One run: asks, waits, remembers its calls. The core has no clock: `wait` sleeps and `clock` tells, in seconds.

    Its methods raise nothing but Stopped, and that only when `cancelled()` is true."""

    def __init__(
        self,
        asking: Asking,
        rules: Rules = Rules(),
        *,
        wait: Callable[[float], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
        report: Report = lambda _: None,
        progress: Progress = lambda _: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.calls: list[Call] = []
        self.rules = rules
        self._asking, self._wait, self._cancelled = asking, wait, cancelled
        self._report, self._progress, self._clock = report, progress, clock
        self._done: Counter[Stage] = Counter()

    def in_stages(self, work: Work) -> Told:
        """`summarizeInStages`: parts by token share, each for itself, then merged."""
        parts = stages(work, self.rules)
        if len(parts) <= 1:
            return self.with_fallback(work)
        told = [self.with_fallback(replace(work, messages=part, previous=None)) for part in parts]
        partial = tuple(Message.of({"role": "user", "content": part.text}) for part in told)
        merge = replace(work, messages=partial, custom=instructions.merging(work.custom), stage="merge")
        merged = self.with_fallback(merge)
        rung = max(merged.rung, *(part.rung for part in told))
        return Told(merged.text, rung, merged.left_out + sum(part.left_out for part in told))

    def with_fallback(self, work: Work) -> Told:
        """`summarizeWithFallback`: down the ladder until there is a text."""
        if not work.messages:
            return Told(work.previous if work.previous is not None else NO_HISTORY, 1)
        large = [message for message in work.messages if chunks.oversized(message, work.window)]
        failed = set(map(id, large))
        small = tuple(message for message in work.messages if id(message) not in failed)
        notes = "\n".join(map(omitted, large))
        first = self._done[work.stage]
        text = self._chain(work, work.messages, 1)
        if text is not None:
            return Told(text, 1)
        if small and (large or self.rules.generation != "2026.4.14"):
            self._done[work.stage] = first
            text = self._chain(work, small, 2)
            if text is None and self.rules.ladder == "article":
                text = self._smaller(work, small)
            if text is not None:
                return Told(text + (f"\n\n{notes}" if notes else ""), 2, len(large))
        note = f"Context contained {len(work.messages)} messages ({len(large)} oversized). "
        return Told(note + "Summary unavailable due to size limits.", 3, len(large))

    def _smaller(self, work: Work, small: Sequence[Message]) -> str | None:
        """Article 1: ever smaller subsets. The newer half, because an agent carries on from what is recent."""
        subset = tuple(small)
        for _ in range(HALVINGS):
            if len(subset) < 2:
                return None
            subset = subset[len(subset) // 2 :]
            text = self._chain(work, subset, 2)
            if text is not None:
                return f"{text}\n\n[{len(small) - len(subset)} older messages omitted from summary]"
        return None

    def _chain(self, work: Work, messages: Sequence[Message], rung: int) -> str | None:
        """Chunk after chunk, each with the summary so far; None when one of them failed for good."""
        summary = work.previous
        for chunk in chunks.by_maximum([stripped(message) for message in messages], work.limit):
            self._done[work.stage] += 1
            summary = self._insist(work, chunk, summary, rung)
            if summary is None:
                return None
        return summary

    def _insist(self, work: Work, chunk: chunks.Chunk, previous: str | None, rung: int) -> str | None:
        if rung in self.rules.broken:
            self._once(work, chunk, previous, rung, 1, 0.0)
            return None
        waited = 0.0
        for attempt in range(1, self.rules.attempts + 1):
            answer = self._once(work, chunk, previous, rung, attempt, waited)
            if isinstance(answer, str):
                return answer
            if answer.kind in FINAL or (answer.kind == "timeout" and self.rules.generation == "2026.4.14"):
                return None
            if attempt < self.rules.attempts:
                waited = max(min(DELAY * 2 ** (attempt - 1), MAX_DELAY), answer.retry_after or 0.0)
                if waited > MAX_WAIT:
                    return None
                self._wait(waited)
        return None

    def _once(
        self, work: Work, chunk: chunks.Chunk, previous: str | None, rung: int, attempt: int, waited: float
    ) -> str | SummaryError:
        if self._cancelled():
            raise Stopped
        said = instructions.summarization(work.custom, self.rules.policy, self.rules.own)
        number = len(self.calls) + 1
        ask = Ask(number, work.stage, self._done[work.stage], attempt, chunk, previous, said, work.output)
        began = self._clock() if self._clock is not None else 0.0
        answer: Answer | None = None
        error: SummaryError | None = None
        if rung in self.rules.broken:
            error = SummaryError("broken")
        else:
            self._report(ask)
            try:
                answer = self._asking(ask, self._progress, self._cancelled)
                if not isinstance(answer.text, str) or not javascript.trim(answer.text):
                    error = SummaryError("empty")
            except SummaryError as failure:
                error = failure
            except Exception:  # a summarizer of somebody else; its words may hold what must not be told
                error = SummaryError("failed")
        seconds = self._clock() - began if self._clock is not None else None
        call = _call(ask, rung, answer, error, waited, seconds)
        self.calls.append(call)
        self._report(call)
        if error is None and answer is not None:
            return answer.text
        if self._cancelled():
            raise Stopped
        return error or SummaryError("failed")


def _call(
    ask: Ask, rung: int, answer: Answer | None, error: SummaryError | None, waited: float, seconds: float | None
) -> Call:
    text = answer.text if answer is not None and error is None else ""
    guessed = -(-javascript.length(text) // 4)
    taken = answer.input_tokens if answer is not None else None
    given = answer.output_tokens if answer is not None else None
    return Call(
        ask.number,
        ask.stage,
        ask.chunk,
        ask.attempt,
        rung,
        len(ask.messages),
        error is None,
        error.kind if error is not None else None,
        taken if taken is not None else -(-prompt_length(ask) // 4),
        given if given is not None else guessed,
        taken is not None,
        waited,
        seconds,
        guessed > ask.max_output,
    )


def stages(work: Work, rules: Rules) -> tuple[chunks.Chunk, ...]:
    """The parts that are summarised for themselves; one when there is nothing to split."""
    wanted = chunks.part_count(rules.parts, len(work.messages))
    few = len(work.messages) < max(2, work.min_messages)
    if wanted <= 1 or few or chunks.tokens(work.messages) <= work.limit:
        return (work.messages,)
    return chunks.by_share(work.messages, wanted, pairs=rules.generation != "2026.3")


def omitted(message: Message) -> str:
    """The note for a message that was too large (its counts rounded half up)."""
    thousands = math.floor(pi_tokens(message) / 1000 + 0.5)
    return f"[Large {message.role or 'message'} (~{thousands}K tokens) omitted from summary]"
