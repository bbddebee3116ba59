"""What the parts of the sample "Flaky test" share."""

from __future__ import annotations

import random
from dataclasses import dataclass

from resources.samples import terminal as term
from resources.samples.recorder import Recorder
from resources.samples.tools import Tools
from resources.samples.workspace import Workspace

CWD = "/home/dev/parser"
NOTES = "notes/nested-quotes.md"
NESTED, EVERY = term.NESTED_TESTS, term.ALL_TESTS


@dataclass(slots=True)
class Scene:
    """The recorder, the checkout and its tools, and the generator of everything that varies."""

    rec: Recorder
    ws: Workspace
    tools: Tools
    rng: random.Random
    asked_for_workers: str = ""


def scene(rec: Recorder) -> Scene:
    ws = Workspace("parser")
    return Scene(rec, ws, Tools(ws, CWD), random.Random(20260407))
