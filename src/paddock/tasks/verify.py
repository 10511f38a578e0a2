"""Plays a score again from its records: the same deals, opponents and rules must give the same records."""

from __future__ import annotations

import csv
import shlex
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from paddock.core.errors import BadRecord, PaddockError, brief
from paddock.core.game import ChanceSource
from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.lab.journal import cells
from paddock.lab.match import played
from paddock.lab.plan import Entrant, Plan
from paddock.lab.play import BotTeam
from paddock.lab.players import ILLEGAL, Failed, LabPlayer
from paddock.lab.results import header
from paddock.lab.rows import GameRow, after_forfeits
from paddock.records import read
from paddock.tasks.agent import LABEL, Agent
from paddock.tasks.catalogue import task as task_of
from paddock.tasks.record_file import sha256, texts
from paddock.tasks.score import GAMES, LINE, RECORDS, Score, plan_of, reached


class Fault(PaddockError):
    """What is wrong with a score: the first thing that was found."""


def verify(
    folder: Path | str,
    *,
    pool: Path | str | None = None,
    processes: int | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Score:
    """Play a score again from its records, and return it.

    ``folder`` is that of ``paddock tasks score``, or its file ``score.json``. The agent makes the moves of
    the records, and chance and opponents those of the task. Raises ``Fault`` with the first thing that is
    wrong: a move that the rules do not allow, a card that is not of the task's deals, a move that the
    opponent would not have made, a result or a score that does not follow. Two things are taken as they
    are stated: that the agent would play so again (score it again, and compare the hashes), and its forfeits,
    which only cost it points. No record shows whether the agent decided by what its seat sees: the seed of
    the test is public, and its cards are the same in every game of a deal.
    """
    line = Path(folder) if Path(folder).suffix == ".json" else Path(folder) / LINE
    home, stated = line.parent, Score.read(line)
    task = task_of(stated.task)
    if not (home / RECORDS).is_file():
        sentence = _("{folder} has no records: score the agent again ({command}), and compare the lines")
        words = ["paddock", "tasks", "score", stated.task, stated.words, "--games", str(stated.games)]
        raise PaddockError(sentence.format(folder=home, command=shlex.join(words)))
    if stated.title != task.title_name or stated.revision != task.title.revision:
        sentence = _("{file}: it was played by revision {old} of the rules, and this is revision {new}")
        raise Fault(sentence.format(file=line, old=stated.revision, new=task.title.revision))
    if stated.games % task.players:
        raise Fault(_("{file}: {n} games are no whole deals").format(file=line, n=stated.games))
    plan = plan_of(task, Agent("", Entrant(LABEL), {}), Path(pool) if pool else None)
    rows, team = list[GameRow](), partial(Again, home / RECORDS)
    with (
        closing(_results(home / GAMES, plan)) as results,
        closing(texts(home / RECORDS)) as records,
        closing(played(plan, stated.games, 0, processes, None, progress, team)) as deals,
    ):
        for deal in deals:
            for row in deal:
                text = next(records, "")
                if text.rstrip("\n") != row.record.rstrip("\n"):
                    raise Fault(_explained(text, row.record, len(rows)))
                rows.append(_checked(plan, row, len(rows), next(results, [])))
        if next(records, None) is not None or next(results, None) is not None:
            raise Fault(_("{folder}: there are more games than the line says").format(folder=home))
    true = reached(task, plan, rows)
    if (stated.points, stated.error, stated.forfeits) != true:
        sentence = _("{file}: the line says {said} points, but the games give {true}")
        raise Fault(sentence.format(file=line, said=stated.points, true=true[0]))
    if stated.records != sha256(home / RECORDS):
        raise Fault(_("{file}: the line has the hash of other records").format(file=line))
    return stated


class Again(BotTeam):
    """Plays deals in which the agent makes the moves of the records."""

    def __init__(self, records: Path, plan: Plan) -> None:
        super().__init__(plan)
        self._texts, self._agent = list(texts(records)), Recorded()

    def player(self, k: int) -> LabPlayer:
        """Return the agent of the records, or the bot."""
        return super().player(k) if k else self._agent

    def drop(self, k: int) -> None:
        """Keep the agent: it has nothing to close."""

    def __call__(self, deals: range) -> list[list[GameRow]]:
        """Play deals, and return the games of each."""
        self._agent.games = iter(self._texts[deals.start * len(self._plan.line_up) :])
        return super().__call__(deals)


class Recorded:
    """The agent of one record after the other. It fails where a record has no move that it may make."""

    def __init__(self) -> None:
        self.games: Iterator[str] = iter(())
        self._moves = dict[int | None, deque[int]]()  # by seat

    def begin(self, player: int, seed: int) -> None:
        """Read the moves of the next record; none if it is no record."""
        self._moves.clear()
        with suppress(BadRecord):
            for line in read(next(self.games, "")).lines:
                self._moves.setdefault(line.by, deque()).extend(line.whats)

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the move of the record; raise ``Failed``."""
        moves = self._moves.get(seat)
        if not moves or moves[0] not in legal:
            raise Failed(ILLEGAL)
        return moves.popleft()

    def end(self, points: int, place: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _results(file: Path, plan: Plan) -> Generator[list[str], None, None]:
    """Yield the cells of each game of the file of results, without the digest of the match."""
    sentence = _("{file} is not the file of results that “paddock tasks score” wrote")
    with file.open(newline="", encoding="utf-8", errors="replace") as stream:
        lines = csv.reader(stream)
        try:
            if next(lines, [])[1:] != header(len(plan.line_up)):
                raise Fault(sentence.format(file=file))
            for line in lines:
                yield line[1:]
        except csv.Error:  # a cell that is longer than any that was written
            raise Fault(sentence.format(file=file)) from None


def _checked(plan: Plan, row: GameRow, game: int, stated: list[str]) -> GameRow:
    """Return a game (from 0) with the forfeit of the agent that its line of results states, if there is one.

    Raises ``Fault`` if the rest of the line does not follow.
    """
    agent = row.bots.index(0)
    of_agent = stated[2 + 4 * agent : 6 + 4 * agent]  # bot, points, place and forfeit
    reason = of_agent[3] if len(of_agent) == 4 else ""
    forfeits = tuple(reason if player == agent else "" for player in range(len(row.bots)))
    points, places = after_forfeits(row.points, row.places, forfeits)
    true = row._replace(points=points, places=places, forfeits=forfeits)
    if stated != list(map(str, cells(plan, true))):
        sentence = _("game {n}: its line in {file} does not follow from its record")
        raise Fault(sentence.format(n=game + 1, file=GAMES))
    return true


def _explained(text: str, true: str, game: int) -> str:
    """Return what is wrong with the record of a game (from 0), if it should be another one."""
    if not text:
        return _("game {n} has no record in {file}").format(n=game + 1, file=RECORDS)
    try:
        read(text).game()
    except PaddockError as error:
        return _("game {n}: {fault}").format(n=game + 1, fault=str(error))
    (head, _blank, body), (true_head, _blank, true_body) = text.partition("\n\n"), true.partition("\n\n")
    pairs = chain(  # the head has the result and a checksum, which follow from the moves
        zip_longest(body.splitlines(), true_body.splitlines(), fillvalue=""),
        zip_longest(head.splitlines(), true_head.splitlines(), fillvalue=""),
    )
    said, wanted = next(((one, other) for one, other in pairs if one != other), ("", ""))
    sentence = _("game {n}: the record says “{said}”, but the deals and opponents of the task give “{true}”")
    return sentence.format(n=game + 1, said=brief(said), true=brief(wanted))
