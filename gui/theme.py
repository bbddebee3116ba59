"""The theme: every colour, size and font of the window by what it means, for light and dark, at a zoom.

A `Theme` is a value; `Look` holds the current one and says when it changed. Views ask for
`theme.ink`, `theme.px(32)`, `theme.font("body")`, `theme.role("toolResult").fill`, `theme.cache("read").draw(…)`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from gui import fonts, icons
from gui.palette import DARK, LIGHT, RAMP, Palette, contrast
from gui.styles import ROLE_OF, CacheStyle, FateStyle, RoleStyle, SeverityStyle, cause_icon
from gui.stylesheet import INDICATORS, palette, stylesheet

ZOOMS: tuple[int, ...] = (80, 90, 100, 110, 125, 150, 175, 200)

# Logical pixels at 100 %: scale them with `theme.px`.
GRID = 4
INSET = 16
INSET_Y = 8
ROW_DAG, ROW_PROMPT, ROW_LAYER, ROW_TABLE = 26, 32, 42, 41
STEP_TALL, STEP_LOW = 40, 28
TITLE_ROW, TOOL_BAR, MENU_BAR, STATUS_BAR = 36, 48, 28, 26
RAIL = 10
RULE_TEXT_X = 36
RADIUS, RADIUS_CHIP = 6, 4
ICON_SMALL, ICON, ICON_LARGE = 15, 16, 18
HIT_WIDTH, HIT_HEIGHT = 28, 26


def _name(value: str | Enum) -> str:
    return str(value.value) if isinstance(value, Enum) else value


@dataclass(frozen=True, eq=False, kw_only=True)
class Theme(Palette):
    """All colours of `Palette` as attributes, the zoom in percent, and the styles made of them."""

    dark: bool
    zoom: int

    @staticmethod
    def of(dark: bool, zoom: int = 100) -> Theme:
        """The one theme of this shade and zoom (the same object each time)."""
        return _theme(dark, zoom)

    def px(self, length: float) -> int:
        """A length at 100 % in whole logical pixels at this zoom; what is there never vanishes."""
        scaled = round(length * self.zoom / 100)
        return max(1, scaled) if length > 0 else scaled

    def pxf(self, length: float) -> float:
        """The same without rounding, for strokes and places inside a picture."""
        return length * self.zoom / 100

    def font(self, kind: str = "body", weight: int | None = None) -> QFont:
        """The font of a purpose (gui.fonts.KINDS) at this zoom; `weight` 400, 500 or 600 replaces its own."""
        return fonts.font(kind, fonts.KINDS[kind].weight if weight is None else weight, self.zoom)

    def line_height(self, kind: str = "body") -> int:
        """Height of one line of this purpose in logical pixels."""
        return self.px(fonts.KINDS[kind].line)

    def role(self, role: str | Enum) -> RoleStyle:
        """The style of a role, under any name a session or provider gives it; a grey one for an unknown role."""
        return self._roles.get(ROLE_OF.get(_name(role), ""), self._roles["other"])

    def cache(self, state: str | Enum) -> CacheStyle:
        """The style of read, written, uncached, diff or unknown; of unknown for anything else."""
        return self._caches.get(_name(state), self._caches["unknown"])

    def fate(self, fate: str | Enum, role: str | Enum = "") -> FateStyle:
        """The style of a fate (see FateStyle). A user's verbatim row takes the user's colour."""
        name = _name(fate)
        if name == "verbatim" and ROLE_OF.get(_name(role)) == "user":
            name = "verbatim/user"
        return self._fates.get(name, self._fates["unknown"])

    def severity(self, severity: str | Enum) -> SeverityStyle:
        """The style of note, warning or error; of note for anything else."""
        return self._severities.get(_name(severity), self._severities["note"])

    def cause_icon(self, cause: str | Enum) -> str:
        """The icon name of a cache break's cause."""
        return cause_icon(_name(cause))

    def ramp(self, share: float) -> QColor:
        """The heat-map colour of a value at `share` of its range, 0 = lowest (light) to 1 = highest (dark)."""
        step = min(len(RAMP) - 1, max(0, int(share * len(RAMP))))
        return QColor(RAMP[step])

    def ink_on(self, colour: QColor) -> QColor:
        """Black or white text, whichever contrasts more with `colour`."""
        return max((LIGHT.ink, LIGHT.panel), key=lambda tone: contrast(tone, colour))

    @cached_property
    def _roles(self) -> dict[str, RoleStyle]:
        scale = self.zoom / 100
        return {
            "tools": RoleStyle("tools", self.tools, self.tools_text, "wrench", scale=scale),
            "system": RoleStyle("system", self.system, self.system_text, "shield", scale=scale),
            "user": RoleStyle("user", self.user, self.user_text, "user", scale=scale),
            "assistant": RoleStyle("assistant", self.assistant, self.assistant_text, "bot", scale=scale),
            "toolResult": RoleStyle(
                "toolResult", self.result, self.result_text, "terminal", edge=self.result_text, scale=scale
            ),
            "summary": RoleStyle("summary", self.summary, self.summary_text, "archive", hatched=True, scale=scale),
            "other": RoleStyle("other", self.uncached, self.ink3, "circle-help", scale=scale),
        }

    @cached_property
    def _caches(self) -> dict[str, CacheStyle]:
        scale = self.zoom / 100
        return {
            "read": CacheStyle("read", self.read, self.read_text, self.read_tint, scale),
            "written": CacheStyle("written", self.written, self.written_text, self.written_tint, scale),
            "uncached": CacheStyle("uncached", self.uncached, self.uncached_text, None, scale),
            "diff": CacheStyle("diff", self.diff, self.diff_text, self.diff_tint, scale),
            "unknown": CacheStyle("unknown", self.ink3, self.ink3, None, scale),
        }

    @cached_property
    def _fates(self) -> dict[str, FateStyle]:
        def style(name: str, fill: QColor, text: QColor, icon: str) -> FateStyle:
            return FateStyle(name, fill, text, icon, self.ink3, self.zoom / 100)

        return {
            "verbatim": style("verbatim", self.system, self.ink2, "check"),
            "verbatim/user": style("verbatim", self.user, self.user_text, "check"),
            "cut": style("cut", self.written, self.written_text, "scissors"),
            "emptied": style("emptied", self.diff, self.diff_text, "eraser"),
            "summarised": style("summarised", self.summary, self.summary_text, "archive"),
            "summary": style("summary", self.summary, self.summary_text, "archive"),
            "dropped": style("dropped", self.ink, self.ink2, "x"),
            "unknown": style("unknown", self.ink3, self.ink3, "circle-help"),
        }

    @cached_property
    def _severities(self) -> dict[str, SeverityStyle]:
        return {
            "note": SeverityStyle("note", self.ink2, self.panel2, "info"),
            "warning": SeverityStyle("warning", self.warning, self.warning_tint, "triangle-alert"),
            "error": SeverityStyle("error", self.diff_text, self.diff_tint, "octagon-x"),
        }


@cache
def _theme(dark: bool, zoom: int) -> Theme:
    shade = DARK if dark else LIGHT
    return Theme(dark=dark, zoom=zoom, **{field.name: getattr(shade, field.name) for field in fields(Palette)})


Mode = Literal["system", "light", "dark"]


class Look(QObject):
    """The current theme. Views keep a reference, read `look.theme` while painting and repaint on `changed`.

    `mode` follows the desktop ("system") or overrides it; `zoom` is one of `ZOOMS`, in percent.
    `apply(app)` puts fonts, palette and style sheet on the application and does so again after each change.
    """

    changed = Signal()

    def __init__(self, mode: Mode = "system", zoom: int = 100, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mode: Mode = mode
        self._zoom = nearest_zoom(zoom)
        self._animated = True
        self._app: QApplication | None = None
        self._theme = Theme.of(self._dark(), self._zoom)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._renew)

    @property
    def theme(self) -> Theme:
        """The theme to paint with now."""
        return self._theme

    @property
    def mode(self) -> Mode:
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Follow the desktop, or be light or dark whatever it says."""
        self._mode = mode
        if self._app is not None:
            self._override_scheme()
        self._renew()

    @property
    def zoom(self) -> int:
        """Percent."""
        return self._zoom

    def set_zoom(self, percent: int) -> None:
        """Take the nearest of the zooms there are."""
        self._zoom = nearest_zoom(percent)
        self._renew()

    def zoom_in(self) -> None:
        self.set_zoom(ZOOMS[min(len(ZOOMS) - 1, ZOOMS.index(self._zoom) + 1)])

    def zoom_out(self) -> None:
        self.set_zoom(ZOOMS[max(0, ZOOMS.index(self._zoom) - 1)])

    def set_animated(self, animated: bool) -> None:
        """Let folds and jumps move, or not at all (reduced motion)."""
        self._animated = animated

    def duration(self, milliseconds: int) -> int:
        """How long a movement may take: as asked, or 0 where motion is off, here or on the desktop."""
        calm = not self._animated or not QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
        return 0 if calm else milliseconds

    def apply(self, app: QApplication) -> None:
        """Dress the application, now and after each change."""
        self._app = app
        app.setStyle("Fusion")
        self._override_scheme()
        self._theme = Theme.of(self._dark(), self._zoom)
        self._dress()

    def palette(self) -> QPalette:
        """The theme as Qt's palette, for whatever the style sheet does not reach."""
        return palette(self._theme)

    def stylesheet(self) -> str:
        """The global style sheet of the current theme."""
        return stylesheet(self._theme, _pictures(self._theme))

    def _dark(self) -> bool:
        if self._mode != "system":
            return self._mode == "dark"
        return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def _override_scheme(self) -> None:
        # The desktop's own parts (title bar, file dialog) follow too, where the platform can.
        wanted = {
            "system": Qt.ColorScheme.Unknown,
            "light": Qt.ColorScheme.Light,
            "dark": Qt.ColorScheme.Dark,
        }[self._mode]
        QGuiApplication.styleHints().setColorScheme(wanted)

    def _renew(self) -> None:
        theme = Theme.of(self._dark(), self._zoom)
        if theme is self._theme:
            return
        self._theme = theme
        if self._app is not None:
            self._dress()
        self.changed.emit()

    def _dress(self) -> None:
        assert self._app is not None
        self._app.setFont(self._theme.font("body"))
        self._app.setPalette(self.palette())
        self._app.setStyleSheet(self.stylesheet())


@cache
def _picture_folder() -> TemporaryDirectory[str]:
    # Kept until the process ends, which also removes it: Qt opens the files whenever it first paints one.
    return TemporaryDirectory(prefix="stratascope-")


def _pictures(theme: Theme) -> dict[str, str]:
    """The indicators of the style sheet as files, since it can name pictures no other way."""
    folder = Path(_picture_folder().name)
    paths = {}
    for key, (name, meaning) in INDICATORS.items():
        path = folder / f"{'dark' if theme.dark else 'light'}-{key}.svg"
        if not path.exists():
            path.write_bytes(icons.svg(name, getattr(theme, meaning)))
        paths[key] = path.as_posix()
    return paths


def nearest_zoom(percent: int) -> int:
    """The zoom on offer that is nearest to `percent`; the smaller of two."""
    return min(ZOOMS, key=lambda zoom: abs(zoom - percent))
