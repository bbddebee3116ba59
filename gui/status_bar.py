"""The status bar: what the marks mean, problems, what is running, zoom, language."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QLabel, QMenu, QStatusBar, QToolButton, QWidget

from gui import icons
from gui.theme import ZOOMS, Look
from gui.tool_bar import popup
from gui.translation import LANGUAGES


class StatusBar(QStatusBar):
    problems = Signal()
    cancel = Signal()
    zoom = Signal(int)
    language = Signal(str)

    def __init__(self, look: Look, current: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.setSizeGripEnabled(False)
        for mark, word in (("●", self.tr("recorded")), ("≈", self.tr("estimated")), ("◇", self.tr("simulated"))):
            self.addWidget(self._label(f"{mark} {word}"))
        self._job = self._label("")
        self._cancel = self._button(self.tr("Cancel (Esc)"), self.cancel.emit)
        self._problems = self._button("", self.problems.emit)
        self._note = self._label("")
        self._counter = self._label("")
        self._zoom = self._button("", self._choose_zoom)
        self._zoom.setAccessibleName(self.tr("Zoom"))
        for widget in (self._job, self._cancel, self._problems, self._note, self._counter, self._zoom):
            self.addPermanentWidget(widget)
        for code, short in zip(LANGUAGES, ("EN", "中文"), strict=True):
            button = self._button(short, lambda code=code: self.language.emit(code))
            button.setCheckable(True)
            button.setChecked(code == current)
            self.addPermanentWidget(button)
        self.show_job(None)
        self.show_problems(0, "")
        self.restyle()

    def _label(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    def _button(self, text: str, run: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(lambda: run())
        return button

    def restyle(self) -> None:
        theme = self._look.theme
        self._zoom.setText(f"{theme.zoom}\u202f%")
        self._problems.setIcon(icons.qicon("triangle-alert", theme.px(14), theme.warning))
        self._problems.setStyleSheet(f"color: {theme.warning.name()};")

    def show_job(self, text: str | None) -> None:
        """What is running; None = nothing."""
        self._job.setText(text or "")
        self._job.setVisible(bool(text))
        self._cancel.setVisible(bool(text))

    def show_problems(self, count: int, text: str) -> None:
        self._problems.setVisible(count > 0)
        self._problems.setText(text)

    def show_note(self, note: str, counter: str) -> None:
        """`note`: what is not in the file; `counter`: how tokens are estimated."""
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._counter.setText(counter)
        self._counter.setVisible(bool(counter))

    def _choose_zoom(self) -> None:
        menu = QMenu(self)
        for percent in ZOOMS:
            action = menu.addAction(f"{percent}\u202f%")
            action.setCheckable(True)
            action.setChecked(percent == self._look.theme.zoom)
            action.triggered.connect(lambda _=False, p=percent: self.zoom.emit(p))
        popup(menu, self._zoom.mapToGlobal(QPoint(0, -menu.sizeHint().height())))
