"""Runs layer instances one after another, compares before and after, and writes down what each did: the Trace.

blocks ─▶ layer ─▶ blocks ─▶ layer ─▶ blocks      Step = one application · Trace = the steps of one request
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.layer import Gauge
from core.phrase import Phrase
from core.prompt import Block, Blocks

EditKind = Literal["replaced", "dropped", "inserted", "moved"]


@dataclass(frozen=True, slots=True)
class Edit:
    """What a step did to one block. `index`: where it stands after the step (dropped: where it stood before).

    Sizes in UTF-16 units of text and in tokens of the counter; `reason` None when the layer gave none."""

    kind: EditKind
    index: int
    before: Block | None
    after: Block | None
    chars_before: int
    chars_after: int
    tokens_before: int
    tokens_after: int
    reason: Phrase | None


@dataclass(frozen=True, slots=True)
class Step:
    """One application of one instance (`guard_context`, `repair_pairs#2`).

    `on`: switched on in the profile. `failed`: the layer raised; its input was passed on (the text of the fault).
    `first_touched`: index (before the step) of the first block that is not the same after it, None = nothing changed.
    """

    instance: str
    layer: str
    title: Phrase
    mark: str
    on: bool
    fired: bool
    why: Phrase
    short: Phrase | None
    gauges: tuple[Gauge, ...]
    edits: tuple[Edit, ...]
    before: Blocks
    after: Blocks
    chars_before: int
    chars_after: int
    tokens_before: int
    tokens_after: int
    first_touched: int | None
    overflow: bool
    notes: tuple[Phrase, ...]
    carry: object = None
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """`steps` in order; `overflow`: some step would raise the agent's overflow error. `blocks`: what is sent."""

    policy: str
    steps: tuple[Step, ...]
    blocks: Blocks
    overflow: bool
