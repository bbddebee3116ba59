"""The budget of one request as a bar: what fills the window, in tokens or as the guard counts, and the lines on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.phrase import phrase
from core.prompt_budget import GuardBudget
from core.timeline import ROLES
from gui import numbers
from gui.paint import draw_text, width_of
from gui.shapes import Limit, Part, budget_bar
from gui.theme import Look, Theme
from gui.translation import say


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens by ROLES, of tools and system (None = unknown), the window, and the tokens above which it is compacted."""

    tokens: tuple[int, ...]
    unrecorded: int | None
    window: int
    compacts: int | None
    leading: tuple[tuple[str, int], ...] = ()
    """Role and tokens of tools and system prompt, where a source tells them apart."""

    @property
    def total(self) -> int:
        return sum(self.tokens) + (sum(size for _, size in self.leading) if self.leading else self.unrecorded or 0)


@dataclass(frozen=True, slots=True)
class Label:
    """A caption: `x` is where its left end, middle (0.5) or right end (1) should stand; the first ones go first."""

    text: str
    x: float
    hold: float
    loss: bool = False


def placed(labels: Sequence[Label], widths: Sequence[float], left: float, right: float, gap: float) -> list[float]:
    """Left ends of the labels, NaN where one found no room near its place. Earlier labels are served first, and none
    comes to stand on the other side of one that it belongs left, or right, of."""
    taken: list[tuple[float, float]] = []
    places: list[float] = []
    found: list[float] = []
    for label, width in zip(labels, widths, strict=True):
        wanted = min(max(label.x - label.hold * width, left), right - width)
        # At its place, else right beside what is there already.
        tries = [wanted, *(end + gap for _, end in taken), *(start - gap - width for start, _ in taken)]
        free = (
            x
            for x in sorted(tries, key=lambda x: abs(x - wanted))
            if left <= x <= right - width
            and all(
                (x >= end + gap and label.x >= place) or (x + width + gap <= start and label.x <= place)
                for (start, end), place in zip(taken, places, strict=True)
            )
        )
        x = next(free, nan)
        if abs(x - wanted) > max(width, 10 * gap):
            x = nan
        found.append(x)
        if not isnan(x):
            taken.append((x, x + width))
            places.append(label.x)
    return found


class BudgetBar(QWidget):
    """Bar of 14 px with captions beneath."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._budget: Budget | GuardBudget | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def show_budget(self, budget: Budget | GuardBudget | None) -> None:
        if budget == self._budget and self.accessibleName() == say(phrase("budget.name")):
            return
        self._budget = budget
        self.setAccessibleName(say(phrase("budget.name")))
        self.setAccessibleDescription(_spoken(budget) if budget is not None else "")
        self.update()

    @property
    def shown(self) -> Budget | GuardBudget | None:
        return self._budget

    def sizeHint(self) -> QSize:
        theme = self._look.theme
        return QSize(theme.px(320), theme.px(4 + 14 + 6) + theme.line_height("chart"))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.theme.px(120), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        budget, theme = self._budget, self._look.theme
        if budget is None:
            return
        painter = QPainter(self)
        bar = QRectF(0, theme.px(4), self.width(), theme.px(14))
        if isinstance(budget, GuardBudget):
            parts, limits, full = _counted(budget)
        else:
            parts, limits, full = _in_tokens(budget)
        places = budget_bar(painter, bar, parts, limits, full, theme)
        unit = bar.width() / full
        counted = isinstance(budget, GuardBudget)
        labels = counted_captions(budget, places, unit) if counted else captions(budget, places, unit)
        self._captions(painter, labels, bar.bottom() + theme.px(6), theme)

    def _captions(self, painter: QPainter, labels: Sequence[Label], top: float, theme: Theme) -> None:
        font = theme.font("chart")
        widths = [width_of(label.text, font) + 1 for label in labels]
        height = theme.line_height("chart")
        for label, width, x in zip(labels, widths, placed(labels, widths, 0, self.width(), theme.px(10)), strict=True):
            if not isnan(x):
                ink = theme.diff_text if label.loss else theme.ink2
                draw_text(painter, QRectF(x, top, width, height), label.text, font, ink)


def _in_tokens(budget: Budget) -> tuple[list[Part], list[Limit], float]:
    parts = [Part(role, size) for role, size in zip(ROLES, budget.tokens, strict=True)]
    if budget.leading:
        parts += [Part(role, size, apart=at == 0) for at, (role, size) in enumerate(budget.leading)]
    else:
        parts.append(Part("unrecorded", budget.unrecorded or 0, apart=True))
    limits = [Limit(budget.window)]
    if budget.compacts is not None:
        limits.insert(0, Limit(budget.compacts, dashed=True))
    return parts, limits, max(budget.window, budget.total, 1)


def _counted(budget: GuardBudget) -> tuple[list[Part], list[Limit], float]:
    """Messages only; what was cut away hollow behind what is left."""
    parts = [Part(role, size) for role, size in zip(ROLES, budget.sizes, strict=True)]
    parts.append(Part("cut", max(0, budget.cut)))
    limits = [Limit(budget.window)]
    if budget.stops is not None:
        limits.insert(0, Limit(budget.stops, dashed=True))
    if budget.cuts is not None:
        limits.insert(0, Limit(budget.cuts))
    return parts, limits, max(budget.window, budget.total + budget.cut, 1)


def counted_captions(budget: GuardBudget, places: Sequence[QRectF], unit: float) -> list[Label]:
    """The captions as the guard counts, the most needed first."""
    results, summary, assistant, user = budget.sizes
    labels = [Label(numbers.compact(budget.window), budget.window * unit, 1)]
    if budget.cuts is not None:
        labels.append(Label(numbers.compact(budget.cuts), budget.cuts * unit, 0.5))
    if budget.cut > 0:
        labels.append(Label(say(phrase("budget.cut", n=budget.cut)), places[4].center().x(), 0.5, loss=True))
    if budget.stops is not None:
        labels.append(Label(numbers.compact(budget.stops), budget.stops * unit, 0.5))
    if results:
        labels.append(Label(say(phrase("budget.results_twice", n=results)), places[0].left(), 0))
    words = _rest(summary, assistant, user)
    if words:
        labels.append(Label(words, places[3].right(), 1))
    return labels


def _rest(summary: int, assistant: int, user: int) -> str:
    sizes = [("summary", summary), ("assistant", assistant), ("user", user)]
    return " · ".join(say(phrase(f"budget.{name}", n=size)) for name, size in sizes if size)


def captions(budget: Budget, places: Sequence[QRectF], unit: float) -> list[Label]:
    """The captions, the most needed first."""
    results, summary, assistant, user = budget.tokens
    labels = [Label(numbers.compact(budget.window), budget.window * unit, 1)]
    if budget.compacts is not None:
        labels.append(Label(say(phrase("budget.compacts", n=budget.compacts)), budget.compacts * unit + 14, 1))
    if results:
        labels.append(Label(say(phrase("budget.results", n=results)), places[0].left(), 0))
    words = _rest(summary, assistant, user)
    if words:
        labels.append(Label(words, places[3].right(), 1))
    if budget.unrecorded or budget.leading:
        which = "budget.leading" if budget.leading else "budget.unrecorded"
        labels.append(Label(say(phrase(which)), places[4].left(), 0))
    return labels


def _spoken(budget: Budget | GuardBudget) -> str:
    if isinstance(budget, GuardBudget):
        said = phrase("budget.spoken_guard", n=budget.total, cut=max(0, budget.cut), window=budget.window)
        return say(said)
    sizes = {name: numbers.tokens(n) for name, n in zip(ROLES, budget.tokens, strict=True)}
    return say(
        phrase(
            "budget.spoken",
            results=sizes["toolResult"],
            summary=sizes["summary"],
            assistant=sizes["assistant"],
            user=sizes["user"],
            unrecorded=numbers.tokens(budget.unrecorded or 0),
            window=numbers.tokens(budget.window),
        )
    )
