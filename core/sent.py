"""What of a message reaches the model: the words that a counter counts. Nothing here decides *whether* it is sent.

Follows the agents' conversion to provider messages (recorded cases of layer j): a shell command of the user becomes a
text, summaries stand inside an introduction and tags, `details` and everything else beside the content is not sent,
a message of an unknown role is left out. The introductions are known by their length only: their wording is ours.

    user  "fix it" + picture     →  user    texts ("fix it")             images (picture)
    assistant  thinking, call    →  reply   texts (thinking, "ls{…}")    calls 1
    bashExecution  ls            →  user    texts ("Ran `ls` …")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core import image, javascript
from core.messages import TEXT_KEY, Json, Message, Part

Kind = Literal["none", "user", "result", "reply", "summary"]
"""What it is for the model; "none" = not sent, whatever it holds."""

THINKING = frozenset({"thinking", "redacted_thinking"})
"""Types of blocks that hold thinking."""

COMPACTION_INTRO = "The conversation so far was compacted. This summary stands in for what was left out:\n\n<summary>\n"
"""96 units, as long as the agent's own. Wording ours."""
BRANCH_INTRO = "The user has come back from another branch. Here is a summary of that branch:\n\n<summary>\n"
"""89 units, as long as the agent's own. Wording ours."""


@dataclass(frozen=True, slots=True)
class Sent:
    """`texts`: every text that is sent, in order: of a reply its thinking too, of a tool call its name and JSON.

    `images`: tokens of each image, by `core.image`. `calls`: number of tool calls. `said`: those of the texts that
    stand in text and thinking blocks. `thinks`: a reply with thinking in it, readable or not.
    """

    kind: Kind
    texts: tuple[str, ...] = ()
    images: tuple[int, ...] = ()
    calls: int = 0
    said: tuple[str, ...] = ()
    thinks: bool = False


NOTHING = Sent("none")


Piece = tuple[str, str | None, Json]
"""A block of a content: its kind, the text of a text or thinking block, the block as recorded."""


def sent(message: Message) -> Sent:
    """Every message is accepted. Texts are ordinary strings, lone surrogates kept."""
    pieces = [(part.kind, None if part.text is None else str(part.text), part.raw) for part in message.parts]
    return _sent(message.role, message.fields, pieces)


def sent_raw(raw: Json) -> Sent:
    """`sent(Message.of(raw))`, for many messages of which nothing else is asked."""
    if not isinstance(raw, dict):
        return NOTHING
    role, content = raw.get("role"), raw.get("content")
    pieces: list[Piece] = []
    if isinstance(content, list):
        pieces = list(map(_piece, content))
    elif isinstance(content, str):
        pieces = [("text", javascript.joined(content), content)]
    return _sent(role if isinstance(role, str) else "", raw, pieces)


def _piece(raw: Json) -> Piece:
    kind = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(kind, str):
        return "", None, raw
    text = raw.get(TEXT_KEY[kind]) if kind in TEXT_KEY else None
    return kind, javascript.joined(text) if isinstance(text, str) else None, raw


def _sent(role: str, fields: Json, pieces: Sequence[Piece]) -> Sent:
    match role:
        case "user" | "custom":
            return _content("user", pieces)
        case "toolResult":
            return _content("result", pieces)
        case "assistant":
            return _content("reply", pieces)
        case "bashExecution":
            return NOTHING if fields.get("excludeFromContext") else Sent("user", (_shell(fields),))
        case "compactionSummary":
            return Sent("summary", (f"{COMPACTION_INTRO}{_text(fields.get('summary'))}\n</summary>",))
        case "branchSummary":
            return Sent("summary", (f"{BRANCH_INTRO}{_text(fields.get('summary'))}</summary>",))
    return NOTHING


def _content(kind: Kind, pieces: Sequence[Piece]) -> Sent:
    texts: list[str] = []
    said: list[str] = []
    images: list[int] = []
    calls = 0
    thinks = False
    for name, text, raw in pieces:
        thinks = thinks or name in THINKING
        if text is not None:
            texts.append(text)
            said.append(text)
        elif name == "image":
            images.append(image.tokens(raw))
        elif name == "toolCall":
            texts.append(_call(raw))
            calls += 1
        else:
            texts.append(raw if isinstance(raw, str) else javascript.json_text(raw))
    return Sent(kind, tuple(texts), tuple(images), calls, tuple(said), thinks and kind == "reply")


def call_text(part: Part) -> str:
    """Name and JSON arguments of a tool call."""
    return _call(part.raw)


def _call(raw: Json) -> str:
    arguments = raw.get("arguments")
    return _text(raw.get("name")) + javascript.json_text({} if arguments is None else arguments)


def shell_text(message: Message) -> str:
    """The text of a command that the user ran, as pi 0.65 words it."""
    return _shell(message.fields)


def _shell(fields: Json) -> str:
    output = fields.get("output")
    said = f"Ran `{_printed(fields, 'command')}`\n" + (f"```\n{_text(output)}\n```" if output else "(no output)")
    if fields.get("cancelled"):
        said += "\n\n(command cancelled)"
    elif fields.get("exitCode") is not None and fields.get("exitCode") != 0:
        said += f"\n\nCommand exited with code {_printed(fields, 'exitCode')}"
    if fields.get("truncated") and fields.get("fullOutputPath"):
        said += f"\n\n[Output truncated. Full output: {_printed(fields, 'fullOutputPath')}]"
    return said


def _printed(fields: Json, key: str) -> str:
    """A field as JavaScript prints it into a text."""
    if key not in fields:
        return "undefined"
    value = fields[key]
    return value if isinstance(value, str) else javascript.json_text(value)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
