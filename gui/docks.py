"""The docks around the centre: one per view, their sizes and places, and how these come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from gui.view import View

if TYPE_CHECKING:
    from gui.main_window import MainWindow

LAYOUT_VERSION = 3
LEFT, BOTTOM, RIGHT = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
)


class Docks(QObject):
    """Left and right docks own the corners. They are shown only with a session: the start page stands alone."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        corners, areas = Qt.Corner, (LEFT, RIGHT)
        for corner in (corners.TopLeftCorner, corners.BottomLeftCorner):
            window.setCorner(corner, areas[0])
        for corner in (corners.TopRightCorner, corners.BottomRightCorner):
            window.setCorner(corner, areas[1])
        window.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.session = self._add("session_dock", self.tr("Session"), window.dag, LEFT)
        self.requests = self._add("requests_dock", self.tr("Requests"), window.requests, BOTTOM)
        self.layers = self._add("layers_dock", self.tr("Layers"), window.layers, RIGHT)
        self._saved: QByteArray | None = None

    def _add(self, name: str, title: str, view: View, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setWidget(view)
        dock.setTitleBarWidget(view.heading())
        self._window.addDockWidget(area, dock)
        return dock

    @property
    def all(self) -> tuple[QDockWidget, ...]:
        return (self.session, self.requests, self.layers)

    def show(self, on: bool) -> None:
        for dock in self.all:
            dock.setVisible(on)
        self.restore()

    def begin(self) -> None:
        """Sizes as drawn; what was saved is put back as soon as the docks are on screen."""
        self._window.resize(1600, 1000)
        self._resize()
        geometry, self._saved = self._window.memory.layout()
        if geometry is not None:
            self._window.restoreGeometry(geometry)

    def restore(self) -> None:
        """Sizes of docks that are not on screen would be forgotten, so it is done when they are."""
        if self._saved is not None and self._window.state is not None and self._window.isVisible():
            self._window.restoreState(self._saved, LAYOUT_VERSION)
            self._saved = None
            # Tool bars are restored with the docks, but whether there is a notice is not a matter of layout.
            self._window.strip.setVisible(self._window.strip.notice is not None)
            self._window.bar.show()

    def _resize(self) -> None:
        theme = self._window.look.theme
        sides = [self.session, self.layers]
        self._window.resizeDocks(sides, [theme.px(404), theme.px(380)], Qt.Orientation.Horizontal)
        self._window.resizeDocks([self.requests], [theme.px(300)], Qt.Orientation.Vertical)

    def reset(self) -> None:
        """As drawn, whatever was moved."""
        self._window.memory.forget_layout()
        for dock, area in zip(self.all, (LEFT, BOTTOM, RIGHT), strict=True):
            dock.setFloating(False)
            self._window.addDockWidget(area, dock)
            dock.setVisible(self._window.state is not None)
        self._resize()

    def keep(self) -> None:
        window = self._window
        state = window.saveState(LAYOUT_VERSION) if window.state is not None else None
        window.memory.keep_layout(window.saveGeometry(), state)
        window.memory.keep("zoom", window.look.zoom)
        window.memory.sync()
