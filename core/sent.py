"""What of a message reaches the model: the words that a counter counts. Nothing here decides *whether* it is sent.

Follows the agents' conversion to provider messages (recorded cases of layer j): a shell command of the user becomes a
text, summaries stand inside an introduction and tags, `details` and everything else beside the content is not sent,
a message of an unknown role is left out. The introductions are known by their length only: their wording is ours.

    user  "fix it" + picture     →  user    texts ("fix it")             images (picture)
    assistant  thinking, call    →  reply   texts (thinking, "ls{…}")    calls 1
    bashExecution  ls            →  user    texts ("Ran `ls` …")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core import image, javascript
from core.messages import Json, Message, Part

Kind = Literal["none", "user", "result", "reply", "summary"]
"""What it is for the model; "none" = not sent, whatever it holds."""

COMPACTION_INTRO = "The conversation so far was compacted. This summary stands in for what was left out:\n\n<summary>\n"
"""96 units, as long as the agent's own. Wording ours."""
BRANCH_INTRO = "The user has come back from another branch. Here is a summary of that branch:\n\n<summary>\n"
"""89 units, as long as the agent's own. Wording ours."""


@dataclass(frozen=True, slots=True)
class Sent:
    """`texts`: every text that is sent, in order: of a reply its thinking too, of a tool call its name and JSON.

    `images`: tokens of each image, by `core.image`. `calls`: number of tool calls.
    """

    kind: Kind
    texts: tuple[str, ...] = ()
    images: tuple[int, ...] = ()
    calls: int = 0


NOTHING = Sent("none")


def sent(message: Message) -> Sent:
    """Every message is accepted. Texts are ordinary strings, lone surrogates kept."""
    match message.role:
        case "user" | "custom":
            return _content("user", message)
        case "toolResult":
            return _content("result", message)
        case "assistant":
            return _content("reply", message)
        case "bashExecution":
            return NOTHING if message.get("excludeFromContext") else Sent("user", (shell_text(message),))
        case "compactionSummary":
            return Sent("summary", (f"{COMPACTION_INTRO}{_text(message.get('summary'))}\n</summary>",))
        case "branchSummary":
            return Sent("summary", (f"{BRANCH_INTRO}{_text(message.get('summary'))}</summary>",))
    return NOTHING


def _content(kind: Kind, message: Message) -> Sent:
    texts: list[str] = []
    images: list[int] = []
    calls = 0
    for part in message.parts:
        if part.text is not None:
            texts.append(str(part.text))
        elif part.kind == "image":
            images.append(image.tokens(part.raw))
        elif part.kind == "toolCall":
            texts.append(call_text(part))
            calls += 1
        else:
            texts.append(part.raw if isinstance(part.raw, str) else javascript.json_text(part.raw))
    return Sent(kind, tuple(texts), tuple(images), calls)


def call_text(part: Part) -> str:
    """Name and JSON arguments of a tool call."""
    arguments = part.get("arguments")
    return _text(part.get("name")) + javascript.json_text({} if arguments is None else arguments)


def shell_text(message: Message) -> str:
    """The text of a command that the user ran, as pi 0.65 words it."""
    output = message.get("output")
    said = f"Ran `{_printed(message, 'command')}`\n" + (f"```\n{_text(output)}\n```" if output else "(no output)")
    if message.get("cancelled"):
        said += "\n\n(command cancelled)"
    elif message.get("exitCode") is not None and message.get("exitCode") != 0:
        said += f"\n\nCommand exited with code {_printed(message, 'exitCode')}"
    if message.get("truncated") and message.get("fullOutputPath"):
        said += f"\n\n[Output truncated. Full output: {_printed(message, 'fullOutputPath')}]"
    return said


def _printed(message: Message, key: str) -> str:
    """A field as JavaScript prints it into a text."""
    if key not in message.fields:
        return "undefined"
    value = message.fields[key]
    return value if isinstance(value, str) else javascript.json_text(value)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
