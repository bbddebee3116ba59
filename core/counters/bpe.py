"""A real tokenizer: the byte-pair vocabulary o200k_base, shipped with the program, without any network.

It is the tokenizer of some OpenAI models, exact for their text; for other makers' models it is an estimate. Counted is
every text that is sent (thinking, the name and the JSON arguments of a tool call too), an image by its area, and on
top 4 tokens per message and per tool call for the marks that frame them (the chat format's own overhead).

tiktoken is never asked for an encoding by name: that would ask the network, and delete a file whose hash is not the
expected one. The encoding is built from our own packed vocabulary when the first message is counted (0.2 to 0.4 s).
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from core.errors import UnreadableFile
from core.messages import Message
from core.phrase import phrase
from core.sent import sent
from core.session import Session
from resources.tokenizer.pack import unpack

if TYPE_CHECKING:
    import tiktoken

ID = "bpe"
TITLE = phrase("counter.bpe")

PER_MESSAGE = 4
PER_CALL = 4

PIECE = 100_000
"""Characters given to the tokenizer at once. Its splitting pattern recurses over white space and overflows its stack
on some million blanks; a longer text is cut at a line end, which can differ by a token per cut."""
REMEMBERED = 200_000
"""Texts whose count is kept."""


@cache
def encoding() -> tiktoken.Encoding:
    """The encoding, checked. UnreadableFile when the shipped vocabulary is not the one that vocabulary.toml names."""
    import tiktoken  # 30 ms that only who counts should pay

    folder = files("resources") / "tokenizer"
    about = tomllib.loads((folder / "vocabulary.toml").read_text(encoding="utf-8"))
    packed = (folder / about["file"]).read_bytes()
    if hashlib.sha256(packed).hexdigest() != about["sha256"]:
        raise UnreadableFile(phrase("counter.vocabulary_damaged", file=about["file"]))
    ranks = {token: rank for rank, token in enumerate(unpack(packed))}
    return tiktoken.Encoding(
        about["name"], pat_str="|".join(about["pattern"]), mergeable_ranks=ranks, special_tokens=about["special"]
    )


class BytePairs:
    """Counts with the encoding; remembers the count of every text it has seen, by digest."""

    id = ID

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def count(self, message: Message) -> int:
        found = sent(message)
        if found.kind == "none":
            return 0
        return PER_MESSAGE + PER_CALL * found.calls + sum(map(self.text, found.texts)) + sum(found.images)

    def text(self, text: str) -> int:
        """Tokens of a text. Special tokens in it are ordinary words, a lone surrogate is a replacement character."""
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = sum(len(encoding().encode_ordinary(piece)) for piece in _pieces(text))
            self._known[key] = known
        return known


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > PIECE:
        cut = text.rfind("\n", start + PIECE // 2, start + PIECE) + 1
        end = cut if cut > start else start + PIECE
        yield text[start:end]
        start = end
    yield text[start:]


def make(session: Session | None) -> BytePairs:
    return BytePairs()
