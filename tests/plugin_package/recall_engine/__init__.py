"""Recall: sends the newest turns, and one message with what older turns said about the question at hand.

It is the articles' example of a plug-in: retrieval at `assemble`, from what it stored at `ingest`. Words stand in for
vectors, so that it needs nothing installed and always answers the same.

    turn 1   "the port is 8080"          stored under turn:1
    turn 2   …
    turn 9   "which port was it?"   ─▶   [recalled: the port is 8080]  turn 7  turn 8  turn 9

How an engine of a package is run:
- In a process of its own with a time limit. What it prints goes nowhere; when it fails, the request goes on without it.
- It may be made anew at any request: everything it wants to know later stands in the store, one name per piece, so that
  a store with a thousand pieces is not copied when one comes.
- The messages it gets are never changed; it hands on the very objects that it wants sent, and makes others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.engine import (
    Assembly,
    BootstrapResult,
    CompactResult,
    EngineInfo,
    IngestBatchResult,
    IngestResult,
    MaintenanceResult,
    Rewrite,
    Store,
)
from core.messages import Message
from core.phrase import literal
from core.session import Session

ID = "recall"
TITLE = literal("Recall")
TURNS = 3
"""Newest turns that are sent whole."""
BEST = 2
"""Older messages that are recalled at most."""
LONG = 20_000
"""Characters of a tool result that are too many to keep once its turn is over."""
NOTE = "\n[shortened by recall]"

WORD = re.compile(r"\w{4,}")


class Recall:
    info = EngineInfo(ID, "Recall", "0.1.0")

    def __init__(self) -> None:
        self.store: Store = {}

    # what it learns

    def bootstrap(self, session: Session, store: Store) -> BootstrapResult:
        """First of all, at every request. An empty store means that the session begins: there is nothing to import,
        because what is written from now on comes through `ingest`."""
        self.store = store
        if "next" not in store:
            store["next"] = 0
        return BootstrapResult(True)

    def ingest(self, message: Message) -> IngestResult:
        """A message was written. What users and the model said is kept; tool results are too long to be quoted."""
        said = message.text()
        if message.role not in ("user", "assistant") or not said:
            return IngestResult(False)
        number = self.store["next"]
        self.store[f"said:{number:06}"] = said[:500]
        self.store["next"] = number + 1
        return IngestResult(True)

    def ingest_batch(self, messages: Sequence[Message]) -> IngestBatchResult:
        return IngestBatchResult(sum(self.ingest(message).ingested for message in messages))

    # what it sends

    def assemble(self, messages: tuple[Message, ...], *, token_budget: int, model: str, prompt: str) -> Assembly:
        """The newest turns, cut in front of a user message so that calls and results stay together; before them one
        new message, if older ones share words with the prompt. The addition to the system prompt says what it is."""
        starts = [index for index, message in enumerate(messages) if message.role == "user"]
        if len(starts) <= TURNS:
            return Assembly(messages)
        kept = messages[starts[-TURNS] :]
        recalled = self._about(prompt, {message.text()[:500] for message in kept})
        if not recalled:
            return Assembly(kept, why=f"Nothing older shares words with the question: only {TURNS} turns are sent.")
        note = Message.of({"role": "user", "content": "From earlier in this session:\n" + "\n".join(recalled)})
        return Assembly(
            (note, *kept),
            system_addition="The first message quotes earlier parts of this session; it was not just written.",
            why=f"Recalled {len(recalled)} of {self.store['next']} things said.",
        )

    def _about(self, prompt: str, there: set[str]) -> list[str]:
        asked = set(WORD.findall(prompt.lower()))
        scored = []
        for name in sorted(name for name in self.store if name.startswith("said:")):
            said = self.store[name]
            shared = asked & set(WORD.findall(said.lower()))
            if shared and said not in there:
                scored.append((-len(shared), name, said))
        return [said for _, _, said in sorted(scored)[:BEST]]

    def compact(self, *, token_budget: int, force: bool, instructions: str) -> CompactResult:
        """Asked only of engines with `owns_compaction`. This one leaves compaction to the agent."""
        return CompactResult(True, False, "left to the agent")

    # when a turn is over

    def after_turn(self, messages: Sequence[Message], *, before_count: int) -> None:
        self.store["turns"] = self.store.get("turns", 0) + 1

    def maintain(self, rewrite: Rewrite) -> MaintenanceResult:
        """Very long results are shortened where they stand, for good. Stratascope does that in a copy; the next request
        sees it from its very first step on."""
        count = freed = 0
        for id, message in rewrite.entries:
            said = message.text()
            if message.role == "toolResult" and len(said) > LONG:
                text = said[: LONG - len(NOTE)] + NOTE
                if rewrite(id, {**message.json(), "content": [{"type": "text", "text": text}]}):
                    count, freed = count + 1, freed + len(said) - len(text)
        return MaintenanceResult(count > 0, count, freed)


def make() -> Recall:
    """A fresh one; asked at every request."""
    return Recall()
