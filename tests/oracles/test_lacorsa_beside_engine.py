"""The engine stepped beside the slow oracle through random games: every list, every space, every hand."""

from __future__ import annotations

import random

import pytest
from tests.titles import LACORSA, as_written, random_options

import paddock
from paddock.core.words import CHANCE
from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules import rules, state
from paddock.games.lacorsa.rules.race import worth
from paddock.games.lacorsa.rules.setup import dealt
from paddock.games.lacorsa.words.text import card, move_of, outcome
from sampling import SEED, count

from .lacorsa import Race

GAMES = count(60, 600)
LARGE_GAMES = count(50, 400)


def drawn(choose: random.Random) -> Options:
    """Return random options with the numbers of the rulebook, as the oracle plays."""
    return Options.read({**random_options(LACORSA, choose).model_dump(), **as_written(LACORSA)})


def oracle_outcome(id: int, g: rules.Setup) -> str:
    return f"car {id - state.LOT}" if state.LOT <= id < state.DIE else outcome(g, id)


def oracle_move(id: int) -> str:
    return str(move_of(id))


def compare(race: Race, s: rules.State, g: rules.Setup) -> None:
    cars = range(g.cars)
    for car in cars:
        hand = [card(k) for k in range(state.KINDS) for _ in range(s.hand[car, k])]
        assert sorted(hand) == race.hand(car)
        assert s.cards[car] == len(hand)
        assert s.held[car] == sum(1 << k for k in range(state.KINDS) if s.hand[car, k])
        assert {card(k): s.known[car, k] for k in range(state.KINDS) if s.known[car, k]} == race.known(car)
    assert {card(k): s.discard[k] for k in range(state.KINDS) if s.discard[k]} == race.discard_counts()
    road = [(s.order[i], s.gap[i]) for i in range(s.running)] if s.placed == g.cars else []
    assert road == race.road()
    assert sorted((car for car in cars if s.out[car]), key=lambda car: s.out[car]) == race.retired()
    assert s.running == g.cars - len(race.retired())
    if s.lap > 1 and g.pit:
        assert {car for car in cars if not s.stops >> car & 1} == race.pitted()
    else:
        assert not s.stops
        assert not race.pitted()
    assert s.lap == race.lap()
    assert bool(s.last) == race.last()
    turn = (s.order[s.turn], s.passes) if s.lap and s.phase != state.OVER else None
    assert turn == race.turn()
    out = [0] * (rules.ACTIONS + 1)
    waiting = rules.who(s, g)
    deciders = {car for car in cars if waiting >> car & 1}
    assert deciders == race.deciders()
    for car in deciders:
        ids = out[: rules.legal(s, g, car, out)]
        assert len(set(ids)) == len(ids)
        assert {oracle_move(id) for id in ids} == race.legal(car)


def ties(s: rules.State, g: rules.Setup, ids: list[int]) -> list[int]:
    """The plays of a challenge that tie with the one face down: accidents are rare by chance."""
    if s.phase != state.CHALLENGE:
        return []
    for car in (s.order[s.turn], s.order[s.turn + 1]):
        if s.commit[car]:
            value = worth(g, s.commit[car] - 1)
            return [id for id in ids if worth(g, id) == value]
    return [id for id in ids if id >= state.KINDS]  # the first to commit takes a Redline


def race_beside(options: Options, choose: random.Random) -> rules.State:
    """One race in both, compared after every step; returns its end."""
    hand_size, suits = dealt(options)
    s, g = rules.State(), paddock.title("lacorsa").setup.setup(options)
    rules.start(s, g)
    race = Race(
        options.seats,
        options.extra_suits,
        options.double_redline,
        options.points,
        suits=suits - options.extra_suits,
        hand_size=hand_size,
        pit_stops=options.on("pit_stops"),
        pit_draw=options.pit_draw,
        pit_refill=options.pit_refill,
        pit_timing=options.pit_timing,
        incidents=options.on("incidents"),
        off_adjacent=options.off_adjacent,
        special_drafting=options.on("special_drafting"),
        one_draft=options.one_draft,
    )
    out, weights = [0] * 100, [0] * 100
    while waiting := rules.who(s, g):
        if waiting >> CHANCE:
            n = rules.outcomes(s, g, out, weights)
            due = {oracle_outcome(id, g): w for id, w in zip(out[:n], weights[:n], strict=True)}
            assert due == race.chance()
            picked = choose.choices(out[:n], weights[:n])[0]
            rules.apply(s, g, CHANCE, picked)
            race.take(oracle_outcome(picked, g))
        else:
            car = choose.choice([c for c in range(g.cars) if waiting >> c & 1])
            ids = out[: rules.legal(s, g, car, out)]
            picked = choose.choice(ties(s, g, ids) or ids if choose.random() < 0.5 else ids)
            rules.apply(s, g, car, picked)
            race.play(car, oracle_move(picked))
        compare(race, s, g)
    assert race.over()
    rules.scores(s, g, out)
    rules.places(s, g, weights)
    assert race.scores() == {car: out[car] for car in range(g.cars)}
    assert race.places() == {car: weights[car] for car in range(g.cars)}
    running = [s.order[i] for i in reversed(range(s.running))]
    retired = sorted((car for car in range(g.cars) if s.out[car]), key=lambda car: -s.out[car])
    assert race.classified() == running + retired
    return s


@pytest.mark.parametrize("seed", range(GAMES // 20))
def test_engine_and_oracle_agree_on_everything(seed: int) -> None:
    for game in range(20):
        choose = random.Random(SEED * 1_000_000 + seed * 1000 + game)
        values = {
            "drivers": choose.randint(2, 6),
            "extra_suits": choose.choice([0, 0, 1, 4]),
            "double_redline": choose.choice(["refused", "void"]),
            "points": choose.choice([(9, 6, 4, 3, 2, 1), (10, 3)]),
        }
        race_beside(Options.read(values), choose)


@pytest.mark.parametrize("seed", range(LARGE_GAMES // 20))
def test_engine_and_oracle_agree_on_the_large_grid(seed: int) -> None:
    for game in range(20):
        choose = random.Random(SEED * 1_000_000 + seed * 1000 + game)
        options = drawn(choose)
        race_beside(options, choose)


@pytest.mark.parametrize("seed", [2005, 2011, 3003, 6006])
def test_engine_and_oracle_agree_on_options_that_rarely_meet(seed: int) -> None:
    """Drawn for pairs of options that the sample above has not: adjacent cars off, refills, one draft."""
    choose = random.Random(seed)
    options = drawn(choose)
    race_beside(options, choose)
