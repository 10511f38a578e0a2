"""Hints while a game is played: they know what their player sees, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import paddock
from paddock import records
from paddock.bots.hints import LEFT, hint, made
from paddock.core.game import Game
from paddock.kernel.source import Seeded

SETUPS: dict[str, dict[str, Any]] = {
    "lacorsa": {"drivers": 4},
    "rasant": {"players": 3},
    "great_race": {"players": 2},
}


def asked(title: str) -> tuple[Game, int]:
    """A game in which hands are hidden, before a decision of a seat with a choice."""
    game = paddock.start(title, seed=3, **SETUPS[title])
    club, chance, decided = paddock.bots.bot(title, "club"), Seeded(3), 0
    while True:
        while game.chance_due:
            game.append(game.draw(chance))
        seat = game.deciders[0]
        seen = game.seen(game.options.eyes(game.options.owners[seat]))
        if decided > 40 and len(seen.legal(seat)) > 1 and len(game.deciders) == 1:
            return game, seat
        moves = {
            one: club.choose(view, one, view.legal(one), chance)
            for one in game.deciders
            if (view := game.seen(game.options.eyes(game.options.owners[one])))
        }
        for one in sorted(moves):
            game.play(one, moves[one])
        decided += 1


@pytest.mark.parametrize("title", SETUPS)
def test_a_hint_is_the_same_whatever_the_others_hold(title: str) -> None:
    """A swap of all that is hidden: another deal that the player cannot tell from this one."""
    game, seat = asked(title)
    eyes = game.options.eyes(game.options.owners[seat])
    people = [(name, None) for name in ("Ana", "Ben", "Cho", "Dan")[: game.options.players]]
    partial = records.read(records.write(game, date="2026-03-01", players=people, eyes=eyes))
    others = [records.complete(partial, Seeded(n)) for n in range(4)]
    swapped = next(other for other in others if other.position != game.position)
    views = [one.seen(eyes) for one in (game, swapped)]
    hints = [hint(seen, seat, "swap") for seen in views]
    assert hints[0] == hints[1]
    legal = views[0].legal(seat)
    costs = [made([(seen, legal[-1])], seat, "swap") for seen in views]
    assert costs[0] == costs[1]

    first, *rest = hints[0].moves
    words = {str(game.title.text.move(game.setup, move)) for move in legal}
    assert {move.move for move in hints[0].moves} <= words and hints[0].more == len(words) - len(
        hints[0].moves
    )
    assert (first.behind, first.error) == (0, 0) and first in hints[0].good
    assert sum(move.close for move in hints[0].moves) == min(LEFT, len(words))
    assert all(move.error > 0 for move in rest if move.behind)
    assert len(hints[0].models) == 2


def test_a_bad_move_costs_what_the_hint_says_it_is_worth_less() -> None:
    """In LACORSA, the highest card for nothing is a clear mistake; the best move costs nothing."""
    game, seat = asked("lacorsa")
    seen = game.seen(game.options.eyes(game.options.owners[seat]))
    best, *_others, worst = hint(seen, seat, "cost").moves
    ids = {str(game.title.text.move(game.setup, move)): move for move in seen.legal(seat)}
    cost = made([(seen, ids[worst.move])], seat, "other worlds")
    assert cost.cost > cost.error > 0 and cost.move == worst.move
    assert abs(cost.cost - worst.behind) < cost.error + worst.error
    good = made([(seen, ids[best.move])], seat, "other worlds")
    assert good.cost <= good.error
