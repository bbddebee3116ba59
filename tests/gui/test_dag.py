"""The session graph in its dock: rows, keys and pointer, folds, filters, search, and what a screen reader hears."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core import counter as counting
from core import counts as tables
from core import timeline as timelines
from core.rows import HEADER, Filter
from core.session import Session
from gui import translation
from gui.dag_items import Items
from gui.dag_model import DagModel
from gui.state import Change, State
from gui.theme import Look
from gui.views.dag import DagView
from tests.core.drawn import call, opened, said

USAGE = {"usage": {"input": 50, "output": 5, "totalTokens": 55}, "provider": "p", "model": "m", "stopReason": "stop"}


FOLD = "40 entries"
"""The long run of the story."""


def answer(text: str, *blocks: Any, **more: Any) -> dict[str, Any]:
    return {**said("assistant", text, *blocks, **USAGE), **more}


def result(text: str, **more: Any) -> dict[str, Any]:
    return {**said("toolResult", text, toolCallId="t1", toolName="read"), **more}


def story(tmp_path: Path) -> Session:
    """e0 user, e1 answers 1, e2 result, then
    ├ e3 answers, e4 result      left
    └ e5 summary of it, e6 user, e7 answers 2, 20 × (result, answer), label for e7, e49 user, e50 answers 23
    """
    long = [entry for n in range(20) for entry in (result(f"result {n}"), answer(f"step {n}"))]
    return opened(
        said("user", "find the flaky test"),
        answer("I read", call("read", "t1", path="src/x.py")),
        result("quote rules", id="e2"),
        answer("a hypothesis"),
        result("no"),
        {"type": "branch_summary", "fromId": "e4", "summary": "Ruled out", "parentId": "e2"},
        said("user", "go back"),
        answer("reading the cache"),
        *long,
        {"type": "label", "targetId": "e7", "label": "repro"},
        said("user", "now the changelog"),
        answer("done"),
        tmp_path=tmp_path,
    )


def state_of(session: Session, leaf: int | None = None) -> State:
    table = tables.count(session, counting.make("chars", session))
    return State(session, timelines.build(session, session.active_leaf if leaf is None else leaf, table), table)


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    look = Look("light")
    look.apply(qapp)
    yield look
    qapp.setStyleSheet("")


@pytest.fixture
def show(qtbot: QtBot, look: Look, tmp_path: Path) -> Callable[..., DagView]:
    """A view of a state, shown at the size of the dock."""

    def make(state: State | None = None, height: int = 860) -> DagView:
        view = DagView(look)
        qtbot.addWidget(view)
        qtbot.addWidget(view.heading())
        view.resize(404, height)
        view.show_state(state if state is not None else state_of(story(tmp_path)))
        view.show()
        view.flush()
        view.table.setFocus()
        return view

    return make


def rows(view: DagView) -> list[str]:
    """What the rows say."""
    return [view.model.words(item) for item in range(view.model.rowCount())]


def at(view: DagView, row: int) -> int:
    assert view.items is not None
    found = view.items.shown.index_of(row)
    assert found is not None
    return found


def place(view: DagView, item: int) -> QPoint:
    rect = view.table.visualRect(view.model.index(item, 0))
    return QPoint(rect.left() + 150, rect.center().y())


def click(qtbot: QtBot, view: DagView, row: int) -> None:
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, at(view, row)))
    view.flush()


def press(qtbot: QtBot, view: DagView, *keys: Any) -> None:
    for key in keys:
        if isinstance(key, tuple):
            qtbot.keyClick(view.table, key[0], key[1])
        else:
            qtbot.keyClick(view.table, key)
        view.flush()


def entry(view: DagView) -> int | None:
    assert view.state is not None
    return view.state.cursor.entry


# rows


def test_rows_in_file_order_with_folded_runs(show: Callable[..., DagView]) -> None:
    """The session first; a long run between two user messages is one row."""
    view = show()
    assert rows(view)[0].startswith("Session opened · pi · ")
    assert rows(view)[1:9] == [
        "find the flaky test",
        "I read",
        "read src/x.py",
        "a hypothesis",
        "read src/x.py",
        "Ruled out",
        "go back",
        "reading the cache",
    ]
    assert FOLD in rows(view)
    assert rows(view)[10:] == [FOLD, "now the changelog", "done"]


def test_the_foot_says_what_is_in_the_request(show: Callable[..., DagView]) -> None:
    """With the number of requests that follow, and how many entries have a row of their own."""
    view = show()
    assert view.state is not None
    view.state.go(request=1)
    view.flush()
    assert view.foot._inside.text() == "1 entry is in request 1"
    assert view.foot._follow.text() == "22 requests follow"
    assert view.foot._rows.text().endswith("of 51 rows.")
    view.state.go(request=23)
    view.flush()
    assert view.foot._inside.text() == "47 entries are in request 23"
    assert view.foot._follow.text() == "last request"
    view.state.go(request=None)
    view.flush()
    assert view.foot._inside.text() == "48 entries would be sent next"


def test_the_bracket_spans_what_is_sent_and_leaves_out_the_branch(show: Callable[..., DagView]) -> None:
    """Settings between messages belong to the span; entries of the left branch and later ones do not."""
    view = show()
    assert view.items is not None
    assert view.state is not None
    view.state.go(request=23)
    view.flush()
    inside = [row for row in range(51) if view.items.inside[row]]
    assert inside == [0, 1, 2, *range(5, 50)]


def test_the_inspection_point_is_the_only_row_with_accent(show: Callable[..., DagView]) -> None:
    """Pill, ring and ground of the accent stand in its row; the bracket ends above it."""
    view = show()
    assert view.state is not None
    view.state.go(request=2)
    view.flush()
    theme = view.look.theme
    picture = view.table.viewport().grab().toImage()

    def colours(item: int, left: int, right: int) -> set[int]:
        rect = view.table.visualRect(view.model.index(item, 0))
        return {
            picture.pixel(x, y) & 0xFFFFFF for x in range(left, right) for y in range(rect.top() + 3, rect.bottom() - 3)
        }

    accent, ground = (QColor(c).rgb() & 0xFFFFFF for c in (theme.accent, theme.accentbg))
    for item in range(8):
        is_point = item == at(view, 7)
        assert (ground in colours(item, 200, 300)) == is_point
        assert (accent in colours(item, 12, 60)) == is_point
    assert accent in colours(at(view, 6), 0, 3)
    assert accent not in colours(at(view, 3), 0, 3)


def test_a_view_without_a_session_is_empty(show: Callable[..., DagView]) -> None:
    """Closing the session leaves no rows and no words."""
    view = show()
    view.show_state(None)
    view.flush()
    assert view.model.rowCount() == 0
    assert view.foot._inside.text() == ""
    view.next_hit(1)
    view.fold_all()
    view.set_search("x")
    view.copy()


# pointer and keys


def test_a_click_moves_the_cursor(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """The request in view stays."""
    view = show()
    assert view.state is not None
    before = view.state.cursor.request
    click(qtbot, view, 2)
    assert entry(view) == 2
    assert view.state.cursor.request == before


def test_a_double_click_makes_it_the_inspection_point(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """An answer: its own request. Anything else on the path: the next request, which contains it."""
    view = show()
    assert view.state is not None
    for row, request in ((1, 1), (2, 2), (7, 2), (0, 1)):
        qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, at(view, row)))
        qtbot.mouseDClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, at(view, row)))
        view.flush()
        assert (view.state.cursor.request, entry(view)) == (request, row)


def test_an_entry_behind_the_last_request_is_in_what_comes_next(show: Callable[..., DagView], tmp_path: Path) -> None:
    """No request contains it yet."""
    state = state_of(opened(said("user", "a"), answer("b"), said("user", "c"), tmp_path=tmp_path))
    view = show(state)
    state.go(request=1)
    view.inspect(2)
    assert (state.cursor.request, state.cursor.entry) == (None, 2)


def test_an_entry_of_another_branch_asks_for_that_branch_first(show: Callable[..., DagView], tmp_path: Path) -> None:
    """The window computes it; when it has come, the entry becomes the inspection point."""
    view = show()
    state = view.state
    assert state is not None
    asked: list[int] = []
    state.wanted_leaf = asked.append
    view.inspect(3)
    assert asked == [4]
    assert state.cursor.entry != 3
    state.show_timeline(timelines.build(state.session, 4, state.counts), state.counts)
    view.flush()
    view.flush()
    assert (state.cursor.leaf, state.cursor.request, state.cursor.entry) == (4, 2, 3)
    assert view.items is not None
    assert view.items.layout.lane[at(view, 3)] == 0


def test_keys_move_over_every_row(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """J, K and the arrows; folded runs and the session are rows too, but no places of the cursor."""
    view = show()
    click(qtbot, view, 2)
    press(qtbot, view, Qt.Key.Key_J)
    assert entry(view) == 3
    press(qtbot, view, Qt.Key.Key_Down, Qt.Key.Key_K, Qt.Key.Key_Up)
    assert entry(view) == 2
    press(qtbot, view, *(Qt.Key.Key_K for _ in range(9)))
    assert view.table.item == 0
    assert entry(view) == 0
    fold = rows(view).index(FOLD)
    press(qtbot, view, *(Qt.Key.Key_J for _ in range(fold)))
    assert view.table.item == fold
    assert view.items is not None
    assert entry(view) == view.items.row(fold - 1)


def test_enter_unfolds_a_run_and_inspects_an_entry(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """As a double click does."""
    view = show()
    assert view.state is not None
    view.table.setCurrentIndex(view.model.index(rows(view).index(FOLD), 0))
    press(qtbot, view, Qt.Key.Key_Return)
    assert FOLD not in rows(view)
    click(qtbot, view, 1)
    press(qtbot, view, Qt.Key.Key_Enter)
    assert view.state.cursor.request == 1


def test_f_folds_and_unfolds_here_and_everywhere(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """F on a fold opens it, on its rows closes it again; Shift+F changes everything; the count is always said."""
    view = show()
    everything = (Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    whole = rows(view)
    view.table.setCurrentIndex(view.model.index(whole.index(FOLD), 0))
    press(qtbot, view, Qt.Key.Key_F)
    assert len(rows(view)) == 52
    assert not view.foot._line.isVisible()
    view.state.go(entry=20)  # type: ignore[union-attr]
    view.flush()
    press(qtbot, view, Qt.Key.Key_F)
    assert view.model.words(view.table.item).endswith(" entries")
    press(qtbot, view, everything, everything)
    assert len(rows(view)) == 52
    press(qtbot, view, everything)
    assert rows(view) == whole
    assert view.foot._line.isVisible()


def test_the_button_and_the_link_unfold_everything(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """Both reach what Shift+F reaches."""
    view = show()
    view.foot._all.click()
    assert len(rows(view)) == 52
    view._heading.fold.click()
    assert len(rows(view)) < 52


def test_b_walks_the_branches_of_a_fork(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """From the fork to the branch that is not on the path, and around."""
    view = show()
    click(qtbot, view, 2)
    press(qtbot, view, Qt.Key.Key_B)
    assert entry(view) == 3
    press(qtbot, view, Qt.Key.Key_B)
    assert entry(view) == 5
    click(qtbot, view, 0)
    press(qtbot, view, Qt.Key.Key_B)
    assert entry(view) == 0


def test_letters_can_be_switched_off(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """The arrows stay; a letter never jumps to a title that begins with it."""
    view = show()
    view.table.letters = False
    click(qtbot, view, 2)
    press(qtbot, view, Qt.Key.Key_J, Qt.Key.Key_F, Qt.Key.Key_R, Qt.Key.Key_G)
    assert entry(view) == 2
    press(qtbot, view, Qt.Key.Key_Down)
    assert entry(view) == 3


def test_r_asks_for_the_raw_record(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """The window shows it."""
    view = show()
    click(qtbot, view, 2)
    with qtbot.waitSignal(view.raw_wanted, timeout=1000) as heard:
        press(qtbot, view, Qt.Key.Key_R)
    assert heard.args == [2]


def test_copying(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """The text of an entry, its title where it has none, its id."""
    view = show()
    click(qtbot, view, 2)
    view.copy()
    assert QGuiApplication.clipboard().text() == "quote rules"
    view.copy_id()
    assert QGuiApplication.clipboard().text() == "e2"
    view.state.go(entry=48)  # type: ignore[union-attr]
    view.flush()
    view.copy()
    assert QGuiApplication.clipboard().text() == "Label “repro” for e7"


def test_the_menu_of_a_row(show: Callable[..., DagView]) -> None:
    """Everything the keys do, for the row it was opened on."""
    view = show()
    assert view.state is not None
    menu = view._menu(at(view, 1))
    words = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert words == ["Make it the inspection point", "Fold here", "Copy text", "Copy id", "Show raw JSON"]
    menu.actions()[0].trigger()
    assert view.state.cursor.request == 1
    assert [a.text() for a in view._menu(rows(view).index(FOLD)).actions()] == ["Unfold"]


# following the cursor


def test_the_cursor_of_another_view_is_shown_even_inside_a_fold(show: Callable[..., DagView]) -> None:
    """The run opens around it and stays open."""
    view = show()
    assert view.state is not None
    view.state.go(entry=20)
    view.flush()
    assert view.table.item == at(view, 20)
    assert rows(view)[view.table.item] == "read src/x.py"
    assert [word for word in rows(view) if word.endswith(" entries")] == ["8 entries", "25 entries"]


def test_a_view_scrolls_only_when_the_cursor_left_it(show: Callable[..., DagView]) -> None:
    """And then by as little as shows it; laying rows out anew moves nothing."""
    view = show(height=300)
    view.show_all()
    assert view.state is not None
    bar = view.table.verticalScrollBar()
    bar.setValue(100)
    view.state.go(entry=5)
    view.flush()
    assert bar.value() == 100
    view.state.go(entry=40)
    view.flush()
    row = view.table.visualRect(view.model.index(at(view, 40), 0))
    assert row.bottom() in range(view.table.viewport().height() - 2, view.table.viewport().height())
    held = row.top()
    view.fold_all()
    assert view.table.visualRect(view.model.index(view.table.item, 0)).top() == held
    before = bar.value()
    view.state.changed.emit(Change.CURSOR)
    view.flush()
    assert bar.value() == before


def test_other_requests_fold_around_the_new_inspection_point(show: Callable[..., DagView]) -> None:
    """Its surroundings are open, what was open around the old one folds again."""
    view = show()
    assert view.state is not None
    view.state.go(request=12)
    view.flush()
    point = view.state.summary.request.entry  # type: ignore[union-attr]
    assert [word for word in rows(view) if word.endswith(" entries")] == ["12 entries", "18 entries"]
    assert at(view, point) == view.table.item
    view.state.go(request=1)
    view.flush()
    assert [word for word in rows(view) if word.endswith(" entries")] == [FOLD]


def test_branches_to_choose_from(show: Callable[..., DagView]) -> None:
    """The main one, then others by what was first said on them, or by a label."""
    view = show()
    assert view.branches() == [(50, "main", 23), (4, "a hypothesis", 2)]
    assert view.items is not None
    view.items.labels[4] = "temp path"
    assert view.branches()[1][1] == "temp path"
    view.show_state(None)
    view.flush()
    assert view.branches() == []


# filters


def test_filters_leave_rows_out_and_say_so(show: Callable[..., DagView]) -> None:
    """The session's own row goes with them; everything comes back by one click."""
    view = show()
    view.set_filter(Filter(groups=frozenset({"user"})))
    assert rows(view) == ["find the flaky test", "go back", "now the changelog"]
    assert view.foot._rows.text() == "3 of 51 rows."
    view.set_filter(Filter(path_only=True))
    assert "a hypothesis" not in rows(view)
    assert FOLD in rows(view)
    view.foot._all.click()
    assert len(rows(view)) == 52


def test_the_filter_menu_reads_and_writes_the_filter(show: Callable[..., DagView]) -> None:
    """Choices that would find nothing are off."""
    view = show()
    assert view.items is not None
    menu = view._heading.menu
    menu.aboutToShow.emit()
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["Only entries with problems"].isEnabled()
    assert not actions["Only search hits"].isEnabled()
    actions["Tool results"].trigger()
    assert view.items.chosen == Filter(groups=frozenset({"user", "assistant", "summaries", "settings"}))
    actions["Only the active path"].trigger()
    assert view.items.chosen.path_only
    actions["Show all"].trigger()
    assert view.items.chosen == Filter()


def test_problem_lines_can_be_picked_out(show: Callable[..., DagView], tmp_path: Path) -> None:
    """A parent that is not in the file: its entry, found by line."""
    lost = {**answer("lost"), "parentId": "nowhere"}
    view = show(state_of(opened(said("user", "a"), answer("b"), lost, tmp_path=tmp_path), leaf=1))
    view.set_filter(Filter(problems_only=True))
    assert rows(view) == ["lost"]


# search


def test_search_marks_titles_at_once_and_takes_bodies_later(qtbot: QtBot, show: Callable[..., DagView]) -> None:
    """The searcher is asked when typing stops; next and previous go around, and open folds."""
    view = show()
    asked: list[str] = []
    heard: list[tuple[int, int, bool]] = []
    view.searcher = asked.append
    view.hits_changed.connect(lambda *told: heard.append(told))
    view.set_search("GO")
    view.set_search("GO BACK")
    assert view.items is not None
    assert view.items.hits == {6}
    assert asked == []
    qtbot.waitUntil(lambda: asked == ["go back"], timeout=2000)
    view.show_hits([2, 20, 999], complete=True)
    assert view.items.hits == {2, 6, 20}
    click(qtbot, view, 3)
    for by, row in ((1, 6), (1, 20), (1, 2), (-1, 20), (-1, 6)):
        view.next_hit(by)
        assert entry(view) == row
    assert heard[-1] == (2, 3, True)
    view.set_filter(Filter(hits_only=True))
    assert rows(view) == ["read src/x.py", "go back", "read src/x.py"]
    view.set_search("")
    assert view.items.hits == frozenset()
    view.next_hit(1)
    assert entry(view) == 6


def test_answers_to_an_old_search_are_not_taken(show: Callable[..., DagView]) -> None:
    """The field was cleared meanwhile."""
    view = show()
    view.set_search("x")
    view.set_search("")
    view.show_hits([1], complete=True)
    assert view.items is not None
    assert view.items.hits == frozenset()


# words


def test_what_a_screen_reader_hears(show: Callable[..., DagView]) -> None:
    """Id, kind, size, where it stands, label, then the title."""
    view = show()
    assert view.state is not None
    view.state.go(request=2)
    view.flush()

    def heard(item: int) -> str:
        return str(view.model.data(view.model.index(item, 0), Qt.ItemDataRole.AccessibleTextRole))

    assert heard(at(view, 2)) == "Entry e2, tool result, estimated 6 tokens, in request 2: read src/x.py"
    assert heard(at(view, 7)).startswith("Entry e7, assistant, estimated 5 tokens, answers request 2, labelled repro:")
    assert "on another branch" in heard(at(view, 3))
    assert heard(0).startswith("Session opened")
    assert heard(rows(view).index("38 entries")).startswith("Folded run of 38 entries, ")
    assert view.table.accessibleName()


def test_the_hover_card_is_plain_text(qtbot: QtBot, show: Callable[..., DagView], tmp_path: Path) -> None:
    """Recorded text stays text, with hidden characters named; a wheel or a press closes the card."""
    view = show(state_of(opened(said("user", "<b>bold</b> \u202ereversed"), answer("ok"), tmp_path=tmp_path)))
    view._tell_card(at(view, 0))
    assert view.table.card.lines[0] == "<b>bold</b> ⟨RLO⟩reversed"
    assert view.table.card.lines[1] == "user message · e0 · line 2"
    qtbot.mousePress(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 1))
    assert view.table.card.lines == ()
    qtbot.mouseRelease(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place(view, 1))
    view._tell_card(0)
    assert view.table.card.lines == ()


def test_the_heading_counts(show: Callable[..., DagView]) -> None:
    """Entries and branches; the dock shows it as its title row."""
    view = show()
    assert view.heading() is view.heading()
    view.heading().resize(404, 36)
    view.heading().show()
    assert view._heading._counts.text() == "51 entries · 2 branches"
    view.heading().resize(180, 36)
    assert view._heading._counts.text().endswith("…")


def test_in_a_narrow_dock_what_follows_gives_way(show: Callable[..., DagView]) -> None:
    """Two sentences never run into each other."""
    view = show()
    assert view.state is not None
    view.state.go(request=2)
    view.flush()
    assert view.foot._follow.isVisible()
    view.resize(260, 500)
    assert not view.foot._follow.isVisible()
    assert view.foot._inside.isVisible()


def test_chinese(show: Callable[..., DagView]) -> None:
    """A window built in Chinese speaks it throughout."""
    translation.use("zh_CN")
    try:
        view = show()
        assert "40 个条目" in rows(view)
        view.heading().resize(404, 36)
        view.heading().show()
        assert view._heading._counts.text() == "51 个条目 · 2 个分支"
        assert view.foot._inside.text() == "下一次将发送 48 个条目"
    finally:
        translation.use("en")


# cost


def test_only_rows_in_sight_are_read(show: Callable[..., DagView], tmp_path: Path) -> None:
    """Ten thousand entries, one screen of bodies parsed (and the calls above its results)."""
    session = opened(*(answer(f"a{n}") for n in range(10_000)), tmp_path=tmp_path)
    state = state_of(session)
    read: list[int] = []
    body = state.body

    def counted(row: int) -> Any:
        read.append(row)
        return body(row)

    state.assembled  # noqa: B018 (the prompt reads its own messages)
    state.body = counted  # type: ignore[method-assign]
    view = show(state)
    view.show_all()
    view.table.viewport().grab()
    assert 0 < len(set(read)) < 200


def test_titles_that_take_too_long_come_later(show: Callable[..., DagView], monkeypatch: pytest.MonkeyPatch) -> None:
    """A painting makes some, the next ones the rest; until then icon and role stand there."""
    import gui.dag_model as module

    view = show()
    monkeypatch.setattr(module, "BUDGET_MS", -1)
    view.model.forget_titles()
    view.model.begin()
    made = view.model.title(1)
    assert view.model.late
    assert (made.words(), made.icon) == ("", "user")
    monkeypatch.undo()
    view.model.begin()
    assert view.model.title(1).words() == "find the flaky test"


def test_labels_beyond_the_first_batch_come_in_slices(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    """A session with more labels than are read at once shows them all in the end."""
    entries = [said("user", "a"), *({"type": "label", "targetId": "e0", "label": f"l{n}"} for n in range(900))]
    view = DagView(look)
    qtbot.addWidget(view)
    qtbot.addWidget(view.heading())
    view.show_state(state_of(opened(*entries, tmp_path=tmp_path)))
    view.show()
    view.flush()
    assert view.items is not None
    assert view.items.labels[0] == "l399"
    qtbot.waitUntil(lambda: view.items.labels[0] == "l899", timeout=2000)  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: not view._marks.isActive(), timeout=2000)


def test_the_model_of_nothing(qapp: QApplication) -> None:
    """No items, no rows, no data."""
    model = DagModel()
    assert (model.rowCount(), model.columnCount()) == (0, 1)
    assert model.data(model.index(0, 0)) is None


def test_tokens_of_a_fold_are_the_sum(tmp_path: Path, qapp: QApplication) -> None:
    """Under a filter only what it leaves is counted."""
    items = Items(state_of(story(tmp_path)))
    for item in range(len(items.shown)):
        first, last = items.row(item), int(items.shown.last[item])
        wanted = 0 if first == HEADER else sum(items.state.counts.tokens[first : last + 1])
        assert items.tokens_of(item) == wanted


def test_a_copied_row_looks_like_a_painted_one(show: Callable[..., DagView], tmp_path: Path) -> None:
    """Rows are kept as pictures: after a walk through other requests the view looks like one that was shown there."""
    state = state_of(story(tmp_path))
    view = show(state)
    for number in (1, 20, 2, 10, 2):
        state.go(request=number)
        view.flush()
        view.table.viewport().grab()
    fresh = show(state)
    view.table.clearFocus()
    fresh.table.clearFocus()
    assert view.table.viewport().grab().toImage() == fresh.table.viewport().grab().toImage()


# long sessions


def test_long_work_is_done_in_pieces(
    qtbot: QtBot, show: Callable[..., DagView], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The rows stay as they are until the others are laid out, a piece at a turn; the newest wish counts, one that
    changes nothing loses none, and an entry inside a fold that the cursor went to is shown in the end."""
    expected = show()
    expected.set_filter(Filter(groups=frozenset({"user"})))
    users = rows(expected)
    expected.show_all()
    everything = rows(expected)
    monkeypatch.setattr("gui.dag_items.SLOW", 10)
    monkeypatch.setattr("gui.slices.SLICE", 0.0)
    view = show()
    before = rows(view)
    assert FOLD in " ".join(before)
    view.set_filter(Filter(groups=frozenset({"assistant"})))
    view.set_filter(Filter(groups=frozenset({"user"})))
    view.fold(0)  # nothing to fold there
    assert rows(view) == before
    qtbot.waitUntil(lambda: rows(view) == users)
    view.show_all()
    qtbot.waitUntil(lambda: rows(view) == everything)
    view.fold_all()
    qtbot.waitUntil(lambda: rows(view) == before)
    assert view.state is not None
    view.state.go(entry=30)
    view.flush()
    qtbot.waitUntil(lambda: view.table.item == at(view, 30) and not view.items.shown.folded(at(view, 30)))
