"""A pretended checkout: the files below `material/`, and the tools an agent has on them.

What `grep`, `read`, `edit` and `git` print in a sample is computed from these files, so line numbers, hunks and
excerpts agree with each other through a whole session.
"""

from __future__ import annotations

import difflib
import random
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

_AUTHORS = ("Ines Moreau", "Tom Okafor", "林晓", "Jana Weiß", "dependabot[bot]")


class Workspace:
    def __init__(self, name: str) -> None:
        self.files: dict[str, str] = dict(sorted(_walk(files("resources.samples") / "material" / name)))

    def read(self, path: str, offset: int = 1, limit: int = 0) -> str:
        lines = self.files[path].splitlines(keepends=True)
        return "".join(lines[offset - 1 : offset - 1 + limit if limit else None])

    def grep(self, pattern: str, *under: str) -> str:
        found = []
        expression = re.compile(pattern)
        for path, text in self.files.items():
            if under and not path.startswith(under):
                continue
            for number, line in enumerate(text.splitlines(), start=1):
                if expression.search(line):
                    found.append(f"{path}:{number}:{line}")
        return "\n".join(found) + "\n"

    def find(self, under: str = "") -> str:
        return "".join(
            f"{len(text.encode()):>7}  {path}\n" for path, text in self.files.items() if path.startswith(under)
        )

    def line_of(self, path: str, text: str) -> int:
        """The number of the first line of `path` that contains `text`."""
        for number, line in enumerate(self.files[path].splitlines(), start=1):
            if text in line:
                return number
        raise LookupError(f"{path} does not contain {text!r}")

    def edit(self, path: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        """What the edit tool answers, and the details it gives the user interface."""
        before = self.files[path]
        if before.count(old) != 1:
            raise LookupError(f"{path} contains the text {before.count(old)} times")
        self.files[path] = before.replace(old, new)
        changed = before[: before.index(old)].count("\n") + 1
        diff = self.diff(path, before, self.files[path])
        hunk = diff.split("\n", 2)[2]
        message = f"Successfully replaced text in {path}. The changed part now reads:\n{hunk}"
        return message, {"diff": diff, "firstChangedLine": changed}

    def write(self, path: str, text: str) -> str:
        self.files[path] = text
        return f"Successfully wrote {len(text.encode())} bytes to {path}"

    @staticmethod
    def diff(path: str, before: str, after: str) -> str:
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), f"a/{path}", f"b/{path}", lineterm="")
        return "\n".join(lines) + "\n"

    def function(self, path: str, name: str) -> tuple[int, list[str]]:
        """First line number and lines of a function or method, decorators included."""
        lines = self.files[path].splitlines()
        start = next(at for at, line in enumerate(lines) if re.match(rf"\s*def {name}\(", line))
        indent = len(lines[start]) - len(lines[start].lstrip())
        end = start + 1
        while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
            end += 1
        while start and lines[start - 1].lstrip().startswith("@"):
            start -= 1
        while not lines[end - 1].strip():
            end -= 1
        return start + 1, lines[start:end]

    def blame(self, rng: random.Random, path: str, first: int = 1, last: int = 0) -> str:
        commits = [(f"{rng.getrandbits(32):08x}", rng.choice(_AUTHORS[:4]), _day(rng)) for _ in range(9)]
        made, current, left = [], commits[0], 0
        for number, line in enumerate(self.files[path].splitlines(), start=1):
            if left == 0:
                current, left = rng.choice(commits), rng.randint(1, 14)
            left -= 1
            if number >= first and (not last or number <= last):
                made.append(f"{current[0]} ({current[1]:<12} {current[2]} {number:>4}) {line}")
        return "\n".join(made) + "\n"


def git_log(rng: random.Random, subjects: list[str], *, stat: bool = False) -> str:
    """`git log`, newest first; with `stat` also the changed files."""
    made = []
    day = 70
    for subject in subjects:
        day -= rng.randint(0, 3)
        month, of_month = 1 + max(day, 0) // 31, 1 + max(day, 0) % 28
        made.append(f"{rng.getrandbits(28):07x} 2026-{month:02d}-{of_month:02d} {rng.choice(_AUTHORS)}: {subject}")
        if stat:
            for _ in range(rng.randint(1, 3)):
                plus, minus = rng.randint(1, 60), rng.randint(0, 30)
                path = rng.choice(
                    ["src/parser/tokenizer.py", "src/parser/reader.py", "tests/test_parser.py", "docs/quoting.md"]
                )
                bar = "+" * (plus // 4 + 1) + "-" * (minus // 4)
                made.append(f" {path:<28} | {plus + minus:>3} {bar}")
    return "\n".join(made) + "\n"


def _day(rng: random.Random) -> str:
    return (
        f"{rng.choice([2024, 2025, 2025, 2026])}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d} "
        f"{rng.randint(8, 22):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d} +0100"
    )


def _walk(folder: Traversable, prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for child in folder.iterdir():
        if child.is_dir():
            found.extend(_walk(child, f"{prefix}{child.name}/"))
        elif child.name.endswith(".txt"):
            found.append((prefix + child.name.removesuffix(".txt"), child.read_text(encoding="utf-8")))
    return found
