"""Implementations of a contract: the modules of a plural folder, and entry points of installed packages.

A module whose name begins with an underscore is a template, not a plug-in. Every module is checked against the names
its contract demands; one that lacks a name is reported as a ContractError, with its place.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from core.errors import ContractError
from core.phrase import literal, phrase

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def discover(package: str, required: Sequence[str], group: str | None = None) -> dict[str, ModuleType]:
    """ID -> module, own ones first (sorted by module name), then those of `group`. Raises ContractError."""
    folder = importlib.import_module(package)
    found: dict[str, ModuleType] = {}
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            _admit(importlib.import_module(f"{package}.{info.name}"), required, found)
    for point in points(group):
        try:
            module = point.load()
        except Exception as error:  # whatever a package of somebody else may raise while it is imported
            raise ContractError(phrase("plugin.failed", place=point.value, reason=literal(str(error)))) from error
        if not isinstance(module, ModuleType):
            raise ContractError(phrase("plugin.no_module", place=point.value))
        _admit(module, required, found)
    return found


def points(group: str | None) -> Iterable[EntryPoint]:
    """The entry points of a group, by name; none without one. Nothing is imported."""
    from importlib.metadata import entry_points  # it imports the whole of `email`, and most starts ask for no plug-in

    return sorted(entry_points(group=group), key=lambda point: point.name) if group else ()


def _admit(module: ModuleType, required: Sequence[str], found: dict[str, ModuleType]) -> None:
    missing = [name for name in ("ID", *required) if not hasattr(module, name)]
    if missing:
        raise ContractError(phrase("plugin.missing_names", place=module.__name__, names=", ".join(missing)))
    if module.ID in found:
        other = found[module.ID].__name__
        raise ContractError(phrase("plugin.repeated_id", id=module.ID, place=module.__name__, other=other))
    found[module.ID] = module
