"""Equality and independence of games: forks, copies, pickles and seeds."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import numpy
import pytest
from tests.core.test_fold import stands
from tests.titles import TITLES

import paddock
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.kernel.bulk import play
from paddock.kernel.source import Seeded, System, seed_number


class Rolling:
    """A user's own chance source, which repeats a list."""

    def __init__(self) -> None:
        self.numbers = [3, 1, 4, 1, 5, 9, 2, 6, 5]

    def below(self, n: int) -> int:
        self.numbers.append(self.numbers.pop(0))
        return self.numbers[-1] % n


SOURCES: list[Callable[[], Any]] = [lambda: Seeded(7), Rolling]


def begun(name: str, chance: Any, moves: int = 25) -> Game:
    """A game after some moves, with chance still to come."""
    title = paddock.title(name)
    game = Game(title, title.options.read({title.rounds_option: 3}), chance)
    return go_on(game, moves)


def go_on(game: Game, moves: int = 150) -> Game:
    """Play the first legal move, at most so many times."""
    for _ in range(moves):
        if game.over:
            break
        seat = game.deciders[-1]
        game.play(seat, game.legal(seat).ids[0])
    return game


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_fork_with_a_copy_of_the_chance_has_the_same_future(name: str, source: Callable[[], Any]) -> None:
    game, alone = begun(name, source()), begun(name, source())
    fork = game.fork(chance=deepcopy(game.chance))
    assert fork == game and stands(fork) == stands(game)
    go_on(fork)
    assert fork != game and stands(game) == stands(alone)
    assert stands(go_on(game)) == stands(fork) == stands(go_on(alone))
    fork.undo()
    assert len(fork.log) < len(game.log)


@pytest.mark.parametrize("name", ["lacorsa", "rasant"])
def test_a_fork_does_not_see_the_future_of_the_game(name: str) -> None:
    """A search in a fork gets fresh cards in the next race, not those that the game will deal."""
    game, alone = begun(name, Seeded(7)), begun(name, Seeded(7))
    forks = [go_on(game.fork()) for _ in range(3)]
    assert all(isinstance(fork.chance, System) for fork in forks)
    assert stands(game) == stands(alone)
    futures = [repr(fork.log) for fork in (*forks, go_on(game))]
    assert len(set(futures)) == 4


def test_a_fork_takes_the_chance_that_it_gets() -> None:
    game = begun("rasant", Seeded(7))
    one, two, other = (go_on(game.fork(chance=Seeded(seed))) for seed in (1, 1, 2))
    assert stands(one) == stands(two) != stands(other)
    source = Seeded(3)
    assert game.fork(chance=source).chance is source
    assert game.fork(chance=None).chance is None
    with pytest.raises(PaddockError, match=r"give a chance source, such as paddock\.Seeded\(7\), not 7"):
        game.fork(chance=7)  # type: ignore[arg-type]


def test_a_fork_of_a_game_without_chance_waits_for_it_too() -> None:
    title = paddock.title("lacorsa")
    bare = Game(title, title.options.read({}))
    assert bare.fork().chance is None and bare.fork().chance_due
    dealt = bare.fork(chance=Seeded(7))
    assert not dealt.chance_due and dealt == paddock.start("lacorsa", seed=7)


def test_a_fork_of_a_live_table_draws_from_the_system() -> None:
    game = begun("lacorsa", System())
    fork = go_on(game.fork())
    assert isinstance(fork.chance, System)
    assert len(fork.rounds) > len(game.rounds)


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("source", [*SOURCES, System, lambda: None])
@pytest.mark.parametrize("again", [deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_game_is_copied_and_pickled_in_the_middle(name: str, source: Any, again: Any) -> None:
    game = begun(name, source()) if source() else begun(name, Seeded(7)).at(40)
    twin = again(game)
    assert twin == game and stands(twin) == stands(game)
    assert twin.title is game.title and type(twin.chance) is type(game.chance)
    if isinstance(game.chance, Seeded | Rolling):
        before = stands(game)
        go_on(twin)
        assert stands(game) == before
        assert stands(go_on(game)) == stands(twin)
        while twin.log.submission() >= 0:
            twin.undo()
        assert stands(twin) == stands(game.at(len(twin.log)))


@pytest.mark.parametrize("name", TITLES)
def test_a_pickled_game_goes_on_in_another_process(name: str) -> None:
    """Its seeded chance too, and what its seats see."""
    game = begun(name, Seeded(7))
    program = """
import pickle, sys
game, seen, title = pickle.loads(sys.stdin.buffer.read())
assert title is game.title and seen == game.seen(1)
while len(game.log) < 200:
    seat = game.deciders[-1]
    game.play(seat, game.legal(seat).ids[0])
sys.stdout.buffer.write(pickle.dumps((game, seen)))
"""
    parcel = pickle.dumps((game, game.seen(1), game.title))
    done = subprocess.run([sys.executable, "-c", program], input=parcel, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    there, seen = pickle.loads(done.stdout)
    assert seen == game.seen(1)
    while len(game.log) < 200:
        go_on(game, 1)
    assert stands(there) == stands(game) and there == game


@pytest.mark.parametrize("name", TITLES)
def test_what_differs_makes_games_differ(name: str) -> None:
    game = begun(name, Seeded(7))
    assert game == begun(name, Seeded(7)) == game.at(len(game.log))
    others: list[Any] = [begun(name, Seeded(8)), game.at(len(game.log) - 1), game.position, None]
    named = Game(game.title, game.options, Seeded(7), [f"N{i}" for i in range(game.options.players)])
    assert go_on(named, 25).position == game.position  # its names are what differs
    for other in [*others, named, paddock.position(game.position)]:
        assert game != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


@pytest.mark.parametrize("name", TITLES)
def test_what_is_seen_is_compared_and_copied(name: str) -> None:
    game = begun(name, Seeded(7))
    one, two = game.seen(1), game.seen(2)
    assert one == game.seen(1) == deepcopy(one) == copy(one) == pickle.loads(pickle.dumps(one))
    assert one != two and one != go_on(game, 1).seen(1)
    assert game.title.view.view(one) == game.title.view.view(deepcopy(one))


@pytest.mark.parametrize("name", TITLES)
def test_a_title_is_one_wherever_it_is_copied_to(name: str) -> None:
    title = paddock.title(name)
    assert deepcopy(title) is title and pickle.loads(pickle.dumps(title)) is title
    assert hash(title) == hash(paddock.title(name)) and title != paddock.title(TITLES[TITLES.index(name) - 1])


# Seeds


@pytest.mark.parametrize("kind", [numpy.int8, numpy.int64, numpy.uint64])
def test_a_whole_number_of_any_kind_is_a_seed(kind: Any) -> None:
    assert paddock.start("rasant", seed=kind(7)) == paddock.start("rasant", seed=7)
    assert seed_number(kind(7)) == 7
    title = paddock.title("rasant")
    many = [play(title, title.options.read({}), 20, seed, threads=1).scores for seed in (7, kind(7))]
    assert (many[0] == many[1]).all()


@pytest.mark.parametrize("wrong", [1.0, True, False, -1, numpy.float64(3), numpy.bool_(True), b"7", (1, 2)])
def test_what_is_no_seed_is_refused(wrong: Any) -> None:
    text = paddock.start("rasant", seed=1).position
    for call in (
        lambda: paddock.start("rasant", seed=wrong),
        lambda: paddock.position(text, seed=wrong),
        lambda: Seeded(wrong),
    ):
        with pytest.raises(
            paddock.PaddockError, match=r"^seed=.*: give a whole number, 0 or more, or a text$"
        ):
            call()
