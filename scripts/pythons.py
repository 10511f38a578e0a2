"""Run tests on every Python version that Paddock supports: ``make pythons``.

Looks for interpreters and downloads none. Each gets an environment in ``build/pythons/`` with the packages of
its lock file. The arguments go to pytest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from lock import PYTHONS, ROOT, lock_file

FOLDER = ROOT / "build/pythons"
PROBE = "import sys, venv; print('%d.%d' % sys.version_info[:2])"


def find(version: str) -> Path | None:
    """Return an interpreter of a version such as 3.13 that can make environments, or None."""
    for candidate in _candidates(version):
        probed = subprocess.run([candidate, "-c", PROBE], capture_output=True, text=True)
        if probed.returncode == 0 and probed.stdout.strip() == version:
            return Path(candidate)
    return None


def _candidates(version: str) -> Iterator[str | Path]:
    """Yield what may be an interpreter of the version: this one, and those of the PATH, pyenv and uv."""
    if version == "{}.{}".format(*sys.version_info):
        yield sys.executable
    if found := shutil.which(f"python{version}"):
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
    if uv := shutil.which("uv"):
        asked = subprocess.run([uv, "python", "find", version], capture_output=True, text=True, cwd="/")
        if asked.returncode == 0:
            yield asked.stdout.strip()


def make_environment(interpreter: Path, folder: Path) -> Path:
    """Make an empty environment, unless the folder has one; return its Python."""
    if not (made := folder / ".made").exists():
        subprocess.run([interpreter, "-m", "venv", "--clear", "--without-pip", folder], check=True)
        made.touch()
    return folder / "bin/python"


def install(version: str, python: Path, *what: str) -> None:
    """Install packages into an environment, in the versions of the lock file.

    Without a network, by what uv has in its cache; by pip if need be, as only pip may know a mirror.
    """
    lock = os.path.relpath(lock_file(version), ROOT)  # uv and pip split the variables at spaces
    names = ("UV_CONSTRAINT", "UV_BUILD_CONSTRAINT", "PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")
    environment = os.environ | dict.fromkeys(names, lock)
    uv = [sys.executable, "-m", "uv", "pip", "install", "-q", "--python", python, *what]
    if all(subprocess.run([*uv, *how], cwd=ROOT, env=environment).returncode for how in ([], ["--offline"])):
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", *what]
        subprocess.run([*pip, "--disable-pip-version-check"], cwd=ROOT, env=environment, check=True)


def _test(version: str, arguments: list[str]) -> str:
    """Run pytest on a version, and return how it ended in a word or two."""
    interpreter = find(version)
    if interpreter is None:
        return "NOT TESTED: no interpreter in the PATH, and none of pyenv or uv"
    print(f"Python {version}: {interpreter}", flush=True)
    try:
        python = make_environment(interpreter, FOLDER / version)
        install(version, python, "-e", ".[dev]")
    except subprocess.CalledProcessError as error:
        return f"FAILED: {error}"
    done = subprocess.run([python, "-m", "pytest", *arguments], cwd=ROOT)
    return "passed" if done.returncode == 0 else f"FAILED: pytest ended with {done.returncode}"


def main() -> int:
    """Test every version; return 1 if one failed."""
    ends = {version: _test(version, sys.argv[1:]) for version in PYTHONS}
    for version, end in ends.items():
        print(f"Python {version}: {end}")
    return int(any(end.startswith("FAILED") for end in ends.values()))


if __name__ == "__main__":
    sys.exit(main())
