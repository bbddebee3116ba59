"""What stands beside a session file: its key, and of a configuration the limits alone."""

from __future__ import annotations

import json

import pytest

from core.beside import configuration, told_of
from core.errors import RequestError
from core.session_key import NOTHING, Told, key_in_index, limits
from tests.core.drawn import opened, said

OURS = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-04-07T14:02:11.000Z", "cwd": "/w"}


def session(tmp_path, format: str = "openclaw"):
    mark = {"type": "custom", "customType": "openclaw.cache-ttl", "data": {"timestamp": 1}}
    entries = [said("user", "hello"), *([mark] if format == "openclaw" else [])]
    found = opened(*entries, tmp_path=tmp_path, header=OURS)
    assert found.format == format
    return found


def beside(tmp_path, name: str, value: object) -> None:
    (tmp_path / name).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def test_the_index_names_the_session(tmp_path):
    """By its id."""
    beside(tmp_path, "sessions.json", {"agent:main:main": {"sessionId": "s0"}, "telegram:dm:42": {"sessionId": "s1"}})
    assert told_of(session(tmp_path)) == Told("telegram:dm:42", "index")


def test_the_file_decides_where_topics_share_a_session():
    """Several keys may have one session id; the file's name tells them apart, whatever system wrote the path."""
    index = {
        "telegram:group:7": {"sessionId": "s1", "sessionFile": "/a/s1.jsonl"},
        "telegram:group:7:topic:3": {"sessionId": "s1", "sessionFile": "C:\\a\\s1-topic-3.jsonl"},
    }
    assert key_in_index(index, "s1", "s1-topic-3.jsonl") == "telegram:group:7:topic:3"
    assert key_in_index(index, "s1", "other.jsonl") == "telegram:group:7"
    assert key_in_index(index, "", "other.jsonl") == ""


def test_a_trajectory_file_names_it_too(tmp_path):
    """Every line of it bears the key; the first is read."""
    beside(tmp_path, "session.trajectory.jsonl", '{"sessionId": "s1", "sessionKey": "discord:channel:7"}\n{')
    assert told_of(session(tmp_path)) == Told("discord:channel:7", "trajectory")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sessions.json", "{"),
        ("sessions.json", "[" * 100_000),
        ("sessions.json", []),
        ("sessions.json", {"k": 1, "l": {"sessionFile": 3}}),
        ("sessions.json", {"k": {"sessionId": "other"}}),
        ("session.trajectory.jsonl", ""),
        ("session.trajectory.jsonl", "nonsense"),
        ("session.trajectory.jsonl", "3"),
        ("session.trajectory.jsonl", {"sessionId": "other", "sessionKey": "k"}),
        ("session.trajectory.jsonl", {"sessionId": "s1", "sessionKey": 3}),
    ],
)
def test_what_cannot_be_read_tells_nothing(tmp_path, name, value):
    """No key, and no fault."""
    beside(tmp_path, name, value)
    assert told_of(session(tmp_path)) == NOTHING


def test_other_agents_have_no_keys(tmp_path):
    """Their folders are not searched."""
    beside(tmp_path, "sessions.json", {"k": {"sessionId": "s1"}})
    assert told_of(session(tmp_path, "pi")) == NOTHING


def test_of_a_configuration_only_limits_are_kept(tmp_path):
    """It holds tokens of channels; they must not travel through the program."""
    whole = {
        "gateway": {"token": "secret"},
        "channels": {
            "telegram": {
                "botToken": "secret",
                "dmHistoryLimit": 5,
                "dms": {"42": {"historyLimit": 3, "name": "secret"}, "7": {}, "8": 1},
            },
            "bad": [1],
        },
    }
    kept = {"channels": {"telegram": {"dmHistoryLimit": 5, "dms": {"42": {"historyLimit": 3}}}}}
    assert limits(whole) == kept
    beside(tmp_path, "openclaw.json", whole)
    assert configuration(str(tmp_path / "openclaw.json")) == kept
    assert limits([]) is limits({"channels": 3}) is None


@pytest.mark.parametrize("text", ["{ // JSON5\n}", "[]", None])
def test_a_configuration_that_cannot_be_read(tmp_path, text):
    """A person named it, so a person is told."""
    if text is not None:
        beside(tmp_path, "openclaw.json", text)
    with pytest.raises(RequestError):
        configuration(str(tmp_path / "openclaw.json"))
