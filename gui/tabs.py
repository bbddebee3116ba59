"""The tabs of the centre, in one table: word, key, view, and who connects it. A tab is a line here, a file in `views/`.

A view other than the first is imported and made when its tab is looked at for the first time: a start, and each answer
to a key, pays only for what can be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from gui.theme import Look
from gui.view import View


class Tab(NamedTuple):
    """`view`: module and class. `bind`: module whose `bind(window, view)` connects it to jobs and dialogs, if any.
    `menu`: id of the menu that has its action. `aside`: a page that is asked for now and then: its tab stands in the
    bar only once its action was used."""

    id: str
    text: str
    key: str
    view: tuple[str, str]
    bind: str = ""
    menu: str = "view"
    aside: bool = False


def tabs() -> tuple[Tab, ...]:
    """The rows, in the language in use."""

    def t(text: str) -> str:
        return QCoreApplication.translate("tabs", text)

    return (
        Tab("prompt", t("Prompt"), "Ctrl+1", ("gui.views.prompt", "PromptView")),
        Tab("compare", t("Compare"), "Ctrl+3", ("gui.views.compare", "CompareView"), "gui.compare_binding"),
        Tab(
            *("compaction", t("Compaction"), "Ctrl+5", ("gui.views.compaction", "CompactionView")),
            "gui.compaction_binding",
        ),
        Tab(
            *("truncation", t("Truncation"), "Ctrl+6", ("gui.views.truncation", "TruncationView")),
            "gui.truncation_binding",
        ),
        Tab(
            *("margins", t("Token estimates"), "Ctrl+8", ("gui.views.margins", "MarginsView")),
            *("gui.margin_binding", "layers", True),
        ),
        Tab(*("shuffle", t("Cache what-ifs"), "Ctrl+9", ("gui.views.shuffle", "ShuffleView"), "", "layers", True)),
        Tab(
            *("thresholds", t("Break thresholds"), "Ctrl+Shift+B", ("gui.views.thresholds", "ThresholdsView")),
            *("gui.threshold_binding", "layers", True),
        ),
        Tab(
            *("fill", t("What fills my window"), "Ctrl+Shift+M", ("gui.views.fill", "FillView")),
            *("gui.fill_binding", "layers", True),
        ),
    )


class CentreTabs(QTabWidget):
    """A page for each row of the table. `bind`: called with (row, view) when a view was made."""

    def __init__(self, look: Look, bind: Callable[[Tab, View], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._bind = look, bind
        self._rows = tabs()
        self._made: dict[str, View] = {}
        self.setDocumentMode(True)
        for row in self._rows:
            page = QWidget()
            column = QVBoxLayout(page)
            column.setContentsMargins(0, 0, 0, 0)
            self.setTabVisible(self.addTab(page, row.text), not row.aside)
        self.currentChanged.connect(self._turned)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(row.id for row in self._rows)

    @property
    def views(self) -> tuple[View, ...]:
        """Those that were made so far."""
        return tuple(self._made.values())

    def view(self, id: str) -> View:
        """The view of a tab; made now if nobody looked at it yet."""
        found = self._made.get(id)
        if found is None:
            index = self.ids.index(id)
            row = self._rows[index]
            module, name = row.view
            found = self._made[id] = getattr(import_module(module), name)(self._look)
            page = self.widget(index)
            page.layout().addWidget(found)
            page.setFocusProxy(found)
            self._bind(row, found)
        return found

    def page_of(self, widget: QWidget) -> View | None:
        """The view that a widget is part of."""
        return next((view for view in self.views if view is widget or view.isAncestorOf(widget)), None)

    def show_tab(self, id: str) -> View:
        """Turn to a tab, and give it the focus."""
        found = self.view(id)
        self.setTabVisible(self.ids.index(id), True)
        self.setCurrentIndex(self.ids.index(id))
        found.setFocus()
        return found

    def _turned(self, index: int) -> None:
        self.view(self._rows[index].id)
