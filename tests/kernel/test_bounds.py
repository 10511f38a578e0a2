"""Whatever a title's functions count, list or write, no entry point reads or writes beyond its buffers.

A title that needs more than a bound which it declares is told so by one error, with the name of the bound and
the number needed, in plain and in compiled mode.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import numba
import numpy as np
import pytest

import paddock
from paddock.bots.network import Network, stacked, thought
from paddock.core.errors import OutOfBounds, PaddockError
from paddock.core.game import Game
from paddock.core.recipe import Recipe
from paddock.core.title import Title
from paddock.envs.play import PlayedSeries, kit_of
from paddock.envs.vectors import vector
from paddock.kernel import calls
from paddock.kernel.bulk import Bench, contest, eyes_by_seat, play, rollouts, secrecy_checks
from paddock.kernel.loader import load_kernel
from paddock.kernel.watch import watch
from paddock.lab.compiled import Compiled
from paddock.lab.plan import Plan
from paddock.lab.survey import play_survey
from paddock.lab.train import Arena

from .tiny import Options, maker

pytestmark = pytest.mark.xdist_group("browser")  # as the tiny titles of test_loader.py
Way = Callable[[Title, Options], None]


@pytest.fixture(scope="module")
def title(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Title]:
    """The tiny title, with faults by option, compiled as with ``NUMBA_BOUNDSCHECK=1``.

    There every index is checked: an entry point that trusts a count is an ``IndexError``.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(numba.config, "BOUNDSCHECK", 1)
        yield maker(tmp_path_factory.mktemp("bounded"), patched).title("bounded", features=True)


def by_hand(title: Title, options: Options) -> None:
    game, choose = Game(title, options, paddock.Seeded(1)), random.Random(1)
    while not game.over:
        seat = game.deciders[0]
        game.seen(1 << seat).vector(seat)
        game.play(seat, choose.choice(game.legal(seat)))


def replayed(title: Title, options: Options) -> None:
    game, choose = Game(title, options), random.Random(1)
    while not game.over:
        if game.chance_due:
            game.append(paddock.Entry(paddock.CHANCE, choose.choice(list(game.outcomes()))))
        else:
            seat = game.deciders[0]
            game.append(paddock.Entry(seat, choose.choice(game.legal(seat).ids)))


def simulated_plainly(title: Title, options: Options) -> None:
    play(title, options, 3, 1, compiled=False)


def simulated(title: Title, options: Options) -> None:
    play(title, options, 3, 1)


def contested(title: Title, options: Options) -> None:
    contest(title, options, 3, 1, thirds=(2, 1))


def competed(title: Title, options: Options) -> None:
    plan = Plan(title, options, (), (0, 1), seed=1, seconds=1)
    for deal in range(3):
        Compiled(plan, [Network.new(2, 4, 1, hidden=4), 2]).play(deal)


def surveyed(title: Title, options: Options) -> None:
    play_survey(title, options, 2, 1, [[0, 0]], [2])


def start_of(title: Title, options: Options) -> tuple[object, int]:
    """The state after the deal as a seat that must decide sees it."""
    rules, g, s = title.rules, title.setup_of(options), title.rules.State()
    rules.start(s, g)
    rules.run_chance(s, g, [1])
    rules.hide(s, g, 1)
    return s, 0


def rolled_out(title: Title, options: Options) -> None:
    hidden, seat = start_of(title, options)
    rollouts(title, options, hidden, 1, seat, [1], range(3), 1)


def looked_ahead(title: Title, options: Options) -> None:
    hidden, seat = start_of(title, options)
    bench = Bench(title, options, states=4)
    hidden.store(bench.ss[1])  # type: ignore[attr-defined]
    nets = stacked([Network.new(2, 4, 1, hidden=4)], bench.kernel)
    call = calls.LookAhead(
        bench.ss, bench.gg, 1, seat, np.array([1]), np.arange(2), eyes_by_seat(options),
        np.zeros((1, 2), np.int64), nets, thought(bench.kernel, nets), 1, 0, 1.0, 1.0, bench.rng, bench.out,
        np.zeros(2), values=np.zeros((1, 3)),
    )  # fmt: skip
    bench.kernel.look_ahead(call)


def trained(title: Title, options: Options) -> None:
    arena = Arena(title, options, [Network.new(2, 4, 1, prior=1.0, hidden=4)], Recipe({}, updates=1))
    arena.play(np.array([[0, 0], [0, -3]]), 1)


def stepped(title: Title, options: Options) -> None:
    env = vector(title, {"fault": options.fault}, n=2, seed=1)
    sampler = env.sampler(1)
    for _ in range(60):
        env.step(sampler(env.batch.observations, env.batch.masks))


def asked(title: Title, options: Options, asks_chance: bool = False) -> None:
    kit = kit_of(title, options)
    played, choose = PlayedSeries(kit, asks_chance), random.Random(1)
    played.begin(1, 1, np.zeros(kit.features, np.float32), np.zeros(kit.actions, np.int8))
    while played.finished == 0:
        row, mask = np.zeros(kit.features, np.float32), np.zeros(kit.actions, np.int8)
        assert played.take(played.asked, choose.choice(played.choices), row, mask)


def asked_for_chance(title: Title, options: Options) -> None:
    asked(title, options, asks_chance=True)


def kept_secret(title: Title, options: Options) -> None:
    assert secrecy_checks(title, options, 1, 5) > 0


def watched(title: Title, options: Options) -> None:
    """``paddock invariants`` says it with the game."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("paddock.kernel.watch.random_options", lambda *_: options)
        patched.setattr("paddock.kernel.watch.MOST_GAMES", 10)
        (found,) = watch(title, 1, seed=1, threads=1)
    if found.broken:
        said, _, where = found.broken.partition(": game ")
        assert where.endswith(f" of seed 1 with {options.text}")
        raise PaddockError(said)


# What a fault of the tiny rules is told as, and by which ways: by all that read or write what it concerns
TOLD = contested, surveyed, watched, by_hand, replayed  # with events
LISTS = (
    simulated_plainly, simulated, contested, competed, surveyed, rolled_out, looked_ahead, trained, stepped,
    asked, kept_secret, watched,
)  # fmt: skip
LISTED = by_hand, replayed
DRAWS = asked_for_chance, kept_secret, watched, by_hand, replayed
ENDS = (*(way for way in LISTS if way != kept_secret), *LISTED)
COUNTS = simulated_plainly, simulated, contested, surveyed, rolled_out, watched
THINKS = competed, looked_ahead, trained
MANY = "{}: the rules need {}, and there is room for {}"
FEW = "{}: the rules give {}, and the least is {}"
FAULTS: dict[str, tuple[str, tuple[Way, ...]]] = {
    "MOVES": (MANY.format("ACTIONS", 5, 3), (*LISTS, *LISTED)),
    "NO_MOVE": (FEW.format("ACTIONS", 0, 1), LISTS),
    "MOVE_ID": (MANY.format("ACTIONS", 5, 3), (stepped, asked, watched, *LISTED)),
    "CHOICES": (MANY.format("OUTCOMES", 6, 4), DRAWS),
    "NO_WEIGHT": (FEW.format("weights", 0, 1), (kept_secret, watched, *LISTED)),
    "DEALT": (MANY.format("MAX_EVENTS", 4, 3), TOLD),
    "CODE": (MANY.format("CODES", 65, 64), TOLD),
    "SEAT": (MANY.format("MAX_SEATS", 4, 2), (*LISTS, *LISTED)),
    "SCORES": (MANY.format("MAX_SEATS", 4, 2), ENDS),
    "ENDLESS": (MANY.format("MAX_DECISIONS", 101, 100), COUNTS),
    "LOOKED": (MANY.format("FEATURES", 4, 2), (stepped, asked, by_hand)),
    "SHORT": (MANY.format("SHORT_FEATURES", 4, 2), THINKS),
    "OUTPUT": (MANY.format("OUTPUTS", 6, 4), THINKS),
}


def faulty(title: Title, fault: str) -> Options:
    """The options that give the rules a fault."""
    return Options(fault=getattr(import_module(f"{title.package}.state"), fault))


@pytest.mark.slow("a title of its own is compiled")
@pytest.mark.parametrize("way", [*LISTS, *LISTED, asked_for_chance], ids=lambda way: way.__name__)
def test_rules_that_keep_their_bounds_are_played(title: Title, way: Way) -> None:
    way(title, Options())


@pytest.mark.slow("a title of its own is compiled")
@pytest.mark.parametrize(
    ("fault", "way"),
    [(fault, way) for fault, (_said, ways) in FAULTS.items() for way in ways],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_a_bound_that_the_rules_break_is_the_same_error_everywhere(
    title: Title, fault: str, way: Way
) -> None:
    with pytest.raises(PaddockError) as error:
        way(title, faulty(title, fault))
    assert str(error.value) == FAULTS[fault][0]


@pytest.mark.slow("a title of its own is compiled")
def test_it_is_the_same_without_checks_of_indices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the code that bulk play and environments use."""
    title = maker(tmp_path, monkeypatch).title("unchecked", features=True)
    for way in (simulated, stepped):
        for fault, (said, ways) in FAULTS.items():
            if way in ways:
                with pytest.raises(PaddockError) as error:
                    way(title, faulty(title, fault))
                assert str(error.value) == said


def test_more_seats_than_the_bound_are_refused_before_the_game(title: Title) -> None:
    """In both modes, where the set-up is made."""

    class Crowd(Options):
        @property
        def players(self) -> int:
            return 3

    for begin in (by_hand, simulated, simulated_plainly):
        with pytest.raises(OutOfBounds, match=r"^MAX_SEATS: the rules need 3, and there is room for 2$"):
            begin(title, Crowd())


@pytest.mark.parametrize("compiled", [True, False])
def test_weights_that_do_not_add_up_are_an_error(title: Title, compiled: bool) -> None:
    """A title that draws by ``weighted`` itself says what its weights add up to."""
    weighted = load_kernel(title, compiled=compiled).weighted
    if compiled:
        inner = weighted
        weighted = numba.njit(lambda rng, weights, total: inner(rng, weights, total))
    with pytest.raises(OutOfBounds, match=r"^weights: the rules need 3000, and there is room for 3$"):
        weighted(np.array([7]), np.array([1, 2]), 3000)
