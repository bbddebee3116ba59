"""The worker's side of counting with the provider: the request and its preview, then, once confirmed, the count. No Qt.

prepare   the request in focus as Anthropic gets it ─▶ what would leave the machine; nothing is opened
ask       a preview that a person confirmed ─▶ the provider's own count
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from core import replay
from core.errors import RequestError
from core.named_sources import Sources
from core.online_count import OnlineCount, Preview, count, preview
from core.payload import payload, placement_of
from core.phrase import Phrase, phrase
from core.profile import Profile
from core.prompt_source import resolve
from core.provider import KEY
from core.session_key import Told
from core.summarizer import Scene
from gui.opened import show
from gui.trace_task import given_of, known_traces

SDK, ADDRESS = "anthropic", "ANTHROPIC_BASE_URL"
SHOWN = 400_000
"""Characters of the request that are handed over for reading at once."""
LINE = 1_000
"""Characters of a line as it is shown: an editor stands still over longer ones."""


@dataclass(frozen=True, slots=True)
class Ours:
    """Tokens as we estimate them; None = the request has none of them, as far as is known."""

    tools: int | None
    system: int | None
    messages: int

    @property
    def total(self) -> int:
        return (self.tools or 0) + (self.system or 0) + self.messages


@dataclass(frozen=True, slots=True)
class Prepared:
    """`number`: of the request, None = what would be sent next. `text`: of the first call, in lines that can be shown,
    at most SHOWN characters of it; `more`: characters beyond."""

    number: int | None
    preview: Preview
    ours: Ours
    text: str
    more: int


def missing(environ: Mapping[str, str] = os.environ) -> Phrase | None:
    """Why nothing can be counted on this machine, and what to do; None = it can. Looks for no key but whether there
    is one in the environment."""
    if find_spec(SDK) is None:
        return phrase("online.no_extra")
    return None if environ.get(KEY, "").strip() else phrase("online.no_key", name=KEY)


def prepare(
    path: str,
    leaf: int | None,
    counter: str,
    number: int | None,
    profile: Profile,
    told: Told,
    paths: Sources,
    report: Any,
) -> Prepared:
    """Of request `number` of the path to `leaf` under `profile`. RequestError where Anthropic cannot count it."""
    known = known_traces(path, counter, paths, report)
    loaded = show(path, counter, leaf, report)
    session, timeline = known.file.session, loaded.timeline
    start, trace = replay.trace(session, timeline, loaded.counts, number, profile, counter=known.counter, told=told)
    target, request = start.step.target, start.assembled.request
    if target.family != "anthropic":
        raise RequestError(phrase("online.other_family", name=target.model or target.provider or target.family))
    row = request.entry if request is not None else None
    source = resolve(session, timeline.path, row, known.recordings, given_of(known, loaded))
    made = payload(source, trace.blocks, target, placement_of(profile, session.format))
    shown = preview(made.request, os.environ.get(ADDRESS, ""))
    leading = start.assembled.with_source(source, known.counter.count).leading
    sizes = {name: [item.tokens for item in leading if item.section == name] for name in ("tools", "system")}
    ours = Ours(
        sum(sizes["tools"]) if sizes["tools"] else None,
        sum(sizes["system"]) if sizes["system"] else None,
        sum(map(start.sizes.tokens, trace.blocks)),
    )
    text = shown.text
    return Prepared(number, shown, ours, folded(text[:SHOWN]), max(0, len(text) - SHOWN))


def folded(text: str) -> str:
    """The same characters, long lines broken."""
    lines = []
    for line in text.split("\n"):
        lines += [line[at : at + LINE] for at in range(0, len(line), LINE)] or [""]
    return "\n".join(lines)


def ask(confirmed: Preview, report: Any) -> OnlineCount:
    """Sends what a person has seen and confirmed. RequestError says why there is no count."""
    scene = Scene(base_url=confirmed.address, consent=True, environ=os.environ)
    return count(confirmed, scene, lambda: not report(phrase("online.job"), None))
