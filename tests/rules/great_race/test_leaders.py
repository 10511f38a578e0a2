"""GR-11 the leaders."""

from __future__ import annotations

from typing import Any

import pytest

from .roads import road
from .scenes import Race, fresh

GRID = "AA .. CC .. .. BB"


def led(*leaders: str, **more: Any) -> Race:
    """A race on ``GRID`` with these leaders, by seat."""
    return road(*more.pop("tiles", ()), **{"grid": GRID, "leaders": leaders, "players": len(leaders), **more})


def next_convoy(race: Race) -> Race:
    """Play on with passes, and on through the next bivouac and planning, into the next convoy."""
    turn = race.s.round
    while race.s.round == turn or race.phase != "convoy":
        asked = race.waiting[0]
        if asked == 0:
            race.take(next(iter(race.outcomes())))
        elif race.stage == "act":
            race.play(asked, "pass")
        else:
            legal = race.legal(asked)
            race.play(asked, "plan 0-0-0-5" if race.stage == "plans" else legal[0])
    return race


# The choice


def test_everybody_chooses_a_leader_in_turn_order() -> None:
    """GR-11 in turn order each chooses one that is left; two Topographers are in the deck."""
    race = fresh(GRID, players=3, leaders=True).run("0:2")
    assert (race.question, len(race.legal(2))) == ((2, "leader"), 5)
    race.run("2:leader kate")
    assert race.question == (3, "leader")
    assert set(race.legal(3)) == {"leader cook", "leader boris", "leader baron", "leader li"}
    race.run("3:leader li, 1:leader cook")
    assert race.question == (0, "deal")
    assert [race.s.leader[seat] for seat in range(3)] == [0, 4, 3]
    assert race.deck.split().count("topographer") == 2


def test_without_the_module_there_are_no_leaders() -> None:
    """GR-11 nobody is asked, and no Topographer is in the deck."""
    race = fresh(GRID, players=2).run("0:1")
    assert race.question == (0, "deal")
    assert "topographer" not in race.deck


# Cook


def test_cook_guards_against_a_tile() -> None:
    """GR-11.1 Cook's guard avoids the danger of a tile, once a turn."""
    race = led("cook", "li", tiles=("outlaws",)).run("1:drive, 1:1a")
    assert (race.question, set(race.legal(1))) == ((1, "danger"), {"cook-guards", "decline"})
    race.run("1:cook-guards")
    assert (race.gauges(1), race.crew(1), race.question) == ((4, 5, 5), "0-2-0-0", (1, "step"))
    race.run("1:AA, 0:guide, 1:drive, 1:1a")
    assert (race.question, race.legal(1)) == ((1, "danger"), ["decline"])


def test_cook_guards_on_unknown_land() -> None:
    """GR-11.1, GR-7.18 his guard counts as one that is left, so he is asked on unknown land."""
    race = led("cook", "li").run("1:drive, 1:1a, 0:outlaws")
    assert set(race.legal(1)) == {"cook-guards", "decline"}
    assert race.run("1:cook-guards").gauges(1) == (4, 5, 5)
    assert led("cook", "li", used=[1]).run("1:drive, 1:1a, 0:track").question == (1, "step")


def test_cook_makes_a_step_possible() -> None:
    """GR-11.1, GR-7.4 his guard is counted where the danger could not be paid."""
    weak = {"engine": {1: 1}, "chassis": {1: 0}, "tiles": ("outlaws",)}
    race = led("cook", "li", **weak).run("1:drive, 1:1a")
    assert race.legal(1) == ["cook-guards"]
    assert "drive" not in led("cook", "li", used=[1], **weak).legal(1)


def test_cook_guards_against_cards_also_after_passing() -> None:
    """GR-11.1, GR-11.10 his guard works in another's action, and a pass leaves it in place; once a turn."""
    race = led("cook", "li", turn=2, passed=[1], crews={2: "0-1-0-0"}, hands={2: "2*ransom"})
    race.run("2:play ransom, 2:player 1")
    assert (race.question, set(race.legal(1))) == ((1, "cancel"), {"cook-guards", "decline"})
    race.run("1:cook-guards, 2:play ransom, 2:player 1")
    assert (race.money(1), race.question) == (60, (2, "act"))
    race = led("cook", "li", crews={1: "1-0-0-0", 2: "0-1-0-0"}, hands={2: "ransom"})
    assert race.run("1:pass, 2:play ransom, 2:player 1").question == (1, "cancel")


def test_cook_clears_a_way_for_nothing() -> None:
    """GR-11.1, GR-11.10 his guard may clear a way as his action: it costs no assistant, ends the sequence."""
    race = led("cook", "li", tiles=("mud",), crews={1: "0-1-0-0", 2: "0-1-0-0"})
    assert {"cook-clears"} == {move for move in race.legal(1) if "clear" in move}
    race.run("1:cook-clears")
    assert (race.question, race.legal(1)) == ((1, "spot"), ["1a"])
    race.run("1:1a")
    assert (race.tiles, race.removed, race.crew(1)) == ({}, "mud", "0-1-0-0")
    assert race.question == (2, "act")
    assert "cook-clears" not in race.run("2:drive, 2:1a, 0:track, 2:AA, 0:guide").legal(1)


def test_cook_clears_only_what_is_connected() -> None:
    """GR-11.1, GR-6.6 as with any guard: a tile connected to the vehicle, none with a vehicle on it."""
    race = led("cook", "li", tiles=("mud", "", "", "track"))
    assert race.run("1:cook-clears").legal(1) == ["1a"]
    assert "cook-clears" not in led("cook", "li", tiles=("mud", "", "", "track"), at={2: "1a"}).legal(1)
    assert "cook-clears" not in led("li", "cook", tiles=("mud",)).legal(1)


def test_an_assistant_on_security_and_cook_are_two() -> None:
    """GR-11.1 his guard is one more than those on Security."""
    race = led("cook", "li", tiles=("outlaws",), crews={1: "0-1-1-0"})
    assert {"clear", "cook-clears"} <= set(race.legal(1))
    assert set(race.run("1:drive, 1:1a").legal(1)) == {"guard", "cook-guards", "decline"}


def test_cook_is_not_asked_for_an_action_without_assistants() -> None:
    """GR-11.1, GR-11.10 his guard counts neither for GR-5.1 nor for GR-5.3."""
    race = led("cook", "li", tiles=("mud",), crews={1: "0-0-0-1", 2: "0-0-0-2"}, hands={1: "financial"})
    assert race.run("1:fund, 2:fund").question == (0, "deal")


# Boris


@pytest.mark.parametrize("gauge_max", [5, 7])
def test_boris_starts_with_one_more(gauge_max: int) -> None:
    """GR-11.2 he starts with one more than the maximum of the others on each gauge."""
    race = led("li", "boris", gauge_max=gauge_max)
    assert race.gauges(2) == (gauge_max + 1,) * 3
    assert race.gauges(1) == (gauge_max,) * 3


def test_boris_keeps_his_maximum() -> None:
    """GR-11.2 6 is his maximum: to buy, to repair, for his hand, and for his steps."""
    race = led("boris", "li", petrol={1: 4}, engine={1: 4}, money={1: 200}, hands={1: "refueling-station"})
    assert {move for move in race.legal(1) if move.startswith("buy")} == {"buy 1", "buy 2"}
    race.run("1:play refueling-station, 1:repair, 1:buy-engine")
    assert (race.petrol(1), race.question) == (6, (1, "mend"))
    race.run("1:buy-engine")
    assert (race.gauges(1), race.question) == ((6, 6, 6), (1, "act"))
    race = led("boris", "li", hands={1: "2*guide 2*militia driver jerrycan"}, petrol={1: 5})
    assert race.question == (1, "act")
    assert race.run("1:play jerrycan").petrol(1) == 6


def test_boris_drives_six_steps() -> None:
    """GR-11.2, GR-7.1 a drive goes as far as his engine."""
    grid = "AA .. .. .. .. .. .. .. BB"
    race = road(*["track"] * 7, grid=grid, leaders=["boris", "li"])
    race.run("1:drive, 1:1a, 1:2a, 1:3a, 1:4a, 1:5a")
    assert race.question == (1, "step")
    assert race.run("1:6a").question == (1, "act")


# The Baron


@pytest.mark.parametrize(("number", "rejects"), [(0, 3), (1, 2), (2, 1), (3, 0)])
def test_the_baron_draws_three_and_keeps_the_number(number: int, rejects: int) -> None:
    """GR-11.3 in a city he draws 3 cards and keeps its number; all 3 if it is 3."""
    race = led("baron", "li", numbers={"CC": number}, tiles=("track",)).run("1:drive, 1:1a, 1:CC")
    for card in ("guide", "guide", "militia"):
        assert race.question == (0, "draw card")
        race.run(f"0:{card}")
    for _ in range(rejects):
        assert race.question == (1, "keep")
        race.run("1:discard militia" if "discard militia" in race.legal(1) else "1:discard guide")
    assert race.question == (1, "act")
    assert race.s.cards[0] == number
    assert len(race.discard.split()) == rejects


def test_the_others_draw_the_number() -> None:
    """GR-11.3 his power is his own."""
    race = led("baron", "li", turn=2, numbers={"CC": 1}, tiles=("track",), crews={2: "0-2-0-0"})
    assert race.run("2:drive, 2:1a, 2:CC, 0:guide").question == (2, "act")


def test_the_baron_chooses_before_the_hand_limit() -> None:
    """GR-11.8 he keeps first and then obeys GR-3.2; what he rejects lies face up, what he keeps is hidden."""
    race = led("baron", "li", tiles=("track",), chassis={1: 1}, hands={1: "driver"})
    race.run("1:drive, 1:1a, 1:CC, 0:guide, 0:militia, 0:jerrycan")
    assert (race.question, set(race.legal(1))) == (
        (1, "keep"),
        {"discard guide", "discard militia", "discard jerrycan"},
    )
    race.run("1:discard jerrycan")
    assert race.told == ["discarded 1 jerrycan"]
    race.run("1:discard guide")
    assert race.told == ["discarded 1 guide", "kept 1 militia (to [1])"]
    assert (race.question, set(race.legal(1))) == ((1, "discard"), {"discard militia", "discard driver"})
    race.run("1:discard driver")
    assert (race.hand(1), race.discard) == ("militia", "driver jerrycan guide")


# Li


def test_li_has_six_assistants_on_odd_turns() -> None:
    """GR-11.4 on odd turns Li plans six assistants, on even ones five as all others do."""
    for turn, number in ((1, 6), (2, 5), (3, 6)):
        race = led("li", "cook", round=turn, bivouac=True)
        while race.stage != "plans":
            if race.stage == "deal":
                race.take(next(iter(race.outcomes())))
            else:
                race.play(race.asked, race.legal(race.asked)[0])
        for seat, assistants in ((1, number), (2, 5)):
            plans = race.legal(seat)
            assert len(plans) == {5: 56, 6: 84}[assistants]
            for plan in plans:
                assert sum(int(n) for n in plan.removeprefix("plan ").split("-")) == assistants
        race.run(f"1:{race.legal(1)[-1]}, 2:plan 0-5-0-0")
        assert race.crew(1) == f"{number}-0-0-0"


# Kate


def test_kate_takes_a_random_card() -> None:
    """GR-11.5 a card of the victim's hand by lot; only the two see which one; no petrol is bought after."""
    race = led("kate", "li", "cook", players=3, hands={2: "guide 2*militia"}, petrol={1: 3})
    assert {"steal", "buy 1"} <= set(race.legal(1))
    race.run("1:steal")
    assert (race.question, race.legal(1)) == ((1, "target"), ["player 2"])
    race.run("1:player 2")
    assert (race.question, set(race.legal(2))) == ((2, "ransom"), {"pay", "decline"})
    race.run("2:decline")
    assert (race.question, race.outcomes()) == ((0, "theft"), {"guide": 1, "militia": 2})
    assert race.seen([3], 0, "militia") == "?"
    assert race.seen([1], 0, "militia") == race.seen([2], 0, "militia") == "militia"
    race.run("0:militia")
    assert race.told == ["stole 1 2 militia (to [1, 2])"]
    assert (race.hand(1), race.hand(2), race.crew(1)) == ("militia", "militia guide", "0-3-0-0")
    assert race.question == (1, "act")
    assert "buy 1" not in race.legal(1)
    assert "steal" not in race.legal(1)


def test_the_victim_pays_kates_player() -> None:
    """GR-11.5, GR-11.7 20 F to Kate's player prevent the theft; the power is used up all the same."""
    race = led("kate", "li", hands={2: "guide 2*militia"}).run("1:steal, 1:player 2, 2:pay")
    assert (race.money(1), race.money(2), race.hand(2)) == (100, 60, "militia militia guide")
    assert race.question == (1, "act")
    assert "steal" not in race.legal(1)


def test_a_theft_is_no_danger() -> None:
    """GR-11.5 neither guards nor a Militia prevent it."""
    race = led("kate", "cook", crews={1: "0-1-0-0", 2: "0-0-2-0"}, hands={2: "militia"})
    race.run("1:steal, 1:player 2")
    assert set(race.legal(2)) == {"pay", "decline"}


def test_kate_steals_only_in_her_own_sequence() -> None:
    """GR-11.5, GR-11.7 on her sequence, before the assistant; no other leader can."""
    hands = {1: "guide", 2: "guide"}
    assert "steal" in led("kate", "li", hands=hands).legal(1)
    assert "steal" not in led("li", "kate", hands=hands).legal(1)
    race = led("kate", "li", hands=hands, crews={1: "0-0-0-1", 2: "0-0-0-2"}).run("1:fund")
    assert (race.question, "steal" in race.legal(2)) == ((2, "act"), False)
    race = led("kate", "li", hands={**hands, 1: "financial"}).run("1:play financial")
    assert "steal" in race.legal(1)


@pytest.mark.parametrize(("money", "asked"), [(19, False), (20, True)])
def test_a_victim_without_20_francs_is_not_asked(money: int, asked: bool) -> None:
    """GR-11.7 who cannot pay is not asked."""
    race = led("kate", "li", money={2: money}, hands={2: "guide"}).run("1:steal, 1:player 2")
    assert race.question == ((2, "ransom") if asked else (0, "theft"))


def test_kate_needs_a_victim_with_a_card() -> None:
    """GR-11.7 an opponent without cards cannot be named; without any the power cannot be used."""
    race = led("kate", "li", "cook", hands={3: "guide"}).run("1:steal")
    assert race.legal(1) == ["player 3"]
    assert "steal" not in led("kate", "li", "cook", hands={1: "guide"}).legal(1)


def test_a_victim_that_has_arrived_is_none() -> None:
    """GR-11.7, GR-9.1 who has finished has no cards and cannot be named."""
    race = led("kate", "li", "cook", hands={3: "guide"})
    race.s.at[1], race.s.place[1], race.s.passed[1], race.s.arrived = race.s.goal, 1, 1, 1
    race.check()
    assert race.run("1:steal").legal(1) == ["player 3"]


def test_kates_hand_obeys_the_limit() -> None:
    """GR-11.7 a stolen card that is too many makes her discard at once."""
    race = led("kate", "li", chassis={1: 1}, money={2: 0}, hands={1: "driver", 2: "guide"})
    race.run("1:steal, 1:player 2, 0:guide")
    assert (race.question, set(race.legal(1))) == ((1, "discard"), {"discard driver", "discard guide"})
    assert race.run("1:discard driver").hand(1) == "guide"


def test_a_last_jerrycan_leaves_kate_nothing() -> None:
    """GR-11.9 a victim may play a Jerrycan when asked; if it was the last card the theft brings nothing."""
    race = led("kate", "li", petrol={2: 3}, hands={2: "jerrycan"}).run("1:steal, 1:player 2")
    assert set(race.legal(2)) == {"pay", "decline", "play jerrycan"}
    race.run("2:play jerrycan")
    assert (race.hand(1), race.petrol(2), race.question) == ("", 4, (1, "act"))
    assert "steal" not in race.legal(1)


# GR-11.6


def test_a_power_is_used_until_the_next_turn() -> None:
    """GR-11.6 the powers of Cook and Kate come back in the next game turn, used or not."""
    race = led("kate", "cook", used=[2], hands={2: "guide"}, money={2: 0})
    race.run("1:steal, 1:player 2, 0:guide")
    assert [race.s.power_used[seat] for seat in range(2)] == [1, 1]
    assert "steal" not in race.legal(1)
    next_convoy(race)
    assert [race.s.power_used[seat] for seat in range(2)] == [0, 0]
    while race.asked != 1:
        race.run(f"{race.asked}:fund")
    assert "steal" in race.legal(1)
