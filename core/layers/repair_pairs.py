"""Every tool call is followed by its result: results move to their call, missing ones are made up, strays are dropped.

Source: recorded cases of layer c (`repairToolUseResultPairing`) with its pins in n. Walks from assistant to assistant;
what lies between two assistants is the first one's *span*.

    a[call x, call y]  user  result y  result z        ─▶   a[call x, call y]  result x (made up)  result y  user
    └───────── span of a ──────────────────────┘             z answers no call of a: dropped

The reference variants reproduce what the agent does, defects included: results in another order, or a second result
right behind the first, are left as they are unless something else changes. *safe* is ours: idempotent, and what comes
out pairs for every provider.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import is_

from core.layer import Outcome, StepContext
from core.messages import Message, Shape
from core.pairing import Call, calls, failed, named, result_id, synthetic
from core.phrase import Phrase, phrase
from core.prompt import Block, Blocks
from core.settings import choice, switch

ID = "repair_pairs"
TITLE = phrase("layer.repair_pairs.title")
MARK = "request"


@dataclass(frozen=True, slots=True)
class Settings:
    """`variant`: whose rules. `errored`: results of a failed or aborted assistant are dropped or kept.

    `invent`: make up missing results (off: the call stays open, as where a provider forbids it)."""

    variant: str = choice("2026.4.5", "2026.4.5", "2026.3.24", "safe")
    errored: str = choice("drop", "drop", "preserve")
    invent: bool = switch(True)


@dataclass(slots=True)
class Repair:
    """What the walk over the blocks has gathered. `added`: made-up results, also those dropped again as duplicates."""

    out: list[Block] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    reasons: dict[Block, Phrase] = field(default_factory=dict)
    changed: bool = False
    added: int = 0
    duplicates: int = 0
    orphans: int = 0
    moved: int = 0

    def drop(self, block: Block, why: str) -> None:
        self.reasons[block] = phrase(f"layer.repair_pairs.{why}")
        if why == "orphan":
            self.orphans += 1
        else:
            self.duplicates += 1
        self.changed = True

    def emit(self, block: Block) -> None:
        """A result; the second one of an id is dropped."""
        id = result_id(block.message)
        if id is not None and id in self.seen:
            self.drop(block, "duplicate")
            return
        if id is not None:
            self.seen.add(id)
        self.out.append(block)


def apply(blocks: Blocks, settings: Settings, context: StepContext) -> Outcome:
    walk = repair(blocks, settings, context)
    if not walk.changed:
        return Outcome(blocks, phrase("layer.repair_pairs.quiet"), phrase("layer.repair_pairs.quiet_short"))
    why_not = [said.id.rpartition(".")[2] for said in walk.reasons.values()]
    counted = {
        "added": walk.added,
        "orphans": walk.orphans,
        "duplicates": walk.duplicates + why_not.count("second"),
        "of_failed": why_not.count("of_failed"),
        "moved": walk.moved,
        "renamed": why_not.count("renamed"),
    }
    said = [phrase(f"layer.repair_pairs.{name}_part", n=n) for name, n in counted.items() if n]
    if not said and len(walk.out) == len(blocks) and all(map(is_, walk.out, blocks)):
        # the agent makes a new list of the very same messages wherever something stands among results
        return Outcome(tuple(walk.out), phrase("layer.repair_pairs.quiet"), phrase("layer.repair_pairs.quiet_short"))
    why = said[0] if said else phrase("layer.repair_pairs.in_order")
    for more in said[1:]:
        why = phrase("layer.also", first=why, second=more)
    notes = (phrase("layer.wording_ours"),) if walk.added else ()
    return Outcome(tuple(walk.out), why, None, (), walk.reasons, notes=notes)


OTHER, CALLS, PLAIN, RESULT = range(4)
"""Kinds of a message: none of the others, an assistant with calls, one without, a tool result."""


@dataclass(frozen=True, slots=True, eq=False)
class _Fact:
    """What pairing asks of a message. `ids`: of its calls, or of the call it answers. `simple`: a result that has its
    tool's name, or an assistant that did not fail and calls under different ids: nothing but order can be wrong."""

    kind: int
    ids: tuple[str, ...] = ()
    simple: bool = False


_OTHER, _PLAIN = _Fact(OTHER), _Fact(PLAIN)


def _fact(message: Message) -> _Fact:
    if message.role == "toolResult":
        id = result_id(message)
        named_ = message.shape is not Shape.ABSENT and named(message, None) is message
        return _Fact(RESULT, (id,) if id is not None else (), named_ and bool(message.get("toolName")))
    if message.role != "assistant":
        return _OTHER
    ids = tuple([call.id for call in calls(message)])
    if not ids:
        return _PLAIN
    return _Fact(CALLS, ids, len(set(ids)) == len(ids) and not failed(message))


def repair(blocks: Blocks, settings: Settings, context: StepContext, walk: Repair | None = None) -> Repair:
    """The walk by the variant of the settings. When `changed` stays False the agent returns its very input.

    `walk`: over the blocks before these, up to an assistant; goes on."""
    walk = walk if walk is not None else Repair()
    facts = context.each("repair_pairs", blocks, _fact)
    span = _safe_span if settings.variant == "safe" else _span
    start = index = 0  # blocks from `start` on stay as they are
    size = len(blocks)
    while index < size:
        fact = facts[index]
        if fact.kind == RESULT:
            walk.out += blocks[start:index]
            walk.drop(blocks[index], "orphan")
            start = index = index + 1
            continue
        if fact.kind != CALLS:
            index += 1
            continue
        end = index + 1
        while end < size and (facts[end].kind == RESULT or facts[end].kind == OTHER):
            end += 1
        if fact.simple and _in_place(fact, facts, index + 1, end, walk, settings):
            if settings.variant != "safe":
                walk.seen.update(fact.ids)
        else:
            walk.out += blocks[start:index]
            span(walk, blocks[index], calls(blocks[index].message), blocks[index + 1 : end], settings, context)
            start = end
        index = end
    walk.out += blocks[start:]
    return walk


def _in_place(fact: _Fact, facts: Sequence[_Fact], start: int, end: int, walk: Repair, settings: Settings) -> bool:
    """Do exactly the results of the calls follow, in their order? So it is nearly everywhere."""
    if end - start != len(fact.ids):
        return False
    for id, found in zip(fact.ids, facts[start:end], strict=True):
        if not found.simple or found.kind != RESULT or found.ids != (id,):
            return False
        if id in walk.seen and settings.variant != "safe":
            return False
    return True


def _span(
    walk: Repair, owner: Block, found: Sequence[Call], span: Blocks, settings: Settings, context: StepContext
) -> None:
    names = {call.id: call.name for call in found}  # of a repeated id the last call's name is the fallback
    results: dict[str, Block] = {}
    rest: list[Block] = []
    for block in span:
        if block.message.role != "toolResult":
            rest.append(block)
            continue
        id = result_id(block.message)
        if id is None or id not in names:
            walk.drop(block, "orphan")
        elif id in walk.seen:
            walk.drop(block, "duplicate")
        else:
            message = named(block.message, names[id])
            renamed = message is not block.message
            walk.changed = walk.changed or renamed
            if id not in results:
                results[id] = _named(context, block, message) if renamed else block
                if renamed:
                    walk.reasons[block] = phrase("layer.repair_pairs.renamed")
            else:
                walk.reasons[block] = phrase("layer.repair_pairs.second")
    walk.out.append(owner)
    if failed(owner.message):
        _failed_span(walk, found, results, settings)
    else:
        for call in found:
            result = results.get(call.id)
            if result is None and settings.invent:
                result = _made_up(context, owner, call)
                walk.added += 1
                walk.changed = True
                walk.reasons[result] = phrase("layer.repair_pairs.invented", tool=call.name or "unknown")
            if result is not None:
                walk.emit(result)
        if results and rest:
            walk.changed = True
            walk.moved += _displaced(span, results)
    walk.out.extend(rest)


def _named(context: StepContext, block: Block, message: Message) -> Block:
    return context.made(block, (ID, message.get("toolName")), lambda: message)


def _made_up(context: StepContext, owner: Block, call: Call) -> Block:
    return context.added(owner, (ID, call, context.now), lambda: synthetic(call, context.now, ID))


def _failed_span(walk: Repair, found: Sequence[Call], results: dict[str, Block], settings: Settings) -> None:
    if settings.errored == "drop":
        for result in results.values():
            walk.reasons[result.before or result] = phrase("layer.repair_pairs.of_failed")
        if results and settings.variant != "2026.3.24":
            walk.changed = True  # in 3.24 the drop alone changes nothing: the list comes back as it was
        return
    for call in found:
        if call.id in results:
            walk.emit(results[call.id])


def _displaced(span: Blocks, results: dict[str, Block]) -> int:
    """How many of the kept results stood behind something that is no result."""
    kept = {id(block.before if block.before is not None else block) for block in results.values()}
    kept |= {id(block) for block in results.values()}
    behind = moved = 0
    for block in span:
        if block.message.role != "toolResult":
            behind = 1
        elif behind and id(block) in kept:
            moved += 1
    return moved


# the safe variant


def _safe_span(
    walk: Repair, owner: Block, found: Sequence[Call], span: Blocks, settings: Settings, context: StepContext
) -> None:
    """Each call of each assistant gets exactly one result directly behind it; nothing else is a result.

    Failed assistants lose their calls' results. Calls of one id in one message share nothing: the first result belongs
    to the first call, the second to the second (ids are made distinct by the replay filter before)."""
    waiting: dict[str, list[Block]] = {}
    rest: list[Block] = []
    for block in span:
        if block.message.role != "toolResult":
            rest.append(block)
            continue
        waiting.setdefault(result_id(block.message) or "", []).append(block)
    walk.out.append(owner)
    wanted = () if failed(owner.message) else found
    emitted: list[Block] = []
    placed: list[Block] = []
    for call in wanted:
        queue = waiting.get(call.id, [])
        if queue:
            block = queue.pop(0)
            placed.append(block)
            message = _listed(named(block.message, call.name))
            if message is not block.message:
                walk.changed = True
                walk.reasons[block] = phrase("layer.repair_pairs.renamed")
                block = _named(context, block, message)
        else:
            block = _made_up(context, owner, call)
            walk.added += 1
            walk.changed = True
            walk.reasons[block] = phrase("layer.repair_pairs.invented", tool=call.name or "unknown")
        emitted.append(block)
    walk.out.extend(emitted)
    answered = {call.id for call in wanted}
    for name, left in waiting.items():
        for block in left:
            walk.drop(block, "duplicate" if name in answered else "orphan")
    walk.out.extend(rest)
    stay = {id(block) for block in (*placed, *rest)}
    before = [id(block) for block in span if id(block) in stay]
    if [id(block) for block in (*placed, *rest)] != before:
        walk.changed = True
        walk.moved += 1


def _listed(message: Message) -> Message:
    """A result whose content is missing gets an empty one: providers want the field."""
    if message.shape is Shape.ABSENT:
        return Message(message.role, Shape.LIST, (), message.fields)
    return message
