"""Names in a text that cannot be made up again: UUIDs, hashes, ids, URLs, hosts, ports, paths, variables, errors, PRs.

    see /srv/app/conf.d (PR #12, ECONNREFUSED at 10.0.0.7:5432)
        path             issue   error            port

An identifier found stands in the text exactly as told; a secret is shown masked. A text is cut into runs of the
characters that identifiers are made of (`core.runs`), and each distinct run is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core import redaction
from core.runs import Joined, batches

Kind = Literal["uuid", "hash", "id", "url", "host", "ip", "port", "path", "env", "error", "issue", "secret"]
KINDS: tuple[Kind, ...] = (
    *("path", "url", "uuid", "hash", "id", "issue", "error", "env", "host", "ip", "port", "secret"),
)


class Identifier(NamedTuple):
    """`text`: as it stands in the text. `shown`: the same, or masked where it is a secret.

    A tuple, because a long session asks a hundred thousand times whether it knows one."""

    kind: Kind
    text: str

    @property
    def shown(self) -> str:
        return redaction.masked(self.text) if self.kind == "secret" else self.text


class Finder:
    """Finds identifiers and remembers what it made of every run (`known`)."""

    def __init__(self) -> None:
        self.known: dict[bytes, dict[Identifier, None]] = {}

    def find(self, text: str) -> tuple[Identifier, ...]:
        """Distinct, in the order of their runs; those of several words last."""
        return self.find_all((text,))[0]

    def find_all(self, texts: Sequence[str]) -> list[tuple[Identifier, ...]]:
        """The same for many texts, in bulk."""
        found: list[dict[Identifier, None]] = [{} for _ in texts]
        known = self.known
        for batch in batches(texts):
            for index, run in batch.runs():
                names = known.get(run)
                if names is None:
                    names = known[run] = dict.fromkeys(_in_run(run.decode("ascii")))
                if names:
                    found[index].update(names)
            for index, name in spoken(batch):
                found[index][name] = None
        return [tuple(names_of) for names_of in found]


def find(text: str) -> tuple[Identifier, ...]:
    """All identifiers of a text."""
    return Finder().find(text)


_SPOKEN: tuple[tuple[bytes, int, Kind, re.Pattern[bytes]], ...] = (
    (b"PR ", 0, "issue", re.compile(rb"PR (?:no\.? ?)?#?[0-9]{1,6}\b")),
    (b"MR ", 0, "issue", re.compile(rb"MR (?:no\.? ?)?#?[0-9]{1,6}\b")),
    (b"ssue ", 1, "issue", re.compile(rb"[Ii]ssue (?:no\.? ?)?#?[0-9]{1,6}\b")),
    (b"ull request ", 1, "issue", re.compile(rb"[Pp]ull request (?:no\.? ?)?#?[0-9]{1,6}\b")),
    (b"exit code", 0, "error", re.compile(rb"exit code[ =:]{1,2}[0-9]{1,5}\b")),
    (b"exit status", 0, "error", re.compile(rb"exit status[ =:]{1,2}[0-9]{1,5}\b")),
    (b"errno", 0, "error", re.compile(rb"errno[ =:]{1,2}[0-9]{1,5}\b")),
    (b"HTTP ", 0, "error", re.compile(rb"HTTP [1-5][0-9]{2}\b")),
    (b"ort ", 1, "port", re.compile(rb"[Pp]ort [0-9]{2,5}\b")),
)
"""What to look for, how far in front of it the identifier begins, its kind, and its form."""
_LETTER = re.compile(rb"[A-Za-z0-9_]")
_LONGEST = 20
"""Bytes at most from the beginning of such a word to its number."""


def _endings() -> NDArray[np.bool_]:
    """The last two letters of what stands in front of a number (`Joined.numbers`)."""
    table = np.zeros(1 << 16, np.bool_)
    for first, second in (b"PR", b"MR", b"ue", b"st", b"no", b"de", b"us", b"TP", b"rt"):
        table[256 * first + second] = True
    return table


_ENDINGS = _endings()


def spoken(joined: Joined) -> list[tuple[int, Identifier]]:
    """Those of more than one word, with the index of their text: PR 12, exit code 2, port 8080.

    Numbers are looked for, and then the word in front of them: most words have none."""
    data = joined.data
    found: list[tuple[int, int, Identifier]] = []
    for place in joined.numbers(_ENDINGS):
        for order, (word, back, kind, form) in enumerate(_SPOKEN):
            at = data.rfind(word, max(0, place - _LONGEST), place)
            if at < 0:
                continue
            match = form.match(data, max(0, at - back))
            begins = match is None or not (match.start() and _LETTER.match(data, match.start() - 1))
            if match is not None and begins and match.end() > place:
                found.append((order, at, Identifier(kind, match.group().decode("ascii"))))
    found.sort(key=_in_order)
    return [(joined.owner(at), name) for _, at, name in found]


def _in_order(one: tuple[int, int, Identifier]) -> tuple[int, int]:
    return one[:2]


# one run

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{7,64}\Z")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9_~@#%&?=+:./$-]{3,}")
_CREDENTIALS = re.compile(r"://[^/]*@")
_LINE = re.compile(r":[0-9]+(?::[0-9]+)?\Z")
_IP = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(:[0-9]{1,5})?\Z", re.ASCII)
_HOST = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"
    r"(?:com|org|net|edu|gov|io|ai|dev|app|cloud|local|internal|de|uk|cn|eu|info)(:[0-9]{2,5})?\Z"
)
_LOCAL = re.compile(r"(?:localhost|[a-z][a-z0-9-]{1,40}):[0-9]{4,5}\Z")
_ISSUE = re.compile(r"(?:[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)?#[0-9]{1,5}\Z|(?:GH|gh)-[0-9]{1,6}\Z")
_TICKET = re.compile(r"[A-Z][A-Z0-9]{1,9}-[0-9]{1,6}\Z")
_NOT_TICKETS = frozenset(
    {"UTF", "ISO", "SHA", "RFC", "GPT", "UTC", "GMT", "AES", "RSA", "ISSN", "CVE", "MD", "ES", "H"}
)
_ENV = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{3,}\Z")
_ERROR = re.compile(
    r"E(?:[A-Z]{2}[A-Z0-9]{2,})\Z|(?:TS|ESLINT|SQLSTATE|ORA|CVE|CS|RUF|SIM|PT|E|W|F|C|B)-?[0-9]{3,5}(?:-[0-9]{3,6})?\Z"
    r"|[A-Z][A-Za-z0-9]*(?:Error|Exception|Fault|Panic)\Z|SIG(?:KILL|TERM|SEGV|ABRT|INT|PIPE|HUP)\Z"
)
_NOT_ERRORS = frozenset(
    {"EVERY", "EACH", "ELSE", "EMPTY", "ENABLED", "ERROR", "ERRORS", "EXAMPLE", "EXPORT", "EXIT", "END"}
)
_PREFIXED = re.compile(r"[A-Za-z]{2,12}[_-][A-Za-z0-9_-]*[A-Za-z0-9]{8,}\Z")
_TEST = re.compile(r"test_[a-z0-9_]{4,}\Z")
_NUMBER = re.compile(r"[0-9]{6,20}\Z")
_PART = re.compile(r"[A-Za-z0-9_.@+~$%=-]+\Z")
_EXTENSION = re.compile(r"[^./\\]\.([A-Za-z][A-Za-z0-9]{0,9})\Z")
_EXTENSIONS = frozenset(
    re.findall(
        r"\w+",
        "astro bash bat c cc cfg cjs clj cmake conf cpp cs css csv cts cxx dart db diff dll dockerfile ejs env ex exs "
        "fish gif go gradle graphql h hpp hs html ico ini ipynb java jpeg jpg js json jsonl jsx kt less lock log lua "
        "m map md mdx mjs ml mts nix o parquet patch pdf php pl plist png proto ps1 py pyi r rb rs rst sass scala "
        "scss sh so sql sqlite svelte svg swift tar tf toml ts tsv tsx txt vue wasm webp xml yaml yml zig zip zsh gz ",
    )
)
_MEMBERS = frozenset(["d", "env", "ex", "lock", "log", "m", "map", "o", "proto", "r", "so", "zip"])
"""Extensions that are names of members in code as well: console.log, process.env."""
_MODULES = frozenset({"js", "jsx", "ts", "tsx", "mjs", "mts", "cjs", "css"})
"""A relative path to one of these is what code imports, not a file that somebody names."""
_MIME = ("application/", "text/", "image/", "audio/", "video/", "multipart/", "font/")
_SECRET = re.compile(
    r"sk[-_]|[rp]k_|whsec|gh[pousr]_|github_pat|gl\w{2,3}-|AKIA|ASIA|AIza|xox|hf_|npm_|pypi-|eyJ|\d+:AA"
)
_OPENING, _CLOSING = "\"'`([{<:=?&%+#@$~.-", "\"'`)]}>.,;:!?=+&%#@$~-/\\"


def _in_run(run: str) -> Iterator[Identifier]:
    url = _URL.search(run)
    if url is not None:
        text = url.group().rstrip(".,;:!?=&#")
        if not _CREDENTIALS.search(text) and not any(True for _ in redaction.secrets(text)):
            yield Identifier("url", text)
        return
    if _ISSUE.match(run.rstrip(".,:;?")):
        yield Identifier("issue", run.rstrip(".,:;?"))
        return
    name, equals, value = run.partition("=")
    plain = name.lstrip("$&?%+:./-")
    if equals and _VARIABLE.match(plain):
        yield from _assigned(plain, value)
        return
    if equals and not name.startswith(("/", "./", "~")):
        for piece in run.split("="):
            yield from _plain(piece)
        return
    yield from _plain(run)


def _assigned(name: str, value: str) -> Iterator[Identifier]:
    """NAME=VALUE: the pair is the identifier where the value is short and no secret."""
    whole = f"{name}={value}"
    value = value.rstrip(_CLOSING)
    if value and len(value) <= 40 and not any(True for _ in redaction.secrets(whole)):
        yield Identifier("env", f"{name}={value}")
    else:
        yield Identifier("env", name)


def _plain(run: str) -> Iterator[Identifier]:
    begins = "" if run.startswith(("./", "../", "~/", ".github/")) else _OPENING
    text = run.lstrip(begins).rstrip(_CLOSING)
    if len(text) < 3:
        return
    uuid = _UUID.search(text)
    if uuid is not None and not ("/" in text and "." in text[uuid.end() :]):
        yield Identifier("uuid", uuid.group())
        return
    kind = _kind(text)
    if kind is None and (bare := _LINE.sub("", text)) != text:
        text, kind = bare, _path(bare)
    if kind is None and ":" in text:
        for piece in text.split(":"):
            if len(piece) >= 3 and (found := _kind(piece)) is not None:
                yield Identifier(found, piece)
        return
    if kind is not None:
        yield Identifier(kind, text)


def _kind(text: str) -> Kind | None:
    if _SECRET.match(text) and any(True for _ in redaction.secrets(text)):
        return "secret"
    if "/" in text or "\\" in text:
        return _path(text)
    if ":" in text or "." in text:
        if (match := _IP.match(text)) is not None:
            return "port" if match[1] else "ip"
        if (match := _HOST.match(text)) is not None:
            return "port" if match[1] else "host"
        if _LOCAL.match(text):
            return "port"
        return _path(text) if ":" not in text else None
    return "secret" if _random(text) else _name(text)


def _name(text: str) -> Kind | None:
    """A run without dots and slashes."""
    if _NUMBER.match(text):
        return "id"
    if _HEX.match(text):
        mixed = any(c.isdigit() for c in text) and any(c in "abcdefABCDEF" for c in text)
        return "hash" if mixed else None
    if _TEST.match(text):
        return "id"
    if _ERROR.match(text):
        return None if text in _NOT_ERRORS else "error"
    if _TICKET.match(text):
        return None if text.partition("-")[0] in _NOT_TICKETS else "id"
    if _ENV.match(text):
        return "env"
    if _PREFIXED.match(text) and any(c.isdigit() for c in text) and len(text) >= 12 and not text.islower():
        return "id"
    return None


def _random(text: str) -> bool:
    """Small and capital letters and digits through one another, and nothing else: a key rather than a name."""
    if len(text) < 24 or not text.isalnum() or not text.isascii():
        return False
    turns = sum(_class(a) != _class(b) for a, b in pairwise(text))
    return turns > len(text) // 3 and any(c.isdigit() for c in text) and not text.islower() and not text.isupper()


def _class(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.islower() else 2


def _path(text: str) -> Kind | None:
    """A file or a folder: it says where it begins (/ ./ ~/ C:\\), or has an extension, or three parts in lower case."""
    drive = text[1:3] == ":\\"
    if "\\" in text and not drive:
        return None
    slashed = text.replace("\\", "/")
    if slashed.startswith(_MIME):
        return None
    parts = [part for part in (slashed[3:] if drive else slashed).split("/") if part]
    if not parts or not all(map(_PART.match, parts)) or not any(c.isalpha() for c in text):
        return None
    extension = _EXTENSION.search(text)
    known = extension is not None and extension[1].lower() in _EXTENSIONS
    if "/" not in slashed:
        return "path" if extension is not None and known and extension[1].lower() not in _MEMBERS else None
    if slashed.startswith(("./", "../")) and extension is not None and extension[1] in _MODULES:
        return None
    if drive or slashed.startswith(("./", "../", "~/")):
        return "path"
    if slashed.startswith("/"):
        return "path" if len(parts) >= 2 else None
    if known:
        return "path"
    return "path" if len(parts) >= 3 and all(len(part) > 1 and part.islower() for part in parts) else None
