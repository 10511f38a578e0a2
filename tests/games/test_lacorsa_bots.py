"""The bot of LACORSA: its policy plain and compiled, and how it counts cards."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.titles import random_options

from paddock.bots import bot
from paddock.core.title import Seen, title
from paddock.core.words import CHANCE
from paddock.games.lacorsa.bots import policy
from paddock.games.lacorsa.rules.state import CHALLENGE, KINDS, PIT_DRAW, PITS, QUALIFY, REDLINE
from paddock.kernel.bulk import Bench
from paddock.kernel.source import Seeded
from sampling import count

TITLE = title("lacorsa")
RULES = TITLE.rules


def decisions(seed, options):
    """Yield every decision of a race as (hidden state, setup, seat, eyes); the policy makes two in three."""
    choose, rng = random.Random(seed), Seeded(21, seed)
    s, g, out = RULES.State(), TITLE.setup_of(options), [0] * (RULES.ACTIONS + 1)
    RULES.start(s, g)
    while waiting := RULES.who(s, g):
        if waiting >> CHANCE:
            RULES.run_chance(s, g, rng.rng)
            continue
        seat = choose.choice([seat for seat in range(options.seats) if waiting >> seat & 1])
        hidden, eyes = s.copy(), options.eyes(options.owners[seat])
        RULES.hide(hidden, g, eyes)
        yield hidden, g, seat, eyes
        n = RULES.legal(s, g, seat, out)
        move = choose.choice(out[:n])
        if choose.random() < 2 / 3:
            move = policy.policy(hidden, g, seat, out, n, rng.rng)
        RULES.apply(s, g, seat, move)


@pytest.mark.slow("the plain mode plays whole races")
def test_the_policy_plays_alike_in_both_modes():
    """Also the list of the best moves, the chances and what else it writes to ``out`` are the same."""
    phases, moves = set(), 0
    for seed in range(count(50, 120)):
        options = random_options(TITLE, random.Random(seed))
        bench = Bench(TITLE, options)
        for s, g, seat, _ in decisions(seed, options):
            s.store(bench.ss[0])
            bench.rng[0] = 7 << 32 | moves
            bench.out[:] = 0
            rng, out, before = [7 << 32 | moves], [0] * len(bench.out), s.tobytes()
            n = RULES.legal(s, g, seat, out)
            assert n <= policy.MOST_MOVES
            move = policy.policy(s, g, seat, out, n, rng)
            assert bench.kernel.one_policy(bench.ss, bench.gg, seat, bench.out, bench.rng) == move
            assert bench.out.tolist() == out
            assert bench.rng[0] == rng[0]
            assert s.tobytes() == before
            phases.add(s.phase)
            moves += 1
    assert {QUALIFY, CHALLENGE, PITS, PIT_DRAW} < phases
    assert moves > count(2000, 5000)


def test_the_club_plays_any_of_several_equal_moves():
    """LC-7.1 in the last lap a 2 is worth the same discarded and, with nobody near, in an extend."""
    options, club = TITLE.options.read({"drivers": 5}), bot("lacorsa", "club")
    ties = 0
    for seed in range(60):
        for s, g, seat, eyes in decisions(seed, options):
            out = [0] * (RULES.ACTIONS + 1)
            n = RULES.legal(s, g, seat, out)
            legal, best = out[:n], out[: policy.best_moves(s, g, seat, out, n)]
            if len(best) > 1:
                seen = Seen(TITLE, options, g, s, eyes, (), ("",) * options.players)
                assert {club.choose(seen, seat, legal, Seeded(i)) for i in range(40)} == set(best)
                ties += 1
    assert ties


def others_hold(s, g, seat, eyes, value):
    """Return the chance that another car's play is not higher, from a list of the cards that it may hold."""
    hands = [s.hand if eyes >> car & 1 else s.known for car in range(g.cars)]
    unseen = [
        g.deck[kind] - s.discard[kind] - sum(hand[car, kind] for car, hand in enumerate(hands))
        for kind in range(KINDS)
    ]
    total = sum(unseen) or 1
    known = [0] * KINDS
    if s.phase != QUALIFY and s.turn + 1 < s.running:
        met = s.order[s.turn] if s.order[s.turn + 1] == seat else s.order[s.turn + 1]
        known = [s.known[met, kind] for kind in range(KINDS)]

    def one_card(value):
        """LX-2.1 one of the known cards, or one of the unseen ones."""
        below = Fraction(sum(unseen[: max(0, value + 1)]), total)
        if not any(known):
            return below
        cards = s.cards[met]
        return (below * (cards - sum(known)) + sum(known[: max(0, value + 1)])) / cards

    raised = min(Fraction(1, 2), Fraction(4 * unseen[REDLINE], total)) / 2
    return ((1 - raised) * one_card(value) + raised * (one_card(value - 2) if value > 1 else 0)) ** 2


def test_the_chances_of_a_play_are_those_of_the_better_of_two_unseen_cards():
    """LX-2.1 cards that everybody has seen count too."""
    options = TITLE.options.read({"drivers": 3, "large_grid": True, "pit_refill": True, "pit_draw": "choose"})
    known = checked = 0
    for seed in range(6):
        for s, g, seat, eyes in decisions(seed, options):
            out = [0] * (RULES.ACTIONS + 1)
            policy.weigh_cards(s, g, seat, out)
            for value in range(15):
                chance = others_hold(s, g, seat, eyes, value)
                assert policy.held(out, value) == pytest.approx(float(chance), abs=1e-12)
            assert policy.lower(out, 0) == 0
            known += any(s.known.values())
            checked += 1
    assert 20 < known < checked


@pytest.mark.parametrize(
    ("values", "owners", "teams"),
    [
        ({"drivers": 4}, [0, 1, 2, 3], [0, 1, 2, 3]),
        ({"drivers": 2}, [0, 0, 1, 1], [0, 0, 1, 1]),
        ({"drivers": 5, "pairs": "1-3/2-5"}, [0, 1, 2, 3, 4], [0, 1, 0, 2, 1]),
    ],
)
def test_the_setup_knows_the_driver_and_the_team_of_each_car(values, owners, teams):
    """LC-2.1, LC-2.2 a place gained from a team mate counts half, from a car of one's own nothing."""
    g = TITLE.setup.setup(TITLE.options.read(values))
    assert g.owner[: g.cars] == owners
    assert g.team[: g.cars] == teams
    for seat in range(g.cars):
        for other in range(g.cars):
            same = (owners[seat] == owners[other]) + (teams[seat] == teams[other])
            assert policy.against(g, seat, other) == 1 - same / 2
