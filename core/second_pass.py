"""After a compaction the agent begins anew: the whole sequence of layers once more, over the summary and the kept tail.

pass 1   … guard_overflow raises ─▶ compaction ─▶ pass 2   still over: the error that the user would see
"""

from __future__ import annotations

from dataclasses import replace

from core.compaction_run import Compaction, context_after
from core.pipeline import Trace
from core.profile import Profile
from core.prompt import Block
from core.session import Session
from core.steps import Start, run


def second_pass(session: Session, start: Start, done: Compaction, profile: Profile) -> Trace:
    """The Trace of the same request after the compaction; `overflow`: the agent would give up.

    `start`: of pass 1. Blocks that stay are the same objects, so that their sizes are known."""
    context = context_after(session, done)
    known = {block.origin: block for block in start.assembled.blocks}
    blocks = tuple(
        known.get(origin) or Block.of(message, origin)
        for message, origin in zip(context.messages, context.origins, strict=True)
    )
    return run(replace(start, assembled=replace(start.assembled, context=context, blocks=blocks)), profile)
