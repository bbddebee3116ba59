"""Where the prompt first differs from that of the request before, or from the one that a person chose.

nothing chosen   tools and system prompt as the trace tells it; messages by a second trace, when nothing else is
                 to be done
chosen           what the worker found (gui/against.py)
"""

from __future__ import annotations

from collections.abc import Callable

from core.pipeline import Trace
from gui.differs import Differs, of_leading, of_messages
from gui.stage import Stage
from gui.state import State

NAME = "prompt.before"
"""Of the comparison that is asked for."""


class Differing:
    """Finds it for the request in focus; the trace of the request before is computed when nothing else is to do.

    `came`: called when more is known than before."""

    def __init__(self, came: Callable[[], None]) -> None:
        self._came = came
        self._of: Trace | None = None
        self._asked: Trace | None = None
        self._found: Differs | None = None

    def of(self, state: State, stage: Stage | None) -> Differs | None:
        """What is known now. Messages are compared with all steps applied only."""
        if state.against.chosen is not None:
            found = state.against.found
            seen = found.differs if found is not None else None
            return seen if seen is None or seen.leading is not None or stage is None or stage.step is None else None
        told = of_leading(state.recorded.parted)
        if told is not None:
            return told
        if stage is None or stage.step is not None or stage.trace is not self._of:
            return None
        return self._found

    def until(self, state: State, stage: Stage | None) -> int | None:
        """Where it is said that the prompt differs nowhere from the chosen one, with all steps applied."""
        found = state.against.found
        behind = stage is None or stage.step is None
        return found.shared if found is not None and found.differs is None and behind else None

    def ask(self, state: State, stage: Stage | None) -> None:
        """Have the messages of the request before worked out, once for each trace."""
        summaries, request = state.timeline.summaries, state.cursor.request
        before = request - 1 if request is not None else len(summaries)
        if stage is None or stage.step is not None or before < 1 or state.stale or state.grasped:
            return
        if state.against.chosen is not None:
            return
        trace = stage.trace
        if trace is self._of:
            return
        self._asked = trace

        def take(older: Trace) -> None:
            if self._asked is trace:
                self._of, self._asked = trace, None
                self._found = of_messages(older, trace)
                if self._found is not None:
                    self._came()

        state.compare(NAME, take, request=before)
