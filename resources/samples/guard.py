"""Sample "The guard at work": a chat in which eight long lists are pasted and eight long reports written.

The file was recorded by an agent without a guard, so every request went out whole; what a guard would have done is
for the reader to find out. One result is longer than a single result may be (request 6 on), the whole context passes
75 % of the window in the fifth hall, and at the last request the words of user and assistant alone pass 90 %, where
no cutting of results helps. On the way: a heartbeat, mirrors, a call without a name, one without a result, a list
pasted in two messages.
"""

from __future__ import annotations

import random
from typing import Any

from resources.samples import warehouse
from resources.samples.recorder import Call, Recorder
from resources.samples.warehouse import Item

CWD = "/home/ines/stock"
HALLS = "ABCDEFGH"
ROWS = (372, 348, 360, 366, 352, 358, 344, 372)
HEARTBEAT = "Read HEARTBEAT.md if it exists. Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK."


def record() -> Recorder:
    rec = Recorder(seed=75, start="2026-04-01T08:05:12+00:00", cwd=CWD, stable=12_060, dynamic=840, guard=False)
    rec.choose_model()
    rec.choose_thinking("off")
    rec.snapshot_model()
    rec.name("stock-count-march")
    rng = random.Random(31)
    halls = {letter: warehouse.hall(rng, letter, rows) for letter, rows in zip(HALLS, ROWS, strict=True)}
    _prepare(rec, rng)
    for letter, items in halls.items():
        _one_hall(rec, letter, items)
    rec.wait(44)
    rec.ask("One sentence for the management, please.")
    wrong = sum(1 for items in halls.values() for item in items if item.difference)
    rec.reply(f"Of {sum(ROWS):,} articles in eight halls, {wrong} differ from the books, no more than last time.")
    rec.mark_ttl()
    return rec


def _exec(command: str, output: str | None, *, seconds: float = 0.6) -> Call:
    details: dict[str, Any] = {"status": "completed", "exitCode": 0, "durationMs": round(seconds * 1000), "cwd": CWD}
    if output is not None:
        details["aggregated"] = output[-1_600:]
    return Call("exec", {"command": command}, output, details, seconds=seconds)


def _prepare(rec: Recorder, rng: random.Random) -> None:
    """Requests 1 to 7: the rules, the tables, and a result that is too long for one result."""
    rec.ask(
        "We counted all eight halls yesterday. I will paste the lists one by one; compare each with the books "
        "and write a report."
    )
    rec.reply("I look at what is here first.", [_exec("ls -l; cat RULES.md", LISTING + RULES)])
    rec.reply(
        "Then at the tables.",
        [_exec("sqlite3 stock.db .schema", SCHEMA), _exec("sqlite3 stock.db 'select count(*) from items'", "2830\n")],
    )
    rec.answer(
        [
            {"type": "text", "text": "A script for the comparison, and the result of the last count."},
            {"type": "toolCall", "id": rec.call_id(), "name": "  ", "arguments": {"command": "true"}},
            {
                "type": "toolCall",
                "id": (id := rec.call_id()),
                "name": "write",
                "arguments": {"path": "reconcile.py", "content": SCRIPT},
            },
        ],
        stop="toolUse",
    )
    rec.wait(0.2)
    rec.result(id, "write", f"Successfully wrote {len(SCRIPT)} bytes to reconcile.py")
    rec.reply(
        "The last count, for comparison.",
        [_exec("cat reports/2025-09-30.txt | head -60", warehouse.report("A", warehouse.hall(rng, "A", 54)))],
    )
    rec.reply(
        "Everything that went in and out since then.",
        [
            _exec(
                "sqlite3 -column stock.db 'select * from movements where day > date(\"2025-09-30\")'",
                warehouse.movements(rng, 652),
                seconds=1.8,
            )
        ],
    )
    rec.reply(
        "652 movements since the last count. I also check that no order is open.",
        # Nobody waited for this one.
        [_exec("python open_orders.py --all", None)],
    )
    rec.wait(15)
    text = "Ready. Paste the list of hall A."
    rec.reply(text)
    rec.mirror(text)
    rec.mark_ttl()


def _one_hall(rec: Recorder, letter: str, items: list[Item]) -> None:
    """Three requests: compare, write, tell."""
    rec.wait(70 + 9 * HALLS.index(letter))
    pasted = warehouse.count_list(letter, items)
    if letter == "C":
        # Too long for one message of the channel: it comes in two.
        half = pasted.index("\n", len(pasted) // 2) + 1
        rec.ask(f"Hall {letter}, first part:\n\n{pasted[:half]}")
        rec.wait(3)
        rec.ask(f"Second part:\n\n{pasted[half:]}")
    else:
        rec.ask(f"Hall {letter}:\n\n{pasted}")
    rec.reply(
        f"I compare hall {letter} with the books.",
        [_exec(f"python reconcile.py --hall {letter} --paste", warehouse.differences(letter, items), seconds=1.1)],
    )
    text = warehouse.report(letter, items)
    written = f"Successfully wrote {len(text)} bytes to reports/hall-{letter.lower()}.md"
    rec.reply("", [Call("write", {"path": f"reports/hall-{letter.lower()}.md", "content": text}, written, seconds=0.1)])
    wrong = [item for item in items if item.difference]
    worst = max(wrong, key=lambda item: abs(item.difference))
    told = (
        f"Hall {letter}: {len(items)} articles, {len(wrong)} differ, {sum(i.difference for i in wrong):+} pieces. "
        f"The largest is {worst.code} ({worst.name}), {worst.difference:+}. "
        f"The report is in reports/hall-{letter.lower()}.md."
    )
    if letter != "H":
        rec.reply(told)
        rec.mirror(told)
        rec.mark_ttl()
    if letter == "B":
        rec.wait(190)
        rec.ask(HEARTBEAT)
        rec.reply("HEARTBEAT_OK")


LISTING = """\
total 1184
-rw-r--r-- 1 ines ines    1311 Mar 30 09:12 RULES.md
-rw-r--r-- 1 ines ines     902 Mar 30 09:12 open_orders.py
drwxr-xr-x 2 ines ines    4096 Mar 31 17:55 reports
-rw-r--r-- 1 ines ines 1196032 Mar 31 18:02 stock.db

"""
RULES = """\
# Rules of the count
1. The list is printed without the booked numbers. Nobody who counts may know them.
2. A difference of more than 5 % or more than 20 pieces is counted again by somebody else.
3. Remarks are kept as they were written. 中文备注请保留原样。
4. Reports name every article, also those that agree: the auditors want to see that they were looked at.
5. Nothing is booked before all halls are in.
"""
SCHEMA = """\
CREATE TABLE items(code text primary key, name text not null, hall text, bin text, booked integer not null);
CREATE TABLE movements(day text, time text, code text, kind text, pieces integer, "order" text, by text, note text);
CREATE TABLE counts(day text, code text, counted integer, by text, remark text, primary key(day, code));
CREATE INDEX movements_code on movements(code, day);
"""
SCRIPT = '''\
"""Compare a pasted count list with the books."""

import argparse
import sqlite3
import sys


def rows(lines):
    for line in lines:
        parts = line.split()
        if len(parts) >= 4 and parts[0][1:2] == "H":
            number = next(i for i, part in enumerate(parts) if i > 2 and part.isdigit())
            yield parts[0], int(parts[number])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hall", required=True)
    parser.add_argument("--paste", action="store_true")
    options = parser.parse_args()
    books = dict(sqlite3.connect("stock.db").execute("select code, booked from items where hall = ?", [options.hall]))
    found = dict(rows(sys.stdin if options.paste else open(f"lists/{options.hall}.txt")))
    print(f"hall {options.hall}: {len(found)} rows read, {len(found.keys() & books.keys())} matched by code")
    for code in sorted(found):
        if found[code] != books.get(code):
            print(f"  {code}  booked {books.get(code)}  counted {found[code]}")


main()
'''
