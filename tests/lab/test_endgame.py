"""Exact endgames: matrix games, backward induction, and what a bot loses."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

import endgame as script
from paddock.bots import bot
from paddock.core.title import seats_of, title
from paddock.kernel.source import Seeded
from paddock.lab.endgame import EXACT, Endgame, solve_matrix
from paddock.lab.response import Response

TITLE = title("lacorsa")
RULES = TITLE.rules
SETUP = TITLE.setup_of(script.OPTIONS)


def exact():
    return Endgame(TITLE, script.OPTIONS)


def state(hands, road, turn, lap=7):
    """Return the position with two hands of cards; ``road`` is written from the back to the leader."""
    cards = ["R" if kind == 0 else str(kind) for kind in (*range(1, 13), 0)]
    left = Counter(dict.fromkeys(cards, 2))
    for hand in hands:
        left.subtract(hand)
    words = {
        "phase": "challenge" if "-" in road and road.startswith(str(turn)) else "road",
        "lap": str(lap),
        "turn": str(turn),
        "passes": "0",
        "last": "no",
        "road": road,
        "hands": "|".join(f"{car}:{','.join(hand)}" for car, hand in enumerate(hands, 1)),
        "discard": ",".join(f"{card}*{left[card]}" for card in cards if left[card]),
        "commit": "-",
        "value": "-",
    }
    return TITLE.text.parse_position(words, SETUP)


@pytest.mark.parametrize(
    ("payoff", "value", "rows", "columns"),
    [
        ([[1, -1], [-1, 1]], 0, [0.5, 0.5], [0.5, 0.5]),  # matching pennies
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),  # rock, paper, scissors
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 0, [1 / 4, 1 / 2, 1 / 4], [1 / 4, 1 / 2, 1 / 4]),
        ([[3, 1], [0, 2], [-1, -1]], 1.5, [0.5, 0.5, 0], [0.25, 0.75]),  # the third row is dominated
        ([[3, 1, 4], [0, 2, 3]], 1.5, [0.5, 0.5], [0.25, 0.75, 0]),  # the third column is dominated
        ([[2, 5], [1, 9]], 2, [1, 0], [1, 0]),  # a saddle point
        ([[1, 1, 0], [1, 1, 0], [0, 2, 0]], 0, [1 / 3] * 3, [0, 0, 1]),  # every row is optimal
        ([[7]], 7, [1], [1]),
    ],
)
def test_known_matrix_games(payoff, value, rows, columns):
    solved = solve_matrix(np.array(payoff, float))
    assert solved.value == pytest.approx(value, abs=1e-12)
    assert solved.rows == pytest.approx(rows)
    assert solved.columns == pytest.approx(columns)


def test_random_matrix_games_are_solved_exactly():
    """Neither player gets more than the value against the other's mix: this proves both optimal."""
    random = np.random.default_rng(1)
    for size in [*itertools.product((1, 2, 3, 11), repeat=2)] * 5:
        for payoff in (random.random(size), random.integers(0, 2, size) / 1, random.integers(0, 3, size) / 2):
            solved = solve_matrix(payoff)
            for mix in (solved.rows, solved.columns):
                assert mix.min() >= 0
                assert mix.sum() == pytest.approx(1)
            assert (solved.rows @ payoff).min() == pytest.approx(solved.value, abs=EXACT)
            assert (payoff @ solved.columns).max() == pytest.approx(solved.value, abs=EXACT)


def plans(s, seat):
    """Return all pure strategies of a seat: each gives a move for every position in which it has a choice."""
    choices, todo = {}, [s]
    while todo:
        s = todo.pop()
        deciding = seats_of(RULES.who(s, SETUP))
        moves = [exact().legal(s, seat) if seat in deciding else [None] for seat in (0, 1)]
        if len(moves[seat]) > 1:
            choices[s.tobytes()] = moves[seat]
        todo += [after(s, pair) for pair in itertools.product(*moves)] if deciding else []
    return [dict(zip(choices, plan, strict=True)) for plan in itertools.product(*choices.values())]


def after(s, pair):
    s = s.copy()
    for seat, move in enumerate(pair):
        if move is not None:
            RULES.apply(s, SETUP, seat, move)
    return s


def played(s, both):
    """Return the first car's share of the win if both follow their plans."""
    while deciding := seats_of(RULES.who(s, SETUP)):
        moves = [exact().legal(s, seat) if seat in deciding else [None] for seat in (0, 1)]
        s = after(s, [plan.get(s.tobytes(), own[0]) for plan, own in zip(both, moves, strict=True)])
    return exact().share(s)


GUESS = (["R", "5"], ["11", "3", "3"])
TINY = [
    ((["5", "9"], ["6", "8"]), "1-2", 1),
    ((["5", "9"], ["6", "9"]), "2-1", 2),
    ((["2", "9"], ["6", "7"]), "1.2", 1),
    ((["1", "9"], ["1", "7"]), "1.2", 2),
    (GUESS, "1-2", 1),
    ((["3", "12", "3"], ["9", "2"]), "1-2", 1),
    ((["11", "3"], ["11", "7", "3"]), "1-2", 1),
    ((["1", "12"], ["12", "9", "5"]), "1-2", 1),
]


@pytest.mark.parametrize(("hands", "road", "turn"), TINY)
def test_tiny_endgames_have_the_value_of_their_normal_form(hands, road, turn):
    """Every pure strategy of one car against every one of the other, as one large matrix game."""
    s = state(hands, road, turn)
    payoff = [[played(s, (one, other)) for other in plans(s, 1)] for one in plans(s, 0)]
    assert exact().value(s) == pytest.approx(solve_matrix(np.array(payoff)).value, abs=EXACT)


def test_an_endgame_by_hand():
    """LC-5.2 one card each: the higher passes, a tie is the defender's.

    With 5 and R against 11, 3 and 3 the cars guess: the challenger passes now with the 5 if the defender
    saves the 11, and later if the defender wastes it on the R.
    """
    assert exact().value(state((["9"], ["8"]), "1-2", 1)) == 1
    assert exact().value(state((["8"], ["8"]), "1-2", 1)) == 0
    solved = exact().decision(state(GUESS, "1-2", 1))
    assert solved.solution.value == pytest.approx(0.5)
    assert solved.mixes[0][0] == pytest.approx(0.5)  # the Redline
    assert solved.mixes[1] == pytest.approx([0.5, 0.5])  # 3 and 11


def swapped(s):
    """Return the position with the cars' numbers exchanged."""
    names = ["R", *map(str, range(1, 13))]
    hands = [[name for k, name in enumerate(names) for _ in range(s.hand[car, k])] for car in (1, 0)]
    order = [2 - s.order[0], 2 - s.order[1]]
    road = f"{order[0]}{'.' * s.gap[0] or '-'}{order[1]}"
    return state(hands, road, order[s.turn], s.lap)


def test_both_cars_have_the_same_chances():
    """Exchanging the cars exchanges the shares of the win, and every loss."""
    for hands, road, turn in TINY:
        s = state(hands, road, turn)
        assert exact().value(swapped(s)) == pytest.approx(1 - exact().value(s), abs=EXACT)
        assert swapped(swapped(s)) == s
        here, there = exact().decision(s), exact().decision(swapped(s))
        for seat in (0, 1):
            losses = [here.lost(seat, i) for i in range(here.payoff.shape[seat])]
            assert losses == pytest.approx([there.lost(1 - seat, i) for i in range(len(losses))], abs=EXACT)


def positions(cards, numbers, every=True):
    return [script.position(1, cards, number, every)[0] for number in numbers]


def test_positions_are_endgames_of_a_race():
    """They parse back; each car can infer the other's hand."""
    for s in positions(6, range(12)):
        assert 0 < min(s.cards[:2]) <= max(s.cards[:2]) <= 6 or s.last
        words = dict(word.split("=", 1) for word in TITLE.text.position(s, SETUP).split())
        assert TITLE.text.parse_position(words, SETUP).present() == s.present()
        for seat in (0, 1):
            seen = s.copy()
            RULES.hide(seen, SETUP, 1 << seat)
            RULES.redeal(seen, SETUP, 1 << seat, [1], [0] * (RULES.ACTIONS + 1))
            assert seen == s


def outlook(solver, s, seat):
    """Return what uniformly random moves of a seat lose on average, and what they win, by enumeration."""
    if not RULES.who(s, SETUP):
        share = solver.share(s)
        return 0, share if seat == 0 else 1 - share
    solved = solver.decision(s)
    mixes = list(solved.mixes)
    mixes[seat] = np.full(len(mixes[seat]), 1 / len(mixes[seat]))
    loss = win = 0
    for i, j in np.ndindex(solved.payoff.shape):
        chance = mixes[0][i] * mixes[1][j]
        pair = [own[k] if own else None for own, k in zip(solved.moves, (i, j), strict=True)]
        later = outlook(solver, after(s, pair), seat)
        loss += chance * (solved.lost(seat, (i, j)[seat]) + later[0])
        win += chance * later[1]
    return loss, win


def test_the_losses_of_all_moves_add_up_to_the_loss_of_the_game():
    for s in positions(3, range(8)):
        solver = exact()
        for seat, value in enumerate((solver.value(s), 1 - solver.value(s))):
            loss, win = outlook(solver, s, seat)
            assert loss == pytest.approx(value - win, abs=EXACT)


def test_no_move_gains_and_perfect_moves_lose_nothing():
    checked = 0
    for s in positions(4, range(12)):
        solver = exact()
        solver.value(s)
        for solved in solver._decisions.values():
            for seat, mix in enumerate(solved.mixes):
                losses = np.array([solved.lost(seat, i) for i in range(len(mix))])
                assert losses.min() >= -EXACT
                assert losses @ mix == pytest.approx(0, abs=EXACT)
                checked += 1
    assert checked > 500


class First:
    """Plays its first legal move: the lowest card, or a Redline."""

    def choose(self, seen, seat, legal, rng):
        assert sum(seen.state.held) == seen.state.held[seat]  # it does not see the other hand
        return legal[0]


def test_a_bot_loses_what_its_moves_lose():
    """LC-5.2 with 4 and 9 against 5 and 5, the 9 passes and wins; the 4 fails, and the lap is the last."""
    s = state((["4", "9"], ["5", "5"]), "1-2", 1)
    before = s.copy()
    assert exact().decision(s).payoff.tolist() == [[0], [1]]
    assert exact().loss(s, First(), 0, Seeded(1)) == 1
    assert exact().loss(s, First(), 1, Seeded(1)) == 0
    assert s == before


def test_levels_lose_and_never_gain():
    totals = dict.fromkeys(("rookie", "club"), 0.0)
    for number, s in enumerate(positions(4, range(40))):
        solver = exact()
        for level, seat in itertools.product(totals, (0, 1)):
            loss = solver.loss(s, bot(TITLE, level), seat, Seeded("levels", number))
            assert loss >= -EXACT
            totals[level] += loss
    assert totals["rookie"] > totals["club"] > 0


class InTurn:
    """Plays all legal moves of a position in turn: asked twelve times, it plays up to four equally often."""

    def __init__(self):
        self.times = Counter()

    def choose(self, seen, seat, legal, rng):
        key = seen.state.tobytes()
        self.times[key] += 1
        return legal[self.times[key] % len(legal)]


def against(s, seat, plan, mix):
    """Return what a bot on ``seat`` wins on average against a plan; ``mix`` gives the shares of its moves."""
    if not (deciding := seats_of(RULES.who(s, SETUP))):
        share = exact().share(s)
        return share if seat == 0 else 1 - share
    moves = [exact().legal(s, one) if one in deciding else [None] for one in (0, 1)]
    reply = plan.get(s.tobytes(), moves[1 - seat][0])
    return sum(
        share * against(after(s, (move, reply) if seat == 0 else (reply, move)), seat, plan, mix)
        for move, share in zip(moves[seat], mix(len(moves[seat])), strict=True)
    )


@pytest.mark.parametrize(("hands", "road", "turn"), TINY)
@pytest.mark.parametrize("seat", [0, 1])
def test_no_plan_gains_more_than_the_best_response(hands, road, turn, seat):
    """By brute force: all pure strategies against a bot that always plays the same, and against a mix."""
    s, solver = state(hands, road, turn), exact()
    value = solver.value(s) if seat == 0 else 1 - solver.value(s)
    for player, asks, mix in (
        (First(), 1, lambda n: [1.0] + [0.0] * (n - 1)),
        (InTurn(), 12, lambda n: [1 / n] * n),
    ):
        least = min(against(s, seat, plan, mix) for plan in plans(s, 1 - seat))
        gain = Response(solver, player, seat, Seeded(1), asks).gain(s)
        assert gain == pytest.approx(value - least, abs=EXACT)
        assert gain >= solver.loss(s, First(), seat, Seeded(1)) - EXACT or asks > 1


def test_who_does_not_mix_loses_to_a_best_response_alone():
    """The challenger of GUESS always plays the Redline: perfect play does not know, and gains nothing."""
    s, solver = state(GUESS, "1-2", 1), exact()
    solved = solver.decision(s)
    assert solved.lost(0, 0) == pytest.approx(0) and solver.legal(s, 0)[0] == solved.moves[0][0]
    assert Response(solver, First(), 0, Seeded(1)).gain(s) == pytest.approx(0.5)


def test_new_answers_judge_the_response():
    """Against a coin, a response to one answer wins every game by that answer, and only half by the next."""
    s, solver = state(GUESS, "1-2", 1), exact()
    gains = [Response(solver, bot(TITLE, "rookie"), 0, Seeded("coin", n)).gain(s) for n in range(200)]
    best = [Response(solver, bot(TITLE, "rookie"), 0, Seeded("coin", n), 64).gain(s) for n in range(10)]
    assert np.mean(gains) < np.mean(best) + 0.1
    assert min(gains) < 0 < max(gains)


def test_a_forced_win_is_a_value_of_one():
    forced = Counter()
    for s in [*positions(4, range(12)), *(state(*tiny) for tiny in TINY)]:
        solver = exact()
        solver.value(s)
        for key in solver._decisions:
            one = RULES.State.frombytes(key.ljust(len(s.tobytes()), b"\0"))  # of no past
            value = solver.value(one)
            assert exact().forced(one, 0) == (value > 1 - EXACT)
            assert exact().forced(one, 1) == (value < EXACT)
            forced[solver.forcer(one)] += 1
    assert min(forced[0], forced[1], forced[None]) > 0


def test_undecided_positions_by_all_pairs_of_moves():
    """A move guarantees its seat the worst that may follow. In an undecided position that is too little."""
    found = Counter()
    for s in [*positions(5, range(20)), *(state(*tiny) for tiny in TINY)]:
        solver = exact()
        values = solver.value(s), 1 - solver.value(s)
        matters = False
        for seat in (0, 1):
            for move in solver.moves(s, seat):
                ends = [
                    solver.value(after(s, (move, other) if seat == 0 else (other, move)))
                    for other in solver.moves(s, 1 - seat)
                ]
                worst = min(end if seat == 0 else 1 - end for end in ends)
                matters |= worst < values[seat] - EXACT
        assert exact().undecided(s) == matters
        found[matters] += 1
    assert min(found.values()) > 3


def test_undecided_positions_are_drawn_by_rejection():
    """They are those of the same races, without the others."""
    drawn, tried = zip(*(script.position(2, 4, number) for number in range(6)), strict=True)
    assert all(exact().undecided(s) for s in drawn) and max(tried) > 1
    for number, (s, n) in enumerate(zip(drawn, tried, strict=True)):
        if n == 1:
            assert script.position(2, 4, number, every=True) == (s, 1)


def test_the_script_prints_a_table(capsys, monkeypatch):
    """With intervals, and the same for one and for two processes."""
    printed = []
    for processes in "12":
        line = f"endgame.py --positions 8 --cards 4 --asks 1 --processes {processes} rookie club"
        monkeypatch.setattr("sys.argv", line.split())
        assert script.main() == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    head, group, _names, rookie, club, *_rest = printed[0].splitlines()
    assert "8 positions (undecided, of " in head
    assert group.endswith("one car can force a win:")
    assert rookie.startswith("rookie") and club.startswith("club")
    assert rookie.count("±") >= 2 and club.endswith(("%", ")"))
