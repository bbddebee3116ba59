"""The sentence above a prompt under a profile: which one it is, and whose numbers it shows."""

from __future__ import annotations

from core.headline import runs
from core.phrase import Phrase, phrase, render
from core.pipeline import Trace
from core.simulated import Measured, counts, deeds, sends, stands, told
from tests.core.stepped import profile, reply, result, trace, user

MEASURED = Measured(80_000, 20_000, 99_000, 200_000)
TALK = [user("go"), reply("", "a"), result("a", "x" * 2_500), reply("", "b"), result("b", "y" * 300)]


def made(share: float = 0.75, window: int = 1_000, **settings: object) -> Trace:
    return trace(TALK, profile(("guard_context", {"share": share, **settings}), "guard_overflow"), window)


def test_recorded_and_simulated_stand_side_by_side_never_in_one_number() -> None:
    """◇ before what the replay gives, ● before what the file says."""
    said = sends(made(), MEASURED)
    assert render(said) == "Sends ◇100,000 tokens (●99,000), 50\u202f% of the window. The guard cut 1 result."
    strong = [run.text for run in runs(said) if run.kind == "strong"]
    assert [text for text in strong if text] == ["100,000", "99,000"]
    assert render(said, "zh_CN") == "发送 ◇100,000 词元（●99,000 已记录），占窗口 50%。保护层裁剪了 1 条结果。"


def test_without_usage_or_system_prompt() -> None:
    assert render(sends(made(), Measured(80_000, 20_000, None, 200_000))).startswith("Would send ◇100,000 tokens, ")
    alone = render(sends(made(), Measured(80_000, None, None, 200_000, False)))
    assert alone.startswith("Sends ◇80,000 tokens of messages, 40\u202f% of an assumed window of 200k.")


def test_nothing_is_said_where_no_words_changed() -> None:
    """Details go and messages are converted in every request: no news."""
    quiet = trace(
        [user("a"), reply("", "b"), result("b", "c", details=1)], profile("strip_details", "provider_messages")
    )
    assert quiet.steps[1].edits
    assert told(quiet) == ()
    assert deeds(quiet) == phrase("headline.untouched")


def test_one_layer_speaks_for_itself_more_are_named() -> None:
    """The guard goes first; one other layer gives its reason; two their names; more their number."""
    talk = [user("a"), user("b"), reply("", "x"), user("c")]
    one = trace(talk, profile("validate_turns"))
    assert deeds(one) == one.steps[1].why
    two = trace(talk, profile("repair_pairs", "validate_turns"))
    assert render(deeds(two)) == "Repair pairs and Validate turns changed the messages."
    assert render(deeds(made(first="placeholder", order="oldest"))) == "The guard emptied 1 result."


def test_overflow_comes_first() -> None:
    """What would not be sent is not said to be sent."""
    over = trace([user("x" * 5_000)], profile("guard_context", "guard_overflow"))
    assert over.overflow
    said = render(sends(over, MEASURED))
    assert said.startswith("Would overflow: the guard counts ◇5,000 after all cuts, over 3,600, so the agent compacts")
    assert render(counts(over, MEASURED)).startswith(
        "Would overflow: the guard counts ◇5,000 after all cuts, over 3,600."
    )
    protected = trace([user("x" * 2_000), reply("", "a"), result("a", "y" * 900)], profile("guard_context"))
    assert protected.overflow
    assert render(deeds(protected)).startswith("The agent would stop here: ")


def test_as_the_guard_counts() -> None:
    """The number it compares, its limit, what it did; then how full the window is in tokens."""
    cut = render(counts(made(), MEASURED))
    assert cut.startswith("The guard counts ◇5,6")
    assert " where 3,000 are allowed, so it cut 1 result. In tokens the prompt fills 50\u202f% of the window." in cut
    quiet = render(counts(made(window=100_000), MEASURED))
    assert "where 300,000 are allowed, so it cuts nothing." in quiet
    single = trace(TALK, profile("guard_single", "guard_context"))
    assert "after it cut 1 result that was too long by itself." in render(counts(single, MEASURED))
    assert render(counts(trace(TALK, profile("strip_details")), MEASURED)).startswith("No layer of this profile counts")


def test_after_one_step() -> None:
    """The size there, and the step's own reason, also for doing nothing."""
    done = made(window=100_000)
    said = stands(done.steps[1], MEASURED)
    assert render(said).startswith("After Guard: whole context ◇100,000 tokens, 50\u202f% of the window. ")
    assert dict(said.values)["second"] == done.steps[1].why
    assert isinstance(said, Phrase)
