"""Programs that sail: the JSON API of Skerries, and that it tells nobody what it may not know."""

from __future__ import annotations

import json
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.titles.skerries.tests.harness import sailing

from paddock import records
from paddock.core.game import Game
from paddock.core.log import Event
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.server.app import add_caches, create_app
from paddock.tables import Runtime, Table
from sampling import count
from web.api_helpers import fine, program, refused, seated, visitor
from web.conftest import running
from web.streams import Stream
from web.test_secrecy import Still

pytestmark = pytest.mark.anyio
SMALL = {"chart": "qh/.l", "days": 3, "copies": 2, "skippers": 3}
CARDS = re.compile(rb"\b(gust|pilot|anchor)\b")


@asynccontextmanager
async def at_sea(
    folder: Path, options: dict[str, Any] = SMALL, seed: int = 3, fixed: bool = True
) -> AsyncIterator[tuple[FastAPI, Table, list[httpx.AsyncClient]]]:
    """A table with a program at each seat, and a spectator."""
    app = create_app(
        f"sqlite:///{folder / f'{seed}.sqlite3'}",
        chance=Seeded(seed),
        runtime=Still() if fixed else Runtime(),
    )
    async with running(app):
        programs = [await program(app) for _ in range(options["skippers"])]
        table = await app.state.tables.making.create(
            "skerries", options, ["me"] * len(programs), ["A", "B", "C"][: len(programs)], holder="x"
        )
        await seated(app, programs, table.id)
        yield app, table, [*programs, visitor(app)]


def twin(game: Game, eyes: int, seed: int) -> Game:
    """Another game whose log these eyes cannot tell from this one: its hidden entries filled in anew."""
    players = [(name, None) for name in game.names]
    text = records.write(game, date="2026-01-01", players=players, eyes=eyes)
    return records.complete(records.read(text), Seeded(seed))


async def choice(
    client: httpx.AsyncClient, id: str, choose: random.Random, cards: bool = True
) -> dict[str, Any]:
    """What a program submits: a ready chain, or links as ``preview`` offers them."""
    (ask,) = fine(await client.get(f"/tables/{id}"))["asks"]
    body: dict[str, Any] = {"seat": ask["seat"], "decision": ask["decision"]}
    if ask["ready"] and choose.random() < 0.4:
        return body | {"move": choose.choice(ask["ready"])["moves"]}
    links: list[str] = []
    offered = ask["moves"]
    while offered and len(links) < 4:
        words = [line["move"] for line in offered if cards or not CARDS.search(line["move"].encode())]
        robberies = [word for word in words if word.startswith("rob")]
        links.append(choose.choice(robberies or [word for word in words if word != "stop"] or words))
        shown = fine(await client.post(f"/tables/{id}/preview", json={"seat": ask["seat"], "moves": links}))
        assert shown["decision"] == ask["decision"] and (not shown["moves"]) == shown["ended"]
        offered = [] if choose.random() < 0.3 else shown["moves"]
    return body | {"move": links}


def kind_of(event: Event) -> bytes:
    """The card of a draw or a theft."""
    kind: int = event.b if event.code == sailing.DREW else event.c
    return (b"gust", b"pilot", b"anchor")[kind]


async def test_programs_sail_a_race_by_chains(skerries: Title, tmp_path: Path) -> None:
    choose = random.Random(4)
    async with at_sea(tmp_path) as (_app, table, clients):
        while not table.game.over:
            (seat,) = table.awaited_seats()
            body = await choice(clients[seat], table.id, choose)
            assert (
                fine(await clients[seat].post(f"/tables/{table.id}/moves", json=body))["status"] == "played"
            )
        last = fine(await clients[0].get(f"/tables/{table.id}"))
        assert last["phase"] == "over"
        ranks = [line["rank"] for line in last["standings"]["players"]]
        assert ranks == [line.rank for line in table.game.standings().players]
        text = (await clients[0].get(f"/tables/{table.id}/record")).text
        assert records.read(text).game().log == table.game.log


async def test_what_the_api_says_of_the_title(skerries: Title, tmp_path: Path) -> None:
    async with at_sea(tmp_path) as (_app, table, clients):
        listed = {line["name"] for line in fine(await clients[0].get("/titles"))}
        assert "skerries" in listed
        full = fine(await clients[0].get("/titles/skerries"))
        assert [option["name"] for option in full["options"]] == [
            "skippers",
            "races",
            "days",
            "copies",
            "chart",
        ]
        book = fine(await clients[0].get("/titles/skerries/rules"))
        assert {clause["id"] for clause in book["clauses"]} == set(skerries.rulebook.clauses)
        (ask,) = fine(await clients[0].get(f"/tables/{table.id}"))["asks"]
        east = next(line for line in ask["moves"] if line["move"] == "e")
        assert east == {"move": "e", "label": "Sail east to the harbour b1", "cost": {"wind": 1}}
        ready = {line["label"]: (line["moves"], line["cost"]) for line in ask["ready"]}
        assert ready["To b2"] == (["sw", "e"], {"wind": 2}) or ready["To b2"] == (["se", "e"], {"wind": 2})


async def test_a_chain_with_a_bad_link_is_refused_whole(skerries: Title, tmp_path: Path) -> None:
    async with at_sea(tmp_path, SMALL | {"chart": "q...l"}) as (_app, table, clients):
        path, body = f"/tables/{table.id}/moves", {"seat": 0, "decision": table.decision}
        before = table.game.position
        answer = await clients[0].post(path, json=body | {"move": ["e", "ne"]})
        assert answer.status_code == 422 and answer.json()["clause"] == "SK-2.3"
        assert "chain ends" in refused(await clients[0].post(path, json=body | {"move": ["stop", "e"]}), 422)
        assert "is not a move" in refused(
            await clients[0].post(path, json=body | {"move": ["e", "north"]}), 422
        )
        refused(await clients[1].post(path, json=body | {"move": ["e"]}), 403)
        assert table.game.position == before
        sent = body | {"move": ["e", "w", "e"], "key": "mine"}
        first = fine(await clients[0].post(path, json=sent))
        assert fine(await clients[0].post(path, json=sent)) == first
        refused(await clients[0].post(path, json=sent | {"key": "other"}), 409)
        assert len(table.game.log) == 1 + 3


async def test_every_answer_is_the_same_whatever_its_reader_cannot_know(
    skerries: Title, tmp_path: Path
) -> None:
    """The twin log: every answer to each seat and a spectator, before every submission, byte for byte."""
    compared = differed = 0
    for seed in range(count(1, 5)):
        choose = random.Random(seed)
        async with at_sea(tmp_path, seed=seed) as (app, table, clients):
            while not table.game.over:
                (seat,) = table.awaited_seats()
                path = f"/tables/{table.id}"
                for player, client in enumerate(clients):
                    eyes = 1 << player if player < 3 else 0
                    asked = [("GET", path, None), ("GET", f"{path}/record", None)]
                    if player == seat:
                        body = await choice(client, table.id, choose)
                        asked.append(("POST", f"{path}/preview", {"seat": seat, "moves": body["move"][:-1]}))
                    real = table.game
                    other = twin(real, eyes, compared)
                    told, again = [], []
                    for method, address, json_ in asked:
                        told.append((await client.request(method, address, json=json_)).content)
                    table.game = other
                    add_caches(app.state)
                    for method, address, json_ in asked:
                        again.append((await client.request(method, address, json=json_)).content)
                    table.game = real
                    add_caches(app.state)
                    assert told == again, (player, table.decision)
                    differed += other.log != real.log
                    compared += 1
                body = await choice(clients[seat], table.id, choose)
                fine(await clients[seat].post(f"{path}/moves", json=body))
    assert compared > count(20, 120) and differed > compared // 4


@pytest.mark.slow("whole games, read by everybody after each move")
async def test_no_byte_names_a_card_that_was_drawn_or_stolen_in_secret(
    skerries: Title, tmp_path: Path
) -> None:
    """Byte search, where nobody plays a card: answers, records and streams, until the race is over."""
    drawn = stolen = 0
    for seed in range(count(2, 3)):
        choose = random.Random(seed)
        async with at_sea(tmp_path, SMALL | {"days": 5, "chart": "hqh..l"}, seed) as (app, table, clients):
            path = f"/tables/{table.id}"
            streams = [Stream(app, f"/api/v1{path}/stream", client) for client in clients]
            for stream in streams:
                await stream.until(2)
            while not table.game.over:
                (seat,) = table.awaited_seats()
                body = await choice(clients[seat], table.id, choose, cards=False)
                events = [event for item in table.game.events for event in item.events]
                for player, client in enumerate(clients):
                    table_ = fine(await client.get(path))
                    assert await streams[player].until_event(table_["digest"]) == table_
                    for orders in table_.pop(
                        "orders"
                    ):  # they name the anchor to everybody, whatever the hand
                        texts = [order["text"] for order in orders["offers"]]
                        assert texts in (["only move"], ["only move", "anchor in race 1", "yield in race 1"])
                    sent = json.dumps(table_).encode() + (await client.get(f"{path}/record")).content
                    sent += (await client.get(f"{path}/talk")).content
                    mine = {kind_of(event) for event in events if event.eyes > 0 and event.eyes >> player & 1}
                    assert set(CARDS.findall(sent)) <= mine, (seed, player)
                assert fine(await clients[seat].post(f"{path}/moves", json=body))["status"] == "played"
            events = [event for item in table.game.events for event in item.events]
            drawn += sum(event.code == sailing.DREW for event in events)
            stolen += sum(event.code == sailing.STOLE for event in events)
            app.state.stopping.give()
            for stream in streams:
                await stream.task
    assert drawn > count(5, 10) and stolen > count(1, 3)


async def test_orders_and_undo_through_the_api(skerries: Title, tmp_path: Path) -> None:
    async with at_sea(tmp_path, SMALL | {"chart": "q...l"}) as (_app, table, clients):
        path = f"/tables/{table.id}"
        given = fine(
            await clients[0].post(f"{path}/orders", json={"seat": 0, "text": "anchor in race 1"}), 201
        )
        assert [order["text"] for order in given["orders"][0]["given"]] == ["anchor in race 1"]
        assert fine(await clients[1].get(path))["orders"][0]["given"] == []
        before = table.game.position
        body = {"seat": 0, "decision": table.decision, "move": ["e", "w"]}
        fine(await clients[0].post(f"{path}/moves", json=body))
        fine(await clients[0].post(f"{path}/undo"))
        for client in clients[1:3]:
            fine(await client.post(f"{path}/undo/agree"))
        assert table.game.position == before


async def test_a_strangers_bad_chart_is_refused_with_every_fault(skerries: Title, tmp_path: Path) -> None:
    async with at_sea(tmp_path, fixed=False) as (_app, _table, clients):
        body = {"title": "skerries", "seats": ["me", "rookie"], "options": {"chart": "q?.\nq\n<b>\n"}}
        words = refused(await clients[0].post("/tables", json=body), 422)
        for fault in (
            "row 2 has 1 hexes",
            "“?” is no hex",
            "“<” is no hex",
            "one quay (q), not 2",
            "has a light (l)",
        ):
            assert fault in words
        long = ["q" + 11 * ".", *(12 * "+" for _ in range(7)), 11 * "." + "l"]
        body["options"] = {"chart": "\n".join(long)}
        made = fine(await clients[0].post("/tables", json=body), 201)
        name = made["options"]["chart"]
        assert name.startswith("~")
        assert (await clients[0].get(f"/data/{name[1:]}")).text.strip() == "/".join(long)
