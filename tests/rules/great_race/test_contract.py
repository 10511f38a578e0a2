"""What the kernel contract promises of chance, of secrets, and of every question, case by case."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paddock.core.log import Event
from paddock.games.great_race.rules import rules, state
from paddock.kernel import HIDDEN, PUBLIC

from ..harness import draw_all, eyes_of, rng
from .roads import road
from .scenes import Race, fresh, fresh_on, scene

ROAD = "AA .. .. .. .. BB"
CITIES = "AA .. CC .. BB"
HALF = """
AA .. .. .. BB
.. .. .. .. ..
.. .. .. .. CC
.. .. .. .. ..
.. .. .. .. DD
"""

# Chance in one go

DUE: dict[str, tuple[Callable[[], Race], str]] = {  # a race in which chance is due, and what comes after it
    "GR-1.4 the first player": (lambda: fresh(ROAD, players=5), "take"),
    "GR-1.7 the middle city, and the numbers": (lambda: fresh(HALF, leaders=True), "leader"),
    "GR-1.12 the numbers of a full map": (lambda: fresh_on("usa"), "take"),
    "GR-3.1 the bivouac": (lambda: scene(ROAD, bivouac=True, players=4), "take"),
    "GR-3.1 a bivouac with few cards": (
        lambda: scene(ROAD, bivouac=True, players=4, deck="guide", discard="2*militia 2*customs 3*driver"),
        "take",
    ),
    "GR-6.2 a supply": (lambda: scene(ROAD, deck="guide 3*militia").run("1:supply"), "act"),
    "GR-7.8 the cards of a city": (
        lambda: road("track", grid=CITIES, numbers={"CC": 3}).run("1:drive, 1:1a, 1:CC"),
        "act",
    ),
    "GR-10.15 a Tracker": (
        lambda: road(hands={1: "tracker"}, deck="guide", discard="2*militia 2*customs 3*driver").run(
            "1:play tracker"
        ),
        "keep",
    ),
    "GR-11.3 the Baron in a city": (
        lambda: road("track", grid=CITIES, leaders=("baron", "li")).run("1:drive, 1:1a, 1:CC"),
        "keep",
    ),
    "GR-6.1 scouting": (lambda: scene(ROAD, bag="mud 3*track glacier").run("1:scout"), "place"),
    "GR-6.1 scouting with an empty bag": (
        lambda: scene(ROAD, bag="mud", removed="2*ford hills").run("1:scout"),
        "place",
    ),
    "GR-10.19 a Topographer": (
        lambda: scene(ROAD, hands={1: "topographer"}).run("1:play topographer"),
        "pick tile",
    ),
    "GR-7.5 an unknown tile": (lambda: road(bag="3*track 2*mud", engine={1: 2}).run("1:drive, 1:1a"), "step"),
    "GR-11.5 a theft": (
        lambda: road(leaders=("kate", "li"), hands={2: "guide 2*militia"}, money={2: 0}).run(
            "1:steal, 1:player 2"
        ),
        "act",
    ),
}


@pytest.mark.parametrize("case", DUE)
def test_chance_in_one_go_is_the_same_as_step_by_step(case: str) -> None:
    """All that is due comes from the same stream, in the same order, and tells the same."""
    make, then = DUE[case]
    ends = set()
    for seed in range(12):
        at_once, stepwise = make(), make()
        one, other = rng(seed), rng(seed)
        assert at_once.waiting == [0]
        at_once.run_chance(one)
        draw_all(stepwise, other)
        assert at_once.fields() == stepwise.fields()
        assert at_once.told == stepwise.told
        assert one == other
        assert at_once.stage.startswith(then)
        ends.add(at_once.s.tobytes())
    assert len(ends) > 1


def test_chance_that_is_not_due_takes_nothing() -> None:
    """Where a seat must decide, nothing happens, and the stream stays where it was."""
    race, row = scene(ROAD), rng(1)
    before = race.fields()
    race.run_chance(row)
    assert (race.fields(), row) == (before, rng(1))


# Who learns what

SECRET: dict[str, tuple[Callable[[], Race], str, tuple[int, ...]]] = {  # what chance decides, for whom
    "GR-1.10 a card of the deck": (lambda: scene(ROAD, players=3).run("1:supply"), "guide", (1,)),
    "GR-1.10 the card of another seat": (
        lambda: scene(ROAD, players=3, turn=3).run("3:supply"),
        "militia",
        (3,),
    ),
    "GR-3.4 a stolen card": (
        lambda: scene(
            ROAD, players=3, turn=2, leaders=("li", "kate", "cook"), hands={3: "guide"}, money={3: 0}
        ).run("2:steal, 2:player 3"),
        "guide",
        (2, 3),
    ),
}


@pytest.mark.parametrize("case", SECRET)
def test_a_secret_outcome_is_seen_by_its_seats_only(case: str) -> None:
    """GR-1.10, GR-3.4 the outcome and its event, as each set of eyes learns of them."""
    make, card, owners = SECRET[case]
    race = make()
    after = race.copy().take(card)
    (event,) = [Event(*line) for line in after.s.events or [] if line[4] != PUBLIC]
    assert event.eyes == eyes_of(owners)
    for eyes in ((), (1,), (2,), (3,), (1, 2), (2, 3), (1, 3), (1, 2, 3)):
        sees = bool(set(eyes) & set(owners))
        assert race.seen(eyes, 0, card) == (card if sees else "?")
        learnt = rules.event_for(race.g, eyes_of(eyes), event)
        blurred = event._replace(c=HIDDEN) if event.code == state.STOLE else event._replace(b=HIDDEN)
        assert learnt == (event if sees else blurred)


def test_gr_4_1_a_plan_is_seen_by_who_makes_it() -> None:
    """GR-4.1 not by the others, whoever of them commits first."""
    race = scene(ROAD, bivouac=True, players=3, deck="guide").run("0:guide, 3:take guide")
    for by in race.seats:
        for eyes in ((), (1,), (2,), (3,), (1, 2), (2, 3)):
            assert race.seen(eyes, by, "plan 5-0-0-0") == ("plan 5-0-0-0" if by in eyes else "?")


def test_all_other_moves_and_outcomes_are_seen_by_all() -> None:
    """GR-1.10 drawn tiles, GR-3.1 the bivouac, GR-10.29 rejected cards, GR-3.2 discards, the lots."""
    assert fresh(ROAD).seen((), 0, "2") == "2"
    assert scene(ROAD).run("1:scout").seen((2,), 0, "mud") == "mud"
    race = scene(ROAD, bivouac=True, deck="guide")
    assert race.seen((), 0, "guide") == "guide"
    assert race.run("0:guide").seen((), 2, "take guide") == "take guide"
    race = road(hands={1: "tracker"}).run("1:play tracker, 0:militia, 0:guide, 0:guide")
    assert race.seen((2,), 1, "discard guide") == "discard guide"
    assert scene(ROAD).seen((2,), 1, "pass") == "pass"


def test_an_event_that_all_may_know_is_told_whole() -> None:
    """GR-3.1, GR-6.1 to spectators too."""
    race = scene(ROAD, bivouac=True, deck="guide").run("0:guide, 2:take guide")
    for event in race.s.events or []:
        for eyes in (0, 1, 2):
            assert rules.event_for(race.g, eyes, Event(*event)) == Event(*event)


# Hands dealt again

ASKED: dict[str, tuple[Callable[[], Race], set[str]]] = {  # a question, and the cards one of which answers it
    "GR-7.4 a danger that only a Militia avoids": (
        lambda: road(
            "ambush-gully", engine={1: 1}, chassis={1: 1}, hands={1: "militia"}, crews={1: "0-1-0-0"}
        ).run("1:drive, 1:1a"),
        {"militia"},
    ),
    "GR-5.10 a repair without money": (
        lambda: road(engine={1: 3}, money={1: 0}, hands={1: "engine-parts"}).run("1:repair"),
        {"engine-parts", "toolbox"},
    ),
    "GR-7.9 a lane without the whole fare": (
        lambda: scene(
            CITIES,
            lanes=["AA CC air 60"],
            hands={1: "transport"},
            money={1: 10},
            bag="",
            crews={1: "0-1-0-0"},
        ).run("1:drive"),
        {"transport"},
    ),
}


@pytest.mark.parametrize("case", ASKED)
def test_a_hand_dealt_again_can_answer_the_question(case: str) -> None:
    """GR-1.5, GR-5.10 what a seat began shows the card that it needs; everybody can tell."""
    make, answers = ASKED[case]
    race, row = make(), rng(1)
    for eyes in ((), (2,)):
        hands = {race.redeal(*eyes, row=row).hand(1) for _ in range(60)}
        assert hands == answers


def test_a_hand_that_needs_no_card_may_hold_any() -> None:
    """GR-1.5 nor does chance, planning or the end of a race ask for one."""
    row = rng(1)
    for race in (
        scene(ROAD, hands={1: "guide"}),
        scene(ROAD, hands={1: "guide"}).run("1:scout"),
        scene(ROAD, bivouac=True, hands={1: "guide"}),
        scene(ROAD, at={1: "4a"}, tiles={"4a": "track"}, hands={2: "guide"}, crews={1: "0-1-0-0"}).run(
            "1:drive, 1:BB"
        ),
    ):
        holder = 1 if race.s.cards[0] else 2
        assert len({race.redeal(row=row).hand(holder) for _ in range(60)}) > 10
