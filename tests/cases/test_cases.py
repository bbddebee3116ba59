"""Small sessions after public bug reports, and what a correct tool shows of them (expected.toml)."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from core.context import build
from core.errors import UnsupportedFormat
from core.format import open_session
from core.labels import labels

HERE = Path(__file__).resolve().parent
EXPECTED = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))
REFUSED = EXPECTED.pop("refused")


class Seen:
    """Every fact that expected.toml may name."""

    def __init__(self, name: str) -> None:
        self.session = session = open_session(HERE / f"{name}.jsonl")
        self._path = session.path_to(session.active_leaf)
        self._context = build(session, self._path)
        self._usages = [request.usage for request in session.requests()]
        self.format = session.format
        self.version = session.header.read_as if session.header else 3
        self.lines = session.lines
        self.entries = len(session)
        self.roots = len(session.roots)
        self.leaves = len(session.leaves)
        self.branch_points = len(session.branch_points)
        self.path = len(self._path)
        self.leaf_type = session.type_of(session.active_leaf)
        self.roles = [message.role for message in self._context.messages]
        self.messages = len(self._context.messages)
        self.model = list(self._context.model or ())
        self.requests = len(session.requests(self._path))
        self.mirrors = sum(reply.mirror for reply in session.columns.replies)
        self.fell_out = [session.columns.ids[row] for row in self._context.fell_out]
        self.labels = len(labels(session))
        self.duplicates = len(session) - len(set(session.columns.ids))
        self.reads = [usage.read for usage in self._usages]
        self.writes = [usage.write for usage in self._usages]
        self.other_usage = sum(usage.total for _, usage in session.columns.other_usage)

    @property
    def problems(self):
        found: dict[str, list[int]] = {}
        for problem in self.session.problems:
            found.setdefault(problem.code, []).append(problem.line)
        return found

    @property
    def tokens_before(self):
        rows = [row for row in range(len(self.session)) if self.session.type_of(row) == "compaction"]
        return [self.session.body(row)["tokensBefore"] for row in rows]

    @property
    def last_prompt(self):
        return self._usages[-1].prompt

    @property
    def cached_percent(self):
        return round(100 * sum(u.read for u in self._usages) / sum(u.prompt for u in self._usages), 1)

    def usage(self, wanted):
        return {name: sum(getattr(usage, name) for usage in self._usages) for name in wanted}

    def chars(self, wanted):
        return {id: self.session.columns.chars[self.session.row_of(id)] for id in wanted}

    def holds(self, text: str) -> bool:
        """Stands the text whole in a string of a message of the context, or (a control character) in any of them?"""
        strings = list(_strings([message.json() for message in self._context.messages]))
        return text in strings or (len(text) == 1 and any(text in string for string in strings))


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


@pytest.mark.parametrize("name", EXPECTED)
def test_shows(name):
    """All counts of the case at once: a difference prints both."""
    expected = dict(EXPECTED[name])
    seen = Seen(name)
    for text in expected.pop("present", ()):
        assert seen.holds(text), text
    for text in expected.pop("absent", ()):
        assert not seen.holds(text), text
    if expected.pop("undecided", False):
        expected["format"] = "pi"
    expected.setdefault("problems", {})
    facts = {}
    for fact, wanted in expected.items():
        value = getattr(seen, fact)
        facts[fact] = value(wanted) if callable(value) else value
    assert facts == expected


@pytest.mark.parametrize("name", EXPECTED)
def test_every_problem_says_what_and_what_next(name):
    """A Problem renders in both languages, without a hole, and has a hint."""
    for problem in Seen(name).session.problems:
        for said in (problem.message, problem.hint):
            text = str(said)
            assert text
            assert "{" not in text
            assert not text.startswith("problem.")


@pytest.mark.parametrize(("name", "named"), REFUSED.items())
def test_other_formats_are_named_and_refused(name, named):
    """Never "a session with 0 messages": the error says what the file is and what to open instead."""
    with pytest.raises(UnsupportedFormat) as refused:
        open_session(HERE / f"{name}.jsonl")
    assert named in str(refused.value)
    assert "Open " in str(refused.value)


@pytest.mark.parametrize("path", sorted(HERE.glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_case_is_forgotten(path):
    assert path.stem in EXPECTED or path.stem in REFUSED


@pytest.mark.parametrize("name", ["15-header-line-cut-in-half", "32-v1-first-kept-index-counts-header"])
def test_reading_leaves_the_file_alone(name, tmp_path):
    """Migration and repair happen in memory only."""
    copy = tmp_path / "copy.jsonl"
    data = (HERE / f"{name}.jsonl").read_bytes()
    copy.write_bytes(data)
    session = open_session(copy)
    build(session, session.path_to(session.active_leaf))
    assert copy.read_bytes() == data


def test_a_half_character_can_be_exported():
    """Strict UTF-8 can hold every body once it is JSON again."""
    session = Seen("38-lone-surrogates").session
    for row in range(len(session)):
        json.dumps(session.body(row)).encode("utf-8")
