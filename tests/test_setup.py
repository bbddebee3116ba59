"""The set-up script that `make` runs on a bare clone, with machines that lack things played by stand-ins."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from gui import environment

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / ".setup" / "prepare.py"


@pytest.fixture
def prepare(monkeypatch, tmp_path):
    """The script as a module, at work on an empty checkout; what it would run is noted instead."""
    spec = importlib.util.spec_from_file_location("prepare_under_test", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec.loader.exec_module(module)
    module.commands = []

    def run(purpose, *command):
        module.commands.append(command)
        if "venv" in command:
            module.venv_python().parent.mkdir(parents=True, exist_ok=True)
            module.venv_python().touch()

    (tmp_path / ".requirements.lock").write_text("numpy==2.4.6\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    for name, value in (
        ("ROOT", tmp_path),
        ("VENV", tmp_path / ".venv"),
        ("LOCK", tmp_path / ".requirements.lock"),
        ("STAMP", tmp_path / ".venv" / ".prepared"),
        ("run", run),
        ("has_pip", Path.exists),
    ):
        monkeypatch.setattr(module, name, value)
    return module


@pytest.fixture
def machine(prepare, monkeypatch):
    """A Linux machine of which `lacks` names the missing packages; apt brings them unless `apt_fails`."""

    box = SimpleNamespace(lacks=set(), installed=[], root_on_debian=True, apt_fails=False)

    def apt_install(packages):
        box.installed += packages
        if not box.apt_fails:
            box.lacks -= set(packages)

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(prepare, "is_root_on_debian", lambda: box.root_on_debian)
    monkeypatch.setattr(prepare, "apt_install", apt_install)
    monkeypatch.setattr(
        environment, "missing", lambda libraries: tuple(lib for lib in libraries if lib.package in box.lacks)
    )
    monkeypatch.setattr(environment, "has_cjk_font", lambda: environment.CJK_FONT_PACKAGE not in box.lacks)
    return box


class TestEnvironment:
    def test_makes_and_installs_once(self, prepare):
        """First: venv, locked dependencies with hashes, the project without asking an index. Second: nothing."""
        prepare.make_environment()
        made, dependencies, project = prepare.commands
        assert made[1:3] == ("-m", "venv")
        assert {"--require-hashes", str(prepare.LOCK)} <= set(dependencies)
        assert {"--no-deps", "--no-build-isolation", "--editable", str(prepare.ROOT)} <= set(project)
        prepare.commands.clear()
        prepare.make_environment()
        assert prepare.commands == []

    @pytest.mark.parametrize("name", [".requirements.lock", "pyproject.toml"])
    def test_installs_again_when_what_is_wanted_changes(self, prepare, name):
        """A changed lock or project installs into the same environment."""
        prepare.make_environment()
        prepare.commands.clear()
        (prepare.ROOT / name).write_text("changed")
        prepare.make_environment()
        assert len(prepare.commands) == 2
        assert not any("venv" in command for command in prepare.commands)

    def test_starts_anew_when_the_checkout_moved(self, prepare):
        """The scripts of an environment name their folder: a moved one is made again, emptied."""
        prepare.make_environment()
        prepare.commands.clear()
        prepare.STAMP.write_text("/elsewhere 3.11 0000")
        prepare.make_environment()
        assert prepare.commands[0][1:4] == ("-m", "venv", "--clear")

    def test_starts_anew_after_an_interruption(self, prepare, monkeypatch):
        """An environment without pip and without a stamp was never finished."""
        prepare.venv_python().parent.mkdir(parents=True)
        prepare.venv_python().touch()
        monkeypatch.setattr(prepare, "has_pip", lambda python: False)
        prepare.make_environment()
        assert prepare.commands[0][1:4] == ("-m", "venv", "--clear")

    def test_failure_leaves_no_stamp(self, prepare, monkeypatch):
        """A failed install is tried again by the next run."""

        def fail(purpose, *command):
            prepare.refuse("no network")

        monkeypatch.setattr(prepare, "run", fail)
        with pytest.raises(SystemExit, match="no network"):
            prepare.make_environment()
        assert not prepare.STAMP.exists()

    def test_a_failed_command_is_one_sentence(self, prepare, monkeypatch):
        """What failed, the exit code, and what to do."""
        spec = importlib.util.spec_from_file_location("prepare_again", SCRIPT)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with pytest.raises(SystemExit, match=r"could not dance \(exit code 7.*run the same command again"):
            module.run("dance", sys.executable, "-c", "raise SystemExit(7)")


class TestPython:
    @pytest.mark.parametrize("version", [(3, 6, 9), (3, 10, 13)])
    def test_too_old(self, version):
        """One sentence that names what is needed and the command to type; no traceback."""
        code = (
            f"import sys; sys.version_info = {version}; import subprocess\n"
            "def none(*a, **k): raise OSError\n"
            "subprocess.check_output = none\n"
            f"exec(compile(open({str(SCRIPT)!r}).read(), 'prepare.py', 'exec'))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr == (
            f"setup: Python 3.{version[1]} is too old: install Python 3.11 or newer, "
            "then run: make setup PYTHON=python3.11\n"
        )

    def test_old_pythons_can_read_it(self):
        """Or they would show a syntax error instead of the sentence."""
        ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))

    def test_without_ensurepip_root_on_debian_gets_it(self, prepare, machine, monkeypatch):
        """Debian's python3 comes without: apt brings it, for the running version."""
        present = []
        monkeypatch.setattr(prepare, "apt_install", lambda packages: present.extend(packages))
        monkeypatch.setattr(prepare.importlib.util, "find_spec", lambda name: present or name != "ensurepip" or None)
        prepare.need_venv()
        assert present == [f"python3.{sys.version_info.minor}-venv"]

    @pytest.mark.parametrize(("apt", "advice"), [("/usr/bin/apt-get", "apt-get install -y python3"), (None, "PYTHON=")])
    def test_without_ensurepip_others_are_told(self, prepare, machine, monkeypatch, apt, advice):
        """Anyone else gets the sentence with the command."""
        machine.root_on_debian = False
        monkeypatch.setattr(prepare.importlib.util, "find_spec", lambda name: None)
        monkeypatch.setattr(prepare.shutil, "which", lambda name: apt)
        with pytest.raises(SystemExit, match=advice):
            prepare.need_venv()


class TestSystem:
    def test_complete(self, prepare, machine, capsys):
        """Nothing missing: nothing installed, nothing said."""
        assert prepare.check_system() == 0
        assert machine.installed == []
        assert capsys.readouterr().out == ""

    def test_root_on_debian_installs(self, prepare, machine, capsys):
        """A stock Debian 12 with Python lacks two libraries of X11 and the font: they come in one go."""
        machine.lacks = {"libxcb-icccm4", "libxcb-keysyms1", environment.CJK_FONT_PACKAGE}
        assert prepare.check_system() == 0
        assert machine.installed == ["libxcb-icccm4", "libxcb-keysyms1", environment.CJK_FONT_PACKAGE]
        assert "Qt needs" not in capsys.readouterr().out

    def test_others_get_one_command(self, prepare, machine, capsys, monkeypatch):
        """Without the rights nothing is installed; one line says how, font included."""
        monkeypatch.setattr(environment.shutil, "which", lambda name: "/usr/bin/apt-get")
        machine.root_on_debian = False
        machine.lacks = {"libxcb-icccm4", environment.CJK_FONT_PACKAGE}
        assert prepare.check_system() == 0
        assert machine.installed == []
        said = capsys.readouterr().out
        assert said.count("\n") == 1
        assert f"libxcb-icccm4 {environment.CJK_FONT_PACKAGE}" in said

    def test_only_what_stops_qt_altogether_stops_the_set_up(self, prepare, machine, capsys):
        """X11 and fonts may lack (tests run offscreen); a library that every part of Qt needs may not."""
        machine.apt_fails = True
        machine.lacks = {"libxcb-cursor0"}
        assert prepare.check_system() == 0
        machine.lacks = {"libgl1"}
        assert prepare.check_system() == 1
        assert "libGL.so.1" in capsys.readouterr().out

    @pytest.mark.parametrize("platform", ["darwin", "win32"])
    def test_other_systems_are_not_asked(self, prepare, machine, monkeypatch, platform):
        """There is nothing to check where the wheels bring everything."""
        monkeypatch.setattr(sys, "platform", platform)
        machine.lacks = {"libgl1"}
        assert prepare.check_system() == 0
        assert machine.installed == []
