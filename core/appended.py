"""Steps over a history that grows at its end: only what is new is looked at.

    request 1    u a r             fixed  u a r
    request 2    u a r a r         fixed  + a r
    request 3    u a r a r a       fixed  +         loose  a        an open call: what comes next decides
    compaction   S a r u           anew

A `Stage` gives of each Flow what its layer would give of all blocks up to there; after any Flow, everything fixed so
far and what is loose are what `apply` makes of the whole (a law, tested). A layer that nothing is known of runs over
all blocks each time; what follows still sees only what changed.

Made-up messages (a missing result, a first user) carry the time of the request at which they were first made up.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from core.appended_filter import filtered
from core.appended_pairs import Pairs, Turns
from core.flow import Each as Each
from core.flow import Flow as Flow
from core.flow import Stage as Stage
from core.flow import Through as Through
from core.flow import Whole as Whole
from core.flow import applied as applied
from core.layer import StepContext, layers
from core.layers import (
    context_engine,
    guard_single,
    limit_history,
    repair_inputs,
    repair_pairs,
    replay_filter,
    strip_details,
    validate_turns,
)
from core.profile import Instance
from core.prompt import Block


class Quick:
    """Stages that look at new blocks only; from a fault on (the layer itself decides what becomes of it) the layer over
    all blocks, until a history begins anew."""

    def __init__(self, layer: ModuleType, settings: Any) -> None:
        self._layer, self._settings = layer, settings
        self._given: list[Block] = []
        self._stages: list[Stage] = []
        self._whole: Whole | None = None

    @property
    def overflow(self) -> bool:
        return self._whole is not None and self._whole.overflow

    @property
    def carry(self) -> object:
        """As of Whole."""
        wholes = [stage for stage in (*self._stages, self._whole) if isinstance(stage, Whole)]
        return next((stage.carry for stage in wholes if stage.carry is not None), None)

    def take(self, flow: Flow, context: StepContext) -> Flow:
        if flow.anew or not self._given:
            carry = self.carry
            self._given.clear()
            self._stages = stages(self._layer, self._settings, context)
            self._whole = None
            for stage in self._stages:
                if isinstance(stage, Whole):
                    stage.carry = carry
        self._given += flow.fixed
        if self._whole is not None:
            return self._whole.take(flow, context)
        try:
            found = flow
            for stage in self._stages:
                found = stage.take(found, context)
            return found
        except Exception:
            self._whole = Whole(self._layer, self._settings)
            return self._whole.take(Flow(tuple(self._given), flow.loose, True), context)


def stage(instance: Instance) -> Stage:
    """The stage of one instance of a profile."""
    layer = layers().get(instance.layer)
    if layer is None or not instance.on:
        return Through()
    return Quick(layer, instance.settings) if layer in QUICK else Whole(layer, instance.settings)


def stages(layer: ModuleType, settings: Any, context: StepContext) -> list[Stage]:
    """The quick stages that together are a layer under these settings."""
    if layer is replay_filter:
        return filtered(settings, context)
    if layer is repair_pairs:
        return [Pairs(settings)]
    if layer is validate_turns:
        return [Turns(settings)]
    if layer is limit_history:
        return [Through()] if not limit_history.limit_of(settings, context)[0] > 0 else [Whole(layer, settings)]
    if layer is context_engine:
        return [Through()] if settings.engine == "legacy" else [Whole(layer, settings)]
    return [Each(layer, settings)]


QUICK = frozenset(
    {
        context_engine,
        guard_single,
        limit_history,
        repair_inputs,
        repair_pairs,
        replay_filter,
        strip_details,
        validate_turns,
    }
)
"""The very modules, so that a plug-in of the same id is not taken for one of them."""
