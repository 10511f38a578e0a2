"""The analysis of a finished game: what each move cost, measured without luck in the choice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.games.test_lacorsa_position import first_at

import paddock
from paddock.bots import analysis as analyses
from paddock.bots import bot
from paddock.bots.analysis import (
    Analysis,
    Judgement,
    account_lines,
    choice_lines,
    costs,
    report,
    summary_lines,
    swings,
    turns,
)
from paddock.bots.judging import (
    FIRST,
    JudgedDecision,
    Values,
    analyse,
    choose,
    decisions,
    difference,
    judge,
    rank,
)
from paddock.bots.ledger import LedgerMoment
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.kernel.source import Seeded
from sampling import count


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


def weigh(values: Values, legal: Sequence[int], made: int, worlds: int) -> tuple[int, float, float, int]:
    """What ``judge`` does with the values of moves: the best one, its cost and error, and its worlds."""
    best, tried = choose(values, legal, made, worlds // 2)
    if best == made:
        return best, 0.0, 0.0, tried[best]
    pair = values((best, made), range(worlds // 2, worlds))
    return best, *difference(pair[0], pair[1]), tried[best] + worlds - worlds // 2


def test_a_blunder_costs_what_it_costs() -> None:
    values = Noisy([0, 1, 0.2, 0.9], 7)
    best, cost, error, tried = weigh(values, range(4), 0, 2000)
    assert best == 1 and tried == 2000
    assert abs(cost - 1) < 1.5 * error and 0.04 < error < 0.16


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
    assert abs(total) < 1.5 * spread and spread < 10


def test_equal_moves_are_not_distinguished() -> None:
    assert weigh(lambda moves, worlds: np.zeros((len(moves), len(worlds))), range(5), 3, 64)[0] == 3


def test_all_moves_are_ranked_and_each_is_measured_beside_the_best() -> None:
    values = Noisy([0, 1, -4, 0.9], 7)
    (best, cost, error, tried), *others = rank(values, [0, 1, 2, 3], 2000)
    assert (best, cost, error, tried) == (1, 0.0, 0.0, 2000)
    assert [move for move, *_ in others] == [3, 0, 2]
    for (_move, cost, error, _tried), true in zip(others, (0.1, 1, 5), strict=True):
        assert abs(cost - true) < 4 * error and error > 0
    assert others[2][3] == 2 * FIRST < others[0][3]  # a bad move takes little work, and is measured too
    assert rank(values, [2], 2000) == [(2, 0.0, 0.0, 0)]


def test_luck_in_the_choice_adds_nothing_to_the_ranking() -> None:
    """Of equal moves, one is chosen by luck; the others cost nothing on average."""
    found = [cost for seed in range(60) for _m, cost, _e, _t in rank(Noisy([0] * 8, seed), range(8), 64)[1:]]
    assert abs(sum(found) / len(found)) < 0.06


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
                    entry, move = len(game.log), worst(JudgedDecision(0, 0, seat, seen, tuple(legal), move))
                made += 1
            game.play(seat, move)
    return game, entry


def worst(decision: JudgedDecision) -> int:
    """Return the worst of the legal moves, as each of them is judged."""
    judged = {move: judge(replace(decision, move=move), 200, "worst") for move in decision.legal}
    return max(decision.legal, key=lambda move: judged[move].cost)


@pytest.fixture(scope="module")
def planted() -> tuple[Game, int]:
    return club_game(blunder=8, drivers=2, races=1)


@pytest.mark.slow("judges a whole game")
def test_a_planted_blunder_is_the_biggest_swing(planted: tuple[Game, int]) -> None:
    game, entry = planted
    analysis = analyse(game, worlds=count(80, 160), seed=1, processes=1)
    judged = turns(analysis, game)
    swing = swings(judged)[0]
    assert swing.entry == entry and swing.cost > 0.3
    assert swing.sentence.startswith(f"Best: {swing.best} · this cost ")
    lines = summary_lines(analysis, game)
    assert any(swing.text in line and swing.sentence in line for line in lines)
    by_player = costs(judged, game.options.owners)
    assert sum(cost.decisions for cost in by_player) == len(judged) == len(decisions(game))
    assert by_player[swing.seat].mistakes >= 1
    data = json.loads(json.dumps(report(analysis, game)))
    assert data["swings"][0] == entry and len(data["turns"]) == len(data["judgements"])


@pytest.mark.slow("two processes load the compiled rollouts")
def test_the_number_of_processes_changes_nothing(planted: tuple[Game, int]) -> None:
    game, _entry = planted
    progress: list[tuple[int, int]] = []
    two = analyse(game, worlds=8, seed=1, processes=2, progress=lambda *now: progress.append(now))
    assert two.judgements == tuple(judge(decision, 8, "1") for decision in decisions(game))
    assert sum(done for done, _total in progress) == progress[-1][1] == len(two.judgements + two.moments)
    assert two.judgements != tuple(judge(decision, 8, "2") for decision in decisions(game))


def test_an_unfinished_game_has_judgements_and_choices(planted: tuple[Game, int]) -> None:
    """What was played is judged as in the finished game, and the moves of now are ranked."""
    game, entry = planted
    half = game.at(entry)
    made = tuple(judge(decision, 8, "1") for decision in decisions(game) if decision.entry < entry)
    analysis = paddock.analyse(half, worlds=8, seed=1, processes=1)
    assert analysis.judgements == made and len(made) > 3
    assert [choice.seat for choice in analysis.choices] == sorted(choice.seat for choice in analysis.choices)
    for seat in half.deciders:
        mine = [choice for choice in analysis.choices if choice.seat == seat]
        assert {choice.move for choice in mine} == set(map(str, half.legal(seat)))
        assert mine[0].cost == 0 and all(a.cost <= b.cost for a, b in pairwise(mine[1:]))
    assert Analysis.load(analysis.dump()) == analysis


def test_a_position_has_choices_alone(planted: tuple[Game, int]) -> None:
    """The planted blunder is the worst of them, and what others hold does not matter."""
    game, entry = planted
    half, blunder = game.at(entry), str(game.title.text.move(game.setup, game.log[entry].what))
    analysis = paddock.analyse(half.position, worlds=400, seed=1)
    assert (analysis.judgements, analysis.entries) == ((), 0)
    mine = [choice for choice in analysis.choices if choice.seat == game.log[entry].by]
    assert blunder in [choice.move for choice in mine[-3:]] and mine[-1].cost > 0.3
    eyes = half.options.eyes(half.options.owners[mine[0].seat])
    twin = paddock.analyse(half.seen(eyes).sample(Seeded(3)).position, worlds=400, seed=1)
    assert [choice for choice in twin.choices if choice.seat == mine[0].seat] == mine
    lines = choice_lines(analysis, half)
    assert f"{half.seen(0).seat_name(mine[0].seat)} must decide. Best: {mine[0].move}" in lines
    assert f"  {mine[1].move} costs {mine[1].cost:.2f} ± {mine[1].error:.2f} points" in lines


def test_a_game_from_a_position_is_analysed_from_there(planted: tuple[Game, int]) -> None:
    game, entry = planted
    again = paddock.position(game.at(entry).position)
    for made in game.log[entry:]:
        again.append(made)
    later = [(one.seat, one.legal, one.move) for one in decisions(game) if one.entry >= entry]
    assert [(one.seat, one.legal, one.move) for one in decisions(again)] == later and len(later) > 3


def test_what_is_no_game_and_no_position_is_refused() -> None:
    with pytest.raises(PaddockError, match=r"give a game, as paddock\.start returns it, not 7"):
        paddock.analyse(7)  # type: ignore[arg-type]
    with pytest.raises(paddock.BadPosition, match="there is no title"):
        paddock.analyse("chess/1")


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


def test_too_few_or_too_many_worlds_are_refused() -> None:
    over, _entry = club_game(drivers=2, races=1)
    for worlds in (7, 10**20):
        with pytest.raises(PaddockError, match="from 8"):
            analyse(over, worlds=worlds)


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


# Models that play on, and chances that count once

MODELS = ("club", "champion")


def judgement(entry: int, cost: float, gain: float = 0.0, *costs: float) -> Judgement:
    figures = entry, 0, 0, "3", "9", cost, 0.1, 64, gain, 0.1, costs, (0.1,) * len(costs)
    return Judgement(*figures)


def of_seat_0(*judged: Judgement) -> list[analyses.JudgedSubmission]:
    """These judgements as submissions of one player, in one race."""
    game, _entry = club_game(drivers=2, races=1)
    own = [at for at, entry in enumerate(game.log) if entry.by == 0 and not entry.linked]
    placed = tuple(replace(one, entry=own[one.entry]) for one in judged)
    return turns(Analysis("lacorsa", len(game.log), 64, "0", placed, models=MODELS), game)


def test_a_mistake_costs_points_whoever_plays_on() -> None:
    both, depends, unsure, gains = of_seat_0(
        judgement(0, 0.5, 0, 0.6, 0.4), judgement(1, 0.15, 0, 0.6, -0.3),
        judgement(2, 0.03, 0, 0.05, 0.01), judgement(3, 0.02, 0, -0.26, 0.3),
    )  # fmt: skip
    assert both.sentence.endswith(" · this cost 0.50 ± 0.10 points")
    words = "costs 0.60 ± 0.10 among Clubs, gains 0.30 ± 0.10 among Champions"
    assert depends.sentence == f"Beside 9, it depends on the others: {words}"
    assert unsure.sentence.startswith("No clear difference") and gains.depends
    assert [turn.mistake for turn in (both, depends, unsure, gains)] == [True, False, False, False]


def test_a_missed_chance_counts_once_and_a_loss_always() -> None:
    """What the models play there misses the first chance of 1.0 too; the third move loses 0.5 beside them."""
    judged = of_seat_0(
        judgement(0, 1.0, 0.0, 1, 1), judgement(1, 0.8, 0.0, 1, 1), judgement(2, 1.2, -0.5, 1, 1),
        judgement(3, 1.3, 0.0, 1, 1), judgement(4, 0.9, 0.4, 1, -1),
    )  # fmt: skip
    assert [turn.counted for turn in judged] == pytest.approx([1.0, 0.0, 0.5, 0.3, 0.0])
    (cost,) = costs(judged, [0])
    assert cost.cost == pytest.approx(0.5 + 1.3) and (cost.mistakes, cost.decisions) == (4, 5)
    assert judged[1].sentence.endswith(
        "0.80 ± 0.10 points · adds 0.00 to the total: an earlier chance counts already"
    )
    again = of_seat_0(judgement(0, 1.0), replace(judgement(1, 1.0), round=1))
    assert [turn.counted for turn in again] == [1.0, 1.0]  # another race has chances of its own


def test_costs_and_ledger_agree_in_lines_that_add_up(planted: tuple[Game, int]) -> None:
    game, _entry = planted
    analysis = analyse(game, worlds=16, seed=1, processes=1)
    judged = turns(analysis, game)
    for account, cost in zip(
        analyses.ledger(analysis, game), costs(judged, game.options.owners), strict=True
    ):
        lines = dict(account_lines(account, cost))
        assert sum(part.points for part in lines.values()) == pytest.approx(account.result)
        own = [turn for turn in judged if game.options.owners[turn.seat] == account.player and turn.mistake]
        lost, chance = sum(turn.lost for turn in own), max([turn.cost for turn in own], default=0.0)
        assert 0 <= -lines["Mistakes"].points <= lost + chance + 1e-9


# The stored form


GOOD = Analysis("lacorsa", 9, 64, "0", (Judgement(3, 0, 1, "3", "12+R", 0.4, 0.1, 64),))


def test_what_is_stored_is_read_again() -> None:
    assert Analysis.load(GOOD.dump()) == GOOD


def test_an_older_one_is_labelled_as_made_by_clubs() -> None:
    text = GOOD.dump().replace(',"models":["club"]', "").replace('"format":4', '"format":3')
    old = Analysis.load(text.replace(',"costs":[],"errors":[]', ""))
    assert old == GOOD and "models" not in text
    assert "tried in up to 64 games. All were played on by Clubs:" in analyses.model_words(old)
    assert "half by Champions." in analyses.model_words(replace(old, models=MODELS))


def test_a_long_one_is_read_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that grows with its data holds nobody up: nothing else can run while one piece is read."""
    monkeypatch.setattr(analyses, "PIECE", 3)
    judged = tuple(replace(GOOD.judgements[0], entry=n, move="},{") for n in range(8))
    moments = tuple(LedgerMoment(n, 0, (0.5, -0.5), (0.1, 0.1)) for n in range(9))
    longest, validate = 0, analyses._PARTS["moments"].validate_json

    def noted(text: str, strict: bool) -> object:
        nonlocal longest
        longest = max(longest, text.count("entry"))
        return validate(text, strict=strict)

    monkeypatch.setattr(analyses._PARTS["moments"], "validate_json", noted)
    for moves in (judged, tuple(replace(one, move="3") for one in judged)):
        long = replace(GOOD, judgements=moves, moments=moments)
        assert Analysis.load(long.dump()) == long
    assert longest == 3
    with pytest.raises(PaddockError, match="analysis"):
        Analysis.load(long.dump().replace('"entry":7', '"entry":"7"'))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format":4', '"format":5'),
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


def test_an_analysis_with_standard_errors_is_read_with_intervals() -> None:
    """Format 1 had them. Half of its 64 worlds measured, and t for 31 degrees of freedom is 2.040."""
    old = Analysis.load(GOOD.dump().replace('"format":4', '"format":1'))
    assert (old.format, old.judgements[0].error) == (GOOD.format, pytest.approx(0.2040, abs=1e-4))
    assert replace(old, judgements=GOOD.judgements) == GOOD


def test_the_error_is_half_of_a_95_percent_interval() -> None:
    """Of the differences 0, 2, 0, 2 in the worlds that measure: 3.182 · √(4/3) / √4."""

    def values(moves: Sequence[int], worlds: range) -> NDArray[np.float64]:
        return np.array([[move * (2 if world < 4 else world % 2 * 2) for world in worlds] for move in moves])

    best, cost, error, _tried = weigh(values, range(2), 0, 8)
    assert (best, cost, error) == (1, 1, pytest.approx(3.182 * (4 / 3) ** 0.5 / 2))


def test_verdicts_say_how_sure_they_are() -> None:
    game = paddock.start("lacorsa", seed=1, drivers=2)
    game.play(0, game.legal(0).ids[0])
    last = len(game.log) - 1

    def sentence(cost: float, error: float, best: str = "9") -> str:
        judged = (Judgement(last, 0, 0, "3", best, cost, error, 64),)
        return turns(Analysis("lacorsa", last + 1, 64, "0", judged), game)[0].sentence

    assert sentence(0.4, 0.1).endswith("this cost 0.40 ± 0.10 points")
    assert sentence(0.11, 0.1).endswith("this cost 0.11 ± 0.10 points")
    assert sentence(0.10, 0.11) == "No clear difference to 9: 0.10 ± 0.11 points"
    assert sentence(-0.15, 0.1) == sentence(0.0, 0.0, "3") == "Best move"
