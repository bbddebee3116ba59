"""What became of a block: read off the block alone, or with the steps that did it."""

from __future__ import annotations

from dataclasses import replace

from core.fate import EditIndex, Fates, cut_of, kept_line, loss_of
from core.messages import Message
from core.pipeline import Trace
from tests.core.stepped import profile, reply, result, trace, user

LONG = "first line\nsecond line\n" + "x" * 4_000
GUARD = ("guard_context", {"share": 0.75})


def guarded() -> Trace:
    """Window 1,000: 3,000 guard characters may stay. The older result is cut in part, the newest one stays."""
    talk = [user("go"), reply("", "a"), result("a", LONG), reply("", "b"), result("b", "short"), reply("ok", "c")]
    talk.append(result("c", "y" * 300))
    return trace(talk, profile("strip_details", GUARD))


def test_cut_with_its_step_and_sizes() -> None:
    done = guarded()
    (index,) = [at for at, block in enumerate(done.blocks) if loss_of(block) == "cut"]
    fate = Fates(done, len(done.steps) - 1).of(done.blocks[index])
    assert index == 2
    assert fate is not None
    assert (fate.kind, fate.before) == ("cut", len(LONG))
    assert fate.after < fate.before
    assert fate.removed
    assert [deed.step.instance for deed in fate.deeds] == ["guard_context"]
    line, gone = kept_line(done.blocks[index].message)
    assert line.startswith("x" * 50)
    assert gone == len(LONG) - done.blocks[index].message.parts[0].text.pieces[0].end  # type: ignore[union-attr]


def test_before_the_step_nothing_happened_yet() -> None:
    """Fates count up to a step, and from one on."""
    done = guarded()
    last = len(done.steps) - 1
    assert Fates(done, last - 1).of(done.blocks[2]) is None
    assert Fates(done, last, last).of(done.blocks[2]) is not None
    index = EditIndex()
    assert Fates(done, last, index=index).of(done.blocks[2]) == Fates(done, last, index=index).of(done.blocks[2])


def test_emptied_is_not_cut() -> None:
    settings = {"share": 0.3, "first": "placeholder", "order": "oldest", "protect_latest_read": False}
    wanted = profile(("guard_context", settings))
    done = trace([user("go"), reply("", "a"), result("a", LONG), reply("", "b"), result("b", "z" * 900)], wanted)
    assert loss_of(done.blocks[2]) == "emptied"
    assert kept_line(done.blocks[2].message) == ("", len(LONG))


def test_inserted_merged_converted_and_beside_the_words() -> None:
    """A missing result is added, two users become one, a command becomes a user message, details go."""
    talk = [user("a"), user("b"), reply("", "x"), user("c"), reply("", "y"), result("y", "out", details={"d": 1})]
    talk.append({"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 0})
    done = trace(talk, profile("repair_pairs", "strip_details", "validate_turns", "provider_messages"))
    fates = Fates(done, len(done.steps) - 1)
    kinds = [fate.kind if (fate := fates.of(block)) else "" for block in done.blocks]
    assert kinds == ["merged", "", "inserted", "", "", "fields", "converted"]
    assert [loss_of(block) for block in done.blocks] == ["merged", None, "inserted", None, None, None, None]


def test_moved() -> None:
    """A result that stood behind the next user message is moved to its call."""
    done = trace([user("a"), reply("", "x"), user("b"), result("x", "out")], profile("repair_pairs"))
    kinds = [fate.kind for block in done.blocks if (fate := Fates(done, 1).of(block))]
    assert kinds == ["moved"]


def test_a_whole_text_beside_an_emptied_one_is_a_cut() -> None:
    """Emptied means that nothing of the message is left."""
    message = Message.of(
        {"role": "toolResult", "content": [{"type": "text", "text": "ab"}, {"type": "text", "text": "c"}]}
    )
    first, second = message.parts
    assert first.text is not None
    gone = first.text.cut("…")
    assert cut_of(replace(message, parts=(replace(first, text=gone), second))) == "cut"
    assert cut_of(replace(message, parts=(replace(first, text=gone),))) == "emptied"
    assert cut_of(message) is None
