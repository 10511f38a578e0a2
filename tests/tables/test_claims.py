"""Open seats of a running game: a bot plays them, and a new holder needs the consent of the others."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from paddock.core.errors import BadOption
from paddock.store import Write, schema
from paddock.tables import Forbidden, Table, Tables, claims, hosting, presence, seats, talk
from paddock.tables import moves as moves_
from store.databases import execute
from tables.clockwork import CAT, HandRuntime, friends, play_on, said, until
from tables.harness import ANA, BEN, alter, give_seats, service

pytestmark = pytest.mark.anyio
DAN, EVA = "d" * 64, "e" * 64


async def ask(tables: Tables, table: Table, holder: str, player: int, name: str = "") -> int:
    """Ask for a seat; return the number of the request."""
    assert await tables.run(table.id, seats.claim, holder, player, name) == "asked"
    asked = claims.of(table, holder)
    assert asked and table.players[player].open
    return asked.number


WAYS = ["free", "kick", "bot", "away", "another browser"]


async def remove(tables: Tables, table: Table, way: str) -> None:
    """Ana, the host, removes Ben from driver 2, and opens the seat."""
    if way == "away":
        await tables.run(table.id, alter, {1: {"stand_in": True}})
    if way in ("bot", "another host"):
        await tables.run(table.id, hosting.set_bot, ANA, 1, "club")
        if way == "another host":  # Ana's second browser
            await tables.run(table.id, seats.leave, ANA, 0)
            await tables.run(table.id, seats.claim, ANA, 0)
            assert table.host == CAT
        await tables.run(table.id, hosting.set_bot, table.host or "", 1, None)
    else:
        await tables.run(table.id, hosting.kick if way == "kick" else hosting.free, ANA, 1)
    if way == "another browser":
        await tables.run(table.id, seats.recover, await tables.recovery(table.id, ANA, 0), DAN)


@pytest.mark.parametrize(
    ("way", "people"), [*((way, 2) for way in WAYS), *((way, 3) for way in [*WAYS, "another host"])]
)
async def test_nobody_new_gets_the_seat_of_a_removed_person(database: str, way: str, people: int) -> None:
    """The other two seats are the host's own, in two browsers, and a third one asks."""
    async with service(database) as tables:
        table = await friends(tables, people, 1)
        hand = table.seen(1).state.tobytes()
        await remove(tables, table, way)
        bans = [line.text for line in talk.lines_for(table, None) if "bans" in line.text]
        assert bans == (["The host bans Driver 2."] if way == "kick" else [])
        for holder, why in ((EVA, "the host removed"), (table.players[0].holder or "", "two hands")):
            with pytest.raises(Forbidden, match=why):
                await tables.run(table.id, seats.claim, holder, 1)
        assert claims.offers(table) == () and table.claims == ()
        await tables.run(table.id, seats.leave, table.players[0].holder or "", 0)
        with pytest.raises(Forbidden, match="the host removed"):
            await tables.run(table.id, seats.claim, ANA, 1)
        assert table.seen(1).state.tobytes() == hand and table.players[1].open
    async with service(database) as tables:  # and after a restart
        table = await tables.table(table.id)
        with pytest.raises(Forbidden, match="the host removed"):
            await tables.run(table.id, seats.claim, EVA, 1)
        if way == "kick":
            assert claims.way_back(table, BEN) is None
        else:
            assert await tables.run(table.id, seats.claim, BEN, 1, "Ben") == "joined"
            await tables.run(table.id, seats.leave, BEN, 1)  # of his own accord, so others may ask for it
            assert claims.offers(table) == ((0, 1) if people == 3 else ())


async def test_a_seat_of_somebody_with_several_seats_is_as_safe(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 4)
        await give_seats(tables, table, {2: BEN, 3: CAT})
        await tables.run(table.id, hosting.free, ANA, 1)
        with pytest.raises(Forbidden, match="the host removed"):
            await tables.run(table.id, seats.claim, EVA, 1)
        await tables.run(table.id, seats.leave, BEN, 2)
        number = await ask(tables, table, EVA, 2)
        for holder in (ANA, CAT):
            await tables.run(table.id, claims.agree, holder, number)
        assert table.players[2].holder == EVA
        with pytest.raises(Forbidden, match="the host removed"):
            await tables.run(table.id, seats.claim, DAN, 1)


async def test_a_host_who_gives_up_a_seat_of_their_own_removes_nobody(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 3)
        await give_seats(tables, table, {1: ANA})
        await tables.run(table.id, hosting.set_bot, ANA, 1, "club")
        await tables.run(table.id, hosting.set_bot, ANA, 1, None)
        number = await ask(tables, table, EVA, 1)
        assert claims.awaited(table, table.claims[0]) == [0, 2]
        await tables.run(table.id, claims.agree, ANA, number)
        assert await tables.run(table.id, claims.agree, CAT, number) == "joined"


async def test_who_was_removed_does_not_return_to_a_table_with_somebody_new(database: str) -> None:
    """Ana's browsers look at a bot's hand while Ben is not there: then he must not play against them."""
    async with service(database) as tables:
        table = await friends(tables, 3, 1)
        await tables.run(table.id, hosting.free, ANA, 1)
        await tables.run(table.id, hosting.set_bot, ANA, 3, None)
        number = await ask(tables, table, EVA, 3)
        assert claims.way_back(table, BEN) == 1
        for holder in (ANA, CAT):
            await tables.run(table.id, claims.agree, holder, number)
        assert table.players[3].holder == EVA and claims.way_back(table, BEN) is None
        for holder in (BEN, DAN):
            with pytest.raises(Forbidden, match="the host removed"):
                await tables.run(table.id, seats.claim, holder, 1)


async def test_a_return_ends_nobodys_way_back(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 3)
        for player in (1, 2):
            await tables.run(table.id, hosting.free, ANA, player)
        await tables.run(table.id, seats.claim, CAT, 2)
        assert claims.way_back(table, BEN) == 1


async def test_a_stored_request_for_the_seat_of_a_removed_person_ends(database: str) -> None:
    """Older versions let people ask for it: it may have all consents that they wanted."""
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, hosting.free, ANA, 1)
        row = {
            "table_id": table.id,
            "player": 1,
            "number": 5,
            "holder": EVA,
            "name": "Eva",
            "consents": (0, 2),
        }
        await execute(tables.store, insert(schema.claims).values(row))
    async with service(database) as tables:
        table = await tables.table(table.id)
        assert len(table.claims) == 1
        with pytest.raises(Forbidden, match="the host removed"):
            await tables.run(table.id, seats.claim, EVA, 1)
        await tables.run(table.id, claims.agree, CAT, 5)
        assert table.players[1].open
        await tables.run(table.id, seats.rename, CAT, 2, "Cat")
        assert table.claims == ()


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


async def test_who_agrees_to_one_request_leaves_the_others_as_they_are(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 4)
        for player, holder in ((1, BEN), (2, CAT)):
            await tables.run(table.id, seats.leave, holder, player)
        number, _other = await ask(tables, table, EVA, 1, "Eva"), await ask(tables, table, "f" * 64, 2, "Fay")
        assert await tables.run(table.id, claims.agree, ANA, number) == "agreed"
        assert [(claim.name, claim.consents) for claim in table.claims] == [("Eva", (0,)), ("Fay", ())]
        assert await tables.run(table.id, claims.agree, DAN, number) == "joined"
        assert [claim.name for claim in table.claims] == ["Fay"] and table.players[2].open


async def test_the_number_of_a_request_counts_requests_only(database: str) -> None:
    """Not the version of the table, which counts changed commitments, orders and read marks."""
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, seats.leave, BEN, 1)
        numbers = []
        for _ in range(2):
            seat, moves = table.moves(0)[0]
            for n, move in enumerate(moves[:2]):
                await tables.submit(table.id, ANA, seat, move[1], table.decision, f"{len(numbers)}{n}")
            await tables.run(table.id, moves_.read, CAT, 2)
            numbers.append(await ask(tables, table, EVA, 1))
            await tables.run(table.id, claims.decline, EVA, numbers[-1])
        assert numbers == [1, 2] and table.version > 6
    async with service(database) as tables:
        assert await ask(tables, await tables.table(table.id), EVA, 1) == 3


async def test_requests_are_written_only_when_they_change(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(database) as tables:
        table, written, commit = await friends(tables, 3), list[bool](), tables.store.commit

        async def noted(write: Write, *more: Any) -> bool:
            written.append(write.claims is not None)
            return await commit(write, *more)

        monkeypatch.setattr(tables.store, "commit", noted)
        await tables.run(table.id, seats.leave, BEN, 1)
        number = await ask(tables, table, EVA, 1, "Eva")
        await tables.run(table.id, talk.say, ANA, 0, "Who is Eva?")
        await tables.run(table.id, claims.decline, ANA, number)
        assert written == [False, True, False, True]


async def test_one_declines_or_the_browser_withdraws(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, seats.leave, BEN, 1)
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
        assert "Driver 3 does not agree that Eva plays driver 2." in lines
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
        await ask(tables, table, EVA, 1, "Eva")


async def test_who_leaves_does_not_count_and_who_is_away_does(database: str) -> None:
    """Else a host could wait until the others are away, and let a second browser see another hand."""
    async with service(database, runtime=HandRuntime()) as tables:
        table = await friends(tables, 4, grace=60)
        await tables.run(table.id, seats.leave, BEN, 1)
        number = await ask(tables, table, EVA, 1)
        await tables.run(table.id, claims.agree, CAT, number)
        await tables.run(table.id, alter, {3: {"stand_in": True}})
        assert claims.awaited(table, table.claims[0]) == [0, 3]
        await tables.run(table.id, seats.leave, ANA, 0)
        assert not claims.agreed(table, table.claims[0])
        assert await tables.run(table.id, claims.agree, DAN, number) == "joined"
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


async def test_a_request_is_granted_when_asked_again_after_the_last_to_agree_has_left(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 3)
        await tables.run(table.id, seats.leave, BEN, 1)
        await tables.run(table.id, claims.agree, CAT, await ask(tables, table, EVA, 1, "Eva"))
        assert not claims.agreed(table, table.claims[0])
        await tables.run(table.id, seats.leave, ANA, 0)
        assert claims.agreed(table, table.claims[0])
        assert await tables.run(table.id, seats.claim, EVA, 1) == "joined"
        assert (table.players[1].holder, table.players[1].name, table.claims) == (EVA, "Eva", ())


async def test_where_nobody_plays_nobody_can_agree(database: str) -> None:
    async with service(database) as tables:
        table = await friends(tables, 2)
        for player, holder in enumerate((ANA, BEN)):
            await tables.run(table.id, seats.leave, holder, player)
        with pytest.raises(Forbidden, match="nobody here can agree"):
            await tables.run(table.id, seats.claim, EVA, 1)
        assert table.claims == () and claims.way_back(table, BEN) == 1
