"""What is prepared when the server starts: the first visitors wait for no routes, modules and templates."""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Iterator

import httpx
import jinja2
import pytest
import uvicorn
from fastapi import FastAPI

from paddock.server import serve
from paddock.server.warm import ask, warm
from web.helpers import forms, page, table

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """The next tests collect garbage as usual."""
    yield
    gc.unfreeze()


async def test_the_first_pages_compile_and_import_nothing(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(app)
    warm(app)
    assert app.state.api.openapi_schema and gc.get_freeze_count() > 10_000

    def compile(self: jinja2.Environment, source: str, *_args: object, **_named: object) -> None:
        raise AssertionError(f"compiled again: {source[:60]}")

    monkeypatch.setattr(jinja2.Environment, "compile", compile)
    before = set(sys.modules)
    for title in ("great_race", "lacorsa", "rasant"):
        for path in (f"/new/{title}", f"/learn/{title}", f"/rules/{title}", f"/?title={title}"):
            assert (await client.get(path)).status_code == 200
        path = await table(client, title=title, **{"who-1": "me"})
        assert forms(await page(client, path))
    assert not [name for name in set(sys.modules) - before if name.startswith("paddock")]


async def test_routes_are_built_before_anybody_can_connect(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert app.state.tables is None
    await ask(app)
    done: list[str] = []

    def look(*_args: object, **_named: object) -> None:
        raise AssertionError("a route is built")

    async def startup(self: uvicorn.Server, sockets: object = None) -> None:
        done.append("listens")

    async def noted(app: FastAPI) -> None:
        await ask(app)
        done.append("asked")

    monkeypatch.setattr(inspect, "signature", look)
    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    monkeypatch.setattr(serve, "ask", noted)
    await serve.Server(serve.config(app), app).startup()
    assert done == ["asked", "listens"]


@pytest.mark.usefixtures("client")
async def test_the_collection_at_a_start_looks_at_little(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds everybody up: what was there before the start is left out."""
    frozen: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: frozen.append(gc.get_freeze_count()))
    warm(app)
    (before,) = frozen
    assert before > 10_000 and gc.get_freeze_count() > before
