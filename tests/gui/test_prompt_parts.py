"""The pieces around the list: captions of the budget bar, the minimap's scale, the keys, headline and card."""

from __future__ import annotations

from itertools import pairwise
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QPainter
from pytestqt.qtbot import QtBot

from core.headline import Run
from gui.budget_bar import Budget, BudgetBar, Label, captions, placed
from gui.headline import Headline, spoken
from gui.hover_card import LINES, HoverCard
from gui.minimap import Minimap, Scale, paint_blocks
from gui.prompt_keys import command
from gui.prompt_rows import Folds, rows_of
from gui.segmented import Segmented
from gui.theme import Look, Theme
from tests.gui.test_prompt_rows import assembled


@pytest.fixture
def look(qtbot: QtBot) -> Look:
    return Look("light")


@given(
    st.lists(st.tuples(st.floats(0, 800), st.sampled_from([0, 0.5, 1]), st.floats(5, 300)), max_size=6),
    st.floats(100, 800),
)
def test_captions_never_overlap(wanted: list[tuple[float, float, float]], right: float) -> None:
    """Whatever is asked for: what is placed lies inside, apart and in the order of the places it belongs to; the first
    one is placed if it fits at all."""
    labels, widths = [Label("x", x, hold) for x, hold, _ in wanted], [width for *_, width in wanted]
    found = placed(labels, widths, 0, right, 10)
    spans = sorted((x, x + width) for x, width in zip(found, widths, strict=True) if not isnan(x))
    assert all(start >= 0 and end <= right + 1e-9 for start, end in spans)
    assert all(before[1] + 10 <= after[0] + 1e-9 for before, after in pairwise(spans))
    there = sorted((x, label.x) for x, label in zip(found, labels, strict=True) if not isnan(x))
    assert all(before[1] <= after[1] for before, after in pairwise(there))
    if wanted and widths[0] <= right:
        assert not isnan(found[0])


def test_captions_name_only_what_is_there() -> None:
    """No summary, no caption for it; an unknown reserve has no line."""
    budget = Budget((94_000, 0, 25_000, 1_000), 19_543, 200_000, 180_000)
    words = [label.text for label in captions(budget, [QRectF()] * 5, 0.01)]
    assert words == ["200k", "compacts above 180k", "Tool results 94k", "assistant 25k · user 1k", "system + tools"]
    assert [label.text for label in captions(Budget((0, 0, 0, 0), None, 200_000, None), [QRectF()] * 5, 0.01)] == [
        "200k"
    ]


def test_the_bar_is_told_in_words(look: Look, qtbot: QtBot) -> None:
    """A screen reader hears the same numbers."""
    bar = BudgetBar(look)
    qtbot.addWidget(bar)
    bar.show_budget(Budget((94_000, 0, 25_000, 1_000), 19_543, 200_000, 180_000))
    assert "94,000" in bar.accessibleDescription()
    assert "19,543" in bar.accessibleDescription()


@given(st.text("rw", min_size=1, max_size=40), st.floats(0, 1))
def test_minimap_scale_maps_both_ways(states: str, share: float) -> None:
    """Tokens -> row -> tokens is the same place, and the whole prompt is covered from first to last row."""
    prompt = assembled(states)
    rows = rows_of(prompt, Folds())
    scale = Scale.of(prompt, rows)
    assert scale.whole == 99 + 10 * len(states)
    tokens = share * (scale.whole - 1)
    assert scale.tokens_at(scale.row_at(tokens)) == pytest.approx(tokens, abs=1e-6)
    assert scale.tokens_at(len(rows)) == scale.whole


def test_minimap_shows_the_states_in_proportion(qtbot: QtBot) -> None:
    """Read is solid from its first to its last token; what was written begins where the read ends."""
    theme, prompt = Theme.of(False), assembled("rrrrrrrrww", 8)
    image = QImage(32, 199, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    paint_blocks(painter, QRectF(0, 0, 32, 199), prompt, theme)
    painter.end()
    read = theme.read.rgb()
    assert image.pixel(16, 103) == read
    assert image.pixel(16, 175) == read
    assert all(image.pixel(16, y) != read for y in range(181, 199))


def test_minimap_jumps_and_drags(look: Look, qtbot: QtBot) -> None:
    """A click outside the frame centres it there; dragging moves it along."""
    prompt = assembled("r" * 50)
    folds = Folds()
    folds.everything(True)
    rows = rows_of(prompt, folds)
    minimap = Minimap(look)
    qtbot.addWidget(minimap)
    minimap.resize(64, 400)
    minimap.show_prompt(prompt, rows)
    minimap.show_span(0, 8)
    asked: list[float] = []
    minimap.jumped.connect(asked.append)
    qtbot.mousePress(minimap, Qt.MouseButton.LeftButton, pos=QPoint(40, 300))
    qtbot.mouseMove(minimap, QPoint(40, 380))
    qtbot.mouseRelease(minimap, Qt.MouseButton.LeftButton, pos=QPoint(40, 380))
    assert 20 < asked[0] < len(rows)
    assert asked[-1] >= asked[0]


def test_keys_by_name(qtbot: QtBot) -> None:
    """Letters can be switched off; arrows, Ctrl keys and Esc stay."""

    def asked(key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, letters: bool = True) -> object:
        return command(QKeyEvent(QEvent.Type.KeyPress, key, held), letters)

    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    assert asked(Qt.Key.Key_J) == asked(Qt.Key.Key_Down) == "next"
    assert asked(Qt.Key.Key_F) == "fold"
    assert asked(Qt.Key.Key_F, shift) == "fold_all"
    assert asked(Qt.Key.Key_F, control) == asked(Qt.Key.Key_Slash, shift) == "find"
    assert asked(Qt.Key.Key_J, letters=False) is None
    assert asked(Qt.Key.Key_Down, letters=False) == "next"
    assert asked(Qt.Key.Key_J, control) is None


def test_the_headline_grows_with_its_words(look: Look, qtbot: QtBot) -> None:
    """Two lines are always there; a narrow column gets more, none is cut off."""
    line = Headline(look)
    qtbot.addWidget(line)
    line.say((Run("Sent "), Run("●", "mark"), Run("139,774", "strong"), Run(" tokens" * 40)))
    height = look.theme.line_height("headline")
    assert line.heightForWidth(5_000) == 2 * height
    assert line.heightForWidth(300) > 4 * height
    assert line.text.startswith("Sent ●139,774 tokens")
    assert spoken((Run("●", "mark"), Run("7", "strong"))) == "recorded 7"
    assert line.accessibleName().startswith("Sent recorded 139,774 tokens")


def test_the_switch_by_mouse_and_keys(look: Look, qtbot: QtBot) -> None:
    """Each choice is told once; the same part again is no choice."""
    switch = Segmented(look, "What is shown")
    qtbot.addWidget(switch)
    switch.show_parts(("Prompt", "Raw"), 0)
    switch.resize(switch.sizeHint())
    chosen: list[int] = []
    switch.chosen.connect(chosen.append)
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(switch.width() - 8, 10))
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(switch.width() - 8, 10))
    qtbot.keyClick(switch, Qt.Key.Key_Left)
    qtbot.keyClick(switch, Qt.Key.Key_Left)
    assert chosen == [1, 0]
    assert switch.accessibleDescription() == "Prompt"


def test_the_card_is_plain_text_of_a_few_lines(look: Look, qtbot: QtBot) -> None:
    """Never Qt's tool tip, which would read HTML; never more lines than it has room for."""
    card = HoverCard(None)  # type: ignore[arg-type]
    qtbot.addWidget(card)
    card.tell(["<b>first</b>", *"abcdefgh"], QPoint(100, 100), look.theme)
    assert card.lines == ("<b>first</b>", *"abcdefgh"[: LINES - 1])
    card.drop()
    assert card.lines == ()
