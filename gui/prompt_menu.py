"""What a right click on the prompt offers: the same actions as the keys, with their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from core.phrase import phrase
from gui.translation import say


@dataclass(frozen=True, slots=True)
class Can:
    """What is possible where the menu opens. `removed`: the block has text that was cut out of it. `written`: it is a
    tool result, which the agent caps when it writes it."""

    copy: bool
    fold: bool
    removed: bool
    written: bool = False


def menu(parent: QWidget, commands: Mapping[str, Callable[[], None]], can: Can) -> QMenu:
    """A menu that runs commands by their names and deletes itself when closed."""
    result = QMenu(parent)
    result.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for name, key, enabled in (
        ("copy", "Ctrl+C", can.copy),
        ("find", "Ctrl+F", True),
        ("fold", "F", can.fold),
        ("removed", "X", can.removed),
        ("fold_all", "Shift+F", True),
        ("pairs", "D", True),
        ("raw", "R", True),
        ("against", "A", True),
        ("written", "", can.written),
    ):
        action = result.addAction(f"{say(phrase(f'prompt.menu.{name}'))}\t{key}")
        action.setEnabled(enabled)
        action.triggered.connect(lambda _=False, run=commands[name]: run())
    return result
