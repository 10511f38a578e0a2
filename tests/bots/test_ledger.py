"""The ledger of a race: where the points came from. Its lines add up to the result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import paddock
from paddock.bots import bot
from paddock.bots.analysis import Analysis, Judgement, ledger, ledger_lines
from paddock.bots.judging import decisions, judge
from paddock.bots.ledger import KINDS, LedgerMoment, Total, accounts, changes, starts
from paddock.bots.rollouts import CLUBS
from paddock.bots.valuing import moments_of, value
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from sampling import count

TITLES: dict[str, Mapping[str, Any]] = {
    "lacorsa": {"drivers": 3, "races": 2},
    "rasant": {"players": 3, "games": 1},
    "great_race": {"players": 2, "map": "usa-west"},
}


def played(title: str, seed: int, level: str = "rookie", **options: Any) -> Game:
    game, rng = paddock.start(title, seed=seed, **options), Seeded(seed)
    player = bot(title, level)
    while not game.over:
        for seat in game.deciders:
            seen = game.seen(game.options.eyes(game.options.owners[seat]))
            game.play(seat, player.choose(seen, seat, seen.legal(seat), rng))
    return game


def over(game: Game, player: int) -> float:
    """Return the points of a player over the mean of all players: a driver may have several cars."""
    standings = game.standings().players
    return next(line.total for line in standings if line.who == player) - sum(
        line.total for line in standings
    ) / len(standings)


# By hand: a race of two players

DEAL = [Entry(CHANCE, 1), Entry(CHANCE, 2)]
LOG = [*DEAL, Entry(0, 5), Entry(1, 6), Entry(1, 7, True), Entry(CHANCE, 3), Entry(0, 8)]
VALUES = (0.5, 1.0, 0.0, 2.0, 1.0)  # of the first player, at these entries of the log and at the end
MOMENTS = [
    LedgerMoment(entry, 0, (first, -first), (0.3, 0.4) if entry < len(LOG) else (0.0, 0.0))
    for entry, first in zip((0, 2, 3, 5, 6), VALUES, strict=True)
] + [LedgerMoment(7, 0, (3.0, -3.0), (0.0, 0.0))]


def test_a_run_of_chance_and_a_submission_are_one_line_each() -> None:
    assert starts(LOG, [0]) == [0, 2, 3, 5, 6]
    assert starts(LOG, [0, 1]) == [0, 1, 2, 3, 5, 6]  # a race begins there


def test_changes_say_who_did_what_and_what_it_was_worth() -> None:
    found = changes(MOMENTS, LOG)
    assert [(one.entry, one.last, one.seat) for one in found] == [
        (0, 1, CHANCE), (2, 2, 0), (3, 4, 1), (5, 5, CHANCE), (6, 6, 0)
    ]  # fmt: skip
    assert [one.points[0].points for one in found] == [0.5, -1.0, 2.0, -1.0, 2.0]
    assert found[0].points[0].error == pytest.approx(math.hypot(0.3, 0.3))
    assert found[4].points[1].error == 0.4  # the end is known


def test_the_parts_of_an_account() -> None:
    """Seat 0 lost 0.25 by its own moves, as far as it could know; the other 1.0 that it won is luck."""
    first, second = accounts(MOMENTS, LOG, [0, 1], [(0, -0.25, 0.1)])
    assert {kind: part.points for kind, part in first.parts.items()} == {
        "start": 0.5, "deal": 0.5, "draws": -1.0, "skill": -0.25, "hidden": 1.25, "others": 2.0
    }  # fmt: skip
    assert {kind: part.points for kind, part in second.parts.items()} == {
        "start": -0.5, "deal": -0.5, "draws": 1.0, "skill": 0.0, "hidden": -2.0, "others": -1.0
    }  # fmt: skip
    assert (first.result, second.result) == (3.0, -3.0)
    errors = [first.parts[kind].error for kind in ("start", "deal", "skill", "hidden", "others")]
    own = math.hypot(0.3, 0.3, 0.3, 0.1)  # before and after the first move, before the last, and the cost
    assert errors == pytest.approx([0.3, math.hypot(0.3, 0.3), 0.1, own, math.hypot(0.3, 0.3)])


def test_a_value_between_two_lines_of_a_kind_does_not_count() -> None:
    """Two moves of the same seat in a row: what the race was worth between them has no error in the sum."""
    log = [Entry(0, 1), Entry(0, 2)]
    moments = [LedgerMoment(at, 0, (float(at),), (error,)) for at, error in ((0, 0.0), (1, 9.0), (2, 0.0))]
    (account,) = accounts(moments, log, [0], [])
    assert (account.parts["hidden"].points, account.parts["hidden"].error) == (2.0, 0.0)


# Games


@pytest.mark.parametrize("title", TITLES)
def test_the_lines_add_up_to_the_result_of_every_player(title: str) -> None:
    """However few games a value is measured in."""
    for seed in range(count(2, 1000)):
        game = played(title, seed, "club" if title == "great_race" else "rookie", **TITLES[title])
        moments = tuple(value(point, 2, "0", False) for point in moments_of(game))
        judged = tuple(Judgement(at, 0, entry.by, "", "", 0.1, 0.1, 8, 0.2, 0.3)
                       for at, entry in enumerate(game.log) if entry.by != CHANCE)  # fmt: skip
        analysis = Analysis(title, len(game.log), 8, "0", judged, moments=moments)
        for account in ledger(analysis, game):
            assert account.result == pytest.approx(over(game, account.player), abs=1e-9)
            assert tuple(account.parts) == KINDS
            total = math.fsum(part.points for part in account.parts.values())
            assert total == pytest.approx(account.result, abs=1e-9)
        assert Analysis.load(analysis.dump()) == analysis


def test_a_whole_game_is_played_on_as_it_is() -> None:
    """At the last decision, nothing is left to chance but the move; before the deal, seats are equal."""
    game = played("lacorsa", 5, "club", drivers=2, races=1)
    points = moments_of(game)
    assert [point.entry for point in points[-2:]] == [len(game.log) - 1, len(game.log)]
    late = value(points[-2], 200, "0")
    gap = over(game, 0)
    assert points[-1].values == (gap, -gap)
    assert late.values[0] == pytest.approx(gap, abs=late.errors[0] + 0.7)
    early = value(points[0], 2000, "0")
    assert abs(early.values[0]) < 3 * early.errors[0] < 0.6
    assert value(points[0], 2000, "0") == early != value(points[0], 2000, "1")


def test_a_value_is_uncertain_as_long_as_it_depends_on_the_players() -> None:
    """Clubs play one single continuation without cards to draw; Champions draw their moves."""
    points = moments_of(played("lacorsa", 5, "club", drivers=4, races=1))
    middle = [value(point, 64, "0") for point in points[2 : len(points) // 2]]
    assert all(max(moment.errors) > 0 for moment in middle) and len(middle) > 5


@pytest.mark.slow("values the deals of many games")
def test_luck_is_worth_nothing_on_average() -> None:
    """What a deal is worth is 0 over many deals: the value before it is the mean of those after it."""
    before, after = [], []
    for seed in range(count(36, 600)):
        game = paddock.start("rasant", players=3, seed=seed)
        while not game.over:  # any game will do: only its deal counts
            seat = game.deciders[0]
            game.play(seat, game.legal(seat)[0])
        first, second = moments_of(game)[:2]
        before.append(value(first, 200, str(seed)).values)
        after.append(value(second, 200, str(seed)).values)
    deals = np.array(after) - np.array(before)
    error = deals.std(0, ddof=1) / len(deals) ** 0.5
    assert (error < 2).all() and (abs(deals.mean(0)) < 3.5 * error).all()


def test_only_finished_races_are_valued() -> None:
    """What a race that is being played is worth would tell of hidden cards."""
    game = played("lacorsa", 1, drivers=2, races=2)
    half = game.at(len(game.log) - 1)
    assert {point.round for point in moments_of(half)} == {0} and {p.round for p in moments_of(game)} == {
        0,
        1,
    }
    assert moments_of(game.at(1)) == []
    assert (
        ledger(Analysis("lacorsa", 1, 8, "0", ()), game.at(1))
        == []
        == ledger_lines(Analysis("lacorsa", 1, 8, "0", ()), game.at(1))
    )


def test_a_game_from_a_position_is_valued_from_there() -> None:
    game = played("lacorsa", 1, drivers=2, races=2)
    begin = [point.entry for point in moments_of(game) if point.round == 1][1]
    again = paddock.position(game.at(begin).position).fork(chance=None)
    for entry in game.log[begin:]:
        again.append(entry)
    assert {point.round for point in moments_of(again)} == {1}
    assert moments_of(again)[-1].values == moments_of(game)[-1].values


def test_the_ledger_in_words() -> None:
    game = played("lacorsa", 5, drivers=2, races=1, names=["Ana", "Ben"])
    moments = tuple(value(point, 32, "0") for point in moments_of(game))
    lines = ledger_lines(Analysis("lacorsa", len(game.log), 32, "0", (), moments=moments), game)
    gap = over(game, 0)
    assert lines[1] == "Where the points came from, over the mean of all players:"
    assert lines[2] == f"Ana: {gap:+.2f} points" and any(line.startswith("  Deal: ") for line in lines)
    assert not any("Own decisions" in line for line in lines)  # nothing was judged


@pytest.mark.parametrize(
    "moments",
    [
        (LedgerMoment(0, 0, (1.0, -1.0), (0.1,)),),
        (LedgerMoment(1, 0, (1.0, -1.0), (0.1, 0.1)), LedgerMoment(0, 0, (1.0, -1.0), (0.1, 0.1))),
        (LedgerMoment(9, 0, (1.0, -1.0), (0.1, 0.1)),),
    ],
)
def test_moments_that_do_not_fit_are_refused(moments: tuple[LedgerMoment, ...]) -> None:
    good = Analysis("lacorsa", 3, 8, "0", (), moments=(LedgerMoment(3, 0, (0.0,), (0.0,)),))
    assert Analysis.load(good.dump()) == good
    with pytest.raises(PaddockError, match="make it again"):
        Analysis.load(replace(good, moments=moments).dump())


def test_what_a_club_plays_gains_nothing_on_a_club() -> None:
    game = played("lacorsa", 5, "club", drivers=2, races=1)
    judged = [judge(decision, 16, "1", (CLUBS,)) for decision in decisions(game)]
    assert {(one.gain, one.gain_error) for one in judged} == {(0.0, 0.0)} and any(one.cost for one in judged)
    wild = [judge(decision, 64, "1") for decision in decisions(played("lacorsa", 5, drivers=2, races=1))]
    assert sum(one.gain for one in wild) < -1


@pytest.mark.slow("judges and values whole games")
def test_hidden_cards_are_luck() -> None:
    """Over many games, what is left of the own moves beside what the players could know is about 0."""
    left = []
    for seed in range(count(9, 200)):
        game = played("lacorsa", seed, drivers=2, races=1)
        judged = tuple(judge(decision, 32, str(seed)) for decision in decisions(game))
        moments = tuple(value(point, 64, str(seed)) for point in moments_of(game))
        analysis = Analysis("lacorsa", len(game.log), 32, str(seed), judged, moments=moments)
        left += [account.parts["hidden"].points for account in ledger(analysis, game)]
    error = np.std(left, ddof=1) / len(left) ** 0.5
    assert error < 1 and abs(np.mean(left)) < 3.5 * error


def test_accounts_of_several_games_add_up_line_by_line() -> None:
    first, second = accounts(MOMENTS, LOG, [0, 1], [(0, -0.25, 0.1)])
    total = Total.of([first, second, first])
    assert total.games == 3 and total.result == pytest.approx(2 * first.result + second.result)
    assert math.fsum(part.points for part in total.parts.values()) == pytest.approx(total.result, abs=1e-9)
    for kind in KINDS:
        one, other = first.parts[kind], second.parts[kind]
        assert total.parts[kind].points == pytest.approx(2 * one.points + other.points)
        assert total.parts[kind].error == pytest.approx(math.hypot(one.error, one.error, other.error))
    assert Total.of([]).result == 0
