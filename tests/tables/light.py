"""Judgements and values that cost nothing: for tests of how analyses are made, not of what they say.

Worker processes import them from here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.imagining import COMPILED
from paddock.bots.judging import JudgedDecision, Plan, decisions
from paddock.bots.judging import judge_some as _judge_some
from paddock.bots.judging import value_some as _value_some
from paddock.bots.ledger import LedgerMoment
from paddock.bots.valuing import ValuedMoment
from paddock.core.game import Game
from paddock.tables import Table
from tables.held import held


def judge_lightly(decision: JudgedDecision, worlds: int, *_more: object) -> Judgement:
    """Judge a decision as ``judging.judge``, but find no fault with it."""
    move = str(decision.seen.title.text.move(decision.seen.setup, decision.move))
    return Judgement(decision.entry, decision.round, decision.seat, move, move, 0.0, 0.0, worlds)


def judge_some_lightly(
    pieces: Sequence[bytes], worlds: int, seed: str, seconds: float, *_more: object
) -> list[Judgement]:
    """Judge the first of several decisions, and more until the time is up."""
    return _judge_some(pieces, worlds, seed, seconds, judge=judge_lightly)


def value_lightly(point: ValuedMoment, *_more: object) -> LedgerMoment:
    """Value a moment as ``valuing.value``, but call all players equal."""
    nothing = (0.0,) * point.options.players
    return LedgerMoment(point.entry, point.round, point.values or nothing, nothing)


def value_some_lightly(
    pieces: Sequence[bytes], worlds: int, seed: str, seconds: float, *_more: object
) -> list[LedgerMoment]:
    """Value the first of several moments, and more until the time is up."""
    return _value_some(pieces, worlds, seed, seconds, value=value_lightly)


def last_first(game: Game, *_more: object) -> Plan:
    """Plan to judge the decisions of a game, the last one first; without moments."""
    return Plan(range(len(decisions(game)))[::-1], COMPILED.effort.worlds)


def in_worlds(monkeypatch: pytest.MonkeyPatch, worlds: int) -> None:
    """Let analyses try decisions in so many worlds."""
    monkeypatch.setitem(vars(COMPILED), "effort", replace(COMPILED.effort, worlds=worlds))


def judge_some_held(
    pieces: Sequence[bytes], worlds: int, seed: str, seconds: float, *_more: object
) -> list[Judgement]:
    """Judge the first of several decisions. The second call waits in $PADDOCK_TEST_HELD to be killed."""
    folder = Path(os.environ["PADDOCK_TEST_HELD"])
    if (folder / "once").exists() and not (folder / "pid").exists():
        held(str(folder))
    (folder / "once").touch()
    return judge_some_lightly(pieces[:1], worlds, seed, seconds)


def analysis_of(table: Table, *wrong: int) -> Analysis:
    """An analysis that finds the best of other moves better, at these decisions."""
    judged, text, setup = list[Judgement](), table.title.text, table.game.setup
    for n, one in enumerate(decisions(table.game)):
        move = next(other for other in one.legal if other != one.move)
        said = str(text.move(setup, one.move)), str(text.move(setup, move))
        cost = (2.0, 0.5) if n in wrong else (0.02, 0.5)
        judged.append(Judgement(one.entry, one.round, one.seat, *said, *cost, 1000))
    return Analysis("lacorsa", len(table.game.log), 1000, "table", tuple(judged))
