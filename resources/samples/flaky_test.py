"""Sample "Flaky test": a test fails one run in ten, and the reason is a cache key.

The story in its 46 requests: reproduce (1-7), seeds from CI (8-10), four workers (11) and an abandoned guess about
temporary directories on a side branch, a coffee break longer than the cache lives (12), the module-level cache (12-22),
a log so long that the guard cuts older results from request 23 on, the fix (23), checks (24-30), a compaction, the
changelog (31-36), a question in Chinese, an aborted answer and a changed tool list (37-41), the release notes (42-46).
"""

from __future__ import annotations

from resources.samples import flaky_test_fix as fix
from resources.samples import flaky_test_hunt as hunt
from resources.samples import flaky_test_texts as say
from resources.samples.flaky_test_scene import CWD, scene
from resources.samples.recorder import Recorder


def record() -> Recorder:
    rec = Recorder(seed=4127, start="2026-04-07T14:02:11+00:00", cwd=CWD)
    here = scene(rec)
    rec.choose_model()
    rec.choose_thinking("off")
    rec.snapshot_model()
    rec.name("fix-flaky-quote-test")
    # A second process wrote to the same file while the history was being compacted; its parent stayed in the old one.
    rec.insert_at_line(118, parent="5d0c77e1", text=say.STRAY)
    hunt.reproduce(here)
    hunt.seeds_from_ci(here)
    left = hunt.four_workers(here)
    hunt.temporary_directories(here, left)
    hunt.cache(here)
    fix.long_log_and_fix(here)
    first_kept = fix.check(here)
    rec.wait(75)
    rec.compact(say.SUMMARY, first_kept, seconds=41, files=(say.READ_FILES, say.MODIFIED_FILES))
    fix.changelog(here)
    fix.chinese_quotes(here)
    fix.release(here)
    return rec
