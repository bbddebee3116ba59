"""The plan of a truncation: as the agent's where that is asked for, without its losses otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.copying import copied
from core.errors import UnreadableFile, UnsupportedFormat
from core.format import open_session
from core.session import Session
from core.truncation import Settings, plan
from core.truncation_after import after, kept_rows, seen
from core.truncation_bytes import bytes_after, changes
from core.truncation_look import look
from tests.core import compacted
from tests.core.drawn import opened, said
from tests.reference.vectors import cases, lines_of, select

AGENT = Settings(mode="reference")
RECORDED = "truncateSessionAfterCompaction"


def _session(case: Any, folder: Path) -> Session:
    path = folder / "session.jsonl"
    path.write_bytes(lines_of(case.input))
    return open_session(path)


def _read_alike(case: Any) -> bool:
    """The agent overwrites a file without a header with an empty session before it truncates; here it is read."""
    return bool(case.output["truncated"]) or not case.output["fileChanged"]


@pytest.mark.parametrize("case", cases(RECORDED, where=_read_alike))
def test_agrees_with_the_agent(case: Any, tmp_path: Path) -> None:
    """What is removed, what is kept and below whom, why nothing is done, and what becomes of the context."""
    session = _session(case, tmp_path)
    told = case.output
    planned = plan(session, session.active_leaf, AGENT)
    assert (planned.reason is None, planned.reason) == (told["truncated"], told.get("reason"))
    assert len(planned.removed) == told["entriesRemoved"]
    if "kept" not in told:
        return
    later = after(session, planned)
    hung = {item.row for item in planned.reparented}
    kept = [
        {
            "id": entry.id,
            "parentId": entry.parent_id,
            "type": entry.type,
            **({"reparented": True} if row in hung else {}),
        }
        for row, entry in zip(kept_rows(session, planned).tolist(), later.entries(), strict=True)
    ]
    if session.header is not None and session.header.read_as > 1:
        assert kept == told["kept"][1:]
    else:  # ids of version 1 are made up, by the agent at random
        assert [entry["type"] for entry in kept] == [entry["type"] for entry in told["kept"][1:]]
    before, then = seen(session, session.active_leaf), seen(later, later.active_leaf)
    assert (before.messages == then.messages) == told["contextMessagesUnchanged"]
    for found, context in ((before, told["contextBefore"]), (then, told["contextAfter"])):
        assert len(found.messages) == context["messageCount"]
        assert found.thinking_level == context["thinkingLevel"]
        assert _model(found.model) == context["model"]
    line_ends = 0 if (case.input.get("file") or {}).get("joiner", "\n") == "\n" else len(later) + 1
    if session.header is not None and session.header.read_as == 3 and not _malformed(case):
        assert session.size == told["bytesBefore"]
        assert bytes_after(session, planned) == told["bytesAfter"] + line_ends - bool(line_ends), "its line ends stay"


def _model(found: Any) -> Any:
    return (
        None
        if found is None
        else {key: value for key, value in zip(("provider", "modelId"), found, strict=True) if value}
    )


def _malformed(case: Any) -> bool:
    return any(isinstance(line, str) for line in case.input["lines"])


@pytest.mark.parametrize("case", cases(RECORDED))
def test_safe_mode_loses_nothing_in_any_recorded_case(case: Any, tmp_path: Path) -> None:
    """Also where the agent lost the kept tail, the model or the file."""
    try:
        session = _session(case, tmp_path)
    except (UnreadableFile, UnsupportedFormat):
        assert not any('"message"' in str(line) for line in case.input["lines"])
        return
    made = look(session, session.active_leaf)
    assert made.equal
    assert not {item.code for item in made.warnings} & {"truncation_tail_lost", "truncation_model_lost"}


def test_the_agents_losses_are_warnings(tmp_path: Path) -> None:
    """Of the recorded cases in which the context or the model changes, each is told before anything is written."""
    lost = [
        case
        for case in select(RECORDED)
        if "contextBefore" in case.output
        and case.output["truncated"]
        and case.output["contextBefore"] != case.output["contextAfter"]
    ]
    assert lost
    for case in lost:
        session = _session(case, tmp_path)
        codes = {item.code for item in look(session, session.active_leaf, AGENT).warnings}
        assert codes & {"truncation_tail_lost", "truncation_model_lost", "truncation_leaf_moves"}, case.id


# m0 ─ m1 ─ m2 ─ … ─ C ─ after


def _talk(tmp_path: Path, *entries: dict[str, Any]) -> Session:
    return opened(*entries, tmp_path=tmp_path)


def ask(text: str = "q", **more: Any) -> dict[str, Any]:
    return {**said("user", text), **more}


def answer(text: str = "a", **more: Any) -> dict[str, Any]:
    return {**said("assistant", text, provider="anthropic", model="claude", stopReason="stop"), **more}


def compaction(keep: str | None, **more: Any) -> dict[str, Any]:
    kept = {} if keep is None else {"firstKeptEntryId": keep}
    return {"type": "compaction", "summary": "S", "tokensBefore": 9, **kept, **more}


MODEL = {"type": "model_change", "provider": "anthropic", "modelId": "claude"}


def ids(session: Session, rows: Any) -> list[str]:
    return [session.columns.ids[row] for row in rows]


def test_settings_and_custom_entries_stay(tmp_path: Path) -> None:
    """e0 model, e1 q, e2 custom, e3 a, e4 C, e5 q: the messages go, what they set stays, one below the other."""
    session = _talk(tmp_path, MODEL, ask(), {"type": "custom", "customType": "x"}, answer(), compaction(None), ask())
    planned = plan(session, session.active_leaf)
    assert ids(session, planned.removed) == ["e1", "e3"]
    assert [(session.columns.ids[item.row], item.old, item.new) for item in planned.reparented] == [
        ("e2", "e1", "e0"),
        ("e4", "e3", "e2"),
    ]


def test_labelled_entries_stay_if_wanted(tmp_path: Path) -> None:
    """With the setting the entry and its label stay; without it both go, and a warning names the label."""
    label = {"type": "label", "targetId": "e1", "label": "repro"}
    session = _talk(tmp_path, MODEL, ask(), answer(), label, compaction(None), ask())
    made = look(session, session.active_leaf)
    assert ids(session, made.plan.removed) == ["e2"]
    assert [(session.columns.ids[item.row], item.why) for item in made.plan.held] == [("e1", "labelled")]
    without = look(session, session.active_leaf, Settings(keep_labelled=False))
    assert ids(session, without.plan.removed) == ["e1", "e2", "e3"]
    [warning] = without.warnings
    assert dict(warning.values)["labels"] == "“repro”"


def test_a_cleared_label_holds_nothing(tmp_path: Path) -> None:
    """The last label of an entry counts, and this one takes it away."""
    first, cleared = {"type": "label", "targetId": "e1", "label": "x"}, {"type": "label", "targetId": "e1"}
    session = _talk(tmp_path, MODEL, ask(), answer(), first, cleared, compaction(None), ask())
    assert ids(session, plan(session, session.active_leaf).removed) == ["e1", "e2", "e3", "e4"]


def test_side_branches_stay_or_go(tmp_path: Path) -> None:
    """m ─ e1 ─ e2 ─ C        b hangs from e1; it stays and hangs from m, or goes but for its settings
    └─ e5 ─ e6 ─ e7(model)"""
    session = _talk(
        tmp_path,
        MODEL,
        ask(),
        answer(),
        compaction(None),
        ask("after"),
        answer("branch", parentId="e1"),
        ask(),
        {**MODEL, "parentId": "e6"},
        ask("on", parentId="e4"),
    )
    made = look(session, session.active_leaf)
    assert ids(session, made.plan.removed) == ["e1", "e2"]
    assert [item.code for item in made.warnings] == ["truncation_branch_changed"]
    without = plan(session, session.active_leaf, Settings(keep_side_branches=False))
    assert ids(session, without.removed) == ["e1", "e2", "e5", "e6"]


def test_the_active_leaf_is_looked_after_too(tmp_path: Path) -> None:
    """Truncating for a leaf that is not the active one removes nothing that the active path sends."""
    session = _talk(tmp_path, ask("1"), answer("2"), compaction(None), ask("old leaf"), answer("now", parentId="e1"))
    made = look(session, session.row_of("e3"))
    assert made.plan.reason == "NOTHING_TO_REMOVE"
    agent = look(session, session.row_of("e3"), AGENT)
    assert ids(session, agent.plan.removed) == ["e0", "e1"]
    assert not agent.equal


def test_the_answer_that_names_the_model_stays(tmp_path: Path) -> None:
    """Without a model change, the last summarised answer is all that says which model runs."""
    session = _talk(tmp_path, ask(), answer(), answer(), compaction(None), ask())
    made = look(session, session.active_leaf)
    assert ids(session, made.plan.removed) == ["e0", "e1"]
    assert [item.why for item in made.plan.held] == ["model"]
    assert [item.code for item in look(session, session.active_leaf, AGENT).warnings] == ["truncation_model_lost"]


def test_only_above_a_size(tmp_path: Path) -> None:
    session = _talk(tmp_path, MODEL, ask(), compaction(None), ask())
    assert plan(session, session.active_leaf, Settings(above=session.size + 1)).reason == "BELOW_SIZE"
    assert plan(session, session.active_leaf, Settings(above=session.size)).reason is None


def test_messages_that_are_in_no_summary_are_told(tmp_path: Path) -> None:
    """e2 was kept by the first compaction and lost by the second, whose summary never saw it (case 03)."""
    session = _talk(tmp_path, MODEL, ask(), answer("lost"), compaction("e2"), ask(), answer(), compaction(None), ask())
    made = look(session, session.active_leaf)
    [told] = [item for item in made.warnings if item.code == "truncation_unsummarised"]
    assert dict(told.values)["n"] == 1


def test_ten_compactions_shrink_by_60_to_90_percent(tmp_path: Path) -> None:
    """Article 1's figure, on a generated session: 2,100 messages, of which each compaction keeps 40."""
    session = open_session(compacted.write(tmp_path / "ten.jsonl", 10, 200))
    assert len(session.rows_of("compaction")) == 10
    made = look(session, session.active_leaf)
    saved = 1 - made.bytes_after / made.bytes_before
    assert made.equal
    assert 0.6 <= saved <= 0.9, f"{made.bytes_before} -> {made.bytes_after} bytes, {saved:.1%} less"
    assert len(made.plan.removed) > 1_800


def test_a_record_that_shares_its_line_stays(tmp_path: Path) -> None:
    """Two records on one line, and one behind a broken one: their lines keep their bytes, but for a parent."""
    session = _talk(tmp_path, MODEL, ask("1"), answer("2"), ask("3"), compaction(None), ask("4"))
    data = Path(session.path).read_bytes().replace(b'{"id": "e2"', b'{"type":"cut{"id": "e2"')
    lines = data.split(b"\n")
    lines[1:3] = [lines[1] + lines[2]]
    Path(session.path).write_bytes(b"\n".join(lines))
    broken = open_session(session.path)
    made = look(broken, broken.active_leaf)
    assert ids(broken, made.plan.removed) == ["e3"]
    assert [item.why for item in made.plan.held] == ["shared_line", "shared_line"]
    new = b"".join(copied(broken, changes(broken, made.plan)))
    assert new.split(b"\n")[1:3] == lines[1:3]


V1 = (
    b'{"type":"session","id":"old","timestamp":"2025-11-14T22:13:20.000Z","cwd":"/w"}\r\n'
    b'{"type":"message","timestamp":"x","message":{"role":"user","content":"1"}}\n'
    b'{"type":"message","id":"mine","message":{"role":"hookMessage","content":"h"}}\n'
    b'{"type":"mess\n'
    b'{"message":{"role":"assistant","content":[],"model":"m","provider":"p"},"type":"message" }\n'
    b'{"type":"compaction","summary":"S","firstKeptEntryIndex":3,"tokensBefore":1}\n'
    b'{"type":"message","message":{"role":"user","content":"2"}}'
)


def test_version_1_gets_ids(tmp_path: Path) -> None:
    """The same ones every time; header and compaction become version 3, everything else keeps its bytes."""
    path = tmp_path / "v1.jsonl"
    path.write_bytes(V1)
    session = open_session(path)
    made = look(session, session.active_leaf)
    assert made.equal
    assert [item.code for item in made.warnings] == ["truncation_ids"]
    new = b"".join(copied(session, changes(session, made.plan)))
    assert new == (
        b'{"type":"session","version":3,"id":"old","timestamp":"2025-11-14T22:13:20.000Z","cwd":"/w"}\r\n'
        b'{"type":"mess\n'
        b'{"message":{"role":"assistant","content":[],"model":"m","provider":"p"},"type":"message","id":"00000003",'
        b'"parentId":null }\n'
        b'{"type":"compaction","id":"00000004","parentId":"00000003","firstKeptEntryId":"00000003","summary":"S",'
        b'"tokensBefore":1}\n'
        b'{"type":"message","id":"00000005","parentId":"00000004","message":{"role":"user","content":"2"}}'
    )
