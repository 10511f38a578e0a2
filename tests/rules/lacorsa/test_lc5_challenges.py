"""LC-5 Challenges: together and face down, the higher wins, two passes a turn."""

from __future__ import annotations

import pytest

import paddock
from paddock.games.lacorsa.rules.state import CHALLENGE

from .harness import PLAYS, on_road


def test_lc_5_1_both_commit_and_reveal_together() -> None:
    """LC-5.1 whoever is first tells nothing; in either order the same follows."""
    hands = {1: "12 R 2", 2: "8 8 4", 3: "5 5 5"}
    one = on_road("1 2 3", hands)
    assert one.asked == {1, 2}
    one.play(1, "12+R")
    assert (one.asked, one.told, one.discard, one.hand(1)) == ({2}, [], "", "R 2 12")
    one.play(2, "8")
    assert one.told == ["revealed 1 12+R 14", "revealed 2 8 8", "passed 1 2 1"]
    assert (one.hand(1), one.hand(2)) == ("2", "4 8")
    other = on_road("1 2 3", hands).play(2, "8")
    assert (other.asked, other.told) == ({1}, [])
    other.play(1, "12+R")
    assert other.told == one.told
    assert other.fields() == one.fields()


def test_lc_5_1_a_card_or_a_card_with_a_redline() -> None:
    """LC-5.1 for both sides; the defender can only commit."""
    race = on_road("1 2", {1: "R 2 12", 2: "R 1"})
    assert race.legal(1) == {"R", "2", "12", "2+R", "12+R"}
    assert race.legal(2) == {"R", "1", "1+R"}
    for move in ("x1", "xR", "x1+R", "^1"):
        assert race.why(2, move) == "LC-5.1"


@pytest.mark.parametrize("play", [play for play in PLAYS if play != "R+R"])
def test_lc_5_1_what_a_play_counts(play: str) -> None:
    """LC-5.1 the rank, 1 to 3 as well; 2 more with a Redline; a lone Redline 0; 14 at most."""
    value = sum({"R": 2}.get(card, 0) or int(card) for card in play.split("+")) if play != "R" else 0
    race = on_road("1 2", {1: f"{play.replace('+', ' ')} 9 9", 2: "5 5 5"}).run(f"1:{play} 2:5")
    assert race.told[0] == f"revealed 1 {play} {value}"
    assert value <= 14


@pytest.mark.parametrize(
    ("attack", "defence", "passes"),
    [
        ("9", "8", True),
        ("8", "9", False),
        ("9", "9", False),
        ("R", "R", False),
        ("1", "R", True),
        ("R", "1", False),
        ("7+R", "9", False),
        ("8+R", "9", True),
        ("9", "7+R", False),
        ("10", "7+R", True),
        ("12+R", "12", True),
        ("12", "12+R", False),
        ("12+R", "12+R", False),
    ],
)
def test_lc_5_2_the_higher_value_wins_and_a_tie_is_the_defenders(
    attack: str, defence: str, passes: bool
) -> None:
    """LC-5.2 at every border."""
    race = on_road("1 2", {1: f"{attack.replace('+', ' ')} 4 4", 2: f"{defence.replace('+', ' ')} 5 5"})
    race.run(f"1:{attack} 2:{defence}")
    assert race.road == ("2 1" if passes else "1 2")
    assert race.told[-1] == ("passed 1 2 1" if passes else "held 1 2")


def test_lc_5_3_a_successful_challenger_swaps_spaces() -> None:
    """LC-5.3 the spaces of the road stay where they were, only the cars change."""
    race = on_road("4 . 1 2 . . 3", {1: "9 9", 2: "5 5", 3: "6 6", 4: "7 7"}).run("4:x7 1:9 2:5")
    assert race.road == "4 . 2 1 . . 3"


def test_lc_5_3_a_beaten_challenger_has_ended_its_turn() -> None:
    """LC-5.3 the defender, being the next car ahead, takes its own turn with two passes before it."""
    race = on_road("1 2 3 4", {1: "5 5", 2: "9 9 9 9", 3: "6 6", 4: "7 7"}).run("1:5 2:9")
    assert (race.road, race.turn, race.asked, race.s.passes) == ("1 2 3 4", 2, {2, 3}, 0)
    race.run("2:9 3:6")
    assert (race.turn, race.s.passes, race.asked) == (2, 1, {2, 4})
    race.run("2:9 4:7")
    assert race.road == "1 3 4 2"
    assert race.told[-1] == "lap 2"


def test_lc_5_3_beaten_after_a_pass() -> None:
    """LC-5.3 the pass stays; the defender that held starts with no passes made."""
    race = on_road("1 2 3 4 5", {1: "9 5 5", 2: "5 5", 3: "6 9 9 9", 4: "7 7", 5: "8 8"})
    race.run("1:9 2:5 1:5 3:6")
    assert race.told[-1] == "held 1 3"
    assert (race.road, race.turn, race.s.passes) == ("2 1 3 4 5", 3, 0)
    race.run("3:9 4:7 3:9 5:8")
    assert race.told[-2:] == ["passed 3 5 2", "lap 2"]
    assert race.road == "2 1 4 5 3"


def test_lc_5_4_a_winner_goes_on() -> None:
    """LC-5.4 directly behind another car it must challenge that one."""
    race = on_road("1 2 3", {1: "9 9 1", 2: "5 5", 3: "6 6"}).run("1:9 2:5")
    assert (race.phase, race.turn, race.asked, race.s.passes) == ("challenge", 1, {1, 3}, 1)
    assert race.why(1, "x9") == race.why(1, "^1") == "LC-4.3"


def test_lc_5_4_a_winner_before_an_empty_space_extends_or_discards() -> None:
    """LC-5.4 the turn is not over without it."""
    race = on_road("1 2 . 3", {1: "9 8 1", 2: "5 5", 3: "6 6"}).run("1:9 2:5")
    assert (race.phase, race.turn, race.asked) == ("road", 1, {1})
    assert race.legal(1) == {"^1", "x1", "x8"}
    race = on_road("1 2", {1: "9 8 1", 2: "5 5"}).run("1:9 2:5")
    assert (race.phase, race.asked) == ("road", {1})


def test_lc_5_4_after_the_second_pass_the_turn_is_over() -> None:
    """LC-5.4 no third challenge, no extend and no discard."""
    hands = {1: "9 9 9 1", 2: "5 5", 3: "6 6", 4: "7 7"}
    race = on_road("1 2 3 4", hands).run("1:9 2:5 1:9 3:6")
    assert race.told[-1] == "passed 1 3 2"
    assert (race.road, race.turn, race.asked, race.s.passes) == ("2 3 1 4", 4, {4}, 0)
    race = on_road("1 2 3 . 4", hands).run("1:9 2:5 1:9 3:6")
    assert (race.road, race.turn, race.asked) == ("2 3 1 . 4", 4, {4})


def test_lc_5_4_passes_are_counted_by_turn() -> None:
    """LC-5.4 the next car, too, may pass twice: after two passes, an extend or a discard before it."""
    hands = {1: "9 9 3 8", 2: "5 5", 3: "6 6", 4: "10 10 10", 5: "7 7", 6: "7 7"}
    race = on_road("1 2 3 4 5 6", hands).run("1:9 2:5 1:9 3:6 4:10 5:7")
    assert (race.turn, race.asked, race.s.passes) == (4, {4, 6}, 1)
    for then in ("^3", "x8"):
        race = on_road("1 2 . 4 5 6 3", hands).run(f"1:9 2:5 1:{then} 4:10 5:7")
        assert (race.turn, race.asked, race.s.passes) == (4, {4, 6}, 1)
        race.run("4:10 6:7")
        assert (race.turn, race.asked) == (3, {3})


def test_lc_5_5_played_cards_go_to_the_discard_pile() -> None:
    """LC-5.5 those of both sides, Redlines too, and nothing else."""
    race = on_road("1 2 3", {1: "9 R 9", 2: "5 R", 3: "6"}, discard="2 2").run("1:9+R 2:R")
    assert race.discard == "R R 2 2 9"
    assert (race.hand(1), race.hand(2), race.hand(3)) == ("9", "5", "6")


def test_lc_5_5_of_two_equal_cards_one_stays() -> None:
    """LC-5.5 and may be played later; the last of its kind may not."""
    race = on_road("1 2 3", {1: "9 9 9 4", 2: "5 5 5", 3: "6 6 6"}).run("1:9 2:5")
    assert race.legal(1) == {"4", "9"}
    assert race.legal(3) == {"6"}
    race.run("1:9 3:6 / 2:5 3:6")
    assert race.hand(1) == "4 9"


def test_lc_5_6_team_orders() -> None:
    """LC-5.6 two cars of one driver challenge as others do, and that driver commits for each."""
    game = paddock.start("lacorsa", drivers=2, races=7, seed=1)
    while game.seen(0).state.phase != CHALLENGE or game.deciders not in ((0, 1), (2, 3)):
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[0])
    mine = game.options.eyes(game.options.owners[game.deciders[0]])
    before = game.seen(mine).state
    defender, attacker = before.order[before.turn + 1], before.order[before.turn]
    assert {attacker, defender} == set(game.deciders)
    game.play(attacker, min(game.legal(attacker).ids))
    assert game.deciders == (defender,)
    assert game.seen(mine).state.commit[attacker] > 0
    game.play(defender, max(game.legal(defender).ids))
    after = game.seen(mine).state
    assert (after.order[before.turn], after.order[before.turn + 1]) == (attacker, defender)
