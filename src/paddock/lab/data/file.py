"""The files of a data set: Parquet, a row for each decision. docs/data.md describes the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paddock.core.errors import PaddockError
from paddock.core.extras import DISTRIBUTION
from paddock.core.i18n import _
from paddock.core.series import RoundResult
from paddock.core.title import title
from paddock.kernel.source import seed_number
from paddock.lab.data.decisions import Deciders, Decisions
from paddock.lab.data.plan import DataPlan
from paddock.lab.data.replay import Measures, measure
from paddock.lab.disk import naming
from paddock.lab.plan import Entrant
from paddock.lab.results import check_parquet
from paddock.lab.rows import final, win_shares

FORMAT = 1
KEY = b"paddock"  # of the metadata of a file
FIRST, GAMES = "first", "games"  # keys of the metadata that differ between the files of a data set
GROUP = 1 << 22  # features of a row group, about: it is whole games
SHORT, FULL = "short", "full"


def facts_of(plan: DataPlan) -> dict[str, Any]:
    """Return what the metadata of every file says of a data set, as JSON has it."""
    return {
        "format": FORMAT,
        "paddock": version(DISTRIBUTION),
        "title": plan.title.name,
        "revision": plan.title.revision,
        "options": plan.options.text,
        "seed": plan.seed,
        "levels": [plan.entrants[k].label for k in plan.line_up],
        "weights": {entrant.label: entrant.pickled.hex() for entrant in plan.entrants if entrant.pickled},
        "features": FULL if plan.full else SHORT,
        "worlds": plan.worlds,
        "luck": plan.luck,
    }


def plan_of(facts: dict[str, Any]) -> DataPlan:
    """Return the plan of a file, to play its games again by its moves; its levels cannot play.

    Raises ``PaddockError`` if this Paddock has other rules.
    """
    game_title = title(facts["title"])
    if facts["revision"] != game_title.revision:
        sentence = _(
            "the data set has games by revision {old} of the rules of {title}, and this Paddock plays "
            "revision {new}: use Paddock {version}"
        )
        raise PaddockError(
            sentence.format(
                old=facts["revision"],
                title=game_title.label,
                new=game_title.revision,
                version=facts["paddock"],
            )
        )
    labels = list(dict.fromkeys(facts["levels"]))
    return DataPlan(
        game_title,
        game_title.options.read_text(facts["options"]),
        tuple(Entrant(label) for label in labels),
        tuple(labels.index(label) for label in facts["levels"]),
        seed_number(facts["seed"]),
        0.0,
        luck=facts["luck"],
        full=facts["features"] == FULL,
        worlds=facts["worlds"],
    )


def read_facts(file: Path) -> dict[str, Any]:
    """Return the metadata of a file; raise ``PaddockError`` if it is none of a data set of this format."""
    check_parquet()
    from pyarrow import ArrowException, parquet

    facts: dict[str, Any] = {}
    with naming(file), suppress(ArrowException, KeyError, TypeError, ValueError):
        facts = json.loads(parquet.read_schema(file).metadata[KEY])
    if facts.get("format") != FORMAT:
        raise PaddockError(
            _("{file}: this is no data set that “paddock data make” of this version wrote").format(file=file)
        )
    return facts


def schema(plan: DataPlan, games: range) -> Any:
    """Return the columns of a file with these games, and its metadata."""
    import pyarrow as pa

    facts = {**facts_of(plan), FIRST: games.start, GAMES: len(games)}
    return pa.schema(
        [
            ("game", pa.int32()),
            ("deal", pa.int32()),
            ("decision", pa.int16()),
            ("seat", pa.int8()),
            ("player", pa.int8()),
            ("level", pa.string()),
            ("features", pa.list_(pa.float32(), plan.width)),
            ("legal", pa.list_(pa.int16())),
            ("move", pa.int16()),
            ("notation", pa.string()),
            ("worth", pa.list_(pa.float32())),
            ("worth_error", pa.list_(pa.float32())),
            ("luck", pa.list_(pa.float32(), plan.players)),
            ("points", pa.float32()),
            ("win", pa.float32()),
            ("place", pa.int8()),
        ],
        metadata={KEY: json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()},
    )


def table(plan: DataPlan, made: Decisions, measures: Measures, columns: Any) -> Any:
    """Return the decisions of some games as a table of the ``columns``."""
    import pyarrow as pa

    of_row = np.repeat(np.arange(len(made.games)), made.counts)
    numbers = made.games[of_row]
    begins = np.cumsum(made.counts) - made.counts
    players = np.array(plan.options.owners)[made.seats]
    levels = np.array([plan.levels(game) for game in made.games.tolist()])[of_row, players]
    results = results_of(plan, made.scores, made.places)[:, of_row, players]
    setup, text = plan.title.setup_of(plan.options), plan.title.text
    ids, at = np.unique(made.moves, return_inverse=True)
    words = pa.array([str(text.move(setup, id)) for id in ids.tolist()], pa.string())
    labels = pa.array([entrant.label for entrant in plan.entrants], pa.string())
    offsets = np.concatenate([[0], np.cumsum(made.masks.sum(1))])
    values = {
        "game": numbers,
        "deal": numbers // plan.players,
        "decision": np.arange(len(numbers)) - begins[of_row],
        "seat": made.seats,
        "player": players,
        "level": labels.take(pa.array(levels)),
        "features": pa.FixedSizeListArray.from_arrays(pa.array(made.features.ravel()), plan.width),
        "legal": pa.ListArray.from_arrays(
            pa.array(offsets, pa.int32()), pa.array(np.nonzero(made.masks)[1], pa.int16())
        ),
        "move": made.moves,
        "notation": words.take(pa.array(at)),
        "worth": measures.worths,
        "worth_error": measures.errors,
        "luck": [None if row is None else row.tolist() for row in measures.luck],
        "points": results[0],
        "win": results[1],
        "place": results[2],
    }
    arrays = []
    for field in columns:
        value = values[field.name]
        arrays.append(value if isinstance(value, pa.Array) else pa.array(value, field.type))
    return pa.Table.from_arrays(arrays, schema=columns)


def results_of(plan: DataPlan, scores: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return points over the fair share, shares of the win and places by game and player, from the scores and
    places by game and seat: shape (3, games, players)."""
    rounds = zip(scores.tolist(), places.tolist(), strict=True)
    ends = [final(plan.options, [RoundResult(tuple(row), tuple(by_place))]) for row, by_place in rounds]
    points, ranks = (np.array(part, np.float64) for part in zip(*ends, strict=True))
    return np.stack([points - points.mean(1, keepdims=True), win_shares(ranks), ranks])


def write_part(plan: DataPlan, file: Path, games: range) -> int:
    """Play games and write their decisions to a file; return how many decisions there are.

    The file appears when it is whole. Raises ``PaddockError`` if it cannot be written.
    """
    columns, rows, group = schema(plan, games), 0, list[Any]()
    with _whole(file) as unfinished, _writer(unfinished, columns) as writer:
        for made in Deciders(plan).play(games):
            measures = Measures()
            for index, number in enumerate(made.games.tolist()):
                if plan.worlds or plan.luck:
                    measure(plan, number, made.of_game(index), measures)
            if not measures.worths:
                nothing = [None] * len(made.moves)
                measures = Measures([*nothing], [*nothing], [*nothing])
            group.append(table(plan, made, measures, columns))
            rows += len(made.moves)
            if sum(len(part) for part in group) * plan.width >= GROUP:
                _write(writer, group)
        _write(writer, group)
    return rows


def _writer(file: Path, columns: Any) -> Any:
    """Return what writes a file: level 9 takes a sixth off, and a tenth of the time of a game."""
    from pyarrow import parquet

    return parquet.ParquetWriter(file, columns, compression="zstd", compression_level=9)


def _write(writer: Any, group: list[Any]) -> None:
    """Write tables as a row group, and forget them."""
    import pyarrow as pa

    if group:
        writer.write_table(pa.concat_tables(group), row_group_size=1 << 30)
        group.clear()


@contextmanager
def _whole(file: Path) -> Iterator[Path]:
    """Yield a file to write, which gets its name when it is whole; raise ``PaddockError`` if that fails."""
    unfinished = file.with_suffix(".unfinished")
    try:
        with naming(file):
            yield unfinished
            unfinished.replace(file)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
