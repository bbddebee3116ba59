"""Pictures without a display: of every view, in both themes and languages; and a failure where glyphs are missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QImage

from gui import glyphs, samples, shot

PATH = samples.first().path
SMALL = str(Path(PATH).with_name("broken-pairs.jsonl"))


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


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["--policy", "nonsense"], 1, "openclaw-2026.4.5"),
        (["--set", "share"], 2, "guard_context.share=0.6"),
        (["--set", "guard.share=0.5"], 2, "guard_context"),
        (["--set", "guard_context.shares=0.5"], 2, "protect_latest_read"),
        (["--set", "guard_context.share=9"], 2, "0.05"),
        (["--step", "guard"], 2, "guard_context"),
        (["--before-after", "--view", "layers"], 2, "--view main"),
    ],
)
def test_names_of_policy_and_step(qapp, tmp_path, capsys, arguments, code, word):
    """What does not exist is one sentence that names what does; exit codes are those of the other verbs."""
    assert shot.run([SMALL, *arguments, "--output", str(tmp_path / "x.png")]) == code
    said = capsys.readouterr().err
    assert word in said
    assert said.count("\n") == 1
    assert not (tmp_path / "x.png").exists()


def test_before_and_after_needs_a_file(qapp, tmp_path, capsys):
    """The start page has no Prompt tab."""
    assert shot.run(["--before-after", "--output", str(tmp_path / "x.png")]) == 2
    assert "FILE" in capsys.readouterr().err


def _window(monkeypatch, arguments, tmp_path):
    """(window, state) as they are when the picture is taken."""
    seen = []

    def target(window, view):
        state = window.prompt.state
        seen.append((state.base.id, state.changes(), state.cursor.step, window.prompt.comparing, window.prompt.counted))
        seen.append((window.layers.current, window.prompt.head.headline.text, state.stale))
        return window

    monkeypatch.setattr(shot, "_target", target)
    monkeypatch.setattr(glyphs, "missing", lambda characters, font: "")  # the file has an emoji
    assert shot.run([SMALL, *arguments, "--output", str(tmp_path / "x.png")]) == 0
    return seen


def test_policy_settings_and_step(qapp, tmp_path, monkeypatch):
    """The picture shows that policy with these changes, behind that step, before beside after, counted as asked."""
    more = ["--set", "guard_context.share=0.3", "--set", "guard_overflow=off", "--count", "guard"]
    changed = _window(monkeypatch, ["--policy", "article-1", *more], tmp_path)
    assert changed[0] == ("article-1", ("guard_context.share", "guard_overflow"), None, False, True)
    stood = _window(monkeypatch, ["--step", "strip_details", "--before-after"], tmp_path)
    assert stood[0] == ("openclaw-2026.4.5", (), "strip_details", True, False)
    assert stood[1][0] == "strip_details"
    assert changed[1][1] != stood[1][1]
    assert not changed[1][2]
    assert not stood[1][2]


def test_tools_and_system_prompt_by_hand(qapp, tmp_path, capsys):
    """`--system`, `--tools`, `--workspace`, `--trace`: what a file is was said, its name does not matter; what cannot
    be read is refused before there is a picture."""
    system, tools, target = tmp_path / "prompt.json", tmp_path / "tools.txt", tmp_path / "x.png"
    system.write_text("You are the clerk of a harbour office.")
    tools.write_text('[{"name": "read_the_gauge", "description": "Water level"}]')
    given = ("--system", str(system), "--tools", str(tools))
    assert shot.run([PATH, *given, "--view", "prompt", "--output", str(target)]) == 0
    plain = target.read_bytes()
    assert shot.run([PATH, "--view", "prompt", "--output", str(target)]) == 0
    assert target.read_bytes() != plain
    for wrong in ("--trace", "--system", "--tools", "--workspace"):
        assert shot.run([PATH, wrong, str(tmp_path / "nowhere"), "--output", str(target)]) == 1
    assert "nowhere" in capsys.readouterr().err


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
