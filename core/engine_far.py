"""Who asks engines of installed packages: lent by the program, because the core starts no processes.

A module of its own, so that a program can lend it before anything of the core is loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.engine_memory import Played, Question

    Ask = Callable[[Question], Played]

_lent: list[Callable[[], Ask]] = []
_made: list[Ask] = []


def use(lend: Callable[[], Ask] | None) -> None:
    """From now on they are asked by what `lend()` gives, which is called when the first one is; None: in this
    process, on copies, without a time limit."""
    _made.clear()
    _lent[:] = [lend] if lend is not None else []


def far() -> Ask | None:
    """Who asks; None: nothing was lent."""
    if _lent and not _made:
        _made.append(_lent[0]())
    return _made[0] if _made else None
