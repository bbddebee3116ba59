"""What happened in a history and what is still open: failures that nothing has mended since."""

from __future__ import annotations

import pytest

from core.messages import Message
from core.open_work import last_ask, modified_files, of_messages, open_errors, telling_line


def call(tool: str, id: str, **arguments: str) -> Message:
    block = {"type": "toolCall", "id": id, "name": tool, "arguments": arguments}
    return Message.of({"role": "assistant", "content": [block]})


def result(id: str, text: str, failed: bool = False) -> Message:
    content = [{"type": "text", "text": text}]
    return Message.of({"role": "toolResult", "toolCallId": id, "content": content, "isError": failed})


def user(text: str) -> Message:
    return Message.of({"role": "user", "content": text})


FAILS = (call("bash", "1", command="npm test"), result("1", "running\nError: 2 tests failed\nbye", True))
MENDS = (call("edit", "2", path="/x.ts"), result("2", "done"))


def test_a_failure_stays_open() -> None:
    """With tool, subject and the line that says most."""
    (error,) = open_errors(of_messages([*FAILS, *MENDS]))
    assert (error.place, error.tool, error.subject, error.line) == (1, "bash", "npm test", "Error: 2 tests failed")


def test_until_the_same_call_succeeds() -> None:
    """Another command is another thing."""
    again = (call("bash", "3", command="npm test"), result("3", "all passed"))
    other = (call("bash", "4", command="npm run lint"), result("4", "fine"))
    assert open_errors(of_messages([*FAILS, *MENDS, *again])) == ()
    assert len(open_errors(of_messages([*FAILS, *other]))) == 1


def test_of_repeated_failures_the_last_counts() -> None:
    """One error, where it is now."""
    again = (call("bash", "3", command="npm test"), result("3", "TypeError: x", True))
    (error,) = open_errors(of_messages([*FAILS, *again]))
    assert (error.place, error.line) == (3, "TypeError: x")


def test_asks_and_files() -> None:
    """The last request with words, and every file that was written or edited."""
    happened = of_messages(
        [
            user("first"),
            call("write", "1", path="/b"),
            user(" second "),
            user(" "),
            call("edit", "2", path="/a"),
            *FAILS,
        ]
    )
    assert last_ask(happened) == "second"
    assert modified_files(happened) == ("/a", "/b")
    assert last_ask(()) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ok\nfatal: not a repository\nbye", "fatal: not a repository"),
        ("one\n\ntwo\n", "two"),
        ("", ""),
        ("构建失败：缺少文件\n再见", "构建失败：缺少文件"),
        ("Error: " + "x" * 500, ("Error: " + "x" * 500)[:200]),
    ],
)
def test_telling_line(text: str, line: str) -> None:
    assert telling_line(text) == line
