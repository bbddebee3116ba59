"""The three tables of the Compaction tab: identifiers, calls, runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem

from core.models import Price
from core.payback import call_cost
from core.phrase import phrase
from core.summarizer import summarizer
from core.summarizing import Call
from gui import numbers, setting_words
from gui.compaction_desk import Run
from gui.compaction_facts import Name
from gui.icons import qicon
from gui.numbers import Mark
from gui.request_columns import Column, Value
from gui.request_table import RecordModel, RecordTable
from gui.theme import ICON_SMALL, Look
from gui.translation import language, say
from gui.visible import visible_line

Index = QModelIndex | QPersistentModelIndex
LONGEST = 120
"""Characters of an identifier that a cell shows."""
NONE = "–"


class TabColumn(Column):
    """A column whose head is among the words of this tab."""

    @property
    def head(self) -> str:
        return say(phrase(f"compaction_tab.column.{self.id}"))


# identifiers


def name_columns(judged: bool) -> tuple[TabColumn, ...]:
    """`judged`: there is a summary to look at."""
    return (
        TabColumn("identifier", lambda n: visible_line(n.shown, LONGEST), lambda n: n.shown, False),
        TabColumn("in_summary", lambda n: _summary(n, judged), _in_summary, False, lambda n: _summary(n, judged)),
        TabColumn("in_tail", lambda n: "" if n.in_tail else NONE, lambda n: int(n.in_tail), False, _yes),
        TabColumn("used_later", used_words, lambda n: (n.missed, n.used, -n.number)),
    )


def _summary(name: Name, judged: bool) -> str:
    if not judged:
        return "?"
    return "" if name.kept else visible_line(name.form, 40) if name.form else NONE


def _in_summary(name: Name) -> int:
    return 2 if name.kept else 1 if name.form else 0


def _yes(name: Name) -> str:
    return "1" if name.in_tail else "0"


def used_words(name: Name) -> str:
    """How often it is asked for after the compaction, and that it is lost then."""
    if not name.used:
        return say(phrase("compaction_tab.used.no"))
    return say(phrase("compaction_tab.used.lost" if name.missed else "compaction_tab.used.times", n=name.used))


class NameModel(RecordModel):
    """Lost *and* used later stands out by tint, weight and word; a tick is drawn where an identifier stands."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        name: Name = self.record(index.row())
        theme, column = self._look.theme, index.column()
        if role == Qt.ItemDataRole.BackgroundRole and name.missed:
            return theme.diff_tint
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == 3:
                return theme.diff_text if name.missed else theme.ink if name.used else theme.ink3
            return theme.ink3 if column == 1 and name.kept is None else theme.ink
        if role == Qt.ItemDataRole.FontRole and column == 0:
            return theme.font("id")
        if role == Qt.ItemDataRole.FontRole and column == 3 and name.missed:
            return theme.font("secondary", 600)
        if role == Qt.ItemDataRole.DecorationRole:
            ticked = (column == 1 and name.kept) or (column == 2 and name.in_tail)
            return qicon("check", theme.px(ICON_SMALL), theme.read_text) if ticked else None
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (1, 2):
            return Qt.AlignmentFlag.AlignCenter
        if role == Qt.ItemDataRole.AccessibleTextRole and column in (1, 2):
            here = bool(name.kept) if column == 1 else name.in_tail
            word = "unknown" if column == 1 and name.kept is None else "yes" if here else "no"
            form = name.form if column == 1 else ""
            said = visible_line(form, 40) if form else say(phrase(f"compaction_tab.{word}"))
            return f"{self.columns[column].head}: {said}"
        return super().data(index, role)

    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section in (1, 2):
            return Qt.AlignmentFlag.AlignCenter
        return super().headerData(section, side, role)


class _Centred(QStyledItemDelegate):
    """A tick without words stands in the middle."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if not option.text:
            option.decorationAlignment = Qt.AlignmentFlag.AlignCenter
            option.features &= ~QStyleOptionViewItem.ViewItemFeature.HasDisplay
            option.displayAlignment = Qt.AlignmentFlag.AlignCenter


class Sheet(RecordTable):
    """A table of which one column takes the width that is left."""

    def __init__(
        self,
        look: Look,
        name: str,
        wide: int,
        sort: tuple[int, Qt.SortOrder],
        model: type[RecordModel] = RecordModel,
        widths: Sequence[int] = (),
    ) -> None:
        """`widths`: of the other columns in pixels at 100 %; without them as wide as what stands in them."""
        self._wide, self._sort, self._widths = wide, sort, widths
        super().__init__(look, name, None, model)
        self.setItemDelegate(_Centred(self))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMinimumHeight(0)

    def fill(self, records: Sequence[Any], columns: Sequence[Column]) -> None:
        """Other rows; the order that a person chose stays."""
        self.show_records(records, columns, self._sort)
        head = self.horizontalHeader()
        modes = QHeaderView.ResizeMode
        for at in range(len(columns)):
            mode = modes.Stretch if at == self._wide else modes.Fixed if self._widths else modes.ResizeToContents
            if head.sectionResizeMode(at) != mode:
                head.setSectionResizeMode(at, mode)
        self._fit()

    def _fit(self) -> None:
        theme, head = self._look.theme, self.horizontalHeader()
        if not self._widths:
            super()._fit()
            return
        others = [at for at in range(head.count()) if at != self._wide]
        for at, width in zip(others, self._widths, strict=False):
            head.resizeSection(at, theme.px(width))


def names_table(look: Look) -> Sheet:
    name = say(phrase("compaction_tab.names.title"))
    return Sheet(look, name, 0, (3, Qt.SortOrder.DescendingOrder), NameModel, (74, 50, 96))


# calls


def call_columns(price: Price | None) -> tuple[TabColumn, ...]:
    """`price`: of the model that was asked, None where nobody is paid or no price is known."""

    def cost(call: Call) -> Value:
        return call_cost((call,), price) if price is not None and call.ok else None

    def money(call: Call) -> str:
        value = cost(call)
        return NONE if value is None else numbers.money(value, mark=Mark.ESTIMATED)

    def time(call: Call) -> str:
        return NONE if call.seconds is None else numbers.duration(call.seconds, language())

    return (
        TabColumn("number", lambda c: numbers.count(c.number), lambda c: c.number),
        TabColumn("stage", _stage, _stage, False),
        TabColumn("attempt", lambda c: numbers.count(c.attempt), lambda c: c.attempt),
        TabColumn("rung", lambda c: numbers.count(c.rung), lambda c: c.rung),
        TabColumn("messages", lambda c: numbers.count(c.messages), lambda c: c.messages),
        TabColumn("given", _tokens(lambda c: c.input_tokens), lambda c: c.input_tokens),
        TabColumn("answered", _tokens(lambda c: c.output_tokens), lambda c: c.output_tokens),
        TabColumn("waited", lambda c: numbers.duration(c.waited, language()), lambda c: c.waited),
        TabColumn("seconds", time, lambda c: c.seconds),
        TabColumn("cost", money, cost),
        TabColumn("answer", _answer, _answer, False),
    )


def _stage(call: Call) -> str:
    return say(phrase(f"compaction_tab.stage.{call.stage}_n", n=call.chunk))


def _tokens(ask: Callable[[Call], int]) -> Callable[[Call], str]:
    return lambda c: numbers.tokens(ask(c), Mark.RECORDED if c.counted else Mark.ESTIMATED)


def _answer(call: Call) -> str:
    if call.error is not None:
        return say(phrase(f"compaction.failure.{call.error}"))
    return say(phrase("compaction_tab.call.overlong" if call.overlong else "compaction_tab.call.ok"))


class CallModel(RecordModel):
    """A failed call says so in colour too."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and not self.record(index.row()).ok:
            return self._look.theme.diff_text
        return super().data(index, role)


def calls_table(look: Look) -> Sheet:
    name = say(phrase("compaction_tab.calls.title"))
    widths = (40, 104, 60, 44, 70, 74, 74, 56, 62, 76)
    return Sheet(look, name, 10, (0, Qt.SortOrder.AscendingOrder), CallModel, widths)


# runs


def run_columns() -> tuple[TabColumn, ...]:
    return (
        TabColumn("number", lambda r: numbers.count(r.number), lambda r: r.number),
        TabColumn("before", _before, lambda r: r.facts.request),
        TabColumn("by", by_words, by_words, False),
        TabColumn("rules", rule_words, rule_words, False),
        TabColumn("keep", _keep, lambda r: r.wish.settings.keep if r.by is not None else None),
        TabColumn("level", _level, lambda r: r.outcome.rung),
        TabColumn("tokens", _size, lambda r: r.outcome.tokens),
        TabColumn("safe", _safe, lambda r: r.outcome.safe / max(1, r.outcome.found)),
        TabColumn("missed", lambda r: numbers.count(len(r.outcome.missed)), lambda r: len(r.outcome.missed)),
        TabColumn("spent", _spent, lambda r: r.outcome.cost),
    )


def _before(run: Run) -> str:
    request = run.facts.request
    return say(phrase("requests.next")) if request is None else numbers.count(request)


def by_words(run: Run) -> str:
    """Who wrote it."""
    if run.by is None:
        return say(phrase("compaction_tab.by.recorded"))
    model = visible_line(run.by.model, 40) if run.by.consent else ""
    return model or say(summarizer(run.by.summarizer).TITLE)


def rule_words(run: Run) -> str:
    """By which rules: mode and what the summarizer was told about identifiers; those of the file are not known."""
    if run.by is None:
        return NONE
    option = setting_words.option
    words = (option("compaction", name, str(getattr(run.wish.settings, name))) for name in ("mode", "identifiers"))
    return " · ".join(words)


def _keep(run: Run) -> str:
    return NONE if run.by is None or run.wish.place is not None else numbers.compact(run.wish.settings.keep)


def _level(run: Run) -> str:
    return NONE if run.outcome.rung is None else numbers.count(run.outcome.rung)


def _size(run: Run) -> str:
    counted = run.outcome.counted
    if counted is not None:
        return numbers.tokens(counted, Mark.RECORDED)
    return numbers.tokens(run.outcome.tokens, Mark.ESTIMATED)


def _safe(run: Run) -> str:
    return say(phrase("compaction_tab.names.of", n=run.outcome.safe, of=run.outcome.found))


def _spent(run: Run) -> str:
    return NONE if run.outcome.cost is None else numbers.money(run.outcome.cost, mark=Mark.ESTIMATED)


def runs_table(look: Look) -> Sheet:
    name = say(phrase("compaction_tab.runs.title"))
    widths = (44, 62, 140, 52, 46, 76, 92, 84, 66)
    return Sheet(look, name, 3, (0, Qt.SortOrder.DescendingOrder), widths=widths)
