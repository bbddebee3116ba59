"""What `pip install` and `pipx install` get: every module and every resource, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("core", "gui", "resources")


def contents(*rooms: str) -> set[str]:
    """What of the checkout must be in a distribution, as paths with slashes."""
    return {
        path.relative_to(ROOT).as_posix()
        for room in rooms
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != ".DS_Store"
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist (so both are complete, or the wheel is not)."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    for room in ROOMS:
        shutil.copytree(ROOT / room, source / room)
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def wheel(built) -> Path:
    return next(built.glob("*.whl"))


def test_wheel_holds_every_file_and_no_other(wheel):
    """Exactly the files of the three rooms, beside the wheel's own description."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not PurePosixPath(name).parts[0].endswith(".dist-info")}
    assert held == contents(*ROOMS)


def test_wheel_holds_each_kind_of_resource(wheel):
    """The kinds of data the program cannot start without are there at all: an empty folder is no resource."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for kind in (r"phrases/en\.toml", r"phrases/zh_CN\.toml", r"icons/.+\.svg", r"samples/.+\.jsonl", r"tokenizer/.+"):
        assert any(re.fullmatch(f"resources/{kind}", name) for name in names), kind


def test_sdist_holds_what_builds(built):
    """The source distribution has the rooms, the metadata and the licence."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {
            PurePosixPath(name).relative_to(PurePosixPath(name).parts[0]).as_posix() for name in archive.getnames()
        }
    assert contents(*ROOMS) | {"pyproject.toml", "README.md", "LICENSE"} <= names


def test_metadata(wheel):
    """The licence texts, the pin of the binding and the console script come along."""
    with zipfile.ZipFile(wheel) as archive:
        parts = {PurePosixPath(name).name: name for name in archive.namelist() if ".dist-info/" in name}
        metadata = archive.read(parts["METADATA"]).decode()
        scripts = archive.read(parts["entry_points.txt"]).decode()
        licences = [name for name in archive.namelist() if "/licenses/" in name]
    assert "License-Expression: MIT" in metadata
    assert re.search(r"^Requires-Dist: PySide6-Essentials<6\.12", metadata, re.MULTILINE)
    assert "stratascope = gui.__main__:main" in scripts
    assert any(name.endswith("licenses/LICENSE") for name in licences)
    assert any(name.endswith("icons/LICENSE") for name in licences)


def test_installed_program_runs(wheel, tmp_path):
    """Unpacked by pip somewhere else, the program finds its own resources and not those of the checkout."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(tmp_path / "site"), str(wheel)], check=True, capture_output=True)
    code = (
        "import core, resources; from gui.__main__ import main; print(core.__file__, resources.__file__); main(['-h'])"
    )
    environ = dict(os.environ, PYTHONPATH=str(tmp_path / "site"), LANG="C.UTF-8", LC_ALL="")
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)
    places, help_text = done.stdout.split("\n", 1)
    assert all(Path(place).is_relative_to(tmp_path / "site") for place in places.split())
    assert "stratascope shot FILE" in help_text


class TestLock:
    """.requirements.lock is what `make setup` installs."""

    def pinned(self) -> dict[str, set[str]]:
        text = (ROOT / ".requirements.lock").read_text(encoding="utf-8")
        found: dict[str, set[str]] = {}
        for name, version in re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE):
            found.setdefault(name, set()).add(version)
        return found

    def test_every_requirement_is_locked_within_its_range(self):
        """What pyproject.toml asks for stands in the lock, in a version it allows: else `make lock` was forgotten."""
        from packaging.requirements import Requirement
        from packaging.utils import canonicalize_name

        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        pinned = self.pinned()
        for text in project["dependencies"] + project["optional-dependencies"]["dev"]:
            requirement = Requirement(text)
            versions = pinned.get(canonicalize_name(requirement.name), set())
            assert versions, f"{requirement.name} is not locked"
            assert all(requirement.specifier.contains(version) for version in versions), text

    def test_every_pin_has_hashes(self):
        """pip checks what it downloads; a pin without a hash would stop the set-up."""
        text = (ROOT / ".requirements.lock").read_text(encoding="utf-8")
        pins = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
        assert pins
        assert all("--hash=sha256:" in pin for pin in pins)

    def test_names_no_index(self):
        """The lock installs from whatever index a machine uses."""
        text = (ROOT / ".requirements.lock").read_text(encoding="utf-8")
        assert "index-url" not in text
        assert "://" not in text
