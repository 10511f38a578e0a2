"""Records, replays and explorations, and damaged logs."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete, text, update

from paddock import records
from paddock.bots import levels
from paddock.core.errors import BadOption, BadRecord
from paddock.core.title import title
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.store import Store
from paddock.store.schema import events, pending, tables
from paddock.tables import Forbidden, Frozen, Table, Tables, hosting, making, replaying, talk
from store.databases import execute
from tables.clockwork import PATIENCE_S
from tables.harness import ANA, BEN, decide, facts, service, someone
from tables.test_play import play

pytestmark = pytest.mark.anyio
TWO = {"drivers": 2, "races": 2}


@asynccontextmanager
async def finished(database: str, **options: Any) -> AsyncIterator[tuple[Tables, Table]]:
    async with service(database) as service_:
        made = await service_.making.create(
            "lacorsa", {**TWO, **options}, ["me", "me"], ["Ana", "Ben"], holder=ANA
        )
        await play(service_, made, random.Random(6))
        yield service_, made


async def test_a_record_is_partial_while_it_runs_and_complete_then(database: str) -> None:
    async with service(database) as service_:
        table = await service_.making.create("lacorsa", TWO, ["me", "me"], ["Ana", "Ben"], holder=ANA)
        await play(service_, table, random.Random(6), 9)
        for player in (None, 0, 1):
            record = records.read(await service_.record(table.id, player))
            assert not record.complete and record.names == ("Ana", "Ben") and record.date == "2026-03-01"
            assert record.eyes == (0 if player is None else table.options.eyes(player))
        with pytest.raises(BadOption):
            await service_.record(table.id, 2)
        await play(service_, table, random.Random(7))
        for player in (None, 0, 1):
            record = records.read(await service_.record(table.id, player))
            assert record.complete and record.game().log == table.game.log


async def test_commitments_are_in_no_record(database: str) -> None:
    async with service(database) as service_:
        table = await service_.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        before = [await service_.record(table.id, player) for player in (None, 0, 1)]
        await play(service_, table, random.Random(6), 3)
        assert len(table.pending) == 3
        assert [await service_.record(table.id, player) for player in (None, 0, 1)] == before


async def test_an_uploaded_record_is_a_replay(database: str) -> None:
    async with finished(database) as (service_, table):
        text_ = await service_.record(table.id)
        replay = await service_.making.upload(text_, BEN)
        assert replay.id != table.id and replay.kind.record and replay.game.log == table.game.log
        assert await service_.record(replay.id) == text_
        assert [t.id for t in await service_.tables_of(BEN)] == [replay.id]
        with pytest.raises(Forbidden, match="replay"):
            await service_.submit(replay.id, BEN, 0, "7", replay.decision, "k")
        stands = facts(replay)
    async with service(database) as service_:
        assert facts(await service_.table(replay.id)) == stands


async def test_an_uploaded_record_keeps_who_played(tmp_path: object) -> None:
    async with finished(f"sqlite:///{tmp_path}/p.db") as (service_, table):
        text_ = records.write(table.game, date="1961-05-14", players=[("Ana", None), ("Ben", "club")])
        replay = await service_.making.upload(text_, ANA)
        assert [(p.name, p.bot, p.holder) for p in replay.players] == [
            ("Ana", None, None),
            ("Ben", "club", None),
        ]
        assert await service_.record(replay.id) == text_


async def test_records_that_are_refused(tmp_path: object) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as service_:
        table = await service_.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        await play(service_, table, random.Random(6), 9)
        partial = await service_.record(table.id, 0)
        running = records.write(table.game, date="2026-03-01", players=[("Ana", None), ("Ben", None)])
        for bad in ("", "\0", "hello", partial, running, partial[:200]):
            with pytest.raises(BadRecord, match="line"):
                await service_.making.upload(bad, BEN)
        assert await service_.tables_of(BEN) == []


async def test_exploring_goes_on_from_any_moment(database: str) -> None:
    async with finished(database, races=1) as (service_, table):
        log = table.game.log
        stored = await service_.store.load(table.id)
        assert stored is not None
        starts = sorted({row.decision for row in stored.events})
        for entry in range(0, len(log), 5):
            if entry > max(i for i, line in enumerate(log) if line.by != CHANCE) - 4:
                break
            new = await service_.making.explore(table.id, entry, 1, BEN)
            length = len(new.game.log)
            assert new.game.log == log[:length]
            assert new.kind.explored and new.origin == f"{table.id}/{length}"
            assert new.decision in starts or new.decision == len(log)
            assert new.awaited() and new.players_of(BEN) == [1]
            assert new.players[0].bot == levels(table.title)[-1].name, "the strongest plays for people"
            # At the moment itself, or at the beginning of the decision it is in, or after the deal.
            assert length == max([start for start in starts if start <= entry and start], default=length)
            with pytest.raises(Forbidden):
                await service_.submit(new.id, ANA, 0, "7", new.decision, "k")


async def test_a_long_past_is_explored_in_a_worker_and_a_short_one_in_a_thread(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[bool]()

    async def run(_workers: object, long: bool, work: Callable[..., Any], *args: Any) -> Any:
        asked.append(long)
        return work(*args)

    async with finished(database, races=1) as (service_, table):
        monkeypatch.setattr(replaying, "run", run)
        new = await service_.making.explore(table.id, 60, 0, ANA)
        for longest in (len(new.game.log), len(new.game.log) - 1):
            monkeypatch.setattr(making, "LONG_LOG", longest)
            assert (await service_.making.explore(table.id, 60, 0, ANA)).game.log == new.game.log
        assert asked == [False, False, True]


async def test_another_game_is_played_by_todays_rules_if_they_have_its_options(database: str) -> None:
    """LX-5.2 what began by revision 1 of the rules is played on as it was then: only the first 3 draft."""
    options = {"drivers": 4, "races": 1, "special_drafting": "yes"}
    async with service(database) as service_:
        old = await service_.making.create("lacorsa", options, ["me"] * 4, holder=ANA)
        lacorsa, began, all_draft = old.title, replace(old.title, revision=1), old.options.text
        found, now = making.today(old)
        assert found is lacorsa and now is old.options
        old.title = began
        found, now = making.today(old)
        assert found is lacorsa and "one_draft" in now.text and now.text != all_draft
        old.options = title("rasant").options.read({})
        assert making.today(old) == (began, old.options), "today's rules do not know such options"


async def test_explorations_that_are_refused(tmp_path: object) -> None:
    async with finished(f"sqlite:///{tmp_path}/p.db", races=1) as (service_, table):
        for entry in (-1, len(table.game.log), 10**9):
            with pytest.raises(BadOption):
                await service_.making.explore(table.id, entry, 0, ANA)
        for player in (-1, 2):
            with pytest.raises(BadOption):
                await service_.making.explore(table.id, 60, player, ANA)
        running = await service_.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        with pytest.raises(Forbidden, match="still running"):
            await service_.making.explore(running.id, 60, 0, ANA)


async def test_an_exploration_is_played_on(database: str) -> None:
    async with finished(database, races=1) as (service_, table):
        new = await service_.making.explore(table.id, 60, 0, ANA, "instant")
        choose = random.Random(1)
        service_.start_bots()
        async with service_.streams.watch(new.id) as changed:
            while not new.game.over:
                assert new.stalled is None
                if new.awaited() == [0]:
                    await service_.submit(
                        new.id, ANA, *someone(new, choose), new.decision, str(choose.random())
                    )
                else:
                    await changed(PATIENCE_S)


async def test_a_moment_of_the_past(database: str) -> None:
    async with finished(database, races=1) as (_service, table):
        middle = table.at(70)
        assert middle.log == table.game.log[:70] and not middle.over
        assert table.at(len(table.game.log)).position == table.game.position


# Logs that are not what was played

Tamper = Callable[[Store, str], Awaitable[None]]


async def another_move(store: Store, id: str) -> None:
    """Swap two cards of the deal: a legal log of another game."""
    stored = await store.load(id)
    assert stored is not None
    first = stored.events[20]
    other = next(row for row in stored.events[39:52] if row.what != first.what)
    await execute(
        store,
        update(events).where(events.c.seq == first.seq).values(what=other.what),
        update(events).where(events.c.seq == other.seq).values(what=first.what),
    )


async def an_impossible_entry(store: Store, id: str) -> None:
    await execute(store, update(events).where(events.c.seq == 60).values(what=77, by=9))


async def another_digest(store: Store, id: str) -> None:
    await execute(store, update(events).where(events.c.seq == 60).values(digest=events.c.digest + 1))


async def a_hole(store: Store, id: str) -> None:
    await execute(store, delete(events).where(events.c.seq == 60))


async def a_missing_end(store: Store, id: str) -> None:
    await execute(store, delete(events).where(events.c.seq >= 60))


@pytest.mark.parametrize(
    ("tamper", "where"),
    [(another_move, 20), (an_impossible_entry, 60), (another_digest, 60), (a_hole, 60), (a_missing_end, 60)],
)
async def test_a_log_that_is_not_what_was_played_freezes(database: str, tamper: Tamper, where: int) -> None:
    async with service(database) as service_:
        table = await service_.making.create("lacorsa", TWO, ["me", "club"], holder=ANA)
        while len(table.game.log) < 66:
            seat, move = someone(table, random.Random(len(table.game.log)))
            await decide(service_, table, seat, move)
        whole = table.game.log
        stored = await service_.store.load(table.id)
        assert stored is not None
        sound = max(row.decision for row in stored.events if row.decision <= where)
        await tamper(service_.store, table.id)
    async with service(database) as service_:
        service_.start_bots()
        table = await service_.table(table.id)
        assert table.frozen is not None and "cannot go on" in table.frozen
        assert table.game.log == whole[:sound] and not table.running and table.awaited() == []
        record = records.read(await service_.record(table.id, 0))
        assert sum(len(line.whats) for line in record.lines) == sound
        assert repr(table.view(None)) and repr(table.view(0)) and table.moves(0) == []
        with pytest.raises(Frozen, match="cannot go on"):
            await service_.submit(table.id, ANA, 0, "7", table.decision, "k")


async def test_an_impossible_commitment_freezes(database: str) -> None:
    async with service(database) as service_:
        table = await service_.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        move = dict(table.moves(0))[0][0][1]
        await service_.submit(table.id, ANA, 0, move, table.decision, "k")
        held = {id for id, _notation, _label in dict(table.moves(0)).get(0, [])}
        assert not held  # it is committed
        await execute(service_.store, update(pending).values(move=54))
    async with service(database) as service_:
        table = await service_.table(table.id)
        assert table.frozen is not None and "commitment" in table.frozen
        assert table.pending == {} and repr(table.view(0))


@pytest.mark.parametrize("revision", [0, 99])
async def test_a_table_of_an_unknown_revision_of_the_rules_freezes(database: str, revision: int) -> None:
    async with finished(database, races=1) as (service_, table):
        await execute(service_.store, update(tables).values(revision=revision))
    async with service(database) as service_:
        frozen = (await service_.table(table.id)).frozen
        assert frozen is not None and f"revision {revision} of the rules" in frozen


@pytest.mark.parametrize("options", ["nonsense", "drivers=2 races=x", "", "drivers=5 races=2"])
async def test_damaged_options_freeze(database: str, options: str) -> None:
    async with finished(database, races=1) as (service_, table):
        await execute(service_.store, update(tables).values(options=options))
    async with service(database) as service_:
        table = await service_.table(table.id)
        assert table.frozen is not None and "cannot go on" in table.frozen
        assert len(table.players) == table.options.players == 2 and repr(table.view(0))
        assert not records.read(await service_.record(table.id, 0)).lines
        await service_.engine.refresh(await service_.registry.find(table.id))
        with pytest.raises(Frozen):
            await service_.run(table.id, hosting.set_bot, ANA, 1, "club")


async def test_talk_at_a_frozen_table_leaves_what_its_log_says(database: str) -> None:
    """Its log cannot be read, so nothing about it may be written down: an older version can go on."""
    async with service(database) as service_:
        table = await service_.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        await play(service_, table, random.Random(6), 9)
        stands = facts(table)
        await execute(service_.store, update(tables).values(revision=99))
    async with service(database) as service_:
        before = await service_.store.load(table.id)
        await service_.run(table.id, talk.say, ANA, 0, "what now?")
        after = await service_.store.load(table.id)
        assert before is not None and after is not None and len(after.talk) == len(before.talk) + 1
        assert after.table.length == before.table.length and after.table.awaits == before.table.awaits
        await execute(service_.store, update(tables).values(revision=table.title.revision))
    async with service(database) as service_:
        assert facts(await service_.table(table.id)) == stands


async def test_a_log_broken_by_another_server_freezes_while_it_is_open(database: str) -> None:
    async with service(database) as one, service(database, Seeded(9)) as two:
        table = await one.making.create("lacorsa", TWO, ["me", "me"], holder=ANA)
        await play(one, table, random.Random(2), 4)
        stale = await two.table(table.id)
        length = len(table.game.log)
        choose = random.Random(3)
        while len(table.game.log) == length:
            await play(one, table, choose, 1)
        await execute(one.store, text("UPDATE events SET digest = digest + 1"))
        seat, move = someone(stale, choose)
        with pytest.raises(Frozen):
            await two.submit(table.id, ANA, seat, move, length, "k")
        assert stale.frozen is not None and len(stale.game.log) == length
