"""Every colour of the window, by meaning, for light and dark. No other module of `gui` names a colour by its value.

The text tones keep at least 4.5 : 1 on `panel`, `panel2` and `accentbg` (WCAG 2.2, 1.4.3; tests/gui/test_theme.py).
A *fill* paints an area, a *text* tone writes on a surface, a *tint* lies behind text of the same family.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from PySide6.QtGui import QColor


@dataclass(frozen=True, eq=False, kw_only=True)
class Palette:
    """Colours by meaning; treat each `QColor` as a value and never change it in place."""

    # surfaces: splitters, content, title rows, rows under the pointer
    bg: QColor
    panel: QColor
    panel2: QColor
    hover: QColor
    # hairline, control border, empty part of a gauge
    line: QColor
    line2: QColor
    track: QColor
    # text, secondary text, hints
    ink: QColor
    ink2: QColor
    ink3: QColor
    # the inspection point, the focus and the values the user sets
    accent: QColor
    accentbg: QColor
    onaccent: QColor
    # roles: fill and text
    tools: QColor
    tools_text: QColor
    system: QColor
    system_text: QColor
    user: QColor
    user_text: QColor
    assistant: QColor
    assistant_text: QColor
    result: QColor
    result_text: QColor
    summary: QColor
    summary_text: QColor
    # cache: fill, text, tint
    read: QColor
    read_text: QColor
    read_tint: QColor
    written: QColor
    written_text: QColor
    written_tint: QColor
    uncached: QColor
    uncached_text: QColor
    diff: QColor
    diff_text: QColor
    diff_tint: QColor
    # severity and comparison
    warning: QColor
    warning_tint: QColor
    better: QColor
    worse: QColor
    # the soft edge under a hover card, the only shadow there is
    shadow: QColor


# Eight steps for a heat map, low = light, lightness falls monotonically: it reads in grey as well.
RAMP: tuple[str, ...] = (
    "#F6E9B2",
    "#D3DC8C",
    "#A3CB7C",
    "#6FB37D",
    "#429687",
    "#28768A",
    "#2B4F7B",
    "#2C2C58",
)


def _palette(**values: str) -> Palette:
    return Palette(**{name: QColor(value) for name, value in values.items()})


LIGHT = _palette(
    bg="#E9EDF2",
    panel="#FFFFFF",
    panel2="#F6F8FA",
    hover="#F1F3F7",
    line="#DEE3EA",
    line2="#BFC8D3",
    track="#E6EAF0",
    ink="#17202C",
    ink2="#414D5F",
    ink3="#5B687A",
    accent="#4A3FC7",
    accentbg="#ECEBFB",
    onaccent="#FFFFFF",
    tools="#8F9BAC",
    tools_text="#55627A",
    system="#47546A",
    system_text="#46546A",
    user="#3B84CB",
    user_text="#1E61A3",
    assistant="#B8659F",
    assistant_text="#8E3D7B",
    result="#CBB98A",
    result_text="#75580F",
    summary="#6C9140",
    summary_text="#4A6922",
    read="#0B7F7C",
    read_text="#0A6C6A",
    read_tint="#E8F5F4",
    written="#DB7D2B",  # a shade under the drawn #DC7E2D, which misses 3 : 1 on white by a hair
    written_text="#9A4D0D",
    written_tint="#FDF1E5",
    uncached="#8591A1",
    uncached_text="#5B687A",
    diff="#C22E29",
    diff_text="#B02621",
    diff_tint="#FCEDEC",
    warning="#8A5A00",
    warning_tint="#FFF4D6",
    better="#1B7A43",
    worse="#B02621",
    shadow="#1F141E32",
)

DARK = _palette(
    bg="#0C1015",
    panel="#151A21",
    panel2="#1A2029",
    hover="#1E252F",
    line="#272F3A",
    line2="#3D4857",
    track="#252D38",
    ink="#E9EDF3",
    ink2="#BAC4D1",
    ink3="#8F9CAD",
    accent="#A19BFF",
    accentbg="#24234A",
    onaccent="#14132E",
    tools="#5D6A7C",
    tools_text="#A5B1C1",
    system="#B4C0D0",
    system_text="#B5C1D2",
    user="#4F9CE2",
    user_text="#7FB9F0",
    assistant="#B563A2",
    assistant_text="#E09FD0",
    result="#A8966A",
    result_text="#DDC17B",
    summary="#9DC46C",
    summary_text="#A7CC78",
    read="#2EB2AD",
    read_text="#58CEC9",
    read_tint="#11292B",
    written="#E58E43",
    written_text="#F3AC6E",
    written_tint="#2E2318",
    uncached="#6F7C8E",
    uncached_text="#9BA8B8",
    diff="#EF5A52",
    diff_text="#FF8A83",
    diff_tint="#33191B",
    warning="#F0C36A",
    warning_tint="#2F2814",
    better="#6CCB92",
    worse="#FF8A83",
    shadow="#99000000",
)

MEANINGS: tuple[str, ...] = tuple(field.name for field in fields(Palette))
TEXT_TONES: tuple[str, ...] = tuple(
    name for name in MEANINGS if name.endswith("_text") or name in ("ink", "ink2", "ink3", "accent", "warning")
)


def _luminance(colour: QColor) -> float:
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    """The WCAG 2 contrast ratio of two opaque colours, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: QColor, alpha: float) -> QColor:
    """The colour at an opacity from 0 to 1."""
    result = QColor(colour)
    result.setAlphaF(alpha)
    return result
