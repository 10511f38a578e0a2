"""Scores an agent on a task: plays its games, keeps their records, and writes a line of JSON."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic import TypeAdapter

from paddock.core.defaults import SECONDS
from paddock.core.errors import PaddockError, brief
from paddock.core.extras import DISTRIBUTION
from paddock.core.i18n import _, plural
from paddock.core.wording import number
from paddock.kernel.source import seed_number
from paddock.lab.journal import Journal
from paddock.lab.match import MOST, check_count, played
from paddock.lab.plan import Plan, check_seconds, entered
from paddock.lab.play import BotTeam, play_deal
from paddock.lab.results import make_match
from paddock.lab.rows import GameRow
from paddock.tasks.agent import Agent, read_agent
from paddock.tasks.catalogue import task as task_of
from paddock.tasks.pool import level_of
from paddock.tasks.record_file import RecordFile, sha256
from paddock.tasks.task import Task

LINE, GAMES, RECORDS = "score.json", "games.csv", "games.txt"  # the files of a score's folder
DIGITS = 6  # of points: more would depend on the machine


@dataclass(frozen=True)
class Score:
    """What an agent reached in a task. ``line`` is what the file ``score.json`` and the leaderboard have."""

    task: str
    agent: str  # its name
    points: float  # a game over the fair share
    error: float | None  # half the width of the 95 % interval of ``points``; None for a single deal
    games: int
    forfeits: int  # games that the agent forfeited: each counts as a last place
    words: str  # what was scored: club, net:FILE, cmd:COMMAND or a file
    files: dict[str, str]  # the SHA-256 of each file of the agent
    title: str
    revision: int  # of the title's rules
    paddock: str  # its version
    seconds: float  # that the games took, but for what was lost when they were interrupted
    records: str  # the SHA-256 of the file of records

    @property
    def line(self) -> str:
        """The score as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def figures(self) -> str:
        """The points with their interval."""
        error = "" if self.error is None else f" ± {number(self.error, '.3f')}"
        return f"{number(self.points, '+.3f')}{error}"

    @property
    def sentence(self) -> str:
        """The score in words."""
        sentence = _("{agent} scores {figures} points over the fair share in {task} ({games}, {forfeits}).")
        games = plural("{n} game", "{n} games", self.games)
        forfeits = plural("{n} forfeit", "{n} forfeits", self.forfeits)
        return sentence.format(
            agent=self.agent, figures=self.figures, task=self.task, games=games, forfeits=forfeits
        )

    @classmethod
    def read(cls, file: Path) -> Score:
        """Return the score of a file of one line; raise ``PaddockError`` if it has another form."""
        try:
            read = TypeAdapter(cls).validate_json(file.read_bytes(), strict=True)
            sound = math.isfinite(read.points) and 0 < read.games <= MOST and read.agent.isprintable()
        except ValueError:
            sound = False
        if not sound:
            raise PaddockError(_("{file} is not a line that “paddock tasks score” wrote").format(file=file))
        return read


def score(
    task: Task | str,
    agent: str,
    folder: Path | str,
    *,
    games: int | None = None,
    name: str = "",
    pool: Path | str | None = None,
    seconds: float = SECONDS,
    processes: int | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Score:
    """Play the games of a task with an agent, and return its score.

    ``agent`` is a level (``"club"``), ``"net:FILE"``, ``"ahead:FILE"``, ``"cmd:COMMAND"`` or the name of a
    program, which plays by lines of text. ``games`` is rounded up to whole deals; by default it is the
    task's. ``pool`` is the folder of the frozen networks. ``folder`` gets the score (``score.json``), the
    results (``games.csv``) and the records (``games.txt``) of all games. The same call resumes a score that
    was interrupted, or makes it longer. The records do not depend on ``processes``.

    Raises ``PaddockError`` if an argument is wrong, and ``OSError`` if the folder cannot be written.
    """
    chosen = task_of(task) if isinstance(task, str) else task
    count = chosen.games if games is None else games
    check_count("games", count)
    check_count("processes", 1 if processes is None else processes)
    read = read_agent(chosen, agent)
    plan = plan_of(chosen, read, Path(pool) if pool else None, seconds)
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    before = Score.read(home / LINE).seconds if (home / LINE).is_file() else 0.0
    began = perf_counter()
    with Journal(plan, home / GAMES) as journal:
        rows = journal.rows
        with (
            RecordFile(home / RECORDS, len(rows)) as records,
            closing(played(plan, count, len(rows), processes, None, progress)) as deals,
        ):
            for deal in deals:
                records.add(deal)
                journal.add(deal)
                rows += deal
    points, error, forfeits = reached(chosen, plan, rows)
    made = Score(
        task=chosen.name, agent=brief(name or read.name, 60), points=points, error=error,
        games=len(rows), forfeits=forfeits, words=agent, files=read.files,
        title=chosen.title_name, revision=chosen.title.revision, paddock=version(DISTRIBUTION),
        seconds=round(before + perf_counter() - began, 1), records=sha256(home / RECORDS),
    )  # fmt: skip
    (home / LINE).write_text(made.line + "\n", "utf-8")
    return made


def plan_of(task: Task, agent: Agent, pool: Path | None, seconds: float = SECONDS) -> Plan:
    """Return the match that scores an agent: it is the first of the line-up, and its deals are the task's.

    Raises ``PaddockError`` if a network of the pool is missing.
    """
    check_seconds(seconds)
    names = list(dict.fromkeys(task.opponents))
    pooled = entered(task.title, [level_of(name, pool) for name in names])[0]
    entrants = [replace(entrant, label=name) for entrant, name in zip(pooled, names, strict=True)]
    line_up = (0, *(1 + names.index(name) for name in task.opponents))
    return Plan(
        task.title, task.options, (agent.entrant, *entrants), line_up, seed_number(task.test_seed),
        float(seconds), record_date=task.frozen,
    )  # fmt: skip


def reached(task: Task, plan: Plan, rows: Sequence[GameRow]) -> tuple[float, float | None, int]:
    """Return the agent's points over the fair share, their error and its forfeits, by the task's metric."""
    teams = task.options.teams
    if task.in_pairs:
        rows = [row._replace(points=_together(row.points, teams)) for row in rows]
    figure = make_match(plan, rows).figures[0]
    error = None if math.isnan(figure.points_error) else round(figure.points_error, DIGITS)
    return round(figure.points_over, DIGITS), error, figure.forfeits


def _together(points: Sequence[int], teams: Sequence[int]) -> tuple[int, ...]:
    """Return for every player the points of its team."""
    return tuple(
        sum(own for own, other in zip(points, teams, strict=True) if other == team) for team in teams
    )


def digest(task: Task, pool: Path | None = None) -> str:
    """Return the SHA-256 of the records of the first deal, in which *Rookie* is the agent.

    It changes with everything that could change a score: rules, opponents, features, deals and records.
    """
    plan = plan_of(task, read_agent(task, "rookie"), pool)
    with BotTeam(plan) as team:
        text = "\n".join(row.record for row in play_deal(plan, 0, team))
    return hashlib.sha256(text.encode()).hexdigest()
