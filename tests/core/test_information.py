"""Information states: what the player of a seat was shown, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.titles import RULES, random_options

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from sampling import WHOLE


def played(title: Title, seed: int) -> Game:
    """A game at any moment."""
    choose = random.Random(seed)
    options = random_options(title, choose)
    game = Game(title, options, Seeded(seed))
    for _ in range(choose.randrange(60)):
        if game.over:
            break
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
    return game


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_it_is_the_same_if_and_only_if_the_player_cannot_tell_the_games_apart(title: Title) -> None:
    """The twin log: what one player did not see is drawn again, and others may notice."""
    same = different = 0
    for seed in range(40):
        if min(same, different) > 9 and not WHOLE:
            break
        game = played(title, seed)
        one = random.Random(seed).randrange(game.options.seats)
        eyes = game.options.eyes(game.options.owners[one])
        record = records.write(
            game, date="2026-03-01", players=[(name, None) for name in game.names], eyes=eyes
        )
        twin = records.complete(records.read(record), Seeded(seed))
        if twin.log == game.log:
            continue
        assert twin.information_state(one) == game.information_state(one)
        for seat in range(game.options.seats):
            owner = game.options.eyes(game.options.owners[seat])
            equal = twin.information_state(seat) == game.information_state(seat)
            assert equal == (shown(game, owner) == shown(twin, owner)), (seed, seat)
            same += equal
            different += not equal
    assert same > 9 and different > 9


def shown(game: Game, eyes: int) -> list[tuple[Any, ...]]:
    """All that reached the eyes: what they saw before each entry and of it, and the events."""
    again, seen = game.at(0), list[tuple[Any, ...]]()
    for entry in game.log:
        seen.append((again.seen(eyes).state.tobytes(), entry.by, again.shown(eyes, entry)))
        again.append(entry)
    return [*seen, (again.seen(eyes), tuple(again.events_for(eyes)))]


def test_it_reads_like_the_seats_own_record() -> None:
    game = paddock.start("lacorsa", drivers=4, races=1, seed=7)
    for seat in game.deciders:
        game.play(seat, game.legal(seat).ids[0])
    head, _blank, heading, *lines = game.information_state(1).splitlines()
    assert head == f"lacorsa/2 {game.options.text} car=2"
    assert heading == "race 1"
    assert lines[0] == "deal 1:" + 13 * " ?" and "?" not in lines[1] and lines[1].startswith("deal 2: ")
    assert [line.partition(":")[0] for line in lines[4:8]] == ["1", "2", "3", "4"]
    assert "?" not in "".join(lines[4:8])  # the plays are revealed


def test_a_committed_play_is_hidden_until_all_are_revealed() -> None:
    games = [paddock.start("lacorsa", drivers=4, races=1, seed=7) for _ in range(2)]
    for k, game in enumerate(games):
        game.play(0, game.legal(0).ids[k])
    one, other = games
    assert one.information_state(0) != other.information_state(0)
    assert one.information_state(3) == other.information_state(3)
    for game in games:
        for seat in game.deciders:
            game.play(seat, game.legal(seat).ids[0])
    assert one.information_state(3) != other.information_state(3)


def test_both_seats_of_a_player_know_the_same_but_are_different_seats() -> None:
    game = paddock.start("lacorsa", drivers=2, races=1, seed=7)
    one, two = (game.information_state(seat) for seat in (0, 1))
    assert one != two
    assert one.replace(" car=1\n", " car=2\n") == two


def test_a_game_from_a_position_begins_with_what_its_seat_saw_of_it() -> None:
    game = paddock.start("rasant", players=3, seed=5)
    for _ in range(9):
        (seat,) = game.deciders
        game.play(seat, game.legal(seat).ids[0])
    again = paddock.position(game.position)
    states = [again.information_state(seat) for seat in range(3)]
    assert len(set(states)) == 3
    hidden = again.seen(1)
    rules = again.title.rules
    dealt = hidden.state.copy()
    rules.redeal(dealt, again.setup, 1, Seeded(1).rng, [0] * (rules.ACTIONS + 1))
    twin = Game.from_state(again.title, again.options, dealt, again.rounds)
    assert twin.position != again.position
    assert twin.information_state(0) == states[0] and twin.information_state(1) != states[1]


def test_there_is_no_such_seat() -> None:
    with pytest.raises(paddock.BadMove, match="there is no seat 4"):
        paddock.start("lacorsa", drivers=4, seed=1).information_state(4)
