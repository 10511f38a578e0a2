"""Data sets: the rows of games, measured and not; their files; what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.titles import LACORSA, RULES

import paddock
from paddock.core.errors import PaddockError
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.lab.data import check_data, data_files, make_data, stored_games
from paddock.lab.data import file as files
from paddock.lab.data.decisions import Deciders, Decisions, observed
from paddock.lab.data.plan import DataPlan, data_plan
from paddock.lab.data.replay import Measures, measure, replayed
from paddock.lab.figures import Floats
from terminal.test_cli import here

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "benchmark/data/lacorsa-4"
SMALL = {"drivers": 3}
MOST = 40  # decisions of a game that are dealt again
SHORT_GAMES: dict[str, dict[str, Any]] = {"great_race": {"max_turns": 3}}


def plan_for(title: Title, levels: list[str] | None = None, **more: Any) -> DataPlan:
    options = {title.players_option: 3, **SHORT_GAMES.get(title.name, {})}
    given = {"full": False, "worlds": 0, "luck": 0, **more}
    return data_plan(title, levels, "tests", options, given["full"], given["worlds"], given["luck"])


def rows(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pa.concat_tables(map(parquet.read_table, data_files(folder))).to_pylist()
    return found


def same(some: Decisions, others: Decisions) -> bool:
    return all(np.array_equal(getattr(some, name), getattr(others, name)) for name in vars(some))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_compiled_games_are_those_of_plain_mode(title: Title, full: bool) -> None:
    if not full and not title.has_room("short_features"):
        pytest.skip("this title has no short features")
    levels = ["rookie", "club", *["net:champion"] * (title.name == "lacorsa")]
    deciders = Deciders(plan_for(title, levels, full=full))
    assert all(map(deciders.plays_compiled, range(100)))
    (whole,) = deciders.play(range(3, 6))
    for index, number in enumerate([3, 4, 5]):
        end = int(whole.counts[: index + 1].sum())
        part, game = slice(end - int(whole.counts[index]), end), slice(index, index + 1)
        one = Decisions(
            *(getattr(whole, name)[game] for name in ("games", "counts", "scores", "places")),
            *(getattr(whole, name)[part] for name in ("seats", "moves", "features", "masks")),
        )
        assert same(one, deciders.plain(number)), number


def test_games_that_do_not_fit_at_once_are_the_same() -> None:
    plan = plan_for(LACORSA)
    (whole,) = Deciders(plan).play(range(9))
    cramped = Deciders(plan)
    list(cramped.play(range(1)))
    assert cramped._compiled
    cramped._compiled._make_room(int(whole.counts.max()) // 2)  # less than a game, and so it grows
    parts = list(cramped.play(range(9)))
    assert len(parts) > 3
    for name in vars(whole):
        joined = np.concatenate([getattr(part, name) for part in parts])
        assert np.array_equal(joined, getattr(whole, name)), name


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_features_have_nothing_that_the_seat_cannot_know(title: Title, full: bool) -> None:
    """All that it cannot know is dealt again, and they stay as they are."""
    if not full and not title.has_room("short_features"):
        pytest.skip("this title has no short features")
    plan = plan_for(title, ["rookie"], full=full)
    (made,) = Deciders(plan).play(range(3))
    begin = 0
    for index, number in enumerate(made.games.tolist()):
        features = made.features[begin : begin + int(made.counts[index])][:MOST]
        begin += int(made.counts[index])
        for row, decision in zip(features, replayed(plan, number, made.of_game(index)), strict=False):
            other = decision.seen.sample(Seeded("other hands", number)).seen(decision.seen.eyes)
            assert np.array_equal(row, observed(plan, other, decision.seat))


def test_a_data_set_says_what_the_rules_say_and_repeats_with_any_number_of_processes(tmp_path: Path) -> None:
    made = make_data("lacorsa", tmp_path / "one", games=25, options=SMALL, seed=3, processes=1)
    assert made.games == made.written == 27, "whole deals of three games"
    assert check_data(tmp_path / "one", 27) == (27, made.decisions)
    read = rows(tmp_path / "one")
    assert len(read) == made.decisions and {row["level"] for row in read} == {
        "rookie",
        "club",
        "net:champion",
    }
    title = paddock.title("lacorsa")
    options = title.options.read({**title.one_round, **SMALL})
    first = [row for row in read if row["game"] == 4]
    game = paddock.Game(title, options, Seeded(3, 4 // 3))
    for row in first:  # as docs/data.md says how
        while len(legal := game.legal(game.deciders[0])) == 1:
            game.play(game.deciders[0], legal[0])
        assert game.deciders[0] == row["seat"] and row["legal"] == sorted(game.legal(row["seat"]).ids)
        assert row["decision"] == first.index(row) and row["worth"] is row["luck"] is None
        game.play(row["seat"], row["notation"])
    by_player = {row["player"]: row for row in first}
    assert sum(row["points"] for row in by_player.values()) == pytest.approx(0, abs=1e-5)
    assert sum(row["win"] for row in by_player.values()) == pytest.approx(1)
    assert sorted(row["place"] for row in by_player.values())[0] == 1
    deals = {tuple(sorted({(r["player"], r["level"]) for r in read if r["game"] == g})) for g in range(3)}
    assert len({tuple(sorted(level for _player, level in deal)) for deal in deals}) == 1, "levels move on"


@pytest.mark.slow("two worker processes load the compiled rules")
def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    slow: dict[str, Any] = {"levels": ["rookie", "club"], "options": SMALL, "games": 24, "luck": 2}
    for processes in (1, 2):
        make_data("lacorsa", tmp_path / str(processes), processes=processes, **slow)
    here, there = (data_files(tmp_path / folder) for folder in "12")
    assert len(here) == 2 and [file.read_bytes() for file in here] == [file.read_bytes() for file in there]


def test_moves_and_draws_are_measured(tmp_path: Path) -> None:
    asked = {"levels": ["club", "works"], "options": {"drivers": 2}, "seed": 1, "worlds": 8, "luck": 4}
    make_data("lacorsa", tmp_path, games=2, processes=1, **asked)
    read = rows(tmp_path)
    assert check_data(tmp_path) == (2, len(read)) and {row["level"] for row in read} == {"club", "works"}
    for row in read:
        worths, errors = row["worth"], row["worth_error"]
        assert len(worths) == len(errors) == len(row["legal"]) > 1 and 0.0 in worths
        assert (0.0, 0.0) in zip(worths, errors, strict=True), "the best move"
        if row["luck"] is not None:
            assert len(row["luck"]) == 2 and sum(row["luck"]) == pytest.approx(0, abs=1e-3)
    assert max(error for row in read for error in row["worth_error"]) > 0
    assert {row["luck"] is None for row in read} == {True, False}, "after some decisions nothing is drawn"


def test_luck_is_that_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """What all draws of a game gave is what the state after them is worth more than before them."""
    plan = plan_for(LACORSA, ["club"], luck=1)
    valued = list[float]()

    def worth(_plan: DataPlan, state: Any, _stream: str) -> Floats:
        valued.append(float(len(valued) ** 2))
        return np.array([valued[-1], 0.0, -valued[-1]])

    monkeypatch.setattr("paddock.lab.data.replay.worth_of", worth)
    (made,) = Deciders(plan).play(range(1))
    measures = Measures()
    measure(plan, 0, made.of_game(0), measures)
    total = sum((luck for luck in measures.luck if luck is not None), np.zeros(3))
    after, before = sum(valued[1::2]), sum(valued[::2])
    assert valued and total.tolist() == [after - before, 0.0, before - after]


def test_a_data_set_is_made_longer_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.lab.data.plan.QUICK_GAMES", 9)
    asked = {"options": SMALL, "seed": 3, "processes": 1}
    progress = list[int]()
    make_data("lacorsa", tmp_path / "whole", games=24, progress=lambda n, _all: progress.append(n), **asked)
    assert progress == [0, 9, 9, 6]
    make_data("lacorsa", tmp_path / "parts", games=12, **asked)  # a file of 9 games, and one of 3
    kept = (tmp_path / "parts" / "part-00000.parquet").stat()
    (tmp_path / "parts" / "part-00001.unfinished").write_bytes(b"of a run that was killed")
    longer = make_data("lacorsa", tmp_path / "parts", games=24, **asked)
    assert (longer.games, longer.written) == (24, 15)
    assert (tmp_path / "parts" / "part-00000.parquet").stat() == kept, "it is not written again"
    read = [[file.read_bytes() for file in data_files(tmp_path / name)] for name in ("whole", "parts")]
    assert read[0] == read[1] and not list((tmp_path / "parts").glob("*.unfinished"))
    monkeypatch.setattr("paddock.lab.data.plan.QUICK_GAMES", 6)
    with pytest.raises(PaddockError, match=r"part-00000\.parquet has 9 games from 0 on, and files here"):
        make_data("lacorsa", tmp_path / "parts", games=24, **asked)
    monkeypatch.setattr("paddock.lab.data.plan.QUICK_GAMES", 9)
    again = make_data("lacorsa", tmp_path / "parts", games=10, **asked)
    assert (again.games, again.written, again.decisions) == (24, 0, 0)


def test_other_contents_are_not_overwritten(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"options": SMALL, "levels": ["rookie"], "games": 3, "processes": 1}
    make_data("lacorsa", tmp_path, **asked)
    before = data_files(tmp_path)[0].read_bytes()
    for other, words in (
        ({"seed": 1}, "seed is 0 there, and 1 here"),
        ({"levels": ["club"]}, r"levels is \['rookie'\] there, and \['club'\] here"),
        ({"full": True}, "features is short there, and full here"),
        ({"luck": 3}, "luck is 0 there, and 3 here"),
    ):
        with pytest.raises(PaddockError, match=words):
            make_data("lacorsa", tmp_path, **{**asked, **other})
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(PaddockError, match=r"other files, such as notes\.txt: name a new folder"):
        make_data("lacorsa", tmp_path, **asked)
    (tmp_path / "notes.txt").unlink()
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "part-00001.parquet")
    with pytest.raises(PaddockError, match="no data set"):
        make_data("lacorsa", tmp_path, **asked)
    assert data_files(tmp_path)[0].read_bytes() == before
    with pytest.raises(PaddockError, match=r"Not a directory|File exists"):
        make_data("lacorsa", data_files(tmp_path)[0], **asked)


def test_a_full_disk_leaves_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.lab.data.plan.QUICK_GAMES", 3)
    write, groups = files._write, list[int]()

    def full(writer: Any, group: list[Any]) -> None:
        groups.append(len(group))
        if len(groups) == 2:
            raise OSError(28, "No space left on device")
        write(writer, group)

    monkeypatch.setattr(files, "_write", full)
    asked: dict[str, Any] = {"options": SMALL, "games": 9, "processes": 1}
    with pytest.raises(PaddockError, match=r"part-00001\.parquet: No space left on device"):
        make_data("lacorsa", tmp_path, **asked)
    assert [file.name for file in tmp_path.iterdir()] == ["part-00000.parquet"]
    monkeypatch.setattr(files, "_write", write)
    assert make_data("lacorsa", tmp_path, **asked).written == 6
    assert check_data(tmp_path, 9)[0] == 9


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("features", lambda value: [*value[:-1], value[-1] + 1]),
        ("legal", lambda value: [*value[1:], 71]),
        ("seat", lambda value: (value + 1) % 3),
        ("move", lambda value: 71 - value),
        ("notation", lambda value: value + "+"),
        ("level", lambda value: "club" if value == "rookie" else "rookie"),
        ("points", lambda value: value + 1),
        ("win", lambda value: 1 - value),
        ("place", lambda value: 4 - value if value != 2 else 1),
        ("deal", lambda value: value + 1),
        ("decision", lambda value: value + 1),
        ("worth", lambda value: [0.0]),
    ],
)
def test_a_changed_row_is_noticed(tmp_path: Path, column: str, change: Any) -> None:
    make_data("lacorsa", tmp_path, games=3, options=SMALL, levels=["rookie"], processes=1)
    (file,) = data_files(tmp_path)
    table = parquet.read_table(file)
    values = table[column].to_pylist()
    values[20] = change(values[20])
    at, kind = table.column_names.index(column), table.schema.field(column)
    parquet.write_table(table.set_column(at, kind, pa.array(values, kind.type)), file)
    with pytest.raises(PaddockError, match=r"game 0|game 1"):
        check_data(tmp_path)


def test_games_of_other_rules_and_missing_rows_are_refused(tmp_path: Path) -> None:
    make_data("lacorsa", tmp_path, games=3, options=SMALL, levels=["rookie"], processes=1)
    (file,) = data_files(tmp_path)
    table = parquet.read_table(file)
    facts = json.loads(table.schema.metadata[files.KEY])
    old = json.dumps({**facts, "revision": facts["revision"] - 1}).encode()
    parquet.write_table(table.replace_schema_metadata({files.KEY: old}), file)
    with pytest.raises(PaddockError, match=r"revision \d of the rules of LACORSA.* use Paddock "):
        check_data(tmp_path)
    parquet.write_table(table.slice(0, 10), file)
    with pytest.raises(PaddockError, match=r"not moves of this game|no rows"):
        check_data(tmp_path)
    with pytest.raises(PaddockError, match="there is no data set"):
        check_data(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, "games=0: give a whole number from 1"),
        ({"levels": []}, "name at least one"),
        ({"levels": ["expert"]}, "no bot level “expert”"),
        ({"levels": ["cmd:python3"]}, "not of programs"),
        ({"options": {"races": 2}}, "races=2: a data set has single games"),
        ({"worlds": 3}, "worlds=3: give 0, or a whole number from 8"),
        ({"luck": -1}, "luck=-1: give a whole number from 0"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(PaddockError, match=words):
        make_data("lacorsa", tmp_path / "new", **change)
    assert not (tmp_path / "new").exists()


def test_the_command_makes_and_checks(tmp_path: Path) -> None:
    folder = str(tmp_path / "data")
    asked = (
        "data",
        "make",
        "lacorsa",
        "--to",
        folder,
        "--levels",
        "rookie,club",
        "--games",
        "4",
        "-o",
        "drivers=2",
    )
    made = here(*asked, "--games", "4", "--features", "full", "--processes", "1")
    assert made.returncode == 0 and "4 games; 4 of them, with 1" in made.stdout, made.stderr
    read = rows(Path(folder))
    assert len(read[0]["features"]) == LACORSA.features.FEATURES
    checked = here("data", "check", folder, "--games", "3")
    assert checked.returncode == 0 and "3 games played again" in checked.stdout, checked.stderr
    refused = here(*asked, "--features", "long")
    assert refused.returncode == 2 and "--features long: write short or full" in refused.stderr
    refused = here("data", "check", str(tmp_path / "nowhere"))
    assert refused.returncode == 2 and "there is no data set" in refused.stderr


def test_the_sample_of_the_repository_is_what_these_rules_say() -> None:
    """Its command is in docs/data.md: make it again after a change of the rules."""
    assert sum(file.stat().st_size for file in data_files(SAMPLE)) <= 1_000_000
    games = sum(1 for _game in stored_games(SAMPLE))
    assert check_data(SAMPLE, 3)[0] == 3 and games == 100


@pytest.mark.slow("JAX compiles")
def test_the_example_imitates_works_from_the_sample() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples/imitate.py", SAMPLE, "--epochs", "8"],
        capture_output=True,
        text=True,
    )
    found = re.findall(r"foresees (\S+)% ± (\S+)% of (\d+) moves", done.stdout)
    assert done.returncode == 0 and len(found) == 2, done.stderr
    (network, error, tested), (club, _error, asked) = found
    assert tested == asked and int(tested) > 200
    assert float(network) - float(error) > 20, "a legal move at random is it far less often"
    assert float(club) > 20
