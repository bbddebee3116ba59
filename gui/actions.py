"""Every action of the window with its words and keys, in one table: menus, palette and key list are made from it.

Keys without a modifier are *letters*: they work only while no text field has the focus, and can be switched off as a
whole (WCAG 2.1.4). Keys that not every keyboard layout reaches ([ ] { }) have a twin with Ctrl.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gui.tabs import tabs


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table. `menu`: id of the menu, "" = palette and keys only. `view`: keys handled by a view."""

    id: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    checkable: bool = False
    by_view: bool = False


def table() -> tuple[Entry, ...]:
    """The rows, in the language in use. `by_view` rows are listed among the keys but belong to the focused view."""

    def t(text: str) -> str:
        return QCoreApplication.translate("actions", text)

    return (
        Entry("open", "file", t("Open file …"), ("Ctrl+O",)),
        Entry("open_recent", "file", t("Open recent …"), ("Ctrl+Shift+O",)),
        Entry("start", "file", t("Start page"), ("Ctrl+Home",)),
        Entry("close", "file", t("Close session"), ("Ctrl+W",)),
        Entry("quit", "file", t("Quit"), ("Ctrl+Q",)),
        Entry("copy", "edit", t("Copy"), ("Ctrl+C",)),
        Entry("find_session", "edit", t("Find in session"), ("/", "Ctrl+Shift+F")),
        Entry("find_prompt", "edit", t("Find in prompt"), ("Ctrl+F",)),
        Entry("next_hit", "edit", t("Next hit"), ("N", "F3")),
        Entry("previous_hit", "edit", t("Previous hit"), ("Shift+N", "Shift+F3")),
        Entry("previous_request", "go", t("Previous request"), ("[", "Ctrl+PgUp")),
        Entry("next_request", "go", t("Next request"), ("]", "Ctrl+PgDown")),
        Entry("previous_break", "go", t("Previous cache break"), ("{", "Ctrl+Shift+PgUp")),
        Entry("next_break", "go", t("Next cache break"), ("}", "Ctrl+Shift+PgDown")),
        Entry("first_request", "go", t("First request"), ("Ctrl+Alt+PgUp",)),
        Entry("unsent", "go", t("What would be sent now"), ("Ctrl+Alt+PgDown",)),
        Entry("go_to", "go", t("Go to entry, request or line …"), ("Ctrl+G",)),
        Entry("back", "go", t("Back"), ("Alt+Left",)),
        Entry("forward", "go", t("Forward"), ("Alt+Right",)),
        Entry("step_first", "layers", t("Behind step 0"), ("Shift+,", "<")),
        Entry("step_back", "layers", t("Step back"), (",",)),
        Entry("step_forward", "layers", t("Step forward"), (".",)),
        Entry("step_last", "layers", t("All steps applied"), ("Shift+.", ">")),
        Entry("before_after", "layers", t("Before ⇄ after"), ("D",)),
        Entry("against", "layers", t("Compare with request …"), ("A",)),
        Entry("against_branch", "layers", t("Compare with the next branch"), ("Shift+A",)),
        Entry("written", "layers", t("What would be written of this result")),
        Entry("undo", "layers", t("Undo profile change"), ("Ctrl+Z",)),
        Entry("redo", "layers", t("Redo profile change"), ("Ctrl+Shift+Z",)),
        Entry("pin_profile", "layers", t("Pin the profile in use as B"), ("P",)),
        Entry("session_key", "layers", t("Session key …")),
        Entry("count_online", "layers", t("Count with the provider …")),
        Entry("reset_profile", "layers", t("Reset all profile changes")),
        Entry("next_pane", "go", t("Next pane"), ("F6",)),
        Entry("previous_pane", "go", t("Previous pane"), ("Shift+F6",)),
        Entry("next_session", "go", t("Next open session"), ("Ctrl+Tab",)),
        *(Entry(f"tab_{tab.id}", tab.menu, tab.text, (tab.key,)) for tab in tabs()),
        Entry("data_table", "view", t("Data table"), ("Ctrl+T",), checkable=True),
        Entry("zoom_in", "view", t("Zoom in"), ("Ctrl++", "Ctrl+=")),
        Entry("zoom_out", "view", t("Zoom out"), ("Ctrl+-",)),
        Entry("zoom_reset", "view", t("Zoom 100 %"), ("Ctrl+0",)),
        Entry("theme_system", "theme", t("Follow the system"), checkable=True),
        Entry("theme_light", "theme", t("Light"), checkable=True),
        Entry("theme_dark", "theme", t("Dark"), checkable=True),
        Entry("presenter", "view", t("Presenter mode"), ("F11",), checkable=True),
        Entry("letters", "view", t("Single-letter keys"), checkable=True),
        Entry("motion", "view", t("Animations"), checkable=True),
        Entry("reset_layout", "view", t("Reset layout")),
        Entry("palette", "help", t("Find every action …"), ("Ctrl+Shift+P",)),
        Entry("keys", "help", t("Keys"), ("F1", "?")),
        Entry("about", "help", t("About Stratascope")),
        Entry("key_move", "", t("Next / previous entry or block"), ("J / K", "↓ / ↑"), by_view=True),
        Entry("key_fold", "", t("Fold or unfold this / everything"), ("F", "Shift+F"), by_view=True),
        Entry("key_branch", "", t("Next branch at a fork"), ("B",), by_view=True),
        Entry(
            "key_enter", "", t("Make it the inspection point / open the entry behind a block"), ("Enter",), by_view=True
        ),
        Entry("key_raw", "", t("Raw JSON of the block"), ("R",), by_view=True),
        Entry("key_layer", "", t("Selected step on or off"), ("Space",), by_view=True),
        Entry("key_stand", "", t("Stand behind the selected step"), ("Enter",), by_view=True),
        Entry(
            "key_reorder", "", t("Move the selected step, where the order is free"), ("Alt+↑ / Alt+↓",), by_view=True
        ),
        Entry("key_esc", "", t("Close card, clear search, cancel job (in this order)"), ("Esc",), by_view=True),
        Entry("key_zoom", "", t("Zoom a plot in time; double click fits"), ("Ctrl+Wheel",), by_view=True),
    )


class Actions(QObject):
    """QActions by id, made from the table and added to `owner` so that their keys work in the whole window."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._entries = table()
        self._actions: dict[str, QAction] = {}
        for entry in self._entries:
            if entry.by_view:
                continue
            action = QAction(entry.text, self)
            action.setObjectName(entry.id)
            action.setCheckable(entry.checkable)
            action.setShortcuts([QKeySequence(key) for key in entry.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            owner.addAction(action)
            self._actions[entry.id] = action

    def __getitem__(self, id: str) -> QAction:
        return self._actions[id]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def connect_to(self, **handlers: Callable[..., object]) -> None:
        for id, handler in handlers.items():
            action = self._actions[id]
            signal = action.toggled if action.isCheckable() else action.triggered
            signal.connect(handler if action.isCheckable() else lambda _=False, run=handler: run())

    def menu(self, menu: str) -> list[QAction]:
        return [self._actions[e.id] for e in self._entries if e.menu == menu and not e.by_view]

    def keys(self) -> list[tuple[str, str]]:
        """(words, keys) of everything that has a key, for the list of keys."""
        return [(e.text, "   ".join(shown(e.keys))) for e in self._entries if e.keys]

    def use_letters(self, on: bool) -> None:
        """Give or take the single-letter keys; every other key stays."""
        for entry in self._entries:
            if entry.by_view:
                continue
            keys = [key for key in entry.keys if on or not is_letter(key)]
            self._actions[entry.id].setShortcuts([QKeySequence(key) for key in keys])


def is_letter(key: str) -> bool:
    """A key without Ctrl, Alt or a function key: it would be typed into a text field."""
    return key.removeprefix("Shift+") in set("/?[]{},.<>") or len(key.removeprefix("Shift+")) == 1


def shown(keys: tuple[str, ...]) -> list[str]:
    return [key.replace("PgDown", "PgDn") for key in keys]
