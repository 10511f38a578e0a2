"""GR-5 the convoy: whose turn it is, petrol, cards, passing, and what may be played at all."""

from __future__ import annotations

import pytest

from .scenes import Race, scene

ROAD = "AA .. .. .. .. BB"
FIELD = """
AA .. .. .. .. BB
.. .. ## CC .. ..
"""


def buys(race: Race, seat: int = 1) -> list[int]:
    """The levels of petrol that a player may buy."""
    return [int(move.removeprefix("buy ")) for move in race.legal(seat) if move.startswith("buy ")]


# GR-5.1 whose turn it is


def test_gr_5_1_round_after_round_in_turn_order() -> None:
    """GR-5.1 in turn order, until nobody has an assistant left; then the convoy ends."""
    race = scene(
        ROAD, players=3, order=(2, 3, 1), turn=2, crews={1: "0-0-0-2", 2: "3-0-0-0", 3: "2-0-0-0"}
    )  # fmt: skip
    asked = []
    while race.phase == "convoy":
        seat = race.asked
        asked.append(seat)
        race.play(seat, "fund" if seat == 1 else "supply")
        while race.stage == "draw card":
            race.take("guide" if "guide" in race.outcomes() else "militia")
    assert asked == [2, 3, 1, 2, 3, 2]  # one may come twice in a row
    assert race.told[-1] == "turn 2"


def test_gr_5_1_player_1_between_two_others() -> None:
    """GR-5.1 the next in the order, not its first."""
    crews = dict.fromkeys((1, 2, 3), "0-0-0-2")
    race = scene(ROAD, players=3, order=(2, 1, 3), turn=2, crews=crews).run("2:fund, 1:fund")
    assert race.question == (3, "act")


def test_gr_5_1_who_has_passed_is_not_asked_again() -> None:
    """GR-5.1, GR-5.4 the convoy ends once all have passed, though guards are left."""
    race = scene(ROAD, crews={1: "1-1-2-1", 2: "0-0-1-2"})
    race.run("1:pass")
    assert race.question == (2, "act")
    race.run("2:fund")
    assert (race.question, race.crew(1)) == ((2, "act"), "0-0-2-0")
    race.run("2:pass")
    assert race.told == ["passed 2", "ordered 1 1 20", "ordered 2 2 0", "turn 2"]


def test_gr_5_1_petrol_then_cards_then_one_assistant() -> None:
    """GR-5.1 petrol and cards are optional; the sequence ends with an assistant or a pass."""
    race = scene(ROAD, hands={1: "financial"}, petrol={1: 3}, crews={1: "1-1-0-1", 2: "1-0-0-0"})
    for script in (
        "1:buy 1, 1:play financial, 1:fund", "1:buy 2, 1:fund", "1:play financial, 1:fund", "1:fund",
        "1:buy 1, 1:play financial, 1:pass", "1:pass",
    ):  # fmt: skip
        new = race.copy()
        *before, last = script.split(", ")
        for move in before:
            assert new.run(move).question == (1, "act")
            assert "pass" in new.legal(1)
        assert new.run(last).question == (2, "act")


# Petrol


def test_gr_5_2_petrol_costs_10_f_a_level_in_a_city_and_20_f_elsewhere() -> None:
    """GR-5.2 any number of levels up to the maximum."""
    for space, price in (("AA", 10), ("1a", 20)):
        race = scene(ROAD, at={1: space}, tiles={"1a": "track"}, petrol={1: 2}, money={1: 100})
        assert buys(race) == [1, 2, 3]
        for levels in (1, 2, 3):
            new = race.copy().play(1, f"buy {levels}")
            assert new.told == [f"bought 1 {levels} {levels * price}"]
            assert (new.petrol(1), new.money(1)) == (2 + levels, 100 - levels * price)
    assert buys(scene(ROAD, petrol={1: 5})) == []
    assert buys(scene(ROAD, petrol={1: 5}, leaders=("boris", "kate"))) == [1]
    assert buys(scene(ROAD, petrol={1: 0}, gauge_max=8, leaders=("boris", "kate"), money={1: 99})) == [
        *range(1, 10)
    ]


@pytest.mark.parametrize(
    ("space", "money", "levels"),
    [("AA", 9, 0), ("AA", 10, 1), ("AA", 39, 3), ("1a", 19, 0), ("1a", 20, 1), ("1a", 59, 2)],
)
def test_gr_5_2_petrol_must_be_paid(space: str, money: int, levels: int) -> None:
    """GR-5.2 no more than there is money for."""
    race = scene(ROAD, at={1: space}, tiles={"1a": "track"}, petrol={1: 0}, money={1: money})
    assert buys(race) == [*range(1, levels + 1)]


def test_gr_5_2_petrol_is_bought_at_the_beginning_of_a_sequence_only() -> None:
    """GR-5.2 FAQ: not before the next step of a drive, not after an action; but in the next sequence."""
    race = scene(ROAD, tiles={"1a": "track"}, petrol={1: 1}, crews={1: "0-2-0-0"})
    race.run("1:drive, 1:1a")
    assert race.legal(1) == ["halt"]  # no petrol, and it cannot be bought on the go
    race.run("1:halt")
    assert buys(race) == [1, 2, 3, 4]


# Cards


def test_gr_5_3_convoy_cards_need_an_active_assistant() -> None:
    """GR-5.3 FAQ: without one a player is not asked any more. GR-5.9 one on Security is active too."""
    for crew in ("1-0-0-0", "0-1-0-0", "0-0-1-0", "0-0-0-1"):
        race = scene(ROAD, hands={1: "financial"}, crews={1: crew})
        assert race.plays(1) == {"financial"}
    race = scene(ROAD, hands={1: "financial"}, crews={1: "0-0-0-1", 2: "0-0-0-1"})
    race.run("1:fund, 2:fund")
    assert (race.told[-1], race.hand(1)) == ("turn 2", "financial")


def test_gr_5_3_cards_take_effect_in_the_order_in_which_they_are_played() -> None:
    """GR-5.3 a repair after a drive into a city costs what it costs there."""
    race = scene(
        FIELD, at={1: "3a"}, tiles={"3a": "track"}, engine={1: 2}, hands={1: "driver repairman"},
        deck="guide",
    )  # fmt: skip
    assert race.copy().run("1:play repairman, 1:buy-engine").money(1) == 40
    race.run("1:play driver, 1:CC, 0:guide, 1:play repairman, 1:buy-engine, 1:buy-engine")
    assert (race.money(1), race.engine(1)) == (40, 4)
    race.run("1:done")
    assert (race.hand(1), race.discard) == ("guide", "repairman driver")


def test_gr_5_3_a_played_card_is_discarded_after_its_effect() -> None:
    """GR-5.3, GR-1.8 what the Tracker draws cannot be the Tracker itself."""
    race = scene(ROAD, hands={1: "tracker financial"}, deck="guide", discard="customs militia")
    race.run("1:play financial")
    assert (race.discard, race.money(1)) == ("militia financial customs", 110)
    race.run("1:play tracker, 0:guide")
    assert race.outcomes() == {"militia": 1, "financial": 1, "customs": 1}
    assert race.discard == ""
    race.run("0:militia, 0:customs")
    assert race.stage == "keep"
    assert race.discard == ""


# Passing


def test_gr_5_4_a_pass_removes_all_assistants_but_those_on_security() -> None:
    """GR-5.4 afterwards only guards and any-time cards are left to the player."""
    race = scene(
        ROAD, hands={1: "jerrycan financial militia", 2: "saboteur"}, petrol={1: 2},
        crews={1: "1-1-2-1", 2: "1-0-0-0"},
    )  # fmt: skip
    race.run("1:pass")
    assert race.told == ["passed 1"]
    assert (race.crew(1), race.passed(1)) == ("0-0-2-0", True)
    race.run("2:play saboteur, 2:player 1, 2:engine, 2:engine")
    assert race.question == (1, "cancel")
    assert set(race.legal(1)) == {"guard", "play militia", "play jerrycan", "decline"}
    new = race.copy().run("1:play jerrycan")
    assert (new.petrol(1), new.question) == (3, (1, "cancel"))
    new.run("1:guard")
    assert (new.crew(1), new.engine(1), new.question) == ("0-0-1-0", 5, (2, "act"))
    assert race.copy().run("1:play militia").engine(1) == 5
    assert race.run("1:decline").engine(1) == 3


def test_gr_5_5_an_assistant_ends_the_sequence() -> None:
    """GR-5.5 every use of one; a card does not."""
    race = scene(
        FIELD, tiles={"0b": "track", "1a": "track", "1b": "track"}, engine={1: 2}, hands={1: "engine-parts"},
        crews={1: "1-1-1-1", 2: "1-0-0-0"}, deck="guide", bag="mud gravel",
    )  # fmt: skip
    for script, boxes in (
        ("1:scout, 0:mud, 0:gravel, 1:tile mud, 1:2a, 1:3a", "0-1-1-1"),
        ("1:supply, 0:guide", "0-1-1-1"),
        ("1:repair, 1:play engine-parts, 1:done", "1-0-1-1"),
        ("1:drive, 1:1a, 1:halt", "1-0-1-1"),
        ("1:clear, 1:1a", "1-1-0-1"),
        ("1:fund", "1-1-1-0"),
    ):
        new = race.copy()
        new.run(script)
        assert (new.crew(1), new.question) == (boxes, (2, "act"))


def test_gr_5_5_funding_is_played_as_one_group() -> None:
    """GR-5.5 FAQ: the assistants on Funding are not removed one by one."""
    race = scene(ROAD, crews={1: "0-1-0-3"}).run("1:fund")
    assert (race.crew(1), race.told) == ("0-1-0-0", ["funded 1 3 40"])
    assert "fund" not in race.legal(1)


def test_gr_5_6_the_use_of_a_box_is_chosen_when_the_assistant_is_played() -> None:
    """GR-5.6 FAQ: each skill box has two uses, each time anew."""
    around = {"1a": "track"}
    for crew, uses in (
        ("2-0-0-0", {"scout", "supply"}),
        ("0-2-0-0", {"repair", "drive"}),
        ("0-0-2-0", {"clear"}),
        ("0-0-0-2", {"fund"}),
    ):
        race = scene(ROAD, tiles=around, engine={1: 3}, crews={1: crew}, petrol={1: 5})
        assert set(race.legal(1)) == {*uses, "pass"}
    race = scene(ROAD, tiles=around, engine={1: 3}, crews={1: "0-2-0-0"})
    race.run("1:repair, 1:buy-engine, 1:done")
    assert race.crew(1) == "0-1-0-0"
    assert {"repair", "drive"} <= set(race.legal(1))


def test_gr_5_7_with_guards_only_a_player_is_asked_each_round() -> None:
    """GR-5.7 it may clear the way or pass, also where there is nothing to clear."""
    race = scene(ROAD, tiles={"1a": "track"}, crews={1: "0-0-2-0", 2: "0-0-0-1"})
    assert set(race.legal(1)) == {"clear", "pass"}
    race.run("1:clear, 1:1a, 2:fund")
    assert (race.question, race.legal(1)) == ((1, "act"), ["pass"])
    race.run("1:pass")
    assert race.told[-1] == "turn 2"


def test_gr_5_8_the_last_assistant_goes_as_a_guard_in_the_players_own_card_step() -> None:
    """GR-5.8 the sequence ends, and it is no pass; nor is the player asked again."""
    race = scene(
        ROAD, tiles={"1a": "outlaws"}, hands={1: "driver financial"}, crews={1: "0-0-1-0", 2: "0-0-0-2"}
    )  # fmt: skip
    race.run("1:play driver, 1:1a, 1:guard, 1:halt")
    assert (race.question, race.passed(1), race.crew(1)) == ((2, "act"), False, "0-0-0-0")
    assert race.run("2:fund").told[-1] == "turn 2"


def test_gr_5_9_cards_of_a_drive_or_a_repair_belong_to_the_action() -> None:
    """GR-5.9 also to that of the last assistant."""
    race = scene(ROAD, tiles={"1a": "herd-crossing", "2a": "track"}, crews={1: "0-1-0-0"}, hands={1: "guide"})
    race.run("1:drive, 1:1a, 1:play guide, 1:2a")
    assert (race.at(1), race.crew(1)) == ("2a", "0-0-0-0")
    parts = {1: "engine-parts chassis-parts toolbox"}
    race = scene(ROAD, engine={1: 1}, chassis={1: 3}, hands=parts, crews={1: "0-1-0-0"})
    race.run("1:repair, 1:play engine-parts, 1:play chassis-parts, 1:play toolbox")
    assert race.crew(1) == "0-0-0-0"
    lane = scene(
        "AA .. .. ..\n.. .. BB ..\n.. .. .. CC", lanes=["AA BB sea 60"], crews={1: "0-1-0-0"},
        hands={1: "transport"}, money={1: 10},
    )  # fmt: skip
    assert "BB" in lane.run("1:drive, 1:play transport").legal(1)


def test_gr_5_9_they_cannot_be_played_by_themselves() -> None:
    """GR-5.9, GR-10.5 nor can a Militia without a danger."""
    cards = "engine-parts chassis-parts toolbox guide transport"
    race = scene(ROAD, engine={1: 1}, chassis={1: 5}, petrol={1: 1}, hands={1: cards})
    assert race.plays(1) == set()
    assert scene(ROAD, hands={1: "militia"}).plays(1) == set()


# GR-5.10 what can change nothing may not be played


@pytest.mark.parametrize(
    ("words", "may"),
    [
        ({}, True),
        ({"engine": {1: 1}, "petrol": {1: 1}}, True),
        ({"engine": {1: 0}}, False),
        ({"petrol": {1: 0}}, False),
        ({"tiles": {"1a": "deep-sand"}, "petrol": {1: 2}}, False),
        ({"tiles": {"1a": "deep-sand"}, "petrol": {1: 3}}, True),
        ({"tiles": {"1a": "scree"}, "engine": {1: 1}, "chassis": {1: 0}}, False),
        ({"tiles": {"1a": "scree"}, "engine": {1: 2}, "chassis": {1: 0}}, True),
        ({"tiles": {"1a": "outlaws"}, "engine": {1: 1}, "chassis": {1: 0}}, False),
        ({"bag": ""}, False),
        ({"bag": "", "removed": "mud"}, True),
    ],
)
def test_gr_5_10_a_drive_needs_a_step_that_can_be_tried(words: dict[str, object], may: bool) -> None:
    """GR-5.10 engine and petrol of 1 at least, and a way that can be paid or is unknown, GR-1.9."""
    race = scene(ROAD, crews={1: "0-1-0-1"}, **words)
    assert ("drive" in race.legal(1)) is may
    if "chassis" not in words:  # at 0 there is no hand
        race = scene(ROAD, crews={1: "0-0-0-1"}, hands={1: "driver"}, **words)
        assert race.plays(1) == ({"driver"} if may else set())
        assert "drive" not in race.legal(1)


def test_gr_5_10_a_guard_or_a_militia_makes_a_step_that_can_be_tried() -> None:
    """GR-5.10, GR-7.4 a danger that is too much without them."""
    crippled = {"tiles": {"1a": "outlaws"}, "engine": {1: 1}, "chassis": {1: 1}}
    assert "drive" in scene(ROAD, **crippled).legal(1)
    crippled["chassis"] = {1: 0}
    for crew, words in (
        ("0-1-0-1", {}),
        ("0-1-1-0", {}),
        ("0-1-0-1", {"leaders": ("cook", "kate")}),
        ("0-1-0-1", {"leaders": ("cook", "kate"), "used": (1,)}),
    ):
        race = scene(ROAD, crews={1: crew}, **crippled, **words)
        assert ("drive" in race.legal(1)) is (crew == "0-1-1-0" or words == {"leaders": ("cook", "kate")})
    crippled |= {"engine": {1: 1}, "chassis": {1: 1}, "tiles": {"1a": "ambush-gully"}}
    assert "drive" not in scene(ROAD, crews={1: "0-1-0-0"}, **crippled).legal(1)
    assert "drive" in scene(ROAD, crews={1: "0-1-0-0"}, hands={1: "militia"}, **crippled).legal(1)


def test_gr_5_10_cities_and_lanes_are_steps_too() -> None:
    """GR-5.10 a lane that can be paid is a step, also with a Transport in the hand."""
    grid = "AA ##\n## ..\n## ..\n.. BB"
    blocked = {"0b": "deep-sand", "1a": "deep-sand", "0c": "track"}
    for money, hand, may in (
        (60, "", True),
        (59, "", False),
        (10, "transport", True),
        (9, "transport", False),
    ):
        race = scene(
            grid, tiles=blocked, petrol={1: 1}, money={1: money}, hands={1: hand}, lanes=["AA BB sea 60"]
        )
        assert ("drive" in race.legal(1)) is may
    assert "drive" in scene(ROAD, at={1: "4a"}, tiles={"4a": "mud", "3a": "mud"}, petrol={1: 1}).legal(1)


def test_gr_5_10_a_repair_needs_a_level_that_can_be_raised() -> None:
    """GR-5.10, GR-6.10 room, and money or a part for a gauge that has it."""
    for engine, chassis, money, hand, may in (
        (5, 5, 200, "engine-parts", False),
        (4, 5, 20, "", True),
        (5, 4, 20, "", True),
        (4, 5, 19, "", False),
        (4, 5, 0, "engine-parts", True),
        (5, 4, 0, "engine-parts", False),
        (4, 5, 0, "chassis-parts", False),
        (5, 4, 0, "chassis-parts", True),
        (5, 4, 0, "toolbox", True),
        (5, 5, 0, "toolbox", False),
    ):
        race = scene(
            ROAD, engine={1: engine}, chassis={1: chassis}, money={1: money}, hands={1: f"{hand} repairman"}
        )
        assert ("repair" in race.legal(1)) is may
        assert ("repairman" in race.plays(1)) is may
    assert "repair" not in scene(ROAD, at={1: "1a"}, tiles={"1a": "mud"}, engine={1: 4}, money={1: 39}).legal(
        1
    )


def test_gr_5_10_scouting_needs_a_free_connected_space_and_a_tile() -> None:
    """GR-5.10 so do Cartographer and Topographer."""
    road = {"1a": "track", "2a": "track", "3a": "track", "4a": "track"}
    cards = "cartographer topographer"
    for tiles, bag, removed, may in (
        ({}, None, "", True),
        (road, None, "", False),
        (dict.fromkeys(("1a", "2a", "3a"), "track"), "mud", "", True),
        ({}, "", "", False),
        ({}, "", "mud", True),
    ):
        race = scene(ROAD, hands={1: cards}, tiles=tiles, bag=bag, removed=removed, deck="")
        assert ("scout" in race.legal(1)) is may
        assert race.plays(1) == (set(cards.split()) if may else set())


@pytest.mark.parametrize("card", ["cartographer", "topographer"])
def test_gr_5_10_an_assistant_and_a_card_for_the_same_need_a_tile_both(card: str) -> None:
    """GR-5.10, GR-1.9 nor does the one stand in for the other."""
    race = scene(ROAD, crews={1: "1-0-0-0"}, hands={1: card}, bag="")
    assert "scout" not in race.legal(1) and race.plays(1) == set()
    assert "scout" in scene(ROAD, crews={1: "1-0-0-0"}, hands={1: card}, bag="mud").legal(1)


def test_gr_5_10_clearing_needs_a_tile_that_can_be_removed() -> None:
    """GR-5.10, GR-6.6 it is connected and nobody stands on it."""
    for tiles, at, may in (
        ({}, {}, False),
        ({"1a": "mud"}, {}, True),
        ({"1a": "mud"}, {2: "1a"}, False),
        ({"2a": "mud"}, {}, False),
        ({"1a": "mud", "2a": "mud"}, {2: "1a"}, True),
    ):
        race = scene(ROAD, tiles=tiles, at=at, leaders=("cook", "kate"))
        assert ("clear" in race.legal(1)) is may
        assert ("cook-clears" in race.legal(1)) is may


def test_gr_5_10_a_card_that_fills_up_needs_room_for_one_level() -> None:
    """GR-5.10 the excess is lost."""
    for petrol, after in ((0, 5), (1, 5), (4, 5), (5, None)):
        race = scene(ROAD, hands={1: "refueling-station jerrycan"}, petrol={1: petrol})
        assert race.plays(1) == ({"refueling-station", "jerrycan"} if after else set())
        if after:
            assert race.copy().play(1, "play refueling-station").petrol(1) == after
            assert race.copy().play(1, "play jerrycan").petrol(1) == petrol + 1
    boris = scene(ROAD, hands={1: "refueling-station"}, petrol={1: 5}, leaders=("boris", "kate"))
    assert boris.play(1, "play refueling-station").petrol(1) == 6


def test_gr_5_10_cards_can_be_drawn_only_where_there_are_some() -> None:
    """GR-5.10, GR-1.8 supply and Tracker; the Tracker that is played is on no pile yet."""
    for deck, discard, may in (("", "", False), ("guide", "", True), ("", "guide", True)):
        race = scene(ROAD, hands={1: "tracker"}, deck=deck, discard=discard)
        assert ("supply" in race.legal(1)) is may
        assert ("tracker" in race.plays(1)) is may


def test_gr_5_10_hunter_and_con_artist_need_tiles_without_vehicles() -> None:
    """GR-5.10, GR-10.24 one and two, anywhere on the board."""
    for tiles, at, plays in (
        ({}, {}, set()),
        ({"4a": "mud"}, {2: "4a"}, set()),
        ({"4a": "mud"}, {}, {"trail-hunter"}),
        ({"4a": "mud", "3a": "mud"}, {2: "4a"}, {"trail-hunter"}),
        ({"4a": "mud", "3a": "mud"}, {}, {"trail-hunter", "con-artist"}),
    ):
        race = scene(ROAD, hands={1: "trail-hunter con-artist"}, tiles=tiles, at=at)
        assert race.plays(1) == plays


# GR-5.11 what closes the buying of petrol


def test_gr_5_11_a_card_closes_the_buying_of_petrol() -> None:
    """GR-5.11 FAQ: a Jerrycan too; a pass may follow buying and cards."""
    for card in ("financial", "jerrycan", "refueling-station"):
        race = scene(ROAD, hands={1: card}, petrol={1: 0})
        assert buys(race) == [1, 2, 3, 4, 5]
        race.play(1, f"play {card}")
        assert (race.stage, buys(race)) == ("act", [])
        assert "pass" in race.legal(1)
    race = scene(ROAD, petrol={1: 0})
    assert "pass" in race.play(1, "buy 1").legal(1)


def test_gr_5_11_kates_theft_closes_the_buying_of_petrol() -> None:
    """GR-5.11 also where it was paid off."""
    for answer in ("pay", "decline"):
        race = scene(ROAD, hands={2: "guide"}, petrol={1: 0}, leaders=("kate", "li"), crews={1: "1-0-0-0"})
        race.run(f"1:steal, 1:player 2, 2:{answer}")
        if answer == "decline":
            race.take("guide")
        assert (race.question, buys(race)) == ((1, "act"), [])


def test_gr_5_11_every_sequence_begins_with_petrol_again() -> None:
    """GR-5.11 what was played in an earlier sequence, at the bivouac or by others closes nothing."""
    race = scene(ROAD, hands={1: "financial"}, petrol={1: 0}, crews={1: "2-0-0-0"}, deck="guide")
    assert buys(race.run("1:play financial, 1:supply, 0:guide")) == [1, 2, 3, 4, 5]
    race = scene(
        ROAD, bivouac=True, hands={1: "jerrycan", 2: "jerrycan"}, petrol={1: 0, 2: 0}, turn=2,
        deck="guide militia customs",
    )  # fmt: skip
    race.run("0:guide, 0:militia, 0:customs, 1:play jerrycan, 1:take guide")
    race.run("2:play jerrycan, 2:take militia, 1:plan 5-0-0-0, 2:plan 5-0-0-0")
    assert (race.question, buys(race, 2)) == ((2, "act"), [1, 2, 3, 4])
    assert buys(race.run("2:pass")) == [1, 2, 3, 4]


# Jerrycans


def test_gr_5_12_a_jerrycan_answers_no_question() -> None:
    """GR-5.12 it may be played at any decision, and then the same is asked again."""
    base = {"hands": {1: "2*jerrycan trail-hunter driver saboteur"}, "petrol": {1: 2}}
    tiles = {"1a": "gravel", "2a": "gravel", "0b": "mud"}
    for script in (
        "", "1:drive", "1:play driver", "1:play saboteur", "1:play saboteur, 1:player 2",
        "1:play trail-hunter", "1:play trail-hunter, 1:1a", "1:clear", "1:drive, 1:1a",
        "1:scout, 0:mud, 0:track", "1:scout, 0:mud, 0:track, 1:tile mud", "1:scout, 0:mud, 0:mud",
    ):  # fmt: skip
        race = scene(FIELD, tiles=tiles, crews={1: "1-1-1-1"}, **base)
        if script:
            race.run(script)
        question, legal, petrol = race.question, set(race.legal(1)), race.petrol(1)
        assert question[0] == 1
        assert "play jerrycan" in legal
        race.play(1, "play jerrycan")
        assert race.told == ["played 1 jerrycan", "filled 1 1"]
        assert (race.question, race.petrol(1)) == (question, petrol + 1)
        assert legal - set(race.legal(1)) <= {"buy 1", "buy 2", "buy 3"}
        assert set(race.legal(1)) - legal == set()


def test_gr_5_12_at_the_bivouac_in_a_repair_and_at_a_discard() -> None:
    """GR-5.12 a Jerrycan is played there too, and by whoever is asked."""
    race = scene(ROAD, bivouac=True, hands={2: "jerrycan", 1: "jerrycan"}, petrol={1: 0, 2: 0}, deck="guide")
    race.take("guide")
    assert race.legal(2) == ["take guide", "play jerrycan"]
    race.run("2:play jerrycan")
    assert (race.question, race.petrol(2), race.legal(2)) == ((2, "take"), 1, ["take guide"])
    race = scene(ROAD, hands={1: "jerrycan toolbox"}, engine={1: 2}, chassis={1: 3}, petrol={1: 0})
    race.run("1:repair")
    assert "play jerrycan" in race.legal(1)
    assert race.run("1:play toolbox").stage == "toolbox"
    assert race.legal(1) == ["engine", "chassis", "play jerrycan"]
    race.run("1:play jerrycan")
    assert (race.stage, race.petrol(1)) == ("toolbox", 1)


def test_gr_5_12_it_needs_room_for_petrol() -> None:
    """GR-5.12 below the maximum, which is one more for Boris; GR-5.13 siphoned petrol makes room."""
    assert "play jerrycan" not in scene(ROAD, hands={1: "jerrycan"}).legal(1)
    assert "play jerrycan" in scene(ROAD, hands={1: "jerrycan"}, petrol={1: 4}).legal(1)
    boris = scene(ROAD, hands={1: "jerrycan"}, petrol={1: 5}, leaders=("boris", "kate"))
    assert boris.play(1, "play jerrycan").petrol(1) == 6


def test_gr_5_12_nobody_plays_one_without_being_asked() -> None:
    """GR-5.12 not in another player's sequence, not while a card or a tile is drawn."""
    race = scene(ROAD, hands={1: "jerrycan", 2: "jerrycan"}, petrol={1: 1, 2: 1}, crews={1: "1-0-0-0"})
    assert race.waiting == [1]
    assert race.run("1:supply").waiting == [0]


# Targets


def test_gr_5_13_a_target_has_something_to_lose() -> None:
    """GR-5.13 engine or chassis, money, petrol, cards."""
    cards = {"saboteur", "ransom", "siphoner", "customs"}
    for words, plays in (
        ({}, cards - {"customs"}),
        ({"hands": "guide"}, cards),
        ({"engine": {2: 0}}, cards - {"customs"}),
        ({"engine": {2: 0}, "chassis": {2: 0}}, {"ransom", "siphoner"}),
        ({"money": {2: 0}}, {"saboteur", "siphoner"}),
        ({"money": {2: 1}}, cards - {"customs"}),
        ({"petrol": {2: 0}}, {"saboteur", "ransom"}),
    ):
        hand = str(words.pop("hands", ""))
        race = scene(ROAD, hands={1: " ".join(cards), 2: hand}, **words)
        assert race.plays(1) == plays


def test_gr_5_13_only_such_targets_can_be_named() -> None:
    """GR-5.13 of three rivals those who have something to lose."""
    race = scene(
        ROAD, players=4, hands={1: "saboteur ransom siphoner customs", 3: "guide"}, engine={2: 0},
        chassis={2: 0}, money={3: 0}, petrol={4: 0},
    )  # fmt: skip
    for card, targets in (("saboteur", "34"), ("ransom", "24"), ("siphoner", "23"), ("customs", "3")):
        assert race.copy().play(1, f"play {card}").legal(1) == [f"player {seat}" for seat in targets]


def test_gr_5_13_an_unknown_step_may_be_tried_with_1_petrol() -> None:
    """GR-5.13 also into a risk zone, where no tile costs less than 2."""
    race = scene("AA ## ## BB\n## ## ## ##", petrol={1: 1}, bag="track", crews={1: "0-1-0-0"})
    race.run("1:drive")
    assert race.legal(1) == ["1a", "0b"]
    race.run("1:1a, 0:track")
    assert "turned back 1 AA" in race.told
    assert (race.at(1), race.petrol(1), race.tiles) == ("AA", 1, {"1a": "track"})


def test_gr_5_14_petrol_is_bought_once_in_a_sequence() -> None:
    """GR-5.14 so many levels as one move."""
    race = scene(ROAD, petrol={1: 0}, crews={1: "0-0-1-1"}).play(1, "buy 2")
    assert buys(race) == []
    assert (race.question, race.petrol(1), race.money(1)) == ((1, "act"), 2, 60)
    assert buys(race.play(1, "fund")) == [1, 2, 3]
