"""The worker's side of the pictures in a session: decoded there, small, and handed over as plain pixels.

    rows of a block ─▶ its image ─▶ format by the first bytes ─▶ QImageReader ─▶ at most 160 × 120 pixels

The one task with Qt inside, for its decoders; they need no window. Session data is untrusted: only the formats that
providers take are decoded, each by the reader of that format alone, in a process without the window, and nothing that
would need more memory than a large photograph.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from core.context import message_of
from core.messages import Json
from core.session import Session
from gui.opened import opened

WIDTH, HEIGHT = 160, 120
LARGEST = 64_000_000
"""Pixels: of more there is no picture."""
MOST_TEXT = 48 << 20
"""Characters of base64: of more there is no picture."""
FORMATS = {b"\x89PNG\r\n\x1a\n": b"png", b"\xff\xd8\xff": b"jpeg", b"GIF87a": b"gif", b"GIF89a": b"gif"}


@dataclass(frozen=True, slots=True)
class Pixels:
    """Rows from top to bottom, four bytes a pixel: blue, green, red, nothing."""

    width: int
    height: int
    data: bytes


def thumbnail(path: str, rows: Sequence[int], nth: int, report: Any) -> Pixels | None:
    """Of image `nth` (from 0) among those of these rows; None where there is none, or it cannot be shown."""
    for at, raw in enumerate(_images(opened(path, report).session, rows)):
        if at == nth:
            return pixels(decoded(encoded(raw)))
    return None


def _images(session: Session, rows: Sequence[int]) -> Iterator[Json]:
    for row in rows:
        message = message_of(session, row)
        yield from (part.raw for part in message.parts if part.kind == "image") if message is not None else ()


def pixels(image: QImage) -> Pixels | None:
    if image.isNull():
        return None
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    return Pixels(plain.width(), plain.height(), bytes(plain.constBits()))


def encoded(raw: Json) -> str:
    """Base64 of an image block, without the head of a data URL; "" where it holds none."""
    holder = raw.get("source", raw) if isinstance(raw, dict) else None
    data = holder.get("data") if isinstance(holder, dict) else None
    if not isinstance(data, str):
        return ""
    return data[data.find(",") + 1 :] if data.startswith("data:") else data


def decoded(text: str) -> QImage:
    """At most WIDTH × HEIGHT; null where it cannot be decoded."""
    if not text or len(text) > MOST_TEXT:
        return QImage()
    try:
        data = base64.b64decode(text.encode("ascii", "replace"))
    except binascii.Error:
        return QImage()
    form = format_of(data)
    if form is None:
        return QImage()
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(form))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(False)
    size = reader.size()
    if not size.isValid() or size.isEmpty() or size.width() * size.height() > LARGEST:
        return QImage()
    if size.width() > WIDTH or size.height() > HEIGHT:
        fitted = size.scaled(QSize(WIDTH, HEIGHT), Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(fitted.expandedTo(QSize(1, 1)))
    return reader.read()


def format_of(data: bytes) -> bytes | None:
    """The reader's name by the first bytes; WebP where this installation can read it."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return b"webp" if QByteArray(b"webp") in QImageReader.supportedImageFormats() else None
    return next((form for head, form in FORMATS.items() if data.startswith(head)), None)
