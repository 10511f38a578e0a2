"""The oracle's own sanity: scenes of The Great Race worked out by hand from the clauses and the rulebook."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from paddock.core.words import CHANCE
from paddock.games.great_race.rules import state as k

from .great_race import DECK, FUNDS, PLANS, Car, Race, Scene
from .great_race_chart import TILE_TABLE, chart

TRACK, HERD, OUTLAWS, GRAVEL, AMBUSH, MUD, FORD = range(7)
SCREE = 12


def crew(pathfinder: int = 0, mechanics: int = 0, security: int = 0, funding: int = 0) -> dict[int, int]:
    return {k.PATHFINDER: pathfinder, k.MECHANICS: mechanics, k.SECURITY: security, k.FUNDING: funding}


def road(*cars: Car, tiles: Sequence[int | None] = (), lanes: int = 0, **scene: object) -> Race:
    """Return a Convoy phase on one line: city AA, six spaces of land (the fourth is risky), city BB.

    ``tiles`` are those from AA on. The destination is BB unless ``goal`` says otherwise.
    """
    names = ("leaders", "siphon", "customs_danger", "lanes_connect")
    options = {name: scene.pop(name) for name in names if name in scene}
    fares = [("AA", "CC", lanes)] if lanes else []
    g, at = chart(
        "AA .. .. .. ## .. .. BB\n~~ ~~ ~~ ~~ ~~ ~~ ~~ ~~\n~~ ~~ .. CC ~~ ~~ ~~ ~~",
        lanes=fares,
        players=len(cars),
        **options,
    )
    given: dict[str, object] = {"origin": at["AA"], "goal": at["BB"], "deck": [k.FINANCIAL] * 20, **scene}
    given["tiles"] = {1 + i: tile for i, tile in enumerate(tiles) if tile is not None}
    return Race(g, Scene(cars=cars, order=range(len(cars)), **given))


def idle(**fields: object) -> Car:
    """Return a car that has passed."""
    return Car(passed=True, **fields)


def play(race: Race, *moves: int, seat: int = 0) -> None:
    """Make the moves; each must be one that this seat alone is asked for."""
    for move in moves:
        assert race.who() == [seat]
        race.apply(seat, move)


def fall(race: Race, *outcomes: int) -> None:
    """Let chance fall so."""
    for outcome in outcomes:
        assert race.who() == [CHANCE]
        race.apply(CHANCE, outcome)


# The rulebook's own examples and answers


def test_the_trip_of_the_rulebook() -> None:
    """GR-7.2 1 + 2 + 1 petrol and one damage, taken on the chassis."""
    race = road(Car(crew=crew(mechanics=1)), idle(), tiles=[TRACK, MUD, GRAVEL], bag=[MUD])
    play(race, k.DRIVE, 1, 2, 3)
    assert race.stage == k.DAMAGE and race.legal(0) == [k.ENGINE, k.CHASSIS]
    play(race, k.CHASSIS)
    assert race.stage == k.STEP and race.legal(0) == [4, k.HALT]  # 1 petrol: not the mud again
    play(race, k.HALT)
    car = race.cars[0]
    assert (car.at, car.petrol, car.engine, car.chassis) == (3, 1, 5, 4)


def test_three_on_funding() -> None:
    """GR-6.7 the group of three assistants pays 40 F and is one action (GR-5.5)."""
    race = road(Car(crew=crew(funding=3, security=1), money=0), Car(crew=crew(funding=1)))
    play(race, k.FUND)
    assert race.cars[0].money == 40 and race.cars[0].crew[k.FUNDING] == 0
    assert race.who() == [1]
    assert FUNDS == {1: 10, 2: 20, 3: 40, 4: 70, 5: 110, 6: 110}


def test_two_spare_parts_and_a_bought_one() -> None:
    """GR-6.3 +3 in one action: two cards and a part for 20 F in a city."""
    car = Car(engine=4, chassis=2, money=50, hand=[k.ENGINE_PARTS, k.CHASSIS_PARTS], crew=crew(0, 1, 0, 1))
    race = road(car, idle())
    play(race, k.REPAIR)
    assert k.DONE not in race.legal(0)  # GR-6.10
    play(race, k.PLAY + k.ENGINE_PARTS)
    assert race.legal(0) == [k.PLAY + k.CHASSIS_PARTS, k.BUY_CHASSIS, k.DONE]
    play(race, k.PLAY + k.CHASSIS_PARTS, k.BUY_CHASSIS, k.DONE)
    assert (car.engine, car.chassis, car.money, car.hand) == (5, 4, 30, [])
    assert sorted(race.discard) == [k.ENGINE_PARTS, k.CHASSIS_PARTS] and race.stage == k.ACT


def test_the_final_scores_of_the_rulebook() -> None:
    """GR-9.3 blue: 5 + 2 levels + 10 F = 7; orange: 3 + 4 levels + 50 F = 8 and wins (GR-9.2)."""
    blue = Car(at=6, petrol=2, engine=1, chassis=1, money=10, crew=crew(mechanics=1))
    orange = Car(at=6, petrol=2, engine=2, chassis=2, money=50, crew=crew(mechanics=1))
    third = Car(at=5, money=500, crew=crew(funding=1))
    race = road(blue, orange, third, tiles=[TRACK] * 6)
    play(race, k.DRIVE, 7)
    assert race.cars[0].place == 1 and not race.over()
    play(race, k.DRIVE, 7, seat=1)
    play(race, k.FUND, seat=2)  # GR-9.2 the others complete their Convoy phase
    assert race.over() and race.who() == []
    assert [race.prestige(seat) for seat in range(3)] == [7, 8, 0]
    assert [race.rank(seat) for seat in range(3)] == [2, 1, 0]


def test_two_transport_cards_take_off_100_francs() -> None:
    """GR-7.9 several combine; no change is given; it is the whole action and costs 1 petrol."""
    car = Car(money=60, hand=[k.TRANSPORT, k.TRANSPORT], crew=crew(mechanics=1))
    race = road(car, idle(), lanes=160)
    x = next(x for x in race.cities if x not in (0, 7))
    play(race, k.DRIVE)
    assert k.SPACE + x not in race.legal(0) and k.PLAY + k.TRANSPORT in race.legal(0)
    play(race, k.PLAY + k.TRANSPORT)
    assert race.legal(0) == [k.PLAY + k.TRANSPORT]  # only lanes now, and 110 F are too much
    play(race, k.PLAY + k.TRANSPORT)
    assert race.legal(0) == [k.SPACE + x]
    play(race, k.SPACE + x)
    assert (car.at, car.money, car.petrol) == (x, 0, 4)
    fall(race, k.FINANCIAL)
    assert car.hand == [k.FINANCIAL]


def test_no_transport_card_where_the_fare_is_paid_off() -> None:
    """GR-7.9 never below 0: a further card would take nothing off."""
    car = Car(money=0, hand=[k.TRANSPORT, k.TRANSPORT], crew=crew(mechanics=1))
    race = road(car, idle(), lanes=50)
    play(race, k.DRIVE, k.PLAY + k.TRANSPORT)
    x = next(x for x in race.cities if x not in (0, 7))
    assert race.legal(0) == [k.SPACE + x]
    play(race, k.SPACE + x)
    assert car.money == 0


def test_a_jerrycan_instead_of_a_discard() -> None:
    """GR-3.2 the FAQ: above the hand limit a Jerrycan may be played, if petrol is below its maximum."""
    car = Car(petrol=4, chassis=1, hand=[k.JERRYCAN], crew=crew(pathfinder=2))
    race = road(car, idle())
    play(race, k.SUPPLY)
    fall(race, k.FINANCIAL)
    assert race.stage == k.DISCARD
    assert race.legal(0) == [k.PLAY + k.JERRYCAN, k.DROP_CARD + k.FINANCIAL, k.DROP_CARD + k.JERRYCAN]
    play(race, k.PLAY + k.JERRYCAN)
    assert (car.petrol, car.hand, race.stage) == (5, [k.FINANCIAL], k.ACT)


def test_a_drive_that_comes_back_costs_nothing() -> None:
    """GR-7.5 what cannot be paid sends the vehicle back; the tile stays; earlier steps stand."""
    car = Car(petrol=2, crew=crew(mechanics=2))
    race = road(car, idle(), tiles=[TRACK], bag=[MUD])
    play(race, k.DRIVE, 1, 2)
    fall(race, k.TILE_DRAWN + MUD)
    assert (car.at, car.petrol, race.tiles[2]) == (1, 1, MUD)
    assert race.stage == k.ACT


def test_a_jerrycan_on_unknown_land() -> None:
    """GR-7.5, GR-7.18 the driver is asked, because petrol is below its maximum and the hand not empty."""
    car = Car(petrol=1, hand=[k.JERRYCAN], crew=crew(mechanics=1))
    race = road(car, idle(), bag=[MUD])
    play(race, k.DRIVE, 1)
    fall(race, k.TILE_DRAWN + MUD)
    assert race.stage == k.ARRIVAL and race.legal(0) == [k.PLAY + k.JERRYCAN, k.DECLINE]
    play(race, k.PLAY + k.JERRYCAN)
    assert (car.at, car.petrol) == (1, 0)
    assert race.legal(0) == [k.HALT]  # GR-7.17


@pytest.mark.parametrize("card", [k.RANSOM, k.SIPHONER, k.SABOTEUR, k.CON_ARTIST, k.TRAIL_HUNTER])
def test_a_guard_counters_a_danger_card(card: int) -> None:
    """GR-6.5, GR-10.20 even after passing, and of a crew far away (GR-10.23)."""
    victim = idle(at=6, crew=crew(security=1))
    actor = Car(hand=[card], crew=crew(funding=1))
    race = road(actor, victim, tiles=[TRACK, MUD, None, None, None, TRACK])
    play(race, k.PLAY + card)
    if card in (k.CON_ARTIST, k.TRAIL_HUNTER):
        assert race.legal(0) == [1, 2]  # not the tile with a vehicle
        play(race, 1, 2)
    else:
        play(race, k.SEAT + 1)
    if card == k.SABOTEUR:
        play(race, k.ENGINE, k.CHASSIS)
    assert race.stage == k.CANCEL and race.legal(1) == [k.GUARD, k.DECLINE]
    play(race, k.GUARD, seat=1)
    assert victim.crew[k.SECURITY] == 0
    assert (victim.money, victim.petrol, victim.engine, victim.chassis) == (80, 5, 5, 5)
    assert race.tiles[1] == TRACK and race.discard == [card]
    assert race.who() == [0] and race.stage == k.ACT


def test_danger_cards_that_nobody_cancels() -> None:
    """GR-10.1, GR-10.2, GR-10.6, GR-10.16, GR-10.17 without guards and cards nobody is asked (GR-10.21)."""
    victim = idle(money=15, petrol=1, engine=1, chassis=5)
    hand = [k.RANSOM, k.SIPHONER, k.SABOTEUR, k.CON_ARTIST, k.TRAIL_HUNTER]
    race = road(Car(hand=hand, crew=crew(funding=1)), victim, tiles=[TRACK, MUD, FORD])
    play(race, k.PLAY + k.RANSOM, k.SEAT + 1)
    assert victim.money == 0
    play(race, k.PLAY + k.SIPHONER, k.SEAT + 1)
    assert victim.petrol == 0
    play(race, k.PLAY + k.SABOTEUR, k.SEAT + 1, k.ENGINE)  # GR-10.27: the second level by itself
    assert (victim.engine, victim.chassis) == (0, 4)
    play(race, k.PLAY + k.CON_ARTIST, 1, 3)
    assert race.tiles == {1: FORD, 2: MUD, 3: TRACK}
    play(race, k.PLAY + k.TRAIL_HUNTER, 1, 3)
    assert race.tiles == {2: MUD} and sorted(race.removed) == [TRACK, FORD]


def test_a_finisher_is_out_of_reach() -> None:
    """GR-9.1, GR-9.5 no target, nothing in hand; a finish by Driver card ends the sequence."""
    car = Car(at=6, petrol=3, hand=[k.DRIVER, k.JERRYCAN], crew=crew(mechanics=2))
    other = Car(hand=[k.SABOTEUR, k.RANSOM, k.SIPHONER, k.CUSTOMS], crew=crew(funding=1))
    race = road(car, other, tiles=[None] * 5 + [TRACK])
    play(race, k.PLAY + k.DRIVER, 7)
    assert (car.place, car.petrol, car.hand, car.passed) == (1, 2, [], True)
    assert sorted(race.discard) == [k.DRIVER, k.JERRYCAN]
    assert not {m for m in race.legal(1) if k.PLAY <= m < k.TAKE_CARD}


# Set-up, bivouac, planning, maintenance


def test_gr_1_the_lots_of_a_half_map() -> None:
    """GR-1.3, GR-1.4, GR-1.7, GR-1.12 who begins, where it ends, three of the numbers 1, 1, 2, 2."""
    g, at = chart(
        "AA .. PP\n.. .. ..\n.. .. QQ\n.. .. ..\n.. .. RR",
        players=3,
        origin="AA",
        ends=["PP", "QQ", "RR"],
        tokens=["PP", "QQ", "RR"],
    )
    race = Race(g)
    assert race.outcomes() == {k.FIRST: 1, k.FIRST + 1: 1, k.FIRST + 2: 1}
    fall(race, k.FIRST + 1)
    assert race.order == [1, 2, 0] and [car.money for car in race.cars] == [70, 80, 80]
    assert race.outcomes() == {k.END: 1, k.END + 1: 1, k.END + 2: 1}
    fall(race, k.END + 1)
    assert race.goal == at["QQ"] and race.cities[at["QQ"]] == 1
    assert race.outcomes() == {k.NUMBER + 1: 2, k.NUMBER + 2: 2}
    fall(race, k.NUMBER + 2)
    assert race.outcomes() == {k.NUMBER + 1: 2, k.NUMBER + 2: 1}
    fall(race, k.NUMBER + 2)
    assert (race.cities[at["PP"]], race.cities[at["RR"]]) == (2, 2)
    assert race.stage == k.DEAL and race.outcomes() == DECK


def test_gr_3_1_bivouac() -> None:
    """GR-3.1 in reverse turn order, and what is left for the last player; GR-3.2 at once."""
    g, _ = chart("AA .. BB", players=2, origin="AA", goal="BB")
    race = Race(g)
    fall(race, k.FIRST, k.JERRYCAN, k.GUIDE, k.GUIDE)
    assert race.who() == [1] and race.legal(1) == [k.TAKE_CARD + k.JERRYCAN, k.TAKE_CARD + k.GUIDE]
    play(race, k.TAKE_CARD + k.JERRYCAN, seat=1)
    play(race, k.TAKE_CARD + k.GUIDE)
    assert race.cars[1].hand == [k.JERRYCAN, k.GUIDE]
    assert race.stage == k.PLANS_STAGE and race.who() == [0, 1]
    assert race.legal(0) == race.legal(1) == list(range(k.PLAN, k.PLAN + 56))
    race.apply(1, k.PLAN)
    assert race.who() == [0] and race.cars[1].crew == {}  # in secret
    race.apply(0, k.PLAN + 55)
    assert race.cars[1].crew == crew(funding=5) and race.cars[0].crew == crew(pathfinder=5)


def test_the_plans() -> None:
    """GR-4.1, GR-11.4 every way to place five assistants, then every way to place six."""
    assert len(PLANS) == k.PLANS and len(set(PLANS)) == 56 + 84
    assert PLANS[:3] == [(0, 0, 0, 5), (0, 0, 1, 4), (0, 0, 2, 3)] and PLANS[55] == (5, 0, 0, 0)
    assert PLANS[56] == (0, 0, 0, 6) and PLANS[-1] == (6, 0, 0, 0)
    assert sum(DECK.values()) == 59
    assert [sum(row[i] for row in TILE_TABLE) for i in (5, 6)] == [100, 80]


def test_gr_8_maintenance() -> None:
    """GR-8.1, GR-8.2 the farthest first; on one progress space who arrived first; 20 F and 10 F."""
    cars = [
        Car(at=1, money=0, crew=crew(mechanics=1)),
        Car(at=0, money=0, crew=crew(mechanics=1)),
        Car(at=0, money=0, crew=crew(mechanics=1, funding=1)),
    ]
    race = road(*cars, tiles=[TRACK, TRACK])
    play(race, k.DRIVE, 2, k.HALT)
    play(race, k.DRIVE, 1, 2, k.HALT, seat=1)
    play(race, k.DRIVE, 1, k.HALT, seat=2)
    play(race, k.FUND, seat=2)
    assert race.order == [0, 1, 2] and [car.money for car in cars] == [20, 10, 10]
    assert race.round == 2 and race.stage == k.DEAL


def test_gr_7_21_a_token_that_comes_back_goes_on_top() -> None:
    cars = [Car(at=1, crew=crew(mechanics=1)), Car(at=1, crew=crew(funding=1))]
    race = road(*cars, tiles=[TRACK, TRACK])
    play(race, k.DRIVE, 2, 1, k.HALT)
    play(race, k.FUND, seat=1)
    assert race.order == [1, 0]


# Convoy and assistants


def test_gr_5_2_petrol() -> None:
    """GR-5.2, GR-5.14 10 F a level in a city, 20 F elsewhere, once, before any card (GR-5.11)."""
    car = Car(petrol=1, money=35, hand=[k.FINANCIAL], crew=crew(funding=1))
    race = road(car, idle())
    assert [m for m in race.legal(0) if k.BUY < m < k.VERBS] == [k.BUY + 1, k.BUY + 2, k.BUY + 3]
    play(race, k.BUY + 1)
    assert (car.petrol, car.money) == (2, 25)
    assert race.legal(0) == [k.PLAY + k.FINANCIAL, k.FUND, k.PASS]
    wild = road(Car(at=1, petrol=1, money=35, crew=crew(funding=1)), idle(), tiles=[TRACK])
    assert [m for m in wild.legal(0) if k.BUY < m < k.VERBS] == [k.BUY + 1]
    other = Car(petrol=1, hand=[k.JERRYCAN], crew=crew(funding=1))
    closed = road(other, idle())
    play(closed, k.PLAY + k.JERRYCAN)
    assert other.petrol == 2 and closed.legal(0) == [k.FUND, k.PASS]


def test_gr_5_4_a_pass_keeps_security() -> None:
    car = Car(crew=crew(1, 1, 2, 1))
    race = road(car, Car(crew=crew(funding=2)), tiles=[TRACK])
    play(race, k.PASS)
    assert car.crew == {k.SECURITY: 2} and race.who() == [1]
    play(race, k.FUND, seat=1)
    assert race.round == 2


def test_gr_5_8_the_last_assistant_goes_as_a_guard() -> None:
    """GR-5.8 the sequence ends, without a pass."""
    car = Car(hand=[k.DRIVER], crew=crew(security=1))
    race = road(car, Car(crew=crew(funding=1)), tiles=[OUTLAWS])
    play(race, k.PLAY + k.DRIVER, 1)
    assert race.stage == k.DANGER and race.legal(0) == [k.GUARD, k.DECLINE]
    play(race, k.GUARD, k.HALT)
    assert race.who() == [1] and not car.passed and car.engine == 5


def test_gr_6_1_scouting() -> None:
    """GR-6.1, GR-6.8 both drawn first; a tile just placed counts; what does not fit goes back."""
    car = Car(at=5, crew=crew(pathfinder=2))
    race = road(car, idle(), tiles=[None, None, None, TRACK, TRACK], bag=[MUD, MUD, FORD])
    play(race, k.SCOUT)
    fall(race, k.TILE_DRAWN + MUD, k.TILE_DRAWN + FORD)
    assert race.stage == k.PLACE_TILE and race.legal(0) == [k.TILE + MUD, k.TILE + FORD]
    play(race, k.TILE + FORD)
    assert race.legal(0) == [3, 6]
    play(race, 6)
    assert race.stage == k.PLACE_SPACE and race.legal(0) == [3]  # BB counts, but has no other neighbour
    play(race, 3)
    assert race.tiles[6] == FORD and race.tiles[3] == MUD and race.bag == [MUD]
    full = road(Car(at=1, crew=crew(pathfinder=1)), idle(), tiles=[TRACK] * 5, bag=[MUD, MUD])
    play(full, k.SCOUT)
    fall(full, k.TILE_DRAWN + MUD, k.TILE_DRAWN + MUD)
    play(full, 6)
    assert full.bag == [MUD] and full.round == 2


def test_gr_1_6_an_empty_bag() -> None:
    """GR-1.6, GR-1.9 tiles that left the game go back; if there are too few, fewer are drawn."""
    race = road(Car(crew=crew(pathfinder=2)), idle(), removed=[SCREE])
    play(race, k.SCOUT)
    assert race.outcomes() == {k.TILE_DRAWN + SCREE: 1} and race.removed == []
    fall(race, k.TILE_DRAWN + SCREE)
    play(race, 1)
    assert race.tiles == {1: SCREE} and k.SCOUT not in race.legal(0)


def test_gr_6_1_lanes_connect() -> None:
    """GR-6.1 lanes connect cities only with the option."""
    for connect in (0, 1):
        race = road(Car(crew=crew(pathfinder=1)), idle(), lanes=100, bag=[MUD], lanes_connect=connect)
        play(race, k.SCOUT)
        fall(race, k.TILE_DRAWN + MUD)
        assert race.legal(0) == ([1, 8] if connect else [1])


def test_gr_6_6_clear_the_way() -> None:
    """GR-6.6 a connected tile without a vehicle, out of the game."""
    car = Car(at=1, crew=crew(security=2))
    race = road(car, idle(at=2), tiles=[TRACK, TRACK, FORD, None, MUD])
    play(race, k.CLEAR)
    assert race.legal(0) == [3]
    play(race, 3)
    assert race.removed == [FORD] and car.crew[k.SECURITY] == 1
    assert race.legal(0) == [k.PASS]  # what is left is not connected, or has a vehicle


def test_gr_6_10_a_toolbox() -> None:
    """GR-6.10 level by level, by itself where only one gauge has room; what has no room is lost."""
    car = Car(at=1, engine=4, chassis=4, money=0, hand=[k.TOOLBOX], crew=crew(mechanics=1))
    race = road(car, idle(), tiles=[TRACK])
    play(race, k.REPAIR, k.PLAY + k.TOOLBOX)
    assert race.stage == k.TOOLBOX_LEVEL and race.legal(0) == [k.ENGINE, k.CHASSIS]
    play(race, k.CHASSIS)
    assert (car.engine, car.chassis, race.round) == (5, 5, 2)


# Driving


def test_gr_7_3_danger_must_be_avoided_where_it_cannot_be_paid() -> None:
    """GR-7.4 a Militia of the driver counts, and then it must be used; without one the step is not legal."""
    car = Car(engine=1, chassis=0, hand=[k.MILITIA], crew=crew(mechanics=1))
    race = road(car, idle(), tiles=[OUTLAWS])
    # The hand limit is 0, but a scene begins with what it says.
    play(race, k.DRIVE, 1)
    assert race.stage == k.DANGER and race.legal(0) == [k.PLAY + k.MILITIA]
    play(race, k.PLAY + k.MILITIA)
    assert (car.at, car.engine, car.petrol) == (1, 1, 4)
    bare = road(Car(engine=1, chassis=0, money=0, crew=crew(mechanics=1)), idle(), tiles=[OUTLAWS])
    assert bare.legal(0) == [k.PASS]


def test_gr_7_3_a_danger_costs_two_damage() -> None:
    """GR-7.3, GR-7.10, GR-7.15 the engine may be broken by choice, and then the action ends."""
    car = Car(engine=2, crew=crew(mechanics=2))
    race = road(car, idle(), tiles=[AMBUSH, TRACK])
    play(race, k.DRIVE, 1, k.ENGINE, k.ENGINE)
    assert (car.at, car.engine, car.chassis) == (1, 0, 4)  # the third point by itself
    assert race.stage == k.ACT and k.DRIVE not in race.legal(0)


def test_gr_7_6_stop_sign_and_guide() -> None:
    """GR-7.6, GR-7.19 asked where a step is left and the hand is not empty."""
    car = Car(hand=[k.GUIDE], crew=crew(mechanics=2))
    race = road(car, idle(), tiles=[HERD, HERD])
    play(race, k.DRIVE, 1)
    assert race.stage == k.STOP_SIGN and race.legal(0) == [k.PLAY + k.GUIDE, k.DECLINE]
    play(race, k.PLAY + k.GUIDE, 2)
    assert race.stage == k.ACT and car.at == 2  # no card left: nobody is asked
    other = Car(hand=[k.MILITIA], crew=crew(mechanics=1))
    asked = road(other, idle(), tiles=[HERD])
    play(asked, k.DRIVE, 1)
    assert asked.legal(0) == [k.DECLINE]  # GR-10.21: to be asked tells nothing


def test_gr_7_7_risk_zone() -> None:
    """GR-7.7 1 petrol more for the tile there."""
    car = Car(at=3, petrol=3, crew=crew(mechanics=1))
    race = road(car, idle(), tiles=[None, None, TRACK, MUD])
    play(race, k.DRIVE, 4)
    assert car.petrol == 0 and race.legal(0) == [k.HALT]


def test_gr_7_8_a_city() -> None:
    """GR-7.8, GR-7.16 1 petrol, its cards, then the hand limit; also the start city."""
    car = Car(at=1, chassis=1, hand=[k.GUIDE], crew=crew(mechanics=2))
    race = road(car, idle(), tiles=[TRACK])
    play(race, k.DRIVE, 0)
    fall(race, k.FINANCIAL)
    assert race.stage == k.DISCARD and car.petrol == 4
    play(race, k.DROP_CARD + k.GUIDE)
    assert car.hand == [k.FINANCIAL] and race.stage == k.ACT


def test_gr_7_20_damage_brings_the_hand_limit_once() -> None:
    car = Car(chassis=3, hand=[k.GUIDE, k.MILITIA, k.DRIVER], crew=crew(mechanics=1))
    race = road(car, idle(), tiles=[SCREE])
    play(race, k.DRIVE, 1, k.CHASSIS)
    assert race.stage == k.DAMAGE and car.at == 0
    play(race, k.CHASSIS)
    assert race.stage == k.DISCARD and car.at == 1
    play(race, k.DROP_CARD + k.GUIDE, k.DROP_CARD + k.DRIVER)
    assert race.stage == k.STEP


# Cards and leaders


def test_gr_10_15_tracker() -> None:
    """GR-10.15, GR-10.25, GR-10.29 one of three is discarded face up; then the hand limit."""
    car = Car(chassis=1, hand=[k.TRACKER], crew=crew(funding=1))
    race = road(car, idle(), deck=[k.GUIDE, k.DRIVER], discard=[k.JERRYCAN, k.JERRYCAN])
    play(race, k.PLAY + k.TRACKER)
    fall(race, k.GUIDE, k.DRIVER)
    assert race.outcomes() == {k.JERRYCAN: 2} and race.discard == []  # GR-1.8: the Tracker is not there yet
    fall(race, k.JERRYCAN)
    assert race.stage == k.KEEP
    assert race.legal(0) == [k.DROP_CARD + card for card in (k.DRIVER, k.JERRYCAN, k.GUIDE)]
    play(race, k.DROP_CARD + k.JERRYCAN)
    assert race.stage == k.DISCARD and k.JERRYCAN in race.discard
    play(race, k.DROP_CARD + k.GUIDE)
    assert car.hand == [k.DRIVER] and race.stage == k.ACT


def test_gr_10_18_customs() -> None:
    """GR-10.18, GR-10.28 two cards of its own choice, a Jerrycan before either; a danger with the option."""
    victim = idle(petrol=1, hand=[k.JERRYCAN, k.GUIDE])
    race = road(Car(hand=[k.CUSTOMS], crew=crew(funding=1)), victim)
    play(race, k.PLAY + k.CUSTOMS, k.SEAT + 1)
    assert race.stage == k.CUSTOMS_DISCARD
    play(race, k.DROP_CARD + k.GUIDE, seat=1)
    assert race.legal(1) == [k.PLAY + k.JERRYCAN, k.DROP_CARD + k.JERRYCAN]
    play(race, k.PLAY + k.JERRYCAN, seat=1)
    assert victim.petrol == 2 and victim.hand == [] and race.who() == [0]
    danger = road(Car(hand=[k.CUSTOMS], crew=crew(funding=1)), idle(hand=[k.MILITIA]), customs_danger=1)
    play(danger, k.PLAY + k.CUSTOMS, k.SEAT + 1)
    assert danger.stage == k.CANCEL and danger.legal(1) == [k.PLAY + k.MILITIA, k.DECLINE]


def test_gr_10_22_asked_in_turn_order_until_one_cancels() -> None:
    cars = [
        Car(hand=[k.TRAIL_HUNTER], crew=crew(funding=1)),
        idle(),  # no guard, no card: not asked
        idle(hand=[k.GUIDE]),
        idle(hand=[k.MILITIA]),
    ]
    race = road(*cars, tiles=[TRACK])
    play(race, k.PLAY + k.TRAIL_HUNTER, 1)
    assert race.who() == [2] and race.legal(2) == [k.DECLINE]
    play(race, k.DECLINE, seat=2)
    play(race, k.PLAY + k.MILITIA, seat=3)
    assert race.tiles == {1: TRACK} and race.discard == [k.MILITIA, k.TRAIL_HUNTER]


def test_gr_10_26_sabotage_brings_the_hand_limit() -> None:
    victim = idle(chassis=2, hand=[k.GUIDE, k.GUIDE])
    race = road(Car(hand=[k.SABOTEUR], crew=crew(funding=1)), victim)
    play(race, k.PLAY + k.SABOTEUR, k.SEAT + 1, k.CHASSIS, k.CHASSIS)
    assert race.stage == k.CANCEL and victim.chassis == 2
    play(race, k.DECLINE, seat=1)
    play(race, k.DROP_CARD + k.GUIDE, k.DROP_CARD + k.GUIDE, seat=1)
    assert race.who() == [0] and victim.hand == []


def test_gr_10_19_topographer() -> None:
    """GR-10.19, GR-10.24 two of four are chosen first, the other two leave the game."""
    car = Car(hand=[k.TOPOGRAPHER], crew=crew(funding=1))
    race = road(car, idle(), bag=[MUD, FORD, SCREE, TRACK])
    play(race, k.PLAY + k.TOPOGRAPHER)
    fall(race, *(k.TILE_DRAWN + tile for tile in (MUD, FORD, SCREE, TRACK)))
    assert race.stage == k.PICK_TILE and len(race.legal(0)) == 4
    play(race, k.TILE + TRACK, k.TILE + FORD)
    assert sorted(race.removed) == [MUD, SCREE]
    play(race, k.TILE + TRACK, 1)
    play(race, 2)
    assert race.tiles == {1: TRACK, 2: FORD}


def test_gr_11_1_cook() -> None:
    """GR-11.1, GR-11.10 a guard of his own, once a turn, which does not count as an assistant."""
    cook = Car(leader=k.COOK, crew=crew(funding=1, pathfinder=1))
    race = road(cook, Car(hand=[k.RANSOM], crew=crew(funding=2)), tiles=[TRACK], leaders=1)
    play(race, k.COOK_CLEAR, 1)
    assert cook.power_used and sum(cook.crew.values()) == 2 and race.who() == [1]
    play(race, k.PLAY + k.RANSOM, k.SEAT, seat=1)
    assert cook.money == 60  # no guard and no card left: not asked
    guarded = idle(leader=k.COOK)
    race = road(guarded, Car(hand=[k.RANSOM], crew=crew(funding=2)), leaders=1)
    play(race, k.PLAY + k.RANSOM, k.SEAT, seat=1)
    play(race, k.COOK_GUARD, seat=0)
    assert guarded.power_used and guarded.money == 80


def test_gr_11_2_boris_and_gr_11_4_li() -> None:
    """GR-11.2 6 on each gauge; GR-11.4 6 assistants on odd game turns."""
    g, _ = chart("AA .. BB", players=2, origin="AA", goal="BB", leaders=1)
    race = Race(g)
    fall(race, k.FIRST + 1)
    assert race.who() == [1] and race.legal(1) == list(range(k.LEADER, k.LEADER + 5))
    play(race, k.LEADER + k.BORIS, seat=1)
    play(race, k.LEADER + k.LI)
    boris = race.cars[1]
    assert (boris.petrol, boris.engine, boris.chassis) == (6, 6, 6)
    fall(race, k.TOPOGRAPHER, k.TOPOGRAPHER, k.GUIDE)
    play(race, k.TAKE_CARD + k.TOPOGRAPHER)
    play(race, k.TAKE_CARD + k.TOPOGRAPHER, seat=1)
    assert race.legal(0) == list(range(k.PLAN + 56, k.PLAN + 140))
    assert race.legal(1) == list(range(k.PLAN, k.PLAN + 56))


def test_gr_11_3_the_baron() -> None:
    """GR-11.3, GR-11.8 draws 3 and keeps the city's number, before the hand limit."""
    baron = Car(at=1, leader=k.BARON, crew=crew(mechanics=1))
    race = road(baron, idle(), tiles=[TRACK], deck=[k.GUIDE, k.DRIVER, k.MILITIA], leaders=1)
    play(race, k.DRIVE, 0)
    fall(race, k.GUIDE, k.DRIVER, k.MILITIA)
    assert race.stage == k.KEEP
    play(race, k.DROP_CARD + k.GUIDE, k.DROP_CARD + k.MILITIA)
    assert baron.hand == [k.DRIVER] and Counter([*race.discard, *race.deck]) == Counter([k.GUIDE, k.MILITIA])


def test_gr_11_5_kate() -> None:
    """GR-11.5, GR-11.7, GR-11.9 a card by lot, unless the victim pays 20 F to her."""
    for answer in (k.PAY, k.DECLINE, k.PLAY + k.JERRYCAN):
        kate = Car(leader=k.KATE, crew=crew(funding=1))
        victim = idle(petrol=1, hand=[k.JERRYCAN])
        race = road(kate, victim, leaders=1)
        play(race, k.STEAL, k.SEAT + 1)
        assert race.legal(1) == [k.PLAY + k.JERRYCAN, k.PAY, k.DECLINE]
        play(race, answer, seat=1)
        if answer == k.DECLINE:
            fall(race, k.JERRYCAN)
            assert kate.hand == [k.JERRYCAN]
        assert (kate.money, victim.money) == ((100, 60) if answer == k.PAY else (80, 80))
        assert kate.power_used and race.legal(0) == [k.FUND, k.PASS]
    poor = idle(money=19, hand=[k.GUIDE])
    race = road(Car(leader=k.KATE, crew=crew(funding=1)), poor, leaders=1)
    play(race, k.STEAL, k.SEAT + 1)
    assert race.outcomes() == {k.GUIDE: 1}


def test_gr_9_4_the_turn_limit() -> None:
    """GR-9.4, GR-9.6 nobody is ranked."""
    race = road(Car(crew=crew(funding=1)), idle(), round=60)
    play(race, k.FUND)
    assert race.over() and [race.rank(seat) for seat in (0, 1)] == [0, 0]


def test_random_races_end() -> None:
    """GR-9.4 whatever is played; the checks of the oracle hold after every step."""
    for seed in range(6):
        choose = random.Random(seed)
        g, _ = chart(
            "AA .. ## .. BB\n.. .. .. ## ..\n.. CC .. .. ..",
            players=choose.randint(2, 5),
            origin="AA",
            goal="BB",
            lanes=[("AA", "CC", 80)],
            leaders=seed % 2,
            max_turns=6,
        )
        race = Race(g)
        while not race.over():
            due = race.outcomes()
            if due:
                race.apply(CHANCE, choose.choices(list(due), list(due.values()))[0])
            else:
                seat = choose.choice(race.who())
                race.apply(seat, choose.choice(race.legal(seat)))
        assert race.arrived or race.round == 6
