"""Friends at one table, in browsers without scripts: seats, chat, standing orders, undo, hidden cards."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import random
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables import Runtime, Tables
from sampling import count
from store.databases import prepared
from tables.clockwork import HandRuntime
from tables.harness import decide
from web.conftest import UNPACKED, running
from web.helpers import HUMANS, Form, finish, forms, tables_of
from web.streams import Stream

pytestmark = pytest.mark.anyio

PART = {"paddock-part": "main"}
NAMES = ("Ana", "Ben", "Cleo", "Dora")


@asynccontextmanager
async def browsers(app: FastAPI, n: int) -> AsyncIterator[list[httpx.AsyncClient]]:
    """This many browsers of one application."""
    async with AsyncExitStack() as stack:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        yield [
            await stack.enter_async_context(
                httpx.AsyncClient(transport=transport, base_url="http://paddock.test", headers=UNPACKED)
            )
            for _ in range(n)
        ]


async def lobby(host: httpx.AsyncClient, **more: str) -> str:
    """Open a lobby with the host on the first seat and the others open; return its path."""
    asked = HUMANS | {f"who-{i}": "open" for i in range(2, 7)} | {"name-1": NAMES[0]} | more
    answer = await host.post("/tables", data=asked)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


async def do(client: httpx.AsyncClient, path: str, act: str, player: int, **more: str) -> httpx.Response:
    """Press a button of a seat."""
    return await client.post(f"{path}/seats", data={"do": act, "player": str(player)} | more)


async def dealt(clients: list[httpx.AsyncClient], **more: str) -> str:
    """Start a game with one browser at each seat; return its path."""
    path = await lobby(clients[0], **more)
    for i, client in enumerate(clients[1:], 1):
        assert (await do(client, path, "claim", i, name=NAMES[i])).status_code == 303
    for i, client in enumerate(clients):
        assert (await do(client, path, "ready", i)).status_code == 303
    return path


async def seen(client: httpx.AsyncClient, path: str) -> str:
    """Return the page that a browser gets."""
    return (await client.get(path, headers=PART)).text


async def test_the_game_starts_when_the_last_player_is_ready(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as people:
        path = await lobby(people[0], **{"who-4": "rookie"})
        text = await seen(people[1], path)
        assert text.count("Take this seat") == 2
        assert "<path" in text[text.index('class="qr"') :]
        assert f"http://paddock.test{path}" in text
        assert (await do(people[1], path, "claim", 1, name="Ben")).status_code == 303
        assert "away" not in (await seen(people[0], path)).partition('id="people"')[2].partition("</ul>")[0]
        taken = await do(people[2], path, "claim", 1, name="Cleo")
        assert taken.status_code == 422
        assert "already has that seat" in taken.text
        assert (await do(people[2], path, "claim", 2, name="Ben")).status_code == 422
        assert (await do(people[2], path, "claim", 2, name="Admin")).status_code == 422
        assert (await do(people[2], path, "claim", 2, name="Cleo")).status_code == 303
        assert (await do(people[2], path, "rename", 2, name="Cleo II")).status_code == 303
        await do(people[0], path, "ready", 0)
        await do(people[1], path, "ready", 1)
        assert "Waiting until Cleo II is ready" in await seen(people[0], path)
        assert not forms(await seen(people[0], path))
        await do(people[1], path, "unready", 1)
        await do(people[2], path, "ready", 2)
        assert not forms(await seen(people[0], path))
        await do(people[1], path, "ready", 1)
        for i, friend in enumerate(people[:3]):
            assert [form.seat for form in forms(await seen(friend, path))] == [str(i)]
        assert "You are watching" in await seen(people[3], path)
        assert not forms(await seen(people[3], path))


async def test_the_host_removes_replaces_mutes_and_bans(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as people:
        path = await dealt(people)
        stranger = await do(people[1], path, "free", 2)
        assert stranger.status_code == 422
        assert "host" in stranger.text
        assert (await do(people[0], path, "bot", 1, level="rookie")).status_code == 303
        assert "You are watching" in await seen(people[1], path)
        assert "bot: Rookie" in await seen(people[2], path)
        await do(people[0], path, "open", 1)
        assert "Take this seat" in await seen(people[1], path)
        assert (await do(people[1], path, "claim", 1, name="Ben again")).status_code == 303
        assert forms(await seen(people[1], path))
        await do(people[0], path, "mute", 1)
        assert "The host has muted you" in await seen(people[1], path)
        said = await people[1].post(f"{path}/talk", data={"player": "1", "text": "hello?"})
        assert said.status_code == 422
        await do(people[0], path, "kick", 3)
        back = await do(people[3], path, "claim", 3, name="Dora")
        assert back.status_code == 422
        await do(people[2], path, "leave", 2)
        assert "Open seat" in await seen(people[0], path)


async def test_a_seat_of_a_running_game_is_asked_for(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Without scripts: who left, who asks, and who must agree."""
    async with browsers(app, 5) as (*people, guest):
        path = await dealt(people)
        ana, ben, cleo, dora = people
        await do(ben, path, "leave", 1)
        assert "You left Driver 2" in await seen(ben, path)
        assert "Ask for this seat" in await seen(guest, path)
        assert "Ask for this seat" not in await seen(cleo, path)
        assert (await do(guest, path, "claim", 1, name="Eva")).status_code == 303
        assert "You asked to play Driver 2. Still to agree: Ana, Cleo, Dora." in await seen(guest, path)
        assert "Take my seat again" in await seen(ben, path)
        text = await seen(cleo, path)
        assert "Eva asks for Driver 2 and its hand." in text
        answer = {"do": "agree", "number": re.findall(r'id="claim-(\d+)"', text)[0]}
        assert f"/stream?asks={answer['number']}" in await seen(guest, path)
        assert (await ana.post(f"{path}/claims", data=answer)).status_code == 303
        assert 'value="agree"' not in await seen(ana, path)
        assert (await guest.post(f"{path}/claims", data=answer)).status_code == 422
        assert (await cleo.post(f"{path}/claims", data=answer | {"do": "maybe"})).status_code == 400
        assert (await cleo.post(f"{path}/claims", data=answer)).status_code == 303
        assert not forms(await seen(guest, path))
        assert (await dora.post(f"{path}/claims", data=answer)).status_code == 303
        assert [form.seat for form in forms(await seen(guest, path))] == ["1"]
        late = await dora.post(f"{path}/claims", data=answer)
        assert late.status_code == 422 and "no longer open" in late.text
        assert "Take my seat again" not in await seen(ben, path)


async def test_nobody_new_gets_the_seat_of_a_removed_person(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as (*people, guest):
        path = await dealt(people, drivers="3")
        ana, ben, _cleo = people
        assert "If you remove somebody, a bot plays their hand" in await seen(ana, path)
        await do(ana, path, "free", 1)
        assert "The host opened your seat, Driver 2" in await seen(ben, path)
        text = await seen(guest, path)
        assert "Ask for this seat" not in text and "can ask for an open seat" not in text
        assert "removed by the host" in text and "a bot plays driver 2 until they are back" in text
        refused = await do(guest, path, "claim", 1, name="Eva")
        assert refused.status_code == 422 and "nobody new gets it" in refused.text
        await do(ana, path, "bot", 1, level="club")
        assert "Let its player come back" in await seen(ana, path)
        await do(ana, path, "open", 1)
        assert (await do(ben, path, "claim", 1, name="Ben")).status_code == 303
        assert "removed by the host" not in await seen(guest, path)


async def test_a_recovery_link_moves_a_seat_once(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 5) as people:
        *seated, phone = people
        path = await dealt(seated)
        hand = forms(await seen(seated[0], path))[0].moves
        assert (await seated[1].post(f"{path}/recovery", data={"player": "0"})).status_code == 403
        shown = (await seated[0].post(f"{path}/recovery", data={"player": "0"})).text
        link = re.findall(r'value="(http[^"]+)"', shown)[0]
        for _ in range(2):  # opening the link does not use it up
            assert "Welcome back, Ana" in (await phone.get(link)).text
        assert (await phone.post(link)).status_code == 303
        assert forms(await seen(phone, path))[0].moves == hand
        assert not forms(await seen(seated[0], path))
        assert "Host actions" in await seen(phone, path)
        assert (await seated[0].get(link)).status_code == 404
        assert (await seated[0].post(link)).status_code == 403


async def test_a_recovery_link_in_a_browser_that_plays_asks_and_is_told(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    async with browsers(app, 3) as people:
        ana, ben, guest = people
        path = await dealt(people[:2], drivers="2")
        shown = (await ana.post(f"{path}/recovery", data={"player": "0"})).text
        link = re.findall(r'value="(http[^"]+)"', shown)[0]
        text = (await ben.get(link)).text
        assert "This shows you two hands" in text and f"/{link.rpartition('/')[2]}?both=yes" in text
        refused = await ben.post(link)
        assert refused.status_code == 409 and "This shows you two hands" in refused.text
        assert forms(await seen(ana, path))
        assert (await ben.post(f"{link}?both=yes")).status_code == 303
        assert not forms(await seen(ana, path))
        for one in (ana, guest):
            words = "Ana continues in the browser of Ben, which now sees the hands of both."
            assert words in await seen(one, path)


async def test_chat_reaches_the_right_people(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 5) as people:
        *seated, spectator = people
        path = await dealt(seated, pairs="yes")
        say = {"player": "0", "text": "<b>to all</b> @key@ @digest@"}
        assert (await seated[0].post(f"{path}/talk", data=say)).status_code == 303
        secret = {"player": "0", "text": "only for us", "channel": "team"}
        assert (await seated[0].post(f"{path}/talk", data=secret)).status_code == 303
        for i, friend in enumerate(people):
            text = await seen(friend, path)
            assert "&lt;b&gt;to all" in text
            assert ("only for us" in text) == (i < 2)
        assert (await spectator.post(f"{path}/talk", data=say)).status_code == 422


async def test_running_clocks_send_no_events(tmp_path: Path) -> None:
    runtime = HandRuntime()
    app = create_app(prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"), chance=Seeded(7), runtime=runtime)
    async with running(app), browsers(app, 4) as people:
        path = await dealt(people, clock="300+5")
        first = await seen(people[0], path)
        figures = re.findall(r'data-left="(\d+)">([\d:]+)<', first)
        assert figures == [("300000", "5:00")] * 4
        digest = re.findall(r'data-digest="(\w+)"', first)
        await runtime.let(app.state.tables, 12.5)
        later = await seen(people[0], path)
        assert re.findall(r'data-left="(\d+)"', later) == ["287500"] * 4
        assert re.findall(r'data-digest="(\w+)"', later) == digest


def asked(text: str) -> list[Form]:
    """Return the forms of a page without a commitment."""
    parts = text.split('<section class="panel ask')[1:]
    return [form for part in parts if "fold change" not in part for form in forms(part)]


async def until(clients: list[httpx.AsyncClient], path: str, words: str) -> int:
    """Play until a page has this question; return its browser."""
    choose = random.Random(4)
    for _ in range(200):
        for i, friend in enumerate(clients):
            text = await seen(friend, path)
            if words in text and asked(text):
                return i
            for form in asked(text):
                await friend.post(f"{path}/move", data=form.data(choose.choice(form.moves)))
    raise AssertionError(words)


async def test_undo_needs_consent(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as people:
        path = await dealt(people)
        mover = await until(people, path, "The road is free")
        others = [i for i in range(4) if i != mover]
        before = forms(await seen(people[mover], path))[0]
        await people[mover].post(f"{path}/move", data=before.data())
        assert "Ask to take my last move back" in await seen(people[mover], path)
        assert (await people[others[0]].post(f"{path}/undo", data={"do": "request"})).status_code == 422
        assert (await people[mover].post(f"{path}/undo", data={"do": "request"})).status_code == 303
        assert "asks to take the last move back" in await seen(people[others[0]], path)
        await people[others[0]].post(f"{path}/undo", data={"do": "refuse"})
        assert "asks to take the last move back. Still" not in await seen(people[others[1]], path)
        await people[mover].post(f"{path}/undo", data={"do": "request"})
        for i in others:
            assert (await people[i].post(f"{path}/undo", data={"do": "agree"})).status_code == 303
        again = forms(await seen(people[mover], path))[0]
        assert again.moves == before.moves

        await people[mover].post(f"{path}/move", data=again.data())
        await people[mover].post(f"{path}/undo", data={"do": "request"})
        app.state.tables.autoplay.moving = False  # as after an error
        for i in others:
            await do(people[i], path, "leave", i)
        text = await seen(people[mover], path)
        assert "You asked to take your last move back.</p>" in text, "nobody is left who could agree"


async def test_a_form_without_scripts_means_what_its_page_showed(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    """The kind: a form that is sent later must not do something else than what its reader saw."""
    async with browsers(app, 4) as people:
        path = await dealt(people)
        mover = await until(people, path, "The road is free")
        before = forms(await seen(people[mover], path))[0]
        await people[mover].post(f"{path}/move", data=before.data())
        undo, read = [[await hidden(friend, path, act) for friend in people] for act in ("undo", "read")]
        assert "decision" in undo[mover] and all("decision" in one for one in read if one)
        await people[mover].post(f"{path}/undo", data=undo[mover] | {"do": "request"})
        for friend in people:
            await friend.post(f"{path}/undo", data=await hidden(friend, path, "undo") | {"do": "agree"})
        again = forms(await seen(people[mover], path))[0]
        await people[mover].post(f"{path}/move", data=again.data())
        stale = await people[mover].post(f"{path}/undo", data=undo[mover] | {"do": "request"})
        assert stale.status_code == 422 and "the game moved on" in stale.text
        reader = next(i for i, one in enumerate(read) if one and i != mover)
        news = 'id="since"'
        assert (await people[reader].post(f"{path}/read", data=read[reader])).status_code == 303
        assert news in await seen(people[reader], path), "the last move was not on that page"
        await people[reader].post(f"{path}/read", data=await hidden(people[reader], path, "read"))
        assert news not in await seen(people[reader], path)


async def hidden(client: httpx.AsyncClient, path: str, act: str) -> dict[str, str]:
    """Return the hidden fields of a form, as a browser without scripts sends them."""
    form = re.search(
        rf'<form method="post" action="{path}/{act}".*?</form>', await seen(client, path), re.DOTALL
    )
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0])) if form else {}


async def test_a_host_bans_whom_the_page_named(app: FastAPI, client: httpx.AsyncClient) -> None:
    """The kind: see above. Ben leaves while the host reads the page, and Cleo takes his seat."""
    async with browsers(app, 3) as people:
        path = await lobby(people[0])
        await do(people[1], path, "claim", 1, name="Ben")
        text = await seen(people[0], path)
        form = dict(
            re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text[text.index('id="p-2"') :])[:2]
        )
        assert form == {"player": "1", "seen": "Ben"}
        await do(people[1], path, "leave", 1)
        await do(people[2], path, "claim", 1, name="Cleo")
        for act in ("kick", "free", "mute", "bot"):
            refused = await do(people[0], path, act, 1, seen="Ben", level="rookie")
            assert refused.status_code == 422 and "This seat is not Ben’s any more" in refused.text
        there = await tables_of(people[0]).table(path.rpartition("/")[2])
        assert there.players[1].name == "Cleo" and not there.banned
        assert (await do(people[0], path, "kick", 1, seen="Cleo")).status_code == 303
        assert there.players[1].open and len(there.banned) == 1


async def test_only_its_player_sees_a_standing_order(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as people:
        path = await dealt(people)
        who = await until(people, path, "You challenge")
        text = await seen(people[who], path)
        order = re.findall(r'<option value="(defend [^"]+)"', text)[0]
        others = [i for i in range(4) if i != who]
        pages = [await seen(people[i], path) for i in others]
        give = {"do": "give", "seat": str(who), "order": order}
        assert (await people[others[0]].post(f"{path}/orders", data=give)).status_code == 422
        assert (await people[who].post(f"{path}/orders", data=give | {"order": "fly"})).status_code == 422
        assert (await people[who].post(f"{path}/orders", data=give)).status_code == 303
        assert f'name="order" value="{order}"' in await seen(people[who], path)
        for i, before in zip(others, pages, strict=True):
            key = re.compile(r'name="key" value="[^"]*"')
            assert key.sub("", await seen(people[i], path)) == key.sub("", before)
        cancel = give | {"do": "cancel"}
        assert (await people[who].post(f"{path}/orders", data=cancel)).status_code == 303
        assert f'name="order" value="{order}"' not in await seen(people[who], path)


async def test_since_your_last_turn(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as people:
        path = await dealt(people)
        for friend in people:
            await friend.post(f"{path}/move", data=forms(await seen(friend, path))[0].data())
        whole = (await people[0].get(path)).text
        assert '<details class="panel since" id="since" open>' in whole
        assert '<details class="panel since" id="since">' in await seen(people[0], path)
        digests = {
            re.findall(r'data-digest="(\w+)"', text)[0] for text in (whole, await seen(people[0], path))
        }
        assert len(digests) == 1
        assert (await people[0].post(f"{path}/read", data={"player": "0"})).status_code == 303
        assert 'id="since"' not in (await people[0].get(path)).text
        assert 'id="since"' in (await people[1].get(path)).text
        assert (await people[1].post(f"{path}/read", data={"player": "0"})).status_code == 422


async def test_a_table_of_friends_stays_small(app: FastAPI, client: httpx.AsyncClient) -> None:
    """At most 8 kB, compressed, for an update with clocks, chat, standing orders and the host's buttons."""
    async with browsers(app, 4) as people:
        path = await dealt(people, pairs="yes", clock="300+5", races="7")
        for n in range(12):
            for i, friend in enumerate(people[:2]):
                said = {"player": str(i), "text": f"What a race this is, lap {n}!"}
                await friend.post(f"{path}/talk", data=said)
        await until(people, path, "You challenge")
        for friend in people:
            answer = await friend.get(path, headers=PART)
            assert len(gzip.compress(answer.content, 6)) < 8_000


async def test_all_players_get_the_same_rematch(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 3) as people:
        path = await dealt(people[:2], drivers="2", listed="yes")
        assert path in (await people[2].get("/")).text
        await play_all(people[:2], path, random.Random(1))
        assert "Rematch" in await seen(people[0], path)
        first = (await people[0].post(f"{path}/rematch")).headers["location"]
        assert first in await seen(people[1], path)
        assert (await people[1].post(f"{path}/rematch")).headers["location"] == first
        assert first != path
        text = await seen(people[0], first)
        assert text.index("Ben") < text.index("Ana")
        assert (await people[2].post(f"{path}/rematch")).status_code == 403


async def play_all(clients: list[httpx.AsyncClient], path: str, choose: random.Random) -> None:
    """Play the game to its end, each player on their own page."""
    for _ in range(400):
        for friend in clients:
            text = await seen(friend, path)
            if "/replay" in text:
                return
            for form in asked(text):
                await friend.post(f"{path}/move", data=form.data(choose.choice(form.moves)))
    raise AssertionError("it does not end")


# Four browsers at once


async def hammer(client: httpx.AsyncClient, path: str, choose: random.Random, late: list[str]) -> None:
    """Send new, repeated, late and changed submissions until the game is over; in a sample, for a while."""
    old: list[dict[str, str]] = []
    for _ in range(count(12, 10_000)):
        text = await seen(client, path)
        if "/replay" in text:
            return
        for form in forms(text):
            data = form.data(choose.choice(form.moves))
            sends = [data, data, form.data(choose.choice(form.moves)) | {"key": f"{choose.random()}"}]
            sends += choose.sample(old, min(2, len(old)))
            answers = await asyncio.gather(
                *(client.post(f"{path}/move", data=d, headers=PART) for d in sends)
            )
            for answer in answers:
                assert answer.status_code in (200, 409, 422), answer.text
                assert 'id="state"' in answer.text  # always the current page
                if answer.status_code == 409:
                    late.append(re.findall(r'role="alert">([^<]*)', answer.text)[0])
            old.append(data | {"key": f"{choose.random()}"})
        await asyncio.sleep(0)


@pytest.mark.slow("four readers at once through a whole game")
async def test_four_browsers_hammer_one_table(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 4) as people:
        path = await dealt(people)
        late: list[str] = []
        await asyncio.gather(
            *(hammer(friend, path, random.Random(i), late) for i, friend in enumerate(people))
        )
        assert late
        assert all("Too late" in words for words in late), late
        await finish(client, path)
        tables: Tables = app.state.tables
        table = await tables.table(path.rpartition("/")[2])
        assert table.game.over
        assert table.rows == len(table.game.log)
        record = (await people[0].get(f"{path}/record")).text
        again = await people[0].post("/records", files={"record": ("race.txt", record)})
        assert again.status_code == 303  # the record is a legal game


# Hidden cards


async def test_no_page_has_a_card_of_another_hand(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Players get only their own cards, in drawings, choices and notation; spectators get none."""
    async with browsers(app, 5) as people:
        *seated, spectator = people
        path = await dealt(seated)
        tables: Tables = app.state.tables
        table = await tables.table(path.rpartition("/")[2])
        choose, looked = random.Random(3), 0
        for turn in itertools.count():
            if table.game.over:
                break
            for i, friend in enumerate(people if turn % count(3, 1) == 0 else ()):
                text = (await friend.get(path)).text
                for form in forms(text):
                    assert form.seat == str(i)
                open_hands = set(re.findall(r"The hand of \w+, car (\d)", text))
                assert open_hands <= {str(i + 1)}
                options = [m for form in forms(text) for m in form.moves]
                assert len(options) <= 100
                if friend is spectator:
                    assert "Committed" not in text
                    assert not re.search(r'value="(defend|x|\^)', text)
                    assert 'type="radio" name="card' not in text
                looked += 1
            seat = choose.choice(table.awaited_seats())
            await decide(tables, table, seat, str(choose.choice(list(table.game.legal(seat)))))
        assert looked > count(50, 150)


class Same(Runtime):
    """A runtime in which all tables have the same id."""

    def table_id(self) -> str:
        return "thesametable"


async def _told(folder: Path, changes: int) -> tuple[list[bytes], list[str]]:
    """Return another seat's stream and pages while a seat commits a move and changes it this many times."""
    database = f"sqlite:///{folder / f'{changes}.sqlite3'}"
    app = create_app(database, chance=Seeded(7), runtime=Same(), token=lambda: "key")
    async with running(app), browsers(app, 5) as people:
        *seated, spectator = people
        path = await dealt(seated)
        pages: list[str] = []
        streams = []
        for who in (seated[1], spectator):
            listener = Stream(app, f"{path}/stream", who)
            await listener.until(2)
            streams.append(listener)
        form = forms(await seen(seated[0], path))[0]
        for n in range(1 + changes):
            data = form.data(form.moves[n]) | {"key": f"k{n}"}
            assert (await seated[0].post(f"{path}/move", data=data)).status_code == 303
            await asyncio.sleep(0.05)
        for who, listener in zip((seated[1], spectator), streams, strict=True):
            await listener.until(3)
            pages.append((await who.get(path)).text)
        chunks = [b"%d %d" % (len(s.chunks), sum(map(len, s.chunks))) for s in streams]
        app.state.stopping.give()
        for listener in streams:
            await listener.task
        return chunks, pages


async def test_nobody_learns_how_often_a_commitment_changed(tmp_path: Path) -> None:
    steady, wavering = await _told(tmp_path, 0), await _told(tmp_path, 6)
    assert steady[0] == wavering[0]
    assert steady[1] == wavering[1]
