"""The plain and the compiled mode of every title agree after every step, events included."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.titles import RASANT, RULES, random_options, shorter

from paddock.core.errors import PaddockError
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.kernel.bulk import Bench, play, secrecy_checks
from paddock.kernel.chance import below, stream
from paddock.kernel.events import events_of
from paddock.kernel.loader import load_kernel
from sampling import SEED, count, seeds

GAMES = 400
# For each title: seeds of games that tell every kind of event, and how many kinds there are. Hundreds of
# games tell no other.
EVENTFUL = {
    "lacorsa": ((18, 76, 88, 182, 235), 23),
    "rasant": ((202,), 9),
    "great_race": ((24, 87, 138), 43),
}


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_games_played_in_bulk_are_the_same_in_both_modes(title: Title) -> None:
    """Of random moves, and between bots: without Numba, games take longer, and nothing else changes."""
    options = random_options(title, random.Random(2))
    for thirds in ((), [player % 4 for player in range(options.players)]):
        one, two = (
            play(title, options, 6, 3, thirds=thirds, compiled=compiled) for compiled in (True, False)
        )
        for field in ("scores", "places", "decisions"):
            assert np.array_equal(getattr(one, field), getattr(two, field))


@pytest.mark.slow("the plain rules take every step too")
@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_both_modes_agree_after_every_step(title: Title) -> None:
    plain, rules = load_kernel(title, compiled=False), title.rules
    last, dtype = rules.State.dtype.names[-1], rules.State.dtype
    end = dtype.fields[last][1] + dtype[last].itemsize  # of the state, which the buffer for events follows
    chosen, kinds = EVENTFUL[title.name]
    steps, told = 0, set()
    for seed in sorted({*chosen, *seeds(shorter(title, 40), shorter(title, GAMES))}):
        choose = random.Random(seed)
        options = random_options(title, choose)
        bench = Bench(title, options, tell=True)
        compiled = bench.kernel
        s, g = rules.State(), title.setup_of(options)
        out, weights, rng = [0] * len(bench.out), [0] * len(bench.out), [seed + 1]
        bench.rng[0] = seed + 1
        stepwise = seed % 2
        s.events = []
        rules.start(s, g)
        told.update(event[0] for event in s.events)
        compiled.one_start(bench.ss, bench.gg)
        while waiting := rules.who(s, g):
            assert compiled.one_who(bench.ss, bench.gg) == waiting
            s.events = []
            if waiting >> CHANCE and stepwise:
                outcome = plain.take_chance(s, g, rng, out, weights)
                assert (
                    compiled.one_outcome(bench.ss, bench.gg, bench.rng, bench.out, bench.weights) == outcome
                )
            elif waiting >> CHANCE:
                rules.run_chance(s, g, rng)
                compiled.one_chance(bench.ss, bench.gg, bench.rng)
            else:
                seat = choose.choice([i for i in range(options.seats) if waiting >> i & 1])
                n = rules.legal(s, g, seat, out)
                assert compiled.one_legal(bench.ss, bench.gg, seat, bench.out) == n
                assert bench.out[:n].tolist() == out[:n]
                move = choose.choice(out[:n])
                rules.apply(s, g, seat, move)
                compiled.one_apply(bench.ss, bench.gg, seat, move)
            assert bench.ss[0].tobytes()[:end] == s.tobytes()[:end]
            assert bench.rng[0] == rng[0]
            assert bench.ss[0]["n_events"] == len(s.events)
            assert events_of(bench.ss[0]) == s.events[: rules.MAX_EVENTS]  # the whole deal may tell more
            told.update(event[0] for event in s.events)
            steps += 1
        assert rules.State().load(bench.ss[0]) == s
    assert len(told) == kinds, f"only {sorted(told)}: choose other seeds"
    assert steps > count(40, GAMES) * 10


@pytest.mark.parametrize(
    "title", [title for title in RULES if title.room("policy")], ids=lambda title: title.name
)
def test_the_policy_chooses_the_same_move_in_both_modes(title: Title) -> None:
    """From what a seat sees, with the same random stream; a third of the moves are others, for variety."""
    plain, rules = load_kernel(title, compiled=False), title.rules
    moves = 0
    for seed in seeds(shorter(title, 20), shorter(title, 100)):
        choose = random.Random(seed)
        options = random_options(title, choose)
        bench = Bench(title, options)
        out, rng = [0] * len(bench.out), [0]
        stream(8, seed, rng)
        s, g = rules.State(), title.setup_of(options)
        rules.start(s, g)
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                rules.run_chance(s, g, rng)
                continue
            seat = plain.first_of(waiting)
            seen = s.copy()
            rules.hide(seen, g, options.eyes(options.owners[seat]))
            seen.store(bench.ss[0])
            bench.rng[0] = rng[0]
            n = rules.legal(seen, g, seat, out)
            other = choose.choice(out[:n])
            before = seen.tobytes()
            move = plain.policy(seen, g, seat, out, n, rng)
            assert bench.kernel.one_policy(bench.ss, bench.gg, seat, bench.out, bench.rng) == move
            assert bench.rng[0] == rng[0]
            assert seen.tobytes() == before == rules.State().load(bench.ss[0]).tobytes()
            rules.apply(s, g, seat, move if choose.random() < 2 / 3 else other)
            moves += 1
    assert moves > count(100, 500)


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_bulk_play_by_the_policy_is_what_the_plain_kernel_plays(title: Title) -> None:
    """All, some or none of a player's decisions are the policy's: from what all seats of the player see."""
    plain, rules = load_kernel(title, compiled=False), title.rules
    for seed in seeds(shorter(title, 20), shorter(title, 100)):
        choose = random.Random(seed)
        options = random_options(title, choose)
        thirds = [choose.randint(0, 3) for _ in range(options.players)]
        thirds[0] = thirds[0] or 3
        played = play(title, options, 2, seed, thirds=thirds, threads=1)
        s, g = rules.State(), title.setup_of(options)
        for i in range(2):
            out, rng, decisions = [0] * (rules.ACTIONS + 1), [0], 0
            stream(seed, i, rng)
            rules.start(s, g)
            while waiting := rules.who(s, g):
                if waiting >> CHANCE:
                    rules.run_chance(s, g, rng)
                    continue
                seat = plain.first_of(waiting)
                n, part = rules.legal(s, g, seat, out), thirds[options.owners[seat]]
                if part == 3 or (part and below(rng, 3) < part):
                    seen = s.copy()
                    rules.hide(seen, g, options.eyes(options.owners[seat]))
                    move = plain.policy(seen, g, seat, out, n, rng) if n > 1 else out[0]
                else:
                    move = out[below(rng, n)]
                rules.apply(s, g, seat, move)
                decisions += 1
            scores, places = [0] * rules.MAX_SEATS, [0] * rules.MAX_SEATS
            rules.scores(s, g, scores)
            rules.places(s, g, places)
            assert played.scores[i].tolist() == scores[: options.seats]
            assert played.places[i].tolist() == places[: options.seats]
            assert played.decisions[i] == decisions


def test_bulk_play_by_the_policy_does_not_depend_on_the_number_of_threads() -> None:
    options = RASANT.options.read({"players": 3})
    one, three = (
        play(RASANT, options, 3500, "a text", thirds=(3, 2, 0), threads=threads) for threads in (1, 3)
    )
    assert np.array_equal(one.scores, three.scores)
    assert np.array_equal(one.places, three.places)
    assert np.array_equal(one.decisions, three.decisions)
    first, second, third = (one.places == 1).mean(axis=0)
    assert first > second > third  # the more decisions are the policy's, the more games are won


@pytest.mark.parametrize("thirds", [(3,), (3, 3, 3), (4, 0), (-1, 0), (1.5, 0)])
def test_bulk_play_refuses_numbers_that_do_not_fit(thirds: tuple[int, ...]) -> None:
    with pytest.raises(PaddockError, match="give a number from 0 to 3 for each of 2 players"):
        play(RASANT, RASANT.options.read({"players": 2}), 1, 0, thirds=thirds)


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_hide_and_redeal_agree_in_both_lives(title: Title) -> None:
    compiled, plain = load_kernel(title, compiled=True), load_kernel(title, compiled=False)
    rules = title.rules
    for seed in seeds(20, 100):
        choose = random.Random(seed)
        options = random_options(title, choose)
        bench = Bench(title, options)
        rng, out = [seed + 1], [0] * len(bench.out)
        s, g = rules.State(), title.setup_of(options)
        rules.start(s, g)
        for _ in range(choose.randrange(120)):
            if not (waiting := rules.who(s, g)):
                break
            if waiting >> CHANCE:
                plain.take_chance(s, g, rng, out, [0] * len(out))
            else:
                seat = choose.choice([i for i in range(options.seats) if waiting >> i & 1])
                rules.apply(s, g, seat, choose.choice(out[: rules.legal(s, g, seat, out)]))
        eyes = choose.randrange(1 << options.seats)
        s.store(bench.ss[0])
        bench.rng[0] = rng[0]
        rules.hide(s, g, eyes)
        compiled.one_hide(bench.ss, bench.gg, eyes)
        assert rules.State().load(bench.ss[0]) == s
        rules.redeal(s, g, eyes, rng, out)
        compiled.one_redeal(bench.ss, bench.gg, eyes, bench.rng, bench.out)
        assert rules.State().load(bench.ss[0]) == s
        assert bench.rng[0] == rng[0]


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_run_chance_is_the_same_as_stepwise_outcomes(title: Title) -> None:
    """``run_chance`` gives the same as single draws from the same stream, byte for byte."""
    kernel, rules = load_kernel(title, compiled=False), title.rules
    for seed in seeds(shorter(title, 80), shorter(title, 200)):
        choose = random.Random(seed)
        options = random_options(title, choose)
        g = title.setup_of(options)
        a, b = rules.State(), rules.State()
        rng_a, rng_b = [seed + 1], [seed + 1]
        out = [0] * (max(rules.ACTIONS, rules.OUTCOMES) + 1)
        weights = out[:]
        rules.start(a, g)
        rules.start(b, g)
        while waiting := rules.who(a, g):
            if waiting >> CHANCE:
                rules.run_chance(a, g, rng_a)
                while rules.who(b, g) >> CHANCE:
                    kernel.take_chance(b, g, rng_b, out, weights)
            else:
                seat = kernel.first_of(waiting)
                move = choose.choice(out[: rules.legal(a, g, seat, out)])
                rules.apply(a, g, seat, move)
                rules.apply(b, g, seat, move)
            assert a == b
            assert rng_a == rng_b


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_secrecy_theorem_in_bulk(title: Title) -> None:
    """LC-1.4 hide(redeal(hide(s))) = hide(s) and the seat's legal list is the same in all three.

    What a title says can be foreseen is foreseen: the links of a chain lead the hidden state where they
    lead the state.
    """
    choose = random.Random(f"{title.name} {SEED}")
    checks = 0
    for batch in seeds(12, 40):
        options = random_options(title, choose)
        done = secrecy_checks(title, options, seed=batch, games=shorter(title, count(120, 500)))
        assert done > 0, f"game {-1 - done} of seed {batch} breaks secrecy"
        checks += done
    assert checks > count(10_000, 100_000)
