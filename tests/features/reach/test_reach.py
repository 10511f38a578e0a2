"""Players who are away are called when it is their turn, as they asked, and nobody else is."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import event, func, select

from features.reach.reached import (
    SITE,
    Days,
    Ears,
    asks,
    calling,
    go,
    killed,
    opened,
    sender_of,
    settled,
    wishes_of,
)
from features.reach.reached import hook as hooked
from paddock.core import i18n
from paddock.core.errors import BadOption, PaddockError
from paddock.features.pairing.service import Pairing
from paddock.features.reach import push
from paddock.features.reach.calls import REMINDER, TURN
from paddock.features.reach.outside import Mail, Outside
from paddock.features.reach.rows import ChannelRow, asked_addresses, channels, outbox, reach, wanted
from paddock.features.reach.sender import AT_ONCE, CLAIM, OF_SLOW, SLOW, TRIES
from paddock.features.reach.store import TEST
from paddock.features.reach.ways.way import Sent
from paddock.features.reach.wishes import MOST, OPEN
from paddock.features.reach.words import Message
from paddock.store import Keeping, Store
from paddock.tables import NoTable, seats, turns
from paddock.tables.kept import KeptTables
from paddock.tables.live import TablePresence
from paddock.tables.upkeep import Retention
from store.databases import both, either
from tables.clockwork import CAT, PEOPLE, friends, play_on, road
from tables.harness import ANA, BEN, service
from tables.test_pulse import stand_still

MAILING = Outside(mail=Mail("smtp://mail.example", "p@club.example"))
pytestmark = pytest.mark.anyio
AWAY = 61.0  # seconds after which somebody who has looked counts as away


async def rows(store: Store, *of: Any) -> list[int]:
    """Return how many rows there are of each kind."""
    async with store._engine.connect() as connection:
        return [(await connection.execute(select(func.count()).select_from(one))).scalar_one() for one in of]


@either("who is called")
async def test_who_is_away_is_called_and_nobody_else(database: str) -> None:
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, ANA, BEN)
        table = await friends(tables, 3)
        await settled(tables)
        assert ears.told() == [("b", TURN)]  # Ana has made the table, and Cat wants no calls
        await go(tables, table, BEN, CAT)
        await runtime.let(tables, AWAY)
        assert ears.told() == []
        await go(tables, table, ANA)  # the cards are revealed
        asked = {holder[0] for holder in PEOPLE if asks(table, holder)} & {"a", "b"}
        await runtime.let(tables, 0)
        assert ears.told() == ([] if "b" not in asked else [("b", TURN)])  # Ben has been away for a minute
        await runtime.let(tables, AWAY)
        assert {who for who, _kind in ears.told()} == asked - {"b"}
        await runtime.let(tables, 3600)
        assert ears.told() == []


async def test_what_a_message_says_and_where_it_leads(database: str) -> None:
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, BEN)
        table = await friends(tables, 3, clock="7200+0")
        await settled(tables)
        await wishes_of(tables).keep(
            BEN, SITE, everywhere=True, zone="UTC", quiet_from=None, quiet_to=None, remind=3600
        )
        ((channel, said),) = ears.heard
        names = [player.name for player in table.players]
        assert (
            said.subject == "LACORSA: it is your turn"
            and said.text == f"{names[0]} and {names[2]} wait for you."
        )
        assert said.url == f"{SITE}/t/{table.id}" and said.waits == (names[0], names[2])
        assert channel.holder == BEN and said.deadline == runtime.now() + timedelta(hours=2)
        await runtime.let(tables, 3700)
        (_channel, reminded) = ears.heard[-1]
        assert reminded.kind == REMINDER and reminded.subject == "LACORSA: your clock runs out"
        assert reminded.text.startswith("1 hour left.") and reminded.id != said.id
        assert len(ears.heard) == 2


async def test_a_message_leads_to_the_address_that_the_operator_names(database: str) -> None:
    """Also where an older version has stored another one."""
    ears = Ears()
    async with calling(database, ears, outside=Outside(site="https://play.club.example")) as tables:
        await hooked(tables, BEN)
        table = await friends(tables, 2)
        await settled(tables)
        assert ears.heard[0][1].url == f"https://play.club.example/t/{table.id}"


async def test_a_message_is_in_the_language_of_its_reader(database: str, locale_of_pigs: str) -> None:
    ears = Ears()
    async with calling(database, ears) as tables:
        before = i18n.language.set("xx")
        await hooked(tables, BEN)
        i18n.language.reset(before)
        await friends(tables, 2)
        await settled(tables)
        assert ears.heard[0][1].subject == "LACORSA: oink"


@pytest.fixture
def locale_of_pigs(monkeypatch: pytest.MonkeyPatch) -> str:
    """A language in which every turn is an oink."""
    monkeypatch.setattr(
        "paddock.features.reach.words._",
        lambda text: "{title}: oink" if i18n.language.get() == "xx" and "your turn" in text else text,
    )
    return "xx"


async def test_no_turn_opens_where_an_order_answers(database: str) -> None:
    async with calling(database, Ears()) as tables:
        table = await friends(tables, 4)
        await play_on(tables, table, lambda: road(table) and any(asks(table, who) for who in PEOPLE))
        (seat,) = table.awaited_seats()
        holder, context = table.players[seat].holder, tables.engine.context(tables.registry._live[table.id])
        before, ordered, plain = table.copy(), table.copy(), table.copy()
        before.rows, ordered.orders = table.rows - 1, {seat: "discard lowest"}
        for one in (ordered, plain):
            one.callers = None
        assert turns.opened(before, ordered, context) == ()
        assert [turn.holder for turn in turns.opened(before, plain, context)] == [holder]
        assert [turn.holder for turn in turns.opened(ordered, plain, context)] == [holder]  # it was withdrawn
        assert turns.opened(plain, ordered, context) == ()
        plain.callers = frozenset(PEOPLE) - {holder}
        assert turns.opened(before, plain, context) == ()


async def test_whoever_looks_is_not_called_and_a_hidden_tab_does_not_look(database: str) -> None:
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, BEN)
        table = await friends(tables, 2)
        await tables.timers.seen(table.id, BEN)
        await settled(tables)
        ears.heard.clear()  # he was not there yet when he got his seat
        await go(tables, table, BEN)
        await go(tables, table, ANA)
        await play_on(tables, table, lambda: road(table) and asks(table, BEN))
        for _minute in range(3):
            await tables.timers.seen(table.id, BEN)  # the page is open, and asks now and then
            await runtime.let(tables, 50)
        assert ears.told() == []
        await tables.timers.seen(table.id, BEN, hidden=True)
        await runtime.let(tables, AWAY)
        assert ears.told() == [("b", TURN)]


def test_how_long_somebody_counts_as_there() -> None:
    presence = TablePresence(0.0, streams={"a": 1}, seen={"b": 5.0, "c": 5.0}, hidden={"c"})
    assert [presence.stays(who, 20.0, 60.0) for who in "abcd"] == [60.0, 45.0, 0.0, 0.0]
    assert presence.stays("b", 100.0, 60.0) == 0.0


@either("one or all")
async def test_one_table_all_tables_or_none(database: str) -> None:
    ears, runtime = Ears(), Days()
    said: dict[str, Any] = {"zone": "UTC", "quiet_from": None, "quiet_to": None, "remind": 0}
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, BEN)
        await wishes_of(tables).keep(BEN, SITE, everywhere=False, **said)
        one, other = [await friends(tables, 2) for _ in range(2)]
        await wishes_of(tables).want(BEN, SITE, one.id, True)
        for table in (one, other):
            await play_on(tables, table, lambda table=table: road(table) and asks(table, BEN))  # type: ignore[misc]
        await runtime.let(tables, AWAY)
        assert [message.table for _channel, message in ears.heard] == [one.id]
        await wishes_of(tables).keep(BEN, SITE, everywhere=True, **said)
        await wishes_of(tables).want(BEN, SITE, one.id, False)
        ears.heard.clear()
        for table in (one, other):
            decision = table.decision
            await play_on(
                tables,
                table,
                lambda table=table, d=decision: table.decision > d and road(table) and asks(table, BEN),  # type: ignore[misc]
            )
        await runtime.let(tables, AWAY)
        assert {message.table for _channel, message in ears.heard} == {other.id}
        assert (await wishes_of(tables).of(BEN, SITE)).wanted == {one.id: False}
        await wishes_of(tables).want(BEN, SITE, one.id, None)
        assert (await wishes_of(tables).of(BEN, SITE)).wanted == {}
        with pytest.raises(NoTable):
            await wishes_of(tables).want(BEN, SITE, "nowhere", True)


@either("read again")
async def test_a_table_is_read_again_only_if_it_calls_somebody_else(database: str) -> None:
    """Else whoever presses a switch again and again holds the moves of the others up."""
    said: dict[str, Any] = {"zone": "UTC", "quiet_from": None, "quiet_to": None}
    async with calling(database, Ears()) as tables:
        table = await friends(tables, 2)
        await settled(tables)
        wishes, grown = wishes_of(tables), []

        async def version() -> int:
            return (await tables.store.versions([table.id]))[table.id]

        before = await version()
        await hooked(tables, BEN)
        (channel,) = (await wishes.of(BEN, SITE)).channels
        for work in (
            wishes.want(BEN, SITE, table.id, True),
            wishes.keep(BEN, SITE, everywhere=False, remind=60, **said),
            wishes.add(BEN, SITE, "webhook", f"{SITE}/more"),
            wishes.want(BEN, SITE, table.id, False),
            wishes.want(BEN, SITE, table.id, False),
            wishes.keep(BEN, SITE, everywhere=True, remind=0, **said),
            wishes.want(BEN, SITE, table.id, None),
            wishes.drop(BEN, channel.id),
        ):
            grown.append(await version() - before)
            await work
        assert [*grown, await version() - before] == [1, 1, 1, 1, 2, 2, 2, 3, 3]


async def test_a_move_writes_nothing_for_those_who_want_no_calls(database: str) -> None:
    """Not even a statement: a table at which nobody wants to be called costs what it did before."""
    statements: list[str] = []
    async with calling(database, Ears()) as tables:
        table = await friends(tables, 2)
        await settled(tables)
        assert table.callers == frozenset()
        run = tables.store._writer._transactions

        def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
            statements.append(statement)

        event.listen(run.engine, "before_cursor_execute", note)
        await go(tables, table, ANA, BEN)
        event.remove(run.engine, "before_cursor_execute", note)
        assert statements and not any("outbox" in one or "reach" in one for one in statements)


async def test_a_seat_that_changes_hands_calls_its_new_owner(database: str) -> None:
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, BEN, CAT)
        table = await friends(tables, 2)
        await settled(tables)
        assert ears.told() == [("b", TURN)]
        secret = await tables.recovery(table.id, BEN, 1)
        await tables.run(table.id, seats.recover, secret, CAT)
        await settled(tables)
        assert ears.told() == [("c", TURN)]
        await play_on(tables, table, lambda: road(table) and asks(table, CAT))
        await runtime.let(tables, AWAY)
        assert {who for who, _kind in ears.told()} <= {"c"}


@either("days")
async def test_who_waited_over_days_is_called_when_the_game_begins(database: str) -> None:
    """With their page closed; whoever has come meanwhile is at the table."""
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, ANA, BEN)
        assert await tables.service(Pairing).join(ANA, "lacorsa", "days") is None
        table = await tables.service(Pairing).join(BEN, "lacorsa", "days")
        assert table and asks(table, ANA) and asks(table, BEN)
        (await tables.registry.find(table.id)).presence.seen[BEN] = runtime.elapsed()
        await runtime.let(tables, turns.ON_THE_WAY.total_seconds())
        assert ears.told() == [("a", TURN)]


async def test_what_a_killed_server_had_written_is_sent_by_the_next_one(database: str) -> None:
    """The message is in the transaction of the move: at no moment only one of them is stored."""
    lost = Ears(how=lambda: (False, Sent(False)))
    tables, _flaky = opened(database, lost, Days())
    tables.start_bots()
    await hooked(tables, BEN)
    table = await friends(tables, 2)
    await killed(tables)
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        await runtime.let(tables, CLAIM.total_seconds() + AWAY)
        assert [(channel.holder, message.table) for channel, message in ears.heard] == [(BEN, table.id)]
        assert await rows(tables.store, outbox) == [0]


async def test_a_server_that_stops_leaves_nobody_asking_whom_to_call(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question has a connection of the database, which is closed next."""
    async with calling(database, Ears(), Days()) as tables:
        table = await friends(tables, 2)
        await settled(tables)
        asked = asyncio.Event()

        async def callers(_id: str) -> None:
            asked.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(sender_of(tables)._store, "callers", callers)
        table.callers = None
        sender_of(tables).changed(await tables.registry.find(table.id), "")
        await asked.wait()
        (asking,) = sender_of(tables)._looking.values()
        await sender_of(tables).stop()
        assert asking.done()


async def test_a_receiver_that_is_gone_for_good_is_given_up_after_a_day(database: str) -> None:
    runtime = Days()
    tried: list[float] = []

    def how() -> tuple[bool, Sent]:
        tried.append(runtime.time)
        return False, Sent(False, why=i18n.Sentence("it answered {status}", status=500))

    ears = Ears(how=how)
    async with calling(database, ears, runtime) as tables:
        await hooked(tables, BEN)
        await friends(tables, 2)
        await runtime.let(tables, 30 * 3600)
        assert len(tried) == TRIES and 22 * 3600 < tried[-1] - tried[0] < 26 * 3600
        waits = [b - a for a, b in pairwise(tried)]
        assert waits == sorted(waits) and waits[0] == 10 and waits[-1] == 3600
        (channel,) = (await wishes_of(tables).of(BEN, SITE)).channels
        assert str(i18n.Sentence.load(channel.fault)) == "it answered 500" and channel.failed_at
        assert await rows(tables.store, outbox) == [0]
        ears.how = lambda: (True, Sent(True))
        await wishes_of(tables).test(BEN, channel.id)
        await settled(tables)
        assert ears.told() == [("b", TEST)]
        assert (await wishes_of(tables).of(BEN, SITE)).channels[0].fault == ""  # it works again


async def test_one_test_waits_for_each_channel_and_is_tried_once(database: str) -> None:
    ears, runtime = Ears(), Days()
    tables, _flaky = opened(database, ears, runtime)
    await hooked(tables, BEN)
    (channel,) = (await wishes_of(tables).of(BEN, SITE)).channels
    for _time in range(3):
        await wishes_of(tables).test(BEN, channel.id)
        runtime.time += 5
    assert await rows(tables.store, outbox) == [1]
    tables.start_bots()
    await settled(tables)
    await wishes_of(tables).test(BEN, channel.id)
    await settled(tables)
    first, second = (message.id for _channel, message in ears.heard)
    assert first != second  # a browser that shows the first one shows the second, too
    ears.how = lambda: (False, Sent(False, why=i18n.Sentence("it did not answer")))
    await wishes_of(tables).test(BEN, channel.id)
    await settled(tables)
    assert await rows(tables.store, outbox) == [0]
    assert (await wishes_of(tables).of(BEN, SITE)).channels[0].fault
    await tables.close()
    await tables.store.close()


async def test_two_messages_of_one_browser_are_on_their_way_at_once(database: str) -> None:
    class Slow(Ears):
        now = most = 0

        async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
            self.now += 1
            self.most = max(self.most, self.now)
            for _turn in range(99):
                await asyncio.sleep(0)
            self.now -= 1
            return await super().send(channel, message, contact)

    ears, runtime = Slow(), Days()
    async with calling(database, ears, runtime) as tables:
        for n in range(5):
            await wishes_of(tables).add(BEN, SITE, "webhook", f"{SITE}/{n}")
        await friends(tables, 2)
        await runtime.let(tables, AWAY)
        assert ears.most == 2
        assert {channel.address for channel, _message in ears.heard} == {f"{SITE}/{n}" for n in range(5)}


async def test_slow_receivers_of_many_browsers_leave_places_for_others(database: str) -> None:
    class Slow(Ears):
        now = most = 0
        go = asyncio.Event()

        async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
            if "slow" in channel.address:
                self.now += 1
                self.most = max(self.most, self.now)
                await self.go.wait()
                runtime.time += SLOW + 1
                self.now -= 1
            return await super().send(channel, message, contact)

    ears, runtime = Slow(), Days()
    ears.go.set()
    async with calling(database, ears, runtime) as tables:
        ways = [
            await wishes_of(tables).add(f"{n:064}", SITE, "webhook", f"{SITE}/slow")
            for n in range(AT_ONCE + 2)
        ]

        async def test_all() -> None:
            for way in ways:
                await wishes_of(tables).test(way.holder, way.id)

        await test_all()
        await runtime.let(tables, AWAY)
        assert len(ears.heard) == len(ways)
        ears.go.clear()
        ears.most = 0
        await test_all()
        fast = await wishes_of(tables).add(BEN, SITE, "webhook", f"{SITE}/fast")
        await wishes_of(tables).test(BEN, fast.id)
        while not any(way.id == fast.id for way, _said in ears.heard):  # noqa: ASYNC110 # nothing tells of it
            await asyncio.sleep(0.01)
        ears.go.set()
        await runtime.let(tables, 600)
        assert ears.most == OF_SLOW and len(ears.heard) == 2 * len(ways) + 1


async def test_a_channel_that_does_not_exist_any_more_is_removed(database: str) -> None:
    ears = Ears(how=lambda: (False, Sent(False, gone=True)))
    async with calling(database, ears) as tables:
        await hooked(tables, BEN)
        await friends(tables, 2)
        await settled(tables)
        assert (await wishes_of(tables).of(BEN, SITE)).channels == ()
        assert await rows(tables.store, outbox, channels) == [0, 0]


@both
async def test_forgetting_a_browser_removes_all_that_it_said(database: str) -> None:
    lost = Ears(how=lambda: (False, Sent(False)))
    async with calling(database, lost) as tables:
        await hooked(tables, ANA, BEN)
        table = await friends(tables, 2)
        await wishes_of(tables).want(BEN, SITE, table.id, True)
        await wishes_of(tables).new_calendar(BEN, SITE)
        await settled(tables)
        assert (await rows(tables.store, outbox))[0] >= 1
    async with KeptTables.open(database) as stored:
        gone = await stored.keeping.forget(BEN)
        assert gone.others == {"{n} ways to be notified": 1}
        assert await rows(stored.store, reach, channels, wanted) == [1, 1, 0]  # Ana's
        async with stored.store._engine.connect() as connection:
            holders = (await connection.execute(select(outbox.c.holder))).scalars()
            assert BEN not in set(holders)


@both
async def test_wishes_and_dead_addresses_are_kept_as_long_as_games(database: str) -> None:
    runtime, week = Days(), Retention(games=timedelta(days=7))
    async with calling(database, Ears(how=lambda: (False, Sent(False))), runtime) as tables:
        await hooked(tables, ANA, BEN, CAT)
        table = await friends(tables, 2)  # Cat plays nowhere
        (way,) = (await wishes_of(tables).of(BEN, SITE)).channels
        await wishes_of(tables).test(BEN, way.id)
        await settled(tables)
        # Cat may have been there since that was noted last, a month ago.
        for days, called in ((6, [ANA, BEN, CAT]), (2, [ANA, CAT]), (30, [ANA])):
            runtime.time += days * 86400
            await tables.upkeep.purge(runtime.now(), week)
            async with tables.store._engine.connect() as connection:
                holders = (await connection.execute(select(channels.c.holder))).scalars()
                assert sorted(holders) == called
        assert await rows(tables.store, reach) == [2], "Ben plays, and may add another address"
        assert (await tables.table(table.id)).callers == {ANA}
        await wishes_of(tables).keep(
            CAT, SITE, everywhere=True, zone="UTC", quiet_from=None, quiet_to=None, remind=0
        )
        await tables.upkeep.purge(runtime.now(), week)
        assert await rows(tables.store, reach) == [3], "it was said today"


async def test_what_cannot_be_a_channel_is_refused(database: str) -> None:
    async with calling(database, Ears()) as tables:
        wishes = wishes_of(tables)
        for kind, url in (
            ("smoke", "https://x.example"),
            ("webhook", "ftp://x"),
            ("ntfy", "https://a:b@x.example/"),
            ("ntfy", "https://ntfy.example/"),
            ("webhook", "http://10.1.2.3/"),
        ):
            with pytest.raises(PaddockError):
                await wishes.add(BEN, SITE, kind, url)
        with pytest.raises(BadOption, match="sends no e-mail"):
            await wishes.add(BEN, SITE, "email", "ben@example.com")
        key, auth = push.encoded(push.raw(push.private("AQ").public_key())), push.encoded(bytes(16))
        for endpoint, public, why in (
            ("ftp://x", key, "not an address"),
            ("https://[::1]/", key, "private and local"),
            (SITE, auth, "not the keys"),
        ):
            with pytest.raises(PaddockError, match=why):
                await wishes.add_push(BEN, SITE, endpoint, public, auth)
        assert (await wishes.of(BEN, SITE)).channels == ()
        for n in range(MOST):
            await wishes.add(BEN, SITE, "webhook", f"https://x.example/{n}")
        with pytest.raises(BadOption, match="remove one first"):
            await wishes.add(BEN, SITE, "webhook", "https://x.example/more")
        (first, *_rest) = (await wishes.of(BEN, SITE)).channels
        for work in (wishes.drop(ANA, first.id), wishes.test(ANA, first.id), wishes.drop(BEN, "nothing")):
            with pytest.raises(BadOption, match="no such way"):
                await work
        await wishes.drop(BEN, first.id)
        assert len((await wishes.of(BEN, SITE)).channels) == MOST - 1
        said: dict[str, Any] = {"everywhere": True, "remind": 0}
        with pytest.raises(BadOption, match="time zone"):
            await wishes.keep(BEN, SITE, zone="Mars/Base", quiet_from=None, quiet_to=None, **said)
        with pytest.raises(BadOption, match="a beginning and an end"):
            await wishes.keep(BEN, SITE, zone="UTC", quiet_from=3, quiet_to=None, **said)


async def test_an_address_that_nobody_confirms_gets_one_question_and_is_removed(database: str) -> None:
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        wishes_of(tables)._outside = MAILING
        channel = await wishes_of(tables).add(BEN, SITE, "email", "ben@example.com")
        with pytest.raises(BadOption, match="less than an hour ago"):
            await wishes_of(tables).add(ANA, SITE, "email", "ben@example.com")
        await friends(tables, 2)
        await settled(tables)
        ((_channel, said),) = ears.heard
        assert said.kind == "confirm" and said.url.startswith(f"{SITE}/reach/confirm/{channel.id}/")
        assert said.stop.startswith(f"{SITE}/reach/stop/{channel.id}/")
        with pytest.raises(BadOption, match="not confirmed"):
            await wishes_of(tables).test(BEN, channel.id)
        id, token = said.url.split("/")[-2:]
        for wrong in (said.stop.split("/")[-1], token[:-1], "", "ü"):
            with pytest.raises(PaddockError, match="no longer valid"):
                await wishes_of(tables).agree(id, wrong)
        await runtime.let(tables, OPEN.total_seconds() + 7200)
        await hooked(tables, ANA)  # it looks into the outbox
        await wishes_of(tables).test(ANA, (await wishes_of(tables).of(ANA, SITE)).channels[0].id)
        await settled(tables)
        assert (await wishes_of(tables).of(BEN, SITE)).channels == ()
        with pytest.raises(PaddockError, match="no longer valid"):
            await wishes_of(tables).agree(id, token)


async def test_an_address_that_is_confirmed_is_called_until_its_link_stops_that(database: str) -> None:
    ears, runtime = Ears(), Days()
    async with calling(database, ears, runtime) as tables:
        wishes_of(tables)._outside = MAILING
        await wishes_of(tables).add(BEN, SITE, "email", "ben@example.com")
        await settled(tables)
        ((_channel, asked),) = ears.heard
        await wishes_of(tables).agree(*asked.url.split("/")[-2:])
        table = await friends(tables, 2)
        await settled(tables)
        (_channel, called) = ears.heard[-1]
        assert called.kind == TURN and called.table == table.id
        await wishes_of(tables).stop(*called.stop.split("/")[-2:])
        assert (await wishes_of(tables).of(BEN, SITE)).channels == ()


@either("an address")
async def test_an_address_is_asked_once_an_hour_whatever_becomes_of_its_channel(database: str) -> None:
    ears, runtime = Ears(), Days()
    address = "ben@example.com"
    async with calling(database, ears, runtime) as tables:
        wishes_of(tables)._outside = MAILING
        first = await wishes_of(tables).add(BEN, SITE, "email", address)
        await settled(tables)
        (_channel, said) = ears.heard.pop()
        for holder, written in ((BEN, address), (ANA, "BEN@Example.com")):  # it replaces nothing
            with pytest.raises(BadOption, match="less than an hour ago"):
                await wishes_of(tables).add(holder, SITE, "email", written)
        await wishes_of(tables).drop(BEN, first.id)
        await tables.store.part(Keeping).forget(BEN)
        with pytest.raises(BadOption, match="less than an hour ago"):
            await wishes_of(tables).add(CAT, SITE, "email", address)
        async with tables.store._engine.connect() as connection:
            (stored,) = await connection.execute(select(asked_addresses))
        assert len(stored.address_hash) == 64
        runtime.time += 3600
        await wishes_of(tables).add(CAT, SITE, "email", address)
        await settled(tables)
        (_channel, said) = ears.heard.pop()
        await wishes_of(tables).stop(*said.stop.split("/")[-2:])
        runtime.time += 300 * 24 * 3600
        with pytest.raises(BadOption, match="wants no messages"):
            await wishes_of(tables).add(BEN, SITE, "email", address)
        assert await rows(tables.store, channels, asked_addresses) == [0, 1]
        runtime.time += 70 * 24 * 3600
        await hooked(tables, ANA)  # it looks into the outbox
        await wishes_of(tables).test(ANA, (await wishes_of(tables).of(ANA, SITE)).channels[0].id)
        await settled(tables)
        assert await rows(tables.store, asked_addresses) == [0]


async def test_a_server_asks_some_addresses_an_hour_at_most(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock.features.reach.asked.MOST", 2)
    runtime = Days()
    async with calling(database, Ears(), runtime) as tables:
        wishes_of(tables)._outside = MAILING
        for n in range(2):
            await wishes_of(tables).add(f"holder {n}", SITE, "email", f"{n}@example.com")
        with pytest.raises(BadOption, match="many addresses"):
            await wishes_of(tables).add(BEN, SITE, "email", "ben@example.com")
        assert (await wishes_of(tables).of(BEN, SITE)).channels == ()
        runtime.time += 3600
        await wishes_of(tables).add(BEN, SITE, "email", "ben@example.com")


async def test_a_new_secret_of_a_calendar_replaces_the_old_one(database: str) -> None:
    async with service(database) as tables:
        wishes = wishes_of(tables)
        old = await wishes.new_calendar(BEN, SITE)
        row = await wishes.calendar(old)
        assert row and row.holder == BEN
        new = await wishes.new_calendar(BEN, SITE)
        assert await wishes.calendar(old) is None and await wishes.calendar(new)
        await wishes.no_calendar(BEN, SITE)
        assert await wishes.calendar(new) is None


async def test_a_standstill_costs_nobody_the_reminder(database: str) -> None:
    """By the stored date the clock ended in it, until that is saved again."""
    ears, time = Ears(), Days()
    async with calling(database, ears, time) as tables:
        await hooked(tables, BEN)
        await wishes_of(tables).keep(
            BEN, SITE, everywhere=True, zone="UTC", quiet_from=None, quiet_to=None, remind=3600
        )
        table = await friends(tables, 3, clock="7200+0")
        await settled(tables)
        ears.told()
        stand_still(time, 8 * 3600)
        await time.let(tables, 0)
        time.still = float("inf")
        await time.let(tables, 3500)
        assert ears.told() == []
        await time.let(tables, 200)
        assert ears.told() == [("b", REMINDER)] and not table.players[1].stand_in
