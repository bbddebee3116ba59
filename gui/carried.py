"""What earlier requests hand to the one in focus (sticky cuts, when pruning touched the cache), as far as it is known.

    request, profile ─▶ does anything carry? ─▶ known? ─▶ else asked for, once the person rests ─▶ the steps run anew

Until it is known the steps run with what was known last of the same request; when that takes long `waiting` says so.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from core.profile import Instance, Profile
from gui.live_trace import Key

RESTS = 150
"""Milliseconds without another request or profile before earlier requests are asked for."""
PATIENCE = 250
"""Milliseconds that they may take before the steps are told to be out of date: what comes sooner would only flicker."""
KEPT = 12
"""Requests, and profiles of each, that are remembered."""

Carries = Mapping[str, object]
"""As `core.replay` has it, which the window need not know before a session is shown."""
Ask = Callable[[Key, Profile, Callable[[Carries | None], None], str], None]
"""(request, profile, what to do with the answer, lane): of one lane the newest counts. None: there is no answer."""
FOCUS, OTHER = "focus", "other"


@dataclass(frozen=True, slots=True)
class _Known:
    instances: tuple[Instance, ...]
    window: int | None
    carries: Carries

    def fits(self, profile: Profile) -> bool:
        """Whether it is of this profile, or of one that this is the beginning of."""
        size = min(len(profile.instances), len(self.instances))
        return self.window == profile.window and self.instances[:size] == profile.instances[:size]


class Carried(QObject):
    """`needs(key, profile)`: may earlier requests matter to this one? `now()`: request and profile in focus."""

    came = Signal(object)
    """Key of a request: what it waited for is known, and its steps must run anew."""
    waits = Signal()
    """It takes long, or has ended without news."""

    def __init__(
        self,
        now: Callable[[], tuple[Key, Profile]],
        needs: Callable[[Key, Profile], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.ask: Ask | None = None
        """Set by the window: has the carries worked out and handed over."""
        self._now, self._needs = now, needs
        self._known: OrderedDict[Key, list[_Known]] = OrderedDict()
        self._others: list[tuple[Key, Profile, list[Callable[[], None]]]] = []
        """What `fetch` asked for and has not got: only the first is under way."""
        self._asked: tuple[Key, Profile] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RESTS)
        self._timer.timeout.connect(self.look)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE)
        self._patience.timeout.connect(self.waits)
        self._given_up: tuple[Key, Profile] | None = None

    @property
    def pending(self) -> bool:
        """Whether what earlier requests hand to the one in focus is asked for."""
        return self._asked is not None and self._asked == self._now()

    @property
    def unsettled(self) -> bool:
        """Whether it is, or may be asked for soon."""
        return self.pending or self._timer.isActive()

    @property
    def waiting(self) -> bool:
        """Whether it has been for so long that the steps should be told to be out of date."""
        return self.pending and not self._patience.isActive()

    def of(self, key: Key, profile: Profile) -> Carries:
        """What is known for this request under this profile, else what was known last of the request."""
        known = self._known.get(key, [])
        found = next((item for item in known if item.fits(profile)), known[0] if known else None)
        return found.carries if found is not None else {}

    def forget(self) -> None:
        """Another path or other counts: nothing holds."""
        self._known.clear()
        self._others.clear()
        self._asked = self._given_up = None
        self._timer.stop()
        self._patience.stop()

    def stir(self) -> None:
        """Request or profile may be another."""
        if self.ask is not None:
            self._timer.start()

    def look(self) -> None:
        """Ask for what the request in focus lacks."""
        self._timer.stop()
        key, profile = self._now()
        if self.ask is None or (key, profile) in (self._asked, self._given_up) or self.knows(key, profile):
            return
        if self._needs(key, profile):
            self._asked = (key, profile)
            self._patience.start()
            self.ask(key, profile, lambda found: self._take(key, profile, found), FOCUS)

    def fetch(self, key: Key, profile: Profile, done: Callable[[], None]) -> bool:
        """For another profile than the one in use: False when all is known that its steps need, else `done` is called
        once it is."""
        if self.ask is None or self.knows(key, profile) or not self._needs(key, profile):
            return False
        for asked, made, waiting in self._others:
            if (asked, made) == (key, profile):
                waiting.append(done)
                return True
        self._others.append((key, profile, [done]))
        if len(self._others) == 1:
            self._ask_other()
        return True

    def _ask_other(self) -> None:
        """One after the other: a newer question in the lane would take the place of the one before."""
        asked = self._others[0]
        key, profile, waiting = asked

        def take(found: Carries | None) -> None:
            if not self._others or self._others[0] is not asked:
                return  # forgotten since
            del self._others[0]
            if found is not None:
                self.learn(key, profile, found)
            if self._others:
                self._ask_other()
            for done in waiting:
                done()

        assert self.ask is not None
        self.ask(key, profile, take, OTHER)

    def knows(self, key: Key, profile: Profile) -> bool:
        from core.replay import hands_on  # not before the first session is shown

        whole = hands_on(profile)
        return any(item.instances == whole and item.window == profile.window for item in self._known.get(key, []))

    def _take(self, key: Key, profile: Profile, found: Carries | None) -> None:
        if self._asked == (key, profile):
            self._asked = None
            self._patience.stop()
        if found is None:  # stopped, or it cannot be read: the steps stand as they are
            self._given_up = (key, profile)
            self.waits.emit()
            return
        fresh = self.of(key, profile) != found
        self.learn(key, profile, found)
        if fresh:
            self.came.emit(key)
        elif (key, profile) == self._now():
            self.waits.emit()

    def learn(self, key: Key, profile: Profile, found: Carries) -> None:
        """What was worked out for a request."""
        from core.replay import hands_on

        held = self._known.setdefault(key, [])
        held.insert(0, _Known(hands_on(profile), profile.window, found))
        del held[KEPT:]
        self._known.move_to_end(key)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
