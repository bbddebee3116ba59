"""The run-time line at the end of the system prompt, and the ids of what a channel can do, in an order of their own.

    Runtime: agent=main | host=h | os=Linux (x64) | model=a/m | channel=telegram | capabilities=a,b | thinking=low

The ids come from a set, so that their order is nobody's: sorted, the line stays the same bytes. Source: recorded cases
of layers e and o (2026.4.5).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.boundary import normalise
from core.collation import collated


def capability_ids(given: Iterable[str]) -> tuple[str, ...]:
    """Normalised, in lower case, each once, without empty ones, in collation order."""
    names = dict.fromkeys(normalise(name).lower() for name in given)
    return tuple(collated([name for name in names if name]))


@dataclass(frozen=True, slots=True)
class Runtime:
    """What the agent knows about where it runs; "" = it does not. `thinking`: the level, "" = off.

    `capabilities` are told only with a channel."""

    agent: str = ""
    host: str = ""
    repo: str = ""
    os: str = ""
    arch: str = ""
    node: str = ""
    model: str = ""
    default_model: str = ""
    shell: str = ""
    channel: str = ""
    capabilities: tuple[str, ...] = ()
    thinking: str = ""

    @property
    def line(self) -> str:
        """The line as it stands in the prompt."""
        system = f"{self.os} ({self.arch})" if self.os and self.arch else self.os
        told = [
            ("agent", self.agent),
            ("host", self.host),
            ("repo", self.repo),
            ("os", system),
            ("arch", "" if self.os else self.arch),
            ("node", self.node),
            ("model", self.model),
            ("default_model", self.default_model),
            ("shell", self.shell),
            ("channel", self.channel),
            ("capabilities", ",".join(capability_ids(self.capabilities)) or "none" if self.channel else ""),
            ("thinking", self.thinking or "off"),
        ]
        return "Runtime: " + " | ".join(f"{name}={value}" for name, value in told if value)
