"""Numbers as people read them, where both languages or the edges differ."""

from __future__ import annotations

import pytest

from core.numbers import percent


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [
        (0.0, 0, "0\u202f%"),
        (0.004, 0, "<1\u202f%"),
        (0.005, 0, "1\u202f%"),
        (0.0004, 1, "<0.1\u202f%"),
        (0.705, 0, "71\u202f%"),
        (0.7512, 1, "75.1\u202f%"),
        (1.2, 0, "120\u202f%"),
    ],
)
def test_percent(share: float, digits: int, said: str) -> None:
    """Halves are rounded up as every reader does; some, but too little to say, is never nothing."""
    assert percent(share, "en", digits) == said
    assert percent(share, "zh_CN", digits) == said.replace("\u202f", "")
