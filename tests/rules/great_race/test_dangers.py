"""GR-10 cards against others, and how they are cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from .roads import road
from .scenes import Race

CREWS = {1: "0-1-0-0"}
TILES = ("track", "mud", "ford")  # on 1a, 2a, 3a


def against(hand: str, *tiles: str, **more: Any) -> Race:
    """Player 1 of three holds these cards; nobody else has assistants or cards, unless ``more`` says so."""
    hands = {1: hand, **more.pop("hands", {})}
    crews = {**CREWS, **more.pop("crews", {})}
    return road(*tiles, **{"players": 3, "hands": hands, "crews": crews, **more})


def finish(race: Race, seat: int) -> None:
    """Say that a player has arrived before."""
    race.s.at[seat - 1], race.s.place[seat - 1], race.s.passed[seat - 1] = race.s.goal, 1, 1
    race.s.arrived = 1
    race.check()


# What they do


def test_a_trail_hunter_removes_two_tiles() -> None:
    """GR-10.1 any two tiles of the board, connected or not, leave the game."""
    race = against("trail-hunter", "track", "", "mud", "hills", "ford").run("1:play trail-hunter")
    assert (race.question, set(race.legal(1))) == ((1, "spot"), {"1a", "3a", "4a", "5a"})
    race.run("1:5a")
    assert (race.question, set(race.legal(1))) == ((1, "spot"), {"1a", "3a", "4a"})
    race.run("1:3a")
    assert (race.tiles, race.removed) == ({"1a": "track", "4a": "hills"}, "mud ford")
    assert (race.discard, race.question, race.crew(1)) == ("trail-hunter", (1, "act"), "0-1-0-0")


def test_a_trail_hunter_spares_vehicles() -> None:
    """GR-10.1 a tile with a vehicle, one's own too, cannot be removed."""
    race = against("trail-hunter", "track", "mud", "hills", "ford", at={1: "1a", 2: "2a"})
    assert set(race.run("1:play trail-hunter").legal(1)) == {"3a", "4a"}


def test_a_trail_hunter_takes_one_where_there_is_one() -> None:
    """GR-10.24 it needs one removable tile, and takes two if there are."""
    race = against("trail-hunter", "track", "mud", at={2: "1a"}).run("1:play trail-hunter, 1:2a")
    assert (race.removed, race.question) == ("mud", (1, "act"))
    assert against("trail-hunter", "track", at={2: "1a"}).plays(1) == set()


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("1:engine, 1:engine", (3, 5)),
        ("1:engine, 1:chassis", (4, 4)),
        ("1:chassis, 1:chassis", (5, 3)),
    ],
)
def test_a_saboteur_takes_two_levels(choice: str, left: tuple[int, int]) -> None:
    """GR-10.2 two levels in all, split by the player of the card."""
    race = against("saboteur").run("1:play saboteur, 1:player 3").run(choice)
    assert (race.gauges(3), race.gauges(2), race.question) == ((5, *left), (5, 5, 5), (1, "act"))


@pytest.mark.parametrize(
    ("engine", "chassis", "choice", "left"),
    [
        (1, 5, "1:engine", (0, 4)),
        (5, 1, "1:chassis", (4, 0)),
        (0, 5, "", (0, 3)),
        (1, 1, "1:chassis", (0, 0)),
        (1, 0, "", (0, 0)),
        (0, 1, "", (0, 0)),
    ],
)
def test_a_saboteur_never_goes_below_0(engine: int, chassis: int, choice: str, left: tuple[int, int]) -> None:
    """GR-10.2, GR-10.27 the split is within the levels that are there; of fewer than two it takes all."""
    race = against("saboteur", engine={2: engine}, chassis={2: chassis}).run("1:play saboteur, 1:player 2")
    if choice:
        assert race.question == (1, "split")
        race.run(choice)
    assert (race.gauges(2)[1:], race.question) == (left, (1, "act"))


def test_sabotage_of_the_chassis_makes_the_target_discard_at_once() -> None:
    """GR-10.26 the target discards down to its chassis before the acting player goes on."""
    race = against("saboteur", hands={2: "3*guide militia"}, chassis={2: 4})
    race.run("1:play saboteur, 1:player 2, 1:chassis, 1:chassis, 2:decline")
    assert (race.question, set(race.legal(2))) == ((2, "discard"), {"discard guide", "discard militia"})
    race.run("2:discard guide")
    assert race.question == (2, "discard")
    race.run("2:discard militia")
    assert (race.hand(2), race.question) == ("guide guide", (1, "act"))


def test_a_con_artist_swaps_two_tiles() -> None:
    """GR-10.6 two tiles anywhere on the board change places."""
    race = against("con-artist", "track", "", "mud", "", "ford").run("1:play con-artist, 1:5a")
    assert set(race.legal(1)) == {"1a", "3a"}
    race.run("1:1a")
    assert race.tiles == {"1a": "ford", "3a": "mud", "5a": "track"}
    assert (race.told, race.question) == (["swapped 1 5a 1a"], (1, "act"))


def test_a_con_artist_spares_vehicles_and_needs_two_tiles() -> None:
    """GR-10.6, GR-10.24 tiles with vehicles stay; it needs two others."""
    race = against("con-artist", "track", "mud", "ford", at={3: "2a"}).run("1:play con-artist")
    assert set(race.legal(1)) == {"1a", "3a"}
    assert against("con-artist", "track", "mud", at={3: "2a"}).plays(1) == set()


def test_a_con_artist_may_swap_two_alike() -> None:
    """GR-10.30 two tiles of one kind may be swapped."""
    race = against("con-artist", "track", "track").run("1:play con-artist, 1:1a, 1:2a")
    assert (race.tiles, race.discard) == ({"1a": "track", "2a": "track"}, "con-artist")


@pytest.mark.parametrize(("money", "left"), [(80, 60), (20, 0), (15, 0)])
def test_a_ransom_takes_20(money: int, left: int) -> None:
    """GR-10.16 Ransom: 20 F, or what is there, go to the bank, not to the player of the card."""
    race = against("ransom", money={2: money}).run("1:play ransom, 1:player 2")
    assert (race.money(2), race.money(1), race.question) == (left, 80, (1, "act"))


@pytest.mark.parametrize(
    ("option", "petrol", "left"), [({}, 5, 3), ({}, 1, 0), ({"siphon": 4}, 5, 1), ({"siphon": 1}, 5, 4)]
)
def test_a_siphoner_takes_petrol(option: dict[str, int], petrol: int, left: int) -> None:
    """GR-10.17 Siphoner: 2 levels of petrol, or as many as the option ``siphon`` says, are lost."""
    race = against("siphoner", petrol={1: 1, 2: petrol}, **option).run("1:play siphoner, 1:player 2")
    assert (race.petrol(2), race.petrol(1), race.question) == (left, 1, (1, "act"))


# Who can be the target


@pytest.mark.parametrize(
    ("card", "poor"),
    [
        ("saboteur", {"engine": {2: 0}, "chassis": {2: 0}}),
        ("ransom", {"money": {2: 0}}),
        ("siphoner", {"petrol": {2: 0}}),
    ],
)
def test_the_target_must_have_something_to_lose(card: str, poor: dict[str, Any]) -> None:
    """GR-10.23, GR-5.13 every opponent that has something to lose can be the target, and nobody else."""
    assert set(against(card).run(f"1:play {card}").legal(1)) == {"player 2", "player 3"}
    assert against(card, **poor).run(f"1:play {card}").legal(1) == ["player 3"]
    for given in poor.values():
        given[3] = 0
    assert against(card, **poor).plays(1) == set()


def test_a_target_may_be_far_away() -> None:
    """GR-10.23 FAQ: a player whose path is not connected can be attacked."""
    race = against("saboteur", "", "", "", "", "track", at={2: "5a"}).run("1:play saboteur, 1:player 2")
    assert race.run("1:engine, 1:engine").engine(2) == 3


def test_who_has_arrived_is_no_target() -> None:
    """GR-10.23, GR-9.1 FAQ: a player who finished is protected from all cards of others."""
    for card in ("saboteur", "ransom", "siphoner"):
        race = against(card)
        finish(race, 2)
        assert race.run(f"1:play {card}").legal(1) == ["player 3"]


# GR-10.20 cancelling

PLAYED = [
    ("saboteur", "1:player 2, 1:engine, 1:chassis"),
    ("ransom", "1:player 2"),
    ("siphoner", "1:player 2"),
    ("trail-hunter", "1:1a, 1:2a"),
    ("con-artist", "1:1a, 1:2a"),
]
WAYS = [
    ({"crews": {2: "0-0-1-0"}}, "guard"),
    ({"hands": {2: "militia"}}, "play militia"),
    ({"leaders": ["li", "cook", "kate"]}, "cook-guards"),
]


@pytest.mark.parametrize(("card", "moves"), PLAYED)
@pytest.mark.parametrize(("means", "way"), WAYS)
def test_a_danger_card_is_cancelled(card: str, moves: str, means: dict[str, Any], way: str) -> None:
    """GR-10.20 FAQ: a guard, a Militia or Cook's free guard cancels it: the card is spent without effect."""
    race = against(card, *TILES, **means).run(f"1:play {card}").run(moves)
    assert (race.question, set(race.legal(2))) == ((2, "cancel"), {way, "decline"})
    race.run(f"2:{way}")
    assert race.told[-2:] == [f"guarded 2 {way}", f"cancelled 2 {card}"]
    assert race.gauges(2) == (5, 5, 5)
    assert race.money(2) == 80
    assert race.tiles == {"1a": "track", "2a": "mud", "3a": "ford"}
    assert card in race.discard.split()
    assert (race.question, race.crew(2), race.hand(2)) == ((1, "act"), "0-0-0-0", "")
    assert race.s.power_used[1] == (way == "cook-guards")


@pytest.mark.parametrize(("card", "moves"), PLAYED)
def test_a_danger_card_works_where_nobody_cancels(card: str, moves: str) -> None:
    """GR-10.20 who declines takes the effect, and no extra damage; the guard stays."""
    race = against(card, *TILES, crews={2: "0-0-1-0"}).run(f"1:play {card}").run(moves).run("2:decline")
    assert race.gauges(2) == {"saboteur": (5, 4, 4), "siphoner": (3, 5, 5)}.get(card, (5, 5, 5))
    assert race.money(2) == (60 if card == "ransom" else 80)
    assert race.removed == ("track mud" if card == "trail-hunter" else "")
    assert race.tiles.get("1a") == {"con-artist": "mud", "trail-hunter": None}.get(card, "track")
    assert (race.question, race.crew(2)) == ((1, "act"), "0-0-1-0")


@pytest.mark.parametrize("card", ["saboteur", "ransom", "siphoner"])
def test_only_the_target_may_cancel(card: str) -> None:
    """GR-10.20 a card against one player is cancelled by that player only."""
    race = against(card, crews={2: "0-0-2-0"}, hands={2: "militia"}).run(f"1:play {card}, 1:player 3")
    if card == "saboteur":
        race.run("1:engine, 1:engine")
    assert race.question == (1, "act")
    assert race.gauges(3) == {"saboteur": (5, 3, 5), "siphoner": (3, 5, 5)}.get(card, (5, 5, 5))


@pytest.mark.parametrize("card", ["trail-hunter", "con-artist"])
def test_any_opponent_may_cancel_what_changes_tiles(card: str) -> None:
    """GR-10.20, GR-10.22 all are asked in turn order from the player after the acting one, until one does."""
    guards = {1: "0-1-1-0", 2: "0-0-1-0", 3: "0-0-1-0", 4: "0-0-1-0"}
    race = against(card, *TILES, players=4, turn=2, order=[4, 2, 3, 1], hands={1: "", 2: card}, crews=guards)
    race.run(f"2:play {card}, 2:1a, 2:2a")
    for seat in (3, 1):
        assert race.question == (seat, "cancel")
        race.run(f"{seat}:decline")
    assert race.question == (4, "cancel")
    race.run("4:guard")
    assert (race.tiles["1a"], race.crew(4), race.crew(3)) == ("track", "0-0-0-0", "0-0-1-0")
    assert race.question == (2, "act")


def test_the_first_who_cancels_ends_it() -> None:
    """GR-10.22 after a cancelling nobody else is asked."""
    guards = {2: "0-0-1-0", 3: "0-0-1-0"}
    race = against("trail-hunter", *TILES, crews=guards).run("1:play trail-hunter, 1:1a, 1:2a, 2:guard")
    assert (race.question, race.crew(3), race.removed) == ((1, "act"), "0-0-1-0", "")


def test_a_cancelling_cannot_be_cancelled() -> None:
    """GR-10.22 the acting player is not asked, whatever it holds."""
    race = against("saboteur militia", crews={1: "0-1-2-0"}, hands={2: "militia"})
    race.run("1:play saboteur, 1:player 2, 1:engine, 1:engine, 2:play militia")
    assert (race.gauges(2), race.question) == ((5, 5, 5), (1, "act"))


def test_guards_defend_also_after_passing() -> None:
    """GR-10.20, GR-6.5 FAQ: a guard can be played against these cards even after its player passed."""
    race = against("ransom", crews={2: "0-0-2-0"}, passed=[2]).run("1:play ransom, 1:player 2, 2:guard")
    assert (race.money(2), race.crew(2)) == (80, "0-0-1-0")


def test_who_has_arrived_is_not_asked() -> None:
    """GR-10.20 only opponents that are still in the race may cancel."""
    race = against("con-artist", *TILES, leaders=["li", "cook", "kate"], hands={3: "guide"})
    finish(race, 2)
    race.run("1:play con-artist, 1:1a, 1:2a")
    assert race.question == (3, "cancel")


# GR-10.21, GR-10.22


@pytest.mark.parametrize(
    ("means", "asked"),
    [
        ({}, False),
        ({"hands": {2: "guide"}}, True),
        ({"hands": {2: "militia"}}, True),
        ({"crews": {2: "0-0-1-0"}}, True),
        ({"crews": {2: "2-1-0-2"}}, False),
        ({"leaders": ["li", "cook", "kate"]}, True),
        ({"leaders": ["li", "cook", "kate"], "used": [2]}, False),
    ],
)
@pytest.mark.parametrize(("card", "moves"), PLAYED)
def test_who_is_asked_depends_on_public_facts(
    card: str, moves: str, means: dict[str, Any], asked: bool
) -> None:
    """GR-10.21 who has a guard left or a card in the hand is asked, whatever the card is; nobody else."""
    race = against(card, *TILES, **means).run(f"1:play {card}").run(moves)
    assert race.question == ((2, "cancel") if asked else (1, "act"))


def test_the_only_answer_may_be_to_decline() -> None:
    """GR-10.21 a hand that cannot cancel is asked all the same."""
    race = against("ransom", hands={2: "2*guide"}).run("1:play ransom, 1:player 2")
    assert (race.question, race.legal(2)) == ((2, "cancel"), ["decline"])


def test_a_jerrycan_may_end_the_question() -> None:
    """GR-10.21, GR-5.12 who plays its last card, a Jerrycan, and has no guard is asked no more."""
    race = against("siphoner", hands={2: "jerrycan"}, petrol={2: 3}).run("1:play siphoner, 1:player 2")
    race.run("2:play jerrycan")
    assert (race.petrol(2), race.question) == (2, (1, "act"))
    race = against("con-artist", *TILES, hands={2: "jerrycan", 3: "guide"}, petrol={2: 3})
    assert race.run("1:play con-artist, 1:1a, 1:2a, 2:play jerrycan").question == (3, "cancel")


def test_all_is_named_before_anybody_is_asked() -> None:
    """GR-10.22 target, split and tiles are known when the question comes; nothing has changed yet."""
    race = against("saboteur", crews={2: "0-0-1-0"}).run("1:play saboteur")
    assert (race.question, set(race.legal(1))) == ((1, "target"), {"player 2", "player 3"})
    asked = [race.run(moves).question for moves in ("1:player 2", "1:engine", "1:chassis")]
    assert asked == [(1, "split"), (1, "split"), (2, "cancel")]
    assert race.gauges(2) == (5, 5, 5)
    assert (race.s.split_engine, race.s.split_chassis) == (1, 1)
    race = against("saboteur", crews={2: "0-0-1-0"}, engine={2: 0}).run("1:play saboteur, 1:player 2")
    assert (race.question, race.s.split_chassis) == ((2, "cancel"), 2)  # there is no choice
    race = against("trail-hunter", *TILES, crews={2: "0-0-1-0"}).run("1:play trail-hunter, 1:1a, 1:3a")
    assert (race.question, len(race.tiles)) == ((2, "cancel"), 3)
    assert (race.s.first_spot, race.s.second_spot) == (race.space("1a"), race.space("3a"))
