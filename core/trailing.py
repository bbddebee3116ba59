"""A prompt that was never answered: at prompt time the agent moves the leaf before it, in memory only.

Source: recorded cases of layer k (`removeTrailingUser`), OpenClaw 2026.4.5. Else the new prompt would make two user
turns in a row. Only one message is passed over; 2026.4.14 puts its text in front of the new prompt instead
(`core.sanitizing.merge_unanswered`).
"""

from __future__ import annotations

from core.session import Session


def before_unanswered(session: Session, leaf: int | None) -> int | None:
    """The leaf from which the next prompt is built; `leaf` itself unless it is a user message."""
    if leaf is None or session.type_of(leaf) != "message" or session.role_of(leaf) != "user":
        return leaf
    parent = session.columns.parent[leaf]
    return parent if parent >= 0 else None
