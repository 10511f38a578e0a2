"""An evening on two servers with one PostgreSQL: the server that has begun it is killed, and it goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg
import httpx
import pytest

import kill
from paddock.core.words import CHANCE
from paddock.store import Store
from tables.clockwork import PATIENCE_S
from web.conftest import Server
from web.test_processes import owners
from web.test_servers import CHEAP, both, expire, pair

DEALT = 20  # entries of chance at the start of a game: the cards
__all__ = ["both", "pair"]  # fixtures


class Guest:
    """Somebody with a token, who asks any of the servers."""

    def __init__(self, server: Server) -> None:
        self.headers: dict[str, str] = {}
        token = self.ask(server, "POST", "/tokens", label="me")["token"]
        self.headers["authorization"] = f"Bearer {token}"
        self.sure: list[kill.Said] = []  # acknowledged

    def ask(self, server: Server, method: str, path: str, **body: Any) -> Any:
        with httpx.Client(base_url=f"{server.url}api/v1", headers=self.headers, **CHEAP) as client:
            answer = client.request(method, path, json=body or None)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def move(self, server: Server, table: str) -> None:
        """Make the moves that are asked for."""
        view = self.ask(server, "GET", f"/tables/{table}")
        for ask in view["asks"]:
            if ask["committed"] is None:
                move = ask["moves"][0]["move"]
                key = f"k{ask['decision']}"
                body = {"seat": ask["seat"], "decision": ask["decision"], "move": move, "key": key}
                answer = self.ask(server, "POST", f"/tables/{table}/moves", **body)
                if answer["status"] in ("played", "committed"):
                    self.sure.append(kill.Said(table, ask["seat"], move, ask["decision"], key))


def mine(told: Any) -> str:
    """Return the table where the sender of a request plays now; empty if there is none."""
    return next((one["table"] for one in told["tables"] if one["table"] and not one["over"]), "")


def begin(url: str, guest: Guest, pair: list[Server], path: str) -> None:
    """Begin an evening at the first server, and stop it when a table is there: the second makes the rest."""
    first, second = pair
    with ThreadPoolExecutor(1) as beside:
        begun = beside.submit(guest.ask, first, "POST", f"{path}/begin")
        asyncio.run(until_one_is_made(url, path.rpartition("/")[2]))
        os.kill(first.process.pid, signal.SIGSTOP)
        guest.ask(second, "POST", f"{path}/begin")
        os.kill(first.process.pid, signal.SIGCONT)
        begun.result()


async def until_one_is_made(url: str, evening: str) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    query = "SELECT count(*) FROM evening_tables WHERE made AND evening = $1"
    while not await connection.fetchval(query, evening):
        pass
    await connection.close()


def evening(guests: list[Guest], pair: list[Server]) -> str:
    """Make an evening at the second server, and let everybody join at either; return its address."""
    wish = {"title": "lacorsa", "options": {"drivers": 2, "races": 1}, "deals": 2, "pause": 0}
    path = f"/evenings/{guests[0].ask(pair[1], 'POST', '/evenings', **wish)['id']}"
    for n, guest in enumerate(guests):
        guest.ask(pair[n % 2], "POST", f"{path}/join", name=f"Guest {n}")
    return path


@pytest.mark.postgres
@pytest.mark.slow("two servers")
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system stops no processes")
def test_an_evening_goes_on_when_the_server_that_has_begun_it_is_killed(
    postgres_url: str, pair: list[Server]
) -> None:
    first, second = pair
    guests, spread = [Guest(first) for _ in range(10)], 1
    while spread == 1:  # the first server was so fast that it has made all tables before it stopped
        path = evening(guests, pair)
        begin(postgres_url, guests[0], pair, path)
        where = {guest: mine(guest.ask(second, "GET", path)) for guest in guests}
        assert len(set(where.values())) == 5, "each table was made once"
        spread = len({owners(postgres_url)[table] for table in where.values()})
    for guest, table in where.items():
        guest.move(first, table)

    first.kill()
    expire(postgres_url, first)
    until = time.monotonic() + PATIENCE_S
    while (told := guests[0].ask(second, "GET", path))["phase"] != "over":
        assert time.monotonic() < until, told
        for guest in guests:
            if table := mine(guest.ask(second, "GET", path)):
                guest.move(second, table)
    assert [(line["deals"], line["left"]) for line in told["results"]] == [(2, False)] * 10
    asyncio.run(whole(postgres_url, told["tables"], [said for guest in guests for said in guest.sure]))


async def whole(url: str, tables: list[Any], sure: list[kill.Said]) -> None:
    """Check that all acknowledged moves are stored once, and that all tables of a deal had the same cards."""
    store, cards = await Store.open(url), set[tuple[int, tuple[int, ...]]]()
    for one in tables:
        table, rows = await kill.logged(store, one["table"])
        kill.missing(table, rows, [said for said in sure if said.table == table.id])
        chance = [entry.what for entry in table.game.log if entry.by == CHANCE]
        cards.add((one["deal"], tuple(chance[:DEALT])))
    await store.close()
    assert len(cards) == 2
