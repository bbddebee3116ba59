"""The part of State that computes: the prompt of a request from the file, and what its steps start from.

    session, timeline, counts ─▶ assembled (step 0) ─▶ start ─▶ steps (gui/replayed.py)
    tools and system prompt come from traces (gui/traced.py), what earlier requests hand on from gui/carried.py

Both come late: what was made without them is made again.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from core import assembled as assembling
from core import steps
from core.assembled import Assembled
from core.context import at_kinds, kept_rows, of_row
from core.counter import Counter
from core.counts import Counts
from core.messages import Json, Message
from core.paths import as_array
from core.pipeline import Sizes, Trace
from core.profile import Profile, default_policy
from core.prompt import Block
from core.session import Session
from core.session_key import NOTHING, Told
from core.steps import Memory, Start
from core.summaries import Summaries
from core.timeline import Timeline
from gui.against import Chosen
from gui.bodies import Bodies as Bodies
from gui.body_desk import BodyDesk
from gui.carried import Carried
from gui.cursor import Change as Change
from gui.cursor import Cursor as Cursor
from gui.live_trace import HELD, KEPT, LEAST, Key, Prepared
from gui.replayed import Replayed
from gui.traced import Traced

if TYPE_CHECKING:
    from core.recorded_facts import RecordedPrompt


LONG_PATH = 50_000
"""Entries of a path from which on making a prompt of it has a turn of its own."""
MEMORY = 60_000
"""Edited blocks that are remembered at most, until it begins anew."""


class Prompts(Replayed):
    """Base of State: one open session and the prompts of its requests. Keeps the last few."""

    def __init__(
        self,
        session: Session,
        timeline: Timeline,
        counts: Counts,
        parent: QObject | None = None,
        counter: Counter | None = None,
    ) -> None:
        """`counter`: counts what layers made; without it their size is scaled from what they replaced."""
        super().__init__(parent)
        self._session = session
        self._timeline = self._untold = timeline
        """As it is shown, and as it came: without what traces tell of its breaks."""
        self._counts = counts
        self._cursor = Cursor(leaf=timeline.leaf)
        self.desk = BodyDesk(lambda: self._session, self.at_hand, self)
        """Where the window says who reads what it must not wait for."""
        self._bodies = Bodies(session, self.desk.far, self.desk.stand_in)
        self._assembled: OrderedDict[tuple[int | None, int | None], Assembled] = OrderedDict()
        self._early: tuple[Timeline, int | None, Assembled] | None = None
        """A prompt that was made before its timeline is shown."""
        self._starts: OrderedDict[tuple[int | None, str], Start] = OrderedDict()
        self._memory = Memory()
        self._counter = counter
        self.told = NOTHING
        """What stands beside the session file: its key."""
        self.carried = Carried(lambda: (self._key(), self.profile), self._needs_carries, self)
        self.carried.came.connect(self._carries_came)
        self.carried.waits.connect(lambda: self.changed.emit(Change.TRACE))
        self.traced = Traced(self._key, self)
        self.traced.came.connect(self._trace_came)
        self.traced.path_came.connect(self._path_came)
        self.against = Chosen(lambda: (self._key(), self.profile, self.traced.paths), self)
        self.against.came.connect(lambda: self.changed.emit(Change.TRACE))
        self.changed.connect(self._stir)

    @property
    def session(self) -> Session:
        return self._session

    @property
    def timeline(self) -> Timeline:
        return self._timeline

    @property
    def counts(self) -> Counts:
        return self._counts

    def body(self, row: int) -> Json:
        return self._bodies.body(row)

    def message(self, row: int) -> Message | None:
        return self._bodies.message(row)

    def at_hand(self, row: int) -> bool:
        """Its body can be had at once."""
        return self._bodies.at_hand(row)

    @property
    def assembled(self) -> Assembled:
        """The prompt of the request in focus."""
        return self._assembled_at(self._cursor.request)

    def _assembled_at(self, request: int | None) -> Assembled:
        key = (self._timeline.leaf, request)
        found = self._assembled.get(key)
        if found is None:
            early, self._early = self._early, None
            if early is not None and early[0] is self._untold and early[1] == request:
                found = early[2]
            else:
                found = self._assemble(self._timeline, self._counts, request)
            found = self._assembled[key] = found.with_leading(self.traced.of(key).leading)
            blocks = sum(len(held.blocks) for held in self._assembled.values())
            while len(self._assembled) > KEPT or (len(self._assembled) > 2 * LEAST and blocks > HELD):
                blocks -= len(self._assembled.popitem(last=False)[1].blocks)
        else:
            self._assembled.move_to_end(key)
        return found

    def _assemble(self, timeline: Timeline, counts: Counts, request: int | None) -> Assembled:
        held = self._bodies
        return assembling.assemble(
            self._session, timeline, counts, request, message=held.message, body=held.body, block=held.block
        )

    def reading(self, timeline: Timeline, counts: Counts, request: int | None) -> Iterator[None]:
        """Parses what the prompt of a request needs, a row at a time, and makes the prompt: whoever runs it pauses as
        often as it likes, and when the timeline is shown `assembled` has nothing left to do."""
        path, summaries = as_array(timeline.path), timeline.summaries
        if isinstance(summaries, Summaries):
            yield from summaries.making()
        if request is not None:
            path = path[: int(np.argmax(path == summaries[request - 1].request.entry))]
        path = path[path < len(self._session)]  # of a file that grows the timeline may be further than the rows
        whole = array("q", path.tobytes())
        for at in at_kinds(self._session, whole, ("compaction", "reset")):
            self.body(whole[at])
            yield
        for row in kept_rows(self._session, whole, self.body):
            message = self.message(row)
            if message is not None:
                self._bodies.block(message, of_row(row))
            yield
        yield
        if len(timeline.path) > LONG_PATH and len(self._session) > as_array(timeline.path).max():
            self._early = timeline, request, self._assemble(timeline, counts, request)
            yield

    def _hold(self, timeline: Timeline, counts: Counts) -> None:
        """Another timeline of the path in view, or of another one."""
        self._untold, self._counts = timeline, counts
        found = self.traced.path
        if found is not None:
            from core.traced_breaks import retold  # a window that opens no traced session never needs it

            timeline = retold(timeline, found.breaks)
        self._timeline = timeline

    def _path_came(self) -> None:
        """What traces tell of all requests: breaks get the causes that they show."""
        self._hold(self._untold, self._counts)
        self.changed.emit(Change.TRACED)

    @property
    def recorded(self) -> RecordedPrompt:
        """What traces tell of the request in focus."""
        return self.traced.of(self._key())

    def _key(self) -> Key:
        return self._timeline.leaf, self._cursor.request

    def _policy(self) -> Profile:
        return default_policy(self._session.format)

    def _start(self, request: int | None, profile: Profile) -> Start:
        """What the steps of a request start from; kept for the last few requests, measures and edits for all."""
        key = (request, profile.family)
        found = self._starts.get(key)
        if found is None:
            if len(self._memory.memo) > MEMORY:
                self._memory = Memory()
            found = steps.begin(
                self._session,
                self._timeline,
                self._counts,
                self._assembled_at(request),
                profile,
                counter=self._counter,
                memory=self._memory,
                told=self.told,
            )
            self._starts[key] = found
            while len(self._starts) > 8:
                self._starts.popitem(last=False)
        return found

    def tokens_of(self, block: Block) -> int:
        """Tokens of a block of the request in focus, by the counter in use."""
        return self._sizes.tokens(block)

    @property
    def _sizes(self) -> Sizes:
        return self._start(self._cursor.request, self.profile).sizes

    def _prepared(self, key: Key, profile: Profile) -> Prepared:
        start = self._start(key[1], profile)

        def run(profile: Profile, previous: Trace | None, end: int) -> Trace:
            shorter = replace(profile, instances=profile.instances[: end - 1])
            before = (previous, shorter) if end else (None, None)
            return steps.run(start, profile, *before, self.carried.of(key, profile))

        return Prepared(run, len(start.assembled.blocks))

    @property
    def stale(self) -> bool:
        """Also while what earlier requests hand on is worked out."""
        return super().stale or self.carried.waiting

    def tell(self, told: Told) -> None:
        """A person says what stands beside the file: the agent's key of the session."""
        if told != self.told:
            self.told = told
            self._starts.clear()
            self.carried.forget()
            self._live.forget()
            self.changed.emit(Change.PROFILE | Change.TRACE)

    def _lacks(self, key: Key, profile: Profile, came: Callable[[], None]) -> bool:
        def learned() -> None:
            self._live.unkeep(key)  # it was made without
            came()

        return self.carried.fetch(key, profile, learned)

    def _needs_carries(self, key: Key, profile: Profile) -> bool:
        from core.replay import carrying  # not before the first session is shown

        return bool(carrying(self._start(key[1], profile), profile))

    def _stir(self, change: Change) -> None:
        if change & (Change.CURSOR | Change.PROFILE | Change.TIMELINE):
            self.carried.stir()
        if change & (Change.CURSOR | Change.TIMELINE):
            self.traced.stir()
        self.against.stir()

    def _trace_came(self, key: Key) -> None:
        """Tools and system prompt of a request, from a trace."""
        found = self._assembled.get(key)
        if found is not None:
            self._assembled[key] = found.with_leading(self.traced.of(key).leading)
        self.changed.emit(Change.TRACE)

    def _carries_came(self, key: Key) -> None:
        """Steps at hand may have run without what earlier requests hand on."""
        if self._live.key == key:
            self._live.renew()
        self.changed.emit(Change.TRACE)

    def _forget_prompts(self, grown: bool = False) -> None:
        """`grown`: the same path is longer; what traces tell of its beginning holds until they are asked again."""
        self._assembled.clear()
        self._starts.clear()
        self._live.forget()
        self.carried.forget()
        self.traced.forget(grown)
        self.against.forget()
        self.drop_comparisons()  # requests may have other numbers, or none
