"""Numbers as people read them: thousands, percent, money, durations, bytes. Pure, two languages.

Formats follow the visual design: exact to 999,999, then `1.23 M`; money never `$0.00`; a real minus sign (U+2212);
a narrow no-break space before a unit in English and before a percent sign, none before the percent sign in Chinese.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

NARROW = "\u202f"
MINUS = "\u2212"


def whole(value: int) -> str:
    """`169340` -> `169,340`; negative numbers get U+2212."""
    return (MINUS if value < 0 else "") + f"{abs(value):,}"


def count(value: int) -> str:
    """Exact up to 999,999, then millions with two decimals: `1.23 M`."""
    if abs(value) <= 999_999:
        return whole(value)
    return (MINUS if value < 0 else "") + f"{abs(value) / 1e6:.2f}{NARROW}M"


def short(value: float) -> str:
    """For axes and lists: `623k`, `1.2M`, `840`."""
    sign, size = (MINUS if value < 0 else ""), abs(value)
    if size < 1000:
        return f"{sign}{size:.0f}"
    if size < 999_500:
        return f"{sign}{size / 1000:.0f}k"
    return f"{sign}{size / 1e6:.1f}M"


def signed(value: int) -> str:
    """A difference: always signed, zero is `0`."""
    return "0" if value == 0 else ("+" if value > 0 else MINUS) + f"{abs(value):,}"


def percent(share: float, language: str = "en", digits: int = 0) -> str:
    """A share 0…1 as percent; one decimal is asked for beside a threshold. Some, but too little: `<1 %`."""
    least = Decimal(1).scaleb(-digits)
    value = Decimal(str(share)) * 100
    less = 0 < value < least / 2
    number = least if less else value.quantize(least, ROUND_HALF_UP)
    return f"{'<' if less else ''}{number:f}{'' if language.startswith('zh') else NARROW}%"


def money(value: Decimal | float | None) -> str:
    """US dollars: `$12.50`, `$0.0034` under one cent, `$0` for nothing, `–` for unknown."""
    if value is None:
        return "–"
    amount = Decimal(value) if not isinstance(value, Decimal) else value
    sign, size = (MINUS if amount < 0 else ""), abs(amount)
    if size == 0:
        return "$0"
    if size >= Decimal("0.01"):
        return f"{sign}${size:,.2f}"
    if size >= Decimal("0.0001"):
        return f"{sign}${size:.4f}"
    return f"{sign}<$0.0001"


def duration(seconds: float, language: str = "en") -> str:
    """`42 s`, `5 min`, `1 h 12 min`, `3 d 4 h`; Chinese `42 秒`, `5 分钟`."""
    units = ("秒", "分钟", "小时", "天") if language.startswith("zh") else ("s", "min", "h", "d")
    space = " " if language.startswith("zh") else NARROW
    total = round(abs(seconds))
    sign = MINUS if seconds < 0 and total else ""
    if total < 60:
        return f"{sign}{total}{space}{units[0]}"
    minutes, rest = divmod(total, 60)
    if minutes < 60:
        tail = f" {rest}{space}{units[0]}" if rest and minutes < 10 else ""
        return f"{sign}{minutes}{space}{units[1]}{tail}"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{sign}{hours}{space}{units[2]}" + (f" {minutes}{space}{units[1]}" if minutes else "")
    days, hours = divmod(hours, 24)
    return f"{sign}{days}{space}{units[3]}" + (f" {hours}{space}{units[2]}" if hours else "")


def size(octets: int) -> str:
    """Decimal bytes: `812 bytes`, `42 kB`, `1.2 MB`, `3.4 GB`."""
    if octets < 1000:
        return f"{octets}{NARROW}B"
    for unit, scale in (("kB", 1e3), ("MB", 1e6), ("GB", 1e9)):
        value = octets / scale
        if value < 999.5 or unit == "GB":
            return f"{value:.1f}{NARROW}{unit}" if value < 10 and unit != "kB" else f"{value:.0f}{NARROW}{unit}"
    raise AssertionError("unreachable")
