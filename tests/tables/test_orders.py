"""Standing orders of LACORSA: visible to their owner only, carried out at the pace of a bot."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.core.errors import BadMove
from paddock.core.game import Game
from paddock.core.i18n import Sentence
from paddock.core.title import Dropped, Order
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.tables import Forbidden, Table, Terms, forced, orders, undo
from tables.clockwork import HandRuntime, friends, play, play_on, quiet, road, until
from tables.harness import ANA, BEN, alter, service

pytestmark = pytest.mark.anyio
ROOM = paddock.title("lacorsa").orders
assert ROOM


def at(phase: str, seed: int = 3, **options: object) -> Game:
    """Play a game at random until it is in a phase."""
    game, choose = paddock.start("lacorsa", seed=seed, races=1, **options), random.Random(seed)
    while game.view().phase != phase:
        seat = game.deciders[0]
        game.play(seat, choose.choice(game.legal(seat).ids))
    return game


# What the title says


def test_orders_parse_back() -> None:
    for game in (at("road"), at("challenge", double_redline="void")):
        for seat in range(4):
            for order in ROOM.describe(game.seen(1 << seat), seat):
                assert ROOM.parse(order.text) == order and order.label and ";" not in order.text


@pytest.mark.parametrize(
    "bad", ["", "defend", "defend 13", "defend x7", "defend ^2", "discard 7", "7", "d" * 99]
)
def test_what_is_no_order(bad: str) -> None:
    with pytest.raises(BadMove, match="not an order"):
        ROOM.parse(bad)


def test_every_play_of_the_hand_can_defend() -> None:
    game = at("challenge")
    (attacker, defender) = (game.view().turn, game.view().defender)
    for seat in (attacker, defender):
        texts = [order.text for order in ROOM.describe(game.seen(1 << seat), seat)]
        assert texts[0] == "discard lowest"
        assert {f"defend {move}" for move in game.legal(seat)} == set(texts[1:])
    assert ROOM.describe(at("qualify").seen(1), 0) == []


def test_an_order_answers_where_it_is_meant() -> None:
    game = at("challenge")
    attacker, defender = game.view().turn, game.view().defender
    for move in game.legal(defender):
        assert ROOM.answer(game.seen(1 << defender), defender, f"defend {move}") == move.id
    for move in game.legal(attacker):  # a challenge is not a defence
        assert ROOM.answer(game.seen(1 << attacker), attacker, f"defend {move}") is None
    assert ROOM.answer(game.seen(1 << defender), defender, "discard lowest") is None
    game = at("road")
    (seat,) = game.deciders
    seen = game.seen(1 << seat)
    ranks = [car.kind for car in game.view(seat).cars[seat].hand if car.kind]
    move = ROOM.answer(seen, seat, "discard lowest")
    assert isinstance(move, int) and str(game.title.text.move(game.setup, move)) == f"x{min(ranks)}"
    assert all(ROOM.answer(seen, seat, o.text) is None for o in ROOM.describe(seen, seat)[1:])


def test_an_order_that_does_not_fit_is_dropped_with_its_reason() -> None:
    game = at("road")
    (seat,) = game.deciders
    seen = game.seen(1 << seat)
    held = {car.kind for car in game.view(seat).cars[seat].hand}
    missing = next(kind for kind in range(1, 13) if kind not in held)
    found = ROOM.answer(seen, seat, f"defend {missing}")
    assert isinstance(found, Dropped) and str(found.reason) == "the hand no longer holds these cards"
    assert isinstance(ROOM.answer(at("qualify").seen(1), 0, "discard lowest"), Dropped)
    over = at("over")
    assert isinstance(ROOM.answer(over.seen(1), 0, "discard lowest"), Dropped)


def test_an_order_knows_only_what_its_owner_sees() -> None:
    """After a redeal of what the owner cannot know, every order answers the same."""
    for seed in range(20):
        game, choose = paddock.start("lacorsa", seed=seed, races=1), random.Random(seed)
        rng, out = Seeded(seed), [0] * 64
        while not game.over:
            for seat in range(4):
                seen = game.seen(1 << seat)
                twin = game.seen(1 << seat)
                game.title.rules.redeal(twin.state, twin.setup, 1 << seat, rng.rng, out)
                game.title.rules.hide(twin.state, twin.setup, 1 << seat)
                for order in ROOM.describe(seen, seat):
                    assert ROOM.answer(seen, seat, order.text) == ROOM.answer(twin, seat, order.text)
            seat = game.deciders[0]
            game.play(seat, choose.choice(game.legal(seat).ids))


# At a table


async def road_table(tables, **agreed) -> tuple[Table, int]:
    """Return a table where one car has a free road, and that car."""
    table = await friends(tables, 4, **agreed)
    await play_on(tables, table, lambda: road(table))
    return table, table.game.deciders[0]


async def test_an_order_answers_at_the_pace_of_a_bot(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table, seat = await road_table(tables, pace="instant")
        holder, decision = table.players[seat].holder, table.decision
        order = await tables.run(table.id, orders.give, holder, seat, "discard lowest")
        assert isinstance(order, Order) and orders.given(table, seat) == [order]
        await quiet(tables)
        assert table.decision == decision, "never at once, though bots are at this table"
        await runtime.let(tables, 0.5)
        assert table.decision == decision
        await runtime.let(tables, 2)
        assert table.decision > decision
        answered = (await tables.store.decided(table.id))[1]
        assert (seat, decision) in answered, "it is a decision of the person"
        entry = next(e for e in table.game.log[decision:] if e.by != CHANCE)
        assert entry.by == seat and str(table.title.text.move(table.game.setup, entry.what)).startswith("x")
        assert len(runtime.paused) == 1 and orders.given(table, seat) == [order], "it stands"


async def test_orders_are_their_owners_alone(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        table, seat = await road_table(tables)
        mine, other = table.players[seat].holder, (seat + 1) % 4

        async def public() -> list[object]:
            eyes = [player for player in (None, 0, 1, 2, 3) if player != seat]
            return [
                (
                    repr(table.view(p)),
                    table.moves(p) if p is not None else None,
                    await tables.record(table.id, p),
                )
                for p in eyes
            ] + [table.talk, table.touched_at, table.decision]

        before = await public()
        async with (
            tables.streams.watch(table.id, table.players[other].holder) as theirs,
            tables.streams.watch(table.id) as spectator,
            tables.streams.watch(table.id, mine) as own,
        ):
            await tables.run(table.id, orders.give, mine, seat, "discard lowest")
            assert await own(1)
            await tables.run(table.id, orders.cancel, mine, seat)
            assert await own(1)
            assert not await theirs(0.01) and not await spectator(0.01)
        assert await public() == before
        for wrong in (table.players[other].holder, "e" * 64, None):
            with pytest.raises(Forbidden):
                await tables.run(table.id, orders.give, wrong, seat, "discard lowest")
            with pytest.raises(Forbidden):
                await tables.run(table.id, orders.cancel, wrong, seat)


async def test_the_only_move_is_played_at_the_pace_of_a_bot_and_all_else_is_asked(database: str) -> None:
    """The order that every title has. It lasts for the whole match: Rasant's own end with a round."""
    runtime, choose, made = HandRuntime(), random.Random(5), 0
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        options = {"players": 2, "deck": "r10-130 g10-130 k30 k90", "games": 2}
        table = await tables.making.create(
            "rasant", options, ["me", "me"], holder=ANA, terms=Terms(pace="instant")
        )
        order = await tables.run(table.id, orders.give, ANA, 0, " only  move ")
        assert (order.text, orders.given(table, 0)) == (orders.ONLY, [order])
        while not table.game.over:
            (seat,), decision = table.game.deciders, table.decision
            legal, public = list(table.game.legal(seat).ids), forced.of(table, seat)
            await runtime.let(tables, 0.5)
            if public:
                assert table.decision > decision, "that it is the only one is no secret"
                continue
            assert table.decision == decision, "never at once"
            await runtime.let(tables, 9)
            if seat == 0 and len(legal) == 1:
                made += 1
                entry = next(e for e in table.game.log[decision:] if e.by != CHANCE)
                assert (entry.by, entry.what) == (0, legal[0])
            else:
                assert table.decision == decision
                move = table.title.text.move(table.game.setup, choose.choice(legal))
                await play(tables, table, seat, str(move))
        assert made
        await quiet(tables)
        assert not orders.given(table, 0) and not orders.dropped(table, 0), "it ends without a word"


async def test_a_cancelled_order_does_not_answer(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table, seat = await road_table(tables)
        holder, decision = table.players[seat].holder, table.decision
        await tables.run(table.id, orders.give, holder, seat, "discard lowest")
        await runtime.let(tables, 0.3)
        await tables.run(table.id, orders.cancel, holder, seat, "discard lowest")
        await runtime.let(tables, 100)
        assert table.decision == decision and orders.given(table, seat) == []
        # One who is quicker than the own order decides.
        await tables.run(table.id, orders.give, holder, seat, "discard lowest")
        move = next(n for _i, n, _l in dict(table.moves(seat))[seat] if n != "x1")
        await play(tables, table, seat, move)
        after = [entry for entry in table.game.log[decision:] if entry.by == seat]
        assert str(table.title.text.move(table.game.setup, after[0].what)) == move


async def test_what_cannot_be_ordered(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "MOST", 3)
    async with service(database) as tables:
        table = await friends(tables, 4)
        with pytest.raises(BadMove, match="not possible now"):  # before the grid is drawn up
            await tables.run(table.id, orders.give, ANA, 0, "discard lowest")
        await play_on(tables, table, lambda: road(table))
        held = {int(kind) for kind in range(13) if table.game.seen(1).state.hand[0, kind]}
        missing = next(kind for kind in range(1, 13) if kind not in held)
        for bad in ("banana", f"defend {missing}", "discard lowest\n# lies"):
            with pytest.raises(BadMove):
                await tables.run(table.id, orders.give, ANA, 0, bad)
        assert table.orders == {}
        offered = orders.offered(table, 0)
        for order in offered[:3]:
            await tables.run(table.id, orders.give, ANA, 0, order.text)
        assert orders.given(table, 0) == offered[:3]
        assert [o.text for o in orders.offered(table, 0)] == [o.text for o in offered[3:]]
        with pytest.raises(BadMove, match="at most"):
            await tables.run(table.id, orders.give, ANA, 0, offered[3].text)
        await tables.run(table.id, orders.give, ANA, 0, offered[0].text)  # it has this one
        await tables.run(table.id, orders.cancel, ANA, 0, offered[0].text)
        assert orders.given(table, 0) == offered[1:3]


async def test_orders_are_durable_and_dropped_with_a_reason(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, Seeded(7), runtime) as tables:
        table = await friends(tables, 4, races=2)
        await play_on(tables, table, lambda: road(table))
        for seat in range(4):
            order = orders.offered(table, seat)[-1]
            await tables.run(table.id, orders.give, table.players[seat].holder, seat, order.text)
        before = dict(table.orders)
    async with service(database, Seeded(7), runtime) as tables:
        table = await tables.table(table.id)
        assert table.orders == before
        await play_on(tables, table, lambda: len(table.game.rounds) == 1)
        tables.start_bots()
        await quiet(tables)
        for seat in range(4):
            assert orders.given(table, seat) == []
            (reason,) = orders.dropped(table, seat)
            assert "was dropped: the race" in reason
        await tables.run(table.id, orders.cancel, BEN, 1)
        assert orders.dropped(table, 1) == [] and orders.dropped(table, 2)
    async with service(database, Seeded(7), runtime) as tables:
        assert orders.dropped(await tables.table(table.id), 2)


async def test_what_was_dropped_for_a_move_stands_again_when_it_is_taken_back(database: str) -> None:
    """In its old place. What was dropped before that move stays dropped, though it would apply again."""
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table, seat = await road_table(tables)
        holder, length = table.players[seat].holder, len(table.game.log)
        hand = table.game.seen(1 << seat).state.hand
        gone, *others = [kind for kind in range(1, 13) if hand[seat, kind] == 1]
        first, old, last = [f"defend {kind}" for kind in (gone, *others[:2])]
        why = Sentence(orders.DROPPED, order=old, reason="", since=length).dump()
        given = {seat: f"{first}\n{orders.MARK}{why}\n{last}"}
        await tables.run(table.id, alter, orders=given)
        await play(tables, table, seat, f"x{gone}")
        await until(lambda: len(orders.dropped(table, seat)) == 2)
        await tables.run(table.id, undo.request, holder)
        for other in table.players:
            if other.index != seat:
                await tables.run(table.id, undo.agree, other.holder)
        assert len(table.game.log) == length and table.orders == given


async def test_an_order_comes_before_the_bot_that_stands_in(database: str) -> None:
    runtime = HandRuntime()
    async with service(database, runtime=runtime) as tables:
        tables.start_bots()
        table, seat = await road_table(tables, pace="human", grace=30)
        holder = table.players[seat].holder
        await runtime.let(tables, 30)  # nobody is here: a bot stands in
        assert table.players[seat].stand_in
        await tables.run(table.id, orders.give, holder, seat, "discard lowest")
        decision = table.decision
        await runtime.let(tables, 2)
        entry = next(e for e in table.game.log[decision:] if e.by == seat)
        assert str(table.title.text.move(table.game.setup, entry.what)).startswith("x")


async def test_an_order_whose_move_is_not_possible_leaves_the_answer_to_the_next_one(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database) as tables:
        table, seat = await road_table(tables)
        possible = table.game.legal(seat).ids[-1]
        moves = {"first": max(table.game.legal(seat).ids) + 1, "second": possible}
        monkeypatch.setattr(orders, "_order_move", lambda _title, _seen, _seat, line: moves[line])
        for given, found in (("first\nsecond", (possible,)), ("first", None)):
            table.orders = {seat: given}
            assert orders.answer(table, seat) == found
