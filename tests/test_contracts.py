"""The rules of the house that import contracts (pyproject.toml, `make check`) cannot express, read from the code.

Who may open files, who may ask the clock, who may start Qt's threads. Each list says why a module stands on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Where the outside world comes in. Folders end with a slash. Opening a packaged resource counts as opening a file.
MAY_OPEN_FILES = {
    "core/formats/": "session files",
    "core/beside.py": "the agent's index beside a session, for its key",
    "core/lines.py": "the byte access that all formats share",
    "core/spool.py": "packed files, unpacked into a temporary one",
    "core/trace.py": "recorded prompts beside a session",
    "core/workspace.py": "the agent's workspace files, for the system prompt",
    "core/storage.py": "the atomic, archived write",
    "core/file_operations.py": "the system calls that write is made of",
    "core/profile.py": "policies",
    "core/models.py": "prices and windows",
    "core/phrase.py": "catalogues",
    "core/report.py": "exports",
    "core/cli.py": "the null device, when the reader of our output has left",
    "core/counters/": "tokenizer ranks",
    "gui/__main__.py": "the null device, when the reader of our output has left",
    "gui/engine_child.py": "its pipe, and the null device for what foreign code prints",
    "gui/fetching.py": "the list of mounted disks",
    "gui/icons.py": "the packaged icons",
    "gui/translation.py": "the packaged translations",
    "gui/samples.py": "the list of the packaged samples",
    "gui/theme.py": "coloured copies of icons, which a style sheet takes only as files",
}
MAY_START_QT_THREADS = {"gui/jobs.py": "the one room that starts threads and processes"}

_FILE_METHODS = {
    *("read_text", "read_bytes", "write_text", "write_bytes", "fdopen", "mmap"),
    *("fromfile", "memmap", "loadtxt", "savetxt", "tofile"),
}
_FILE_CLASSES = {"FileIO", "QFile", "QSaveFile", "QTemporaryFile", "NamedTemporaryFile", "TemporaryFile"}
_FILE_MODULES = {"os", "io", "gzip", "bz2", "lzma", "codecs", "tokenize", "zipfile", "tarfile"}
_CLOCK_METHODS = {"now", "utcnow", "today"}
_QT_THREADS = {"QThread", "QThreadPool", "QRunnable", "QProcess", "QtConcurrent"}


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def offences(rooms: tuple[str, ...], find, allowed: dict[str, str]) -> list[str]:
    found = []
    for path in modules(*rooms):
        name = path.relative_to(ROOT).as_posix()
        if not any(name == entry or (entry.endswith("/") and name.startswith(entry)) for entry in allowed):
            tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
            found += [f"{name}:{line} {what}" for line, what in find(tree)]
    return found


def file_accesses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Calls that open, read, write or map a file. A Qt dialog's `open()` is none: it is told by its arguments."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id="open" | "mmap" as name):
                yield node.lineno, f"{name}()"
            case ast.Name(id=name) if name in _FILE_METHODS | _FILE_CLASSES:
                yield node.lineno, f"{name}()"
            case ast.Attribute(attr=name) if name in _FILE_METHODS | _FILE_CLASSES:
                yield node.lineno, f".{name}()"
            case ast.Attribute(attr="open", value=owner) if _opens_a_file(owner, node):
                yield node.lineno, ".open()"


def _opens_a_file(owner: ast.expr, call: ast.Call) -> bool:
    if isinstance(owner, ast.Name) and owner.id in _FILE_MODULES:
        return True
    modes = [call.args[0]] if call.args else []
    modes += [keyword.value for keyword in call.keywords if keyword.arg in ("mode", "encoding")]
    return any(isinstance(mode, ast.Constant) and isinstance(mode.value, str) for mode in modes)


def clock_readings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CLOCK_METHODS:
            yield node.lineno, f".{node.func.attr}()"


def qt_threads(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in _QT_THREADS)
        elif isinstance(node, ast.Attribute) and node.attr in _QT_THREADS:
            yield node.lineno, node.attr


def test_only_the_named_rooms_open_files():
    """Files come in through few doors, so hostile input has few to come through (ARCHITECTURE: formats, storage, …)."""
    assert offences(("core", "gui"), file_accesses, MAY_OPEN_FILES) == []


def test_the_core_asks_no_clock():
    """Times come out of the files: the same session gives the same answer tomorrow."""
    assert offences(("core",), clock_readings, {}) == []


def test_only_jobs_starts_qt_threads():
    """Python's threads are an import contract; Qt's come in one import with everything else, so names decide."""
    assert offences(("core", "gui"), qt_threads, MAY_START_QT_THREADS) == []


@pytest.mark.parametrize(
    "code",
    [
        "open(p)",
        "with open(p, 'rb') as f: f",
        "p.open('rb')",
        "p.open(encoding='utf-8')",
        "p.open(mode='w')",
        "os.open(p, flags)",
        "gzip.open(p)",
        "p.read_text(encoding='utf-8')",
        "(files('resources') / 'x').read_bytes()",
        "p.write_text(s)",
        "mmap.mmap(f, 0)",
        "np.memmap(p)",
        "QFile(p)",
    ],
)
def test_file_accesses_are_seen(code):
    """The finder of the first rule knows every way the project could open a file."""
    assert list(file_accesses(ast.parse(code)))


@pytest.mark.parametrize("code", ["dialog.open()", "self.open(session)", "f.read()", "reader.opened()", "'open(p)'"])
def test_other_calls_are_none(code):
    """Reading what another room opened, and Qt's own `open()`, are no offence."""
    assert not list(file_accesses(ast.parse(code)))


def test_other_finders_find():
    """So do the finders of the other two rules."""
    assert list(clock_readings(ast.parse("datetime.now(UTC)")))
    assert list(qt_threads(ast.parse("from PySide6.QtCore import QObject, QThread")))
    assert list(qt_threads(ast.parse("QtCore.QThreadPool.globalInstance()")))
    assert not list(qt_threads(ast.parse("from PySide6.QtCore import QObject")))
