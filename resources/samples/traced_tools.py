"""The tools of the sample "Traced session", as the agent holds them: name, description, JSON schema."""

from __future__ import annotations

from typing import Any

Tool = dict[str, Any]


def _tool(name: str, description: str, required: tuple[str, ...] = (), **properties: str) -> Tool:
    """`properties`: name -> what it says, all of them strings but those that begin with a type and a colon."""
    schema: dict[str, Any] = {}
    for key, said in properties.items():
        kind, colon, text = said.partition(": ")
        typed = colon and kind in ("number", "boolean")
        schema[key] = {"type": kind if typed else "string", "description": text if typed else said}
    return {
        "name": name,
        "description": description,
        "parameters": {"type": "object", "properties": schema, "required": list(required)},
    }


OWN = (
    _tool(
        "read",
        "Read a file of the workspace. Text comes back with at most 2,000 lines; use offset and limit for longer ones.",
        ("path",),
        path="Path of the file, relative to the workspace or absolute.",
        offset="number: First line to read, from 1.",
        limit="number: How many lines to read.",
    ),
    _tool(
        "write",
        "Write a file. What was in it before is gone, so read it first. Folders that are missing are made.",
        ("path", "content"),
        path="Path of the file.",
        content="Everything the file shall hold.",
    ),
    _tool(
        "edit",
        "Replace one passage of a file. The old text must stand in the file exactly once, blanks included.",
        ("path", "oldText", "newText"),
        path="Path of the file.",
        oldText="The passage as it stands in the file.",
        newText="What shall stand there instead.",
    ),
    _tool(
        "exec",
        "Run a shell command in the workspace and wait for its end. Output is cut when it is very long.",
        ("command",),
        command="The command line.",
        timeout="number: Seconds after which it is stopped; 120 if nothing is said.",
    ),
    _tool(
        "message",
        "Send a message to the chat that the request came from, or to another one that the office owns.",
        ("text",),
        text="What is sent, without markup.",
        to="Chat to write to; the present one if nothing is said.",
        silent="boolean: Deliver without a sound.",
    ),
    _tool(
        "web_fetch",
        "Fetch a page and return its text. Pages behind a login cannot be fetched.",
        ("url",),
        url="Address, with its scheme.",
        maxChars="number: Characters to return at most.",
    ),
)
"""The agent's own tools: always there, always in this order."""

HARBOUR = (
    _tool(
        "berths_free",
        "Free berths of one night, with their depth and length. Answers come from the office's booking server.",
        ("night",),
        night="The night, as the date on which it begins.",
        length="number: Length of the boat in centimetres.",
    ),
    _tool(
        "tides_forecast",
        "High and low water of a station for some days, in UTC and in centimetres above chart datum.",
        ("station",),
        station="Number of the station.",
        days="number: How many days, at most fourteen.",
    ),
    _tool(
        "tides_observed",
        "Measured water level of a station over the last hours, a value every ten minutes.",
        ("station",),
        station="Number of the station.",
        hours="number: How many hours back, at most forty-eight.",
    ),
)
"""Tools of the harbour's own server: gone whenever it does not answer at the start of a run."""
