"""The package as people use it: installed, typed, on the command line, in the terminal, with bots."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from tests.terminal.test_cli import here, run
from tests.titles.skerries.tests.harness import at, finished

import paddock
from paddock import records
from paddock.bots import BotPool, levels
from paddock.core.title import PROTOCOL, Title
from paddock.kernel.bench import measure
from sampling import count

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parents[2]


def test_it_is_installed_with_its_rules_and_charts(skerries: Title, installed: Path) -> None:
    found = distribution("skerries")
    (point,) = found.entry_points
    assert (point.group, point.name) == ("paddock.titles", "skerries")
    assert Path(sys.modules["skerries"].__file__ or "").is_relative_to(installed)
    for name in ("RULES.md", "charts/sisters.chart", "web/board.html", "web/style.css", "web/compose.js"):
        assert (installed / "skerries" / name).is_file()
    assert skerries.protocol == PROTOCOL


def test_a_package_of_another_protocol_is_refused(skerries: Title, tmp_path: Path) -> None:
    """The message says which release is needed; the other titles still work."""
    (tmp_path / "later.py").write_text(
        "from dataclasses import replace\nfrom skerries.rulebook import TITLE\n"
        f"TITLE = replace(TITLE, name='later', protocol={PROTOCOL + 1})\n"
    )
    metadata = tmp_path / "later-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: later\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[paddock.titles]\nlater = later:TITLE\n")
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])

    def rules(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from paddock.cli import main; main()", "rules", name],
            capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path},
        )  # fmt: skip

    refused = rules("later")
    assert refused.returncode == 2
    assert f"later was written for version {PROTOCOL + 1} of the title protocol" in refused.stderr
    assert rules("skerries").returncode == 0


def test_nothing_in_paddock_names_it() -> None:
    for path in (ROOT / "src").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert b"skerries" not in path.read_bytes().lower(), path


def test_it_is_gone_where_it_is_not_installed(installed: Path) -> None:
    """A process without the folder on its path does not list it."""
    path = os.pathsep.join(p for p in os.environ["PYTHONPATH"].split(os.pathsep) if p != str(installed))
    code = "import paddock; print(*paddock.titles())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": path}, cwd=ROOT,
    )  # fmt: skip
    assert "lacorsa" in done.stdout and "skerries" not in done.stdout


@pytest.mark.slow("mypy reads Skerries")
def test_its_types_are_checked_strictly() -> None:
    """The kernel's subset too: a misspelt field or a float in the state is an error here."""
    path = os.pathsep.join(str(folder) for folder in (ROOT / "src", PACKAGE / "src"))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "-p", "skerries"],
        capture_output=True, text=True, env=os.environ | {"MYPYPATH": path}, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_it_is_small() -> None:
    lines = {
        path.name: len(path.read_text("utf-8").splitlines())
        for path in (PACKAGE / "src/skerries").glob("*.py")
    }
    assert lines.pop("learn.py") < 100  # a lesson is words: few titles need one
    assert max(lines.values()) < 300 and sum(lines.values()) < 1620


def test_the_guide_names_its_rooms() -> None:
    """«Adding a title» says what each room is for; the kernel's and the chart's own modules are no rooms."""
    guide = (ROOT / "docs/titles.md").read_text("utf-8")
    own = {"__init__.py", "chart.py", "sailing.py", "cards.py", "position.py"}
    rooms = {path.name for path in (PACKAGE / "src/skerries").glob("*.py")} - own
    assert len(rooms) > 10 and all(f"`{room}`" in guide for room in rooms)
    assert f"now {PROTOCOL}." in guide


# The command line


def test_rules_and_a_clause_are_printed(skerries: Title) -> None:
    whole = run("rules", "skerries")
    assert whole.returncode == 0 and whole.stdout.strip() == skerries.rulebook.markdown.strip()
    one = run("rules", "skerries", "sk-4.3")
    assert "drawn blindly" in one.stdout
    assert "SK-9.9" in run("rules", "skerries", "SK-9.9").stderr


@pytest.mark.slow("Skerries is compiled")
def test_many_games_are_simulated_and_watched() -> None:
    done = run(
        "simulate",
        "skerries",
        "--games",
        "2000",
        "--seed",
        "3",
        "-o",
        "skippers=4",
        "-o",
        "chart=qhl",
        "-o",
        "days=12",
    )
    assert done.returncode == 0, done.stderr
    assert "2,000 games" in done.stdout
    rows = [line for line in done.stdout.splitlines() if re.search(r"[│┃] [1-4] ", line)]
    assert len(rows) == 4
    bots = here("simulate", "skerries", "--games", "200", "--seats", "club,rookie", "-o", "days=12")
    assert bots.returncode == 0, bots.stderr
    assert re.search(r"│ 1 club ", bots.stdout) and re.search(r"│ 2 rookie ", bots.stdout)
    watched = here("invariants", "skerries", "--decisions", "200000", "--seed", "4")
    assert watched.returncode == 0 and "every invariant held" in watched.stdout


def test_a_race_of_bots_and_its_record_replayed(tmp_path: Path) -> None:
    file = tmp_path / "race.txt"
    done = run(
        "race",
        "skerries",
        "--seats",
        "club,club,rookie",
        "--races",
        "3",
        "--seed",
        "7",
        "--record",
        str(file),
    )
    assert done.returncode == 0, done.stderr
    game = records.read(file.read_text("utf-8")).game()
    assert len(game.rounds) == 3
    told = run("replay", str(file))
    assert told.returncode == 0
    assert all(line in told.stdout for line in game.story)


def test_a_person_races_by_chains_in_the_terminal() -> None:
    done = run(
        "race", "skerries", "--seats", "me,club,rookie", "--seed", "3", "-o", "chart=q..hl", "-o", "days=4",
        answers="#1\nback\n#1\nsend\nstop\nyield\nanchor\n" * 60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Skipper 1, choose (? explains):" in done.stdout
    assert "Sail east to b1 (wind 1)" in done.stdout
    assert re.search(r"e; e; e +#\d+ +To d1 \(wind 3\)", done.stdout)
    assert "So far: e. Add a move, or write" in done.stdout
    assert not re.search(r"(Club 2|Rookie 3) draws a card: ", done.stdout), "what others draw is not told"


def test_a_chart_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.chart"
    file.write_text("; our bay\nq . . h\n . + . l\n", "utf-8")
    done = run("race", "skerries", "--seats", "club,club", "--seed", "1", "-o", f"chart=@{file}")
    assert done.returncode == 0, done.stderr
    file.write_text("; our bay\nq ? . h\n . q\n", "utf-8")
    refused = run("race", "skerries", "--seats", "club,club", "-o", f"chart=@{file}")
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1
    for fault in ("row 2 has 2 hexes", "“?” is no hex", "one quay (q), not 2", "has a light (l)"):
        assert fault in refused.stderr


def test_a_title_without_a_bench_does_without(skerries: Title) -> None:
    assert measure(skerries) == []


def test_a_notebook_shows_the_chart() -> None:
    svg = at(boats="a1,b1,c2")._repr_svg_()
    assert svg is not None and all(f'id="boat-{n}"' in svg for n in (1, 2, 3)) and "data-move" not in svg


# Bots


def test_it_has_all_levels_and_club_is_better_than_rookie(skerries: Title) -> None:
    assert [level.name for level in levels(skerries)] == ["rookie", "club", "works"]
    from paddock.terminal.race import Seats, race, set_up

    first = 0
    for seed in range(30):
        seats = ["rookie"] * 3
        seats[seed % 3] = "club"
        who = Seats.read(skerries, ",".join(seats))
        game = set_up(skerries, who, {"days": 5}, None, seed)
        race(game, who, seed, lambda _line: None, lambda _question: "")
        first += game.rounds[0].places[seed % 3] == 1
    assert first > 24


def test_a_bot_thinks_in_a_worker_process(skerries: Title) -> None:
    """The worker finds the title as this process does, and makes the same choice."""
    game = at(hands="g|-|-", boats="b1,b1,a1")

    async def chosen() -> int:
        with BotPool(1) as pool:
            return await pool.choose("club", game.seen(1), 0, game.legal(0).ids, 5)

    assert asyncio.run(chosen()) in game.legal(0).ids


def test_the_policy_plays_alike_in_both_lives(skerries: Title) -> None:
    """Compiled and plain, floats included: the same stream gives the same move."""
    import numpy as np

    from paddock.kernel.bulk import Bench
    from paddock.kernel.loader import load_kernel

    plain, moves = load_kernel(skerries, compiled=False), 0
    for seed in range(6):
        game = finished(seed)
        bench, replay = Bench(skerries, game.options), paddock.Game(skerries, game.options)
        for entry in game.log:
            for seat in replay.deciders:
                s = replay.seen(1 << seat).state
                s.store(bench.ss[0])
                out, rng = [0] * len(bench.out), [seed + 1]
                bench.rng[:] = np.array(rng)
                n = skerries.rules.legal(s, replay.setup, seat, out)
                move = plain.policy(s, replay.setup, seat, out, n, rng)
                assert bench.kernel.one_policy(bench.ss, bench.gg, seat, bench.out, bench.rng) == move
                assert bench.rng[0] == rng[0] and move in out[:n]
                moves += 1
            replay.append(entry)
    assert moves > 100


@pytest.mark.slow("plays a contest once more, decision by decision")
def test_a_contest_is_what_stepping_the_plain_kernel_gives(skerries: Title) -> None:
    """Seats 0 and 2 by the policy, the others at random: the same streams give the same ends and events."""
    from paddock.core.words import CHANCE
    from paddock.kernel.bulk import contest
    from paddock.kernel.chance import below, stream
    from paddock.kernel.loader import load_kernel

    options = skerries.options.read({"skippers": 3})
    played = contest(skerries, options, 5, 4, thirds=(3, 0, 3))
    plain, rules, g = load_kernel(skerries, compiled=False), skerries.rules, skerries.setup_of(options)
    for i in range(5):
        rng, out, made, events, begin = [0], [0] * (rules.ACTIONS + 1), 0, [], b""
        stream(4, i, rng)
        s = rules.State()
        s.events = events
        rules.start(s, g)
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                rules.run_chance(s, g, rng)
                continue
            begin = begin or s.tobytes()
            seat = (waiting & -waiting).bit_length() - 1
            n = rules.legal(s, g, seat, out)
            if seat == 1:
                move = out[below(rng, n)]
            else:
                hidden = s.copy()
                rules.hide(hidden, g, 1 << seat)
                move = plain.policy(hidden, g, seat, out, n, rng)
            rules.apply(s, g, seat, move)
            made += 1
        assert rules.State().load(played.ends[i]) == s
        assert rules.State().load(played.begins[i]).tobytes() == begin
        places = [0] * rules.MAX_SEATS
        rules.places(s, g, places)
        assert played.places[i].tolist() == places[: options.seats]
        assert played.decisions[i] == made
        told = [0] * played.event_counts.shape[1]
        for event in events:
            told[event[0]] += 1
        assert played.event_counts[i].tolist() == told


@pytest.mark.parametrize("name", ["sisters", "narrows"])
def test_the_shipped_charts_can_be_sailed_in_time_but_not_always(skerries: Title, name: str) -> None:
    from paddock.terminal.race import Seats, race, set_up

    arrived = []
    for seed in range(count(12, 25)):
        who = Seats.read(skerries, "club,club,club,club")
        game = set_up(skerries, who, {"chart": name}, None, seed)
        race(game, who, seed, lambda _line: None, lambda _question: "")
        arrived += game.rounds[0].places
    assert sum(place > 0 for place in arrived) > len(arrived) / 2
    assert name == "sisters" or 0 in arrived
