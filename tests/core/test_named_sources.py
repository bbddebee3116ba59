"""Sources that a person named by their files alone, or said what they are."""

from __future__ import annotations

import pytest

from core.errors import RequestError
from core.named_sources import NamedPath, named, with_workspace
from core.prompt_source import NOTHING
from tests.core.made import context_of
from tests.core.traces import write


def test_told_apart_by_their_names(tmp_path):
    """A trace is not read yet, the others are; of a workspace any of its files will do."""
    tools = write(tmp_path / "tools.json", [[{"name": "read"}]])
    system = write(tmp_path / "prompt.txt", ["# Tooling"])
    agents = write(tmp_path / "AGENTS.md", ["Be exact."])
    found = named([str(path) for path in ("s.cache-trace.jsonl", tools, system, agents, "t.trajectory.jsonl")])
    assert found.traces == ("s.cache-trace.jsonl", "t.trajectory.jsonl")
    assert found.given.tools == ({"name": "read"},)
    assert found.given.system is not None
    assert found.given.system.text == "# Tooling\n"
    assert found.folder == str(tmp_path)
    context = context_of(())
    given, budget = with_workspace(found.given, found.folder, (), "agent:main:main", context)
    assert given.built is not None
    assert budget is not None
    assert "Be exact." in given.built.text
    assert with_workspace(found.given, "", (), "", context) == (found.given, None)


def test_nothing_named():
    assert named([]).given == NOTHING
    assert named(["x.jsonl"]).given == NOTHING


def test_what_is_wrong_with_one_is_said(tmp_path):
    with pytest.raises(RequestError):
        named([str(write(tmp_path / "tools.json", ["7"]))])


def test_as_it_was_said(tmp_path):
    """What was said of a file counts, whatever its name; of two of one kind the last one counts."""
    tools = write(tmp_path / "tools.txt", [[{"name": "read"}]])
    first = write(tmp_path / "prompt.txt", ["one"])
    system = write(tmp_path / "prompt.json", ["# Tooling"])
    said = [("system", system), ("tools", tools), ("trace", "anything"), ("workspace", tmp_path)]
    found = named([str(first), *(NamedPath(kind, str(path)) for kind, path in said)])
    assert (found.traces, found.folder) == (("anything",), str(tmp_path))
    assert found.given.system is not None
    assert found.given.system.text == "# Tooling\n"
    assert found.given.tools == ({"name": "read"},)
