"""How the agents cut a tool result: how much of the head, whether of the tail too, and what they write in between.

Source: recorded cases of layers a and b (sections 3 and 4 of their description), OpenClaw 2026.3.24, 2026.4.5 and
2026.4.14. All positions are UTF-16 units and may split a surrogate pair, as the agent's do.

    head only      aaaaaaaaaaaa⏎ …notice                    back to a line end if one is near
    head and tail  aaaaaaaa⏎ …middle omitted… ⏎zzzz …notice   when the tail looks important
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

from core import javascript
from core.messages import TEXT_KEY, Message, Part, Shape
from core.text import Text

TRUNCATION_SUFFIX = (
    "\n\n⚠️ [Content truncated — original was too large for the model's context window. "
    "The content above is a partial view. If you need more, request specific sections or use "
    "offset/limit parameters to read smaller chunks.]"
)
MIDDLE_OMISSION = "\n\n⚠️ [... middle content omitted — showing head and tail ...]\n\n"
CONTEXT_LIMIT_NOTICE = "[truncated: output exceeded context limit]"
PLACEHOLDER = "[compacted: tool output removed to free context]"
MIN_KEEP = 2_000
TAIL_WINDOW = 2_000

Suffix = str | Callable[[int], str]
"""What stands at the end of a cut text; from 2026.4.14 on it depends on how many units were dropped."""

IMPORTANT = re.compile(
    r"\b(error|exception|failed|fatal|traceback|panic|stack trace|errno|exit code"
    r"|total|summary|result|complete|finished|done)\b",
    re.ASCII,
)
"""The words of which one in the lower-cased tail makes it important."""


def important_tail(text: str) -> str | None:
    """The word (or "}") for which the agent takes the last 2,000 units for important; None when it does not."""
    tail = text[-TAIL_WINDOW:].lower()
    found = IMPORTANT.search(tail)
    if found is not None:
        return found.group(1)
    return "}" if closing_brace(tail) is not None else None


def closing_brace(tail: str) -> int | None:
    """Index of the "}" with which a text ends, white space aside; None when it ends otherwise."""
    end = javascript.trim_end(tail)
    return len(end) - 1 if end.endswith("}") else None


def more_characters(dropped: int) -> str:
    """The notice of 2026.4.14 and of pi's summary serialiser (its text is recorded)."""
    return f"[... {max(1, dropped)} more characters truncated]"


def notice_of(suffix: Suffix, dropped: int) -> str:
    """What stands at the end of a text that lost `dropped` units."""
    return suffix if isinstance(suffix, str) else suffix(max(1, math.floor(dropped)))


def _line_end(units: str, at: int, least: float) -> int:
    """The last line end at or before `at`, if it lies beyond `least`, else `at`."""
    found = units.rfind("\n", 0, at + 1)
    return found if found > least else at


def cut_result(text: Text, limit: float, suffix: Suffix = TRUNCATION_SUFFIX, min_keep: int = MIN_KEEP) -> Text:
    """`truncateToolResultText`: the very text when it fits; a cut one can be longer than `limit` and than before."""
    units = text.units
    size = len(units)
    if size <= limit:
        return text
    budget = max(min_keep, math.floor(limit) - len(notice_of(suffix, size - math.floor(limit))))
    if budget > 2 * min_keep and important_tail(units) is not None:
        tail = min(math.floor(0.3 * budget), 4_000)
        head = budget - tail - len(MIDDLE_OMISSION)
        if head > min_keep:
            cut = _line_end(units, head, 0.8 * head)
            start = size - tail
            found = units.find("\n", start)
            if found != -1 and found < start + 0.2 * tail:
                start = found + 1
            kept = cut + len(MIDDLE_OMISSION) + size - start
            end = notice_of(suffix, size - kept)
            return text.cut(*text.part(0, cut), MIDDLE_OMISSION, *text.part(start, size), end)
    cut = _line_end(units, budget, 0.8 * budget)
    return text.cut(*text.part(0, cut), notice_of(suffix, size - min(cut, size)))


def cut_head(text: Text, limit: int) -> Text:
    """`truncateTextToBudget` up to 2026.4.5: the head and the notice; the notice alone when there is no room."""
    units = text.units
    if len(units) <= limit:
        return text
    body = max(0, limit - len(CONTEXT_LIMIT_NOTICE) - 1)
    if limit <= 0 or body <= 0:
        return text.cut(CONTEXT_LIMIT_NOTICE)
    return text.cut(*text.part(0, _line_end(units, body, 0.7 * body)), "\n" + CONTEXT_LIMIT_NOTICE)


def cut_head_counting(text: Text, limit: int) -> Text:
    """`truncateTextToBudget` of 2026.4.14: the notice tells how many units were dropped and is directly appended."""
    units = text.units
    size = len(units)
    if size <= limit:
        return text
    body = limit
    for _ in range(4):
        body = max(0, limit - len(more_characters(size - body)))
    if limit <= 0 or body <= 0:
        return text.cut(more_characters(size))
    cut = _line_end(units, body, 0.7 * body)
    return text.cut(*text.part(0, cut), more_characters(size - cut))


def cut_message(
    message: Message, limit: float, suffix: Suffix = TRUNCATION_SUFFIX, min_keep: int = MIN_KEEP
) -> Message:
    """`truncateToolResultMessage`: each text block gets its share of `limit`, at least `min_keep` and the notice.

    Many small blocks may therefore stay far over the limit. Only lists of blocks of tool results are cut.
    """
    if message.shape is not Shape.LIST or message.role != "toolResult":
        return message
    total = sum(len(part.text) for part in message.parts if part.kind == "text" and part.text is not None)
    if total <= limit:
        return message
    return replace(message, parts=tuple(_cut_part(part, total, limit, suffix, min_keep) for part in message.parts))


def _cut_part(part: Part, total: int, limit: float, suffix: Suffix, min_keep: int) -> Part:
    if part.kind != "text" or part.text is None:
        return part
    share = math.floor(limit * (len(part.text) / total))
    notice = len(notice_of(suffix, len(part.text) - share))
    cut = cut_result(part.text, max(min_keep + notice, share), suffix, min_keep)
    return part if cut is part.text else replace(part, text=cut)


def result_cap(window: float, most: int) -> int:
    """`calculateMaxToolResultChars`: 30 % of the window at four units a token, at most `most`; may be negative."""
    return min(math.floor(window * 0.3) * 4, most)


def result_text(message: Message) -> Text:
    """`getToolResultText`: all text blocks joined by line ends; the very Text when there is one."""
    texts = [part.text for part in message.parts if part.kind == "text" and part.text is not None]
    if len(texts) == 1:
        return texts[0]
    return Text.of("\n".join(text.units for text in texts))


def with_text(message: Message, text: Text) -> Message:
    """`replaceText`: one text instead of the whole content, `details` dropped, images and other blocks gone."""
    fields = {key: value for key, value in message.fields.items() if key not in ("details", "content")}
    shape = Shape.STRING if message.shape in (Shape.STRING, Shape.ABSENT) else Shape.LIST
    return Message(message.role, shape, (Part("text", text, {"type": "text", TEXT_KEY["text"]: ""}),), fields)
