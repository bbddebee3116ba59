"""The built-in policies: what each is known to do, told by small prompts, and that each says where it comes from."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from core import cutting, guard
from core.phrase import LANGUAGES, catalogue, render
from core.pipeline import run
from core.profile import policies, policy
from tests.core.made import SIZES, blocks_of, call, context_of, reply, result, step, user

OPENCLAW = ("openclaw-2026.3.24", "openclaw-2026.4.5", "openclaw-2026.4.14")
NAMES = {*OPENCLAW, "article-1", "article-2", "pi", "none"}


def ran(name, *messages, window=200_000, **more):
    blocks = blocks_of(*messages)
    return run(context_of(blocks), blocks, policy(name), step(window, **more), SIZES)


def talk(*sizes, name="bash"):
    """One call and its result a size, `sizes[i]` characters in result i, without line ends."""
    found = [user("go")]
    for number, size in enumerate(sizes):
        found += [reply(call(f"c{number}", name)), result(f"c{number}", str(number) * size, name)]
    return found


def left(done):
    """What became of the results, in order: `whole`, `empty`, or the number of characters kept."""
    found = []
    for block in done.blocks:
        if block.message.role == "toolResult":
            text = block.message.text()
            first = block.first.message.text()
            found.append("whole" if text == first else "empty" if text == cutting.PLACEHOLDER else len(text))
    return found


def test_these_are_there():
    assert set(policies()) >= NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_says_where_it_comes_from(name):
    """Source and oddities are sentences in both languages; recorded versions bear their date, articles have none."""
    found = policy(name)
    for id in (found.source, *found.oddities):
        assert all(id in catalogue(language) for language in LANGUAGES), id
    assert found.oddities or name == "none"
    if name in OPENCLAW:
        year, month, day = map(int, name.removeprefix("openclaw-").split("."))
        assert found.date == date(year, month, day)
        assert found.reserve == 20_000
    assert not found.reorder


def test_no_sentence_is_left_over():
    """Every oddity and source that is written down belongs to a policy."""
    used = {id for found in policies().values() for id in (found.title, found.source, *found.oddities)}
    known = {id for id in catalogue("en") if id.startswith(("policy.oddity.", "policy.source.", "policy.title."))}
    assert known <= used


def test_the_order_of_2026_4_5():
    """As recorded: repair twice, the guard in three steps, the provider's words last."""
    order = [instance.name for instance in policy("openclaw-2026.4.5").instances if instance.layer != "ttl_pruning"]
    assert order == [
        *("replay_filter", "repair_inputs", "repair_pairs", "strip_details", "validate_turns", "limit_history"),
        *("repair_pairs#2", "context_engine", "guard_single", "guard_context", "guard_overflow", "provider_messages"),
    ]


def test_the_figure_of_article_1():
    """strip → validate → limit → repair → engine → guard."""
    order = [instance.layer for instance in policy("article-1").instances]
    assert order == [
        *("strip_details", "validate_turns", "limit_history", "repair_pairs", "context_engine"),
        *("guard_single", "guard_context", "guard_overflow", "provider_messages"),
    ]


# the worked example of article 1: a window of 128k tokens


def test_128k_tokens_are_a_budget_of_384k_characters():
    """One character more and the newest result gives first."""
    single, context = guard.single_limit(128_000, 0.5), guard.budget_limit(128_000, 0.75)
    assert (single, context) == (128_000, 384_000)
    base = talk(50_000, 50_000, 50_000)
    at = guard.total(step(), blocks_of(*base))
    fits = ran("article-1", user("w" * (384_000 - at)), *base[1:], user("go"), window=128_000)
    assert left(fits) == ["whole", "whole", "whole"]
    over = ran("article-1", user("w" * (384_001 - at)), *base[1:], user("go"), window=128_000)
    assert left(over) == ["whole", "whole", "empty"]


def test_128k_characters_for_one_result():
    """The article's own number; the recorded agent allows half of it."""
    assert left(ran("article-1", *talk(128_000), window=128_000)) == ["whole"]
    [kept] = left(ran("article-1", *talk(128_001), window=128_000))
    assert 120_000 < kept <= 128_000
    [recorded] = left(ran("openclaw-2026.4.5", *talk(128_000), window=128_000))
    assert recorded <= 64_000


def test_head_and_tail_when_the_tail_matters():
    """70 % + 30 % in article 1 where the end looks important; the head only in the recorded agent, and in article 2."""
    text = "a" * 30_000 + " Error: 3 tests failed"
    prompt = [user(), reply(call("x")), result("x", text)]
    for name in ("article-1", "article-2", "openclaw-2026.4.5"):
        [found] = [b.message.text() for b in ran(name, *prompt, window=10_000).blocks if b.message.role == "toolResult"]
        assert found.startswith("aaaa")
        assert ("3 tests failed" in found) is (name == "article-1"), name
        if name == "article-1":
            budget = 10_000 - len(cutting.TRUNCATION_SUFFIX)
            tail = found.removesuffix(cutting.TRUNCATION_SUFFIX).partition(cutting.MIDDLE_OMISSION)[2]
            assert len(tail) == int(0.3 * budget)


# which results give first: five of 1,000 characters each

PAIRS = talk(1_000, 1_000, 1_000, 1_000, 1_000)
WINDOW = 3_000
"""Budget 9,000 characters; the prompt counts 10,012 with its results doubled."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("article-1", ["whole", "whole", "whole", "whole", "empty"]),
        ("article-2", ["empty", "whole", "whole", "whole", "whole"]),
        ("openclaw-2026.3.24", ["empty", "whole", "whole", "whole", "whole"]),
        ("openclaw-2026.4.14", ["whole", "whole", "whole", "whole", "whole"]),
        ("pi", ["whole", "whole", "whole", "whole", "whole"]),
        ("none", ["whole", "whole", "whole", "whole", "whole"]),
    ],
)
def test_order_of_giving_up(name, expected):
    """Newest first, oldest first, or no budget at all."""
    assert left(ran(name, *PAIRS, window=WINDOW)) == expected


def test_2026_4_5_cuts_the_second_newest_in_part():
    """As little as is needed, and the newest stays whole."""
    found = left(ran("openclaw-2026.4.5", *PAIRS, window=WINDOW))
    assert [found[0], found[1], found[2], found[4]] == ["whole", "whole", "whole", "whole"]
    assert 0 < found[3] < 1_000


def test_the_latest_read_is_not_cut():
    """2026.4.5 overflows rather than cut a file that was just read; 2026.3.24 knows no such rule."""
    small = [*talk(10), reply(call("r", "read")), result("r", "f" * 4_500, "read"), reply("w" * 22_000)]
    done = ran("openclaw-2026.4.5", *small, window=10_000)
    assert [s.instance for s in done.steps if s.overflow] == ["guard_context"]
    assert not [
        s for s in ran("openclaw-2026.3.24", *small, window=10_000).steps if s.layer == "guard_context" and s.overflow
    ]


@pytest.mark.parametrize(
    ("name", "raises"),
    [("article-1", True), ("article-2", False), *((name, True) for name in OPENCLAW), ("pi", False), ("none", False)],
)
def test_overflow(name, raises):
    """Words alone above 90 % of the window."""
    assert ran(name, user("w" * 37_000), window=10_000).overflow is raises
    assert not ran(name, user("w" * 36_000), window=10_000).overflow


def test_article_2_says_that_the_recorded_agent_checks():
    """Where articles and recorded cases disagree, the step says so."""

    def notes(name):
        return " ".join(render(note) for s in ran(name, *PAIRS, window=WINDOW).steps for note in s.notes)

    assert "Article 2 describes no such check" in notes("article-2")
    assert "Article 1 begins with the newest result" in notes("article-1")
    assert "Article" not in notes("openclaw-2026.4.5")


def test_3_24_allows_twice_of_what_4_5_does():
    """The whole limit against the half of it: a window of 10,000 tokens has a limit of 10,000 for the doubled count."""
    assert left(ran("openclaw-2026.3.24", *talk(9_000), window=10_000)) == ["whole"]
    [cut] = left(ran("openclaw-2026.4.5", *talk(9_000), window=10_000))
    assert cut == 5_000


def test_4_14_counts_what_it_cut():
    """Its notice tells how many characters are missing."""
    done = ran("openclaw-2026.4.14", *talk(9_000), window=10_000)
    [text] = [b.message.text() for b in done.blocks if b.message.role == "toolResult"]
    assert text.endswith("more characters truncated]")
    assert int(text.rpartition("[... ")[2].split()[0]) + text.index("[") == 9_000


@pytest.mark.parametrize("name", OPENCLAW)
def test_thinking_of_older_replies_goes_for_claude(name):
    """By provider: an Anthropic API with a Claude model drops it from all replies but the last; others keep it."""
    from tests.core.made import CLAUDE, GPT

    thought = {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"}
    prompt = [user(), reply(thought, "a"), user(), reply(thought, "b"), user()]

    def thoughts(target):
        done = ran(name, *prompt, target=target)
        step_ = next(s for s in done.steps if s.instance == "replay_filter")
        return [
            sum(p.kind == "thinking" for p in b.message.parts) for b in step_.after if b.message.role == "assistant"
        ]

    assert thoughts(CLAUDE) == [0, 1]
    assert thoughts(GPT) == [1, 1]


@pytest.mark.parametrize("name", sorted(NAMES - {"none"}))
def test_a_whole_prompt_is_left_alone(name):
    """Nothing wrong, nothing large: every step but the conversion hands on the very same blocks."""
    done = ran(name, *talk(10, 20), reply("done"), user("next"))
    assert [s.instance for s in done.steps[1:] if s.fired] == []
    for before, after in pairwise(done.steps):
        assert after.after is before.after
