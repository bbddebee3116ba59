"""What the agent would write of a tool result, in words and as rows: before and after, the share of each block."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.capping import Cap, cap_of
from core.messages import Message
from core.pairing import calls, result_id
from core.persistence import DEEDS, Options, Preview, persist, preview
from core.phrase import Phrase, literal, phrase
from core.profile import Profile
from core.prompt import Blocks
from gui import numbers
from gui.figures import Column, Figure, Figures, Piece, Value
from gui.translation import say


@dataclass(frozen=True, slots=True)
class Written:
    """`deed`: what the guard does to the message beside capping it (its name, calls); None = nothing."""

    seen: Preview
    cap: Cap
    deed: Phrase | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that make the tail important, each once, in the order in which they stand."""
        found = dict.fromkeys(word for share in self.seen.blocks for _, _, word in share.words)
        return tuple(found)


def written(blocks: Blocks, index: int, profile: Profile, window: int, most: int | None = None) -> Written:
    """Of the result at `index`, as it came in. `most`: another cap than that of the policy, in characters."""
    cap = cap_of(profile, window)
    if most is not None:
        cap = replace(cap, most=most)
    message = blocks[index].first.message
    seen = preview(message, cap.most, cap.suffix, cap.min_keep)
    asked = _asked(blocks, index, message)
    done = persist([*asked, message], Options(most=cap.most, suffix=cap.suffix)).written[-1]
    deed = DEEDS.get(done.deed) if done.deed in ("named", "named_and_capped") else None
    return Written(seen, cap, deed)


def _asked(blocks: Blocks, index: int, message: Message) -> list[Message]:
    """The message with the call that the result answers, if it stands before it."""
    id = result_id(message)
    for block in reversed(blocks[:index]):
        before = block.first.message
        if before.role == "assistant" and any(call.id == id for call in calls(before)):
            return [before]
    return []


def headline(shown: Written) -> Phrase:
    """Whether it is cut, and why the tail stays."""
    seen = shown.seen
    said = {"before": seen.chars, "after": seen.kept, "most": seen.most}
    if not seen.cut:
        first = phrase("preview.fits", **said)
    elif seen.over:
        first = phrase("preview.over", over=seen.over, **said)
    else:
        first = phrase("preview.cut", **said)
    if not seen.cut:
        return first
    words = literal(", ".join(f"“{word}”" for word in shown.words[:6]))
    second = phrase("preview.tail", words=words) if shown.words else phrase("preview.head")
    return phrase("headline.two", first=first, second=second)


def figures(shown: Written) -> Figures:
    """A row a text block, where anything is cut."""
    rows = []
    for share in shown.seen.blocks:
        values = [share.chars, share.share, share.budget, share.kept]
        words = phrase("preview.spoken", n=share.index + 1, chars=share.chars, share=share.share, kept=share.kept)
        rows.append(
            Figure(
                str(share.index),
                say(phrase("preview.block", n=share.index + 1)),
                "",
                ((Piece("toolResult", share.kept), Piece("cut", max(0, share.chars - share.kept))),),
                tuple(Value(numbers.count(n), strong=at == 3) for at, n in enumerate(values)),
                say(words),
            )
        )
    columns = tuple(Column(say(phrase(f"preview.column.{name}")), 78) for name in ("chars", "share", "budget", "kept"))
    return Figures(tuple(rows), columns, say(phrase("preview.blocks")))


def notes(shown: Written) -> str:
    """What is not seen in the text: the name, and whose words the notice is in."""
    found = [say(phrase("dock.mark.file"))]
    if shown.deed is not None:
        found.append(say(shown.deed))
    if shown.seen.cut and isinstance(shown.cap.suffix, str):
        found.append(say(phrase("layer.wording_ours")))
    return " ".join(found)
