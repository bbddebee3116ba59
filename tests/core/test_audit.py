"""Audits: what of the summarised part stands in a summary, in the tail, what is lost and asked for again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit import Held, Region, audit
from core.compaction_audit import of_recorded, places
from core.identifiers import Identifier, find
from core.retention import Mentions, mentions
from core.session import Session
from tests.core.drawn import call, opened, said


def session_of(tmp_path, summary: str) -> Session:
    """u(request) a(read) r │ kept: a │ C │ later: a(read again) u"""
    return opened(
        said("user", "fix #812 in src/cache.py please, token sk-ant-api03-Ab3dEf6hIj9kLm2nOp5qRs7t"),
        said("assistant", "I look.", call("read", path="src/cache.py"), call("edit", "t2", path="src/keys.py")),
        said("toolResult", "import os\nPYTHONHASHSEED=4127\ncommit 3d9c508c", toolCallId="t1", toolName="read"),
        said("assistant", "It is in src/keys.py."),
        {"type": "compaction", "summary": summary, "firstKeptEntryId": "e3", "tokensBefore": 900},
        said("assistant", "Once more.", call("read", "t3", path="src/cache.py")),
        said("user", "and what was PYTHONHASHSEED=4127?"),
        tmp_path=tmp_path,
    )


def audited(tmp_path, summary: str):
    session = session_of(tmp_path, summary)
    path = session.path_to(session.active_leaf)
    index = mentions(session, path)
    (place,) = places(session, path)
    return session, of_recorded(index, place)


def by_text(found):
    return {item.identifier.text: item for item in found.items}


def test_kept_changed_lost(tmp_path) -> None:
    """Exactly, in another form, in the tail only, or not at all; what is missed comes first."""
    _, found = audited(tmp_path, "We fix #812. The cache (cache.py) is wrong since 3d9c508cafe.")
    items = by_text(found)
    assert items["#812"].kept
    assert (items["src/cache.py"].kept, items["src/cache.py"].form) == (False, "cache.py")
    assert items["3d9c508c"].form == "3d9c508cafe"
    assert (items["src/keys.py"].in_tail, items["src/keys.py"].lost) == (True, False)
    assert items["PYTHONHASHSEED=4127"].missed
    assert found.items[0].identifier.text == "PYTHONHASHSEED=4127"
    assert [item.identifier.text for item in found.missed] == ["PYTHONHASHSEED=4127"]


def test_used_later(tmp_path) -> None:
    """How many later entries ask for it, and which is the first."""
    session, found = audited(tmp_path, "nothing")
    items = by_text(found)
    assert (items["src/cache.py"].used, items["src/cache.py"].first_use) == (1, 5)
    assert (items["PYTHONHASHSEED=4127"].used, items["PYTHONHASHSEED=4127"].first_use) == (1, 6)
    assert (items["#812"].used, items["#812"].first_use) == (0, None)
    assert (found.refetched, found.fetches) == (1, 1)
    assert items["src/cache.py"].first == 0
    assert session.columns.ids[items["PYTHONHASHSEED=4127"].first] == "e2"


def test_secrets_are_masked(tmp_path) -> None:
    """An audit may be shown, exported, filed."""
    _, found = audited(tmp_path, "nothing")
    (secret,) = [item for item in found.items if item.identifier.kind == "secret"]
    assert "Ab3dEf6h" not in secret.identifier.shown


def test_requests_files_and_sections(tmp_path) -> None:
    """The last request verbatim or in words, changed files, the headings of the safeguard, the cap."""
    _, found = audited(
        tmp_path, "## Decisions\nthe user wants #812 fixed in the cache, please\n## Open TODOs\nsrc/keys.py"
    )
    assert found.ask is not None
    assert found.ask.startswith("fix #812")
    assert (found.ask_kept, found.ask_reflected) == (False, True)
    assert found.modified == ("src/keys.py",)
    assert found.modified_kept == ("src/keys.py",)
    assert found.sections == (True, True, False, False, False)
    assert not found.over_cap
    session = session_of(tmp_path, "x" * 16_001)
    path = session.path_to(session.active_leaf)
    assert of_recorded(mentions(session, path), places(session, path)[0]).over_cap


def test_what_fell_out(tmp_path) -> None:
    """Before 0.65 the second summary begins behind the first: what only the first had kept is in none."""
    session = opened(
        said("user", "about a.py"),
        said("assistant", "and b.py"),
        {"type": "compaction", "summary": "a", "firstKeptEntryId": "e1", "tokensBefore": 9},
        said("user", "about c.py"),
        {"type": "compaction", "summary": "c", "firstKeptEntryId": "e5", "tokensBefore": 9},
        said("user", "open b.py again"),
        tmp_path=tmp_path,
    )
    path = session.path_to(session.active_leaf)
    index = mentions(session, path)
    old = [of_recorded(index, place) for place in places(session, path, "2026.3")]
    new = [of_recorded(index, place) for place in places(session, path, "2026.4")]
    assert [audit.fell_out for audit in old] == [(), (1,)]
    assert [item.identifier.text for item in old[1].fallen] == ["b.py"]
    assert [audit.fell_out for audit in new] == [(), ()]
    assert "b.py" in by_text(new[1])


def test_the_previous_summary_went_in_too(tmp_path) -> None:
    """Its identifiers can be lost by the second summary, though no message mentions them again."""
    session = opened(
        said("user", "about a.py"),
        {"type": "compaction", "summary": "so far: a.py and deadbeef1", "tokensBefore": 9},
        said("user", "about c.py"),
        {"type": "compaction", "summary": "c.py", "tokensBefore": 9},
        tmp_path=tmp_path,
    )
    path = session.path_to(session.active_leaf)
    _, second = (of_recorded(mentions(session, path), place) for place in places(session, path))
    assert {item.identifier.text: item.lost for item in second.items} == {
        "c.py": False,
        "a.py": True,
        "deadbeef1": True,
    }


def test_indexing_can_be_stopped(tmp_path) -> None:
    """What was not looked at holds nothing."""
    session = session_of(tmp_path, "x")
    path = session.path_to(session.active_leaf)
    index = mentions(session, path, lambda at: False)
    assert index.names == ()
    assert len(index.held) == len(path)


# the text of a summary


@pytest.mark.parametrize(
    ("text", "wanted", "there"),
    [
        ("see main.ts.", "main.ts", True),
        ("`main.ts`", "main.ts", True),
        ("src/main.ts", "main.ts", False),
        ("main.ts.bak", "main.ts", False),
        ("my-main.ts", "main.ts", False),
        ("path=/a/b.py,", "/a/b.py", True),
        ("#8123", "#812", False),
        ("issue 42 is", "issue 42", True),
        ("issue 421", "issue 42", False),
    ],
)
def test_contains(text: str, wanted: str, there: bool) -> None:
    """At borders of words: a longer name is another name."""
    assert Held(text).contains(wanted) is there


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        ("in src/main.ts", Identifier("path", "/w/src/main.ts"), "src/main.ts"),
        ("in /w/src/main.ts", Identifier("path", "src/main.ts"), "/w/src/main.ts"),
        ("in other/main.ts", Identifier("path", "src/main.ts"), ""),
        ("in 3d9c508c", Identifier("hash", "3d9c508cafe0123"), "3d9c508c"),
        ("Cache_Key CACHE_KEY2 cache_key", Identifier("env", "CACHE_KEY"), ""),
        ("in SRC/MAIN.TS", Identifier("path", "src/main.ts"), "SRC/MAIN.TS"),
    ],
)
def test_other_form(text: str, name: Identifier, form: str) -> None:
    """A path by its end, a hash by its beginning, other letter case."""
    assert Held(text).other_form(name) == form


# laws

words = st.sampled_from(["a.py", "src/b.py", "#12", "deadbeef1", "PR 7", "ENOENT", "the", "fix", "CACHE_KEY", "漢字"])
texts = st.lists(words, max_size=6).map(" ".join)


@given(st.lists(texts, min_size=1, max_size=6), texts, st.integers(0, 6), st.integers(0, 6))
def test_an_audit_tells_only_what_is_there(said_texts: list[str], summary: str, first: int, second: int) -> None:
    """Every identifier stands in the summarised part; kept, form and tail are true of the texts."""
    cut, end = sorted((min(first, len(said_texts)), min(second, len(said_texts))))
    index = index_of(said_texts)
    region = Region(range(cut), range(cut, end), range(end, len(said_texts)))
    found = audit(index, region, summary)
    for item in found.items:
        name = item.identifier.text
        assert any(name in text for text in said_texts[:cut])
        assert not item.kept or name in summary
        assert not item.form or item.form in summary
        assert item.in_tail is any(name in [one.text for one in find(text)] for text in said_texts[cut:end])
        assert item.used == sum(name in [one.text for one in find(text)] for text in said_texts[end:])
    assert found.kept + found.in_tail + len(found.lost) >= 0
    assert len(found.missed) <= len(found.lost) <= found.found


def index_of(said_texts: list[str]) -> Mentions:
    """The index of user messages with these texts, made without a file."""
    from array import array

    numbers: dict[Identifier, int] = {}
    held, uses = [], {}
    for at, text in enumerate(said_texts):
        named = sorted({numbers.setdefault(name, len(numbers)) for name in find(text)})
        held.append(array("i", named))
        for number in named:
            uses.setdefault(number, array("i")).append(at)
    rows = tuple(range(len(said_texts)))
    return Mentions(rows, tuple(numbers), tuple(held), tuple(held), uses, (), numbers)
