"""Two servers on one database, and a server that is killed."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

import paddock
from paddock.core.errors import PaddockError
from paddock.kernel.source import Seeded
from paddock.tables import Tables
from sampling import count
from store.databases import both, either
from tables.clockwork import PEOPLE, friends, until
from tables.harness import ANA, CountedRuntime, Monkeys, facts, service, someone

pytestmark = pytest.mark.anyio  # the killed server has a loop of its own


@both
async def test_two_servers_play_one_legal_log(database: str) -> None:
    async with service(database) as one, service(database, Seeded(8), CountedRuntime("u")) as two:
        id = (await one.making.create("lacorsa", {"drivers": 2, "races": 2}, ["me", "me"], holder=ANA)).id
        choose = random.Random(4)
        seen: set[str] = set()
        n = 0

        async def try_one(tables: Tables) -> None:
            """Submit what this server believes is possible; it may be late if the other server was faster."""
            nonlocal n
            table = await tables.table(id)
            if not table.awaited():
                return
            n += 1
            seat, move = someone(table, choose)
            try:
                answer = await tables.submit(id, ANA, seat, move, table.decision, f"k{n}")
            except PaddockError as refusal:
                seen.add(type(refusal).__name__)
            else:
                seen.add(answer.status)

        while not (await one.table(id)).game.over or not (await two.table(id)).game.over:
            await asyncio.gather(*(try_one(choose.choice([one, two])) for _ in range(4)))
            if (await one.table(id)).game.over or (await two.table(id)).game.over:
                break
        assert {"played", "committed", "late"} <= seen
        assert seen <= {"played", "committed", "late", "duplicate", "BadMove"}
    async with service(database) as fresh:
        table = await fresh.table(id)
        assert table.frozen is None and table.game.over


@both
@pytest.mark.parametrize("moves", [2, 5])
async def test_only_one_of_two_servers_can_decide(database: str, moves: int) -> None:
    """The last commitment (after 2) or a single move (after 5): one server wins, the other gets an error."""
    async with service(database) as one, service(database, Seeded(8), CountedRuntime("u")) as two:
        table = await one.making.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
        choose = random.Random(4)
        for n in range(3 if moves == 2 else 12):
            await one.submit(table.id, ANA, *someone(table, choose), table.decision, f"k{n}")
        while moves == 5 and len(table.game.deciders) > 1:
            await one.submit(table.id, ANA, *someone(table, choose), table.decision, f"k{choose.random()}")
        other = await two.table(table.id)
        assert facts(other) == facts(table)
        decision, before = table.decision, len(table.game.log)
        seat, move = someone(table, choose)
        answers = await asyncio.gather(
            one.submit(table.id, ANA, seat, move, decision, "one"),
            two.submit(table.id, ANA, seat, move, decision, "two"),
        )
        assert sorted(answer.status for answer in answers) == ["late", "played"]
        # The late one brought its server up to date.
        late = [table, other][[a.status for a in answers].index("late")]
        assert len(late.game.log) > before
        assert facts(table) == facts(other)


@both
async def test_a_commitment_on_one_server_counts_on_the_other(database: str) -> None:
    async with service(database) as one, service(database, Seeded(8), CountedRuntime("u")) as two:
        table = await one.making.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
        decision = table.decision
        await two.table(table.id)
        for seat in range(4):
            tables = [one, two][seat % 2]
            moves = dict((await tables.table(table.id)).moves(seat // 2))
            answer = await tables.submit(table.id, ANA, seat, moves[seat][0][1], decision, f"k{seat}")
        assert answer.status == "played"
        assert (await two.table(table.id)).decision > decision


@both
async def test_a_retry_at_another_server_gets_the_same_answer(database: str) -> None:
    async with service(database) as one, service(database, Seeded(8), CountedRuntime("u")) as two:
        table = await one.making.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
        choose, seen = random.Random(4), set[str]()
        for n in range(12):
            await two.table(table.id)
            said = (*someone(table, choose), table.decision, f"k{n}")
            answer = await one.submit(table.id, ANA, *said)
            assert await two.submit(table.id, ANA, *said) == answer
            seen.add(answer.status)
        assert seen == {"committed", "played"}


@both
async def test_bots_of_two_servers_move_once(database: str) -> None:
    async with (
        service(database, Seeded(7), CountedRuntime(), Monkeys()) as one,
        service(database, Seeded(8), CountedRuntime("u"), Monkeys()) as two,
    ):
        table = await one.making.create("lacorsa", {"drivers": 2, "races": 1}, ["club", "club"], holder=ANA)
        other = await two.table(table.id)
        one.start_bots()
        two.start_bots()
        await until(lambda: table.game.over and other.game.over)
        assert table.stalled is None and other.stalled is None
    async with service(database) as fresh:
        assert (await fresh.table(table.id)).game.log == table.game.log


@either("hammer")
async def test_four_browsers_hammer_one_table(database: str) -> None:
    """Duplicate, stale, foreign and simultaneous submissions: the log is one legal game."""
    async with service(database, Seeded(7)) as tables:
        table = await friends(tables, 4, races=1)
        old: list[tuple[str, int, str, int, str]] = []
        seen: dict[str, int] = {}

        async def try_(holder: str, seat: int, move: str, decision: int, key: str) -> None:
            try:
                status = (await tables.submit(table.id, holder, seat, move, decision, key)).status
            except PaddockError as refusal:
                status = type(refusal).__name__
            seen[status] = seen.get(status, 0) + 1

        async def browser(player: int) -> None:
            choose = random.Random(player)
            while not table.game.over:
                moves = dict(table.moves(player)).get(player)
                notation = choose.choice(moves)[1] if moves else choose.choice(["7", "R", "x3", "^1"])
                fresh = (PEOPLE[player], player, notation, table.decision, f"{player}.{choose.random()}")
                old.append(fresh)
                again = choose.choice(old)
                foreign = (*again[:1], choose.randrange(4), *again[2:4], f"{again[4]}x")
                await asyncio.gather(try_(*fresh), try_(*fresh), try_(*again), try_(*foreign))

        await asyncio.gather(*(browser(player) for player in range(4)))
        assert {"committed", "played", "late", "duplicate", "Forbidden", "BadMove"} <= seen.keys()
        assert seen.keys() <= {*STATUSES, "Forbidden", "BadMove", "IllegalMove"}
        log = table.game.log
    game = paddock.start("lacorsa", seed=7, drivers=4, races=1)
    while not game.over:
        entry = log[len(game.log)]
        game.play(entry.by, entry.what)
    assert game.log == log
    async with service(database) as tables:
        again_ = await tables.table(table.id)
        assert again_.frozen is None and again_.game.log == log


STATUSES = {"committed", "played", "late", "duplicate"}
PLAYER = """
    import asyncio, json, random, sys
    sys.path.insert(0, sys.argv[2])
    from tables.harness import ANA, Monkeys, someone
    from paddock.store import Store
    from paddock.tables import Tables

    async def main():
        tables = Tables(await Store.open(sys.argv[1]), Monkeys())
        choose = random.Random()
        if sys.argv[3]:
            table = await tables.table(sys.argv[3])
        else:
            options = {"drivers": 2, "races": 99}
            table = await tables.making.create("lacorsa", options, ["me", "me"], holder=ANA)
        print(table.id, flush=True)
        while True:
            seat, move = someone(table, choose)
            if table.pending and choose.random() < 0.3:  # another choice
                seat = choose.choice(list(table.pending))
                move = str(choose.choice(list(table.game.legal(seat))))
            decision, key = table.decision, str(choose.random())
            print(json.dumps([key, seat, move, decision]), flush=True)
            answer = await tables.submit(table.id, ANA, seat, move, decision, key)
            said = [key, seat, move, decision, answer.status, len(table.game.log), table.pending]
            print(json.dumps(said), flush=True)

    asyncio.run(main())
"""


def play_and_kill(database: str, id: str, moves: int, more: float = 0.0) -> tuple[str, list[Any]]:
    """A server that plays, and is killed shortly after so many acknowledged submissions.

    The table's id, and all that it has said: each submission as it was sent, and as it was acknowledged.
    """
    tests = str(Path(__file__).parent.parent)
    arguments = [sys.executable, "-c", textwrap.dedent(PLAYER), database, tests, id]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        id = player.stdout.readline().strip()
        said = [json.loads(player.stdout.readline()) for _ in range(2 * moves)]
        time.sleep(more)
        player.kill()
        # What it still said between the last line read and its death; the last may be cut short.
        said += [json.loads(line) for line in player.stdout if line.endswith("\n")]
    assert player.returncode == -signal.SIGKILL
    return id, said


@pytest.mark.slow("each server is a process of its own")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_a_server_that_is_killed_again_and_again_loses_no_acknowledged_move(tmp_path: Path) -> None:
    """One game survives them all: after its first move, after many, and after a few each time."""
    database, id, said, choose = f"sqlite:///{tmp_path}/p.db", "", list[Any](), random.Random(20)
    lives = [(1, 0.0), (30, 0.0)]
    lives += [(choose.randrange(1, 9), choose.random() / 50) for _ in range(count(1, 20))]
    for moves, more in lives:
        id, last = play_and_kill(database, id, moves, more)
        said += last
        asyncio.run(check(database, id, said))
    acknowledged = [line for line in said if len(line) > 4]
    assert len(acknowledged) >= sum(moves for moves, _more in lives)
    assert {line[4] for line in acknowledged} <= STATUSES


async def check(database: str, id: str, said: list[Any]) -> None:
    """All acknowledged moves are there, and the game goes on."""
    acknowledged = [line for line in said if len(line) > 4]
    keys = {line[0] for line in acknowledged}
    under_way = {(line[3], line[1], line[2]) for line in said if line[0] not in keys}
    async with service(database) as tables:
        table = await tables.table(id)
        assert table.frozen is None
        _key, _seat, _move, _decision, _status, length, pending = acknowledged[-1]
        # At most the one submission that was under way when it died came after it.
        assert len(table.game.log) >= length
        if table.decision == length:
            known = {int(seat): move for seat, move in pending.items()}
            assert known.keys() <= table.pending.keys()
            assert len(table.pending.items() - known.items()) <= 1
        last = {(line[3], line[1]): line[2] for line in acknowledged if line[4] in ("played", "committed")}
        for (decision, seat), move in last.items():
            if decision < table.decision:
                entry = next(line for line in table.game.log[decision:] if line.by == seat)
                found = entry.what
            else:
                found = table.pending[seat]
            notation = str(table.title.text.move(table.game.setup, found))
            assert notation == move or (decision, seat, notation) in under_way
        for key, seat, move, decision, status, *_ in acknowledged:
            assert (await tables.submit(id, ANA, seat, move, decision, key)).status == status
        # And it goes on.
        await tables.submit(id, ANA, *someone(table, random.Random(1)), table.decision, f"next{len(said)}")
