"""A Phrase is a sentence as data: an id and values. The catalogues in `resources/phrases` render it in a language.

The core decides *what* to say; only a catalogue knows the words. A template is a TOML string with named fields, or a
table `{one, other}` from which the value `n` (else the first integer) chooses:

    [problem]
    bad_json = "Line {line:plain} is not JSON: {reason}."

Fields take a format: none (integers with separators), `plain`, `count`, `short`, `signed`, `percent`, `percent1`,
`money`, `duration`, `bytes`. A value may itself be a Phrase.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter

from core import numbers

LANGUAGES = ("en", "zh_CN")


@dataclass(frozen=True, slots=True)
class Phrase:
    """`id` names a template of the catalogues; `values` fill its fields, in the order given."""

    id: str
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return render(self, "en")


def phrase(id: str, /, **values: object) -> Phrase:
    """The usual way to make one: `phrase("problem.bad_json", line=3, reason="…")`."""
    return Phrase(id, tuple(values.items()))


def literal(text: str) -> Phrase:
    """Text that is data (a file name, an exception's own words): the same in every language."""
    return Phrase("literal", (("text", text),))


def render(said: Phrase, language: str = "en") -> str:
    """The sentence in `language`; an id or field that is missing shows itself instead of raising."""
    values = dict(said.values)
    if said.id == "literal":
        return str(values.get("text", ""))
    template = catalogue(language).get(said.id)
    if template is None:
        template = catalogue("en").get(said.id)
    if template is None:
        return said.id + (" " + repr(values) if values else "")
    if isinstance(template, dict):
        number = values.get("n", next((v for v in values.values() if isinstance(v, int)), 0))
        template = template["one"] if number == 1 and "one" in template else template["other"]
    pieces: list[str] = []
    for text, field, form, _ in Formatter().parse(template):
        pieces.append(text)
        if field is not None:
            pieces.append(_format(values[field], form or "", language) if field in values else "{" + field + "}")
    return "".join(pieces)


_FORMS: dict[str, Callable[[object, str], str]] = {
    "plain": lambda value, _: str(value),
    "count": lambda value, _: numbers.count(int(value)),  # type: ignore[call-overload]
    "short": lambda value, _: numbers.short(float(value)),  # type: ignore[arg-type]
    "signed": lambda value, _: numbers.signed(int(value)),  # type: ignore[call-overload]
    "percent": lambda value, language: numbers.percent(float(value), language),  # type: ignore[arg-type]
    "percent1": lambda value, language: numbers.percent(float(value), language, 1),  # type: ignore[arg-type]
    "money": lambda value, _: numbers.money(value),  # type: ignore[arg-type]
    "duration": lambda value, language: numbers.duration(float(value), language),  # type: ignore[arg-type]
    "bytes": lambda value, _: numbers.size(int(value)),  # type: ignore[call-overload]
}


def _format(value: object, form: str, language: str) -> str:
    if isinstance(value, Phrase):
        return render(value, language)
    if form:
        return _FORMS[form](value, language)
    if isinstance(value, int) and not isinstance(value, bool):
        return numbers.whole(value)
    return str(value)


Template = str | dict[str, str]


@cache
def catalogue(language: str) -> Mapping[str, Template]:
    """Every template of a language, by dotted id. Unknown languages fall back to English."""
    name = language if language in LANGUAGES else ("zh_CN" if language.startswith("zh") else "en")
    folder = files("resources") / "phrases"
    found: dict[str, Template] = {}
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.name.endswith(f"{name}.toml"):
            _flatten("", tomllib.loads(item.read_text(encoding="utf-8")), found)
    return found


def _flatten(prefix: str, table: Mapping[str, object], found: dict[str, Template]) -> None:
    for name, value in table.items():
        key = prefix + name
        if isinstance(value, dict) and "other" in value:
            found[key] = {str(k): str(v) for k, v in value.items()}
        elif isinstance(value, dict):
            _flatten(key + ".", value, found)
        else:
            found[key] = str(value)
