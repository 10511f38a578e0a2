"""Open seats of a running game: a bot plays them, and a new holder needs the consent of the others."""

from __future__ import annotations

import pytest

from paddock.core.errors import BadOption
from paddock.tables import Forbidden, Table, Tables, claims, hosting, presence, seats
from tables.clockwork import CAT, HandRuntime, friends, play_on, said, until
from tables.harness import ANA, BEN, alter, service

pytestmark = pytest.mark.anyio
DAN, EVA = "d" * 64, "e" * 64
ALONE = "nobody here can agree"


async def ask(tables: Tables, table: Table, holder: str, player: int, name: str = "") -> int:
    """Ask for a seat; return the number of the request."""
    assert await tables.run(table.id, seats.claim, holder, player, name) == "asked"
    asked = claims.of(table, holder)
    assert asked and table.players[player].open
    return asked.number


@pytest.mark.parametrize("way", ["free", "kick", "bot and open"])
async def test_a_host_cannot_take_a_rivals_seat_from_a_second_browser(database: str, way: str) -> None:
    """Two people play: nobody but the host is there to agree, and the host does not count."""
    async with service(database) as tables:
        table = await friends(tables, 2)
        hand = table.seen(1).state.tobytes()
        if way == "bot and open":
            await tables.run(table.id, hosting.set_bot, ANA, 1, "club")
            await tables.run(table.id, hosting.set_bot, ANA, 1, None)
        else:
            await tables.run(table.id, getattr(hosting, way), ANA, 1)
        for holder, why in ((EVA, ALONE), (ANA, "two hands")):
            with pytest.raises(Forbidden, match=why):
                await tables.run(table.id, seats.claim, holder, 1)
        assert claims.offers(table) == () and table.claims == ()
        await tables.run(table.id, seats.leave, ANA, 0)
        with pytest.raises(Forbidden, match=ALONE):
            await tables.run(table.id, seats.claim, ANA, 1)
        assert table.seen(1).state.tobytes() == hand and table.players[1].open


async def test_the_host_who_opened_a_seat_does_not_count_under_another_guise(database: str) -> None:
    """The host passes the role on, comes back, and moves to another browser."""
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, hosting.free, ANA, 1)
        await tables.run(table.id, seats.leave, ANA, 0)
        assert table.host == CAT
        await tables.run(table.id, seats.claim, ANA, 0)
        secret = await tables.recovery(table.id, ANA, 0)
        await tables.run(table.id, seats.recover, secret, DAN)
        number = await ask(tables, table, EVA, 1)
        assert claims.awaited(table, table.claims[0]) == [2]
        with pytest.raises(Forbidden, match="only the other people"):
            await tables.run(table.id, claims.agree, DAN, number)
        assert await tables.run(table.id, claims.agree, CAT, number) == "joined"
        assert table.players[1].holder == EVA


async def test_a_bot_plays_an_open_seat_at_once(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2)
        tables.start_bots()
        await tables.run(table.id, seats.leave, BEN, 1)
        await until(lambda: table.awaited() == [0])
        rows, pending = table.rows, dict(table.pending)
    async with service(database) as tables:  # and after a restart
        tables.start_bots()
        table = await tables.table(table.id)
        assert (table.rows, table.pending) == (rows, pending)
        await play_on(tables, table, lambda: table.rows > rows)
        await until(lambda: table.awaited() == [0])


async def test_all_others_agree(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 4)
        await tables.run(table.id, seats.leave, BEN, 1)
        number = await ask(tables, table, EVA, 1, "Eva")
        assert await tables.run(table.id, seats.claim, EVA, 1, "Eva") == "asked"  # sent twice
        for holder in (EVA, None, "f" * 64):
            with pytest.raises(Forbidden, match="only the other people"):
                await tables.run(table.id, claims.agree, holder, number)
        assert await tables.run(table.id, claims.agree, ANA, number) == "agreed"
        assert await tables.run(table.id, claims.agree, ANA, number) == "agreed"  # sent twice
        asked = table.claims
        assert claims.awaited(table, asked[0]) == [2, 3] and asked[0].consents == (0,)
    async with service(database) as tables:
        table = await tables.table(table.id)
        assert table.claims == asked
        assert await tables.run(table.id, claims.agree, CAT, number) == "agreed"
        assert await tables.run(table.id, claims.agree, DAN, number) == "joined"
        assert (table.players[1].holder, table.players[1].name) == (EVA, "Eva") and table.claims == ()
        stored = await tables.store.load(table.id)
        assert stored is not None and stored.claims == ()
        with pytest.raises(Forbidden, match="no longer open"):
            await tables.run(table.id, claims.decline, DAN, number)
        assert (await said(tables, table))[-5:] == [
            "Eva asks to play driver 2. The others must agree.",
            "Driver 1 agrees that Eva plays driver 2.",
            "Driver 3 agrees that Eva plays driver 2.",
            "Driver 4 agrees that Eva plays driver 2.",
            "Eva joins as driver 2.",
        ]


async def test_one_declines_or_the_browser_withdraws(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, hosting.free, ANA, 1)
        number = await ask(tables, table, EVA, 1, "Eva")
        with pytest.raises(Forbidden, match="only players"):
            await tables.run(table.id, claims.decline, DAN, number)
        with pytest.raises(Forbidden, match="somebody else has asked"):
            await tables.run(table.id, seats.claim, DAN, 1)
        with pytest.raises(BadOption):
            await tables.run(table.id, seats.claim, DAN, 1, "Driver 3")
        await tables.run(table.id, claims.decline, CAT, number)
        assert table.claims == () and table.players[1].open
        newer = await ask(tables, table, EVA, 1, "Eva")
        with pytest.raises(Forbidden, match="no longer open"):  # meant for the one before
            await tables.run(table.id, claims.agree, CAT, number)
        await tables.run(table.id, claims.decline, EVA, newer)
        assert table.claims == ()
        lines = await said(tables, table)
        assert "Driver 3 declines that Eva plays driver 2." in lines
        assert lines[-1] == "Eva no longer asks to play driver 2."


async def test_the_last_holder_comes_back_without_asking(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2)
        await tables.run(table.id, hosting.free, ANA, 1)
        assert claims.way_back(table, BEN) == 1 and claims.way_back(table, EVA) is None
        assert await tables.run(table.id, seats.claim, BEN, 1, "Ben") == "joined"
        await tables.run(table.id, hosting.set_bot, ANA, 1, "club")
        assert claims.way_back(table, BEN) is None
        await tables.run(table.id, hosting.set_bot, ANA, 1, None)
        assert await tables.run(table.id, seats.claim, BEN, 1, "Ben") == "joined"
        await tables.run(table.id, hosting.kick, ANA, 1)
        assert claims.way_back(table, BEN) is None
        with pytest.raises(Forbidden, match="removed you"):
            await tables.run(table.id, seats.claim, BEN, 1, "Ben")


async def test_nobody_comes_back_to_a_second_hand(database: str) -> None:
    """Ben left his seat and got another: the way back to the first is gone."""
    async with service(database) as tables:
        table = await friends(tables, 3)
        for player, holder in ((1, BEN), (2, CAT)):
            await tables.run(table.id, seats.leave, holder, player)
        number = await ask(tables, table, BEN, 2)
        await ask(tables, table, EVA, 1)
        with pytest.raises(Forbidden, match="another seat"):
            await tables.run(table.id, seats.claim, EVA, 2)
        await tables.run(table.id, claims.decline, EVA, table.claims[0].number)
        await tables.run(table.id, claims.agree, ANA, number)
        await tables.run(table.id, seats.leave, BEN, 2)
        assert claims.way_back(table, BEN) == 2
        await ask(tables, table, BEN, 1)
        assert claims.way_back(table, CAT) is None


async def test_a_seat_of_the_lobby_is_no_way_back(database: str) -> None:
    """Whoever left before the deal has not seen the hand."""
    async with service(database) as tables:
        who = ["me", "open", "club", "club"]
        table = await tables.making.open_lobby(
            "lacorsa", {"drivers": 4, "races": 1}, who, ["Ana"], holder=ANA
        )
        await tables.run(table.id, seats.claim, EVA, 1, "Eva")
        await tables.run(table.id, seats.leave, EVA, 1)
        await tables.run(table.id, hosting.set_bot, ANA, 1, "club")
        assert await tables.run(table.id, seats.ready, ANA, 0)
        await tables.run(table.id, hosting.set_bot, ANA, 1, None)
        with pytest.raises(Forbidden, match=ALONE):
            await tables.run(table.id, seats.claim, EVA, 1, "Eva")


async def test_who_leaves_or_is_away_does_not_count(database: str) -> None:
    async with service(database, runtime=HandRuntime()) as tables:
        table = await friends(tables, 4, grace=60)
        await tables.run(table.id, seats.leave, BEN, 1)
        number = await ask(tables, table, EVA, 1)
        await tables.run(table.id, claims.agree, CAT, number)
        await tables.run(table.id, alter, {3: {"stand_in": True}})
        assert claims.awaited(table, table.claims[0]) == [0] and not claims.agreed(table, table.claims[0])
        await tables.run(table.id, seats.leave, ANA, 0)
        assert claims.agreed(table, table.claims[0])
        assert await tables.run(table.id, seats.claim, EVA, 1) == "joined"
        assert table.players[1].holder == EVA


async def test_without_a_consent_nobody_gets_a_seat(database: str) -> None:
    """The people who must agree leave, and one who has agreed does too."""
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, seats.leave, BEN, 1)
        number = await ask(tables, table, EVA, 1)
        await tables.run(table.id, claims.agree, CAT, number)
        await tables.run(table.id, seats.leave, CAT, 2)
        assert table.claims[0].consents == () and claims.awaited(table, table.claims[0]) == [0]
        await tables.run(table.id, seats.leave, ANA, 0)
        assert claims.awaited(table, table.claims[0]) == []
        assert await tables.run(table.id, seats.claim, EVA, 1) == "asked" and table.players[1].open


@pytest.mark.parametrize("end", ["a bot", "the last holder", "another seat", "the end"])
async def test_a_request_ends_by_itself(database: str, end: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, seats.leave, BEN, 1)
        await ask(tables, table, EVA, 1)
        if end == "a bot":
            await tables.run(table.id, hosting.set_bot, ANA, 1, "club")
        elif end == "the last holder":
            await tables.run(table.id, seats.claim, BEN, 1)
        elif end == "another seat":
            secret = await tables.recovery(table.id, CAT, 2)
            await tables.run(table.id, seats.recover, secret, EVA)
        else:
            tables.start_bots()
            for player, holder in ((0, ANA), (2, CAT)):
                await tables.run(table.id, seats.leave, holder, player)
            await until(lambda: table.game.over)
        stored = await tables.store.load(table.id)
        assert table.claims == () and stored is not None and stored.claims == ()


async def test_a_name_that_is_taken_meanwhile_gets_a_number(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2)
        await tables.run(table.id, seats.leave, BEN, 1)
        number = await ask(tables, table, EVA, 1, "Eva")
        await tables.run(table.id, seats.rename, ANA, 0, "Eva")
        await tables.run(table.id, claims.agree, ANA, number)
        assert table.players[1].name == "Eva (2)"


async def test_an_open_seat_is_not_present(database: str) -> None:
    """Clocks and absence are those of people: settling leaves an open seat alone."""
    async with service(database, runtime=HandRuntime()) as tables:
        table = await friends(tables, 2, clock="60+5", grace=30)
        await tables.run(table.id, seats.leave, BEN, 1)
        before = table.players[1]
        await tables.run(table.id, presence.settle)
        assert table.players[1] == before and not table.players[1].stand_in


async def test_requests_cannot_flood_the_chat(database: str) -> None:
    """A visitor asks and withdraws again and again. The last holder still comes back."""
    async with service(database) as tables:
        table = await friends(tables, 2)
        await tables.run(table.id, seats.leave, BEN, 1)
        for i in range(claims.MOST):
            number = await ask(tables, table, f"{i:064}", 1)
            await tables.run(table.id, claims.decline, f"{i:064}", number)
        with pytest.raises(Forbidden, match="too many requests"):
            await tables.run(table.id, seats.claim, EVA, 1)
        assert table.claims == ()
        await tables.runtime.sleep(claims.WITHIN.total_seconds())
        await tables.run(table.id, claims.decline, EVA, await ask(tables, table, EVA, 1))
        assert await tables.run(table.id, seats.claim, BEN, 1) == "joined"
