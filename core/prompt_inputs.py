"""What a session tells of the inputs of its system prompt, where that has to be built: agent, channel, model, tools.

    agent:main:telegram:dm:42      agent main, channel telegram          full prompt
    agent:main:subagent:7f3a       agent main                            minimal prompt, as subagents get it

An inference from the key's form, not recorded: what the prompt says of them stands below its boundary.
"""

from __future__ import annotations

from collections.abc import Iterable

from core import session_key
from core.capabilities import Runtime
from core.messages import Json
from core.system_prompt_sections import PromptInputs

SUBAGENT = "subagent"


def inputs_of(key: str, tools: Iterable[str], model: tuple[Json, Json] | None, thinking: Json) -> PromptInputs:
    """`key`: the agent's key of the session, "" = unknown. `model`: provider and id."""
    parts = [part for part in key.split(":") if part]
    agent = parts[1] if len(parts) > 2 and parts[0] == "agent" else ""
    rest = parts[2:] if agent else parts
    named = [name for name in model or () if isinstance(name, str) and name]
    runtime = Runtime(
        agent=agent,
        model="/".join(named),
        channel=rest[0].lower() if rest and session_key.kind(key) else "",
        thinking=thinking if isinstance(thinking, str) else "",
    )
    subagent = SUBAGENT in (part.lower() for part in rest)
    return PromptInputs("minimal" if subagent else "full", tools=tuple(tools), runtime=runtime)
