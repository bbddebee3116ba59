"""What the worker tells the Compaction tab: a cut and its chunks, and what became of it. Values only, no Qt.

Wish (which compaction, by which rules)  ─▶  Facts (cut, chunks, prompts)  ─▶  Outcome (summary, calls, audit)
By   (who writes the summary)            ─┘
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from core.compaction import Settings, Texts
from core.compaction_preview import Estimate
from core.payback import Payback
from core.phrase import Phrase
from core.profile import Profile
from core.redaction import Mark
from core.summarizer import Stage
from core.summarizing import Call


@dataclass(frozen=True, slots=True)
class Wish:
    """Which compaction. `place`: row of a recorded one, whose cut is taken; else the one before `request` (None: before
    what would be sent next). `profile`: for pass 2, and for its window. `workspace`:
    folder whose rules the safeguard repeats, "" = none."""

    path: str
    leaf: int | None
    counter: str
    request: int | None
    place: int | None
    settings: Settings
    texts: Texts
    profile: Profile
    workspace: str = ""


@dataclass(frozen=True, slots=True)
class By:
    """Who writes the summary. `own`: settings of the summarizer. `consent`: a person has seen what would be sent.
    `broken`: rungs that fail by hand."""

    summarizer: str
    own: object
    model: str = ""
    base_url: str = ""
    consent: bool = False
    broken: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Chunk:
    """One call as planned. `number`: in its stage, from 1. `rows`: entries that go into it; tokens by pi's estimate.

    `prompt`: the exact text that would be sent, system text first; `marks`: what was replaced in it. `asked`: its size
    in tokens, `most`: of the answer. `waits`: it also gets a summary that is not there yet."""

    stage: Stage
    number: int
    rows: tuple[int, ...]
    messages: int
    tokens: int
    prompt: str
    marks: tuple[Mark, ...]
    asked: int
    most: int
    waits: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """A cut. Tokens by pi's estimate, which is what the agent measures a chunk with. `limit` None: nothing is cut.

    `rows`: of what is summarised; `tail`: of what stays, from `first_kept` on. `oversized`: rows too large for the
    second rung, `oversized_from`: from so many tokens on. `threshold`: tokens above which the agent compacts by itself,
    `due`: it would. `request`: the one that comes after it. `estimate` is for `model`."""

    chunks: tuple[Chunk, ...]
    rows: tuple[int, ...]
    messages: int
    tokens: int
    limit: int | None
    end: int | None
    ratio: float
    oversized: tuple[int, ...]
    oversized_from: int
    first_kept: int | None
    tail: tuple[int, ...]
    tail_tokens: int
    preserved: int
    split: bool
    tokens_before: int
    window: int
    threshold: int
    due: bool
    request: int | None
    model: str
    estimate: Estimate | None


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier of the summarised part. `kept` None: there is no summary to look at. `form`: another form of it
    that stands in the summary. `used`: entries after the compaction that ask for it. `rows`: entries that hold it.
    `number`: in the order of the audit, from 1."""

    number: int
    shown: str
    text: str = field(repr=False)
    kind: str
    kept: bool | None
    form: str
    in_tail: bool
    used: int
    first: int
    rows: tuple[int, ...]

    @property
    def lost(self) -> bool:
        return self.kept is False and not self.form and not self.in_tail

    @property
    def missed(self) -> bool:
        """Lost, and asked for again: what a compaction costs."""
        return self.lost and self.used > 0


@dataclass(frozen=True, slots=True)
class Fallen:
    """Entries that are neither sent nor in any summary, and how many of their identifiers are asked for later."""

    rows: tuple[int, ...]
    used: int


@dataclass(frozen=True, slots=True)
class Kept:
    """What else an audit says of a summary: last request, sections, files, open errors, calls that fetch again."""

    ask: bool
    ask_reflected: bool
    sections: tuple[bool, ...]
    files: int
    files_kept: int
    errors: int
    errors_kept: int
    fetches: int
    refetched: int
    over_cap: bool
    chars: int
    cap: int


@dataclass(frozen=True, slots=True)
class Again:
    """Pass 2: the layers once more over summary and tail. `fired`: (title, why) of the steps that did something.
    `total`, `limit`: what the last look before the call measures, guard characters (None: no layer looks); `overflow`:
    the agent would raise its error, and there is no third pass."""

    tokens: int
    fired: tuple[tuple[Phrase, Phrase], ...]
    overflow: bool
    total: int | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a cut. `recorded`: as the file has it. `summary` None: nobody has written one yet.

    `counted`: tokens of the summary as the provider counted them, None where nobody did. `seconds` of all calls.
    `cost` of the calls in US dollars, None where no price is known. `verdicts`: reasons of the safeguard's audits."""

    recorded: bool
    summary: str | None
    tokens: int
    counted: int | None
    names: tuple[Name, ...]
    kept: Kept | None
    fallen: Fallen
    rung: int | None = None
    calls: tuple[Call, ...] = ()
    left_out: int = 0
    stopped: bool = False
    raised: bool = False
    structured: bool = False
    verdicts: tuple[tuple[str, ...], ...] = ()
    tokens_after: int = 0
    payback: Payback | None = None
    cost: Decimal | None = None
    again: Again | None = None

    @property
    def missed(self) -> tuple[Name, ...]:
        return tuple(name for name in self.names if name.missed)

    @property
    def found(self) -> int:
        return len(self.names)

    @property
    def in_summary(self) -> int:
        return sum(bool(name.kept) for name in self.names)

    @property
    def safe(self) -> int:
        """Identifiers that stand in the summary, in this or another form, or in the tail."""
        return sum(not name.lost for name in self.names)
