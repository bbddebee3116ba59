"""A template: copy it, rename it without the underscore, and it is a summarizer. This one keeps first lines.

The module needs ID, TITLE, LEAVES, Settings and make(settings, scene). An installed package offers one through the
entry-point group `stratascope.summarizers`, whose value names such a module.

    [project.entry-points."stratascope.summarizers"]
    first_lines = "my_package.first_lines"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.phrase import literal
from core.settings import number
from core.summarizer import Answer, Ask, Progress, Scene, SummaryError

ID = "first_lines"
TITLE = literal("first lines")
"""Its name on screen; `phrase("…")` once the catalogues know it."""
LEAVES = False
"""True where the text goes to another machine; then nothing may be sent without `scene.consent`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`chars`: of each first line."""

    chars: int = number(80, 10, 400, unit="chars")


@dataclass(frozen=True, slots=True)
class FirstLines:
    chars: int

    def answer(self, ask: Ask, progress: Progress, cancelled: Callable[[], bool]) -> Answer:
        """One line a message, after the previous summary. Raises SummaryError and nothing else."""
        lines = [ask.previous] if ask.previous else []
        for message in ask.messages:
            if cancelled():
                raise SummaryError("aborted")
            if said := message.text().strip():
                lines.append(f"{message.role}: {said.splitlines()[0][: self.chars]}")
            progress(sum(map(len, lines)))
        return Answer("\n".join(lines))


def make(settings: Settings, scene: Scene) -> FirstLines:
    """`scene`: the recorded summary, the model's name, the environment; for summarizers that need them."""
    return FirstLines(settings.chars)
