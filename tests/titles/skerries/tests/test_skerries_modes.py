"""The shared tests of the kernel with this title: plain and compiled, with random options."""

from __future__ import annotations

import numpy as np
import pytest
from tests.envs import test_observations as observations
from tests.envs import test_vector as vectors
from tests.kernel import test_both_modes as shared
from tests.titles.skerries.tests.harness import asked, random_game

from paddock.core.title import Title
from paddock.kernel.bulk import Bench, play
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded
from paddock.kernel.watch import watch
from sampling import SEED, count


@pytest.mark.slow("Skerries is compiled")
def test_both_modes_agree_after_every_step(skerries: Title, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shared.EVENTFUL, "skerries", ((), 12))  # any games tell all twelve kinds of events
    shared.test_both_modes_agree_after_every_step(skerries)


def test_hide_and_redeal_agree_in_both_lives(skerries: Title) -> None:
    shared.test_hide_and_redeal_agree_in_both_lives(skerries)


def test_run_chance_is_the_same_as_stepwise_outcomes(skerries: Title) -> None:
    shared.test_run_chance_is_the_same_as_stepwise_outcomes(skerries)


@pytest.mark.slow("Skerries is compiled")
def test_secrecy_theorem_in_bulk(skerries: Title) -> None:
    shared.test_secrecy_theorem_in_bulk(skerries)


@pytest.mark.slow("Skerries is compiled")
def test_observations(skerries: Title) -> None:
    """They are the fields of the hidden state: what a seat cannot know does not change them."""
    observations.test_both_modes_write_the_same_numbers(skerries)
    for seed in range(count(3, 6)):
        for game, seat, _choose in asked(seed):
            seen = game.seen(1 << seat)
            other = seen.sample(Seeded(seed)).seen(1 << seat)
            assert seen.vector().tolist() == other.vector().tolist()
            assert abs(seen.vector()).max() <= 1


@pytest.mark.slow("plays whole games in both modes, at many places at once")
def test_every_place_of_vector_play_plays_the_games_that_game_plays(skerries: Title) -> None:
    vectors.test_every_place_plays_the_games_that_game_plays(skerries)


@pytest.mark.slow("Skerries is compiled with its invariants")
def test_a_slice_of_a_hundred_million_decisions_breaks_nothing(skerries: Title) -> None:
    watched = list(watch(skerries, count(200_000, 1_000_000), seed=11 + SEED))
    assert not [one.broken for one in watched if one.broken]
    assert max(one.options.seats for one in watched) == skerries.rules.MAX_SEATS


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda s: s.deck.__setitem__(0, s.deck[0] + 1), 1),
        (lambda s: s.cards.__setitem__(1, 1), 2),
        (lambda s: s.known.__setitem__((1, 2), 1), 3),
        (lambda s: s.at.__setitem__(0, -1), 4),
        (lambda s: s.place.__setitem__(2, 1), 5),
        (lambda s: setattr(s, "day", 99), 6),
        (lambda s: setattr(s, "wind", -1), 7),
        (lambda s: setattr(s, "phase", 2), 8),
        (lambda s: setattr(s, "phase", 3), 9),
        (lambda s: setattr(s, "phase", 5), 10),
    ],
)
def test_every_invariant_is_found_broken(skerries: Title, change: object, code: int) -> None:
    kernel = load_kernel(skerries, compiled=False)
    s, g = skerries.rules.State(), skerries.setup_of(skerries.options.read({}))
    kernel.start(s, g)
    assert kernel.broken(s, g) == 0
    change(s)
    assert kernel.broken(s, g) == code


def test_bulk_play_is_within_the_bounds_and_the_same_on_any_number_of_threads(skerries: Title) -> None:
    options = skerries.options.read({"skippers": 4, "chart": "hqh.l", "days": 12})
    one, two = (play(skerries, options, 3000, 5, threads=n) for n in (1, 2))
    for a, b in ((one.scores, two.scores), (one.places, two.places), (one.decisions, two.decisions)):
        assert np.array_equal(a, b)
    assert set(np.unique(one.places)) == {0, 1, 2, 3, 4}
    assert (one.scores == np.where(one.places > 0, 4 - one.places, 0)).all()


def test_the_events_of_an_entry_are_bounded(skerries: Title) -> None:
    most = 0
    for seed in range(count(20, 60)):
        *_, (game, _choose) = random_game(seed)
        most = max(most, *(len(item.events) for item in game.events))
    assert most <= skerries.rules.MAX_EVENTS


def test_a_state_packs_into_the_same_bytes_in_both_lives(skerries: Title) -> None:
    bench = Bench(skerries, skerries.options.read({}))
    assert bench.ss.nbytes < 128
    for seed in range(5):
        for game, _choose in random_game(seed):
            game._state.store(bench.ss[0])
            assert bench.ss.tobytes() == game._state.tobytes()
