"""The tabs of the centre: a row of the table is a page, an action, a key, and a view made when it is looked at."""

from __future__ import annotations

import pytest

from gui import tabs
from gui.actions import table
from gui.tabs import CentreTabs, Tab
from gui.theme import Look
from gui.view import View


class Late(View):
    """A view of the table that only this test has."""

    def refresh(self, change):
        pass


@pytest.fixture
def two(monkeypatch):
    rows = tabs.tabs()[:1]
    late = Tab("late", "Late", "Ctrl+9", (__name__, "Late"), "binder")
    monkeypatch.setattr(tabs, "tabs", lambda: (*rows, late))
    return late


def test_every_tab_has_an_action_and_a_key_of_its_own(qapp):
    """Ctrl+1 … in the order of the design; none is given twice."""
    keys = [row.key for row in tabs.tabs()]
    assert len(set(keys)) == len(keys)
    assert keys == sorted(keys)
    entries = {entry.id: entry for entry in table()}
    assert all(entries[f"tab_{row.id}"].keys == (row.key,) for row in tabs.tabs())


def test_a_view_is_made_when_it_is_looked_at(qtbot, two):
    """Not before, and once; whoever connects it is told with its row."""
    bound = []
    made = CentreTabs(Look("light"), lambda row, view: bound.append((row.id, type(view).__name__)))
    qtbot.addWidget(made)
    made.view("prompt")
    assert bound == [("prompt", "PromptView")]
    made.setCurrentIndex(made.ids.index("late"))
    made.setCurrentIndex(0)
    assert made.show_tab("late") is made.view("late")
    assert bound == [("prompt", "PromptView"), ("late", "Late")]
    assert made.views == (made.view("prompt"), made.view("late"))
    assert made.currentIndex() == made.ids.index("late")


def test_a_page_aside_comes_with_its_action(qtbot):
    """Its tab is not in the bar until it was asked for; its action stands in the menu that it names."""
    aside = [row for row in tabs.tabs() if row.aside]
    assert {row.id for row in aside} == {"margins", "shuffle", "thresholds", "fill"}
    menus = {entry.id: entry.menu for entry in table()}
    assert {menus[f"tab_{row.id}"] for row in aside} == {"layers"}
    made = CentreTabs(Look("light"), lambda row, view: None)
    qtbot.addWidget(made)
    for row in tabs.tabs():
        assert made.isTabVisible(made.ids.index(row.id)) == (not row.aside)
    made.show_tab("shuffle")
    assert made.isTabVisible(made.ids.index("shuffle"))
    assert not made.isTabVisible(made.ids.index("margins"))
