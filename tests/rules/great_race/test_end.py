"""GR-9 the end of the race, and prestige."""

from __future__ import annotations

import pytest

from paddock.core.series import RoundResult, standings
from paddock.games.great_race.rulebook import Options

from .scenes import Race, fresh, scene

ROAD = "AA .. .. .. .. BB"
TRACKS = dict.fromkeys(("1a", "2a", "3a", "4a"), "track")
HALF = """
AA .. .. BB
.. .. .. ..
.. .. .. CC
"""
FUND = "0-0-0-1"


def before(grid: str = ROAD, **words: object) -> Race:
    """A race in which everybody stands before the destination, if nothing else is said."""
    players = int(str(words.get("players", 2)))
    given = {"at": dict.fromkeys(range(1, players + 1), "4a"), "tiles": TRACKS, **words}
    return scene(grid, **given)


def test_gr_9_1_who_enters_the_destination_has_finished() -> None:
    """GR-9.1 for 1 petrol; all cards and assistants go, it passes, and draws no cards."""
    race = before(
        numbers={"BB": 3}, hands={1: "guide militia militia"}, petrol={1: 1}, crews={1: "1-2-1-1", 2: FUND}
    )  # fmt: skip
    race.run("1:drive, 1:BB")
    gone = ["discarded 1 guide", "discarded 1 militia", "discarded 1 militia"]
    assert sorted(race.told) == ["arrived 1 1", *gone, "drove 1 BB 1"]
    assert (race.at(1), race.petrol(1), race.s.cards[0], race.hand(1)) == ("BB", 0, 0, "")
    assert (race.crew(1), race.passed(1)) == ("0-0-0-0", True)
    assert race.discard == "militia militia guide"
    assert race.question == (2, "act")


def test_gr_9_1_only_the_destination_ends_the_race() -> None:
    """GR-9.1 on a half map not another middle city, and not the start."""
    race = scene(
        HALF, at={1: "2b"}, tiles={"2b": "track"}, finish="CC", crews={1: "0-3-0-0"}, deck="guide", tokens=[1]
    )  # fmt: skip
    race.run("1:drive, 1:3b, 0:track, 1:BB, 0:guide")
    assert (race.phase, race.hand(1)) == ("convoy", "guide")
    assert race.run("1:drive, 1:3b, 1:CC").phase == "over"
    race = scene(ROAD, at={1: "1a"}, tiles=TRACKS, crews={1: "0-2-0-0"}, deck="guide").run("1:drive, 1:AA")
    assert race.run("0:guide").phase == "convoy"


def test_gr_9_1_a_lane_may_lead_into_the_destination() -> None:
    """GR-9.1, GR-7.9 its fare is paid before the money is frozen."""
    race = before(lanes=["AA BB air 70"], at={}, crews={1: "0-1-0-0"}).run("1:drive, 1:BB")
    assert race.phase == "over"
    assert (race.money(1), race.gauges(1), race.scores[1]) == (10, (4, 5, 5), 15)


def test_gr_9_1_gauges_and_money_are_frozen_and_nobody_can_harm_it() -> None:
    """GR-9.1 FAQ: it is protected from all card effects."""
    cards = "saboteur ransom siphoner"
    race = before(
        players=3, leaders=("cook", "kate", "li"), hands={1: "guide", 2: cards + " customs"},
        crews={1: "0-1-2-0", 2: "1-0-0-0"},
    )  # fmt: skip
    race.run("1:drive, 1:BB")
    assert race.question == (2, "act")
    for card in cards.split():
        assert race.copy().play(2, f"play {card}").legal(2) == ["player 3"]
    assert "customs" not in race.plays(2)  # player 3 has no card
    assert "steal" not in race.legal(2)
    after = race.gauges(1), race.money(1)
    race.run("2:play saboteur, 2:player 3, 2:engine, 2:engine, 2:pass")
    assert (race.gauges(1), race.money(1)) == after


def test_gr_9_1_it_is_not_asked_to_cancel_anything() -> None:
    """GR-9.1, GR-10.20 opponents who are still in the race may; Cook's free guard is gone with him."""
    race = before(
        players=3, leaders=("cook", "kate", "li"), hands={2: "trail-hunter", 3: "militia"},
        crews={1: "0-1-2-0", 2: "1-0-0-0"}, at={1: "4a"},
    )  # fmt: skip
    race.run("1:drive, 1:BB, 2:play trail-hunter, 2:1a, 2:2a")
    assert race.question == (3, "cancel")
    race.run("3:decline")
    assert race.question == (2, "act")


def test_gr_9_2_the_others_complete_the_convoy() -> None:
    """GR-9.2 with all their sequences; more may finish; then the race is over."""
    race = before(players=3, crews={1: "1-1-0-0", 2: "0-1-0-1", 3: "2-0-0-0"}, deck="2*guide")
    race.run("1:drive, 1:BB, 2:fund, 3:supply, 0:guide")
    assert race.question == (2, "act")
    race.run("2:drive, 2:BB")
    assert (race.told[:2], race.question) == (["drove 2 BB 1", "arrived 2 2"], (3, "act"))
    race.run("3:supply, 0:guide")
    assert (race.phase, race.waiting) == ("over", [])
    assert race.told == ["drew 3 guide (to [3])", "ended 1 1 16", "ended 2 2 14", "ended 3 0 0"]


def test_gr_9_2_only_finishers_are_ranked() -> None:
    """GR-9.2 whatever the others have."""
    race = before(players=3, crews={1: "0-1-0-0"}, engine={1: 1}, chassis={1: 0}, money={1: 0, 2: 500, 3: 90})
    race.run("1:drive, 1:BB")
    assert race.places == {1: 1, 2: 0, 3: 0}
    assert race.scores == {1: 6, 2: 0, 3: 0}


def test_gr_9_3_the_rulebooks_final_scores() -> None:
    """GR-9.3 blue: 5, 2 levels, 10 F: 7; orange: 3, 4 levels, 50 F: 8, and wins."""
    race = before(
        crews={1: "0-1-0-0", 2: "0-1-0-0"}, engine={1: 1, 2: 3}, chassis={1: 1, 2: 1}, money={1: 10, 2: 50}
    )  # fmt: skip
    race.run("1:drive, 1:BB, 2:drive, 2:BB")
    assert race.scores == {1: 7, 2: 8}
    assert race.places == {1: 2, 2: 1}
    assert race.told[-2:] == ["ended 1 2 7", "ended 2 1 8"]


@pytest.mark.parametrize(
    ("engine", "chassis", "money", "points"),
    [(1, 0, 0, 1), (1, 0, 49, 1), (1, 0, 50, 2), (1, 0, 99, 2), (1, 0, 100, 3), (5, 0, 0, 5), (1, 4, 0, 5),
     (3, 2, 499, 14)],
)  # fmt: skip
def test_gr_9_3_levels_and_full_50_f(engine: int, chassis: int, money: int, points: int) -> None:
    """GR-9.3 petrol counts nothing; for each place that brings points."""
    for petrol in (1, 5):
        race = before(
            players=5, crews=dict.fromkeys(range(1, 6), "0-1-0-0"), engine=dict.fromkeys(range(1, 6), engine),
            chassis=dict.fromkeys(range(1, 6), chassis), money=dict.fromkeys(range(1, 6), money),
            petrol=dict.fromkeys(range(1, 6), petrol), order=(4, 2, 5, 1, 3), turn=4,
        )  # fmt: skip
        race.run("4:drive, 4:BB, 2:drive, 2:BB, 5:drive, 5:BB, 1:drive, 1:BB, 3:drive, 3:BB")
        assert race.scores == {4: 5 + points, 2: 3 + points, 5: 1 + points, 1: points, 3: points}
        assert race.places == {4: 1, 2: 2, 5: 3, 1: 4, 3: 5}


def test_gr_9_3_a_tie_goes_to_the_earlier_arrival() -> None:
    """GR-9.3 whoever it is."""
    for first, second in ((1, 2), (2, 1)):
        race = before(
            turn=first, crews={1: "0-1-0-0", 2: "0-1-0-0"}, engine={first: 1, second: 3}, money={1: 0, 2: 0}
        )  # fmt: skip
        race.run(f"{first}:drive, {first}:BB, {second}:drive, {second}:BB")
        assert race.scores == {1: 11, 2: 11}
        assert race.places == {first: 1, second: 2}


def test_gr_9_4_a_limit_of_turns() -> None:
    """GR-9.4 after the last convoy the race is over, without maintenance and ranking."""
    assert Options.read({}).max_turns == 60
    for turn, ends in ((1, False), (2, False), (3, True)):
        race = before(max_turns=3, round=turn, crews={1: FUND, 2: FUND}, money={1: 70, 2: 80})
        race.run("1:fund")
        assert race.phase == "convoy"
        race.run("2:fund")
        assert (race.phase == "over") is ends
        if ends:
            assert race.told == ["funded 2 1 10", "ended 1 0 0", "ended 2 0 0"]
            assert (race.money(1), race.money(2)) == (80, 90)
            assert (race.scores, race.places) == ({1: 0, 2: 0}, {1: 0, 2: 0})
            assert race.waiting == []


def test_gr_9_4_who_finishes_in_the_last_turn_is_ranked() -> None:
    """GR-9.4 the limit counts where nobody has finished."""
    race = before(max_turns=3, round=3, crews={1: "0-1-0-0", 2: FUND}).run("1:drive, 1:BB, 2:fund")
    assert race.places == {1: 1, 2: 0}


def test_gr_9_5_a_finish_by_driver_card_ends_the_sequence() -> None:
    """GR-9.5 assistants are left, but the next player is asked; the Driver is discarded with the hand."""
    race = before(hands={1: "driver guide"}, crews={1: "1-1-1-1", 2: "0-1-0-0"})
    race.run("1:play driver, 1:BB")
    assert (race.question, race.crew(1)) == ((2, "act"), "0-0-0-0")
    assert (race.hand(1), race.discard) == ("", "driver guide")
    race = before(hands={1: "driver guide"}, crews={1: "1-1-1-1"}).run("1:play driver, 1:BB")
    assert race.phase == "over"
    assert (race.discard, race.scores[1]) == ("driver guide", 16)


def test_gr_9_5_effects_can_no_longer_name_that_player() -> None:
    """GR-9.5 with nobody else in the race such cards cannot be played; tiles need no target."""
    race = before(
        hands={1: "driver", 2: "saboteur ransom siphoner trail-hunter"}, leaders=("li", "kate"),
        crews={1: "0-0-1-0", 2: "1-0-0-0"},
    )  # fmt: skip
    race.run("1:play driver, 1:BB")
    assert race.plays(2) == {"trail-hunter"}
    assert "steal" not in race.legal(2)
    race.run("2:play trail-hunter, 2:1a, 2:2a")
    assert (race.question, set(race.tiles)) == ((2, "act"), {"3a", "4a"})


def test_gr_9_6_who_has_not_finished_scores_nothing() -> None:
    """GR-9.6 the farthest and the richest alike; at the turn limit too."""
    race = before(players=4, at={1: "4a", 2: "4a", 3: "AA", 4: "1a"}, crews={1: "0-1-0-0"}, money={4: 900})
    race.run("1:drive, 1:BB")
    assert race.scores == {1: 16, 2: 0, 3: 0, 4: 0}
    assert race.places == {1: 1, 2: 0, 3: 0, 4: 0}
    race = before(players=4, max_turns=1, crews={1: FUND}, money={4: 900}).run("1:fund")
    assert set(race.scores.values()) | set(race.places.values()) == {0}


def test_gr_9_7_several_races_are_run() -> None:
    """GR-9.7 as many as the option says, each from the beginning; prestige is added up."""
    assert [Options.read({"races": n}).rounds for n in (1, 2, 9)] == [1, 2, 9]
    assert Options.read({}).rounds == 1
    race = before(hands={1: "guide"}, crews={1: "0-1-0-0", 2: "0-1-0-0"}, engine={1: 1}, max_turns=7)
    first = race.run("1:drive, 1:BB, 2:drive, 2:BB")
    results = [RoundResult((first.scores[1], first.scores[2]), (first.places[1], first.places[2]))]
    assert results == [RoundResult((12, 14), (2, 1))]
    assert first.start().s == fresh(ROAD, max_turns=7).s
    assert not hasattr(first.rules, "again")
    results.append(RoundResult((16, 13), (1, 2)))
    table = standings(Options.read({"players": 2, "races": 2}), results).players
    assert [(line.who, line.rank, line.total) for line in table] == [(0, 1, 28), (1, 2, 27)]
