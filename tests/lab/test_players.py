"""Bots that fail, in real processes, and the line protocol of programs."""

from __future__ import annotations

import csv
import json
import os
import signal
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
from pydantic_core import to_jsonable_python

import paddock
from lab.entrants import CrashesAhead, Dies, First, Forks, Hangs, Illegal, Raises
from lab.here import played_here
from paddock.core.game import Game
from paddock.core.title import title
from paddock.kernel.source import Seeded
from paddock.lab import players
from paddock.lab.plan import make_plan
from paddock.lab.play import BotTeam, play_deal
from paddock.lab.players import Failed, Isolated, Program
from paddock.lab.rows import after_forfeits

EXAMPLE = f"cmd:sh {Path(__file__).resolve().parents[2] / 'examples/bot.sh'}"


def program(tmp_path: Path, text: str) -> str:
    """Return the command line of a shell script."""
    file = tmp_path / "bot.sh"
    file.write_text("tab=$(printf '\\t')\n" + text)
    return f"cmd:sh {file}"


def fails(bot: object, reason: str, seconds: float = 300) -> None:
    """Check that ``bot`` forfeits the next two games of a match, and nobody else does.

    It has to be started again for the second game.
    """
    plan = make_plan(title("lacorsa"), [bot, "rookie"], 1, {}, seconds)
    with BotTeam(plan) as team:
        rows = play_deal(plan, 0, team)
    assert len(rows) == 2, "the match goes on"
    for row in rows:
        mine = row.bots.index(0)
        assert (row.forfeits[mine], row.forfeits[1 - mine]) == (reason, "")
        assert (row.places[mine], row.places[1 - mine]) == (2, 1)
        assert row.points[mine] == min(row.points)


def forfeits(bot: object, reason: str, seconds: float = 300) -> None:
    """Check that ``bot`` forfeits every game of a match, played by a worker, and what the match says."""
    played = paddock.match("lacorsa", [bot, "rookie", "rookie"], 3, 1, seconds=seconds, processes=1)
    assert played.games == 3, "the match goes on"
    for game in range(3):
        mine = played.bots[game].tolist().index(0)
        assert played.forfeits[game, mine] == reason
        assert played.places[game, mine] == 3 and sorted(played.places[game]) == [1, 2, 3]
        assert played.points[game, mine] == played.points[game].min()
        assert [bool(why) for why in played.forfeits[game]] == [player == mine for player in range(3)]
    failed, rookie = played.figures
    assert (failed.forfeits, failed.wins, rookie.forfeits, rookie.wins) == (3, 0, 0, 0.5)
    assert str(played).splitlines()[-1] == (
        f"{failed.bot} forfeited 3 of 3 games: each the last place, with its points; "
        f"first in deal 0, game 0: {reason}"
    )


def test_an_object_that_takes_python_with_it_forfeits_a_match() -> None:
    forfeits(Dies(), "crash: exit status 7")


@pytest.mark.parametrize(
    ("bot", "reason", "seconds"),
    [
        (Raises(), "crash: ZeroDivisionError: no such thing", 300),
        (Illegal(-1), "illegal: -1", 300),
        (Hangs(), "slow", 0.3),
    ],
)
def test_an_object_that_fails_forfeits(bot: object, reason: str, seconds: float) -> None:
    fails(bot, reason, seconds)


def test_what_an_object_may_not_answer() -> None:
    wrong = {
        -1: "-1",
        10**30: f"{10**30}",
        10**5000: "a very long number",
        "^5": "'^5'",
        None: "None",
        True: "True",
    }
    plan = make_plan(title("lacorsa"), [Illegal(*wrong), "rookie"], 1, {}, 300)
    seen = paddock.start(plan.title.name, drivers=2).seen(0b101)
    with closing(Isolated(plan, plan.entrants[0].pickled)) as player:
        for said in wrong.values():
            with pytest.raises(Failed) as failed:
                player.choose(seen, 0, seen.legal(0), Seeded(1))
            assert failed.value.reason == f"illegal: {said}"


def test_the_children_of_an_object_end_with_it(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    played = played_here("lacorsa", [Forks(file), "rookie"], 2)
    assert played.forfeits[played.bots == 0].tolist() == ["crash: ZeroDivisionError: no such thing"] * 2
    child = int(file.read_text())
    with suppress(psutil.NoSuchProcess):  # it has been killed: the system may need a moment to end it
        while psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)


READY = "read line; echo ready; read game; read view; read move; "


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exit 3", "crash: exit status 3"),
        (READY + "exit 3", "crash: exit status 3"),
        (READY + "kill -9 $$", "crash: exit status -9"),
        ("read line; echo hello", "illegal: hello (not “ready”)"),
        (READY + "echo nonsense; read line", "illegal: nonsense"),
        (READY + "echo; read line", "illegal: an empty line"),
        (READY + "printf '\\377\\n'; read line", "illegal: �"),
    ],
)
def test_a_program_that_fails_forfeits(tmp_path: Path, text: str, reason: str) -> None:
    fails(program(tmp_path, text), reason)


def test_a_program_that_fails_forfeits_a_match(tmp_path: Path) -> None:
    forfeits(program(tmp_path, READY + "exit 3"), "crash: exit status 3")


@pytest.mark.parametrize(
    "text", [READY + "exec sleep 1000", READY + "sleep 1000 & wait", "echo ready; exec sleep 1000"]
)
def test_a_program_that_hangs_forfeits_and_is_killed(tmp_path: Path, text: str) -> None:
    fails(program(tmp_path, text), "slow", seconds=0.5)

    def alive() -> bool:
        return any(
            str(tmp_path) in " ".join(p.info["cmdline"] or ()) for p in psutil.process_iter(["cmdline"])
        )

    while alive():  # they have been killed: the system may need a moment to end them
        time.sleep(0.01)


def test_a_child_in_a_session_of_its_own_cannot_hold_up_the_match(tmp_path: Path) -> None:
    """It keeps the pipes of the program open, and is not killed with it."""
    pids = tmp_path / "pids"
    text = (
        f"exec 3<&0; setsid sh -c 'echo $$ >>{pids}; exec sleep 1000' <&3 & "
        f"until grep -qsx $! {pids}; do sleep 0.01; done; {READY} exit 3"
    )
    fails(program(tmp_path, text), "slow", seconds=0.5)
    for pid in pids.read_text().split():
        os.kill(int(pid), signal.SIGKILL)


def test_a_program_that_closes_its_output_forfeits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "ENDS", 0.1)
    fails(program(tmp_path, READY + "exec 1>&-; exec sleep 1000"), "crash: it closed its output")


def test_a_program_that_never_gets_ready_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "START", 0.2)
    plan = make_plan(title("lacorsa"), [program(tmp_path, "exec sleep 1000"), "rookie"], 0, {}, 0.1)
    with pytest.raises(Failed, match=r"^slow$"):
        Program(plan, plan.entrants[0].command)


def test_a_program_that_floods_its_output_forfeits(tmp_path: Path) -> None:
    fails(program(tmp_path, "while echo ready; do :; done"), "illegal: ready")


def test_a_program_that_cannot_be_run_forfeits(tmp_path: Path) -> None:
    """The check before the match finds no fault with it."""
    file = tmp_path / "bot"
    file.write_text("#!/nowhere/at/all\n")
    file.chmod(0o755)
    played = played_here("lacorsa", [f"cmd:{file}", "rookie"], 2)
    assert {reason.split(":")[0] for reason in played.forfeits[played.bots == 0].tolist()} == {"crash"}


def test_a_failed_bot_plays_the_next_game_anew(tmp_path: Path) -> None:
    """It fails in its first game only, and leaves a mark to know it."""
    mark = tmp_path / "mark"
    text = f"""
    while IFS= read -r line; do
        case $line in
            "paddock$tab"*) echo ready ;;
            "move$tab"*) [ -e {mark} ] || {{ : >{mark}; exit 1; }}; printf '%s\\n' "${{line##*"$tab"}}" ;;
        esac
    done
    """
    played = played_here("lacorsa", [program(tmp_path, text), "rookie"], 6, 1)
    forfeits = played.forfeits[played.bots == 0].tolist()
    assert forfeits == ["crash: exit status 1", "", "", "", "", ""]


@pytest.mark.parametrize(
    ("points", "places", "reasons", "expected"),
    [
        ((9, 6, 4), (1, 2, 3), ("", "", ""), ((9, 6, 4), (1, 2, 3))),
        ((9, 6), (1, 2), ("slow", ""), ((6, 9), (2, 1))),
        ((9, 6, 4), (1, 2, 3), ("slow", "", ""), ((4, 9, 6), (3, 1, 2))),
        ((9, 6, 4), (1, 2, 3), ("", "", "slow"), ((9, 6, 4), (1, 2, 3))),
        ((9, 6, 4, 4), (1, 2, 3, 3), ("", "slow", "", ""), ((9, 4, 6, 6), (1, 4, 2, 2))),
        ((9, 6, 4), (1, 2, 3), ("slow", "crash", ""), ((4, 4, 9), (3, 3, 1))),
        ((9, 6, 0), (1, 2, 0), ("slow", "", ""), ((0, 9, 0), (3, 1, 0))),
        ((9, 6, 4), (1, 2, 3), ("slow", "slow", "slow"), ((4, 4, 4), (3, 3, 3))),
    ],
)
def test_who_forfeits_comes_last_and_gets_the_points_of_a_last_place(points, places, reasons, expected):
    assert after_forfeits(points, places, reasons) == expected


def test_a_bot_that_forfeits_every_game_while_it_is_ahead_is_behind_in_points(tmp_path: Path) -> None:
    played = paddock.match("rasant", [CrashesAhead(), "rookie"], 6, 1, processes=1)
    failed, rookie = played.figures
    assert (failed.forfeits, failed.games, rookie.forfeits) == (6, 6, 0)
    assert failed.points_over == -rookie.points_over < -10
    assert (failed.wins, rookie.wins) == (0, 1)
    line = next(line for line in str(played).splitlines() if line.startswith("CrashesAhead "))
    assert line.split()[-1] == "6"
    played.write(tmp_path / "games.csv")
    rows = list(csv.DictReader((tmp_path / "games.csv").open(encoding="utf-8")))
    assert [row["forfeit_1"] or row["forfeit_2"] for row in rows] == ["crash: RuntimeError: ahead"] * 6


# The protocol


@pytest.mark.parametrize(("name", "players"), [("lacorsa", 3), ("rasant", 4), ("great_race", 2)])
def test_the_example_in_shell_plays(name: str, players: int) -> None:
    played = played_here(name, [EXAMPLE, *["rookie"] * (players - 1)], players, 4)
    assert not played.forfeits.any()
    assert played.games == players


LISTENER = """
import sys
first = True
for line in sys.stdin:
    with open(sys.argv[1], "a", encoding="utf-8") as log:
        log.write(line)
    word, *fields = line.rstrip("\\n").split("\\t")
    if word == "paddock":
        print("ready", flush=True)
    if word == "move":
        print(fields[1], flush=True)
"""


class ByRound:
    """The chance of deal 0 of a match with the seed 6, for a ``Game``."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self.rounds: dict[int, Seeded] = {}

    def below(self, n: int) -> int:
        now = len(self.game.rounds) if self.game else 0
        return self.rounds.setdefault(now, Seeded(6, now)).below(n)


def test_what_a_program_is_told(tmp_path: Path) -> None:
    """Line by line: exactly what an object at its place sees, and nothing of the others."""
    script, log = tmp_path / "listener.py", tmp_path / "log"
    script.write_text(LISTENER)
    found = title("lacorsa")
    command = f"cmd:{sys.executable} {script} {log}"
    plan = make_plan(found, [command, First(), First()], 6, {"races": 3}, 300)
    seated = plan.seatings(0)[0].index(0)
    with BotTeam(plan) as team:
        row = play_deal(plan, 0, team)[0]
    assert row.bots[seated] == 0
    lines = [line.split("\t") for line in log.read_text("utf-8").splitlines()]
    assert lines[0] == ["paddock", "1"]
    seed = plan.source(0, 0, seated).below(2**31 - 1)
    assert lines[1] == ["game", "lacorsa", plan.options.text, str(seated), str(seed)]
    end = next(i for i, line in enumerate(lines) if line[0] == "over")
    assert lines[end] == ["over", str(row.points[seated]), str(row.places[seated])]
    assert [line[0] for line in lines].count("paddock") == 1, "one process plays all games"
    assert [line[0] for line in lines].count("game") == 3

    told = iter(lines[2:end])  # the same game by hand
    chance = ByRound()
    game = chance.game = Game(found, plan.options, chance)
    eyes = plan.options.eyes(seated)
    while not game.over:
        moves = []
        for seat in game.deciders:
            owner = plan.options.owners[seat]
            seen = game.seen(plan.options.eyes(owner))
            moves.append((seat, seen.legal(seat)[0]))
            if owner == seated:
                word, view = next(told)
                assert word == "view"
                assert json.loads(view) == to_jsonable_python(found.view.view(game.seen(eyes)))
                assert next(told) == ["move", str(seat), *map(str, game.legal(seat))]
        for seat, move in moves:
            game.play(seat, move)
    assert {line.who: line.total for line in game.standings().players} == dict(enumerate(row.points))
    assert next(told, None) is None


def test_programs_end_with_the_match(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = f'echo $$ >>{pids}; while IFS= read -r line; do case $line in "paddock$tab"*) echo ready ;; '
    text += '"move$tab"*) printf "%s\\n" "${line##*"$tab"}" ;; esac; done; exec sleep 1000'
    played = paddock.match("lacorsa", [program(tmp_path, text), "rookie"], 4, processes=2)
    assert not played.forfeits.any()
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
