"""The provider's count beside ours: a row for tools, system prompt, messages and all of them."""

from __future__ import annotations

from core.online_count import OnlineCount
from core.phrase import Phrase, phrase
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.numbers import Mark
from gui.online_task import Ours, Prepared
from gui.translation import language, say


def before(prepared: Prepared) -> Phrase:
    """What would leave the machine; nothing has."""
    shown = prepared.preview
    first = phrase("online.nothing_yet")
    second = phrase("online.would_send", size=shown.size, n=len(shown.bodies), address=shown.address)
    return phrase("headline.two", first=first, second=second)


def facts(prepared: Prepared) -> tuple[str, ...]:
    """Sentences about it: what was taken out, what goes along, what is not known."""
    shown = prepared.preview
    said = [say(phrase("online.secrets", n=shown.secrets) if shown.secrets else phrase("online.no_secrets"))]
    if shown.images:
        said.append(say(phrase("online.images", n=shown.images)))
    said.append(say(phrase("online.free", model=shown.model)))
    if prepared.ours.tools is None and prepared.ours.system is None:
        said.append(say(phrase("online.messages_only")))
    if len(shown.bodies) > 1:
        said.append(say(phrase("online.parts")))
    if prepared.more:
        said.append(say(phrase("online.more", n=prepared.more)))
    return tuple(said)


def after(counted: OnlineCount, ours: Ours) -> Phrase:
    """What the provider says, and how far off ours is."""
    told = phrase("headline.recorded", n=counted.total)
    mine = phrase("headline.estimated", n=ours.total)
    off = ours.total / counted.total - 1 if counted.total else 0.0
    way = "exact" if ours.total == counted.total else "low" if off < 0 else "high"
    return phrase(f"online.counted_{way}", told=told, ours=mine, off=abs(off))


def figures(counted: OnlineCount, ours: Ours) -> Figures:
    rows = (
        _row("tools", counted.tools, ours.tools),
        _row("system", counted.system, ours.system),
        _row("messages", counted.messages, ours.messages),
        _row("total", counted.total, ours.total),
    )
    columns = (
        Column(say(phrase("online.column.provider")), 92),
        Column(say(phrase("online.column.ours")), 92),
        Column(say(phrase("online.column.off")), 72),
    )
    return Figures(tuple(row for row in rows if row is not None), columns, say(phrase("online.head")))


def _row(id: str, provider: int | None, ours: int | None) -> Figure | None:
    if provider is None and ours is None:
        return None
    name = say(phrase(f"online.row.{id}"))
    off = "–"
    if provider and ours is not None:
        off = numbers.percent(abs(ours / provider - 1), language(), decimals=1)
        off = ("+" if ours > provider else numbers.MINUS if ours < provider else "") + off
    told = "–" if provider is None else numbers.tokens(provider, Mark.RECORDED)
    mine = "–" if ours is None else numbers.tokens(ours, Mark.ESTIMATED)
    bars = ((Piece("a", provider or 0),), (Piece("b", ours or 0),))
    words = say(phrase("online.spoken", name=name, provider=provider or 0, ours=ours or 0))
    return Figure(id, name, "", bars, (Value(told, strong=True), Value(mine), Value(off, "ink2")), words)
