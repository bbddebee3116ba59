"""Profiles: which layer instances run, in which order, with which thresholds. A *policy* is a named, dated profile.

Built-in policies are `resources/policies/*.toml`; a person's own have the same form:

    id = "openclaw-2026.4.5"
    title = "OpenClaw 2026.4.5"     # or the id of a Phrase, as the source and the oddities
    source = "recorded cases, layers a to k"
    date = 2026-04-05
    family = "anthropic"            # for the judge where the session's provider is not known
    reserve = 20000                 # tokens kept free: the agent compacts above window - reserve
    reorder = false                 # may a person drag the rows?
    oddities = ["policy.oddity.latest_read"]

    [[layer]]
    use = "repair_pairs"
    name = "repair_pairs#2"         # optional: instances of one layer need names of their own
    on = true
    set = { errored = "drop" }
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from core.errors import InputError, RequestError, UsageError
from core.layer import layers
from core.phrase import Phrase, catalogue, literal, phrase
from core.settings import change, specs


@dataclass(frozen=True, slots=True)
class Instance:
    """One layer in a profile. `settings`: a value of the layer's Settings."""

    name: str
    layer: str
    on: bool
    settings: Any


@dataclass(frozen=True, slots=True)
class Profile:
    """`window` None = that of the session's model. `oddities`: Phrase ids. `base`: the policy it was made from."""

    id: str
    title: str
    source: str
    date: date | None
    family: str
    reserve: int
    reorder: bool
    oddities: tuple[str, ...]
    instances: tuple[Instance, ...]
    window: int | None = None
    base: str = ""

    def instance(self, name: str) -> Instance:
        """RequestError names those that exist."""
        for found in self.instances:
            if found.name == name:
                return found
        known = ", ".join(found.name for found in self.instances)
        raise RequestError(phrase("policy.no_instance", name=name, policy=self.id, known=known))

    def set(self, name: str, **values: object) -> Profile:
        """Thresholds of one instance changed; UsageError on a bad field or value."""
        found = self.instance(name)
        changed = replace(found, settings=change(found.settings, name, values))
        return self._with(found, changed)

    def switch(self, name: str, on: bool) -> Profile:
        found = self.instance(name)
        return self._with(found, replace(found, on=on))

    def moved(self, name: str, to: int) -> Profile:
        """The instance at another place in the order; RequestError where the policy does not allow it."""
        if not self.reorder:
            raise RequestError(phrase("policy.fixed_order", policy=self.id))
        rest = [found for found in self.instances if found.name != name]
        rest.insert(max(0, min(to, len(rest))), self.instance(name))
        return replace(self, instances=tuple(rest))

    def ordered(self, names: Sequence[str]) -> Profile:
        """The instances named stand in this order at the places that they hold together; RequestError where the policy
        does not allow it, or has no such instance, UsageError for a name that stands twice."""
        if len(set(names)) < len(names):
            raise UsageError(phrase("order.twice", names=", ".join(names)))
        if not self.reorder:
            raise RequestError(phrase("policy.fixed_order", policy=self.id))
        moving = [self.instance(name) for name in names]
        waiting = iter(moving)
        return replace(self, instances=tuple(next(waiting) if made in moving else made for made in self.instances))

    def _with(self, old: Instance, new: Instance) -> Profile:
        return replace(self, instances=tuple(new if found is old else found for found in self.instances))


def index_of_change(before: Profile, after: Profile) -> int | None:
    """Index of the first instance that differs (order included); None when all are the same."""
    for index, (old, new) in enumerate(zip(before.instances, after.instances, strict=False)):
        if old != new:
            return index
    if len(before.instances) != len(after.instances):
        return min(len(before.instances), len(after.instances))
    return None


def changes(profile: Profile) -> tuple[str, ...]:
    """`LAYER.FIELD` of every threshold and `LAYER` of every switch that differs from the policy it is based on."""
    base = policies().get(profile.base or profile.id)
    if base is None:
        return ()
    known = {found.name: found for found in base.instances}
    found = []
    for instance in profile.instances:
        other = known.get(instance.name)
        if other is None or other.on != instance.on:
            found.append(instance.name)
        if other is not None:
            found += [
                f"{instance.name}.{name}"
                for name in specs(instance.settings)
                if getattr(instance.settings, name) != getattr(other.settings, name)
            ]
    if [i.name for i in profile.instances] != [i.name for i in base.instances]:
        found.append("order")
    return tuple(found)


def said(text: str) -> Phrase:
    """Title, source or oddity of a policy: a Phrase where the catalogues know it, else a person's own words."""
    return phrase(text) if text in catalogue("en") else literal(text)


@cache
def policies() -> dict[str, Profile]:
    """The built-in policies by id, in the order of their files."""
    folder = files("resources") / "policies"
    found = {}
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.name.endswith(".toml"):
            made = parse(tomllib.loads(item.read_text(encoding="utf-8")), item.name)
            found[made.id] = made
    return found


def policy(name: str) -> Profile:
    known = policies()
    if name not in known:
        raise RequestError(phrase("policy.unknown", name=name, known=", ".join(known)))
    return known[name]


def named(name: str) -> Profile:
    """A policy by its id, or by the path of its file, which ends in `.toml`."""
    return read(Path(name)) if name.endswith(".toml") else policy(name)


def changed(profile: Profile, word: str) -> Profile:
    """`profile` after `STEP.FIELD=VALUE`, or `STEP=on` and `STEP=off`, as the command line has it. UsageError says what
    is wrong with it, RequestError names the steps that exist."""
    place, equals, value = word.partition("=")
    step, dot, field = place.rpartition(".")
    if not equals or not (dot or value in ("on", "off")):
        raise UsageError(phrase("settings.form", word=word))
    return profile.set(step, **{field: value}) if dot else profile.switch(place, value == "on")


def default_policy(format: str) -> Profile:
    """OpenClaw files get openclaw-2026.4.5, pi files pi (the command line's contract)."""
    return policy("openclaw-2026.4.5" if format == "openclaw" else "pi")


def parse(table: Mapping[str, Any], place: str) -> Profile:
    """From a TOML table; InputError says what is wrong and where."""
    known = layers()
    instances: list[Instance] = []
    try:
        for row in table["layer"]:
            layer = row["use"]
            if layer not in known:
                raise InputError(phrase("policy.no_layer", place=place, name=layer, known=", ".join(known)))
            name = row.get("name", layer)
            if name in {found.name for found in instances}:
                raise InputError(phrase("policy.repeated_name", place=place, name=name))
            settings = change(known[layer].Settings(), name, row.get("set", {}))
            instances.append(Instance(name, layer, bool(row.get("on", True)), settings))
        day = table.get("date")
        return Profile(
            id=str(table["id"]),
            title=str(table.get("title", table["id"])),
            source=str(table.get("source", "")),
            date=day if isinstance(day, date) else None,
            family=str(table.get("family", "anthropic")),
            reserve=int(table.get("reserve", 0)),
            reorder=bool(table.get("reorder", False)),
            oddities=tuple(map(str, table.get("oddities", ()))),
            instances=tuple(instances),
            window=int(table["window"]) if "window" in table else None,
            base=str(table.get("base", "")),
        )
    except UsageError as error:
        raise InputError(phrase("policy.bad_value", place=place, what=error.phrase)) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(phrase("policy.bad_form", place=place, what=f"{type(error).__name__}: {error}")) from error


def read(path: Path) -> Profile:
    """A person's own policy file."""
    try:
        return parse(tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(phrase("policy.unreadable", place=str(path), what=str(error))) from error


def text(profile: Profile) -> str:
    """As TOML; `parse(loads(text(p)))` gives the same profile."""
    lines = [f"id = {_value(profile.id)}", f"title = {_value(profile.title)}", f"source = {_value(profile.source)}"]
    if profile.date is not None:
        lines.append(f"date = {profile.date.isoformat()}")
    lines += [f"family = {_value(profile.family)}", f"reserve = {profile.reserve}"]
    lines += [f"reorder = {_value(profile.reorder)}", f"oddities = {_value(profile.oddities)}"]
    if profile.window is not None:
        lines.append(f"window = {profile.window}")
    if profile.base:
        lines.append(f"base = {_value(profile.base)}")
    for instance in profile.instances:
        lines += ["", "[[layer]]", f"use = {_value(instance.layer)}", f"name = {_value(instance.name)}"]
        lines.append(f"on = {_value(instance.on)}")
        values = [f"{name} = {_value(getattr(instance.settings, name))}" for name in _settable(instance.settings)]
        lines.append("set = { " + ", ".join(values) + " }" if values else "set = {}")
    return "\n".join(lines) + "\n"


def write(profile: Profile, path: Path) -> None:
    """Export to a new or existing policy file, whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text(profile), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InputError(phrase("policy.unwritable", place=str(path), what=str(error))) from error


def _settable(settings: Any) -> Sequence[str]:
    return [field.name for field in fields(settings) if "spec" in field.metadata]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
