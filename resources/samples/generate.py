"""Write the sample sessions: `python -m resources.samples.generate`.

The same code writes the same bytes every time: nothing here looks at a clock, at the machine or at an unseeded random
generator. A test compares the committed files with what this module produces.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from resources.samples import flaky_test
from resources.samples.recorder import Recorder

SAMPLES: dict[str, Callable[[], Recorder]] = {
    "flaky-test": flaky_test.record,
}


def generated() -> dict[str, str]:
    """File name -> text of every sample."""
    return {f"{name}.jsonl": record().text() for name, record in SAMPLES.items()}


def main(folder: Path = Path(__file__).parent) -> int:
    for name, text in generated().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}  {len(text.encode()):,} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
