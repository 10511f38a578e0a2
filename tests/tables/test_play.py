"""Playing at a table: an acknowledged move is stored exactly once, and only from its player."""

from __future__ import annotations

import asyncio
import hashlib
import random
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

import pytest

import paddock
from paddock.core.errors import BadMove, BadOption, IllegalMove, PaddockError
from paddock.core.log import Entry
from paddock.kernel.source import Seeded
from paddock.store.kinds import LESSON, RACE
from paddock.tables import Forbidden, NoTable, Table, Tables, Terms, Unavailable, registry, talk
from paddock.tables.change import MOST_ANSWERS
from paddock.tables.hosting import Abandon
from paddock.tables.registry import weight
from sampling import WHOLE, count
from store.databases import both, either, without
from tables.clockwork import PATIENCE_S, PEOPLE, HandRuntime, friends, until
from tables.clockwork import play as play_one
from tables.harness import ANA, BEN, CountedRuntime, Monkeys, facts, service, someone

pytestmark = pytest.mark.anyio
TWO = {"drivers": 2, "races": 2}


async def play(tables: Tables, table: Table, choose: random.Random, most: int = 10**6) -> None:
    """Play all seats from one browser, until the end or for ``most`` submissions."""
    n = 0
    while not table.game.over and n < most:
        seat, move = someone(table, choose)
        await tables.submit(table.id, ANA, seat, move, table.decision, f"key{choose.random()}")
        n += 1


@either("a restart")
async def test_a_restart_at_every_moment_changes_nothing(database: str) -> None:
    chance, runtime, choose = Seeded(7), CountedRuntime(), random.Random(1)
    async with service(database, chance, runtime) as tables:
        id = (await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)).id
        before = facts(await tables.table(id))
    submissions = commitments = 0
    over = False
    while not over:
        async with service(database, chance, runtime) as tables:
            table = await tables.table(id)
            assert facts(table) == before
            for _ in range(1 if WHOLE else choose.randint(1, 3)):  # a sample restarts at some moments
                if not over:
                    seat, move = someone(table, choose)
                    answer = await tables.submit(id, ANA, seat, move, table.decision, f"k{submissions}")
                    assert answer.status == ("committed" if table.pending else "played")
                    over = table.game.over
                    submissions += 1
            before = facts(table)
            commitments += len(table.pending)
    assert commitments > count(10, 20)

    # The same game without a server, from the same seed and the same moves.
    log = [Entry(*entry) for entry in before[0]]
    game = paddock.start("lacorsa", seed=7, **TWO)
    while not game.over:
        entry = log[len(game.log)]
        game.play(entry.by, entry.what)
    assert game.log == log and game.position == before[1]


async def test_the_log_keeps_simultaneous_moves_in_seat_order(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        start = table.decision
        for seat in (2, 0, 3, 1):
            move = table.moves(table.options.owners[seat])
            notation = dict(move)[seat][0][1]
            answer = await tables.submit(table.id, ANA, seat, notation, start, f"k{seat}")
        assert answer.status == "played"
        assert [entry.by for entry in table.game.log[start : start + 4]] == [0, 1, 2, 3]


async def test_the_same_key_gets_the_same_answer(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        id, decision = table.id, table.decision
        moves = [m[1] for m in dict(table.moves(0))[0]]
        first = await tables.submit(id, ANA, 0, moves[0], decision, "k0")
        assert first.status == "committed" and moves[0] in first.sentence
        assert await tables.submit(id, ANA, 0, moves[0], decision, "k0") == first
        # Another key with the same move has nothing to do; a repeated key never commits anew.
        assert (await tables.submit(id, ANA, 0, moves[0], decision, "k1")).status == "duplicate"
        assert await tables.submit(id, ANA, 0, moves[0], decision, "k0") == first
        await tables.submit(id, ANA, 0, moves[-1], decision, "k2")
        assert await tables.submit(id, ANA, 0, moves[0], decision, "k0") == first
        assert table.pending == {0: table.title.text.parse_move(table.game.setup, moves[-1]).id}
        for seat in (1, 2, 3):
            notation = dict(table.moves(table.options.owners[seat]))[seat][0][1]
            last = await tables.submit(id, ANA, seat, notation, decision, f"s{seat}")
        assert last.status == "played"
        stands = facts(table)
    async with service(database, runtime=runtime) as tables:
        assert await tables.submit(id, ANA, 3, notation, decision, "s3") == last
        assert await tables.submit(id, ANA, 0, moves[0], decision, "k0") == first
        assert facts(await tables.table(id)) == stands


@both
async def test_the_same_key_at_the_same_time(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        move = dict(table.moves(0))[0][0][1]
        answers = await asyncio.gather(
            *(tables.submit(table.id, ANA, 0, move, table.decision, "k") for _ in range(5))
        )
        assert len(set(answers)) == 1 and answers[0].status == "committed"


async def test_a_commitment_stands_until_it_is_replaced(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        moves = dict(table.moves(0))[0]
        await tables.submit(table.id, ANA, 0, moves[0][1], table.decision, "k0")
        assert table.pending == {0: moves[0][0]} and 0 not in table.awaited_seats()
        assert (
            await tables.submit(table.id, ANA, 0, moves[-1][1], table.decision, "k1")
        ).status == "committed"
        assert table.pending == {0: moves[-1][0]}


async def test_a_late_decision_changes_nothing(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        old = table.decision
        await play(tables, table, random.Random(3), 4)
        assert table.decision > old
        stands = facts(table)
        for seat in range(4):
            answer = await tables.submit(table.id, ANA, seat, "7", old, f"late{seat}")
            assert answer.status == "late" and answer.sentence.endswith(".")
        assert (await tables.submit(table.id, ANA, 0, "7", 10**6, "future")).status == "late"
        assert facts(table) == stands


async def test_what_is_refused_changes_nothing(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create(
            "lacorsa", {"drivers": 3, "races": 1}, ["me", "club", "me"], holder=ANA
        )
        stands, decision = facts(table), table.decision
        held = {id for id, _n, _l in dict(table.moves(0))[0]}
        missing = next(str(kind) for kind in range(1, 13) if kind not in held)
        for holder, seat in [(BEN, 0), (None, 0), (ANA, 2), (ANA, 3), (ANA, 6), (ANA, -1), (ANA, 10**9)]:
            with pytest.raises(Forbidden):
                await tables.submit(table.id, holder, seat, "7", decision, "k")
        with pytest.raises(IllegalMove, match="LC-"):
            await tables.submit(table.id, ANA, 0, missing, decision, "k")
        for bad in ("", "banana", "99", "x7", "R\0", "7" * 500):
            with pytest.raises(PaddockError):
                await tables.submit(table.id, ANA, 0, bad, decision, "k")
        for key in ("", "k" * 65, "a\0b", "ä"):
            with pytest.raises(BadMove, match="key"):
                await tables.submit(table.id, ANA, 0, "7", decision, key)
        for id in ("nothing", "", "../etc", "a\0b", "t" * 999):
            with pytest.raises(NoTable):
                await tables.table(id)
        assert facts(table) == stands
        # A refused key is not used up.
        good = dict(table.moves(0))[0][0][1]
        assert (await tables.submit(table.id, ANA, 0, good, decision, "k")).status == "committed"


async def test_out_of_turn(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        await play(tables, table, random.Random(3), 4)
        idle = next(seat for seat in range(4) if seat not in table.awaited_seats())
        with pytest.raises(BadMove, match="nothing to decide"):
            await tables.submit(table.id, ANA, idle, "7", table.decision, "k")


async def test_after_the_end(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"drivers": 2, "races": 1}, ["me", "me"], holder=ANA)
        await play(tables, table, random.Random(3))
        with pytest.raises(BadMove, match="over"):
            await tables.submit(table.id, ANA, 0, "7", table.decision, "k")
        assert table.awaited() == [] and not table.running


async def test_two_browsers_hold_their_own(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {}, ["me", "club", "me", "rookie"], holder=ANA)
        assert table.players_of(ANA) == [0, 2]
        assert table.players_of(BEN) == [] == table.players_of(None)
        assert [p.holder for p in table.players] == [ANA, None, ANA, None]


async def test_what_each_player_sees(database: str) -> None:
    """Only owners see hands and commitments until the end; then everybody does."""
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"drivers": 3, "races": 1}, ["me"] * 3, holder=ANA)
        choose = random.Random(5)
        while not table.game.over:
            for player in (None, 0, 1, 2):
                for car in table.view(player).cars:
                    assert (car.hand is not None) == (car.driver == player)
                    assert (car.commit is not None) == (car.driver == player and car.seat in table.pending)
                    assert car.committed == (car.seat in table.pending)
            for player in range(3):
                assert all(table.options.owners[seat] == player for seat, _moves in table.moves(player))
            await play(tables, table, choose, 1)
        for player in (None, 0, 1, 2):
            assert all(car.hand is not None for car in table.view(player).cars)


async def test_others_see_that_one_committed_but_not_what(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        seen = set()
        for n, (_id, notation, _label) in enumerate(dict(table.moves(0))[0]):
            await tables.submit(table.id, ANA, 0, notation, table.decision, f"k{n}")
            seen.add((repr(table.view(None)), repr(table.view(1)), str(table.moves(1))))
        assert len(seen) == 1 and n > 2


@pytest.mark.parametrize("changes", [1, 2, 9])
async def test_how_often_somebody_changed_cannot_be_told(database: str, changes: int) -> None:
    """Two tables with the same cards: at one a driver changes a commitment. Nobody else notices."""

    async def told(times: int) -> list[object]:
        """Return everything that the others get, from the first commitment to some decisions later."""
        runtime, out = HandRuntime(f"times{times}-"), list[object]()
        async with service(database, Seeded(7), runtime) as tables:
            tables.start_bots()
            table = await friends(tables, 3, 1, clock="600+10", grace=60, pace="human")
            wakes = dict.fromkeys([None, *PEOPLE[1:3]], 0)

            async def everything() -> None:
                await runtime.let(tables, 3)
                assert all(p.bot or not p.stand_in for p in table.players)
                for player in (None, 1, 2, 3):
                    seen = table.seen(player)
                    out.append((repr(table.view(player)), seen.state.tobytes()))
                    out.append(await tables.record(table.id, player))
                    out.append(player is not None and table.moves(player))
                    out.append([table.reveals(seat) for seat in range(4)])
                out.append((table.decision, table.awaited(), table.touched_at, table.opened_at))
                out.append([tables.left(table)[player] for player in range(4)])
                stored = await tables.store.load(table.id)
                assert stored is not None
                out.append(stored.talk)
                out.append([(p.name, p.ready, p.stand_in, p.bank_ms) for p in table.players])

            async with AsyncExitStack() as streams:
                changed = {}
                for holder in wakes:
                    await streams.enter_async_context(tables.timers.arrive(table.id, holder))
                    changed[holder] = await streams.enter_async_context(
                        tables.streams.watch(table.id, holder)
                    )
                await streams.enter_async_context(tables.timers.arrive(table.id, ANA))
                own = await streams.enter_async_context(tables.streams.watch(table.id, ANA))
                moves = [notation for _id, notation, _label in dict(table.moves(0))[0]]

                async def count() -> None:
                    for holder, wake in changed.items():
                        while await wake(0.005):
                            wakes[holder] += 1

                await runtime.let(tables, 1)
                await play_one(tables, table, 0, moves[1])
                await count()
                before = dict(wakes)
                await own(1)
                for n in range(times):
                    await play_one(tables, table, 0, moves[n % 2])
                    assert await own(1), "the own other windows show it"
                if times:
                    await play_one(tables, table, 0, moves[1])
                await count()
                assert wakes == before
                await everything()
                for seat in (1, 2):
                    await play_one(tables, table, seat)
                    await everything()
                for _ in range(6):
                    if table.awaited_seats():
                        await play_one(tables, table, table.awaited_seats()[0])
                    await everything()
        return out

    assert await told(0) == await told(changes)


async def test_the_last_to_commit_is_told(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        assert not any(table.reveals(seat) for seat in range(4))
        await play(tables, table, random.Random(2), 3)
        assert [table.reveals(seat) for seat in range(4)].count(True) == 1


async def test_watchers_are_woken_by_every_change(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        async with tables.streams.watch(table.id) as changed:
            assert not await changed(0.01)
            await play(tables, table, random.Random(3), 1)
            assert await changed(PATIENCE_S)
            assert not await changed(0.01)
            seat = next(iter(table.pending))
            await tables.submit(table.id, ANA, seat, "7", 0, "late")
            assert not await changed(0.01)
        with pytest.raises(NoTable):
            async with tables.streams.watch("nothing"):
                pass


async def test_names_are_cleaned(database: str) -> None:
    async with service(database) as tables:
        names = ["  Ana \n\t María  ", "\x00\x07\u202e", "x" * 99, ""]
        table = await tables.making.create("lacorsa", {}, ["me", "me", "me", "club"], names, holder=ANA)
        assert [p.name for p in table.players] == ["Ana María", "Driver 2", "x" * 24, "Club 4"]
        assert table.game.names == tuple(p.name for p in table.players)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"options": {"drivers": 9}}, "drivers=9"),
        ({"options": {"wings": 2}}, "no option “wings”"),
        ({"seats": ["me"]}, "seats: give 4 drivers, not 1"),
        (
            {"seats": ["me", "me", "me", "open"]},
            "only a lobby can have open seats: create one with lobby=true",
        ),
        ({"seats": ["me", "me", "me", "einstein"]}, "“einstein” cannot play; choose me, rookie, club"),
        ({"names": ["a"] * 5}, "4 names"),
        ({"terms": Terms(pace="warp")}, "human or instant"),
        ({"title": "chess"}, "“chess”"),
        ({"start": [Entry(0, 7)]}, "the game waits for chance"),
    ],
)
async def test_a_table_that_cannot_be(tmp_path: object, change: dict[str, object], says: str) -> None:
    good = {"title": "lacorsa", "options": {}, "seats": ["me", "club", "club", "club"], "holder": ANA}
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        with pytest.raises(PaddockError) as refusal:
            await tables.making.create(**{**good, **change})
        assert says in str(refusal.value)
        assert await tables.tables_of(ANA) == []


async def test_a_lesson_begins_where_it_is_told(database: str) -> None:
    deal = paddock.start("lacorsa", seed=11, drivers=4, races=1).log
    async with service(database) as tables:
        seats = ["me", "club", "club", "club"]
        table = await tables.making.create(
            "lacorsa", {"races": 1}, seats, holder=ANA, kind=LESSON, start=deal
        )
        assert table.game.log == deal and table.kind.lesson and table.decision == len(deal)
        # Half a deal: chance deals the rest.
        half = await tables.making.create(
            "lacorsa", {"races": 1}, seats, holder=ANA, kind=LESSON, start=deal[:9]
        )
        assert half.game.log[:9] == deal[:9] and len(half.game.log) == len(deal)


async def test_the_tables_of_a_browser(database: str) -> None:
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        ids = []
        for _ in range(3):
            ids.append((await tables.making.create("lacorsa", {}, ["me"] * 4, holder=ANA)).id)
            runtime.time += 60
        assert [t.id for t in await tables.tables_of(ANA)] == ids[::-1]
        assert [t.id for t in await tables.tables_of(ANA, 2)] == ids[:0:-1]
        assert await tables.tables_of(BEN) == []


async def test_memory_is_bounded_but_keeps_who_is_watched(database: str) -> None:
    async with service(database) as tables:
        room = 2 * weight(await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA))
    gone: set[str] = set()
    async with service(database, memory=room + 1000, runtime=CountedRuntime("u")) as tables:
        tables.registry.left = gone.update
        first = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        await play(tables, first, random.Random(1), 6)
        stands = facts(first)
        async with tables.streams.watch(first.id):
            for _ in range(3):
                await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
            assert await tables.table(first.id) is first
        for _ in range(3):
            await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        assert len(list(tables.registry)) == 2
        assert len(gone) == 5 and gone.isdisjoint(live.table.id for live in tables.registry)
        again = await tables.table(first.id)
        assert again is not first and facts(again) == stands


async def test_finished_games_leave_memory_first(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind: a server grew with each game that ended, as all stayed in memory beside those that go on."""
    async with service(database) as tables:
        gone: set[str] = set()
        tables.registry.left = gone.update
        runs = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        ended = []
        for seed in range(4):
            ended.append(await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA))
            await play(tables, ended[-1], random.Random(seed))
            if seed == 1:
                monkeypatch.setattr(registry, "RESTING", weight(ended[0]) + weight(ended[1]))
                await tables.table(ended[0].id)  # it was used after the other one
        assert ended[1].id in gone and len(gone) == 2 and runs.id not in gone
        assert {live.table.id for live in tables.registry} == {runs.id} | {t.id for t in ended} - gone
        assert facts(await tables.table(ended[1].id)) == facts(ended[1])


async def test_a_table_stays_in_memory_while_a_command_waits(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        live = await tables.registry.find(table.id)
        assert not live.needed
        async with live.lock:
            waits = asyncio.create_task(tables.run(table.id, talk.say, ANA, 0, "hello"))
            await asyncio.sleep(0)
        assert not live.lock.locked() and live.needed
        await waits
        assert not live.needed


async def test_what_the_store_says_waits_for_the_command_before(database: str) -> None:
    """Otherwise an old state could replace a newer one in memory."""
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        live = await tables.registry.find(table.id)
        runtime.time += 31 * 86400
        async with live.lock:
            sweep = asyncio.create_task(tables.sweep(runtime.now(), Abandon()))
            await until(lambda: live.commands == 1)
            assert not table.abandoned
        assert await sweep == [table.id] and table.abandoned


async def test_a_token_is_not_remembered_if_it_is_revoked_meanwhile(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database) as tables:
        label, token = await tables.tokens.make(ANA, "bot")
        digest = hashlib.sha256(token.encode()).hexdigest()

        async def revoked(_hash: str, _at: datetime) -> None:
            await tables.tokens.drop(ANA, label)

        with monkeypatch.context() as patch:
            patch.setattr(tables.store, "use_token", revoked)
            assert await tables.tokens.holder(digest) == ANA
        assert await tables.tokens.holder(digest) is None


@both
async def test_a_database_that_fails_changes_nothing_in_memory(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        await play(tables, table, random.Random(1), 3)
        stands = facts(table)
        seat, move = someone(table, random.Random(1))

        async with without(tables.store, "answers"):
            with pytest.raises(Unavailable, match="try again"):
                await tables.submit(table.id, ANA, seat, move, table.decision, "k")
        assert facts(table) == stands
        assert (await tables.submit(table.id, ANA, seat, move, table.decision, "k")).status == "played"


async def test_closing_closes_the_bots(database: str) -> None:
    bots = Monkeys()
    async with service(database, bots=bots):
        assert not bots.closed
    assert bots.closed


async def test_option_faults_come_together(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        with pytest.raises(BadOption) as refusal:
            await tables.making.create("lacorsa", {}, ["x", "y"], ["a"] * 5, holder=ANA)
        assert len(refusal.value.faults) == 4


async def test_who_goes_away_in_the_middle_blocks_nobody(database: str) -> None:
    """A cancelled submission is either finished or never started."""
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", {"drivers": 2, "races": 9}, ["me", "me"], holder=ANA)
        choose = random.Random(1)
        for n in range(60):
            seat, move = someone(table, choose)
            decision = table.decision
            task = asyncio.create_task(tables.submit(table.id, ANA, seat, move, decision, f"k{n}"))
            for _ in range(n % 13):
                await asyncio.sleep(0.0005)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            answer = await tables.submit(table.id, ANA, seat, move, decision, f"k{n}")
            assert answer.status in ("played", "committed")
        stands = facts(table)
    async with service(database) as tables:
        assert facts(await tables.table(table.id)) == stands


async def test_a_key_belongs_to_one_seat(database: str) -> None:
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        first, second = (next(iter(table.game.legal(seat))) for seat in (0, 1))
        await tables.submit(table.id, ANA, 0, str(first), table.decision, "one-key")
        with pytest.raises(BadMove, match="another submission"):
            await tables.submit(table.id, ANA, 1, str(second), table.decision, "one-key")
        assert table.pending.keys() == {0}


async def test_a_key_belongs_to_one_move_of_one_decision(database: str) -> None:
    async with service(database, Seeded(7)) as tables:
        table = await friends(tables, 2, drivers=2)
        decision, choices = table.decision, [line[1] for line in dict(table.moves(0))[0]]
        mine, other = (choice for choice in choices[:2])
        seats_ = table.seats_of(0)
        first = await tables.submit(table.id, ANA, seats_[0], mine, decision, "key")

        async def only_the_same(tables: Tables) -> None:
            """The same submission gets its answer again; another with its key is refused."""
            table = await tables.table(id)
            stands = facts(table)
            assert await tables.submit(id, ANA, seats_[0], mine, decision, "key") == first
            for seat, move, of in (
                (seats_[0], other, decision),
                (seats_[0], [mine, mine], decision),
                (seats_[1], mine, decision),
                (seats_[0], mine, decision + 1),
                (seats_[0], mine, table.decision + 1),
            ):
                with pytest.raises(BadMove, match="another submission"):
                    await tables.submit(id, ANA, seat, move, of, "key")
            if table.decision > decision:
                seat, move = someone(table, random.Random(1))
                holder = table.players[table.options.owners[seat]].holder
                with pytest.raises(BadMove, match="another submission"):
                    await tables.submit(id, holder, seat, move, table.decision, "key")
            assert facts(table) == stands

        id = table.id
        await only_the_same(tables)
        while table.decision == decision:
            await play_one(tables, table, table.awaited_seats()[0])
        await only_the_same(tables)
        rows = table.rows
        while table.rows == rows:
            await play_one(tables, table, table.awaited_seats()[0])
        await only_the_same(tables)
        stands = facts(table)
    async with service(database, Seeded(7)) as tables:
        await only_the_same(tables)
        assert facts(await tables.table(id)) == stands


async def test_the_games_that_await_a_browser(database: str) -> None:
    """The longest wait comes first, also after a restart; lessons are left out."""
    runtime = CountedRuntime()
    async with service(database, runtime=runtime) as tables:
        made = []
        for kind in (RACE, LESSON, RACE):
            made.append((await tables.making.create("lacorsa", {}, ["me"] * 4, holder=ANA, kind=kind)).id)
            runtime.time += 60
        first, _lesson, last = made
        table = await tables.table(first)
        choices = [table.moves(player)[0] for player in range(4)]
        for seat, moves in choices:
            await tables.submit(first, ANA, seat, moves[0][1], table.decision, f"key{seat}")
        begun = runtime.now()
        assert [(t.id, since) for t, since in await tables.waiting(ANA)] == [
            (last, begun - timedelta(seconds=60)),
            (first, begun),
        ]
        assert await tables.waiting(BEN) == []
    later = CountedRuntime()
    later.time = runtime.time + 3600
    async with service(database, runtime=later) as tables:
        assert [since for _table, since in await tables.waiting(ANA)] == [
            begun - timedelta(seconds=60),
            begun,
        ]


async def test_a_commitment_can_be_replaced_without_end(database: str) -> None:
    """Memory keeps the latest answers only; the store knows the others."""
    async with service(database) as tables:
        table = await tables.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        moves = [notation for _id, notation, _label in table.moves(0)[0][1]][:2]
        for n in range(MOST_ANSWERS + 10):
            await tables.submit(table.id, ANA, 0, moves[n % 2], table.decision, f"key{n}")
        assert len(table.answers) == MOST_ANSWERS and "key0" not in table.answers
        before = facts(table)
        again = await tables.submit(table.id, ANA, 0, moves[0], table.decision, "key0")
        assert again.status == "committed" and facts(table) == before
        with pytest.raises(BadMove, match="another submission"):
            await tables.submit(table.id, ANA, 0, moves[1], table.decision, "key0")
        assert facts(table) == before
