"""The fonts of the window: sizes by purpose, families by what the machine has.

Sizes are logical pixels at 100 %. They are set as points of the screen's logical resolution, because Qt's pixel
sizes are whole numbers and 12.5 is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication

REGULAR, MEDIUM, SEMIBOLD = 400, 500, 600


@dataclass(frozen=True, slots=True)
class FontKind:
    """One purpose: size and line height in logical pixels at 100 %, weight, and whether every glyph is as wide."""

    size: float
    line: float
    weight: int = REGULAR
    mono: bool = False


KINDS: dict[str, FontKind] = {
    "display": FontKind(26, 34, SEMIBOLD),
    "headline": FontKind(16, 23),
    "title": FontKind(14, 20, SEMIBOLD),
    "body": FontKind(13, 19),
    "content": FontKind(12.5, 19, mono=True),
    "id": FontKind(12, 17, mono=True),
    "secondary": FontKind(12, 17),
    "rule": FontKind(12, 17, SEMIBOLD),
    "chart": FontKind(11.5, 15),
    "pin": FontKind(10.5, 13, SEMIBOLD),
}

# What a Linux desktop without a chosen font falls back to: readable, but wide and uneven beside the drawn design.
_POOR_FALLBACKS = frozenset({"DejaVu Sans", "Bitstream Vera Sans", "Sans Serif", "Sans", "sans-serif", "Helvetica"})
_HAN = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei UI",
    "Microsoft YaHei",
    "WenQuanYi Micro Hei",
    "DejaVu Sans",
)
_HAN_MONO = ("Noto Sans Mono CJK SC", "Sarasa Mono SC", "WenQuanYi Micro Hei Mono", *_HAN)

_LATIN_MONO = ("DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Menlo", "SF Mono", "Consolas", "Courier New")


def interface_family(system: str, resolved: str, installed: frozenset[str]) -> str:
    """The family for the window's words: the system's, unless that is a poor fallback and Inter is there."""
    poor = system in _POOR_FALLBACKS or resolved in _POOR_FALLBACKS
    return "Inter" if poor and "Inter" in installed else system


def content_family(resolved: str, installed: frozenset[str]) -> str:
    """The family for recorded text: JetBrains Mono if installed, else what the system's fixed font resolves to.

    A name such as "monospace" resolves by the order of the fallbacks, and where Chinese fonts are installed to one
    whose Latin letters have no bold: a Latin family is preferred, and the Chinese ones follow as fallbacks."""
    if "JetBrains Mono" in installed:
        return "JetBrains Mono"
    if resolved in _HAN_MONO or resolved not in installed:
        return next((name for name in _LATIN_MONO if name in installed), resolved)
    return resolved


@cache
def _families() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(words, content) with their fallbacks, once per process; needs an application."""
    installed = frozenset(QFontDatabase.families())
    general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    words = interface_family(general.family(), QFontInfo(general).family(), installed)
    content = content_family(QFontInfo(fixed).family(), installed)
    return (
        (words, *(name for name in _HAN if name in installed)),
        (content, *(name for name in _HAN_MONO if name in installed)),
    )


@cache
def font(kind: str, weight: int, zoom: int) -> QFont:
    """The font of a purpose at a zoom in percent. Treat it as a value. KeyError for an unknown kind."""
    spec = KINDS[kind]
    words, content = _families()
    result = QFont(list(content if spec.mono else words))
    result.setPointSizeF(points(spec.size * zoom / 100))
    result.setWeight(QFont.Weight(weight))
    # Vertical hinting only: letters keep their designed widths at fractional sizes.
    result.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    result.setFeature(QFont.Tag("tnum"), 1)
    # No ligatures: `->` must not become an arrow when it is what the file says.
    result.setFeature(QFont.Tag("calt"), 0)
    if kind == "rule":
        result.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 102)  # capitals want a little air
    if spec.mono:
        result.setStyleHint(QFont.StyleHint.Monospace)
        result.setFeature(QFont.Tag("liga"), 0)
    return result


def points(pixels: float) -> float:
    """Logical pixels as points of the main screen's logical resolution."""
    screen = QGuiApplication.primaryScreen()
    return pixels * 72 / (screen.logicalDotsPerInchY() if screen is not None else 96)
