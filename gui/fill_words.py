"""What the page on the window says: names of areas, the answer, the detail of what is in focus."""

from __future__ import annotations

from pathlib import PurePosixPath

from core.phrase import Phrase, phrase
from core.visible import visible_line
from core.window_areas import Area
from core.window_uses import tool_uses
from gui import numbers
from gui.fill_facts import Filled
from gui.numbers import Mark
from gui.prompt_blocks import role_name
from gui.prompt_leading import source_of, title_of
from gui.prompt_text import preview_of
from gui.state import State
from gui.translation import say

NEAR = 0.02
"""Share by which our sizes may differ from the recorded one without a word about it."""
PREVIEW, TILE = 180, 40
"""Characters of a message that are quoted, below the map and on a tile."""


def name_of(area: Area, shown: Filled) -> str:
    """As it stands on a tile and in the list. Names of tools, files and sections are data."""
    if area.kind in ("section", "what"):
        return say(phrase(f"fill.{area.kind}.{area.name}"))
    if area.kind == "entry":
        index = int(area.name) - shown.first
        role = shown.sent[index].message.role if 0 <= index < len(shown.sent) else ""
        return say(phrase("fill.block", number=index + 1, role=role_name(role)))
    if area.kind == "rest":
        return say(phrase("fill.rest", n=int(area.name)))
    if area.kind == "part":
        return area.name or say(phrase("fill.untitled"))
    return area.name or say(phrase("fill.nameless"))


def tile_name(area: Area, shown: Filled) -> str:
    """Short, for a tile: of a file its last part, of a block how it begins."""
    if area.kind in ("part", "file"):
        return short(name_of(area, shown))
    if area.kind == "entry":
        index = int(area.name) - shown.first
        if 0 <= index < len(shown.sent):
            text = visible_line(preview_of(shown.sent[index].message).text, TILE)
            return f"{index + 1} {text}" if text else name_of(area, shown)
    return name_of(area, shown)


def short(name: str) -> str:
    """The last part of a path; anything else as it is."""
    last = PurePosixPath(name).name
    return last if name.startswith(("/", "~", "./")) and last else name


def size_of(area: Area) -> str:
    return numbers.tokens(area.tokens, Mark.ESTIMATED)


def words_of(area: Area, shown: Filled) -> str:
    """The area for a screen reader."""
    share = area.tokens / (shown.tokens or 1)
    return ", ".join((name_of(area, shown), say(phrase("fill.spoken", tokens=area.tokens, share=share))))


def headline(shown: Filled, number: int | None) -> Phrase:
    """What fills most, of how much; then what could be spared, or what is not known."""
    most = max(shown.by["section"].children, key=lambda area: area.tokens)
    name = most.name if most.kind == "section" or most.name == "unrecorded" else "rest"
    first = phrase(
        f"fill.answer_{'next' if number is None else 'request'}",
        what=phrase(f"fill.most.{name}"),
        tokens=phrase("headline.estimated", n=most.tokens),
        share=most.tokens / (shown.tokens or 1),
        whole=_whole(shown),
        number=number or 0,
    )
    return phrase("headline.two", first=first, second=_second(shown))


def _whole(shown: Filled) -> Phrase:
    """The recorded size; where the parts do not add up to it, what they add up to beside it."""
    ours = phrase("headline.estimated", n=shown.tokens)
    if shown.prompt is None:
        return ours
    told = phrase("headline.recorded", n=shown.prompt)
    if abs(shown.tokens - shown.prompt) <= NEAR * shown.prompt:
        return told
    return phrase("fill.beside", ours=ours, told=told)


def _second(shown: Filled) -> Phrase:
    if not any(item.section == "tools" for item in shown.leading):
        if shown.leading:
            return phrase("fill.no_tools")
        if shown.unrecorded:
            return phrase("fill.by_difference", tokens=phrase("headline.estimated", n=shown.unrecorded))
        return phrase("fill.not_recorded")
    defined = [tool for tool in tool_uses(shown.pieces) if tool.defined]
    idle = [tool for tool in defined if not tool.used]
    if not idle:
        return phrase("fill.all_used", n=len(defined))
    spared = phrase("headline.estimated", n=sum(tool.schema for tool in idle))
    return phrase("fill.unused", n=len(idle), all=len(defined), tokens=spared)


def detail(area: Area, shown: Filled, state: State) -> tuple[str, str]:
    """(title, words) of an area: how much it is, where it stands, how that is known."""
    share = area.tokens / (shown.tokens or 1)
    if area.chars:
        words = [say(phrase("fill.detail", tokens=area.tokens, share=share, chars=area.chars))]
    else:
        words = [say(phrase("fill.detail_tokens", tokens=area.tokens, share=share))]
    if area.kind == "what" and area.name == "unrecorded":
        words.append(say(phrase("fill.how_unrecorded")))
    elif area.block is not None and area.block < len(shown.leading):
        item = shown.leading[area.block]
        words.append(say(phrase("fill.from", what=title_of(item), source=source_of(item))))
    elif area.block is not None and 0 <= area.block - shown.first < len(shown.sent):
        words.append(_block(area.block - shown.first, area.row, shown, state))
    return name_of(area, shown), " ".join(words)


def _block(index: int, row: int | None, shown: Filled, state: State) -> str:
    text = visible_line(preview_of(shown.sent[index].message).text, PREVIEW)
    if row is None:
        return say(phrase("fill.stands", number=index + 1, text=text))
    return say(phrase("fill.stands_entry", number=index + 1, entry=state.session.columns.ids[row][:8], text=text))
