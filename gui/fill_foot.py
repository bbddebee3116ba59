"""Below the treemap: what is in focus in words, and of an image its picture."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from core.phrase import phrase
from core.window_uses import Picture
from gui.fill_facts import Filled
from gui.plain_label import PlainLabel
from gui.step_detail import NeutralBox
from gui.theme import Look
from gui.thumbnail_task import HEIGHT, WIDTH, Pixels
from gui.translation import say


class FillFoot(QWidget):
    """`picture_wanted(rows, nth)`: the picture of an image of these rows is missing."""

    picture_wanted = Signal(tuple, int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._seen: tuple[tuple[int, ...], int] | None = None
        """The image whose picture is shown or on its way."""
        self._words = ""
        self.picture = PlainLabel(look, "secondary", tone="hint", wrap=True)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.detail = NeutralBox(look)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.picture)
        row.addWidget(self.detail, 1, Qt.AlignmentFlag.AlignVCenter)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self.picture.setFixedSize(theme.px(WIDTH + 16), theme.px(HEIGHT + 8))

    def tell(self, title: str, words: str) -> None:
        self.detail.setVisible(bool(title))
        self.detail.tell(title, words)

    def show_image(self, image: Picture | None, words: str, shown: Filled) -> None:
        """None = none is in focus. `words`: the image for a screen reader."""
        self.picture.setVisible(image is not None)
        self._words = words
        if image is None:
            self._seen = None
            return
        block = shown.sent[image.block - shown.first]
        nth = sum(part.kind == "image" for part in block.message.parts[: image.part])
        wanted = (tuple(block.origin.rows), nth)
        if wanted != self._seen:
            self._seen = wanted
            self.picture.clear()
            self.picture.setAccessibleName("")
            self.picture_wanted.emit(*wanted)

    def take_picture(self, rows: tuple[int, ...], nth: int, found: Pixels | None) -> None:
        """None: it cannot be shown. A picture that is not in focus any more is dropped."""
        if (rows, nth) != self._seen:
            return
        if found is None:
            self.picture.setText(say(phrase("fill.image_none")))
            return
        made = QImage(found.data, found.width, found.height, 4 * found.width, QImage.Format.Format_RGB32)
        self.picture.setPixmap(QPixmap.fromImage(made))
        self.picture.setAccessibleName(self._words)
