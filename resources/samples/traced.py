"""Sample "Traced session": an agent whose prompt was recorded, and four reasons why its cache broke.

    run 1   requests  1 –  4   nine tools
    run 2   requests  5 –  7   the harbour's server does not answer: six tools          tools shrank
    run 3   requests  8 – 11   it answers again: nine tools                             tools returned
    run 4   requests 12 – 14   the agent was started again, and says so in its prompt   a time above the boundary
    run 5   requests 15 – 17   somebody copied the boundary's marker into a file        a second marker

Pauses are shorter than five minutes, so the last entry of the cache is always alive. What the user's questions cost is
decided above them, in the tools and in the system prompt, which no session file holds.
"""

from __future__ import annotations

import random
from importlib.resources import files

from resources.samples.recorder import Call
from resources.samples.traced_recorder import TracedRecorder
from resources.samples.traced_tools import HARBOUR, OWN

CWD = "/home/pilot/sandvig"
FIRST_START, SECOND_START = "2026-04-08T09:41:07Z", "2026-04-08T09:58:30Z"
MARKED = (
    "The assistant's prompt is cut here, so that what stands above is cheap:\n"
    "<!-- OPENCLAW_CACHE_BOUNDARY -->\n"
    "Write the result of the check into logs/tides.log.\n"
)
"""What ends up in HEARTBEAT.md: the marker as plain text, which cuts nothing."""


def _text(name: str) -> str:
    return (files("resources.samples") / "material" / "traced" / f"{name}.txt").read_text(encoding="utf-8")


def record() -> TracedRecorder:
    rec = TracedRecorder(seed=31616, start="2026-04-08T09:42:10+00:00", cwd=CWD)
    rng = random.Random(31616)
    _prompt(rec, started=FIRST_START, server=True)
    rec.choose_model()
    rec.choose_thinking("off")
    rec.snapshot_model()
    rec.name("tide-table-a-day-late")
    _why_late(rec, rng)
    rec.wait(196)
    _prompt(rec, started=FIRST_START, server=False)
    _mend(rec)
    rec.wait(171)
    _prompt(rec, started=FIRST_START, server=True)
    _compare(rec, rng)
    rec.wait(96)
    _prompt(rec, started=SECOND_START, server=True)
    _tonight(rec)
    rec.wait(41)
    _prompt(rec, started=SECOND_START, server=True, heartbeat=MARKED)
    _notice(rec)
    return rec


def _prompt(rec: TracedRecorder, *, started: str, server: bool, heartbeat: str = "") -> None:
    rec.stable = _text("stable").replace("{started}", started)
    rec.dynamic = _text("dynamic").replace("{heartbeat}\n", heartbeat)
    rec.tools = [*OWN, *(HARBOUR if server else ())]
    kept = [
        ("AGENTS.md", 916),
        ("SOUL.md", 132),
        ("USER.md", 104),
        ("TOOLS.md", 287),
        ("HEARTBEAT.md", 89 + len(heartbeat)),
    ]
    rec.files = [
        {"name": name, "missing": False, "rawChars": size, "injectedChars": size, "truncated": False}
        for name, size in kept
    ]
    rec.files.append({"name": "IDENTITY.md", "missing": True, "rawChars": 0, "injectedChars": 0, "truncated": False})


def _done(rec: TracedRecorder, text: str) -> None:
    rec.reply(text)
    rec.mirror(text)
    rec.mark_ttl()


def _why_late(rec: TracedRecorder, rng: random.Random) -> None:
    rec.ask("Two skippers say the tide table on our page is a day late. It was right yesterday. Please find out why.")
    rec.reply(
        "I look at what is published and how it is built.",
        [_read("public/tides.json", _published(9)), _read("scripts/tides.py", SCRIPT)],
    )
    rec.reply("", [Call("tides_forecast", {"station": "31616", "days": 2}, _forecast(rng, 8, 2), seconds=0.9)])
    rec.reply("", [_exec("git log --oneline -5 -- scripts/tides.py", LOG, seconds=0.1)])
    _done(
        rec,
        "The table begins with 9 April. Since commit 4be1c90 the script adds the office's offset to the day as well as "
        "to the hour: behind 22:00 UTC it takes tomorrow for today. The heights are right, the dates are not.",
    )


def _mend(rec: TracedRecorder) -> None:
    rec.ask("Mend it, with a test for 22:30 UTC. Do not publish yet.")
    rec.reply(
        "",
        [
            _edit("scripts/tides.py", "day = (now + OFFSET).date() + ONE", "day = now.astimezone(ZONE).date()"),
            Call(
                "write",
                {"path": "tests/test_tides_day.py", "content": TEST},
                f"Successfully wrote {len(TEST)} bytes to tests/test_tides_day.py",
                seconds=0.1,
            ),
        ],
    )
    rec.reply("", [_exec("make test", MADE, seconds=6.4)])
    _done(
        rec,
        "Mended and tested: 31 tests pass, the new one fails without the change. Nothing is published. The tide "
        "service's tools are missing in this run, so I could not compare the heights again.",
    )


def _compare(rec: TracedRecorder, rng: random.Random) -> None:
    rec.ask(
        "The server is back, I restarted it. Compare the new table with the service, and with the gauge for last night."
    )
    rec.reply(
        "", [_exec("make tides OUT=/tmp/tides.json && python -m tides.check /tmp/tides.json", CHECK, seconds=3.1)]
    )
    rec.reply("", [Call("tides_observed", {"station": "31616", "hours": 12}, _observed(rng), seconds=1.2)])
    rec.reply("", [Call("tides_forecast", {"station": "31616", "days": 1}, _forecast(rng, 8, 1), seconds=0.9)])
    _done(
        rec,
        "All 56 values agree with the service. The gauge was at most 7 cm above the forecast, at 03:40, with wind from "
        "the west; that is usual here.",
    )


def _tonight(rec: TracedRecorder) -> None:
    rec.ask("Publish it. And which berths are free tonight for 12 m with 1.90 m draught?")
    rec.reply(
        "I publish first.",
        [
            _exec(
                "make tides && make site", "wrote public/tides.json (56 values)\nwrote public/index.html\n", seconds=4.2
            )
        ],
    )
    rec.reply(
        "",
        [
            Call(
                "berths_free",
                {"night": "2026-04-08", "length": 1200},
                BERTHS,
                {"status": "completed", "source": "bookings"},
                seconds=0.7,
            )
        ],
    )
    _done(
        rec,
        "Published at 11:59 local time. Free tonight for your boat: A7 (2.3 m) and B2 (2.1 m). C4 is free too, but at "
        "04:10 it has 1.8 m.",
    )


def _notice(rec: TracedRecorder) -> None:
    rec.ask("Write a notice for the skippers in Danish: the table was wrong from 7 to 8 April.")
    rec.reply("", [_read("skills/notices/SKILL.md", SKILL)])
    rec.reply(
        "",
        [
            Call(
                "message",
                {"text": NOTICE, "silent": True},
                "sent",
                {"status": "delivered", "messageId": 88_412},
                seconds=0.4,
            )
        ],
    )
    _done(rec, "Sent without a sound. It names both days and says that the heights were right.")


# calls


def _read(path: str, text: str) -> Call:
    return Call("read", {"path": path}, text, {"status": "completed", "path": path}, seconds=0.1)


def _exec(command: str, output: str, *, seconds: float) -> Call:
    details = {"status": "completed", "exitCode": 0, "durationMs": round(seconds * 1000), "cwd": CWD}
    return Call("exec", {"command": command}, output, details, seconds=seconds)


def _edit(path: str, old: str, new: str) -> Call:
    details = {"diff": f"-    {old}\n+    {new}\n", "firstChangedLine": 21}
    return Call(
        "edit",
        {"path": path, "oldText": old, "newText": new},
        f"Successfully replaced 1 block in {path}.",
        details,
        seconds=0.1,
    )


def _published(first: int) -> str:
    rows = [
        f'  {{"day": "2026-04-{day:02d}", "high": ["03:5{day % 10}", "16:1{day % 7}"], '
        f'"cm": [{96 + day}, {101 - day}]}}'
        for day in range(first, first + 14)
    ]
    return '{"station": 31616, "time": "local", "days": [\n' + ",\n".join(rows) + "\n]}\n"


def _forecast(rng: random.Random, first: int, days: int) -> str:
    lines = ["station 31616 Sandvig, UTC, cm above chart datum"]
    for day in range(first, first + days):
        for hour, kind, height in ((2, "high", 101), (8, "low", 22), (14, "high", 97), (20, "low", 19)):
            lines.append(
                f"2026-04-{day:02d} {hour:02d}:{rng.randrange(60):02d}  {kind:<4}  {height + rng.randrange(-4, 5)}"
            )
    return "\n".join(lines) + "\n"


def _observed(rng: random.Random) -> str:
    lines = ["station 31616 Sandvig, UTC, cm above chart datum, measured"]
    level = 40.0
    for minute in range(0, 720, 10):
        level += rng.uniform(-4, 4.4)
        lines.append(f"2026-04-07 {(21 + minute // 60) % 24:02d}:{minute % 60:02d}  {level:5.1f}")
    return "\n".join(lines) + "\n"


SCRIPT = '''\
"""Build public/tides.json. The service speaks UTC, the table local time."""

import json
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from tides.service import forecast

ZONE = ZoneInfo("Europe/Copenhagen")
OFFSET = timedelta(hours=2)
ONE = timedelta(days=1)
STATION = 31616
DAYS = 14


def table(now):
    """Fourteen days from the office's today on."""
    found = []
    for number in range(DAYS):
        day = (now + OFFSET).date() + ONE
        waters = forecast(STATION, day + number * ONE)
        found.append({"day": day.isoformat(), "high": [w.local(ZONE) for w in waters], "cm": [w.cm for w in waters]})
    return {"station": STATION, "time": "local", "days": found}


if __name__ == "__main__":
    json.dump(table(datetime.now(timezone.utc)), sys.stdout, indent=1)
'''

LOG = """\
4be1c90 Summer time: shift the table by two hours
9d02f7e One request per day, the service refuses longer ones
c61b5aa Heights as whole centimetres
71e0d3c Name the station in the table
a0f9b12 First version of the tide table
"""

TEST = """\
from datetime import datetime, timezone

from scripts.tides import table


def test_half_past_ten_at_night_is_tomorrow_in_the_office_and_not_the_day_after(fake_service):
    now = datetime(2026, 4, 7, 22, 30, tzinfo=timezone.utc)
    assert table(now)["days"][0]["day"] == "2026-04-08"
"""

MADE = """\
python -m pytest -q
...............................                                          [100%]
31 passed in 5.87s
"""

CHECK = "56 values compared with station 31616: 56 equal, 0 differ\nfirst day 2026-04-08, last day 2026-04-21\n"

BERTHS = """\
berth  length  depth  until   note
A7     14.0    2.3    10 Apr
B2     12.5    2.1    09 Apr  water, no power
C4     13.0    1.8    12 Apr  depth at the lowest water of the night, 04:10
"""

SKILL = """\
---
name: notices
description: wording of notices to skippers in three languages
---
A notice begins with the place and the date. It says what happened, what is right now, and whom to ask. At most four
sentences. Danish first when the office writes to everybody, then English. No advice about routes.
"""

NOTICE = (
    "Sandvig havn, 8. april. Tidevandstabellen på vores side viste fra den 7. til den 8. april én dag for sent; "
    "højderne var rigtige. Tabellen er rettet siden kl. 11:59. Spørgsmål: havnekontoret, kanal 12."
)
