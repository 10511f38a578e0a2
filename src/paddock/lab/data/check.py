"""Reads the games of a data set again, plays them by the plain rules, and compares what its rows say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.lab.data.decisions import observed
from paddock.lab.data.file import FIRST, GAMES, plan_of, read_facts, results_of
from paddock.lab.data.plan import DataPlan
from paddock.lab.data.replay import replayed
from paddock.lab.results import PARQUET


@dataclass(frozen=True)
class StoredGame:
    """A game of a data set, with its rows as Parquet has them."""

    plan: DataPlan
    file: Path
    number: int
    rows: list[dict[str, Any]]

    @property
    def decisions(self) -> list[tuple[int, int]]:
        """The seat and the move of each decision."""
        return [(row["seat"], row["move"]) for row in self.rows]


def data_files(place: Path) -> list[Path]:
    """Return the files of a data set: those of a folder, or the file itself; raise ``PaddockError`` if there
    are none."""
    files = sorted(place.glob(f"*{PARQUET}")) if place.is_dir() else [place] * place.is_file()
    if not files:
        raise PaddockError(_("{place}: there is no data set").format(place=place))
    return files


def stored_games(place: Path | str, numbers: Collection[int] | None = None) -> Iterator[StoredGame]:
    """Yield the games of a data set that have these numbers, by default all, in their order.

    ``place`` is its folder, or one of its files. Raises ``PaddockError`` if it is no data set, or one of
    other rules.
    """
    from pyarrow import parquet

    for file in data_files(Path(place)):
        plan, content = plan_of(read_facts(file)), parquet.ParquetFile(file)
        for group in range(content.num_row_groups):
            of_row = content.read_row_group(group, ["game"])["game"].to_numpy()
            here = [n for n in np.unique(of_row).tolist() if numbers is None or n in numbers]
            rows: Any = content.read_row_group(group) if here else None
            for number in here:
                begin, end = np.searchsorted(of_row, [number, number + 1])
                yield StoredGame(plan, file, number, rows.slice(begin, end - begin).to_pylist())


def replayed_rows(
    place: Path | str, numbers: Collection[int] | None = None
) -> Iterator[tuple[dict[str, Any], Seen]]:
    """Play games of a data set again; yield each row with what its seat saw, to ask any bot the same.

    ``place`` and ``numbers`` are as for ``stored_games``. Raises ``PaddockError`` for moves that are not
    those of the game.
    """
    for game in stored_games(place, numbers):
        for row, decision in zip(
            game.rows, replayed(game.plan, game.number, game.decisions), strict=False
        ):  # the last one is the end, which has no row
            yield row, decision.seen


def check_data(
    place: Path | str, games: int = 20, progress: Callable[[int, int], Any] | None = None
) -> tuple[int, int]:
    """Play so many games of a data set again by the plain rules; return how many were played, and how many
    decisions they had.

    The games are spread evenly over the data set. Raises ``PaddockError`` for the first row that does not say
    what the rules say: who decides, what it sees, what it may do, and the result. What moves and draws are
    worth is only checked for its form. ``progress`` gets the number of games played since the last call, and
    that of all.
    """
    parts = [read_facts(file) for file in data_files(Path(place))]
    numbers = [n for facts in parts for n in range(facts[FIRST], facts[FIRST] + facts[GAMES])]
    count = min(games, len(numbers))
    sample = {numbers[k * len(numbers) // count] for k in range(count)}
    played = decisions = 0
    for game in stored_games(place, sample):
        _check_game(game)
        played, decisions = played + 1, decisions + len(game.rows)
        if progress:
            progress(1, count)
    if played < count:
        raise PaddockError(_("{place}: some games have no rows").format(place=place))
    return played, decisions


def _check_game(game: StoredGame) -> None:
    """Raise ``PaddockError`` if the rows of a game are not what the rules say."""
    plan, file, number, moves = game.plan, game.file, game.number, game.decisions
    levels, owners = plan.levels(number), plan.options.owners
    expected = list[dict[str, Any]]()
    for index, decision in enumerate(replayed(plan, number, moves)):
        if not decision.legal:
            (end,) = decision.game.rounds
            continue
        player = owners[decision.seat]
        expected.append(
            {
                "game": number,
                "deal": number // plan.players,
                "decision": index,
                "seat": decision.seat,
                "player": player,
                "level": plan.entrants[levels[player]].label,
                "features": observed(plan, decision.seen, decision.seat).tolist(),
                "legal": decision.legal,
                "notation": str(plan.title.text.move(decision.game.setup, moves[index][1])),
            }
        )
    results = results_of(plan, np.array([end.scores]), np.array([end.places]))[:, 0]
    for row, says in zip(game.rows, expected, strict=True):
        points, win, place = results[:, says["player"]].tolist()
        says |= {"points": float(np.float32(points)), "win": float(np.float32(win)), "place": place}
        for name, value in says.items():
            if row[name] != value:
                sentence = _("{file}: game {game}, decision {n}: {column} is not what the rules say")
                words = {"file": file, "game": number, "n": says["decision"], "column": name}
                raise PaddockError(sentence.format(**words))
        lengths = {len(row[name]) for name in ("worth", "worth_error") if row[name] is not None}
        if lengths - {len(says["legal"])}:
            sentence = _("{file}: game {game}, decision {n}: not every legal move has a worth")
            words = {"file": file, "game": number, "n": says["decision"]}
            raise PaddockError(sentence.format(**words))
