"""Numbers as words of the window: tokens, shares, money, times, sizes, differences, and where each comes from.

Every function takes the language as `locale` ("en" or "zh_CN", any Qt locale name); digits, the thousands comma and
the decimal point are the same in both. A minus is U+2212, and a unit is tied to its number by a narrow space that
does not break. A `mark` puts the glyph of the number's origin before it.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from enum import Enum

from PySide6.QtCore import QCoreApplication

THIN = "\u202f"
MINUS = "\u2212"
ZERO = "0"


class Mark(Enum):
    """Where a number comes from: read from the file, counted by us, or given by the replay."""

    RECORDED = "●"
    ESTIMATED = "≈"
    SIMULATED = "◇"

    @property
    def glyph(self) -> str:
        return self.value

    def word(self) -> str:
        """The mark for the legend and for screen readers, in the language of the window."""
        if self is Mark.RECORDED:
            return QCoreApplication.translate("Mark", "recorded")
        if self is Mark.ESTIMATED:
            return QCoreApplication.translate("Mark", "estimated")
        return QCoreApplication.translate("Mark", "simulated")


def marked(text: str, mark: Mark | None) -> str:
    """The number with its mark before it: "◇ 139,523"."""
    return text if mark is None else f"{mark.glyph}{THIN}{text}"


def spoken(text: str, mark: Mark | None) -> str:
    """The number as a screen reader should say it, the word instead of the glyph."""
    return text if mark is None else f"{mark.word()} {text}"


def chinese(locale: str) -> bool:
    """Whether numbers take the Chinese forms of their units."""
    return locale.startswith("zh")


def _rounded(value: float | Decimal, places: int) -> Decimal:
    # Half up on the printed decimals: 0.125 is $0.13, as every reader computes it, not banker's $0.12.
    return Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _fixed(value: float | Decimal, places: int) -> str:
    """`value` with thousands separators and exactly `places` decimals; a rounded zero has no sign."""
    number = _rounded(value, places)
    text = f"{abs(number):,f}"
    return MINUS + text if number < 0 else text


def _short(value: float | Decimal, places: int) -> str:
    """The same without decimals that are zero."""
    text = _fixed(value, places)
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(n: int, mark: Mark | None = None) -> str:
    """Any whole number, exact: "600,000"."""
    return marked(_fixed(n, 0), mark)


def tokens(n: int, mark: Mark | None = None) -> str:
    """Tokens: exact up to 999,999, then three digits: "1.23 M"."""
    size = abs(n)
    if size < 1_000_000:
        return count(n, mark)
    # 999,999,999 must not become "1,000 M": choose the unit after rounding.
    unit, divisor = ("G", 10**9) if size >= 999_500_000 else ("M", 10**6)
    value = Decimal(n) / divisor
    places = 2 if abs(value) < Decimal("9.995") else 1 if abs(value) < Decimal("99.95") else 0
    return marked(f"{_fixed(value, places)}{THIN}{unit}", mark)


def compact(n: float, mark: Mark | None = None) -> str:
    """For axes and lists, in thousands: "0", "640", "1.5k", "50k", "623k", "1.2M"."""
    size = abs(n)
    if size < 999.5:
        text = _short(n, 0)
    elif size < 9_950:
        text = _short(n / 1_000, 1) + "k"
    elif size < 999_500:
        text = _fixed(n / 1_000, 0) + "k"
    elif size < 9_950_000:
        text = _short(n / 1_000_000, 1) + "M"
    else:
        text = _fixed(n / 1_000_000, 0) + "M"
    return marked(text, mark)


def percent(share: float, locale: str = "en", *, decimals: int = 0, mark: Mark | None = None) -> str:
    """A share of one as percent: whole, or with `decimals` beside a threshold. Some, but too little: "<1 %"."""
    least = 10.0**-decimals
    if 0 < share * 100 < least / 2:
        number = "<" + _fixed(least, decimals)
    else:
        number = _fixed(Decimal(str(share)) * 100, decimals)
    return marked(f"{number}%" if chinese(locale) else f"{number}{THIN}%", mark)


def money(usd: float | Decimal, *, mark: Mark | None = None, signed: bool = False) -> str:
    """US dollars: "$0.52", under one cent "$0.0034", nothing "$0"; `signed` puts + or − before the sign."""
    value = Decimal(str(usd))
    size = abs(value)
    if size == 0:
        return marked("$0", mark)
    if size >= Decimal("0.00995"):
        text = f"${_fixed(size, 2)}"
    elif size >= Decimal("0.00005"):
        text = f"${_fixed(size, 4)}"
    else:
        text = "<$0.0001"
    sign = MINUS if value < 0 else "+" if signed else ""
    return marked(sign + text, mark)


def delta(n: int, mark: Mark | None = None) -> str:
    """A signed difference: "+1,234", "−11,968"; zero is "0", without a mark, for ink3."""
    if n == 0:
        return ZERO
    return marked(("+" if n > 0 else "") + tokens(n), mark)


def delta_points(share: float, locale: str = "en", *, decimals: int = 0) -> str:
    """A difference of two shares of one, in percentage points: "−15 pt"."""
    number = _rounded(Decimal(str(share)) * 100, decimals)
    if number == 0:
        return ZERO
    text = ("+" if number > 0 else "") + _fixed(number, decimals)
    return f"{text} 个百分点" if chinese(locale) else f"{text}{THIN}pt"


_UNITS = {"ms": "毫秒", "s": "秒", "min": "分钟", "h": "小时", "d": "天"}


def duration(seconds: float, locale: str = "en") -> str:
    """A span of time in at most two units: "320 ms", "42 s", "4 min 58 s", "11 min", "1 h 12 min", "3 d 4 h".

    From ten minutes on seconds are left out; each unit is rounded before the next larger is tried.
    """
    sign = MINUS if seconds < 0 else ""
    span = abs(seconds)
    if 0 < span < 0.9995:
        milliseconds = round(span * 1_000)
        parts = [(milliseconds, "ms")] if milliseconds else [(0, "s")]
    else:
        parts = _clock(round(span))
    between = " " if chinese(locale) else THIN
    text = between.join(
        f"{number:,} {_UNITS[unit]}" if chinese(locale) else f"{number:,}{THIN}{unit}" for number, unit in parts
    )
    return sign + text if parts[0][0] else text


def _clock(seconds: int) -> list[tuple[int, str]]:
    if seconds < 60:
        return [(seconds, "s")]
    if seconds < 600:
        pair = [(seconds // 60, "min"), (seconds % 60, "s")]
    elif (minutes := (seconds + 30) // 60) < 24 * 60:
        pair = [(minutes // 60, "h"), (minutes % 60, "min")]
    else:
        hours = (seconds + 1_800) // 3_600
        pair = [(hours // 24, "d"), (hours % 24, "h")]
    return [(number, unit) for number, unit in pair if number]


def size(n: int, mark: Mark | None = None) -> str:
    """Bytes in decimal units: "999 B", "12 kB", "0.39 MB", "12.5 MB", "1.2 GB"."""
    amount = abs(n)
    value = Decimal(n)
    if amount < 1_000:
        text = f"{_fixed(n, 0)}{THIN}B"
    elif amount < 99_500:
        text = f"{_short(value / 1_000, 1 if amount < 9_950 else 0)}{THIN}kB"
    elif amount < 9_995_000:
        text = f"{_fixed(value / 10**6, 2)}{THIN}MB"
    elif amount < 999_500_000:
        text = f"{_fixed(value / 10**6, 1 if amount < 99_950_000 else 0)}{THIN}MB"
    else:
        text = f"{_fixed(value / 10**9, 1)}{THIN}GB"
    return marked(text, mark)


def beside(simulated: str, recorded: str, locale: str = "en") -> str:
    """A replayed and a recorded number together: "◇ 169,340 (● 182,611 recorded)"."""
    left = marked(simulated, Mark.SIMULATED)
    right = f"{marked(recorded, Mark.RECORDED)} {Mark.RECORDED.word()}"
    return f"{left}（{right}）" if chinese(locale) else f"{left} ({right})"
