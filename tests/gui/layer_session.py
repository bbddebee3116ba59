"""Sessions and states for the tests of steps and profiles: small windows, so that small results make the guard act."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.profile import Profile, policy
from gui.state import State
from tests.gui.prompt_session import Json, reply, result, state_of, user, write_session

WINDOW = 4_000
"""Tokens: the guard allows 12,000 of its characters for all messages, 4,000 for one result."""


def guarded(path: Path, turns: int = 8, size: int = 900) -> Path:
    """`turns` requests, each with one result of `size` characters: `turns` × 2 × `size` as the guard counts."""
    said: list[Json] = [user("Find the cause.")]
    for turn in range(turns):
        part = {"type": "toolCall", "id": f"call-{turn}", "name": "exec", "arguments": {"n": turn}}
        said.append(reply(f"Step {turn}.", part, read=900 * turn, write=900))
        said.append({**result("exec", f"{turn} " + "a line of output\n" * (size // 17)), "toolCallId": f"call-{turn}"})
    said.append(reply("Done.", read=900 * turns, write=300))
    return write_session(path, said)


def small(window: int = WINDOW) -> Profile:
    """The recorded policy with a small window."""
    return replace(policy("openclaw-2026.4.5"), window=window)


def guarded_state(path: Path, turns: int = 8, request: int | None = None) -> State:
    """At the last request, unless told otherwise, under `small()`."""
    state = state_of(guarded(path, turns), request if request is not None else turns + 1)
    state.choose(small())
    return state


def settle(state: State, seconds: float = 10) -> None:
    """Let the event loop run until the steps are up to date and nothing is left to compare."""
    end = time.monotonic() + seconds
    while (state.stale or state.comparing) and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    assert not state.stale
    assert not state.comparing
