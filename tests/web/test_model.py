"""The model of a table: built and rendered once for all who see the same, and never stale."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Awaitable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.game import Game
from paddock.core.log import EventBatch, EventLog
from paddock.core.words import PUBLIC
from paddock.kernel.source import Seeded
from paddock.server.app import add_caches, create_app
from paddock.tables import Tables, orders, seats, talk
from paddock.tables.hosting import Abandon
from paddock.web import model
from paddock.web.caches import Recent
from paddock.web.model import Models, model_of
from paddock.web.page import WebPage
from paddock.web.pages import Pages
from sampling import SEED, count
from store.databases import prepared
from tables.clockwork import HandRuntime
from web.api_helpers import API
from web.helpers import forms
from web.streams import Stream
from web.test_friends import PART, asked, browsers, dealt, do, lobby, seen, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def runtime() -> HandRuntime:
    return HandRuntime()


@pytest.fixture
async def app(tmp_path: Path, runtime: HandRuntime) -> FastAPI:
    """An application whose clock stands: nobody is away, no standing order moves."""
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    return create_app(database, chance=Seeded(7), pace="instant", runtime=runtime)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every rendered page adds its template."""
    found: list[str] = []
    text, block = Pages.text, Pages.block

    def whole(self: Pages, request: Any, page: WebPage) -> str:
        found.append(page.template)
        return text(self, request, page)

    def part(self: Pages, page: WebPage, which: str) -> Iterator[str]:
        found.append(f"{page.template}#{which}")
        return block(self, page, which)

    monkeypatch.setattr(Pages, "text", whole)
    monkeypatch.setattr(Pages, "block", part)
    return found


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Counter[int | None]:
    """Return a counter of the models built from now on, by player."""
    found: Counter[int | None] = Counter()

    def counting(table: Any, player: int | None, *facts: Any) -> Any:
        found[player] += 1
        return model_of(table, player, *facts)

    monkeypatch.setattr(model, "model_of", counting)
    return found


def digest(text: str) -> str:
    return re.findall(r'data-digest="(\w+)"', text)[0]


async def test_a_move_renders_each_different_page_once(
    app: FastAPI, client: httpx.AsyncClient, rendered: list[str], built: Counter[int | None]
) -> None:
    """A move is told to two spectators and a player. These are two different pages; nobody fetches one."""
    async with browsers(app, 6) as people:
        path = await dealt(people[:4])
        watchers = [people[1], people[4], people[5]]
        pages = [(await watcher.get(path)).text for watcher in watchers]
        streams = [Stream(app, f"{path}/stream", watcher) for watcher in watchers]
        for stream, page in zip(streams, pages, strict=True):
            await stream.until(2)
            ((id, data),) = stream.events
            assert id == digest(page) == digest(data["page"])
        form = forms((await people[0].get(path)).text)[0]
        rendered.clear()
        built.clear()
        assert (await people[0].post(f"{path}/move", data=form.data())).status_code == 303
        for stream in streams:
            await stream.until(3)
        assert rendered == ["table.html#main"] * 2
        parts = [(await watcher.get(path, headers=PART)).text for watcher in watchers]
        assert rendered == ["table.html#main"] * 2 and built[1] == built[None] == 1
        for stream, part in zip(streams, parts, strict=True):
            id, data = stream.events[-1]
            assert id == digest(part) and strip(data["page"]) == strip(part)
        assert streams[1].chunks[-1] == streams[2].chunks[-1] != streams[0].chunks[-1]
        assert digest(parts[1]) == digest(parts[2]) != digest(parts[0])
        app.state.stopping.give()
        for stream in streams:
            await stream.task


async def test_pages_and_the_api_share_a_model(
    app: FastAPI, client: httpx.AsyncClient, built: Counter[int | None]
) -> None:
    async with browsers(app, 4) as people:
        path = await dealt(people)
        await people[0].get(path)
        built.clear()
        for friend in people[:1] * 3:
            await friend.get(path)
            await friend.get(path, headers=PART)
            assert (await friend.get(f"{API}/tables/{path.rpartition('/')[2]}")).status_code == 200
        assert not built


async def test_the_page_cache_separates_languages_settings_and_addresses(
    app: FastAPI, client: httpx.AsyncClient, rendered: list[str]
) -> None:
    """They are part of the cache key; the settings only for whole pages."""
    async with browsers(app, 3) as people:
        path = await dealt(people[:2], drivers="2")
        reader = people[2]
        plain = (await reader.get(path)).text
        dark = (await reader.get(path, headers={"cookie": "theme=dark"})).text
        assert 'data-theme="auto"' in plain and 'data-theme="dark"' in dark
        there = (await reader.get(path, headers={"host": "localhost"})).text
        assert f"http://paddock.test{path}" not in there
        named = (await reader.get(path, headers={"cookie": "paddock_name=Eva"})).text
        assert named and digest(named) == digest(plain) == digest(dark)
        rendered.clear()
        for theme in ("light", "dark"):
            await reader.get(path, headers=PART | {"cookie": f"theme={theme}"})
        assert rendered == ["table.html#main"]


async def test_a_lobby_shows_nobody_the_number_of_another(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 3) as (host, three, five):
        path = await lobby(host, drivers="6")
        for newcomer, number in ((three, 3), (five, 5)):
            newcomer.cookies.set("paddock_number", str(number))
            text = (await newcomer.get(path)).text
            before = text[: text.index("your number")]
            assert text.count("your number") == 1 and before.count('<li id="p-') == number


async def test_a_page_says_who_is_away_and_lets_only_the_host_act(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    tables: Tables = app.state.tables
    async with browsers(app, 2) as people:
        path = await dealt(people, drivers="3", **{"who-3": "rookie"})
        table = await tables.table(path.removeprefix("/t/"))
        assert [one.host for one in model.common_of(table, None).people] == [True, False, False]
        for friend, host in zip(people, (True, False), strict=True):
            text = await seen(friend, path)
            assert ">away<" not in text and ("Host actions" in text) == host
        tables.registry.presence[table.id].seen.clear()
        assert (await seen(people[1], path)).count(">away<") == 1, "no bot is away"


async def test_a_table_that_leaves_memory_leaves_the_caches(app: FastAPI, client: httpx.AsyncClient) -> None:
    tables: Tables = app.state.tables
    table = await tables.making.create("lacorsa", {"drivers": 2}, ["me", "me"], ["Ana", "Ben"], holder="x")
    other = await tables.making.create("lacorsa", {"drivers": 2}, ["me", "me"], ["Ana", "Ben"], holder="x")
    for one in (table, other):
        await client.get(f"/t/{one.id}")
        await client.get(f"{API}/tables/{one.id}")
        app.state.outside.of(one, None)
    caches = [app.state.rendered, app.state.told]
    for many in (app.state.models, app.state.outside, app.state.telling):
        caches += [one for one in vars(many).values() if isinstance(one, Recent)]
    filled = [one for one in caches if table.id in str(one._kept.keys())]
    assert len(filled) > 12
    tables.registry._memory = 1
    await tables.making.create("lacorsa", {"drivers": 2}, ["me", "me"], ["Ana", "Ben"], holder="x")
    assert tables.registry.get(table.id) is None
    assert not [one for one in caches if table.id in str(one._kept.keys())]


async def test_a_model_of_before_a_change_is_not_kept_as_one_of_after_it(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long games are looked at in a thread, while the table goes on."""
    table = await app.state.tables.making.create(
        "lacorsa", {"drivers": 2}, ["me"] * 2, ["A", "B"], holder="x"
    )
    models = Models()
    for part in ("model_of", "sight_of", "decisions_of", "common_of"):

        def changed(*args: Any, real: Any = getattr(model, part), **more: Any) -> Any:
            made = real(*args, **more)
            table.stamp += 1
            return made

        table.stamp += 1
        with monkeypatch.context() as patch:
            patch.setattr(model, part, changed)
            before = models.of(table, 0)
        assert models.of(table, 0) is not before
        assert models.of(table, 0) is models.of(table, 0)


async def test_a_cached_model_is_used_until_something_changes(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    """Every change of the table, its players or its chat makes a new model, also one of another process."""
    tables: Tables = app.state.tables
    table = await tables.making.create("lacorsa", {"drivers": 2}, ["me", "me"], ["Ana", "Ben"], holder="x")
    models, id = Models(), table.id
    assert models.of(table, 0) is models.of(table, 0) is not models.of(table, None)
    assert models.of(table, 0, chat=True) is models.of(table, 0), "nobody has said anything"
    stamps = [table.stamp]

    async def another(change: Awaitable[Any]) -> None:
        kept = models.of(table, 0)
        await change
        assert models.of(table, 0) is not kept
        stamps.append(table.stamp)

    seat, moves = table.moves(0)[0]
    await another(tables.submit(id, "x", seat, moves[0][1], table.decision, "k"))
    await another(tables.run(id, talk.say, "x", 0, "hello"))
    assert models.of(table, 0, chat=True) is not models.of(table, 0)
    await another(tables.run(id, seats.rename, "x", 1, "Eva"))
    await another(tables.run(id, orders.give, "x", 0, "only move"))
    await another(tables.sweep(tables.runtime.now() + timedelta(days=9), Abandon(None, timedelta(days=1))))
    assert len(set(stamps)) == len(stamps)


async def test_a_word_in_the_chat_reads_no_event_again(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: Tables = app.state.tables
    table = await tables.making.create("lacorsa", {"drivers": 2}, ["me", "me"], ["Ana", "Ben"], holder="x")
    models, read, events_for = Models(), list[int](), Game.events_for

    def reading(game: Game, eyes: int, start: int = 0) -> Any:
        read.append(start)
        return events_for(game, eyes, start)

    async def play_on() -> None:
        seat, moves = (table.moves(0) or table.moves(1))[0]
        await tables.submit(table.id, "x", seat, moves[0][1], table.decision, f"{table.version}")

    while not events_for(table.game, table.eyes(0)):
        await play_on()
    monkeypatch.setattr(Game, "events_for", reading)
    first = models._batches(table, 0)
    await tables.run(table.id, talk.say, "x", 0, "hello")
    assert models._batches(table, 0) is first and read == [0]
    while len(read) < 2:
        await play_on()
        found = models._batches(table, 0)
    assert read[1] > 0, "only what is new"
    assert [*found] == [*events_for(table.game, table.eyes(0))]


ACTS = ("move",) * 4 + ("talk", "team", "read", "mute", "unmute", "leave", "order")


async def order(client: httpx.AsyncClient, path: str, seat: int, text: str) -> httpx.Response:
    return await client.post(f"{path}/orders", data={"do": "give", "seat": str(seat), "order": text})


_LOOKS = itertools.count()


async def fresh(app: FastAPI, clients: list[httpx.AsyncClient], path: str) -> None:
    """Check that everybody, or in a sample some three of them, get the same as without a cache."""
    order = random.Random(f"{SEED} {next(_LOOKS)}")
    clients = order.sample(clients, min(len(clients), count(3, 5)))
    addresses = [(path, {}), (path, PART), (f"{API}/tables/{path.rpartition('/')[2]}", {})]
    kept = [(await c.get(a, headers=h)).text for c in clients for a, h in addresses]
    add_caches(app.state)
    made = [(await c.get(a, headers=h)).text for c in clients for a, h in addresses]
    assert list(map(strip, kept)) == list(map(strip, made))


def strip(page: str) -> str:
    """Return a page without the keys of its forms, which are new each time."""
    return re.sub(r'name="key" value="[^"]*"', "", page)


@pytest.mark.slow("after each action, five readers get three pages, cached and built anew")
async def test_no_page_is_out_of_date(app: FastAPI, client: httpx.AsyncClient, runtime: HandRuntime) -> None:
    """After every action and every move of a standing order, cached pages and responses are the same as newly
    built ones."""
    async with browsers(app, 5) as people:
        path = await lobby(people[0], pairs="yes", races="1")
        await fresh(app, people, path)
        for act in (("claim", 1), ("claim", 2), ("claim", 3), ("rename", 3), ("ready", 1), ("unready", 1)):
            await do(people[act[1]], path, *act, name=f"{act[0]} {act[1]}"[:20])
            await fresh(app, people, path)
        for i, friend in enumerate(people[:4]):
            await do(friend, path, "ready", i)
        tables: Tables = app.state.tables
        table = await tables.table(path.rpartition("/")[2])
        who, before = await until(people[:4], path, "The road is free"), table.decision
        assert (await order(people[who], path, who, "discard lowest")).status_code == 303
        await fresh(app, people, path)
        await runtime.let(tables, 2.0)
        assert table.decision > before, "the standing order moved"
        await fresh(app, people, path)
        who = await until(people[:4], path, "The road is free")
        form = asked(await seen(people[who], path))[0]
        assert (await people[who].post(f"{path}/move", data=form.data())).status_code == 303
        for i in sorted(range(4), key=lambda i: i != who):
            act = "request" if i == who else "agree"
            assert (await people[i].post(f"{path}/undo", data={"do": act})).status_code == 303
            await fresh(app, people, path)
        choose, done = random.Random(3), Counter[str]()
        acts = [act for _round in range(count(1, 4)) for act in choose.sample(ACTS, len(ACTS))]
        for n, act in enumerate(acts):
            who = choose.randrange(4)
            friend = people[who]
            data: dict[str, str] = {"player": str(who)}
            if act == "move":
                for one in choose.sample(people[:4], 4):
                    if found := forms((await one.get(path, headers=PART)).text):
                        data = found[0].data(choose.choice(found[0].moves))
                        answer = await one.post(f"{path}/move", data=data)
                        break
            elif act in ("talk", "team"):
                data |= {"text": f"line {n}", "channel": "table" if act == "talk" else "team"}
                answer = await friend.post(f"{path}/talk", data=data)
            elif act == "read":
                answer = await friend.post(f"{path}/read", data=data)
            elif act in ("mute", "unmute"):
                answer = await do(people[0], path, act, who)
            elif act == "leave" and who:
                answer = await do(friend, path, "leave", who)
                await fresh(app, people, path)
                await do(friend, path, "claim", who, name=f"back {n}")
            else:
                offered = (await friend.get(f"{API}/tables/{table.id}")).json()["orders"]
                text = next((offer["text"] for seat in offered for offer in seat["offers"]), None)
                answer = text and await order(friend, path, who, text)
            done[act] += bool(answer) and answer.status_code == 303
            await fresh(app, people, path)
        assert min(done.values()) > 0, done
        here = (await people[4].get(path, headers=PART)).text
        tables.registry.presence[table.id].seen.clear()  # everybody is away
        gone = (await people[4].get(path, headers=PART)).text
        assert ">away<" in gone and ">away<" not in here and digest(gone) != digest(here)
        await fresh(app, people[4:], path)


@pytest.mark.parametrize("since", [0, 1, 40, 79, 80, 10_000])
def test_the_first_news_of_a_long_log_is_found_without_reading_all_of_it(
    monkeypatch: pytest.MonkeyPatch, since: int
) -> None:
    """A game that is explored from its end has thousands of batches that its player has not read."""
    log, read = EventLog(), list[int]()
    for entry in range(0, 81, 2):
        log.append(entry, 0, [(1, 0, 0, 0, PUBLIC)])
    want = next((batch.entry for batch in log if batch.entry >= since), None)
    really = EventLog.__getitem__

    def counted(self: EventLog, i: int) -> EventBatch:
        read.append(i)
        return cast(EventBatch, really(self, i))

    monkeypatch.setattr(EventLog, "__getitem__", counted)
    assert model._first(log, since) == want
    assert len(read) <= 8
