"""Puzzles: which decisions make one, what their moves cost, and the titles' own sets."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import paddock
from paddock.bots import puzzles
from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.judging import JudgedDecision, decisions, judge
from paddock.bots.mixture import CHAMPION
from paddock.bots.puzzles import AnswerCost, checked, compared, mistakes, puzzles_of, weighed
from paddock.bots.rollouts import Model
from paddock.bots.worth import Floats
from paddock.core.title import Title, title, titles
from sampling import some

MODELS = ("club", "champion")

SETS = [found for found in titles().values() if puzzles_of(found).puzzles]


def judgement(cost: float, error: float, entry: int = 0) -> Judgement:
    return Judgement(entry, 0, 0, "1", "2", cost, error, 1000)


def test_a_mistake_is_led_by_three_standard_errors() -> None:
    # With 500 worlds that measure, the 95 % interval is 1.965 standard errors wide on each side.
    judged = (
        judgement(0.1, 0.0654, 1),
        judgement(0.1, 0.0656, 2),
        judgement(0.0, 0.0, 3),
        judgement(-1, 0.1, 4),
    )
    found = mistakes(Analysis("lacorsa", 9, 1000, "s", judged))
    assert [one.entry for one in found] == [1]


def decision() -> JudgedDecision:
    """The first decision of a seeded race."""
    game = paddock.start("lacorsa", drivers=4, races=1, seed=7)
    game.play(0, game.legal(0)[0])
    return decisions(game)[0]


def worth(
    monkeypatch: pytest.MonkeyPatch,
    means: Sequence[float],
    noise: float = 1.0,
    among_champions: Sequence[float] = (),
) -> None:
    """Let moves, in the order of the list, be worth so much on average; the first ones else to Champions."""

    def values_of(seen: object, seat: int, seed: str, models: Sequence[Model]) -> puzzles.Values:
        champions = among_champions if models[0].name == CHAMPION else ()
        worths = [*champions, *means[len(champions) :]]

        def values(moves: Sequence[int], worlds: range) -> Floats:
            rows = []
            for move in moves:
                stream = np.random.default_rng([move, len(seed), worlds.start])
                mean = worths[decision().legal.index(move)]
                rows.append(mean + noise * stream.standard_normal(len(worlds)))
            return np.array(rows)

        return values

    monkeypatch.setattr(puzzles, "values_of", values_of)


def test_what_moves_cost_beside_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    one = decision()
    means = [0.0, 2.0, *[1.0] * (len(one.legal) - 2)]
    worth(monkeypatch, means, 0.1)
    costs, lead = weighed(one, 400, "s")
    words = [str(one.seen.title.text.move(one.seen.setup, move)) for move in one.legal]
    assert costs[0] == AnswerCost(words[1], 0.0, 0.0, 0.0, 0.0)
    assert costs[-1].move == words[0] and costs[-1].cost == pytest.approx(2, abs=0.05)
    assert lead == pytest.approx(1 / (0.1 * 2**0.5 / 20), rel=0.2)
    assert {cost.move for cost in costs} == set(words) and costs[-1].better == 1 and costs[-1].worse == 0
    assert not any(cost.right for cost in costs[1:]) and costs[0].right


def test_moves_that_are_worth_the_same_have_no_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    one = decision()
    worth(monkeypatch, [1.0] * len(one.legal), 0.0)
    assert weighed(one, 64, "s")[1] == 0
    worth(monkeypatch, [2.0] + [1.0] * (len(one.legal) - 1), 0.0)
    assert weighed(one, 64, "s")[1] == math.inf, "a move that is better in every world by as much"


def test_an_answer_is_the_best_whoever_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    one = decision()
    best, *others = one.legal
    worth(monkeypatch, [1.0, 0.8, *[-9.0] * (len(others) - 1)])
    kept = checked(one, best, 10_000, "s")
    assert kept and kept[0] == AnswerCost(words_of(one)[0], 0.0, 0.0, 0.0, 0.0)
    assert [cost.move for cost in kept[:2]] == words_of(one)[:2]
    assert kept[1].cost == pytest.approx(0.2, abs=0.05) and kept[1].error < 0.05
    assert kept[2].cost == pytest.approx(10, abs=0.3)
    worth(monkeypatch, [1.0, 0.95, *[-9.0] * (len(others) - 1)])
    assert checked(one, best, 10_000, "s") is None, "it leads by less than a tenth of a point"
    worth(monkeypatch, [1.0, 1.1, *[-9.0] * (len(others) - 1)])
    assert checked(one, best, 10_000, "s") is None
    worth(monkeypatch, [1.0, 0.8, *[-9.0] * (len(others) - 1)], among_champions=[1.0, 1.1])
    assert checked(one, best, 10_000, "s") is None, "another move is better among Champions"


def words_of(one: JudgedDecision) -> list[str]:
    return [str(one.seen.title.text.move(one.seen.setup, move)) for move in one.legal]


@pytest.mark.slow("loads the compiled rollouts")
def test_the_cost_of_the_move_made_is_that_of_its_judgement() -> None:
    game = paddock.start("lacorsa", drivers=4, races=1, seed=3)
    while not game.over:
        seat = game.deciders[0]
        game.play(seat, game.legal(seat)[-1])
    for one in decisions(game)[8:20]:
        judged = judge(one, 64, "s")
        text, setup = game.title.text, game.setup
        best = text.parse_move(setup, judged.best).id
        found = compared(one, best, one.move, Analysis("lacorsa", 1, 64, "s", (), models=MODELS))
        assert (found.move, found.cost) == (judged.move, pytest.approx(judged.cost, abs=6e-4))
        assert found.error == pytest.approx(judged.error, abs=6e-4)


def test_the_puzzle_of_the_day_is_another_one_until_all_had_their_turn() -> None:
    first = datetime.date(2026, 3, 1)
    count = sum(len(puzzles_of(found).puzzles) for found in SETS)
    days = [puzzles.of_the_day(first + datetime.timedelta(days=n)) for n in range(count)]
    assert len(set(days)) == count and days[0] == puzzles.of_the_day(first)


# The sets that are shipped


def test_every_title_of_the_house_has_a_set() -> None:
    assert {"lacorsa", "rasant", "great_race"} <= {found.name for found in SETS}


@pytest.mark.parametrize("of", SETS, ids=lambda of: of.name)
def test_every_puzzle_of_a_set_is_a_decision_of_its_record(of: Title) -> None:
    ours, room = puzzles_of(of), puzzles.puzzling(of)
    assert room and ours.title is of
    assert set(ours.themes) <= set(room.THEMES)
    for id in some(sorted(ours.puzzles), 6, of.name):
        puzzle, record = ours.puzzles[id]
        game = puzzles.game_of(record, puzzle.entry)
        assert puzzle.seat in game.deciders
        words = {str(move) for move in game.legal(puzzle.seat)}
        assert words == {cost.move for cost in puzzle.costs} and puzzle.played in words
        assert puzzle.costs[0].cost == 0 and all(cost.cost > 0 for cost in puzzle.costs[1:])
        assert puzzle.best != puzzle.played
        seen = game.seen(game.options.eyes(game.options.owners[puzzle.seat]))
        best = of.text.parse_move(game.setup, puzzle.best).id
        assert puzzle.theme == room.theme(seen, puzzle.seat, best)


@pytest.mark.slow("loads the compiled rollouts")
def test_an_answer_stays_in_other_worlds() -> None:
    """A sample of what the laboratory has checked with sixteen times the worlds."""
    ours = puzzles_of(title("lacorsa"))
    for id in some(sorted(ours.puzzles), 2, "again"):
        puzzle, record = ours.puzzles[id]
        game = puzzles.game_of(record, puzzle.entry)
        move = game.title.text.parse_move(game.setup, puzzle.played).id
        seen = game.seen(game.options.eyes(game.options.owners[puzzle.seat]))
        legal = tuple(seen.legal(puzzle.seat))
        one = JudgedDecision(puzzle.entry, len(game.rounds), puzzle.seat, seen, legal, move)
        best = game.title.text.parse_move(game.setup, puzzle.best).id
        again = compared(one, best, move, Analysis("lacorsa", 1, 8000, "other worlds", ()))
        told = next(cost for cost in puzzle.costs if cost.move == puzzle.played)
        assert again.cost > 0 and again.cost == pytest.approx(told.cost, abs=2 * (again.error + told.error))


def test_ids_do_not_change_when_puzzles_are_added() -> None:
    ours = puzzles_of(SETS[0])
    lines = [puzzles.Source(record, (puzzle,)) for puzzle, record in ours.puzzles.values()]
    text = "\n".join(map(puzzles.dump, lines[1:]))
    assert puzzles.loads(SETS[0], text).puzzles == dict(list(ours.puzzles.items())[1:])
    assert puzzles.loads(SETS[0], "").puzzles == {} == puzzles.loads(replace(SETS[0], name="x"), "").puzzles
