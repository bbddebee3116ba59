"""Long text in chunks: nothing is lost between them, places map both ways, heights become true when looked at."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.laid import lay_out
from gui.prompt_layout import CHUNK, Body
from gui.prompt_text import Document, Section
from gui.theme import Theme


@pytest.fixture
def theme(qtbot: QtBot) -> Theme:
    return Theme.of(False)


def plain(text: str) -> Document:
    return Document(text, (Section("text", 0, len(text)),))


def pieces(body: Body) -> list[tuple[int, int]]:
    return list(zip(body._starts, body._ends, strict=True))


HOSTILE = st.text(st.sampled_from("ab \n\t\u202e\u200b\x00\x1b\ud800é中😀ا👩‍👧"), max_size=60)


@settings(max_examples=40)
@given(HOSTILE)
def test_places_map_there_and_back(text: str) -> None:
    """Every character of the recorded text has a position in the layout that leads back to it, named ones too."""
    laid = lay_out(text, 7, Theme.of(False).font("content"), 400, 19)
    for place in range(7, 7 + len(text)):
        assert laid.place(laid.position(place)) == place
    assert laid.place(laid.position(7 + len(text))) == 7 + len(text)


test_places_map_there_and_back = pytest.mark.usefixtures("qtbot")(test_places_map_there_and_back)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "one\n" * 5_000,
        "x" * 50_000,
        "word " * 20_000,
        ("y" * 9_000 + "\n") * 5,
        "中文" * 9_000,
        "a\n" + "z" * 4_001 + "\n\nend",
    ],
)
def test_chunks_cover_the_text(theme: Theme, text: str) -> None:
    """Chunks follow one another; between two lies at most the line break that parts them; none is too long."""
    body = Body(plain(text), 500, theme)
    at = 0
    for number, (start, end) in enumerate(pieces(body)):
        between = text[at:start]
        assert between == "" or (between == "\n" and number > 0)
        assert start <= end <= start + CHUNK
        at = end
    assert at == len(text)


def test_a_long_word_shows_no_seam(theme: Theme) -> None:
    """Where a chunk ends inside a word, its last line is full: the reader sees one word."""
    body = Body(plain("w" * 10_000), 500, theme)
    body.settle(0, 10**9)
    for chunk in range(len(body._starts) - 1):
        layout = body.laid(chunk).layout
        widths = {layout.lineAt(line).textLength() for line in range(layout.lineCount())}
        assert len(widths) == 1


def test_heights_become_true_where_they_are_seen(theme: Theme) -> None:
    """After settling the whole, the height is the sum of the laid lines; settling again changes nothing."""
    body = Body(plain("中文 and words that wrap somewhere else than one thinks\n" * 400), 300, theme)
    body.settle(0, 10**9)
    lines = sum(body.laid(chunk).layout.lineCount() for chunk in range(len(body._starts)))
    assert body.height == lines * theme.line_height("content")
    assert body.settle(0, 10**9) == 0


def test_points_and_places(theme: Theme) -> None:
    """A point on a line gives a place of that line, and the line's top comes back from the place."""
    text = "".join(f"line {number}\n" for number in range(3_000))
    body = Body(plain(text), 500, theme)
    place = text.index("line 2345")
    for _ in range(3):
        y = body.y_of(place)
        body.settle(y - 100, y + 100)
    assert body.place_at(0, body.y_of(place) + 3) == place
    assert body.place_at(10_000, body.y_of(place) + 3) == place + len("line 2345")
    assert body.place_at(0, -5) == 0
    assert body.place_at(0, 10**9) == len(text)


def test_labels_stand_above_their_section(theme: Theme) -> None:
    """A section without text still has its label's height (an image), and no line."""
    from core.phrase import phrase

    label = phrase("prompt.label.image", size=1, kind="png")
    body = Body(Document("a\n", (Section("text", 0, 1), Section("image", 2, 2, label))), 400, theme)
    body.settle(0, 10**9)
    assert body.height == theme.line_height("content") + body._label


def test_a_megabyte_is_laid_out_only_where_it_is_seen(theme: Theme) -> None:
    """Opening a word of 1 MB and going to its end lays out a few chunks, within the time of some frames."""
    begin = time.perf_counter()
    body = Body(plain("x" * 1_000_000), 600, theme)
    body.settle(0, 500)
    body.settle(body.height - 500, body.height)
    assert len(body._laid) < 12
    assert time.perf_counter() - begin < 1.0  # 15 ms when the machine is free


def test_hidden_characters_are_drawn_as_names(theme: Theme) -> None:
    """The override is written out: the picture differs from that of the reordered text, and equals that of its name."""

    def picture(text: str) -> QImage:
        image = QImage(300, 30, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        body = Body(plain(text), 280, theme)
        body.settle(0, 100)
        body.paint(painter, 4, 4, 0, 100)
        painter.end()
        return image

    assert picture("a\u202egpj.exe") == picture("a⟨RLO⟩gpj.exe")
    assert picture("<b>x</b>") != picture("x")
