"""The chips of a block: what became of it, the tool it is from, what failed, what a provider would refuse."""

from __future__ import annotations

from dataclasses import dataclass

from core.fate import Fate
from core.messages import Message
from core.phrase import phrase
from gui.paint import Tone
from gui.prompt_page import Page
from gui.prompt_text import Preview
from gui.translation import say

ICONS = {
    "cut": "scissors",
    "emptied": "eraser",
    "inserted": "plus",
    "merged": "fold-vertical",
    "moved": "arrow-left-right",
    "converted": "corner-down-right",
    "rewritten": "pencil",
    "fields": "pencil",
    "dropped": "x",
}
TONES = {"cut": Tone.WRITTEN, "emptied": Tone.DIFF, "dropped": Tone.DIFF}


@dataclass(frozen=True, slots=True)
class Chip:
    """`strong`: the step in focus did it. `width`: pixels at 100 % that it takes at most."""

    text: str
    icon: str | None = None
    tone: Tone = Tone.PLAIN
    strong: bool = False
    width: int = 180


def fate_chip(fate: Fate, strong: bool = False) -> Chip:
    """What became of a block."""
    return Chip(fate_words(fate), ICONS[fate.kind], TONES.get(fate.kind, Tone.PLAIN), strong, 260)


def fate_words(fate: Fate) -> str:
    if fate.kind == "cut":
        return say(phrase("prompt.fate.cut", before=fate.before, after=fate.after))
    return say(phrase(f"prompt.fate.{fate.kind}"))


def chips(page: Page, index: int | None, said: Preview, message: Message) -> list[Chip]:
    """In order. `index`: the block in the prompt shown; None for a message that stands in none."""
    found: list[Chip] = []
    if index is not None:
        found += [Chip(say(fault.message), "octagon-x", Tone.DIFF, width=300) for fault in page.faults.get(index, ())]
        fate = page.fate(index)
        if fate is not None:
            ours = page.step is not None and any(deed.step is page.step for deed in fate.deeds)
            if ours or fate.kind != "fields":  # what stands beside the words is news only where one looks at the step
                found.append(fate_chip(fate, ours))
    first = page.assembled.blocks[index].first.message if index is not None else message
    if first.role == "compactionSummary":
        replaced = len(page.assembled.context.summarised)
        if replaced:
            found.append(Chip(say(phrase("prompt.replaces", n=replaced))))
    return found + said_chips(said)


def said_chips(said: Preview) -> list[Chip]:
    """What the message itself says: its tool, a failure, images, that it is thinking."""
    found: list[Chip] = []
    if said.tool:
        found.append(Chip(said.tool))
    if said.failed:
        found.append(Chip(say(phrase(f"prompt.{said.failed}")), "octagon-x", Tone.DIFF))
    if said.images:
        found.append(Chip(say(phrase("prompt.images", n=said.images)), "image"))
    if said.thinking:
        found.append(Chip(say(phrase("prompt.label.thinking")), "brain"))
    return found
