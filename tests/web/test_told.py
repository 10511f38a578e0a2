"""Pages and the API depend only on the events that the rules tell each player."""

from __future__ import annotations

import hashlib
import html
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock.core.log import Event
from paddock.games.lacorsa.rules.state import DISCARDED, EXTENDED, REVEALED
from paddock.server.app import add_caches
from paddock.tables import Table, Tables
from paddock.tables.change import MOST_FORCED
from sampling import count
from tables.harness import give_seats
from web.api_helpers import API, fine
from web.conftest import running

pytestmark = pytest.mark.anyio
SPECTATOR = 4


def event_for(g: object, eyes: int, event: Event) -> Event | None:
    """Only its player learns what a car extends, discards or reveals."""
    return event if event.code not in (EXTENDED, DISCARDED, REVEALED) or eyes >> event.a & 1 else None


@pytest.fixture(autouse=True)
def secretive(monkeypatch: pytest.MonkeyPatch) -> None:
    """LACORSA with such events."""
    monkeypatch.setattr(paddock.title("lacorsa").rules, "event_for", event_for, raising=False)
    monkeypatch.setitem(paddock.title("lacorsa").__dict__, "event_for", event_for)


@asynccontextmanager
async def race(app: FastAPI) -> AsyncIterator[tuple[Table, list[httpx.AsyncClient]]]:
    """A race with a browser for each car and one for a spectator."""
    async with running(app):
        tables: Tables = app.state.tables
        secrets = [str(player) * 43 for player in range(4)]
        table = await tables.making.create(
            "lacorsa", {"races": 2}, ["me"] * 4, ["A", "B", "C", "D"], holder="x"
        )
        holders = [hashlib.sha256(secret.encode()).hexdigest() for secret in secrets]
        await give_seats(tables, table, dict(enumerate(holders)))
        transport = httpx.ASGITransport(app)
        yield (
            table,
            [
                httpx.AsyncClient(transport=transport, base_url="http://paddock.test", cookies=cookies)
                for cookies in (*({"paddock_browser": secret} for secret in secrets), {})
            ],
        )


async def play(app: FastAPI, table: Table, moves: int, seed: int = 3) -> None:
    tables, choose = app.state.tables, random.Random(seed)
    for n in range(moves):
        if table.game.over:
            return
        seat = choose.choice(table.awaited_seats())
        move = choose.choice(list(table.game.legal(seat)))
        holder, key = table.players[seat].holder, f"{seed}.{n}"
        await tables.submit(table.id, holder, seat, str(move), table.decision, key)


async def asked(client: httpx.AsyncClient, table: Table, path: str = "") -> Any:
    return fine(await client.get(f"{API}/tables/{table.id}{path}"))


async def story(client: httpx.AsyncClient, table: Table, path: str = "") -> list[tuple[int, str]]:
    """Return the lines of the story on a page as (number, text), the oldest first."""
    text = (await client.get(f"/t/{table.id}{path}")).text
    story = text[text.index('<ol class="story"') :].partition("</ol>")[0]
    lines = []
    for n, line in re.findall(r'<li[^>]* data-n="(-?\d+)"[^>]*>(.*?)</li>', story):
        words = html.unescape(re.sub(r"<[^>]*>", "", line)).strip().removeprefix("New: ")
        lines.append((int(n), words))
    return sorted(lines)


def secret_to(table: Table, who: int) -> set[str]:
    """Return the sentences that these eyes must not get."""
    text, names = table.title.text, table.game.seen(0).seat_names
    events = [event for item in table.game.events for event in item.events]
    heard = {text.line(table.game.setup, e, names) for e in events if event_for(None, eyes(who), e)}
    return {text.line(table.game.setup, e, names) for e in events} - heard


def eyes(who: int) -> int:
    return 0 if who == SPECTATOR else 1 << who


async def test_nobody_gets_events_of_others(app: FastAPI) -> None:
    async with race(app) as (table, clients):
        for part in range(12):
            await play(app, table, 5, part)
            stories = []
            for who, client in enumerate(clients):
                told = await asked(client, table)
                page = (await client.get(f"/t/{table.id}")).text
                secret = secret_to(table, who)
                assert secret and not secret & {line["text"] for line in told["story"]}
                assert not any(html.escape(words) in page for words in secret)
                stories.append(tuple(line["text"] for line in told["story"]))
                shown = {words for _n, words in await story(client, table)}
                assert shown & set(stories[-1]) and not shown & secret
            assert len(set(stories)) == 5, "each was told something else"


async def test_line_numbers_count_only_told_events(app: FastAPI) -> None:
    """The events of one entry that a reader was told have consecutive numbers."""
    async with race(app) as (table, clients):
        await play(app, table, 40)
        most = table.title.rules.MAX_EVENTS
        space = most + 2 + MOST_FORCED
        several = 0
        for who, client in enumerate(clients):
            whole = {item.entry: item.events for item in table.game.events}
            places: dict[int, list[int]] = {}
            for n, words in await story(client, table):
                if n % space < most:  # the others are headings, and reasons of forced moves
                    places.setdefault(n // space, []).append(n % space)
                    assert words
            for entry, found in places.items():
                assert found == list(range(len(found))), (who, entry)
                several += len(found) < len(whole[entry])
        assert several > 5


async def test_news_count_only_told_events(app: FastAPI) -> None:
    async with race(app) as (table, clients):
        await play(app, table, 60)
        for who, client in enumerate(clients[:4]):
            read = table.players[who].read_up_to
            assert read > 0
            heard = table.events_for(who)
            assert len(heard) < len(table.game.events)
            new = [item for item in heard if item.entry >= read]
            assert table.since(who) == len(heard) - len(new)
            assert (await asked(client, table))["news"] == (new[0].entry if new else None)
            fine(await client.post(f"{API}/tables/{table.id}/read", json={"player": who}))
            assert table.since(who) == len(heard) and (await asked(client, table))["news"] is None


async def test_events_of_others_change_no_page(app: FastAPI) -> None:
    """If a car had discarded another card, all others would get the same bytes."""
    async with race(app) as (table, clients):
        compared = 0
        for part in range(120):
            await play(app, table, 1, part)
            game = table.game
            last = game.events[-1].events if len(game.events) else ()
            event = next((event for event in last if event.code == DISCARDED), None)
            if event is None or game.over or game.events[-1].entry != len(game.log) - 1:
                continue
            before = [(await client.get(f"/t/{table.id}")).text for client in clients]
            api = [(await client.get(f"{API}/tables/{table.id}")).content for client in clients]
            table.game = game.fork()
            table.game.events.cut(game.events[-1].entry)
            other = event._replace(b=event.b % 12 + 1)
            more = [e for event_ in last for e in ([other, other] if event_ is event else [event_])]
            table.game.events.append(game.events[-1].entry, game.events[-1].round, more)
            add_caches(app.state)
            for who, client in enumerate(clients):
                same = who != event.a
                page = (await client.get(f"/t/{table.id}")).text
                assert (strip(page) == strip(before[who])) == same
                assert ((await client.get(f"{API}/tables/{table.id}")).content == api[who]) == same
                compared += 1
            table.game = game
            add_caches(app.state)
            if compared >= count(10, 1000):
                break
        assert compared >= 10


def strip(page: str) -> str:
    """Return a page without the keys of its forms, which are new each time."""
    return re.sub(r'name="key" value="[^"]*"', "", page)


async def test_a_replay_shows_the_events_told_to_its_seat(app: FastAPI) -> None:
    async with race(app) as (table, clients):
        await play(app, table, 1000)
        assert table.fully_visible and table.events_for(None) == table.game.events_for(15)
        assert {line for _n, line in await story(clients[SPECTATOR], table)} & secret_to(table, SPECTATOR)
        whole = await asked(clients[0], table, "/replay?entry=100")
        assert {line["text"] for line in whole["story"]} & secret_to(table, SPECTATOR)
        for seat in range(4):
            alone = await asked(clients[0], table, f"/replay?entry=100&seat={seat}")
            assert not {line["text"] for line in alone["story"]} & secret_to(table, seat)
            page = (await clients[0].get(f"/t/{table.id}/replay?step=20&eyes={seat + 1}")).text
            assert not any(html.escape(words) in page for words in secret_to(table, seat))
        page = (await clients[0].get(f"/t/{table.id}/replay?step=20&eyes=none")).text
        assert not any(html.escape(words) in page for words in secret_to(table, SPECTATOR))
