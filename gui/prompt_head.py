"""What stands above the blocks of a prompt: the headline, the switch Prompt | Raw, the budget bar."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.headline import headline, runs
from core.phrase import phrase
from gui.budget_bar import RESERVES, Budget, BudgetBar
from gui.headline import Headline
from gui.segmented import Segmented
from gui.state import State
from gui.theme import INSET, Look
from gui.translation import language, say


class PromptHead(QWidget):
    """`raw_wanted` tells what was chosen on the switch."""

    raw_wanted = Signal(bool)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.headline = Headline(look, self)
        self.mode = Segmented(look, "", self)
        self.budget = BudgetBar(look, self)
        self.mode.chosen.connect(lambda index: self.raw_wanted.emit(index == 1))
        self._row = QHBoxLayout()
        self._row.addWidget(self.headline, 1)
        self._row.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignTop)
        self._box = QVBoxLayout(self)
        self._box.addLayout(self._row)
        self._box.addWidget(self.budget)

    def dress(self, raw: bool) -> None:
        """Sizes and words of the current look and language; `raw`: what the switch stands at."""
        theme = self._look.theme
        self._box.setContentsMargins(theme.px(INSET), theme.px(8), theme.px(INSET), theme.px(6))
        self._box.setSpacing(theme.px(4))
        self._row.setSpacing(theme.px(12))
        self.mode.setAccessibleName(say(phrase("prompt.mode")))
        self.mode.show_parts([say(phrase(f"prompt.mode_{name}")) for name in ("prompt", "raw")], int(raw))

    def tell(self, state: State) -> None:
        """Headline and budget of the request in focus."""
        assembled, summary, timeline = state.assembled, state.summary, state.timeline
        self.headline.say(runs(headline(assembled, summary, timeline), language()))
        reserve = RESERVES.get(state.session.format)
        compacts = timeline.window - reserve if reserve is not None and timeline.window > reserve else None
        tokens = summary.tokens if summary is not None else timeline.next_tokens
        self.budget.show_budget(Budget(tokens, assembled.unrecorded, timeline.window, compacts))
