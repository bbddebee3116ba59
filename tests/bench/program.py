"""The program started as a person starts it, with a stopwatch: `python -m tests.bench.program [FILE]`.

The child does what `python -m gui [FILE]` does (`gui.__main__.main` with the same arguments) and only looks on: it says
on standard output when the window painted, and leaves. All moments are of the one monotonic clock that the
processes of a machine share, so the time from the spawn on is counted whole: interpreter, imports, window, file.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CALM = 0.4
"""Seconds without a painting after which the picture counts as at rest."""
PATIENCE = 60.0
"""Seconds a start may take before it is given up."""
EMPTY_WINDOW = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
class Window(QWidget):
    def paintEvent(self, event):
        QTimer.singleShot(0, self.done)
    def done(self):
        print(time.monotonic(), flush=True)
        QApplication.quit()
app = QApplication(sys.argv)
window = Window()
window.resize(1600, 1000)
window.show()
app.exec()
"""
"""The least that any program of Qt and Python has to do."""


@dataclass(frozen=True, slots=True)
class Start:
    """Milliseconds from the spawn: Python runs; the window's modules are imported; the window is built; it is painted
    (start page, or the session with all its views); nothing more is painted after."""

    python: float
    imported: float
    built: float
    painted: float
    settled: float


def environment(home: Path) -> dict[str, str]:
    """That of a person's second start: a home of its own, no screen, bytecode kept as Python does when left alone."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    home.mkdir(parents=True, exist_ok=True)
    folders = {"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": home / "config", "XDG_CACHE_HOME": home / "cache"}
    return {**kept, **{name: str(folder) for name, folder in folders.items()}, "QT_QPA_PLATFORM": "offscreen"}


def start(home: Path, file: Path | None = None) -> Start:
    """Start the program once, wait until it is at rest, and end it. RuntimeError when it does not come up."""
    command = [sys.executable, "-m", "tests.bench.program", *([str(file)] if file is not None else [])]
    began = time.monotonic()
    done = subprocess.run(
        command, env=environment(home), capture_output=True, text=True, timeout=PATIENCE + 10, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise RuntimeError(f"the program did not come up (exit code {done.returncode}):\n{done.stderr[-2_000:]}")
    moments = json.loads(lines[-1])
    return Start(**{name: (moment - began) * 1000 for name, moment in moments.items()})


def empty_window(home: Path) -> float:
    """Milliseconds from the spawn until a window without content is painted."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", EMPTY_WINDOW],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return (float(done.stdout.split()[-1]) - began) * 1000


def _watched(python: float, file: str | None) -> int:
    """Run the program in this process and print its moments."""
    from gui import __main__ as program
    from gui import app

    moments = {"python": python, "imported": time.monotonic()}

    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    class Watch(QObject):
        """Looks at the window's repaints; asks nothing of it that it would not do by itself."""

        def __init__(self, watched: app.App) -> None:
            super().__init__()
            self._app = watched
            self._calm = QTimer(self, singleShot=True, interval=round(CALM * 1000))
            self._calm.timeout.connect(self._leave)
            watched.window.installEventFilter(self)
            QTimer.singleShot(round(PATIENCE * 1000), self._leave)

        def eventFilter(self, window: QObject, event: QEvent) -> bool:
            if event.type() in (QEvent.Type.UpdateRequest, QEvent.Type.Paint):
                QTimer.singleShot(0, self._painted)
            return False

        def _painted(self) -> None:
            moments["settled"] = time.monotonic()
            if "painted" not in moments and self._complete():
                moments["painted"] = moments["settled"]
            if "painted" in moments:
                self._calm.start()

        def _complete(self) -> bool:
            window = self._app.window
            if file is None:
                return True
            seen = [view for view in window.views if view.isVisible()]
            return window.state is not None and bool(seen) and not any(view._pending for view in seen)

        def _leave(self) -> None:
            print(json.dumps(moments), flush=True)
            QApplication.quit()

    class Watched(app.App):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            moments["built"] = time.monotonic()
            self._watch = Watch(self)

    app.App = Watched  # type: ignore[misc]
    return program.main([file] if file is not None else [])


if __name__ == "__main__":
    _python = time.monotonic()
    sys.exit(_watched(_python, sys.argv[1] if len(sys.argv) > 1 else None))
