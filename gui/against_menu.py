"""Chooses the request that the prompt is held against: a menu, a number or an id, or one branch after the other.

✓ Request before (22)          moves along with the inspection point
  Keep request 23              the one in focus stays the measure while others are looked at
  Request …                    by its number, or by the id of an entry on any branch
  ── Branches ──
  Left: temp path ruled out    its request of the same number, else its last one
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QInputDialog, QMenu

from core.phrase import phrase
from gui.live_trace import Key
from gui.problem_strip import Notice
from gui.state import State
from gui.tool_bar import popup
from gui.translation import say

if TYPE_CHECKING:
    from gui.main_window import MainWindow

BRANCHES = 12
"""That the menu names."""


def t(text: str) -> str:
    return QCoreApplication.translate("against", text)


def choices(window: MainWindow, state: State) -> list[tuple[str, Key]]:
    """(words, request) of the other branches."""
    number = state.cursor.request or len(state.timeline.summaries) or 1
    found = []
    for leaf, words, requests in window.dag.branches(BRANCHES):
        if leaf != state.timeline.leaf and requests:
            found.append((words, (leaf, min(number, requests))))
    return found


def open_menu(window: MainWindow, place: QPoint | None = None) -> None:
    state = window.state
    if state is None:
        return
    window.commands.tab("prompt")
    if place is None:
        window.prompt.choose_against()
        return
    menu, chosen, number = QMenu(window), state.against.chosen, state.cursor.request
    before = number - 1 if number is not None else len(state.timeline.summaries)

    def add(words: str, key: Key | None) -> None:
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(key == chosen)
        action.triggered.connect(lambda: state.against.choose(key))

    add(say(phrase("against.before", n=before)) if before >= 1 else say(phrase("against.nothing_before")), None)
    if number is not None:
        add(say(phrase("against.keep", n=number)), (None, number))
    if chosen is not None and chosen[0] is None and chosen[1] != number:
        add(say(phrase("against.kept", n=chosen[1])), chosen)
    menu.addAction(t("Request …")).triggered.connect(lambda: ask(window, state))
    branches = choices(window, state)
    if branches:
        menu.addSection(t("Branches"))
    for words, key in branches:
        add(say(phrase("against.of_branch", n=key[1], name=words)), key)
    popup(menu, place)


def ask(window: MainWindow, state: State) -> None:
    """For a number, or an id."""
    dialog = QInputDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(t("Compare with request"))
    dialog.setLabelText(t("The number of a request on this branch, or the id of an entry on any branch."))
    dialog.textValueSelected.connect(lambda text: choose(window, state, text.strip()))
    dialog.open()


def choose(window: MainWindow, state: State, text: str) -> None:
    """Hold the prompt against the request with this number, or the last one at or above the entry with this id."""
    row = state.session.row_of(text)
    if row is not None:
        state.against.choose((row, len(state.session)))  # counted as the last one there is
    elif text.isdigit() and 1 <= int(text) <= len(state.timeline.summaries):
        state.against.choose((None, int(text)))
    else:
        said = phrase("against.unknown", text=text, n=len(state.timeline.summaries))
        window.strip.show_notice(Notice(said, "warning"))


def next_branch(window: MainWindow) -> None:
    """The next branch, behind the last one the request before again."""
    state = window.state
    if state is None:
        return
    window.commands.tab("prompt")
    keys = [key for _, key in choices(window, state)]
    if not keys:
        window.strip.show_notice(Notice(phrase("against.no_branch"), "note"))
        return
    chosen = state.against.chosen
    at = next((i for i, key in enumerate(keys) if chosen is not None and key[0] == chosen[0]), -1)
    state.against.choose(keys[at + 1] if at + 1 < len(keys) else None)
