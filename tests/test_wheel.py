"""The built wheel in an empty environment, with the base dependencies only."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

import lock
import pythons
from conftest import LOUD
from paddock.bots.champion import has_networks, playing
from paddock.core.title import titles
from sampling import some

LARGEST = 90e6  # bytes of the light install, before Python compiles it
IMPORT = "from time import perf_counter as t; a = t(); import paddock; print(f'{t() - a:.2f} s')"

NEEDS = {
    "serve": "serve",
    "play": "serve",
    "settings": "serve",
    "study lacorsa": "fast",
    "analyse race.paddock": "fast",
    "invariants lacorsa": "fast",
    "bench": "fast",
    "race lacorsa --seats works,club": "fast",
    "match lacorsa works club": "fast",
    "train lacorsa": "fast",
    "match lacorsa club rookie --parquet games.parquet": "lab",
    "match lacorsa club rookie --cluster auto": "cluster",
}


SEATS = "--seats club,club,rookie,rookie"
SAID = {
    "tasks score rasant-2-v1 rookie --games 2": '{"task": "rasant-2-v1", "agent": "rookie"',
    "replay race.paddock": "finishes first",
    "rules lacorsa LC-6.1": "LC-6.1",
    "map check usa": "201 spaces",
    "race rasant --seats club,rookie --races 1 --seed 7": "Total",
    "race lacorsa --seats champion,champion,champion,club --races 1 --seed 7": "Total",
    "race great_race --seats club,rookie --races 1 --seed 7": "Total",
    f"simulate lacorsa --games 4 {SEATS}": "4 games",
    "match lacorsa club rookie --games 4 --to games.csv": "4 games",
}


@dataclass(frozen=True)
class Light:
    """An environment with the wheel and the base dependencies."""

    programs: Path
    folder: Path  # of the user
    size: int  # bytes that the installation added

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, away from the source."""
        home = {"HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder), "COLUMNS": "100"}
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "XDG"))} | home
        return subprocess.run(
            [self.programs / program, *words],
            cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def said(self, words: str) -> str:
        """Return what a command of Paddock prints; fail if it fails."""
        done = self.run("paddock", *words.split())
        assert done.returncode == 0, done.stderr
        return done.stdout

    def refused(self, words: str) -> str:
        """Return the line of a command that cannot be run; fail if there is more."""
        done = self.run("paddock", *words.split())
        line = done.stderr.strip()  # an empty progress bar may stand before it
        assert (done.returncode, done.stdout, line.count("\n")) == (2, "", 0), done.stderr
        return line


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=pythons.ROOT, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def install(version: str, wheel: Path, folder: Path) -> Light:
    """Install the wheel for a Python version, if there is an interpreter."""
    interpreter = pythons.find(version)
    if interpreter is None:
        pytest.skip(f"{LOUD}: the wheel on Python {version}. There is no interpreter")
    python = pythons.make_environment(interpreter, folder / "light")
    before = size(folder)
    pythons.install(version, python, str(wheel))
    (home := folder / "home").mkdir()
    return Light(python.parent, home, size(folder / "light") - before)


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def shipped() -> Iterator[tuple[str, str]]:
    """The networks that play: those of set-ups, and those of others in races that are looked ahead."""
    for name, found in titles().items():
        if has_networks(found):
            for network in playing(found):
                search = found.champion.SEARCHES.get(network)
                for other in (network, *(search.rivals if search else ())):
                    yield name, other or network


def test_everything_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    source = pythons.ROOT / "src"
    ours = {
        path.relative_to(source).as_posix()
        for path in (source / "paddock").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pot"
    }
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    stages = {name for name in ours - names if name.endswith(".npz")}
    assert names == ours - stages
    assert not {f"paddock/games/{title}/networks/{name}.npz" for title, name in shipped()} & stages
    assert sum((source / name).stat().st_size for name in names if name.endswith(".npz")) <= 1_500_000
    assert {"paddock/py.typed", "paddock/records/SPEC.md", "paddock/games/lacorsa/RULES.md"} <= names


TRIED = some(lock.PYTHONS, 1, "wheels")


@pytest.mark.slow("each Python runs many commands")
@pytest.mark.parametrize("version", TRIED)
def test_the_light_install_plays(
    version: str, wheel: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    env = install(version, wheel, tmp_path)
    env.said("rules lacorsa LC-6.1")  # compiles what is imported
    imported = env.run("python", "-c", IMPORT).stdout.strip()
    record_property(f"Python {version}", f"light install {env.size / 1e6:.0f} MB, import paddock {imported}")
    assert env.size < LARGEST

    env.said(f"race lacorsa {SEATS} --races 1 --seed 7 --record race.paddock")
    for words, found in some([*SAID.items()], 4, "said"):
        assert found in env.said(words), words
        if "games.csv" in words:
            assert len((env.folder / "games.csv").read_text().splitlines()) == 5
    for words, extra in some([*NEEDS.items()], 3, "needs"):
        line = env.refused(words)
        assert line.startswith("paddock: "), words
        assert f": run pip install 'paddock-games[{extra}] @ file://" in line, words
