"""The puzzles of browsers: those of their own games, as analyses find them, and of the titles' sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from paddock.bots import puzzles as made
from paddock.bots.analysis import Analysis
from paddock.bots.judging import JudgedDecision
from paddock.bots.ledger import LedgerChange
from paddock.bots.puzzles import AnswerCost, Puzzle
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.title import Title, move_id
from paddock.features.puzzles.remembering import answered
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.store import PuzzleStore
from paddock.tables.errors import NoTable
from paddock.tables.service import Tables
from paddock.tables.table import Table
from paddock.tables.threads import off_loop


@dataclass(frozen=True)
class AskedPuzzle:
    """A puzzle with its game before the decision, which is all that is shown before it is answered."""

    name: str  # as in ``PuzzleRow.puzzle``
    theme: str
    game: Game
    decision: JudgedDecision
    best: str  # in notation
    # That are known: of a set those of all moves, else that of the move of the game
    costs: tuple[AnswerCost, ...]
    table_id: str | None = None  # of one's own game
    analysis: Analysis | None = None  # and what is known of it

    @property
    def title(self) -> Title:
        """The title of the game."""
        return self.game.title

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self.decision.seat

    @cached_property
    def played(self) -> str:
        """The move of the game, in notation."""
        return str(self.title.text.move(self.game.setup, self.decision.move))


@dataclass(frozen=True)
class PuzzleAnswered:
    """What is said of a move."""

    move: str  # in notation
    cost: AnswerCost
    played: AnswerCost  # of the move of the game
    change: LedgerChange | None  # what that move changed in one's own game, with all hands open

    @property
    def right(self) -> bool:
        """Whether the move is the best, or not clearly worse."""
        return self.cost.right


def name_of(table_id: str, entry: int) -> str:
    """Return the name of a puzzle of a game."""
    return f"{table_id}/{entry}"


def puzzle_of_set(title: Title, id: str) -> AskedPuzzle | None:
    """Return a puzzle of a title's set; None if there is none with this id."""
    found = made.puzzles_of(title).puzzles.get(id)
    if found is None:
        return None
    puzzle, record = found
    game = made.game_of(record, puzzle.entry)
    return _asked(f"{title.name}:{id}", puzzle, game)


def _asked(name: str, puzzle: Puzzle, game: Game) -> AskedPuzzle:
    seen = game.seen(game.options.eyes(game.options.owners[puzzle.seat]))
    legal = tuple(seen.legal(puzzle.seat))
    move = move_id(game.title, game.setup, puzzle.played)
    decision = JudgedDecision(puzzle.entry, len(game.rounds), puzzle.seat, seen, legal, move)
    return AskedPuzzle(name, puzzle.theme, game, decision, puzzle.best, puzzle.costs)


def of_game(table: Table, entry: int, analysis: Analysis) -> AskedPuzzle:
    """Return the puzzle at an entry of an analysed game. Raises ``NoTable`` if there is none."""
    judged = next((one for one in made.mistakes(analysis) if one.entry == entry), None)
    if judged is None:
        raise NoTable(_("there is no puzzle at this moment of the game"))
    game = table.at(entry)
    decision = made.decision_at(game, table.game.log[entry])
    assert decision  # the analysis has judged it
    theme = made.theme_of(decision.seen, decision.seat, move_id(table.title, game.setup, judged.best))
    cost = AnswerCost(judged.move, judged.cost, judged.error, 0.0, 0.0)
    return AskedPuzzle(
        name_of(table.id, entry), theme, game, decision, judged.best, (cost,), table.id, analysis
    )


class Puzzles:
    """Keeps the puzzles of browsers, and says what answers cost."""

    def __init__(self, tables: Tables) -> None:
        self._store = tables.store.part(PuzzleStore)
        self._runtime = tables.runtime
        self._workers = tables.workers
        self._imagining = tables.imagining
        tables.analysing.readers.append(self.collect)

    async def collect(self, table: Table, analysis: Analysis) -> None:
        """Give the people of an analysed game their mistakes as puzzles, unless they have them already."""
        kind = table.kind
        if kind.lesson or kind.record or kind.sealed or table.options.changed:
            return
        now, rows = self._runtime.now(), list[PuzzleRow]()
        for one, theme in await off_loop(made.themes, analysis, table.game):
            holder = table.players[table.options.owners[one.seat]].holder
            if holder is not None:
                rows.append(PuzzleRow(holder, name_of(table.id, one.entry), theme, now, table_id=table.id))
        await self._store.found(table.id, rows)

    async def of(self, holder: str | None) -> list[PuzzleRow]:
        """Return the puzzles of a browser, the one that is due first first."""
        return await self._store.of(holder) if holder else []

    async def due(self, holder: str | None) -> int:
        """Return how many puzzles of a browser's own games are due."""
        return await self._store.due(holder, self._runtime.now()) if holder else 0

    async def one(self, holder: str | None, asked: AskedPuzzle) -> PuzzleRow | None:
        """Return what is stored of a puzzle for a browser; None if it has never had it."""
        return await self._store.one(holder, asked.name) if holder else None

    async def answer(self, holder: str, asked: AskedPuzzle, right: bool) -> PuzzleRow:
        """Note an answer of a browser; return when the puzzle comes back."""
        now = self._runtime.now()
        row = await self._store.one(holder, asked.name)
        after = answered(
            row or PuzzleRow(holder, asked.name, asked.theme, now, table_id=asked.table_id), right, now
        )
        if after != row:
            await self._store.keep(after)
        return after

    async def judge(
        self, asked: AskedPuzzle, move: str, changes: Sequence[LedgerChange] = ()
    ) -> PuzzleAnswered:
        """Return what is to be said of a legal move.

        What another move costs than that of the game is measured now. Raises ``Busy`` and ``Stopped``.
        """
        played = asked.played
        cost = await self._cost(asked, move)
        made_then = cost if move == played else await self._cost(asked, played)
        at = asked.decision.entry
        change = next((one for one in changes if one.entry <= at <= one.last), None)
        return PuzzleAnswered(move, cost, made_then, change)

    async def _cost(self, asked: AskedPuzzle, move: str) -> AnswerCost:
        if asked.analysis is None:
            return next(cost for cost in asked.costs if cost.move == move)
        setup, title = asked.game.setup, asked.title
        ids = move_id(title, setup, asked.best), move_id(title, setup, move)
        judged_by = replace(asked.analysis, judgements=(), moments=())  # a worker needs no more of it
        return await self._workers.wait(made.compared, asked.decision, *ids, judged_by, self._imagining)


def next_in_set(title: Title, theme: str, rows: Sequence[PuzzleRow], now: datetime) -> str | None:
    """Return the id of the puzzle of a set that comes next: a due one, else one that was never answered."""
    ids = made.puzzles_of(title).of(theme)
    known = {row.puzzle: row for row in rows}
    seen = [(known[name].due, id) for id in ids if (name := f"{title.name}:{id}") in known]
    due = sorted(one for one in seen if one[0] <= now)
    if due:
        return due[0][1]
    return next((id for id in ids if f"{title.name}:{id}" not in known), None)
