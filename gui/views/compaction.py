"""The Compaction tab: what a compaction takes, what it keeps, what it loses; run it, break it, compare, append.

It goes with the cursor or stands at a recorded compaction. Planning, running and auditing happen in the worker: whoever
binds the view (gui/compaction_binding.py) hears what is wanted and brings the answers to `take`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from core.headline import runs
from core.payback import Payback
from core.phrase import Phrase
from core.summarizing import Call
from gui.compaction_bars import PAGES, Confirm, Head, Left
from gui.compaction_desk import FOLLOW, Desk, Sent
from gui.compaction_facts import By, Facts, Outcome, Wish
from gui.compaction_mark import Marked
from gui.compaction_options import Options
from gui.compaction_pages import CallsPage, RunsPage
from gui.compaction_panes import Panes
from gui.compaction_removed import removed
from gui.compaction_words import headline, place_words
from gui.request_marks import paid_back
from gui.state import Change, State
from gui.theme import Look
from gui.translation import language
from gui.view import View

OVERVIEW, CALLS, RUNS, SETTINGS = range(len(PAGES))
SOON_MS = 120
"""A cut is asked for when the cursor or a slider has rested so long."""
KEEPS = (10_000, 20_000, 40_000)


class CompactionView(View):
    """`path_of`: set by the binder: the path of a State as the worker knows it. `look_wanted(wish)`,
    `run_wanted(wish, by)`, `stop_wanted`, `append_wanted(run)`: for the worker. One Desk for a session."""

    ID = "compaction"
    look_wanted = Signal(object)
    run_wanted = Signal(object, object)
    stop_wanted = Signal()
    append_wanted = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.path_of: Callable[[State], str] = lambda state: state.session.path
        self._sent = Sent()
        self.desk = Desk(sent=self._sent)
        self._runner: Desk | None = None
        self._desks: WeakKeyDictionary[State, Desk] = WeakKeyDictionary()
        self.head = Head(look)
        self.confirm = Confirm(look)
        self.panes = Panes(look, lambda rows: removed(self.state, rows))
        self.calls, self.history, self.options = CallsPage(look), RunsPage(look), Options(look)
        self.foot = Left(look)
        self.stack = QStackedWidget()
        for page in (self.panes, self.calls, self.history, self.options):
            page.setMinimumHeight(1)  # the headline comes first where there is little height
            self.stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.head, self.confirm, self.stack, self.foot):
            column.addWidget(widget, int(widget is self.stack))
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._ask)
        self._connect()
        self.setFocusProxy(self.head.pages)

    def _connect(self) -> None:
        head, panes = self.head, self.panes
        head.placed.connect(self.choose_place)
        head.paged.connect(self.show_page)
        head.chosen.connect(self.choose_summarizer)
        head.run.connect(self.run)
        head.saved.connect(lambda: self.append_wanted.emit(self.desk.shown))
        self.confirm.sent.connect(self.send)
        self.confirm.left.connect(self.do_not_send)
        panes.broken.connect(self.break_rung)
        panes.named.connect(self.focus_name)
        self.history.picked.connect(self.show_run)
        self.history.series.connect(self.run_series)
        self.options.changed.connect(self._changed)
        self.foot.cancelled.connect(self.stop_wanted)

    # projecting the state

    def show_state(self, state: State | None) -> None:
        if state is not self.state:
            self._soon.stop()
            if self.state is not None:
                self.state.mark(None)
            if self.desk.phase != "running":  # what is under way will be another's answer
                self.desk.let_go()
            self.desk = self._desk_of(state)
        super().show_state(state)

    def _desk_of(self, state: State | None) -> Desk:
        """Each session keeps its own while it is open."""
        if state is None:
            return Desk(sent=self._sent)
        return self._desks.setdefault(state, Desk(sent=self._sent))

    @property
    def settling(self) -> bool:
        return self._soon.isActive() or self.desk.phase in ("looking", "running")

    def refresh(self, change: Change) -> None:
        state = self.state
        if change & Change.LOOK:
            self.panes.restyle()
        if state is None:
            self.show_desk()
            return
        if change & (Change.SESSION | Change.TIMELINE):
            self._take_places(state)
        moved = self.desk.take_policy(state)
        wish = self.desk.wish(state, self.path_of(state))
        if moved or wish != self.desk.asked:
            self._want()
        if change & ~(Change.TRACE | Change.COMPACTION):
            self.show_desk()

    def _take_places(self, state: State) -> None:
        """Where a session has compactions, the first one is looked at to begin with."""
        known = [row for row, _ in self.desk.places(state)]
        if self.desk.asked is None and known and self.desk.place == FOLLOW:
            self.desk.place = known[0]
        elif self.desk.place != FOLLOW and self.desk.place not in known:
            self.desk.place = FOLLOW

    def _want(self) -> None:
        """Ask for the cut when things have settled; a run under way goes on."""
        if self.desk.phase != "running" and self.isVisible():
            self._soon.start(SOON_MS)

    def _ask(self) -> None:
        state, desk = self.state, self.desk
        if state is None or desk.phase == "running":
            return
        wish = desk.wish(state, self.path_of(state))
        desk.asked, desk.phase, desk.shown = wish, "looking", None
        self.look_wanted.emit(wish)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.state is not None:
            self.state.mark(None)

    # what the worker brings

    def take_facts(self, wish: Wish, facts: Facts) -> None:
        if wish == self.desk.asked:
            self.desk.take_facts(facts)
            self.show_desk()

    def take(self, wish: Wish, by: By | None, answer: tuple[Facts, Outcome]) -> None:
        """The end of a look or of a run; a run may belong to a session that is not the one on screen."""
        desk = self._runner if by is not None else self.desk
        if desk is None or (by is None and wish != desk.asked):
            return
        desk.take(wish, by, answer)
        if by is not None and desk is self.desk and self.state is not None:
            desk.asked = desk.wish(self.state, self.path_of(self.state))  # what is on screen stays until somebody moves
        if desk.outcome is not None and desk.outcome.stopped:
            desk.waiting = ()
        self._go_on(desk)
        self.show_desk()

    def _go_on(self, desk: Desk) -> None:
        """The next run of a series."""
        if desk.waiting:
            (wish, by), desk.waiting = desk.waiting[0], desk.waiting[1:]
            self._begin(desk, wish, by)

    def take_call(self, by: By, call: Call) -> None:
        desk = self._runner
        if desk is not None:
            desk.count_sent(by, call)
            desk.calls = (*desk.calls, call)
        if desk is self.desk:  # only what a call changes: there may be hundreds
            page = self.stack.currentIndex()
            if page == OVERVIEW:
                self.panes.ladder.show_ladder(desk, desk.facts, desk.outcome)
            elif page == CALLS:
                self.calls.show_desk(desk)
            self.foot.show_desk(desk)

    def tell(self, said: Phrase) -> None:
        """How far the worker is."""
        if said != self.desk.told and self.desk.phase in ("looking", "running"):
            self.desk.told = said
            self.foot.show_desk(self.desk)

    def give_up(self) -> None:
        """What was asked for will not come: it was stopped before it began."""
        waiting = [desk for desk in {id(one): one for one in (self.desk, self._runner)}.values() if desk is not None]
        for desk in waiting:
            desk.let_go()
        self._runner = None
        self.show_desk()

    def fail(self, wish: Wish, said: Phrase) -> None:
        """Nothing to summarise, a summarizer that cannot be made, a file that cannot be read. A series goes on."""
        desk = self._runner
        if desk is not None and desk.phase == "running":
            desk.fail(said)
            self._go_on(desk)
        elif wish == self.desk.asked:
            self.desk.fail(said)
            self.desk.facts = self.desk.outcome = None
        self.show_desk()

    # what is on screen

    def show_desk(self) -> None:
        state, desk = self.state, self.desk
        request = state.cursor.request if state is not None else None
        places: Sequence[tuple[int, int | None]] = self.desk.places(state) if state is not None else ()
        names = [place_words(request, recorded=False), *(place_words(number, recorded=True) for _, number in places)]
        rows = [FOLLOW, *(row for row, _ in places)]
        self.head.show_places(names, rows.index(desk.place) if desk.place in rows else 0)
        words = headline(desk, bool(places))
        self.head.show_desk(desk, runs(words, language()), self.stack.currentIndex())
        self.confirm.show_desk(desk)
        self.foot.show_desk(desk)
        page = self.stack.currentIndex()
        if page == OVERVIEW:
            self.panes.show_desk(desk, self._first_kept(), self._usage())
        elif page == CALLS:
            self.calls.show_desk(desk)
        elif page == RUNS:
            self.history.show_desk(desk)
        else:
            self.options.show_desk(desk)
        self._mark()

    def _usage(self) -> Payback | None:
        """What the recorded compaction came to by recorded usage."""
        state, facts, outcome = self.state, self.desk.facts, self.desk.outcome
        if state is None or facts is None or outcome is None or not outcome.recorded or facts.request is None:
            return None
        return paid_back(state.timeline).get(facts.request)

    def _first_kept(self) -> str:
        row = self.desk.facts.first_kept if self.desk.facts is not None else None
        if row is None or self.state is None or row >= len(self.state.session):
            return ""
        return self.state.session.columns.ids[row]

    def _mark(self) -> None:
        """Graph and plot show what is looked at here."""
        state, facts, outcome = self.state, self.desk.facts, self.desk.outcome
        if state is None or not self.isVisible():
            return
        if facts is None or not facts.rows:
            state.mark(None)
            return
        recorded = outcome is not None and outcome.recorded
        payback = outcome.payback if outcome is not None else None
        name = self.panes.name
        named = frozenset(name.rows) if name is not None else frozenset()
        state.mark(Marked(tuple(sorted(facts.rows)), facts.request, not recorded, payback, named))

    # what a person does

    def choose_place(self, index: int) -> None:
        """0: with the cursor; else a recorded compaction, in order."""
        state = self.state
        if state is None:
            return
        places = self.desk.places(state)
        self.desk.place = FOLLOW if index == 0 else places[index - 1][0]
        self._changed()

    def show_page(self, page: int) -> None:
        self.stack.setCurrentIndex(page)
        self.show_desk()

    def choose_summarizer(self, name: str) -> None:
        self.desk.summarizer = name
        self.do_not_send()

    def break_rung(self, rung: int, on: bool) -> None:
        self.desk.break_rung(rung, on)
        self.show_desk()

    def focus_name(self, number: int) -> None:
        """Mark an identifier in all panes; the entry that first held it comes in focus."""
        outcome = self.desk.outcome
        name = next((one for one in outcome.names if one.number == number), None) if outcome is not None else None
        if name is self.panes.name:
            return
        self.panes.focus_name(name)
        if name is not None and self.state is not None:
            self.state.go(entry=name.first)
        self._mark()

    def show_run(self, number: int) -> None:
        run = next((one for one in self.desk.runs if one.number == number), None)
        if run is not None and self.desk.phase != "running":
            self.desk.show(run)
            self.show_desk()

    def _changed(self) -> None:
        """Place, settings or words are others: the cut is asked for anew."""
        state = self.state
        if state is not None and self.desk.wish(state, self.path_of(state)) != self.desk.asked:
            self._want()
        self.show_desk()

    # runs

    def run(self) -> None:
        """Run what is planned. Where that leaves this machine, only show what would be sent and ask."""
        desk, state = self.desk, self.state
        if state is None or desk.facts is None or desk.phase not in ("idle", "looking"):
            return
        if desk.leaves:
            desk.phase = "confirming"
            self.panes.text_mode = 0
            self.show_page(OVERVIEW)
            return
        self._begin(desk, desk.wish(state, self.path_of(state)), desk.by())
        self.show_desk()

    def send(self) -> None:
        """A person has seen what would be sent, and wants it to be."""
        state, desk = self.state, self.desk
        if state is None or desk.phase != "confirming":
            return
        wish = desk.wish(state, self.path_of(state))
        if wish != desk.asked:  # not what was shown
            self.do_not_send()
            self._want()
            return
        self._begin(desk, wish, desk.by(consent=True))
        self.show_desk()

    def do_not_send(self) -> None:
        if self.desk.phase == "confirming":
            self.desk.phase = "idle"
        self.show_desk()

    def run_series(self, name: str) -> None:
        """Several runs of one cut, one after another; never of a summarizer that leaves this machine."""
        desk, state = self.desk, self.state
        if state is None or desk.leaves or desk.phase != "idle":
            return
        wish = desk.wish(state, self.path_of(state))
        changes: Sequence[dict[str, object]]
        if name == "keep":
            wish = replace(wish, place=None, request=desk.facts.request if desk.facts is not None else wish.request)
            changes = [{"keep": keep} for keep in KEEPS]
        elif name == "generations":
            changes = [{"generation": generation} for generation in ("2026.3", "2026.4")]
        else:
            changes = [{"identifiers": policy} for policy in ("strict", "off")]
        wishes = [replace(wish, settings=replace(wish.settings, **change)) for change in changes]  # type: ignore[arg-type]
        desk.waiting = tuple((one, desk.by()) for one in wishes[1:])
        self._begin(desk, wishes[0], desk.by())
        self.show_desk()

    def _begin(self, desk: Desk, wish: Wish, by: By) -> None:
        self._soon.stop()
        if self._runner is not None and self._runner is not desk:
            self._runner.let_go()  # of runs, too, the newest counts
        self._runner = desk
        desk.phase, desk.calls, desk.told = "running", (), None
        desk.shown, desk.asked = None, wish
        self.run_wanted.emit(wish, by)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.desk.phase == "confirming" and event.key() == Qt.Key.Key_Escape:
            self.do_not_send()
        else:
            super().keyPressEvent(event)
