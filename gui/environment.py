"""Can this machine show a window? Asked before Qt is imported, and without it.

Qt's own answer to a missing library or display is an abort (exit code 134) whose text names the wrong library, so the
launcher and the set-up ask first. Everything here concerns Linux: elsewhere the wheels of Qt bring what they need.

The lists were found by trial on Debian 12 with nothing but Python installed. Debian 13 and Ubuntu 24.04 renamed some
packages; the names below still lead to them there.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.phrase import Phrase, phrase


@dataclass(frozen=True, slots=True)
class Library:
    """A shared library by the name the loader knows it, and the Debian package that holds it."""

    file: str
    package: str


# Needed by every part of Qt, also for pictures without a display.
QT: tuple[Library, ...] = (
    Library("libGL.so.1", "libgl1"),
    Library("libEGL.so.1", "libegl1"),
    Library("libxkbcommon.so.0", "libxkbcommon0"),
    Library("libdbus-1.so.3", "libdbus-1-3"),
    Library("libfontconfig.so.1", "libfontconfig1"),
    Library("libglib-2.0.so.0", "libglib2.0-0"),
)
# Needed by Qt's X11 plug-in on top of those.
XCB: tuple[Library, ...] = (
    Library("libxcb-cursor.so.0", "libxcb-cursor0"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    Library("libxcb-shape.so.0", "libxcb-shape0"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
)
# The same for its Wayland plug-in.
WAYLAND: tuple[Library, ...] = (
    Library("libwayland-client.so.0", "libwayland-client0"),
    Library("libwayland-cursor.so.0", "libwayland-cursor0"),
)
# The smallest package (1.6 MB) that shows Chinese, Japanese and Korean.
CJK_FONT_PACKAGE = "fonts-wqy-microhei"

Load = Callable[[str], Any]


def missing(libraries: Iterable[Library], load: Load = ctypes.CDLL) -> tuple[Library, ...]:
    """Those of `libraries` that the loader does not find or cannot load."""
    return tuple(library for library in libraries if not _loads(library.file, load))


def has_cjk_font(load: Load = ctypes.CDLL) -> bool:
    """Whether fontconfig, which is where Qt gets its fonts from, knows one for Simplified Chinese."""
    try:
        fontconfig = load("libfontconfig.so.1")
    except OSError:
        return False
    pattern = _pointer(fontconfig.FcNameParse, b":lang=zh-cn")
    wanted = _pointer(fontconfig.FcObjectSetCreate)
    found = _pointer(fontconfig.FcFontList, None, pattern, wanted)
    # A font set begins with the number of its fonts.
    number = ctypes.cast(found, ctypes.POINTER(ctypes.c_int)).contents.value if found else 0
    if found:
        fontconfig.FcFontSetDestroy(found)
    fontconfig.FcObjectSetDestroy(wanted)
    fontconfig.FcPatternDestroy(pattern)
    return number > 0


def lack(
    libraries: Iterable[Library], *, font: bool = False, apt: bool | None = None, root: bool | None = None
) -> Phrase:
    """The sentence that says which libraries are missing, and the one command that installs them.

    With `font`, a CJK font is missing too and the command brings it. `apt` and `root` default to this machine's truth.
    """
    absent = tuple(libraries)
    files = ", ".join(library.file for library in absent)
    packages = [library.package for library in absent] + [CJK_FONT_PACKAGE] * font
    if not (shutil.which("apt-get") if apt is None else apt):
        if not absent:
            return phrase("launch.no_cjk_font")
        return phrase("launch.missing_libraries", files=files, n=len(absent))
    command = _install_command(packages, os.geteuid() == 0 if root is None else root)
    if not absent:
        return phrase("launch.no_cjk_font_apt", command=command)
    return phrase("launch.missing_libraries_apt", files=files, command=command, n=len(absent))


def _install_command(packages: Iterable[str], root: bool) -> str:
    apt = "apt-get" if root else "sudo apt-get"
    return f"{apt} update && {apt} install -y --no-install-recommends {' '.join(packages)}"


def fault(
    environ: Mapping[str, str] = os.environ, *, platform: str = sys.platform, load: Load = ctypes.CDLL
) -> Phrase | None:
    """Why Qt would abort on this machine, as one sentence with what to do; None when it would not.

    Which plug-in Qt takes is its own rule: QT_QPA_PLATFORM, else Wayland when its display is named, else X11, which
    is also what it falls back to.
    """
    if not platform.startswith("linux"):
        return None
    named = environ.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    display = environ.get("DISPLAY", "")
    wayland = named.startswith("wayland") or (not named and bool(environ.get("WAYLAND_DISPLAY")))
    if wayland and (named or not display or not missing(WAYLAND, load)):
        x11, plugin = False, WAYLAND
    else:
        x11, plugin = (True, XCB) if named in ("", "xcb") else (False, ())
    if x11 and not display:
        return phrase("launch.no_display")
    absent = missing(QT + plugin, load)
    if absent:
        return lack(absent)
    if x11 and not _answers(load):
        return phrase("launch.dead_display", display=display)
    return None


def language(environ: Mapping[str, str] = os.environ) -> str:
    """The catalogue that speaks the language of the shell: `zh_CN` for any Chinese, else `en`."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(variable):
            return "zh_CN" if environ[variable].startswith("zh") else "en"
    return "en"


def _answers(load: Load) -> bool:
    """Whether the X server of DISPLAY lets us in. Asks as Qt does, so the authority file counts too."""
    try:
        xcb = load("libxcb.so.1")
    except OSError:
        return False
    connection = _pointer(xcb.xcb_connect, None, None)
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not refused


def _loads(file: str, load: Load) -> bool:
    try:
        load(file)
    except OSError:
        return False
    return True


def _pointer(function: Any, *arguments: object) -> ctypes.c_void_p:
    """Calls a C function that returns a pointer; without the type ctypes would cut it to 32 bits."""
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(*arguments))
