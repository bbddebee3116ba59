"""The lines of the guard that a person can move: what they measure, in which unit, and from which setting they come.

single   one result       share of the window, two characters a token
cuts     all messages     share of the window, four characters a token
stops    all messages after the cuts; never below the budget
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core import guard
from core.layer import layers
from core.layers import guard_context, guard_overflow, guard_single
from core.profile import Instance, Profile

GUARD = "guard_"
"""Layers of the guard begin with this."""

Kind = Literal["single", "cuts", "stops"]


@dataclass(frozen=True, slots=True)
class Limit:
    """A line of the guard that a person can move. `chars`: guard characters; `share`: the setting it comes from.

    `floor`: share below which `chars` does not fall (the overflow limit is never below the budget)."""

    kind: Kind
    instance: str
    share: float
    chars: int
    floor: float = 0.0


def limits(profile: Profile, window: int) -> tuple[Limit, ...]:
    """The lines of a profile, at most one of each kind (of several instances the last that is on counts)."""
    found: dict[str, Limit] = {}
    known = layers()
    for instance in profile.instances:
        layer, settings = known.get(instance.layer), instance.settings
        if not instance.on:
            continue
        if layer is guard_single:
            chars = guard.single_limit(window, settings.share)
            found["single"] = Limit("single", instance.name, settings.share, chars)
        elif layer is guard_context:
            chars = guard.budget_limit(window, settings.share)
            found["cuts"] = Limit("cuts", instance.name, settings.share, chars)
        elif layer is guard_overflow and settings.raises:
            chars = stops_at(settings, window)
            found["stops"] = Limit("stops", instance.name, settings.share, chars, settings.budget_share)
    return tuple(found[kind] for kind in ("single", "cuts", "stops") if kind in found)


def chars_of(kind: Kind, window: int, share: float) -> int:
    """Guard characters that a share of the window means for one kind of Limit."""
    return guard.single_limit(window, share) if kind == "single" else guard.budget_limit(window, share)


def share_of(kind: Kind, window: int, chars: float) -> float:
    """The share that `chars` would be, the other way round."""
    return chars / (guard.window_of(window) * (2 if kind == "single" else 4))


def stops_at(settings: guard_overflow.Settings, window: int) -> int:
    """Guard characters after all cuts above which the agent raises its overflow error."""
    return max(guard.budget_limit(window, settings.budget_share), guard.overflow_limit(window, settings.share))


def is_guard(instance: Instance) -> bool:
    """A step of the guard that is on."""
    return instance.on and instance.layer.startswith(GUARD)


def guards(profile: Profile) -> tuple[Instance, ...]:
    """The steps of the guard that are on."""
    return tuple(filter(is_guard, profile.instances))
