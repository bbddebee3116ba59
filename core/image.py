"""How large an image is, from the first bytes of its file: enough to say how many tokens it costs. Nothing is decoded.

A provider scales an image down until its area fits, then charges width * height / 750 tokens, about 1,600 at most
(Anthropic's published rule). An image whose size cannot be read counts as one of the largest.
"""

from __future__ import annotations

import base64
import binascii

from core.messages import Json

LARGEST = 1_600
"""Tokens of an image that fills the area a provider accepts, and of one whose size is not readable."""
AREA = 750
"""Pixels per token."""

_HEAD = 65_536
"""Bytes looked at: a JPEG may carry a preview picture before it says its size."""


def tokens(block: Json) -> int:
    """Tokens of an image block, 1 to LARGEST. `block`: `{data, …}` or `{source: {data, …}}`, in base64."""
    found = size_of(block)
    return LARGEST if found is None else min(LARGEST, max(1, -(-found[0] * found[1] // AREA)))


def size_of(block: Json) -> tuple[int, int] | None:
    """(width, height) in pixels of an image block; None when its bytes do not tell."""
    return size(_data(block))


def _data(block: Json) -> bytes:
    holder = block.get("source", block) if isinstance(block, dict) else None
    data = holder.get("data") if isinstance(holder, dict) else None
    if not isinstance(data, str):
        return b""
    start = data.find(",") + 1 if data.startswith("data:") else 0
    text = data[start : start + _HEAD * 4 // 3]
    try:
        return base64.b64decode(text[: len(text) // 4 * 4].encode("ascii", "replace"))
    except binascii.Error:
        return b""


def size(head: bytes) -> tuple[int, int] | None:
    """(width, height) in pixels of a PNG, JPEG, GIF or WebP, from its first bytes; None when they do not tell."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR" and len(head) >= 24:
        found = _big(head[16:20]), _big(head[20:24])
    elif head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        found = _little(head[6:8]), _little(head[8:10])
    elif head.startswith(b"RIFF") and head[8:12] == b"WEBP" and len(head) >= 30:
        found = _webp(head)
    elif head.startswith(b"\xff\xd8"):
        found = _jpeg(head)
    else:
        return None
    return found if found[0] > 0 and found[1] > 0 else None


def _webp(head: bytes) -> tuple[int, int]:
    match head[12:16]:
        case b"VP8X":
            return _little(head[24:27]) + 1, _little(head[27:30]) + 1
        case b"VP8L":
            bits = _little(head[21:25])
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF
    return 0, 0


def _jpeg(head: bytes) -> tuple[int, int]:
    """Segments are marker, length, content; the frame header (any SOF) holds precision, height, width."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:  # stands alone
            at += 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(head[at + 7 : at + 9]), _big(head[at + 5 : at + 7])
        else:
            at += 2 + max(2, _big(head[at + 2 : at + 4]))
    return 0, 0


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
