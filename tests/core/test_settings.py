"""Thresholds: what a value may be, what is said when it is wrong, and the words of every setting of every layer."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import compaction, truncation, workspace
from core.errors import UsageError
from core.layer import layers
from core.phrase import LANGUAGES, catalogue
from core.settings import Choice, Number, Patterns, Switch, change, choice, number, patterns, specs, switch
from core.summarizer import summarizers


@dataclass(frozen=True, slots=True)
class Settings:
    share: float = number(0.75, 0.5, 1.0, unit="share")
    turns: int = number(20, 0, 100, unit="turns", gauge="turns")
    order: str = choice("oldest", "oldest", "newest")
    strict: bool = switch(True)
    tools: tuple[str, ...] = patterns("read*")
    note: str = ""  # no threshold: no form field, not to be set


def test_specs_in_declared_order():
    """Only what was declared as a threshold is one; a class and a value of it say the same."""
    assert list(specs(Settings)) == ["share", "turns", "order", "strict", "tools"]
    assert specs(Settings()) == specs(Settings)
    assert [type(spec) for spec in specs(Settings).values()] == [Number, Number, Choice, Switch, Patterns]


def test_a_whole_number_is_told_by_its_default():
    """Steps follow: one for whole numbers, a hundredth of the range for others."""
    found = specs(Settings)
    assert (found["turns"].whole, found["turns"].step) == (True, 1)
    assert (found["share"].whole, found["share"].step) == (False, 0.005)


@pytest.mark.parametrize(
    ("name", "given", "held"),
    [
        ("share", "0.6", 0.6),
        ("share", 1, 1.0),
        ("turns", "7", 7),
        ("turns", 7.0, 7),
        ("order", "newest", "newest"),
        ("strict", "off", False),
        ("strict", "true", True),
        ("strict", False, False),
        ("tools", "bash, grep*", ("bash", "grep*")),
        ("tools", ["a", ""], ("a",)),
        ("tools", "", ()),
    ],
)
def test_text_and_typed_values(name, given, held):
    """From the command line, from a form, from TOML: the same value, of the right type."""
    found = getattr(change(Settings(), "layer", {name: given}), name)
    assert found == held
    assert type(found) is type(held)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"shar": 1}, "layer has no setting “shar”. It has: share, turns"),
        ({"note": "x"}, "has no setting “note”"),
        ({"share": 0.4}, "layer.share cannot be “0.4”: it is a number from 0.5 to 1.0"),
        ({"share": "much"}, "cannot be “much”"),
        ({"share": "nan"}, "cannot be “nan”"),
        ({"share": "inf"}, "cannot be “inf”"),
        ({"share": True}, "cannot be “True”"),
        ({"share": None}, "cannot be “None”"),
        ({"turns": 2.5}, "it is a whole number from 0 to 100"),
        ({"turns": 1e400}, "cannot be “inf”"),
        ({"order": "sideways"}, "Choose one of: oldest, newest"),
        ({"order": ["oldest"]}, "Choose one of"),
        ({"strict": "maybe"}, "is on or off, not “maybe”"),
        ({"strict": 2}, "is on or off"),
        ({"strict": []}, "is on or off"),
        ({"tools": 3}, "is a list of tool names"),
        ({"tools": [1]}, "is a list of tool names"),
    ],
)
def test_what_is_wrong_is_told(values, said):
    """The field, what was given, and what is allowed."""
    with pytest.raises(UsageError) as refused:
        change(Settings(), "layer", values)
    assert said in str(refused.value)


@given(st.dictionaries(st.sampled_from(list(specs(Settings))), st.text() | st.floats() | st.integers() | st.booleans()))
def test_any_value_is_taken_or_refused(values):
    """Never another exception, and never a value outside of its range."""
    try:
        found = change(Settings(), "layer", values)
    except UsageError:
        return
    assert 0.5 <= found.share <= 1.0
    assert 0 <= found.turns <= 100
    assert type(found.turns) is int
    assert found.order in ("oldest", "newest")


# the words of every setting

EVERY = [
    pytest.param(layer, field, spec, id=f"{layer}.{field}")
    for layer, module in layers().items()
    if module.__name__.startswith("core.")
    for field, spec in specs(module.Settings).items()
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("layer", "field", "spec"), EVERY)
def test_every_setting_has_its_words(layer, field, spec, language):
    """Title, explanation, each option of a choice and the unit, in both languages: the form is made from them."""
    known = catalogue(language)
    place = f"setting.{layer}.{field}"
    wanted = {place, f"{place}_help"}
    if isinstance(spec, Choice):
        wanted |= {f"{place}_option.{option}" for option in spec.options}
    if isinstance(spec, Number):
        wanted |= {f"unit.{spec.unit}"} | ({f"gauge.{spec.gauge}"} if spec.gauge else set())
    assert wanted <= set(known)


@pytest.mark.parametrize(("layer", "field", "spec"), EVERY)
def test_every_default_is_allowed(layer, field, spec):
    """What a layer does unasked stands within its own range, and a threshold's gauge names one."""
    module = layers()[layer]
    default = getattr(module.Settings(), field)
    assert getattr(change(module.Settings(), layer, {field: default}), field) == default
    if isinstance(spec, Number):
        assert spec.low <= default <= spec.high


def test_no_words_are_left_over():
    """Words of a setting that no layer, summarizer or compaction has are a typing error or dead."""
    thresholds = {f"setting.cache_break.{field}" for field in ("share", "tokens", "ours")}  # of a page, no layer
    wanted = thresholds | {f"{id}_help" for id in thresholds}
    owners = {**layers(), **summarizers(), "compaction": compaction, "truncate": truncation, "workspace": workspace}
    for owner, module in owners.items():
        for field, spec in specs(module.Settings).items():
            place = f"setting.{owner}.{field}"
            options = spec.options if isinstance(spec, Choice) else ()
            wanted |= {place, f"{place}_help", *(f"{place}_option.{option}" for option in options)}
    assert {id for id in catalogue("en") if id.startswith("setting.")} <= wanted
