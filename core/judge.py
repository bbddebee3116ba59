"""Would this provider family take the prompt? Every fault with the block it stands in.

    pairing     call ─ result behind it ─ one each      all families
    ids, names  charset, length, once                   all but Google, which has no ids
    content     not empty, no half characters           all
    turns       a user first; Google: no two replies in a row

The judge reads what comes out of the last step, in the agent's roles: neighbouring tool results are one user turn for
Anthropic and Google, tool messages for OpenAI. Sources: the articles ("every call is followed at once by its result",
first source, part nine); recorded cases of layer c for who needs which turns (`core.transcript_policy`) and of layer j
for the charset and length of ids; case notes for half characters. What is marked *general* is what the providers'
public documentation says, as generally known, and is not recorded here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core import javascript
from core.layer import StepContext, Target
from core.messages import Json, Message, Part
from core.pairing import Call, calls, is_call, result_id
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks

SENDABLE = frozenset({"user", "assistant", "toolResult"})
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]+")

ID_LIMIT = {"openai": 64}
"""Units of an id; Anthropic names no limit. General."""
NAME_LIMIT = {"anthropic": 128, "openai": 64}
"""Units of a tool name. General."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`index`: of the block (None: of the whole prompt). `rows`: of its entries. `message`: what is wrong."""

    index: int | None
    rows: tuple[int, ...]
    code: str
    message: Phrase


def judge(blocks: Blocks, family: str, context: StepContext | None = None) -> tuple[Fault, ...]:
    """The faults in the order of the prompt; () = the provider would take it. `family`: anthropic, openai, google.

    `context`: remembers what single messages are worth, for the next time."""
    if not blocks:
        return (_fault(None, None, "no_messages"),)  # general
    context = context or StepContext(0, Target("", "", "", family))
    found: list[Fault] = []
    if blocks[0].message.role == "assistant" and family != "openai":
        # Anthropic: general. Google: `sanitizeGoogleTurnOrdering`, recorded. A leading result is a fault of its own.
        found.append(_fault(0, blocks[0], "first_not_user"))
    contents = context.each(("judge", family), blocks, lambda message: tuple(_content(message, family)))
    for index in [index for index, faults in enumerate(contents) if faults]:
        found += [_fault(index, blocks[index], code, **dict(values)) for code, values in contents[index]]
    found += _pairs(blocks, context.each("judge", blocks, _said), family)
    if family == "google":
        found += _rows_of_replies(blocks)
    return tuple(sorted(found, key=lambda fault: -1 if fault.index is None else fault.index))


def _fault(index: int | None, block: Block | None, code: str, **values: object) -> Fault:
    rows = block.origin.rows if block is not None else ()
    return Fault(index, rows, code, phrase(f"judge.{code}", **values))


# one message


Values = tuple[tuple[str, object], ...]


def _content(message: Message, family: str) -> Iterator[tuple[str, Values]]:
    """Codes and values of what is wrong with a message by itself."""
    if message.role not in SENDABLE:
        yield "unknown_role", (("role", message.role or "–"),)
        return
    if message.role != "toolResult":
        yield from _words(message, family)
    if any(_halves(text) for text in _texts(message)):
        yield "half_character", ()
    if message.role == "assistant" and family == "anthropic":
        for part in message.parts:
            if part.kind == "thinking" and not part.get("thinkingSignature"):
                yield "unsigned_thinking", ()  # general
                break


def _words(message: Message, family: str) -> Iterator[tuple[str, Values]]:
    """General: content must not be empty, and no text block blank. OpenAI takes empty texts, but no empty reply."""
    role: Values = (("role", message.role),)
    if not message.parts:
        yield "empty_content", role
    elif family == "anthropic":
        if any(_blank(part) for part in message.parts):
            yield "empty_text", role
    elif message.role == "assistant" and all(_blank(part) for part in message.parts):
        yield "empty_content", role


def _blank(part: Part) -> bool:
    return part.kind == "text" and part.text is not None and not javascript.trim(part.text.units)


def _texts(message: Message) -> Iterator[str]:
    """Every string that would be written into the request. Details and other fields never are."""
    for part in message.parts:
        if part.text is not None:
            yield part.text.units
        if is_call(part):
            yield from _strings(part.get("arguments"))


def _strings(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, str):
            yield held
        elif isinstance(held, dict):
            waiting += [*held.keys(), *held.values()]
        elif isinstance(held, list):
            waiting += held


def _halves(text: str) -> bool:
    """Half of a surrogate pair, which no UTF-8 can hold: the provider refuses the JSON (case notes)."""
    if text.isascii():
        return False
    try:
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return True
    return False


# calls and results


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """What of a message pairing asks: its calls, or the id of the call it answers; `nameless`: calls without an id."""

    role: str
    calls: tuple[Call, ...] = ()
    nameless: int = 0
    id: str | None = None


def _said(message: Message) -> _Said:
    if message.role == "toolResult":
        return _Said(message.role, id=result_id(message))
    if message.role != "assistant":
        return _Said(message.role)
    found = calls(message)
    return _Said(message.role, found, sum(map(is_call, message.parts)) - len(found))


def _pairs(blocks: Blocks, said: Sequence[_Said], family: str) -> Iterator[Fault]:
    """Walks from reply to reply; the results right behind one are its run, in whatever order."""
    used: set[str] = set()
    index, size = 0, len(blocks)
    while index < size:
        here = said[index]
        index += 1
        if here.role == "toolResult":  # not in a run
            yield _fault(index - 1, blocks[index - 1], "result_without_call", id=here.id or "–")
        elif here.role == "assistant":
            end = index
            while end < size and said[end].role == "toolResult":
                end += 1
            if here.calls or here.nameless:
                yield from _ids(index - 1, blocks[index - 1], here, used, family)
            if here.calls or end > index:
                yield from _run(index - 1, blocks, said, end)
            index = end


def _ids(index: int, block: Block, said: _Said, used: set[str], family: str) -> Iterator[Fault]:
    """Ids and names of the calls of one reply. General: ids differ within a reply, for Anthropic within a prompt."""
    if said.nameless:
        yield _fault(index, block, "call_without_id")
    if family != "anthropic":
        used = set()
    for call in said.calls:
        name = call.name or ""
        if family == "google":
            if not name:
                yield _fault(index, block, "bad_name", name="–")
            continue
        if call.id in used:
            yield _fault(index, block, "repeated_id", id=call.id)
        used.add(call.id)
        if family == "anthropic" and not _ID.fullmatch(call.id):
            yield _fault(index, block, "bad_id", id=call.id)
        limit = ID_LIMIT.get(family)
        if limit is not None and javascript.length(call.id) > limit:
            yield _fault(index, block, "long_id", id=call.id, limit=limit)
        if not _NAME.fullmatch(name) or len(name) > NAME_LIMIT.get(family, 64):
            yield _fault(index, block, "bad_name", name=name or "–")


def _run(index: int, blocks: Blocks, said: Sequence[_Said], end: int) -> Iterator[Fault]:
    """The results behind one reply against its calls. Calls at the very end are faults too: nothing answers them."""
    open_calls = [call.id for call in said[index].calls]
    known = set(open_calls)
    for at in range(index + 1, end):
        id = said[at].id
        if id in open_calls:
            open_calls.remove(id)
        else:
            code = "second_result" if id in known else "result_without_call"
            yield _fault(at, blocks[at], code, id=id or "–")
    for id in open_calls:
        yield _fault(index, blocks[index], "call_without_result", id=id)


def _rows_of_replies(blocks: Blocks) -> Iterator[Fault]:
    """Google refuses two replies in a row, which is why the agent merges them (`validateGeminiTurns`, recorded)."""
    for index in range(1, len(blocks)):
        if blocks[index].message.role == blocks[index - 1].message.role == "assistant":
            yield _fault(index, blocks[index], "replies_in_a_row")
