"""Home: the tables that await this browser come first; from elsewhere «Next table» leads to them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables import Runtime
from paddock.web.guard import COOKIE
from paddock.web.play import AGAIN
from web.conftest import running
from web.helpers import finish, forms, table
from web.streams import Stream
from web.test_friends import browsers, dealt, do, seen

pytestmark = pytest.mark.anyio


class Clock(Runtime):
    """Time stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def synchronised(self) -> bool:
        return True  # whatever a test does to it: no date follows


@pytest.fixture
def clock() -> Clock:
    """The clock of ``app``."""
    return Clock()


@pytest.fixture
async def app(tmp_path: Path, clock: Clock) -> FastAPI:
    """An application whose time a test moves."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    return create_app(url, chance=Seeded(7), runtime=clock, pace="instant")


@pytest.fixture
async def people(app: FastAPI) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Four browsers."""
    async with running(app), browsers(app, 4) as clients:
        yield clients


def lines(home: str, part: str) -> list[tuple[str, str]]:
    """The tables in a part of the page: their path, and what is said of them."""
    found = re.search(rf"<h2[^>]*>{part}</h2>.*?</ul>", home, re.S)
    items = re.findall(
        r'<li class="panel place"><a href="([^"]+)">(.*?)</li>', found[0] if found else "", re.S
    )
    return [(path, " ".join(re.sub("<[^>]+>", " ", words).split())) for path, words in items]


async def move(client: httpx.AsyncClient, path: str) -> None:
    """Commit or play the first move."""
    assert (await client.post(f"{path}/move", data=forms(await seen(client, path))[0].data())).is_redirect


def onward(text: str) -> str | None:
    """Where «Next table» leads; None without it."""
    found = re.search(r'class="button next-table" href="([^"]+)"', text)
    return found[1] if found else None


async def test_tables_that_await_me_come_first_and_the_longest_wait_before_the_others(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    """Those at which other people play come before those against bots."""
    ana, ben, *_others = people
    alone = await table(ana, **{f"who-{i}": "rookie" for i in range(2, 5)})
    clock.time += timedelta(minutes=5)
    first = await dealt(people, races="3")
    clock.time += timedelta(hours=2)
    second = await dealt(people)
    clock.time += timedelta(minutes=70)
    home = (await ana.get("/")).text
    assert lines(home, "It is your turn") == [
        (first, "LACORSA with Ben, Cleo, Dora race 1 of 3, qualifying your turn for 3 h"),
        (second, "LACORSA with Ben, Cleo, Dora qualifying your turn for 1 h"),
        (alone, "LACORSA with Bruno, Carla, Dario qualifying your turn for 3 h"),
    ]
    assert home.index("Race now") < home.index("It is your turn")  # the bar counts them above
    await move(ana, first)
    home = (await ana.get("/")).text
    assert [path for path, _said in lines(home, "It is your turn")] == [second, alone]
    assert lines(home, "Your other tables")[0][0] == first
    assert len(lines((await ben.get("/")).text, "It is your turn")) == 2
    clock.time += timedelta(days=3)
    assert lines((await ben.get("/")).text, "It is your turn")[0][1].endswith("your turn for 3 days")


async def test_a_line_names_place_and_lap_and_the_age_starts_with_each_decision(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    path = await dealt(people)
    clock.time += timedelta(hours=5)
    for friend in people:
        await move(friend, path)
    said = [
        lines((await friend.get("/")).text, part)
        for friend in people
        for part in ("It is your turn", "Your tables")
    ]
    words = [line for part in said for _path, line in part]
    assert sorted(re.findall(r"lap 1, place (\d) of 4", " ".join(words))) == ["1", "2", "3", "4"]
    assert sum(line.endswith("your turn") for line in words) in (1, 2)
    clock.time += timedelta(minutes=7)
    home = [(await friend.get("/")).text for friend in people]
    assert "your turn for 7 min" in "".join(home)


async def test_next_table_leads_to_the_longest_wait_only_while_nothing_is_asked_here(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    ana = people[0]
    paths = []
    for _ in range(3):
        paths.append(await dealt(people))
        clock.time += timedelta(minutes=10)
    assert onward(await seen(ana, paths[1])) is None
    await move(ana, paths[1])
    assert onward(await seen(ana, paths[1])) == paths[0]
    await move(ana, paths[0])
    assert onward(await seen(ana, paths[1])) == onward(await seen(ana, paths[0])) == paths[2]
    await move(ana, paths[2])
    assert onward(await seen(ana, paths[2])) is None
    async with httpx.AsyncClient(transport=ana._transport, base_url="http://paddock.test") as guest:
        assert onward(await seen(guest, paths[0])) is None
    await do(people[0], paths[1], "bot", 1, level="rookie")  # the page of another player names their own
    assert onward(await seen(people[1], paths[1])) == paths[0]


async def test_a_stream_looks_for_the_next_table_after_a_move_here_and_then_now_and_then(
    app: FastAPI, people: list[httpx.AsyncClient], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, tables = people[0], app.state.tables
    paths = [await dealt(people), await dealt(people)]
    me, waiting = hashlib.sha256(ana.cookies[COOKIE].encode()).hexdigest(), tables.waiting
    looked: list[str] = []

    async def waiting_too(holder: str) -> Any:
        looked.append(holder)
        return await waiting(holder)

    monkeypatch.setattr(tables, "waiting", waiting_too)
    stream = Stream(app, f"{paths[0]}/stream", ana)
    await stream.until(2)

    async def told(client: httpx.AsyncClient) -> int:
        """Move; return how often it was looked for the reader's tables until the stream has told it."""
        before, had = looked.count(me), len(stream.chunks)
        await move(client, paths[0])
        await stream.until(had + 1)
        return looked.count(me) - before

    assert await told(ana) > 0
    assert onward(stream.events[-1][1]["page"]) == paths[1]
    assert await told(people[1]) == 0
    clock.time += AGAIN
    assert await told(people[2]) == 1
    app.state.stopping.give()
    await stream.task


async def test_lessons_finished_and_explored_games_await_nobody(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    ana = people[0]
    lesson = (await ana.post("/learn/lacorsa")).headers["location"]
    over = await table(ana)
    await finish(ana, over)
    explored = await ana.post(f"{over}/explore", data={"entry": "60", "player": "0"})
    home = (await ana.get("/")).text
    assert "It is your turn" not in home
    said = dict(lines(home, "Your tables"))
    assert "a lesson" in said[lesson] and said[over].endswith("finished")
    assert "exploring" in said[explored.headers["location"]]
    assert onward(await seen(ana, over)) is None


async def test_a_match_of_rasant_shows_place_and_points(people: list[httpx.AsyncClient]) -> None:
    path = await table(people[0], title="rasant", games="2", **{f"who-{i}": "rookie" for i in range(2, 7)})
    await seen(people[0], path)
    home = (await people[0].get("/")).text  # once: the bots may move before it is asked for again
    said = [line for part in ("It is your turn", "Your tables") for line in lines(home, part)]
    assert len(said) == 1
    assert "game 1 of 2, place 1 of" in said[0][1] and "0 points" in said[0][1]


async def test_one_setting_mutes_everybody(client: httpx.AsyncClient) -> None:
    assert 'data-others="on"' in (await client.get("/")).text
    await client.post("/settings", data={"theme": "dark"})
    await client.post("/settings", data={"others": "off", "back": "/"})
    page = (await client.get("/")).text
    assert 'data-others="off"' in page and 'data-theme="dark"' in page
