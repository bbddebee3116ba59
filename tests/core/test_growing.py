"""A session that is read in pieces, or followed, is the session that is read at once."""

from __future__ import annotations

import json
import os
from itertools import pairwise

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.following import Following
from core.formats import pi
from core.instants import instants
from core.javascript import epoch_ms
from core.lines import RecordedFile
from core.part import grown
from core.reply import NO_TIME
from tests.core.test_hostile import HEADER, L, described, entry_texts, message


def following(path) -> Following:
    return Following(pi.Reading(RecordedFile.at(path)))


def take(follow: Following) -> None:
    for _ in follow.read(1 << 20, lambda done, whole, entries: True):
        pass


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(entry_texts(), min_size=1, max_size=9), st.lists(st.integers(0, 2000), max_size=4), st.booleans())
def test_any_file_in_any_pieces(tmp_path_factory, entries, cuts, headed):
    """
    bytes ──┬──┬────┬── the file grows at any byte     Part + Part + Part = what one reading gives
    """
    path = tmp_path_factory.mktemp("g") / "s.jsonl"
    lines = [json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") for entry in entries]
    data = L.join([HEADER] * headed + lines) + L
    bounds = sorted({max(1, min(cut, len(data))) for cut in cuts} | {len(data)})
    path.write_bytes(data[: bounds[0]])
    follow, session = following(path), None
    take(follow)
    session = grown(session, follow.part())
    for start, end in pairwise(bounds):
        with open(path, "ab") as file:
            file.write(data[start:end])
        state = follow.look()
        assert state != "same"
        if state == "other":  # a line was taken that is going on: it is read again
            follow, session = following(path), None
        take(follow)
        session = grown(session, follow.part())
    whole = pi.read(RecordedFile.at(path))
    assert described(session) == described(whole)
    for id in {*whole.columns.ids, "zz"}:
        assert session.row_of(id) == whole.row_of(id)


def test_parents_that_come_later(tmp_path):
    """
    Part 1   a  c(b)           c: unknown parent
    Part 2   b(a)              c hangs from b now: told as moved
    """
    path = tmp_path / "s.jsonl"
    path.write_bytes(L.join([HEADER, message("a", None), message("c", "b")]) + L)
    follow = following(path)
    take(follow)
    first = grown(None, follow.part())
    assert [problem.code for problem in first.problems] == ["dangling_parent"]
    with open(path, "ab") as file:
        file.write(message("b", "a") + L)
    assert follow.look() == "grew"
    take(follow)
    part = follow.part()
    assert (part.first, len(part), part.moved) == (2, 1, ((1, 2, None),))
    second = grown(first, part)
    assert list(second.columns.parent) == [-1, 2, 0]
    assert second.problems == ()
    assert list(first.columns.parent) == [-1, -2]


stamps = st.sampled_from(
    ["2026-03-01T08:00:04.370Z", "2024-02-29T23:59:59.999Z", "2023-02-29T00:00:00.000Z", "1969-12-31T23:59:59.999Z"]
) | st.datetimes().map(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%S.000Z").rjust(24, "0"))


@given(st.lists(stamps | st.text(max_size=24), max_size=12))
def test_instants_are_epoch_ms(found):
    """All at once or one by one: the same."""
    wanted = [NO_TIME if (one := epoch_ms(stamp)) is None else one for stamp in found]
    assert list(instants(found)) == wanted


def test_a_line_end_on_its_own(tmp_path):
    """A line came without its end, then the end alone, then another line: nothing is read again."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(L.join([HEADER, message("a", None)]))
    follow = following(path)
    take(follow)
    session = grown(None, follow.part())
    for more in (L, message("b", "a"), L, message("c", "b")[:9], message("c", "b")[9:] + L):
        with open(path, "ab") as file:
            file.write(more)
        assert follow.look() == "grew", more
        take(follow)
        session = grown(session, follow.part())
    assert session.columns.ids == ("a", "b", "c")
    assert session.problems == ()


def test_stamped_before_it_is_longer(tmp_path):
    """Whoever appends stamps a file and lengthens it then. Between the two it is the same; if it stays so, it is
    another."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(L.join([HEADER, message("a", None)]) + L)
    follow = following(path)
    take(follow)
    facts = path.stat()
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns + 1_000_000))
    assert follow.look() == "same"
    assert follow.look() == "other"
