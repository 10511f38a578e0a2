"""Write ``requirements/constraints-*.txt``, one lock file for each Python version: ``make lock``.

A lock file pins the newest versions that the ranges in ``pyproject.toml`` allow, for the dependencies, every
extra and the build system. Only versions with a wheel for Linux count, so setting up needs no compiler.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")  # those that scripts/venv.sh looks for


def lock_file(python: str) -> Path:
    """Return the lock file of a Python version such as 3.11."""
    return FOLDER / f"constraints-{python}.txt"


def resolve(python: str, build_system: str) -> str:
    """Return the text of a lock file; raise ``CalledProcessError`` if there is no solution."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "constraints.txt")
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "pyproject.toml", "-"]
        command += ["--all-extras", "--python-version", python]
        command += ["--python-platform", "linux", "--only-binary", ":all:"]
        command += ["--no-annotate", "--custom-compile-command", "make lock", "--output-file", str(output)]
        subprocess.run(
            command, cwd=ROOT, input=build_system, text=True, check=True, stdout=subprocess.DEVNULL
        )
        return output.read_text("utf-8")


def main() -> int:
    """Replace all lock files, or none if one of them has no solution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    build_system = "\n".join(project["build-system"]["requires"])
    try:
        texts = {lock_file(python): resolve(python, build_system) for python in PYTHONS}
    except subprocess.CalledProcessError as error:
        return int(error.returncode)  # uv has printed the reason
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("constraints-*.txt"):
        path.unlink()
    for path, text in texts.items():
        path.write_text(text, "utf-8")
        print(f"{path.relative_to(ROOT)}: {sum('==' in line for line in text.splitlines())} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
