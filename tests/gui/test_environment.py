"""The questions the launcher asks before Qt is loaded, with machines that lack things played by a fake loader."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from types import SimpleNamespace

import pytest

from core.phrase import render
from gui import environment
from gui.environment import CJK_FONT_PACKAGE, QT, WAYLAND, XCB, fault, has_cjk_font, lack, language, missing


def loader(*absent: str, refused: bool = False):
    """A loader of a machine without `absent`, whose X server lets us in unless `refused`."""

    def load(file: str) -> object:
        if file in absent:
            raise OSError(f"{file}: cannot open shared object file")
        return SimpleNamespace(
            xcb_connect=lambda *_: 4096, xcb_connection_has_error=lambda _: int(refused), xcb_disconnect=id
        )

    # ctypes functions carry a restype; plain functions accept the attribute too.
    return load


def ask(environ: dict[str, str], *absent: str, refused: bool = False, platform: str = "linux"):
    return fault(environ, platform=platform, load=loader(*absent, refused=refused))


def files(libraries):
    return [library.file for library in libraries]


class TestMissing:
    def test_names_what_does_not_load(self):
        """Exactly the libraries whose load fails, in the order of the list."""
        absent = ("libGL.so.1", "libglib-2.0.so.0")
        assert files(missing(QT, loader(*absent))) == list(absent)
        assert missing(QT, loader()) == ()

    def test_the_real_loader_knows_a_wrong_name(self):
        """ctypes is what answers by default."""
        assert files(missing([environment.Library("libno-such-thing.so.7", "none")])) == ["libno-such-thing.so.7"]

    def test_every_library_has_one_package(self):
        """No name and no package stands twice, so the command repeats nothing."""
        everything = QT + XCB + WAYLAND
        assert len({library.file for library in everything}) == len(everything)
        assert len({library.package for library in everything}) == len(everything)


class TestLack:
    def test_debian_gets_one_command(self):
        """All missing packages and the font stand in one line; root needs no sudo."""
        said = render(lack(XCB[1:3], font=True, apt=True, root=True))
        assert "libxcb-icccm.so.4, libxcb-keysyms.so.1" in said
        assert said.endswith(
            "apt-get update && apt-get install -y --no-install-recommends "
            f"libxcb-icccm4 libxcb-keysyms1 {CJK_FONT_PACKAGE}"
        )
        assert "sudo" not in said

    def test_others_get_sudo(self):
        """Both halves of the line need the rights."""
        assert render(lack(XCB[:1], apt=True, root=False)).count("sudo apt-get") == 2

    def test_other_systems_get_the_file_names(self):
        """Where there is no apt, packages have other names: only the libraries are named."""
        said = render(lack(QT[:1], apt=False))
        assert "libGL.so.1" in said
        assert "apt-get" not in said

    @pytest.mark.parametrize("apt", [True, False])
    def test_only_the_font(self, apt):
        """A missing font is said in its own words, and is no reason not to start."""
        said = render(lack((), font=True, apt=apt, root=True))
        assert "font" in said
        assert (CJK_FONT_PACKAGE in said) == apt


class TestFault:
    """
    QT_QPA_PLATFORM  WAYLAND_DISPLAY  DISPLAY   Qt takes
    given            any              any       that one
    -                set              any       Wayland, X11 behind it
    -                -                set       X11
    -                -                -         X11, and aborts
    """

    def test_nothing_is_wrong(self):
        """A display that answers and all libraries."""
        assert ask({"DISPLAY": ":0"}) is None

    def test_no_display(self):
        """Said in one sentence, with the way to a picture; empty variables count as unset, as for Qt."""
        for environ in ({}, {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}):
            said = render(ask(environ))
            assert said.count(". ") == 0
            assert "stratascope shot FILE --view main --output picture.png" in said

    def test_no_display_comes_first(self):
        """Installing libraries would not help a machine that has no display."""
        assert ask({}, "libxcb-cursor.so.0").id == "launch.no_display"

    def test_x11_without_its_libraries(self):
        """Qt would abort and blame xcb-cursor whichever is missing; the truth and the command are said instead."""
        said = render(ask({"DISPLAY": ":0"}, "libxcb-icccm.so.4", "libGL.so.1"))
        assert "libGL.so.1, libxcb-icccm.so.4" in said

    def test_dead_server(self):
        """DISPLAY may name a server that is gone or does not let us in."""
        said = ask({"DISPLAY": ":7"}, refused=True)
        assert said.id == "launch.dead_display"
        assert ":7" in render(said)
        assert ask({"DISPLAY": ":7"}, "libxcb.so.1").id == "launch.dead_display"

    def test_offscreen_needs_no_display(self):
        """A plug-in chosen by hand needs Qt's own libraries only."""
        assert ask({"QT_QPA_PLATFORM": "offscreen"}, *files(XCB)) is None
        assert ask({"QT_QPA_PLATFORM": "minimal:enable_fonts"}, *files(XCB)) is None
        assert "libEGL" in render(ask({"QT_QPA_PLATFORM": "offscreen"}, "libEGL.so.1"))

    def test_xcb_by_name(self):
        """`xcb` named by hand still needs a display, whatever Wayland says."""
        assert ask({"QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": "w"}).id == "launch.no_display"

    def test_wayland(self):
        """Wayland needs no X11 library; without its own Qt falls back to X11 when there is one."""
        assert ask({"WAYLAND_DISPLAY": "w"}, *files(XCB)) is None
        assert ask({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, *files(WAYLAND)) is None
        assert "libwayland-cursor" in render(ask({"WAYLAND_DISPLAY": "w"}, "libwayland-cursor.so.0"))
        both = ask({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, *files(WAYLAND), *files(XCB))
        assert "libxcb-cursor" in render(both)

    @pytest.mark.parametrize("platform", ["darwin", "win32", "cygwin"])
    def test_other_systems_are_not_asked(self, platform):
        """There the wheels bring everything and there is always a display."""

        def load(file):
            raise AssertionError(f"asked for {file} on {platform}")

        assert fault({}, platform=platform, load=load) is None

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is asked on Linux only")
    @pytest.mark.skipif(bool(missing(QT + XCB)), reason="this machine lacks Qt's X11 libraries")
    def test_the_real_library_says_a_dead_server_is_dead(self):
        """In a process of its own, because DISPLAY is read by C."""
        code = "from gui import environment as e; print(e.fault().id)"
        environ = {"DISPLAY": ":9173", "PATH": ""}
        done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "launch.dead_display"


class TestFont:
    def test_without_fontconfig_there_is_none(self):
        """No library, no fonts: Qt would find none either."""
        assert has_cjk_font(loader("libfontconfig.so.1")) is False

    @pytest.mark.skipif(bool(missing(QT)), reason="this machine lacks fontconfig")
    def test_follows_the_fonts_of_the_machine(self, tmp_path, monkeypatch):
        """The same question with a configuration that has no font folder at all: no."""
        nothing = tmp_path / "fonts.conf"
        nothing.write_text(f"<fontconfig><cachedir>{tmp_path}</cachedir></fontconfig>")
        code = "from gui import environment as e; print(e.has_cjk_font())"
        environ = {"FONTCONFIG_FILE": str(nothing)}
        done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"
        listed = subprocess.run(["fc-list", ":lang=zh-cn"], capture_output=True, text=True, check=False).stdout
        assert has_cjk_font() == bool(listed.strip())


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh_CN"),
    ],
)
def test_language_of_the_shell(environ, expected):
    """POSIX order: LC_ALL, then LC_MESSAGES, then LANG; an empty variable is unset."""
    assert language(environ) == expected


@pytest.mark.parametrize("tongue", ["en", "zh_CN"])
def test_every_sentence_has_all_its_fields(tongue):
    """No sentence of the launcher shows a bare field in either language."""
    said = [lack(XCB, apt=apt, root=root) for apt in (True, False) for root in (True, False)]
    said += [lack((), font=True, apt=apt, root=True) for apt in (True, False)]
    said += [ask({}), ask({"DISPLAY": ":7"}, refused=True)]
    for sentence in said:
        words = render(sentence, tongue)
        assert "{" not in words
        assert not words.startswith("launch.")


def test_is_free_of_qt():
    """What asks whether Qt can be loaded must not load it."""
    code = "import sys, gui.environment; print(any(n.startswith('PySide6') for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_default_loader_is_the_systems():
    """The fake loader of these tests stands in for ctypes.CDLL and nothing else."""
    assert fault.__kwdefaults__["load"] is ctypes.CDLL
    assert has_cjk_font.__defaults__ == (ctypes.CDLL,)
