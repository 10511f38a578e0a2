"""The analysis of a finished game: what each move cost, measured without luck in the choice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.games.test_lacorsa_position import first_at

import paddock
from paddock.bots import bot
from paddock.bots.analysis import Analysis, Judgement, costs, report, swings, told, turns
from paddock.bots.judging import FIRST, Decision, analyse, decisions, judge, weigh
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.kernel.source import Seeded


class Noisy:
    """Values of moves with these means and a lot of noise, part of which all moves of a world share."""

    def __init__(self, means: Sequence[float], seed: int) -> None:
        self.means, self.seed = np.array(means), seed
        self.asked: list[tuple[tuple[int, ...], range]] = []

    def __call__(self, moves: Sequence[int], worlds: range) -> NDArray[np.float64]:
        self.asked.append((tuple(moves), worlds))
        columns = []
        for world in worlds:
            draw = np.random.default_rng((self.seed, world))
            columns.append(self.means + 3 * draw.standard_normal() + draw.standard_normal(len(self.means)))
        return np.array(columns).T[list(moves)]


def test_a_blunder_costs_what_it_costs() -> None:
    values = Noisy([0, 1, 0.2, 0.9], 7)
    best, cost, error, tried = weigh(values, range(4), 0, 2000)
    assert best == 1 and tried == 2000
    assert abs(cost - 1) < 3 * error and 0.02 < error < 0.08


def test_a_good_move_costs_nothing_and_little_work() -> None:
    values = Noisy([0, 2, 0.2, 0.9], 7)
    assert weigh(values, range(4), 1, 2000)[:3] == (1, 0.0, 0.0)
    assert len(values.asked) <= 2  # a clear choice needs few worlds


def test_the_worlds_that_choose_do_not_measure() -> None:
    values = Noisy([0, 0.3, 0.29, 0], 3)
    weigh(values, range(4), 0, 400)
    *choosing, (moves, measuring) = values.asked
    assert choosing[0] == ((0, 1, 2, 3), range(FIRST)) and len(moves) == 2 and moves[1] == 0
    assert [worlds.start for _moves, worlds in choosing[1:]] == [w.stop for _m, w in choosing[:-1]]
    assert choosing[-1][1].stop == measuring.start == 200 and measuring.stop == 400


def test_luck_in_the_choice_adds_nothing_to_the_cost() -> None:
    """Twenty equal moves: the best of twenty noisy means is too high, and the measured cost is not."""
    found = [weigh(Noisy([0] * 20, seed), range(20), 0, 64) for seed in range(150)]
    total = sum(cost for _best, cost, _error, _tried in found)
    spread = sum(error**2 for _best, _cost, error, _tried in found) ** 0.5
    assert abs(total) < 3 * spread and spread < 5


def test_equal_moves_are_not_distinguished() -> None:
    assert weigh(lambda moves, worlds: np.zeros((len(moves), len(worlds))), range(5), 3, 64)[0] == 3


# A planted blunder


def club_game(blunder: int = -1, **options: object) -> tuple[Game, int]:
    """Play a game of *Clubs*; at decision ``blunder``, the mover plays the worst move.

    Return the game and the log entry of the blunder.
    """
    game, club, rng = paddock.start("lacorsa", seed=5, **options), bot("lacorsa", "club"), Seeded(9)
    made = entry = 0
    while not game.over:
        for seat in game.deciders:
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            legal = seen.legal(seat)
            move = club.choose(seen, seat, legal, rng)
            if len(legal) > 1:
                if made == blunder:
                    entry, move = len(game.log), worst(Decision(0, 0, seat, seen, tuple(legal), move))
                made += 1
            game.play(seat, move)
    return game, entry


def worst(decision: Decision) -> int:
    """Return the worst of the legal moves, as each of them is judged."""
    judged = {move: judge(replace(decision, move=move), 200, "worst") for move in decision.legal}
    return max(decision.legal, key=lambda move: judged[move].cost)


@pytest.fixture(scope="module")
def planted() -> tuple[Game, int]:
    return club_game(blunder=8, drivers=2, races=1)


def test_a_planted_blunder_is_the_biggest_swing(planted: tuple[Game, int]) -> None:
    game, entry = planted
    analysis = analyse(game, worlds=64, seed=1, processes=1)
    judged = turns(analysis, game)
    swing = swings(judged)[0]
    assert swing.entry == entry and swing.cost > 0.3
    assert swing.sentence.startswith(f"Best: {swing.best} · this cost ")
    lines = told(analysis, game)
    assert any(swing.text in line and swing.sentence in line for line in lines)
    by_player = costs(judged, game.options.owners)
    assert sum(cost.decisions for cost in by_player) == len(judged) == len(decisions(game))
    assert by_player[swing.seat].mistakes >= 1
    data = json.loads(json.dumps(report(analysis, game)))
    assert data["swings"][0] == entry and len(data["turns"]) == len(data["judgements"])


def test_the_number_of_processes_changes_nothing(planted: tuple[Game, int]) -> None:
    game, _entry = planted
    progress: list[tuple[int, int]] = []
    two = analyse(game, worlds=8, seed=1, processes=2, progress=lambda *now: progress.append(now))
    assert two.judgements == tuple(judge(decision, 8, "1") for decision in decisions(game))
    assert sum(done for done, _total in progress) == progress[-1][1] == len(two.judgements)
    assert two.judgements != tuple(judge(decision, 8, "2") for decision in decisions(game))


def test_a_decision_is_judged_by_what_its_player_saw(planted: tuple[Game, int]) -> None:
    game, _entry = planted
    for decision in decisions(game):
        again = game.at(decision.entry)
        eyes = game.options.eyes(game.options.owners[decision.seat])
        assert decision.seen.eyes == eyes
        assert decision.seen.state.tobytes() == again.seen(eyes).state.tobytes()
        assert decision.move in decision.legal and game.log[decision.entry].what == decision.move


def test_a_race_of_a_series_is_judged_by_itself() -> None:
    """Its points count, whatever was won before."""
    game, _entry = club_game(drivers=4, races=2)
    alone = game.title.options.read({"drivers": 4, "races": 1})
    second = [decision for decision in decisions(game) if decision.round == 1]
    assert second[0].seen.rounds == tuple(game.rounds[:1])
    judged = [judge(decision, 16, "1") for decision in second]
    single = [replace(one, seen=replace(one.seen, options=alone, rounds=())) for one in second]
    assert judged == [judge(decision, 16, "1") for decision in single]
    assert any(judgement.cost for judgement in judged)


def test_an_unfinished_game_is_refused() -> None:
    with pytest.raises(PaddockError, match="only finished games"):
        analyse(paddock.start("lacorsa", seed=1))
    with pytest.raises(PaddockError, match="from 8"):
        analyse(club_game(drivers=2, races=1)[0], worlds=7)
    with pytest.raises(PaddockError, match="from 8"):
        analyse(club_game(drivers=2, races=1)[0], worlds=10**20)


# Submissions of several moves


def test_the_moves_of_a_submission_are_judged_together() -> None:
    game = first_at("pits", 0, pit_draw="choose")
    (seat,) = game.deciders
    more = game.seen(1 << seat).preview(["pit"]).legal
    game.play(seat, ["pit", more[0]])
    last = max(i for i, entry in enumerate(game.log) if entry.linked)
    judged = (
        Judgement(last - 1, 0, 0, "pit", "stay", 0.5, 0.3, 64),
        Judgement(last, 0, 0, "take 7", "take 9", 1.0, 0.4, 64),
    )
    (turn,) = turns(Analysis("lacorsa", len(game.log), 64, "0", judged), game)
    assert (turn.entry, turn.last) == (last - 1, last) and turn.text.startswith("pit; take ")
    assert (turn.cost, turn.error) == (1.5, 0.5) and turn.mistake
    assert turn.sentence == "Best: take 9 instead of take 7 · this cost 1.50 ± 0.50 points"


# The stored form


GOOD = Analysis("lacorsa", 9, 64, "0", (Judgement(3, 0, 1, "3", "12+R", 0.4, 0.1, 64),))


def test_what_is_stored_is_read_again() -> None:
    assert Analysis.load(GOOD.dump()) == GOOD


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format":1', '"format":2'),
        ('"entry":3', '"entry":9'),
        ('"entry":3', '"entry":"3"'),
        ('"cost":0.4', '"cost":"0.4"'),
        ('"seat":1', '"seat":1,"hand":5'),
        ('"worlds":64,"seed"', '"seed"'),
        ("{", "["),
    ],
)
def test_anything_else_is_refused(old: str, new: str) -> None:
    text = GOOD.dump()
    assert old in text
    with pytest.raises(PaddockError, match="analysis"):
        Analysis.load(text.replace(old, new, 1))


def test_verdicts_say_how_sure_they_are() -> None:
    game = paddock.start("lacorsa", seed=1, drivers=2)
    game.play(0, game.legal(0).ids[0])
    last = len(game.log) - 1

    def sentence(cost: float, error: float, best: str = "9") -> str:
        judged = (Judgement(last, 0, 0, "3", best, cost, error, 64),)
        return turns(Analysis("lacorsa", last + 1, 64, "0", judged), game)[0].sentence

    assert sentence(0.4, 0.1).endswith("this cost 0.40 ± 0.10 points")
    assert sentence(0.15, 0.1) == "No clear difference to 9: 0.15 ± 0.10 points"
    assert sentence(-0.15, 0.1) == sentence(0.0, 0.0, "3") == "Best move"
