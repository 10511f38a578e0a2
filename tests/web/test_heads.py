"""HEAD is answered wherever GET is: the same status and headers, no body, and nothing happens.

The kind: what is safe to ask, for monitors, link checkers and previews, which ask by HEAD first.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.hashed import hashed
from paddock.core.settings import Settings
from paddock.features.pairing.service import LIVE, Pairing
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.web.guard import COOKIE
from paddock.web.limits import Limits, Open, Rates
from store.databases import prepared
from web.conftest import running
from web.helpers import HUMANS, finish, table

pytestmark = pytest.mark.anyio
DAY = "2026-11-23"
# What stands in the place of a parameter, where not everything leads to a refusal
VALUES = {"name": "lacorsa", "option": "points", "day": DAY, "entry": "5", "clause": "LC-6.2"}


def reading(routes: Iterable[Any], prefix: str = "") -> Iterator[str]:
    """Yield the paths of all routes that answer GET."""
    for route in routes:
        if inner := getattr(route, "original_router", None):
            yield from reading(inner.routes, prefix)
        elif "GET" in (getattr(route, "methods", None) or ()):
            yield prefix + route.path


async def asked(app: FastAPI, client: httpx.AsyncClient, method: str, path: str, **headers: str) -> list[Any]:
    """Return what the application sends; of a GET, only the beginning if it is a stream."""
    request = client.build_request(method, path, headers=headers)
    stream = method == "GET" and app.state.checks.prices.at(method, request.url.path).price.stream
    sent: list[Any] = []
    some = asyncio.Event()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": request.url.path,
        "query_string": request.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 1),
        "server": ("paddock.test", 80),
    }

    async def receive() -> Any:
        await asyncio.Event().wait()  # the client stays

    async def send(message: Any) -> None:
        sent.append(message)
        some.set()

    answering = asyncio.create_task(app(scope, receive, send))
    if stream:
        await some.wait()
        answering.cancel()
        await asyncio.wait([answering])
        return sent[:1]
    await answering
    return sent


@pytest.fixture
def operated(tmp_path: Path) -> FastAPI:
    """An application without limits, with an operator and frames."""
    settings = Settings(
        rate_address=0, rate_holder=0, admin_token="correct-horse-battery", embed=frozenset({"*"})
    )
    return create_app(
        prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"),
        chance=Seeded(7),
        pace="instant",
        settings=settings,
        token=lambda: "a-key",
    )


@pytest.mark.slow("asks every address of the application twice")
async def test_every_address_that_answers_get_answers_head(operated: FastAPI) -> None:
    pages = {*reading(operated.routes), *reading(operated.state.api.routes, "/api/v1")}
    pages |= {
        f"/static/{operated.state.pages.digest}/{name}" for name in ("house.css", "icon.svg", "none.js")
    }
    assert len(pages) > 65
    async with running(operated) as client:
        over = await table(client)
        await finish(client, over)
        found = set[int]()
        for path in sorted(pages):
            address = re.sub(
                r"{(\w+)}", lambda word: VALUES.get(word[1], "x"), path.replace("{id}", over[3:])
            )
            start, *_body = await asked(operated, client, "GET", address)
            head = await asked(operated, client, "HEAD", address)
            assert [one["type"] for one in head] == ["http.response.start", "http.response.body"], address
            assert head[0]["status"] == start["status"], address
            exact = path != "/metrics"  # which counts its own requests
            assert headers(head[0], exact) == headers(start, exact), address
            assert not head[1].get("body") and not head[1].get("more_body"), address
            found.add(head[0]["status"])
        packed = {"accept-encoding": "br"}
        answers = [await asked(operated, client, method, "/", **packed) for method in ("GET", "HEAD")]
        assert headers(answers[0][0]) == headers(answers[1][0])
    assert {200, 303, 401, 404} <= found


def headers(start: Any, exact: bool = True) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer, but for cookies; unless ``exact``, any length counts as the same."""
    found = [(name, value) for name, value in start["headers"] if name != b"set-cookie"]
    return sorted((name, value if exact or name != b"content-length" else b"") for name, value in found)


async def test_where_get_is_refused_head_is_too(client: httpx.AsyncClient) -> None:
    for path, status in (("/t/none", 404), ("/tables", 405), ("/api/v1/tokens", 401), ("/api/v1/none", 404)):
        answer = await client.head(path)
        assert (answer.status_code, answer.content) == (status, b""), path
    assert (await client.head("/", headers={"host": "evil.example"})).status_code == 421


async def test_head_costs_what_get_costs(app: FastAPI) -> None:
    async with running(app) as client:
        app.state.checks.limits = Limits(Rates(0.1), Rates(0), Open(1))  # a burst of 2
        answers = [(await client.head("/api/v1/titles")).status_code for _ in range(3)]
        assert answers == [200, 200, 429]


async def test_head_opens_no_stream_and_takes_no_place_of_one(app: FastAPI) -> None:
    async with running(app) as client:
        path = (await client.post("/tables", data=HUMANS)).headers["location"]
        live = app.state.tables.registry.get(path[3:])
        app.state.checks.limits = Limits(Rates(0), Rates(0), Open(1))
        for one in (f"{path}/stream", f"/api/v1/tables/{path[3:]}/stream", "/healthz/stream") * 2:
            answer = await client.head(one)
            assert answer.status_code == 200 and answer.headers["content-type"].startswith(
                "text/event-stream"
            )
            assert not live.presence.streams and app.state.checks.limits.streams.total == 0


async def test_head_changes_nothing_that_get_would(app: FastAPI) -> None:
    """Nobody counts as present, no cookie is given, and no news counts as read."""
    async with running(app) as client:
        path = (await client.post("/tables", data=HUMANS)).headers["location"]
        seen = app.state.tables.registry.get(path[3:]).presence.seen
        seen.clear()
        for one in (path, f"/api/v1/tables/{path[3:]}"):
            assert (await client.head(one)).status_code == 200
            assert not seen
            assert (await client.get(one)).status_code == 200
            assert seen
            seen.clear()
        assert "set-cookie" not in (await client.head("/?lang=de")).headers
        assert "set-cookie" in (await client.get("/?lang=de")).headers
        pairing = app.state.tables.service(Pairing)
        me = hashed(client.cookies[COOKIE])
        await pairing.join(me, "lacorsa", LIVE, "Ana")
        await pairing.join("b" * 64, "lacorsa", LIVE, "Ben")
        assert (await client.head("/pair")).status_code == 303
        assert [row.table_id for row in await pairing.of(me)] != [None]
        assert (await client.get("/pair")).status_code == 303
        assert not await pairing.of(me)


async def test_the_description_of_the_api_lists_no_operation_twice(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/api/v1/openapi.json")).json()["paths"]
    assert not any("head" in methods for methods in paths.values())
