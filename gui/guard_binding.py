"""Binds the axis "as the guard counts" to the plot: what it shows, its rings, and what a drag asks of the State."""

from __future__ import annotations

from PySide6.QtCore import QObject

from core.guard_limits import limits
from core.phrase import phrase
from gui import setting_words
from gui.guard_axis import GuardAxis, spec_of, window_of
from gui.guard_words import guard_here
from gui.request_plot import RequestPlot
from gui.state import State
from gui.translation import say


class GuardBinding(QObject):
    """`state` is set by the view. While the axis is not shown nothing is asked."""

    def __init__(self, axis: GuardAxis, plot: RequestPlot) -> None:
        super().__init__(plot)
        self.axis, self.plot = axis, plot
        self.state: State | None = None
        self._grasped: str | None = None
        plot.limits.grasped.connect(self._grasp)
        plot.limits.moved.connect(self._move)
        plot.limits.released.connect(self._let_go)

    def show(self, state: State) -> None:
        """The axis of this State as it is now."""
        if state is not self.state:
            self._grasped = None
        self.state = state
        shown = self.axis.shown(state)
        self.plot.show_guard(shown)
        window = window_of(state)
        for limit in shown.limits:
            spec, default = spec_of(state, limit)
            layer = state.profile.instance(limit.instance).layer
            value = setting_words.value_text(layer, "share", spec, limit.share)
            words = self.axis.drag_words(state, limit, spec) if limit.kind == self._grasped else ""
            self.plot.limits.describe(
                limit.kind,
                spec,
                limit.share,
                default,
                limit.floor,
                window,
                say(phrase(f"guard_axis.ring_{limit.kind}")),
                say(phrase("guard_axis.ring_value", value=value, n=limit.chars)) + (f" {words}" if words else ""),
            )
            if limit.kind == self._grasped:
                self.plot.limits.tell(limit.kind, words)
        number = state.cursor.request
        number = number if number is not None else len(state.timeline.summaries) + 1
        here = guard_here(state.timeline, number, self.axis.counted(state, number), shown.limits)
        self.plot.setAccessibleName(say(phrase("guard_axis.plot_name")))
        self.plot.setAccessibleDescription(shown.empty or here)

    def leave(self) -> None:
        """Back to tokens."""
        self._let_go("")
        self.plot.show_guard(None)
        self.plot.setAccessibleName(say(phrase("requests.plot_name")))

    # a drag: the same value as the slider in the Layers dock

    def _grasp(self, kind: str, again: bool) -> None:
        state = self.state
        if state is not None and self.axis.grasp(state, kind, again) is not None:
            self._grasped = kind
            state.grasp(again)

    def _move(self, kind: str, share: float) -> None:
        state = self.state
        if state is None:
            return
        limit = next((found for found in limits(state.profile, window_of(state)) if found.kind == kind), None)
        if limit is not None:
            state.set(limit.instance, share=share)

    def _let_go(self, kind: str) -> None:
        if self._grasped is None:
            return
        self._grasped = None
        self.axis.let_go()
        if self.state is not None:
            self.state.let_go()
