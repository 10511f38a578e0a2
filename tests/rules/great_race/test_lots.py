"""GR-1 the set-up: the beginning, what is decided by lot, and in which order."""

from __future__ import annotations

import pytest

from paddock.games.great_race.rules import state

from .scenes import Race, fresh, fresh_on

ROAD = "AA .. .. .. .. BB"
HALF = """
AA .. .. .. BB
.. .. .. .. ..
.. .. .. .. CC
.. .. .. .. ..
.. .. .. .. DD
.. .. .. .. ..
.. .. .. .. EE
"""  # from AA to one of four middle cities
MIDDLE = ["BB", "CC", "DD", "EE"]


def tokens(race: Race) -> list[int]:
    """The numbers on the city tokens, in the order of the map; 0 before they are drawn."""
    return [race.s.token[i] for i in range(race.g.n_tokens)]


def gauges(race: Race) -> list[tuple[int, int, int]]:
    return [race.gauges(seat) for seat in race.seats]


# The beginning


@pytest.mark.parametrize("gauge_max", [4, 5, 8])
def test_gr_1_2_gauges_start_at_the_maximum(gauge_max: int) -> None:
    """GR-1.2 petrol, engine and chassis of every player."""
    race = fresh(ROAD, players=3, gauge_max=gauge_max)
    assert gauges(race) == [(gauge_max,) * 3] * 3


def test_gr_1_3_80_f_and_70_f_for_the_last_in_turn_order() -> None:
    """GR-1.3 the lot of the first player says who is last; hands start empty."""
    for first, money in ((1, [80, 80, 70]), (2, [70, 80, 80]), (3, [80, 70, 80])):
        race = fresh(ROAD, players=3)
        assert [race.money(seat) for seat in race.seats] == [80, 80, 80]
        race.take(str(first))
        assert [race.money(seat) for seat in race.seats] == money
        assert [race.hand(seat) for seat in race.seats] == ["", "", ""]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gr_1_4_the_first_player_by_lot_then_clockwise(players: int) -> None:
    """GR-1.4 every player may be first; progress tokens are stacked in the same order."""
    assert fresh(ROAD, players=players).outcomes() == {str(n + 1): 1 for n in range(players)}
    for first in range(1, players + 1):
        race = fresh(ROAD, players=players)
        assert (race.phase, race.question, race.waiting) == ("lots", (0, "first"), [0])
        race.take(str(first))
        clockwise = [(first - 1 + i) % players + 1 for i in range(players)]
        assert race.order == race.stack == clockwise
        assert race.told == [f"first {first}", "destination BB AA", "turn 1"]
        assert race.s.turn == first - 1


def test_gr_1_5_and_gr_1_6_all_cards_are_in_the_deck_and_all_tiles_in_the_bag() -> None:
    """GR-1.5, GR-1.6 no card lies face up or on the discard pile, no tile on the map or out of the game."""
    race = fresh(ROAD)
    assert [race.s.deck[kind] for kind in range(state.CARDS)] == list(race.g.deck)
    assert [race.s.bag[kind] for kind in range(state.TILES)] == list(race.g.bag)
    assert (race.s.deck_size, race.s.bag_size) == (59, 100)
    assert (race.discard, race.market, race.removed, race.tiles) == ("", "", "", {})


def test_gr_1_1_seats_that_nobody_plays_have_nothing() -> None:
    """GR-1.1, the kernel contract: before the lot and after it; nobody is in an order before it."""
    race = fresh(ROAD, players=2)
    s = race.s
    assert [*s.order, *s.token_order] == [0] * 10
    race.take("2")
    for seat in (3, 4, 5):
        assert (race.gauges(seat), race.money(seat), s.at[seat - 1]) == ((0, 0, 0), 0, state.OFF)
        assert (s.leader[seat - 1], s.order[seat - 1], s.token_order[seat - 1]) == (state.NO_LEADER, 0, 0)


@pytest.mark.parametrize("before", [0, 1, 7])
def test_a_race_begins_alike_whatever_the_record_held(before: int) -> None:
    """GR-1, the kernel contract: equal positions have equal bytes, so ``start`` writes every field."""
    for leaders, players in ((False, 2), (True, 3), (False, 5)):
        race = fresh(HALF, leaders=leaders, players=players)
        first, used = race.s.copy(), race.copy()
        for name, value in used.fields().items():
            if isinstance(value, int):
                setattr(used.s, name, before)
            else:
                cells = getattr(used.s, name)
                for index in value if isinstance(value, dict) else range(len(value)):
                    cells[index] = before
        assert used.start().s == first


# Where the race goes


def test_gr_1_1_on_a_full_map_the_ends_are_no_lot() -> None:
    """GR-1.1, GR-1.11 all vehicles start in the one city, the other is the destination."""
    for start, told in (("west", "destination BB AA"), ("east", "destination AA BB")):
        race = fresh(ROAD, players=3, start=start).take("2")
        assert told in race.told
        assert [race.at(seat) for seat in race.seats] == [told[-2:]] * 3
        assert (race.s.origin, race.s.goal) == (race.space(told[-2:]), race.space(told[-5:-3]))


def test_gr_1_7_the_middle_city_of_the_race_by_lot() -> None:
    """GR-1.7 any of them, each as likely; it is the destination."""
    race = fresh(HALF).take("2")
    assert (race.told, race.question) == (["first 2"], (0, "end"))
    assert race.outcomes() == dict.fromkeys(MIDDLE, 1)
    for city in MIDDLE:
        new = race.copy().take(city)
        assert new.told == [f"destination {city} AA"]
        assert (new.at(1), new.at(2), new.question) == ("AA", "AA", (0, "number"))
        assert new.order == [2, 1]


def test_gr_1_7_two_middle_cities_are_a_lot_and_one_is_none() -> None:
    """GR-1.7 on a map of one's own."""
    two = fresh("AA .. .. .. BB\n.. .. .. .. ..\n.. .. .. .. CC").take("1")
    assert (two.question, two.outcomes()) == ((0, "end"), {"BB": 1, "CC": 1})
    assert two.take("CC").told[0] == "destination CC AA"
    one = fresh(ROAD).take("1")
    assert (one.told[1], one.question) == ("destination BB AA", (0, "deal"))


def test_gr_1_11_the_race_may_start_in_the_middle_city_of_the_lot() -> None:
    """GR-1.11, GR-1.7 then the vehicles start there, and the purple city is the destination."""
    race = fresh(HALF, start="east").run("0:1, 0:DD")
    assert race.told == ["destination AA DD"]
    assert (race.at(1), race.at(2)) == ("DD", "DD")
    race.run("0:2, 0:2, 0:1")
    assert tokens(race) == [2, 2, 1, 1]  # DD is under the purple side


def test_gr_1_7_the_option_names_the_middle_city() -> None:
    """GR-1.7, GR-1.11 no lot then, for either direction."""
    race = fresh(HALF, finish="CC").take("1")
    assert (race.told, race.question) == (["first 1", "destination CC AA"], (0, "number"))
    race = fresh(HALF, start="east", finish="EE").take("1")
    assert (race.told[1], race.question) == ("destination AA EE", (0, "number"))


# Numbers of cards


def test_gr_1_12_three_of_the_numbers_for_the_other_middle_cities() -> None:
    """GR-1.12, GR-1.7 in the order of the map; the city under the purple side counts 1 without a draw."""
    race = fresh(HALF, finish="CC").take("1")
    assert (race.outcomes(), tokens(race)) == ({"1": 2, "2": 2}, [0, 0, 0, 0])
    race.take("2")
    assert race.told == ["numbered BB 2"]
    assert (race.outcomes(), tokens(race)) == ({"1": 2, "2": 1}, [2, 1, 0, 0])
    race.take("2")
    assert (race.told, race.outcomes()) == (["numbered DD 2"], {"1": 2})
    race.take("1")
    assert race.told == ["numbered EE 1", "turn 1"]
    assert (tokens(race), race.question) == ([2, 1, 2, 1], (0, "deal"))


@pytest.mark.parametrize("finish", MIDDLE)
def test_gr_1_12_the_purple_side_takes_no_number(finish: str) -> None:
    """GR-1.12 wherever it lies, three of 1, 1, 2, 2 are drawn, without replacement."""
    for drawn, left in (("1 1", {"2": 2}), ("1 2", {"1": 1, "2": 1}), ("2 2", {"1": 2})):
        race = fresh(HALF, finish=finish).take("1")
        for number in drawn.split():
            race.take(number)
        assert race.outcomes() == left
        race.take("2" if "2" in left else "1")
        assert race.question == (0, "deal")
        assert tokens(race)[MIDDLE.index(finish)] == 1


def test_gr_1_7_on_a_full_map_all_four_tokens_show_a_number() -> None:
    """GR-1.7, GR-1.12 the fourth gets what is left of 1, 1, 2, 2."""
    race = fresh_on("usa").take("1")
    for number, left in (("2", {"1": 2, "2": 1}), ("1", {"1": 1, "2": 1}), ("2", {"1": 1})):
        assert race.question == (0, "number")
        race.take(number)
        assert race.outcomes() == left
    race.take("1")
    assert (tokens(race), race.question) == ([2, 1, 2, 1], (0, "deal"))


# Leaders come last


def test_gr_11_leaders_are_chosen_after_the_lots_in_turn_order() -> None:
    """GR-11, GR-1.4 one after the other from the first player on; then the first bivouac is dealt."""
    race = fresh(HALF, players=3, leaders=True, finish="BB").take("3")
    assert race.phase == "lots"
    race.run("0:1, 0:1, 0:2")
    assert race.told == ["numbered EE 2"]
    for seat, leader in ((3, "li"), (1, "boris"), (2, "cook")):
        assert (race.phase, race.question, race.s.turn) == ("leaders", (seat, "leader"), seat - 1)
        race.play(seat, f"leader {leader}")
        assert race.told[0] == f"led by {seat} {leader}"
    assert race.told[1:] == ["turn 1"]
    assert (race.phase, race.question, race.s.turn) == ("bivouac", (0, "deal"), 2)


def test_gr_11_2_boris_has_his_level_more_as_soon_as_he_is_chosen() -> None:
    """GR-11.2 on each of his gauges; nobody else's change."""
    race = fresh(ROAD, leaders=True).take("1").play(1, "leader boris")
    assert gauges(race) == [(6, 6, 6), (5, 5, 5)]
    assert gauges(race.play(2, "leader kate")) == [(6, 6, 6), (5, 5, 5)]
