"""Whatever a terminal, a pipe or a file can show, a command does its work.

The kind: the outer edge is strict. It lost what had been computed for minutes because of one character.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock import records
from paddock.core.i18n import language
from paddock.server.serve import draws
from terminal.test_cli import here

NARROW = ["ascii", "cp1252", "cp437", "latin-1"]
PADDOCK = (sys.executable, "-m", "paddock")
RACE = ("race", "lacorsa", "--races", "1", "--seed", "3", "--seats")
BOTS = (*RACE, "rookie,rookie,rookie,rookie")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """English again afterwards: a command sets the language of its process."""
    token = language.set("en")
    yield
    language.reset(token)


@pytest.mark.parametrize("encoding", NARROW)
@pytest.mark.parametrize("code", ["en", "de"])
def test_every_help_can_be_printed(encoding: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_LANGUAGE", code)
    for words in (("-h",), ("race", "-h"), ("match", "-h"), ("admin", "-h"), ("settings",)):
        done = here(*words, encoding=encoding)
        assert done.returncode == 0 and len(done.stdout) > 500, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_work_is_not_lost_because_of_a_character(encoding: str) -> None:
    for words, shown in (
        (("match", "lacorsa", "club", "rookie", "--games", "4", "--processes", "1"), "club"),
        (BOTS, "Total"),
        (("rules", "lacorsa", "LC-6.2"), "LC-6.2"),
    ):
        done = here(*words, encoding=encoding)
        assert done.returncode == 0 and shown in done.stdout, done.stderr
    refused = here("race", "lacorsa", "--seats", "ü,rookie,rookie,rookie", encoding=encoding)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1) and "cannot play" in refused.stderr


def test_a_wrong_answer_of_any_bytes_is_asked_again() -> None:
    done = here(*RACE, "me,rookie,rookie,rookie", answers=b"\xff\xfe\xe9\n" + b"#1\n" * 60)
    assert done.returncode == 0 and "is no move here" in done.stdout and "Total" in done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_is_data_is_utf_8_everywhere(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paddock reads it so: «paddock race --record - > race.txt»."""
    names = ["Zoë 🏁", "Åsa", "Ł", "D"]
    monkeypatch.setattr("paddock.terminal.race.Seats.names", lambda _seats, _title: names)
    done = here(*BOTS, "--record", "-", encoding=encoding)
    assert done.returncode == 0 and "Zoë 🏁" in done.stdout, done.stderr
    assert list(records.read(done.stdout).game().names) == names
    read = here("replay", "-", answers=done.stdout.encode(), encoding=encoding)
    assert read.returncode == 0 and "Total" in read.stdout, read.stderr
    shown = here("map", "show", "usa-west", encoding=encoding)
    assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize("data", ["Größe".encode("latin-1"), "Größe".encode("utf-16"), b"\xff"])
def test_a_file_in_another_encoding_is_refused_in_a_sentence(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    file = str(tmp_path / "file")
    for words, answers in (
        (("replay", file), b""),
        (("replay", "-"), data),
        (("fair", "-"), data),
        (("analyse", file), b""),
        (("map", "check", file), b""),
        (("race", "rasant", "-o", f"deck=@{file}"), b""),
        (("puzzles", "make", "lacorsa", "--to", file), b""),
    ):
        done = here(*words, answers=answers)
        assert done.returncode == 2 and done.stderr.endswith(": the file is not UTF-8 text\n"), (
            words,
            done.stderr,
        )


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes there")
def test_arguments_and_file_names_of_any_bytes(tmp_path: Path) -> None:
    """A file may have any name; a value that is stored must be text."""
    odd = os.fsdecode(bytes(tmp_path) + b"/caf\xe9.txt")
    done = here(*BOTS, "--record", odd)
    assert done.returncode == 0 and "caf?.txt" in done.stdout, done.stderr
    assert here("replay", odd).returncode == 0
    for words in (
        ("race", "rasant", "-o", "deck=caf\udce9"),
        ("rules", "caf\udce9"),
        ("replay", "none\udce9"),
    ):
        done = here(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


@pytest.mark.parametrize("name", ["PYTHONIOENCODING", "LC_ALL"])
def test_a_process_of_its_own_in_a_narrow_terminal(name: str) -> None:
    env = {**os.environ, "LANG": "C", name: {"PYTHONIOENCODING": "cp1252", "LC_ALL": "C"}[name]}
    done = subprocess.run([*PADDOCK, "-h"], env=env | {"PADDOCK_LANGUAGE": "de"}, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"") and b"paddock" in done.stdout


def test_a_reader_that_leaves_ends_a_command_without_a_word() -> None:
    """As with «| head -1»."""
    with subprocess.Popen(
        [*PADDOCK, "rules", "great_race"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout and run.stderr
        run.stdout.close()
        said = run.stderr.read()
    assert (run.returncode, said) == (1, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
def test_closed_streams_are_empty_ones() -> None:
    for closing in ("<&- >&-", "2>&-"):
        shell = f"exec {sys.executable} -m paddock rules lacorsa LC-6.2 {closing}"
        done = subprocess.run(["sh", "-c", shell], capture_output=True)
        assert (done.returncode, done.stderr) == (0, b""), closing


def test_an_unknown_language_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind: what somebody has chosen is replaced by something else. LANG speaks to all programs."""
    monkeypatch.setenv("PADDOCK_LANGUAGE", "klingon")
    done = here("-h")
    assert done.returncode == 2 and "PADDOCK_LANGUAGE=klingon: write en, de" in done.stderr
    for known in ("de", "de_AT.UTF-8", "xx:de", ""):
        monkeypatch.setenv("PADDOCK_LANGUAGE", known)
        assert here("--version").returncode == 0
    monkeypatch.delenv("PADDOCK_LANGUAGE")
    monkeypatch.setenv("LANG", "tlh_QO.UTF-8")
    assert here("--version").returncode == 0


def test_a_name_of_a_parquet_file_is_not_replaced(tmp_path: Path) -> None:
    done = here(
        "match", "lacorsa", "club", "rookie", "--games", "2", "--parquet", str(tmp_path / "games.csv")
    )
    assert done.returncode == 2 and "write a name that ends in .parquet" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_qr_code_is_drawn_where_its_blocks_can_be_shown() -> None:
    assert (
        draws("utf-8") and draws("cp437") and not draws("ascii") and not draws("cp1252") and not draws(None)
    )
