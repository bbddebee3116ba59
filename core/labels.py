"""The session's name and its labels: entries about others, the last one of each wins (recorded cases of layer h)."""

from __future__ import annotations

from core.javascript import trim
from core.session import Session


def session_name(session: Session) -> str | None:
    """The trimmed name of the last `session_info` entry of the file; None when there is none or it is blank."""
    rows = session.rows_of("session_info")
    name = session.body(rows[-1]).get("name") if rows else None
    return (trim(name) or None) if isinstance(name, str) else None


def labels(session: Session) -> dict[str, str]:
    """Target id -> label, in the order in which the targets were first labelled. A falsy label clears."""
    found: dict[str, str] = {}
    for row in session.rows_of("label"):
        entry = session.body(row)
        target, label = entry.get("targetId"), entry.get("label")
        if not isinstance(target, str):
            continue
        if label and isinstance(label, str):
            found[target] = label
        else:
            found.pop(target, None)
    return found
