"""The verb `truncate`: what it says, what it writes, how it goes back, and that it writes nothing else."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from core import cli
from core.format import open_session
from core.lines import RecordedFile
from core.truncation_sources import sources
from tests.core.drawn import opened, said

SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "flaky-test.jsonl"


@pytest.fixture
def run(capfdbinary):  # type: ignore[no-untyped-def]
    def run(*argv: object):  # type: ignore[no-untyped-def]
        code = cli.run(["truncate", *(str(word) for word in argv)])
        out, err = capfdbinary.readouterr()
        return code, out.decode("utf-8"), err.decode("utf-8")

    return run


@pytest.fixture
def told(run):  # type: ignore[no-untyped-def]
    def told(*argv: object):  # type: ignore[no-untyped-def]
        code, out, err = run(*argv, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return told


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The bundled sample: a compaction, a label, a side branch."""
    return Path(shutil.copy(SAMPLE, tmp_path / "s.jsonl"))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


KEYS = {
    *("entries_before", "entries_after", "removed", "reparented", "bytes_before", "bytes_after", "archive", "output"),
    *("context_equal", "reason", "warnings"),
}


def test_a_dry_run(told, session: Path) -> None:  # type: ignore[no-untyped-def]
    """Every key of the specification, and not a byte written."""
    before = session.read_bytes()
    found = told(session)
    assert found.keys() >= KEYS
    assert found["entries_before"] - len(found["removed"]) == found["entries_after"]
    assert (found["archive"], found["output"], found["reason"]) == (None, None, None)
    assert found["context_equal"] is True
    assert found["bytes_before"] == len(before) > found["bytes_after"]
    assert [item["because"] for item in found["kept"]] == ["labelled"]
    assert all(item.keys() == {"entry", "old", "new"} for item in found["reparented"])
    assert names(session.parent) == ["s.jsonl"]
    assert session.read_bytes() == before


def test_a_new_file(told, session: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """As long as it said, with the entries it said, and the session stays as it was."""
    before = session.read_bytes()
    found = told(session, "--output", tmp_path / "new.jsonl")
    later = open_session(tmp_path / "new.jsonl")
    assert found["output"] == str(tmp_path / "new.jsonl")
    assert (len(later), later.size) == (found["entries_after"], found["bytes_after"])
    assert not set(found["removed"]) & set(later.columns.ids)
    for item in found["reparented"]:
        assert later.entry(later.row_of(item["entry"])).parent_id == item["new"]
    assert session.read_bytes() == before


def test_in_place_and_back(told, session: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """The archive is the old file; undone, the file is the archive, and what stood there is archived in turn."""
    before = session.read_bytes()
    found = told(session, "--in-place")
    assert (found["output"], found["archive"]) == (str(session), str(tmp_path / "s.jsonl.bak-1"))
    assert Path(found["archive"]).read_bytes() == before
    short = session.read_bytes()
    assert len(short) == found["bytes_after"]
    back = told(session, "--undo", found["archive"])
    assert back.keys() >= KEYS
    assert session.read_bytes() == before
    assert sorted(back["restored"]) == sorted(found["removed"])
    assert Path(back["archive"]).read_bytes() == short
    assert names(tmp_path) == ["s.jsonl", "s.jsonl.bak-1", "s.jsonl.bak-2"]


def test_undo_keeps_what_was_written_since(told, session: Path) -> None:  # type: ignore[no-untyped-def]
    """An agent went on in the truncated file: its entries follow the old ones."""
    archive = told(session, "--in-place")["archive"]
    leaf = open_session(session).columns.ids[-1]
    line = json.dumps({"type": "message", "id": "later", "parentId": leaf, "message": {"role": "user", "content": "x"}})
    with session.open("a") as file:
        file.write(line + "\n")
    back = told(session, "--undo", archive)
    assert back["since"] == ["later"]
    assert back["context_equal"] is True
    assert session.read_bytes() == Path(archive).read_bytes() + line.encode() + b"\n"


def test_an_archive_of_another_file(run, told, session: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Refused: by its header, and by entries it does not have in the middle."""
    before = session.read_bytes()
    lines = before.split(b"\n")
    (tmp_path / "other").write_bytes(b"\n".join(lines[:9] + lines[10:]))
    code, _, err = run(session, "--undo", tmp_path / "other")
    assert (code, "is no archive of" in err) == (1, True)
    opened(said("user", "x"), tmp_path=tmp_path)
    assert "is no archive of" in run(session, "--undo", tmp_path / "session.jsonl")[2]
    assert session.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "reason"),
    [(("--request", "1"), "NO_COMPACTION"), (("--set", "truncate.above=100000000"), "BELOW_SIZE")],
)
def test_nothing_to_do(told, run, session: Path, words: tuple[str, ...], reason: str) -> None:  # type: ignore[no-untyped-def]
    """A reason, the same sizes, and nothing written even if asked for."""
    found = told(session, *words, "--in-place")
    assert (found["reason"], found["removed"], found["output"]) == (reason, [], None)
    assert found["bytes_before"] == found["bytes_after"]
    assert found["why"] in run(session, *words)[1]
    assert names(session.parent) == ["s.jsonl"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--in-place", "--output", "x"), 2, "not allowed with"),
        (("--set", "guard.budget=1"), 2, "is no setting of a truncation"),
        (("--set", "truncate.mode=fast"), 2, "safe, reference"),
        (("--set", "truncate.fields=1"), 2, "keep_labelled"),
        (("--leaf", "nobody"), 1, "has no entry"),
        (("--request", "9999"), 1, "no request 9999"),
        (("--undo", "nowhere"), 1, "there is no such file"),
        (("--output", "s.jsonl"), 1, "there already"),
    ],
)
def test_refusals(run, session: Path, monkeypatch, words, code: int, said: str) -> None:  # type: ignore[no-untyped-def]
    """One sentence each, and nothing written."""
    monkeypatch.chdir(session.parent)
    before = session.read_bytes()
    found, out, err = run(session.name, *words)
    assert (found, out) == (code, "")
    assert said in err
    assert err.count("\n") == 1
    assert session.read_bytes() == before
    assert names(session.parent) == ["s.jsonl"]


def test_the_agents_way_is_not_written_over_a_file(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Where it changes the context; a new file may have it, and says so."""
    label = {"type": "label", "targetId": "e0", "label": "x"}
    kept = {"type": "compaction", "summary": "S", "tokensBefore": 1, "firstKeptEntryId": "e1"}
    path = opened(said("user", "1"), label, said("user", "2"), kept, tmp_path=tmp_path).path
    code, _, err = run(path, "--in-place", "--set", "truncate.mode=reference")
    assert (code, "another context" in err) == (1, True)
    code, out, _ = run(path, "--output", tmp_path / "new", "--set", "truncate.mode=reference", "--json")
    found = json.loads(out)
    assert (code, found["context_equal"]) == (0, False)
    assert [item["code"] for item in found["warnings"]] == ["tail_lost", "labels_lost"]
    assert run(path)[1].count("Kept although summarised") == 1


def test_version_1_in_place_only_when_allowed(run, told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Its entries would get ids; a new file has them without asking, and both say so."""
    path = tmp_path / "v1.jsonl"
    rows = [
        {"type": "session", "id": "old"},
        *({"type": "message", "message": {"role": "user", "content": str(n)}} for n in range(4)),
    ]
    rows.append({"type": "compaction", "summary": "S", "firstKeptEntryIndex": 3, "tokensBefore": 1})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "truncate.migrate=on" in run(path, "--in-place")[2]
    assert [item["code"] for item in told(path)["warnings"]] == ["ids"]
    found = told(path, "--in-place", "--set", "truncate.migrate=on")
    assert found["removed"] == ["00000001", "00000002"]
    later = open_session(path)
    assert later.header is not None
    assert (later.header.version, later.columns.ids) == (3, ("00000003", "00000004", "00000005"))
    assert told(path, "--undo", found["archive"])["restored"] == ["00000001", "00000002"]


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_and_second_names_are_told(told, session: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Which file changed, and that another name of it did not."""
    os.link(session, tmp_path / "twin")
    (tmp_path / "link").symlink_to(session)
    found = told(tmp_path / "link", "--in-place")
    assert found["output"] == str(session)
    assert {"linked", "other_names"} <= {item["code"] for item in found["warnings"]}
    assert (tmp_path / "twin").stat().st_size == found["bytes_before"]


def test_where_the_bytes_come_from(told, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """e0 ─ e1 ─ e2 ─ e3, left; e0 ─ e4 ─ e5(= e1) ─ e6(= e2) ─ e7; and e8 says what e0 says.
    Kinds and rest make up the file; one stretch of two was written again."""
    session = opened(
        said("user", "start" * 20),
        said("assistant", "one"),
        said("user", "two"),
        said("assistant", "left"),
        {"type": "custom", "customType": "x", "parentId": "e0"},
        said("assistant", "one"),
        said("user", "two"),
        said("assistant", "now"),
        said("user", "start" * 20),
        tmp_path=tmp_path,
    )
    found = told(session.path)["sources"]
    assert sum(item["bytes"] for item in found["kinds"]) + found["rest"] == session.size
    assert [item["kind"] for item in found["kinds"]] == ["message/user", "message/assistant", "custom"]
    assert found["dead_branches"]["entries"] == 3
    assert found["duplicates"]["entries"] == 3
    assert found["reappended"] == {"entries": 2, "runs": 1, "bytes": sum(session.columns.size[row] for row in (5, 6))}
    assert sources(session).duplicates.bytes == sum(session.columns.size[row] for row in (5, 6, 8))


def test_both_languages(run, session: Path) -> None:  # type: ignore[no-untyped-def]
    """The same table, in its words; no id of a sentence shows."""
    for language, words in (("en", "The context stays the same"), ("zh_CN", "上下文不变")):
        code, out, _ = run(session, "--lang", language)
        assert (code, words in out) == (0, True)
        assert "table." not in out
        assert "problem." not in out


def test_a_locked_file(run, session: Path) -> None:  # type: ignore[no-untyped-def]
    """An agent holds it: told with its process; a dry run and a new file do not mind."""
    Path(f"{session}.lock").write_text('{"pid": 99}')
    code, _, err = run(session, "--in-place")
    assert (code, "process 99" in err) == (1, True)
    assert run(session)[0] == run(session, "--output", session.parent / "new")[0] == 0


def test_a_file_that_grew_since_it_was_read(run, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    """What came meanwhile stays."""
    reads = RecordedFile.__call__

    def grown(self: RecordedFile, offset: int, size: int) -> bytes:
        monkeypatch.setattr(RecordedFile, "__call__", reads)
        with session.open("ab") as file:
            file.write(b"{}\n")
        return reads(self, offset, size)

    monkeypatch.setattr(RecordedFile, "__call__", grown)
    code, _, err = run(session, "--in-place")
    assert (code, "somebody else changed it" in err) == (1, True)
    assert session.read_bytes().endswith(b"{}\n")
    assert names(session.parent) == ["s.jsonl"]
