"""GR-8 maintenance: the new turn order and who gets a bonus."""

from __future__ import annotations

import pytest

from .scenes import Race, fresh, scene

ROAD = "AA .. .. .. .. BB"
TRACKS = dict.fromkeys(("1a", "2a", "3a", "4a"), "track")
FUND = "0-0-0-1"


def maintained(**words: object) -> Race:
    """A race in which the convoy has just ended; the player whose turn it was passed."""
    race = scene(ROAD, tiles=TRACKS, crews={1: "0-0-1-0"}, **words)
    return race.run("1:pass")


def test_gr_8_1_the_farthest_goes_first() -> None:
    """GR-8.1 by progress, whatever the turn order was."""
    race = maintained(players=5, at={1: "2a", 2: "4a", 3: "1a", 4: "AA", 5: "3a"})
    assert race.order == [2, 5, 1, 3, 4]
    assert race.question == (0, "deal")
    race = maintained(players=3, at={1: "3a", 2: "2a", 3: "1a"}, order=(3, 2, 1), stack=(3, 2, 1))
    assert race.order == [1, 2, 3]


def test_gr_8_1_progress_is_counted_from_the_start() -> None:
    """GR-8.1, GR-1.11 in a race from the east it grows towards the west."""
    assert maintained(at={1: "2a", 2: "3a"}, start="east").order == [1, 2]
    assert maintained(at={1: "2a", 2: "3a"}, start="west").order == [2, 1]


@pytest.mark.parametrize("stack", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (3, 1, 2)])
def test_gr_8_1_who_arrived_first_is_ahead(stack: tuple[int, ...]) -> None:
    """GR-8.1 on one progress space; also those who never left the start, GR-1.4."""
    for space in ("AA", "2a"):
        assert maintained(players=3, at=dict.fromkeys(stack, space), stack=stack).order == [*stack]
    race = maintained(players=3, at={1: "2a", 2: "2a", 3: "3a"}, stack=stack)
    assert race.order == [3, *(seat for seat in stack if seat != 3)]


def test_gr_8_1_the_rulebooks_example_of_two_on_one_space() -> None:
    """GR-8.1 red arrives after blue, so blue is ahead in the next turn, though red played first."""
    race = scene(ROAD, tiles=TRACKS, crews={1: "0-1-0-1", 2: "0-1-0-0"})
    race.run("1:fund, 2:drive, 2:1a, 2:halt, 1:drive, 1:1a")
    assert race.stack == [2, 1]
    race.run("1:halt")
    assert race.told[-3:] == ["ordered 2 1 20", "ordered 1 2 0", "turn 2"]
    assert race.order == [2, 1]


def test_gr_8_1_the_new_order_is_that_of_the_next_turn() -> None:
    """GR-8.1 at the bivouac from its end, in the convoy from its beginning; clockwise counts no more."""
    race = maintained(players=3, at={1: "1a", 2: "3a", 3: "2a"}, deck="4*guide")
    race.run("0:guide, 0:guide, 0:guide, 0:guide, 1:take guide, 3:take guide, 2:take guide")
    race.run("1:plan 0-0-0-5, 2:plan 0-0-0-5, 3:plan 0-0-0-5")
    assert race.question == (2, "act")
    assert race.run("2:fund").question == (3, "act")
    assert race.run("3:fund").question == (1, "act")


def test_gr_8_1_a_new_turn_begins_afresh() -> None:
    """GR-8.1, GR-11.6 passes and once-a-turn powers are over, and so are assistants that were left."""
    race = scene(ROAD, leaders=("cook", "kate"), used=(1, 2), crews={1: "0-0-2-0"}, deck="guide").run(
        "1:pass"
    )
    race.run("0:guide, 2:take guide, 1:plan 5-0-0-0, 2:plan 5-0-0-0")
    assert [race.crew(seat) for seat in race.seats] == ["5-0-0-0", "5-0-0-0"]
    assert [race.passed(seat) for seat in race.seats] == [False, False]
    assert (race.s.power_used[0], race.s.power_used[1]) == (0, 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gr_8_2_the_first_gets_20_f_and_the_second_10_f(players: int) -> None:
    """GR-8.2 the rulebook's example; with 2 players only the first 20 F."""
    race = maintained(players=players, at={1: "1a", 2: "2a"})
    bonus = {2: 20, 1: 10 if players > 2 else 0}
    assert [race.money(seat) for seat in race.seats] == [80 + bonus.get(seat, 0) for seat in race.seats]
    assert race.told[1:3] == ["ordered 2 1 20", f"ordered 1 2 {bonus[1]}"]


def test_gr_8_2_by_the_new_order_not_the_old_one() -> None:
    """GR-8.2 who went last and is ahead now gets 20 F."""
    race = maintained(players=3, at={3: "1a"})
    assert [race.money(seat) for seat in race.seats] == [90, 80, 100]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gr_8_4_the_opening_order_is_paid_as_an_option(players: int) -> None:
    """GR-8.4 the first 20 F, the second 10 F, of two players only the first; GR-1.3 the last has 70 F."""
    bonus = [20, 10, 0, 0, 0] if players > 2 else [20, 0]
    for first in range(1, players + 1):
        order = [(first - 1 + i) % players for i in range(players)]
        plain = fresh(ROAD, players=players).take(str(first))
        assert [plain.s.money[seat] for seat in order] == [80] * (players - 1) + [70]
        assert not [line for line in plain.told if line.startswith("ordered")]
        race = fresh(ROAD, players=players, opening_bonus="yes").take(str(first))
        assert [race.s.money[seat] - plain.s.money[seat] for seat in order] == bonus[:players]
        paid = [f"ordered {seat + 1} {i + 1} {bonus[i]}" for i, seat in enumerate(order)]
        assert race.told == [plain.told[0], *paid, *plain.told[1:]]
        assert (race.order, race.stack, race.question) == (plain.order, plain.stack, plain.question)


def test_gr_8_3_no_maintenance_in_the_turn_in_which_somebody_finished() -> None:
    """GR-8.3 and so no bonus, and no new order."""
    race = scene(
        ROAD, players=3, at={1: "4a", 2: "2a", 3: "3a"}, tiles=TRACKS, crews={1: "0-1-0-0", 2: FUND}
    )  # fmt: skip
    race.run("1:drive, 1:BB, 2:fund")
    assert race.phase == "over"
    assert [race.money(seat) for seat in race.seats] == [80, 90, 80]
    assert not [line for line in race.told if line.startswith("ordered")]
    assert race.order == [1, 2, 3]
