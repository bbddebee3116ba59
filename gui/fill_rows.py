"""The lists beside the treemap: areas with their exact sizes, tools, images and thinking, as rows of bars."""

from __future__ import annotations

from collections import Counter

from core.phrase import phrase
from core.visible import visible_line
from core.window_areas import Area
from core.window_uses import Picture, Thinking, ToolUse, pictures, thinking, tool_uses
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.fill_facts import Filled
from gui.fill_words import name_of, short, words_of
from gui.numbers import Mark
from gui.state import State
from gui.translation import language, say

LISTS = ("areas", "tools", "images", "thinking")
ORDER = ("tools", "system", "user", "assistant", "toolResult", "summary")
"""Roles in a bar."""


def areas(root: Area, shown: Filled, head: str, narrow: bool = False) -> Figures:
    """A row a child of `root`, the largest first, then what is left of the window. Ids are indices of children.
    `narrow`: without the column of shares."""
    order = sorted(range(len(root.children)), key=lambda at: -root.children[at].tokens)
    rows = [_area(at, root.children[at], shown) for at in order]
    if root is not None and root.kind == "window" and shown.free:
        rows.append(_free(shown))
    columns = (Column(say(phrase("fill.column.tokens")), 84), Column(say(phrase("fill.column.share")), 56))
    if narrow:
        columns = columns[:1]
    return Figures(tuple(rows), columns, head)


def _area(at: int, area: Area, shown: Filled) -> Figure:
    roles = roles_of(area)
    bar = tuple(Piece(role, roles[role]) for role in (*ORDER, "other") if roles[role])
    share = numbers.percent(area.tokens / (shown.tokens or 1), language(), decimals=1)
    values = (Value(numbers.tokens(area.tokens, Mark.ESTIMATED)), Value(share, "ink2"))
    name = name_of(area, shown)
    title = short(name) if area.kind in ("part", "file") else name
    return Figure(str(at), title, name if name != title else "", (bar,), values, words_of(area, shown))


def _free(shown: Filled) -> Figure:
    """Its share is that of the window; it has no bar on the scale of the others."""
    name, size = say(phrase("fill.free")), numbers.tokens(shown.free, Mark.ESTIMATED)
    said = say(phrase("fill.spoken_free", tokens=shown.free, window=shown.window))
    return Figure("free", name, "", (), (Value(size, "ink2"), Value("", "ink2")), f"{name}, {said}")


def roles_of(area: Area) -> Counter[str]:
    """Tokens by role; what several roles share is "other" only where nothing below tells them apart."""
    if area.role is not None:
        return Counter({area.role: area.tokens})
    if not area.children:
        return Counter({"other": area.tokens})
    found: Counter[str] = Counter()
    for child in area.children:
        found.update(roles_of(child))
    return found


def tools(shown: Filled) -> Figures:
    """Definition, calls and results of each tool; one that is never used is paid for all the same."""
    uses = sorted(tool_uses(shown.pieces), key=lambda tool: -tool.tokens)
    known = any(tool.defined for tool in uses)
    columns = (Column(say(phrase("fill.column.schema")), 84), Column(say(phrase("fill.column.all")), 84))
    used = sum(tool.used for tool in uses)
    head = say(phrase("fill.tools_head", used=used, n=len(uses)))
    return Figures(tuple(_tool(tool, known) for tool in uses), columns, head)


def _tool(tool: ToolUse, known: bool) -> Figure:
    if not tool.used:
        note = say(phrase("fill.never_used"))
    else:
        note = say(phrase("fill.used", calls=tool.calls, results=tool.results))
        if known and not tool.defined:
            note = say(phrase("fill.undefined", used=note))
    sizes = (("tools", tool.schema), ("assistant", tool.call_tokens), ("toolResult", tool.result_tokens))
    bar = tuple(Piece(role, size) for role, size in sizes if size)
    schema = numbers.tokens(tool.schema, Mark.ESTIMATED) if tool.defined else "–"
    values = (
        Value(schema, "ink2" if tool.used else "warning", strong=not tool.used),
        Value(numbers.tokens(tool.tokens, Mark.ESTIMATED)),
    )
    name = tool.name
    said = say(phrase("fill.spoken_tool", schema=tool.schema, all=tool.tokens))
    return Figure(f"tool {name}", name, note, (bar,), values, f"{visible_line(name)}, {note}, {said}")


def tool_detail(tool: ToolUse) -> tuple[str, str]:
    """(title, words)."""
    if not tool.used:
        return tool.name, say(phrase("fill.tool_idle", tokens=tool.schema))
    words = say(phrase("fill.tool_sizes", calls=tool.call_tokens, results=tool.result_tokens))
    if tool.defined:
        return tool.name, f"{say(phrase('fill.tool_schema', tokens=tool.schema))} {words}"
    return tool.name, f"{say(phrase('fill.tool_unknown'))} {words}"


def images(shown: Filled) -> tuple[Figures, tuple[Picture, ...]]:
    """Every image of the prompt with its size and what it is estimated to cost."""
    found = pictures(shown.sent, shown.first)
    columns = (Column(say(phrase("fill.column.tokens")), 84),)
    head = say(phrase("fill.images_head", n=len(found), tokens=sum(picture.tokens for picture in found)))
    return Figures(tuple(_image(picture, shown) for picture in found), columns, head), found


def image_id(picture: Picture) -> str:
    return f"image {picture.block}.{picture.part}"


def _image(picture: Picture, shown: Filled) -> Figure:
    if picture.size is None:
        title = say(phrase("fill.image_unreadable"))
    else:
        title = say(phrase("fill.image_size", width=picture.size[0], height=picture.size[1]))
    note = say(phrase("fill.image_note", media=picture.media or "?", number=picture.block - shown.first + 1))
    size = numbers.tokens(picture.tokens, Mark.ESTIMATED)
    bar = (Piece("user" if not shown_as_result(picture, shown) else "toolResult", picture.tokens),)
    said = say(phrase("fill.spoken_tokens", tokens=picture.tokens))
    return Figure(image_id(picture), title, note, (bar,), (Value(size),), f"{title}, {visible_line(note)}, {said}")


def shown_as_result(picture: Picture, shown: Filled) -> bool:
    return shown.sent[picture.block - shown.first].message.role == "toolResult"


def image_detail(picture: Picture) -> tuple[str, str]:
    how = "fill.image_largest" if picture.size is None else "fill.image_how"
    return say(phrase("fill.image")), say(phrase(how, tokens=picture.tokens))


def thoughts(shown: Filled, state: State) -> tuple[Figures, tuple[Thinking, ...]]:
    """Every thinking that was recorded, and what becomes of it."""
    found = thinking(shown.recorded, shown.sent)
    columns = (Column(say(phrase("fill.column.chars")), 84),)
    sent = sum(item.fate in ("sent", "as_text") for item in found)
    head = say(phrase("fill.thinking_head", sent=sent, n=len(found)))
    return Figures(tuple(_thought(item, state) for item in found), columns, head), found


def thought_id(item: Thinking) -> str:
    return f"thinking {item.block}"


def _thought(item: Thinking, state: State) -> Figure:
    title = _entry(item, state)
    note = say(phrase(f"fill.fate.{item.fate}"))
    value = say(phrase("fill.hidden")) if item.hidden else numbers.count(item.chars)
    reaches = item.fate in ("sent", "as_text")
    bar = (Piece("assistant" if reaches else "cut", item.chars),) if item.chars else ()
    said = say(phrase("fill.spoken_chars", n=item.chars))
    words = f"{visible_line(title)}, {note}, {said}"
    return Figure(thought_id(item), title, note, (bar,), (Value(value, "ink2" if item.hidden else "ink"),), words)


def _entry(item: Thinking, state: State) -> str:
    entry = state.session.columns.ids[item.row][:8] if item.row is not None else "–"
    return say(phrase("fill.thought", entry=entry))


def thought_detail(item: Thinking, state: State) -> tuple[str, str]:
    words = [say(phrase(f"fill.fate_why.{item.fate}"))]
    words.append(say(phrase("fill.signed" if item.signed else "fill.unsigned")))
    if item.hidden:
        words.append(say(phrase("fill.hidden_why")))
    return _entry(item, state), " ".join(words)
