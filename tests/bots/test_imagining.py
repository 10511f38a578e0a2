"""Games are imagined in the same worlds with a compiler and without one; and without one, work gives way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import paddock
from bots.test_hints import SETUPS, asked
from paddock import records
from paddock.bots.hints import hint, made
from paddock.bots.imagining import COMPILED, PLAIN, Compiled, Effort, Plain
from paddock.bots.judging import JudgedDecision, affordable, decisions
from paddock.bots.mixture import SLIPPING
from paddock.bots.rollouts import CLUBS, THEIR_MOVE, Model
from paddock.core.beside import Steps, steps_of
from paddock.core.game import Game
from paddock.kernel.source import Seeded

MODELS = CLUBS, Model(SLIPPING, slips=3)
HORIZON = 150  # decisions: the shorter one of plain rollouts is another game
SAME = Plain(replace(PLAIN.effort, horizon=HORIZON))
LITTLE = Plain(replace(PLAIN.effort, hint=20, horizon=6, later=1))


def last(steps: Steps[object]) -> tuple[object, int]:
    """Return the answer of some work, and how often it gave way."""
    times = 0
    while True:
        try:
            next(steps)
        except StopIteration as ready:
            return ready.value, times
        times += 1


@pytest.mark.slow("plays some games of each title plainly, and loads the compiled rollouts")
@pytest.mark.parametrize("title", SETUPS)
def test_plain_games_are_those_of_the_compiler(title: str) -> None:
    """The same seed gives the same worlds, moves, points and decisions, from a view and from a whole game."""
    game, seat = asked(title)
    seen = game.seen(game.options.eyes(game.options.owners[seat]))
    moves = (THEIR_MOVE, *seen.legal(seat)[:2])
    for model in MODELS:
        both = [last(way.after(seen, seat, moves, range(3, 5), "a seed", model)) for way in (COMPILED, SAME)]
        (compiled, _once), (plain, times) = both
        assert compiled == plain and times == plain.decisions > 12, title
        whole = game.title, game.options, game.whole(), range(2), "a seed", model, False
        assert last(COMPILED.onward(*whole))[0] == last(SAME.onward(*whole))[0]


@pytest.mark.parametrize("title", SETUPS)
def test_a_plain_hint_is_the_same_whatever_the_others_hold(title: str) -> None:
    """A swap of all that is hidden, as for a compiled one; and the figures are honest with few games."""
    game, seat = asked(title)
    eyes = game.options.eyes(game.options.owners[seat])
    people = [(name, None) for name in ("Ana", "Ben", "Cho", "Dan")[: game.options.players]]
    partial = records.read(records.write(game, date="2026-03-01", players=people, eyes=eyes))
    others = [records.complete(partial, Seeded(n)) for n in range(4)]
    swapped = next(other for other in others if other.position != game.position)
    views = [one.seen(eyes) for one in (game, swapped)]
    (told, times), (again, _) = [last(steps_of(hint)(seen, seat, "swap", None, LITTLE)) for seen in views]
    assert told == again and times > 100
    assert told.models == ("club", "slipping") and told.games == 8
    assert all(move.error > 0 for move in told.moves[1:] if move.behind)
    legal = views[0].legal(seat)
    costs = [made([(seen, legal[-1])], seat, "swap", LITTLE) for seen in views]
    assert costs[0] == costs[1]


class Fake:
    """The part of a decision that its work depends on."""

    def __init__(self, round: int, moves: int, decision: JudgedDecision) -> None:
        self.round, self.legal, self.seen = round, range(moves), decision.seen


def decided(game: Game) -> Iterator[Fake]:
    """Yield two races of 40 decisions, of five moves each."""
    first = decisions(game)[0]
    for n in range(80):
        yield Fake(n // 40, 5, first)


def test_the_work_of_an_analysis_is_planned() -> None:
    """Few decisions are tried in more worlds, and of many only the first are judged.

    In LACORSA a game goes on to its end; in The Great Race it is soon estimated.
    """
    short, long = (paddock.start(name, seed=1) for name in ("lacorsa", "great_race"))
    for game in (short, long):
        for seat in game.deciders[:1]:
            game.play(seat, game.legal(seat).ids[0])
    every, order = list(decided(short)), list(range(80))[::-1]
    effort = Effort(worlds=64, work=10_000, least=8, horizon=5)
    # One world: (5 + 3) / 2 games of as many decisions as are left
    assert affordable(every, order[:3], effort) == (64, 3)  # 4 · (1 + 2 + 3) · 64 < 10,000
    assert affordable(every, order[:10], effort) == (10_000 // (4 * 55), 10)
    worlds, count = affordable(every, order, effort)
    assert worlds == 8 and 4 * 8 * sum(range(1, count + 1)) <= 10_000 < 4 * 8 * sum(range(1, count + 2))
    assert affordable(list(decided(long)), order, effort) == (8, 66)  # 4 · 5 · 8 each, less at the ends
    assert affordable(every, order, COMPILED.effort) == (1000, 80)
    assert affordable(every, order, Compiled(Effort(worlds=7)).effort) == (7, 80)
