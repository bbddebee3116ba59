"""What stands above the blocks of a prompt: headline, switch, what a provider would refuse, the budget bar.

Sends ◇139,523 tokens (●139,774), 70 % of the window.      [Prompt | Before ⇄ after | Raw]
The guard cut 3 results.                                        Count as the guard does
⊗ Anthropic would refuse this: …
▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core import simulated
from core.headline import headline, runs
from core.judge import Fault
from core.phrase import Phrase, phrase
from core.prompt_budget import GuardBudget, GuardCounts, RoleSums
from core.simulated import Measured
from gui.budget_bar import Budget, BudgetBar
from gui.headline import Headline
from gui.prompt_page import Page
from gui.segmented import Segmented
from gui.state import State
from gui.text_link import TextLink
from gui.theme import INSET, Look, Theme
from gui.translation import language, say

MODES = ("prompt", "pairs", "raw")
FAMILIES = ("anthropic", "openai", "google")


class PromptHead(QWidget):
    """`mode_wanted`: index into MODES. `counting_wanted`: count as the guard does, or not. `fault_pressed`: show the
    first fault."""

    mode_wanted = Signal(int)
    counting_wanted = Signal(bool)
    fault_pressed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.headline = Headline(look, self)
        self.mode = Segmented(look, "", self)
        self.counting = TextLink(look, self)
        self.fault = TextLink(look, self, icon="octagon-x", tone="diff_text", wide=True)
        self.budget = BudgetBar(look, self)
        self._counts = GuardCounts()
        self._sums = RoleSums()
        self._counted = False
        self._dressed: tuple[Theme, str, int] | None = None
        self.mode.chosen.connect(self.mode_wanted)
        self.counting.pressed.connect(lambda: self.counting_wanted.emit(not self._counted))
        self.fault.pressed.connect(self.fault_pressed)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignRight)
        right.addWidget(self.counting, 0, Qt.AlignmentFlag.AlignRight)
        right.addStretch(1)
        self._row = QHBoxLayout()
        self._row.addWidget(self.headline, 1)
        self._row.addLayout(right)
        self._box = QVBoxLayout(self)
        self._box.addLayout(self._row)
        self._box.addWidget(self.fault)
        self._box.addWidget(self.budget)
        self.fault.hide()

    def dress(self, mode: int) -> None:
        """Sizes and words of the current look and language; `mode`: what the switch stands at."""
        theme = self._look.theme
        if self._dressed == (dress := (theme, language(), mode)):
            return  # the same sizes, said again, would lay out the whole window
        self._dressed = dress
        self._box.setContentsMargins(theme.px(INSET), theme.px(8), theme.px(INSET), theme.px(6))
        self._box.setSpacing(theme.px(4))
        self._row.setSpacing(theme.px(12))
        self.mode.setAccessibleName(say(phrase("prompt.mode")))
        self.mode.show_parts([say(phrase(f"prompt.mode_{name}")) for name in MODES], mode)

    def tell(self, page: Page, counted: bool) -> None:
        """Headline and budget of the prompt shown; `counted`: as the guard counts, where a guard is in the profile."""
        state, stage = page.state, page.stage
        guarded = any(found.layer == "guard_context" and found.on for found in state.profile.instances)
        self._counted = counted and guarded and stage is not None
        words = "" if not guarded or stage is None else "budget.in_tokens" if self._counted else "budget.in_guard"
        self.counting.say(say(phrase(words)) if words else "")
        self.headline.say(runs(self._headline(page), language()))
        self.budget.show_budget(self._guard_budget(page) if self._counted else _budget(page, self._sums))

    def tell_faults(self, faults: Sequence[Fault], family: str) -> None:
        """What the provider would refuse; nothing when there is nothing."""
        if not faults:
            self.fault.say("")
            return
        name = say(phrase(f"headline.family_{family if family in FAMILIES else 'other'}"))
        said = {"family": name, "what": faults[0].message}
        more = len(faults) - 1
        self.fault.say(
            say(phrase("headline.refused_more", **said, n=more) if more else phrase("headline.refused", **said))
        )

    def _guard_budget(self, page: Page) -> GuardBudget:
        stage, profile = page.stage, page.state.profile
        assert stage is not None
        return self._counts.budget(stage.trace, stage.number, profile, window_of(page.state))

    def _headline(self, page: Page) -> Phrase:
        state, stage = page.state, page.stage
        if stage is None or not is_news(page):
            return headline(state.assembled, state.summary, state.timeline)
        measured = measured_of(page)
        if self._counted and stage.step is None:
            return simulated.counts(stage.trace, measured)
        if stage.step is not None:
            return simulated.stands(stage.step, measured)
        return simulated.sends(stage.trace, measured)


def is_news(page: Page) -> bool:
    """Whether there is more to say than what the file records: a step in focus, a changed profile, or layers that
    changed what is said."""
    stage, state = page.stage, page.state
    if stage is None:
        return False
    return stage.step is not None or bool(state.changes()) or bool(simulated.told(stage.trace))


def window_of(state: State) -> int:
    """Tokens of the window under the profile in use."""
    return state.profile.window or state.timeline.window


def measured_of(page: Page) -> Measured:
    state = page.state
    usage = state.summary.request.usage if state.summary is not None else None
    return Measured(
        page.tokens,
        page.assembled.unrecorded,
        usage.prompt if usage is not None and usage.any else None,
        window_of(state),
        state.timeline.window_known or state.profile.window is not None,
    )


def _budget(page: Page, sums: RoleSums) -> Budget:
    state, shown = page.state, page.assembled
    window, reserve = window_of(state), state.profile.reserve
    compacts = window - reserve if 0 < reserve < window else None
    sizes = {name: sum(item.tokens for item in shown.leading if item.section == name) for name in ("system", "tools")}
    leading = tuple((name, size) for name, size in sizes.items() if size)
    return Budget(sums.of(shown.blocks, shown.tokens), shown.unrecorded, window, compacts, leading)
