"""The title rows of the docks: one line across the window, and none lies over what its dock holds."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import TITLE_ROW, Look
from gui.views.dag import DagView
from gui.views.layers import LayersView
from gui.views.requests import RequestsView


@pytest.mark.parametrize("view", [DagView, RequestsView, LayersView])
@pytest.mark.parametrize("zoom", [80, 100, 200])
def test_a_title_covers_nothing(qapp: QApplication, qtbot: QtBot, view: type, zoom: int) -> None:
    """A dock asks for the hints of its title, not for its fixed height: both must be the height of the row."""
    look = Look("light", zoom)
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QWidget())
    content = view(look)
    dock = QDockWidget(window)
    dock.setWidget(content)
    dock.setTitleBarWidget(content.heading())
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
    window.resize(1_200, 800)
    window.show()
    QApplication.processEvents()
    title = content.heading()
    assert title.height() == title.sizeHint().height() == look.theme.px(TITLE_ROW)
    assert title.geometry().bottom() < content.geometry().top()
