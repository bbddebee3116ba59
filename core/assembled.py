"""The assembled prompt of one request, as far as the session file and its recorded usage tell.

tools + system   one block, not recorded, sized by difference       ┐
messages of step 0, in order                                        │ recorded prompt size
── CACHED UP TO HERE: where the recorded read ends ──               ┘
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.context import Context
from core.prompt import Blocks
from core.session import Request

State = Literal["read", "written", "uncached", "unknown"]


@dataclass(frozen=True, slots=True)
class Assembled:
    """`request`: None = what would be sent next. `tokens`: per block, estimated, same length as `blocks`.

    `unrecorded`: tokens of tools and system by difference (None when no usage is recorded). `states`: cache state per
    block from the recorded usage. `unrecorded_state`: the same for the dotted block. `cached_blocks`: how many
    blocks lie wholly inside the recorded read: the CACHED UP TO HERE rule stands before block `cached_blocks`; None
    when nothing is recorded or nothing was read. `cached_tokens`: the recorded read.
    """

    request: Request | None
    context: Context
    blocks: Blocks
    tokens: tuple[int, ...]
    unrecorded: int | None
    states: tuple[State, ...]
    unrecorded_state: State
    cached_blocks: int | None
    cached_tokens: int
