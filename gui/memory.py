"""What is remembered between two runs: layout, zoom, theme, language, recent files; nothing of a session's text."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

RECENT = 12


class Memory:
    """A thin, typed face of QSettings; a test hands in a file of its own."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings or QSettings("Stratascope", "Stratascope")

    def layout(self) -> tuple[QByteArray | None, QByteArray | None]:
        """(geometry, dock state) as the window saved them."""
        geometry, state = self._settings.value("window/geometry"), self._settings.value("window/state")
        return (
            geometry if isinstance(geometry, QByteArray) else None,
            state if isinstance(state, QByteArray) else None,
        )

    def keep_layout(self, geometry: QByteArray, state: QByteArray | None) -> None:
        self._settings.setValue("window/geometry", geometry)
        if state is not None:
            self._settings.setValue("window/state", state)

    def forget_layout(self) -> None:
        self._settings.remove("window")

    def text(self, key: str, default: str) -> str:
        value = self._settings.value(key, default)
        return value if isinstance(value, str) else default

    def number(self, key: str, default: int) -> int:
        try:
            return int(str(self._settings.value(key, default)))
        except ValueError:
            return default

    def flag(self, key: str, default: bool) -> bool:
        return self.text(key, "true" if default else "false") == "true"

    def keep(self, key: str, value: str | int | bool) -> None:
        self._settings.setValue(key, str(value).lower() if isinstance(value, bool) else value)

    def recent(self) -> list[str]:
        """Paths opened last, newest first."""
        value = self._settings.value("recent", [])
        found = value if isinstance(value, list) else [value] if isinstance(value, str) and value else []
        return [path for path in found if isinstance(path, str)][:RECENT]

    def opened(self, path: str) -> None:
        place = str(Path(path).absolute())
        self._settings.setValue("recent", [place, *(p for p in self.recent() if p != place)][:RECENT])

    def forget_recent(self) -> None:
        self._settings.setValue("recent", [])

    @property
    def folder(self) -> Path:
        """Where a person's own things lie (policies), beside the settings."""
        return Path(self._settings.fileName()).parent / "stratascope"

    def sync(self) -> None:
        self._settings.sync()
