"""GR-2, GR-3 the game turn, the bivouac, and what a hand may hold."""

from __future__ import annotations

import pytest

from ..harness import rng
from .scenes import Race, fresh, scene

ROAD = "AA .. .. .. .. BB"


def dealt(cards: str, **scene_words: object) -> Race:
    """A bivouac at which these cards lie face up."""
    race = scene(ROAD, bivouac=True, **scene_words)
    for card in cards.split():
        race.take(card)
    return race


def planned(race: Race) -> Race:
    """Everybody has placed their assistants."""
    for seat in race.waiting:
        race.play(seat, "plan 2-1-1-1")
    return race


def test_gr_2_1_the_four_phases_of_a_turn() -> None:
    """GR-2.1 bivouac, planning, convoy, maintenance, and again."""
    race = fresh(ROAD).take("1")
    for turn in (1, 2, 3):
        assert (race.phase, race.s.round) == ("bivouac", turn)
        while race.stage == "deal":
            race.take(min(race.outcomes()))
        seen = [race.phase]
        while race.phase != "convoy":
            seat = race.waiting[0]
            race.play(seat, "plan 2-1-1-1" if race.phase == "planning" else race.legal(seat)[0])
            seen += [race.phase] if race.phase != seen[-1] else []
        assert seen == ["bivouac", "planning", "convoy"]
        race.run("1:pass, 2:pass")
        assert race.told == ["passed 2", "ordered 1 1 20", "ordered 2 2 0", f"turn {turn + 1}"]


def test_gr_2_1_until_a_player_reaches_the_destination() -> None:
    """GR-2.1 a player who arrives ends it: no further turn begins."""
    race = scene(ROAD, at={1: "4a"}, tiles={"4a": "track"}, crews={1: "0-1-0-0"})
    race.run("1:drive, 1:BB")
    assert (race.phase, race.waiting) == ("over", [])
    assert not [line for line in race.told if line.startswith("turn")]


# The bivouac


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gr_3_1_one_card_more_than_players_in_reverse_turn_order(players: int) -> None:
    """GR-3.1 players + 1 cards; the last player chooses first, and gets what is left; FAQ: not at once."""
    order = [2, 1, *range(3, players + 1)]
    race = scene(ROAD, bivouac=True, players=players, order=order)
    cards = ["trail-hunter", "saboteur", "militia", "con-artist", "guide", "tracker"][: players + 1]
    for card in cards:
        assert race.question == (0, "deal")
        race.take(card)
    assert race.market.split() == cards
    for seat, card in zip(reversed(order), reversed(cards), strict=False):
        assert race.question == (seat, "take")
        assert race.legal(seat) == [f"take {card}" for card in race.market.split()]
        race.play(seat, f"take {card}")
        assert race.told[0] == f"took {seat} {card}"
        assert race.hand(seat) == card or seat == order[-1]
        assert seat == order[0] or race.hand(order[-1]) == cards[-1]
    assert race.told[1:] == [f"took {order[-1]} {cards[0]}"]
    assert race.hand(order[-1]).split() == [cards[0], cards[-1]]
    assert race.market == ""
    assert race.stage == "plans"


def test_gr_3_1_any_of_the_cards_that_are_left() -> None:
    """GR-3.1 of two cards of a kind one is left for the next."""
    race = dealt("militia militia guide", players=2)
    assert race.legal(2) == ["take militia", "take guide"]
    assert race.play(2, "take militia").legal(1) == ["take militia", "take guide"]
    race.play(1, "take guide")
    assert (race.hand(1), race.hand(2)) == ("guide", "militia militia")


def test_gr_3_1_where_deck_and_pile_are_too_small() -> None:
    """GR-3.1, GR-1.8 the pile is shuffled when a card is due; without cards the first players get none."""
    race = scene(ROAD, bivouac=True, players=4, deck="militia", discard="guide customs")
    assert race.outcomes() == {"militia": 1}
    race.take("militia")
    assert race.told == ["dealt militia", "shuffled"]
    assert (race.discard, race.outcomes()) == ("", {"guide": 1, "customs": 1})
    race.run("0:guide, 0:customs, 4:take militia, 3:take guide, 2:take customs")
    assert race.stage == "plans"
    assert [race.hand(seat) for seat in race.seats] == ["", "customs", "guide", "militia"]


# The hand limit


def test_gr_3_2_who_has_more_cards_than_chassis_levels_discards_one_of_any() -> None:
    """GR-3.2 at once, before the next player takes a card; the new card may be the one that goes."""
    race = dealt("militia guide customs", players=2, hands={2: "driver ransom"}, chassis={2: 2})
    race.play(2, "take guide")
    assert race.question == (2, "discard")
    assert race.legal(2) == ["discard driver", "discard guide", "discard ransom"]
    assert race.copy().play(2, "discard guide").hand(2) == "driver ransom"
    race.play(2, "discard driver")
    assert race.told == ["discarded 2 driver"]
    assert (race.hand(2), race.discard) == ("guide ransom", "driver")
    assert race.question == (1, "take")
    race.run("1:take militia")
    assert race.told == ["took 1 militia", "took 2 customs"]
    assert race.question == (2, "discard")  # of the card that was left
    race.play(2, "discard customs")
    assert race.stage == "plans"


def test_gr_3_2_the_limit_is_the_level_of_the_chassis() -> None:
    """GR-3.2 with as many cards as levels nobody discards; at 0 every card goes."""
    race = dealt("militia guide customs", hands={2: "driver"}, chassis={1: 0, 2: 2})
    assert race.play(2, "take guide").question == (1, "take")
    race.play(1, "take militia")
    assert race.legal(1) == ["discard militia"]
    assert race.play(1, "discard militia").question == (2, "discard")


def test_gr_3_2_a_jerrycan_may_be_played_instead_of_discarding() -> None:
    """GR-3.2, GR-5.12 FAQ: also the one that was just taken, unless petrol is at its maximum."""
    for petrol, more in ((4, ["play jerrycan"]), (5, [])):
        race = dealt(
            "jerrycan guide customs", hands={2: "driver ransom"}, chassis={2: 2}, petrol={2: petrol}
        ).play(2, "take jerrycan")
        cards = ["discard driver", "discard jerrycan", "discard ransom"]
        assert race.legal(2) == cards + more
    race = dealt("jerrycan guide customs", hands={2: "driver ransom"}, chassis={2: 2}, petrol={2: 4})
    race.run("2:take jerrycan, 2:play jerrycan")
    assert (race.petrol(2), race.hand(2), race.discard) == (5, "driver ransom", "jerrycan")
    assert race.question == (1, "take")


def test_gr_3_2_a_card_is_drawn_also_into_a_full_hand() -> None:
    """GR-3.2 FAQ: one draws, chooses what to keep, and discards down to the limit."""
    race = scene(ROAD, hands={1: "militia guide"}, chassis={1: 2}, deck="tracker")
    race.run("1:supply, 0:tracker")
    assert race.question == (1, "discard")
    assert race.legal(1) == ["discard militia", "discard guide", "discard tracker"]
    assert race.play(1, "discard guide").hand(1) == "militia tracker"
    assert race.question == (1, "act")


def test_gr_3_2_when_the_chassis_drops_the_hand_shrinks_before_the_drive_goes_on() -> None:
    """GR-3.2 the owner chooses; the next step waits."""
    race = scene(ROAD, tiles={"1a": "scree"}, hands={1: "militia guide tracker"}, chassis={1: 3})
    race.run("1:drive, 1:1a, 1:chassis, 1:chassis")
    assert race.question == (1, "discard")
    assert race.chassis(1) == 1
    assert race.run("1:discard guide").question == (1, "discard")
    assert race.run("1:discard militia").question == (1, "step")
    assert race.hand(1) == "tracker"


def test_gr_3_2_a_rival_whose_chassis_drops_discards_in_another_players_turn() -> None:
    """GR-3.2 once it is down to the limit, who plays goes on; a Jerrycan counts as a card that is gone."""
    race = scene(
        ROAD, hands={1: "saboteur", 2: "jerrycan militia guide"}, chassis={2: 3}, petrol={2: 4},
        crews={1: "0-1-0-0"},
    )  # fmt: skip
    race.run("1:play saboteur, 1:player 2, 1:chassis, 1:chassis, 2:decline")
    assert race.question == (2, "discard")
    assert "play jerrycan" in race.legal(2)
    assert race.run("2:play jerrycan").question == (2, "discard")
    assert "play jerrycan" not in race.legal(2)
    assert race.run("2:discard militia").question == (1, "act")
    assert (race.hand(2), race.discard) == ("guide", "saboteur militia jerrycan")


# What is known of a hand


def test_gr_3_3_a_card_taken_at_the_bivouac_is_known_while_it_is_held() -> None:
    """GR-3.3 also the one that was left; a drawn one is its owner's secret; a redeal keeps all of it."""
    race = dealt("financial guide customs", deck="5*militia driver financial guide customs")
    race.run("2:take guide, 1:take financial")
    assert (race.known(1), race.known(2)) == ("financial", "guide customs")
    planned(race).run("1:supply, 0:militia")
    assert race.told[-1] == "drew 1 militia (to [1])"
    assert (race.known(1), race.hand(1)) == ("financial", "militia financial")
    for eyes in ((), (2,)):
        hidden = race.hide(*eyes)
        assert (hidden.hand(1), hidden.known(1), hidden.s.cards[0]) == ("", "financial", 2)
        hands = {race.redeal(*eyes, row=rng(seed)).hand(1) for seed in range(40)}
        assert hands == {"militia financial", "driver financial"}
    race.run("2:fund, 1:play financial")
    assert (race.known(1), race.hand(1)) == ("", "militia")


def test_gr_3_3_a_stolen_card_is_known_to_thief_and_victim() -> None:
    """GR-3.3 to nobody else."""
    race = scene(ROAD, players=3, leaders=("kate", "cook", "li"), hands={2: "militia guide"})
    race.run("1:steal, 1:player 2, 2:decline, 0:guide")
    assert race.told == ["stole 1 2 guide (to [1, 2])"]
    assert race.hand(1) == "guide"
    assert (race.known(1), race.known(1, 2), race.known(1, 3)) == ("", "guide", "")
    race.run("1:supply, 0:tracker")
    assert {race.redeal(2, row=rng(seed)).hand(1).count("guide") > 0 for seed in range(20)} == {True}
    assert {race.redeal(3, row=rng(seed)).hand(1).count("guide") > 0 for seed in range(20)} == {True, False}


def test_gr_3_4_after_a_theft_third_parties_know_one_card_less_of_each_kind() -> None:
    """GR-3.4 thief and victim keep what they know."""
    race = dealt(
        "militia guide guide customs", players=3, leaders=("kate", "cook", "li"), hands={3: "driver"}
    )
    race.run("3:take guide, 2:take militia, 1:take customs")
    assert race.known(3) == "guide guide"
    for seat in race.waiting:
        race.play(seat, "plan 6-0-0-0" if "plan 6-0-0-0" in race.legal(seat) else "plan 2-1-1-1")
    race.run("1:steal, 1:player 3, 3:decline, 0:driver")
    assert race.known(3) == "guide"  # everybody: one may have gone
    assert race.known(3, 1) == "guide"  # the thief saw that it was another card
    assert race.known(3, 2) == ""
    assert (race.known(2), race.known(1), race.known(1, 3)) == ("militia", "customs", "driver")
