"""The contract of a layer: every layer of the house keeps it, the template teaches it, packages may add their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given

from core.context import Origin
from core.errors import ContractError
from core.layer import Outcome, layers
from core.layers import _example
from core.messages import Message
from core.phrase import Phrase, render
from core.prompt import Block
from core.settings import specs
from tests.core.made import blocks_of, prompts, result, step, user

ROOT = Path(__file__).resolve().parents[2]
HOUSE = {
    *("replay_filter", "repair_inputs", "repair_pairs", "strip_details", "validate_turns", "limit_history"),
    *("context_engine", "guard_single", "guard_context", "guard_overflow", "provider_messages"),
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package installed beside this one: its folder, its metadata, and its entry points."""

    def install(groups: dict[str, str], **modules: str) -> Path:
        (tmp_path / "far").mkdir()
        (tmp_path / "far" / "__init__.py").write_text("")
        for name, text in modules.items():
            (tmp_path / "far" / f"{name}.py").write_text(text, encoding="utf-8")
        info = tmp_path / "far-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: far\nVersion: 1.0\n")
        lines = [f"[{group}]\n{point}\n" for group, point in groups.items()]
        (info / "entry_points.txt").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(str(tmp_path))
        layers.cache_clear()
        return tmp_path

    yield install
    layers.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == "far"]:
        del sys.modules[name]


def source(module: ModuleType) -> str:
    return Path(module.__file__).read_text(encoding="utf-8")


def test_the_house_has_them():
    """One module each, called as its id; templates stay out."""
    known = layers()
    assert set(known) >= HOUSE
    assert "first_lines" not in known
    for id, module in known.items():
        assert module.__name__ == f"core.layers.{id}"
        assert isinstance(module.TITLE, Phrase)
        assert module.MARK in ("request", "file")


@pytest.mark.parametrize("id", sorted(HOUSE))
@given(prompts)
def test_any_layer_on_any_prompt(id, blocks):
    """By its defaults: an Outcome with a sentence, gauges that name a threshold of the layer, reasons that name blocks;
    a block that stands for another keeps its entries, one that is new says who made it."""
    module = layers()[id]
    outcome = module.apply(blocks, module.Settings(), step(500))
    assert isinstance(outcome, Outcome)
    assert isinstance(outcome.blocks, tuple)
    assert not render(outcome.why).startswith("layer.")
    for gauge in outcome.gauges:
        assert gauge.setting in ("", *specs(module.Settings))
        assert gauge.unit
    before = set(map(id_of, blocks))
    for block in outcome.blocks:
        if id_of(block) in before:
            continue
        if block.before is None:
            assert block.origin.made_by == id
            assert block.origin.rows == ()
        else:
            assert set(block.origin.rows) >= set(block.first.origin.rows)
    for block in outcome.reasons:
        assert isinstance(block, Block)


def id_of(block: Block) -> int:
    return id(block)


# the memory of a step


def test_a_measure_is_taken_once():
    """By unit and key: equal messages share it, other units do not."""
    context = step()
    seen = []

    def size(message):
        seen.append(message)
        return 7

    a, b = blocks_of(user("a")), blocks_of(user("a"))
    assert context.measure("u", a[0], size) == context.measure("u", b[0], size) == 7
    assert context.measure("v", a[0], size) == 7
    assert len(seen) == 2


def test_the_same_edit_is_made_once():
    """Of the same block and in the same way; it keeps the origin and knows what it replaced."""
    context = step()
    [block] = blocks_of(user("a"))
    first = context.made(block, ("cut", 3), lambda: Message.of(user("b")))
    assert context.made(block, ("cut", 3), lambda: Message.of(user("c"))) is first
    assert context.made(block, ("cut", 4), lambda: Message.of(user("c"))) is not first
    assert (first.before, first.origin) == (block, Origin((0,)))


# the template and packages of others


@given(prompts)
def test_the_template_is_a_layer(blocks):
    """It runs on anything, leaves quiet prompts alone and touches results only."""
    outcome = _example.apply(blocks, _example.Settings(lines=2), step())
    for old, new in zip(blocks, outcome.blocks, strict=True):
        assert new is old or (old.message.role == "toolResult" and new.before is old)
    if outcome.reasons:
        again = _example.apply(outcome.blocks, _example.Settings(lines=3), step())
        assert again.blocks is outcome.blocks


def test_the_template_cuts_lines():
    before = blocks_of(result("x", "1\n2\n3\n4"), result("y", "1\n2"), result("z", "1\n2\n3\n4", isError=True))
    outcome = _example.apply(before, _example.Settings(lines=2), step())
    assert [block.message.text() for block in outcome.blocks] == ["1\n2\n…", "1\n2", "1\n2\n3\n4"]
    assert (outcome.gauges[0].value, outcome.gauges[0].threshold) == (4, 2)
    assert _example.apply(before, _example.Settings(), step()).blocks is before


def test_an_installed_package_adds_a_layer(package):
    """Through the entry point that the template names; it stands behind the layers of the house."""
    package({"stratascope.layers": "first_lines = far.first_lines"}, first_lines=source(_example))
    assert [point.value for point in entry_points(group="stratascope.layers")] == ["far.first_lines"]
    assert list(layers())[-1] == "first_lines"
    assert layers()["first_lines"].__name__ == "far.first_lines"


def test_a_package_that_breaks_the_contract_is_named(package):
    """Its place and what it lacks."""
    package({"stratascope.layers": "broken = far.broken"}, broken="ID = 'broken'\n")
    with pytest.raises(ContractError, match=r"far\.broken"):
        layers()


def test_a_package_from_end_to_end(package, tmp_path):
    """Installed layer and engine, a policy of one's own, the command line: another process, nothing patched."""
    from core.engines import _example as engine

    folder = package(
        {
            "stratascope.layers": "first_lines = far.first_lines",
            "stratascope.engines": "first_and_newest = far.first_and_newest",
        },
        first_lines=source(_example),
        first_and_newest=source(engine),
    )
    policy = tmp_path / "mine.toml"
    policy.write_text(
        'id = "mine"\n[[layer]]\nuse = "context_engine"\n[[layer]]\nuse = "first_lines"\nset = { lines = 1 }\n'
    )
    session = ROOT / "resources" / "samples" / "guard.jsonl"
    words = ["steps", str(session), "--json", "--policy", str(policy), "--window", "9000"]
    words += ["--engine", "first_and_newest", "--counter", "chars"]
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from core.cli import run; sys.exit(run(sys.argv[1:]))", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    steps = json.loads(done.stdout)["steps"]
    assert [s["layer"] for s in steps] == ["session_context", "context_engine", "first_lines"]
    assert steps[1]["fired"]
    assert "First and newest: dropped" in steps[1]["why"]
    assert steps[1]["messages_after"] < steps[1]["messages_before"]
    assert steps[2]["title"] == "First lines"
    assert not [s["failed"] for s in steps if s["failed"]]
