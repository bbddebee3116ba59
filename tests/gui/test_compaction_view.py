"""The Compaction tab: what it shows of a cut, what a person does with it, and that nothing is sent unasked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.phrase import phrase
from core.summarizing import Call
from gui.compaction_bars import PAGES
from gui.compaction_desk import FOLLOW
from gui.compaction_facts import By, Wish
from gui.compaction_panes import PROMPT, REMOVED, SUMMARY
from gui.compaction_task import carry
from gui.state import State
from gui.theme import Look
from gui.views.compaction import CALLS, OVERVIEW, RUNS, SETTINGS, CompactionView
from tests.gui.compaction_session import SECRET, answered, compacted, go_on, small, state_at, talked

Show = Callable[..., CompactionView]
Key = Qt.Key


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """A visible tab, its worker answering at once; `quiet`: nobody answers."""
    shown: list[CompactionView] = []

    def make(state: State | None, size: tuple[int, int] = (816, 598), quiet: bool = False) -> CompactionView:
        view = CompactionView(Look("light"))
        qtbot.addWidget(view)
        shown.append(view)
        if not quiet:
            answered(view)
        view.resize(*size)
        view.show_state(state)
        if state is not None:
            small(view.desk)
        view.show()
        settle(view)
        return view

    yield make
    for view in shown:
        view.show_state(None)
        view.hide()


def settle(view: CompactionView) -> None:
    """What waits for the hand to rest is asked at once."""
    view.flush()
    if view._soon.isActive():
        view._soon.stop()
        view._ask()
    view.flush()


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    return talked(tmp_path / "talk.jsonl")


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    return compacted(tmp_path / "compacted.jsonl")


# what it shows


def test_a_plan_shows_the_exact_text_first(show: Show, talk: Path) -> None:
    """Before anything was run: chunks, the prompt of the first with what is redacted, the ladder ready, no summary."""
    view = show(state_at(talk))
    facts = view.desk.facts
    assert facts is not None
    assert view.panes.text_mode == PROMPT
    assert view.panes.text.text == facts.chunks[0].prompt
    assert SECRET not in view.panes.text.text
    assert [word.text() for word in view.panes.ladder.words] == ["ready", "ready", "ready"]
    assert view.head.headline.text.startswith("Not asked for before the next request: ≈")
    assert view.panes.chunks.shown.rowCount() == len(facts.chunks) + 1  # and the tail
    assert view.foot.words.text() == "For summaries, nothing has left this machine."
    assert not view.head.save.isEnabled()


def test_bars_choose_the_text(show: Show, talk: Path) -> None:
    """By key: the next bar shows the next prompt; under Removed its entries; the tail stays."""
    view = show(state_at(talk))
    facts = view.desk.facts
    assert facts is not None
    QTest.keyClick(view.panes.chunks, Key.Key_Down)
    assert view.panes.text.text == facts.chunks[1].prompt
    view.panes._pick_text(REMOVED)
    assert f"src/file{facts.chunks[1].rows[0] // 4}.py" in view.panes.text.text
    QTest.keyClick(view.panes.chunks, Key.Key_End)
    assert "src/file1.py once more" in view.panes.text.text
    view.panes._pick_text(PROMPT)
    assert view.panes.text.text == ""


def test_it_begins_at_a_recorded_compaction(show: Show, recorded: Path) -> None:
    """Whatever the cursor: what the file has is looked at first; lost and used later is at the top and said."""
    view = show(state_at(recorded, 3))
    assert view.desk.place != FOLLOW
    assert view.head.places.currentText() == "Before request 17"
    assert view.head.headline.text.startswith("28 entries, ≈")
    assert "identifier that the agent needs again" in view.head.headline.text
    assert view.panes.text_mode == SUMMARY
    names = view.panes.names.records
    assert names.record(0).text == "src/file1.py"
    assert names.data(names.index(0, 3)) == "2 ×, lost"
    assert names.data(names.index(0, 0), Qt.ItemDataRole.BackgroundRole) == view.look.theme.diff_tint
    assert view.panes.names_head.note.text().endswith("kept")


def test_it_goes_with_the_cursor(show: Show, recorded: Path) -> None:
    """Chosen "here": another request, another cut; right behind a recorded compaction, that one."""
    state = state_at(recorded, 14)
    view = show(state)
    view.choose_place(0)
    settle(view)
    before = view.desk.facts
    state.go(request=12)
    settle(view)
    assert view.desk.facts != before
    assert view.head.places.currentText() == "Here, before request 12"
    state.go(request=17)
    settle(view)
    assert view.desk.outcome is not None
    assert view.desk.outcome.recorded


def test_nothing_to_summarise_says_what_to_do(show: Show, talk: Path) -> None:
    """And no run can be started."""
    view = show(state_at(talk, 1))
    assert view.head.headline.text.startswith("No compaction in this branch")
    assert not view.head.go.isEnabled()
    assert view.panes.chunks.shown.rowCount() == 0


def test_without_a_session_it_is_empty(show: Show) -> None:
    view = show(None)
    assert not view.head.go.isEnabled()
    assert view.desk.facts is None


def test_a_late_answer_is_not_shown(show: Show, talk: Path) -> None:
    """The cursor moved on while the worker was looking."""
    wishes: list[Wish] = []
    state = state_at(talk)
    view = show(state, quiet=True)
    view.look_wanted.connect(wishes.append)
    state.go(request=9)
    settle(view)
    old = wishes[-1]
    state.go(request=12)
    settle(view)
    view.fail(old, phrase("compaction.nothing", keep=1))
    assert view.desk.said is None
    assert view.settling
    view.give_up()
    assert not view.settling


# identifiers


def test_an_identifier_is_marked_everywhere(show: Show, recorded: Path) -> None:
    """In the text, at its bars, in the graph, and the cursor stands at the entry that first held it."""
    state = state_at(recorded, 20)
    view = show(state)
    outcome = view.desk.outcome
    assert outcome is not None
    name = next(name for name in outcome.names if name.text == "src/file0.py")
    view.panes.names.show_request(name.number)
    view.focus_name(name.number)
    assert state.cursor.entry == name.first
    hit = view.panes.text.hits[0]
    assert view.panes.text.text[hit.start : hit.end] == "src/file0.py"
    assert view.panes.chunks.shown.bars[0].named
    assert state.marked is not None
    assert name.first in state.marked.named
    view.panes._pick_text(PROMPT)
    assert view.panes.text.hits


def test_the_table_is_sorted_by_every_column_and_by_key(show: Show, recorded: Path) -> None:
    state = state_at(recorded, 20)
    view = show(state)
    table = view.panes.names
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    texts = [table.records.record(row).shown for row in range(table.records.rowCount())]
    assert texts == sorted(texts)
    table.setFocus()
    QTest.keyClick(table, Key.Key_Down)
    QTest.keyClick(table, Key.Key_Down)
    assert view.panes.name is table.records.record(table.currentIndex().row())
    assert state.cursor.entry == view.panes.name.first


def test_what_it_replaced_is_told_to_the_others(show: Show, recorded: Path) -> None:
    """While the tab can be seen, and no longer."""
    state = state_at(recorded, 20)
    view = show(state)
    marked = state.marked
    assert marked is not None
    assert marked.rows == tuple(range(28))
    assert (marked.request, marked.simulated) == (17, False)
    assert marked.holds(0, 5) == (True, True, False)
    assert marked.holds(20, 40) == (True, False, True)
    assert marked.holds(28, 40) == (False, False, False)
    view.hide()
    assert state.marked is None


# runs


@pytest.mark.parametrize(
    ("broken", "fail", "words"),
    [
        ((), "", ["used", "not needed", "not needed"]),
        ((1,), "", ["broken", "used", "not needed"]),
        ((1, 2), "", ["broken", "broken", "used"]),
        ((), "all", ["failed", "failed", "used"]),
    ],
)
def test_the_ladder_shows_which_rung_held(
    show: Show, talk: Path, broken: tuple[int, ...], fail: str, words: list[str]
) -> None:
    """Broken by its switch, or because every call failed."""
    view = show(state_at(talk))
    view.choose_summarizer("scripted")
    view.desk.change_own("fail", fail)
    for rung in broken:
        view.panes.ladder.switches[rung].setFocus()
        QTest.keyClick(view.panes.ladder.switches[rung], Key.Key_Space)
    view.run()
    assert [word.text() for word in view.panes.ladder.words] == words
    assert view.panes.text_mode == SUMMARY
    assert view.panes.text.text
    assert view.head.save.isEnabled()
    assert view.panes.again.text().startswith("Pass 2:")


def test_every_call_is_listed(show: Show, talk: Path) -> None:
    """With stage, attempt, tokens, time, answer; failed ones in the colour of loss."""
    view = show(state_at(talk))
    view.choose_summarizer("scripted")
    view.desk.change_own("fail", "1")
    view.run()
    view.show_page(CALLS)
    table = view.calls.table.records
    assert view.desk.outcome is not None
    assert table.rowCount() == len(view.desk.outcome.calls)
    assert table.data(table.index(0, 10)) == "The summarizer failed."
    assert table.data(table.index(0, 10), Qt.ItemDataRole.ForegroundRole) == view.look.theme.diff_text
    assert table.data(table.index(1, 2)) == "2"
    assert view.calls.again.text().startswith("Pass 2")


def test_summaries_of_one_cut_stand_side_by_side(show: Show, recorded: Path) -> None:
    """The recorded one and ours; another run comes back by its row."""
    view = show(state_at(recorded, 20))
    view.run()
    view.show_page(RUNS)
    assert [run.by is None for run in view.desk.runs] == [True, False]
    assert view.history.left.text.text == view.desk.runs[1].outcome.summary
    assert view.history.right.text.text == view.desk.runs[0].outcome.summary
    view.history.table.setFocus()
    QTest.keyClick(view.history.table, Key.Key_Down)
    assert view.desk.shown is view.desk.runs[0]
    assert view.history.left.text.text == view.desk.runs[0].outcome.summary


def test_a_series_runs_one_after_another(show: Show, talk: Path) -> None:
    """Two policies on identifiers, each with its own row; what has nothing to do is skipped."""
    view = show(state_at(talk))
    view.show_page(RUNS)
    QTest.keyClick(view.history.buttons["identifiers"], Key.Key_Space)
    assert [run.wish.settings.identifiers for run in view.desk.runs] == ["strict", "off"]
    assert view.desk.phase == "idle"
    assert [run.number for run in view.desk.runs] == [1, 2]


def test_a_stopped_run_gives_nothing_to_save(show: Show, talk: Path) -> None:
    """Its calls are told, its summary is not kept among the runs."""
    view = show(state_at(talk))
    begun: list[By] = []
    view.run_wanted.disconnect()
    view.run_wanted.connect(lambda wish, by: begun.append(by))
    view.run()
    assert begun
    assert not view.head.go.isEnabled()
    view.tell(phrase("compaction.job.call", n=1, of=2, chars=12))
    assert view.foot.words.text() == "Call 1 of 2, 12 characters so far"
    stopped: list[bool] = []
    view.stop_wanted.connect(lambda: stopped.append(True))
    QTest.keyClick(view.foot.cancel, Key.Key_Return)
    assert stopped
    view.give_up()
    assert view.desk.runs == ()
    assert view.foot.words.text() == "For summaries, nothing has left this machine."


# nothing is sent unasked


@pytest.fixture
def asking(show: Show, talk: Path) -> tuple[CompactionView, list[tuple[Wish, By]]]:
    """A view that would ask Anthropic, and what it asked the worker for."""
    view = show(state_at(talk))
    view.run_wanted.disconnect()
    sent: list[tuple[Wish, By]] = []
    view.run_wanted.connect(lambda wish, by: sent.append((wish, by)))
    view.choose_summarizer("anthropic")
    return view, sent


def test_run_only_shows_what_would_be_sent(asking: tuple[CompactionView, list[tuple[Wish, By]]]) -> None:
    """Size, price, model, address; the exact text; Enter on what has the focus does not send."""
    view, sent = asking
    view.run()
    assert sent == []
    assert view.confirm.isVisible()
    words = view.confirm.words.text()
    facts = view.desk.facts
    assert facts is not None
    assert f"{len(facts.chunks)} calls" in words
    assert "claude-opus-4-5 at https://api.anthropic.com" in words
    assert "$" in words
    assert "1 secret was replaced" in words
    assert view.panes.text.text == facts.chunks[0].prompt
    QTest.keyClick(view.confirm.leave, Key.Key_Return)
    assert view.focusWidget() is not view.confirm.send
    assert sent == []


def test_escape_sends_nothing(asking: tuple[CompactionView, list[tuple[Wish, By]]]) -> None:
    view, sent = asking
    view.run()
    QTest.keyClick(view.confirm.leave, Key.Key_Escape)
    assert not view.confirm.isVisible()
    assert sent == []


def test_send_sends_what_was_shown(asking: tuple[CompactionView, list[tuple[Wish, By]]]) -> None:
    """With consent, once; and the foot says what has left."""
    view, sent = asking
    view.run()
    QTest.mouseClick(view.confirm.send, Qt.MouseButton.LeftButton)
    ((wish, by),) = sent
    assert by.consent
    assert wish == view.desk.asked
    view.send()
    assert len(sent) == 1


def test_another_cut_than_shown_is_not_sent(asking: tuple[CompactionView, list[tuple[Wish, By]]]) -> None:
    """The cursor moved between looking and pressing."""
    view, sent = asking
    view.run()
    assert view.state is not None
    view.state.go(request=10, remember=False)
    view.send()
    assert sent == []
    assert view.desk.phase != "running"


def test_a_series_never_leaves(asking: tuple[CompactionView, list[tuple[Wish, By]]]) -> None:
    view, sent = asking
    view.show_page(RUNS)
    assert not view.history.buttons["keep"].isEnabled()
    view.run_series("keep")
    assert sent == []


# settings, keys, looks


def test_a_changed_setting_is_another_cut(show: Show, talk: Path) -> None:
    """The form is made from the Settings; what only the safeguard reads is shown for it alone."""
    view = show(state_at(talk))
    view.show_page(SETTINGS)
    before = view.desk.facts
    view.options.form.rows["keep"].chosen.emit(3_000)
    settle(view)
    assert view.desk.settings.keep == 3_000
    assert view.desk.facts != before
    assert not view.options.form.rows["turns"].isVisible()
    view.options.form.rows["mode"].chosen.emit("safeguard")
    settle(view)
    assert view.options.form.rows["turns"].isVisible()
    view.options.form.rows["keep"].restored.emit()
    assert view.desk.settings.keep == view.desk.base.keep


def test_words_of_a_person_reach_the_prompt(show: Show, talk: Path) -> None:
    """A focus, and the own rule on identifiers where that policy is chosen."""
    view = show(state_at(talk))
    view.show_page(SETTINGS)
    assert not view.options.own.isVisible()
    view.options.form.rows["identifiers"].chosen.emit("custom")
    view.options.own.line.setText("Keep every ticket.")
    view.options.own.line.editingFinished.emit()
    view.options.focus.line.setText("Mind the berths.")
    view.options.focus.line.editingFinished.emit()
    settle(view)
    assert view.desk.facts is not None
    prompt = view.desk.facts.chunks[0].prompt
    assert "Keep every ticket." in prompt
    assert "Mind the berths." in prompt


def test_another_policy_keeps_what_was_changed(show: Show, talk: Path) -> None:
    state = state_at(talk)
    view = show(state)
    state.choose("pi")
    settle(view)
    assert view.desk.settings.keep == 1_500
    assert view.desk.base.reserve == 16_384


@pytest.mark.parametrize("page", range(len(PAGES)))
def test_everything_that_takes_the_focus_has_a_name(show: Show, recorded: Path, page: int) -> None:
    """And can be reached without a pointer."""
    view = show(state_at(recorded, 20))
    view.show_page(page)
    kinds = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit)
    tabbed = Qt.FocusPolicy.TabFocus
    found = [one for one in view.findChildren(QWidget) if one.isVisible() and one.focusPolicy() & tabbed]
    named = [one for one in found if isinstance(one, kinds)]
    assert named
    assert [one for one in named if not (one.accessibleName() or getattr(one, "text", str)())] == []


def test_text_is_copied_by_key(show: Show, recorded: Path) -> None:
    """The selection, else everything; and keys scroll."""
    view = show(state_at(recorded, 20))
    text = view.panes.text
    QTest.keyClick(text, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(text, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == text.text
    view.panes._pick_text(PROMPT)
    QTest.keyClick(text, Key.Key_End)
    assert text.verticalScrollBar().value() == text.verticalScrollBar().maximum() > 0


def test_where_there_is_little_width_panes_stand_below_each_other(show: Show, recorded: Path) -> None:
    """And the bars take two rows; nothing is cut off at the side."""
    view = show(state_at(recorded, 20), size=(480, 520))
    QGuiApplication.processEvents()
    assert view.panes.verticalScrollBar().maximum() > 0
    assert place(view, view.head.save).x() < view.width() - 16
    assert place(view, view.head.pages).y() < place(view, view.head.go).y()
    view.resize(816, 598)
    QGuiApplication.processEvents()
    assert place(view, view.panes.names).x() > 300
    assert abs(place(view, view.head.pages).y() - place(view, view.head.go).y()) < 10


def place(view: QWidget, inner: QWidget) -> QPoint:
    return inner.mapTo(view, QPoint(0, 0))


def test_each_session_keeps_its_own_runs(show: Show, talk: Path, recorded: Path) -> None:
    first, second = state_at(talk), state_at(recorded)
    view = show(first)
    view.run()
    desk = view.desk
    view.show_state(second)
    settle(view)
    assert view.desk is not desk
    view.show_state(first)
    assert view.desk is desk
    assert len(view.desk.runs) == 1
    assert view.stack.currentIndex() == OVERVIEW


def test_a_run_ends_at_the_session_it_was_begun_for(show: Show, talk: Path, recorded: Path) -> None:
    """Another session is on screen by then: its desk gets nothing, and nothing waits for ever."""
    first, second = state_at(talk), state_at(recorded)
    view = show(first)
    begun: list[tuple[Wish, By]] = []
    view.run_wanted.disconnect()
    view.run_wanted.connect(lambda wish, by: begun.append((wish, by)))
    view.run()
    desk = view.desk
    view.show_state(second)
    settle(view)
    ((wish, by),) = begun
    before = view.desk.outcome
    view.take(wish, by, carry(wish, by, go_on))
    assert view.desk.outcome is before
    assert (desk.phase, len(desk.runs)) == ("idle", 1)


def test_a_second_run_elsewhere_lets_the_first_go(show: Show, talk: Path, recorded: Path) -> None:
    """Of runs the newest counts, as in the worker."""
    first, second = state_at(talk), state_at(recorded)
    view = show(first)
    view.run_wanted.disconnect()
    view.run()
    desk = view.desk
    view.show_state(second)
    settle(view)
    view.run()
    assert desk.phase == "idle"
    assert view.desk.phase == "running"
    view.give_up()
    assert view.desk.phase == "idle"


def test_a_run_is_followed_while_it_goes(show: Show, talk: Path) -> None:
    """Its calls appear as they come back, and the ladder says on which rung it stands."""
    view = show(state_at(talk))
    view.run_wanted.disconnect()
    view.choose_summarizer("scripted")
    view.run()
    words = view.panes.ladder.words
    assert [word.text() for word in words] == ["running", "ready", "ready"]
    view.take_call(view.desk.by(), failed_call(1, rung=1))
    view.take_call(view.desk.by(), failed_call(2, rung=2))
    assert [word.text() for word in words] == ["failed", "running", "ready"]
    view.show_page(CALLS)
    view.take_call(view.desk.by(), failed_call(3, rung=2))
    assert view.calls.table.records.rowCount() == 3
    assert view.foot.words.text() == "For summaries, nothing has left this machine."
    view.give_up()


def failed_call(number: int, rung: int) -> Call:
    return Call(number, "chunk", 1, 1, rung, 4, False, "failed", 100, 0, False, 0.0, 0.1, False)
