"""Sample "Broken tool pairs": twelve requests of a chat about a backup in which everything breaks that can break.

In order: a call whose result was never written, a result that no call asked for, two calls with one id in a single
message, a result that arrives behind the next user message, an answer that failed and was repeated with the same call
ids, calls without a name, an id or an input, two user messages in a row, two empty answers, a delivery mirror, a
heartbeat, an excluded command, and an old result that was written again in a shorter form.
"""

from __future__ import annotations

from typing import Any

from resources.samples.recorder import Call, Recorder

CWD = "/srv/nas"
HEARTBEAT = "Read HEARTBEAT.md if it exists. Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK."


def record() -> Recorder:
    rec = Recorder(seed=9182, start="2026-04-02T06:40:03+00:00", cwd=CWD, stable=11_300, dynamic=940)
    rec.choose_model()
    rec.choose_thinking("off")
    rec.snapshot_model()
    rec.name("backup-did-not-run")
    _first_look(rec)
    _two_calls_one_id(rec)
    _late_result(rec)
    _failed_and_repeated(rec)
    _calls_without(rec)
    _silence(rec)
    _written_again(rec)
    return rec


def _exec(command: str, output: str | None, *, code: int = 0, id: str | None = None) -> Call:
    details: dict[str, Any] = {"status": "completed" if code == 0 else "failed", "exitCode": code, "durationMs": 214}
    if output is not None:
        details["aggregated"] = output
    details["cwd"] = CWD
    return Call("exec", {"command": command}, output, details, seconds=0.3, id=id)


def _call(id: str, command: str) -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": "exec", "arguments": {"command": command}}


def _say(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _first_look(rec: Recorder) -> None:
    """Request 1: two calls, the second without a result. Request 2 answers a result that nobody asked for."""
    rec.ask("The backup of the photos did not run last night. Why?")
    rec.reply(
        "I look at the timer and at the log of the last run.",
        [
            _exec("systemctl list-timers 'backup*' --all", TIMERS),
            # The gateway was restarted while this was running.
            _exec("journalctl -u backup-photos --since yesterday", None),
        ],
    )
    rec.wait(40)
    rec.ask("You were restarted. Please go on.")
    rec.result("toolu_01lostLostLostLostLostLo1", "exec", "Job for backup-music.service finished.\n")
    rec.reply("The timer fired at 02:30. The log of that run:", [_exec("journalctl -u backup-photos -n 12", JOURNAL)])


def _two_calls_one_id(rec: Recorder) -> None:
    """Request 3: the model numbers its calls itself and uses one number twice; both results carry it."""
    again = "functions_exec_0"
    rec.reply(
        "The target is read-only. Is the disk full or broken?",
        [_exec("df -h /mnt/vault", DISKS, id=again), _exec("dmesg --level err | tail -5", KERNEL, id=again)],
    )


def _late_result(rec: Recorder) -> None:
    """Requests 4 and 5: the user writes while the tool runs, so the result stands behind the user's message."""
    call = rec.call_id()
    rec.answer(
        [_say("One sector cannot be read. I ask the disk itself."), _call(call, "smartctl -H -A /dev/sdc")],
        stop="toolUse",
    )
    rec.wait(6)
    rec.ask("Do not start a repair yet.")
    rec.wait(4)
    rec.result(call, "exec", SMART, {"status": "completed", "exitCode": 0, "durationMs": 10_240, "cwd": CWD})
    text = "No repair. The disk reports 8 reallocated sectors and 2 pending ones: it works but it is going."
    rec.reply(text)
    rec.mirror(text)
    rec.mark_ttl()


def _failed_and_repeated(rec: Recorder) -> None:
    """Request 6: the provider was overloaded in the middle of the answer; the second try used the same call ids."""
    rec.wait(170)
    rec.ask("Is last week's copy still good? Check the three newest snapshots.")
    ids = [f"call_{number:02d}" for number in (1, 2, 3)]
    commands = [f"restic check --read-data-subset=2% latest~{number}" for number in range(3)]
    calls = [_call(id, command) for id, command in zip(ids, commands, strict=True)]
    rec.answer([_say("I check the three of them."), *calls[:2]], stop="error", error="529 overloaded_error: Overloaded")
    rec.wait(8)
    rec.answer([_say("I check the three newest snapshots."), *calls], stop="toolUse")
    for id, output in zip(ids, CHECKS, strict=True):
        rec.wait(21)
        rec.result(id, "exec", output, {"status": "completed", "exitCode": 0, "durationMs": 20_870, "cwd": CWD})


def _calls_without(rec: Recorder) -> None:
    """Request 7: calls without a name, without an id, without an input; only the fourth can be sent."""
    good = _exec("restic snapshots --latest 3", SNAPSHOTS)
    identifier = rec.call_id()
    rec.answer(
        [
            _say("All three are good. Which files are in them?"),
            {"type": "toolCall", "id": rec.call_id(), "name": "", "arguments": {"command": "restic ls latest"}},
            {"type": "toolCall", "name": "exec", "arguments": {"command": "restic stats latest"}},
            {"type": "toolCall", "id": rec.call_id(), "name": "exec"},
            {"type": "toolCall", "id": identifier, "name": "exec", "arguments": good.arguments},
        ],
        stop="toolUse",
    )
    assert good.output is not None
    rec.wait(0.7)
    rec.result(identifier, "exec", good.output, good.details)
    rec.reply("The newest complete copy is of 31 March, 02:30, 48,112 files.")
    rec.mark_ttl()


def _silence(rec: Recorder) -> None:
    """Requests 9 and 10: a heartbeat, and an answer of the model that has nothing in it."""
    rec.wait(180)
    rec.ask(HEARTBEAT)
    rec.reply("HEARTBEAT_OK")
    rec.wait(65)
    rec.bash("cat ~/.config/restic/password", "seven green kettles 17\n", excluded=True)
    rec.bash("lsblk -o NAME,SIZE,MODEL /dev/sdc /dev/sdd", BLOCKS)
    rec.ask("A new disk is in. It is /dev/sdd.")
    rec.ask("Same size as the old one 👍 中文标签也可以。")
    rec.answer([], stop="stop")
    rec.wait(12)
    rec.ask("Hello?")
    rec.answer([], stop="error", error="terminated")


def _written_again(rec: Recorder) -> None:
    """Requests 11 and 12: the result is written twice, the second time cut, under the same call id."""
    rec.wait(3)
    call = rec.call_id()
    rec.answer(
        [
            _say("I make a file system on it and copy everything over."),
            _call(call, "vault-migrate --from sdc --to sdd --dry-run"),
        ],
        stop="toolUse",
    )
    rec.wait(3)
    details = {"status": "completed", "exitCode": 0, "durationMs": 2_930, "aggregated": PLAN, "cwd": CWD}
    rec.result(call, "exec", PLAN, details)
    rec.result(call, "exec", PLAN[:420] + "\n[shortened]", details)
    text = (
        "The plan is clean: 1.62 TB to copy, about four hours, and the old disk stays untouched until you say so. "
        "The label will be 备份. Shall I start?"
    )
    rec.reply(text)
    rec.mirror(text)
    rec.mark_ttl()


TIMERS = """\
NEXT                        LEFT     LAST                        PASSED  UNIT                  ACTIVATES
Fri 2026-04-03 02:30:00 UTC 19h left Thu 2026-04-02 02:30:01 UTC 4h ago  backup-photos.timer   backup-photos.service
Fri 2026-04-03 03:10:00 UTC 20h left Thu 2026-04-02 03:10:04 UTC 3h ago  backup-music.timer    backup-music.service
Sun 2026-04-05 04:00:00 UTC 2 days   Sun 2026-03-29 04:00:00 UTC 4 days  backup-verify.timer   backup-verify.service

3 timers listed.
"""
JOURNAL = """\
Apr 02 02:30:01 nas systemd[1]: Starting backup-photos.service - Copy /srv/photos to the vault...
Apr 02 02:30:02 nas backup-photos[41190]: open repository
Apr 02 02:30:03 nas backup-photos[41190]: lock repository
Apr 02 02:30:03 nas backup-photos[41190]: cannot lock: open /mnt/vault/restic/locks/7c1e: read-only file system
Apr 02 02:30:03 nas backup-photos[41190]: Fatal: unable to create lock
Apr 02 02:30:03 nas systemd[1]: backup-photos.service: Main process exited, code=exited, status=1/FAILURE
Apr 02 02:30:03 nas systemd[1]: backup-photos.service: Failed with result 'exit-code'.
Apr 02 02:30:03 nas systemd[1]: Failed to start backup-photos.service.
"""
DISKS = """\
Filesystem      Size  Used Avail Use% Mounted on
/dev/sdc1       3.6T  1.7T  1.8T  49% /mnt/vault
"""
KERNEL = """\
[812044.120771] ata3.00: failed command: READ FPDMA QUEUED
[812044.120786] ata3.00: status: { DRDY ERR }  error: { UNC }
[812044.121904] blk_update_request: I/O error, dev sdc, sector 1962934272 op 0x0:(READ)
[812044.130007] EXT4-fs error (device sdc1): inode #61079553: comm restic: reading directory lblock 0
[812044.131266] EXT4-fs (sdc1): Remounting filesystem read-only
"""
SMART = """\
SMART overall-health self-assessment test result: PASSED

ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       8
  9 Power_On_Hours          0x0032   062   062   000    Old_age   Always       -       33417
187 Reported_Uncorrect      0x0032   097   097   000    Old_age   Always       -       3
194 Temperature_Celsius     0x0022   038   047   000    Old_age   Always       -       38
197 Current_Pending_Sector  0x0012   100   100   000    Old_age   Always       -       2
198 Offline_Uncorrectable   0x0010   100   100   000    Old_age   Offline      -       2
"""
CHECKS = tuple(
    f"""\
using temporary cache in /tmp/restic-check-cache-{number}
load indexes
check all packs
check snapshots, trees and blobs
read {percent} % of the data packs
[0:{seconds}] 100.00%  {packs} / {packs} packs
no errors were found
"""
    for number, percent, seconds, packs in ((310, 2, 19, 214), (311, 2, 20, 213), (312, 2, 20, 209))
)
SNAPSHOTS = """\
ID        Time                 Host  Tags    Paths        Size
--------------------------------------------------------------------
5be0f2c1  2026-03-29 02:30:02  nas   photos  /srv/photos  1.618 TiB
91d7a03e  2026-03-30 02:30:02  nas   photos  /srv/photos  1.619 TiB
c44f8e1b  2026-03-31 02:30:02  nas   photos  /srv/photos  1.620 TiB
--------------------------------------------------------------------
3 snapshots
"""
BLOCKS = """\
NAME   SIZE MODEL
sdc    3.6T WDC WD40EFRX-68N32N0
sdd    3.6T WDC WD40EFPX-68C6CN0
"""
PLAN = """\
plan for /dev/sdc -> /dev/sdd (dry run)
  1. wipe the partition table of sdd                      0 s
  2. one GPT partition, type linux, label vault-new       1 s
  3. mkfs.ext4 -L vault-new -m 0 /dev/sdd1               24 s
  4. mount read-write at /mnt/vault-new                   0 s
  5. rsync -aHAX --partial /mnt/vault/ /mnt/vault-new/    3 h 58 min   1.62 TB in 9,204 files
  6. restic check on the copy                             22 min
  7. swap the two mounts in /etc/fstab                    0 s
nothing has been changed
warnings: 1 directory on sdc could not be listed (/mnt/vault/lost+found/#61079553)
total 4 h 21 min
"""
