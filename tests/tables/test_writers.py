"""Two servers on one database, and a server that is killed."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from paddock.core.errors import PaddockError
from paddock.kernel.source import Seeded
from paddock.tables import Tables
from tables.harness import ANA, CountedWorld, Monkeys, facts, service, someone

pytestmark = pytest.mark.anyio  # the killed server has a loop of its own


async def test_two_servers_play_one_legal_log(database: str) -> None:
    async with service(database) as one, service(database, Seeded(8), CountedWorld("u")) as two:
        id = (await one.create("lacorsa", {"drivers": 2, "races": 2}, ["me", "me"], holder=ANA)).id
        choose = random.Random(4)
        seen: set[str] = set()
        n = 0

        async def try_one(tables: Tables) -> None:
            """A submission by what this server believes; late or out of turn where the other was first."""
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


@pytest.mark.parametrize("moves", [2, 5])
async def test_only_one_of_two_servers_can_decide(database: str, moves: int) -> None:
    """The last commitment (after 2) or a move alone (after 5): one wins, the other is told."""
    async with service(database) as one, service(database, Seeded(8), CountedWorld("u")) as two:
        table = await one.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
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


async def test_a_commitment_on_one_server_counts_on_the_other(database: str) -> None:
    async with service(database) as one, service(database, Seeded(8), CountedWorld("u")) as two:
        table = await one.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
        decision = table.decision
        await two.table(table.id)
        for seat in range(4):
            tables = [one, two][seat % 2]
            moves = dict((await tables.table(table.id)).moves(seat // 2))
            answer = await tables.submit(table.id, ANA, seat, moves[seat][0][1], decision, f"k{seat}")
        assert answer.status == "played"
        assert (await two.table(table.id)).decision > decision


async def test_bots_of_two_servers_move_once(database: str) -> None:
    async with (
        service(database, Seeded(7), CountedWorld(), Monkeys()) as one,
        service(database, Seeded(8), CountedWorld("u"), Monkeys()) as two,
    ):
        table = await one.create("lacorsa", {"drivers": 2, "races": 1}, ["club", "club"], holder=ANA)
        other = await two.table(table.id)
        one.start_bots()
        two.start_bots()
        for _ in range(3000):
            await asyncio.sleep(0.005)
            if table.game.over and other.game.over:
                break
        assert table.stalled is None and other.stalled is None
        assert table.game.over
    async with service(database) as fresh:
        assert (await fresh.table(table.id)).game.log == table.game.log


PLAYER = """
    import asyncio, json, random, sys
    sys.path.insert(0, sys.argv[2])
    from tables.harness import ANA, Monkeys, someone
    from paddock.store import Store
    from paddock.tables import Tables

    async def main():
        tables = Tables(await Store.open(sys.argv[1]), Monkeys())
        choose = random.Random()
        table = await tables.create("lacorsa", {"drivers": 2, "races": 99}, ["me", "me"], holder=ANA)
        print(table.id, flush=True)
        while True:
            seat, move = someone(table, choose)
            decision, key = table.decision, str(choose.random())
            answer = await tables.submit(table.id, ANA, seat, move, decision, key)
            said = [key, seat, move, decision, answer.status, len(table.game.log), sorted(table.pending)]
            print(json.dumps(said), flush=True)

    asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
@pytest.mark.parametrize("moves", [1, 30, 61])
def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path, moves: int) -> None:
    database = f"sqlite:///{tmp_path}/p.db"
    arguments = [sys.executable, "-c", textwrap.dedent(PLAYER), database, str(Path(__file__).parent.parent)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as player:
        assert player.stdout is not None
        id = player.stdout.readline().strip()
        said = [json.loads(player.stdout.readline()) for _ in range(moves)]
        player.kill()
        # What it still said between the last line read and its death; the last may be cut short.
        said += [json.loads(line) for line in player.stdout if line.endswith("\n")]
    assert player.returncode == -signal.SIGKILL
    asyncio.run(check(database, id, said))


async def check(database: str, id: str, said: list[Any]) -> None:
    """All that was acknowledged is there, and the game goes on."""
    async with service(database) as tables:
        table = await tables.table(id)
        assert table.frozen is None
        _key, _seat, _move, decision, _status, length, pending = said[-1]
        # At most the one submission that was under way when it died came after it.
        assert len(table.game.log) >= length
        if table.decision == length:
            assert set(pending) <= set(table.pending) and len(table.pending) <= len(pending) + 1
        reached = {line[3]: line for line in said}
        for entry, (_key, seat, move, _entry, status, *_) in reached.items():
            if status == "played":
                line = next(line for line in table.game.log[entry:] if line.by == seat)
                assert str(table.title.text.move(line.what)) == move
        for key, seat, move, decision, status, *_ in said:
            assert (await tables.submit(id, ANA, seat, move, decision, key)).status == status
        # And it goes on.
        await tables.submit(id, ANA, *someone(table, random.Random(1)), table.decision, "next")
