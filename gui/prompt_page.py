"""What the rows of the Prompt tab speak of: the prompt shown, what became of its blocks, what would be refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from core.assembled import Assembled
from core.fate import Fate, Fates
from core.judge import Fault
from core.pipeline import Step
from gui.prompt_changes import Range, Woven
from gui.prompt_rows import NO_FATES, Folds
from gui.prompt_text import Document
from gui.prompt_texts import Texts
from gui.stage import Stage
from gui.state import State

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

    @property
    def step(self) -> Step | None:
        """The step in focus; None = all are applied."""
        return self.stage.step if self.stage is not None else None

    @cached_property
    def fates(self) -> Mapping[int, Fate]:
        """What happened to the blocks up to the stage, by index."""
        stage = self.stage
        return Fates(stage.trace, stage.number).all(stage.blocks) if stage is not None else NO_FATES

    def woven(self, index: int) -> Woven | None:
        """The block's text with what was removed from it, where that is wanted and anything was."""
        fate = self.fates.get(index)
        block = self.assembled.blocks[index]
        if fate is None or not fate.removed or block.key not in self.folds.woven:
            return None
        return self.texts.woven(block)

    def document(self, index: int) -> Document:
        """The text that is shown when the block is open."""
        woven = self.woven(index)
        return woven.document if woven is not None else self.texts.document(self.assembled.blocks[index])

    def changes(self, index: int) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
        """(removed, inserted) characters of the document."""
        woven = self.woven(index)
        return (woven.removed, woven.inserted) if woven is not None else ((), ())
