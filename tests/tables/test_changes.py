"""Commands are plain functions: they change nothing, and their change stores what it says."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence
from paddock.features.watching.frames import allow_frames
from paddock.kernel.source import Seeded
from paddock.tables import (
    Frozen,
    Table,
    Tables,
    Terms,
    claims,
    hosting,
    lessons,
    moves,
    orders,
    seats,
    talk,
    undo,
)
from paddock.tables.change import Change
from paddock.tables.context import Context
from paddock.tables.live import TablePresence
from paddock.tables.making import keep_rematch
from paddock.tables.names import NameFilter
from paddock.tables.presence import settle
from paddock.tables.replaying import replayed
from paddock.tables.restore import restore
from sampling import WHOLE
from tables import test_lessons
from tables.clockwork import CAT, HandRuntime
from tables.harness import ANA, BEN, CountedRuntime, facts, service, someone

pytestmark = pytest.mark.anyio
PEOPLE = [ANA, BEN, CAT, "d" * 64, "e" * 64]


def name_of(command: Callable[..., Any]) -> str:
    """Return the name of a command with its module, as in «undo.agree»."""
    return f"{command.__module__.rpartition('.')[2]}.{command.__name__}"


COMMANDS = {
    name_of(command)
    for command in (
        allow_frames, claims.agree, claims.decline, hosting.free, hosting.kick, hosting.mute, hosting.set_bot,
        keep_rematch, moves.move_automatically, moves.read, moves.submit, orders.cancel, orders.drop,
        orders.give, seats.claim, seats.keep_recovery, seats.leave, seats.ready, seats.recover, seats.rename,
        seats.start, settle, talk.say, undo.agree, undo.refuse, undo.request,
    )
}  # fmt: skip


def state(table: Table) -> dict[str, Any]:
    """Return all fields of a table, as values that a later change cannot reach.

    Of the answers, only those for the open decision: the store has the others. Without ``stamp`` and
    ``callers``, which belong to memory.
    """
    memory = {"stamp", "callers"}
    found = {field.name: getattr(table, field.name) for field in fields(table) if field.name not in memory}
    game = table.game
    found["title"], found["options"] = table.title.name, table.options.text
    found["game"] = None
    found["answers"] = {k: row for k, row in table.answers.items() if row.decision == table.decision}
    found = pickle.loads(pickle.dumps(found))  # a deep copy in a fifth of the time
    # Entries are never changed, and texts cannot be: copying them too would take most of it.
    found["game"] = (list(game.log), game.names, game.position, game.story, repr(facts(table)[3:]))
    return found


def plain(
    table: Table, context: Context, command: Callable[..., Change[Any]], *args: Any, **more: Any
) -> Change[Any]:
    """Decide a command, and check that it leaves the table as it was."""
    before, presence = state(table), copy.deepcopy(vars(context.presence) | {"timer": None})
    try:
        change = command(table, context, *args, **more)
        after = change.after()
        assert change.stores or state(replace(after, version=table.version)) == before
        return change
    finally:
        assert state(table) == before
        assert vars(context.presence) | {"timer": None} == presence


class Session:
    """Runs commands by chance, and compares the table in memory with what is stored after each."""

    def __init__(self, tables: Tables, table: Table, choose: random.Random) -> None:
        self.tables = tables
        self.table = table
        self.choose = choose
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.other = table  # as another server has it in memory

    async def run(self, command: Callable[..., Change[Any]], *args: Any, **more: Any) -> Any:
        """Run a command, which may refuse; return its answer."""
        version, answer = self.table.version, None
        try:
            answer = await self.tables.run(self.table.id, plain, command, *args, **more)
        except PaddockError:
            self.refused[name_of(command)] += 1
            assert self.table.version == version
        else:
            self.done[name_of(command)] += self.table.version > version
        if self.table.version > version or self.choose.random() < (1.0 if WHOLE else 0.1):
            await self.compare()  # what a refusal should not have stored is also seen after the next command
        return answer

    async def compare(self) -> None:
        """Check that a server that starts, and one that catches up, restore the same table."""
        table, store = self.table, self.tables.store
        workers, known = self.tables.workers, (self.other.game, self.other.rows)
        stored = await store.load(table.id)
        assert stored is not None and stored.table == table.row()
        assert state(restore(stored, await replayed(workers, stored))) == state(table)
        if self.choose.random() < 0.2:
            rest = await store.load(table.id, self.other.rows)
            assert rest is not None
            self.other = restore(rest, await replayed(workers, rest, known))
            assert state(self.other) == state(table)


async def in_the_lobby(session: Session) -> None:
    """Do anything that is possible in a lobby."""
    choose, table, run = session.choose, session.table, session.run
    who, player = choose.choice(PEOPLE), choose.randrange(4)
    mine = choose.choice(table.players_of(who) or [player])
    name = choose.choice(["Ana", "Ben", "Cat", "Dan", "Eva", "admin"])
    await choose.choice(
        [
            lambda: run(seats.claim, who, player, name),
            lambda: run(seats.leave, who, mine),
            lambda: run(seats.rename, who, mine, name),
            lambda: run(seats.ready, who, mine, choose.random() < 0.6),
            lambda: run(allow_frames, who, choose.random() < 0.5),
            lambda: run(hosting.set_bot, table.host, player, choose.choice([None, "club"])),
            lambda: run(hosting.free, table.host, player),
            lambda: run(seats.claim, who, choose.choice(seats.open_places(table) or [player])),
            lambda: run(hosting.mute, table.host, player, choose.random() < 0.5),
            lambda: run(talk.say, who, mine, f"line {choose.random()}", choose.choice(["table", "team"])),
        ]
    )()


async def everybody_back(session: Session) -> None:
    """Let people without a seat have those of bots, and the open ones."""
    table = session.table
    for player in table.players:
        if player.bot:
            await session.run(hosting.set_bot, table.host, player.index, None)
    for player in seats.open_places(table):
        for holder in sorted(PEOPLE, key=lambda holder: table.players[player].last_holder != holder):
            if not table.players_of(holder) and table.players[player].open:
                await session.run(seats.claim, holder, player)
    for claim, holder in itertools.product(table.claims, PEOPLE):
        answer = claims.agree if session.done["claims.decline"] else claims.decline
        await session.run(answer, holder, claim.number)


async def in_the_game(session: Session) -> None:
    """Do anything that is possible in a running game; mostly, move."""
    choose, table, run = session.choose, session.table, session.run
    runtime = session.tables.runtime
    assert isinstance(runtime, CountedRuntime)
    runtime.time += choose.random() * 10
    who, player = choose.choice(PEOPLE), choose.randrange(4)
    mine = choose.choice(table.players_of(who) or [player])
    seat, move = someone(table, choose)
    owner = table.players[table.options.owners[seat]]
    if owner.automatic or choose.random() < 0.2:
        legal = choose.choice(list(table.seen(owner.index).legal(seat)))
        await run(moves.move_automatically, seat, (legal,), table.decision)
    await run(moves.submit, owner.holder, seat, (move,), table.decision, f"key{choose.random()}")
    asks = next((holder for holder in PEOPLE if undo.possible(table, holder)), who)
    others = [p.holder for p in table.players if p.person]
    offered = [order.text for order in orders.offered(table, seat)] or [""]
    ordered = next(iter(table.orders), seat)
    orderer = table.players[table.options.owners[ordered]].holder
    consent = undo.agree if session.done["undo.refuse"] else undo.refuse
    if not session.done["undo.agree"]:
        await run(undo.request, asks)
    for command in choose.sample(
        [
            lambda: run(moves.read, who, mine),
            lambda: run(undo.request, asks),
            lambda: run(orders.give, owner.holder, seat, choose.choice(offered)),
            lambda: run(orders.cancel, orderer, ordered),
            lambda: run(orders.drop, seat),
            lambda: run(talk.say, who, mine, f"line {choose.random()}", choose.choice(["table", "team"])),
            lambda: run(settle),
            lambda: run(seats.keep_recovery, who, mine, "secret"),
            lambda: run(seats.recover, "secret", choose.choice(PEOPLE)),
        ],
        3,
    ):
        await command()
    if choose.random() < 0.15:
        await choose.choice(
            [
                lambda: run(hosting.set_bot, table.host, player, "club"),
                lambda: run(hosting.free, table.host, player),
                lambda: run(seats.leave, who, mine),
            ]
        )()
    await everybody_back(session)
    if table.undo:
        for holder in others:
            await run(consent, holder)


# A game with pairs, which has more commands; the whole suite plays both. PostgreSQL is strict about types.
RUNS: list[Any] = [
    one
    for seed in ((1, 2) if WHOLE else (2,))
    for one in (("sqlite", seed), pytest.param("postgres", seed, marks=pytest.mark.postgres))
]


@pytest.mark.slow("every command is compared with what the store says")
@pytest.mark.parametrize(("database", "seed"), RUNS, indirect=["database"])
async def test_what_is_stored_is_what_is_in_memory(database: str, seed: int) -> None:
    choose, runtime = random.Random(seed), HandRuntime()
    async with service(database, Seeded(seed), runtime) as tables:
        options = {"drivers": 4, "races": 1, "pairs": "yes" if seed == 2 else "no"}
        who = ["me", "open", "open", "open"]
        table = await tables.making.open_lobby(
            "lacorsa",
            options,
            who,
            ["Ana"],
            holder=ANA,
            terms=Terms(clock="300+5", grace=30 if seed == 2 else 0),
        )
        session = Session(tables, table, choose)
        for command, *args in (
            (seats.claim, BEN, 1, "Ben"),
            (seats.rename, BEN, 1, "Bea"),
            (hosting.mute, ANA, 1),
            (hosting.free, ANA, 1),
            (allow_frames, ANA, True),
            (seats.claim, BEN, 2, "Ben"),
            (seats.leave, BEN, 2),
        ):
            await session.run(command, *args)
        for _ in range(15):
            runtime.time += 3
            await in_the_lobby(session)
        await everybody_back(session)
        others = [p.index for p in table.players if p.person and p.holder != table.host]
        await session.run(hosting.kick, table.host, others[0])
        for player in range(4):
            await session.run(seats.ready, table.players[player].holder, player)
        await session.run(hosting.set_bot, table.host, others[0], "club")
        await session.run(seats.start, table.host)
        assert table.phase == "play"
        for _ in range(40):
            if table.running:
                await in_the_game(session)
        await session.run(keep_rematch, "another")
        rare = {"orders.drop", "moves.move_automatically"}  # they take a certain position
        assert {name for name, times in session.done.items() if times} >= COMMANDS - rare
        assert sum(session.refused.values()) > 20


async def test_a_lesson_that_goes_back_and_on_is_stored(database: str) -> None:
    async with service(database, Seeded(7)) as tables:
        table = await test_lessons.begin(tables, "rasant")
        session = Session(tables, table, random.Random(1))
        for where in ("back", "again", "on"):
            for _ in range(2 if where == "back" else 1):
                own = test_lessons.own(table)
                move = own if where == "back" else test_lessons.other(table)
                await test_lessons.send(tables, table, own if move is None else move)
            await session.compare()
            await session.run(lessons.turn, ANA, where)
            await test_lessons.asked(tables, table)
        assert session.done["lessons.turn"] == 3


async def test_a_table_that_cannot_be_continued_takes_nothing_but_talk(tmp_path: Path) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        table = await tables.making.create("lacorsa", {"races": 1}, ["me"] * 4, holder=ANA)
        now = tables.runtime.now()
    table = replace(table, fault=Sentence("It is broken."))
    context = Context(now, 0.0, Seeded(1), NameFilter(), TablePresence(0.0))
    for command, *args in (
        (moves.submit, ANA, 0, ("7",), table.decision, "key"),
        (moves.move_automatically, 0, (7,), table.decision),
        (seats.leave, ANA, 0),
        (seats.rename, ANA, 0, "Eva"),
        (seats.start, ANA),
        (allow_frames, ANA, True),
        (hosting.set_bot, ANA, 1, "club"),
        (hosting.mute, ANA, 1),
        (orders.give, ANA, 0, orders.ONLY),
        (undo.request, ANA),
        (claims.agree, ANA, 1),
        (claims.decline, ANA, 1),
        (settle,),
    ):
        with pytest.raises(Frozen, match="It is broken"):
            plain(table, context, command, *args)
    assert not plain(table, context, moves.read, ANA, 0).stores
    assert plain(table, context, talk.say, ANA, 0, "what now?").lines
