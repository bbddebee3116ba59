"""The cache boundary: a marker in the system prompt between what stays and what changes with every request.

    You are …                          stable part: marked, cached
    <!-- OPENCLAW_CACHE_BOUNDARY -->
    ## Runtime …                       dynamic part: sent behind the mark

Only the first marker counts; a later one reaches the model as plain text. Source: recorded cases of layer e (2026.4.5).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core import javascript

BOUNDARY = "\n<!-- OPENCLAW_CACHE_BOUNDARY -->\n"
"""The marker with the line ends that belong to it; 34 UTF-16 units."""

_WORDS = BOUNDARY.strip()
_LINE_END = re.compile("\r\n?")
_BLANKS = re.compile("[ \t]+(?=[\n\r\u2028\u2029]|\\Z)")


class Halves(NamedTuple):
    """The system prompt above (`stable`) and below (`dynamic`) its first marker."""

    stable: str
    dynamic: str


def divide(text: str) -> Halves | None:
    """Every character on both sides of the first marker, None without one: `join(*divide(text)) == text`."""
    stable, marker, dynamic = text.partition(BOUNDARY)
    return Halves(stable, dynamic) if marker else None


def split(text: str) -> Halves | None:
    """The two parts as they are sent: without white space at the end of the stable and the start of the dynamic one.

    None without a marker: then the whole text is one part."""
    found = divide(text)
    return Halves(javascript.trim_end(found.stable), javascript.trim_start(found.dynamic)) if found else None


def join(stable: str, dynamic: str) -> str:
    """The text with the marker between the parts; the inverse of `divide` as long as `stable` holds no marker."""
    return stable + BOUNDARY + dynamic


def strip(text: str) -> str:
    """Every marker becomes a line end: what a provider without cache marks gets."""
    return text.replace(BOUNDARY, "\n")


def normalise(text: str) -> str:
    """A section as the agent takes it up, so that neither line ends nor blanks at their ends move the cache.

    Line ends become `\\n`, blanks and tabs before them go, and so does white space around the whole."""
    return javascript.trim(_BLANKS.sub("", _LINE_END.sub("\n", text)))


def add(system_prompt: str, addition: object) -> str:
    """The prompt with an addition (a context engine's) at the start of its dynamic part, so that the stable one stays.

    (But for a stable part that ends in a marker without its line end: here it gets one, and is the first from then on.)
    Without a marker it goes in front of everything. What is blank, or no text, adds nothing: the very prompt."""
    said = normalise(addition) if isinstance(addition, str) else ""
    if not said:
        return system_prompt
    found = split(system_prompt)
    if found is None:
        return f"{said}\n\n{system_prompt}"
    rest = normalise(found.dynamic)
    return join(found.stable, f"{said}\n\n{rest}" if rest else said)


def stray_markers(text: str) -> tuple[int, ...]:
    """Where the marker's words stand (index of `<!--`) without being the boundary: later ones, and ones without their
    line ends. They are sent as plain text, and whoever put them there thought that the text above would be cached."""
    own = text.find(BOUNDARY) + 1  # 0: no boundary, and a marker at 0 lacks its line end
    return tuple(found.start() for found in re.finditer(_WORDS, text) if not own or found.start() != own)
