"""Cookies: whoever plays goes on being known, however long ago a cookie was set first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.tables import Tables
from paddock.tables.upkeep import Retention
from paddock.web.cookies import FRESH, KINDS, LONG, MONTH, due
from paddock.web.guard import COOKIE
from web.helpers import table

pytestmark = pytest.mark.anyio
SOURCES = Path(__file__).parents[2] / "src" / "paddock"
SETTINGS = {"theme": "dark", "motion": "off", "sound": "on", "lang": "de"}
DAY = timedelta(days=1)


class Jar:
    """The cookies of a browser. It deletes what is too old, by a clock of its own."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.now = timedelta()
        self.kept: dict[tuple[str, str], tuple[str, timedelta]] = {}  # value and end, by name and path
        self.set = 0  # cookies that the last answer has set

    def sent(self, path: str) -> dict[str, str]:
        """The cookies that go to an address."""
        self.kept = {key: one for key, one in self.kept.items() if one[1] > self.now}
        return {name: value for (name, at), (value, _end) in self.kept.items() if within(path, at)}

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self._ask("GET", path, headers=headers)

    async def post(self, path: str, **data: str) -> httpx.Response:
        return await self._ask("POST", path, data=data)

    async def _ask(self, method: str, path: str, **what: dict[str, str]) -> httpx.Response:
        headers = what.pop("headers", {})
        if mine := self.sent(path):
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in mine.items())
        self.client.cookies.clear()
        answer = await self.client.request(method, path, headers=headers, **what)  # type: ignore[arg-type]
        given = answer.headers.get_list("set-cookie")
        self.set = len(given)
        for text in given:
            for name, one in SimpleCookie(text).items():
                end = self.now + timedelta(seconds=int(one["max-age"]))
                self.kept[name, one["path"]] = one.value, end
        return answer


def within(path: str, at: str) -> bool:
    return at == "/" or path == at or path.startswith(f"{at}/")


@pytest.fixture
def jar(client: httpx.AsyncClient) -> Iterator[Jar]:
    return Jar(client)


async def playing(jar: Jar) -> str:
    """Let the browser say who it is, how pages look, and which hand it shows; return the table's path."""
    await jar.post("/me", name="Zoë", number="7")
    await jar.post("/settings", **SETTINGS)
    people = {"title": "lacorsa", "drivers": "4", **{f"who-{n}": "me" for n in range(1, 5)}}
    path = (await jar.post("/tables", **people)).headers["location"]
    await jar.post(f"{path}/sit", player="2")
    return path


@pytest.mark.parametrize("apart", [1, 20, 300])
async def test_whoever_comes_again_and_again_is_never_forgotten(jar: Jar, apart: int) -> None:
    """The kind: a lifetime of what nothing else can restore. Here cookies, with visits so many days apart."""
    path = await playing(jar)
    everything = jar.sent(f"{path}/replay")
    assert len(everything) == 3 + len(SETTINGS) + 1
    renewals = 0
    while jar.now <= LONG + MONTH:
        jar.now += apart * DAY
        page = await jar.get(path)
        renewals += bool(jar.set)
    now = jar.sent(path)
    assert {name: now.get(name) for name in everything} == everything
    assert 'data-theme="dark"' in page.text and '<html lang="de"' in page.text
    assert 'name="decision"' in page.text, "the hand at the device"
    assert renewals <= 1 + jar.now // MONTH


async def test_what_is_not_used_ends(jar: Jar) -> None:
    path = await playing(jar)
    jar.now += LONG
    assert jar.sent(path) == {}


async def test_the_key_of_a_table_is_renewed_where_it_is_sent(jar: Jar) -> None:
    """A visit elsewhere in the same month does not stand in for it."""
    path = await playing(jar)
    jar.now += 350 * DAY
    await jar.get("/")
    assert jar.set > 5
    await jar.get(path)
    assert jar.set == 2
    jar.now += 100 * DAY
    assert [name for name in jar.sent(path) if name.startswith("at_")]


async def test_cookies_come_again_with_pages_only_and_once_a_month(jar: Jar) -> None:
    path = await playing(jar)
    id = path.removeprefix("/t/")
    jar.now += 40 * DAY
    for other in (f"/api/v1/tables/{id}", "/reach/key", f"{path}/record", "/manifest.webmanifest", "/t/x"):
        await jar.get(other)
        assert not jar.set, other
    await jar.post(f"{path}/talk", player="0", text="hello")
    assert not jar.set
    await jar.get(path, **{"paddock-part": "main"})  # of a page that stays open
    assert jar.set == len(jar.kept)
    await jar.get(path)
    assert not jar.set


async def test_a_cookie_that_another_site_may_have_set_is_not_made_to_last(jar: Jar) -> None:
    """Of two with the same name one may come from a neighbour: it must not replace the browser's own."""
    await playing(jar)
    mine = jar.sent("/")[COOKIE]
    twice = {"cookie": f"{COOKIE}={mine}; {COOKIE}={'x' * 43}; theme=dark"}
    answer = await jar.client.get("/", headers=twice)
    names = {one.partition("=")[0] for one in answer.headers.get_list("set-cookie")}
    assert names == {"theme", FRESH}


async def test_what_is_forgotten_is_not_renewed(jar: Jar) -> None:
    await playing(jar)
    jar.now += 40 * DAY
    await jar.post("/me/forget", sure="yes")
    await jar.get("/")
    assert not {COOKIE, "paddock_name", "paddock_number"} & jar.sent("/").keys()


async def test_how_somebody_is_called_is_kept_while_they_or_their_calendar_come(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind: a lifetime of what nothing else can restore. Here wishes and calendars.

    A server that deletes old games deletes what browsers without a table have said, after the same time.
    """
    tables: Tables = app.state.tables
    start, retention = tables.runtime.now(), Retention(games=10 * DAY)
    visits, reads, gone = (Jar(client) for _ in range(3))
    links = []
    for jar in (visits, reads, gone):
        page = (await jar.post("/reach/calendar", do="new")).text
        links += re.findall(r"/calendar/[\w-]{43}\.ics", page)[:1]
    for step in range(1, 13):
        visits.now = step * 20 * DAY
        monkeypatch.setattr(tables.runtime, "now", lambda now=visits.now: start + now)
        await visits.get("/")
        assert (await reads.get(links[1])).status_code == 200
        await tables.upkeep.purge(tables.runtime.now(), retention)
    assert [(await client.get(link)).status_code for link in links] == [200, 200, 404]


def test_only_known_cookies_are_renewed() -> None:
    assert due({"other": "1", "at_": "1", FRESH: "1", "theme": "dark"}) == {}
    assert due({"other": "1", "theme": "dark"}) == {"theme": "dark", FRESH: "1"}
    assert due({"at_abc": "1", FRESH: "1", "fresh_x": "1"}) == {"at_abc": "1", "fresh_abc": "1"}
    assert due({"paddock_admin": "1"}) == {}, "a session ends"


def test_all_cookies_and_their_lifetimes_are_in_one_place() -> None:
    """No other module sets a cookie, and the documentation lists each."""
    for file in SOURCES.rglob("*.py"):
        if file.name != "cookies.py":
            assert not re.search(r"(set|delete)_cookie\(", file.read_text("utf-8")), file
    listed = (SOURCES.parents[1] / "docs" / "privacy.md").read_text("utf-8")
    for name in KINDS:
        assert f"`{name}TABLE`" in listed or f"`{name}`" in listed, name


async def test_a_table_page_is_the_same_with_and_without_renewal(jar: Jar) -> None:
    path = await playing(jar)
    first, second = await jar.get(path), await jar.get(path)
    keys = r'name="key" value="[^"]*"|data-fresh="[^"]*"'
    assert re.sub(keys, "", first.text) == re.sub(keys, "", second.text)
    assert await table(jar.client)
