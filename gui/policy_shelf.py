"""A person's own profiles: a folder of policy files beside the built-in ones. Saved and imported ones lie there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from core import profile as profiles
from core.errors import InputError
from core.phrase import Phrase, phrase
from core.profile import Profile


@dataclass(frozen=True, slots=True)
class Shelf:
    """`folder`: made when something is put there first."""

    folder: Path

    def own(self) -> tuple[tuple[Profile, ...], tuple[Phrase, ...]]:
        """Those that can be read, in the order of their files, and what is wrong with the others."""
        found: list[Profile] = []
        wrong: list[Phrase] = []
        for path in sorted(self.folder.glob("*.toml")) if self.folder.is_dir() else ():
            try:
                found.append(profiles.read(path))
            except InputError as error:
                wrong.append(error.phrase)
        return tuple(found), tuple(wrong)

    def save(self, profile: Profile, base: Profile, name: str, day: date) -> Profile:
        """`profile` under a name of its own, made from `base`; a file of that name is replaced. InputError.

        The order of a recorded agent is fixed; that of a person's own copy is free."""
        id = self.id_for(name)
        made = replace(profile, id=id, title=name.strip(), date=day, base=base.base or base.id, reorder=True)
        self._put(made)
        return made

    def take(self, path: Path) -> Profile:
        """Read a policy file and keep a copy. InputError when it is none."""
        found = profiles.read(path)
        if found.id in profiles.policies():
            found = replace(found, id=self.id_for(found.id), base=found.base or found.id)
        self._put(found)
        return found

    @staticmethod
    def id_for(name: str) -> str:
        """A name as an id and file name, never that of a built-in policy."""
        plain = re.sub(r"[^\w.-]+", "-", name.strip()).strip("-.").lower() or "profile"
        return f"{plain[:60]}-own" if plain in profiles.policies() else plain[:60]

    def _put(self, profile: Profile) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(phrase("dock.profile.no_folder", reason=str(error))) from error
        profiles.write(profile, self.folder / f"{self.file_name(profile.id)}.toml")

    @staticmethod
    def file_name(id: str) -> str:
        """An id from a file is a person's text: only plain characters of it make a file name."""
        return re.sub(r"[^\w.-]+", "-", id).strip("-.")[:80] or "profile"
