"""A hostile session through the graph and the prompt: what is painted is, pixel by pixel, what harmless text with the
names of the hidden characters typed out would be painted as. Nothing is interpreted, in words, cards, tips or copies.

    session   "pay<U+200B>pal"        ┐
    names     "pay⟨ZWSP⟩pal"          ┘ the same picture
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.counts import Counts
from core.timeline import build
from gui.state import State
from gui.theme import Look
from gui.view import View
from gui.views.dag import DagView
from gui.views.prompt import PromptView
from gui.visible import visible, visible_line
from tests.gui.prompt_session import call, reply, result, state_of, user, write_session

HAZARDS = {
    "override": "invoice \u202egpj.exe",
    "isolate": "a \u2066b\u2069 c",
    "colours": "\x1b[31mred\x1b[0m end",
    "link": "\x1b]8;;http://x\x07here\x1b]8;;\x07",
    "zero width": "pay\u200bpal \u2060 \ufeff",
    "controls": "a\x00b\x07c\x7f\x9bd",
    "separators": "one\u2028two\u2029three\x85four",
    "halves": "left \ud83d right \udc00",
    "tags": "x\U000e0069\U000e0067y",
    "html": "<b>bold</b> <img src='file:///x'> &lt;",
}
WORD = "W" * 1_000_000 + "\u202e"


def written(path: Path, texts: list[str], called: bool = True) -> State:
    """Each text said, answered, and as a call's path (where it is `called`) and result."""
    said = [user(texts[0])]
    for number, text in enumerate(texts):
        known = {"id": f"call-{number}"}
        said += [
            reply(text, call("read", path=text if called else "x") | known, write=100),
            result("read", text, toolCallId=f"call-{number}"),
        ]
    return state_of(write_session(path, said))


def shown(qtbot: QtBot, view: View, state: State) -> None:
    view.resize(700, 900)
    qtbot.addWidget(view)
    view.show_state(state)
    view.show()
    view.flush()


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (made, name)
        for made in (DagView, PromptView)
        for name in HAZARDS
        if name not in ("html", "separators") and (made, name) != (PromptView, "halves")
    ],
)
def test_painted_as_the_names(qtbot: QtBot, tmp_path: Path, made: type[View], name: str) -> None:
    """Two sessions, one with the hazard and one with its visible form; sizes are taken to be the same. (Separators end
    a title; a half in a call is written as its JSON.)"""
    text = HAZARDS[name]
    named = visible(text)
    assert named != text
    assert "⟨" in named
    one = written(tmp_path / "one.jsonl", [text], name != "halves")
    other = written(tmp_path / "other.jsonl", [named], name != "halves")
    counts: Counts = one.counts
    other = State(other.session, build(other.session, other.timeline.leaf, counts), counts)
    pictures = []
    for state in (one, other):
        state.choose("none")
        view = made(Look("light"))
        shown(qtbot, view, state)
        canvas = view.table.viewport() if isinstance(view, DagView) else view.list.viewport()
        pictures.append(picture(canvas))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("made", [DagView, PromptView])
def test_markup_is_text(qtbot: QtBot, tmp_path: Path, made: type[View]) -> None:
    """It takes the room of its letters: not the picture that the words alone give."""
    pictures = []
    for name, text in (("markup", "<b>bold</b>"), ("words", "bold")):
        view = made(Look("light"))
        shown(qtbot, view, written(tmp_path / f"{name}.jsonl", [text]))
        pictures.append(picture(view.table.viewport() if isinstance(view, DagView) else view.list.viewport()))
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize("made", [DagView, PromptView])
def test_words_tips_and_cards(qtbot: QtBot, tmp_path: Path, made: type[View]) -> None:
    """No label takes rich text, no tool tip holds recorded words, no card a hidden character."""
    state = written(tmp_path / "s.jsonl", [*HAZARDS.values(), WORD])
    view = made(Look("light"))
    shown(qtbot, view, state)
    picture(view)
    for widget in (view, *view.findChildren(QWidget)):
        said = widget.toolTip()
        assert not any(text[:8] in said or visible(text)[:8] in said for text in HAZARDS.values()), said
        if isinstance(widget, QLabel):
            assert widget.textFormat() == Qt.TextFormat.PlainText
    if isinstance(view, DagView):
        assert view.items is not None
        for item in range(1, view.model.rowCount()):
            view._tell_card(item)
            lines = view.table.card.lines
            assert all(line == visible_line(line) and len(line) < 3_000 for line in lines)
            picture(view.table.card)
            words = view.model.data(view.model.index(item, 0), Qt.ItemDataRole.AccessibleTextRole)
            assert visible_line(str(words)) == words
    else:
        assert isinstance(view, PromptView)
        for index in range(len(view.list.rows)):
            view._tell_card(index, QPoint(10, 10))
            assert all(line == visible_line(line) and len(line) < 3_000 for line in view.list.card.lines)
            picture(view.list.card)


@pytest.mark.parametrize("name", HAZARDS)
def test_copied_as_recorded(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    """The clipboard gets the recorded text and nothing but text; half a character cannot be had there."""
    view = DagView(Look("light"))
    shown(qtbot, view, written(tmp_path / "s.jsonl", [HAZARDS[name]]))
    view.table.show_item(1, scroll=False)
    view.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert not data.hasHtml()
    assert not data.hasUrls()
    recorded = HAZARDS[name]
    if name == "halves":
        recorded = recorded.encode("utf-16", "ignore").decode("utf-16")
    assert data.text() == recorded
