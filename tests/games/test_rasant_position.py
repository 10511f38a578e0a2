"""Rasant's positions parse strictly and list their faults."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

import pytest

import paddock
from paddock.core.game import Game
from paddock.kernel.source import Seeded


def words(game: paddock.Game) -> dict[str, str]:
    return dict(word.split("=", 1) for word in game.position.split()[1:])


def faults(text: str) -> str:
    with pytest.raises(paddock.BadPosition) as error:
        paddock.position(text)
    return str(error.value)


MOMENTS: dict[str, Callable[[dict[str, str]], bool]] = {
    "line": lambda w: len(w["cars"]) > 5,
    "dealer": lambda w: True,
    "deal": lambda w: "r" in w["hands"],
    "lead": lambda w: w["phase"] == "round" and w["top"] == "-" and w["passed"] == "-",
    "round": lambda w: w["top"] != "-" and w["passed"] != "-" and w["discard"].count(",") > 3,
    "draw": lambda w: True,
}


def at(moment: str) -> Game:
    """A seeded game of four when it first stands in this moment."""
    for seed in range(50):
        title = paddock.title("rasant")
        game = Game(title, title.options.read({"players": 4}))
        source, choose = Seeded(seed), random.Random(seed)
        while not game.over:
            here = words(game)
            if here["phase"] == ("round" if moment == "lead" else moment) and MOMENTS[moment](here):
                return game
            if game.chance_due:
                game.append(game.draw(source))
            else:
                seat = game.deciders[0]
                game.play(seat, choose.choice(list(game.legal(seat))))
    raise AssertionError(moment)


@pytest.mark.parametrize(
    ("moment", "field", "value", "sentence"),
    [
        ("lead", "phase", "over", "write one of"),
        ("lead", "phase", "draw", "RA-3.3"),
        ("lead", "cars", "kk", "RA-1.1"),
        ("lead", "cars", "kr1", "RA-2.1"),
        ("lead", "dealer", "-", "RA-2.2"),
        ("lead", "dealer", "7", "write a number from 1 to 4"),
        ("lead", "leader", "-", "RA-3.1"),
        ("lead", "turn", "-", "RA-3.3"),
        ("lead", "colour", "k", "write r, g, b or y"),
        ("lead", "top", "r50", "RA-3.2"),
        ("lead", "passed", "9", "write a number from 1 to 4"),
        ("lead", "passed", "3", "RA-3.1"),
        ("lead", "first", "2", "RA-3.1"),
        ("lead", "black", "0,0,0", "a number for each"),
        ("lead", "black", "6,6,6,6", "RA-3.2"),
        ("lead", "scores", "0,0,0,x", "write a number"),
        ("lead", "hands", "1:|2:|3:|4:", "RA-3.3"),
        ("lead", "hands", "1:r10", "in order"),
        ("lead", "hands", "1:r10,r10|2:r20|3:r30|4:r40", "RA-1.2 the deck has only 1"),
        ("lead", "hands", "1:k30|2:k60|3:k90|4:k120", "RA-3.7"),
        ("lead", "hands", "1:r10,r20,r30,r40,r50,r60,r70|2:|3:|4:", "RA-2.2"),
        ("lead", "discard", "r55", "speeds are 10, 20, … 130 (RA-1.2)"),
        ("round", "top", "-", "RA-3.2"),
        ("round", "best", "-", "RA-3.2"),
        ("round", "leader", "-", "RA-3.1"),
        ("draw", "best", "-", "RA-5.1"),
        ("draw", "turn", "1", "RA-3.3"),
        ("deal", "hands", "1:r10|2:r20|3:|4:", "RA-2.2"),
        ("deal", "scores", "0,0,0,9", "RA-2.3"),
        ("dealer", "dealer", "1", "RA-2.2"),
        ("dealer", "hands", "1:r10|2:|3:|4:", "RA-2.2"),
        ("line", "cars", "r1k", "RA-2.1"),
    ],
)
def test_each_fault_is_said(moment: str, field: str, value: str, sentence: str) -> None:
    game = at(moment)
    old = f" {field}={words(game)[field]}"
    assert old in game.position
    assert sentence in faults(game.position.replace(old, f" {field}={value}"))


@pytest.mark.parametrize(
    ("result", "sentence"),
    [("1:9,2:-1,3:-2,4:-3", "RA-4.2"), ("1:9,2:9,3:4,4:3", "RA-5.5"), ("2:9,2:9,3:4,4:3", "RA-5.5")],
)
def test_a_game_that_is_over_ended_as_games_do(result: str, sentence: str) -> None:
    text = paddock.start("rasant", players=4, games=2, seed=1).position
    assert sentence in faults(text.replace("results=-", f"results={result}"))
    assert paddock.position(text.replace("results=-", "results=1:9,1:9,3:4,4:3")).rounds


def test_a_round_that_is_over_is_no_position() -> None:
    """RA-3.4 nobody is asked once all but one have passed, or a 130 lies open."""
    game = at("round")
    here = words(game)
    others = [str(n) for n in range(1, 5) if n not in (int(here["best"]), int(here["turn"]))]
    both = ",".join(sorted([*others, here["best"]]))
    text = game.position.replace(f" passed={here['passed']} ", f" passed={both} ")
    assert "RA-3.4" in faults(text.replace(f" first={here['first']} ", f" first={both[0]} "))
    king = f"{here['colour']}130"
    text = game.position.replace(f" top={here['top']} ", f" top={king} ")
    assert "RA-3.4" in faults(text)


def test_who_passed_before_the_lead_holds_black_cards_only() -> None:
    """RA-3.2 their pass was forced."""
    game = at("lead")
    here = words(game)
    passer = next(n for n in "1234" if n != here["turn"])
    text = game.position.replace(" passed=- first=- ", f" passed={passer} first={passer} ")
    assert "RA-3.2 a player who passed before a card was led" in faults(text)


def test_before_a_lead_the_leader_is_asked() -> None:
    """RA-3.8"""
    game = at("lead")
    here = words(game)
    other = next(n for n in "1234" if n != here["turn"])
    assert "RA-3.8" in faults(game.position.replace(f" turn={here['turn']} ", f" turn={other} "))


def test_a_given_line_is_never_drawn() -> None:
    """RA-2.1"""
    text = at("line").position.replace(" line=shuffled ", " line=krgbyrgbyrgby ")
    assert "RA-2.1" in faults(text)


def test_damaged_positions_never_crash() -> None:
    choose = random.Random(1)
    for moment in MOMENTS:
        text = at(moment).position
        for _ in range(300):
            i = choose.randrange(len(text))
            damaged = text[:i] + choose.choice("0123456789rgbyk-,:|= x") + text[i + choose.randrange(2) :]
            with contextlib.suppress(paddock.PaddockError):  # a sentence, or a position that stands
                assert paddock.position(damaged, seed=1).position


def test_a_match_goes_on_from_its_position_with_the_deal_moving_left() -> None:
    """RA-5.5 the dealer of the next game is known before its line is drawn."""
    title = paddock.title("rasant")
    game = Game(title, title.options.read({"players": 3, "games": 2}))
    source = Seeded(4)
    dealers: list[list[bool]] = []
    while not game.over:
        if game.heading == "deal 1" and not dealers:
            dealers.append([p.dealer for p in game.view().players])
        if game.rounds and game.heading == "line":
            again = paddock.position(game.position)
            assert [p.dealer for p in again.view().players] == [p.dealer for p in game.view().players]
            dealers.append([p.dealer for p in again.view().players])
            break
        if game.chance_due:
            game.append(game.draw(source))
        else:
            game.play(game.deciders[0], next(iter(game.legal(game.deciders[0]))))
    first, second = (flags.index(True) for flags in dealers)
    assert second == (first + 1) % 3
