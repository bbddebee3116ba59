"""The profile button and the shelf of one's own policies: choose, save, import, export, and what goes wrong."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.profile import parse, policies, policy, text
from gui.policy_shelf import Shelf
from gui.problem_strip import Notice
from gui.profile_button import ProfileButton
from gui.state import State
from gui.theme import Look
from tests.gui.layer_session import guarded_state


@pytest.fixture
def state(qtbot: QtBot, tmp_path: Path) -> State:
    made = guarded_state(tmp_path / "s.jsonl", 2)
    made.choose("openclaw-2026.4.5")
    return made


@pytest.fixture
def button(qtbot: QtBot, state: State, tmp_path: Path) -> ProfileButton:
    """Its folder does not exist yet."""
    made = ProfileButton(Look("light"), tmp_path / "config" / "policies")
    qtbot.addWidget(made)
    made.show_state(state)
    return made


def told(button: ProfileButton) -> list[Notice]:
    heard: list[Notice] = []
    button.told.connect(heard.append)
    return heard


def actions(button: ProfileButton) -> dict[str, QAction]:
    menu = button.menu()
    button.kept = menu  # type: ignore[attr-defined]  # the actions live as long as their menu
    return {action.text().split("\t")[0]: action for action in menu.actions()}


# the button


def test_it_names_policy_and_changes(button: ProfileButton, state: State) -> None:
    """For the eye and for screen readers; it grows with what it says."""
    assert button._words() == ("openclaw-2026.4.5", "")
    before = button.sizeHint().width()
    state.set("guard_context", share=0.6)
    state.switch("strip_details", False)
    assert button._words() == ("openclaw-2026.4.5", "2 changed")
    assert "2 changed" in button.accessibleDescription()
    assert button.sizeHint().width() > before
    assert not button.grab().isNull()


def test_the_menu_lists_policies_with_their_source(button: ProfileButton, state: State) -> None:
    """Every built-in one, with date; that in use is checked; a click takes another."""
    menu = actions(button)
    assert "OpenClaw 2026.3.24" in menu
    assert "2026-03-24" in menu["OpenClaw 2026.3.24"].text()
    assert menu["OpenClaw 2026.4.5"].isChecked()
    assert not menu["Reset all changes"].isEnabled()
    menu["OpenClaw 2026.3.24"].trigger()
    assert state.base == policy("openclaw-2026.3.24")
    state.set("guard_context", share=0.5)
    actions(button)["Reset all changes"].trigger()
    assert state.changes() == ()


def test_without_session_it_is_off(button: ProfileButton) -> None:
    """There is nothing to replay."""
    button.show_state(None)
    assert not button.isEnabled()
    assert button.menu().isEmpty()
    assert not button.grab().isNull()


def test_saved_under_a_name_it_is_in_use(button: ProfileButton, state: State) -> None:
    """The changes are then part of it; it stands in the menu and knows what it was made from."""
    state.set("guard_context", share=0.6)
    button.save_as("Careful budget")
    assert state.base.id == "careful-budget"
    assert state.base.base == "openclaw-2026.4.5"
    assert state.changes() == ()
    assert state.profile.instance("guard_context").settings.share == 0.6
    assert actions(button)["Careful budget"].isChecked()
    button.save_as("   ")
    assert len(button.shelf.own()[0]) == 1


def test_export_and_import(button: ProfileButton, state: State, tmp_path: Path) -> None:
    """What was written can be read by whoever gets it, and is kept on the shelf."""
    state.set("guard_context", share=0.6)
    place = tmp_path / "given.toml"
    button.export_file(str(place))
    assert parse(tomllib.loads(place.read_text(encoding="utf-8")), "x") == state.profile
    state.choose("pi")
    button.import_file(str(place))
    assert state.profile.instance("guard_context").settings.share == 0.6
    assert state.base.id == "openclaw-2026.4.5-own"
    assert [found.id for found in button.shelf.own()[0]] == ["openclaw-2026.4.5-own"]


def test_what_goes_wrong_is_told(button: ProfileButton, state: State, tmp_path: Path) -> None:
    """No dialog, no exception: a notice for the strip, and the profile stays."""
    heard = told(button)
    bad = tmp_path / "bad.toml"
    bad.write_text("id = 3 [", encoding="utf-8")
    button.import_file(str(bad))
    button.import_file(str(tmp_path / "missing.toml"))
    button.export_file(str(tmp_path / "no" / "such" / "folder.toml"))
    (tmp_path / "config").write_text("a file where the folder should be")
    button.save_as("mine")
    assert len(heard) == 4
    assert all(notice.severity == "error" and str(notice.said) for notice in heard)
    assert state.base == policy("openclaw-2026.4.5")


def test_a_broken_file_on_the_shelf_hides_no_other(button: ProfileButton, state: State) -> None:
    """The menu opens with those that can be read; the strip says which cannot."""
    button.save_as("good")
    (button.shelf.folder / "a-bad.toml").write_text("nonsense", encoding="utf-8")
    heard = told(button)
    assert "good" in actions(button)
    assert len(heard) == 1
    assert "a-bad.toml" in str(heard[0].said)


def test_titles_of_files_are_plain_words(button: ProfileButton, state: State) -> None:
    """An ampersand is no shortcut, a line break no second row."""
    button.save_as("a & b")
    assert "a && b" in actions(button)


# the shelf


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("My Own", "my-own"),
        ("  ../../etc/passwd ", "etc-passwd"),
        ("预算 宽", "预算-宽"),
        ("pi", "pi-own"),
        ("...", "profile"),
        ("x" * 200, "x" * 60),
    ],
)
def test_names_become_ids(name: str, id: str) -> None:
    """Plain characters only, never a path, never the id of a built-in policy."""
    assert Shelf.id_for(name) == id


def test_an_id_from_a_file_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    """Policy files come from other people."""
    given = tmp_path / "evil.toml"
    given.write_text(text(policy("pi")).replace('id = "pi"', 'id = "../../evil"'), encoding="utf-8")
    shelf = Shelf(tmp_path / "a" / "b" / "policies")
    shelf.take(given)
    assert [path.name for path in shelf.folder.iterdir()] == ["evil.toml"]


def test_saving_twice_replaces(tmp_path: Path) -> None:
    """One name, one file; nothing half-written stays behind."""
    shelf = Shelf(tmp_path)
    base = policy("pi")
    shelf.save(base, base, "mine", date(2026, 1, 2))
    shelf.save(base.switch("repair_pairs", False), base, "mine", date(2026, 1, 3))
    (found,), wrong = shelf.own()
    assert not found.instance("repair_pairs").on
    assert found.date == date(2026, 1, 3)
    assert wrong == ()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_no_folder_no_policies(tmp_path: Path) -> None:
    """Nothing is made by looking."""
    assert Shelf(tmp_path / "none").own() == ((), ())
    assert not (tmp_path / "none").exists()
    with pytest.raises(InputError):
        Shelf(tmp_path / "none").take(tmp_path / "missing.toml")
    assert set(policies())
