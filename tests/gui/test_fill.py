"""The page on what fills the window: tiles, the list beside them, tools, images, thinking, and what is missing."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.prompt_source import PartSource, PromptSource
from core.system_prompt import SystemPrompt
from core.window_areas import BYS, Area
from gui import slices, thumbnail_task, translation
from gui.fill_binding import bind
from gui.fill_facts import keys_of, path_of, path_to_block
from gui.fill_map import FillMap, area_at
from gui.fill_tiles import MOST, at, beside, leaves, tiles
from gui.state import Change, State
from gui.theme import Look, Theme
from gui.thumbnail_task import decoded, encoded, format_of, pixels, thumbnail
from gui.views.fill import FillView
from tests.core.test_shuffle import SYSTEM
from tests.gui.layer_session import settle
from tests.gui.prompt_session import call, reply, result, state_of, user, write_session

FRAME = QRectF(0, 0, 400, 300)


def picture(width: int, height: int, form: str = "PNG") -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkCyan)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, form)
    return base64.b64encode(bytes(buffer.data().data())).decode()


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    """Two tools, a file, an image, thinking that is signed and some that is only encrypted."""
    thought = {"type": "thinking", "thinking": "What may it be? " * 8, "thinkingSignature": "s"}
    hidden = {"type": "thinking", "thinking": "", "thinkingSignature": "s"}
    shot = {"type": "image", "data": picture(640, 480), "mimeType": "image/png"}
    said = [
        user("Look at it."),
        reply("I look.", thought, call("read", path="src/a.py"), write=900),
        result("read", "x = 1\n" * 300),
        reply("Now the screen.", hidden, call("shot"), read=900, write=600),
        {"role": "toolResult", "toolCallId": "call-shot", "toolName": "shot", "content": [shot]},
        reply("Done.", read=1_500, write=700),
    ]
    made = state_of(write_session(tmp_path / "s.jsonl", said), 3)
    settle(made)
    return made


@pytest.fixture
def view(qtbot: QtBot, state: State) -> Iterator[FillView]:
    made = FillView(Look("light"))
    qtbot.addWidget(made)
    made.resize(816, 560)
    made.show_state(state)
    made.show()
    rest(made)
    yield made
    made.show_state(None)
    made.flush()
    settle(state)


def rest(view: FillView) -> None:
    """Until the prompt is measured."""
    view.flush()
    while view._measuring is not None:
        QApplication.processEvents()


def tile_of(view: FillView, *names: str) -> QPointF:
    """Where to press to meet a tile: a group at its head, anything else anywhere."""
    path = next(t.path for t in view.map.tiles if keys_of(view.map.area, t.path)[-1][1] == names[-1])
    tile = view.map.tile(path)
    assert tile is not None
    return tile.rect.topLeft() + QPointF(5, 5)


# tiles


def area(tokens: int, *children: Area) -> Area:
    return Area("entry", str(tokens), tokens, tokens, "user", None, None, children)


sizes = st.lists(st.integers(0, 5_000), min_size=1, max_size=30)


@given(sizes)
def test_tiles_do_not_overlap_and_stay_inside(weights: list[int]) -> None:
    """Neighbours share an edge at most; what is seen of the whole is the frame, but for slivers."""
    root = area(sum(weights), *(area(weight) for weight in weights))
    found = tiles(root, FRAME, Theme.of(False))
    for one in found:
        assert FRAME.contains(one.rect)
        for other in found:
            assert one is other or one.rect.intersected(other.rect).isEmpty()


def test_groups_hold_their_tiles() -> None:
    """A group has a head and its tiles inside; the innermost one is met, the group at its head."""
    root = area(100, area(60, area(40), area(20)), area(40))
    found = tiles(root, FRAME, Theme.of(False))
    group = found[0]
    assert group.group
    assert [tile.path for tile in found] == [(0,), (0, 0), (0, 1), (1,)]
    assert all(group.rect.contains(tile.rect) for tile in found if tile.path[0] == 0)
    assert at(found, group.rect.topLeft() + QPointF(3, 3)) is group
    assert at(found, found[1].rect.center()) is found[1]
    tiny = tiles(root, QRectF(0, 0, 40, 30), Theme.of(False))
    assert not any(tile.group for tile in tiny)


def test_every_tile_is_reached_by_arrows() -> None:
    """From any tile in some way to any other."""
    root = area(360, area(100, area(40), area(60)), area(90), area(80, area(30), area(50)), area(50), area(40))
    found = tiles(root, FRAME, Theme.of(False))
    reached, todo = {found[0].path}, [found[0]]
    while todo:
        here = todo.pop()
        for way in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            there = beside(found, here, *way)
            if there is not None and there.path not in reached:
                reached.add(there.path)
                todo.append(there)
    assert {tile.path for tile in leaves(found)} <= reached


def test_areas_are_found_again_by_what_they_are_called() -> None:
    root = area(100, area(60, area(40), area(20)), area(30))
    assert path_of(root, keys_of(root, (0, 1))) == (0, 1)
    assert path_of(root, (("entry", "60"), ("entry", "no"))) == (0,)
    assert path_to_block(root, 4) is None


# the page


def test_the_answer_first(view: FillView) -> None:
    """What fills most, of the recorded size; then that tools and system prompt are not in the file."""
    text = view.answer.text
    assert text.startswith("Tool results are ≈")
    assert f"of the ≈{view.shown.tokens:,} (●2,203 recorded) tokens that request 3 sends" in text
    assert "Tools and system prompt are not in the file" in text


def test_every_grouping_is_shown(view: FillView) -> None:
    """Map and list show the same areas, the list by size, then what is free; together they are the prompt."""
    for index, by in enumerate(BYS):
        view.grouping._choose(index)
        assert view.by == by
        rows = view.list.figures.rows
        assert rows[-1].id == "free"
        sizes = [view.map.area.children[int(row.id)].tokens for row in rows[:-1]]
        assert sizes == sorted(sizes, reverse=True)
        assert sum(sizes) == view.shown.tokens
        assert all(row.values[0].text.startswith("≈") for row in rows)
        view.grab()


def test_a_click_moves_the_cursor(view: FillView, state: State) -> None:
    """To the block of the tile, and with it to its entry; the row beside follows, and what it is is told."""
    view.grouping._choose(BYS.index("entry"))
    QTest.mouseClick(view.map, Qt.MouseButton.LeftButton, pos=tile_of(view, str(2 + view.shown.first)).toPoint())
    assert state.cursor.block == 2
    assert state.session.columns.ids[state.cursor.entry] == "00000002"
    assert view.list.current.id == str(view.map.current[0])
    assert "Block 3, entry 00000002: x = 1" in view.foot.detail.words.text()
    assert "estimated" in view.map.accessibleDescription()


def test_the_cursor_moves_the_tile(view: FillView, state: State) -> None:
    """A block that was chosen elsewhere is in focus here."""
    state.go(block=4)
    rest(view)
    assert area_at(view.map.area, view.map.current).block == 4 + view.shown.first


def test_into_a_group_and_out(view: FillView, state: State) -> None:
    """Enter shows a group as a whole, a leaf in the prompt; Backspace leads out to where one was."""
    opened: list[bool] = []
    view.opened.connect(lambda: opened.append(True))
    names = lambda: [child.name for child in view.map.area.children]  # noqa: E731
    whole = names()
    QTest.keyClick(view.map, Qt.Key.Key_Return)
    assert view.map.area.name == "toolResult"
    assert view.back.text == "‹ All"
    QTest.mouseDClick(view.map, Qt.MouseButton.LeftButton, pos=tile_of(view, "read").toPoint())
    assert view.back.text == "‹ Tool results"
    QTest.keyClick(view.map, Qt.Key.Key_Return)
    assert opened == [True]
    assert state.cursor.block == 2
    QTest.keyClick(view.list, Qt.Key.Key_Backspace)
    assert view.list.current.title == "read"
    view.back.pressed.emit()
    assert names() == whole
    assert view.list.current.title == "Tool results"


def test_walking_by_keys(view: FillView) -> None:
    """Home and End, arrows in between; each tile is told."""
    view.grouping._choose(BYS.index("tool"))
    QTest.keyClick(view.map, Qt.Key.Key_Home)
    last = view.map.accessibleDescription()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_Down):
        QTest.keyClick(view.map, key)
        assert view.map.accessibleDescription() != last, key
        print([(t.path, t.rect, t.area.name, t.group) for t in view.map.tiles], view.map.current)
    last = view.map.accessibleDescription()
    assert view.map.accessibleName() == "What fills the prompt, as a treemap"


def test_tools(view: FillView, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a record each has the size of its definition; one that nothing calls is named as such."""
    view.lists._choose(1)
    assert [row.title for row in view.list.figures.rows] == ["shot", "read"]
    assert all(row.values[0].text == "–" for row in view.list.figures.rows)
    here = PartSource("trace", "t")
    parts = {
        "system": SystemPrompt.of_text(SYSTEM, "recorded"),
        "tools": ({"name": "read"}, {"name": "shot"}, {"name": "canvas"}),
    }
    traced = state.shown.with_source(PromptSource(**parts, system_from=here, tools_from=here), lambda message: 90)
    monkeypatch.setattr(State, "shown", property(lambda self: traced))
    view._note(Change.TRACE)
    rest(view)
    idle = [row for row in view.list.figures.rows if row.note == "never used"]
    assert idle
    assert all(row.values[0].tone == "warning" for row in idle)
    assert "never used" in view.answer.text
    assert not view.trace.isVisible()
    view.list.pick(view.list.figures.rows.index(idle[0]))
    assert "no message of this one calls it" in view.foot.detail.words.text()
    view.lists._choose(0)
    view.grouping._choose(0)
    system = next(index for index, child in enumerate(view.map.area.children) if child.name == "system")
    view._open((system,))
    assert [row.title for row in view.list.figures.rows] == ["Stable part", "Dynamic part"]


def test_images(view: FillView, state: State) -> None:
    """Size, estimate, and a picture of it, which the worker decodes; what comes late is dropped."""
    asked: list[tuple[tuple[int, ...], int]] = []
    view.picture_wanted.connect(lambda rows, nth: asked.append((rows, nth)))
    view.lists._choose(2)
    [row] = view.list.figures.rows
    assert (row.title, row.note) == ("640 × 480 px", "image/png, block 5")
    assert row.values[0].text == "≈\u202f410"
    assert asked == [((4,), 0)]
    view.foot.take_picture((3,), 0, None)
    assert view.foot.picture.text() == ""
    view.foot.take_picture((4,), 0, thumbnail(state.session.path, (4,), 0, lambda *_: True))
    assert view.foot.picture.pixmap().size().toTuple() == (160, 120)
    assert "width × height / 750" in view.foot.detail.words.text()
    view.lists._choose(0)
    assert view.foot.picture.isHidden()
    view.lists._choose(2)
    view.foot.take_picture((4,), 0, None)
    assert view.foot.picture.text().startswith("No preview")


def test_what_the_page_asks_of_the_window(qtbot: QtBot, view: FillView, state: State) -> None:
    """Pictures of the worker, traces of a dialog, the prompt of its tab."""
    asked: list[Any] = []
    jobs = SimpleNamespace(run=lambda lane, task, *arguments, **how: asked.append((task, arguments, how)))
    window = SimpleNamespace(
        jobs=jobs,
        sessions=SimpleNamespace(path_of=lambda state: state.session.path),
        tabs=SimpleNamespace(show_tab=asked.append),
        choose_trace=lambda: asked.append("trace"),
    )
    bind(window, view)  # type: ignore[arg-type]
    view.lists._choose(2)
    [(task, arguments, how)] = asked
    assert (task, arguments) == (thumbnail, (state.session.path, (4,), 0))
    how["done"](task(*arguments, lambda *_: True))
    assert view.foot.picture.pixmap().size().toTuple() == (160, 120)
    how["failed"](None)
    assert view.foot.picture.text().startswith("No preview")
    view.trace.pressed.emit()
    view.opened.emit()
    assert asked[1:] == ["trace", "prompt"]


def test_thinking_and_its_fate(view: FillView, state: State) -> None:
    view.lists._choose(3)
    one, other = view.list.figures.rows
    assert (one.title, one.note, one.values[0].text) == ("Entry 00000001", "sent", "128")
    assert other.values[0].text == "encrypted"
    view.list.pick(1)
    assert "Only its encrypted form" in view.foot.detail.words.text()
    assert state.cursor.block == 3


def test_what_is_missing_is_said(qtbot: QtBot, view: FillView, tmp_path: Path) -> None:
    """No session, nothing to send, no image: a sentence each; a trace can be added where there is none."""
    asked: list[bool] = []
    view.trace_wanted.connect(lambda: asked.append(True))
    assert view.trace.isVisible()
    view.trace.pressed.emit()
    assert asked == [True]
    bare = state_of(write_session(tmp_path / "bare.jsonl", [user("hello"), reply("hi", write=10)]), 1)
    view.show_state(bare)
    rest(view)
    for index, said in ((1, "No tool is defined"), (2, "No image"), (3, "No thinking")):
        view.lists._choose(index)
        assert view.side.empty.text().startswith(said)
    view.show_state(state_of(write_session(tmp_path / "none.jsonl", [{"type": "label", "label": "x"}])))
    rest(view)
    assert view.pages.empty.text().startswith("Nothing would be sent")
    view.show_state(None)
    view.flush()
    assert view.pages.empty.text() == "No session open."


def test_a_long_prompt_is_measured_in_slices(view: FillView, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old picture stays, dimmed, until the new one is there; a hidden page stops measuring."""
    monkeypatch.setattr(slices, "SLICE", -1)
    state.go(request=2)
    view.flush()
    assert view.settling
    view.hide()
    assert view._measuring is None
    view.show()
    rest(view)
    settle(state)
    rest(view)
    assert "request 2 sends" in view.answer.text


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh_CN")])
def test_it_can_be_painted(qtbot: QtBot, state: State, theme: str, language: str) -> None:
    translation.use(language)
    try:
        made = FillView(Look(theme))
        qtbot.addWidget(made)
        made.resize(560, 420)
        made.show_state(state)
        rest(made)
        for index in range(4):
            made.lists._choose(index)
            made.grab()
        assert ("工具结果" in made.answer.text) == (language == "zh_CN")
        assert made.minimumSizeHint().width() <= 560
        made.show_state(None)
        made.flush()
    finally:
        translation.use("en")


def test_many_entries_are_gathered(qtbot: QtBot, tmp_path: Path) -> None:
    """More than MOST areas of a level: the small ones are one."""
    said = [user("go")] + [part for turn in range(MOST) for part in (reply(f"s {turn}"), user(f"u {turn}"))]
    made = FillView(Look("light"))
    qtbot.addWidget(made)
    made.show_state(state_of(write_session(tmp_path / "s.jsonl", said)))
    rest(made)
    made.grouping._choose(BYS.index("entry"))
    rows = made.list.figures.rows
    assert len(rows) == MOST + 1
    assert any(row.title.endswith("smaller ones") for row in rows)
    made.show_state(None)
    made.flush()


# thumbnails


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_pictures_are_scaled_down(qtbot: QtBot, form: str) -> None:
    assert decoded(picture(800, 200, form)).size().toTuple() == (160, 40)
    assert decoded(picture(20, 10, form)).size().toTuple() == (20, 10)


@pytest.mark.parametrize(
    "text", ["", "!!!!", "AAAA", base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()]
)
def test_what_is_no_picture(qtbot: QtBot, text: str) -> None:
    """Nor is anything decoded that no provider takes, whatever this installation could read."""
    assert decoded(text).isNull()


def test_nothing_that_would_fill_the_memory(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnail_task, "LARGEST", 99)
    assert decoded(picture(10, 10)).isNull()


def test_the_image_of_a_row(qtbot: QtBot, state: State) -> None:
    """The nth of those rows, in four bytes a pixel; none where there is none."""
    found = thumbnail(state.session.path, (2, 4), 0, lambda *_: True)
    assert found is not None
    assert (found.width, found.height, len(found.data)) == (160, 120, 160 * 120 * 4)
    assert thumbnail(state.session.path, (4,), 1, lambda *_: True) is None
    assert thumbnail(state.session.path, (2,), 0, lambda *_: True) is None
    assert pixels(QImage()) is None


def test_where_the_bytes_stand() -> None:
    assert encoded({"data": "AA"}) == encoded({"source": {"data": "data:image/png;base64,AA"}}) == "AA"
    assert encoded({"source": {"url": "https://x"}}) == encoded(None) == ""
    assert format_of(b"%PDF-1.4") is None


def test_an_empty_map_can_be_painted(qtbot: QtBot) -> None:
    made = FillMap(Look("dark"), lambda area: ("", ""))
    qtbot.addWidget(made)
    made.grab()
    QTest.keyClick(made, Qt.Key.Key_Right)
    assert made.current == ()
