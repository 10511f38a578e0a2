"""Set-up and documentation: version ranges, lock files, scripts/venv.sh, broken links."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
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
    if requirement.name != "paddock-games"  # an extra that includes others
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
    assert sorted(lock.FOLDER.glob("*")) == sorted([*map(lock.lock_file, lock.PYTHONS), lock.SERVER])
    for classifier in PROJECT["classifiers"]:
        if version := re.fullmatch(r"Programming Language :: Python :: (\d\.\d+)", classifier):
            assert version[1] in lock.PYTHONS


@pytest.mark.parametrize("python", lock.PYTHONS)
def test_a_server_gets_the_versions_that_were_tested_by_their_hashes(python: str) -> None:
    """If this fails, run ``make lock``. The kind: what is installed is what is newest on that day."""
    text = lock.SERVER.read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    here = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    found = {}
    for line in lines:
        words, *hashes = line.split(" --hash=")
        assert hashes and all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", one) for one in hashes), words
        pin = Requirement(words)
        if pin.marker is None or pin.marker.evaluate(here):
            (only,) = pin.specifier
            assert only.operator == "==", words
            found[canonicalize_name(pin.name)] = Version(only.version)
    assert found.items() <= pins(python).items()
    extras = [text for extra in lock.SERVES for text in PROJECT["optional-dependencies"][extra]]
    for wanted in map(Requirement, PROJECT["dependencies"] + extras):
        assert canonicalize_name(wanted.name) in found


def test_whatever_installs_a_server_does_so_by_the_lock_file() -> None:
    """Each command on the pages and in the Dockerfile; what is ours comes alone, from the file."""
    pages = ("docs/host.md", "docs/upgrade.md", "docs/servers.md", "deploy/Dockerfile")
    typed = [
        line.strip()
        for page in pages
        for line in (ROOT / page).read_text("utf-8").splitlines()
        if re.search(r"bin/pip install", line)
    ]
    assert len(typed) >= 10
    for line in typed:
        locked = "--require-hashes" in line and re.search(r"-r \S+/server\.txt", line)
        ours = "--no-deps" in line and re.search(r" \S+/paddock_games-\*\.whl", line)
        assert locked or ours, line
    assert "cp requirements/server.txt dist/" in (ROOT / "Makefile").read_text("utf-8")
    images = re.findall(r"^FROM (\S+)", (ROOT / "deploy/Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert set(images) == {"${BASE}"}


# Stands for the Python in the PATH and for the one in .venv; writes down what pip and uv are asked for, and
# with which lock file. The files no-uv and uv-fails let them fail.
STAND_IN = """#!/bin/sh
case "$*" in
    "-m venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip install -q --disable-pip-version-check "*)
        [ "${PIP_CONSTRAINT:-}" = "${PIP_BUILD_CONSTRAINT:-}" ] || exit 9
        shift 5
        echo "pip ${PIP_CONSTRAINT:-none} $*" >>asked
        case "$*" in uv*) [ ! -e no-uv ] ;; esac ;;
    "-m uv pip install -q --python .venv/bin/python "*)
        [ "${UV_CONSTRAINT:-}" = "${UV_BUILD_CONSTRAINT:-}" ] || exit 9
        shift 7
        echo "uv ${UV_CONSTRAINT:-none} $*" >>asked
        [ ! -e uv-fails ] ;;
    *) exec '%s' "$@" ;;
esac
"""
UV = next(text for text in PROJECT["optional-dependencies"]["dev"] if Requirement(text).name == "uv")
PLAY, DEV = "-e .[fast,serve]", "-e .[dev]"


@dataclass(frozen=True)
class Copy:
    """What scripts/venv.sh needs, in a folder of its own."""

    folder: Path
    constraints: str  # the lock file of this Python

    def prepare(self, purpose: str, status: int = 0) -> list[str]:
        """Return what the set-up asks pip and uv for, and with which lock file."""
        (self.folder / "asked").write_text("")
        done = subprocess.run(
            ["sh", "scripts/venv.sh", purpose],
            cwd=self.folder,
            env={"PATH": f"{self.folder.parent / 'programs'}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stderr
        says_so = "There is no requirements/" in done.stderr
        assert says_so == (purpose != "lock" and not (self.folder / self.constraints).exists())
        return (self.folder / "asked").read_text().splitlines()


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    folder, programs = tmp_path / "copy", tmp_path / "programs"
    for name in (
        "pyproject.toml",
        "scripts/venv.sh",
        *(f"requirements/{p.name}" for p in lock.FOLDER.iterdir()),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    programs.mkdir()
    python = programs / "python3.14"  # the first name that is looked for
    python.write_text(STAND_IN % sys.executable)
    python.chmod(0o755)
    constraints = f"requirements/{lock.lock_file('{}.{}'.format(*sys.version_info)).name}"
    (folder / constraints).touch()
    return Copy(folder, constraints)


def test_a_changed_lock_file_is_installed(copy: Copy) -> None:
    file = copy.folder / copy.constraints
    assert copy.prepare("play") == [f"pip {copy.constraints} {UV}", f"uv {copy.constraints} {PLAY}"]
    assert copy.prepare("play") == []
    assert copy.prepare("dev") == [f"pip {copy.constraints} {UV}", f"uv {copy.constraints} {DEV}"]
    assert copy.prepare("play") == copy.prepare("dev") == copy.prepare("wheel") == []
    with file.open("a") as text:
        text.write("# changed\n")
    assert copy.prepare("dev")[1] == f"uv {copy.constraints} {DEV}"
    file.unlink()
    assert copy.prepare("play") == [f"pip none {UV}", f"uv none {PLAY}"]
    assert copy.prepare("lock") == [f"pip none {UV}"]


def test_a_wheel_is_built_without_what_development_needs(copy: Copy) -> None:
    """On a machine that only builds, ``make wheel`` installed a browser, a database and jax first."""
    assert copy.prepare("wheel") == [f"pip {copy.constraints} {UV}", f"uv {copy.constraints} hatchling"]
    assert copy.prepare("wheel") == []
    steps = subprocess.run(
        ["make", "-n", "wheel"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"venv\.sh (\w+)", steps) == ["wheel"] and "hatchling build" in steps


def test_pip_installs_what_uv_cannot(copy: Copy) -> None:
    """pip may be told of a mirror, and uv not; and for some systems there is no uv."""
    first = f"pip {copy.constraints} {UV}"
    (copy.folder / "uv-fails").touch()
    assert copy.prepare("play") == [
        first,
        f"uv {copy.constraints} {PLAY}",
        f"pip {copy.constraints} {PLAY}",
    ]
    (copy.folder / "no-uv").touch()
    assert copy.prepare("dev") == [first, f"pip {copy.constraints} {DEV}"]
    assert copy.prepare("dev") == [], "it counts as done"
    assert copy.prepare("lock", status=1) == [f"pip none {UV}"], "lock files are written by uv alone"
    assert copy.prepare("lock", status=1) == [f"pip none {UV}"]


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


# The package index has a project of somebody else called paddock, and none called paddock-games yet.
INSTALLS = re.compile(r"(?:\b(?:pip3?|pipx|uv)\b[^\n`#]*?\s(?:install|add)|\buvx)\s+([^\n`#]*)")
ALLOWED = re.compile(
    r"""(--upgrade\ |-e\ |--no-build-isolation\ -e\ )?
    ("\$\(ls\ (?:dist|/var/backups)/paddock_games-\*\.whl\)(\[[a-z,]+\])?"|'?\.(\[[a-z,]+\])?'?
    |(\.\./|tests/titles/)\$name|examples/(pigrace|riders))
    (\ jax\ optax|\ torch)?|rlcard\ pygame-ce|pgx
    |--require-hashes\ --only-binary\ :all:\ -r\ (?:dist|/var/backups)/server\.txt
    |--no-deps\ --force-reinstall\ (?:dist|/var/backups)/paddock_games-\*\.whl""",
    re.VERBOSE,
)
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs").glob("**/*.md"),
    *(path for path in (ROOT / "examples").rglob("*.*") if "__pycache__" not in path.parts),
]


def installs(text: str) -> list[str]:
    """Return what the lines of a page that call ``pip install`` ask for."""
    return [line.strip() for line in INSTALLS.findall(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_installs_nothing_of_a_stranger(page: Path) -> None:
    for asked in installs(page.read_text("utf-8")):
        assert ALLOWED.fullmatch(asked), asked


@pytest.mark.parametrize(
    "line",
    [
        "pip install paddock",
        "pip install 'paddock[fast]'",
        "pip install paddock-games",
        "pip install --upgrade 'paddock[serve,fast]'",
        "pip3  --quiet install paddock",
        "pipx install\npaddock",
        "uv tool install paddock",
        "uvx paddock",
        "uv add paddock",
    ],
)
def test_a_line_that_installs_from_the_index_is_found(line: str) -> None:
    (asked,) = installs(f"run `{line}`")
    assert not ALLOWED.fullmatch(asked)
