"""Image sizes from the first bytes, and what they cost."""

from __future__ import annotations

import base64
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.image import LARGEST, size, tokens


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", width, height, 8, 6, 0, 0, 0)


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x00" * 8


def jpeg(width: int, height: int, before: bytes = b"") -> bytes:
    """Start, an optional segment, a Huffman table (0xC4: no frame header), the frame header."""
    table = b"\xff\xc4" + struct.pack(">H", 19) + bytes(17)
    return b"\xff\xd8" + before + table + b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)


def webp(form: bytes, body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", 4 + 8 + len(body)) + b"WEBP" + form + struct.pack("<I", len(body)) + body


def extended(width: int, height: int) -> bytes:
    return webp(b"VP8X", bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little") + bytes(9))


def lossless(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x2f" + ((width - 1) | (height - 1) << 14).to_bytes(4, "little") + bytes(9))


def lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\x10\x02\x00\x9d\x01\x2a" + struct.pack("<HH", width, height | 0x4000) + bytes(9))


def block(data: bytes) -> dict:
    return {"type": "image", "mimeType": "image/x", "data": base64.b64encode(data).decode("ascii")}


@pytest.mark.parametrize("make", [png, gif, jpeg, extended, lossless, lossy])
@given(st.integers(1, 16383), st.integers(1, 16383))
def test_size(make, width, height):
    """Every form tells width and height, in this order."""
    assert size(make(width, height)) == (width, height)


def test_a_jpeg_with_a_preview():
    """Segments before the frame header are stepped over, padding too, and a picture inside one is not taken for it."""
    inner = jpeg(3, 3)
    before = b"\xff\xff\xe1" + struct.pack(">H", 2 + len(inner)) + inner + b"\xff\xd0"
    assert size(jpeg(640, 480, before)) == (640, 480)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        png(0, 5),
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xd9" + bytes(20),
        b"<svg/>",
        b"RIFF" + bytes(40),
    ],
)
def test_no_size(head):
    """Cut, empty or unknown: no size."""
    assert size(head) is None


@given(st.binary(max_size=80))
def test_any_bytes_are_accepted(head):
    for start in (b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 ", b"GIF89a"):
        found = size(start + head)
        assert found is None or min(found) > 0


@pytest.mark.parametrize(
    ("image", "cost"),
    [
        (block(png(1, 1)), 1),
        (block(png(750, 100)), 100),
        (block(png(751, 100)), 101),
        (block(png(9000, 9000)), LARGEST),
        ({"type": "image", "source": {"type": "base64", "data": block(png(300, 300))["data"]}}, 120),
        ({"type": "image", "data": "data:image/png;base64," + block(png(300, 300))["data"]}, 120),
        ({"type": "image"}, LARGEST),
        ({"type": "image", "data": "not base64 ä"}, LARGEST),
        ({"type": "image", "source": {"type": "url", "url": "https://example.org/x.png"}}, LARGEST),
        (None, LARGEST),
    ],
)
def test_tokens(image, cost):
    """Area / 750 rounded up, at most 1,600; 1,600 when the size is not readable."""
    assert tokens(image) == cost
