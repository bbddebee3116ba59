"""The provider's prompt cache as the samples pretend it: exact prefixes, marks, five minutes, twenty blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from resources.samples.wire import Block

TTL_MS = 300_000
LOOK_BACK = 20


class PrefixCache:
    def __init__(self, *, minimum: int) -> None:
        self._minimum = minimum
        self._expires: dict[bytes, int] = {}

    def request(self, blocks: Sequence[Block], *, marks: Sequence[int], at_ms: int) -> tuple[int, int]:
        """(tokens read, tokens written) of a request whose breakpoints stand at the block indexes `marks`.

        The last mark is tried first; from each mark the search goes back at most twenty positions, the mark itself
        being the first. A hit lives on for five minutes from the start of this request, and so does what it writes.
        """
        chain: list[bytes] = []
        sizes: list[int] = []
        digest, size = b"", 0
        for block in blocks:
            digest = hashlib.sha256(digest + block.content.encode("utf-8", "surrogatepass")).digest()
            size += block.tokens
            chain.append(digest)
            sizes.append(size)
        read = 0
        for mark in sorted(marks, reverse=True):
            hit = next(
                (at for at in range(mark, max(mark - LOOK_BACK, -1), -1) if self._expires.get(chain[at], -1) >= at_ms),
                None,
            )
            if hit is not None:
                read = sizes[hit]
                self._expires[chain[hit]] = at_ms + TTL_MS
                break
        written = 0
        for mark in sorted(marks):
            if sizes[mark] >= self._minimum:
                self._expires[chain[mark]] = at_ms + TTL_MS
                written = sizes[mark] - read
        return read, max(written, 0)
