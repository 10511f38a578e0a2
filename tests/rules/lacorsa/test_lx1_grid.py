"""LX-1 Large Grid: how many cars, how many cards, and which parts of the expansion are on."""

from __future__ import annotations

from itertools import product

import pytest

from paddock.core.errors import BadOption
from paddock.games.lacorsa.rulebook import PARTS, Options
from paddock.games.lacorsa.rules import rules, state
from paddock.games.lacorsa.rules.setup import setup

from ..harness import draw_all, rng
from .harness import CARDS, fresh

# (cars, cards of each hand, suits of the deck, cards set aside), by hand
HANDS = [
    (4, 13, 6, 26),
    (5, 14, 7, 21),
    (6, 14, 7, 7),
    (7, 15, 10, 25),
    (8, 15, 10, 10),
    (9, 15, 12, 21),
    (10, 15, 12, 6),
    (11, 14, 12, 2),
    (12, 13, 12, 0),
]


def refused(**chosen: object) -> str:
    """The sentence that refuses these options."""
    with pytest.raises(BadOption) as caught:
        Options.read(chosen)
    return str(caught.value)


# How many


@pytest.mark.parametrize("drivers", range(2, 7))
def test_lx_1_1_two_to_six_drivers_with_two_cars_each(drivers: int) -> None:
    """LX-1.1 a teams' championship has four to twelve cars."""
    options = Options.read({"drivers": drivers, "championship": "teams", "grid_hands": True})
    assert options.owners == tuple(car // 2 for car in range(2 * drivers))
    assert options.teams == tuple(range(drivers))


@pytest.mark.parametrize("drivers", range(4, 13))
def test_lx_1_1_four_to_twelve_drivers_with_one_car_each(drivers: int) -> None:
    """LX-1.1 a drivers' championship; «auto» takes it from four drivers on."""
    for championship in ("drivers", "auto"):
        options = Options.read({"drivers": drivers, "championship": championship, "large_grid": True})
        assert options.owners == tuple(range(drivers))
        assert options.teams == ()


def test_lx_1_1_what_does_not_fit_is_refused() -> None:
    """LX-1.1 (and LC-2.1) with a sentence that says what to do."""
    more = "bigger hands: set grid_hands=yes, or large_grid=yes for the whole expansion"
    assert refused(drivers=7) == f"LX-1.1 drivers=7: more than 6 drivers need {more}"
    assert refused(drivers=12, large_grid=True, grid_hands="no") == (
        "LX-1.1 drivers=12: more than 6 drivers need bigger hands: set grid_hands=yes"
    )
    assert refused(drivers=9, pit_stops=True).startswith("LX-1.1 drivers=9")
    for drivers in (7, 12):
        assert refused(drivers=drivers, championship="teams", large_grid=True) == (
            "LX-1.1 a teams' championship has 2 to 6 drivers, two cars each"
        )
    for drivers in (4, 6):
        assert refused(drivers=drivers, championship="teams") == (
            "LC-2.1 a teams' championship has 2 or 3 drivers: set drivers=2 or drivers=3; "
            f"4 to 6 drivers with two cars each need {more}"
        )
    for drivers in (2, 3):
        assert "LC-2.2" in refused(drivers=drivers, championship="drivers", large_grid=True)
    for drivers in (1, 13):
        assert "drivers" in refused(drivers=drivers, large_grid=True)
    assert "LC-2.2" in refused(drivers=6, championship="teams", large_grid=True, pairs=True)
    assert state.CARS == 12


# The table of hands


@pytest.mark.parametrize(("cars", "cards", "suits", "aside"), HANDS)
def test_lx_1_2_hand_size_and_suits_by_cars(cars: int, cards: int, suits: int, aside: int) -> None:
    """LX-1.2 the deal, card after card; what is left over is set aside."""
    race = fresh(drivers=cars, grid_hands=True)
    assert race.outcomes() == dict.fromkeys(CARDS, suits)
    row = rng(cars)
    draw_all(race, row)
    assert (race.phase, race.asked) == ("qualify", set(range(1, cars + 1)))
    assert [len(race.hand(car).split()) for car in race.asked] == [cards] * cars
    assert sum(race.s.deck) == aside
    assert race.s.dealt == cars * cards
    at_once, other = fresh(drivers=cars, grid_hands=True), rng(cars)
    at_once.run_chance(other)
    at_once.check()
    assert (at_once.fields(), other) == (race.fields(), row)


def test_lx_1_2_the_cars_count_and_not_the_drivers() -> None:
    """LX-1.2 six drivers with two cars each are twelve cars."""
    for drivers, cars in ((2, 4), (3, 6), (4, 8), (5, 10), (6, 12)):
        (hand,) = [(row[1], row[2]) for row in HANDS if row[0] == cars]
        g = setup(Options.read({"drivers": drivers, "championship": "teams", "large_grid": True}))
        assert (g.cars, g.cards, g.deck) == (cars, hand[0], [hand[1]] * 13)


def test_lx_1_2_extra_suits_come_on_top() -> None:
    """LX-1.2 and the base game's deck (LC-1.2) where only other parts are on."""
    assert fresh(drivers=8, grid_hands=True, extra_suits=2).outcomes() == dict.fromkeys(CARDS, 12)
    race = fresh(drivers=5, pit_stops=True, incidents=True, special_drafting=True)
    assert (race.g.cards, race.outcomes()) == (13, dict.fromkeys(CARDS, 5))


def test_lx_1_2_cards_set_aside_are_unseen() -> None:
    """LX-1.2 by every driver, and no hand can be told from them."""
    race = fresh(drivers=5, grid_hands=True)
    draw_all(race, rng(5))
    for eyes in ((), (1,), (1, 2, 3, 4, 5)):
        assert race.hide(*eyes).s.deck == [0] * 13
    assert any(race.redeal(1, seed=seed).s.deck != race.s.deck for seed in range(5))


# Which parts


@pytest.mark.parametrize("large_grid", [False, True])
def test_lx_1_4_every_part_is_an_option_of_its_own(large_grid: bool) -> None:
    """LX-1.4 all ways to say auto, yes or no to the four parts."""
    for said in product(("auto", "yes", "no"), repeat=4):
        chosen = dict(zip(PARTS, said, strict=True))
        g = setup(Options.read({"large_grid": large_grid, "drivers": 5, **chosen}))
        on = [int(word == "yes" or (word == "auto" and large_grid)) for word in said]
        assert [int(g.cards == 14), g.pit, g.incidents, g.drafting] == on, chosen
        assert (g.choose, g.refill) == (0, 0)


def test_lx_1_4_the_expansion_is_off_unless_asked_for() -> None:
    """LX-1.4 and with it the draw is blind, without a refill."""
    assert not any(Options().on(part) for part in PARTS)
    options = Options.read({"large_grid": True})
    assert all(options.on(part) for part in PARTS)
    assert (options.pit_draw, options.pit_refill) == ("random", False)
    assert options.text.endswith(" large_grid=yes")
    assert "auto" in refused(grid_hands="maybe")
    assert Options.read({"incidents": True}).incidents == "yes"
    assert Options.read({"large_grid": True, "incidents": False}).incidents == "no"


def test_lx_1_4_variations_need_their_part() -> None:
    """LX-2.0, LX-2.1, LX-2.2, LX-3.3, LX-5.2 a way to play what nobody plays is refused."""
    for off in ({}, {"large_grid": True, "pit_stops": False}):
        assert (
            refused(**off, pit_draw="choose") == "LX-2.1 pit_draw=choose needs pit stops: set pit_stops=yes"
        )
        assert refused(**off, pit_refill=True) == "LX-2.2 pit_refill=yes needs pit stops: set pit_stops=yes"
        assert (
            refused(**off, pit_timing="turn") == "LX-2.0 pit_timing=turn needs pit stops: set pit_stops=yes"
        )
    for off in ({}, {"large_grid": True, "incidents": False, "special_drafting": False}):
        assert (
            refused(**off, off_adjacent=True) == "LX-3.3 off_adjacent=yes needs incidents: set incidents=yes"
        )
        assert (
            refused(**off, one_draft=True)
            == "LX-5.2 one_draft=yes needs special drafting: set special_drafting=yes"
        )
    for on in ({"large_grid": True}, {"incidents": True, "special_drafting": True, "pit_stops": True}):
        g = setup(Options.read({**on, "pit_timing": "turn", "off_adjacent": True, "one_draft": True}))
        assert (g.late, g.adjacent, g.one_draft) == (1, 1, 1)
        g = setup(Options.read(on))
        assert (g.late, g.adjacent, g.one_draft) == (0, 0, 0)
    for on in ({"large_grid": True}, {"pit_stops": True}):
        g = setup(Options.read({**on, "pit_draw": "choose", "pit_refill": True}))
        assert (g.pit, g.choose, g.refill) == (1, 1, 1)


REVISION_1: list[tuple[dict[str, object], bool]] = [
    ({}, False),
    ({"large_grid": True}, True),
    ({"large_grid": " yes "}, True),
    ({"large_grid": "no"}, False),
    ({"large_grid": True, "special_drafting": "auto"}, True),
    ({"large_grid": True, "special_drafting": "no"}, False),
    ({"special_drafting": "yes", "drivers": 5}, True),
    ({"special_drafting": True}, True),
    ({"incidents": True}, False),
]


@pytest.mark.parametrize(("values", "one_draft"), REVISION_1)
def test_lx_5_2_options_of_revision_1_draft_once(values: dict[str, object], one_draft: bool) -> None:
    """LX-5.2 where there is special drafting; every other option is as it was, and so is its text."""
    read = Options.read(values, revision=1)
    assert read == Options.read({**values, "one_draft": one_draft})
    assert read.text == Options.read(values).text + " one_draft=yes" * one_draft
    assert Options.read(values, revision=2) == Options.read(values)
    assert Options.read_text(read.text, revision=2) == read
    with pytest.raises(BadOption, match="large_grid=maybe: write yes or no"):
        Options.read({"large_grid": "maybe"}, revision=1)


# The road and the table of points on a large grid


@pytest.mark.parametrize(("cars", "cards", "suits", "aside"), HANDS)
def test_lx_1_2_a_board_of_64_spaces_holds_the_field(cars: int, cards: int, suits: int, aside: int) -> None:
    """LC-6.6 ahead at most 2H - 1 spaces beyond the grid, behind it two for each car."""
    assert cars + max(cards - 1, cards + 1, 2 * cards - 1) + 2 * cars <= 64
    assert cars * cards + aside == 13 * suits
    assert cars * cards <= rules.MAX_DEALT
