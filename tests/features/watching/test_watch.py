"""The page «Watch»: small boards of live tables, by one stream, as a spectator sees them; a table on a TV."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from markupsafe import Markup

from paddock.features.watching import service
from paddock.features.watching.service import BOARDS, live
from paddock.features.watching.wall import SmallBoard, apart
from paddock.features.watching.watch import told
from paddock.server.app import add_caches
from paddock.tables import Table, Tables, Terms
from paddock.tables.making import Sitter
from tables.harness import ANA, BEN
from web.helpers import finish, table, tables_of, words
from web.streams import Stream
from web.test_secrecy import twin

pytestmark = pytest.mark.anyio
EMPTY = "Nobody plays a public game at the moment."


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for changes without a pause."""
    monkeypatch.setattr(service, "LOOK", 0.001)
    monkeypatch.setattr("paddock.features.watching.watch.LOOK", 0.001)


async def game(tables: Tables, title: str = "lacorsa", **options: Any) -> Table:
    """Return a listed game that Ana and Ben play alone."""
    usual = {"lacorsa": {"drivers": 4, "races": 1}, "rasant": {"players": 4, "games": 1}}
    return await tables.making.pair(
        title,
        usual[title] | options,
        [Sitter("me", "Ana", ANA), Sitter("me", "Ben", BEN), Sitter("rookie"), Sitter("rookie")],
        host=ANA,
        terms=Terms(listed=True, pace="human"),
        also=lambda _id: lambda _connection: None,
    )


async def play(tables: Tables, one: Table, holder: str = ANA, nth: int = 0) -> None:
    """Make the first move that this player can make, or the ``nth``."""
    seat = next(seat for seat in one.awaited_seats() if one.players[seat].holder == holder)
    move = list(one.game.legal(seat))[nth]
    await tables.submit(one.id, holder, seat, str(move), one.decision, f"{one.decision}-{seat}")


async def until(stream: Stream, done: Callable[[], bool]) -> None:
    """Read a stream until this is so."""
    while not done():
        await stream.until(len(stream.chunks) + 1)


async def test_the_page_has_a_still_board_of_each_live_table(client: httpx.AsyncClient) -> None:
    empty = (await client.get("/watch")).text
    assert EMPTY in empty and "Race now" in empty and "<article" not in empty
    private = await table(client)
    tables = tables_of(client)
    shown = [await game(tables), await game(tables), await game(tables, "rasant")]
    page = (await client.get("/watch")).text
    assert re.findall(r'<li id="live-([^"]*)" data-title="(\w+)"', page) == [
        (one.id, one.title.name) for one in reversed(shown)
    ]
    assert private not in page
    for one in shown:
        assert f'href="/t/{one.id}"' in page and f'href="/t/{one.id}/tv"' in page
        assert one.title.text.status(one.seen(None)) in words(page)
    boards = page[page.index('id="boards"') :]
    ids = re.findall(r'\bid="([^"]+)"', boards)
    assert len(ids) == len({*ids})
    assert "<form" not in boards[: boards.index("</ul>")]


async def test_home_leads_to_the_page(client: httpx.AsyncClient) -> None:
    assert "Watch all boards" not in (await client.get("/")).text
    await game(tables_of(client))
    assert "Watch all boards" in (await client.get("/")).text


async def test_whoever_has_muted_others_sees_none(client: httpx.AsyncClient) -> None:
    one = await game(tables_of(client))
    client.cookies.set("others", "off")
    page = (await client.get("/watch")).text
    assert one.id not in page and "You have muted live tables." in page
    tv = await client.get("/watch/tv")
    assert tv.status_code == 200 and "You have muted live tables." in tv.text


async def test_one_stream_tells_the_changes_of_two_tables(app: FastAPI, client: httpx.AsyncClient) -> None:
    tables = tables_of(client)
    first, second = await game(tables), await game(tables)
    page = (await client.get("/watch")).text
    have = re.findall(r'<li id="live-([^"]*)"[^>]* data-digest="(\w+)"', page)
    stream = Stream(app, "/watch/stream", client, "have=" + ",".join(".".join(pair) for pair in have))

    async def news(n: int) -> Any:
        await until(stream, lambda: len(stream.events) >= n)
        return stream.events[n - 1][1]

    everything = await news(1)
    assert everything == {"all": [second.id, first.id], "changed": []}
    await play(tables, first)
    one = await news(2)
    assert [board["id"] for board in one["changed"]] == [first.id]
    await play(tables, second, BEN)
    two = await news(3)
    assert [board["id"] for board in two["changed"]] == [second.id]
    assert two["changed"][0]["html"] in (await client.get("/watch")).text
    third = await game(tables, "rasant")
    three = await news(4)
    assert three["all"][0] == third.id and [board["id"] for board in three["changed"]] == [third.id]
    await finish(client, f"/t/{third.id}")
    await until(stream, lambda: third.id not in stream.events[-1][1]["all"])
    assert len({*stream.events[-1][1]["all"]}) == 2
    stream.task.cancel()


async def test_a_hidden_choice_and_hidden_cards_change_no_board(client: httpx.AsyncClient) -> None:
    """Neither which card was committed, nor what anybody holds, nor who looks."""
    tables, choose = tables_of(client), random.Random(7)
    one = await game(tables)
    await play(tables, one)
    pages = ("/watch", f"/t/{one.id}/tv")
    shown = [(await client.get(page)).text for page in pages]
    held, pending = one.game, one.pending
    for _deal in range(3):
        one.game, one.pending = twin(one, 0, choose)
        assert one.game.position != held.position
        add_caches(client._transport.app.state)  # type: ignore[attr-defined]
        assert [(await client.get(page)).text for page in pages] == shown
    one.game, one.pending = held, pending


def test_at_most_twelve_tables_have_boards() -> None:
    seal = SimpleNamespace(seal=None)
    tables: Any = [SimpleNamespace(running=bool(n % 2), kind=seal) for n in range(40)]
    sealed: Any = SimpleNamespace(running=True, kind=SimpleNamespace(seal="secret"))
    assert live([sealed, *tables]) == tables[1 : 2 * BOARDS : 2]


def test_a_page_gets_what_it_lacks() -> None:
    boards = [SmallBoard(id, "lacorsa", Markup(f"<p>{id}"), "<p>", f"now-{id}") for id in ("a", "b", "c")]
    first = told(boards, {"a": "now-a", "b": "before"})
    assert b'"all":["a","b","c"]' in first.data
    assert b'"html":"<p>"' in first.data and b'"html":"<p>c"' in first.data and b"now-a" not in first.data
    assert first.digest == told(boards, {}).digest != told(boards[:2], {}).digest


def test_boards_of_one_title_have_ids_of_their_own() -> None:
    drawing = (
        '<g id="car" aria-labelledby="car"/><use href="#car"/><use href="#sign"/><path fill="url(#car)"/>'
    )
    assert apart(drawing, "x") == (
        '<g id="car-x" aria-labelledby="car-x"/><use href="#car-x"/><use href="#sign"/>'
        '<path fill="url(#car-x)"/>'
    )


async def test_a_tv_shows_a_player_what_a_spectator_sees(client: httpx.AsyncClient) -> None:
    path = await table(client)
    mine = (await client.get(f"{path}/tv")).text
    main = mine[mine.index("<main") : mine.index("</main>")]
    assert "<form" not in main and "<button" not in main and 'class="hand' not in main
    client.cookies.clear()
    assert (await client.get(f"{path}/tv")).text == mine
    assert 'class="order"' in mine and f'data-stream="{path}/tv/stream?"' in mine


async def test_a_tv_follows_by_itself(app: FastAPI, client: httpx.AsyncClient) -> None:
    waiting = await client.get("/watch/tv")
    assert waiting.status_code == 200 and 'data-next="/watch/tv"' in waiting.text
    tables = tables_of(client)
    first, second = await game(tables, "rasant"), await game(tables, "rasant")
    for after, leads in (("", second), (second.id, first), (first.id, second)):
        answer = await client.get("/watch/tv", params={"after": after})
        assert answer.headers["location"] == f"/t/{leads.id}/tv"
    path = f"/t/{first.id}/tv"
    stream = Stream(app, f"{path}/stream", client)
    await stream.until(2)
    assert "data-next" not in stream.events[0][1]["page"]
    await finish(client, f"/t/{first.id}")
    await until(stream, lambda: "tv-podium" in stream.events[-1][1]["page"])
    assert f'data-next="/watch/tv?after={first.id}"' in stream.events[-1][1]["page"]
    stream.task.cancel()
    part = await client.get(path, headers={"paddock-part": "main"})
    assert "tv-podium" in part.text and "<html" not in part.text


async def test_a_tv_waits_in_a_lobby(client: httpx.AsyncClient, tmp_path: Path) -> None:
    path = await table(client, **{"who-2": "open"})
    page = (await client.get(f"{path}/tv")).text
    assert "In the lobby" in page and 'class="board"' not in page
