"""The Layers dock: every step of the policy with what it did and why, and the settings of the selected one.

    ⏮ ◁ ▷ ⏭                   ◇124,218 → ◇139,523     where one stands; the Prompt tab follows
    ✓ Anthropic would take this.                       where the steps may be moved
    ⓪ Session context  +124,218                       rows from the policy
    ① Replay filter        no mirrors, no heartbeats
    ⑪ Guard: whole context −4,283   ← selected
    ─────────────────────────────────
    title, badge, why, gauges, choices, alternative   detail of the selected step

While all steps are applied the selected row only chooses the detail; while one stands between two steps, it is that
step.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from core.phrase import phrase
from gui.explanation import Explanation, page
from gui.layer_bars import LayerHeading, StepControls
from gui.layer_list import LayerList
from gui.layer_rows import SYSTEM_PROMPT, rows
from gui.layer_verdict import Verdict
from gui.plain_label import PlainLabel
from gui.state import Change, State
from gui.step_detail import StepDetail
from gui.step_report import StepReport
from gui.theme import Look
from gui.translation import say
from gui.view import View

WIDTH, TALLEST = 320, 520
"""Pixels of the dock at least, and of the list at most; longer ones scroll."""
PATIENCE = 120
"""Milliseconds that steps may be out of date before they are dimmed: what comes sooner would only flicker."""


class LayersView(View):
    """`current`: the selected step, by its instance."""

    ID = "layers"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.current: str | None = None
        self._there: bool | None = None
        self._heading = LayerHeading(look)
        self.controls = StepControls(look)
        self.list = LayerList(look)
        self.detail = StepDetail(look)
        self.explanation = Explanation(look)
        self._report = StepReport(self.detail)
        self.pages = QStackedWidget()
        for content in (self.detail, self.explanation):
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(content)
            self.pages.addWidget(area)
        self._hairline = QFrame()
        self._hairline.setProperty("hairline", True)
        self.empty = PlainLabel(look, "body", tone="hint", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.verdict = Verdict(look)
        for widget in (self.controls, self.verdict, self.list, self._hairline):
            column.addWidget(widget)
        column.addWidget(self.pages, 1)
        column.addWidget(self.empty, 1)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE)
        self._patience.timeout.connect(lambda: self._dim(True))
        self.setFocusProxy(self.list)
        self.setAccessibleName(say(phrase("dock.title")))
        self.list.setAccessibleName(say(phrase("dock.accessible")))
        self._connect()
        self.show_state(None)

    def _connect(self) -> None:
        self.controls.wanted.connect(self._control)
        self.list.chosen.connect(self.select)
        self.list.stood.connect(self.stand)
        self.list.toggled.connect(lambda name, on: self.state and self.state.switch(name, on))
        self.list.dragged.connect(lambda name, to: self.state and self.state.move(name, to))
        self.list.refused.connect(lambda: self.state and self.verdict.tell_fixed(self.state.profile))
        self.verdict.pressed.connect(self._show_fault)
        self.detail.changed.connect(self._set)
        self.detail.restored.connect(lambda field: self.state and self.state.reset(self.current, field))
        self.detail.reset.connect(lambda: self.state and self.state.reset(self.current))
        self.detail.grasped.connect(self._grasp)
        self.detail.released.connect(self._let_go)
        self.detail.explained.connect(lambda: self.explain(True))
        self.explanation.left.connect(lambda: self.explain(False))

    def heading(self) -> QWidget:
        """The title row of the dock."""
        return self._heading

    # what the person asks for

    def select(self, name: str) -> None:
        """Show the detail of a step; while one stands between steps, stand behind it."""
        self.current = name
        state = self.state
        if state is None:
            return
        if state.cursor.step is not None and name != SYSTEM_PROMPT:
            state.go(step=name)
        self._show()

    def stand(self, name: str) -> None:
        """Stand behind a step; again on the same one: all steps applied."""
        self.current = name
        if self.state is not None:
            away = name == SYSTEM_PROMPT or self.state.cursor.step == name
            self.state.go(step=None if away else name)
            self._show()

    def toggle(self) -> None:
        """The selected step on or off."""
        row = self.list.current_row
        if self.state is not None and row is not None and not row.locked:
            self.state.switch(row.instance, not row.on)

    def explain(self, on: bool) -> None:
        """The page about the selected step instead of its settings, and back."""
        self.pages.setCurrentIndex(int(on))
        if on:
            self._show_page()
            self.explanation.back.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.detail.ask.setFocus(Qt.FocusReason.OtherFocusReason)

    def _control(self, where: str) -> None:
        if self.state is not None:
            moves = {"first": self.state.step_first, "last": self.state.step_last}
            moves |= {"back": lambda: self.state.step_by(-1), "forward": lambda: self.state.step_by(1)}
            moves[where]()

    def _show_fault(self) -> None:
        """The cursor on the first block that the provider would refuse."""
        block = next((fault.index for fault in self.verdict.faults if fault.index is not None), None)
        if self.state is not None and block is not None:
            self.state.go(step=None)
            self.state.go(block=block)

    def _set(self, field: str, value: object) -> None:
        if self.state is not None and self.current is not None:
            self.state.set(self.current, **{field: value})

    def _grasp(self, field: str, again: bool) -> None:
        if self.state is not None:
            self.state.grasp(again)
            self._report.grasp(self.state, self.current, field)

    def _let_go(self) -> None:
        if self.state is not None:
            self.state.let_go()
            self._report.let_go()

    # what is shown

    def show_state(self, state: State | None) -> None:
        if state is not self.state:
            self.current = None
            self._report.forget(self.state)
        super().show_state(state)

    def refresh(self, change: Change) -> None:
        if change & Change.LOOK:
            self._heading.restyle()
            self.controls.restyle()
            self.list.scheduleDelayedItemsLayout()
        state = self.state
        if state is not None and change & Change.CURSOR and state.cursor.step is not None:
            self.current = state.cursor.step
        self._show()

    def _show(self) -> None:
        state = self.state
        trace = state.trace if state is not None else None
        there = state is not None and trace is not None and bool(trace.steps)
        if there != self._there:
            self._swap(there)
        self.verdict.show_state(state, trace)
        if state is None or trace is None or not there:
            self.empty.setText(say(phrase("dock.no_session" if state is None else "dock.computing")))
            self._patience.stop()
            self._heading.tell("")
            return
        if self.current is None or (
            self.current != SYSTEM_PROMPT and all(step.instance != self.current for step in trace.steps)
        ):
            self.current = self._report.worth_a_look(trace)
        if not state.stale:
            self._patience.stop()
            self._dim(False)
        elif not self.list.stale and not self._patience.isActive():
            self._patience.start()
        self.list.movable = state.profile.reorder
        self.list.show_rows(rows(state, self.current), self.current)
        self._heading.show_stand(state, trace)
        self.controls.show_stand(state, trace)
        self._report.show(state, trace, self.current)
        if self.pages.currentIndex() == 1:
            self._show_page()
        self._fit()
        if not state.stale and not state.grasped:
            state.look_around()

    def _swap(self, there: bool) -> None:
        """Steps, or the sentence that says why there are none; laid out at once, so that nothing is painted twice."""
        self._there = there
        self.empty.setVisible(not there)
        for widget in (self.controls, self.list, self._hairline, self.pages):
            widget.setVisible(there)
        self.layout().activate()

    def _dim(self, on: bool) -> None:
        if on == self.list.stale:
            return
        self.list.stale = on
        self.list.viewport().update()
        self._heading.show_stale(on)

    def _show_page(self) -> None:
        state = self.state
        trace = state.trace if state is not None else None
        if state is None or trace is None:
            return
        step = next((step for step in trace.steps if step.instance == self.current), trace.steps[0])
        instance = next((found for found in state.profile.instances if found.name == step.instance), None)
        self.explanation.show_page(page(step, instance, state.profile, state.timeline.window, self._report.seen))

    def _fit(self) -> None:
        """The list as tall as its rows, within its bounds; the detail takes the rest."""
        theme = self.look.theme
        room = self.height() - self.controls.height()
        room -= self.verdict.height() if self.verdict.isVisible() else 0
        tallest = min(theme.px(TALLEST), max(theme.px(140), round(room * 0.62)))
        height = min(self.list.content_height, tallest)
        if height != self.list.height():
            self.list.setFixedHeight(height)
            self.list.keep_in_sight()

    def minimumSizeHint(self) -> QSize:
        """The list gives way: its height follows from what there is."""
        return QSize(self.look.theme.px(WIDTH), self.look.theme.px(240))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
