"""Print what hints promise, what they gain, and how long they take.

    python scripts/hints.py                      lacorsa, rasant and great_race
    python scripts/hints.py lacorsa --races 300

In each race a *Rookie* drives against *Clubs*, until it asks for a hint somewhere in the race. Then it plays
the first move of the hint; and beside that, in the same deal, what a Rookie plays: any of the legal moves.
Both races are played on from there by the models of the hint, with the cards that everybody really holds, the
same worlds for both. The hint *promises* the difference by what its player sees: the mean of what moves are
worth less. The *gain* is the difference that came true. A race is one observation; ± are 95 % intervals.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import paddock
from paddock.bots.hints import hint
from paddock.bots.mixture import models_for
from paddock.bots.rollouts import _plays_on
from paddock.bots.worth import points_over
from paddock.core.game import Game
from paddock.core.intervals import half_width
from paddock.kernel.bulk import rollouts
from paddock.kernel.source import Seeded

SETUPS: dict[str, dict[str, Any]] = {
    "lacorsa": {"drivers": 4, "races": 1},
    "rasant": {"players": 4, "games": 1},
    "great_race": {"players": 3},
}
WORLDS = 16  # of each model, in which both moves are played on: what chance does later is no promise
DEEP = {"lacorsa": 24, "rasant": 20, "great_race": 60}  # decisions of the Rookie in which it may ask


def position(title: str, race: int) -> tuple[Game, int] | None:
    """Return a race and the seat that asks for a hint there; None if the race ends before."""
    game = paddock.start(title, seed=race, **SETUPS[title])
    chance, club = Seeded(f"hints {race}"), paddock.bots.bot(title, "club")
    seat, left = race % game.options.seats, chance.below(DEEP[title])
    while not game.over:
        while game.chance_due:
            game.append(game.draw(chance))
        moves = {}
        for one in () if game.over else game.deciders:
            seen = game.seen(game.options.eyes(game.options.owners[one]))
            legal = seen.legal(one)
            if one == seat and len(legal) > 1:
                if not left:
                    return game, seat
                left -= 1
            own = game.options.owners[one] == game.options.owners[seat]
            moves[one] = legal[chance.below(len(legal))] if own else club.choose(seen, one, legal, chance)
        for one in sorted(moves):
            game.play(one, moves[one])
    return None


def observation(title: str, race: int) -> tuple[float, float, float] | None:
    """Return what a hint promised, what it gained, and the seconds of processor time that it took."""
    at = position(title, race)
    if at is None:
        return None
    game, seat = at
    seen = game.seen(game.options.eyes(game.options.owners[seat]))
    begun = time.process_time()
    lines = hint(seen, seat, f"hint {race}").moves
    took = time.process_time() - begun
    promise = float(np.mean([line.behind for line in lines]))
    ids = {str(game.title.text.move(game.setup, move)): move for move in seen.legal(seat)}
    moves, values = [ids[line.move] for line in lines], []
    eyes = (1 << game.options.seats) - 1
    for model in models_for(game.title, game.setup):
        by, worlds = _plays_on(game.title, model), range(WORLDS)
        ends = rollouts(
            game.title, game.options, game.whole(), eyes, seat, moves, worlds, f"{race} {model.name}", by
        )
        values.append(points_over(game.options, seat, ends.scores))
    table = np.hstack(values)
    return promise, float(table[0].mean() - table.mean()), took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("titles", nargs="*", default=[*SETUPS])
    parser.add_argument("--races", type=int, default=300)
    asked = parser.parse_args()
    print(
        "title        races   promised         gained           promised − gained   ms a hint: median, most"
    )
    for title in asked.titles:
        rows, race = list[tuple[float, float, float]](), 0
        while len(rows) < asked.races:
            if row := observation(title, race):
                rows.append(row)
            race += 1
        promise, gain, took = np.array(rows[1:]).T  # the first one loads what is compiled
        cells = [f"{x.mean():+.3f} ± {half_width(x):.3f}" for x in (promise, gain, promise - gain)]
        ms = f"{1000 * np.median(took):.0f}, {1000 * took.max():.0f}"
        print(f"{title:12} {len(promise):5}   {'   '.join(cells)}      {ms}", flush=True)


if __name__ == "__main__":
    main()
