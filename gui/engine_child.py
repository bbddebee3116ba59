"""The child of `gui.engine_process`: answers one question after another until its pipe closes. No Qt in here."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time

from core.engine_desk import Desk

LOOKS = 1.0
"""Seconds between two looks whether the one who asks is still there."""
SPACE = 2 << 30
"""Bytes of address space at most."""


def serve() -> None:
    """The real standard output is kept for answers; whatever foreign code prints goes nowhere."""
    parent = os.getppid()
    answers = os.fdopen(os.dup(1), "wb")
    questions = os.fdopen(os.dup(0), "rb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(nowhere, handle)
    sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    _confine()
    desk = Desk()
    answers.write(b"!")
    answers.flush()
    while len(head := questions.read(8)) == 8:
        text = questions.read(int.from_bytes(head, "big")).decode("ascii")
        try:
            answer = desk.answer(text).encode("utf-8")
        except BaseException as error:  # the answer cannot even be made: the other side says so
            answer = json.dumps({"broken": f"{type(error).__name__}: {error}"[:400]}).encode("utf-8")
        answers.write(len(answer).to_bytes(8, "big") + answer)
        answers.flush()
    os._exit(0)  # foreign threads and exit hooks have no say


def _leave_with(parent: int) -> None:
    """An engine that hangs does not see the pipe close: end with whoever started us."""
    while os.getppid() == parent:
        time.sleep(LOOKS)
    os._exit(1)


def _confine() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (SPACE, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, ValueError, OSError):  # not everywhere; the time limit holds everywhere
        return
