"""What is said of an answer: whether it is right, and what the moves cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from paddock.bots.analysis import figure
from paddock.bots.puzzles import AnswerCost
from paddock.core.i18n import _, plural
from paddock.core.wording import number
from paddock.features.puzzles.question import label
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.service import AskedPuzzle, PuzzleAnswered
from paddock.tables.analysing import Analysed
from paddock.web.links import link

SHOWN = 5  # moves in the table of an explanation
DAY_S = 86400


@dataclass(frozen=True)
class PuzzlePlace:
    """A puzzle and where it is, as a page needs it."""

    asked: AskedPuzzle
    path: str  # of its page
    found: Analysed | None  # the analysis of one's own game
    then: str  # the address of the next puzzle


@dataclass(frozen=True)
class PricedMove:
    """What one move costs."""

    move: str
    cost: str  # empty for the best move
    share: float  # of the highest cost in the table, in percent
    best: bool
    yours: bool
    played: bool  # in the game


@dataclass(frozen=True)
class Explained:
    """What is said of an answer."""

    right: bool
    chosen: str
    headline: str
    said: tuple[str, ...]
    lines: tuple[PricedMove, ...]
    back: str  # when the puzzle comes back; empty if nothing was noted
    again_url: str
    next_url: str
    replay_url: str | None


def explained(where: PuzzlePlace, answer: PuzzleAnswered, row: PuzzleRow | None, now: datetime) -> Explained:
    """Return what is said of an answer."""
    asked = where.asked
    best = label(asked, asked.best)
    if answer.move == asked.best:
        headline = _("Right: {best} is the best move.").format(best=best)
    elif answer.right:
        headline = _("Good: it is as good as {best}, as far as can be told.").format(best=best)
    else:
        headline = _("Better: {best}.").format(best=best)
    return Explained(
        answer.right,
        _("You chose: {move}.").format(move=label(asked, answer.move)),
        headline,
        tuple(_said(where, answer, best)),
        tuple(_lines(asked, answer)),
        _back(row, now) if row else "",
        link(where.path),
        where.then,
        link(f"/t/{asked.table_id}/replay?entry={asked.decision.entry}&eyes={asked.seat + 1}")
        if asked.table_id
        else None,
    )


def _said(where: PuzzlePlace, answer: PuzzleAnswered, best: str) -> Sequence[str]:
    """Return sentences about the answer, and about the move of the game."""
    asked, cost = where.asked, answer.cost
    out = list[str]()
    if answer.move != asked.best:
        words = _("{move} costs {cost} points of the {game}.")
        costs = figure(cost.cost, cost.error)
        out.append(words.format(move=label(asked, answer.move), cost=costs, game=_(asked.title.round_name)))
        odds = _("In {better} of 100 deals that fit what you knew, {best} earns more; in {worse} less.")
        out.append(odds.format(better=round(100 * cost.better), worse=round(100 * cost.worse), best=best))
    mine = asked.table_id is not None
    if answer.move == asked.played:
        out.append(_("You played the same in the game.") if mine else _("The bot played the same."))
    elif asked.played == asked.best:
        out.append(_("It is what was played in the game."))
    else:
        words = (
            _("In the game you played {move}, which cost {cost}.")
            if mine
            else _("The bot played {move}, which cost {cost}.")
        )
        costs = figure(answer.played.cost, answer.played.error)
        out.append(words.format(move=label(asked, asked.played), cost=costs))
    if answer.change:
        mine_of = answer.change.points[asked.game.options.owners[asked.seat]]
        words = _("With all cards known, that changed what the {game} was worth to you by {points}.")
        points = f"{number(mine_of.points, '+.2f')} ± {number(mine_of.error, '.2f')}"
        out.append(words.format(game=_(asked.title.round_name), points=points))
    return out


def _lines(asked: AskedPuzzle, answer: PuzzleAnswered) -> Sequence[PricedMove]:
    """Return the best moves with the one that was answered, and that of the game."""
    costs = {cost.move: cost for cost in (answer.played, answer.cost)}
    costs = {cost.move: cost for cost in asked.costs[:SHOWN]} | costs
    shown = sorted(costs.values(), key=lambda cost: (cost.move != asked.best, cost.cost))
    if asked.best not in costs:
        shown.insert(0, AnswerCost(asked.best, 0.0, 0.0, 0.0, 0.0))
    most = max(cost.cost for cost in shown) or 1.0
    return [
        PricedMove(
            label(asked, cost.move),
            "" if cost.move == asked.best else figure(cost.cost, cost.error),
            round(max(0.0, 100 * cost.cost / most), 1),
            cost.move == asked.best,
            cost.move == answer.move,
            cost.move == asked.played,
        )
        for cost in shown
    ]


def _back(row: PuzzleRow, now: datetime) -> str:
    return plural("It comes back in {n} day.", "It comes back in {n} days.", days(row.due, now))


def days(due: datetime, now: datetime) -> int:
    """Return in how many days a puzzle comes back, at least one."""
    return max(1, round((due - now).total_seconds() / DAY_S))
