"""Set-up and documentation: version ranges, lock files, scripts/venv.sh, broken links."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import links
import lock

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
WANTED = [
    requirement
    for texts in (
        PYPROJECT["build-system"]["requires"],
        PROJECT["dependencies"],
        *PROJECT["optional-dependencies"].values(),
    )
    for requirement in map(Requirement, texts)
    if requirement.name != "paddock"  # an extra that includes others
]


def pins(python: str) -> dict[str, Version]:
    """Return what a lock file pins; fail if it contains anything else, such as an address."""
    found = {}
    for line in lock.lock_file(python).read_text("utf-8").splitlines():
        if not line.lstrip().startswith("#"):
            pin = re.fullmatch(r"([a-z0-9-]+)==([0-9][a-z0-9.]*)", line)
            assert pin, line
            found[pin[1]] = Version(pin[2])
    return found


@pytest.mark.parametrize("requirement", WANTED, ids=lambda requirement: requirement.name)
def test_every_dependency_has_an_upper_bound(requirement: Requirement) -> None:
    assert any(bound.operator in ("<", "<=", "==", "~=") for bound in requirement.specifier)


@pytest.mark.parametrize("python", lock.PYTHONS)
def test_the_lock_file_fits_the_ranges(python: str) -> None:
    """If this fails, run ``make lock``."""
    locked = pins(python)
    for requirement in WANTED:
        assert locked[canonicalize_name(requirement.name)] in requirement.specifier, requirement


@pytest.mark.parametrize("python", lock.PYTHONS)
def test_the_newest_numba_that_is_allowed_is_the_one_that_is_tested(python: str) -> None:
    numba = next(requirement for requirement in WANTED if requirement.name == "numba")
    tested = pins(python)["numba"]
    assert f"{tested.major}.{tested.minor}" in numba.specifier
    assert f"{tested.major}.{tested.minor + 1}" not in numba.specifier


def test_each_python_that_is_looked_for_has_a_lock_file() -> None:
    searched = re.findall(r"python(\d\.\d+)", (ROOT / "scripts/venv.sh").read_text("utf-8"))
    assert sorted(set(searched)) == sorted(lock.PYTHONS)
    assert sorted(lock.FOLDER.glob("*")) == sorted(map(lock.lock_file, lock.PYTHONS))
    for classifier in PROJECT["classifiers"]:
        if version := re.fullmatch(r"Programming Language :: Python :: (\d\.\d+)", classifier):
            assert version[1] in lock.PYTHONS


# Stands for the Python in the PATH and for the one in .venv; writes down what pip is asked for.
STAND_IN = """#!/bin/sh
case "$*" in
    "-m venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip "*) echo "${PIP_CONSTRAINT:-none} $*" >>asked ;;
    *) exec '%s' "$@" ;;
esac
"""


def test_a_changed_lock_file_is_installed(tmp_path: Path) -> None:
    copy, programs = tmp_path / "copy", tmp_path / "programs"
    for name in (
        "pyproject.toml",
        "scripts/venv.sh",
        *(f"requirements/{p.name}" for p in lock.FOLDER.iterdir()),
    ):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    programs.mkdir()
    python = programs / "python3.14"  # the first name that is looked for
    python.write_text(STAND_IN % sys.executable)
    python.chmod(0o755)
    constraints = f"requirements/{lock.lock_file('{}.{}'.format(*sys.version_info)).name}"
    (copy / constraints).touch()

    def asked(purpose: str) -> str:
        """Return what the set-up asks pip for, and with which lock file."""
        (copy / "asked").write_text("")
        done = subprocess.run(
            ["sh", "scripts/venv.sh", purpose],
            cwd=copy,
            env={"PATH": f"{programs}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        says_so = "There is no requirements/" in done.stderr
        assert says_so == (purpose != "lock" and not (copy / constraints).exists())
        return (copy / "asked").read_text()

    assert re.fullmatch(rf"{constraints} -m pip install .* -e \.\[fast,serve\]\n", asked("play"))
    assert asked("play") == ""
    assert re.fullmatch(rf"{constraints} -m pip install .* -e \.\[dev\]\n", asked("dev"))
    assert asked("play") == asked("dev") == ""
    with (copy / constraints).open("a") as text:
        text.write("# changed\n")
    assert asked("dev").startswith(f"{constraints} ")
    (copy / constraints).unlink()
    assert asked("play").startswith("none ")
    assert asked("lock").startswith("none ")


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "style.css").write_text("")
    (tmp_path / "index.html").write_text(
        '<link href="/style.css"><a id="here"></a><a href="#here"></a><a href="#there"></a>'
        '<a href="api/"></a><a href="api/index.html#b%20c"></a><a href="contributing.md"></a>'
        '<a href="https://example.org/gone"></a>'
    )
    (tmp_path / "api/index.html").write_text(
        '<p id="b c"></p><a href="../index.html#top"></a><img src="a.png">'
    )
    assert links.dead(tmp_path) == [
        "api/index.html: no file for a.png",
        "index.html: no anchor for #there",
        "index.html: no file for contributing.md",
    ]
