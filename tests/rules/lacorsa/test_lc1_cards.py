"""LC-1 Cards and deck: the deal, what is private, what a redeal may bring."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from paddock.core.errors import BadOption
from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules import rules, state
from paddock.kernel import CHANCE

from ..harness import draw_all, rng
from .harness import CARDS, Race, before_deal, fresh, kinds, on_road, qualifying

SUIT = "R 1 2 3 4 5 6 7 8 9 10 11 12"


# The deck and the deal


def test_lc_1_1_a_suit_is_thirteen_cards() -> None:
    """LC-1.1 one of each kind: the ranks 1 to 12 and the Redline; suits have no rank."""
    assert state.KINDS == 13
    assert Counter(CARDS) == Counter(SUIT.split())
    for cars in (4, 5, 6):
        assert fresh(drivers=cars).outcomes() == dict.fromkeys(CARDS, cars)


@pytest.mark.parametrize(("drivers", "cars"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_lc_1_2_as_many_suits_as_cars_and_all_are_dealt(drivers: int, cars: int) -> None:
    """LC-1.2 13 cards to each car: the whole deck."""
    race = fresh(drivers=drivers)
    assert sum(race.outcomes().values()) == 13 * cars
    for _ in range(13 * cars):
        assert (race.phase, race.asked) == ("deal", {0})
        race.take(max(race.outcomes(), key=race.outcomes().__getitem__))
    assert race.phase == "qualify"
    assert race.asked == set(range(1, cars + 1))
    assert not any(race.s.deck)
    assert [len(race.hand(car).split()) for car in range(1, cars + 1)] == [13] * cars


def test_lc_1_2_cards_are_dealt_car_after_car() -> None:
    """LC-1.2 a card that is dealt is out of the deck; a kind that is gone cannot be dealt."""
    race = before_deal("7 7 R 12", cars=2, cards=2)
    assert race.outcomes() == {"R": 1, "7": 2, "12": 1}
    race.take("7")
    assert (race.hand(1), race.hand(2), race.s.dealt) == ("7", "", 1)
    assert race.outcomes() == {"R": 1, "7": 1, "12": 1}
    race.take("R")
    assert (race.hand(1), race.hand(2)) == ("R 7", "")
    race.take("7")
    assert (race.hand(1), race.hand(2)) == ("R 7", "7")
    assert race.outcomes() == {"12": 1}
    assert race.phase == "deal"
    race.take("12")
    assert (race.hand(1), race.hand(2)) == ("R 7", "7 12")
    assert (race.phase, race.asked) == ("qualify", {1, 2})


def test_lc_1_2_every_race_starts_from_a_full_deck() -> None:
    """LC-1.2 nothing of the race before is left."""
    race = qualifying({1: "3 2 5", 2: "2 2 4"}, aside="9").run("1:3 2:4 / 1:2 2:2 2:^2")
    assert race.phase == "over"
    race.start()
    again = before_deal("3 2 5 2 2 4 9", cars=2, cards=3)
    assert race.fields() == again.fields()
    for name, value in race.fields().items():
        if name not in ("waiting", "deck", "running"):
            numbers = (
                value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
            )
            assert not any(numbers), name
    assert race.told == []
    race, again = fresh(drivers=12, large_grid=True), fresh(drivers=12, large_grid=True)
    for field in race.s.__slots__:  # whatever the fields held
        value = getattr(race.s, field)
        if isinstance(value, list):
            value[:] = [77] * len(value)
        elif isinstance(value, dict):
            value.update(dict.fromkeys(value, 77))
        else:
            setattr(race.s, field, 77)
    race.start()
    assert race.fields() == again.fields()
    assert race.told == []


def test_lc_1_2_chance_in_one_go_is_chance_step_by_step() -> None:
    """LC-1.2 the deal from a stream is the same card by card and at once."""
    for seed in range(20):
        at_once, stepwise = fresh(drivers=5, extra_suits=1), fresh(drivers=5, extra_suits=1)
        one, other = rng(seed), rng(seed)
        at_once.run_chance(one)
        draw_all(stepwise, other)
        assert at_once.phase == "qualify"
        assert at_once.fields() == stepwise.fields()
        assert one == other
        assert at_once.told == stepwise.told == []


@pytest.mark.parametrize("dealt", [1, 2, 3, 5, 6, 7, 8])
def test_lc_1_2_the_rest_of_a_deal_in_one_go(dealt: int) -> None:
    """LC-1.2 whichever car is being dealt to when the rest is asked for at once."""
    for seed in range(20):
        at_once = before_deal("R R 1 6 7 7 8 12 12 3", cars=3, cards=3)
        for card in ("7", "R", "12", "1", "8", "12", "3", "R")[:dealt]:
            at_once.take(card)
        stepwise, one, other = at_once.copy(), rng(seed), rng(seed)
        at_once.run_chance(one)
        draw_all(stepwise, other)
        assert at_once.phase == "qualify"
        assert at_once.fields() == stepwise.fields()
        assert one == other


def test_lc_1_2_every_deal_is_as_likely_as_another() -> None:
    """LC-1.2 the deck is shuffled: each way to deal four cards comes about as often."""
    deals: Counter[tuple[str, str]] = Counter()
    for seed in range(1200):
        race = before_deal("R 1 2 12", cars=2, cards=2)
        race.run_chance(rng(seed))
        deals[race.hand(1), race.hand(2)] += 1
    assert len(deals) == 6
    assert all(150 < count < 250 for count in deals.values())


def test_lc_1_3_cards_left_over_are_set_aside() -> None:
    """LC-1.3 extra suits are in the deck; 13 cards to a car; the rest takes no part."""
    race = fresh(drivers=2, extra_suits=2)
    assert race.outcomes() == dict.fromkeys(CARDS, 6)
    race.run_chance(rng(3))
    race.check()
    assert race.phase == "qualify"
    assert [len(race.hand(car).split()) for car in (1, 2, 3, 4)] == [13] * 4
    assert sum(race.s.deck) == 26


def test_lc_1_3_extra_suits_for_any_number_of_drivers() -> None:
    """LC-1.3 allowed for any number, the default is none."""
    assert Options().extra_suits == 0
    for drivers, cars in ((2, 4), (3, 6), (6, 6)):
        assert fresh(drivers=drivers, extra_suits=1).outcomes() == dict.fromkeys(CARDS, cars + 1)
    with pytest.raises(BadOption, match="extra_suits"):
        Options.read({"extra_suits": -1})


# What is private

PUBLIC = {
    "waiting",
    "phase",
    "turn",
    "passes",
    "lap",
    "last",
    "placed",
    "dealt",
    "discard",
    "cards",
    "value",
    "order",
    "gap",
    "running",
    "stops",
    "drafted",
    "out",
    "known",
    "past",
}
OWNERS = {"held", "hand", "commit"}
NOBODYS = {"deck"}


def test_lc_1_4_what_each_field_of_the_state_is_to_whom() -> None:
    """LC-1.4 hands and commitments are their driver's, the undealt cards nobody's, all else public."""
    race = qualifying({1: "3 4 R", 2: "5 6 R", 3: "7 8 R"}, aside="9 R").run("1:4 3:7+R")
    assert set(race.fields()) == PUBLIC | OWNERS | NOBODYS
    seen = race.hide(1).fields()
    true = race.fields()
    for name in PUBLIC:
        assert seen[name] == true[name], name
    assert seen["deck"] == [0] * 13
    assert seen["held"][:3] == [true["held"][0], 0, 0]
    for (car, kind), count in true["hand"].items():
        assert seen["hand"][car, kind] == (count if car == 0 else 0)
    assert true["commit"][:3] == [5, 0, 20]
    assert seen["commit"][:3] == [5, 0, -1]  # that car 3 has committed is public, and that car 2 has not
    assert race.hide(3).s.commit[:3] == [-1, 0, 20]
    assert race.hide().s.commit[:3] == [-1, 0, -1]
    assert race.asked == {2}


def test_lc_1_4_a_driver_of_two_cars_knows_both_hands() -> None:
    """LC-1.4 the eyes are those of all cars of a driver; a spectator has none."""
    race = qualifying({1: "3 4", 2: "5 R", 3: "7 8", 4: "R 12"})
    both = race.hide(3, 4).s
    assert [sum(both.hand[car, k] for k in range(13)) for car in range(4)] == [0, 0, 2, 2]
    assert both.held[:4] == [0, 0, 0b110000000, 0b1000000000001]
    nobody = race.hide().s
    assert not any(nobody.hand.values()) and not any(nobody.held) and not any(nobody.deck)
    assert nobody.cards[:4] == [2, 2, 2, 2]
    everyone = race.hide(1, 2, 3, 4).fields()
    assert everyone == race.fields()


def test_lc_1_4_a_dealt_card_is_seen_by_its_driver() -> None:
    """LC-1.4 the last card of car 1 and the first of car 2."""
    race = before_deal("4 5 6 7", cars=2, cards=2).take("4")
    assert [race.seen(cars, 0, "5") for cars in ({1}, {2}, {1, 2}, set())] == ["5", "?", "5", "?"]
    race.take("5")
    assert [race.seen(cars, 0, "6") for cars in ({1}, {2}, {1, 2}, set())] == ["?", "6", "6", "?"]


def test_lc_1_4_a_committed_play_is_seen_by_its_driver() -> None:
    """LC-1.4 in qualifying and in a challenge; what is played on the road is face up."""
    race = qualifying({1: "3 4", 2: "3 6"})
    for cars, shown in (({1}, "3"), ({2}, "?"), ({1, 2}, "3"), (set[int](), "?")):
        assert race.seen(cars, 1, "3") == shown
    assert race.seen({2}, 2, "6") == "6"
    tied = race.copy().run("1:3 2:3")
    assert tied.phase == "tied"
    for outcome in (13, 14):  # a lot is public
        assert rules.seen(tied.s, tied.g, 0, CHANCE, outcome) == outcome
    race.run("1:3 2:6")
    assert race.phase == "challenge"
    assert [race.seen(cars, 1, "4") for cars in ({1}, {2}, set())] == ["4", "?", "?"]
    assert [race.seen(cars, 2, "3") for cars in ({1}, {2}, set())] == ["?", "3", "?"]
    race.run("1:4 2:3")
    race = on_road("1 . 2", {1: "3 4", 2: "5 6"})
    for cars in ({1}, {2}, set[int]()):
        assert race.seen(cars, 1, "x4") == "x4"
        assert race.seen(cars, 1, "^3") == "^3"


def test_lc_1_4_a_play_is_public_once_revealed() -> None:
    """LC-1.4 a revealed play is in the discard pile for everyone; the hand is a card shorter."""
    race = qualifying({1: "3 4", 2: "5 6"}).run("1:3 2:5")
    seen = race.hide()
    assert seen.discard == "3 5"
    assert seen.s.cards[:2] == [1, 1]
    assert seen.s.commit[:2] == [0, 0]


def test_lc_1_5_the_order_of_the_discard_pile_means_nothing() -> None:
    """LC-1.5 two ways to the same pile are the same state."""
    one = on_road("1 . 2", {1: "5 6 7", 2: "5 6 7"}).run("1:x5 2:x6 / 1:x7 2:x7")
    other = on_road("1 . 2", {1: "5 6 7", 2: "5 6 7"}).run("1:x7 2:x7 / 1:x5 2:x6")
    assert one.discard == "5 6 7 7"
    assert one.fields() == other.fields()


# Dealing again what is hidden


def worlds(race: Race, *cars: int, of: int, times: int = 1200) -> Counter[tuple[str, str]]:
    """How often each (hand of car ``of``, cards set aside) comes out of a redeal."""
    found: Counter[tuple[str, str]] = Counter()
    for seed in range(times):
        new = race.redeal(*cars, seed=seed)
        new.check()
        found[new.hand(of), " ".join(CARDS[k] for k in range(13) for _ in range(new.s.deck[k]))] += 1
    return found


def test_lc_1_4_a_redeal_brings_every_consistent_world_as_chance_would() -> None:
    """LC-1.4 unseen is the deck less the pile and the own hand, in hands and set aside alike."""
    race = on_road("1 . 2", {1: "5 6", 2: "7 R"}, aside="7 12", discard="9 9 4")
    found = worlds(race, 1, of=2)
    unseen = ["7", "R", "7 ", "12"]
    expected = Counter(
        tuple(
            tuple(sorted((card.strip() for card in part), key=CARDS.index)) for part in (deal[:2], deal[2:])
        )
        for deal in permutations(unseen)
    )
    total = sum(expected.values())
    assert {tuple(tuple(part.split()) for part in world) for world in found} == set(expected)
    for (hand, aside), count in found.items():
        share = expected[tuple(hand.split()), tuple(aside.split())] / total
        assert abs(count / 1200 - share) < 0.05


def test_lc_1_4_a_redeal_leaves_what_is_known() -> None:
    """LC-1.4 own hands, commitments and everything public stay, and hiding again gives the same."""
    race = qualifying({1: "3 4 R", 2: "5 6 R", 3: "7 8 R", 4: "1 2 R"}, aside="9 R").run("1:4 3:7+R 4:R")
    for cars in ((), (1,), (3, 4), (1, 2, 3, 4)):
        hidden = race.hide(*cars).fields()
        for seed in range(30):
            new = race.redeal(*cars, seed=seed)
            new.check()
            assert new.hide(*cars).fields() == hidden
            for car in cars:
                assert new.hand(car) == race.hand(car)
                assert new.s.commit[car - 1] == race.s.commit[car - 1]
                assert new.legal(car) == race.legal(car)


def test_lc_1_4_a_redeal_in_the_middle_of_the_deal() -> None:
    """LC-1.4 cars get as many cards as they have so far, the rest is the deck."""
    race = before_deal("4 5 6 7 8 9", cars=2, cards=3)
    for card in ("4", "5", "6", "7"):
        race.take(card)
    for seed in range(20):
        new = race.redeal(1, seed=seed)
        new.check()
        assert new.hand(1) == "4 5 6"
        assert len(new.hand(2)) == 1
        assert sum(new.s.deck) == 2


def test_lc_1_4_a_hidden_commitment_is_any_legal_move_of_the_new_hand() -> None:
    """LC-1.4 uniform among the legal moves; none where none was made."""
    race = qualifying({1: "5", 2: "7", 3: "9"}, aside="R").run("2:7")
    plays = Counter(race.redeal(1, seed=seed).s.commit[1] - 1 for seed in range(300))
    assert set(plays) == {0, 7, 9}
    assert all(70 < count < 130 for count in plays.values())
    race = qualifying({1: "5 5", 2: "7 R", 3: "9 4"}).run("2:7+R")
    for seed in range(60):
        new = race.redeal(1, 3, seed=seed)
        assert new.hand(2) == "R 7"
    found = Counter(race.redeal(1, 3, seed=seed).s.commit[1] - 1 for seed in range(300))
    assert set(found) == {0, 7, 19}
    assert all(70 < count < 130 for count in found.values())
    assert {race.redeal(1, seed=seed).s.commit[2] for seed in range(20)} == {0}


def test_lc_1_4_a_redeal_of_a_challenge() -> None:
    """LC-1.4 in a challenge the commitment of the other side is dealt again too."""
    race = on_road("1 2", {1: "5", 2: "R"}, aside="11").run("2:R")
    found = Counter(race.redeal(1, seed=seed).s.commit[1] - 1 for seed in range(100))
    assert set(found) == {0, 11}
    assert race.redeal(2, seed=5).s.commit[:2] == [0, 1]


def test_lc_1_4_a_play_that_is_hidden_can_be_taken_back() -> None:
    """LC-1.4 LC-3.1 LC-5.1 then exactly its cars must decide again."""
    race = qualifying({1: "5", 2: "7", 3: "9", 4: "2"}).run("2:7 3:9")
    for eyes, again in ((1,), {1, 2, 3, 4}), ((3,), {1, 2, 4}), ((2, 3), {1, 4}):
        seen = race.hide(*eyes)
        rules.undecide(seen.s, seen.g)
        assert seen.asked == again
        assert [play != 0 for play in seen.s.commit[:4]] == [car not in again for car in (1, 2, 3, 4)]
    challenged = on_road("1 2 3", {1: "5", 2: "R", 3: "8"}).run("2:R")
    seen = challenged.hide(1)
    rules.undecide(seen.s, seen.g)
    assert seen.asked == {1, 2}
    assert seen.s.commit[:3] == [0, 0, 0]


def test_lc_1_4_only_cards_in_the_hand_can_be_played() -> None:
    """LC-1.4 a hand holds what it holds; the refusal names the clause of what the card was to do."""
    race = qualifying({1: "3 R 12", 2: "5 6 7"})
    assert race.legal(1) == {"R", "3", "12", "3+R", "12+R"}
    assert race.legal(2) == {"5", "6", "7"}
    assert race.why(1, "5") == "LC-3.1"
    assert race.why(1, "5+R") == "LC-3.1"
    assert race.why(2, "R") == race.why(2, "5+R") == "LC-3.1"
    meeting = on_road("1 2", {1: "1 12", 2: "5 R"})
    assert meeting.why(1, "2") == meeting.why(1, "12+R") == meeting.why(2, "6") == "LC-5.1"
    road = on_road("1 . 2", {1: "1 12", 2: "5 R"})
    assert road.why(1, "x2") == road.why(1, "x12+R") == "LC-6.3"
    assert road.why(1, "^2") == "LC-6.1"
    assert kinds("R 1 12") == [0, 1, 12]
