"""Answers whose size follows from stored data: who makes them, how long they are kept, and what they cost.

The fault that these tests know as a kind: an answer that grows with what is stored is made in the event loop,
anew for each request, at the price of a page. So everybody waits for one who asks for it again and again.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock import records
from paddock.features.daily.rows import AttemptRow, DayRow, DealRow
from paddock.features.daily.store import DailyStore, begun
from paddock.features.mygames import service as mygames
from paddock.features.mygames.service import MyGames
from paddock.features.puzzles import anki
from paddock.records import Note
from paddock.server.app import create_app
from paddock.tables import Busy, built
from paddock.tables.built import Built
from paddock.web.guard import COOKIE, hashed
from paddock.web.limits import WEIGHED, Limits, Open, Rates
from store.databases import prepared
from web.conftest import running
from web.test_api_guard import Clock, limit

pytestmark = pytest.mark.anyio
FEW, MANY = 110, 230  # the fewer are more than a page shows
SECRET = "s" * 43  # of the browser that has everything
WHEN = datetime(2026, 3, 1, tzinfo=UTC)
PAST = "2026-02-01"  # a day that is over
ADDRESSES = (
    "/me?all=yes",
    "/me/file",
    "/api/v1/me",
    "/api/v1/me/file",
    "/api/v1/tables/{id}/notes",
    "/api/v1/tables/{id}/record",
    "/t/{id}/record",
    "/t/{id}/replay?step=4",
    f"/daily/{PAST}",
    f"/api/v1/daily/{PAST}",
    "/puzzles/anki?of=lacorsa",
)
PER_ROW = 16  # functions that the loop may call to read a row; to make something of it takes more
AGAIN = 4  # of a note, to see whether it belongs to the step that is shown, and whose it is


# The loop's share of the work


class Calls:
    """Counts the functions that Python calls in one thread."""

    def __init__(self) -> None:
        self.n = 0

    def __call__(self, _frame: object, event: str, _argument: object) -> None:
        self.n += event == "call"


async def calls(client: httpx.AsyncClient, path: str) -> int:
    """Ask for something; return how many functions the thread of the event loop called."""
    found = Calls()
    sys.setprofile(found)
    try:
        answer = await client.get(path)
    finally:
        sys.setprofile(None)
    assert answer.status_code == 200, (path, answer.text)
    return found.n


def games(count: int) -> str:
    """Return a file of «My games» with so many."""
    game = {"title": "lacorsa", "place": 1, "points": 9, "others": [{"name": "Ben", "bot": None, "place": 2}]}
    mine = [game | {"game": f"g{n}", "ended": f"{WHEN - timedelta(hours=n):%FT%TZ}"} for n in range(count)]
    return json.dumps({"games": mine})


def noted(count: int) -> str:
    """Return the record of a game with so many notes on its beginning."""
    game = paddock.start("rasant", players=3, games=1, seed=1, deck="r10-130 g10-130\nk30 k90")
    while not game.over:
        seat = game.deciders[0]
        game.play(seat, game.legal(seat).ids[0])
    notes = [Note(0, "Ana", f"Nr. {n}", marks=(f"piece {n}",)) for n in range(count)]
    return records.write(game, date="2026-03-01", players=[(name, None) for name in game.names], notes=notes)


async def raced(app: FastAPI, count: int) -> None:
    """Let so many have raced on a day that is over."""
    store = app.state.tables.store.part(DailyStore)
    await store.open_day(DayRow(PAST, "1" * 64))
    await store.add_deals([DealRow(PAST, "lacorsa", 1, "drivers=4", 2, "club")])
    row = AttemptRow(PAST, "lacorsa", "", "", WHEN, None, WHEN, 0, 1, True)

    def work(connection: Any) -> None:
        for n in range(count):
            begun(replace(row, holder=f"{n:064}", name=f"N{n}", points=n))(connection)

    await store._writer.run(work)


async def works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> dict[str, tuple[int, int]]:
    """Return how many functions the loop calls for each address if there is so much of everything: when the
    answer is made, and when it was made before."""
    monkeypatch.setattr(anki, "MOST", count // 10)
    monkeypatch.setattr(mygames, "REST", 3600.0)  # what it does meanwhile is not counted
    app = create_app(prepared(f"sqlite:///{tmp_path / f'{count}.sqlite3'}"), pace="instant")
    found = {}
    async with running(app) as client:
        client.cookies.set(COOKIE, SECRET)
        await app.state.tables.service(MyGames).bring(hashed(SECRET), games(count))
        id = (await client.post("/api/v1/records", json={"text": noted(count)})).json()["id"]
        await raced(app, count)
        for address in ADDRESSES:
            path = address.format(id=id)
            await calls(client, path)  # loads templates and modules
            app.state.tables.built._kept.clear()
            found[address] = await calls(client, path), await calls(client, path)
    return found


@pytest.mark.slow("two servers with hundreds of everything, under a profiler")
async def test_the_loop_only_reads_what_an_answer_is_made_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unlimited: None
) -> None:
    """What the loop does for such an answer hardly grows with the data, and not at all if it has not changed.

    Counted are the functions that its thread calls: no clock says anything here.
    """
    few, many = await works(tmp_path, monkeypatch, FEW), await works(tmp_path, monkeypatch, MANY)
    for address in ADDRESSES:
        made, again = (more - less for more, less in zip(many[address], few[address], strict=True))
        assert made < PER_ROW * (MANY - FEW), (address, few[address], many[address])
        assert again < AGAIN * (MANY - FEW), (address, few[address], many[address])


# What is kept


async def test_it_is_made_again_when_its_data_has_changed_and_once_for_all_who_ask() -> None:
    made, kept = list[str](), Built(100)
    go = asyncio.Event()

    async def read() -> str:
        await go.wait()
        return "data"

    def make(data: str) -> str:
        made.append(data)
        return f"{data} {len(made)}"

    async def ask(key: str, stamp: int) -> str:
        return await kept.of(key, stamp, read, make, len)

    asking = [asyncio.create_task(ask("a", 1)) for _ in range(3)]
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(*asking) == ["data 1"] * 3
    assert [await ask("a", 1), await ask("a", 2), await ask("b", 2), await ask("a", 2)] == [
        "data 1", "data 2", "data 3", "data 2"
    ]  # fmt: skip


async def test_what_was_not_used_for_longest_makes_room() -> None:
    made, kept = Calls(), Built(10)

    async def read() -> None:
        pass

    async def ask(key: str, size: int) -> None:
        def make(_nothing: None) -> str:
            made.n += 1
            return "x" * size

        await kept.of(key, 1, read, make, len)

    for key in ("a", "b", "a", "c", "a"):  # «b» goes
        await ask(key, 4)
    assert made.n == 3
    await ask("b", 4)
    await ask("d", 11)  # larger than all room: it is not kept, and nothing else is
    assert made.n == 5 and not kept._kept and kept._size == 0


async def test_too_much_at_once_is_refused_and_an_error_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "MOST", 2)
    kept, go = Built(), asyncio.Event()

    async def read() -> int:
        await go.wait()
        return 0

    waiting = [
        asyncio.create_task(kept.of(n, 1, read, lambda zero: 1 // zero, lambda _made: 1)) for n in (1, 2)
    ]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await kept.of(3, 1, read, lambda zero: zero, lambda _made: 1)
    go.set()
    for one in waiting:
        with pytest.raises(ZeroDivisionError):
            await one
    assert await kept.of(1, 1, read, lambda zero: zero, lambda _made: 1) == 0


async def test_who_has_an_answer_does_not_get_it_again(client: httpx.AsyncClient) -> None:
    path = "/puzzles/anki?of=lacorsa"
    plain = await client.get(path)
    tag = plain.headers["etag"]
    for encoding in ("br", "gzip"):
        packed = await client.get(path, headers={"accept-encoding": encoding})
        assert packed.headers["content-encoding"] == encoding and packed.headers["etag"] == tag
        assert packed.content == plain.content and "accept-encoding" in packed.headers["vary"].lower()
    again = await client.get(path, headers={"if-none-match": f'W/"other", {tag}'})
    assert again.status_code == 304 and not again.content and again.headers["etag"] == tag
    german = await client.get(path, headers={"accept-language": "de"})
    assert german.headers["etag"] != tag, "in another language it is another answer"


async def test_my_games_are_shown_page_by_page_and_the_file_is_whole(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    client.cookies.set(COOKIE, SECRET)
    await app.state.tables.service(MyGames).bring(hashed(SECRET), games(MANY))

    async def shown(query: str) -> tuple[int, list[str]]:
        page = (await client.get(f"/me{query}")).text
        return page.count('class="past-place"'), [
            word for word in ("Newer games", "Older games") if word in page
        ]

    assert await shown("") == (24, []) and "Show 206 more" in (await client.get("/me")).text
    assert await shown("?all=yes") == (100, ["Older games"])
    assert await shown("?all=yes&page=2") == (100, ["Newer games", "Older games"])
    assert await shown("?all=yes&page=3") == (30, ["Newer games"])
    assert (await client.get("/me?all=yes&page=11")).status_code == 400, "no browser has so many"
    assert len((await client.get("/me/file")).json()["games"]) == MANY
    assert len((await client.get("/api/v1/me")).json()["games"]) == MANY


# Prices


def test_who_owes_something_waits_and_nobody_owes_more_than_a_full_bucket() -> None:
    clock = Clock()
    rates = Rates(2, clock)  # a bucket of 40
    rates.owe("a", 50)
    assert rates.take("a") == 6, "10 are owed, and one is to be paid"
    clock.now += 6
    assert rates.take("a") == 0
    rates.owe("a", 10**9)
    assert rates.take("a") == 21
    Rates(0, clock).owe("a", 10**9)


async def test_the_price_of_an_answer_follows_from_its_size(app: FastAPI, client: httpx.AsyncClient) -> None:
    clock = Clock()
    limit(app, Limits(Rates(1, clock), Rates(0), Open(0)))
    file = await client.get("/puzzles/anki?of=lacorsa")
    left = app.state.checks.limits.address._buckets["127.0.0.1"].left
    assert left == pytest.approx(20 - 1 - len(file.content) / WEIGHED) and len(file.content) > WEIGHED
    tag = file.headers["etag"]
    while (answer := await client.get("/puzzles/anki?of=lacorsa")).status_code == 200:
        pass
    assert answer.status_code == 429
    clock.now += 100
    for _ in range(20):  # who has it already pays as for any page
        assert (
            await client.get("/puzzles/anki?of=lacorsa", headers={"if-none-match": tag})
        ).status_code == 304
