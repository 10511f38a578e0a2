"""Attacks on pages and their caches: seats that change hands during a request, long headers, addresses."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.tables import Tables
from paddock.tables.timers import Timers
from web.api_helpers import API
from web.helpers import forms, table
from web.test_friends import browsers, dealt, do, lobby

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("address", "waits"), [("{path}", "here"), (f"{API}/tables/{{id}}", "seen")])
async def test_a_seat_that_is_lost_during_a_request_shows_no_hand(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, address: str, waits: str
) -> None:
    """The seat goes to somebody else while the request waits for who is here."""
    async with browsers(app, 3) as people:
        path = await dealt(people[:2], drivers="2")
        id = path.rpartition("/")[2]
        tables: Tables = app.state.tables
        known, left = getattr(Timers, waits), list[int]()

        async def losing(self: Timers, id: str, who: object, **more: Any) -> Any:
            found = await known(self, id, who, **more)
            if not left:
                left.append(1)
                assert (await do(people[1], path, "leave", 1)).status_code == 303
                assert (await do(people[2], path, "claim", 1, name="Cleo")).status_code == 303
                asked = (await tables.table(id)).claims[0].number
                answer = {"do": "agree", "number": str(asked)}
                assert (await people[0].post(f"{path}/claims", data=answer)).status_code == 303
            return found

        monkeypatch.setattr(Timers, waits, losing)
        answer = await people[1].get(address.format(path=path, id=id))
        assert left and answer.status_code == 200
        if address == "{path}":
            assert forms(answer.text) == []
            assert 'class="badge">you<' not in answer.text
        else:
            assert answer.json()["player"] is None and answer.json()["asks"] == []
        assert (await tables.table(id)).players[1].name == "Cleo"


async def test_oversized_headers_are_no_server_error(app: FastAPI, client: httpx.AsyncClient) -> None:
    """A host name has at most 253 characters, and the cookie of a player at the device few digits."""
    path = await table(client)
    cookie = f"{'; '.join(f'{k}={v}' for k, v in client.cookies.items())}; at_{path[3:]}={'1' * 5000}"
    assert (await client.get(path, headers={"cookie": cookie})).status_code == 200
    async with browsers(app, 2) as people:
        path = await lobby(people[0])
        answer = await people[1].get(path, headers={"host": f"{'a' * 3000}.test"})
        assert answer.status_code == 421


async def test_addresses_with_queries_do_not_fill_the_page_cache(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[object] = []

    def keep(key: tuple[object, ...], value: str) -> str:
        kept.append(key)
        return value

    monkeypatch.setattr(app.state.rendered, "keep", keep)
    path = await table(client)
    for n in range(3):
        assert (await client.get(f"{path}?n={n}")).status_code == 200
        assert (await client.get(f"{path}?change=0&decision={n}")).status_code == 200
    assert not kept
    await client.get(path)
    assert len(kept) == 1
