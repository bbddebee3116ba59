"""A page for one layer: what it does, its formula with this request's numbers filled in, where the rule is from."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.phrase import catalogue, literal, phrase
from core.pipeline import Step
from core.profile import Instance, Profile, said
from core.prompt import Blocks
from core.settings import specs
from gui import setting_words
from gui.plain_label import PlainLabel
from gui.setting_words import known
from gui.step_effects import done
from gui.theme import Look
from gui.translation import say
from gui.visible import visible_line

PARTS = ("what", "formula", "source")


@dataclass(frozen=True, slots=True)
class Page:
    """`parts`: (heading, text): those of PARTS, notes of the step, and what is known of the policy as a whole."""

    title: str
    parts: tuple[tuple[str, str], ...]


def page(step: Step, instance: Instance | None, profile: Profile, window: int, shown: Blocks | None = None) -> Page:
    """The page of a step under a profile; `window`: tokens; `shown`: blocks beside which a reader sees numbers."""
    layer = step.layer if known(f"explain.{step.layer}.what") else "plugin"
    values = numbers(step, instance, profile, window) | {"did": done(step, shown)}
    parts = [(say(phrase(f"explain.head.{part}")), _text(layer, part, values)) for part in PARTS]
    if step.notes:
        notes = "\n".join(say(note) for note in step.notes)
        parts.append((say(phrase("explain.head.notes")), notes))
    parts.append((say(phrase("explain.head.policy")), about(profile)))
    return Page(say(step.title), tuple(part for part in parts if part[1]))


def about(profile: Profile) -> str:
    """Name, source, date and known oddities of a policy, a line each."""
    day = profile.date.isoformat() if profile.date is not None else ""
    lines = [say(said(profile.title)), " · ".join(filter(None, (day, say(said(profile.source)))))]
    lines += [f"· {say(said(text))}" for text in profile.oddities]
    return "\n".join(visible_line(line) for line in lines if line)


def _text(layer: str, part: str, values: dict[str, object]) -> str:
    """The template that all of its numbers are there for: the full one, else the bare one, else nothing."""
    for id in (f"explain.{layer}.{part}", f"explain.{layer}.{part}_bare"):
        if known(id) and fields(id) <= set(values):
            return say(phrase(id, **values))
    return ""


def fields(id: str) -> set[str]:
    """The names that a template fills in."""
    return {name for _, name, _, _ in Formatter().parse(str(catalogue("en")[id])) if name}


def numbers(step: Step, instance: Instance | None, profile: Profile, window: int) -> dict[str, object]:
    """Everything a formula can name: the window, every setting, every gauge and its limit, what the step did."""
    values: dict[str, object] = {
        "title": step.title,
        "policy": literal(profile.title),
        "window": profile.window or window,
        "reserve": profile.reserve,
        "before": len(step.before),
        "after": len(step.after),
        "edits": len(step.edits),
        "chars_before": step.chars_before,
        "chars_after": step.chars_after,
        "tokens_before": step.tokens_before,
        "tokens_after": step.tokens_after,
        "did": done(step),
        "why": step.why,
    }
    for gauge in step.gauges:
        kept = gauge.unit in ("share", "seconds")
        value, limit = (n if kept else round(n) for n in (gauge.value, gauge.threshold))
        values |= {f"{gauge.name}_measured": value, f"{gauge.name}_limit": limit, f"{gauge.name}_over": value - limit}
    settings = instance.settings if instance is not None else None
    for field in specs(settings) if settings is not None else ():
        value = getattr(settings, field)
        said: object = value
        if isinstance(value, bool):
            said = phrase("dock.row.on" if value else "dock.row.off")
        elif isinstance(value, str):
            said = literal(setting_words.option(step.layer, field, value))
        elif isinstance(value, tuple):
            said = literal(", ".join(value) or say(phrase("dock.patterns_none")))
        values[field] = said
    return values


class Explanation(QWidget):
    """The page itself, with a way back."""

    left = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.back = QPushButton(say(phrase("dock.explain_back")))
        self.back.setProperty("link", True)
        self.back.clicked.connect(self.left)
        self.title = PlainLabel(look, "title", wrap=True)
        self._labels: list[tuple[PlainLabel, PlainLabel]] = []
        self._column = QVBoxLayout(self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.back)
        row.addStretch(1)
        self._column.addLayout(row)
        self._column.addWidget(self.title)
        for part in (*PARTS, "notes", "policy"):
            head = PlainLabel(look, "body", 600)
            text = PlainLabel(look, "body", tone="quiet", wrap=True)
            if part == "formula":
                text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._labels.append((head, text))
            self._column.addWidget(head)
            self._column.addWidget(text)
        self._column.addStretch(1)
        self.restyle()
        look.changed.connect(self.restyle)

    def restyle(self) -> None:
        theme = self._look.theme
        self._column.setContentsMargins(theme.px(24), theme.px(8), theme.px(24), theme.px(16))
        self._column.setSpacing(theme.px(6))

    def show_page(self, shown: Page) -> None:
        self.title.setText(shown.title)
        parts = [*shown.parts, *[("", "")] * (len(self._labels) - len(shown.parts))]
        for (head, text), (heading, words) in zip(self._labels, parts, strict=True):
            head.setText(heading)
            text.setText(words)
            head.setVisible(bool(words))
            text.setVisible(bool(words))
