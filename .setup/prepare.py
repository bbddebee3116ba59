"""Makes the checkout ready to run: .venv with the locked dependencies, then what Qt needs from the system.

    python3 .setup/prepare.py

Needs nothing but Python's standard library. Repeated runs do only what has changed. The first lines are of a grammar
that old Pythons still parse, so that they can say what is wrong.
"""

import sys

NEEDED = (3, 11)


def refuse(sentence):
    sys.exit("setup: " + sentence)


if sys.version_info < NEEDED:
    import subprocess

    _old = f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old"
    for _minor in range(19, NEEDED[1] - 1, -1):
        _newer = f"python3.{_minor}"
        try:
            subprocess.check_output([_newer, "--version"], stderr=subprocess.STDOUT)
        except (OSError, subprocess.CalledProcessError):
            continue
        refuse(f"{_old}, but this machine has a newer one; run: make setup PYTHON={_newer}")
    refuse(f"{_old}: install Python 3.11 or newer, then run: make setup PYTHON=python3.11")

import hashlib
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / ".requirements.lock"
STAMP = VENV / ".prepared"

sys.path.insert(0, str(ROOT))


def main() -> int:
    make_environment()
    return check_system()


# ---- the Python side ------------------------------------------------------------------------------------------


def make_environment() -> None:
    """.venv as the lock file wants it. A stamp tells whether anything changed since it was last made."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = f"{ROOT} {version}"
    wanted = f"{place} {digest(LOCK, ROOT / 'pyproject.toml')}"
    made = STAMP.read_text(encoding="utf-8") if STAMP.exists() else ""
    if made == wanted:
        return
    python = venv_python()
    # Its scripts name their folder, so a checkout that moved, and one with another Python, starts anew.
    if (made and not made.startswith(place + " ")) or not has_pip(python):
        need_venv()
        say(f"making {VENV.name} with Python {version}")
        run("make .venv", sys.executable, "-m", "venv", "--clear", str(VENV))
        say("installing the locked dependencies (about 400 MB; this happens once)")
    else:
        say(f"bringing {VENV.name} up to date with {LOCK.name}")
    # A person at a terminal sees the progress; a log gets errors only.
    volume = () if sys.stdout.isatty() else ("-qq",)
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", *volume, "install")
    run("install the dependencies", *pip, "--require-hashes", "--requirement", str(LOCK))
    run("install the project", *pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    STAMP.write_text(wanted, encoding="utf-8")


def need_venv() -> None:
    """Debian splits ensurepip off Python; without it a new environment has no pip."""
    if importlib.util.find_spec("ensurepip") and importlib.util.find_spec("venv"):
        return
    package = f"python3.{sys.version_info.minor}-venv"
    if is_root_on_debian():
        apt_install([package])
        importlib.invalidate_caches()
        if importlib.util.find_spec("ensurepip"):
            return
    if shutil.which("apt-get"):
        refuse(f"this Python cannot make environments; run: sudo apt-get update && sudo apt-get install -y {package}")
    refuse("this Python has no venv and ensurepip: install them, or name another Python: make setup PYTHON=PATH")


def venv_python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def has_pip(python: Path) -> bool:
    """False also for an environment that was interrupted while being made."""
    if not python.exists():
        return False
    return subprocess.run([str(python), "-c", "import pip"], check=False, capture_output=True).returncode == 0


def digest(*files: Path) -> str:
    content = hashlib.sha256()
    for file in files:
        content.update(file.read_bytes())
    return content.hexdigest()


def run(purpose: str, *command: str) -> None:
    code = subprocess.run(command, check=False).returncode
    if code:
        refuse(f"could not {purpose} (exit code {code}, reason above); mend that and run the same command again")


# ---- the system side ------------------------------------------------------------------------------------------


def check_system() -> int:
    """Installs (root on Debian or Ubuntu) or names what Qt lacks here. 1 when Qt cannot run at all without it."""
    if not sys.platform.startswith("linux"):
        return 0
    from gui import environment as needs

    libraries, font = needs.missing(needs.QT + needs.XCB), needs.has_cjk_font()
    if (libraries or not font) and is_root_on_debian():
        apt_install([library.package for library in libraries] + ([] if font else [needs.CJK_FONT_PACKAGE]))
        libraries, font = needs.missing(needs.QT + needs.XCB), needs.has_cjk_font()
    if libraries or not font:
        say(str(needs.lack(libraries, font=not font)))
    return int(bool(needs.missing(needs.QT)))


def is_root_on_debian() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: "list[str]") -> None:
    """Failing is no end here: the check that follows names what is still missing, and how to get it."""
    say("installing " + " ".join(packages))
    quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", *step], env=quiet, check=False, stdout=subprocess.DEVNULL)


def say(sentence: str) -> None:
    print("setup: " + sentence, flush=True)


if __name__ == "__main__":
    sys.exit(main())
