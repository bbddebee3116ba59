"""The global style sheet and palette: flat and quiet, hairlines, one accent ring for the keyboard focus.

Rules that need an object name are documented beside them; views set the name, never a colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette

from gui.palette import MEANINGS

if TYPE_CHECKING:
    from gui.theme import Theme


# Pictures the sheet needs as files: key → (icon, meaning of its colour).
INDICATORS: dict[str, tuple[str, str]] = {
    "check": ("check", "panel"),
    "tick": ("check", "ink2"),
    "minus": ("minus", "panel"),
    "down": ("chevron-down", "ink2"),
    "up": ("chevron-up", "ink2"),
    "left": ("chevron-left", "ink2"),
    "right": ("chevron-right", "ink2"),
    "close": ("x", "ink3"),
    "float": ("external-link", "ink3"),
}

_SHEET = Template("""
* { outline: none; }
QMainWindow, QDialog { background: $panel; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QMenuBar { background: $panel2; border-bottom: 1px solid $line; padding: 0; }
QMenuBar::item { background: transparent; color: $ink2; padding: ${n6}px ${n8}px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $accentbg; color: $ink; border-radius: ${chip}px; }
QMenu { icon-size: ${n16}px; background: $panel; border: 1px solid $line2; padding: ${n4}px 0; }
QMenu::item { padding: ${n5}px ${n24}px ${n5}px ${n28}px; color: $ink; border: 1px solid transparent; }
QMenu::item:selected { background: $accentbg; }
QMenu::item:disabled { color: $ink3; }
QMenu::separator { height: 1px; background: $line; margin: ${n4}px 0; }
QMenu::indicator { width: ${n14}px; height: ${n14}px; left: ${n8}px; }
QMenu::indicator:checked { image: url($tick); }
QMenu::right-arrow { image: url($right); width: ${n14}px; height: ${n14}px; right: ${n6}px; }
QMenu::icon { left: ${n8}px; }

QToolBar { background: $panel; border: none; border-bottom: 1px solid $line; spacing: ${n8}px; icon-size: ${n18}px;
  padding: ${n8}px; }
QToolBar::separator { background: $line; width: 1px; margin: ${n10}px ${n6}px; }
QToolBar QLabel { color: $ink2; }
QToolButton { background: transparent; border: 2px solid transparent; border-radius: ${radius}px;
  min-width: ${n24}px; min-height: ${n22}px; padding: 0; color: $ink2; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $accentbg; color: $accent; }
QToolButton:focus { border-color: $accent; }
QToolButton:disabled { color: $ink3; }
QToolButton::menu-indicator { image: none; }
QToolButton[framed="true"] { background: $panel; border: 1px solid $line2; padding: 1px;
  min-width: ${n25}px; min-height: ${n25}px; }
QToolButton[framed="true"]:hover { background: $hover; }
QToolButton[framed="true"]:focus { border: 2px solid $accent; padding: 0; }

QStatusBar { background: $panel2; border-top: 1px solid $line; min-height: ${n25}px; max-height: ${n25}px; color: $ink2;
  font-size: $pt12; }
QStatusBar::item { border: none; }
QSizeGrip { image: none; width: 0; height: 0; }
QStatusBar QLabel { color: $ink2; font-size: $pt12; padding: 0 ${n6}px; }
QStatusBar QToolButton { font-size: $pt12; min-height: ${n18}px; }

QDockWidget { color: $ink; font-weight: 600; icon-size: ${n14}px;
  titlebar-close-icon: url($close); titlebar-normal-icon: url($float); }
QDockWidgetTitleButton { icon-size: ${n14}px; }
QDockWidget::title { background: $panel2; border-bottom: 1px solid $line; padding: ${n10}px ${n16}px;
  text-align: left; }
QDockWidget::close-button, QDockWidget::float-button { background: transparent; border: none; padding: 0; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: $hover; }

QTabWidget::pane { border: none; background: $panel; }
QTabBar { background: $panel2; border: none; border-bottom: 1px solid $line; font-weight: 600;
  qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $ink2; border: none; border-bottom: 2px solid transparent;
  padding: 0 ${n12}px; min-height: ${n34}px; font-weight: 400; }
QTabBar::tab:selected { color: $ink; border-bottom-color: $accent; background: $panel; font-weight: 600; }
QTabBar::tab:hover:!selected { color: $ink; background: $hover; }
QTabBar::tab:focus { border: 2px solid $accent; }
QTabBar::tab:disabled { color: $ink3; }
QTabBar::close-button { image: url($close); width: ${n14}px; height: ${n14}px; }
QTabBar QToolButton { background: $panel2; border: none; }
QTabBar::scroller { width: ${n28}px; }

QPushButton { background: $panel; color: $ink; border: 1px solid $line2; border-radius: ${radius}px;
  padding: 0 ${n13}px; min-height: ${n28}px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $accentbg; color: $accent; }
QPushButton:disabled { color: $ink3; border-color: $line; }
QPushButton:focus { border: 2px solid $accent; padding: 0 ${n12}px; min-height: ${n26}px; }
QPushButton[primary="true"], QPushButton[primary="true"]:pressed { background: $accent; color: $onaccent;
  border: 1px solid $accent; font-weight: 600; }
QPushButton[primary="true"]:focus { border: 2px solid $ink; }
QPushButton[primary="true"]:disabled { background: $track; color: $ink3; border-color: $track; }
QPushButton[link="true"] { background: transparent; border: 1px solid transparent; color: $accent;
  padding: 0 ${n3}px; min-height: ${n22}px; }
QPushButton[link="true"]:focus { border: 2px solid $accent; padding: 0 ${n2}px; min-height: ${n20}px; }
QPushButton[link="true"]:disabled { color: $ink3; }
QPushButton::menu-indicator { image: url($down); width: ${n12}px; height: ${n12}px; subcontrol-position: right center;
  subcontrol-origin: padding; right: ${n8}px; }

QComboBox { background: $panel; color: $ink; border: 1px solid $line2; border-radius: ${radius}px;
  padding: 0 ${n10}px; min-height: ${n28}px; selection-background-color: $accentbg; selection-color: $ink; }
QComboBox:hover { background: $hover; }
QComboBox:focus, QComboBox:on { border: 2px solid $accent; padding: 0 ${n9}px; min-height: ${n26}px; }
QToolBar QComboBox, QToolBar QLineEdit { min-height: ${n30}px; }
QToolBar QComboBox:focus, QToolBar QComboBox:on, QToolBar QLineEdit:focus { min-height: ${n28}px; }
QComboBox:disabled { color: $ink3; border-color: $line; }
QComboBox::drop-down { border: none; width: ${n26}px; subcontrol-position: right center; }
QComboBox::down-arrow { image: url($down); width: ${n14}px; height: ${n14}px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $line2; padding: ${n4}px 0;
  selection-background-color: $accentbg; selection-color: $ink; }
QComboBox QAbstractItemView::item { min-height: ${n26}px; padding: 0 ${n8}px; }

QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit { background: $panel; color: $ink;
  border: 1px solid $line2; border-radius: ${radius}px; selection-background-color: $accentbg;
  selection-color: $ink; placeholder-text-color: $ink3; }
QLineEdit, QAbstractSpinBox { padding: 0 ${n9}px; min-height: ${n28}px; }
QPlainTextEdit, QTextEdit { padding: ${n4}px; }
QLineEdit:focus, QAbstractSpinBox:focus { border: 2px solid $accent; padding: 0 ${n8}px; min-height: ${n26}px; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $accent; padding: ${n3}px; }
QLineEdit:disabled, QAbstractSpinBox:disabled { color: $ink3; border-color: $line; }
QAbstractSpinBox QLineEdit { border: none; padding: 0 0 0 ${n9}px; margin: 0; min-height: 0;
  background: transparent; }
QAbstractSpinBox { padding: 0; max-height: ${n28}px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: ${n20}px; }
QAbstractSpinBox::up-arrow { image: url($up); width: ${n12}px; height: ${n12}px; }
QAbstractSpinBox::down-arrow { image: url($down); width: ${n12}px; height: ${n12}px; }

QCheckBox, QRadioButton { color: $ink; spacing: ${n8}px; border: 2px solid transparent; border-radius: ${chip}px;
  padding: ${n2}px; }
QCheckBox:focus, QRadioButton:focus { border-color: $accent; }
QCheckBox:disabled, QRadioButton:disabled { color: $ink3; }
QCheckBox::indicator, QAbstractItemView::indicator, QGroupBox::indicator { width: ${n14}px; height: ${n14}px;
  border: 1px solid $ink3; border-radius: ${n3}px; background: $panel; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked, QGroupBox::indicator:checked {
  background: $ink2; border-color: $ink2; image: url($check); }
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate {
  background: $ink2; border-color: $ink2; image: url($minus); }
QCheckBox::indicator:disabled { border-color: $line2; background: $panel2; }
QCheckBox::indicator:checked:disabled { border-color: $line2; background: $line2; }
QRadioButton::indicator { width: ${radio}px; height: ${radio}px; border: 1px solid $ink3; border-radius: ${radio_r}px;
  background: $panel; }
QRadioButton::indicator:checked { width: ${dot}px; height: ${dot}px; border: ${dot_edge}px solid $ink2; }
QGroupBox { border: none; border-top: 1px solid $line; margin-top: ${n18}px; padding-top: ${n8}px; }
QGroupBox::title { subcontrol-origin: margin; left: 0; padding-right: ${n8}px; color: $ink; }

QAbstractScrollArea { border: none; background: $panel; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QListView::item, QTreeView::item { padding: ${n3}px ${n4}px; }
QAbstractItemView { selection-background-color: $accentbg; selection-color: $ink; gridline-color: $line;
  alternate-background-color: $panel2; }
QAbstractItemView::item:hover { background: $hover; }
QAbstractItemView::item:selected { background: $accentbg; color: $ink; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section { background: $panel; color: $ink3; border: none; border-bottom: 1px solid $line;
  padding: ${n6}px ${n8}px; font-size: $pt12; font-weight: 400; }
QHeaderView::section:hover { color: $ink; }
QHeaderView::down-arrow, QHeaderView::up-arrow { subcontrol-origin: border; subcontrol-position: top center;
  width: ${n10}px; height: ${n10}px; }
QHeaderView::down-arrow { image: url($down); }
QHeaderView::up-arrow { image: url($up); }
QTableCornerButton::section { background: $panel; border: none; }
QTreeView::branch { background: transparent; }
QTreeView::branch:has-children:closed { image: url($right); }
QTreeView::branch:has-children:open { image: url($down); }

QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: ${n10}px; }
QScrollBar:horizontal { height: ${n10}px; }
QScrollBar::handle { background: $line2; border-radius: ${n2}px; margin: ${n2}px ${n3}px; }
QScrollBar::handle:vertical { min-height: ${n32}px; }
QScrollBar::handle:horizontal { min-width: ${n32}px; margin: ${n3}px ${n2}px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $ink3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QProgressBar { background: $track; border: none; max-height: ${n3}px; min-height: ${n3}px; color: transparent; }
QProgressBar::chunk { background: $ink2; }
QSlider:horizontal { min-height: ${knob_h}px; }
QSlider::groove:horizontal { background: $track; height: ${groove}px; border-radius: ${groove_r}px; }
QSlider::sub-page:horizontal { background: $ink3; border-radius: ${groove_r}px; }
QSlider::handle:horizontal { background: $panel; border: 2px solid $accent; width: ${knob}px;
  margin: -${n5}px 0; border-radius: ${knob_r}px; }
QToolTip { background: $panel; color: $ink; border: 1px solid $line2; padding: ${n4}px ${n8}px; font-size: $pt12; }

QLabel[tone="hint"] { color: $ink3; }
QLabel[tone="quiet"] { color: $ink2; }
QLabel[tone="warning"] { color: $warning; }
QLabel[tone="error"] { color: $diff_text; }
QLabel[tone="better"] { color: $better; }
QLabel[tone="worse"] { color: $worse; }
QFrame[hairline="true"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
QFrame[titlerow="true"] { background: $panel2; border: none; border-bottom: 1px solid $line; }
""")


def stylesheet(theme: Theme, pictures: Mapping[str, str]) -> str:
    """The sheet of a theme; `pictures` gives the file of each key of INDICATORS.

    Properties views may set: `QPushButton[primary]` and `[link]`, `QToolButton[framed]`,
    `QLabel[tone]` hint, quiet, warning, error, better, worse; `QFrame[hairline]` and `[titlerow]`.
    """
    values: dict[str, str | int] = {f"n{n}": theme.px(n) for n in range(1, 49)}
    # Qt drops a corner radius over half the size, so the round parts compute theirs after scaling.
    radio, dot_edge, groove = theme.px(14), theme.px(5), theme.px(6)
    knob = groove + 2 * theme.px(5)
    values |= {"radius": theme.px(6), "chip": theme.px(4)}
    values |= {"radio": radio, "radio_r": (radio + 2) // 2, "dot": radio + 2 - 2 * dot_edge, "dot_edge": dot_edge}
    values |= {"groove": groove, "groove_r": groove // 2, "knob": knob - 4, "knob_h": knob + 2, "knob_r": knob // 2}
    values |= {f"pt{size}": f"{theme.font(kind).pointSizeF():.2f}pt" for size, kind in ((12, "secondary"),)}
    values |= {meaning: getattr(theme, meaning).name() for meaning in MEANINGS}
    values |= {key: f'"{path}"' for key, path in pictures.items()}
    return _SHEET.substitute(values)


def palette(theme: Theme) -> QPalette:
    """A theme as a QPalette."""
    role = QPalette.ColorRole
    result = QPalette()
    for where, colour in (
        (role.Window, theme.panel),
        (role.WindowText, theme.ink),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.panel2),
        (role.ToolTipBase, theme.panel),
        (role.ToolTipText, theme.ink),
        (role.PlaceholderText, theme.ink3),
        (role.Text, theme.ink),
        (role.Button, theme.panel),
        (role.ButtonText, theme.ink),
        (role.BrightText, theme.diff_text),
        (role.Light, theme.panel),
        (role.Midlight, theme.line),
        (role.Mid, theme.line2),
        (role.Dark, theme.ink3),
        (role.Shadow, theme.line2),
        (role.Highlight, theme.accentbg),
        (role.HighlightedText, theme.ink),
        (role.Accent, theme.accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
    ):
        result.setColor(where, colour)
    for where in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        result.setColor(QPalette.ColorGroup.Disabled, where, theme.ink3)
    return result
