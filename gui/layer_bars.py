"""Above the list of layers: the dock's title row, and the row with which one steps through them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from core.phrase import phrase
from core.pipeline import Trace
from gui import icons, numbers
from gui.layer_rows import stand_of
from gui.plain_label import PlainLabel
from gui.state import State
from gui.theme import INSET, TITLE_ROW, Look
from gui.translation import say

CONTROLS = 44
BUTTONS = (("first", "skip-back"), ("back", "step-back"), ("forward", "step-forward"), ("last", "skip-forward"))


class LayerHeading(QFrame):
    """36 px: the name, and which steps are applied."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setProperty("titlerow", True)
        self.title = PlainLabel(look, "body", 600)
        self.title.setText(say(phrase("dock.title")))
        self.where = PlainLabel(look, "body", tone="hint", shrinks=True)
        self.stale = PlainLabel(look, "secondary", tone="hint")
        row = QHBoxLayout(self)
        row.addWidget(self.title)
        row.addWidget(self.where, 1)
        row.addWidget(self.stale)
        self.restyle()

    def show_stand(self, state: State, trace: Trace) -> None:
        step = state.cursor.step
        if step is None:
            said = say(phrase("dock.all_applied"))
        else:
            said = say(phrase("dock.after", n=stand_of(trace, step)))
        self.tell(said)

    def tell(self, where: str) -> None:
        self.where.setText(where)

    def show_stale(self, on: bool) -> None:
        self.stale.setText(say(phrase("dock.updating")) if on else "")

    def sizeHint(self) -> QSize:
        """A dock asks its title bar for this, whatever height is fixed."""
        return QSize(self._look.theme.px(200), self._look.theme.px(TITLE_ROW))

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFixedHeight(theme.px(TITLE_ROW))
        self.updateGeometry()
        self.layout().setContentsMargins(theme.px(INSET), 0, theme.px(INSET), 0)
        self.layout().setSpacing(theme.px(8))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.update()


class StepControls(QFrame):
    """First, back, forward, last, and the tokens before and after what is applied. `wanted`: a name of BUTTONS."""

    wanted = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        row = QHBoxLayout(self)
        self.buttons: dict[str, QToolButton] = {}
        for name, _ in BUTTONS:
            button = QToolButton(self)
            words = say(phrase(f"dock.control.{name}"))
            button.setAccessibleName(words)
            button.setToolTip(words)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, where=name: self.wanted.emit(where))
            self.buttons[name] = button
            row.addWidget(button)
        self.sizes = PlainLabel(look, "secondary", 600, shrinks=True)
        self.sizes.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.sizes, 1)
        self.restyle()

    def show_stand(self, state: State, trace: Trace) -> None:
        """Of the step one stands behind; of all steps, tools and system prompt included, when all are applied."""
        number = stand_of(trace, state.cursor.step)
        last = len(trace.steps) - 1
        if number > last:
            before = trace.steps[0].tokens_after
            after = trace.steps[-1].tokens_after + (state.assembled.unrecorded or 0)
        else:
            before, after = trace.steps[number].tokens_before, trace.steps[number].tokens_after
        sizes = {"before": numbers.tokens(before), "after": numbers.tokens(after)}
        self.sizes.setText(say(phrase("dock.sizes", **sizes)))
        self.sizes.setAccessibleName(say(phrase("dock.sizes_spoken", **sizes)))
        self.buttons["first"].setEnabled(number != 0)
        self.buttons["back"].setEnabled(number != 0)
        self.buttons["forward"].setEnabled(number <= last)
        self.buttons["last"].setEnabled(number <= last)

    def restyle(self) -> None:
        theme = self._look.theme
        self.setFixedHeight(theme.px(CONTROLS))
        self.layout().setContentsMargins(theme.px(INSET), 0, theme.px(INSET), 0)
        self.layout().setSpacing(theme.px(2))
        size = theme.px(18)
        for name, icon in BUTTONS:
            button = self.buttons[name]
            button.setIcon(icons.qicon(icon, size, theme.ink2, disabled=theme.line2))
            button.setIconSize(QSize(size, size))
            button.setFixedSize(theme.px(30), theme.px(28))
