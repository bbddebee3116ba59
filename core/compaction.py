"""The plan of a compaction: what would be summarised, in which pieces, and what stays. Nothing is asked here.

    path ─▶ plan (cut, chunks, sizes) ─▶ core.compaction_run ─▶ Compaction ─▶ context of pass 2 · entry · audit

Three modes: *plain* (stages and fallback as article 1 tells it), *safeguard* (OpenClaw's default for new set-ups) and
*pi* (one call for the history, one for the beginning of a split turn, no fallback: where a call fails the agent raises
an error; here that is told, and the plain note stands in its place).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core import chunks, instructions
from core.compaction_plan import KEEP_RECENT, RESERVE, RESERVE_FLOOR, Preparation, due, prepare
from core.messages import Message
from core.profile import Profile
from core.safeguard_sections import CAP, MOST_RETRIES, MOST_TURNS, RETRIES, TURNS, split_recent
from core.session import Session
from core.settings import choice, number, switch
from core.summarizer import Stage
from core.summarizing import Rules, Work, stages

ID = "compaction"
HUGE = 10_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """`reserve`, `floor`: tokens kept free, the larger counts (pi knows no floor). `keep`: newest tokens that stay.

    `chunk`: tokens of a chunk before the margin, 0 = adaptive. `turns` to `share`: of the safeguard only."""

    mode: str = choice("plain", "plain", "safeguard", "pi")
    generation: str = choice("2026.4", "2026.4", "2026.3", "2026.4.14")
    reserve: int = number(RESERVE, 0, HUGE, unit="tokens")
    floor: int = number(RESERVE_FLOOR, 0, HUGE, unit="tokens")
    keep: int = number(KEEP_RECENT, 0, HUGE, unit="tokens", gauge="tail")
    identifiers: str = choice("strict", *instructions.POLICIES)
    chunk: int = number(0, 0, HUGE, unit="tokens")
    parts: int = number(chunks.PARTS, 1, 8, unit="count")
    ladder: str = choice("recorded", "recorded", "article")
    turns: int = number(TURNS, 0, MOST_TURNS, unit="turns")
    quality: bool = switch(False)
    retries: int = number(RETRIES, 0, MOST_RETRIES, unit="count")
    cap: int = number(CAP, 0, 200_000, unit="chars")
    share: float = number(chunks.HISTORY_SHARE, 0.05, 1.0, unit="share", step=0.05)

    @property
    def free(self) -> int:
        return self.reserve if self.mode == "pi" else max(self.reserve, self.floor)

    @property
    def summary_input(self) -> str:
        """The rule of `core.context.build` for what fell out."""
        return "after_compaction" if self.generation == "2026.3" else "from_first_kept"


@dataclass(frozen=True, slots=True)
class Texts:
    """What a person adds: a focus, the text of the policy "custom" on identifiers, the workspace's AGENTS.md."""

    focus: str | None = None
    own: str | None = None
    workspace: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk as planned. `part`: of the stages, from 1. `rows`: of its entries; tokens estimated."""

    stage: Stage
    part: int
    messages: tuple[Message, ...]
    rows: tuple[int, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Nothing was asked yet. `path`: rows that the compaction sees. `limit`: tokens of a chunk before the margin,
    `end` after it, `ratio` of the window (infinite and 1 where nothing is cut). `merges`: calls that join stages.

    `threshold`: tokens above which the agent compacts by itself, `due`: it would now, unless an
    engine, the `owner`, compacts by itself. `oversized`: rows."""

    settings: Settings
    texts: Texts
    window: int
    path: tuple[int, ...]
    preparation: Preparation
    limit: float
    end: float
    ratio: float
    pieces: tuple[Piece, ...]
    merges: int
    oversized: tuple[int, ...]
    threshold: int
    due: bool
    preserved: int = 0
    owner: str = ""

    @property
    def summarised(self) -> int:
        """Messages that the summary will stand for."""
        return len(self.preparation.messages) + len(self.preparation.prefix)


def plan(
    session: Session,
    path: Sequence[int],
    window: int,
    settings: Settings = Settings(),
    texts: Texts = Texts(),
    first_kept: int | None = None,
    owner: str = "",
) -> Plan | None:
    """What a compaction of the path would ask; None when there is nothing to summarise. `owner`: the engine that owns
    compaction, "" = the agent (`core.engine_host.compaction_owner`)."""
    generation = "2026.3" if settings.generation == "2026.3" else "2026.4"
    found = prepare(session, path, settings.keep, generation=generation, first_kept=first_kept)
    if found is None or not (found.messages or found.prefix):
        return None
    everything = (*found.messages, *found.prefix)
    whole = settings.mode == "pi"
    limit = math.inf if whole else settings.chunk or chunks.limit(everything, window)
    history, preserved = found.messages, 0
    if settings.mode == "safeguard":
        history, kept = split_recent(found.messages, settings.turns)
        preserved = len(kept)
    rows = dict(zip(map(id, everything), (*found.rows, *found.prefix_rows), strict=True))
    rules = rules_of(settings, texts)
    pieces: list[Piece] = []
    merges = 0
    for stage, messages in (("chunk", history), ("prefix", found.prefix)):
        parts = stages(Work(messages, limit, window, settings.free), rules) if messages else ()
        merges += len(parts) > 1
        for number_, part in enumerate(parts, 1):
            for chunk in chunks.by_maximum(part, limit):
                of = tuple(rows[id(message)] for message in chunk if id(message) in rows)
                pieces.append(Piece(stage, number_, chunk, of, chunks.tokens(chunk)))  # type: ignore[arg-type]
    return Plan(
        settings,
        texts,
        window,
        tuple(path),
        found,
        limit,
        chunks.chunk_end(limit),
        1.0 if whole else chunks.ratio(everything, window),
        tuple(pieces),
        merges,
        tuple(rows[id(message)] for message in everything if chunks.oversized(message, window)),
        window - settings.free,
        due(found.tokens_before, window, settings.free, enabled=not owner),
        preserved,
        owner,
    )


def of_policy(profile: Profile) -> Settings:
    """The settings of a policy: its reserve, and the generation that its name tells."""
    versions = {"2026.3": "2026.3", "2026.4.14": "2026.4.14"}
    generation = next((found for name, found in versions.items() if f"-{name}" in profile.id), "2026.4")
    if not profile.reserve:
        return Settings(generation=generation)
    return Settings(generation=generation, reserve=profile.reserve, floor=0)


def rules_of(settings: Settings, texts: Texts, broken: frozenset[int] = frozenset()) -> Rules:
    alone = settings.mode == "pi"
    return Rules(
        settings.generation,
        settings.ladder,
        settings.identifiers,
        texts.own,
        1 if alone else settings.parts,
        attempts=1 if alone else 3,
        broken=broken | {2} if alone else broken,
    )
