"""What the rows of the Prompt tab speak of: the prompt shown, what became of its blocks, what would be refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from core.assembled import Assembled
from core.fate import Fate, Fates, Loss
from core.javascript import joined, units
from core.judge import Fault
from core.pipeline import Step
from core.prompt import Block
from gui.differs import Differs
from gui.prompt_changes import Range, Woven
from gui.prompt_rows import NO_LOSSES, REMOVED, Folds, leading_index
from gui.prompt_text import Document
from gui.prompt_texts import Texts
from gui.stage import Stage
from gui.state import State

MOST_KEPT = 60
"""So many changed blocks stay in sight; where a step changed more, they fold with the others."""
NO_FAULTS: Mapping[int, tuple[Fault, ...]] = {}


@dataclass(eq=False)
class Page:
    """`assembled`: the prompt of the stage in focus; `stage`: None until the steps of the request are known.

    `faults`: by block, of what is sent in the end; they come late, the judge reads every text."""

    state: State
    assembled: Assembled
    texts: Texts
    folds: Folds = field(default_factory=Folds)
    stage: Stage | None = None
    faults: Mapping[int, tuple[Fault, ...]] = field(default_factory=lambda: NO_FAULTS)
    differs: Differs | None = None
    """Where the prompt first differs from that of the request before, or from the chosen one, as far as it is known."""
    until: int | None = None
    """It differs nowhere from the chosen one, which is the same up to this block."""
    _place: tuple[Differs, int | None] | None = None
    """Its character, worked out once."""

    @property
    def step(self) -> Step | None:
        """The step in focus; None = all are applied."""
        return self.stage.step if self.stage is not None else None

    def renew(self, stage: Stage | None) -> None:
        """Another stage that tells the same of every block."""
        self.stage = stage
        self.__dict__.pop("_fates", None)

    @cached_property
    def tokens(self) -> int:
        """Of all messages."""
        return sum(self.assembled.tokens)

    @cached_property
    def losses(self) -> Mapping[int, Loss]:
        """What was cut, emptied, merged or inserted up to the stage, by index: known for all blocks at once."""
        return self.texts.losses(self.assembled.blocks) if self.stage is not None else NO_LOSSES

    @cached_property
    def _fates(self) -> Fates | None:
        stage = self.stage
        return Fates(stage.trace, stage.number, index=self.texts.edits) if stage is not None else None

    def fate(self, index: int) -> Fate | None:
        """What happened to a block up to the stage, and by which steps."""
        return self._fates.of(self.assembled.blocks[index]) if self._fates is not None else None

    @property
    def kept_in_sight(self) -> frozenset[int]:
        """Blocks that no run hides: those that the step in focus changed (all steps: that lost text or were merged),
        and those that a provider would refuse, and the first that differs; unless they are too many."""
        refused = frozenset(self.faults)
        if self.differs is not None and self.differs.block is not None:
            refused |= {self.differs.block}
        return self._changed | refused if len(refused) <= MOST_KEPT else self._changed

    @cached_property
    def _changed(self) -> frozenset[int]:
        if self.step is None:
            found = [index for index, loss in self.losses.items() if loss != "inserted"]
        else:
            found = [edit.index for edit in self.step.edits if edit.after is not None]
        return frozenset(found) if len(found) <= MOST_KEPT else frozenset()

    def woven(self, index: int) -> Woven | None:
        """The block's text with what was removed from it, where that is wanted and anything was."""
        block = self.assembled.blocks[index]
        if block.key not in self.folds.woven or self.losses.get(index) not in REMOVED:
            return None
        return self.texts.woven(block)

    def block(self, index: int) -> Block:
        """A message of the prompt; by the `Row.first` of a LEADING row tools, or a part of the system prompt."""
        return self.assembled.blocks[index] if index >= 0 else self.assembled.leading[leading_index(index)].block

    def document(self, index: int) -> Document:
        """The text that is shown when the block is open; of a LEADING row by its `Row.first`."""
        if index < 0:
            return self.texts.document(self.block(index))
        woven = self.woven(index)
        return woven.document if woven is not None else self.texts.document(self.assembled.blocks[index])

    def difference_at(self, first: int) -> int | None:
        """The character of a row's document at which the prompt first differs from the one before; None where it does
        not, or where the document is not the very text that is sent (tools, calls)."""
        found = self.differs
        if found is None or found.row != first or self.changes(first) != ((), ()):
            return None
        if self._place is None or self._place[0] is not found:
            self._place = found, self._character(found)
        return self._place[1]

    def _character(self, found: Differs) -> int | None:
        if found.unit is None or (
            found.leading is not None and self.assembled.leading[found.leading].section == "tools"
        ):
            return None
        document = self.document(found.row)
        held = [section for section in document.sections if section.held is not None]
        if found.text >= len(held):
            return None
        section = held[found.text]
        text = document.text[section.start : section.end]
        return section.start + (found.unit if text.isascii() else len(joined(units(text)[: found.unit])))

    def changes(self, index: int) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
        """(removed, inserted) characters of the document."""
        if index < 0:
            return (), ()
        woven = self.woven(index)
        return (woven.removed, woven.inserted) if woven is not None else ((), ())
