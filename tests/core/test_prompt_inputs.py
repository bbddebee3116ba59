"""What a session's key and model tell of the prompt that has to be built for it."""

from __future__ import annotations

import pytest

from core.prompt_inputs import inputs_of


@pytest.mark.parametrize(
    ("key", "mode", "line"),
    [
        ("agent:main:telegram:dm:42", "full", "Runtime: agent=main | model=a/m | channel=telegram | capabilities=none"),
        ("Discord:channel:7", "full", "Runtime: model=a/m | channel=discord | capabilities=none"),
        ("agent:main:main", "full", "Runtime: agent=main | model=a/m"),
        ("agent:main:subagent:7f3a", "minimal", "Runtime: agent=main | model=a/m"),
        ("", "full", "Runtime: model=a/m"),
        ("::", "full", "Runtime: model=a/m"),
    ],
)
def test_key_and_model(key, mode, line):
    """Agent and channel by the form of the key; a subagent's prompt is the minimal one."""
    found = inputs_of(key, ["read"], ("a", "m"), "high")
    assert (found.mode, found.tools) == (mode, ("read",))
    assert found.runtime.line == f"{line} | thinking=high"


@pytest.mark.parametrize("model", [None, (None, 5), ("", None)])
def test_what_is_not_known_is_not_said(model):
    """Fields of the wrong type, or none at all: a shorter line."""
    assert inputs_of("", (), model, None).runtime.line == "Runtime: thinking=off"
