"""Games, records, positions and tables of earlier times can still be read, and play as they did.

``README.md`` says what the kept files are. They are never made again: when a test here fails, the
code has changed what old games mean.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.position import position as read_position
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.tables import seats, talk
from tables.clockwork import CAT
from tables.harness import ANA, BEN, service
from titles import RULES

KEPT = Path(__file__).parent
REVISION = 1  # of the rules by which the kept games were played
GAMES = {"revision1": 230, "lacorsa-2": 40, "rasant-1": 20, "great_race-1": 20}  # by file
MOST_MOVES = 10_000  # more than any kept game has
POSITIONS = 40
COMPLETE, PARTIAL = 7, 4
TABLES = ("kept-challenge", "kept-rasant", "kept-large-grid", "kept-lobby")


# The rule by which the kept games were played: of Paddock it needs the legal moves and their notation.


def numbers(seed: int) -> Iterator[int]:
    """A linear congruential generator (Knuth's MMIX), the low 33 bits of each state left out."""
    x = seed
    while True:
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        yield x >> 33


def choose(game: Game, x: int, prefer: Sequence[str] = ()) -> tuple[int, int]:
    """Return the first seat that must decide, and its move.

    The first of ``prefer`` (in notation) that is legal; where none is, the move ``x % n`` of the
    ``n`` legal moves, sorted by id.
    """
    seat = game.deciders[0]
    ids = sorted(game.legal(seat).ids)
    preferred = [id for word in prefer if (id := game.title.text.parse_move(game.setup, word).id) in ids]
    return seat, [*preferred, ids[x % len(ids)]][0]


def play_out(game: Game, seed: int, prefer: Sequence[str] = ()) -> Iterator[None]:
    """Play to the end of the series; yields before every move."""
    for x in islice(numbers(seed), MOST_MOVES):
        if game.over:
            return
        yield
        game.play(*choose(game, x, prefer))
    raise AssertionError("the game does not end")


def halfway(game: Game, seed: int, prefer: Sequence[str], length: int) -> str:
    """Play to the end; the tail of the position at the first decision after half of ``length`` entries."""
    found = ""
    for _move in play_out(game, seed, prefer):
        if not found and len(game.log) >= length // 2:
            found = tail(game.position)
    return found


def digest(log: Iterable[Entry]) -> str:
    """BLAKE2b, 16 bytes in hex, of ``by:what,by:what,…``: seats and ids as numbers, ``c`` for chance."""
    words = ",".join(f"{'c' if entry.by == CHANCE else entry.by}:{entry.what}" for entry in log)
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()


def tail(position: str) -> str:
    """What follows the options in a position: ``results=…`` and the state."""
    return position[position.index(" results=") + 1 :]


# Games


@cache
def kept_games() -> list[dict[str, Any]]:
    files = [(KEPT / f"{name}.jsonl").read_text("utf-8") for name in GAMES]
    return [json.loads(line) for text in files for line in text.splitlines()]


def test_there_are_as_many_games_as_ever() -> None:
    assert len(kept_games()) == sum(GAMES.values())
    assert {path.stem for path in KEPT.glob("*.jsonl")} == set(GAMES)


def test_games_of_every_newest_revision_are_kept() -> None:
    """Else a change of its rules would not be seen: see ``keep.py``."""
    assert {f"{title.name}-{title.revision}" for title in RULES} <= set(GAMES)


@pytest.mark.parametrize("number", range(sum(GAMES.values())))
def test_same_seed_same_moves_same_outcomes(number: int) -> None:
    kept = kept_games()[number]
    title = paddock.title(kept["title"]).at(kept["revision"])
    options = title.options.read_text(kept["options"], revision=kept["revision"])
    game = Game(title, options, Seeded(kept["seed"]))
    middle = halfway(game, kept["seed"], kept["prefer"], kept["log"])
    assert (len(game.log), digest(game.log)) == (kept["log"], kept["digest"])
    assert middle == kept["halfway"]
    assert tail(game.position) == tail(kept["position"])


# Records


def kept_records(kind: str) -> list[Path]:
    return sorted((KEPT / "records").glob(f"{kind}-*.txt"))


def test_there_are_as_many_records_as_ever() -> None:
    assert (len(kept_records("complete")), len(kept_records("partial"))) == (COMPLETE, PARTIAL)


@pytest.mark.parametrize("path", kept_records("complete"), ids=lambda path: path.stem)
def test_a_complete_record_replays(path: Path) -> None:
    text = path.read_text("utf-8")
    assert f"/{REVISION}\n" in text and "\nchecksum: " in text
    record = records.read(text)
    assert record.complete and record.eyes is None
    game = record.game()  # which compares the result in the header, too
    assert game.over
    assert len(game.log) == sum(len(line.whats) for line in record.lines)


@pytest.mark.parametrize("path", kept_records("partial"), ids=lambda path: path.stem)
def test_a_partial_record_has_no_faults(path: Path) -> None:
    text = path.read_text("utf-8")
    assert f"/{REVISION}\n" in text and "\nchecksum: " in text
    record = records.read(text)
    assert not record.complete and record.eyes is not None
    assert records.check(record) == []


# Positions


@cache
def kept_positions() -> list[str]:
    return (KEPT / "positions.txt").read_text("utf-8").splitlines()


def test_there_are_as_many_positions_as_ever() -> None:
    assert len(kept_positions()) == POSITIONS


@pytest.mark.parametrize("number", range(POSITIONS))
def test_a_position_is_read_and_played_on(number: int) -> None:
    text = kept_positions()[number]
    assert tail(read_position(text).position) == tail(text)  # without a source no chance is drawn
    game = paddock.position(text, seed=number)
    for _move in play_out(game, number):
        assert not game.chance_due
    assert game.over


def test_LX_5_2_a_kept_position_drafts_once_in_a_turn() -> None:
    """A car that has drafted and closes up with another 3 may not challenge, as it may in revision 2."""
    tried = 0
    for text in kept_positions():
        words = dict(word.split("=") for word in text.split()[1:])
        game = read_position(text)
        if words.get("phase") == "road" and words["turn"] in words.get("drafted", "").split(","):
            seat = game.deciders[0]
            if "^3" in game.legal(seat):
                game.play(seat, "^3")
                assert " phase=draft " not in game.position
                tried += 1
    assert tried >= 2


# Tables


def kept_tables() -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = json.loads((KEPT / "tables.json").read_text("utf-8"))
    return tables


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The URL of a copy of the kept database."""
    shutil.copy(KEPT / "tables.sqlite3", tmp_path / "paddock.sqlite3")
    return f"sqlite:///{tmp_path / 'paddock.sqlite3'}"


def test_the_kept_database_is_one_closed_file() -> None:
    assert not list(KEPT.glob("tables.sqlite3-*"))
    header = (KEPT / "tables.sqlite3").read_bytes()[:20]
    assert header[:16] == b"SQLite format 3\0"
    assert header[18:] == b"\1\1", "its journal is no write-ahead log"


def test_all_kept_tables_are_listed(database: str) -> None:
    with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
        stored = {id for (id,) in connection.execute("SELECT id FROM tables")}
    connection.close()
    assert stored == set(TABLES) == set(kept_tables())


@pytest.mark.anyio
@pytest.mark.parametrize("id", TABLES)
async def test_a_table_stands_as_it_was_left(database: str, id: str) -> None:
    kept = kept_tables()[id]
    async with service(database) as tables:
        table = await tables.table(id)
        assert table.frozen is None
        assert tail(table.game.position) == tail(kept["position"])
        assert (len(table.game.log), digest(table.game.log)) == (kept["log"], kept["digest"])
        assert table.rows == kept["rows"]
        assert ("over" if table.game.over else table.phase) == kept["status"]
        committed = {
            str(seat): str(table.title.text.move(table.game.setup, move))
            for seat, move in table.pending.items()
        }
        assert committed == kept["commitments"]
        assert {str(seat): text for seat, text in table.orders.items()} == kept["orders"]
        assert [[p.name, p.bot, p.holder] for p in table.players] == kept["players"]
        heard = [
            talk.lines_for(await tables.table(id), player) for player in (None, *range(table.options.players))
        ]
        assert [[line.text for line in lines] for lines in heard] == kept["talk"]
        if table.phase == "play":
            record = records.read(await tables.record(id))
            if table.game.over:
                assert record.game().log == table.game.log
            else:
                assert records.check(record) == []


@pytest.mark.anyio
@pytest.mark.parametrize("id", ["kept-challenge", "kept-large-grid"])
async def test_a_table_is_played_on(database: str, id: str) -> None:
    """Its stored moves lead to the same position, also after a restart.

    At ``kept-challenge`` LX-5.2 of revision 1 decides at once: a car that has drafted extends with a
    second 3 and stands behind another car, and its turn is over.
    """
    kept = kept_tables()[id]
    async with service(database, Seeded(kept["seed"])) as tables:
        table = await tables.table(id)
        for n, (seat, move) in enumerate(kept["then"]):
            holder = table.players[table.options.owners[seat]].holder
            answer = await tables.submit(id, holder, seat, move, table.decision, f"then-{n}")
            assert answer.status in ("committed", "played")
        assert tail(table.game.position) == tail(kept["after"])
    async with service(database) as tables:
        again = await tables.table(id)
        assert again.frozen is None
        assert tail(again.game.position) == tail(kept["after"])


@pytest.mark.anyio
async def test_a_finished_table_is_explored(database: str) -> None:
    async with service(database) as tables:
        table = await tables.table("kept-rasant")
        new = await tables.making.explore("kept-rasant", len(table.game.log) // 2, 0, ANA, "instant")
        assert 0 < len(new.game.log) < len(table.game.log)
        assert new.game.log[:5] == table.game.log[:5]


@pytest.mark.anyio
async def test_a_lobby_fills_and_is_played(database: str) -> None:
    async with service(database) as tables:
        table = await tables.table("kept-lobby")
        await tables.run(table.id, seats.claim, CAT, 2, "Cat")
        for player, holder in enumerate((ANA, BEN, CAT)):
            await tables.run(table.id, seats.ready, holder, player)
        assert table.phase == "play" and table.frozen is None
        seat = table.game.deciders[0]
        notation = dict(table.moves(0))[seat][0][1]
        answer = await tables.submit(table.id, ANA, seat, notation, table.decision, "first")
        assert answer.status == "committed"
        stands = table.game.position
    async with service(database) as tables:
        again = await tables.table("kept-lobby")
        assert again.frozen is None and again.game.position == stands and again.pending.keys() == {seat}
