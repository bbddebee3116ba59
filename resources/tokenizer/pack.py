"""Packs a `.tiktoken` vocabulary: lengths first, then the tokens end to end, then zlib.

    .tiktoken    base64 token, space, rank; one line each, ranks 0, 1, 2 …        3.6 MB
    packed       length of each token (1 byte each), all tokens in rank order     1.6 MB, 1.0 MB with zlib

Rank numbers need not be kept, for they only count up; base64 compresses badly. zlib and not xz, which is 0.2 MB
smaller: there are builds of Python without lzma. Packing is deterministic; unpacking and writing it out again gives
the original file byte by byte.

    python -m resources.tokenizer.pack o200k_base.tiktoken o200k_base.bin
"""

from __future__ import annotations

import base64
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

COUNT = 4
"""Bytes of the number of tokens, big-endian, in front of the lengths."""


def pack(tiktoken: bytes) -> bytes:
    """The packed form of a `.tiktoken` file. ValueError when its ranks do not count up from 0."""
    tokens: list[bytes] = []
    for line in tiktoken.splitlines():
        token, rank = line.split()
        if int(rank) != len(tokens):
            raise ValueError(f"rank {int(rank)} stands where {len(tokens)} should be")
        tokens.append(base64.b64decode(token))
    plain = len(tokens).to_bytes(COUNT, "big") + bytes(map(len, tokens)) + b"".join(tokens)
    return zlib.compress(plain, 9)


def unpack(packed: bytes) -> list[bytes]:
    """The tokens, index = rank. ValueError (or zlib.error) when the data is damaged."""
    plain = zlib.decompress(packed)
    count = int.from_bytes(plain[:COUNT], "big")
    at = COUNT + count
    tokens: list[bytes] = []
    for length in plain[COUNT:at]:
        tokens.append(plain[at : at + length])
        at += length
    if len(tokens) != count or at != len(plain):
        raise ValueError("the lengths do not fit the tokens")
    return tokens


def write_out(tokens: Sequence[bytes]) -> bytes:
    """The `.tiktoken` file again."""
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))


if __name__ == "__main__":
    source, target = sys.argv[1:]
    Path(target).write_bytes(pack(Path(source).read_bytes()))
