"""LC-2 Drivers, cars, championships: who owns which car, and whose points add up."""

from __future__ import annotations

import pytest

import paddock
from paddock.core.errors import BadOption
from paddock.core.game import Game
from paddock.core.series import RoundResult, standings
from paddock.games.lacorsa.rulebook import Options


def options(**values: object) -> Options:
    return Options.read(values)


def race_out(game: Game) -> Game:
    """Play the first legal move always, to the podium."""
    while not game.over:
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[0])
    return game


def race(*places: int) -> RoundResult:
    """A race with these finishing places by car, and the points of LC-7.2."""
    return RoundResult(tuple((9, 6, 4, 3, 2, 1)[place - 1] for place in places), places)


def test_lc_2_1_two_or_three_drivers_race_two_cars_each() -> None:
    """LC-2.1 driver 1 has cars 1 and 2, driver 2 has cars 3 and 4, …"""
    assert options(drivers=2).owners == (0, 0, 1, 1)
    assert options(drivers=3).owners == (0, 0, 1, 1, 2, 2)
    assert options(drivers=3, championship="teams").owners == (0, 0, 1, 1, 2, 2)
    for drivers in (1, 7):
        with pytest.raises(BadOption, match="drivers"):
            options(drivers=drivers)
    with pytest.raises(BadOption, match=r"LC-2\.1"):
        options(drivers=4, championship="teams")


def test_lc_2_1_each_car_has_its_own_hand() -> None:
    """LC-2.1 thirteen cards a car, never mixed; the driver sees both hands and no other."""
    game = paddock.start("lacorsa", drivers=2, races=1, seed=1)
    state = game.seen(0b0011).state
    assert [sum(state.hand[car, k] for k in range(13)) for car in range(4)] == [13, 13, 0, 0]
    assert [car.driver for car in game.view([0, 1]).cars] == [0, 0, 1, 1]


def test_lc_2_1_points_of_both_cars_count_for_the_driver() -> None:
    """LC-2.1 a driver's total is that of both cars, and so is the team's."""
    tables = standings(options(drivers=2), [race(4, 1, 2, 3), race(1, 2, 3, 4)])
    assert [(line.who, line.total, line.rounds) for line in tables.players] == [
        (0, 27, (12, 15)),
        (1, 17, (10, 7)),
    ]


def test_lc_2_2_four_to_six_drivers_race_one_car_each() -> None:
    """LC-2.2 without pairs there are no teams."""
    for drivers in (4, 5, 6):
        chosen = options(drivers=drivers)
        assert chosen.owners == tuple(range(drivers))
        assert chosen.teams == ()
        assert standings(chosen, []).teams == ()
        assert options(drivers=drivers, championship="drivers").owners == chosen.owners
    for drivers in (2, 3):
        with pytest.raises(BadOption, match=r"LC-2\.2"):
            options(drivers=drivers, championship="drivers")


def test_lc_2_2_pairs_add_up_their_points() -> None:
    """LC-2.2 neighbours are a team; the drivers keep their own table beside it."""
    chosen = options(drivers=4, pairs=True)
    assert chosen.teams == (0, 0, 1, 1)
    assert options(drivers=6, pairs=True).teams == (0, 0, 1, 1, 2, 2)
    tables = standings(chosen, [race(1, 4, 2, 3)])
    assert [(line.who, line.total) for line in tables.players] == [(0, 9), (2, 6), (3, 4), (1, 3)]
    assert [(line.who, line.total) for line in tables.teams] == [(0, 12), (1, 10)]
    with pytest.raises(BadOption, match=r"LC-2\.2"):
        options(drivers=3, pairs=True)


def test_lc_2_2_partners_as_the_table_chooses() -> None:
    """LC-2.2 who drives with whom; LC-2.5 who is named in no pair is a team of one."""
    chosen = options(drivers=5, pairs="1-3/2-5")
    assert chosen.teams == (0, 1, 0, 2, 1)
    tables = standings(chosen, [race(5, 4, 3, 2, 1)])
    assert [(line.who, line.total) for line in tables.teams] == [(1, 12), (2, 6), (0, 6)]  # LC-7.3
    assert [line.who for line in tables.players] == [4, 3, 2, 1, 0]
    assert options(drivers=6, pairs="5-6").teams == (0, 1, 2, 3, 4, 4)
    assert options(drivers=6, pairs="2-1").teams == (0, 0, 1, 2, 3, 4)
    assert options(drivers=12, large_grid=True, pairs="12-1").teams == (*range(11), 0)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (True, "yes"),
        ("no", "no"),
        ("5-2/3-1", "1-3/2-5"),
        ("1-3/2-5", "1-3/2-5"),
        ("1-2", "1-2"),
        (" 4-3/1-2 ", "1-2/3-4"),
    ],
)
def test_lc_2_2_pairs_are_written_in_one_way(said: object, text: str) -> None:
    """LC-2.2 the lower number of a pair first, the pairs in order; a text reads back as itself."""
    chosen = options(drivers=5, pairs=said)
    assert f" pairs={text} " in chosen.text
    assert Options.read_text(chosen.text) == chosen


def test_lc_2_2_pairs_that_do_not_fit_are_refused() -> None:
    """LC-2.2 a driver is named once, and is one of those who race."""
    write = "write no, yes, or pairs of drivers, as in 1-3/2-5 (LC-2.2)"
    for said in ("maybe", "", "1-2-3", "1-2/", "0-1", "1-2,3-4", "1 - 2", "-", 2.5, ["1-2"], None):
        with pytest.raises(BadOption) as fault:
            options(drivers=5, pairs=said)
        assert fault.value.faults[0].endswith(f": {write}"), said
    for said in ("1-1", "1-2/2-3", "1-2/2-1"):
        with pytest.raises(BadOption) as fault:
            options(drivers=5, pairs=said)
        assert fault.value.faults == (f"pairs={said}: name each driver once (LC-2.2)",)
    with pytest.raises(BadOption) as fault:
        options(drivers=5, pairs="2-6/1-3")
    assert fault.value.faults == ("LC-2.2 pairs=1-3/2-6: there are only 5 drivers",)
    for drivers in (2, 3):
        with pytest.raises(BadOption, match=r"LC-2\.2 only a drivers' championship"):
            options(drivers=drivers, pairs="1-2")


def test_lc_2_2_partners_wear_the_colours_of_the_first() -> None:
    """LC-2.2 the view says whose; LC-2.1 the second car of a driver wears those of its first."""
    game = paddock.start("lacorsa", drivers=5, pairs="1-3/2-5", seed=1)
    assert [(car.team, car.wears, car.striped) for car in game.view().cars] == [
        (0, 0, False),
        (1, 0, False),
        (0, 1, True),
        (2, 0, False),
        (1, 2, True),
    ]
    assert [car.wears for car in paddock.start("lacorsa", drivers=2, seed=1).view().cars] == [0, 1, 0, 3]
    assert [car.wears for car in paddock.start("lacorsa", drivers=4, seed=1).view().cars] == [0, 0, 0, 0]


def test_lc_2_3_scores_are_kept_for_drivers_and_teams() -> None:
    """LC-2.3 with two cars each driver is a team: both tables have the same totals."""
    tables = standings(options(drivers=3), [race(1, 2, 3, 4, 5, 6)])
    assert [line.total for line in tables.players] == [15, 7, 3]
    assert [line.total for line in tables.teams] == [15, 7, 3]


def test_lc_2_4_any_number_of_races() -> None:
    """LC-2.4 seven unless chosen otherwise; a single race is allowed."""
    assert options().rounds == 7
    assert options(races=1).rounds == 1
    assert options(races=30).rounds == 30
    with pytest.raises(BadOption, match="races"):
        options(races=0)


@pytest.mark.parametrize("races", [1, 3])
def test_lc_2_4_a_championship_is_raced_to_its_end(races: int) -> None:
    """LC-2.4 as many races as chosen, each from a full deck, then no more."""
    game = race_out(paddock.start("lacorsa", drivers=4, races=races, seed=7))
    assert len(game.rounds) == races
    assert game.deciders == ()
    assert game.result is not None
    assert sum(line.total for line in game.result.standings.players) == races * (9 + 6 + 4 + 3)
    for result in game.rounds:
        assert sorted(result.places) == [1, 2, 3, 4]


def test_lc_2_5_an_odd_driver_is_a_team_of_one() -> None:
    """LC-2.5 with five drivers in pairs the last is a team of one."""
    chosen = options(drivers=5, pairs=True)
    assert chosen.teams == (0, 0, 1, 1, 2)
    tables = standings(chosen, [race(5, 4, 3, 2, 1)])
    assert [(line.who, line.total) for line in tables.teams] == [(1, 10), (2, 9), (0, 5)]
