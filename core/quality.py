"""The safeguard's own audit of a summary: five headings, identifiers, the newest ask. Two answers: fine, or why not.

Source: recorded cases of layer m (section 18 of their description), OpenClaw 2026.4.5. Stop words are those that the
cases show; rules for kana and Hangul are not known. The audit of this program is another one: `core.audit`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from core import javascript
from core.instructions import SECTIONS
from core.messages import Message, Shape

MOST_IDENTIFIERS = 12
MOST_TOKENS = 12
STOP_WORDS = frozenset(
    ["a", "about", "at", "is", "it", "nothing", "now", "please", "show", "the", "then", "what", "的", "请"]
)

_SPACE = javascript.SPACE
_PLAIN = re.compile(
    "|".join(
        (
            r"[A-Fa-f0-9]{8,}",
            rf"https?://[^{_SPACE}]+",
            r"/[A-Za-z0-9_.-]{2,}(?:/[A-Za-z0-9_.-]+)+",
            r"[A-Za-z]:\\[A-Za-z0-9_\\.-]+",
        )
    )
)
_DIGITS = re.compile(r"\b[0-9]{6,}\b", re.ASCII)
_PORT = re.compile(r":[0-9]{1,5}")
_BEFORE_PORT = re.compile(r"[A-Za-z0-9._/-]+\Z")
_HEX = re.compile(r"[A-Fa-f0-9]{8,}\Z")


def message_text(message: Message) -> str:
    """`extractMessageText`: a string trimmed, or the non-blank `text` of all blocks, whatever their type."""
    if message.shape is Shape.STRING:
        return javascript.trim(str(message.parts[0].text))
    found = []
    for part in message.parts:
        text = str(part.text) if part.kind == "text" and part.text is not None else part.get("text")
        if isinstance(text, str) and javascript.trim(text):
            found.append(javascript.trim(text))
    return javascript.trim("\n".join(found))


def latest_ask(messages: Sequence[Message]) -> str | None:
    """`extractLatestUserAsk`: the text of the last user message that has one."""
    for message in reversed(messages):
        if message.role == "user" and (text := message_text(message)):
            return text
    return None


# identifiers


def opaque_identifiers(text: str) -> tuple[str, ...]:
    """`extractOpaqueIdentifiers`: up to twelve; long hex in upper case."""
    found: dict[str, None] = {}
    for match in _matches(javascript.units(text)):
        plain = javascript.trim(match).lstrip("(\"'`[{<").rstrip(")]\"'`,;:.!?<>")
        if _HEX.match(plain):
            plain = plain.upper()
        if len(plain) >= 4:
            found.setdefault(javascript.joined(plain))
        if len(found) == MOST_IDENTIFIERS:
            break
    return tuple(found)


def _matches(text: str) -> Iterable[str]:
    """Non-overlapping, left to right; of those that begin at one place the first kind wins."""
    at = 0
    ports = _Ports(text)
    plain, digits = _PLAIN.search(text), _DIGITS.search(text)
    while True:
        if plain is not None and plain.start() < at:
            plain = _PLAIN.search(text, at)
        if digits is not None and digits.start() < at:
            digits = _DIGITS.search(text, at)
        spans = [match.span() for match in (plain, digits) if match is not None]
        if (port := ports.first(at)) is not None:
            spans.insert(1 if plain is not None else 0, port)
        if not spans:
            return
        start, end = min(spans, key=lambda span: span[0])
        yield text[start:end]
        at = end


class _Ports:
    """Matches of NAME.NAME:PORT without trying every beginning of a long run (the agent's pattern is quadratic)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: tuple[int, int] | None = None
        self._colon = 0

    def first(self, at: int) -> tuple[int, int] | None:
        """The leftmost that begins at `at` or later."""
        if self._known is not None and self._known[0] >= at:
            return self._known
        self._known = None
        while (port := _PORT.search(self._text, max(at, self._colon))) is not None:
            start = self._beginning(at, port.start())
            if start is not None:
                self._known = (start, port.end())
                return self._known
            self._colon = port.end()
        return None

    def _beginning(self, at: int, colon: int) -> int | None:
        """The first place from which a name, a dot and a rest lead up to the colon; a name has no slash."""
        run = _BEFORE_PORT.search(self._text, _run_start(self._text, at, colon), colon)
        if run is None:
            return None
        segment = run.start()
        while segment < colon:
            end = self._text.find("/", segment, colon)
            end = colon if end < 0 else end
            if self._text.find(".", segment + 1, min(end, colon - 1)) >= 0:
                return segment
            segment = end + 1
        return None


_RUN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-")


def _run_start(text: str, at: int, colon: int) -> int:
    start = colon
    while start > at and text[start - 1] in _RUN:
        start -= 1
    return start


# the audit


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reasons`: empty when the summary is fine."""

    reasons: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.reasons


def lines(text: str) -> list[str]:
    """Trimmed, without the empty ones."""
    return [line for raw in text.replace("\r\n", "\n").split("\n") if (line := javascript.trim(raw))]


def audit(summary: str, identifiers: Sequence[str], ask: str | None, policy: str = "strict") -> Verdict:
    """`auditSummaryQuality`."""
    held = set(lines(summary))
    reasons = [f"missing_section:{section}" for section in SECTIONS if section not in held]
    if policy == "strict":
        upper = summary.upper()
        lost = [name for name in identifiers if name not in (upper if _HEX.match(name) else summary)]
        if lost:
            reasons.append("missing_identifiers:" + ",".join(lost[:3]))
    if not reflected(summary, ask):
        reasons.append("latest_user_ask_not_reflected")
    return Verdict(tuple(reasons))


def reflected(summary: str, ask: str | None) -> bool:
    """Do enough words of the ask stand in the summary? (Words of the headings count as words of the summary.)"""
    asked = _tokens(ask)[:MOST_TOKENS] if ask else []
    if not asked:
        return True
    telling = [token for token in asked if len(javascript.units(token)) > 1 and token not in STOP_WORDS] or asked
    said = set(_tokens(summary))
    hits = sum(token in said for token in telling)
    return hits >= (2 if len(telling) >= 3 else 1)


def _tokens(text: str) -> list[str]:
    """Distinct words, lower case: of a Chinese word its characters, then its pairs; no stop words or short ones."""
    normal = javascript.trim(unicodedata.normalize("NFKC", text.lower()))
    if not normal:
        return []
    words = _split(normal, lambda c: c in _SPACE or unicodedata.category(c)[0] == "P")
    found = [token for word in words for token in _of_word(word) if _telling(token)]
    if not found:
        found = _split(normal, lambda c: unicodedata.category(c)[0] not in "LN")
    return list(dict.fromkeys(found))


def _split(text: str, between: Callable[[str], bool]) -> list[str]:
    return ["".join(run) for apart, run in groupby(text, between) if not apart]


_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff]")


def _of_word(word: str) -> list[str]:
    han = _HAN.findall(word)
    if not han or _KANA.search(word):
        return [word]
    return [*han, *(first + second for first, second in pairwise(han))]


def _telling(token: str) -> bool:
    if token in STOP_WORDS or (len(token) < 3 and token.isascii() and token.isalpha()):
        return False
    kinds = {unicodedata.category(character)[0] for character in token}
    return not (kinds <= {"P", "S"} or all(unicodedata.category(c) == "Nd" for c in token))
