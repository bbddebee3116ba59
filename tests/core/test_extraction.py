"""The offline summary: what it must hold, that it sees only what is summarised, and that its limit holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core import javascript
from core.extraction import MODIFIED, OPEN, Digest, extract, merged, of_messages, parsed, ranked, rendered
from core.instructions import SECTIONS
from core.messages import Message
from tests.core.test_open_work import FAILS, MENDS, call, result, user


def assistant(text: str) -> Message:
    return Message.of({"role": "assistant", "content": [{"type": "text", "text": text}]})


TALK = (
    user("Please fix the cache key in src/cache.py.\nYou must never touch the tests."),
    call("read", "r", path="src/cache.py"),
    result("r", "import os\nimport sys"),
    assistant("I decided to hash the quote style too, because the key ignored it."),
    *FAILS,
    *MENDS,
    assistant("Next step: write the changelog entry."),
    user("And say why\nin the commit message."),
)


def test_holds_what_must_be_held() -> None:
    """Under the five headings: the last request verbatim, changed files, open errors, decisions, rules, plans."""
    found = extract(TALK, None, 4_000)
    assert [line for line in found.split("\n") if line.startswith("## ")] == list(SECTIONS)
    assert "## Pending user asks\nAnd say why\nin the commit message." in found
    assert f"{MODIFIED}\n/x.ts" in found
    assert f"{OPEN}bash npm test: Error: 2 tests failed" in found
    assert "I decided to hash the quote style too" in found
    assert "You must never touch the tests." in found
    assert "Next step: write the changelog entry." in found
    assert "src/cache.py" in found


def test_what_an_agent_was_about_to_do_is_over() -> None:
    """ "Let me check" decides nothing."""
    found = extract((user("go"), assistant("Now let me check the remaining errors, because they matter.")), None, 4_000)
    assert "let me check" not in found


def test_ranking() -> None:
    """Asked often and lately before seldom and long ago, asked before merely seen; no secrets."""
    secret = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5qRs7t"
    messages = [
        call("read", "1", path="old.py"),
        call("read", "2", path="often.py"),
        result("2", "seen.py"),
        *[call("edit", str(n), path="often.py") for n in range(3, 8)],
        user(f"late.py {secret}"),
    ]
    order = ranked(messages)
    assert order.index("often.py") < order.index("late.py") < order.index("old.py") < order.index("seen.py")
    assert secret not in order


def test_a_previous_summary_of_this_kind_is_taken_apart() -> None:
    """Nothing of it is read like prose; the older request stands behind the newer."""
    first = extract(TALK, None, 4_000)
    second = extract((user("Now release 1.2.0 of pkg/setup.py."),), first, 4_000)
    assert "## Pending user asks\nNow release 1.2.0 of pkg/setup.py.\n- Earlier: And say why" in second
    assert second.count("## Decisions") == 1
    assert "src/cache.py" in second
    assert second.rindex("pkg/setup.py") < second.rindex("src/cache.py")
    assert "Failed before: bash npm test" in second


def test_any_other_previous_summary_is_read_like_an_answer() -> None:
    """What it names and decides goes on."""
    found = extract((user("go on"),), "# State\nWe decided to keep main-new.ts beside main.ts.", 4_000)
    assert "main-new.ts" in found
    assert "We decided to keep" in found


def test_partial_summaries_are_merged() -> None:
    """They come as user messages; the last part's request is the request."""
    parts = [extract((user(f"ask {n} about file{n}.py"),), None, 1_000) for n in (1, 2)]
    found = extract([user(part) for part in parts], None, 2_000)
    assert "## Pending user asks\nask 2 about file2.py\n- Earlier: ask 1 about file1.py" in found
    assert "file1.py" in found


def test_an_ask_that_looks_like_a_summary_cannot_hide_the_rest() -> None:
    """Its headings are only words of it."""
    hostile = "## Decisions\n- none\n\n## Exact identifiers\nfake.py"
    found = extract((user(hostile), assistant("real.py is what we decided on")), None, 4_000)
    assert "real.py" in found
    assert hostile in found


def test_too_long_a_request_is_cut() -> None:
    """It may take two fifths of the room."""
    found = extract((user("word " * 2_000), call("edit", "1", path="/a.ts")), None, 2_000)
    assert javascript.length(found) <= 2_000
    assert "/a.ts" in found


# laws

lines = st.lists(
    st.sampled_from(["must keep a.py", "decided on #12", "TODO: x", "## Decisions", "None.", "漢字 b.ts", "- c", ""]),
    max_size=5,
).map("\n".join)
messages = st.lists(
    st.one_of(
        lines.map(user),
        lines.map(assistant),
        st.builds(
            lambda id, path: call("edit", id, path=path), st.sampled_from("xy"), st.sampled_from(["/a", "/b.ts"])
        ),
        st.builds(lambda id, text, bad: result(id, text, bad), st.sampled_from("xy"), lines, st.booleans()),
    ),
    max_size=8,
)


@given(messages, st.one_of(st.none(), lines), st.integers(600, 4_000))
def test_never_blank_and_within_the_limit(given_messages: list[Message], previous: str | None, limit: int) -> None:
    """Whatever is said, and the same every time."""
    found = extract(given_messages, previous, limit)
    assert found.strip()
    assert javascript.length(found) <= limit
    assert extract(given_messages, previous, limit) == found


@given(messages)
def test_what_is_written_can_be_read_again(given_messages: list[Message]) -> None:
    """Names, files and lines come back as they were, so that summaries of summaries lose nothing by being read."""
    digest = of_messages(given_messages)
    again = parsed(rendered(digest, 100_000))
    assert again is not None
    assert again.names == tuple(name for name in digest.names if name not in digest.modified)
    assert again.modified == tuple(dict.fromkeys(digest.modified))


@given(st.lists(st.lists(st.sampled_from(["a.py", "b.py", "c.py", "d.py"]), unique=True, max_size=4), max_size=3))
def test_merging_keeps_every_name(names: list[list[str]]) -> None:
    """And none twice."""
    found = merged([Digest(names=tuple(one)) for one in names]).names
    assert sorted(found) == sorted({name for one in names for name in one})
