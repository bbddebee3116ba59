"""Which tools a rule is about: names with `*` as the only wildcard, as the agent compares them.

Source: recorded cases of layer d (tool predicate of pruning). Names and patterns are trimmed and lower-cased.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core import javascript
from core.messages import Message


def tool_rule(allow: Sequence[str], deny: Sequence[str]) -> Callable[[Message], bool]:
    """Whether the result of a message may be pruned, by its tool's name: denied never, else allowed, else all."""
    denied, allowed = name_rule(deny), name_rule(allow)
    known: dict[str, bool] = {}

    def may(message: Message) -> bool:
        given = message.get("toolName")
        name = given if isinstance(given, str) else ""
        found = known.get(name)
        if found is None:
            plain = javascript.trim(name).lower()
            found = known[name] = not (denied is not None and denied(plain)) and (allowed is None or allowed(plain))
        return found

    return may


def name_rule(patterns: Sequence[str]) -> Callable[[str], bool] | None:
    """Whether a trimmed, lower-case name fits a pattern (`*` = any run without line end); None without any pattern."""
    plain = [trimmed.lower() for pattern in patterns if (trimmed := javascript.trim(pattern))]
    if not plain:
        return None
    fits = [re.compile("[^\n\r\u2028\u2029]*".join(map(re.escape, re.split(r"\*+", pattern)))) for pattern in plain]
    every = "*" in plain
    return lambda name: every or any(fit.fullmatch(name) for fit in fits)
