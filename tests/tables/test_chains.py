"""Chains of moves in one submission. In LACORSA: a 3 that drafts, and a stop with its card."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import paddock
from paddock.core.errors import BadMove, IllegalMove
from paddock.core.title import Dropped, Order, Preview, Seen
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.store import Stored
from paddock.tables import Forbidden, Table, Tables, orders, undo
from paddock.tables.fold import UNDO
from tables.clockwork import HandRuntime, friends, play_on, until
from tables.harness import ANA, CountedRuntime, Monkeys, facts, service

pytestmark = pytest.mark.anyio
GRID = {"large_grid": True, "pit_draw": "choose"}
_key = iter(range(10**9))


def notations(table: Table) -> list[str]:
    """Return the moves of the only seat that decides; empty if several do."""
    if len(table.game.deciders) != 1:
        return []
    return [str(move) for move in table.game.legal(table.game.deciders[0])]


def opens(table: Table, link: str) -> bool:
    """Whether the car that decides can start a chain with this link."""
    if link not in notations(table):
        return False
    (seat,) = table.game.deciders
    return not table.game.seen(1 << seat).preview([link]).ended


async def reach(tables: Tables, link: str, **agreed: object) -> tuple[Table, int]:
    """Return a table where one car can start a chain with this link, and that car."""
    for seed in range(20):
        table = await friends(tables, 4, **GRID, **agreed)
        await play_on(tables, table, lambda t=table: opens(t, link) or t.game.over, seed)
        if not table.game.over:
            return table, table.game.deciders[0]
    raise AssertionError(f"nobody may begin with {link}")


async def send(tables: Tables, table: Table, seat: int, *moves: str, **more: Any) -> str:
    holder = table.players[table.options.owners[seat]].holder
    words = {"decision": table.decision, "key": f"chain{next(_key)}", **more}
    return (await tables.submit(table.id, holder, seat, moves, words["decision"], words["key"])).status


async def stored(tables: Tables, table: Table) -> Stored:
    found = await tables.store.load(table.id)
    assert found is not None
    return found


async def test_a_chain_is_one_submission(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table, seat = await reach(tables, "pit", clock="600+10")
        owner, start, told = table.players[seat], table.decision, len(table.game.events)
        runtime.time += 5
        left = owner.bank_ms
        assert left is not None
        card = str(table.game.seen(1 << seat).preview(["pit"]).legal[0])
        take = str(table.title.text.move(table.game.setup, int(card)))
        answer = await tables.submit(table.id, owner.holder, seat, ["pit", take], start, "k")
        assert (answer.status, answer.sentence) == ("played", f"Played: pit; {take}.")
        assert await tables.submit(table.id, owner.holder, seat, ["pit", take], start, "k") == answer
        assert [(e.by, e.linked) for e in table.game.log[start:]][:3] == [
            (seat, False),
            (seat, True),
            (CHANCE, False),
        ]
        assert len(table.game.events) > told + 1
        assert table.players[seat].bank_ms == left + 10_000 - 5_000, "one increment for both"
        rows = (await stored(tables, table)).events[start:]
        assert {row.decision for row in rows} == {start} and len(rows) == len(table.game.log) - start
        assert [bool(row.digest) for row in rows] == [False] * (len(rows) - 1) + [True]
        assert [row.linked for row in rows[:2]] == [False, True]
        stands = facts(table)
    async with service(database, Seeded(7), runtime) as tables:
        again = await tables.table(table.id)
        assert (
            facts(again) == stands and again.game.log == table.game.log and again.decision == table.decision
        )


async def test_a_chain_is_refused_whole(database: str) -> None:
    async with service(database) as tables:
        table, seat = await reach(tables, "pit")
        stands, rows = facts(table), await stored(tables, table)
        pile = table.game.view().discard
        missing = next(kind for kind in range(1, 13) if not pile[kind])
        for moves, error, words in (
            (["pit", f"take {missing}"], IllegalMove, "LX-2.1"),
            (["pit", "pit"], IllegalMove, "LX-2"),
            (["pit", "banana"], BadMove, "banana"),
            (["banana", "pit"], BadMove, "banana"),
            ([], BadMove, "1 to 100 moves"),
            (["pit"] * 101, BadMove, "1 to 100 moves"),
        ):
            with pytest.raises(error, match=words):
                await send(tables, table, seat, *moves, key="k")
            assert facts(table) == stands and await stored(tables, table) == rows
        assert await send(tables, table, seat, "pit", key="k") == "played", "a refused key is not used up"
        table, seat = await reach(tables, "^3")
        stands = facts(table)
        for more in (["stop", "stop"], ["attack", "7"]):
            with pytest.raises(BadMove, match="the chain ends with move 2"):
                await send(tables, table, seat, "^3", *more)
            assert facts(table) == stands


async def test_a_submission_may_stop_after_any_link(database: str) -> None:
    async with service(database) as tables:
        table, seat = await reach(tables, "^3")
        start = table.decision
        assert await send(tables, table, seat, "^3") == "played"
        assert table.game.deciders == (seat,) and table.decision == start + 1
        assert await send(tables, table, seat, "stop") == "played"
        rows = (await stored(tables, table)).events[start : start + 2]
        assert [(row.decision, row.linked) for row in rows] == [(start, False), (start + 1, False)]


async def test_a_late_chain_changes_nothing(database: str) -> None:
    async with service(database) as tables:
        table, seat = await reach(tables, "^3")
        stands = facts(table)
        assert await send(tables, table, seat, "^3", "stop", decision=table.decision - 1) == "late"
        assert facts(table) == stands


async def test_where_several_decide_each_has_a_single_move(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 4, **GRID)
        stands = facts(table)
        move = dict(table.moves(0))[0][0][1]
        for links in ([move, move], [move, "stop"]):
            with pytest.raises(
                BadMove, match="several seats decide here at the same time: send a single move"
            ):
                await send(tables, table, 0, *links)
        assert facts(table) == stands and not table.pending
        assert await send(tables, table, 0, move) == "committed"


async def test_a_chain_is_taken_back_whole(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table, seat = await reach(tables, "^3")
        start, before = table.decision, table.game.position
        await send(tables, table, seat, "^3", "stop")
        owner = table.players[seat]
        assert await tables.run(table.id, undo.request, owner.holder) == "asked"
        assert table.undo is not None and table.undo.rows == start
        for player in table.players:
            if player is not owner:
                await tables.run(table.id, undo.agree, player.holder)
        assert len(table.game.log) == start and table.game.position == before
        assert (await stored(tables, table)).events[-1].by == UNDO
        # Link by link it is two steps.
        await send(tables, table, seat, "^3")
        await send(tables, table, seat, "stop")
        await tables.run(table.id, undo.request, owner.holder)
        assert table.undo is not None and table.undo.rows == start + 1
        stands = facts(table)
    async with service(database, Seeded(7), runtime) as tables:
        again = await tables.table(table.id)
        assert again.frozen is None and facts(again) == stands


async def test_a_move_of_the_past_is_explored_before_its_chain(database: str) -> None:
    async with service(database) as tables:
        table, seat = await reach(tables, "^3")
        start = table.decision
        await send(tables, table, seat, "^3", "stop")
        await play_on(tables, table, lambda: table.game.over)
        for entry in (start, start + 1):
            new = await tables.making.explore(table.id, entry, 0, ANA)
            assert len(new.game.log) == start and new.game.log == table.game.log[:start]


async def test_an_uploaded_record_keeps_what_came_together(database: str) -> None:
    async with service(database) as tables:
        table, seat = await reach(tables, "^3")
        start = table.decision
        await send(tables, table, seat, "^3", "stop")
        await play_on(tables, table, lambda: table.game.over)
        copy = await tables.making.upload(await tables.record(table.id), ANA)
        assert copy.game.log == table.game.log and copy.game.log[start + 1].linked
        of_log = [(row.by, row.what, row.decision, row.linked) for row in (await stored(tables, copy)).events]
        assert of_log == [(r.by, r.what, r.decision, r.linked) for r in (await stored(tables, table)).events]


# Who moves by itself


class Chainers(Monkeys):
    """Bots that start a chain whenever they can, and record what they were asked."""

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        move = await super().choose(level, seen, seat, legal, seed)
        for link in ("^3", "pit"):
            id = seen.title.text.parse_move(seen.setup, link).id
            if id in legal and len(seen.deciders) == 1:
                return int(id)
        return move


async def test_a_bot_goes_on_while_the_chain_is_open(database: str) -> None:
    runtime, bots = CountedRuntime(), Chainers()
    async with service(database, Seeded(5), runtime, bots) as tables:
        tables.start_bots()
        options = {"drivers": 4, "races": 1, **GRID}
        table = await tables.making.create("lacorsa", options, ["club"] * 4, holder=ANA)
        await until(lambda: table.game.over or table.stalled is not None)
        assert table.stalled is None
        log = table.game.log
        moves = [entry for entry in log if entry.by != CHANCE]
        linked = [i for i, entry in enumerate(log) if entry.linked]
        assert len(linked) > 3
        assert len(runtime.paused) == len(moves) - len(linked), "one pause for a chain"
        assert len(bots.asked) == len(moves)
    for i in linked:  # the second link was chosen from what the seat saw after the first
        seat, before = log[i].by, table.at(i - 1).seen(1 << log[i].by)
        after = before.preview([log[i - 1].what], seat)
        assert any(
            (seen.state, legal) == (after.seen.state, after.legal)
            for _l, seen, s, legal in bots.asked
            if s == seat
        )


class Stops:
    """Standing orders: pit, and take a card of this rank, or any."""

    def parse(self, text: str) -> Order:
        return Order(text, text)

    def describe(self, seen: Seen, seat: int) -> list[Order]:
        return [Order("pit", "pit"), Order("take", "take")]

    def answer(self, seen: Seen, seat: int, text: str) -> int | Dropped | None:
        wanted = [id for id in seen.legal(seat) if str(seen.title.text.move(seen.setup, id)).startswith(text)]
        return wanted[0] if wanted else None


@pytest.mark.parametrize("texts", [("pit", "take"), ("pit",)])
async def test_orders_go_on_while_the_chain_is_open(
    database: str, monkeypatch: pytest.MonkeyPatch, texts: tuple[str, ...]
) -> None:
    title = paddock.title("lacorsa")
    assert title.orders
    monkeypatch.setitem(title.__dict__, "orders", Stops())
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        tables.start_bots()
        table, seat = await reach(tables, "pit")
        start = table.decision
        for text in texts:
            await tables.run(table.id, orders.give, table.players[seat].holder, seat, text)
        await runtime.let(tables, 0.5)
        assert table.decision == start, "not at once"
        await runtime.let(tables, 2)
        entries = table.game.log[start:]
        together = [entry.linked for entry in entries if entry.by == seat]
        assert together[: len(texts)] == [False, True][: len(texts)]
        assert len(runtime.paused) == 1


# Looking ahead


async def test_a_preview_plays_nothing(database: str) -> None:
    async with service(database) as tables:
        table, seat = await reach(tables, "^3")
        holder = table.players[seat].holder
        stands, rows = facts(table), await stored(tables, table)
        async with tables.streams.watch(table.id) as changed:
            here = await tables.preview(table.id, holder, seat, [])
            next_ = await tables.preview(table.id, holder, seat, ["^3"])
            end = await tables.preview(table.id, holder, seat, ["^3", "stop"])
            for bad in (["^3", "7"], ["banana"], ["^3", "stop", "stop"]):
                with pytest.raises((BadMove, IllegalMove)):
                    await tables.preview(table.id, holder, seat, bad)
            assert not await changed(0.01)
        assert facts(table) == stands and await stored(tables, table) == rows
        assert names(here) == notations(table) and names(next_) == ["attack", "stop"]
        assert (here.ended, next_.ended, end.ended) == (False, False, True) and end.legal == ()
        assert next_.seen.eyes == table.options.eyes(seat)
        await send(tables, table, seat, "^3")
        assert next_.seen.state == table.seen(seat).state
        other = (seat + 1) % 4
        with pytest.raises(BadMove, match="nothing to decide"):
            await tables.preview(table.id, table.players[other].holder, other, [])
        with pytest.raises(Forbidden):
            await tables.preview(table.id, holder, other, [])


def names(preview: Preview) -> list[str]:
    return [str(preview.seen.title.text.move(preview.seen.setup, id)) for id in preview.legal]


async def test_a_preview_leaves_the_own_commitment_out(database: str) -> None:
    """The commitment can still be changed."""
    async with service(database) as tables:
        table = await friends(tables, 4, **GRID)
        holder = table.players[0].holder
        before = await tables.preview(table.id, holder, 0, [])
        await send(tables, table, 0, names(before)[0])
        again = await tables.preview(table.id, holder, 0, [])
        assert names(again) == names(before) and again.seen.state == before.seen.state
        assert (await tables.preview(table.id, holder, 0, names(before)[:1])).ended


async def test_random_chains_lead_to_the_same_games(database: str) -> None:
    """However moves are submitted: each link is legal, and the log gives the same game."""
    async with service(database, Seeded(7)) as tables:
        table, choose = await friends(tables, 4, **GRID, races=3), random.Random(3)
        linked = 0
        while not table.game.over:
            seat = choose.choice(table.awaited_seats())
            holder = table.players[table.options.owners[seat]].holder
            links: list[str] = []
            while not links or choose.random() < 0.8:
                found = await tables.preview(table.id, holder, seat, links)
                if found.ended:
                    break
                links.append(choose.choice(names(found)))
            linked += len(links) - 1
            assert await send(tables, table, seat, *links) in ("played", "committed")
    assert linked > 3 and sum(entry.linked for entry in table.game.log) == linked
    game = paddock.start("lacorsa", seed=7, **table.options.model_dump())
    while not game.over:
        entry = table.game.log[len(game.log)]
        game.play(entry.by, entry.what)
    assert [(e.by, e.what) for e in game.log] == [(e.by, e.what) for e in table.game.log]
