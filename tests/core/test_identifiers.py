"""Identifiers in a text: every kind by its form, ordinary words and code left alone, and only what stands there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.identifiers import _LETTER, _SPOKEN, KINDS, Finder, Identifier, find, spoken
from core.runs import LONGEST, Joined, batches


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("id 550e8400-e29b-41d4-a716-446655440000.", "uuid", "550e8400-e29b-41d4-a716-446655440000"),
        ("commit 3d9c508c fixes it", "hash", "3d9c508c"),
        ("sha 0123456789abcdef0123456789abcdef01234567", "hash", "0123456789abcdef0123456789abcdef01234567"),
        ("see https://example.com/a/b?c=1, or", "url", "https://example.com/a/b?c=1"),
        ("(http://x.io/y)", "url", "http://x.io/y"),
        ("ask db.example.com for it", "host", "db.example.com"),
        ("at 10.0.0.7 now", "ip", "10.0.0.7"),
        ("at 10.0.0.7:5432 now", "port", "10.0.0.7:5432"),
        ("on localhost:3000", "port", "localhost:3000"),
        ("listens on port 8080", "port", "port 8080"),
        ("in src/core/session.ts:12:3: wrong", "path", "src/core/session.ts"),
        ("edit /srv/app/conf.d now", "path", "/srv/app/conf.d"),
        ("`main-new.ts`", "path", "main-new.ts"),
        (r"C:\Users\ann\notes.txt", "path", r"C:\Users\ann\notes.txt"),
        ("in ~/notes", "path", "~/notes"),
        (".github/workflows/ci.yml", "path", ".github/workflows/ci.yml"),
        ("PYTHONHASHSEED=4127 pytest", "env", "PYTHONHASHSEED=4127"),
        ("set $CACHE_KEY first", "env", "CACHE_KEY"),
        ("error TS2345: no", "error", "TS2345"),
        ("connect ECONNREFUSED", "error", "ECONNREFUSED"),
        ("raised ValueError: no", "error", "ValueError"),
        ("Command exited with exit code 137", "error", "exit code 137"),
        ("see PR #45123", "issue", "PR #45123"),
        ("fixed in #812", "issue", "#812"),
        ("owner/repo#12", "issue", "owner/repo#12"),
        ("ticket ABC-123 is done", "id", "ABC-123"),
        ("order 20260405", "id", "20260405"),
        ("test_parse_nested_quotes fails", "id", "test_parse_nested_quotes"),
        ("req_011CVvAQm5gLufA1cDeHobKh", "id", "req_011CVvAQm5gLufA1cDeHobKh"),
    ],
)
def test_kinds(text: str, kind: str, found: str) -> None:
    """Without the punctuation around it."""
    assert (kind, found) in [(one.kind, one.text) for one in find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "the quick brown fox",
        "this.agent.abort() and foo.bar",
        "and/or, read/write, kept/lost",
        "application/json and text/plain",
        'import x from "../config.js"',
        "console.log(process.env)",
        "E2E, UTF-8, ISO-8601",
        "2026-04-05",
        "décadé façade",
        "v1.2.3",
        "\\n\\t\\tthis.sessionManager.save",
    ],
)
def test_ordinary_words_are_none(text: str) -> None:
    """What code and prose are full of."""
    assert find(text) == ()


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5qRs7t",
        "ghp_" + "a1B2" * 9,
        "AKIAIOSFODNN7EXAMPLE",
        "Xk9Lm2Qp7Rt4Vw8Zb3Nc6Hj1Ys5Df0Ga",
    ],
)
def test_keys_are_masked(secret: str) -> None:
    """They are told by their beginning at most."""
    (found,) = find(f"use {secret} here")
    assert found.kind == "secret"
    assert secret not in found.shown
    assert secret.startswith(found.shown.rstrip("…"))


def test_an_assigned_secret_leaves_its_name() -> None:
    """The variable is an identifier; its value is none of anybody's business."""
    assert [(one.kind, one.text) for one in find("API_TOKEN=ghp_" + "a1B2" * 9)] == [("env", "API_TOKEN")]


def test_an_address_with_a_password_is_not_told() -> None:
    """Not even without it: what is left would not be what stands there."""
    assert not any("hunter2" in one.text for one in find("postgres://app:hunter2@db.example.com/x"))


def test_encoded_data_are_passed_over() -> None:
    """A run of more than 300 characters is no name."""
    assert find("A1b2" * 100) == ()
    assert len("A1b2" * 100) > LONGEST


def test_many_texts_at_once() -> None:
    """Each gets its own, also where one spans a batch."""
    texts = ["a.py b.py", "", "漢字 see c.py", "PR 12", "x" * 5_000_000, "d.py"]
    found = [[one.text for one in names] for names in Finder().find_all(texts)]
    assert found == [["a.py", "b.py"], [], ["c.py"], ["PR 12"], [], ["d.py"]]


alphabet = st.sampled_from([*"aE1f/._-:#=@~ \n\"'`()漢\ud800", "src/a.py", "PR 12", "https://", "exit code 1"])


def test_half_a_surrogate_pair_is_no_part_of_a_name() -> None:
    """It ends a run; nothing stands in its place."""
    assert [one.text for one in find("https://a\ud800a src/b.py\udc00")] == ["src/b.py"]


@given(st.lists(alphabet, max_size=40).map("".join))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    """Exactly as told, of a known kind, and only once."""
    found = find(text)
    assert all(one.text in text for one in found)
    assert all(one.kind in KINDS and len(one.text) >= 3 for one in found)
    assert len(set(found)) == len(found)


@given(st.lists(st.text(max_size=30), max_size=8))
def test_runs_stand_in_their_texts(texts: list[str]) -> None:
    """Whatever the characters: every run is a piece of the text it is said to be in."""
    for batch in batches(texts):
        for index, run in batch.runs():
            assert run.decode("ascii") in texts[index]


@given(st.lists(st.text(max_size=10), min_size=1, max_size=8))
def test_every_byte_has_its_text(texts: list[str]) -> None:
    """The way back from a place in the joined bytes."""
    joined = Joined(texts)
    at = 0
    for index, text in enumerate(texts):
        size = len(text.encode("utf-8", "surrogatepass"))
        assert all(joined.owner(place) == index for place in range(at, at + size))
        at += size + 1


PIECES = (
    "PR ",
    "pr ",
    "MR ",
    "issue ",
    "Issue ",
    "Pull request ",
    "no. ",
    "no ",
    "#",
    "exit code",
    "exit status",
    "errno",
)
PIECES = (
    *PIECES,
    "HTTP ",
    "port ",
    "Port",
    "port ",
    "12",
    "404",
    "1234567",
    "8080",
    "=",
    ": ",
    " ",
    "x",
    "\n",
    "é",
    ".",
)


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), min_size=1, max_size=4))
def test_words_with_a_number_are_found_as_by_reading_on(texts: list[str]) -> None:
    """Looking for numbers first finds what looking for every word finds, in the same order."""
    joined = Joined(texts)
    plain: list[tuple[int, Identifier]] = []
    for word, back, kind, form in _SPOKEN:
        at = joined.data.find(word)
        while at >= 0:
            match = form.match(joined.data, max(0, at - back))
            if match is not None and not (match.start() and _LETTER.match(joined.data, match.start() - 1)):
                plain.append((joined.owner(at), Identifier(kind, match.group().decode("ascii"))))
            at = joined.data.find(word, at + len(word))
    assert list(spoken(joined)) == plain
