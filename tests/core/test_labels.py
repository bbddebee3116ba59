"""Name and labels: the last entry about a target wins (the recorded cases stand in test_open_session.py)."""

from __future__ import annotations

from core.labels import labels, session_name
from tests.core.drawn import opened, said


def label(target, text):
    return {"type": "label", "targetId": target, "label": text}


def test_labels(tmp_path):
    """Set, changed, cleared; a target may be gone from the file; what is no text labels nothing."""
    session = opened(
        said("user", "x"),
        label("e0", "one"),
        label("gone", "kept"),
        label("e0", "two"),
        label("e1", "x"),
        label("e1", None),
        label(7, "x"),
        label("e2", 5),
        tmp_path=tmp_path,
    )
    assert labels(session) == {"e0": "two", "gone": "kept"}


def test_no_labels(tmp_path):
    session = opened(said("user", "x"), tmp_path=tmp_path)
    assert labels(session) == {}
    assert session_name(session) is None


def test_a_blank_or_odd_last_name_is_no_name(tmp_path):
    """There is no way back to an earlier one."""
    for last in ("  ", None, 7):
        session = opened(
            {"type": "session_info", "name": "first"}, {"type": "session_info", "name": last}, tmp_path=tmp_path
        )
        assert session_name(session) is None
    assert session_name(opened({"type": "session_info", "name": "\ufeff a "}, tmp_path=tmp_path)) == "a"
