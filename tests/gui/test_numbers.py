"""Numbers as words: exact where the reader compares, short where he glances, never a false zero."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui import numbers
from gui.numbers import MINUS, THIN, Mark


def plain(text: str) -> str:
    """With ordinary spaces, so that the tables below can be read."""
    return text.replace(THIN, " ")


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "0"),
        (18, "18"),
        (169_340, "169,340"),
        (999_999, "999,999"),
        (1_000_000, "1.00 M"),
        (1_234_567, "1.23 M"),
        (9_999_999, "10.0 M"),
        (12_345_678, "12.3 M"),
        (999_400_000, "999 M"),
        (999_999_999, "1.00 G"),
        (-11_968, "−11,968"),
        (-1_234_567, "−1.23 M"),
    ],
)
def test_tokens(n: int, text: str) -> None:
    """Exact with separators up to 999,999, then three digits; the unit is chosen after rounding."""
    assert plain(numbers.tokens(n)) == text


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "0"),
        (640, "640"),
        (999.6, "1k"),
        (1_500, "1.5k"),
        (9_949, "9.9k"),
        (9_950, "10k"),
        (50_000, "50k"),
        (623_126, "623k"),
        (999_499, "999k"),
        (999_500, "1M"),
        (1_250_000, "1.3M"),
        (25_000_000, "25M"),
        (-23_126, "−23k"),
    ],
)
def test_axis(n: float, text: str) -> None:
    """Axes and lists count in thousands; no decimals that are zero."""
    assert numbers.compact(n) == text


@pytest.mark.parametrize(
    ("share", "decimals", "english", "chinese"),
    [
        (0.7, 0, "70 %", "70%"),
        (0, 0, "0 %", "0%"),
        (1.04, 0, "104 %", "104%"),
        (0.7534, 1, "75.3 %", "75.3%"),
        (0.001, 0, "<1 %", "<1%"),
        (0.0001, 1, "<0.1 %", "<0.1%"),
        (0.125, 0, "13 %", "13%"),
    ],
)
def test_percent(share: float, decimals: int, english: str, chinese: str) -> None:
    """A narrow space before % in English, none in Chinese; a little is not nothing."""
    assert plain(numbers.percent(share, "en", decimals=decimals)) == english
    assert numbers.percent(share, "zh_CN", decimals=decimals) == chinese


def test_percent_space_does_not_break() -> None:
    """The space before the sign is U+202F, on which no line breaks."""
    assert numbers.percent(0.7) == "70\u202f%"


@pytest.mark.parametrize(
    ("usd", "text"),
    [
        (0, "$0"),
        (0.52, "$0.52"),
        (0.0034, "$0.0034"),
        (0.00996, "$0.01"),
        (0.00994, "$0.0099"),
        (0.00001, "<$0.0001"),
        (5.53, "$5.53"),
        (1_234.5, "$1,234.50"),
        (0.125, "$0.13"),
        (Decimal("0.015"), "$0.02"),
        (-0.34, "−$0.34"),
    ],
)
def test_money(usd: float | Decimal, text: str) -> None:
    """Two decimals, four under one cent; half a cent rounds up as on paper."""
    assert numbers.money(usd) == text


@given(st.floats(-1e6, 1e6))
def test_money_is_never_a_false_zero(usd: float) -> None:
    """Law: "$0" is said of nothing but zero, and "$0.00" never."""
    text = numbers.money(usd)
    assert (text == "$0") == (usd == 0)
    assert not text.endswith(("$0.00", "$0.0000"))


def test_signed_money_with_its_mark() -> None:
    """The mark comes first, then the sign: ◇ +$0.02."""
    assert plain(numbers.money(0.02, signed=True, mark=Mark.SIMULATED)) == "◇ +$0.02"


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (0, "0 s", "0 秒"),
        (0.32, "320 ms", "320 毫秒"),
        (0.0001, "0 s", "0 秒"),
        (0.99951, "1 s", "1 秒"),
        (42, "42 s", "42 秒"),
        (59.6, "1 min", "1 分钟"),
        (298, "4 min 58 s", "4 分钟 58 秒"),
        (300, "5 min", "5 分钟"),
        (599.7, "10 min", "10 分钟"),
        (660, "11 min", "11 分钟"),
        (3_599, "1 h", "1 小时"),
        (4_320, "1 h 12 min", "1 小时 12 分钟"),
        (86_399, "1 d", "1 天"),
        (90_000, "1 d 1 h", "1 天 1 小时"),
        (-42, "−42 s", "−42 秒"),
    ],
)
def test_duration(seconds: float, english: str, chinese: str) -> None:
    """At most two units, and a unit never reaches the size of the next."""
    assert plain(numbers.duration(seconds)) == english
    assert numbers.duration(seconds, "zh_CN") == chinese


@given(st.floats(1, 1e8))
def test_no_unit_of_time_overflows(seconds: float) -> None:
    """Law: never "60 s", "60 min" or "24 h"."""
    words = numbers.duration(seconds).split(THIN)
    limits = {"ms": 1_000, "s": 60, "min": 60, "h": 24, "d": 10**9}
    assert 2 <= len(words) <= 4
    assert all(int(n.replace(",", "")) < limits[unit] for n, unit in zip(words[::2], words[1::2], strict=True))


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1 kB"),
        (1_234, "1.2 kB"),
        (12_000, "12 kB"),
        (390_000, "0.39 MB"),
        (1_000_000, "1.00 MB"),
        (12_500_000, "12.5 MB"),
        (250_000_000, "250 MB"),
        (1_200_000_000, "1.2 GB"),
    ],
)
def test_bytes_are_decimal(n: int, text: str) -> None:
    """A megabyte is a million bytes."""
    assert plain(numbers.size(n)) == text


@pytest.mark.parametrize(("n", "text"), [(1_234, "+1,234"), (-11_968, "−11,968"), (0, "0")])
def test_delta(n: int, text: str) -> None:
    """Differences are always signed, with a true minus; zero has no sign."""
    assert numbers.delta(n) == text


def test_delta_with_its_mark() -> None:
    """ "≈ +19,543", and no mark on a zero."""
    assert plain(numbers.delta(19_543, Mark.ESTIMATED)) == "≈ +19,543"
    assert numbers.delta(0, Mark.ESTIMATED) == "0"


@pytest.mark.parametrize(("share", "text"), [(-0.15, "−15 pt"), (0.02, "+2 pt"), (0.001, "0")])
def test_points(share: float, text: str) -> None:
    """Shares differ by points, not by percent; a rounded zero has no sign."""
    assert plain(numbers.delta_points(share)) == text


@given(st.integers(-(10**12), 10**12))
def test_only_the_true_minus(n: int) -> None:
    """Law: no number holds the hyphen that a line may break after."""
    for text in (numbers.tokens(n), numbers.compact(n), numbers.delta(n), numbers.size(n), numbers.count(n)):
        assert "-" not in text
        assert text.count(MINUS) <= 1


@given(st.integers(-999_999, 999_999))
def test_tokens_are_exact_below_a_million(n: int) -> None:
    """Law: what is printed can be read back."""
    assert int(numbers.tokens(n).replace(",", "").replace(MINUS, "-")) == n


@pytest.mark.parametrize(
    ("mark", "glyph", "word"),
    [(Mark.RECORDED, "●", "recorded"), (Mark.ESTIMATED, "≈", "estimated"), (Mark.SIMULATED, "◇", "simulated")],
)
def test_marks(mark: Mark, glyph: str, word: str) -> None:
    """The eye gets the glyph, the screen reader the word."""
    assert numbers.tokens(12, mark) == f"{glyph}{THIN}12"
    assert numbers.spoken("12", mark) == f"{word} 12"
    assert numbers.marked("12", None) == numbers.spoken("12", None) == "12"


def test_replayed_beside_recorded() -> None:
    """The replay's number first, the file's in brackets with its word."""
    assert plain(numbers.beside("169,340", "182,611")) == "◇ 169,340 (● 182,611 recorded)"
    assert plain(numbers.beside("1", "2", "zh_CN")) == "◇ 1（● 2 recorded）"
