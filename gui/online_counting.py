"""Counting with the provider, from the action to the result: the one thing in the window that leaves the machine.

action ─▶ can it be done here? ─▶ worker: the request, previewed ─▶ dialog ─ confirmed ─▶ worker: the count
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from gui import online_task
from gui.online_dialog import OnlineDialog
from gui.problem_strip import Notice

if TYPE_CHECKING:
    from gui.main_window import MainWindow

LANE = "online"


class OnlineCounting(QObject):
    """Nothing is sent before the dialog was confirmed; closing it cancels what is under way."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.dialog: OnlineDialog | None = None

    def begin(self) -> None:
        """Of the request in focus, under the profile in use."""
        window, state = self.window, self.window.state
        if state is None or self.dialog is not None:
            return
        why = online_task.missing()
        if why is not None:
            window.strip.show_notice(Notice(why, "note"))
            return
        dialog = self.dialog = OnlineDialog(window.look, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.confirmed.connect(lambda: self._send(dialog))
        dialog.finished.connect(lambda _: self._leave())
        dialog.open()
        window.jobs.run(
            LANE,
            online_task.prepare,
            *(window.sessions.path_of(state), state.timeline.leaf, state.counts.counter, state.cursor.request),
            *(state.profile, state.told, state.traced.paths),
            done=lambda found: self._shows(dialog) and dialog.show_prepared(found),
            failed=lambda failure: self._shows(dialog) and dialog.show_failed(failure.said),
        )

    def _send(self, dialog: OnlineDialog) -> None:
        if dialog.prepared is None:
            return
        self.window.jobs.run(
            LANE,
            online_task.ask,
            dialog.prepared.preview,
            done=lambda found: self._shows(dialog) and dialog.show_counted(found),
            failed=lambda failure: self._shows(dialog) and dialog.show_failed(failure.said),
        )

    def _shows(self, dialog: OnlineDialog) -> bool:
        """What comes after the dialog was closed is of no use."""
        return self.dialog is dialog

    def _leave(self) -> None:
        self.dialog = None
        self.window.jobs.cancel(LANE)
