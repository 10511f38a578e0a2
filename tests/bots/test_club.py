from __future__ import annotations

import pytest

import paddock
from paddock.bots import bot
from paddock.core.title import Seen, title
from paddock.core.words import CHANCE
from paddock.games.lacorsa.rules import state
from paddock.kernel.source import Seeded
from paddock.lab.compiled import Compiled, parts_of
from paddock.lab.plan import make_plan
from sampling import count


def one_game(found, options, setup, players, rng):
    """Play one game of a title with ``players`` by seat; return the points of every player."""
    rules = found.rules
    state = rules.State()
    rules.start(state, setup)
    while waiting := rules.who(state, setup):
        if waiting >> CHANCE:
            rules.run_chance(state, setup, rng.rng)
            continue
        seat = (waiting & -waiting).bit_length() - 1
        hidden, eyes = state.copy(), options.eyes(options.owners[seat])
        rules.hide(hidden, setup, eyes)
        names = ("",) * options.players
        seen = Seen(found, options, setup, hidden, eyes, (), names)
        rules.apply(state, setup, seat, players[seat].choose(seen, seat, seen.legal(seat), rng))
    scores = [0] * rules.MAX_SEATS
    rules.scores(state, setup, scores)
    points = [0] * options.players
    for seat, owner in enumerate(options.owners):
        points[owner] += scores[seat]  # LC-2.1 of both cars
    return points


def share_of_wins(name, games, **options):
    """Return the share of wins of one Club player among Rookies, over all seats; ties count in part.

    The games are played compiled: tests/lab/test_compiled.py compares them with those of the bots.
    """
    found = title(name)
    players = found.options.read(options).players
    plan = make_plan(found, ["club"] + ["rookie"] * (players - 1), 11, options, 30)
    compiled = Compiled(plan, parts_of(plan) or [])
    rows = [row for deal in range(games // players) for row in compiled.play(deal)]
    wins = 0.0
    for row in rows:
        mine = row.points[row.bots.index(0)]
        wins += (mine == max(row.points)) / row.points.count(max(row.points))
    return wins / len(rows)


@pytest.mark.parametrize(
    ("name", "options", "least"),
    [
        ("lacorsa", {"drivers": 4}, 0.70),
        ("lacorsa", {"drivers": 6}, 0.73),
        ("lacorsa", {"drivers": 2}, 0.93),
        ("lacorsa", {"drivers": 3}, 0.90),
        ("lacorsa", {"drivers": 4, "extra_suits": 3, "double_redline": "void"}, 0.68),
        ("lacorsa", {"drivers": 5, "points": "10"}, 0.72),
        ("lacorsa", {"drivers": 6, "large_grid": True}, 0.76),
        ("lacorsa", {"drivers": 9, "large_grid": True}, 0.78),
        ("lacorsa", {"drivers": 12, "large_grid": True}, 0.75),
        ("lacorsa", {"drivers": 3, "large_grid": True}, 0.92),
        ("lacorsa", {"drivers": 6, "championship": "teams", "large_grid": True}, 0.92),
        ("rasant", {"players": 4}, 0.70),
        ("rasant", {"players": 2}, 0.93),
        ("rasant", {"players": 3}, 0.85),
        ("rasant", {"players": 5}, 0.58),
        ("rasant", {"players": 4, "round_end": "all"}, 0.69),
        ("rasant", {"players": 4, "deck": "all-black-top"}, 0.67),
    ],
)
def test_one_club_beats_all_rookies_together(name, options, least):
    """``least`` is about three standard errors of 300 games below the share of 1,200 others."""
    assert share_of_wins(name, count(300, 1200), **options) > least


class NeverStops:
    """Club without pit stops (LX-2.0)."""

    def choose(self, seen, seat, legal, rng):
        return bot("lacorsa", "club").choose(seen, seat, [move for move in legal if move != state.PIT], rng)


def test_to_stop_pays_where_the_hand_is_filled_up_with_chosen_cards():
    """LX-2.2 three cars that may stop against three that never do, with seats swapped."""
    found = title("lacorsa")
    options = found.options.read(
        {"drivers": 6, "large_grid": True, "pit_draw": "choose", "pit_refill": True, "races": 1}
    )
    setup, stopping = found.setup.setup(options), 0.0
    for i in range(100):
        players = [bot("lacorsa", "club") if (i + seat) % 2 else NeverStops() for seat in range(6)]
        points = one_game(found, options, setup, players, Seeded(5, i // 2))
        winners = [seat for seat in range(6) if points[seat] == max(points)]
        stopping += sum((i + seat) % 2 for seat in winners) / len(winners)
    assert stopping / 100 > 0.55


def test_nobody_stops_in_the_last_lap():
    """LX-2.5 allows it, but the drawn cards are useless."""
    asked = 0
    for seed in range(30):
        game, rng = paddock.start("lacorsa", seed=seed, races=1, drivers=6, large_grid=True), Seeded(seed)
        player = bot("lacorsa", "club")
        while not game.over:
            seat = game.deciders[0]
            seen = game.seen(1 << seat)
            legal = seen.legal(seat)
            move = player.choose(seen, seat, legal, rng)
            if game.view().last_lap and state.PIT in legal:
                asked += 1
                assert move != state.PIT
            game.play(seat, move)
    assert asked > 20
