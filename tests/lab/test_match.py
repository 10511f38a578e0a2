"""Matches: the same deals for all, rotation, intervals, and files that can be resumed."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
import pytest

import paddock
from lab.entrants import Chooser, First
from lab.here import played_here, rows_here
from living import running, wait_for, with_command
from paddock.core.intervals import t_value
from paddock.core.title import title
from paddock.games.great_race.bots.bots import BOTS as GREAT_RACE
from paddock.games.lacorsa.bots.bots import BOTS as LACORSA
from paddock.games.rasant.bots.bots import BOTS as RASANT
from paddock.kernel.source import Seeded
from paddock.lab import Match
from paddock.lab.farm import play_deals
from paddock.lab.journal import Journal, finished
from paddock.lab.plan import make_plan
from paddock.lab.results import make_match
from sampling import count, some

# A worker process costs a second, so most games here are played in this one: see here.py.
EXAMPLE = f"cmd:sh {Path(__file__).resolve().parents[2] / 'examples/bot.sh'}"
LINE_UP = ["club", "rookie", Chooser(), "rookie"]


def same(one: Match, other: Match) -> bool:
    return (one.names, one.options) == (other.names, other.options) and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("bots", "points", "places", "forfeits")
    )


@dataclass
class Log:
    """A match, and the file that it wrote."""

    match: Match
    data: bytes


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """A match with an object that plays by its random numbers, on one process."""
    file = tmp_path_factory.mktemp("chosen") / "games.csv"
    return Log(paddock.match("lacorsa", LINE_UP, 21, 5, processes=1, to=file), file.read_bytes())


@pytest.mark.slow("two processes load the compiled rules")
def test_a_seed_gives_the_same_match_on_any_number_of_processes(chosen: Log, tmp_path: Path) -> None:
    one, file = chosen.match, tmp_path / "two.csv"
    two = paddock.match("lacorsa", LINE_UP, 21, 5, processes=2, to=file)
    assert one.games == 24, "whole deals"
    assert same(one, two)
    assert chosen.data == file.read_bytes()
    assert not same(one, played_here("lacorsa", LINE_UP, 24, 6))
    assert one.names == ("club", "rookie", "Chooser")
    assert not one.forfeits.any()


@pytest.mark.parametrize(
    ("name", "options", "players"),
    [
        ("lacorsa", {}, 4),
        ("lacorsa", {"races": 3}, 3),
        ("lacorsa", {}, 2),  # two cars for each
        ("rasant", {"games": 3}, 3),
        ("great_race", {}, 2),
    ],
)
def test_the_games_of_a_deal_have_the_same_chance(
    name: str, options: dict[str, object], players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With bots that all play the first move, the games of a deal do not differ."""
    for bots in (LACORSA, RASANT, GREAT_RACE):
        monkeypatch.setitem(bots, "club", First)
    played = played_here(name, ["club"] * players, 3 * players, 3, options)
    assert (played.games, played.players) == (3 * players, players)
    points = played.points.reshape(3, players, players)
    assert (points == points[:, :1]).all()
    if name != "great_race":  # the first move leads nowhere there
        assert len({tuple(deal) for deal in points[:, 0].tolist()}) > 1, "but deals differ"


def test_every_bot_plays_a_deal_once_in_every_seat(chosen: Log) -> None:
    played, plan = chosen.match, make_plan(title("lacorsa"), LINE_UP, 5, {}, 30)
    orders = set()
    for deal in range(played.deals):
        seated = plan.seatings(deal)
        assert all(sorted(column) == [0, 1, 2, 3] for column in zip(*seated, strict=True))
        first = seated[0]
        assert all(order == first[i:] + first[:i] for i, order in enumerate(seated))
        assert played.bots[4 * deal : 4 * deal + 4].tolist() == [
            [plan.line_up[k] for k in order] for order in seated
        ]
        start = first.index(0)
        orders.add(tuple(first[start:] + first[:start]))
    assert len(orders) > 1, "neighbours differ from deal to deal"


def test_chance_and_bots_have_streams_of_their_own() -> None:
    plan = make_plan(title("lacorsa"), LINE_UP, 2, {"races": 7}, 30)
    streams = [plan.chance(deal, round).rng[0] for deal in range(50) for round in range(7)]
    streams += [
        plan.source(deal, rotation, player).rng[0]
        for deal in range(50) for rotation in range(4) for player in range(4)
    ]  # fmt: skip
    assert len(set(streams)) == len(streams)
    assert plan.chance(0, 0).rng == Seeded(2).rng
    assert plan.source(0, 0, 0).rng != make_plan(title("lacorsa"), LINE_UP, 3, {}, 30).source(0, 0, 0).rng


def test_a_series_is_one_game_with_its_standings() -> None:
    played = played_here("lacorsa", ["club", "rookie"], 4, 1, {"races": 7})
    # two drivers with two cars each get 9, 6, 4 and 3 points in each of seven races
    assert (played.points.sum(1) == 7 * 22).all()
    for points, places in zip(played.points, played.places, strict=True):
        assert places[np.argmax(points)] == 1
    assert "races=7" in played.options


def made(bots: object, points: object, places: object, forfeits: object = "") -> Match:
    shape = np.shape(points)
    return Match(
        "lacorsa", "drivers=2", 4, ("a", "b"), np.array(bots), np.array(points), np.array(places),
        np.broadcast_to(np.array(forfeits, np.str_), shape),
    )  # fmt: skip


def test_the_figures_are_those_of_a_hand_calculation() -> None:
    """Three deals of two games. a has 9 6 | 9 9 | 6 6 points, b the others of 9 and 6.

    a's points over the fair share of 7.5: 1.5 −1.5 | 1.5 1.5 | −1.5 −1.5. By deal: 0, 1.5, −1.5. Mean 0,
    variance (0 + 2.25 + 2.25) / 2 = 2.25, standard error 1.5 / √3, and t for 2 is 4.303.
    a wins half of 6 games; by deal 0.5, 1, 0, with the standard error 0.5 / √3. The design effect is
    (0.25 / 3) · 6 / 0.25 = 2, so the interval is that of Wilson for 3 games, with t for 2 + 5 = 2.365:
    half of it is 2.365 / (1 + 2.365² / 3) · √(0.25 / 3 + 2.365² / 36) = 0.4033.
    """
    played = made(
        [[0, 1], [1, 0]] * 3,
        [[9, 6], [9, 6], [9, 6], [6, 9], [6, 9], [9, 6]],
        [[1, 2], [1, 2], [1, 2], [2, 1], [2, 1], [1, 2]],
    )
    a, b = played.figures
    assert (a.bot, b.bot, a.forfeits) == ("a", "b", 0)
    assert a.points == b.points == 7.5
    assert a.points_over == b.points_over == 0
    assert a.points_error == pytest.approx(4.303 * 1.5 / math.sqrt(3))
    assert a.wins == 0.5 and a.wins_over == 0
    assert [a.wins_error, a.wins_high, -a.wins_low] == pytest.approx([0.4033] * 3, abs=1e-4)
    line = next(line for line in str(played).splitlines() if line.startswith("a "))
    assert line.split() == ["a", "7.500", "+0.000", "±", "3.727", "50.0", "%", "+0.0", "±", "40.3", "%", "0"]


def test_a_bot_that_plays_several_players_counts_for_each() -> None:
    """b is two of three players: 4 + 2 and 6 + 2 points; a has 6 and 4."""
    played = made(
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
        [[6, 4, 2], [6, 4, 2], [6, 4, 2]],
        [[1, 2, 3]] * 3,
    )
    a, b = played.figures
    assert (a.points, b.points) == (pytest.approx((6 + 4 + 2) / 3), pytest.approx((3 + 4 + 5) / 3))
    assert (a.wins, b.wins) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert math.isnan(a.points_error) and math.isnan(a.wins_low), "one deal has no interval"
    line = next(line for line in str(played).splitlines() if line.startswith("a "))
    assert line.split() == ["a", "4.000", "+0.000", "33.3", "%", "+0.0", "%", "0"]


def test_a_shared_win_counts_in_part_and_no_winner_counts_nothing() -> None:
    played = made([[0, 1], [1, 0]], [[5, 5], [0, 0]], [[1, 1], [0, 0]])
    assert played.wins.tolist() == [[0.5, 0.5], [0, 0]]
    assert [figure.wins_over for figure in played.figures] == [0, 0]


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_quantiles_of_student_as_in_tables(freedom: int, value: float) -> None:
    assert t_value(freedom) == pytest.approx(value, abs=0.002)


# Files

LEVELS = ["club", "rookie", "club", "rookie"]
MATCH = ["match", "lacorsa", *LEVELS, "--seed", "9", "--processes", "2"]


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from paddock.cli import main; main()", *words]


def resume(games: int, file: Path) -> Match:
    return paddock.match("lacorsa", LEVELS, games, 9, to=file, processes=1)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """A match of levels of four deals."""
    file = tmp_path_factory.mktemp("log") / "games.csv"
    return Log(resume(16, file), file.read_bytes())


@pytest.fixture
def two_deals(log: Log, tmp_path: Path) -> Path:
    """A file with the first two deals of that match."""
    file = tmp_path / "games.csv"
    file.write_bytes(b"".join(log.data.splitlines(keepends=True)[:9]))
    return file


@pytest.mark.parametrize("blow", [signal.SIGINT, *some([signal.SIGKILL], count(0, 1))])
def test_a_match_that_was_stopped_is_resumed(tmp_path: Path, blow: signal.Signals) -> None:
    file = tmp_path / "games.csv"
    bots = ["club", "rookie", EXAMPLE, "rookie"]
    # In a session of its own it gets Ctrl-C with all its processes, as in a terminal.
    process = subprocess.Popen(
        command("match", "lacorsa", *bots, "--processes", "2", "--games", "1000000", "--to", str(file)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    wait_for(lambda: file.exists() and file.read_bytes().count(b"\n") > 8)
    parent = psutil.Process(process.pid)
    wait_for(lambda: len(with_command(parent.children(recursive=True), "bot.sh")) == 2)
    workers = parent.children(recursive=True)
    os.killpg(process.pid, blow) if blow == signal.SIGINT else process.kill()
    printed, said = process.communicate()
    assert (printed, said.strip()) == ("", "")
    assert process.returncode == (130 if blow == signal.SIGINT else -signal.SIGKILL)
    wait_for(lambda: not running(workers))
    held = file.read_bytes()
    deals = (held.count(b"\n") - 1) // 4
    games, told = 4 * deals + 8, list[int]()
    played = paddock.match("lacorsa", bots, games, to=file, processes=1, progress=told.append)
    assert told == [4 * deals, 4, 4]
    assert file.read_bytes().startswith(b"".join(held.splitlines(keepends=True)[: 1 + 4 * deals]))
    plan, rows = rows_here("lacorsa", bots, games)
    assert same(played, make_match(plan, rows))
    with Journal(plan, tmp_path / "whole.csv") as whole:
        whole.add(rows)
    assert file.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_finished_deals_are_not_played_again(log: Log, tmp_path: Path) -> None:
    file, told = tmp_path / "games.csv", []
    file.write_bytes(log.data + b"the begin")  # of a line: it is cut off
    again = paddock.match("lacorsa", LEVELS, 16, 9, to=file, progress=told.append)
    assert told == [16] and same(log.match, again)
    short = resume(8, file)
    assert short.games == 8 and np.array_equal(short.points, log.match.points[:8])
    assert file.read_bytes() == log.data


def test_a_file_that_ends_anywhere_is_cut_to_whole_deals(two_deals: Path) -> None:
    file, data = two_deals, two_deals.read_bytes()
    plan = make_plan(title("lacorsa"), LEVELS, 9, {}, 30)
    lines = data.splitlines(keepends=True)
    ends = [0] + [sum(map(len, lines[:count])) for count in (1, 5, 9)]
    for length in range(len(data) + 1):
        rows, kept = finished(plan, data[:length], file)
        assert kept == max(end for end in ends if end <= length)
        assert len(rows) == 4 * max(0, ends.index(kept) - 1)


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 8},
        {"seed": 23},  # seats the bots alike
        {"bots": ["club", "rookie", "rookie", "club"]},
        {"bots": ["club", "rookie", "club", First()]},
        {"options": {"extra_suits": 1}},
        {"seconds": 5.0},
    ],
)
def test_a_file_of_another_match_is_refused(two_deals: Path, changed: dict[str, object]) -> None:
    before = two_deals.read_bytes()
    asked = {"bots": LEVELS, "seed": 9, "games": 8} | changed
    with pytest.raises(paddock.PaddockError, match="has other contents: write to a new file"):
        paddock.match("lacorsa", to=two_deals, **asked)
    assert two_deals.read_bytes() == before


def test_a_file_from_before_forfeits_cost_points_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    resume(4, file)
    old = file.read_bytes().replace(b"forfeit_", b"lost_")
    file.write_bytes(old)
    with pytest.raises(paddock.PaddockError, match="a forfeit cost other points: write to a new file"):
        resume(8, file)
    assert file.read_bytes() == old


@pytest.mark.parametrize("text", ["hello", "hello\n", "a,b\n1,2\n", "match,deal\n"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "games.csv"
    file.write_text(text)
    with pytest.raises(paddock.PaddockError, match="other contents"):
        resume(4, file)
    assert file.read_text() == text


def test_results_as_csv_and_parquet(tmp_path: Path) -> None:
    from pyarrow import parquet

    played = paddock.match("rasant", ["club", "rookie", EXAMPLE], 6, 1, to=tmp_path / "log.csv", processes=1)
    played.write(tmp_path / "games.csv")
    played.write(tmp_path / "games.parquet")
    rows = list(csv.DictReader((tmp_path / "games.csv").open(encoding="utf-8")))
    logged = list(csv.DictReader((tmp_path / "log.csv").open(encoding="utf-8")))
    assert [{k: v for k, v in row.items() if k != "match"} for row in logged] == rows
    assert [[int(row[f"points_{p}"]) for p in (1, 2, 3)] for row in rows] == played.points.tolist()
    assert [[row[f"bot_{p}"] for p in (1, 2, 3)] for row in rows] == [
        [played.names[k] for k in bots] for bots in played.bots
    ]
    table = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    assert [{k: str(v) for k, v in row.items()} for row in table] == rows


def test_parquet_without_its_package_is_one_sentence_before_the_match(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['pyarrow'] = None; from paddock.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", hidden, *MATCH, "--parquet", str(tmp_path / "games.parquet")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.startswith("paddock: writing Parquet needs the package pyarrow: run pip install ")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_the_command(tmp_path: Path) -> None:
    file, games = tmp_path / "games.csv", tmp_path / "games.parquet"
    words = [*MATCH, "--games", "8", "-o", "extra_suits=1", "--to", str(file), "--parquet", str(games)]
    done = subprocess.run(command(*words), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = played_here("lacorsa", LEVELS, 8, 9, {"extra_suits": 1})
    assert done.stdout == f"{expected}\nWritten: {file}\nWritten: {games}\n"
    assert len(file.read_text().splitlines()) == 9 and games.exists()


# Workers


def test_a_deal_of_a_worker_that_died_is_played_again() -> None:
    plan = make_plan(title("lacorsa"), ["club"] * 4, 3, {}, 30)
    undisturbed = rows_here("lacorsa", ["club"] * 4, 4 * 8, 3)[1]
    played, before = [], set(psutil.Process().children())
    for deal in play_deals(plan, range(8), 2):
        if not played:
            for worker in set(psutil.Process().children()) - before:
                if "resource_tracker" not in " ".join(worker.cmdline()):
                    worker.kill()
        played += deal
    assert played == undisturbed


def test_a_deal_that_kills_every_worker_ends_the_match() -> None:
    with pytest.raises(paddock.PaddockError, match=r"3 worker processes ended unexpectedly .* deal 0"):
        paddock.match("rasant", ["cmd:sh -c 'kill -9 $PPID'", "rookie"], 2, processes=1)


# Arguments


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"title": "chess"}, "there is no title “chess”"),
        (
            {"bots": ["club", "chief"]},
            "there is no bot level “chief” for LACORSA: choose rookie, club, works or champion",
        ),
        ({"bots": "club"}, "give a list with a bot for every player"),
        ({"bots": []}, "drivers=0"),
        ({"bots": ["club", "cmd:"]}, "“cmd:”: write a command after “cmd:”"),
        ({"bots": ["club", "cmd:'x"]}, "write a command after"),
        ({"bots": ["club", "cmd:./nobody-has-this"]}, "there is no program “./nobody-has-this”"),
        ({"bots": ["club", 5]}, "5 is not a bot: give a level"),
        ({"bots": ["club", First]}, "is not a bot"),
        ({"bots": ["club", None]}, "None is not a bot"),
        ({"games": 0}, "games=0: give a whole number from 1"),
        ({"games": 10**30}, "give a whole number from 1 to 1,000,000,000,000"),
        ({"processes": 0}, "processes=0: give a whole number from 1"),
        ({"seconds": 0}, "seconds=0: give more than 0"),
        ({"seconds": "5"}, "seconds='5': give more than 0"),
        ({"seconds": math.nan}, "seconds=nan"),
        ({"seconds": math.inf}, "seconds=inf: give more than 0, and at most 86400"),
        ({"seed": -1}, "seed=-1"),
        ({"options": {"drivers": 3}}, "drivers=3: the match has 2 bots, and needs one for every player"),
        ({"options": {"speed": 3}}, "no option “speed”"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(paddock.PaddockError) as refused:
        paddock.match(**({"title": "lacorsa", "bots": ["club", "rookie"], "games": 2} | arguments))
    assert sentence in str(refused.value)


def test_an_object_that_workers_cannot_get_is_refused() -> None:
    one = First()
    one.lock = json.scanner  # a module cannot be pickled
    with pytest.raises(paddock.BadOption, match="First: worker processes cannot get a copy of it"):
        paddock.match("lacorsa", [one, "rookie"], 2)
    program = """
import paddock
class Mine:
    def choose(self, seen, seat, legal, rng): return legal[0]
paddock.match("lacorsa", [Mine(), "rookie"], 2)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "Mine: define its class in a file, so that worker processes can import it" in done.stderr


def test_a_script_may_define_its_bot(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("""
import paddock
class Mine:
    def choose(self, seen, seat, legal, rng): return legal[0]
if __name__ == "__main__":
    print(paddock.match("lacorsa", [Mine(), "rookie"], 2, processes=1).forfeits.tolist())
""")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[['', ''], ['', '']]\n", "")


# Attacks


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b",0,0,", b",0,4,"),
        (b",0,0,", b",0,-4,"),
        (b",0,0,", b",-1,0,"),
        (b",0,0,", b"," + b"9" * 5000 + b",0,"),
        (b",1,0,", b",1,0 ,"),
        (b",1,0,", b",1,0\0,"),
        (b",1,0,", b",1,\xff,"),
        (b",1,0,", b',1,"0,'),
        (b",1,0,", b",1,0," + b"x" * 200_000),
        (b"club,9,1,", b"club," + b"9" * 30 + b",1,"),
        (b"club,9,1,", b"club,-9223372036854775809,1,"),
        (b"club,9,1,", b"club,9,5,"),
        (b"club,9,1,", b"club,9,-1,"),
        (b"\n", b"\r\n"),
        (b"\n", b"\n\n"),
    ],
)
def test_a_file_that_was_edited_is_refused_or_repaired(two_deals: Path, old: bytes, new: bytes) -> None:
    edited = two_deals.read_bytes().replace(old, new, 1)
    assert new in edited
    two_deals.write_bytes(edited)
    with pytest.raises(paddock.PaddockError, match="other contents"):
        resume(8, two_deals)
    assert two_deals.read_bytes() == edited


def test_two_matches_cannot_write_one_file(two_deals: Path, log: Log) -> None:
    before, plan = two_deals.read_bytes(), make_plan(title("lacorsa"), LEVELS, 9, {}, 30)
    with Journal(plan, two_deals), pytest.raises(paddock.PaddockError, match="another match writes to"):
        resume(16, two_deals)
    assert two_deals.read_bytes() == before
    again = resume(8, two_deals)
    assert again.games == 8 and np.array_equal(again.points, log.match.points[:8])
    assert list(two_deals.parent.iterdir()) == [two_deals]


@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", "."])
def test_only_a_regular_file_can_be_resumed(name: str) -> None:
    with pytest.raises((paddock.PaddockError, OSError)) as refused:
        resume(8, Path(name))
    assert name in str(refused.value)


def test_a_full_disk_is_one_sentence_and_the_match_is_resumed(log: Log, tmp_path: Path) -> None:
    """A limit on the size of files does what a full disk does: here within the third deal."""
    file, third = tmp_path / "games.csv", log.data.splitlines(keepends=True)[:12]
    size = len(b"".join(third)) - 5
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); {command()[2]}"
    words = [*MATCH, "--games", "16", "--to", str(file)]
    done = subprocess.run(
        [sys.executable, "-c", limited, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == f"paddock: {file}: File too large"
    assert file.stat().st_size == size
    assert same(resume(16, file), log.match)
    assert file.read_bytes() == log.data


def test_any_command_line_can_be_resumed(tmp_path: Path) -> None:
    """The last two are shown alike but for a number: of a long line, the beginning is shown."""
    file = tmp_path / "games.csv"
    comments = ["two\nlines", "a\rb", 'quo"ted, with comma', "not UTF-8: \udcff", "x" * 500, "x" * 500 + "!"]
    bots = [f"{EXAMPLE} '{comment}'" for comment in comments]
    played = paddock.match("lacorsa", bots, 6, to=file, processes=1)
    assert not played.forfeits.any()
    assert len(set(played.names)) == 6
    assert all(name.isprintable() for name in played.names)
    assert same(played, paddock.match("lacorsa", bots, 6, to=file, processes=1))
    played.write(tmp_path / "copy.csv")
