"""The recorded `openSession` cases of the real agent: header, entries, leaf, branch, context, name, labels.

The one exception: reading never rewrites a file, so what the agent wrote back (fileRewritten, fileAfter, the header
with its new version) is not reproduced. `estimateContextTokens` is compared beside core/estimate.py.
"""

from __future__ import annotations

import pytest

from core.context import build
from core.errors import UnreadableFile, UnsupportedFormat
from core.format import open_session
from core.labels import labels, session_name
from tests.reference.vectors import assert_same, cases, lines_of

OVERWRITTEN = "<new-uuid>"
"""Session id where the agent found no header, threw the file away and began an empty session."""


@pytest.fixture
def opened(tmp_path):
    def opened(case):
        path = tmp_path / "session.jsonl"
        path.write_bytes(lines_of(case.input))
        return open_session(path)

    return opened


def _kept(case):
    return not case.throws and case.raw["output"]["sessionId"] != OVERWRITTEN


@pytest.mark.parametrize("case", cases("openSession", where=_kept))
def test_agrees(case, opened):
    """Everything the agent tells of an opened session, it tells too."""
    session = opened(case)
    told = case.output
    names = _generated(told, session)
    ids = [names.get(id, id) for id in session.columns.ids]
    leaf = session.active_leaf

    assert session.header.id == told["sessionId"]
    assert (session.header.cwd or "<process-cwd>") == told["cwd"]
    assert (None if leaf is None else ids[leaf]) == (told["leafId"] or (None if leaf is None else ""))
    assert_same(
        [
            {"id": id or None, "parentId": names.get(entry.parent_id, entry.parent_id), "type": entry.type or None}
            for id, entry in zip(ids, session.entries(), strict=True)
        ],
        [{key: entry.get(key) for key in ("id", "parentId", "type")} for entry in told["entries"]],
    )
    assert [ids[row] for row in session.path_to(leaf)] == told["branch"]
    context = build(session, session.path_to(leaf))
    assert_same([message.json() for message in context.messages], told["context"]["messages"])
    assert_same(context.thinking_level, told["context"]["thinkingLevel"])
    assert_same(_model(context.model), told["context"]["model"])
    assert session_name(session) == told["name"]
    if "labels" in told:
        assert {names.get(id, id): label for id, label in labels(session).items()} == told["labels"]


@pytest.mark.parametrize("case", cases("openSession", where=lambda case: _kept(case) and "branchFrom" in case.input))
def test_branch_from_any_entry(case, opened):
    """The path to an entry is its ancestors and itself; of an id that is not there, nothing."""
    session = opened(case)
    for id, branch in case.output["branchFrom"].items():
        row = session.row_of(id)
        assert [session.columns.ids[row] for row in session.path_to(row)] == branch


@pytest.mark.parametrize("case", cases("openSession", where=lambda case: _kept(case) and "contextFrom" in case.input))
def test_context_from_any_entry(case, opened):
    """The context at an entry; at none ("null"), nothing. The agent takes an unknown id for the last entry."""
    session = opened(case)
    for id, told in case.output["contextFrom"].items():
        row = session.row_of(id) if session.row_of(id) is not None or id == "null" else len(session) - 1
        context = build(session, session.path_to(row))
        assert [message.role for message in context.messages] == told["roles"]
        assert len(context.messages) == told["messageCount"]
        assert_same(context.thinking_level, told["thinkingLevel"])
        assert_same(_model(context.model), told["model"])


@pytest.mark.parametrize("case", cases("openSession", where=lambda case: not _kept(case)))
def test_exceptions(case, opened, tmp_path):
    """Where the agent crashes or overwrites the file with an empty session, the entries are read and a Problem says so.

    An empty file is refused; in every case the file is left as it was.
    """
    data = lines_of(case.input)
    try:
        session = opened(case)
    except (UnreadableFile, UnsupportedFormat):
        assert not any(b'"message"' in line for line in data.splitlines())
    else:
        assert session.problems
        build(session, session.path_to(session.active_leaf))
    assert (tmp_path / "session.jsonl").read_bytes() == data


def _generated(told, session):
    """Ids that the agent made up while it migrated a v1 file, renamed gen0, gen1 … by the recorder."""
    if session.header.read_as != 1:
        return {}
    return dict(zip(session.columns.ids, (entry["id"] for entry in told["entries"]), strict=True))


def _model(model):
    if model is None:
        return None
    return {key: value for key, value in zip(("provider", "modelId"), model, strict=True) if value}
