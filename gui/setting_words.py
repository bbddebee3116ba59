"""The words around a setting: its title and help, a value with its unit, what was measured, the choices.

Everything is looked up by layer and field first and by unit second, so that a layer of a third party has words too.
"""

from __future__ import annotations

from core.layer import Gauge
from core.phrase import Phrase, catalogue, literal, phrase
from core.settings import Choice, Number, Spec
from gui.translation import say


def known(id: str) -> bool:
    """Whether there are words for an id."""
    return id in catalogue("en")


def title(layer: str, field: str) -> str:
    id = f"setting.{layer}.{field}"
    return say(phrase(id)) if known(id) else field.replace("_", " ")


def help_text(layer: str, field: str) -> str:
    """One or two sentences; "" where there are none."""
    id = f"setting.{layer}.{field}_help"
    return say(phrase(id)) if known(id) else ""


def option(layer: str, field: str, value: str) -> str:
    """The words of one choice; the bare value where there are none (versions, engines)."""
    id = f"setting.{layer}.{field}_option.{value}"
    return say(phrase(id)) if known(id) else value


def _filled(id: str, value: float, unit: str) -> Phrase:
    return phrase(id, value=value / 1000 if unit == "ms" else value)


def value_text(layer: str, field: str, spec: Number, value: float) -> str:
    """As it stands under the ring: "75 % of the window × 4"."""
    ids = [f"dock.value.{layer}.{field}", f"dock.value.{spec.unit}"]
    if value == 0:
        ids.insert(0, f"dock.value.{layer}.{field}_zero")
    for id in ids:
        if known(id):
            return say(_filled(id, value, spec.unit))
    return plain_value(spec, value)


def plain_value(spec: Number, value: float) -> str:
    """The value alone: "75 %", "5 min", "600,000"."""
    id = f"dock.plain.{spec.unit}"
    return say(_filled(id, value, spec.unit)) if known(id) else say(phrase("dock.plain.count", value=value))


def default_text(layer: str, field: str, spec: Spec, value: object) -> str:
    """ "default 75 %"."""
    if isinstance(spec, Number):
        assert isinstance(value, int | float)
        words = plain_value(spec, value)
    elif isinstance(spec, Choice):
        words = option(layer, field, str(value))
    else:
        words = str(value)
    return say(phrase("dock.default", value=literal(words)))


def gauge_name(layer: str, gauge: Gauge) -> Phrase:
    for id in (f"gauge.{layer}.{gauge.name}", f"gauge.{gauge.name}"):
        if known(id):
            return phrase(id)
    return literal(gauge.name.replace("_", " "))


def measured_text(layer: str, gauge: Gauge, bare: bool = False) -> str:
    """ "Messages ◇623k of 600k guard chars"; without a limit only what was measured; `bare`: without its name."""
    named = (name for name in (f"all_{gauge.name}", gauge.unit) if known(f"dock.measured.{name}"))
    unit = next(named, "count")
    free = gauge.threshold == 0 and unit == "turns"
    values = {"value": gauge.value, "limit": gauge.threshold}
    if unit == "ms":
        values = {name: value / 1000 for name, value in values.items()}
    elif unit not in ("share", "seconds"):
        values = {name: round(value) for name, value in values.items()}
    id = f"dock.measured.{unit}_free" if free else f"dock.measured.{unit}"
    return say(phrase(id, name=literal("") if bare else gauge_name(layer, gauge), **values)).strip()


def measured_in(spec: Number, gauge: Gauge, setting: float) -> float | None:
    """What was measured in the unit of the setting: the gauge's own unit is scaled by where its threshold stands."""
    if gauge.unit == spec.unit:
        return gauge.value
    return gauge.value * setting / gauge.threshold if gauge.threshold else None
