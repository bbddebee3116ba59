"""What the person chose and changed in the profile, one step after another, to be taken back and done again.

policy ── share 0.75 ▶ 0.72 ── order oldest ── guard off        one gesture = one step
                                ▲ undo              redo ▶
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.profile import Profile
from core.settings import specs

LIMIT = 200


@dataclass(frozen=True, slots=True)
class Chosen:
    """`profile` is in use; `base` is what it was when it was chosen: what "changed" and "reset" refer to."""

    base: Profile
    profile: Profile

    def base_settings(self, name: str) -> object | None:
        """The settings of an instance as they were chosen; None for an instance that the base does not have."""
        return next((found.settings for found in self.base.instances if found.name == name), None)

    def changes(self) -> tuple[str, ...]:
        """`INSTANCE.FIELD` of every threshold, `INSTANCE` of every switch and "order", as far as they differ."""
        base = {found.name: found for found in self.base.instances}
        found: list[str] = []
        for instance in self.profile.instances:
            other = base.get(instance.name)
            if other is None or other.on != instance.on:
                found.append(instance.name)
            if other is not None:
                found += [
                    f"{instance.name}.{name}"
                    for name in specs(instance.settings)
                    if getattr(instance.settings, name) != getattr(other.settings, name)
                ]
        if [made.name for made in self.profile.instances] != [made.name for made in self.base.instances]:
            found.append("order")
        return tuple(found)

    def reset(self, name: str | None = None, field: str | None = None) -> Chosen:
        """One setting, one instance with its switch, or everything (`name` None) as it was chosen."""
        if name is None:
            return replace(self, profile=self.base)
        base = next((found for found in self.base.instances if found.name == name), None)
        if base is None:
            return self
        profile = self.profile
        fields = [field] if field is not None else list(specs(base.settings))
        profile = profile.set(name, **{each: getattr(base.settings, each) for each in fields})
        if field is None:
            profile = profile.switch(name, base.on)
        return replace(self, profile=profile)


class ProfileHistory:
    """`now` and what can be undone and redone."""

    def __init__(self, first: Chosen) -> None:
        self.now = first
        self._past: list[Chosen] = []
        self._future: list[Chosen] = []
        self._gesture: int | None = None
        self._last_gesture = 0
        self._put_in: int | None = None

    # gestures

    def grasp(self, again: bool = False) -> None:
        """From now on until `let_go` all changes are one step; `again`: they join those of the last gesture."""
        if not again:
            self._last_gesture += 1
        self._gesture = self._last_gesture

    def let_go(self) -> None:
        self._gesture = None

    @property
    def grasped(self) -> bool:
        return self._gesture is not None

    # steps

    def put(self, chosen: Chosen) -> bool:
        """A change of the person; False when it is none."""
        if chosen == self.now:
            return False
        if self._gesture is None or self._put_in != self._gesture:
            self._past.append(self.now)
            del self._past[:-LIMIT]
        self._put_in = self._gesture
        self._future.clear()
        self.now = chosen
        if self._gesture is not None and self._past[-1] == chosen:  # dragged back to where it was
            self._past.pop()
            self._put_in = None
        return True

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> bool:
        return self._step(self._past, self._future)

    def redo(self) -> bool:
        return self._step(self._future, self._past)

    def _step(self, source: list[Chosen], target: list[Chosen]) -> bool:
        self._put_in = None
        if not source:
            return False
        target.append(self.now)
        self.now = source.pop()
        return True
