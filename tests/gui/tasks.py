"""Tasks for the worker process in tests: it can only run what it can import."""

from __future__ import annotations

import os
import time

from core.errors import RequestError
from core.phrase import literal


def double(number, report):
    report(literal("half way"), 0.5)
    return 2 * number


def refuse(report):
    raise RequestError(literal("no such thing"))


def break_down(report):
    raise ZeroDivisionError("a fault of ours")


def last_forever(report):
    rounds = 0
    while report(literal("still running"), None):
        rounds += 1
        time.sleep(0.01)
    return rounds


def die(report):
    os._exit(3)
