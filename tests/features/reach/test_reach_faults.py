"""Every turn is told, whatever fails: the database, the receivers, the server itself."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from features.reach.reached import SITE, Ears, Leaps, hook, killed, opened, wishes_of
from paddock.core.log import Entry
from paddock.features.reach.calls import TURN
from paddock.features.reach.ways.way import Sent
from paddock.store import Unavailable
from paddock.store.writer import T
from paddock.tables import Tables, automatic
from sampling import SEED, count
from tables.clockwork import PEOPLE, friends

pytestmark = pytest.mark.anyio
TURNS = count(80, 10_000)
TABLES = count(3, 25)
RATE = 0.03  # of the transactions that fail, before and after
DEATHS = count(2, 60)
SILENCE = 300  # leaps of time in which nobody is told anything new: whoever waits waits in vain
Turn = tuple[str, int, str]  # table, decision, browser
Told = tuple[str, str, str]  # table, browser, id of the message


def awaited(tables: Tables, id: str) -> dict[Turn, int]:
    """Return the open turns of a table as its server knows them, each with a seat.

    A server that did not hear the answer to a commit learns a moment later what was stored.
    """
    live = tables.registry.get(id)
    assert live
    table, moving = live.table, automatic.awaited(live.table)
    found = {}
    for seat in table.awaited_seats():
        holder = table.players[table.options.owners[seat]].holder
        if seat not in moving and holder:
            found[id, table.decision, holder] = seat
    return found


async def recorded(tables: Tables, id: str) -> set[Turn]:
    """Return all turns that there were at a table until now, by its stored log."""
    stored = await tables.store.load(id)
    assert stored
    table = await tables.registry.peek(id)
    opening = {row.decision for row in stored.events} | {len(stored.events)}
    game, found = table.game.at(0), set()
    for decision, row in enumerate([*stored.events, None]):
        if decision in opening:
            people = [seat for seat in game.deciders if game.only(seat) is None]  # only moves play themselves
            holders = (table.players[table.options.owners[seat]].holder for seat in people)
            found |= {(id, decision, holder) for holder in holders if holder}
        if row:
            game.append(Entry(row.by, row.what, row.linked))
    return found


def message_id(channel: str, turn: Turn) -> str:
    """Return the id of the message about a turn: a repeat has the same, so that a receiver can drop it."""
    return hashlib.sha256(f"{channel} {turn[0]}/{turn[1]} {TURN}".encode()).hexdigest()[:32]


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Do something at a database that fails now and then."""
    while True:
        try:
            return await work()
        except Unavailable:
            continue


@pytest.mark.slow("plays turns until everybody was told of theirs, through faults and deaths")
@pytest.mark.timeout(3600)
async def test_every_turn_is_told_through_faults_and_deaths(tmp_path: Path) -> None:
    """People move only when they were told that it is their turn: whoever is not told holds the game up.

    In the end, the logs say which turns there were: each was told, and nothing else.
    One message in four gets lost or is answered with an error, one in ten arrives and its answer does not.
    """
    choose = random.Random(f"told {SEED}")
    database, runtime = f"sqlite:///{tmp_path / 'tables.sqlite3'}", Leaps()

    def how() -> tuple[bool, Sent]:
        drawn = choose.random()
        if drawn < 0.25:
            return False, Sent(False, after=choose.choice((0, 0, 90)))
        return True, Sent(drawn >= 0.35)

    ears = Ears(how=how)
    tables, flaky = opened(database, ears, runtime, choose)
    tables.start_bots()
    await hook(tables, *PEOPLE)
    ids = [(await friends(tables, 2 + n % 3, races=99)).id for n in range(TABLES)]
    flaky.rate, failures, deaths = RATE, 0, 0
    ways = {holder: (await wishes_of(tables).of(holder, SITE)).channels[0].id for holder in PEOPLE}

    def told(turn: Turn) -> Told:
        return turn[0], turn[2], message_id(ways[turn[2]], turn)

    played = set[Turn]()
    for id in ids:  # the first decision opened with the table, when nobody had been called yet
        for turn, seat in awaited(tables, id).items():
            played.add(turn)
            await _move(tables, choose, seat, turn)
    first, heard, silent = set(map(told, played)), Counter[Told](), 0

    def listen() -> None:
        assert all(message.kind == TURN for _channel, message in ears.heard)
        heard.update((message.table or "", channel.holder, message.id) for channel, message in ears.heard)
        ears.heard.clear()

    while len(heard) < TURNS and silent < SILENCE:
        before = len(heard)
        await runtime.let(tables, choose.choice((20, 61, 300)))
        listen()
        silent = silent + 1 if len(heard) == before else 0
        for id in ids:
            await patiently(partial(tables.table, id))
            for turn, seat in awaited(tables, id).items():
                if told(turn) in heard and turn not in played:
                    played.add(turn)
                    await _move(tables, choose, seat, turn)
        if deaths < DEATHS and len(heard) > TURNS * (deaths + 1) / (DEATHS + 1):
            deaths, failures = deaths + 1, failures + flaky.failed
            print(len(heard), deaths, failures, flush=True)
            await killed(tables)
            tables, flaky = opened(database, ears, runtime, choose)
            tables.start_bots()
            for id in ids:
                await tables.table(id)
            flaky.rate = RATE
    flaky.rate, ears.how = 0.0, lambda: (True, Sent(True))
    for _hour in range(3):  # all works again, and whatever waits is tried within an hour
        await runtime.let(tables, 3600)
    listen()
    turns = set[Told]()
    for id in ids:
        turns |= set(map(told, await recorded(tables, id)))
    failures += flaky.failed
    print(f"{len(turns)} turns, {heard.total()} messages, {failures} faults, {deaths} deaths")
    assert not heard.keys() - turns, "somebody was told of a turn that was not theirs"
    assert not turns - first - heard.keys(), "somebody was not told"
    assert len(heard) >= TURNS and heard.total() > len(heard) and failures and deaths == DEATHS
    await tables.close()
    await tables.store.close()


async def _move(tables: Tables, choose: random.Random, seat: int, turn: Turn) -> None:
    """Make a move of a person, again and again until the database has answered."""
    id, decision, holder = turn
    table = (await patiently(partial(tables.registry.find, id))).table
    if table.decision != decision or seat not in table.awaited_seats():
        return
    move = choose.choice(dict(table.moves(table.options.owners[seat]))[seat])[1]
    key = f"{choose.random()}"
    await patiently(partial(tables.submit, id, holder, seat, move, decision, key))
