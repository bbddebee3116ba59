"""Small pictures of the images in a session, decoded beside the window: a large one takes a second.

    raw block ─▶ format by its first bytes ─▶ QImageReader in the thread pool ─▶ QImage of at most 160 × 120

Session data is untrusted: only the four formats that providers take are decoded, each by the reader of that format
alone, and nothing that would need more memory than a large photograph.
"""

from __future__ import annotations

import base64
import binascii

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QIODevice,
    QObject,
    QRunnable,
    QSize,
    Qt,
    QThreadPool,
    Signal,
)
from PySide6.QtGui import QImage, QImageReader

from core.messages import Json

WIDTH, HEIGHT = 160, 120
LARGEST = 64_000_000
"""Pixels: of more there is no picture."""
MOST_TEXT = 48 << 20
"""Characters of base64: of more there is no picture."""
FORMATS = {b"\x89PNG\r\n\x1a\n": b"png", b"\xff\xd8\xff": b"jpeg", b"GIF87a": b"gif", b"GIF89a": b"gif"}


class _Port(QObject):
    """Carries what is done from the pool to the window."""

    done = Signal(object, QImage)


class _Decoding(QRunnable):
    def __init__(self, key: object, text: str, port: _Port) -> None:
        super().__init__()
        self._key, self._text, self._port = key, text, port

    def run(self) -> None:
        self._port.done.emit(self._key, decoded(self._text))


class Thumbnails(QObject):
    """`came(key, image)`: a picture that was wanted; a null one where nothing can be shown."""

    came = Signal(object, QImage)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._port = _Port()
        self._port.done.connect(self._take)
        self._wanted: object = None

    @property
    def waiting(self) -> bool:
        return self._wanted is not None

    def want(self, key: object, raw: Json) -> None:
        """The picture of an image block; of those asked for before nothing is wanted any more."""
        self._wanted = key
        QThreadPool.globalInstance().start(_Decoding(key, encoded(raw), self._port))

    def drop(self) -> None:
        self._wanted = None

    def _take(self, key: object, image: QImage) -> None:
        if key == self._wanted:
            self._wanted = None
            self.came.emit(key, image)


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
