"""GR-4 planning: the assistants are placed in secret, all at once."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from paddock.games.great_race.rulebook import TITLE
from paddock.kernel import HIDDEN

from ..harness import rng
from .scenes import Race, fresh, scene

ROAD = "AA .. .. .. .. BB"


def planning(**scene_words: object) -> Race:
    """A race in which assistants are placed; nobody has a card from the bivouac but of an empty deck."""
    race = scene(ROAD, bivouac=True, deck="guide", **scene_words)
    race.take("guide")
    race.play(race.asked, "take guide")
    assert race.stage == "plans"
    return race


def test_gr_4_1_five_assistants_any_number_in_each_box() -> None:
    """GR-4.1 56 ways to place all five; FAQ: no limit to how many are in one box."""
    race = planning(players=3)
    plans = ["-".join(map(str, boxes)) for boxes in product(range(6), repeat=4) if sum(boxes) == 5]
    assert len(plans) == 56
    for seat in race.seats:
        assert sorted(race.legal(seat)) == [f"plan {plan}" for plan in plans]
    for plan in plans:
        new = race.copy().play(1, f"plan {plan}").play(2, "plan 0-0-5-0").play(3, "plan 0-0-0-5")
        assert [new.crew(seat) for seat in new.seats] == [plan, "0-0-5-0", "0-0-0-5"]


@pytest.mark.parametrize("order", [*permutations((1, 2, 3))])
def test_gr_4_1_all_at_once_then_all_is_revealed(order: tuple[int, ...]) -> None:
    """GR-4.1 in whatever order they are ready; nobody is asked again or sees anything before."""
    race = planning(players=3, turn=2)
    plans = {1: "plan 5-0-0-0", 2: "plan 0-5-0-0", 3: "plan 2-1-1-1"}
    assert race.waiting == [1, 2, 3]
    for n, seat in enumerate(order):
        assert race.crew(seat) == "0-0-0-0"
        race.play(seat, plans[seat])
        if n < 2:
            assert race.told == []
            assert race.waiting == sorted(order[n + 1 :])
    assert race.told == ["planned 2 0-5-0-0", "planned 3 2-1-1-1", "planned 1 5-0-0-0"]
    assert [race.crew(seat) for seat in race.seats] == ["5-0-0-0", "0-5-0-0", "2-1-1-1"]
    assert race.question == (2, "act")


def test_gr_4_1_a_plan_is_secret_until_the_last_one_is_made() -> None:
    """GR-4.1 others see that there is one; for them it may be any of the 56."""
    race = planning(players=2)
    assert race.seen((1,), 1, "plan 1-2-1-1") == "plan 1-2-1-1"
    for eyes in ((2,), ()):
        assert race.seen(eyes, 1, "plan 1-2-1-1") == "?"
    one, other = (race.copy().play(1, f"plan {plan}") for plan in ("1-2-1-1", "0-0-0-5"))
    for eyes in ((2,), ()):
        assert one.hide(*eyes).s == other.hide(*eyes).s
        assert one.hide(*eyes).s.plan[0] == HIDDEN
    assert one.hide(1).s.plan[0] == one.s.plan[0]
    row, found = rng(1), Counter[str]()
    for _ in range(700):
        found[one.redeal(2, row=row).play(2, "plan 5-0-0-0").crew(1)] += 1
    assert len(found) == 56
    assert max(found.values()) < 30  # of 12 on average


def test_gr_4_1_a_hidden_plan_can_be_taken_back() -> None:
    """GR-4.1 then exactly its seat must plan again."""
    race = planning(players=3).run("1:plan 0-0-0-5, 3:plan 1-2-1-1")
    for eyes, again in ((1,), [2, 3]), ((2,), [1, 2, 3]), ((1, 3), [2]):
        seen = race.hide(*eyes)
        TITLE.rules.undecide(seen.s, seen.g)
        assert seen.waiting == again
        assert [seat for seat in (1, 2, 3) if seen.s.plan[seat - 1] == 0] == again


def test_gr_4_1_assistants_are_not_moved_later() -> None:
    """GR-4.1 what the convoy offers comes from the boxes that were chosen, and they only get emptier."""
    race = planning().run("1:plan 0-0-0-5, 2:plan 5-0-0-0")
    assert race.legal(1) == ["fund", "pass"]
    race.run("1:fund")
    assert {"scout", "pass"} <= set(race.legal(2))
    assert not {"fund", "drive", "repair", "clear"} & set(race.legal(2))
    assert race.crew(1) == "0-0-0-0"


def test_gr_4_1_all_assistants_come_back_every_turn() -> None:
    """GR-4.1 FAQ: also those that were not played in the turn before, and into any box."""
    race = planning().run("1:plan 1-1-2-1, 2:plan 0-0-5-0, 1:fund, 2:pass, 1:pass")
    assert (race.phase, race.s.round) == ("planning", 2)  # there is no card for a bivouac
    assert race.waiting == [1, 2]
    assert len(race.legal(1)) == len(race.legal(2)) == 56
    race.run("1:plan 5-0-0-0, 2:plan 0-5-0-0")
    assert (race.crew(1), race.crew(2)) == ("5-0-0-0", "0-5-0-0")
    assert not race.passed(1) and not race.passed(2)


def test_gr_4_2_no_jerrycan_is_played_during_planning() -> None:
    """GR-4.2 also where there is room for petrol."""
    race = planning(hands={1: "jerrycan", 2: "jerrycan"}, petrol={1: 0, 2: 0})
    for seat in (1, 2):
        assert not race.plays(seat)
    assert race.run("1:plan 1-1-2-1, 2:plan 0-0-5-0").plays(1) == {"jerrycan"}


def test_gr_4_2_no_jerrycan_is_played_while_leaders_are_chosen() -> None:
    """GR-4.2 should anybody hold one by then."""
    race = fresh(ROAD, leaders=True).take("1")
    assert race.question == (1, "leader")
    card = race.move_id("play jerrycan") - race.move_id("play trail-hunter")
    race.s.deck[card] -= 1
    race.s.deck_size -= 1
    race.s.hand[0, card] = race.s.cards[0] = 1
    race.s.petrol[0] = 0
    assert race.legal(1) == ["leader cook", "leader boris", "leader baron", "leader li", "leader kate"]
