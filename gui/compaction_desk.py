"""What a person asks of the Compaction tab, and what came of it: place, settings, summarizer, broken rungs, runs.

    Desk ─ wish(state), by() ─▶ worker ─ take_facts, take, fail ─▶ Desk      the view shows it; no widget in here

Another wish makes what is shown stale; a run is kept, with its cut and its rules, until the session is closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Literal

from core import compaction, settings
from core.compaction import Settings, Texts, of_policy
from core.phrase import Phrase
from core.summarizer import summarizers
from core.summarizing import Call
from core.timeline import Timeline
from gui.compaction_facts import By, Facts, Outcome, Wish
from gui.state import State

FOLLOW = -1
"""The place that goes with the cursor."""
OFFLINE = "extractive"
MOST_RUNS = 60
CLAUDE = "claude"

Phase = Literal["idle", "looking", "confirming", "running"]


@dataclass(frozen=True, slots=True)
class Run:
    """One summary of a cut: as recorded (`by` None), or ours. `number`: in the list, from 1."""

    number: int
    wish: Wish
    by: By | None
    facts: Facts
    outcome: Outcome


@dataclass(slots=True)
class Sent:
    """What has left this machine for summaries since the program began, whatever the session."""

    calls: int = 0
    tokens: int = 0
    to: str = ""


@dataclass(slots=True)
class Desk:
    """`place`: FOLLOW or the row of a recorded compaction. `shown`: the run whose outcome is on screen, if any.

    `facts`, `outcome`: of the newest answer; `said`: why there is none; `calls`: of a run under way."""

    place: int = FOLLOW
    base: Settings = field(default_factory=Settings)
    settings: Settings = field(default_factory=Settings)
    texts: Texts = field(default_factory=Texts)
    summarizer: str = OFFLINE
    own: dict[str, object] = field(default_factory=dict)
    model: str = ""
    base_url: str = ""
    workspace: str = ""
    broken: frozenset[int] = frozenset()
    phase: Phase = "idle"
    asked: Wish | None = None
    facts: Facts | None = None
    outcome: Outcome | None = None
    said: Phrase | None = None
    told: Phrase | None = None
    calls: tuple[Call, ...] = ()
    runs: tuple[Run, ...] = ()
    shown: Run | None = None
    sent: Sent = field(default_factory=Sent)
    waiting: tuple[tuple[Wish, By], ...] = ()
    """Runs that follow when the one under way is done."""
    _known: tuple[Timeline, tuple[tuple[int, int | None], ...]] | None = None

    # what is asked

    def wish(self, state: State, path: str) -> Wish:
        """`path`: of the file, as the worker knows it."""
        follow = self.place == FOLLOW
        row = self._place_before(state) if follow else self.place
        request = state.cursor.request if follow and row is None else None
        leaf, counter = state.timeline.leaf, state.counts.counter
        workspace = self.workspace if self.settings.mode == "safeguard" else ""
        return Wish(path, leaf, counter, request, row, self.settings, self.texts, state.profile, workspace)

    def by(self, consent: bool = False) -> By:
        own = self.own_settings(self.summarizer)
        return By(self.summarizer, own, self.model_asked(), self.base_url, consent, self.broken)

    def module(self) -> ModuleType:
        return summarizers()[self.summarizer]

    @property
    def leaves(self) -> bool:
        """Whether what is asked leaves this machine."""
        return bool(self.module().LEAVES)

    def own_settings(self, name: str) -> object:
        found = self.own.get(name)
        if found is None:
            found = self.own[name] = summarizers()[name].Settings()
        return found

    def model_asked(self) -> str:
        """As typed; else the session's own where the summarizer can ask it; "" = the summarizer's default."""
        known = self.facts.model if self.facts is not None else ""
        return self.model or (known if CLAUDE in known.lower() else "")

    def places(self, state: State) -> tuple[tuple[int, int | None], ...]:
        """See `recorded_places`; looked for once in a timeline."""
        if self._known is None or self._known[0] is not state.timeline:
            self._known = state.timeline, recorded_places(state)
        return self._known[1]

    def _place_before(self, state: State) -> int | None:
        """Row of the recorded compaction between the request in focus and the one before it; None without one."""
        return next((row for row, number in self.places(state) if number == state.cursor.request), None)

    # what a person changes

    def take_policy(self, state: State) -> bool:
        """The policy in use gives the settings; what was changed by hand stays. Whether anything is another."""
        base = of_policy(state.profile)
        if base == self.base:
            return False
        changed = {
            name: getattr(self.settings, name)
            for name in settings.specs(Settings)
            if getattr(self.settings, name) != getattr(self.base, name)
        }
        self.base, self.settings = base, replace(base, **changed)
        return True

    def change(self, name: str, value: object) -> None:
        """UsageError for a value out of range."""
        self.settings = settings.change(self.settings, compaction.ID, {name: value})

    def change_own(self, name: str, value: object) -> None:
        changed: Mapping[str, object] = {name: value}
        self.own[self.summarizer] = settings.change(self.own_settings(self.summarizer), self.summarizer, changed)

    def break_rung(self, rung: int, on: bool) -> None:
        self.broken = self.broken | {rung} if on else self.broken - {rung}

    # what comes back

    def take_facts(self, facts: Facts) -> None:
        self.facts, self.outcome, self.said = facts, None, None

    def take(self, wish: Wish, by: By | None, answer: tuple[Facts, Outcome]) -> None:
        """The end of a look (`by` None) or of a run. A recorded summary is the first in the list of its cut."""
        self.facts, self.outcome = answer
        self.said = self.told = None
        self.phase = "idle"
        self.calls = self.outcome.calls
        if by is None and not self.outcome.recorded:
            self.shown = None
            return
        if by is not None and self.outcome.stopped:
            self.shown = None
            return
        known = next((run for run in self.runs if (run.wish, run.by) == (wish, by) and by is None), None)
        self.shown = known or Run(len(self.runs) + 1, wish, by, *answer)
        if known is None:
            self.runs = (*self.runs, self.shown)[-MOST_RUNS:]

    def fail(self, said: Phrase) -> None:
        self.phase, self.said, self.told = "idle", said, None

    def let_go(self) -> None:
        """What was asked for will not come; it is asked for anew when somebody looks."""
        if self.phase in ("looking", "running"):
            self.phase, self.told, self.waiting, self.asked = "idle", None, (), None

    def show(self, run: Run) -> None:
        """Back to an earlier run."""
        self.shown, self.facts, self.outcome, self.calls = run, run.facts, run.outcome, run.outcome.calls

    def count_sent(self, by: By, call: Call) -> None:
        """A call that was answered or failed at the provider: its text has left this machine."""
        if summarizers()[by.summarizer].LEAVES and by.consent and call.error not in ("broken", "unreachable"):
            self.sent.calls += 1
            self.sent.tokens += call.input_tokens
            self.sent.to = by.base_url


def recorded_places(state: State) -> tuple[tuple[int, int | None], ...]:
    """(row of a compaction on the path, request after it; None: none was made yet), in order."""
    session, timeline = state.session, state.timeline
    found: list[tuple[int, int | None]] = []
    before: int | None = None
    for summary in timeline.summaries:
        row = summary.compaction
        if row is not None and row != before and session.type_of(row) == "compaction":
            found.append((row, summary.request.number))
        before = row
    last = timeline.summaries[-1].request.entry if timeline.summaries else None
    behind: list[tuple[int, int | None]] = []
    for row in reversed(timeline.path):
        if row == last:
            break
        if session.type_of(row) == "compaction":
            behind.append((row, None))
    return (*found, *reversed(behind))
