"""The nearest thing a person could do differently at a step: what the neutral box below its settings speaks of."""

from __future__ import annotations

from dataclasses import dataclass

from core.phrase import Phrase, literal, phrase
from core.profile import Profile
from core.settings import Choice, Switch, specs
from gui import setting_words


@dataclass(frozen=True, slots=True)
class Alternative:
    """`title`: what would be different; `profile`: the one in use with just that."""

    title: Phrase
    profile: Profile


def alternative(profile: Profile, base: Profile, name: str) -> Alternative | None:
    """In this order: a step that is off, on; a changed one as it was chosen; the next option of the first choice; the
    first switch turned; the step off. None for what is no instance of the profile."""
    instance = next((found for found in profile.instances if found.name == name), None)
    if instance is None:
        return None
    if not instance.on:
        return Alternative(phrase("dock.instead.with"), profile.switch(name, True))
    chosen = next((found.settings for found in base.instances if found.name == name), None)
    if chosen is not None and chosen != instance.settings:
        values = {field: getattr(chosen, field) for field in specs(chosen)}
        return Alternative(phrase("dock.instead.as_chosen"), profile.set(name, **values))
    known = specs(instance.settings)
    for kind in (Choice, Switch):
        for field, spec in known.items():
            if isinstance(spec, kind) and (other := _other(spec, getattr(instance.settings, field))) is not None:
                return Alternative(_title(instance.layer, field, spec, other), profile.set(name, **{field: other}))
    return Alternative(phrase("dock.instead.without"), profile.switch(name, False))


def _other(spec: Choice | Switch, value: object) -> object | None:
    if isinstance(spec, Switch):
        return not value
    if len(spec.options) < 2:
        return None
    return spec.options[(spec.options.index(str(value)) + 1) % len(spec.options)]


def _title(layer: str, field: str, spec: Choice | Switch, value: object) -> Phrase:
    words = setting_words.option(layer, field, str(value)) if isinstance(spec, Choice) else None
    said = literal(words) if words is not None else phrase("dock.row.on" if value else "dock.row.off")
    return phrase("dock.instead.setting", name=literal(setting_words.title(layer, field)), value=said)
