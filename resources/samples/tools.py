"""The tools of the pretended agent: calls with their results and the details its user interface would get."""

from __future__ import annotations

from typing import Any

from resources.samples.recorder import Call
from resources.samples.workspace import Workspace


class Tools:
    def __init__(self, workspace: Workspace, cwd: str) -> None:
        self._workspace = workspace
        self._cwd = cwd

    def read(self, path: str, offset: int = 1, limit: int = 0) -> Call:
        arguments: dict[str, Any] = {"path": path}
        if offset > 1:
            arguments["offset"] = offset
        if limit:
            arguments["limit"] = limit
        return Call("read", arguments, self._workspace.read(path, offset, limit), seconds=0.05)

    def grep(self, pattern: str, *under: str) -> Call:
        output = self._workspace.grep(pattern, *under)
        return self.exec(f'grep -rn "{pattern}" {" ".join(under)}', output, seconds=0.1, aggregated=0)

    def edit(self, path: str, old: str, new: str) -> Call:
        message, details = self._workspace.edit(path, old, new)
        return Call("edit", {"path": path, "oldText": old, "newText": new}, message, details, seconds=0.08)

    def write(self, path: str, text: str) -> Call:
        return Call("write", {"path": path, "content": text}, self._workspace.write(path, text), seconds=0.06)

    def exec(self, command: str, output: str | None, *, seconds: float, code: int = 0, aggregated: int = 6_000) -> Call:
        """A shell command; the details repeat at most the last `aggregated` characters of the output."""
        details: dict[str, Any] = {"status": "completed", "exitCode": code, "durationMs": round(seconds * 1000)}
        if output is not None and aggregated:
            details["aggregated"] = output[-aggregated:]
        details["cwd"] = self._cwd
        text = None if output is None else output + (f"\n(Command exited with code {code})" if code else "")
        return Call("exec", {"command": command}, text, details, error=False, seconds=seconds)
