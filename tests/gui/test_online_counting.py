"""Counting with the provider: nothing opens before a person confirmed what is shown, and then exactly that is sent."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core import provider
from core.errors import RequestError
from core.online_count import OnlineCount
from core.phrase import phrase
from core.profile import policy
from core.provider import KEY
from core.session_key import NOTHING
from gui import online_rows, online_task, translation
from gui.numbers import MINUS
from gui.online_counting import OnlineCounting
from gui.online_dialog import OnlineDialog
from gui.online_task import ADDRESS, Ours, Prepared, ask, folded, missing, prepare
from gui.state import State
from gui.theme import Look
from gui.worker import Failure
from tests.core.summarizers.loopback import Server, serving
from tests.gui.guard_answers import SAMPLES
from tests.gui.layer_session import settle
from tests.gui.prompt_session import call, reply, result, state_of, user, write_session

SECRET = "sk-ant-api03-SecretKeyOfTheTest0123456789abcdef"
TOKEN = "ghp_" + "a1" * 18
OURS = policy("openclaw-2026.4.5")
TRACED = str(SAMPLES / "traced-session.jsonl")


def go_on(*_: object) -> bool:
    return True


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Counts 1,000 tokens of tools, 200 of system prompt, 30 of messages; the environment names it and holds a key."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serving() as found:

        def answer(reply: Any) -> None:
            body = found.requests[-1][1]
            tokens = 1_000 * ("tools" in body) + 200 * ("system" in body) + 30
            reply.bytes(json.dumps({"input_tokens": tokens}).encode(), 200, "application/json")

        found.reply = answer
        monkeypatch.setenv(ADDRESS, found.address)
        monkeypatch.setenv(KEY, SECRET)
        yield found


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No socket may be made, no key be looked for."""

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", never)
    monkeypatch.setattr(provider, "key_of", never)


@pytest.fixture
def path(tmp_path: Path) -> str:
    said = [user(f"Use {TOKEN}."), reply("I look.", call("read"), write=400), result("read", "x" * 400)]
    return str(write_session(tmp_path / "s.jsonl", [*said, reply("Done.", read=400, write=200)]))


def prepared(path: str, number: int | None = 2) -> Prepared:
    state = state_of(Path(path))
    return prepare(path, state.timeline.leaf, "chars", number, OURS, NOTHING, (), go_on)


# the worker


@pytest.mark.usefixtures("sealed")
def test_a_preview_opens_nothing(path: str) -> None:
    """What would be sent, secrets replaced, and our own estimate; of tools and system nothing is known here."""
    found = prepared(path)
    assert found.preview.secrets == 1
    assert TOKEN not in found.text
    assert "[redacted: GitHub token 1]" in found.text
    assert (found.ours.tools, found.ours.system) == (None, None)
    assert found.ours.total == found.ours.messages > 100
    assert "Tools and system prompt are not recorded" in " ".join(online_rows.facts(found))


@pytest.mark.usefixtures("sealed")
def test_a_trace_tells_the_parts() -> None:
    """Three calls, from which the parts come by difference."""
    state = state_of(Path(TRACED))
    found = prepare(TRACED, state.timeline.leaf, "chars", 3, OURS, NOTHING, (), go_on)
    assert len(found.preview.bodies) == 3
    assert "No secret was found" in online_rows.facts(found)[0]
    assert found.ours.tools
    assert found.ours.system
    assert sorted(found.preview.bodies[0]) == ["messages", "model", "system", "tools"]


def test_other_providers_are_refused(tmp_path: Path) -> None:
    """A count of another's model would be a number of nothing."""
    other = {"api": "openai-responses", "provider": "openai", "model": "gpt-5"}
    place = write_session(tmp_path / "o.jsonl", [user("hi"), reply("yes", write=9, **other)])
    with pytest.raises(RequestError, match="Anthropic counts for its own models only"):
        prepared(str(place), 1)


def test_what_was_confirmed_is_sent(server: Server, path: str) -> None:
    """Every body as it was shown, to the address that was shown."""
    found = prepared(path)
    assert found.preview.address == server.address
    assert server.requests == []
    assert ask(found.preview, go_on) == OnlineCount(30, None, None, 30)
    assert [body for _, body in server.requests] == list(found.preview.bodies)


def test_where_it_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the optional part, or a key in the environment, it says what to do."""
    assert missing({KEY: "k"}) is None
    assert missing({KEY: " "}) == missing({}) == phrase("online.no_key", name=KEY)
    monkeypatch.setattr(online_task, "find_spec", lambda name: None)
    assert "stratascope[anthropic]" in str(missing({KEY: "k"}))


def test_long_lines_are_folded() -> None:
    """For reading: the same characters."""
    text = "a\n\n" + "b" * 2_500
    assert folded(text).replace("\n", "") == text.replace("\n", "")
    assert max(map(len, folded(text).split("\n"))) == 1_000
    assert folded("a\n\nb") == "a\n\nb"


# rows


def test_the_count_beside_ours() -> None:
    counted = OnlineCount(1_230, 1_000, 200, 30)
    found = online_rows.figures(counted, Ours(900, None, 33))
    assert [(row.id, *(value.text for value in row.values)) for row in found.rows] == [
        ("tools", "●\u202f1,000", "≈\u202f900", f"{MINUS}10.0\u202f%"),
        ("system", "●\u202f200", "–", "–"),
        ("messages", "●\u202f30", "≈\u202f33", "+10.0\u202f%"),
        ("total", "●\u202f1,230", "≈\u202f933", f"{MINUS}24.1\u202f%"),
    ]
    assert "too low" in str(online_rows.after(counted, Ours(None, None, 900)))
    assert "too high" in str(online_rows.after(counted, Ours(None, None, 2_000)))
    assert "as many as we do" in str(online_rows.after(counted, Ours(None, None, 1_230)))
    alone = online_rows.figures(OnlineCount(30, None, None, 30), Ours(None, None, 28))
    assert [row.id for row in alone.rows] == ["messages", "total"]


# the window


class Lanes:
    """The worker, in this thread, when it is told to; `cancelled`: lanes that were asked to stop."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []
        self.cancelled: list[str] = []

    def run(self, lane: str, task: Callable[..., Any], *arguments: Any, done: Any, failed: Any) -> None:
        def work() -> None:
            try:
                found = task(*arguments, go_on)
            except RequestError as error:
                failed(Failure(error.phrase, ""))
            else:
                done(found)

        self.waiting.append(work)

    def cancel(self, lane: str) -> None:
        self.cancelled.append(lane)

    def work(self) -> None:
        self.waiting.pop(0)()


class Strip:
    def __init__(self) -> None:
        self.notices: list[Any] = []

    def show_notice(self, notice: Any) -> None:
        self.notices.append(notice)


class Paths:
    def __init__(self, path: str) -> None:
        self.path = path

    def path_of(self, state: State) -> str:
        return self.path


class Window(QWidget):
    """As much of the window as counting needs."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.look, self.jobs, self.strip, self.sessions = Look("light"), Lanes(), Strip(), Paths(path)
        self.state: State | None = state_of(Path(path), 2)


@pytest.fixture
def window(qtbot: QtBot, path: str) -> Window:
    made = Window(path)
    qtbot.addWidget(made)
    settle(made.state)
    return made


@pytest.fixture
def counting(window: Window) -> OnlineCounting:
    return OnlineCounting(window)  # type: ignore[arg-type]


def press(button: QWidget) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_from_the_action_to_the_count(counting: OnlineCounting, window: Window, server: Server) -> None:
    """Nothing is sent while it is prepared and shown; the button sends it; the count stands beside ours."""
    counting.begin()
    dialog = counting.dialog
    assert dialog is not None
    assert not dialog.send.isEnabled()
    window.jobs.work()
    assert dialog.answer.text.startswith("Nothing has left this machine yet. Counting would send ")
    assert server.address in dialog.answer.text
    assert "1 secret is replaced by a note." in dialog.facts.text()
    assert "costs nothing" in dialog.facts.text()
    assert json.loads(dialog.text.toPlainText()) == dialog.prepared.preview.bodies[0]
    assert server.requests == []
    assert window.jobs.waiting == []
    press(dialog.send)
    assert server.requests == []
    window.jobs.work()
    assert len(server.requests) == 1
    assert "Anthropic counts ●30 tokens" in dialog.answer.text
    assert [row.id for row in dialog.list.figures.rows] == ["messages", "total"]
    assert dialog.send.isHidden()
    dialog.grab()
    dialog.close()


@pytest.mark.parametrize("way", ["cancel", "escape", "enter"])
def test_without_confirmation_no_socket_opens(
    counting: OnlineCounting, window: Window, monkeypatch: pytest.MonkeyPatch, sealed: None, way: str
) -> None:
    """However the dialog is left; Enter alone leaves it too, and sends nothing."""
    monkeypatch.setenv(KEY, SECRET)
    counting.begin()
    dialog = counting.dialog
    assert dialog is not None
    window.jobs.work()
    if way == "cancel":
        press(dialog.leave)
    else:
        QTest.keyClick(dialog, Qt.Key.Key_Escape if way == "escape" else Qt.Key.Key_Return)
    assert counting.dialog is None
    assert window.jobs.waiting == []
    assert window.jobs.cancelled == ["online"]


def test_off_is_said(counting: OnlineCounting, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is prepared; the strip says what is missing."""
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.setattr(online_task, "missing", lambda: missing({}))
    counting.begin()
    assert counting.dialog is None
    assert window.jobs.waiting == []
    assert KEY in str(window.strip.notices[0].said)


def test_a_failure_is_said(counting: OnlineCounting, window: Window, server: Server) -> None:
    """In a sentence; what was confirmed once can be sent again."""
    server.reply = lambda reply: reply.error(429, "rate_limit_error", f"bad {SECRET}")
    counting.begin()
    dialog = counting.dialog
    assert dialog is not None
    window.jobs.work()
    press(dialog.send)
    assert not dialog.send.isEnabled()
    window.jobs.work()
    assert dialog.answer.text.startswith("Not counted.")
    assert SECRET not in dialog.answer.text
    assert dialog.send.isEnabled()
    dialog.close()


def test_what_comes_late_is_dropped(counting: OnlineCounting, window: Window, server: Server) -> None:
    counting.begin()
    dialog = counting.dialog
    assert dialog is not None
    counting.begin()
    assert counting.dialog is dialog
    dialog.close()
    window.jobs.work()
    assert counting.dialog is None
    window.state = None
    counting.begin()
    assert window.jobs.waiting == []


def test_the_whole_text_can_be_copied(qtbot: QtBot, path: str) -> None:
    """Also what is too long to be shown."""
    translation.use("zh_CN")
    try:
        dialog = OnlineDialog(Look("dark"))
        qtbot.addWidget(dialog)
        found = prepared(path)
        dialog.show_prepared(Prepared(found.number, found.preview, found.ours, found.text[:50], 7))
        assert "还有 7 个字符" in dialog.facts.text()
        press(dialog.copy)
        dialog.grab()
    finally:
        translation.use("en")
    from PySide6.QtGui import QGuiApplication

    assert json.loads(QGuiApplication.clipboard().text()) == found.preview.bodies[0]
