"""What a plural folder and installed packages offer under an id, known by name alone: nothing of a package is imported.

    core/engines/legacy.py                        owner "stratascope"
    [project.entry-points."stratascope.engines"]  owner: the package that offers it; the name is the id
    memory = "their_package.memory"

An id belongs to one owner (articles, first source, part seven). The same owner may offer it again, and the later one
counts; an offer of somebody else is refused, and the refusal is kept for the screen.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType

from core import plugins
from core.errors import ContractError
from core.phrase import Phrase, literal, phrase

CORE = "stratascope"
"""Owner of what this program brings along."""


@dataclass(frozen=True, slots=True)
class Offer:
    """`place`: the module, as the entry point names it. `load()` imports it; whatever that raises comes through."""

    id: str
    owner: str
    place: str
    load: Callable[[], object]

    @property
    def built_in(self) -> bool:
        return self.owner == CORE


@dataclass(frozen=True, slots=True)
class Offers:
    """`by_id`: those that count, own ones first. `refused`: why others do not, in the order they were found."""

    by_id: dict[str, Offer]
    refused: tuple[Phrase, ...]


def offered(package: str, group: str) -> Offers:
    """The modules of `package` and the entry points of `group`."""
    return settled((*_own(package), *_installed(group)))


def settled(found: Iterable[Offer]) -> Offers:
    """Who owns which id."""
    by_id: dict[str, Offer] = {}
    refused: list[Phrase] = []
    for offer in found:
        held = by_id.get(offer.id)
        if held is None or held.owner == offer.owner:
            by_id[offer.id] = offer
        else:
            refused.append(
                phrase("offer.refused", id=offer.id, owner=offer.owner, place=offer.place, holder=held.owner)
            )
    return Offers(by_id, tuple(refused))


def module_of(offer: Offer, required: Sequence[str]) -> ModuleType:
    """The module, checked against the names its contract demands. ContractError names the place and what is wrong."""
    try:
        module = offer.load()
    except Exception as error:  # whatever a package of somebody else may raise while it is imported
        reason = literal(f"{type(error).__name__}: {error}")
        raise ContractError(phrase("plugin.failed", place=offer.place, reason=reason)) from error
    if not isinstance(module, ModuleType):
        raise ContractError(phrase("plugin.no_module", place=offer.place))
    missing = [name for name in ("ID", *required) if not hasattr(module, name)]
    if missing:
        raise ContractError(phrase("plugin.missing_names", place=offer.place, names=", ".join(missing)))
    if offer.id != module.ID:
        raise ContractError(phrase("offer.other_id", place=offer.place, id=offer.id, own=str(module.ID)))
    return module


def _own(package: str) -> Iterable[Offer]:
    folder = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            place = f"{package}.{info.name}"
            yield Offer(info.name, CORE, place, partial(importlib.import_module, place))


def _installed(group: str) -> Iterable[Offer]:
    for point in plugins.points(group):
        owner = point.dist.name if point.dist is not None else point.value.partition(".")[0]
        yield Offer(point.name, owner, point.value, point.load)
