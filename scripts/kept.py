"""Replay all kept games, records and tables by the rules as they are: ``make kept``.

For each title and revision a line says how many came out the same, how many otherwise (changed), and how many
cannot be read (refused). Exit 1 if not all are the same. ``tests/kept/README.md`` says what is kept.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from paddock import records
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.title import title
from paddock.kernel.source import Seeded
from paddock.tables.kept import CHANGED, REFUSED, SAME, KeptTables, counted

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests/kept"
sys.path[:0] = [str(ROOT / "tests"), str(KEPT)]

from test_kept import digest, play_out  # noqa: E402


def games() -> Iterator[tuple[str, str]]:
    """Yield the kind and the verdict of each kept game."""
    for file in sorted(KEPT.glob("*.jsonl")):
        for kept in map(json.loads, file.read_text("utf-8").splitlines()):
            kind = f"games of {kept['title']}/{kept['revision']}"
            try:
                found = title(kept["title"]).at(kept["revision"])
                options = found.options.read_text(kept["options"], revision=kept["revision"])
            except PaddockError:
                yield kind, REFUSED
                continue
            game = Game(found, options, Seeded(kept["seed"]))
            for _move in play_out(game, kept["seed"], kept["prefer"]):
                pass
            yield kind, SAME if digest(game.log) == kept["digest"] else CHANGED


def kept_records() -> Iterator[tuple[str, str]]:
    """Yield the kind and the verdict of each kept record."""
    for file in sorted((KEPT / "records").glob("*.txt")):
        text = file.read_text("utf-8")
        kind = f"records of {text.partition('title: ')[2].partition(chr(10))[0]}"
        try:
            record = records.read(text)
        except PaddockError:
            yield kind, REFUSED
            continue
        try:
            faults = records.check(record) if not record.complete else [] if record.game().over else ["open"]
        except PaddockError as error:
            faults = [str(error)]
        yield kind, CHANGED if faults else SAME


async def tables() -> list[tuple[str, str]]:
    """Return the kind and the verdict of each kept table."""
    async with KeptTables.of_backup(KEPT / "tables.sqlite3") as stored:
        found = [again async for again in stored.replay()]
    return [(f"tables of {one.kept.row.title}/{one.kept.row.revision}", one.verdict) for one in found]


def main() -> int:
    found = [*games(), *kept_records(), *asyncio.run(tables())]
    for line in counted(found):
        print(line)
    return int(any(verdict != SAME for _kind, verdict in found))


if __name__ == "__main__":
    sys.exit(main())
