"""The vendored icons: all there, in one stroke weight, drawn in the colour asked for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QIcon, QImage

from gui import icons

GUI = Path(icons.__file__).parent
RED = QColor("red")


def named_in_source() -> set[tuple[str, str]]:
    """(file, icon) for every icon that code names in so many words."""
    found = set()
    for path in sorted(GUI.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            place = {"icon": 0, "qicon": 0, "draw_icon": 2}.get(name)
            arguments = [key.value for key in call.keywords if key.arg == "icon_name"]
            if place is not None and len(call.args) > max(place, 1):
                arguments.append(call.args[place])
            for value in arguments:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    found.add((path.name, value.value))
    return found


def test_every_icon_named_in_the_code_is_there() -> None:
    """A name without a drawing would only be noticed when that view is painted."""
    missing = {(file, name) for file, name in named_in_source() if name not in icons.names()}
    assert missing == set()


@pytest.mark.parametrize("name", sorted(icons.names()))
def test_icon_paints_its_colour_and_nothing_else(qapp: object, name: str) -> None:
    """Each drawing renders, leaves its corners open, and takes the given colour only."""
    picture = icons.icon(name, 24, RED, 1.0).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    inked = {
        picture.pixelColor(x, y).name() for x in range(24) for y in range(24) if picture.pixelColor(x, y).alpha() > 200
    }
    assert inked == {"#ff0000"}
    assert picture.pixelColor(0, 0).alpha() == 0


def test_stroke_weight_is_one_for_all(qapp: object) -> None:
    """The files' weight of 2 is replaced, and no drawing brings its own."""
    for name in icons.names():
        text = icons.svg(name, RED).decode()
        assert 'stroke-width="1.75"' in text, name
        assert text.count("stroke-width") == 1, name
        assert "currentColor" not in text, name


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_icon_is_sharp_at_the_device_ratio(qapp: object, ratio: float) -> None:
    """Size counts logical pixels; the pixmap has as many device pixels as it needs."""
    pixmap = icons.icon("search", 16, RED, ratio)
    assert pixmap.width() == round(16 * ratio)
    assert pixmap.deviceIndependentSize().width() == 16


def test_same_icon_is_drawn_once(qapp: object) -> None:
    """Asked again, the very same pixels come from the cache; another colour or size is another icon."""
    first = icons.icon("search", 16, RED, 1.0)
    assert icons.icon("search", 16, RED, 1.0).cacheKey() == first.cacheKey()
    assert icons.icon("search", 16, QColor("blue"), 1.0).cacheKey() != first.cacheKey()
    assert icons.icon("search", 18, RED, 1.0).cacheKey() != first.cacheKey()


def test_unknown_icon_is_an_error(qapp: object) -> None:
    """A misspelt name is named in the error."""
    with pytest.raises(KeyError, match="serch"):
        icons.icon("serch", 16, RED)


def test_button_icon_has_its_states(qapp: object) -> None:
    """A disabled control and a checked one show their own colours."""
    icon = icons.qicon("search", 16, RED, disabled=QColor("gray"), on=QColor("blue"))
    colours = []
    for mode, state in (
        (QIcon.Mode.Normal, QIcon.State.Off),
        (QIcon.Mode.Disabled, QIcon.State.Off),
        (QIcon.Mode.Normal, QIcon.State.On),
    ):
        picture = icon.pixmap(16, mode, state).toImage().convertToFormat(QImage.Format.Format_ARGB32)
        strongest = max(
            (picture.pixelColor(x, y) for x in range(16) for y in range(16)), key=lambda colour: colour.alpha()
        )
        colours.append((strongest.red() > 200, strongest.blue() > 200))
    assert colours == [(True, False), (False, False), (False, True)]


def test_licence_travels_with_the_icons() -> None:
    """The ISC licence asks for its text beside every copy."""
    licence = GUI.parent / "resources" / "icons" / "LICENSE"
    assert "ISC License" in licence.read_text(encoding="utf-8")
