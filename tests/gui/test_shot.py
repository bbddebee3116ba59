"""Pictures without a display: of every view, in both themes and languages; and a failure where glyphs are missing."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QImage

from gui import glyphs, samples, shot

PATH = samples.first().path


@pytest.mark.parametrize("view", shot.VIEWS)
def test_every_view(qapp, tmp_path, view):
    """A picture of the size asked for (a view: of its own size), not empty."""
    target = tmp_path / "picture.png"
    file = [] if view == "start" else [PATH, "--request", "23"]
    assert shot.run([*file, "--view", view, "--size", "1280x800", "--output", str(target)]) == 0
    image = QImage(str(target))
    assert image.width() >= 300
    assert image.height() >= 180
    if view in ("main", "start"):
        assert (image.width(), image.height()) == (1280, 800)
    colours = {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
    assert len(colours) > 8
    assert not list(tmp_path.glob("*.ini"))


def test_dark_and_chinese_differ(qapp, tmp_path):
    """Theme and language are honoured, and the application is left as it was."""
    pictures = {}
    for name, more in (("light", []), ("dark", ["--theme", "dark"]), ("zh", ["--lang", "zh_CN"])):
        target = tmp_path / f"{name}.png"
        assert shot.run([PATH, "--view", "main", "--output", str(target), *more]) == 0
        pictures[name] = QImage(str(target))
    assert pictures["dark"].pixelColor(800, 20).lightness() < 60 < pictures["light"].pixelColor(800, 20).lightness()
    assert pictures["zh"] != pictures["light"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["no-such-file.jsonl"], "no-such-file"),
        ([PATH, "--size", "12"], "1600x1000"),
        ([PATH, "--request", "999"], "999"),
        ([PATH, "--request", "soon"], "soon"),
        ([PATH, "--leaf", "nowhere"], "nowhere"),
        ([PATH, "--view", "sweep"], "sweep"),
        ([PATH, "--output", "/no/such/folder/x.png"], "/no/such/folder"),
    ],
)
def test_what_cannot_be_taken_is_one_sentence(qapp, tmp_path, capsys, arguments, word):
    """Exit code 1 and a sentence on standard error that names the thing."""
    given = arguments if "--output" in arguments else [*arguments, "--output", str(tmp_path / "x.png")]
    assert shot.run(given) == 1
    said = capsys.readouterr().err
    assert word in said
    assert said.count("\n") == 1


def test_wrong_usage_is_2(qapp, tmp_path, capsys):
    """argparse's own code, without a traceback."""
    assert shot.run([PATH]) == 2
    assert shot.run([PATH, "--view", "nonsense", "--output", str(tmp_path / "x.png")]) == 2


def test_missing_glyphs(qapp):
    """A character that no font has is named; text, blanks and controls are not."""
    assert glyphs.missing("Aä→ \n", QFont()) == ""
    assert glyphs.missing("A\U0001e2ff", QFont()) == "\U0001e2ff"


def test_a_missing_glyph_fails_the_picture(qapp, tmp_path, capsys, monkeypatch):
    """Exit code 1, and the characters are named."""
    monkeypatch.setattr(glyphs, "missing", lambda characters, font: "\u4e00")
    assert shot.run([PATH, "--view", "main", "--output", str(tmp_path / "x.png")]) == 1
    assert "\u4e00" in capsys.readouterr().err
    assert (tmp_path / "x.png").exists()


def test_painted_text_is_watched(qapp, tmp_path):
    """What painters draw, and what labels say, is judged."""
    target = tmp_path / "x.png"
    assert shot.run([PATH, "--request", "23", "--output", str(target)]) == 0
    assert len(glyphs._drawn or ()) > 40
