"""What a role, a cache state, a fate and a severity look like: colour, form and icon together.

No meaning is carried by colour alone (docs: the rail's pattern is the cache state, the bar's form is the fate,
the icon is the role), so each style also knows how to draw its form.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from gui.hatch import Slant, dotted_line, dotted_outline, filled, hatch, outline


def _ratio(painter: QPainter) -> float:
    device = painter.device()
    return device.devicePixelRatio() if device is not None else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class RoleStyle:
    """A role of a block: the area's `fill`, the `text` tone for icon and words, the Lucide `icon`.

    `hatched` areas are striped; an `edge` is the line along the top of an area whose fill is too pale alone.
    """

    role: str
    fill: QColor
    text: QColor
    icon: str
    hatched: bool = False
    edge: QColor | None = None
    scale: float = 1.0

    def brush(self, dpr: float | None = None) -> QBrush:
        """The fill of an area of this role, striped where the role is."""
        if not self.hatched:
            return QBrush(self.fill)
        return hatch(self.fill, Slant.FALLING, period=5 * self.scale, share=0.55, dpr=dpr)

    def draw(self, painter: QPainter, rect: QRectF) -> None:
        """An area of this role: fill, stripes, and the top edge if it has one."""
        if not self.hatched:
            painter.fillRect(rect, self.fill)
        else:
            filled(painter, rect, self.brush(_ratio(painter)))
            outline(painter, rect, QPen(self.fill, self.scale))
        if self.edge is not None and rect.height() > 3:
            painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), self.scale), self.edge)


@dataclass(frozen=True, slots=True, eq=False)
class CacheStyle:
    """A cache state: read (solid), written (striped, outlined), uncached (hollow), unknown (dotted), and
    diff, the line over the state from the first difference on. `tint` is None where no tint is defined."""

    state: str
    fill: QColor
    text: QColor
    tint: QColor | None
    scale: float = 1.0

    def brush(self, dpr: float | None = None) -> QBrush:
        """The fill of an area in this state; no brush for the hollow ones."""
        if self.state in ("read", "diff"):
            return QBrush(self.fill)
        if self.state == "written":
            return hatch(self.fill, Slant.RISING, period=8 * self.scale, share=0.52, dpr=dpr)
        return QBrush(Qt.BrushStyle.NoBrush)

    def draw(self, painter: QPainter, rect: QRectF) -> None:
        """The state as a piece of the rail. `diff` paints only its line on the left edge: draw it last."""
        if self.state == "read":
            painter.fillRect(rect, self.fill)
        elif self.state == "diff":
            painter.fillRect(QRectF(rect.left(), rect.top(), 3 * self.scale, rect.height()), self.fill)
        elif self.state == "unknown":
            dotted_outline(painter, rect, self.fill, 1.5 * self.scale)
        else:
            if self.state == "written":
                filled(painter, rect, self.brush(_ratio(painter)))
            outline(painter, rect, QPen(self.fill, self.scale))


@dataclass(frozen=True, slots=True, eq=False)
class FateStyle:
    """What became of an entry in a run of requests, and the bar that says so.

    verbatim: full bar · cut: half bar on the base line · emptied: hollow bar · summarised: thin line ·
    summary: striped bar · dropped: × and a dotted line · unknown: dotted bar.
    """

    fate: str
    fill: QColor
    text: QColor
    icon: str
    faint: QColor
    scale: float = 1.0

    def draw(self, painter: QPainter, rect: QRectF) -> None:
        """The run as a bar inside `rect` (one row high, as wide as the run)."""
        if self.fate == "verbatim":
            painter.fillRect(rect, self.fill)
        elif self.fate == "cut":
            half = rect.height() / 2
            painter.fillRect(QRectF(rect.left(), rect.top() + half, rect.width(), half), self.fill)
        elif self.fate == "emptied":
            outline(painter, rect, QPen(self.fill, max(1.0, min(1.25 * self.scale, rect.height() / 3))))
        elif self.fate == "summarised":
            thick = max(1.0, 1.25 * self.scale)
            painter.fillRect(QRectF(rect.left(), rect.center().y() - thick / 2, rect.width(), thick), self.fill)
        elif self.fate == "summary":
            stripes = hatch(self.fill, Slant.FALLING, period=5 * self.scale, share=0.5, dpr=_ratio(painter))
            filled(painter, rect, stripes)
            outline(painter, rect, QPen(self.fill, self.scale))
        elif self.fate == "dropped":
            self._draw_dropped(painter, rect)
        else:
            dotted_outline(painter, rect, self.faint, self.scale)

    def _draw_dropped(self, painter: QPainter, rect: QRectF) -> None:
        arm = min(rect.height(), rect.width(), 8 * self.scale) / 2
        middle = rect.center().y()
        left = rect.left()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.fill, max(1.0, 1.25 * self.scale)))
        painter.drawLine(QLineF(left, middle - arm, left + 2 * arm, middle + arm))
        painter.drawLine(QLineF(left, middle + arm, left + 2 * arm, middle - arm))
        painter.restore()
        start = left + 2 * arm + 3 * self.scale
        if start < rect.right():
            line = QRectF(start, middle - self.scale, rect.right() - start, 2 * self.scale)
            dotted_line(painter, line, self.faint, 1.25 * self.scale)


@dataclass(frozen=True, slots=True, eq=False)
class SeverityStyle:
    """How a problem of this severity is shown: always glyph and word, never a coloured dot."""

    severity: str
    ink: QColor
    background: QColor
    icon: str

    def word(self) -> str:
        """The severity in the language of the window."""
        if self.severity == "error":
            return QCoreApplication.translate("Severity", "Error")
        if self.severity == "warning":
            return QCoreApplication.translate("Severity", "Warning")
        return QCoreApplication.translate("Severity", "Note")


# The names roles have in session files and in providers' requests, and the style they share.
ROLE_OF: dict[str, str] = {
    "tools": "tools",
    "system": "system",
    "developer": "system",
    "user": "user",
    "bashExecution": "user",
    "custom": "user",
    "assistant": "assistant",
    "toolResult": "toolResult",
    "tool_result": "toolResult",
    "tool": "toolResult",
    "summary": "summary",
    "branchSummary": "summary",
    "compactionSummary": "summary",
    "compaction": "summary",
}

# Why a cache entry was not read, after Anthropic's `cache_miss_reason` and our own additions.
CAUSE_ICONS: dict[str, str] = {
    "cold_start": "snowflake",
    "ttl_expired": "hourglass",
    "messages_changed": "pencil",
    "compaction": "archive",
    "tools_changed": "wrench",
    "system_changed": "shield",
    "system_proven": "shield",
    "model_changed": "cpu",
    "params_changed": "settings-2",
    "below_minimum": "ruler",
    "lookback_exceeded": "list-end",
    "not_marked": "pin-off",
    "not_yet_available": "clock",
    "thinking_changed": "settings-2",
    "second_writer": "git-fork",
    "first": "snowflake",
    "nothing_before": "snowflake",
    "unknown": "circle-help",
}


def cause_icon(cause: str) -> str:
    """The icon of a cache break's cause; `params_changed(effort)` counts as `params_changed`."""
    return CAUSE_ICONS.get(cause.partition("(")[0], CAUSE_ICONS["unknown"])
