"""Secrets in a text: found by their form, replaced by a note of what stood there, every replacement marked.

    token sk-ant-api03-AbC… in use   ─▶   token [redacted: Anthropic key 1] in use      mark [6, 33)

Found: keys of known providers, private keys, JSON web tokens, passwords in URLs, bearer tokens, and values that are
assigned to a name like API_KEY. The same secret gets the same number in one text. What is not found is not protected:
a person still reads the text before it leaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FORMS = {
    "private key": r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----[\s\S]{0,20000}?"
    r"-----END (?:[A-Z0-9]+ )*PRIVATE KEY-----",
    "Anthropic key": r"\bsk-ant-[A-Za-z0-9_-]{16,}",
    "OpenRouter key": r"\bsk-or-[A-Za-z0-9_-]{16,}",
    "Stripe key": r"\b(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{16,}",
    "OpenAI key": r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}",
    "GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})",
    "GitLab token": r"\bgl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{18,}",
    "AWS key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "Google key": r"\bAIza[0-9A-Za-z_-]{35}",
    "Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}",
    "npm token": r"\bnpm_[A-Za-z0-9]{36}\b",
    "PyPI token": r"\bpypi-AgE[A-Za-z0-9_-]{40,}",
    "Telegram token": r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}",
    "web token": r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
}
_FORM_NAMES = tuple(_FORMS)
_NAME = (
    r"[A-Za-z0-9_.-]*(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credentials?|private[_-]?key)[A-Za-z0-9_-]*"
)
_VALUE = r"(?!\[redacted)[^\s\"'`,;<>{}()\[\]$]{8,}"
_BY_FORM = re.compile("|".join(f"({form})" for form in _FORMS.values()), re.IGNORECASE)
_PATTERN = re.compile(
    _BY_FORM.pattern
    + r"|\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,64}:((?!\[redacted)[^\s/@]{3,128})@"
    + rf"|\b(?:bearer|basic)\s+({_VALUE})"
    + rf"|(?<![A-Za-z0-9_.-])(?:{_NAME})[\"']?\s{{0,3}}(?:=|:|=>)\s{{0,3}}[\"']?({_VALUE})",
    re.IGNORECASE,
)
_KINDS = (*_FORM_NAMES, "password", "authorization", "secret value")
_HINT = re.compile(
    r"sk[-_]|rk_|pk_|whsec|gh[pousr]_|github_pat|gl(?:pat|ptt|dt|rt)-|akia|asia|aiza|xox|hf_|npm_|pypi-|:aa|eyj|-----begin"
    r"|://|bearer|basic|key|secret|token|passw|passphrase|credential",
    re.IGNORECASE,
)
_CODE = re.compile(r"[a-z_][\w]*(?:\.[A-Za-z_]\w*)+\Z|[A-Za-z_]+\Z|[\d.,:/-]+\Z|\*+\Z|x+\Z", re.ASCII)
"""Values that are names, numbers or stars: code that mentions a token, not the token."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Where one stands in the text it was found in: [start, end) in characters. `kind`: what it looks like."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A replacement: [start, end) in the characters of the new text, the kind and the length of what stood there."""

    start: int
    end: int
    kind: str
    length: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """`text`: what may leave. `marks` in order; none: nothing was replaced, and `text` is the text that came in."""

    text: str
    marks: tuple[Mark, ...] = ()


def secrets(text: str) -> Iterator[Secret]:
    """In order, none inside another."""
    if _HINT.search(text) is None:
        return
    for found in _PATTERN.finditer(text):
        group = found.lastindex or 1
        kind = _KINDS[group - 1]
        value = found.group(group)
        if kind in ("secret value", "authorization") and (_CODE.match(value) or not _dense(value)):
            continue
        named = _BY_FORM.fullmatch(value) if group > len(_FORMS) else None
        yield Secret(found.start(group), found.end(group), _KINDS[(named.lastindex or 1) - 1] if named else kind)


def _dense(value: str) -> bool:
    """Letters and digits mixed, or long: a secret rather than a word."""
    return (any(c.isdigit() for c in value) and any(c.isalpha() for c in value)) or len(value) >= 24


def redact(text: str) -> Redaction:
    pieces: list[str] = []
    marks: list[Mark] = []
    numbers: dict[str, int] = {}
    at = size = 0
    for secret in secrets(text):
        value = text[secret.start : secret.end]
        note = f"[redacted: {secret.kind} {numbers.setdefault(value, len(numbers) + 1)}]"
        pieces += (text[at : secret.start], note)
        size += secret.start - at
        marks.append(Mark(size, size + len(note), secret.kind, len(value)))
        size += len(note)
        at = secret.end
    if not marks:
        return Redaction(text)
    pieces.append(text[at:])
    return Redaction("".join(pieces), tuple(marks))


def masked(secret: str) -> str:
    """What may be shown of a secret: its beginning, at most a third of it and six characters."""
    return secret[: min(6, len(secret) // 3)] + "…"
