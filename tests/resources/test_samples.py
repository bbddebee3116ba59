"""The bundled samples: generated, complete, and with usage that follows from their messages."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from resources.samples import generate

FOLDER = files("resources.samples")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return generate.generated()


def test_committed_files_are_what_the_generator_writes(texts: dict[str, str]) -> None:
    """A sample changes by changing the generator; the files are never edited."""
    for name, text in texts.items():
        assert (FOLDER / name).read_bytes() == text.encode(), f"{name}: run python -m resources.samples.generate"


def test_the_generator_has_no_memory(texts: dict[str, str]) -> None:
    """A second run in the same process gives the same bytes: no shared random state, no clock."""
    assert generate.generated() == texts


def entries(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n")[:-1]]
