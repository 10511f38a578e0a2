"""The pictures of links: drawn in another process, one at a time, the latest only, once for a position."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock.core.i18n import language
from paddock.tables import Busy
from paddock.tables.workers import Workers
from paddock.web import pictures, raster
from paddock.web.limits import Limits, Open, Rates
from paddock.web.pictures import MOST, Pictures
from paddock.web.raster import Picture
from tables.held import begun
from web.conftest import running
from web.helpers import forms, page, table
from web.painter import painted, slowly
from web.test_api_guard import Clock, limit

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def gallery() -> AsyncIterator[tuple[Pictures, Workers]]:
    """Pictures with two workers, of which they use one at a time."""
    workers = Workers(2)
    try:
        yield Pictures(workers), workers
    finally:
        await workers.close()


def picture(heading: str, folder: Path) -> Picture:
    return Picture("lacorsa", heading, str(folder), "")


async def test_a_picture_is_drawn_once_in_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "png", painted)
    async with gallery() as (made, workers):
        first = await made.png("table", picture("one", tmp_path))
        assert await made.png("another", picture("one", tmp_path)) == first
        both = await asyncio.gather(*(made.png("table", picture("two", tmp_path)) for _ in range(5)))
        (process,) = workers.processes
        assert process != os.getpid()
        assert first.decode() == f"one {process}" and {*both} == {f"two {process}".encode()}
        assert len((tmp_path / "painted").read_text().splitlines()) == 2
        language.set("de")  # the words in it may be others
        await made.png("table", picture("one", tmp_path))
        assert len((tmp_path / "painted").read_text().splitlines()) == 3


async def test_only_the_latest_picture_of_a_table_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "png", slowly)
    async with gallery() as (made, workers):
        first = asyncio.create_task(made.png("table", picture("first", tmp_path)))
        await begun(tmp_path)
        later = [asyncio.create_task(made.png("table", picture(name, tmp_path))) for name in "abc"]
        same = asyncio.create_task(made.png("table", picture("first", tmp_path)))
        await asyncio.sleep(0)
        others = [
            asyncio.create_task(made.png(i, picture("broken" if i == 1 else str(i), tmp_path)))
            for i in range(1, MOST)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await made.png("one too many", picture("d", tmp_path))
        newest = asyncio.create_task(made.png("table", picture("e", tmp_path)))
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        answers = await asyncio.gather(first, same, *later, newest)
        assert [data.decode().split()[0] for data in answers] == ["first", "first", "e", "e", "e", "e"]
        with pytest.raises(RuntimeError, match="a fault of the program"):
            await others[0]  # the next are drawn all the same
        await asyncio.gather(*others[1:])
        said = [line.split() for line in (tmp_path / "painted").read_text().splitlines()]
        assert [heading for heading, _process in said] == ["first", "e", *map(str, range(2, MOST))]
        assert len({process for _heading, process in said}) == 1 == len(workers.processes)


async def test_a_page_draws_again_when_the_position_changes(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Picture] = []
    really = Workers.wait

    async def wait(self: Workers, work: object, *args: object, **more: object) -> object:
        asked.extend(arg for arg in args if isinstance(arg, Picture))
        return await really(self, work, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Workers, "wait", wait)
    path = await table(client)
    one = (await client.get(f"{path}/preview.png")).content
    for query in ("", "?utm_source=mail", "?step=0"):  # a running game shows one moment only
        assert (await client.get(f"{path}/preview.png{query}")).content == one
    assert len(asked) == 1 and one[:4] == b"\x89PNG"
    text = await page(client, path)
    for form in forms(text):
        await client.post(f"{path}/move", data=form.data())
    other = (await client.get(f"{path}/preview.png")).content
    assert len(asked) == 2 and other != one


async def test_a_picture_has_a_price_that_fits(app: FastAPI) -> None:
    limit(app, Limits(Rates(10, Clock()), Rates(0), Open(0)))  # a burst of 200 requests
    async with running(app) as client:
        path = await table(client)  # costs 20
        asked = [(await client.get(f"{path}/preview.png")).status_code for _ in range(4)]
    assert asked == [200, 200, 200, 429]


def test_the_picture_of_a_great_race_is_simple() -> None:
    """Its sea ends with the map and has no waves, nothing in it is hidden, and no dashboard is beside it."""
    game = paddock.start("great_race", players=5, map="usa", seed=1)
    view = game.title.view.view(game.seen(0))
    assert game.title.draw is not None
    small, whole = game.title.draw.picture(view), game.title.draw.svg(view)
    for heavy in ("url(#gr-waves)", "M-2000", "gr-dashboard"):
        assert heavy in whole and heavy not in small
    assert "var(--" not in small
    assert len(re.findall(r'id="gr-s\d', small)) == len(view.spaces)
    assert all(f">{code}<" in small for code in ("SF", "NY", "OM"))
    shown = raster.composed(game.title, "The Great Race", "", small)
    assert 'viewBox="0 0 1200 630"' in shown and "<text" not in shown
