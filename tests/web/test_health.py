"""Whether the server works, and how it sees a request."""

from __future__ import annotations

import json
from datetime import datetime

import httpx
import pytest

from store.databases import without
from web.helpers import tables_of

pytestmark = pytest.mark.anyio


async def test_ready_only_while_the_database_answers(client: httpx.AsyncClient) -> None:
    store = tables_of(client).store
    assert (await client.get("/readyz")).json() == {"status": "ok"}
    async with without(store, "tables"):
        answer = await client.get("/readyz")
    assert answer.status_code == 503 and answer.headers["retry-after"]
    assert (await client.get("/readyz")).status_code == 200


async def test_the_server_says_how_it_sees_a_request(client: httpx.AsyncClient) -> None:
    answer = await client.get("/healthz/stream", headers={"host": "paddock.test"})
    first, second = answer.text.splitlines()
    said = json.loads(first)
    assert datetime.fromisoformat(said.pop("now")).tzinfo
    assert said == {"scheme": "http", "host": "paddock.test", "address": "127.0.0.1"}
    assert second == "{}"
