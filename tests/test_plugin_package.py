"""The tutorial package in tests/plugin_package, installed as anybody would, is found by its entry point everywhere.

Installed once for the module, without the index: the back end is there already (pyproject.toml, extra `dev`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tests" / "plugin_package"
SAMPLE = ROOT / "resources" / "samples" / "guard.jsonl"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package was installed into."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"  # building leaves files beside the source
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    target = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*pip, "--target", str(target), str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def run(installed: Path, *words: str) -> str:
    """Another process, nothing patched, with the package where Python finds packages."""
    paths = os.pathsep.join([str(ROOT), str(installed)])
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_stands_among_the_policies(installed: Path) -> None:
    """With the package that it comes from, and among what `--set context_engine.engine` takes."""
    told = json.loads(run(installed, "-m", "gui", "policies", "--json"))
    assert {"engine": "recall", "owner": "stratascope-recall", "place": "recall_engine"} in told["engines"]
    [step] = [layer for layer in told["layers"] if layer["layer"] == "context_engine"]
    assert "recall" in step["settings"][0]["options"]


def test_it_recalls(installed: Path) -> None:
    """Request 20 of the sample: what earlier turns said of the question comes before the newest three; the result that
    `maintain` shortened is short from step 0 on."""
    words = ["steps", str(SAMPLE), "--json", "--request", "20", "--engine", "recall", "--counter", "chars"]
    told = json.loads(run(installed, "-m", "gui", *words))
    first = told["steps"][0]
    step = next(step for step in told["steps"] if step["layer"] == "context_engine")
    assert step["failed"] is None
    assert "Recall: added 1 message, dropped" in step["why"]
    assert "Recalled 2 of" in step["why"]
    assert any("to the system prompt, below the cache boundary" in note for note in step["notes"])
    assert any("as an engine rewrote" in note for note in first["notes"])
    assert [call["call"] for call in step["lifecycle"]] == ["bootstrap", "ingest_batch", "assemble"]
    assert told["sent"]["valid"]


WINDOW = """
import sys, time
from PySide6.QtWidgets import QApplication
from gui.app import App

def main():
    qt = QApplication([])
    app = App(qt, files=[sys.argv[1]])
    app.window.resize(1400, 900)
    app.window.show()
    end = time.monotonic() + 60

    def until(there):
        while not there():
            assert time.monotonic() < end
            qt.processEvents()
            time.sleep(0.005)

    until(lambda: app.window.state is not None and app.window.state.trace is not None and not app.window.state.stale)
    state, layers = app.window.state, app.window.layers

    def step():
        return next(found for found in state.trace.steps if found.layer == "context_engine")

    layers.select("context_engine")
    choice = layers.detail.form.rows["engine"].list
    state.go(request=20)
    until(lambda: not state.stale)
    choice.activated.emit([choice.itemText(at) for at in range(choice.count())].index("recall"))
    assert state.profile.instance("context_engine").settings.engine == "recall"
    assert state.stale, "the old picture stands, dimmed, until the answer is there"
    until(lambda: not state.stale)
    assert not step().failed, step().failed
    print(step().why)
    until(lambda: layers.detail.engine.isVisibleTo(layers.detail))
    rows = [[label.text() for label in row] for row in layers.detail.engine.rows]
    print(*(" ".join(row) for row in rows), sep="\\n")
    assert "recall_engine" not in sys.modules, "its code runs in no process of the window"
    app.close()

if __name__ == "__main__":
    main()
"""


def test_it_stands_in_the_windows_choice_and_answers(installed: Path, tmp_path: Path) -> None:
    """Chosen in the detail of the step; worked out elsewhere; shown with its log."""
    script = tmp_path / "window.py"
    script.write_text(WINDOW)
    said = run(installed, str(script), str(SAMPLE))
    assert "Recall: added 1 message, dropped" in said
    assert "bootstrap goes on with what it stored" in said
    assert "ingest" in said
