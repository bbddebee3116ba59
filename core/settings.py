"""Typed, ranged thresholds. A layer's Settings are a frozen dataclass of these; the form on screen is made from them.

    @dataclass(frozen=True, slots=True)
    class Settings:
        budget: float = number(0.75, 0.5, 1.0, unit="share")
        order: str = choice("second_newest", "second_newest", "oldest", "newest")
        tools: tuple[str, ...] = patterns()

Words are Phrases by convention: `setting.LAYER.FIELD` (title), `setting.LAYER.FIELD_help`, and for choices
`setting.LAYER.FIELD_option.VALUE`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import UsageError
from core.phrase import phrase


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `low` to `high`. `unit`: share, tokens, chars, guard_chars, turns, messages, seconds, ms, count.

    `gauge`: the name of the gauge of the same layer that this threshold limits ("" = none)."""

    default: float
    low: float
    high: float
    unit: str
    whole: bool
    step: float
    gauge: str


@dataclass(frozen=True, slots=True)
class Choice:
    default: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    default: bool


@dataclass(frozen=True, slots=True)
class Patterns:
    """Tool names with `*` as the only wildcard."""

    default: tuple[str, ...]


Spec = Number | Choice | Switch | Patterns


def number(default: float, low: float, high: float, *, unit: str, step: float = 0, gauge: str = "") -> Any:
    """A field holding a number; whole when the default is an int."""
    whole = isinstance(default, int)
    spec = Number(default, low, high, unit, whole, step or (1 if whole else (high - low) / 100), gauge)
    return field(default=default, metadata={"spec": spec})


def choice(default: str, *options: str) -> Any:
    return field(default=default, metadata={"spec": Choice(default, options)})


def switch(default: bool) -> Any:
    return field(default=default, metadata={"spec": Switch(default)})


def patterns(*default: str) -> Any:
    return field(default=default, metadata={"spec": Patterns(default)})


def specs(settings: object) -> dict[str, Spec]:
    """Field name -> spec, of a Settings class or value, in declared order."""
    return {f.name: f.metadata["spec"] for f in dataclasses.fields(settings) if "spec" in f.metadata}  # type: ignore[arg-type]


def change(settings: Any, layer: str, values: Mapping[str, object]) -> Any:
    """`settings` with the named fields set; UsageError names the field, what was given and what is allowed.

    Values may be text (from the command line or a form) or typed (from TOML)."""
    known = specs(settings)
    changed: dict[str, object] = {}
    for name, value in values.items():
        if name not in known:
            raise UsageError(phrase("settings.unknown", layer=layer, field=name, known=", ".join(known) or "–"))
        changed[name] = _parsed(known[name], f"{layer}.{name}", value)
    return dataclasses.replace(settings, **changed)


def _parsed(spec: Spec, place: str, value: object) -> object:
    if isinstance(spec, Number):
        return _number(spec, place, value)
    if isinstance(spec, Choice):
        if value not in spec.options:
            raise UsageError(phrase("settings.choice", place=place, value=str(value), options=", ".join(spec.options)))
        return value
    if isinstance(spec, Switch):
        known = {
            True: True,
            False: False,
            "on": True,
            "off": False,
            "true": True,
            "false": False,
            "1": True,
            "0": False,
        }
        if not isinstance(value, bool | str) or value not in known:
            raise UsageError(phrase("settings.switch", place=place, value=str(value)))
        return known[value]
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(isinstance(item, str) for item in listed):
        raise UsageError(phrase("settings.patterns", place=place, value=str(value)))
    return tuple(item.strip() for item in listed if item.strip())


def _number(spec: Number, place: str, value: object) -> float:
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        given = float(value)
        if not spec.low <= given <= spec.high or (spec.whole and given != int(given)):
            raise ValueError
    except (ValueError, OverflowError):
        kind = phrase("settings.kind_whole" if spec.whole else "settings.kind_number")
        raise UsageError(
            phrase(
                "settings.number",
                place=place,
                value=str(value),
                kind=kind,
                low=spec.low,
                high=spec.high,
                unit=spec.unit,
            )
        ) from None
    return int(given) if spec.whole else given
