"""Lent to the core (`core.engine_far.use`): who asks engines of installed packages. No Qt in here.

The worker and the verbs have them asked in a child with a time limit; the window has them asked in the worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.engine_far import Ask


def guarded() -> Ask:
    """In a process of its own, which the first question starts."""
    from gui.engine_process import EngineProcess

    return EngineProcess()


def elsewhere() -> Ask:
    """Not in this process: what was answered in the worker is brought in."""
    from core.engine_host import not_here

    return not_here
