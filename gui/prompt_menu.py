"""What a right click on the prompt offers: the same actions as the keys, with their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from core.phrase import phrase
from gui.translation import say


def menu(parent: QWidget, commands: Mapping[str, Callable[[], None]], can_copy: bool, can_fold: bool) -> QMenu:
    """A menu that runs commands by their names and deletes itself when closed."""
    result = QMenu(parent)
    result.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for name, key, enabled in (
        ("copy", "Ctrl+C", can_copy),
        ("find", "Ctrl+F", True),
        ("fold", "F", can_fold),
        ("fold_all", "Shift+F", True),
        ("raw", "R", True),
    ):
        action = result.addAction(f"{say(phrase(f'prompt.menu.{name}'))}\t{key}")
        action.setEnabled(enabled)
        action.triggered.connect(lambda _=False, run=commands[name]: run())
    return result
