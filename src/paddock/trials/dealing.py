"""Whether ``redeal`` deals as chance does: nobody can tell the dealt numbers from the true ones.

Both are what the same eyes cannot see, so both come from the same distribution, if ``redeal`` draws from
it. For each number of a state the mean difference between the true one and the dealt one is then 0, and so
is that of their squares, and of their products with what is seen. A seat that the eyes do not hold moves
blindly here: a move is drawn from all ids, and the game is left where it is not legal. So its moves tell no
more of its hand than that they were legal.
"""

from __future__ import annotations

import math
import random
from statistics import NormalDist
from typing import Any

from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.title import Title
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.loader import load_kernel
from paddock.kernel.record import layout_of
from paddock.kernel.source import Seeded
from paddock.records.guided import drawn
from paddock.trials.secrets import before_each_entry, differing, hidden, numbers_of, place_of, redealt
from paddock.trials.trial import Fault, Trial, some_eyes, some_options

GAMES = 3000
DEPTHS = (0, 0, 1, 2, 3)  # decisions before the two deals are compared
SETS = 3  # of options
STEP_GAMES, STEPS, ATTEMPTS = 80, 40, 12  # of the comparison by steps: games, decisions of each
CHANCE_OF_ALARM = 1e-6  # in one run, if nothing is wrong


class Sums(dict[str, list[int]]):
    """By number: how many differences there were, their sum, and that of their squares."""

    def count(self, name: str, difference: int) -> None:
        """Add a difference."""
        if difference:
            kept = self.setdefault(name, [0, 0, 0])
            kept[0] += 1
            kept[1] += difference
            kept[2] += difference * difference


def redeals(title: Title, seed: int) -> str:
    """Compare true and dealt hands; return how many."""
    compared, sums = 0, Sums()
    for index in range(SETS):
        options = some_options(title, seed, index)
        for number in range(GAMES // SETS):
            choose = random.Random(f"{seed} {index} {number} deal")
            eyes = some_eyes(options, choose)
            game = Game(title, options, Seeded(seed, number))
            if not _blindly(game, eyes, choose.choice(DEPTHS), choose):
                continue
            view = hidden(title, game.whole(), game.setup, eyes)
            world = redealt(title, view, game.setup, eyes, Seeded(seed + 1, number).rng)
            if _open(title, view, game.setup):
                compared += 1
                _add(sums, game.whole(), world, view)
    _judge(sums)
    return f"{compared} deals"


def _blindly(game: Game, eyes: int, decisions: int, choose: random.Random) -> bool:
    """Make so many decisions; return whether the game has come so far."""
    for _decision in range(decisions):
        if game.over:
            return False
        seat = choose.choice(game.deciders)
        legal = game.legal(seat).ids
        move = choose.choice(legal) if eyes >> seat & 1 else choose.randrange(game.title.rules.ACTIONS)
        if move not in legal:
            return False
        game.play(seat, move)
    return not game.over


def _open(title: Title, view: Any, g: Any) -> bool:
    """Whether nobody has a hidden choice: its chances are those of the moves, not of the deal."""
    before = view.tobytes()
    undecided = view.copy()
    load_kernel(title, compiled=False).undecide(undecided, g)
    return bool(undecided.tobytes() == before)


def _add(sums: Sums, true: Any, dealt: Any, view: Any) -> None:
    """Add what is different in two states to the sums: of each number and its square, and of each field.

    Those of a field are its products with what is seen in another field of the same kind of card, or of
    whatever the last index stands for.
    """
    layout = layout_of(true)
    seen = {name: _by_kind(getattr(view, name), shape) for name, _code, shape in layout if shape}
    for name, _code, shape in layout:
        if getattr(true, name) == getattr(dealt, name):
            continue
        numbers = (numbers_of(getattr(state, name), shape) for state in (true, dealt))
        differences = [
            (place, one - other, one + other) for (place, one), (_, other) in zip(*numbers, strict=True)
        ]
        for place, difference, total in differences:
            at = place_of(name, place, shape)
            sums.count(at, difference)
            sums.count(f"{at} squared", difference * total)
        for other_name, kinds in seen.items():
            if shape and len(kinds) == shape[-1]:
                product = sum(difference * kinds[place[-1]] for place, difference, _total in differences)
                sums.count(f"{name} by the {other_name} that is seen", product)


def _add_mover(sums: Sums, before: Any, after: Any, seat: int, move: object) -> None:
    """Add what is different in the rows of the seat that has made a move, for each move by itself."""
    for name, _code, shape in layout_of(before):
        if not shape or getattr(before, name) == getattr(after, name):
            continue
        both = zip(
            numbers_of(getattr(before, name), shape), numbers_of(getattr(after, name), shape), strict=True
        )
        for (place, one), (_, other) in both:
            if place[0] == seat:
                at = place_of(name, ("seat", *place[1:]), shape)
                sums.count(f"{at} of the seat that has just made the open move “{move}”", one - other)


def _by_kind(value: Any, shape: tuple[int, ...]) -> list[int]:
    """Return the sums of a field for each last index, less their mean: a kind of card, for example."""
    sums = [0] * shape[-1]
    for place, number in numbers_of(value, shape):
        sums[place[-1]] += number
    return [len(sums) * number - sum(sums) for number in sums]


def _judge(sums: Sums) -> None:
    """Raise ``Fault`` for a number whose sum is too far from 0."""
    most = _normal(CHANCE_OF_ALARM / max(1, len(sums)))
    for name, (n, total, squares) in sums.items():
        if n >= 30 and abs(total) > most * math.sqrt(squares):
            more = "less" if total > 0 else "more"
            raise Fault("rules.py", f"redeal() gives {more} in {name} than chance does")


def _normal(chance: float) -> float:
    """Return how many standard deviations a normal variable exceeds, on either side, with this chance."""
    return -NormalDist().inv_cdf(chance / 2)


def remembers(title: Title, seed: int) -> str:
    """Compare hidden cards that are dealt before a step, which is then played, with those dealt after it.

    A step is a move that the eyes see, or chance. Both kinds of hands are alike if the state remembers what
    the step has shown: a card that somebody takes openly stays in the hand. Hands that are dealt before the
    step count only if the eyes see the same after it as in the game.
    """
    compared, sums = 0, Sums()
    for index in range(STEP_GAMES):
        choose, chance = random.Random(f"{seed} {index} steps"), Seeded(seed, index)
        for game, entry in before_each_entry(title, seed, index, STEPS):
            eyes = some_eyes(game.options, choose)
            if worlds := _both_ways(title, game, entry, eyes, chance):
                compared += 1
                _add(sums, *worlds)
                if entry.by != CHANCE:
                    _add_mover(sums, *worlds[:2], entry.by, title.text.move(game.setup, entry.what))
    _judge(sums)
    return f"{compared} steps"


def _both_ways(
    title: Title, game: Game, entry: Entry, eyes: int, chance: Seeded
) -> tuple[Any, Any, Any] | None:
    """Return a world dealt before an entry and one dealt after it, and what the eyes see then.

    None if the eyes do not see the move, or no world that was dealt comes to what they see.
    """
    g, rules = game.setup, title.rules
    if entry.by != CHANCE and game.shown(eyes, entry) == HIDDEN:
        return None
    after = game.whole()
    rules.apply(after, g, entry.by, entry.what)
    if not rules.who(after, g):
        return None
    before, seen = hidden(title, game.whole(), g, eyes), hidden(title, after, g, eyes)
    for _attempt in range(ATTEMPTS):
        world, what = redealt(title, before, g, eyes, chance.rng), entry.what
        if entry.by == CHANCE:
            what = drawn(title.outcomes(world, g), chance)
        elif what not in title.legal(world, g, entry.by):
            continue
        rules.apply(world, g, entry.by, what)
        if not differing(hidden(title, world, g, eyes), seen):
            return world, redealt(title, seen, g, eyes, chance.rng), seen
    return None


DEALING = (Trial("redeal", "rules.py", redeals), Trial("what was open", "rules.py", remembers))
