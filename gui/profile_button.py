"""The profile in use, in the tool bar: its policy, whether it was changed, and a menu to choose, save and share it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QInputDialog, QMenu, QSizePolicy, QWidget

from core import profile as profiles
from core.errors import InputError
from core.phrase import Phrase, phrase
from core.profile import Profile
from gui import icons, paint
from gui.paint import Tone
from gui.policy_shelf import Shelf
from gui.problem_strip import Notice
from gui.state import Change, State
from gui.theme import Look
from gui.translation import say
from gui.visible import visible_line

BESIDE = 52
"""Characters of date and source in the menu at most."""


def policy_action(menu: QMenu, policy: Profile) -> QAction:
    """A policy in a menu, with its date and source."""
    title = visible_line(say(profiles.said(policy.title)), 80)
    where = [policy.date.isoformat() if policy.date is not None else "", say(profiles.said(policy.source))]
    beside = visible_line(" · ".join(filter(None, where)))
    beside = beside if len(beside) <= BESIDE else beside[: BESIDE - 1].rstrip() + "…"
    action = menu.addAction(f"{title}\t{beside}".replace("&", "&&"))
    action.setCheckable(True)
    return action


class ProfileButton(QAbstractButton):
    """`show_state` as a view has it. `told`: a Notice for the problem strip: what went wrong, or where it was saved."""

    told = Signal(object)

    def __init__(self, look: Look, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.shelf = Shelf(folder)
        self.state: State | None = None
        self._told: tuple[object, ...] = ()
        """What is on screen: a dragged threshold says the same at every move."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(say(phrase("dock.profile.name")))
        self.clicked.connect(self._drop)
        look.changed.connect(self.updateGeometry)

    def show_state(self, state: State | None) -> None:
        if self.state is not None:
            self.state.changed.disconnect(self._refresh)
        self.state = state
        if state is not None:
            state.changed.connect(self._refresh)
        self._refresh(Change.ALL)

    def _refresh(self, change: Change) -> None:
        told = (self.state is not None, *self._words())
        if change & Change.LOOK or (told != self._told and change & (Change.PROFILE | Change.SESSION)):
            self._told = told
            self.setEnabled(self.state is not None)
            self.setAccessibleDescription(" ".join(self._words()))
            self.updateGeometry()
            self.update()

    def _words(self) -> tuple[str, str]:
        """(name of the policy, "2 changed" or "")."""
        if self.state is None:
            return "–", ""
        count = len(self.state.changes())
        changed = say(phrase("dock.profile.changed", n=count)) if count else ""
        return visible_line(self.state.base.id), changed

    # what the menu does

    def menu(self) -> QMenu:
        """Built anew each time: files may have come or gone."""
        menu = QMenu(self)
        state = self.state
        if state is None:
            return menu
        menu.addSection(say(phrase("dock.profile.policies")))
        for policy in profiles.policies().values():
            self._add(menu, policy)
        own, wrong = self.shelf.own()
        if own:
            menu.addSection(say(phrase("dock.profile.own")))
        for policy in own:
            self._add(menu, policy)
        menu.addSeparator()
        menu.addAction(say(phrase("dock.profile.save"))).triggered.connect(lambda: self._ask_name())
        menu.addAction(say(phrase("dock.profile.import"))).triggered.connect(lambda: self._ask_import())
        menu.addAction(say(phrase("dock.profile.export"))).triggered.connect(lambda: self._ask_export())
        menu.addSeparator()
        reset = menu.addAction(say(phrase("dock.profile.reset")))
        reset.setEnabled(bool(state.changes()))
        reset.triggered.connect(lambda: state.reset())
        for said in wrong:
            self._tell(said)
        return menu

    def _add(self, menu: QMenu, policy: Profile) -> None:
        action = policy_action(menu, policy)
        action.setChecked(self.state is not None and self.state.base == policy)
        action.triggered.connect(lambda _=False, chosen=policy: self.state and self.state.choose(chosen))

    def save_as(self, name: str) -> None:
        """Keep the profile in use under a name, and go on with that one."""
        if self.state is None or not name.strip():
            return
        try:
            saved = self.shelf.save(self.state.profile, self.state.base, name, date.today())
        except InputError as error:
            self._tell(error.phrase)
            return
        self.state.choose(saved)

    def import_file(self, path: str) -> None:
        """Read a policy file, keep a copy, and use it."""
        if self.state is None:
            return
        try:
            self.state.choose(self.shelf.take(Path(path)))
        except InputError as error:
            self._tell(error.phrase)

    def export_file(self, path: str) -> None:
        """Write the profile in use, whole or not at all."""
        if self.state is None:
            return
        try:
            profiles.write(self.state.profile, Path(path))
        except InputError as error:
            self._tell(error.phrase)

    def _tell(self, said: Phrase) -> None:
        self.told.emit(Notice(said, "error"))

    def _ask_name(self) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(say(phrase("dock.profile.save_title")))
        dialog.setLabelText(say(phrase("dock.profile.save_ask")))
        dialog.textValueSelected.connect(self.save_as)
        dialog.open()

    def _ask_import(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, say(phrase("dock.profile.import")), "", self._filter())
        if path:
            self.import_file(path)

    def _ask_export(self) -> None:
        name = f"{Shelf.file_name(self.state.profile.id)}.toml" if self.state is not None else ""
        path, _ = QFileDialog.getSaveFileName(self, say(phrase("dock.profile.export")), name, self._filter())
        if path:
            self.export_file(path)

    @staticmethod
    def _filter() -> str:
        return f"{say(phrase('dock.profile.files'))} (*.toml)"

    def _drop(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    # painting

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        name, changed = self._words()
        width = theme.px(10 + 8 + 30) + paint.width_of(name, theme.font("body", 600))
        width += paint.width_of(say(phrase("dock.profile.label")), theme.font("body"))
        width += paint.chip_width(changed, theme) + theme.px(8) if changed else 0
        return QSize(round(width) + 4, theme.px(32))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(120), self._look.theme.px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.accent if self.hasFocus() else theme.line2)
        painter.setBrush(theme.hover if self.underMouse() and self.isEnabled() else theme.panel)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, theme.px(6), theme.px(6))
        glyph, right = theme.px(14), self.width() - theme.px(30)
        place = QPoint(self.width() - theme.px(10) - glyph, round(self.height() / 2 - glyph / 2))
        painter.drawPixmap(place, icons.icon("chevron-down", glyph, theme.ink2))
        name, changed = self._words()
        if changed:
            width = paint.chip_width(changed, theme)
            paint.chip(painter, QPointF(right - width, self.height() / 2), changed, theme, Tone.ACCENT)
            right -= round(width) + theme.px(8)
        x = float(theme.px(10))
        label, height = say(phrase("dock.profile.label")), self.height()
        x += paint.draw_text(painter, QRectF(x, 0, right - x, height), label, theme.font("body"), theme.ink3)
        x += theme.px(8)
        if right > x:
            paint.draw_text(painter, QRectF(x, 0, right - x, height), name, theme.font("body", 600), theme.ink)
        painter.end()
