"""Modules of a folder and of installed packages, checked against the names a contract demands."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import ModuleType, SimpleNamespace

import pytest

from core import plugins
from core.errors import ContractError


def module(name, **names):
    made = ModuleType(name)
    for key, value in names.items():
        setattr(made, key, value)
    return made


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A package with the modules b, a and the template _example."""
    package = tmp_path / "shelf"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name in ("b", "a", "_example"):
        (package / f"{name}.py").write_text(f"ID = {name!r}\nTITLE = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "shelf"
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "shelf"]:
        del sys.modules[name]


def installed(monkeypatch, *loads):
    points = [SimpleNamespace(name=str(i), value=f"package{i}", load=load) for i, load in enumerate(loads)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)


def test_the_modules_of_a_folder_in_order(folder):
    """Templates stay out."""
    assert list(plugins.discover(folder, ("TITLE",))) == ["a", "b"]


def test_then_those_of_packages(folder, monkeypatch):
    installed(monkeypatch, lambda: module("far", ID="far", TITLE=2))
    assert list(plugins.discover(folder, ("TITLE",), "shelf.things")) == ["a", "b", "far"]


def explode():
    raise RuntimeError("its own trouble")


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (lambda: module("far", ID="far"), "far lacks TITLE"),
        (lambda: module("far", TITLE=1), "far lacks ID"),
        (lambda: object(), "is no module"),
        (lambda: module("far", ID="a", TITLE=1), "shelf.a both call"),
        (explode, "its own trouble"),
    ],
)
def test_what_does_not_keep_the_contract_is_named(folder, monkeypatch, load, said):
    installed(monkeypatch, load)
    with pytest.raises(ContractError, match=said):
        plugins.discover(folder, ("TITLE",), "shelf.things")


def test_a_real_entry_point_is_what_is_expected():
    """The stand-ins above have the attributes of the real thing."""
    point = EntryPoint(name="n", value="json", group="g")
    assert isinstance(point.load(), ModuleType)
    assert (point.name, point.value) == ("n", "json")
