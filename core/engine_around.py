"""What the step "Context engine" gets to know of the session around its request; worked out when an engine asks.

path   m1 m2 [a1] m3 [a2] m4 …       request 2: reply a2, and m4, of the user, ends the turn
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.context import SENDING, message_of
from core.engine_history import entries_before, history
from core.messages import Message
from core.paths import place_of
from core.session import Request, Session
from core.timeline import Timeline

NAME = "around"
"""Under this name it stands in `StepContext.extra`."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """`request` None: what would be sent next. `reserve`: tokens that the policy keeps free."""

    session: Session
    timeline: Timeline
    request: Request | None
    reserve: int

    @property
    def path(self) -> Sequence[int]:
        """Rows of what the request could see."""
        path = self.timeline.path
        return path if self.request is None else path[: place_of(path, self.request.entry)]

    def id_of(self, row: int) -> str:
        return self.session.columns.ids[row]

    def row_of(self, id: str) -> int | None:
        return self.session.row_of(id)

    def history(self) -> Session:
        """The path before its first message."""
        session, path = self.session, self.timeline.path
        first = next((row for row in path if session.type_of(row) in SENDING), None)
        return history(entries_before(session, path, first))

    def ended(self) -> tuple[Message | None, int | None, bool]:
        """(the reply, its row, whether the turn ends with it): the user speaks next, or nobody does and no call is
        open."""
        if self.request is None:
            return None, None, False
        session, path, row = self.session, self.timeline.path, self.request.entry
        reply = session.reply(row)
        for later in path[path.index(row) + 1 :]:
            if session.type_of(later) in SENDING:
                over = session.role_of(later) == "user"
                break
        else:
            over = reply is None or reply.stop != "toolUse"
        return (message_of(session, row) if over else None), row, over
