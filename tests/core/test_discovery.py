"""Titles of packages that cannot be imported: named once and left out, while everything goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path
from urllib.request import urlopen

import pytest

import paddock
from paddock.core.errors import PaddockError
from terminal.test_cli import run
from web.conftest import Server

FAULT = "the title broken is left out: the package paddock-broken cannot be imported (ImportError: no sails)"


def install(folder: Path, name: str, source: str, needs: str = "") -> None:
    """Install a package with one title into a folder; it depends on what it ``needs``."""
    (folder / f"{name}.py").write_text(source)
    metadata = folder / f"paddock_{name}-1.dist-info"
    metadata.mkdir()
    about = f"Metadata-Version: 2.1\nName: paddock-{name}\nVersion: 1\n"
    (metadata / "METADATA").write_text(about + (f"Requires-Dist: {needs}\n" if needs else ""))
    (metadata / "entry_points.txt").write_text(f"[paddock.titles]\n{name} = {name}:TITLE\n")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A path on which three packages have no title that can be imported."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "broken", "raise ImportError('no sails')\n")
    install(folder, "quits", "raise SystemExit('no wind')\n")
    install(folder, "strange", "TITLE = 7\n")
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)


@pytest.fixture
def found(path: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(path.partition(os.pathsep)[0])
    invalidate_caches()
    paddock.titles.cache_clear()
    yield
    paddock.titles.cache_clear()


@pytest.mark.usefixtures("found")
def test_it_is_named_once_and_the_others_are_listed(caplog: pytest.LogCaptureFixture) -> None:
    for _again in range(2):
        assert {"lacorsa", "rasant", "great_race"} <= set(paddock.titles())
        assert not {"broken", "quits", "strange"} & set(paddock.titles())
    broken, quits, strange = caplog.messages
    assert broken == FAULT and "paddock-quits cannot be imported (SystemExit: no wind)" in quits
    assert "paddock-strange" in strange and "strange:TITLE is not a Title" in strange


@pytest.mark.usefixtures("found")
def test_whoever_asks_for_it_learns_why_it_is_not_there() -> None:
    with pytest.raises(PaddockError) as refused:
        paddock.start("broken")
    assert str(refused.value) == FAULT
    with pytest.raises(PaddockError, match="there is no title “lost”; the titles are "):
        paddock.title("lost")


@pytest.mark.parametrize(
    ("needs", "told"),
    [("paddock>=0.7,<1", True), ("Paddock[fast]; python_version > '3'", True), ("paddock", True),
     ("paddock-games>=0.8", False), ("paddock_games", False), ("paddocks", False)],
)  # fmt: skip
def test_a_title_that_depends_on_our_old_name_is_told(
    needs: str, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """«paddock» is another project on the index, whose files may replace ours. The title is played."""
    install(tmp_path, "old", "from paddock.games.rasant.rulebook import TITLE\n", needs)
    monkeypatch.syspath_prepend(tmp_path)
    invalidate_caches()
    paddock.titles.cache_clear()
    try:
        assert "old" in paddock.titles()
    finally:
        paddock.titles.cache_clear()
    said = "the package paddock-old depends on “paddock”, which is another project on the package index"
    assert [message.startswith(said) for message in caplog.messages] == [True] * told


def test_commands_and_their_workers_go_on(path: str) -> None:
    done = run("match", "rasant", "rookie", "rookie", "--games", "2", environ={"PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("paddock-broken") == done.stderr.count("paddock-strange") == 1
    assert "Traceback" not in done.stderr


def test_a_shell_that_completes_words_is_told_nothing(path: str) -> None:
    words = {"_PADDOCK_COMPLETE": "complete_bash", "COMP_WORDS": "paddock rules la", "COMP_CWORD": "2"}
    done = run(environ={"PYTHONPATH": path, **words})
    assert (done.stdout.split(), done.stderr) == (["lacorsa"], "")


def test_the_server_starts_without_it(path: str, tmp_path: Path) -> None:
    server = Server(tmp_path, PYTHONPATH=path)
    try:
        with urlopen(f"{server.url}api/v1/titles") as answer:
            text = answer.read().decode()
    finally:
        server.stop()
    assert "lacorsa" in text and "broken" not in text
    assert sum(FAULT in line for line in server.lines) == 1
