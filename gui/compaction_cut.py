"""One compaction to be: which part of which path, by which rules, in which calls. No Qt in here.

Wish ─▶ Cut: session, whole path, what the compaction sees of it, plan ─▶ Facts
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core import compaction, javascript
from core.compaction import Plan
from core.compaction_audit import Place, places
from core.compaction_preview import Planned, estimate, model_before, preview
from core.compaction_run import kept_messages
from core.engine_host import compaction_owner
from core.errors import RequestError
from core.estimate import pi_tokens
from core.phrase import phrase
from core.session import Session
from core.timeline import window_of
from core.workspace import rules
from gui.compaction_facts import Chunk, Facts, Wish
from gui.opened import opened

OVERSIZED = 0.5 / 1.2
"""Share of the window from which a message is oversized, margin included (`core.chunks.oversized`)."""


class Cut:
    """One wish on one session: the whole path, what the compaction sees of it, the plan."""

    def __init__(self, wish: Wish, report: Any) -> None:
        self.wish = wish
        self.session: Session = opened(wish.path, report).session
        self.whole = self.session.path_to(wish.leaf)
        self.place = self._place()
        calls = self.session.requests(self.whole)
        if self.place is not None:
            behind = set(self.whole[self.place.at :])
            self.request: int | None = next((call.number for call in calls if call.entry in behind), None)
            self.path = self.whole[: self.place.at]
        else:
            self.request = wish.request
            end = len(self.whole) if wish.request is None else self.whole.index(calls[wish.request - 1].entry)
            self.path = self.whole[:end]
        self.window = wish.profile.window or window_of(self.session, self.path, calls)[0]
        first = self.place.first_kept if self.place is not None else None
        texts = replace(wish.texts, workspace=rules(wish.workspace)) if wish.workspace else wish.texts
        owner = compaction_owner(wish.profile)
        self.plan = compaction.plan(self.session, self.path, self.window, wish.settings, texts, first, owner)
        self.model = model_before(self.session, self.path)

    @property
    def generation(self) -> str:
        return "2026.3" if self.wish.settings.generation == "2026.3" else "2026.4"

    def _place(self) -> Place | None:
        if self.wish.place is None:
            return None
        found = places(self.session, self.whole, self.generation)
        known = ", ".join(self.session.columns.ids[place.row] for place in found) or "–"
        for place in found:
            if place.row == self.wish.place:
                return place
        raise RequestError(phrase("compaction.no_place", entry=str(self.wish.place), known=known))

    def facts(self) -> Facts:
        """RequestError where there is nothing to summarise and nothing recorded."""
        plan = self.plan
        if plan is None:
            if self.place is None:
                raise RequestError(phrase("compaction.nothing", keep=self.wish.settings.keep))
            return self._recorded_facts(self.place)
        found, whole = plan.preparation, plan.limit == float("inf")
        asked = preview(plan)
        return Facts(
            chunks=_chunks(plan, asked),
            rows=(*found.rows, *found.prefix_rows),
            messages=plan.summarised,
            tokens=sum(map(pi_tokens, (*found.messages, *found.prefix))),
            limit=None if whole else int(plan.limit),
            end=None if whole else int(plan.end),
            ratio=plan.ratio,
            oversized=plan.oversized,
            oversized_from=int(self.window * OVERSIZED),
            first_kept=found.first_kept,
            tail=found.kept,
            tail_tokens=sum(map(pi_tokens, kept_messages(self.session, plan))),
            preserved=plan.preserved,
            split=found.split,
            tokens_before=found.tokens_before,
            window=self.window,
            threshold=plan.threshold,
            due=plan.due,
            request=self.request,
            model=self.model,
            estimate=estimate(asked, self.model, None),
        )

    def messages_before(self) -> int:
        """Tokens of the messages that the compaction finds: what it summarises, the summary before it, the tail. Tools
        and system prompt stay as they are."""
        if self.plan is None:
            return 0
        found = self.plan.preparation
        held = (*found.messages, *found.prefix, *kept_messages(self.session, self.plan))
        return sum(map(pi_tokens, held)) + -(-javascript.length(found.previous_summary or "") // 4)

    def _recorded_facts(self, place: Place) -> Facts:
        """Of a compaction that summarised nothing by the rules in use: only what the file says."""
        settings = self.wish.settings
        at = place.region
        return Facts(
            chunks=(),
            rows=tuple(self.whole[n] for n in at.summarised),
            messages=len(at.summarised),
            tokens=0,
            limit=None,
            end=None,
            ratio=1.0,
            oversized=(),
            oversized_from=int(self.window * OVERSIZED),
            first_kept=place.first_kept,
            tail=tuple(self.whole[n] for n in at.tail),
            tail_tokens=0,
            preserved=0,
            split=False,
            tokens_before=place.tokens_before or 0,
            window=self.window,
            threshold=self.window - settings.free,
            due=False,
            request=self.request,
            model=self.model,
            estimate=None,
        )


def _chunks(plan: Plan, asked: tuple[Planned, ...]) -> tuple[Chunk, ...]:
    """Calls in the order in which they would be made, with the entries that go into them."""
    pieces = {stage: iter([piece for piece in plan.pieces if piece.stage == stage]) for stage in ("chunk", "prefix")}
    found = []
    for one in asked:
        piece = next(pieces[one.ask.stage]) if one.ask.stage in pieces else None
        head = one.prompt.system + "\n\n"
        marks = tuple(
            replace(mark, start=mark.start + len(head), end=mark.end + len(head)) for mark in one.prompt.user.marks
        )
        found.append(
            Chunk(
                one.ask.stage,
                one.ask.chunk,
                piece.rows if piece is not None else (),
                len(piece.messages) if piece is not None else 0,
                piece.tokens if piece is not None else 0,
                head + one.prompt.user.text,
                marks,
                one.prompt.tokens,
                one.ask.max_output,
                one.waits,
            )
        )
    return tuple(found)
