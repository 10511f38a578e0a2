"""The script that made the kept files. It runs on commit d3d0f0f only.

It is here to show how the files were made; never replace them. From the root of a checkout of that
commit, with ``make.py`` and ``test_kept.py`` copied into it:

    PYTHONPATH=src:tests python tests/kept/make.py FOLDER

This writes the files into FOLDER. The script reads states of revision 1, so later code cannot run it.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from test_kept import GAMES, POSITIONS, REVISION, TABLES, choose, digest, halfway, numbers, play_out

from paddock import records
from paddock.core.game import Game
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.games.lacorsa.rules.rules import CHALLENGE, EXTEND, KINDS, REDLINE, ROAD, worth
from paddock.games.lacorsa.words import position as lacorsa_position
from paddock.games.rasant.words import position as rasant_position
from paddock.kernel.source import Seeded
from paddock.tables import Table, Tables, Terms, orders, seats, talk, undo
from tables.clockwork import PEOPLE, HandRuntime, friends, play
from tables.harness import ANA, BEN, service
from titles import RULES, random_options

LACORSA, RASANT = RULES
CHALLENGE_OPTIONS = {"drivers": 4, "races": 1, "special_drafting": "yes"}


def second_draft(game: Game, seat: int, move: int) -> bool:
    """LX-5.2 whether a car that has drafted closes up with another 3: in revision 1 its turn is over."""
    s = game._state
    return bool(
        game.setup.drafting
        and s.phase == ROAD
        and move == EXTEND + 2
        and s.drafted >> seat & 1
        and s.turn + 1 < s.running
        and s.gap[s.turn] == 1
        and s.cards[seat] > 1
    )


def second_drafts(game: Game) -> list[int]:
    """The lengths of the log of a game before each move of this kind."""
    if game.title is not LACORSA or not game.setup.drafting:
        return []
    found, again = [], Game(game.title, game.options)
    for entry in game.log:
        if second_draft(again, entry.by, entry.what):
            found.append(len(again.log))
        again.append(entry)
    return found


# Games


def games() -> Iterator[dict[str, Any]]:
    """The lines of revision1.jsonl. Every game has options of its own, drawn at random."""
    seed, pick = 0, random.Random("kept lacorsa")
    for count, prefer, good in SORTS:
        found = 0
        while found < count:
            game = played(LACORSA, random_options(LACORSA, pick), seed, prefer)
            if good(game):
                yield line(game, seed, prefer)
                found += 1
            seed += 1
    pick = random.Random("kept rasant")
    for seed in range(OF_RASANT):
        yield line(played(RASANT, random_options(RASANT, pick), seed), seed, [])


def played(title: Title, options: Options, seed: int, prefer: Sequence[str] = ()) -> Game:
    """A game by the rule of the kept games."""
    game = Game(title, options, Seeded(seed))
    for _move in play_out(game, seed, prefer):
        pass
    return game


def retired(game: Game) -> int:
    """Return the largest number of retired cars in a race."""
    return max(result.places.count(0) for result in game.rounds)


CLOSE_UP = ["attack", "^3", "^2", "^1"]  # preferred moves that make drafting frequent
REDLINES = ["R", "1+R", "2+R", "3+R"]  # preferred moves that make accidents frequent
SORTS: tuple[tuple[int, list[str], Callable[[Game], bool]], ...] = (  # how many, preferred moves, which
    (80, [], lambda game: True),
    (10, [], lambda game: game.options.seats == 12),
    (10, REDLINES, lambda game: retired(game) > 0),
    (30, CLOSE_UP, lambda game: bool(game.setup.drafting)),
    (20, CLOSE_UP, lambda game: bool(second_drafts(game))),
)
OF_RASANT = 80


def line(game: Game, seed: int, prefer: list[str]) -> dict[str, Any]:
    """Return a game as a line."""
    return {
        "title": game.title.name,
        "revision": game.title.revision,
        "options": game.options.text,
        "seed": seed,
        "prefer": prefer,
        "log": len(game.log),
        "digest": digest(game.log),
        "halfway": halfway(Game(game.title, game.options, Seeded(seed)), seed, prefer, len(game.log)),
        "position": game.position,
    }


# Records


def search(make: Callable[[int], Game], good: Callable[[Game], bool]) -> Game:
    """Return the game of the first suitable seed."""
    return next(game for seed in range(100_000) if good(game := make(seed)))


def by_rule(title: Title, seed: int, prefer: Sequence[str] = (), **options: Any) -> Game:
    """A game with these options, by the rule of the kept games."""
    return played(title, title.options.read(options), seed, prefer)


def colliding(seed: int, **options: Any) -> Game:
    """A game of LACORSA where the second car to commit forces an accident whenever its hand allows it."""
    game = Game(LACORSA, LACORSA.options.read(options), Seeded(seed))
    for x in numbers(seed):
        if game.over:
            break
        seat, move = choose(game, x)
        other = next((play - 1 for play in game._state.commit if play), None)
        if game._state.phase == CHALLENGE and other is not None:
            ties = [id for id in game.legal(seat).ids if worth(game.setup, id) == worth(game.setup, other)]
            plain = range(REDLINE + 1, KINDS)
            move = next((id for id in ties if id not in plain or other not in plain), move)
        game.play(seat, move)
    return game


def before(game: Game, good: Callable[[Game], bool]) -> Game:
    """The game as it was at its last moment that is good."""
    found, again = None, Game(game.title, game.options)
    for entry in game.log:
        again.append(entry)
        if good(again):
            found = again.fork()
    assert found is not None
    return found


LARGE = {"large_grid": "yes", "races": 1}
OWN_DECK = "r10-130+g10-130+b10-130+y10-130+3*k70+2*k120"


def all_records() -> dict[str, str]:
    """The files of ``records``."""
    return dict(complete()) | dict(partial())


def complete() -> Iterator[tuple[str, str]]:
    def write(name: str, game: Game) -> tuple[str, str]:
        assert game.over
        return f"complete-{name}.txt", records.write(game, date="2026-03-01", players=people(game))

    yield write("drivers", by_rule(LACORSA, 1, drivers=4, races=1))
    yield write("teams", by_rule(LACORSA, 2, drivers=3, races=2, double_redline="void", extra_suits=1))
    twelve = search(
        lambda n: by_rule(LACORSA, n, CLOSE_UP, drivers=12, **LARGE),
        lambda game: retired(game) > 0 and bool(second_drafts(game)),
    )
    yield write("twelve-cars", twelve)
    stops = {"pit_stops": "yes", "pit_draw": "choose", "pit_refill": "yes", "special_drafting": "no"}
    yield write("pit-stops", by_rule(LACORSA, 4, drivers=6, pairs="yes", **LARGE | stops))
    nobody = search(lambda n: colliding(n, drivers=2, **LARGE), lambda game: retired(game) == 4)
    yield write("nobody-finishes", nobody)
    yield write("rasant", by_rule(RASANT, 6, players=3, games=1))
    own = {"deck": OWN_DECK, "line": "krgbyrgbyrgby", "round_end": "all"}
    yield write("rasant-own-deck", by_rule(RASANT, 7, players=5, games=3, **own))


def partial() -> Iterator[tuple[str, str]]:
    def write(name: str, game: Game, eyes: int) -> tuple[str, str]:
        text = records.write(game, date="2026-03-02", players=people(game), eyes=eyes)
        assert "?" in text
        assert not records.check(records.read(text))
        return f"partial-{name}.txt", text

    drafting = by_rule(LACORSA, 11, CLOSE_UP, drivers=6, extra_suits=1, special_drafting="yes", races=1)
    yield write("one-hand", drafting, 0b000100)
    yield write("nobody", by_rule(LACORSA, 12, drivers=5, **LARGE), 0)
    challenge = before(
        by_rule(LACORSA, 13, drivers=3, special_drafting="yes", races=2),
        lambda game: len(game.rounds) == 1 and sum(c > 0 for c in game._state.commit) == 1,
    )
    yield write("unfinished", challenge, 0b000011)
    half = by_rule(RASANT, 14, players=4, games=2)
    middle = before(half, lambda game: len(game.rounds) == 1 and game.deciders == (2,))
    yield write("rasant-unfinished", middle, 0b0010)


def people(game: Game) -> list[tuple[str, str | None]]:
    """Players for a record: persons, and bots between them."""
    names = ["Ana", "Ben", "Cat", "Dan", "Eva", "Finn", "Gil", "Hana", "Ida", "Jon", "Kai", "Lea"]
    levels = (None, "club", None, "rookie")
    return [(names[i], levels[i % 4]) for i in range(game.options.players)]


# Positions


def positions() -> Iterator[str]:
    """For each title two of every phase, some at random, and two finished series.

    Of LACORSA also two where LX-5.2 is about to decide.
    """
    pick = random.Random("kept positions")
    for title, more in ((LACORSA, 2), (RASANT, 2)):
        by_phase: dict[str, list[str]] = {name: [] for name in PHASES[title.name]}
        for seed in range(90):
            for text in walk(title, random_options(title, pick), seed):
                by_phase[phase(text)].append(text)
        for texts in by_phase.values():
            yield from pick.sample(texts, 2)
        yield from pick.sample([text for texts in by_phase.values() for text in texts], more)
        if title is LACORSA:
            yield from about_to_draft_again(2, pick)
        for seed in (1, 2):
            yield played(title, random_options(title, pick), seed).position


def about_to_draft_again(wanted: int, pick: random.Random) -> Iterator[str]:
    """Positions before a second 3 in a turn closes up."""
    seed = 0
    while wanted:
        seed += 1
        game = played(LACORSA, random_options(LACORSA, pick), seed, CLOSE_UP)
        if found := second_drafts(game):
            again = Game(game.title, game.options)
            for entry in game.log[: found[0]]:
                again.append(entry)
            yield again.position
            wanted -= 1


PHASES = {
    LACORSA.name: [name for name in lacorsa_position.PHASES if name != "over"],
    RASANT.name: [name for name in rasant_position.PHASES if name != "over"],
}


def phase(position: str) -> str:
    return position.partition(" phase=")[2].partition(" ")[0]


def walk(title: Title, options: Options, seed: int) -> list[str]:
    """The positions of a game, those before chance too, but for its end."""
    game, chance, out = Game(title, options), Seeded(seed), []
    for x in numbers(seed):
        while game.chance_due:
            out.append(game.position)
            game.append(game.draw(chance))
        if game.over:
            return out
        out.append(game.position)
        game.play(*choose(game, x, CLOSE_UP if seed % 2 and title is LACORSA else []))
    raise AssertionError("numbers do not end")


# Tables


class KeptRuntime(HandRuntime):
    """Every table has the id that the tests use."""

    def __init__(self, id: str) -> None:
        super().__init__()
        self._id = id

    def table_id(self) -> str:
        return self._id


async def challenge(tables: Tables, game: Game, at: int) -> tuple[Table, list[list[Any]]]:
    """A challenge, one card face down; then the challenger drafts again, and its turn is over (LX-5.2).

    ``game`` is how it goes; the table, and the moves from there to the end.
    """
    table = await friends(tables, game.options.players, **CHALLENGE_OPTIONS)
    moves = [[entry.by, str(LACORSA.text.move(entry.what))] for entry in game.log if entry.by != CHANCE]
    done = sum(entry.by != CHANCE for entry in game.log[: at - 1])  # the first of the two cards is down
    for seat, move in moves[:done]:
        await play(tables, table, seat, move)
    await tables.run(table.id, talk.say, ANA, 0, "Are you coming by again?")
    await tables.run(table.id, talk.say, BEN, 1, "Wait and see.")
    assert len(table.pending) == 1 and table.game._state.phase == CHALLENGE
    return table, moves[done:]


async def rasant(tables: Tables) -> Table:
    """A finished game with all hands in one browser."""
    options, names = {"players": 3, "round_end": "all"}, ["Ana", "Ben", "Cat"]
    table = await tables.making.create(
        "rasant", options, ["me"] * 3, names, holder=ANA, terms=Terms(pace="instant")
    )
    await play_while(tables, table, 3, lambda: not table.game.over)
    await tables.run(table.id, talk.say, ANA, 0, "Well driven, all of me.")
    return table


async def large_grid(tables: Tables) -> Table:
    """A race of teams in play, with an undone move, standing orders and talk within a team."""
    table = await friends(tables, 4, large_grid="yes", pairs="yes")
    await play_while(tables, table, 4, lambda: table.game._state.lap < 3 or not undoable(table))
    last = table.options.owners[table.game.log[-1].by]
    await tables.run(table.id, undo.request, PEOPLE[last])
    for player in range(4):
        if player != last:
            await tables.run(table.id, undo.agree, PEOPLE[player])
    rows = table.rows
    await play_while(tables, table, 5, lambda: table.rows < rows + 5)
    await tables.run(table.id, orders.give, ANA, 0, "stop after drafting")
    await tables.run(table.id, orders.give, ANA, 0, "discard lowest")
    await tables.run(table.id, orders.give, BEN, 1, "stay out")
    await tables.run(table.id, talk.say, ANA, 0, "I stop as soon as they do.", "team")
    await tables.run(table.id, talk.say, PEOPLE[2], 2, "Good luck!")
    return table


def undoable(table: Table) -> bool:
    return any(undo.possible(table, holder) for holder in PEOPLE)


async def lobby(tables: Tables) -> Table:
    """One of four places is open, and the host is ready."""
    options = {"drivers": 4, "races": 2, "special_drafting": "yes"}
    who, names = ["me", "open", "open", "club"], ["Ana", "", "", ""]
    table = await tables.making.open_lobby(
        "lacorsa", options, who, names, holder=ANA, terms=Terms(pace="instant", listed=True)
    )
    await tables.run(table.id, seats.claim, BEN, 1, "Ben")
    await tables.run(table.id, seats.ready, ANA, 0)
    await tables.run(table.id, talk.say, BEN, 1, "Who is the fourth?")
    return table


async def play_while(tables: Tables, table: Table, seed: int, going: Callable[[], bool]) -> list[list[Any]]:
    """Play by the rule of the kept games, one commitment after the other; the moves."""
    moves: list[list[Any]] = []
    for x in numbers(seed):
        if not going():
            return moves
        seat = table.awaited_seats()[0]
        legal = sorted(dict(table.moves(table.options.owners[seat]))[seat])
        moves.append([seat, legal[x % len(legal)][1]])
        await play(tables, table, *moves[-1])
    raise AssertionError("numbers do not end")


async def facts(tables: Tables, table: Table) -> dict[str, Any]:
    """What is kept of a table beside the database."""
    players = (None, *range(table.options.players))
    heard = [talk.lines_for(await tables.table(table.id), player) for player in players]
    return {
        "title": table.title.name,
        "revision": table.title.revision,
        "status": "over" if table.game.over else table.phase,
        "position": table.game.position,
        "log": len(table.game.log),
        "digest": digest(table.game.log),
        "rows": table.rows,
        "commitments": {seat: str(table.title.text.move(move)) for seat, move in table.pending.items()},
        "orders": table.orders,
        "players": [[player.name, player.bot, player.holder] for player in table.players],
        "talk": [[line.text for line in lines] for lines in heard],  # as a spectator and each player read it
    }


async def all_tables(folder: Path) -> dict[str, dict[str, Any]]:
    """Write the database; the facts of its tables."""
    database = f"sqlite:///{folder / 'tables.sqlite3'}"
    read = LACORSA.options.read(CHALLENGE_OPTIONS)
    seed, game, at = next(
        (seed, game, found[0])
        for seed in range(100_000)
        if (found := second_drafts(game := played(LACORSA, read, seed, CLOSE_UP)))
    )
    kept = {}
    async with service(database, Seeded(seed), KeptRuntime(TABLES[0])) as tables:
        table, then = await challenge(tables, game, at)
        kept[table.id] = await facts(tables, table) | {"seed": seed, "then": then, "after": game.position}
    for id, make in zip(TABLES[1:], (rasant, large_grid, lobby), strict=True):
        async with service(database, Seeded(7), KeptRuntime(id)) as tables:
            kept[id] = await facts(tables, await make(tables))
    close(folder / "tables.sqlite3")
    with tempfile.TemporaryDirectory() as copy:
        shutil.copy(folder / "tables.sqlite3", copy)
        async with service(f"sqlite:///{copy}/tables.sqlite3", Seeded(7)) as tables:
            table = await tables.table(TABLES[2])
            then = await play_while(tables, table, 6, lambda: not table.game.over)
            kept[table.id] |= {"seed": 7, "then": then, "after": table.game.position}
    return kept


def close(path: Path) -> None:
    """Leave a single file, without a write-ahead log."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("VACUUM")
    connection.close()


def main() -> None:
    """Write all files into the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if {title.revision for title in RULES} != {REVISION}:
        sys.exit(f"this is not revision {REVISION} of the rules: the kept files are never made again")
    folder = Path(sys.argv[1])
    (folder / "records").mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(line, separators=(",", ":")) for line in games()]
    assert len(lines) == GAMES
    write(folder / "revision1.jsonl", lines)
    for name, text in all_records().items():
        (folder / "records" / name).write_text(text, "utf-8")
    texts = list(positions())
    assert len(texts) == POSITIONS == len(set(texts))
    write(folder / "positions.txt", texts)
    kept = asyncio.run(all_tables(folder))
    write(folder / "tables.json", ["{", ",\n".join(table_text(id, kept[id]) for id in kept), "}"])


def table_text(id: str, facts: dict[str, Any]) -> str:
    """What is kept of a table as JSON, a line for each fact."""
    lines = ",\n".join(f'  "{name}": {json.dumps(fact)}' for name, fact in facts.items())
    return f' "{id}": {{\n{lines}\n }}'


def write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
