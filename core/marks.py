"""Titles of entries that are no messages: settings, labels, notes of extensions, the summary of a branch left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.messages import Json
from core.phrase import Phrase, phrase
from core.title import Title, one_line, word


def first_line(content: Json) -> tuple[str, Phrase | None]:
    """The first line of a content, or a phrase when it has no text."""
    if isinstance(content, str):
        line = one_line(content)
        return line, None if line else phrase("entry.empty")
    image = False
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict):
            if block.get("type") == "text" and isinstance(block.get("text"), str) and (line := one_line(block["text"])):
                return line, None
            image = image or block.get("type") == "image"
    return "", phrase("entry.image" if image else "entry.empty")


def custom_message(entry: dict[str, Json]) -> Title:
    text, nothing = first_line(entry.get("content"))
    hidden = phrase("entry.hidden") if entry.get("display") is False else None
    kind = one_line(str(entry.get("customType") or ""))
    return Title("message-square", "other", text or kind, None if text or kind else nothing, "", hidden)


def _custom(entry: dict[str, Json]) -> Title:
    kind = one_line(str(entry.get("customType") or ""))
    data = entry.get("data")
    data = data if isinstance(data, dict) else {}
    if kind == "openclaw.cache-ttl":
        return Title("hourglass", "other", phrase=phrase("entry.cache_ttl"))
    if kind == "model-snapshot":
        return Title("cpu", "other", phrase=phrase("entry.model_noted", model=word(data, "modelId")))
    if kind == "openclaw:prompt-error":
        said = phrase("entry.prompt_error", error=word(data, "error"))
        return Title("triangle-alert", "other", phrase=said, failed=True)
    return Title("settings-2", "other", phrase=phrase("entry.custom", kind=kind or "–"))


def _branch_summary(entry: dict[str, Json]) -> Title:
    text = one_line(entry["summary"]) if isinstance(entry.get("summary"), str) else ""
    return Title("corner-down-right", "summary", text, None if text else phrase("entry.branch_left"))


def _label(entry: dict[str, Json]) -> Title:
    if not isinstance(entry.get("label"), str):
        return Title("tag", "other", phrase=phrase("entry.label_cleared", target=word(entry, "targetId")))
    said = phrase("entry.label", label=word(entry, "label"), target=word(entry, "targetId"))
    return Title("tag", "other", phrase=said)


def unknown(kind: str) -> Title:
    """An entry of a type without a known meaning, or (no type at all) a line that is no entry."""
    if not kind:
        return Title("triangle-alert", "other", phrase=phrase("entry.malformed"), failed=True)
    return Title("circle-help", "other", phrase=phrase("entry.unknown", type=one_line(kind)))


def _setting(icon: str, id: str, **keys: str) -> Callable[[dict[str, Json]], Title]:
    """A title whose sentence names some recorded values: field of the phrase = key of the entry."""
    return lambda entry: Title(
        icon, "other", phrase=phrase(id, **{field: word(entry, key) for field, key in keys.items()})
    )


MARKS: Mapping[str, Callable[[dict[str, Json]], Title]] = {
    "custom_message": custom_message,
    "custom": _custom,
    "branch_summary": _branch_summary,
    "label": _label,
    "model_change": _setting("cpu", "entry.model", model="modelId"),
    "thinking_level_change": _setting("brain", "entry.thinking", level="thinkingLevel"),
    "session_info": _setting("pencil", "entry.named", name="name"),
    "usage": _setting("coins", "entry.usage", kind="kind"),
    "context_edit": _setting("pencil", "entry.context_edit", target="targetId"),
    "leaf": _setting("git-branch", "entry.leaf", target="targetId"),
    "reset": _setting("rotate-ccw", "entry.reset"),
}
