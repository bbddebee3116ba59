"""What files a person named: told by their names, or as it was said."""

from __future__ import annotations

from pathlib import Path

from core.named_sources import NamedPath, named


def test_by_name_and_as_said(tmp_path: Path) -> None:
    """A name tells what a file is, unless it was said; of two of one kind the last one counts."""
    texts = {"a.json": "[]", "b.txt": "You are B.", "c.json": "You are C.", "d.txt": '[{"name": "read"}]'}
    paths = {}
    for name, text in texts.items():
        paths[name] = str(tmp_path / name)
        (tmp_path / name).write_text(text)
    found = named((paths["a.json"], paths["b.txt"], "x.jsonl", str(tmp_path / "AGENTS.md")))
    assert (found.traces, found.folder, found.given.tools) == (("x.jsonl",), str(tmp_path), ())
    assert found.given.system is not None
    assert found.given.system.text == "You are B."
    said = named(
        (
            paths["b.txt"],
            NamedPath("system", paths["c.json"]),
            NamedPath("tools", paths["d.txt"]),
            NamedPath("trace", "anything"),
            NamedPath("workspace", str(tmp_path)),
        )
    )
    assert (said.traces, said.folder) == (("anything",), str(tmp_path))
    assert said.given.system is not None
    assert said.given.system.text == "You are C."
    assert said.given.tools == ({"name": "read"},)
