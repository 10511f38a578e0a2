"""``make_data``: the games of a data set are written to the files of a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paddock.core.beside import Lost
from paddock.core.errors import BadOption, PaddockError, quoted, whole
from paddock.core.i18n import _
from paddock.core.processes import Pool
from paddock.core.title import Title
from paddock.kernel.bulk import cores
from paddock.kernel.loader import say_compiling
from paddock.kernel.source import Seed
from paddock.lab.data.file import FIRST, GAMES, facts_of, read_facts, write_part
from paddock.lab.data.plan import DataPlan, data_plan
from paddock.lab.disk import naming
from paddock.lab.results import PARQUET, check_parquet

MOST_GAMES = 100_000_000
_PART = re.compile(r"part-([0-9]{5,})\.(?:parquet|unfinished)")


@dataclass(frozen=True)
class DataMade:
    """What a folder has now, and how much of it was written in this run."""

    games: int  # all
    written: int  # games of this run
    decisions: int  # of the games of this run


def make_data(
    title: Title | str,
    folder: Path | str,
    *,
    levels: Sequence[str] | None = None,
    games: int = 1000,
    seed: Seed = 0,
    options: Mapping[str, Any] | None = None,
    full: bool = False,
    worlds: int = 0,
    luck: int = 0,
    processes: int | None = None,
    progress: Callable[[int, int], Any] | None = None,
) -> DataMade:
    """Write games of bots to Parquet files in a folder, a row for each decision: docs/data.md.

    At every deal each player gets one of ``levels`` at random: a level, or ``net:FILE``; by default those
    that play in bulk. At least so many ``games`` are played, whole deals. ``full``: all features in place of
    the short ones. ``worlds`` says in how many worlds each legal move is tried to say what it is worth,
    ``luck`` in how many games each draw; 0: not at all. Files that are there are not written again, so an
    interrupted run can be resumed, and a data set be made longer. The rows do not depend on ``processes``.
    ``progress`` gets the number of games that are done, and that of all. Raises ``PaddockError`` for a wrong
    argument, and if the folder has other contents.
    """
    check_parquet()
    plan = data_plan(title, levels, seed, options or {}, full, worlds, luck)
    count = whole(games)
    if count is None or not 1 <= count <= MOST_GAMES:
        sentence = _("games={games}: give a whole number from 1 to {most}")
        raise BadOption([sentence.format(games=quoted(games), most=MOST_GAMES)])
    total, size = -(-count // plan.players) * plan.players, plan.games_in_file
    place = Path(folder)
    known = _files_there(place, plan)
    parts = [range(first, min(first + size, total)) for first in range(0, total, size)]
    missing = [part for part in parts if len(part) > len(known.get(part.start, range(0)))]
    done = total - sum(map(len, missing))
    if progress:
        progress(done, total)
    rows = written = 0
    for part, decisions in _written(plan, place, missing, min(processes or cores(), len(missing))):
        rows, written = rows + decisions, written + len(part)
        if progress:
            progress(len(part), total)
    there = known | {part.start: part for part in missing}
    return DataMade(sum(map(len, there.values())), written, rows)


def _files_there(folder: Path, plan: DataPlan) -> dict[int, range]:
    """Return the games of the files in a folder, by the first one, and make the folder.

    Raises ``PaddockError`` if it has anything else than files of this data set.
    """
    with naming(folder):
        folder.mkdir(parents=True, exist_ok=True)
        files = sorted(folder.iterdir())
    facts, size, known = facts_of(plan), plan.games_in_file, dict[int, range]()
    for file in files:
        if not _PART.fullmatch(file.name):
            sentence = _("{folder} has other files, such as {name}: name a new folder")
            raise PaddockError(sentence.format(folder=folder, name=file.name))
        if file.suffix == PARQUET:
            there = read_facts(file)
            first, games = there.pop(FIRST), there.pop(GAMES)
            for name in facts:
                if there.get(name) != facts[name]:
                    sentence = _("{file} is of another data set: {fact} is {old} there, and {new} here")
                    words = {"file": file, "fact": name, "old": there.get(name), "new": facts[name]}
                    raise PaddockError(sentence.format(**words))
            if first % size or games > size:
                sentence = _(
                    "{file} has {games} games from {first} on, and files here get {size}, as the extra "
                    "“fast” is or is not installed: name a new folder"
                )
                raise PaddockError(sentence.format(file=file, games=games, first=first, size=size))
            known[first] = range(first, first + games)
    return known


def _written(
    plan: DataPlan, folder: Path, parts: Sequence[range], processes: int
) -> Iterator[tuple[range, int]]:
    """Write files in worker processes; yield the games of each and the number of their decisions."""

    def file_of(part: range) -> Path:
        return folder / f"part-{part.start // plan.games_in_file:05}{PARQUET}"

    if processes <= 1:
        for part in parts:
            yield part, write_part(plan, file_of(part), part)
        return
    say_compiling(plan.title, "note_games")
    pool = Pool(processes)
    try:
        tasks = [(part, pool.submit(write_part, plan, file_of(part), part)) for part in parts]
        for part, task in tasks:
            yield part, task.result()
    except (Lost, CancelledError):
        raise PaddockError(_("a worker process ended unexpectedly: start the same again to resume")) from None
    finally:
        pool.close()
