"""Ladders: every bot among every other, from matches that are made up, and from a few that are played."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from lab.entrants import First
from lab.here import played_here
from paddock.core.errors import BadOption
from paddock.core.title import title
from paddock.lab import Ladder, Match
from paddock.lab.crosstable import Meeting, counts, grid
from paddock.lab.exploiter import Exploiter, exploiter_file
from paddock.lab.ladder import ladder
from paddock.lab.ladder_report import report
from paddock.lab.results import POINTS, WINS
from paddock.lab.transitivity import cycles, reversal
from terminal.test_cli import here, refused

Strong = Mapping[tuple[int, int], float]
DEALS = 60


def made_up(
    players: int, bots: tuple[str, ...], better: Strong, by: str = POINTS, deals: int = DEALS
) -> Ladder:
    """A ladder in which a bot often comes in before another; ``better`` is by how much, against luck of 1."""
    rng, matches = np.random.default_rng(players), {}
    for one in range(len(bots)):
        for other in range(one):
            d = better.get((one, other), -better.get((other, one), 0.0))
            for count in counts(players):
                line = np.array([0] * count + [1] * (players - count))
                seats = np.concatenate([np.stack([np.roll(line, n) for n in range(players)])] * deals)
                luck = rng.normal(size=seats.shape) + d * (seats == 0)
                places = 1 + (-luck).argsort(1).argsort(1)
                names = bots[one], bots[other]
                none = np.full(seats.shape, "")
                matches[Meeting(one, other, count)] = Match(
                    "lacorsa", "", 1, names, seats, 9 - places, places, none
                )
    return Ladder(
        title("lacorsa"), f"drivers={players}", 1, bots, players, by, matches, "paddock ladder lacorsa"
    )


CYCLE = made_up(4, ("paper", "rock", "scissors"), {(0, 1): 1.0, (1, 2): 1.0, (2, 0): 1.0})
ORDER = made_up(4, ("weak", "middle", "strong"), {(1, 0): 1.0, (2, 0): 2.0, (2, 1): 1.0}, WINS)


@pytest.mark.parametrize(
    ("players", "wanted"), [(2, [1]), (3, [1, 2]), (4, [1, 2, 3]), (5, [1, 2, 3, 4]), (12, [1, 6, 11])]
)
def test_the_mixes_of_a_pair(players: int, wanted: list[int]) -> None:
    assert counts(players) == wanted


def test_both_bots_of_a_match_are_found() -> None:
    """What one gets over the fair share, the others lose together."""
    for one, other in CYCLE.pairs:
        for count in CYCLE.counts:
            mine, theirs = CYCLE.over(one, other, count), CYCLE.over(other, one, 4 - count)
            assert count * mine.value == pytest.approx(-(4 - count) * theirs.value)
            assert CYCLE.figure(one, other, count).bot == CYCLE.bots[one]
            assert CYCLE.by_deal(one, other, count).mean() == pytest.approx(mine.value)
    assert CYCLE.over(1, 0, 1).label == "rock among 3 × paper"
    assert CYCLE.over(1, 0, 3, WINS).label == "3 × rock among paper"


def test_a_cycle_is_shown() -> None:
    assert CYCLE.beats == {(0, 1), (1, 2), (2, 0)}
    assert CYCLE.cycles == [(0, 1, 2)]
    assert "A cycle: paper beats rock beats scissors beats paper." in CYCLE.not_transitive
    assert "Levels are not transitive" in str(CYCLE) and "no cycle" not in str(CYCLE)
    assert [part.value for part in CYCLE.alpha_ranks] == pytest.approx([1 / 3] * 3, abs=0.2)


def test_a_table_without_a_cycle() -> None:
    assert ORDER.beats == {(1, 0), (2, 0), (2, 1)} and not ORDER.cycles and not ORDER.reversals
    assert "This table has no cycle." in str(ORDER)
    assert [part.value for part in ORDER.alpha_ranks] == pytest.approx([0, 0, 1], abs=1e-6)
    ratings = ORDER.ratings
    assert not isinstance(ratings, str)
    assert ratings[0].value < ratings[1].value < ratings[2].value


def test_equal_bots_share_alpha_rank_and_their_intervals_say_so() -> None:
    equal = made_up(4, ("a", "b"), {})
    assert not equal.beats
    low, high = equal.alpha_ranks[0].low, equal.alpha_ranks[0].high
    assert low < 0.1 and high > 0.9


def test_what_the_luck_of_the_deals_gives_two_bots_alike_does_not_part_them() -> None:
    """All matches play the same deals, so each draw of deals is one for all of them."""
    ladder = made_up(3, ("a", "b", "c"), {})
    matches = dict(ladder.matches)
    for count in counts(3):
        matches[Meeting(2, 1, count)] = matches[Meeting(2, 0, count)]
        even = matches[Meeting(1, 0, count)]
        matches[Meeting(1, 0, count)] = replace(even, points=np.zeros_like(even.points))
    one, same, _ = replace(ladder, matches=matches).alpha_ranks
    assert one.low < 0.4 < 0.49 < one.high < 0.5 + 1e-9
    assert (one.low, one.high) == pytest.approx((same.low, same.high))


def test_who_wins_may_get_less_among_others() -> None:
    """The middle beats the weak less clearly than the strong does, which loses to the middle even more."""
    odd = made_up(4, ("weak", "middle", "strong"), {(1, 0): 0.5, (2, 0): 3.0, (1, 2): 1.0})
    assert [(one.one, one.other, one.third) for one in odd.reversals] == [(1, 2, 0), (2, 0, 1)]
    found = odd.reversals[0]
    assert found.less > found.error > 0
    assert f"middle beats strong, and yet gets less than it among weak: by {found.less:.2f} ±" in str(odd)
    assert not odd.cycles


def test_all_cycles_are_found_once() -> None:
    beats = {(0, 1), (1, 2), (2, 0), (2, 3), (3, 0), (3, 4)}
    assert cycles(5, beats) == [(0, 1, 2), (0, 1, 2, 3)]
    assert not cycles(3, {(0, 1), (1, 2), (0, 2)})


def test_a_reversal_is_one_only_clear_of_its_interval() -> None:
    rng = np.random.default_rng(1)
    luck, less = rng.normal(size=100), 0.01 * rng.normal(size=100) + 0.1
    found = reversal(0, 1, 2, luck, luck + less)  # the luck of the deals is the same for both
    assert found is not None and found.less == pytest.approx(0.1, abs=0.01)
    assert reversal(0, 1, 2, luck, rng.normal(size=100)) is None


def test_alpha_rank_of_mixes_that_were_not_played() -> None:
    """Twelve players: 1, 6 and 11 were played; the others are on the line between them."""
    big = made_up(12, ("a", "b"), {(0, 1): 1.0}, deals=4)
    advantage = big._advantages()[0, 0, 1]
    assert advantage[2] == pytest.approx(advantage[0] + 2 / 5 * (advantage[5] - advantage[0]))
    assert advantage[8] == pytest.approx(advantage[5] + 3 / 5 * (advantage[10] - advantage[5]))
    assert (big._advantages()[0, 1, 0] == -advantage[::-1]).all()
    unit = np.sqrt(np.mean([(m.points - m.points.mean()).var() for m in big.matches.values()]))
    mine, theirs = (big.over(*pair, count) for pair, count in (((0, 1), 1), ((1, 0), 11)))
    assert advantage[0] == pytest.approx((mine.value - theirs.value) / unit)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_tables_fit_the_terminal(width: int) -> None:
    names = [f"a-bot-with-name-{n}" for n in range(5)]
    rows = [["", *names], *([name, *["+21.0 % (+19.5 to +22.1)"] * 5] for name in names)]
    lines = grid(rows, width)
    assert max(map(len, lines)) <= max(width, 18 + 2 + 18)
    assert sum(line.count("+19.5 to +22.1") for line in lines) == 25
    lines = ORDER.lines(60)
    tables = [line for line in lines if line.startswith(("weak ", "middle ", "strong ", "bot "))]
    assert len(tables) >= 16 and max(map(len, tables)) <= 60


def test_the_page_has_every_number() -> None:
    page = report(ORDER)
    for one, other in ORDER.pairs:
        for count in ORDER.counts:
            assert ORDER.over(one, other, count).label in page
            assert f"{ORDER.figure(one, other, count).points_over:+.3f}" in page
    assert page.count("<svg") == 1 + 2 + 2 + 2  # the poster, two tables twice, two rankings
    assert "Levels are not transitive" in page and "<script" not in page
    assert report(ORDER) == page


def test_the_numbers_as_json() -> None:
    data = json.loads(CYCLE.json)
    assert data["cycles"] == [["paper", "rock", "scissors"]] and data["by"] == "points"
    assert len(data["pairs"]) == 6 * 3 and data["games"] == 9 * 4 * DEALS
    assert {pair["bot"] for pair in data["pairs"]} == set(data["ratings"]) == set(data["alpha_rank"])
    single = json.loads(made_up(2, ("a", "b"), {}, deals=1).json)
    assert single["alpha_rank"]["a"]["low"] is None and single["pairs"][0]["points_error"] is None


def test_a_ladder_is_played_kept_and_resumed(tmp_path: Path) -> None:
    """A level and an object from outside. The match is one of ``paddock.match``, and is not played twice."""
    told = list[tuple[int, int]]()
    games = {"levels": ["club"], "players": 2, "games_with": {"First": 2}, "folder": tmp_path, "processes": 1}
    first = ladder("rasant", [First()], 40, 7, **games, progress=lambda n, total: told.append((n, total)))
    assert first.bots == ("club", "First") and first.options.startswith("players=2 ")
    assert sum(n for n, _total in told) == first.games == 2 and {total for _n, total in told} == {2}
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("rasant-1-First-1-club-")
    (match,) = first.matches.values()
    again = played_here("rasant", [First(), "club"], 2, 7)
    assert (again.points == match.points).all() and (again.bots == match.bots).all()
    kept = file.read_bytes()
    (same,) = ladder("rasant", [First()], 40, 7, **games).matches.values()
    assert (same.points == match.points).all()
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [kept]


def test_bots_whose_names_begin_alike_are_told_apart(tmp_path: Path) -> None:
    files = [tmp_path / f"a_network_with_a_long_name_{n}.npz" for n in (1, 2)]
    for file, name in zip(files, ("4.npz", "4-clubs.npz"), strict=True):
        file.write_bytes((title("lacorsa").file("networks") / name).read_bytes())
    bots = [f"net:{file}" for file in files]
    options = title("lacorsa").options.read({"races": 1, "drivers": 4, "points": (9, 6, 4, 3)})
    known = Exploiter(bots[1], 10, 700, 1, 4000, 1.25, math.nan, 0.2, 0.18, 0.22)
    exploiter_file(tmp_path, title("lacorsa"), options, bots[1]).write_text(
        json.dumps({"format": 1, **asdict(known)}), "utf-8"
    )
    made = ladder(
        "lacorsa", bots, 80, 7, levels=[], players=4, options={"points": (9, 6, 4, 3)}, folder=tmp_path,
        games_with={bots[1]: 4}, seconds=9, processes=1,
    )  # fmt: skip
    assert len(set(made.bots)) == 2 and made.games == 3 * 4, "the size is that of the bot that was named"
    assert list(made.exploiters) == [made.bots[1]]
    data = json.loads(made.json, parse_constant=pytest.fail)
    assert list(data["ratings"]) == list(made.bots)
    assert "-o points=9,6,4,3" in made.command and "--seconds 9" in made.command
    with pytest.raises(BadOption, match="games='many': give a whole number"):
        ladder("lacorsa", bots, "many")  # type: ignore[arg-type]  # what is refused


def test_the_command_prints_and_writes_a_ladder(tmp_path: Path) -> None:
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    done = here(
        "ladder", "rasant", "--players", "2", "--levels", "rookie,club", "--games", "4", "--seed", "7",
        "--to", str(page), "--json", str(numbers), "--processes", "1", "--by", "wins",
        "--keep", str(tmp_path / "kept"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "One among 1 other: points over the fair share\n" in done.stdout
    assert "α-Rank" in done.stdout and f"Written: {page}" in done.stdout
    command = "paddock ladder rasant --levels rookie,club --players 2 --games 4 --by wins --seed 7"
    assert json.loads(numbers.read_text("utf-8"))["command"] == command
    assert command.split()[-2] in page.read_text("utf-8")
    assert len(list((tmp_path / "kept").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--levels", "club"], "give at least two different bots or levels, each once"),
        (["--levels", "club,club"], "give at least two different bots or levels, each once"),
        (["--levels", "club,champ"], "there is no bot level “champ”"),
        (["--by", "luck"], "choose points or wins"),
        (["--games-with", "club"], "--games-with club: write each bot once, as BOT=N"),
        (["--games-with", "clubs=4"], "games with clubs=4: give a bot of the ladder"),
        (["--players", "3", "-o", "players=4"], "players=4: the ladder has 3 players"),
        (["--players", "9"], "players=9: write a whole number from 2 to 5"),
        (["cmd:no-such-program"], "there is no program “no-such-program”"),
        (["--keep", "-"], "--keep -: write the name of a file"),
    ],
)
def test_bad_arguments(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(capsys, "ladder", "rasant", *words)


def test_players_are_those_of_the_options() -> None:
    with pytest.raises(BadOption, match=r"games=many"):
        ladder("rasant", options={"games": "many"})
