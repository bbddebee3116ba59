"""A session that can be compacted, and a view whose worker answers at once in this process."""

from __future__ import annotations

from pathlib import Path

from core.errors import RequestError
from core.phrase import Phrase
from gui.compaction_desk import Desk
from gui.compaction_facts import By, Wish
from gui.compaction_task import carry, look
from gui.state import State
from gui.views.compaction import CompactionView
from tests.gui.prompt_session import Json, compaction, reply, result, state_of, user, write_session

SECRET = "ghp_" + "a1B2" * 9
RULES = {"keep": 1_500, "reserve": 1_000, "floor": 0, "chunk": 1_600}
"""Small numbers, so that a small session has a history, a split turn and a tail."""


def turns(count: int = 12, size: int = 2_000) -> list[Json]:
    """So many turns of user, call, result with details, answer; the first holds a secret, the last asks for file 1."""
    said: list[Json] = []
    for n in range(count):
        token = f" export GH_TOKEN={SECRET}" if n == 0 else ""
        said.append(user(f"Please look at src/file{n}.py, it must work.{token} " + "w" * (size // 4)))
        call = {"type": "toolCall", "id": f"t{n}", "name": "read", "arguments": {"path": f"src/file{n}.py"}}
        said.append(reply("I read it.", call, read=900 * n, write=900))
        details = {"details": {"status": "HOSTILE"}}
        said.append({**result("read", "r" * size, **details), "toolCallId": f"t{n}"})
        said.append(reply(f"Way {n}, because src/file{n}.py is wrong.", read=900 * n + 400, write=500))
    said.append(user("Read src/file1.py once more."))
    said.append(reply("Yes: src/file1.py.", read=900 * count, write=300))
    return said


def talked(path: Path) -> Path:
    """No compaction in it."""
    return write_session(path, turns())


def compacted(path: Path, summary: str = "## Goal\nsrc/file0.py works.\n## Next\nsrc/file2.py") -> Path:
    """One compaction behind turn 8, which keeps turn 7; file 1 is lost and asked for again."""
    said = turns()
    said.insert(32, compaction(summary, 28))
    return write_session(path, said)


def go_on(said: Phrase, share: float | None) -> bool:
    return True


def answered(view: CompactionView) -> CompactionView:
    """What the view asks for is answered before it goes on."""

    def ask(wish: Wish) -> None:
        try:
            view.take(wish, None, look(wish, go_on))
        except RequestError as error:
            view.fail(wish, error.phrase)

    def run(wish: Wish, by: By) -> None:
        try:
            view.take(wish, by, carry(wish, by, go_on))
        except RequestError as error:
            view.fail(wish, error.phrase)

    view.look_wanted.connect(ask)
    view.run_wanted.connect(run)
    return view


def small(desk: Desk) -> None:
    for name, value in RULES.items():
        desk.change(name, value)


def state_at(path: Path, request: int | None = None) -> State:
    return state_of(path, request)
