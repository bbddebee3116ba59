"""The Compare tab: the request in focus under two profiles, side by side. A is the profile in use, B another one.

    Under A 3 results are cut; under B 2 are emptied. They part …    [A · article-1] [B · article-2 ▾]
    Tokens sent        ▬▬▬▬▬▬▬▬   ◇ 98,639   ◇ 107,970   +9,331
    Results emptied    ▬          ◇ 1        ◇ 2         +1
    A                                      │ B
    1 – 2   2 blocks                       =   1 – 2   2 blocks
    3   grep -rn "quote"                   ≠   3   ◫ emptied              only what differs is tinted
    4 – 88  85 blocks                      =   4 – 88  85 blocks

Answers are held fixed: the same request, as either profile would have sent it.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from core.compared import Compared, comparing
from core.phrase import phrase
from core.pipeline import Trace
from core.profile import Profile, policies, policy
from gui import compare_rows
from gui.compare_button import SideButton
from gui.compare_page import ComparePage
from gui.compare_pane import ComparePane
from gui.figure_list import FigureHead, FigureList
from gui.figures import LOW
from gui.live_trace import Key
from gui.page_parts import Answer, Pages
from gui.prompt_page import Page
from gui.prompt_texts import Texts
from gui.slices import Slices
from gui.state import Change, State
from gui.theme import INSET, Look
from gui.translation import language
from gui.view import View

OTHERS = {"article-1": "article-2", "article-2": "article-1", "pi": "openclaw-2026.4.5"}
USUAL = "openclaw-2026.3.24"
NARROW = 700
"""Pixels at 100 % below which the sides are named under the answer."""


def other_of(profile: Profile) -> Profile:
    """The policy that one would compare a profile with first."""
    name = OTHERS.get(profile.base or profile.id, USUAL)
    return policy("openclaw-2026.4.5" if name == profile.id else name)


class CompareView(View):
    """`other`: the profile of side B; None = the usual one beside that in use."""

    ID = "compare"

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.other: Profile | None = None
        self.found: Compared | None = None
        self._of: State | None = None
        self._texts = Texts()
        self._wanted: tuple[Trace, Profile] | None = None
        self._shown: tuple[Trace, Profile] | None = None
        self._page: ComparePage | None = None
        self._comparing: Slices | None = None
        self.answer = Answer(look)
        self.sides = (SideButton(look, "a"), SideButton(look, "b"))
        self.head = FigureHead(look)
        self.list = FigureList(look, choosable=False, row_height=LOW)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pane = ComparePane(look)
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top.addWidget(self.answer, 1)
        self._buttons = QHBoxLayout()
        for side in self.sides:
            self._buttons.addWidget(side, 0, Qt.AlignmentFlag.AlignTop)
        self._buttons.addStretch(1)
        self._top.addLayout(self._buttons)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._top)
        for part in (self.head, self.list):
            column.addWidget(part)
        column.addWidget(self.pane, 1)
        self.pages = Pages(look, page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        self.setFocusProxy(self.pane.list)
        self.sides[1].chosen.connect(self.compare_with)
        self.sides[1].pinned.connect(self.pin)
        self.restyle()
        self.show_state(None)

    def restyle(self) -> None:
        theme = self.look.theme
        self._buttons.setSpacing(theme.px(6))
        self._arrange()

    def _arrange(self) -> None:
        """Beside the answer where there is room, else below it; the numbers leave the larger part to the blocks."""
        theme = self.look.theme
        narrow = self.width() < theme.px(NARROW)
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._top.direction() != direction:
            self._top.setDirection(direction)
        left, top = (theme.px(INSET - 8), 0) if narrow else (0, theme.px(8))
        self._buttons.setContentsMargins(left, top, theme.px(INSET), theme.px(8))
        self._top.setSpacing(0)
        most = max(3 * theme.px(LOW), round(self.height() * 0.32))
        height = min(self.list.content_height + 2, most)
        if height != self.list.height():
            self.list.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # what the person asks for

    def compare_with(self, other: Profile) -> None:
        """Another policy as side B."""
        self.other = other
        self._ask()

    def pin(self) -> None:
        """The profile in use, as it is now, becomes side B: what is changed from here on is told against it."""
        if self.state is not None:
            self.compare_with(self.state.profile)

    def copy(self) -> None:
        """The selected text of the column in use, else that of the row in focus."""
        if text := self.pane.copied():
            QGuiApplication.clipboard().setText(text)

    # projection

    @property
    def settling(self) -> bool:
        state = self.state
        return state is not None and (state.stale or state.carried.unsettled or not _same(self._shown, self._wanted))

    def refresh(self, change: Change) -> None:
        state = self.state
        if change & Change.LOOK:
            self.restyle()
        if state is not self._of:
            self._of, self._texts = state, Texts()
            self.found = self._page = self._wanted = self._shown = None
            self._leave()
        if state is None or not (state.assembled.blocks or state.assembled.request):
            self.pages.show_empty(phrase("compare.no_session" if state is None else "compare.no_messages"))
            return
        self._ask()
        self._show()

    @property
    def _b(self) -> Profile:
        assert self.state is not None
        return self.other if self.other is not None else other_of(self.state.profile)

    def _ask(self) -> None:
        """The trace of B, unless it is known or on its way; never while that of A is not up to date."""
        state = self.state
        if state is None:
            return
        base = policies().get(self._b.base or self._b.id)
        self.sides[0].show_profile(state.profile, len(state.changes()))
        self.sides[1].show_profile(self._b, _changed(self._b, base))
        trace = state.trace
        if trace is None or state.stale or state.grasped or state.carried.pending:
            return
        wanted = (trace, self._b)
        if _same(wanted, self._wanted):
            return
        self._wanted = wanted
        key: Key = (state.timeline.leaf, state.cursor.request)
        if not state.carried.fetch(key, self._b, lambda: self._run(wanted)):
            self._run(wanted)

    def _run(self, wanted: tuple[Trace, Profile]) -> None:
        if self.state is not None and _same(wanted, self._wanted):
            self.state.compare("compare", lambda found: self._take(wanted, found), profile=wanted[1])

    def _take(self, wanted: tuple[Trace, Profile], found: Trace) -> None:
        """Compare the two, in slices: a long prompt would hold the window up."""
        state = self.state
        if state is None or not _same(wanted, self._wanted):
            return
        summaries = state.timeline.summaries
        request = state.assembled.request or (summaries[-1].request if summaries else None)
        price = (request.model, request.start, request.usage.prompt) if request is not None else ("", None, 0)
        self._leave()
        answers: list[Compared] = []

        def work() -> Iterator[None]:
            for answer in comparing(wanted[0], found, state.tokens_of, *price):
                answers.extend([answer] if answer is not None else ())
                yield

        self._comparing = Slices(work(), lambda: self._took(wanted, found, answers[-1]), self)

    def _leave(self) -> None:
        """What is being compared is of no use any more."""
        if self._comparing is not None:
            self._comparing.cancel()
            self._comparing.deleteLater()
            self._comparing = None

    def _took(self, wanted: tuple[Trace, Profile], found: Trace, answer: Compared) -> None:
        state = self.state
        if state is None or not _same(wanted, self._wanted):
            return
        self.found = answer
        page = Page(state, state.assembled, self._texts)
        self._page = ComparePage(
            page,
            wanted[0].blocks,
            found.blocks,
            (self.found.a.tokens, self.found.b.tokens),
            self.pane.folds,
            self.pane.known,
            compared=self.found,
            traces=(wanted[0], found),
            states=state.shown.states if state.cursor.step is None else (),
        )
        self._shown = wanted
        self._show()

    def _show(self) -> None:
        stale = not _same(self._shown, self._wanted) or (self.state is not None and self.state.stale)
        self.pane.list.dim(stale and self._page is not None)
        self.list.stale = stale
        if self.found is None:
            self.pages.show_empty(phrase("compare.computing"))
            return
        self.pages.show_page()
        self.answer.say(compare_rows.headline(self.found))
        figures = compare_rows.figures(self.found)
        self.head.show_figures(figures)
        self.list.show_figures(figures)
        self._arrange()
        self.list.setAccessibleName(figures.head)
        self.pane.show_compared(self._page, (self.look.theme, language()))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not _same(self._shown, self._wanted):
            self._leave()
            self._wanted = None  # begun anew when it is looked at again

    # keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_J):
            self.pane.step(1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_K):
            self.pane.step(-1)
        elif key == Qt.Key.Key_F and event.modifiers():
            self.pane.toggle_everything()
        elif key == Qt.Key.Key_F:
            self.pane.toggle(self.pane.list.current)
        else:
            super().keyPressEvent(event)


def _same(one: tuple[Trace, Profile] | None, other: tuple[Trace, Profile] | None) -> bool:
    return one is other or (one is not None and other is not None and one[0] is other[0] and one[1] == other[1])


def _changed(profile: Profile, base: Profile | None) -> int:
    if base is None:
        return 0
    return sum(one != other for one, other in zip(profile.instances, base.instances, strict=False))
