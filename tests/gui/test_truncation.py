"""The Truncation tab: a dry run first, both sides of one list, settings that ask anew, and one button that writes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QSize, Qt

from core.format import open_session
from core.phrase import literal
from core.truncation import SAFE
from gui import translation, truncation_task
from gui.jobs import Jobs
from gui.theme import Look
from gui.truncation_binding import bind
from gui.truncation_facts import Facts, Wish
from gui.truncation_lanes import LEFT_BEHIND, NEW, PLAIN, lanes
from gui.truncation_table import AFTER, BEFORE
from gui.truncation_words import details, headline, verdicts
from gui.views.truncation import BESIDE, BYTES, OVERLAY, TruncationView
from tests.gui.prompt_session import state_of

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "flaky-test.jsonl"


def report(said, share):
    return True


@pytest.fixture
def file(tmp_path):
    return Path(shutil.copy(SAMPLE, tmp_path / "s.jsonl"))


@pytest.fixture
def shown(qtbot, file):
    """The view of a session with the answer to its first question."""
    view = TruncationView(Look("light"))
    qtbot.addWidget(view)
    view.look.set_animated(False)
    asked = []
    view.look_wanted.connect(asked.append)
    view.asked = asked
    view.resize(QSize(816, 526))
    view.show_state(state_of(file, None))
    view.show()
    answer(qtbot, view)
    return view


def answer(qtbot, view):
    """Let the view ask, and bring what the worker would."""
    view.flush()
    qtbot.waitUntil(lambda: bool(view.asked))
    wish = view.asked.pop()
    view.take(wish, truncation_task.look(wish, report))
    return wish


def text(view):
    return view.head.headline.text


def test_the_dry_run(shown, file):
    """Headline, both heads, verdicts and the button say what the command line says; nothing is written."""
    facts = shown.facts
    assert (facts.entries, facts.equal, facts.reason) == ((171, 82), True, None)
    assert text(shown).startswith("Truncation would remove 89 entries that the summary covers and give 5 entries")
    sides = [rest.replace("\u202f", "") for _, rest in shown.sides.words()]
    assert sides == ["171 entries · ●0.75MB", "82 entries · ◇0.31MB"]
    assert [(found.good, found.title) for found in shown.verdicts.verdicts] == [
        (True, "Context unchanged"),
        (True, "Label kept"),
        (False, "Side branch kept"),
        (False, "5 parents change"),
    ]
    assert shown.controls.button.text() == "Write 0.31\u202fMB"
    assert [path.name for path in file.parent.iterdir()] == ["s.jsonl"]


def test_rows_keep_their_place_on_both_sides(shown):
    """One list: what goes has words before and none after; a new parent is named."""
    model = shown.table.rows
    gone = [row.gone for row in model.rows]
    assert True in gone
    assert False in gone
    for at, row in enumerate(model.rows):
        before, after = (model.data(model.index(at, side)) for side in (BEFORE, AFTER))
        assert before
        assert after == ("" if row.gone else before)
    at = next(at for at, row in enumerate(model.rows) if row.hung is not None)
    spoken = model.data(model.index(at, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith(f"kept, parent: {model.rows[at].hung}")


def test_the_cursor_moves_with_the_rows(shown):
    """A click on a row is a place in the session, and another view's place is a row here."""
    at = 4
    shown.table.setCurrentIndex(shown.table.rows.index(at, 0))
    assert shown.state.cursor.entry == shown.facts.rows[at].first
    shown.state.go(entry=shown.facts.rows[2].last)
    shown.flush()
    assert shown.table.currentIndex().row() == 2 or shown.facts.rows[2].count == 1


def test_a_setting_asks_anew(qtbot, shown):
    """Without labelled entries more goes, and the verdict says which label."""
    shown.controls.labelled.box.click()
    assert shown.settings.keep_labelled is False
    wish = answer(qtbot, shown)
    assert wish.settings.keep_labelled is False
    assert shown.facts.lost_labels == ("repro",)
    lost = shown.verdicts.verdicts[1]
    assert (lost.good, lost.title, lost.detail) == (False, "Label removed", "“repro”")
    shown.controls.labelled.restore.click()
    assert shown.settings == SAFE


def test_only_above_a_size(qtbot, shown):
    """Too small a file: the reason instead of rows, and nothing to write."""
    shown.change_setting("above", 10_000_000)
    answer(qtbot, shown)
    assert "less than the" in text(shown)
    assert not shown.table.rows.rows
    assert not shown.sides.isVisibleTo(shown)
    assert not shown.controls.button.isEnabled()


def test_where_the_bytes_come_from(shown):
    """Looked for when somebody wants to see it; kinds first, then what is dead or there twice."""
    wanted = []
    shown.weigh_wanted.connect(wanted.append)
    shown.turn(BYTES)
    shown.turn(BYTES)
    [wish] = wanted
    assert not shown.bytes.list.figures.rows
    shown.take_sources(wish, truncation_task.weigh(wish.path, report))
    rows = shown.bytes.list.figures.rows
    assert [row.title for row in rows[:2]] == ["tool result", "assistant"]
    assert [row.id for row in rows].index("dead") == 2
    assert rows[0].values[2].text.startswith("8")
    shown.turn(BESIDE)
    assert shown.stack.currentIndex() == 0


def test_an_older_answer_is_not_shown(shown):
    """Only the answer to the newest question counts."""
    facts = shown.facts
    shown.take(Wish("elsewhere", None, SAFE, 1), facts)
    shown.fail(Wish("elsewhere", None, SAFE, 1), None)
    assert shown.facts is facts


def test_side_by_side_or_overlaid(shown):
    """Overlaid there is one column, with old and new edges and the chips of new parents."""
    shown.head.turned.emit(OVERLAY)
    assert shown.table.isColumnHidden(AFTER)
    assert {LEFT_BEHIND, PLAIN, NEW} <= set(shown.table.rows.lanes[BEFORE].into.tolist())
    shown.head.turned.emit(BESIDE)
    assert NEW not in shown.table.rows.lanes[BEFORE].into


def test_every_row_is_painted(shown):
    """In light and dark, at another zoom, in Chinese, beside and overlaid: no row raises."""
    for mode in ("light", "dark"):
        shown.look.set_mode(mode)
        for page in (BESIDE, OVERLAY, BYTES):
            shown.turn(page)
            shown.look.set_zoom(125 if page == OVERLAY else 100)
            shown.table.scrollToBottom()
            assert not shown.grab().isNull()


def test_the_button_asks_for_a_new_file_or_the_file_itself(shown):
    """Whatever is chosen beside it."""
    wanted = []
    shown.write_wanted.connect(lambda wish: wanted.append(("new", wish.path)))
    shown.replace_wanted.connect(lambda wish: wanted.append(("in place", wish.path)))
    shown.controls.button.click()
    shown.controls.way.chosen.emit(1)
    shown.controls.button.click()
    path = shown.path_of(shown.state)
    assert wanted == [("new", path), ("in place", path)]


def test_undo_is_there_when_there_is_something_to_undo(shown):
    """After a truncation in place, until it is undone."""
    wanted = []
    shown.undo_wanted.connect(lambda path, archive: wanted.append(archive))
    assert not shown.controls.undo.isVisibleTo(shown)
    path = shown.path_of(shown.state)
    shown.keep_archive(path, "/x.bak-1")
    assert shown.controls.undo.isVisibleTo(shown)
    shown.facts = replace(shown.facts, reason=literal("nothing left"))
    shown.show_facts()
    assert (
        text(shown)
        == "The file is truncated: it has 171 entries now. The old one is x.bak-1, beside it; Undo puts it back."
    )
    shown.controls.undo.pressed.emit()
    assert wanted == ["/x.bak-1"]
    shown.keep_archive(path, "")
    assert not shown.controls.undo.isVisibleTo(shown)


def test_the_worker_writes_and_puts_back(file, tmp_path):
    """To a new file, in place with an archive, and undone: the bytes are those of the command line."""
    before = file.read_bytes()
    session = open_session(file)
    wish = Wish(str(file), session.active_leaf, SAFE, len(session))
    new = truncation_task.write(wish, str(tmp_path / "new.jsonl"), report)
    assert (new.archive, new.size, new.equal) == ("", Path(new.target).stat().st_size, True)
    done = truncation_task.replace(wish, report)
    assert Path(done.archive).read_bytes() == before
    assert file.read_bytes() == Path(new.target).read_bytes()
    back = truncation_task.restore(str(file), done.archive, report)
    assert back.back
    assert file.read_bytes() == before


def test_without_a_session(qtbot):
    """Nothing to show, nothing to press."""
    view = TruncationView(Look("dark"))
    qtbot.addWidget(view)
    view.show()
    view.flush()
    assert not view.controls.button.isEnabled()
    assert not view.verdicts.isVisibleTo(view)


def test_words_in_chinese(shown):
    """The numbers of the headline are strong there too."""
    translation.use("zh_CN")
    try:
        said = headline(shown.facts, None)
        told = [found.title for found in verdicts(shown.facts)]
        assert [run.text for run in said if run.kind == "strong"] == ["89 个条目", "5 个条目"]
        assert told[0] == "上下文不变"
        assert details(shown.facts)[1] == "1 个分支，共 3 个条目"
    finally:
        translation.use("en")


def test_lanes_cross_the_rows_between():
    """A long edge passes the rows between its ends; the picture is the same from any row."""
    from core.truncation_rows import Row

    def row(parent, above, lane=0, gone=False, hung=None):
        return Row(0, 0, 1, 0 if gone else 1, lane, parent, above, hung, "")

    made = (row(-1, -1), row(0, 0, gone=True), row(1, 0, hung="a"), row(1, 0, lane=1, hung="a"), row(2, 2))
    after = lanes(made, after=True)
    assert after.through[1].tolist()[:2] == [NEW, NEW]
    assert after.through[2].tolist()[:2] == [0, NEW]
    assert after.into.tolist() == [0, 0, NEW, NEW, PLAIN]
    assert sorted(after.bends[0]) == [(0, NEW), (1, NEW)]
    before = lanes(made, after=False)
    assert before.into.tolist() == [0, LEFT_BEHIND, LEFT_BEHIND, LEFT_BEHIND, PLAIN]


def test_facts_are_small_values(shown):
    """They cross a pipe: a picture of a long session must not weigh what the session weighs."""
    import pickle

    assert isinstance(pickle.loads(pickle.dumps(shown.facts)), Facts)
    assert len(pickle.dumps(shown.facts)) < 10_000


def test_in_the_window(qtbot, file):
    """With a worker: looked at, written in place, said where the old file is, and put back."""
    jobs, notices = Jobs(), []
    try:
        state = state_of(file, None)
        window = SimpleNamespace(
            jobs=jobs,
            sessions=SimpleNamespace(path_of=lambda _: str(file)),
            strip=SimpleNamespace(show_notice=notices.append),
        )
        view = TruncationView(Look("light"))
        qtbot.addWidget(view)
        bind(window, view)
        view.show_state(state)
        view.show()
        before = file.read_bytes()
        qtbot.waitUntil(lambda: view.facts is not None, timeout=30_000)
        view.controls.way.chosen.emit(1)
        view.controls.button.click()
        qtbot.waitUntil(lambda: len(notices) == 1, timeout=30_000)
        archive = file.with_name("s.jsonl.bak-1")
        assert str(archive) in str(notices[0].said)
        assert archive.read_bytes() == before != file.read_bytes()
        view.controls.button.click()  # the file is another now: it is left alone
        qtbot.waitUntil(lambda: len(notices) == 2, timeout=30_000)
        assert notices[1].severity == "error"
        view.controls.undo.pressed.emit()
        qtbot.waitUntil(lambda: len(notices) == 3, timeout=30_000)
        assert file.read_bytes() == before
    finally:
        jobs.close()
