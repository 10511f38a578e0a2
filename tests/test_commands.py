"""The commands of the documentation, typed as they stand there in a clone of its own.

``make test`` types those for authors of titles, ``make test-all`` the others. ``ELSEWHERE`` names those that
neither types: what needs another machine, the network or an evening, and what types it instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import sampling
from test_repository import PAGES, ROOT, blocks

INDEX, LONG = "it needs the package index", "it computes for half an hour or more"
SOURCES = "it changes the sources of Paddock"
HOST = "it needs root, systemd and PostgreSQL: `make host` types it in a machine of its own"
SERVER = "it needs a server at port 8000, and a table there"
TRAINING = "it trains for minutes: a test trains for less"
# The page, and how a block begins; "" are all its blocks
ELSEWHERE = {
    ("README.md", "make play"): INDEX,
    ("docs/index.md", "make play"): INDEX,
    ("docs/titles.md", "cd src/mygame"): "it needs a title that is published: scripts/revisions.py has one",
    ("docs/analysis.md", "python scripts/ledger.py"): LONG,
    ("docs/api.md", ""): f"{SERVER}: tests/web/test_api.py asks the same",
    ("docs/champion.md", "pip install"): f"{INDEX}, and {TRAINING}",
    ("docs/champion.md", "paddock train"): TRAINING,
    ("docs/clubs.md", "curl"): "it needs another server on the internet",
    ("docs/clubs.md", "python scripts/duplicates.py"): LONG,
    ("docs/daily.md", ""): "it needs another server on the internet",
    ("docs/data.md", ""): "it computes for minutes: a test checks the sample",
    ("docs/environments.md", ""): INDEX,
    ("docs/great-race.md", ""): LONG,
    ("docs/host.md", ""): HOST,
    ("docs/ladder.md", ""): TRAINING,
    ("docs/match.md", "pip install"): INDEX,
    ("docs/match.md", "ray start"): "it needs several machines",
    ("docs/match.md", "paddock match lacorsa club rookie rookie rookie"): "it needs several machines",
    ("docs/other-libraries.md", ""): f"{INDEX}, and {TRAINING}",
    ("docs/puzzles.md", ""): SOURCES,
    ("docs/servers.md", ""): "it needs a server of PostgreSQL: tests/web/test_servers.py has one",
    ("docs/study-20-minutes.md", ""): LONG,
    ("docs/tasks.md", "pip install"): INDEX,
    ("docs/train.md", "pip install"): INDEX,
    ("docs/train.md", "python train.py"): TRAINING,
    ("docs/translate.md", ""): SOURCES,
    ("docs/tutorial.md", ""): INDEX,
    ("docs/upgrade.md", ""): HOST,
    ("docs/write-a-bot.md", "python guest.py"): f"{SERVER}: tests/web/test_api_seats.py has one",
}
AUTHORS = ("docs/titles.md", "docs/title-in-an-hour.md")
BEFORE = {  # what a page supposes
    "docs/maps.md": "paddock map show usa-east > my.map",
    "docs/write-a-bot.md": "cd examples",
}
ASKED = "roll\n" * 4  # what a player types; then it closes the terminal


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


COMMANDS = {
    name_of(page): found
    for page in PAGES
    if (found := [text for kind, text in blocks(page.read_text("utf-8")) if kind == "sh"])
}


def elsewhere(page: str, block: str) -> list[str]:
    """Return why a block is not typed here."""
    return [why for (where, begin), why in ELSEWHERE.items() if where == page and block.startswith(begin)]


TYPED = {
    page: typed
    for page, found in COMMANDS.items()
    if (typed := [block for block in found if not elsewhere(page, block)])
}


def test_what_is_not_typed_is_there_and_named_once() -> None:
    """A block that is renamed, or whose page is gone, does not stay in the list."""
    met = [key for key in ELSEWHERE for block in COMMANDS.get(key[0], ()) if block.startswith(key[1])]
    assert set(met) == set(ELSEWHERE)
    assert all(len(elsewhere(page, block)) <= 1 for page, found in COMMANDS.items() for block in found)
    assert set(AUTHORS) <= set(TYPED) and set(BEFORE) <= set(TYPED)


# ``paddock`` of the clone: a server is looked at, and ended as people do it; a race ends after their input.
PADDOCK = """#!{python}
import signal, subprocess, sys
command = [sys.executable, "-m", "paddock", *sys.argv[1:]]
if sys.argv[1] != "serve":
    status = subprocess.call(command)
    sys.exit(0 if status == 130 and sys.argv[1] == "race" else status)
server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
assert any("http://" in line for line in server.stdout)
server.send_signal(signal.SIGINT)
server.communicate()
sys.exit(server.returncode != 130)
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of what Git tracks, with an environment that has the packages of this one, and may get more."""
    folder, here = tmp_path / "clone", Path(sysconfig.get_path("purelib"))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and not name.startswith("src/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / "src").symlink_to(ROOT / "src")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True)
    (packages,) = (folder / ".venv/lib").glob("python*/site-packages")
    (packages / "these.pth").write_text(f"import site; site.addsitedir({str(here)!r})\n")
    programs = folder / ".venv/bin"
    for name, text in {
        "pip": '#!/bin/sh\nexec "{python}" -m pip --disable-pip-version-check "$@"\n',
        "pytest": '#!/bin/sh\nexec "{python}" -m pytest -q -n0 "$@"\n',
        "paddock": PADDOCK,
    }.items():
        (programs / name).write_text(text.format(python=programs / "python"))
        (programs / name).chmod(0o755)
    return folder


def typed(page: str, clone: Path) -> None:
    """Type the blocks of a page in one shell. pip finds no network: only what it needs to build is here."""
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join([BEFORE.get(page, ""), *TYPED[page]])],
        cwd=clone,
        input=ASKED,
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "PATH": f"{clone / '.venv/bin'}:{os.environ['PATH']}",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip turns it round: this is «no isolation»
            "PIP_NO_INDEX": "1",
            "XDG_DATA_HOME": str(clone.parent / "data"),
            "BROWSER": "true",
        },
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.slow("each command is a process of its own")
@pytest.mark.timeout(1800)  # where nothing is in the cache
@pytest.mark.parametrize("page", AUTHORS)
def test_the_commands_for_authors_do_what_they_say(page: str, clone: Path) -> None:
    typed(page, clone)


@pytest.mark.slow("hours in all")
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not sampling.WHOLE, reason="make test-all types them")
@pytest.mark.parametrize("page", [page for page in TYPED if page not in AUTHORS])
def test_the_other_commands_end_well(page: str, clone: Path) -> None:
    typed(page, clone)
