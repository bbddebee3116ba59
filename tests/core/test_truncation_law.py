"""The law of safe truncation, over any session: an agent takes up the same afterwards, and only history went."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.context import build
from core.copying import copied
from core.errors import RequestError, StratascopeError
from core.format import open_session
from core.truncation import Settings
from core.truncation_after import leaf_after
from core.truncation_bytes import changes
from core.truncation_look import Truncation, look
from core.truncation_write import read, write
from tests.core.dags import files
from tests.soak import CASES, damaged


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def taken_up(session, leaf):  # type: ignore[no-untyped-def]
    """Everything that an agent takes up at a leaf, whole."""
    context = build(session, session.path_to(leaf))
    return [message.json() for message in context.messages], context.thinking_level, context.model


def truncated(place: Path, data: bytes, chosen: int | None, wanted: Settings):  # type: ignore[no-untyped-def]
    (place / "before.jsonl").write_bytes(data)
    before = open_session(place / "before.jsonl")
    leaf = before.active_leaf if chosen is None or not before.leaves else before.leaves[chosen % len(before.leaves)]
    made = look(before, leaf, wanted)
    (place / "after.jsonl").write_bytes(b"".join(copied(before, changes(before, made.plan))))
    return before, made, open_session(place / "after.jsonl")


@settings(max_examples=100, deadline=None)
@given(files, st.none() | st.integers(0, 9), st.booleans(), st.booleans())
def test_safe_truncation_changes_nothing_for_an_agent(
    place: Path, data: bytes, chosen: int | None, labelled: bool, branches: bool
) -> None:
    """Messages, thinking level and model stay, at the chosen leaf and where the file opens; with every setting."""
    wanted = Settings(keep_labelled=labelled, keep_side_branches=branches)
    before, made, later = truncated(place, data, chosen, wanted)
    assert made.equal
    assert made.bytes_after == later.size
    assert taken_up(before, before.active_leaf) == taken_up(later, later.active_leaf)
    assert taken_up(before, made.plan.leaf) == taken_up(later, leaf_after(before, made.plan, made.plan.leaf))
    kinds = {before.type_of(row) for row in made.plan.removed}
    gone = {"message", "label", "branch_summary"} | (set() if branches else {"custom_message", "compaction"})
    assert kinds <= gone, "settings, custom and unknown entries stay"
    _only_lines_went(data, (place / "after.jsonl").read_bytes(), made)


def _only_lines_went(before: bytes, after: bytes, made: Truncation) -> None:
    """Every line of the new file is one of the old, in order; only parents differ, and only where the plan says so."""
    old, new = before.split(b"\n"), after.split(b"\n")
    at, hung = 0, 0
    for line in new:
        while at < len(old) and _bare(old[at]) != _bare(line):
            at += 1
        assert at < len(old), f"a line that was not there: {line!r}"
        hung += old[at] != line
        at += 1
    assert hung <= len(made.plan.reparented)
    assert len(old) - len(new) == len(made.plan.removed)


def _bare(line: bytes) -> bytes:
    return re.sub(rb'"parentId": ?("[^"]*"|null)', b'"parentId":', line)


@settings(max_examples=50, deadline=None)
@given(files)
def test_the_agents_way_tells_what_it_loses(place: Path, data: bytes) -> None:
    """Mode "reference" may change the context; then it says so before anything is written, and is right about it."""
    before, made, later = truncated(place, data, None, Settings(mode="reference"))
    same = taken_up(before, before.active_leaf) == taken_up(later, later.active_leaf)
    assert made.equal == same
    assert same or made.warnings


@settings(max_examples=25, deadline=None)
@given(files)
def test_twice_is_once(place: Path, data: bytes) -> None:
    """What safe truncation left is what it leaves: a second one finds nothing to remove."""
    _, _, later = truncated(place, data, None, Settings())
    assert not look(later, later.active_leaf).plan.removed


WOUNDED = [path for path in CASES if path.stat().st_size < 20_000 and b'"compaction"' in path.read_bytes()]


def test_damaged_files(tmp_path: Path) -> None:
    """Bytes flipped, lines cut and glued: what can be read is truncated without loss, or refused and left alone."""
    chance = random.Random(8)
    path, done, written = tmp_path / "damaged.jsonl", tmp_path / "done.jsonl", 0
    for _ in range(150):
        path.write_bytes(damaged(chance.choice(WOUNDED).read_bytes(), chance))
        try:
            session = read(str(path))
        except StratascopeError:
            continue
        made = look(session, session.active_leaf)
        assert made.equal
        if made.plan.reason is None:
            done.unlink(missing_ok=True)
            try:
                assert write(session, made, str(done)) == made.bytes_after
                written += 1
            except RequestError as refused:  # another kind of file is glued to it, and is all that is seen afterwards
                if refused.phrase.id != "truncation.not_proven":
                    raise
    assert written > 20
