"""Write ``requirements/constraints-*.txt``, one lock file for each Python version: ``make lock``.

A lock file pins the newest versions that the ranges in ``pyproject.toml`` allow, for the dependencies, every
extra and the build system. Only versions with a wheel for Linux count, so setting up needs no compiler.

``requirements/server.txt`` is for servers, and ``make wheel`` puts it beside the wheel: the same versions of
what they need, with the hashes of their files, for every Python and system. ``python scripts/lock.py server``
writes only this one.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")  # those that scripts/venv.sh looks for
SERVER = FOLDER / "server.txt"
SERVES = ("serve", "fast", "postgres")  # the extras of a server
COMPILE = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--only-binary", ":all:"]
COMPILE += ["--no-annotate", "--custom-compile-command", "make lock"]


def lock_file(python: str) -> Path:
    """Return the lock file of a Python version such as 3.11."""
    return FOLDER / f"constraints-{python}.txt"


def resolve(python: str, build_system: str) -> str:
    """Return the text of a lock file; raise ``CalledProcessError`` if there is no solution."""
    words = ["-", "--all-extras", "--python-version", python, "--python-platform", "linux"]
    return _compiled(words, build_system)


def resolve_server(locked: Mapping[str, str]) -> str:
    """Return the text of ``server.txt``, with the versions of these lock files by Python."""
    pins = [
        f"{line} ; python_version == '{python}'"
        for python, text in locked.items()
        for line in text.splitlines()
        if "==" in line
    ]
    extras = [word for extra in SERVES for word in ("--extra", extra)]
    words = [*extras, "--universal", "--python-version", PYTHONS[0], "--generate-hashes"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(pins))
        file.flush()
        return _compiled([*words, "--constraint", file.name])


def _compiled(words: list[str], given: str = "") -> str:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "locked.txt")
        command = [*COMPILE, "pyproject.toml", *words, "--output-file", str(output)]
        subprocess.run(command, cwd=ROOT, input=given, text=True, check=True, stdout=subprocess.DEVNULL)
        return output.read_text("utf-8")


def main() -> int:
    """Replace all lock files, or none if one of them has no solution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    build_system = "\n".join(project["build-system"]["requires"])
    try:
        if sys.argv[1:] == ["server"]:
            locked = {python: lock_file(python).read_text("utf-8") for python in PYTHONS}
        else:
            locked = {python: resolve(python, build_system) for python in PYTHONS}
        server = resolve_server(locked)
    except subprocess.CalledProcessError as error:
        return int(error.returncode)  # uv has printed the reason
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    files = {lock_file(python): text for python, text in locked.items()} | {SERVER: server}
    for path, text in files.items():
        path.write_text(text, "utf-8")
        print(f"{path.relative_to(ROOT)}: {sum('==' in line for line in text.splitlines())} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
