"""Printed lists of a pretended warehouse, 132 columns wide as on a line printer."""

from __future__ import annotations

import random
from dataclasses import dataclass

_THINGS = (
    "Shackle",
    "Turnbuckle",
    "Cable clamp",
    "Eye bolt",
    "Swivel hook",
    "Pulley block",
    "Thimble",
    "Chain link",
    "Deck cleat",
    "Fender line",
    "Mooring rope",
    "Hex nut",
    "Washer",
    "Threaded rod",
    "Anchor plate",
    "Hinge",
    "Hose clip",
    "Ball valve",
)
_KINDS = ("galvanised", "stainless", "black", "zinc plated", "brass", "polyamide", "coated", "bare")
_REMARKS = ("", "", "", "", "", "", "", "box open", "label torn", "recount", "复核", "moved", "damp")


@dataclass(frozen=True, slots=True)
class Item:
    code: str
    name: str
    bin: str
    booked: int
    counted: int
    remark: str

    @property
    def difference(self) -> int:
        return self.counted - self.booked


def hall(rng: random.Random, letter: str, rows: int) -> list[Item]:
    """What one hall should hold and what was found there; about one item in twelve differs."""
    items = []
    for number in range(rows):
        booked = rng.choice((rng.randint(1, 40), rng.randint(40, 400), rng.randint(400, 2400)))
        wrong = rng.random() < 0.08
        counted = max(0, booked + rng.choice((-40, -12, -5, -2, -1, 1, 2, 6, 24))) if wrong else booked
        name = f"{rng.choice(_THINGS)} {rng.choice((4, 5, 6, 8, 10, 12, 16, 20, 24))} mm {rng.choice(_KINDS)}"
        place = f"{letter}{number // 40 + 1:02d}{number % 40 + 1:02d}"
        items.append(Item(f"{letter}H{1000 + number * 7}", name, place, booked, counted, rng.choice(_REMARKS)))
    return items


def count_list(letter: str, items: list[Item]) -> str:
    """The list that people fill in, as the warehouse program prints it."""
    head = f"{'COUNT LIST':<44}{'HALL ' + letter:<30}{'PRINTED 2026-03-31 18:00':<40}{'PAGE 1':>18}\n\n"
    columns = f"{'CODE':<14}{'ARTICLE':<46}{'BIN':<14}{'COUNTED':>14}{'':>12}{'REMARK':<32}".rstrip() + "\n"
    rows = (
        f"{i.code:<14}{i.name:<46}{i.bin:<14}{i.counted:>14}{'':>12}{i.remark:<32}".rstrip().ljust(118)
        + "             |\n"
        for i in items
    )
    return head + columns + "".join(rows)


def report(letter: str, items: list[Item]) -> str:
    """The reconciliation of one hall, every item in it."""
    wrong = [item for item in items if item.difference]
    head = (
        f"# Hall {letter}: count of 31 March 2026\n\n"
        f"{len(items)} items counted, {len(wrong)} differ, {sum(i.difference for i in items):+} pieces in all.\n\n"
    )
    columns = f"{'code':<14}{'article':<42}{'bin':<12}{'booked':>14}{'counted':>16}{'difference':>18}\n"
    rows = (
        f"{i.code:<14}{i.name:<42}{i.bin:<12}{i.booked:>14}{i.counted:>16}{i.difference or '':>18}\n" for i in items
    )
    return head + columns + "".join(rows)


def differences(letter: str, items: list[Item]) -> str:
    """What the comparing script prints."""
    lines = [f"hall {letter}: {len(items)} rows read, {len(items)} matched by code"]
    lines += [
        f"  {i.code}  {i.bin}  {i.name:<34} booked {i.booked:>5}  counted {i.counted:>5}  {i.difference:+d}"
        for i in items
        if i.difference
    ]
    total = sum(1 for item in items if item.difference)
    return "\n".join([*lines, f"total {total} differences"]) + "\n"


def movements(rng: random.Random, rows: int) -> str:
    """Everything that went in and out since the last count: one very long result."""
    lines = [f"{'day':<14}{'time':<12}{'code':<14}{'kind':<16}{'pieces':>18}     {'order':<24}{'by':<22}note"]
    minutes = 0
    for _ in range(rows):
        minutes += rng.randint(1, 55)
        day, minute = divmod(minutes, 600)
        kind = rng.choice(("issue", "issue", "issue", "receipt", "return", "transfer", "scrap"))
        lines.append(
            f"{f'2026-{1 + day // 28 % 3:02d}-{day % 28 + 1:02d}':<14}{f'{7 + minute // 60:02d}:{minute % 60:02d}':<12}"
            f"{rng.choice('ABCDEFGH')}H{1000 + rng.randrange(330) * 7:<12}{kind:<16}{rng.randint(1, 240):>18}     "
            f"{f'SO-{rng.randint(20000, 29999)}':<24}{rng.choice(('imoreau', 'tokafor', 'lin', 'jweiss')):<22}"
            f"{rng.choice(('', '', '', 'rush', 'partial', '补发', 'wrong label')):<20}".rstrip().ljust(160)
        )
    return "\n".join(lines) + "\n"
