"""The API's responses never depend on what the player or spectator cannot know."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.log import Entry
from paddock.core.settings import Settings
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from paddock.server.app import add_caches, create_app
from paddock.tables import Table
from sampling import count
from web.api_helpers import RACE, fine, program, seated, visitor
from web.conftest import running
from web.streams import Stream
from web.test_secrecy import HANDS, OTHERS, TWIN, Still, twin

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def four(
    app: FastAPI, start: list[Entry] | None = None, kind: dict[str, Any] = RACE
) -> AsyncIterator[tuple[Table, list[httpx.AsyncClient]]]:
    """A table with a client for each player and one for a spectator."""
    async with running(app):
        programs = [await program(app) for _ in range(4)]
        tables = app.state.tables
        seats, names = ["me"] * 4, ["A", "B", "C", "D"]
        table = await tables.making.create(*kind.values(), seats, names, holder="x", start=start or ())
        await seated(app, programs, table.id)
        yield table, [*programs, visitor(app)]


KINDS = [RACE, {"title": "rasant", "options": {"players": 4}}]


@pytest.mark.slow("every reader asks for every address twice")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["title"])
async def test_a_whole_game_with_hidden_cards_dealt_again(tmp_path: Path, kind: dict[str, Any]) -> None:
    """Before moves, each player and a spectator get the same as from a twin of the game: before every one, or
    in a sample before every sixth."""
    database = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    unlimited = Settings(rate_address=0, rate_holder=0)  # a fast machine would reach the rate limit
    app = create_app(database, chance=Seeded(3), runtime=Still(), settings=unlimited)
    choose = random.Random(7)
    compared = differed = 0
    async with four(app, kind=kind) as (table, clients):
        for turn in itertools.count():
            if table.game.over:
                break
            for player, client in enumerate(clients if turn % count(6, 1) == 0 else ()):
                eyes = 1 << player if player < 4 else 0
                real = (table.game, table.pending)
                told = (await client.get(f"/tables/{table.id}")).content
                seen = json.loads(told)
                hidden(seen, player)
                links = [choose.choice(ask["moves"])["move"] for ask in seen["asks"]]
                ahead = [await look(client, table.id, player, n) for n in (links[:0], links)]
                table.game, table.pending = twin(table, eyes, choose)
                add_caches(app.state)
                differed += table.game.position != real[0].position
                again = (await client.get(f"/tables/{table.id}")).content
                assert ahead == [await look(client, table.id, player, n) for n in (links[:0], links)]
                table.game, table.pending = real
                add_caches(app.state)
                assert told == again, (player, table.decision)
                compared += 1
            seat = choose.choice(table.awaited_seats())
            asked = fine(await clients[seat].get(f"/tables/{table.id}"))["asks"][0]
            body = {
                "seat": seat,
                "decision": asked["decision"],
                "move": choose.choice(asked["moves"])["move"],
            }
            fine(await clients[seat].post(f"/tables/{table.id}/moves", json=body))
    assert compared > count(30, 200) and differed > compared // 2


async def look(client: httpx.AsyncClient, id: str, seat: int, moves: list[str]) -> tuple[int, bytes]:
    """Return the response of a preview."""
    answer = await client.post(f"/tables/{id}/preview", json={"seat": seat, "moves": moves})
    assert answer.status_code in (200, 401, 422)  # a preview; a spectator; nothing to decide
    return answer.status_code, answer.content


def hidden(table: dict[str, Any], player: int) -> None:
    """Check that other hands and commitments are not in the response."""
    view = table["view"]
    for hand in view["cars"] if "cars" in view else view["players"]:
        assert hand["seat"] == player or (hand["hand"] is None and hand.get("commit") is None)
    assert all(ask["seat"] == player for ask in table["asks"] + table["orders"])


async def sent(hands: list[list[int]], plays: tuple[str, ...], database: Path) -> dict[str, bytes]:
    """Return all that seat 1 and a spectator get while others commit moves and change them."""
    app = create_app(f"sqlite:///{database}", chance=Seeded(7), runtime=Still())
    got = {}
    deal = [Entry(CHANCE, kind) for hand in hands for kind in hand]
    async with four(app, deal) as (table, clients):
        path = f"/tables/{table.id}"
        streams = {who: Stream(app, f"/api/v1{path}/stream", clients[who]) for who in (0, 4)}
        for i, move in enumerate(plays):
            ask = fine(await clients[i + 1].get(path))["asks"][0]
            for n in range(1 + (plays != OTHERS) * 3):
                choice = ask["moves"][n]["move"]
                body = {"seat": i + 1, "decision": table.decision, "move": choice}
                fine(await clients[i + 1].post(f"{path}/moves", json=body))
            fine(await clients[i + 1].post(f"{path}/moves", json=body | {"move": move}))
            for who in (0, 4):
                seen = fine(await clients[who].get(path))
                assert await streams[who].until_event(seen["digest"]) == seen
                got[f"stream of {who}, {i + 1}"] = b"".join(streams[who].chunks)
                for what in ("", "/record", "/talk"):
                    got[f"after {i + 1}, {who}: {what}"] = (await clients[who].get(path + what)).content
        last = fine(await clients[0].get(path))["asks"][0]
        fine(
            await clients[0].post(
                f"{path}/moves",
                json={"seat": 0, "decision": table.decision, "move": last["moves"][7]["move"]},
            )
        )
        got["revealed"] = (await clients[4].get(path)).content
        app.state.stopping.give()
        for stream in streams.values():
            await stream.task
    return got


async def test_twin_deals_and_changed_commitments_give_the_same_bytes(tmp_path: Path) -> None:
    one = await sent(HANDS, OTHERS, tmp_path / "one.sqlite3")
    two = await sent(TWIN, ("2", "1", "3+R"), tmp_path / "two.sqlite3")
    assert one.keys() == two.keys()
    for what in one:
        assert (one[what] == two[what]) == (what != "revealed"), what


async def test_streams_of_others_do_not_reveal_changed_commitments(tmp_path: Path) -> None:
    """The streams of others get one event for a commitment, and none when it changes."""
    app = create_app(f"sqlite:///{tmp_path / 'tables.sqlite3'}", chance=Seeded(3), runtime=Still())
    async with four(app) as (table, clients):
        path = f"/tables/{table.id}"
        streams = {who: Stream(app, f"/api/v1{path}/stream", clients[who]) for who in (1, 2, 4)}
        for stream in streams.values():
            await stream.until(2)
        ask = fine(await clients[1].get(path))["asks"][0]
        for n in range(6):
            body = {"seat": 1, "decision": ask["decision"], "move": ask["moves"][n]["move"]}
            fine(await clients[1].post(f"{path}/moves", json=body))
            await streams[1].until(3 + n)  # the player's own page shows each change
        await streams[2].until(3)
        assert len(streams[2].chunks) == len(streams[4].chunks) == 3
        app.state.stopping.give()
        for stream in streams.values():
            await stream.task
