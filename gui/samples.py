"""The bundled samples, in the order of the start page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from core.phrase import Phrase, phrase


@dataclass(frozen=True, slots=True)
class Sample:
    """`name`: file name without ending; `request`: where the cursor stands after opening (None = the last request)."""

    name: str
    path: str
    title: Phrase
    teaches: Phrase
    facts: Phrase
    request: int | None


def samples() -> tuple[Sample, ...]:
    """From `resources/samples/index.json`."""
    folder = files("resources") / "samples"
    rows = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    found = []
    for row in rows if isinstance(rows, list) else rows["samples"]:
        with as_file(folder / row["file"]) as path:
            name = Path(row["file"]).stem
            key = row.get("phrase", name.replace("-", "_"))
            found.append(
                Sample(
                    name,
                    str(path),
                    phrase(f"sample.{key}.title"),
                    phrase(f"sample.{key}.teaches"),
                    phrase(f"sample.{key}.facts"),
                    row.get("request"),
                )
            )
    return tuple(found)


def request_of(path: str) -> int | None:
    """Where the cursor shall stand in a bundled sample; None for every other file."""
    place = Path(path).absolute()
    return next((sample.request for sample in samples() if Path(sample.path).absolute() == place), None)


def first() -> Sample:
    return samples()[0]
