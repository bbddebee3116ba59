"""The theme: readable in both shades, the same meanings in both, forms beside colours, sizes by zoom."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt, qInstallMessageHandler
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QMainWindow, QPushButton, QTabWidget
from pytestqt.qtbot import QtBot

from gui import fonts, icons
from gui.hatch import Slant, hatch
from gui.palette import DARK, LIGHT, MEANINGS, RAMP, TEXT_TONES, contrast
from gui.styles import CAUSE_ICONS, ROLE_OF
from gui.theme import ZOOMS, Look, Theme

THEMES = [pytest.param(Theme.of(False), id="light"), pytest.param(Theme.of(True), id="dark")]
ROLES = ("tools", "system", "user", "assistant", "toolResult", "summary")
CACHES = ("read", "written", "uncached", "diff", "unknown")
FATES = ("verbatim", "cut", "emptied", "summarised", "summary", "dropped", "unknown")
SEVERITIES = ("note", "warning", "error")
BLANK = QColor("white")


def painted(
    draw: Callable[[QPainter, QRectF], None], width: int = 40, height: int = 40, *, dpr: float = 1.0, at: int = 0
) -> QImage:
    """What a style draws into a white picture, shifted by `at` in both directions."""
    picture = QImage(round((width + at) * dpr), round((height + at) * dpr), QImage.Format.Format_ARGB32)
    picture.setDevicePixelRatio(dpr)
    picture.fill(BLANK)
    painter = QPainter(picture)
    draw(painter, QRectF(at, at, width, height))
    painter.end()
    return picture


def colours(picture: QImage, left: int, top: int, width: int, height: int) -> set[str]:
    """The colours in a part of the picture."""
    return {picture.pixelColor(x, y).name() for x in range(left, left + width) for y in range(top, top + height)}


# ---------------------------------------------------------------- colours


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("surface", ["panel", "panel2", "accentbg"])
def test_text_is_readable(theme: Theme, surface: str) -> None:
    """WCAG 2.2, 1.4.3: every text tone has at least 4.5 : 1 on every surface text stands on."""
    ground = getattr(theme, surface)
    poor = {
        tone: round(contrast(getattr(theme, tone), ground), 2)
        for tone in (*TEXT_TONES, "better", "worse")
        if contrast(getattr(theme, tone), ground) < 4.5
    }
    assert poor == {}


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_readable_on_its_own_tint(theme: Theme) -> None:
    """The same for badges, problems and the filled accent."""
    pairs = [(theme.onaccent, theme.accent)]
    pairs += [(theme.cache(state).text, theme.cache(state).tint) for state in ("read", "written", "diff")]
    pairs += [(theme.severity(name).ink, theme.severity(name).background) for name in SEVERITIES]
    assert min(contrast(text, ground) for text, ground in pairs) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_forms_are_seen(theme: Theme) -> None:
    """WCAG 1.4.11: what tells a cache state, a fate or the focus apart has at least 3 : 1 on the content."""
    fills = [theme.cache(state).fill for state in CACHES] + [theme.fate(name).fill for name in FATES]
    assert min(contrast(fill, theme.panel) for fill in (*fills, theme.accent)) >= 3
    # The pale tool result has an edge instead.
    assert contrast(theme.role("toolResult").edge or theme.panel, theme.panel) >= 3


def test_contrast_follows_the_definition() -> None:
    """Black on white is 21 : 1, a colour on itself 1 : 1, and the order does not matter."""
    black, white, grey = QColor("black"), QColor("white"), QColor("#777777")
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(grey, grey) == pytest.approx(1)
    assert contrast(grey, white) == contrast(white, grey) == pytest.approx(4.48, abs=0.01)


def test_both_shades_define_the_same_meanings() -> None:
    """No colour is missing or see-through in one of the themes, and dark is not light again."""
    for name in MEANINGS:
        light, dark = getattr(LIGHT, name), getattr(DARK, name)
        assert light.isValid(), name
        assert dark.isValid(), name
        assert (light.alpha() == dark.alpha() == 255) or name == "shadow", name
        assert light != dark, name


def test_theme_has_the_colours_of_its_shade() -> None:
    """A theme is its palette, and asking twice gives the same object."""
    assert all(getattr(Theme.of(True), name) == getattr(DARK, name) for name in MEANINGS)
    assert all(getattr(Theme.of(False), name) == getattr(LIGHT, name) for name in MEANINGS)
    assert Theme.of(True, 125) is Theme.of(True, 125)


def test_no_colour_is_named_outside_the_palette() -> None:
    """Views ask for meanings: a colour by its value would not follow the theme."""
    folder = Path(fonts.__file__).parent
    value = re.compile(r"""["']\#[0-9A-Fa-f]{3,8}["']|QColor\(\s*["'0-9]|Qt\.GlobalColor\.(?!transparent)""")
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        if path.name != "palette.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if value.search(line)
    ]
    assert found == []


def test_ramp_darkens_step_by_step() -> None:
    """The heat map reads in grey too: each step is darker than the one before, low is light."""
    lightness = [contrast(QColor(step), QColor("black")) for step in RAMP]
    assert lightness == sorted(lightness, reverse=True)
    theme = Theme.of(False)
    assert theme.ramp(0) == QColor(RAMP[0])
    assert theme.ramp(1) == theme.ramp(7) == QColor(RAMP[-1])
    assert theme.ramp(-1) == QColor(RAMP[0])
    for step in RAMP:
        assert contrast(theme.ink_on(QColor(step)), QColor(step)) >= 4.5, step


# ---------------------------------------------------------------- meanings


@pytest.mark.parametrize("theme", THEMES)
def test_every_icon_of_the_theme_is_there(theme: Theme) -> None:
    """Roles, fates, severities and causes name icons that exist; roles do not share one."""
    used = {theme.role(name).icon for name in (*ROLES, "nonsense")}
    assert len(used) == len(ROLES) + 1
    used |= {theme.fate(name).icon for name in FATES} | {theme.severity(name).icon for name in SEVERITIES}
    used |= set(CAUSE_ICONS.values())
    assert used <= icons.names()


@pytest.mark.parametrize(
    ("alias", "role"),
    [
        ("bashExecution", "user"),
        ("custom", "user"),
        ("branchSummary", "summary"),
        ("compactionSummary", "summary"),
        ("tool_result", "toolResult"),
        ("developer", "system"),
    ],
)
def test_role_names_of_sessions(alias: str, role: str) -> None:
    """A session's own names lead to the style of the role they are sent as."""
    assert Theme.of(False).role(alias) is Theme.of(False).role(role)


def test_unknown_names_have_a_neutral_style() -> None:
    """A file may hold any role: it is shown as other, never as an error."""
    theme = Theme.of(False)
    assert theme.role("⟨?⟩").role == "other"
    assert theme.cache("?").state == theme.fate("?").fate == "unknown"
    assert theme.severity("?").severity == "note"
    assert theme.cause_icon("?") == theme.cause_icon("unknown")
    assert set(ROLE_OF.values()) == set(ROLES)


def test_enum_members_are_names() -> None:
    """The core's enumerations can be handed over as they are."""

    class State(Enum):
        READ = "read"

    assert Theme.of(False).cache(State.READ).state == "read"


def test_cause_with_its_field() -> None:
    """`params_changed(effort)` has the icon of `params_changed`."""
    assert Theme.of(False).cause_icon("params_changed(effort)") == "settings-2"


def test_users_rows_keep_their_colour() -> None:
    """A verbatim bar is grey, but the user's own rows are the user's blue."""
    theme = Theme.of(False)
    assert theme.fate("verbatim").fill == theme.system
    assert theme.fate("verbatim", "user").fill == theme.user
    assert theme.fate("cut", "user").fill == theme.written


# ---------------------------------------------------------------- forms


@pytest.mark.parametrize("theme", THEMES)
def test_cache_states_differ_in_form(qapp: object, theme: Theme) -> None:
    """Read is solid, written striped with an outline, uncached hollow, unknown dotted and hollow."""
    read = painted(theme.cache("read").draw)
    assert colours(read, 0, 0, 40, 40) == {theme.read.name()}
    written = painted(theme.cache("written").draw)
    assert {theme.written.name(), BLANK.name()} <= colours(written, 5, 5, 30, 30)
    assert colours(written, 0, 0, 40, 1) == {theme.written.name()}
    uncached = painted(theme.cache("uncached").draw)
    assert colours(uncached, 2, 2, 36, 36) == {BLANK.name()}
    assert colours(uncached, 0, 0, 1, 40) == {theme.uncached.name()}
    unknown = painted(theme.cache("unknown").draw)
    assert colours(unknown, 3, 3, 34, 34) == {BLANK.name()}
    assert len(colours(unknown, 0, 0, 40, 3)) > 1


@pytest.mark.parametrize("zoom", [100, 200])
def test_first_difference_lies_over_the_state(qapp: object, zoom: int) -> None:
    """The red line takes 3 px of the rail's left edge and leaves the rest to the state below."""
    theme = Theme.of(False, zoom)
    line = 3 * zoom // 100
    picture = painted(theme.cache("diff").draw)
    assert colours(picture, 0, 0, line, 40) == {theme.diff.name()}
    assert colours(picture, line, 0, 40 - line, 40) == {BLANK.name()}


@pytest.mark.parametrize("style", ["cache", "role", "fate"])
def test_stripes_move_with_their_shape(qapp: object, style: str) -> None:
    """Scrolled by any distance, a striped area shows the same picture: the stripes are its own, not the screen's."""
    theme = Theme.of(False)
    draw = {"cache": theme.cache("written"), "role": theme.role("summary"), "fate": theme.fate("summary")}[style].draw
    here, there = painted(draw), painted(draw, at=3)
    assert there.copy(3, 3, 40, 40) == here


@pytest.mark.parametrize("slant", list(Slant))
@pytest.mark.parametrize("dpr", [1.0, 2.0, 3.0])
def test_stripes_are_as_wide_on_sharp_screens(qapp: object, slant: Slant, dpr: float) -> None:
    """A hatch of 8 px has five stripes in 40 logical pixels whatever the device pixel ratio."""
    brush = hatch(QColor("black"), slant, period=8, dpr=dpr)
    picture = painted(lambda painter, rect: painter.fillRect(rect, brush), dpr=dpr)
    row = [picture.pixelColor(x, 0).lightness() < 128 for x in range(round(40 * dpr))]
    edges = sum(a != b for a, b in zip(row, row[1:] + row[:1], strict=True))
    assert edges == 10


def test_hatch_has_no_seams_and_leans(qapp: object) -> None:
    """One step to the right and one up (or down, falling) is the same point of the pattern."""
    for slant, step in ((Slant.RISING, -1), (Slant.FALLING, 1)):
        brush = hatch(QColor("black"), slant, period=8, dpr=1)
        picture = painted(lambda painter, rect, brush=brush: painter.fillRect(rect, brush))
        for x in range(1, 38):
            for y in range(1, 38):
                assert picture.pixelColor(x, y) == picture.pixelColor(x + 1, y + step), (slant, x, y)


@pytest.mark.parametrize("theme", THEMES)
def test_fates_differ_in_form(qapp: object, theme: Theme) -> None:
    """Height and form tell the fate without colour: full, half, hollow, thin, striped, crossed out."""

    def rows(fate: str) -> list[int]:
        """How many pixels of each row are painted."""
        picture = painted(theme.fate(fate).draw, 40, 8)
        return [sum(picture.pixelColor(x, y) != BLANK for x in range(40)) for y in range(8)]

    assert rows("verbatim") == [40] * 8
    assert rows("cut") == [0] * 4 + [40] * 4
    assert rows("emptied")[0] == rows("emptied")[7] == 40
    assert rows("emptied")[4] <= 4
    assert sum(1 for count in rows("summarised") if count) <= 2
    assert 0 < rows("summary")[4] < 40
    assert 0 < max(rows("dropped")) < 40
    assert len({tuple(rows(fate)) for fate in FATES}) == len(FATES)


def test_pale_area_has_an_edge(qapp: object) -> None:
    """The tool result's light fill is closed by a line along its top."""
    theme = Theme.of(False)
    picture = painted(theme.role("toolResult").draw)
    assert colours(picture, 0, 0, 40, 1) == {theme.result_text.name()}
    assert colours(picture, 0, 1, 40, 39) == {theme.result.name()}


# ---------------------------------------------------------------- sizes and fonts


def test_lengths_follow_the_zoom() -> None:
    """Every zoom scales every length by the same factor, to whole pixels; a hairline never vanishes."""
    for zoom in ZOOMS:
        theme = Theme.of(False, zoom)
        for length in (1, 4, 10, 26, 32, 404):
            assert abs(theme.px(length) - length * zoom / 100) <= 0.5
            assert theme.px(length) >= 1
        assert theme.px(0) == 0
        assert theme.pxf(1.5) == pytest.approx(1.5 * zoom / 100)


@pytest.mark.parametrize("kind", list(fonts.KINDS))
@pytest.mark.parametrize("zoom", [80, 100, 150])
def test_fonts_have_their_size(qapp: QApplication, kind: str, zoom: int) -> None:
    """A font is as many logical pixels high as the design says, halves included."""
    font = Theme.of(False, zoom).font(kind)
    pixels = font.pointSizeF() * qapp.primaryScreen().logicalDotsPerInchY() / 72
    assert pixels == pytest.approx(fonts.KINDS[kind].size * zoom / 100, abs=0.05)
    assert fonts.KINDS[kind].line >= fonts.KINDS[kind].size


def test_weights(qapp: object) -> None:
    """Only 400, 500 and 600 are used; a weight can be asked for."""
    theme = Theme.of(False)
    assert {kind.weight for kind in fonts.KINDS.values()} <= {400, 500, 600}
    assert theme.font("headline").weight() == 400
    assert theme.font("headline", 600).weight() == 600


@pytest.mark.parametrize("kind", list(fonts.KINDS))
def test_figures_are_tabular_and_ligatures_off(qapp: object, kind: str) -> None:
    """Numbers stand under each other, and `->` stays what the file says."""
    font = Theme.of(False).font(kind)
    assert font.featureValue(QFont.Tag("tnum")) == 1
    assert font.isFeatureSet(QFont.Tag("calt"))
    assert font.featureValue(QFont.Tag("calt")) == 0
    assert font.isFeatureSet(QFont.Tag("liga")) == fonts.KINDS[kind].mono


@pytest.mark.parametrize(
    ("system", "resolved", "installed", "expected"),
    [
        ("Sans Serif", "DejaVu Sans", {"Inter"}, "Inter"),
        ("Sans Serif", "DejaVu Sans", set(), "Sans Serif"),
        ("Segoe UI", "Segoe UI", {"Inter"}, "Segoe UI"),
        ("Cantarell", "Cantarell", {"Inter"}, "Cantarell"),
    ],
)
def test_words_use_the_systems_font(system: str, resolved: str, installed: set[str], expected: str) -> None:
    """The system's font, unless it is a mere fallback and Inter is installed."""
    assert fonts.interface_family(system, resolved, frozenset(installed)) == expected


def test_content_prefers_jetbrains_mono() -> None:
    """Recorded text is set in JetBrains Mono where it is installed."""
    assert fonts.content_family("monospace", frozenset({"JetBrains Mono"})) == "JetBrains Mono"
    assert fonts.content_family("monospace", frozenset()) == "monospace"
    assert fonts.content_family("Hack", frozenset({"Hack", "DejaVu Sans Mono"})) == "Hack"
    assert fonts.content_family("WenQuanYi Micro Hei Mono", frozenset({"DejaVu Sans Mono"})) == "DejaVu Sans Mono"


# ---------------------------------------------------------------- the look of the application


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    """A look that is taken off the application again."""
    yield Look("light")
    qapp.setStyleSheet("")


def test_look_says_when_it_changed(look: Look, qtbot: QtBot) -> None:
    """One signal for a change of shade or zoom, none when nothing changed."""
    seen: list[tuple[bool, int]] = []
    look.changed.connect(lambda: seen.append((look.theme.dark, look.theme.zoom)))
    look.set_mode("dark")
    look.set_mode("dark")
    look.set_zoom(150)
    look.set_zoom(150)
    assert seen == [(True, 100), (True, 150)]


def test_zoom_steps_end(look: Look) -> None:
    """Zooming in and out walks the steps and stops at both ends; any number takes the nearest step."""
    for _ in range(20):
        look.zoom_in()
    assert look.zoom == 200
    for _ in range(20):
        look.zoom_out()
    assert look.zoom == 80
    look.set_zoom(1)
    assert look.zoom == 80
    look.set_zoom(130)
    assert look.zoom == 125


def test_look_follows_the_desktop(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under "system" the desktop's scheme decides, at once when it changes; an override ignores it."""
    scheme = [Qt.ColorScheme.Light]

    class Hints:
        def colorScheme(self) -> Qt.ColorScheme:
            return scheme[0]

    look = Look("system")
    hints = qapp.styleHints()
    monkeypatch.setattr("gui.theme.QGuiApplication.styleHints", lambda: Hints())
    scheme[0] = Qt.ColorScheme.Dark
    hints.colorSchemeChanged.emit(scheme[0])
    assert look.theme.dark
    look.set_mode("light")
    assert not look.theme.dark


def test_motion_can_be_off(look: Look) -> None:
    """Where motion is off, everything takes no time."""
    look.set_animated(False)
    assert look.duration(120) == 0


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("zoom", [80, 100, 200])
def test_style_sheet_is_whole(look: Look, mode: str, zoom: int, qapp: QApplication, qtbot: QtBot) -> None:
    """Qt understands the whole sheet, its pictures exist, and dressing a window complains of nothing."""
    complaints: list[str] = []
    before = qInstallMessageHandler(lambda kind, context, text: complaints.append(text))
    try:
        look.set_mode(mode)
        look.set_zoom(zoom)
        look.apply(qapp)
        window = QMainWindow()
        qtbot.addWidget(window)
        tabs = QTabWidget()
        for widget in (QPushButton("A"), QCheckBox("B"), QComboBox(), QLineEdit()):
            tabs.addTab(widget, "tab")
        window.setCentralWidget(tabs)
        window.menuBar().addMenu("File")
        window.show()
        picture = window.grab()
    finally:
        qInstallMessageHandler(before)
    assert [text for text in complaints if "plugin does not support" not in text] == []
    assert not picture.isNull()
    sheet = look.stylesheet()
    assert "$" not in sheet
    for path in re.findall(r'url\("([^"]+)"\)', sheet):
        assert Path(path).is_file(), path
    assert qapp.palette().window().color() == look.theme.panel
    assert qapp.font().pointSizeF() == pytest.approx(look.theme.font("body").pointSizeF())


def test_rounded_corners_fit_at_every_zoom(look: Look) -> None:
    """Qt draws a square where a radius is over half the size, so no knob or radio button may ask for that."""
    for zoom in ZOOMS:
        look.set_zoom(zoom)
        rule = re.search(r"QRadioButton::indicator \{([^}]*)\}", look.stylesheet())
        assert rule is not None
        size = int(re.search(r"width: (\d+)px", rule[1])[1]) + 2
        assert 2 * int(re.search(r"border-radius: (\d+)px", rule[1])[1]) <= size, zoom
        knob = re.search(r"QSlider::handle:horizontal \{([^}]*)\}", look.stylesheet())
        assert knob is not None
        size = int(re.search(r"width: (\d+)px", knob[1])[1]) + 4
        assert 2 * int(re.search(r"border-radius: (\d+)px", knob[1])[1]) <= size, zoom
