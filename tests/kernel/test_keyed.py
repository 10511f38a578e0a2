"""Chance by a key: what it depends on, and how likely its outcomes are."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import paddock
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.kernel.keyed import Keyed, Places

KEY = bytes(range(32))


def played(name: str, seed: int, key: bytes = KEY, **options: object) -> tuple[Game, dict[str, Entry]]:
    """Play a race at random by the chance of a key; return it, and what came at each place."""
    title, chance, choose = paddock.title(name), Keyed(key), random.Random(seed)
    game, came, places = Game(title, title.options.read(options)), dict[str, Entry](), Places()
    while not game.over:
        if game.chance_due:
            place = places.of(game)
            assert place not in came
            came[place] = game.draw(chance)
            game.append(came[place])
        else:
            seat = game.deciders[0]
            game.play(seat, choose.choice(list(game.legal(seat))))
    return game, came


@pytest.mark.parametrize(("name", "options"), [("lacorsa", {"races": 1}), ("rasant", {})])
def test_the_same_choices_get_the_same_chance_and_a_key_gives_its_own(
    name: str, options: dict[str, object]
) -> None:
    first, came = played(name, 1, **options)
    assert played(name, 1, **options)[0].log == first.log
    assert [*came.values()] == [entry for entry in first.log if entry.by == CHANCE]
    assert played(name, 1, bytes(32), **options)[1] != came


def test_other_choices_shift_nothing_where_as_much_is_possible() -> None:
    """LACORSA deals one hand after the other: what is dealt first is the same whatever was played."""
    _game, one = played("lacorsa", 1, races=2)
    _other, two = played("lacorsa", 2, races=2)
    dealt = [place for place in one if " deal " in place]
    assert len(dealt) > 40 and all(one[place] == two[place] for place in dealt)


def test_a_hand_draws_the_same_however_often_the_others_have_drawn() -> None:
    """Rasant draws cards for whoever passes: each player's n-th card mostly stays the same."""
    same = Counter[bool]()
    for seed in range(4):
        one, two = played("rasant", 2 * seed)[1], played("rasant", 2 * seed + 1)[1]
        same.update(one[place] == two[place] for place in one if " draw " in place and place in two)
    assert same.total() > 20 and same[True] > 2 * same[False]


def test_outcomes_are_as_likely_as_their_weights_say() -> None:
    weights, n = {3: 1, 8: 5, 20: 0, 21: 2}, 2000
    game = paddock.start("rasant", seed=1).at(0)
    found = Counter(Keyed(b"%d" % i).pick(game, weights) for i in range(n))
    assert set(found) == {3, 8, 21}
    for outcome, count in found.items():
        p = weights[outcome] / 8
        assert abs(count - n * p) < 4.5 * (n * p * (1 - p)) ** 0.5, (outcome, count)


def test_a_removed_outcome_moves_no_other_to_its_place() -> None:
    game, moved = paddock.start("rasant", seed=1).at(0), 0
    for i in range(300):
        chance = Keyed(b"%d" % i)
        won = chance.pick(game, {1: 3, 2: 2, 3: 1})
        for gone in {1, 2, 3} - {won}:
            assert chance.pick(game, {1: 3, 2: 2, 3: 1} | {gone: 0}) == won
        moved += chance.pick(game, {1: 3, 2: 2, 3: 1} | {won: 0}) != won
    assert moved == 300


def test_a_game_that_was_taken_back_is_at_its_old_place_again() -> None:
    game, chance, places = paddock.start("rasant", seed=3).at(0), Keyed(KEY), Places()
    first = places.of(game)
    for _n in range(5):
        game.append(game.draw(chance))
    assert places.of(game) != first and places.of(game.at(0)) == first
    assert game.draw(chance) == game.draw(Keyed(KEY))


def test_what_it_says_is_said_again() -> None:
    """The numbers are part of the promise: whoever checks an old day must get the same ones."""
    chance = Keyed(KEY)
    assert chance.seed(b"x") == 6504356689949307735
    assert chance.seed(b"x") != chance.seed(b"y") and 0 <= chance.seed(b"y") < 1 << 63
    drawn = [chance.below(6) for _ in range(600)]
    assert drawn[:5] == [4, 2, 0, 2, 5]
    assert set(drawn) == set(range(6)) and min(Counter(drawn).values()) > 60
