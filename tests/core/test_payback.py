"""When a compaction has paid: by our estimate of a planned one, by recorded usage of one that was made."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from core.messages import Usage
from core.models import Price
from core.payback import payback, recorded
from core.summarizing import Call

PRICE = Price(Decimal(5), Decimal(25), Decimal("0.5"), Decimal("6.25"), Decimal(10))


def call(ok: bool = True) -> Call:
    """1,000 tokens in, 100 out: 5 + 2.5 thousandths of a dollar."""
    return Call(1, "chunk", 1, 1, 1, 4, ok, None if ok else "failed", 1_000, 100, True, 0.0, None, False)


def test_a_planned_one() -> None:
    """90,000 tokens are not read again, 10,000 are written once: 0.0575 + 0.0075 against 0.045 a request."""
    found = payback(100_000, 10_000, (call(), call(ok=False)), PRICE)
    assert found.reclaimed == 90_000
    assert found.calls == Decimal("0.0075")
    assert found.broken == Decimal("0.0575")
    assert found.saved == Decimal("0.045")
    assert found.requests == 2


def test_one_that_reclaims_nothing_never_pays() -> None:
    assert payback(5_000, 6_000, (), PRICE).requests is None


def summary(number: int, usage: Usage, compaction: int | None) -> Any:
    request = SimpleNamespace(number=number, usage=usage, model="claude-opus-4-5", start=None, end=None)
    return SimpleNamespace(request=request, compaction=compaction)


def test_recorded_ones() -> None:
    """Told of the first request under a compaction; not where no usage is recorded, and not of later requests."""
    full, small = Usage(input=3, read=99_000, write=997), Usage(input=0, read=0, write=10_000)
    rows = [
        summary(1, full, None),
        summary(2, small, 7),
        summary(3, Usage(input=3, read=10_000, write=500), 7),
        summary(4, Usage(), 9),
    ]
    found = recorded(SimpleNamespace(summaries=rows))  # type: ignore[arg-type]
    assert set(found) == {2}
    assert found[2].reclaimed == 90_000
    assert found[2].broken == Decimal("0.0575")
    assert found[2].requests == 2
