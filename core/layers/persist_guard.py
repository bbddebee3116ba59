"""What the agent does to messages when it writes them, played over the history: for good, so it stands in the file.

Calls that no provider would take are dropped, results get their call's tool name, and a call that has no result when
the next message comes gets one made up. As a step this is a what-if: what would be sent had this version written the
file. Source: recorded cases of layer c (`sessionToolResultGuard`); its cap is a step of its own, `hard_cap`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.context import Origin
from core.layer import Outcome, StepContext
from core.persistence import DEEDS, Options, persist
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, patterns, switch

ID = "persist_guard"
TITLE = phrase("layer.persist_guard.title")
MARK = "file"


@dataclass(frozen=True, slots=True)
class Settings:
    """`invent`: make up missing results. `names`, `allowed`: which calls are kept. `at_end`: also what is pending when
    the file ends (the agent does that when it closes the session)."""

    invent: bool = switch(True)
    at_end: bool = switch(False)
    names: str = choice("2026.4.5", "2026.4.5", "2026.3.24")
    allowed: tuple[str, ...] = patterns()


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    options = Options(most=math.inf, invent=settings.invent, names=settings.names, allowed=settings.allowed)
    found = persist([block.message for block in blocks], options, context.now, settings.at_end)
    reasons: dict[Block, Phrase] = {blocks[i]: phrase("layer.persist_guard.dropped") for i in found.dropped}
    after: list[Block] = []
    counted = {"dropped": len(found.dropped)}
    for written in found.written:
        if written.source is None:
            block = Block.of(written.message, Origin((), ID))
            reasons[block] = DEEDS[written.deed]
        elif written.deed == "as_is":
            block = blocks[written.source]
        else:
            block = Block.of(written.message, blocks[written.source].origin, blocks[written.source])
            reasons[blocks[written.source]] = DEEDS[written.deed]
        after.append(block)
        if written.deed != "as_is":
            counted[written.deed] = counted.get(written.deed, 0) + 1
    said = [phrase(f"layer.persist_guard.{name}_part", n=n) for name, n in counted.items() if n]
    if not said:
        return Outcome(blocks, phrase("layer.persist_guard.quiet"), phrase("layer.persist_guard.quiet_short"))
    why = said[0]
    for more in said[1:]:
        why = phrase("layer.also", first=why, second=more)
    notes = (phrase("layer.wording_ours"),) if "made_up" in counted else ()
    return Outcome(tuple(after), why, None, (), reasons, notes=notes)
