"""GR-6 what assistants do: scouting, supply, repairs, guarding, clearing the way, funding."""

from __future__ import annotations

import pytest

from .scenes import Race, scene

ROAD = "AA .. .. .. .. BB"
FIELD = """
AA .. .. .. .. BB
.. .. ## CC .. ..
.. .. .. .. .. ..
"""


def spaces(race: Race, seat: int = 1) -> set[str]:
    """The spaces that a player may name."""
    return set(race.legal(seat)) - {"halt", "play jerrycan"}


# Scouting


def test_gr_6_1_two_tiles_are_drawn_and_both_are_placed() -> None:
    """GR-6.1 one after the other, on free land that is connected to the vehicle; the assistant is spent."""
    race = scene(FIELD, bag="mud track gravel", crews={1: "1-0-0-1"}).run("1:scout")
    assert race.told == ["used 1 scout"]
    assert (race.crew(1), race.question) == ("0-0-0-1", (0, "draw tile"))
    assert race.outcomes() == {"track": 1, "gravel": 1, "mud": 1}
    race.run("0:mud")
    assert (race.told, race.outcomes()) == (["drew tile 1 mud"], {"track": 1, "gravel": 1})
    race.run("0:track")
    assert race.question == (1, "place tile")
    assert race.legal(1) == ["tile track", "tile mud"]
    race.run("1:tile mud")
    assert (race.question, spaces(race)) == ((1, "place"), {"1a", "0b"})
    race.run("1:1a")
    assert race.told == ["placed 1 mud 1a"]
    assert (race.question, spaces(race)) == ((1, "place"), {"0b", "1b", "2a", "2b"})
    race.run("1:2b")
    assert (race.tiles, race.bag) == ({"1a": "mud", "2b": "track"}, "gravel")
    assert race.question == (1, "act")


def test_gr_6_1_a_tile_that_was_just_placed_counts() -> None:
    """GR-6.1 the second may lie behind the first, or elsewhere; FAQ: not next to the other tile."""
    race = scene(FIELD, bag="mud glacier").run("1:scout, 0:mud, 0:glacier, 1:tile glacier")
    assert "2b" not in spaces(race)
    race.run("1:1a")
    assert "2b" in spaces(race)
    race.run("1:0b")  # a bad tile where the player does not want to go
    assert race.tiles == {"1a": "glacier", "0b": "mud"}


def test_gr_6_1_never_on_a_city_which_connects() -> None:
    """GR-6.1 the rulebook: a city can be used as a link between two tiles."""
    race = scene(FIELD, at={1: "2b"}, tiles={"2b": "track"}, bag="mud mud").run("1:scout, 0:mud, 0:mud")
    assert spaces(race) == {"1a", "1b", "2a", "2c", "3a", "3c", "4b", "4c"}


def test_gr_6_1_not_where_it_is_not_connected_to_the_vehicle() -> None:
    """GR-6.1 the rulebook's second example: beside a tile that does not belong to the own path."""
    race = scene(FIELD, tiles={"4c": "track", "5c": "track"}, bag="mud mud")
    race.run("1:scout, 0:mud, 0:mud")
    assert spaces(race) == {"1a", "0b"}


def test_gr_6_1_lanes_connect_only_where_the_option_says_so() -> None:
    """GR-6.1 lanes_connect, off by default; for clearing too."""
    words = {"lanes": ["AA CC air 100"], "tiles": {"4b": "track"}, "bag": "mud mud"}
    race = scene(FIELD, **words)
    assert "clear" not in race.legal(1)
    race.run("1:scout, 0:mud, 0:mud")
    assert spaces(race) == {"1a", "0b"}
    race = scene(FIELD, lanes_connect=True, **words)
    assert race.copy().run("1:clear").legal(1) == ["4b"]
    race.run("1:scout, 0:mud, 0:mud")
    assert spaces(race) == {"1a", "0b", "2b", "2c", "3a", "3c", "4a", "4c", "5b"}


def test_gr_6_1_a_lane_connects_in_both_directions() -> None:
    """GR-6.1 whichever end the vehicle's path reaches; one lane after the other."""
    words = {"lanes": ["CC AA air 100", "BB CC sea 90"], "bag": "mud mud", "lanes_connect": True}
    race = scene(FIELD, **words).run("1:scout, 0:mud, 0:mud")
    assert {"4a", "5b"} <= spaces(race)  # beside BB


def test_gr_6_1_tiles_that_fit_nowhere_go_back_into_the_bag() -> None:
    """GR-6.1, GR-6.8 when no space is left; the others are on the map."""
    road = {"1a": "track", "2a": "track", "3a": "track"}
    race = scene(ROAD, tiles=road, bag="mud gravel").run("1:scout, 0:mud, 0:gravel")
    assert race.question == (1, "place tile")
    race.run("1:tile gravel")
    assert race.legal(1) == ["4a"]
    race.run("1:4a")
    assert race.told == ["placed 1 gravel 4a", "returned mud"]
    assert (race.bag, race.removed, race.question) == ("mud", "", (1, "act"))


def test_gr_6_1_fewer_tiles_where_there_are_fewer() -> None:
    """GR-6.1, GR-1.6, GR-1.9 removed tiles come back into an empty bag; then there is none to draw."""
    race = scene(FIELD, bag="mud", removed="scree").run("1:scout, 0:mud")
    assert (race.outcomes(), race.removed) == ({"scree": 1}, "")
    race = scene(FIELD, bag="mud").run("1:scout, 0:mud")
    assert race.question == (1, "place")
    assert race.run("1:1a").question == (1, "act")


# Supply


def test_gr_6_2_a_card_of_the_deck() -> None:
    """GR-6.2 one card, which only its owner sees; GR-3.2 applies."""
    race = scene(ROAD, deck="guide 2*militia", crews={1: "1-0-0-1"}).run("1:supply")
    assert (race.crew(1), race.question) == ("0-0-0-1", (0, "draw card"))
    assert race.outcomes() == {"militia": 2, "guide": 1}
    assert [race.seen(eyes, 0, "guide") for eyes in ((1,), (2,), ())] == ["guide", "?", "?"]
    race.run("0:guide")
    assert race.told == ["drew 1 guide (to [1])"]
    assert (race.hand(1), race.deck, race.question) == ("guide", "militia militia", (1, "act"))


# Repairs


def test_gr_6_3_two_spare_parts_and_a_bought_one() -> None:
    """GR-6.3 the rulebook's example: +3, split +1 on the engine and +2 on the chassis, 20 F in a city."""
    race = scene(
        ROAD, engine={1: 2}, chassis={1: 3}, hands={1: "engine-parts chassis-parts"}, crews={1: "0-1-0-1"}
    )  # fmt: skip
    race.run("1:repair")
    assert race.crew(1) == "0-0-0-1"
    race.run("1:play engine-parts, 1:play chassis-parts, 1:buy-chassis")
    assert race.told == ["mended 1 chassis 20"]
    assert (race.gauges(1), race.money(1), race.stage) == ((5, 3, 5), 60, "mend")
    race.run("1:done")
    assert race.discard == "engine-parts chassis-parts"
    assert race.question == (1, "act")


def test_gr_6_3_a_part_costs_20_f_in_a_city_and_40_f_elsewhere() -> None:
    """GR-6.3 any number, on engine or chassis, as long as there is money."""
    for space, money, bought in (("AA", 59, 2), ("AA", 60, 3), ("1a", 79, 1), ("1a", 80, 2)):
        for verb in ("buy-engine", "buy-chassis"):
            race = scene(
                ROAD, at={1: space}, tiles={"1a": "mud"}, engine={1: 1}, chassis={1: 1}, money={1: money}
            ).run("1:repair")
            for n in range(bought):
                assert {"buy-engine", "buy-chassis"} <= set(race.legal(1))
                race.play(1, verb)
                assert race.gauges(1) == ((5, 2 + n, 1) if verb == "buy-engine" else (5, 1, 2 + n))
            assert race.legal(1) == ["done"]
            assert race.money(1) == money - bought * (20 if space == "AA" else 40)


def test_gr_6_3_never_above_the_maximum() -> None:
    """GR-6.3 what has no room is not offered; with both gauges full the repair ends by itself."""
    race = scene(ROAD, engine={1: 4}, chassis={1: 4}, hands={1: "2*engine-parts chassis-parts toolbox"})
    race.run("1:repair, 1:play engine-parts")
    assert race.legal(1) == ["play chassis-parts", "play toolbox", "buy-chassis", "done"]
    race.run("1:buy-chassis")
    assert (race.gauges(1), race.question) == ((5, 5, 5), (1, "act"))
    boris = scene(ROAD, engine={1: 5}, chassis={1: 6}, leaders=("boris", "kate")).run("1:repair")
    assert boris.legal(1) == ["buy-engine"]
    assert boris.run("1:buy-engine").engine(1) == 6


def test_gr_6_3_a_toolbox_is_three_levels_split_freely() -> None:
    """GR-6.3 on one gauge or both."""
    for split in ("engine engine engine", "engine engine chassis", "chassis engine chassis"):
        race = scene(ROAD, engine={1: 1}, chassis={1: 1}, hands={1: "toolbox"})
        race.run("1:repair, 1:play toolbox")
        for gauge in split.split():
            assert (race.question, race.legal(1)) == ((1, "toolbox"), ["engine", "chassis"])
            race.play(1, gauge)
        engine = split.split().count("engine")
        assert (race.gauges(1), race.stage) == ((5, 1 + engine, 4 - engine), "mend")
        assert (race.money(1), race.discard) == (80, "toolbox")


def test_gr_6_4_a_pilot_drives_as_many_steps_as_the_engine_has_levels() -> None:
    """GR-6.4 as GR-7 says; the assistant is spent."""
    track = dict.fromkeys(("1a", "2a", "3a", "4a"), "track")
    for levels in (1, 2, 3):
        race = scene(ROAD, tiles=track, engine={1: levels}, crews={1: "0-1-0-1"}).run("1:drive")
        assert (race.crew(1), race.stage) == ("0-0-0-1", "step")
        for n in range(levels):
            assert race.stage == "step"
            race.run(f"1:{n + 1}a")
        assert (race.at(1), race.question, race.petrol(1)) == (f"{levels}a", (1, "act"), 5 - levels)


# Security


def test_gr_6_5_a_guard_avoids_the_danger_of_a_tile() -> None:
    """GR-6.5 known or unknown; without it there are two more damage."""
    for tiles in ({"1a": "ambush-gully"}, {}):
        race = scene(ROAD, tiles=tiles, crews={1: "0-1-2-0"}, bag=None if tiles else "ambush-gully")
        race.run("1:drive, 1:1a")
        if not tiles:
            race.take("ambush-gully")
        assert "guard" in race.legal(1)
        guarded = race.copy().run("1:guard")
        assert "guarded 1 guard" in guarded.told
        assert (guarded.crew(1), guarded.stage) == ("0-0-1-0", "damage")
        assert guarded.run("1:engine").gauges(1) == (4, 4, 5)
        race.run("1:decline, 1:engine, 1:engine, 1:chassis")
        assert (race.gauges(1), race.crew(1)) == ((4, 3, 4), "0-0-2-0")


def test_gr_6_5_a_guard_avoids_the_danger_of_a_card() -> None:
    """GR-6.5 in another player's action and after passing; FAQ: against these five cards."""
    tiles = {"1a": "mud", "2a": "gravel"}
    for card, script in (
        ("saboteur", "1:player 2, 1:engine, 1:chassis"),
        ("ransom", "1:player 2"),
        ("siphoner", "1:player 2"),
        ("trail-hunter", "1:1a, 1:2a"),
        ("con-artist", "1:1a, 1:2a"),
    ):
        race = scene(
            ROAD, tiles=tiles, hands={1: card}, crews={1: "1-0-0-0", 2: "0-0-1-0"}, passed=(2,)
        )  # fmt: skip
        race.run(f"1:play {card}, {script}")
        assert (race.question, race.legal(2)) == ((2, "cancel"), ["guard", "decline"])
        race.run("2:guard")
        assert f"cancelled 2 {card}" in race.told
        assert (race.gauges(2), race.money(2), race.tiles) == ((5, 5, 5), 80, tiles)
        assert (race.crew(2), race.discard, race.question) == ("0-0-0-0", card, (1, "act"))


def test_gr_6_6_a_guard_clears_the_way() -> None:
    """GR-6.6 a connected tile without a vehicle, out of the game; FAQ: it does not go into the bag."""
    tiles = {"1a": "mud", "2a": "glacier", "3a": "track", "0b": "ford"}
    race = scene(
        ROAD + "\n.. .. .. .. .. ..", tiles=tiles, at={2: "2a"}, crews={1: "0-0-1-1"}, bag="gravel"
    ).run("1:clear")
    assert race.told == ["used 1 clear"]
    assert (race.crew(1), race.question, spaces(race)) == ("0-0-0-1", (1, "spot"), {"1a", "3a", "0b"})
    race.run("1:3a")
    assert race.told == ["removed 1 3a track"]
    assert ("3a" in race.tiles, race.removed, race.bag) == (False, "track", "gravel")
    assert race.question == (1, "act")


def test_gr_6_6_only_as_the_players_own_action_and_only_what_is_connected() -> None:
    """GR-6.6 a tile behind a gap is not, nor the own one; one at a time."""
    race = scene(
        ROAD, tiles={"1a": "mud", "2a": "mud", "4a": "mud"}, at={1: "1a"}, crews={1: "0-0-2-0", 2: "0-0-1-1"}
    )  # fmt: skip
    assert race.copy().run("1:clear").legal(1) == ["2a"]
    race.run("1:clear, 1:2a")
    assert race.question == (2, "act")
    assert "clear" not in race.legal(2)  # there is a vehicle on 1a, and a gap before 4a


@pytest.mark.parametrize(("number", "francs"), [(1, 10), (2, 20), (3, 40), (4, 70), (5, 110), (6, 110)])
def test_gr_6_7_what_funding_pays(number: int, francs: int) -> None:
    """GR-6.7 the rulebook's example: three assistants bring 40 F; six as much as five."""
    race = scene(ROAD, leaders=("li", "kate"), crews={1: f"0-0-0-{number}", 2: "0-0-0-1"}).run("1:fund")
    assert race.told == [f"funded 1 {number} {francs}"]
    assert (race.money(1), race.money(2), race.crew(1)) == (80 + francs, 80, "0-0-0-0")
    assert race.question == (2, "act")


# The order of placing, and what is connected


def test_gr_6_8_all_tiles_are_drawn_before_one_is_placed_in_any_order() -> None:
    """GR-6.8 a Cartographer's three; like tiles are not told apart."""
    for order in (("mud", "track", "ford"), ("ford", "mud", "track")):
        race = scene(FIELD, hands={1: "cartographer"}, bag="mud ford track glacier")
        race.run("1:play cartographer, 0:mud, 0:ford")
        assert race.question == (0, "draw tile")
        race.run("0:track")
        for tile, space in zip(order, ("1a", "2a", "3a"), strict=True):
            if len(race.tiles) < 2:
                assert race.stage == "place tile"
                race.play(1, f"tile {tile}")
            race.play(1, space)
        assert list(race.tiles.values()) == list(order) and race.bag == "glacier"
    race = scene(FIELD, bag="2*mud").run("1:scout, 0:mud, 0:mud")
    assert race.stage == "place"


def test_gr_6_8_a_tile_goes_back_only_when_no_further_placing_is_possible() -> None:
    """GR-6.8 while there is room a tile must be placed."""
    tiles = {"1a": "track", "2a": "track"}
    race = scene(ROAD, tiles=tiles, hands={1: "cartographer"}, bag="mud mud ford", crews={1: "0-0-0-1"})
    race.run("1:play cartographer, 0:mud, 0:mud, 0:ford, 1:tile mud")
    assert race.legal(1) == ["3a"]
    race.run("1:3a, 1:tile ford, 1:4a")
    assert race.told == ["placed 1 ford 4a", "returned mud"]
    assert (race.bag, race.question) == ("mud", (1, "act"))


def test_gr_6_9_connection_runs_over_tiles_and_cities_whoever_placed_them() -> None:
    """GR-6.9 and whatever they cost: over a rival's avalanche, and a vehicle; never over blank land."""
    race = scene(ROAD, crews={1: "1-0-0-0", 2: "1-0-0-0"}, bag="4*avalanche").run("1:scout, 0:avalanche")
    race.run("0:avalanche, 1:1a, 1:2a, 2:scout, 0:avalanche, 0:avalanche")
    assert race.legal(2) == ["3a"]
    race = scene(FIELD, at={2: "1a"}, tiles={"1a": "track", "2a": "avalanche"}, petrol={1: 0}, bag="mud mud")
    race.run("1:scout, 0:mud, 0:mud")
    assert spaces(race) == {"0b", "1b", "2b", "3a"}
    race = scene(ROAD, tiles={"3a": "track"}, hands={1: "cartographer"}, bag="3*mud")
    race.run("1:play cartographer, 0:mud, 0:mud, 0:mud")
    for free in ("1a", "2a", "4a"):
        assert race.legal(1) == [free]
        race.play(1, free)


def test_gr_6_9_a_risk_zone_takes_tiles_as_other_land_does() -> None:
    """GR-6.9, GR-6.1 free land is light or dark, and connects as soon as there is a tile."""
    race = scene(FIELD, tiles={"1a": "track", "1b": "track"}, bag="mud mud").run(
        "1:scout, 0:mud, 0:mud, 1:2b"
    )
    assert "3a" in race.legal(1)  # over 2b and CC


def test_gr_6_10_a_repair_raises_at_least_one_level() -> None:
    """GR-6.10 it cannot end before."""
    race = scene(ROAD, engine={1: 3}, chassis={1: 3}, hands={1: "chassis-parts"}).run("1:repair")
    assert race.legal(1) == ["play chassis-parts", "buy-engine", "buy-chassis"]
    assert "done" in race.run("1:play chassis-parts").legal(1)


def test_gr_6_10_levels_of_a_toolbox_as_long_as_there_is_room() -> None:
    """GR-6.10 none may be given up before that; what has no room is lost, a full gauge takes none."""
    race = scene(ROAD, engine={1: 4}, chassis={1: 4}, hands={1: "toolbox"}).run("1:repair, 1:play toolbox")
    assert race.legal(1) == ["engine", "chassis"]
    race.run("1:engine")  # the next one has one place left, the third none
    assert (race.gauges(1), race.question) == ((5, 5, 5), (1, "act"))
    race = scene(ROAD, engine={1: 4}, chassis={1: 1}, hands={1: "toolbox"}).run("1:repair, 1:play toolbox")
    race.run("1:engine")
    assert (race.gauges(1), race.question) == ((5, 5, 3), (1, "mend"))
    race = scene(ROAD, engine={1: 5}, chassis={1: 1}, hands={1: "toolbox"}).run("1:repair, 1:play toolbox")
    assert (race.gauges(1), race.question) == ((5, 5, 4), (1, "mend"))
    race = scene(ROAD, engine={1: 1}, chassis={1: 4}, hands={1: "toolbox"}).run("1:repair, 1:play toolbox")
    race.run("1:engine, 1:engine")
    assert race.stage == "toolbox"
    assert race.run("1:chassis").gauges(1) == (5, 3, 5)
