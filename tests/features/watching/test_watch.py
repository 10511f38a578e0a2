"""The page «Watch»: small boards of live tables, by one stream, as a spectator sees them; a table on a TV."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from markupsafe import Markup

from paddock.core.errors import BadRecord
from paddock.features.watching import service, wall, watch
from paddock.features.watching.service import BOARDS, CALM, Watching, chosen
from paddock.features.watching.wall import SmallBoard, apart
from paddock.features.watching.watch import told
from paddock.server.app import add_caches
from paddock.store import Peer
from paddock.tables import Busy, Table, Tables, Terms, Unavailable
from paddock.tables.hosting import Abandon
from paddock.tables.making import Sitter
from paddock.tables.owning import Alone
from paddock.tables.service import LISTED
from paddock.web.caches import Once
from paddock.web.model import Model
from tables.harness import ANA, BEN, CountedRuntime, decide
from tables.harness import service as open_tables
from web.helpers import finish, table, tables_of, words
from web.streams import Stream
from web.test_secrecy import twin

pytestmark = pytest.mark.anyio
EMPTY = "Nobody plays a public game at the moment."


class Other(Alone):
    """One of several servers, which has no table."""

    me = Peer("u", "", "")


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
    assert sorted(re.findall(r'<li id="live-([^"]*)" data-title="(\w+)"', page)) == sorted(
        (one.id, one.title.name) for one in shown
    )
    assert re.findall(r'data-sprite="(\w+)"', page) == ["lacorsa", "rasant"]
    sprite = await client.get("/watch/sprite/lacorsa")
    assert len(sprite.text) > 1000 and sprite.text in page
    assert (await client.get("/watch/sprite/nothing")).status_code == 404
    assert private not in page
    for one in shown:
        assert f'href="/t/{one.id}"' in page and f'href="/t/{one.id}/tv"' in page
        assert one.title.text.status(one.seen(None)) in words(page)
    boards = page[page.index('id="boards"') :]
    ids = re.findall(r'\bid="([^"]+)"', boards)
    assert len(ids) == len({*ids})
    assert "<form" not in boards[: boards.index("</ul>")]


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
    assert everything == {"all": [second.id, first.id], "over": [], "changed": []}
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
        tables.service(Watching).wall.boards = Once(BOARDS)
        assert [(await client.get(page)).text for page in pages] == shown
    one.game, one.pending = held, pending


def test_a_game_keeps_its_board_while_it_is_played() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    touched = {f"g{n}": now - timedelta(seconds=n) for n in range(40)}
    first = chosen([], touched, now)
    assert first == [*touched][:BOARDS]
    moved = {id: touched[id] for id in [*reversed(touched)] if id != "g3"}
    assert chosen(first, moved, now) == ["g39", *(id for id in first if id != "g3")]
    calm = {id: at - CALM if id in ("g0", "g1") else at for id, at in touched.items()}
    calm = dict(sorted(calm.items(), key=lambda game: game[1], reverse=True))
    assert chosen(first, calm, now) == ["g12", "g13", *first[2:]]
    few = {id: calm[id] for id in ("g2", "g0")}
    assert chosen(first, few, now) == ["g0", "g2"]


async def test_lobbies_take_no_board_and_no_line_of_home(client: httpx.AsyncClient) -> None:
    tables, all_boards = tables_of(client), "Watch all boards"
    assert all_boards not in (await client.get("/")).text
    one = await game(tables)
    for n in range(LISTED + 1):
        row = replace(one.row(), id=f"lobby{n}", phase="lobby", created=one.created + timedelta(seconds=1))
        await tables.store.create(row, one.players, [])
    for page in ("/", "/watch"):
        assert f'href="/t/{one.id}"' in (await client.get(page)).text
    assert all_boards in (await client.get("/")).text


async def test_what_cannot_be_shown_takes_no_other_board_away(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a board that cannot be drawn, nor a server that is busy or without its database for a while."""
    tables = tables_of(client)
    bad, fine = await game(tables), await game(tables)
    draw, look = wall.shown, watch.boards
    faults: list[Exception] = [Unavailable("x"), Busy("x")]

    def shown(table: Table, model: Model) -> dict[str, Any]:
        if table is bad:
            raise BadRecord("x")
        return draw(table, model)

    async def boards(request: Request) -> list[SmallBoard]:
        if faults:
            raise faults.pop()
        return await look(request)

    monkeypatch.setattr(wall, "shown", shown)
    page = (await client.get("/watch")).text
    assert f'id="live-{fine.id}"' in page and f'id="live-{bad.id}"' not in page
    monkeypatch.setattr(watch, "boards", boards)
    stream = Stream(app, "/watch/stream", client)
    await until(stream, lambda: bool(stream.events))
    assert stream.events[0][1]["all"] == [fine.id] and not faults
    stream.task.cancel()


async def test_only_boards_are_loaded_and_only_what_is_new(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of tables that another server has."""
    monkeypatch.setattr(service, "BOARDS", 2)
    monkeypatch.setattr(service, "LOOK", 1)
    runtime = CountedRuntime("u")
    async with open_tables(database) as one, open_tables(database, runtime=runtime) as two:
        games = [await game(one) for _ in range(3)]
        monkeypatch.setattr(two.registry, "owning", Other())
        reads: list[tuple[str, int]] = []
        read = two.store.load

        async def load(id: str, start: int = 0) -> Any:
            reads.append((id, start))
            return await read(id, start)

        monkeypatch.setattr(two.store, "load", load)

        async def looked() -> list[Table]:
            reads.clear()
            runtime.time += 1
            return await two.service(Watching).wall.live()

        known = await looked()
        assert sorted(reads) == sorted((table.id, 0) for table in known) and len(known) == 2
        assert await looked() == known and reads == []
        (moved,) = [table for table in games if table.id == known[0].id]
        rows = moved.rows
        for seat in range(4):
            await decide(one, moved, seat, str(next(iter(moved.game.legal(seat)))))
        again = await looked()
        assert reads == [(moved.id, rows)] and moved.rows > rows
        assert [table.game.log for table in again] == [moved.game.log, known[1].game.log]


async def test_a_page_hears_which_games_are_over_and_nothing_when_muted(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LOOK", 0.1)  # a look at each of many moves takes minutes on a busy machine
    tables = tables_of(client)
    ended, left = await game(tables, "rasant"), await game(tables)
    client.cookies.set("others", "off")
    muted = Stream(app, "/watch/stream", client)
    client.cookies.delete("others")
    stream = Stream(app, "/watch/stream", client)
    await until(stream, lambda: bool(stream.events))
    await finish(client, f"/t/{ended.id}")
    await until(stream, lambda: stream.events[-1][1]["all"] == [left.id])
    assert stream.events[-1][1]["over"] == [ended.id]
    await tables.sweep(tables.runtime.now() + timedelta(days=99), Abandon())
    await until(stream, lambda: stream.events[-1][1]["all"] == [])
    assert stream.events[-1][1]["over"] == [] and muted.chunks and muted.events == []
    assert "data-next" in (await client.get(f"/t/{left.id}/tv")).text
    for one in (stream, muted):
        one.task.cancel()


def test_a_page_gets_what_it_lacks() -> None:
    boards = [SmallBoard(id, "lacorsa", Markup(f"<p>{id}"), "<p>", f"now-{id}") for id in ("a", "b", "c")]
    first = told(boards, {"a": "now-a", "b": "before"})
    assert b'"all":["a","b","c"]' in first.data
    assert b'"html":"<p>"' in first.data and b'"html":"<p>c"' in first.data and b"now-a" not in first.data
    assert b'"over":["d"]' in told(boards, {"d": "before"}, ["d"]).data
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


async def test_who_watches_a_game_finds_its_tv(client: httpx.AsyncClient) -> None:
    path = await table(client)
    assert f'href="{path}/tv"' not in (await client.get(path)).text
    client.cookies.clear()
    assert f'href="{path}/tv"' in (await client.get(path)).text


async def test_a_tv_waits_in_a_lobby(client: httpx.AsyncClient, tmp_path: Path) -> None:
    path = await table(client, **{"who-2": "open"})
    page = (await client.get(f"{path}/tv")).text
    assert "In the lobby" in page and 'class="board"' not in page
