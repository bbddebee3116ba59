"""Write the sample sessions: `python -m resources.samples.generate`.

The same code writes the same bytes every time: nothing here looks at a clock, at the machine or at an unseeded random
generator. A test compares the committed files with what this module produces.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from resources.samples import broken_pairs, flaky_test, guard, hostile_details, overflow, traced, two_branches
from resources.samples.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Sample:
    """`requests`: model calls on the active path; `request`: where the window stands after opening, None = the last.
    The words of the start page are the phrases `sample.NAME.title`, `.teaches` and `.facts`."""

    name: str
    record: Callable[[], Recorder]
    requests: int
    request: int | None


#: In the order of the start page.
SAMPLES = (
    Sample("flaky-test", flaky_test.record, 46, 23),
    Sample("guard", guard.record, 32, 22),
    Sample("broken-pairs", broken_pairs.record, 12, None),
    Sample("two-branches", two_branches.record, 38, 30),
    Sample("overflow", overflow.record, 9, 6),
    Sample("traced-session", traced.record, 17, 12),
    Sample("hostile-details", hostile_details.record, 11, None),
)


def generated() -> dict[str, str]:
    """File name -> text of every sample and what lies beside it, and of their index."""
    made: dict[str, str] = {}
    for sample in SAMPLES:
        recorder = sample.record()
        made[f"{sample.name}.jsonl"] = recorder.text()
        made |= {f"{sample.name}.{ending}": text for ending, text in recorder.side_files().items()}
    rows = [
        {
            "file": f"{sample.name}.jsonl",
            "phrase": sample.name.replace("-", "_"),
            "requests": sample.requests,
            "request": sample.request,
        }
        for sample in SAMPLES
    ]
    made["index.json"] = "[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]\n"
    return made


def main(folder: Path = Path(__file__).parent) -> int:
    for name, text in generated().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}  {len(text.encode()):,} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
