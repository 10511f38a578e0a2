"""The command line, with real files. Most commands run in this process, of each kind one in its own."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import cast

import pytest

import paddock
from paddock import records
from paddock.cli import app, main
from sampling import some


def run(
    *words: str, answers: str = "", environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "paddock", *words],
        capture_output=True, text=True, input=answers, timeout=300, check=False,
        env={**os.environ, **(environ or {})},
    )  # fmt: skip


def here(*words: str, answers: str | bytes = "", encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    """Do the same in this process: a second less, for tests of what the command does.

    ``encoding`` is what standard input and output have; what is printed is returned as UTF-8 shows its bytes.
    """
    out, err = (TextIOWrapper(BytesIO(), encoding, write_through=True) for _ in range(2))
    typed = answers.encode() if isinstance(answers, str) else answers
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.MonkeyPatch.context() as patched,
    ):
        patched.setattr(sys, "stdin", TextIOWrapper(BytesIO(typed), encoding))
        with pytest.raises(SystemExit) as end:
            main(partial(app, list(words)))
    printed, said = (
        cast(BytesIO, stream.buffer).getvalue().decode("utf-8", "replace") for stream in (out, err)
    )
    return subprocess.CompletedProcess(words, cast(int, end.value.code), printed, said)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the line that a command which cannot be run prints, in this process; fail if there is more."""
    with pytest.raises(SystemExit) as end:
        main(partial(app, list(words)))
    said = capsys.readouterr().err
    assert end.value.code == 2 and said.count("\n") == 1
    return said


def test_a_group_without_its_command_prints_its_help() -> None:
    done = here("tasks")
    assert done.returncode == 2
    assert "\nCommands:\n  list    List the tasks.\n" in done.stderr


def test_a_score_says_where_the_reasons_of_forfeits_are(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("import missing")
    words = ("tasks", "score", "rasant-tiny-2-v1", str(agent), "--processes", "1", "--games", "2")
    done = here(*words, "--to", str(tmp_path / "score"))
    results = tmp_path / "score" / "games.csv"
    assert done.returncode == 0 and f"{results} has the reason of each forfeit." in " ".join(
        done.stderr.split("\n")
    )
    assert "crash: " in results.read_text()


def test_a_championship_of_bots_and_its_record(tmp_path: Path) -> None:
    """The same seed gives the same record, except for the date."""
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        done = here(
            "race", "lacorsa", "--seats", "club,club,rookie,rookie", "--races", "7", "--seed", "7",
            "--option", "extra_suits=1", "--record", str(file),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Total" in done.stdout
    texts = [
        [line for line in f.read_text("utf-8").splitlines() if not line.startswith(("date", "checksum"))]
        for f in files
    ]
    assert texts[0] == texts[1]
    game = records.read(files[0].read_text("utf-8")).game()
    assert len(game.rounds) == 7
    assert game.options.extra_suits == 1
    told = here("replay", str(files[0]))
    assert told.returncode == 0
    assert "finishes first" in told.stdout
    assert str(game.standings().players[0].total) in told.stdout


def test_a_person_races_by_numbers() -> None:
    done = run(
        "race",
        "lacorsa",
        "--seats",
        "me,rookie,rookie,rookie",
        "--races",
        "1",
        "--seed",
        "3",
        answers="#1\n" * 60,
    )
    assert done.returncode == 0, done.stderr
    assert "Hand of Driver 1 (1)" in done.stdout
    assert "Driver 1 (1), choose (? explains):" in done.stdout
    assert "Total" in done.stdout


def test_another_title_races_the_same_way(tmp_path: Path) -> None:
    """A match with a person, bots and a deck from a file, and its record."""
    deck, record = tmp_path / "my.deck", tmp_path / "match.txt"
    deck.write_text("# a deck of my own\nr10-130 g10-130\nk30 # a joker\n", "utf-8")
    done = here(
        "race", "rasant", "--seats", "me,rookie,rookie", "--races", "2", "--seed", "3",
        "--option", f"deck=@{deck}", "--record", str(record), answers="#1\n" * 200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Hand of Player 1: " in done.stdout
    assert "Player 1, choose (? explains):" in done.stdout
    assert "pass" in done.stdout
    assert "Player" in done.stdout
    assert "deck=r10-130+g10-130+k30" in record.read_text("utf-8")
    assert len(records.read(record.read_text("utf-8")).game().rounds) == 2
    told = here("replay", str(record))
    assert "wins the round" in told.stdout
    many = here("simulate", "rasant", "--games", "200", "-o", "players=3", "-o", f"deck=@{deck}")
    assert "200 games" in many.stdout, many.stderr


def test_a_wrong_answer_is_asked_again() -> None:
    answers = "#99\nx5\n^3\nnonsense\n99\n9\n" + "#1\n" * 60
    done = here(
        "race",
        "lacorsa",
        "--seats",
        "me,rookie,rookie,rookie",
        "--races",
        "1",
        "--seed",
        "3",
        answers=answers,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Write a number from #1 to #") == 2
    assert done.stdout.count("To choose a line of the list, write its number like this: #1.") == 1
    assert "LC-3.1" in done.stdout
    assert "“nonsense” is no move here" in done.stdout


def test_simulation_is_the_same_on_any_number_of_threads(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    for file, threads in ((one, "1"), (two, "2")):
        done = here(
            "simulate",
            "lacorsa",
            "--games",
            "3000",
            "--seed",
            "5",
            "-o",
            "drivers=3",
            "--csv",
            str(file),
            "--threads",
            threads,
        )
        assert done.returncode == 0, done.stderr
        assert "3,000 games" in done.stdout
    assert one.read_bytes() == two.read_bytes()
    rows = list(csv.DictReader(one.open(encoding="utf-8")))
    assert len(rows) == 3000
    assert all(sorted(int(row[f"place_{i}"]) for i in range(1, 7)) == [1, 2, 3, 4, 5, 6] for row in rows)


def test_bots_are_simulated_on_any_number_of_threads(tmp_path: Path) -> None:
    """A level for each player; --seats gives the number of players."""
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    for file, threads in ((one, "1"), (two, "2")):
        done = here(
            "simulate", "rasant", "--seats", "rookie,Club,rookie", "--games", "2500", "--seed", "5",
            "--csv", str(file), "--threads", threads,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert one.read_bytes() == two.read_bytes()
    rows = list(csv.DictReader(one.open(encoding="utf-8")))
    wins = [sum(row[f"place_{i}"] == "1" for row in rows) for i in (1, 2, 3)]
    assert wins[1] > 2000 > 500 > max(wins[0], wins[2]) > 0
    assert "│ 2 club   │" in done.stdout
    assert f"{wins[1] / 2500:.4%}" in done.stdout


def test_rules_and_one_clause() -> None:
    assert "# LACORSA: the rules" in here("rules", "lacorsa").stdout
    assert here("rules", "lacorsa", "lc-6.2").stdout.startswith("- **LC-6.2** ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("race", "chess"), "there is no title “chess”"),
        (("race", "lacorsa", "--seats", "club,mee"), "“mee” cannot play; choose me, rookie, club"),
        (("race", "lacorsa", "--seats", "club"), "drivers=1"),
        (("race", "lacorsa", "--seats", "club,club,club,club", "--option", "drivers=5"), "--seats has 4"),
        (("race", "lacorsa", "--seats", "club,club,club,club", "--option", "speed=5"), "no option “speed”"),
        (("race", "lacorsa", "--seats", "club,club,club,club", "--option", "speed"), "NAME=VALUE"),
        (
            ("race", "lacorsa", "--seats", "club,club,club,club", "--record", "/nowhere/at/all"),
            "/nowhere/at/all",
        ),
        (("replay", "/nowhere/at/all"), "/nowhere/at/all"),
        (("race", "rasant", "-o", "deck=@/nowhere/at/all"), "deck=@/nowhere/at/all: No such file"),
        (("race", "rasant", "-o", f"deck=@{Path(__file__).parent}"), "Is a directory"),
        (
            ("race", "rasant", "-o", "deck=@"),
            "--option deck=@: write the file after the @, as in deck=@my.txt",
        ),
        (("simulate", "rasant", "-o", "deck=@"), "write the file after the @"),
        (("race", "rasant", "-o", "deck=~" + "a" * 16), "no file with this digest is stored here"),
        (("race", "rasant", "-o", "deck=r10"), "4 players need a deck of at least 24 cards"),
        (("replay", __file__), "line 1"),
        (("rules", "lacorsa", "LC-99.9"), "no clause “LC-99.9”"),
        (("rules", "chess"), "no title"),
        (("simulate", "lacorsa", "--games", "0"), "--games"),
        (("simulate", "lacorsa", "--option", "races=0"), "races=0"),
        (("simulate", "rasant", "--seats", "club,me"), "“me” cannot play; choose rookie, club or works"),
        (("simulate", "rasant", "--seats", "club,"), "“” cannot play; choose rookie, club or works"),
        (("simulate", "rasant", "--seats", "works,club"), "“works” is too slow to play in bulk"),
        (("simulate", "rasant", "--seats", "club"), "players=1: write a whole number from 2 to 5"),
        (("simulate", "rasant", "--seats", "club,club", "-o", "players=3"), "players=3: --seats has 2"),
        (("unknown",), "unknown"),
        (("study", "lacorsa", "--games", "5"), "games=5: give a whole number from 40"),
        (("match", "rasant", "club", "nobody"), "there is no bot level “nobody”"),
        (("match", "rasant", "club", "club", "--to", "-"), "--to -: write the name of a file"),
        (("match", "rasant", "club", "club", "--parquet", "-"), "--parquet -: write the name of a file"),
        (("study", "lacorsa", "--to", "-", "--json", "-"), "only one file can be “-”"),
        (("study", "lacorsa", "--csv", "x.csv"), "--csv and --parquet need --beside"),
        (("study", "lacorsa", "--beside", "'"), "--beside ': write options as NAME=VALUE, or a title"),
        (("study", "lacorsa", "--beside", "drivers=5 races"), "--beside races: write each option once"),
        (("study", "lacorsa", "--beside", "drivers=4"), "--beside: both sides are the same"),
    ],
)
def test_errors_are_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(capsys, *words)


def test_a_process_prints_the_same_error() -> None:
    done = run("rules", "chess")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "there is no title “chess”" in done.stderr


def test_without_a_command_it_says_what_it_can_do() -> None:
    done = run()
    assert done.returncode == 0
    for command in ("play", "serve", "race", "replay", "rules", "simulate", "bench"):
        assert command in done.stdout


def test_invariants_are_watched() -> None:
    done = run("invariants", "rasant", "--decisions", "20000", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert "every invariant held" in done.stdout


def test_the_version() -> None:
    assert run("--version").stdout == f"paddock {paddock.__version__}\n"


def test_help_is_short_or_long_and_says_everything_in_60_columns() -> None:
    narrow = {"COLUMNS": "60"}
    pages = [run(*words, environ=narrow).stdout for words in ((), ("-h",), ("--help",))]
    assert pages[0] == pages[1] == pages[2]
    assert max(map(len, pages[0].splitlines())) <= 60 and "..." not in pages[0].replace("[ARGS]...", "")
    said = " ".join(pages[0].split())
    for command in app.registered_commands:
        assert command.callback and " ".join(command.callback.__doc__.split()) in said


def test_help_of_a_command_has_the_short_option_too() -> None:
    page = run("map", "check", "-h").stdout
    assert page.startswith("Usage: paddock map check ") and "-h, --help" in page


def test_a_file_named_dash_is_standard_output(tmp_path: Path) -> None:
    """The words of the command go to standard error then."""
    race = ("race", "rasant", "--seats", "rookie,rookie", "--seed", "1")
    done = run(*race, "--record", "-")
    assert records.read(done.stdout).complete
    assert "Total" in done.stderr and "Total" not in done.stdout
    table = here("simulate", "rasant", "--games", "3", "--csv", "-")
    rows = list(csv.DictReader(table.stdout.splitlines()))
    assert [row["game"] for row in rows] == ["0", "1", "2"] and "mean score" in table.stderr
    drawing = here("map", "draw", "usa", "--out", "-").stdout
    assert drawing.startswith("<svg") and drawing.endswith("</svg>\n")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("race lacorsa --seats me,ro", {"me,rookie"}),
        ("match rasant c", {"club"}),
        *some(
            [
                ("si", {"simulate"}),
                ("simulate ra", {"rasant"}),
                ("race lacorsa --se", {"--seats", "--seed"}),
                ("map ch", {"check"}),
            ],
            1,
        ),
    ],
)
def test_a_shell_completes(words: str, found: set[str]) -> None:
    count = len(words.split())
    environ = {
        "_PADDOCK_COMPLETE": "complete_bash",
        "COMP_WORDS": f"paddock {words}",
        "COMP_CWORD": str(count),
    }
    assert set(run(environ=environ).stdout.split()) == found
