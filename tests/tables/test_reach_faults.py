"""Every turn is told, whatever fails: the database, the receivers, the server itself."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from paddock.store import TURN, Unavailable
from paddock.store.writer import T
from paddock.tables import Tables, automatic
from paddock.tables.reach.post import Sent
from sampling import SEED, count
from tables.clockwork import PEOPLE, friends
from tables.reached import SITE, Ears, Leaps, hook, killed, opened, settled

pytestmark = pytest.mark.anyio
TURNS = count(120, 10_000)
TABLES = count(4, 25)
RATE = 0.03  # of the transactions that fail, before and after
DEATHS = count(3, 60)
Key = tuple[str, int, str]  # table, decision, browser


def awaited(tables: Tables, id: str) -> dict[Key, int]:
    """Return the open turns of a table, each with a seat."""
    live = tables.registry.get(id)
    assert live
    table, moving = live.table, automatic.awaited(live.table)
    found = {}
    for seat in table.awaited_seats():
        holder = table.players[table.options.owners[seat]].holder
        if seat not in moving and holder:
            found[id, table.decision, holder] = seat
    return found


def message_id(channel: str, key: Key) -> str:
    """Return the id of the message about a turn."""
    return hashlib.sha256(f"{channel} {key[0]}/{key[1]} {TURN}".encode()).hexdigest()[:32]


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
    turns, heard = dict[str, Key](), Counter[Key]()
    ways = {holder: (await tables.wishes.of(holder, SITE)).channels[0].id for holder in PEOPLE}
    played = set[Key]()
    for id in ids:  # the first decision opened with the table, when nobody had been called yet
        for (_id, decision, holder), seat in awaited(tables, id).items():
            key = id, decision, holder
            turns[message_id(ways[holder], key)] = key
            played.add(key)
            table = (await tables.registry.find(id)).table
            await _move(tables, choose, id, seat, table.decision)

    while len(heard) < TURNS:
        await runtime.let(tables, choose.choice((20, 61, 300)))
        for id in ids:
            if tables.registry.get(id) is None:
                await patiently(partial(tables.table, id))
            turns |= {message_id(ways[key[2]], key): key for key in awaited(tables, id)}
        for channel, message in ears.heard:
            key = turns[message.id]  # a repeat has the same id, so that a receiver can drop it
            assert message.kind == TURN and (message.table, channel.holder) == (key[0], key[2])
            heard[key] += 1
        ears.heard.clear()
        for id in ids:
            for key, seat in awaited(tables, id).items():
                if key in heard and key not in played:
                    played.add(key)
                    await _move(tables, choose, id, seat, key[1])
        if deaths < DEATHS and len(heard) > TURNS * (deaths + 1) / (DEATHS + 1):
            deaths, failures = deaths + 1, failures + flaky.failed
            print(len(heard), deaths, failures, flush=True)
            await killed(tables)
            tables, flaky = opened(database, ears, runtime, choose)
            tables.start_bots()
            for id in ids:
                await tables.table(id)
            flaky.rate = RATE
    flaky.rate = 0.0
    await settled(tables)
    assert sum(heard.values()) > len(heard) and failures + flaky.failed > 0 and deaths == DEATHS
    await tables.close()
    await tables.store.close()


async def _move(tables: Tables, choose: random.Random, id: str, seat: int, decision: int) -> None:
    """Make a move of a person, again and again until the database has answered."""
    table = (await patiently(partial(tables.registry.find, id))).table
    if table.decision != decision or seat not in table.awaited_seats():
        return
    player = table.options.owners[seat]
    move = choose.choice(dict(table.moves(player))[seat])[1]
    holder, key = table.players[player].holder, f"{choose.random()}"
    await patiently(partial(tables.submit, id, holder, seat, move, decision, key))
