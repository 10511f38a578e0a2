"""Installs a title of a package of its own, for tests only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

import pytest

import paddock
from paddock.core.title import Title


def install(package: Path, folder: Path) -> Path:
    """Install a package into a folder, without anything else; return the folder."""
    words = ["install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    for tool in ("uv", "pip"), ("pip", "--disable-pip-version-check"):  # there may be no uv for this system
        command = [sys.executable, "-m", *tool, *words, "--target", str(folder), str(package)]
        if not subprocess.run(command).returncode:
            return folder
    raise RuntimeError(f"neither uv nor pip installs {package}")


@contextmanager
def found(folder: Path, name: str) -> Iterator[Title]:
    """Yield the title, found by its entry point here and in child processes; afterwards it is not found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        path = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *([path] if path else [])]))
        invalidate_caches()
        paddock.titles.cache_clear()
        yield paddock.title(name)
    paddock.titles.cache_clear()
