"""The engine stepped beside the slow oracle through random games: every list, every space, every hand."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.core.words import CHANCE
from paddock.games.lacorsa import rules
from paddock.games.lacorsa.text import card, move, outcome

from .lacorsa import Race

GAMES = 600


def oracle_outcome(id: int) -> str:
    return outcome(id) if id < rules.LOT else f"car {id - rules.LOT}"


def compare(race: Race, s: rules.State, g: rules.Setup) -> None:
    cars = range(g.cars)
    for car in cars:
        hand = [card(k) for k in range(rules.KINDS) for _ in range(s.hand[car, k])]
        assert sorted(hand) == race.hand(car)
        assert s.cards[car] == len(hand)
        assert s.held[car] == sum(1 << k for k in range(rules.KINDS) if s.hand[car, k])
    assert {card(k): s.discard[k] for k in range(rules.KINDS) if s.discard[k]} == race.discard_counts()
    road = [(s.order[i], s.gap[i]) for i in cars] if s.placed == g.cars else []
    assert road == race.road()
    assert s.lap == race.lap()
    turn = (s.order[s.turn], s.passes) if s.phase in (rules.CHALLENGE, rules.ROAD) else None
    assert turn == race.turn()
    out = [0] * (rules.ACTIONS + 1)
    waiting = rules.who(s, g)
    deciders = {car for car in cars if waiting >> car & 1}
    assert deciders == race.deciders()
    for car in deciders:
        ids = out[: rules.legal(s, g, car, out)]
        assert len(set(ids)) == len(ids)
        assert {str(move(id)) for id in ids} == race.legal(car)


@pytest.mark.parametrize("seed", range(GAMES // 20))
def test_engine_and_oracle_agree_on_everything(seed: int) -> None:
    for game in range(20):
        choose = random.Random(seed * 1000 + game)
        drivers = choose.randint(2, 6)
        extra = choose.choice([0, 0, 1, 4])
        double = choose.choice(["refused", "void"])
        points = choose.choice([(9, 6, 4, 3, 2, 1), (10, 3)])
        title = paddock.title("lacorsa")
        options = title.options.read(
            {"drivers": drivers, "extra_suits": extra, "double_redline": double, "points": points}
        )
        s, g = rules.State(), title.setup.setup(options)
        rules.start(s, g)
        race = Race(options.seats, extra, double, points)
        out, weights = [0] * 100, [0] * 100
        while waiting := rules.who(s, g):
            if waiting >> CHANCE:
                n = rules.outcomes(s, g, out, weights)
                due = {oracle_outcome(id): w for id, w in zip(out[:n], weights[:n], strict=True)}
                assert due == race.chance()
                picked = choose.choices(out[:n], weights[:n])[0]
                rules.apply(s, g, CHANCE, picked)
                race.take(oracle_outcome(picked))
            else:
                car = choose.choice([c for c in range(g.cars) if waiting >> c & 1])
                picked = choose.choice(out[: rules.legal(s, g, car, out)])
                rules.apply(s, g, car, picked)
                race.play(car, str(move(picked)))
            compare(race, s, g)
        assert race.over()
        rules.scores(s, g, out)
        rules.places(s, g, weights)
        assert race.scores() == {car: out[car] for car in range(g.cars)}
        assert race.places() == {car: weights[car] for car in range(g.cars)}
