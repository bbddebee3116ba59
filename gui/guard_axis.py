"""What the axis "as the guard counts" shows of a State: counted requests, staleness, progress, the three lines.

state ──▶ key (path, profile) ── known? ──▶ GuardShown
                                 └ no ──▶ wanted: the worker counts; the last counts stand dimmed till then, but for
                                          the request of the inspection point, which its Trace tells at once
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.guard_limits import GUARD, Limit, guards, limits
from core.guarded import Counted, Guarded, TraceCount
from core.phrase import Phrase, phrase
from core.pipeline import Trace
from core.profile import Profile, said
from core.settings import Number, specs
from core.timeline import Timeline
from gui import setting_words
from gui.state import State
from gui.step_effects import consequence
from gui.translation import say

if TYPE_CHECKING:
    from gui.guard_series import GuardSeries, GuardShown

KEPT = 8
"""Counts of other profiles that are remembered: undo and redo ask for nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """What is wanted of the worker: an answer to another question is not shown."""

    timeline: Timeline
    profile: Profile

    @property
    def requests(self) -> int:
        return len(self.timeline.summaries)

    def same(self, other: Ask | None) -> bool:
        return other is not None and self.timeline is other.timeline and self.profile == other.profile


def window_of(state: State) -> int:
    """Tokens of the window under the profile in use."""
    return state.profile.window or state.timeline.window


class GuardAxis:
    """Of the session that is shown; `forget` for another one."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._known: OrderedDict[int, tuple[Ask, Guarded]] = OrderedDict()
        self._serial = 0
        self._last: tuple[Ask, Guarded] | None = None
        self._series: tuple[Guarded, int, GuardSeries] | None = None
        self._one = TraceCount()
        self._asked: Ask | None = None
        self._said: Phrase | None = None
        self._ended = False
        self._drag: tuple[str, Trace] | None = None

    # the worker

    def asked(self, state: State) -> Ask:
        """The question of the State as it is; the answer comes with it."""
        return Ask(state.timeline, state.profile)

    def wants(self, state: State) -> bool:
        """Whether the worker must be asked, once for each question."""
        ask = self.asked(state)
        if not guards(state.profile) or self._find(ask) is not None or ask.same(self._asked):
            return False
        self._asked, self._said, self._ended = ask, None, False
        return True

    @property
    def counting(self) -> bool:
        """Whether an answer is still to come."""
        return self._asked is not None and not self._ended

    def ask_again(self) -> None:
        """What was stopped or failed may be asked for once more."""
        if self._said is not None:
            self._asked = self._said = None

    def progress(self, ask: Ask, words: Phrase) -> bool:
        """How far the count is; False when it is not the one that is wanted."""
        if ask.same(self._asked):
            self._said = words
            return True
        return False

    def take(self, ask: Ask, found: Guarded) -> bool:
        """The answer: all requests and what would be sent next; fewer where the person stopped it. False when it is not
        the one that is wanted (kept all the same, for undo)."""
        wanted = ask.same(self._asked)
        if len(found) > ask.requests:
            self._known[self._serial] = (ask, found)
            self._serial += 1
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
            if wanted:
                self._asked = self._said = None
        elif wanted:
            self._said, self._ended = phrase("guard_axis.stopped", n=len(found), all=ask.requests + 1), True
            last = self._last
            if last is not None and last[0].timeline is ask.timeline and last[1].names == found.names:
                found = Guarded(found.table + last[1].table[len(found.table) :], found.names)
            self._last = (ask, found)
        return wanted

    def fail(self, ask: Ask, why: Phrase) -> bool:
        """Why there will be no answer."""
        wanted = self.progress(ask, why)
        self._ended = self._ended or wanted
        return wanted

    def _find(self, ask: Ask) -> Guarded | None:
        return next((found for known, found in reversed(self._known.values()) if known.same(ask)), None)

    # what is shown

    def counts(self, state: State) -> tuple[Guarded | None, bool]:
        """(the newest counts of this path, whether they are of another profile)."""
        ask = self.asked(state)
        found = self._find(ask)
        if found is not None:
            self._last = (ask, found)
            return found, False
        last = self._last
        if last is None:
            return None, True
        old, new = last[0].timeline, ask.timeline
        if old is not new and new.path[: len(old.path)] != old.path:
            self._last = None  # another path; one that has grown at its end keeps what was counted
            return None, True
        return last[1], True

    def counted(self, state: State, number: int) -> Counted | None:
        """One request; None while nothing is known of it as it is now."""
        found, stale = self.counts(state)
        if found is not None and not stale and 1 <= number <= len(found):
            return found[number - 1]
        now = self._current(state)
        return now[1] if now is not None and now[0] == number else None

    def shown(self, state: State) -> GuardShown:
        from gui.guard_series import GuardShown  # numpy takes long to import: not before there is a plot

        timeline, window = state.timeline, window_of(state)
        if not guards(state.profile):
            return GuardShown(None, (), window * 4, empty=say(_why_empty(state.profile)))
        found, stale = self.counts(state)
        series = self._arrays(found, len(timeline.summaries)) if found is not None else None
        current = self._current(state) if stale else None
        return GuardShown(series, limits(state.profile, window), window * 4, current, stale, self.stale_words(state))

    def stale_words(self, state: State) -> str:
        """How far the count is, or why it goes no further; "" when everything is up to date."""
        if not guards(state.profile) or not self.counts(state)[1]:
            return ""
        return say(self._said if self._said is not None else phrase("guard_axis.begun"))

    def _arrays(self, found: Guarded, count: int) -> GuardSeries:
        from gui.guard_series import guard_series

        if self._series is None or self._series[0] is not found or self._series[1] != count:
            self._series = found, count, guard_series(found, count)
        return self._series[2]

    def _current(self, state: State) -> tuple[int, Counted] | None:
        """The inspection point as its Trace has it."""
        trace = state.trace
        if trace is None or state.stale:
            return None
        number = state.cursor.request
        return (number if number is not None else len(state.timeline.summaries) + 1), self._one.of(trace)

    # a drag

    def grasp(self, state: State, kind: str, again: bool) -> str | None:
        """A gesture on a line begins: the instance whose setting it is."""
        limit = next((found for found in limits(state.profile, window_of(state)) if found.kind == kind), None)
        if limit is None:
            return None
        trace = state.trace
        if trace is not None and not (again and self._drag is not None):
            self._drag = (limit.instance, trace)
        return limit.instance

    def let_go(self) -> None:
        self._drag = None

    def drag_words(self, state: State, limit: Limit, spec: Number) -> str:
        """ "72 % → empties 3 more results": what the gesture under way does to the request in focus."""
        value = setting_words.plain_value(spec, limit.share)
        if self._drag is None or self._drag[0] != limit.instance:
            return ""
        start, trace = self._drag[1], state.trace
        if trace is None or state.stale:
            return value
        now = next((step for step in trace.steps if step.instance == limit.instance), None)
        then = next((step for step in start.steps if step.instance == limit.instance), None)
        if now is None or then is None:
            return value
        what = consequence(now, then, trace.overflow, start.overflow)
        return say(phrase("dock.consequence", value=value, what=what))


def spec_of(state: State, limit: Limit) -> tuple[Number, float]:
    """(the setting of a line, its value when the profile was chosen)."""
    settings = state.profile.instance(limit.instance).settings
    spec = specs(settings)["share"]
    assert isinstance(spec, Number)
    base = next((made.settings for made in state.base.instances if made.name == limit.instance), settings)
    return spec, float(getattr(base, "share", spec.default))


def _why_empty(profile: Profile) -> Phrase:
    if any(made.layer.startswith(GUARD) for made in profile.instances):
        return phrase("guard_axis.off", title=said(profile.title))
    return phrase("guard_axis.none", title=said(profile.title))
