"""``paddock analyse``, with real files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.kernel.source import Seeded
from terminal.test_cli import here, refused, run


def race(most: int = 10**6) -> Game:
    """Play a short race of random moves, to the end or for so many moves."""
    game, rng, made = paddock.start("lacorsa", drivers=2, races=1, seed=1), Seeded(1), 0
    while not game.over and made < most:
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[rng.below(len(game.legal(seat)))])
        made += 1
    return game


def write(file: Path, game: Game, eyes: int | None = None) -> str:
    text = records.write(game, date="2026-03-01", players=[("Ana", None), ("Ben", None)], eyes=eyes)
    file.write_text(text, "utf-8")
    return str(file)


def test_costs_swings_and_every_judgement(tmp_path: Path) -> None:
    file, out = write(tmp_path / "race.txt", race()), tmp_path / "a.json"
    done = run("analyse", file, "--worlds", "64", "--seed", "3", "--processes", "1", "--json", str(out))
    assert done.returncode == 0, done.stderr
    models, *lines = done.stdout.splitlines()
    assert models.startswith(
        "Each decision was tried in up to 32 games. Half of them were played on by Clubs"
    )
    assert re.fullmatch(r"\d+ decisions; ± is a 95 % interval, on average ± \d\.\d\d points", lines[0])
    assert [line.split(":")[0] for line in lines[2:4]] == ["Ana", "Ben"]
    swing = lines[lines.index("The biggest swings:") + 1]
    sentence = r"Race 1, (Ana|Ben) \(\d\): \S+\. Best: \S+ · this cost \d+\.\d\d ± \d\.\d\d points"
    assert re.fullmatch(sentence, swing)
    assert lines[-1] == f"Written: {out}"
    data = json.loads(out.read_text("utf-8"))
    assert data["players"] == ["Ana", "Ben"] and (data["seed"], data["worlds"]) == ("3", 64)
    assert len(data["judgements"]) == int(lines[0].split()[0])
    worst = next(turn for turn in data["turns"] if turn["entry"] == data["swings"][0])
    assert f"{worst['text']}. Best: {worst['best']}" in swing


@pytest.mark.slow("several commands, each with an analysis")
def test_an_unfinished_game_and_a_position_say_what_could_be_played(tmp_path: Path) -> None:
    game, file = race(9), tmp_path / "position.txt"
    file.write_text(game.position + "\n", "utf-8")
    first = game.seen(0).seat_name(game.deciders[0]).replace("Driver 1", "Ana").replace("Driver 2", "Ben")
    done = here("analyse", write(tmp_path / "race.txt", game), "--worlds", "16", "--processes", "1")
    assert done.returncode == 0, done.stderr
    assert re.search(rf"^\d+ decisions?; (.|\n)*^{re.escape(first)} must decide\. Best: ", done.stdout, re.M)
    done = here("analyse", str(file), "--worlds", "16")
    assert done.returncode == 0, done.stderr
    assert re.match(r"Driver \d \(\d\) must decide\. Best: \S+\n  \S+ costs -?\d\.\d\d ± ", done.stdout)


@pytest.mark.parametrize(
    ("text", "reason"),
    [(None, "only complete records can be analysed"), ("chess/1 e4", "there is no title"), ("x", "line 1")],
)
def test_what_cannot_be_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, reason: str
) -> None:
    file = write(tmp_path / "race.txt", race(), 1)
    if text is not None:
        Path(file).write_text(text, "utf-8")
    assert reason in refused(capsys, "analyse", file)


def test_a_faulty_record_is_refused_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "race.txt"
    write(file, race())
    file.write_text(file.read_text("utf-8").replace("drivers=2", "drivers=3"), "utf-8")
    assert "line" in refused(capsys, "analyse", str(file))
