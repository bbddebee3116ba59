"""What would be written of a tool result: the cut text, its words, the shares of its blocks, another cap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.context import Origin
from core.cutting import MIDDLE_OMISSION
from core.messages import Message
from core.persistence import CAPS, GUARD_SUFFIX
from core.profile import policy
from core.prompt import Block, Blocks
from gui import persist_rows
from gui.persist_preview import PersistPreview
from gui.theme import Look
from gui.views.prompt import PromptView
from tests.core.stepped import reply, result, user
from tests.gui.layer_session import settle
from tests.gui.prompt_session import Json, state_of, write_session
from tests.gui.prompt_session import reply as answered
from tests.gui.prompt_session import result as told

OURS = policy("openclaw-2026.4.5")
LONG = "".join(f"line {n} of the log\n" for n in range(4_000)) + "Traceback: it failed\n"


def blocks(*messages: Json) -> Blocks:
    return tuple(Block.of(Message.of(raw), Origin((row,))) for row, raw in enumerate(messages))


def of(text: str, **fields: Json) -> Blocks:
    return blocks(user("go"), reply("", "c1"), result("c1", text, **fields))


@pytest.fixture
def show(qtbot: QtBot) -> Callable[..., PersistPreview]:
    def make(made: Blocks, index: int = 2) -> PersistPreview:
        dialog = PersistPreview(Look("light"), made, index, OURS, 200_000)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return make


def marked(dialog: PersistPreview) -> list[str]:
    return [found.cursor.selectedText() for found in dialog.text.extraSelections()]


def test_a_cut_that_keeps_its_tail(show) -> None:
    """Head, notice, tail, notice; the words that made the tail important are marked where they stand now."""
    dialog = show(of(LONG))
    seen = dialog.shown.seen
    assert (seen.most, seen.cut) == (CAPS["2026.4.5"], True)
    assert dialog.answer.text.startswith(f"{len(LONG):,} characters would be written as {seen.kept:,} of 40,000.")
    assert "“traceback”, “failed”" in dialog.answer.text
    text = dialog.text.toPlainText()
    assert len(text) == seen.kept
    assert text.endswith(GUARD_SUFFIX)
    assert [found.replace("\u2029", "\n") for found in marked(dialog)] == [
        *(MIDDLE_OMISSION, GUARD_SUFFIX, "Traceback", "failed")
    ]


def test_a_cut_that_keeps_the_head_only(show) -> None:
    """Nothing at the end says that it matters."""
    dialog = show(of("plain words " * 5_000))
    assert "Only the head stays" in dialog.answer.text
    assert [found.replace("\u2029", "\n") for found in marked(dialog)] == [GUARD_SUFFIX]


def test_what_fits_is_written_as_it_is(show) -> None:
    dialog = show(of("short"))
    assert dialog.answer.text == "It fits: 5 of 40,000 characters, written as they are."
    assert dialog.text.toPlainText() == "short"
    assert not dialog.list.isVisible()
    assert not marked(dialog)


def test_another_cap(show) -> None:
    """Tried on the spot; the share of every block follows."""
    dialog = show(of("short text, but not that short " * 100))
    dialog.cap.setValue(2_500)
    dialog.cut_again()
    assert dialog.shown.seen.most == 2_500
    assert dialog.shown.seen.cut
    [row] = dialog.list.figures.rows
    assert [value.text for value in row.values][:2] == ["3,100", "2,500"]


def test_many_small_blocks_stay_over(show) -> None:
    """Each keeps a minimum: the answer says by how much it is over all the same."""
    parts = [{"type": "text", "text": "x" * 6_000} for _ in range(30)]
    dialog = show(of("", content=parts))
    seen = dialog.shown.seen
    assert seen.over > 0
    assert f"{seen.over:,} over the cap" in dialog.answer.text
    assert len(dialog.list.figures.rows) == 30


def test_the_name_of_the_call(show) -> None:
    """A result without its tool's name gets the one of the call it answers: that changes the file, too."""
    named = persist_rows.written(of("x", toolName=""), 2, OURS, 200_000)
    assert named.deed is not None
    assert "read" in str(named.deed) or "name" in str(named.deed)
    assert persist_rows.written(of("x"), 2, OURS, 200_000).deed is None


@pytest.mark.parametrize("text", ["a\r\nb\0c\u2028d", "\ud800 half", "😀" * 30_000 + " failed", "漢字" * 20_000])
def test_odd_text_keeps_its_places(show, text: str) -> None:
    """Line ends, halves of characters, pairs: what is marked is what it should be."""
    dialog = show(of(text))
    found = marked(dialog)
    assert all(part in {"failed", GUARD_SUFFIX, MIDDLE_OMISSION} for part in (p.replace("\u2029", "\n") for p in found))
    assert ("failed" in found) == ("failed" in text)


def test_session_text_is_never_markup(show) -> None:
    dialog = show(of("<b>bold</b> <img src=x>"))
    assert dialog.text.toPlainText() == "<b>bold</b> <img src=x>"


def test_from_the_prompt(qtbot: QtBot, tmp_path: Path) -> None:
    """Offered for a result in focus, cut or not by a layer; for nothing else."""
    said = [{"role": "user", "content": "Go."}, answered("I look.", {"type": "toolCall", "id": "call-x", "name": "x"})]
    state = state_of(write_session(tmp_path / "s.jsonl", [*said, told("x", LONG), answered("Done.")]), 2)
    view = PromptView(Look("light"))
    qtbot.addWidget(view)
    view.show_state(state)
    view.show()
    view.flush()
    state.go(block=0)
    view.flush()
    assert view.result_in_focus is None
    view.show_written()
    assert view.findChild(PersistPreview) is None
    state.go(block=2)
    view.flush()
    view.show_written()
    dialog = view.findChild(PersistPreview)
    assert dialog is not None
    assert dialog.shown.seen.chars == len(LONG)
    dialog.accept()
    settle(state)
    view.show_state(None)
    view.flush()
