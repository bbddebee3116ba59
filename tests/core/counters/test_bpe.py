"""The shipped tokenizer: the right vocabulary, without network, for any text."""

from __future__ import annotations

import hashlib
import socket
import subprocess
import sys
import tomllib
import zlib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.counters import bpe
from core.errors import UnreadableFile
from core.messages import Message
from core.phrase import catalogue
from resources.tokenizer.pack import pack, unpack, write_out
from tests.core.test_estimate import messages

FOLDER = files("resources") / "tokenizer"
ABOUT = tomllib.loads((FOLDER / "vocabulary.toml").read_text(encoding="utf-8"))

COUNTER = bpe.make(None)


def test_it_is_the_vocabulary_that_tiktoken_expects():
    """Unpacked and written out again it is o200k_base.tiktoken, byte by byte; packing that gives our file."""
    packed = (FOLDER / ABOUT["file"]).read_bytes()
    tokens = unpack(packed)
    assert len(tokens) == ABOUT["tokens"]
    whole = write_out(tokens)
    assert hashlib.sha256(whole).hexdigest() == ABOUT["tiktoken_sha256"]
    assert ABOUT["tiktoken_sha256"] == "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    assert zlib.decompress(pack(whole)) == zlib.decompress(packed)


# Published test values of another implementation (gpt-tokenizer 4.0.0, MIT), for o200k_base.
@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("hello", [24912]),
        ("Hello, World! How are you today? 🌍", [13225, 11, 5922, 0, 3253, 553, 481, 4044, 30, 130321, 235]),
        ("こんにちは、世界！お元気ですか？", [95839, 1395, 28428, 3393, 8930, 6753, 25717, 15121, 7128, 4802]),
        ("Привет, мир! Как дела?", [23881, 131903, 11, 37934, 0, 26029, 78857, 30]),
        (
            "The quick brown fox jumps over 13 lazy dogs. 😺",
            [976, 4853, 19705, 68347, 65613, 1072, 220, 1311, 29082, 16798, 13, 22861, 118],
        ),
    ],
)
def test_known_texts(text, ids):
    """The very tokens that another implementation of the same vocabulary gives."""
    assert bpe.encoding().encode_ordinary(text) == ids
    assert COUNTER.text(text) == len(ids)


def test_no_network(monkeypatch):
    """Nothing is asked of the network: the encoding is built, and counts, with every connection refused."""

    def refuse(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    bpe.encoding.cache_clear()
    assert bpe.make(None).text("hello") == 1


def test_loading_is_put_off():
    """Naming, listing and making counters loads neither tiktoken nor the vocabulary: only counting does."""
    code = (
        "import sys; from core.counter import make; c = make('bpe'); assert 'tiktoken' not in sys.modules;"
        "from core.messages import Message; c.count(Message.of({'role': 'user', 'content': 'a'}));"
        "assert 'tiktoken' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=files("resources").joinpath(".."), timeout=60)


def test_another_vocabulary_is_refused(monkeypatch):
    """A damaged or exchanged file is named; nothing is counted with it."""
    damaged = {**ABOUT, "sha256": "0" * 64}
    catalogue("en")  # read before toml is replaced, or the stand-in would be kept as every sentence there is
    monkeypatch.setattr(bpe.tomllib, "loads", lambda _: damaged)
    bpe.encoding.cache_clear()
    try:
        with pytest.raises(UnreadableFile, match=r"o200k_base\.bin"):
            bpe.encoding()
    finally:
        monkeypatch.undo()
        bpe.encoding.cache_clear()


@pytest.mark.parametrize("damage", [b"", b"x", zlib.compress(b"\0\0\0\3\1\1"), zlib.compress(b"\0\0\0\1\1ab")])
def test_damaged_data_is_noticed(damage):
    with pytest.raises((ValueError, zlib.error)):
        unpack(damage)


def test_ranks_that_do_not_count_up():
    with pytest.raises(ValueError, match="rank 2 stands where 1 should be"):
        pack(b"YQ== 0\nYg== 2\n")


@given(st.lists(st.binary(min_size=1, max_size=255), max_size=20))
def test_packing_loses_nothing(tokens):
    assert unpack(pack(write_out(tokens))) == tokens


# messages


def test_what_is_counted():
    """4 per message, 4 per call, every text, images by area; nothing for what is not sent."""
    content = [
        {"type": "thinking", "thinking": "hello"},
        {"type": "text", "text": "hello"},
        {"type": "toolCall", "id": "t", "name": "hello", "arguments": {}},
    ]
    assert COUNTER.count(Message.of({"role": "assistant", "content": content})) == 4 + 1 + 1 + 4 + COUNTER.text(
        "hello{}"
    )
    assert COUNTER.count(Message.of({"role": "user", "content": [{"type": "image"}]})) == 4 + 1600
    assert COUNTER.count(Message.of({"role": "toolResult", "content": "hello", "details": {"x": 1}})) == 5
    assert COUNTER.count(Message.of({"role": "bashExecution", "command": "ls", "excludeFromContext": True})) == 0


@given(messages)
def test_any_message_is_counted(raw):
    """Never negative, the same every time and by any instance."""
    first = COUNTER.count(Message.of(raw))
    assert first >= 0
    assert COUNTER.count(Message.of(raw)) == bpe.make(None).count(Message.of(raw)) == first


@pytest.mark.parametrize("text", ["<|endoftext|>", "\ud83d", "a\udc00b", "<|endofprompt|> and more"])
def test_special_and_broken_texts(text):
    """What looks like a special token is ordinary words, half an emoji a replacement character."""
    assert COUNTER.text(text) == len(bpe.encoding().encode_ordinary(text)) > 0


@pytest.mark.parametrize("blank", [" ", "\t", "\u3000"])
def test_blanks_without_end(blank):
    """Two million blanks overflow the tokenizer's own stack; cut into pieces they are counted."""
    assert 0 < bpe.make(None).text(blank * 2_000_000) < 2_000_000


def test_long_texts_are_cut_at_line_ends():
    """The pieces make up the text, none is too long, and the count is that of the whole text."""
    text = "".join(f"line {number} of a very long listing\n" for number in range(9_000))
    pieces = list(bpe._pieces(text))
    assert "".join(pieces) == text
    assert len(pieces) > 2
    assert max(map(len, pieces)) <= bpe.PIECE
    assert all(piece.endswith("\n") for piece in pieces[:-1])
    assert COUNTER.text(text) == len(bpe.encoding().encode_ordinary(text))


def test_it_forgets_in_time(monkeypatch):
    """What is remembered has a bound, and forgetting changes no count."""
    monkeypatch.setattr(bpe, "REMEMBERED", 3)
    counter = bpe.make(None)
    counts = [counter.text(f"word {number}") for number in range(10)]
    assert len(counter._known) <= 3
    assert counts == [COUNTER.text(f"word {number}") for number in range(10)]
