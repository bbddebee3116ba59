"""Writes .requirements.lock: the newest versions that pyproject.toml allows, with hashes, for every platform.

    python3 .setup/lock.py

pip resolves only for the machine it runs on, so uv does it here, from an environment that is thrown away; installing
needs no more than pip.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / ".requirements.lock"
HEADER = """\
# What `make setup` installs, with hashes, for every platform and Python >= 3.11. Written by `make lock`; do not edit.
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts/python.exe" if os.name == "nt" else "bin/python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
        made = Path(folder, "lock")
        options = [
            "--universal",
            "--generate-hashes",
            "--extra",
            "dev",
            "--extra",
            "anthropic",
            "--python-version",
            "3.11",
            "--no-header",
        ]
        uv = [python, "-m", "uv", "pip", "compile", *options, "--quiet", "pyproject.toml", "--output-file", made]
        subprocess.run(uv, check=True, cwd=ROOT)
        LOCK.write_text(HEADER + made.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
