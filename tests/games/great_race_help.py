"""Races of The Great Race to look at: with random options, by random moves that get somewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.titles import random_options

from paddock.core.options import Options
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules.state import (
    ACT,
    ACTIONS,
    DECLINE,
    DRIVE,
    DRIVER,
    HALT,
    OUTCOMES,
    PASS,
    PLAY,
    SPACE,
    STEP,
    Setup,
    State,
)
from paddock.kernel.loader import load_kernel

RULES = TITLE.rules
PLAIN = load_kernel(TITLE, compiled=False)
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil")


def seats(s: State, g: Setup) -> list[int]:
    """The seats that must decide."""
    waiting = RULES.who(s, g)
    return [seat for seat in range(g.players) if waiting >> seat & 1]


def legal(s: State, g: Setup, seat: int) -> list[int]:
    """The legal moves of a seat that must decide."""
    out = [0] * (ACTIONS + 1)
    return out[: RULES.legal(s, g, seat, out)]


def weight(s: State, g: Setup, move: int) -> float:
    """How much a move is wanted, so that races get on: drive, and towards the destination."""
    if s.stage == STEP and move < PLAY:
        gain = abs(g.column[s.at[s.turn]] - g.column[s.goal]) - abs(g.column[move - SPACE] - g.column[s.goal])
        return 10.0 ** (gain + 1)
    if s.stage == ACT and move in (DRIVE, PLAY + DRIVER):
        return 8
    return 0.2 if move in (PASS, HALT, DECLINE) else 1


def states(choose: random.Random, options: Options, most: int = 4000) -> Iterator[tuple[State, Setup]]:
    """Every state of a race, the last one included. It is the race itself: do not change it."""
    s, g = State(), TITLE.setup_of(options)
    out, weights, rng = [0] * (ACTIONS + 1), [0] * OUTCOMES, [choose.randrange(1 << 60)]
    s.events = []
    RULES.start(s, g)
    for _ in range(most):
        yield s, g
        waiting = RULES.who(s, g)
        if not waiting:
            return
        s.events = []
        if waiting >> CHANCE:
            PLAIN.take_chance(s, g, rng, out, weights)
        else:
            seat = choose.choice(seats(s, g))
            moves = legal(s, g, seat)
            wanted = [weight(s, g, move) for move in moves]
            RULES.apply(s, g, seat, choose.choices(moves, wanted)[0])


def races(
    number: int, seed: int = 0, most: int = 4000, turns: int = 0
) -> Iterator[tuple[Options, State, Setup]]:
    """Every state of so many races with random options; with ``turns``, of that many turns at most."""
    for i in range(number):
        choose = random.Random(f"{seed} {i}")
        options = random_options(TITLE, choose)
        if turns:
            options = TITLE.options.read({**options.model_dump(), "max_turns": turns})
        for s, g in states(choose, options, most):
            yield options, s, g


def seen(options: Options, s: State, g: Setup, eyes: int) -> Seen:
    """What these eyes see of a state."""
    hidden = s.copy()
    RULES.hide(hidden, g, eyes)
    return Seen(TITLE, options, g, hidden, eyes, (), NAMES[: options.seats])


def at(stage: int, number: int = 60) -> tuple[State, Setup]:
    """A copy of the first state of random races at this stage."""
    for _options, s, g in races(number):
        if s.stage == stage:
            return s.copy(), g
    raise AssertionError(stage)
