"""A summary without a model: what was said is chosen and copied, nothing is worded anew. The same input, the same text.

    messages, partial summaries, previous summary ─▶ Digest each ─▶ merged, newest first ─▶ five headings within a limit

Chosen are the last request verbatim, files that were changed, errors that are still open, lines that decide or demand
something, and identifiers by how often and how lately they were asked for. Only what is summarised is looked at: what
comes later cannot be known when a summary is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log1p

from core import javascript, open_work
from core.compaction_plan import file_operations
from core.identifiers import Finder
from core.instructions import SECTIONS
from core.messages import Message
from core.quality import latest_ask, message_text
from core.retention import words

MODIFIED = "Modified files:"
OTHERS = "Others, most needed first:"
OPEN, FAILED = "Still failing: ", "Failed before: "
"""An error that is open at the end, and one of an older part, which may have been mended since."""
LINE = 240
"""Characters of a line that is copied."""
_ASK_SHARE = 0.4
"""Share of the limit that the last request may take whole."""
_NAMES_SHARE = 0.72
"""Share of what is then left that goes to identifiers."""

_OF_PREVIOUS, _OF_OLDER, _RANK_FLATNESS = 0.3, 0.95, 40

_DECIDING = re.compile(
    r"\b(?:decid|chose|agreed|instead of|because|therefore|turns? out|root cause"
    r"|the (?:cause|reason|problem|bug) (?:is|was)|we (?:will|use|keep)|confirmed|ruled out)"
    r"|决定|因为|改为|原因|采用|结论",
    re.IGNORECASE,
)
_DEMANDING = re.compile(
    r"\b(?:must|never|always|do(?:n't| not)|don’t|should not|only|no need|prefer|make sure|keep|without|please)\b"
    r"|必须|不要|不能|务必|只能|始终|请",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"\b(?:todo|next step|still (?:need|to|fail|open|missing)|remaining|not yet|left to do|pending|follow[- ]up"
    r"|blocked)|待办|接下来|还需|尚未|剩余",
    re.IGNORECASE,
)
_NARRATING = re.compile(
    r"(?:(?:ok|okay|now|next|good|great|perfect)\b[,.!]? *)*(?:let me|let's|i'll|i will|i'm going to)\b", re.I
)
"""What an agent says it is about to do: over by the time the summary is read."""


@dataclass(frozen=True, slots=True)
class Digest:
    """Lines under the headings, the most important first; `asks`: the last request first, whole."""

    decisions: tuple[str, ...] = ()
    todos: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def extract(messages: Sequence[Message], previous: str | None, limit: int) -> str:
    """The summary, at most `limit` UTF-16 units where the headings fit into it; never blank."""
    parts: list[Digest] = []
    fresh: list[Message] = []
    for message in messages:
        digest = parsed(message.text("")) if message.role == "user" else None
        if digest is None:
            fresh.append(message)
        else:
            parts.append(digest)
    if fresh:
        parts.append(of_messages(fresh))
    return rendered(merged(parts, of_summary(previous) if previous else None), limit)


def of_summary(text: str) -> Digest:
    """A previous summary: one of this kind taken apart, any other read like an answer."""
    said = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return parsed(text) or of_messages([Message.of(said)])


# of messages


def of_messages(messages: Sequence[Message]) -> Digest:
    """Of messages as they were said."""
    decisions: list[str] = []
    todos: list[str] = []
    rules: list[str] = []
    asks: list[str] = []
    for message in messages:
        if message.role == "assistant":
            for line in _lines(message):
                if _NARRATING.match(line):
                    continue
                if _TO_DO.search(line):
                    todos.append(line)
                elif _DECIDING.search(line):
                    decisions.append(line)
        elif message.role == "user":
            asks += [text] if (text := message_text(message)) else []
            rules += [line for line in _lines(message) if _DEMANDING.search(line)]
    last = latest_ask(messages)
    files = file_operations(messages)
    failed = [
        f"{OPEN}{error.tool} {_short(error.subject)}: {error.line}"
        for error in open_work.open_errors(open_work.of_messages(messages))
    ]
    earlier = [_short(ask.splitlines()[0]) for ask in reversed(asks[:-1])]
    return Digest(
        tuple(reversed(decisions)),
        (*reversed(failed), *reversed(todos)),
        tuple(reversed(rules)),
        (*([last] if last else []), *earlier),
        tuple(reversed((*files.written, *files.edited))),
        tuple(ranked(messages)),
    )


def _lines(message: Message) -> Iterable[str]:
    """Lines of prose: no code, no tables, no rules; copied as they are."""
    fenced = False
    for raw in message.text().splitlines():
        line = javascript.trim(raw)
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and 12 <= len(line) <= LINE and line[0] not in "|<{}" and not line.startswith(("##", "//")):
            yield line.lstrip("-*• ")


def _short(text: str) -> str:
    line = javascript.trim(text).replace("\n", " ")
    return line if len(line) <= 120 else line[:119] + "…"


def ranked(messages: Sequence[Message]) -> list[str]:
    """Identifiers (no secrets), the one most likely to be needed first.

    Asked for often and lately, by the user above all, standing in many messages, short. The weights were chosen on
    recorded sessions by what their agents asked for afterwards; small changes of them change little.
    """
    held = [words(message.json()) for message in messages]
    found = Finder().find_all(["\n".join(texts) for one in held for texts in (one.asked, one.other)])
    spoken: Counter[str] = Counter()
    stands: Counter[str] = Counter()
    latest: dict[str, int] = {}
    of_user: set[str] = set()
    for at, (said, heard) in enumerate(zip(found[::2], found[1::2], strict=True)):
        called = {name.text for name in said if name.kind != "secret"}
        everything = called | {name.text for name in heard if name.kind != "secret"}
        spoken.update(called)
        stands.update(everything)
        latest.update(dict.fromkeys(called, at))
        for text in everything - latest.keys():
            latest[text] = at
        if messages[at].role == "user":
            of_user |= called
    count = max(1, len(messages))

    def worth(text: str) -> tuple[float, str]:
        standing = 0.6 * log1p(stands[text]) + 1.2 * (latest[text] + 1) / count
        value = 2.0 * log1p(spoken[text]) + standing * (1.0 if text in spoken else 0.5) + 0.5 * (text in of_user)
        return -value / (16 + len(text)) ** 0.5, text

    return sorted(stands, key=worth)


# of summaries of this kind


def parsed(text: str) -> Digest | None:
    """A summary that `rendered` wrote, taken apart again; None for any other text."""
    if not text.startswith(SECTIONS[0] + "\n"):
        return None
    places = [0]
    for section in SECTIONS[1:4]:
        at = text.find(f"\n\n{section}\n", places[-1])
        if at < 0:
            return None
        places.append(at + 2)
    last = text.rfind(f"\n\n{SECTIONS[4]}\n")
    if last < places[-1]:
        return None
    borders = [*places, last + 2, len(text) + 2]
    bodies = [
        text[start + len(section) + 1 : end - 2]
        for section, start, end in zip(SECTIONS, borders, borders[1:], strict=False)
    ]
    modified: list[str] = []
    names: list[str] = []
    into = names
    for line in bodies[4].split("\n"):
        if line == MODIFIED:
            into = modified
        elif line == OTHERS:
            into = names
        elif line and line != "None captured.":
            into.append(line)
    asks = _listed(bodies[3], "Earlier: ")
    return Digest(_listed(bodies[0]), _listed(bodies[1]), _listed(bodies[2]), asks, tuple(modified), tuple(names))


def _listed(body: str, mark: str = "") -> tuple[str, ...]:
    if body == "None.":
        return ()
    head, *items = body.split(f"\n- {mark}") if mark else ("", *(line[2:] for line in body.split("\n")))
    return tuple(item for item in (head, *items) if item)


def merged(parts: Sequence[Digest], previous: Digest | None = None) -> Digest:
    """The newest first. Ranks of identifiers are joined; those of a previous summary count little unless they came up
    again since: of what a history mentions, what is needed next was asked for lately (measured, see `ranked`)."""
    newest = [*reversed(parts), *([previous] if previous is not None else [])]
    worth: dict[str, float] = {}
    for age, digest in enumerate(newest):
        weight = _OF_PREVIOUS if digest is previous else _OF_OLDER**age
        for rank, name in enumerate(digest.names):
            worth[name] = worth.get(name, 0.0) + weight / (_RANK_FLATNESS + rank)
    return Digest(
        _distinct(line for digest in newest for line in digest.decisions),
        _distinct(
            line.replace(OPEN, FAILED, 1) if age and line.startswith(OPEN) else line
            for age, digest in enumerate(newest)
            for line in digest.todos
        ),
        _distinct(line for digest in newest for line in digest.rules),
        _distinct(ask for digest in newest for ask in digest.asks),
        _distinct(path for digest in newest for path in digest.modified),
        tuple(sorted(worth, key=lambda name: (-worth[name], name))),
    )


def _distinct(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lines))


# written


def rendered(digest: Digest, limit: int) -> str:
    """Under the five headings. First in: the last request, changed files, open errors; then identifiers, then lines."""
    space = _Space(limit)
    ask = digest.asks[0] if digest.asks else ""
    if javascript.length(ask) > limit * _ASK_SHARE:
        ask = javascript.joined(javascript.units(ask)[: int(limit * _ASK_SHARE)])
    space.take(ask)
    modified = space.fill(digest.modified, 0.6, 0)
    failing = space.fill([line for line in digest.todos if line.startswith((OPEN, FAILED))], 0.5)
    known = set(modified)
    names = space.fill([name for name in digest.names if name not in known], _NAMES_SHARE, 0)
    todos = space.fill([line for line in digest.todos if not line.startswith((OPEN, FAILED))], 0.35)
    rules = space.fill(digest.rules, 0.4)
    decisions = space.fill(digest.decisions, 0.7)
    earlier = space.fill([_short(other) for other in digest.asks[1:]], 1.0, 11)
    names += space.fill([name for name in digest.names if name not in known and name not in set(names)], 1.0, 0)
    asks = "\n".join((ask, *(f"- Earlier: {other}" for other in earlier))) if ask else "None."
    listed = ([MODIFIED, *modified] if modified else []) + ([OTHERS, *names] if names else [])
    bodies = (
        _bullets(decisions),
        _bullets((*failing, *todos)),
        _bullets(rules),
        asks,
        "\n".join(listed) or "None captured.",
    )
    return "\n\n".join(f"{section}\n{body}" for section, body in zip(SECTIONS, bodies, strict=True))


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "None."


class _Space:
    """How much is left. The headings, their blank lines and the words for nothing are taken at the start."""

    def __init__(self, limit: int) -> None:
        fixed = sum(len(section) + 3 for section in SECTIONS) + 5 * 3 + 14 + len(MODIFIED) + len(OTHERS) + 2
        self.left = max(0, limit - fixed)

    def take(self, text: str) -> None:
        self.left -= javascript.length(text)

    def fill(self, lines: Sequence[str], share: float, more: int = 2) -> list[str]:
        """As many as fit into a share of what is left; what does not fit is passed over. `more`: beside the text."""
        room = int(max(0, self.left) * share)
        kept = []
        for line in lines:
            size = javascript.length(line) + 1 + more
            if size <= room:
                kept.append(line)
                room -= size
                self.left -= size
        return kept
