"""Foreign engines in a process of their own: they may hang, end it, flood it or print, and the one who asks goes on.

The package is real: a folder with its metadata, found by the child through its entry points.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import engine, engine_far, engine_host
from core.engine_memory import Question
from core.engine_store import ForkedStore
from core.messages import Message
from core.phrase import render
from gui import engine_process
from gui.engine_guard import elsewhere, guarded
from gui.engine_process import EngineProcess

ROOT = Path(__file__).parents[2]
LIMIT = 1.2
"""Seconds: enough for a child on a busy machine that does answer."""

CODE = """
import os, sys, time, threading
from core.engine import Assembly, BootstrapResult, EngineInfo
from core.engines import legacy
from core.messages import Message
from core.phrase import literal

ID, TITLE = "wild", literal("Wild")

class Wild:
    info = EngineInfo(ID, "Wild", "1")

    def __getattr__(self, name):
        return getattr(legacy.make(), name)

    def bootstrap(self, session, store):
        store["requests"] = store.get("requests", 0) + 1
        self.store = store
        return BootstrapResult(True)

    def assemble(self, messages, *, token_budget, model, prompt):
        if prompt == "hang":
            while True:
                pass
        if prompt == "leave":
            os._exit(3)
        if prompt == "exit":
            sys.exit("enough")
        if prompt == "print":
            print("noise")
            os.write(1, b"more noise")
            sys.__stdout__.write("and more")
        if prompt == "close":
            os.close(1)
            sys.stdin.close()
        if prompt == "thread":
            threading.Thread(target=time.sleep, args=(600,)).start()
        if prompt == "eat":
            bytearray(8 << 30)
        if prompt == "flood":
            return Assembly((messages[0],) + tuple(
                Message.of({"role": "user", "content": "x" * 100_000}) for _ in range(30)))
        return Assembly(messages, why=f"request {self.store['requests']} in {os.getpid()}")

def make():
    return Wild()
"""


@pytest.fixture
def wild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package "far" that offers the engine above."""
    (tmp_path / "wild_engine.py").write_text(CODE)
    info = tmp_path / "far-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: far\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[stratascope.engines]\nwild = wild_engine\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    engine.engines.cache_clear()
    yield tmp_path
    engine.engines.cache_clear()


@pytest.fixture
def process(wild: Path) -> Iterator[EngineProcess]:
    found = EngineProcess(LIMIT)
    yield found
    found.close()


MESSAGES = (Message.of({"role": "user", "content": "hello"}), Message.of({"role": "user", "content": "\ud83d lone"}))


def ask(process: EngineProcess, prompt: str = "", store: ForkedStore | None = None) -> engine_host.Played:
    held = store if store is not None else ForkedStore()
    return process(Question("wild", held, True, MESSAGES, 0, 9_000, "m", prompt))


def test_one_child_answers_everything_that_ends(process: EngineProcess) -> None:
    """Output, exits, closed pipes and threads of foreign code stay there; it is the same child all along, and what the
    engine stored goes on from request to request."""
    first = ask(process)
    assert first.same
    assert str(first.why).startswith("request 1 in ")
    assert ask(process, store=first.store).why == str(first.why).replace("request 1", "request 2")
    assert ask(process, "exit").fault == "SystemExit: enough"
    printed = ask(process, "print")
    assert printed.same
    assert printed.printed >= len("noise\n")
    assert "MemoryError" in str(ask(process, "eat").fault)
    assert "wild_engine" not in sys.modules, "nothing of the package is imported here"
    assert ask(process, "thread").same
    assert ask(process, "close").same
    assert ask(process).why == first.why


@pytest.mark.parametrize("prompt", ["hang", "leave", "flood"])
def test_the_one_who_asks_goes_on(process: EngineProcess, prompt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In time, told in words, with the memory as it was; the next question gets a new child."""
    monkeypatch.setattr(engine_process, "MOST", 1 << 20)
    before = ask(process)
    begun = time.monotonic()
    lost = ask(process, prompt, before.store)
    assert time.monotonic() - begun < LIMIT + 4
    assert lost.items is None
    assert lost.lost
    reasons = {"leave": "it ended its own process", "flood": "its answer is too large"}
    said = render(lost.fault) if not isinstance(lost.fault, str) else lost.fault
    assert reasons.get(prompt, f"no answer within {LIMIT} s") in said
    assert lost.store is before.store
    after = ask(process, store=before.store)
    assert str(after.why).startswith("request 2 in ")
    assert str(after.why).split()[-1] != str(before.why).split()[-1]


def test_a_child_that_cannot_start(wild: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process.sys, "executable", str(wild / "nowhere"))
    lost = ask(EngineProcess(LIMIT))
    assert "no process for it could be started" in render(lost.fault)  # type: ignore[arg-type]


def test_a_child_leaves_with_its_parent(wild: Path) -> None:
    """The worker is killed while an engine hangs: nothing that burns a processor stays behind."""
    code = (
        "import os, sys, threading, time\n"
        "from tests.gui.test_engine_process import EngineProcess, ask\n"
        "process = EngineProcess(60)\n"
        "child = str(ask(process).why).split()[-1]\n"
        "threading.Thread(target=ask, args=(process, 'hang'), daemon=True).start()\n"
        "time.sleep(0.3)\n"
        "print(child, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    paths = os.pathsep.join([str(ROOT), str(wild), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        check=False,
    )
    child = int(done.stdout)
    end = time.monotonic() + 10
    while alive(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not alive(child)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # one that ended and that nobody waited for is still in the table
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_close_leaves_nothing(process: EngineProcess) -> None:
    """The child is gone at once, and closing again, or before anything was asked, is nothing."""
    child = int(str(ask(process).why).split()[-1])
    process.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    process.close()
    EngineProcess().close()


def test_who_asks_where(wild: Path) -> None:
    """Lent to verbs and worker: a guarded child, when it is needed. In the window nobody: an answer is brought in."""
    before = list(engine_far._lent)
    try:
        engine_far.use(guarded)
        assert isinstance(engine_far.far(), EngineProcess)
        engine_far.use(elsewhere)
        played = engine_host.ask(Question("wild", ForkedStore(), True, MESSAGES, 0, 9_000, "m", ""))
        assert played.pending
        assert played.items is None
        assert "wild_engine" not in sys.modules
        legacy = engine_host.ask(Question("legacy", ForkedStore(), True, MESSAGES, 0, 9_000, "m", ""))
        assert legacy.same
    finally:
        engine_far.use(before[0] if before else None)
