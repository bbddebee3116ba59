"""The program's dispatcher: verbs without Qt, the window and pictures only where Qt can live."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from core import cli
from gui import __main__ as program
from gui import environment

# Runs the dispatcher in a Python where Qt cannot be imported, as on a machine without Qt's libraries.
WITHOUT_QT = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ImportError(f"libGL.so.1: cannot open shared object file ({name})")
sys.meta_path.insert(0, Blocker())
from gui.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def run_without_qt(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_QT, *arguments]
    kept = {"PATH": os.environ.get("PATH", ""), "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    return subprocess.run(command, env=kept | environ, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def rooms(monkeypatch):
    """Stands in for the three rooms the dispatcher leads to, and notes who was called with what."""
    called = []

    def room(name, code):
        def run(arguments, **named):
            called.append((name, list(arguments), named))
            return code

        return SimpleNamespace(run=run)

    for package, name, code in (("core", "cli", 3), ("gui", "shot", 4), ("gui", "app", 5)):
        stand_in = room(name, code)
        monkeypatch.setitem(sys.modules, f"{package}.{name}", stand_in)
        monkeypatch.setattr(sys.modules[package], name, stand_in, raising=False)
    return called


@pytest.fixture
def healthy(monkeypatch):
    monkeypatch.setattr(environment, "fault", lambda: None)


def test_verbs_are_the_cores():
    """No verb is listed that the core does not know, none is forgotten; only the core says which are still to come."""
    assert sorted(program.VERBS) == sorted(cli.VERBS + cli.LATER)


class TestDispatch:
    @pytest.mark.parametrize("verb", program.VERBS)
    def test_verbs_go_to_the_core(self, rooms, verb):
        """With the verb itself, the built-in map, sleep and clock, and the core's exit code passed on."""
        lent = {"map": map, "wait": time.sleep, "clock": time.monotonic}
        assert program.main([verb, "a.jsonl", "--json"]) == 3
        assert rooms == [("cli", [verb, "a.jsonl", "--json"], lent)]

    def test_shot_goes_offscreen(self, rooms, healthy, monkeypatch):
        """A picture chooses the offscreen plug-in itself; `shot` gets what follows the verb."""
        monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
        assert program.main(["shot", "a.jsonl", "--view", "main"]) == 4
        assert rooms == [("shot", ["a.jsonl", "--view", "main"], {})]
        assert os.environ["QT_QPA_PLATFORM"] == "offscreen"

    def test_shot_keeps_a_chosen_platform(self, rooms, healthy, monkeypatch):
        """Whoever sets QT_QPA_PLATFORM gets it."""
        monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
        program.main(["shot", "a.jsonl"])
        assert os.environ["QT_QPA_PLATFORM"] == "xcb"

    def test_files_go_to_the_window(self, rooms, healthy, tmp_path):
        """No verb: the window, with every file; `--` ends the options."""
        one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
        one.touch(), two.touch()
        assert program.main([str(one), "--", str(two)]) == 5
        assert program.main([]) == 5
        assert rooms == [("app", [str(one), str(two)], {}), ("app", [], {})]

    def test_a_file_named_like_a_verb(self, rooms, healthy, tmp_path, monkeypatch):
        """After `--` a verb's name is a file's name."""
        monkeypatch.chdir(tmp_path)
        Path("inspect").touch()
        assert program.main(["--", "inspect"]) == 5
        assert rooms == [("app", ["inspect"], {})]


class TestRefusals:
    def test_missing_file(self, rooms, healthy, tmp_path, capsys):
        """One sentence with the path, exit code 1, no window."""
        path = str(tmp_path / "gone.jsonl")
        assert program.main([path]) == 1
        assert path in capsys.readouterr().err
        assert rooms == []

    def test_folder(self, rooms, healthy, tmp_path, capsys):
        """A folder is no session."""
        assert program.main([str(tmp_path)]) == 1
        assert "folder" in capsys.readouterr().err
        assert rooms == []

    def test_unknown_option(self, rooms, healthy, capsys):
        """Wrong usage is exit code 2."""
        assert program.main(["--colour"]) == 2
        assert "--colour" in capsys.readouterr().err
        assert rooms == []

    @pytest.mark.parametrize("arguments", [[], ["shot", "a.jsonl"]])
    def test_unfit_machine(self, rooms, monkeypatch, capsys, arguments):
        """What the environment says goes to standard error, once, and Qt is not touched."""
        fault = environment.lack(environment.QT[:1], apt=False)
        monkeypatch.setattr(environment, "fault", lambda: fault)
        assert program.main(arguments) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert "libGL.so.1" in said.err
        assert rooms == []

    def test_interrupted(self, rooms, monkeypatch):
        """Ctrl-C ends quietly with the shell's code for it."""

        def stop(arguments, **named):
            raise KeyboardInterrupt

        monkeypatch.setattr(sys.modules["core.cli"], "run", stop)
        assert program.main(["inspect", "a.jsonl"]) == 130


class TestWithoutQt:
    def test_version_and_help(self):
        """Both answer on a machine where Qt cannot be loaded."""
        version = run_without_qt("--version")
        assert (version.returncode, version.stderr) == (0, "")
        assert version.stdout.startswith("stratascope ")
        shown = run_without_qt("--help")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert "stratascope shot" in shown.stdout
        assert all(f"\n  {verb} " in shown.stdout for verb in cli.VERBS)

    def test_a_verb(self):
        """A verb gets as far as its own work: here, to say that the file is not there."""
        done = run_without_qt("inspect", "/no/such/file.jsonl")
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert "/no/such/file.jsonl" in done.stderr

    def test_a_reader_that_leaves(self):
        """`stratascope --help | head -0` prints no traceback."""
        command = [sys.executable, "-c", WITHOUT_QT, "--help"]
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writing)
        assert done.stderr == ""
        assert done.returncode == 1

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a display is asked for on Linux only")
    @pytest.mark.skipif(bool(environment.missing(environment.QT)), reason="this machine lacks Qt's libraries")
    def test_no_display(self):
        """The window says so before it would import Qt (which is blocked here), in the language of the shell."""
        done = run_without_qt()
        assert done.returncode == 1
        assert done.stderr.startswith("stratascope: There is no display")
        chinese = run_without_qt(LANG="zh_CN.UTF-8", PYTHONUTF8="1")
        assert "没有显示器" in chinese.stderr
