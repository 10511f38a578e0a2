"""The API accepts a chain of moves as one submission, and previews it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock.core.game import MOST_LINKS
from paddock.core.title import Chain, Seen
from paddock.tables import Table
from web.api_helpers import digest, fine, program, refused, visitor
from web.conftest import running

pytestmark = pytest.mark.anyio
GRID = {"drivers": 4, "races": 1, "large_grid": True, "pit_draw": "choose"}


class Wind:
    """Chains for LACORSA, with costs."""

    def cost(self, seen: Seen, seat: int, move: int) -> Mapping[str, int]:
        return {"wind": move % 5}

    def ready(self, seen: Seen, seat: int) -> Sequence[Chain]:
        found = [seen.title.text.parse_move(seen.setup, word).id for word in ("^3", "stop")]
        return [Chain((found[0], found[1]), "Close up", {"wind": 3})] if found[0] in seen.legal(seat) else []


@asynccontextmanager
async def opened(app: FastAPI, link: str) -> AsyncIterator[tuple[Table, httpx.AsyncClient, int]]:
    """A table of one client at which a seat can begin a chain with this move."""
    async with running(app):
        client, tables, choose = await program(app), app.state.tables, random.Random(2)
        me = await digest(app, client)
        for n in range(20):
            table = await tables.making.create("lacorsa", GRID, ["me"] * 4, holder=me)
            while not table.game.over:
                seat = choose.choice(table.awaited_seats())
                legal = list(table.game.legal(seat))
                if link in map(str, legal) and not table.game.seen(1 << seat).preview([link]).ended:
                    yield table, client, seat
                    return
                key = f"{n}.{table.decision}.{seat}"
                await tables.submit(table.id, me, seat, str(choose.choice(legal)), table.decision, key)
        raise AssertionError(f"nobody may begin with {link}")


def sent(table: Table, seat: int, *moves: str) -> dict[str, Any]:
    return {"seat": seat, "decision": table.decision, "move": list(moves)}


async def test_a_chain_is_one_submission(app: FastAPI) -> None:
    async with opened(app, "^3") as (table, client, seat):
        path, start = f"/tables/{table.id}/moves", table.decision
        body = sent(table, seat, "^3", " stop ") | {"key": "k"}
        answer = fine(await client.post(path, json=body))
        said = (answer["status"], answer["sentence"])
        assert said == ("played", "Played: ^3; stop.")
        again = fine(await client.post(path, json=body))
        assert (again["status"], again["sentence"]) == said
        assert [entry.linked for entry in table.game.log[start : start + 2]] == [False, True]
        refused(await client.post(path, json=body | {"key": "l"}), 409)


async def test_a_list_of_one_is_a_move(app: FastAPI) -> None:
    async with opened(app, "^3") as (table, client, seat):
        path = f"/tables/{table.id}/moves"
        fine(await client.post(path, json=sent(table, seat, "^3")))
        body = sent(table, seat) | {"move": "stop"}
        assert fine(await client.post(path, json=body))["sentence"] == "Played: stop."


async def test_no_move_of_an_illegal_chain_is_played(app: FastAPI) -> None:
    async with opened(app, "pit") as (table, client, seat):
        path, before = f"/tables/{table.id}/moves", table.game.position
        pile = table.game.view().discard
        missing = next(kind for kind in range(1, 13) if not pile[kind])
        wrong = await client.post(path, json=sent(table, seat, "pit", f"take {missing}"))
        assert refused(wrong, 422) and wrong.json()["clause"].startswith("LX-2")
        assert "banana" in refused(await client.post(path, json=sent(table, seat, "pit", "banana")), 422)
        for moves in ([], ["pit"] * (MOST_LINKS + 1), ["pit", ""], ["pit", "x" * 65]):
            refused(await client.post(path, json=sent(table, seat, *moves)), 422)
        refused(await client.post(path, json=sent(table, seat) | {"move": "x" * 65}), 422)
        assert table.game.position == before


async def test_no_chains_in_simultaneous_decisions(app: FastAPI) -> None:
    async with running(app):
        client = await program(app)
        body = {"title": "lacorsa", "options": GRID, "seats": ["me"] * 4}
        table = fine(await client.post("/tables", json=body), 201)
        ask = table["asks"][0]
        moves = [move["move"] for move in ask["moves"][:2]]
        chain = {"seat": 0, "decision": ask["decision"], "move": moves}
        answer = await client.post(f"/tables/{table['id']}/moves", json=chain)
        assert refused(answer, 422).startswith(
            "Several seats decide here at the same time: send a single move"
        )
        assert fine(await client.get(f"/tables/{table['id']}")) == table


async def test_a_preview_shows_the_position_after_a_chain(app: FastAPI) -> None:
    async with opened(app, "^3") as (table, client, seat):
        path, before = f"/tables/{table.id}", (await client.get(f"/tables/{table.id}")).content
        rows = table.rows

        async def look(*moves: str) -> Any:
            return fine(await client.post(f"{path}/preview", json={"seat": seat, "moves": list(moves)}))

        ask = next(a for a in fine(await client.get(path))["asks"] if a["seat"] == seat)
        assert all(move["cost"] == {} for move in ask["moves"]) and ask["ready"] == []
        here = fine(await client.post(f"{path}/preview", json={"seat": seat}))
        assert (here["moves"], here["ended"], here["ready"]) == (ask["moves"], False, [])
        assert (here["seat"], here["decision"]) == (seat, table.decision)
        on = await look("^3")
        assert [move["move"] for move in on["moves"]] == ["attack", "stop"] and not on["ended"]
        assert all(move["label"] for move in on["moves"])
        end = await look("^3", "stop")
        assert end["ended"] and end["moves"] == []
        cars = {car["seat"]: car["hand"] for car in on["view"]["cars"]}
        assert len(cars[seat]) == len(table.view(seat).cars[seat].hand) - 1
        assert [other for other, hand in cars.items() if hand is not None] == [seat], (
            "of the seat's player alone"
        )
        for moves in (["7"], ["^3", "7"], ["^3", "stop", "stop"], ["banana"]):
            refused(await client.post(f"{path}/preview", json={"seat": seat, "moves": moves}), 422)
        other = (seat + 1) % 4
        words = refused(await client.post(f"{path}/preview", json={"seat": other, "moves": []}), 422)
        assert "nothing to decide now" in words
        stranger = await program(app)
        refused(await stranger.post(f"{path}/preview", json={"seat": seat, "moves": []}), 403)
        refused(await visitor(app).post(f"{path}/preview", json={"seat": seat, "moves": []}), 401)
        refused(await client.post(f"{path}/preview", json={"seat": seat, "moves": ["^3"] * 101}), 422)
        refused(await client.post("/tables/nowhere/preview", json={"seat": seat, "moves": []}), 404)
        assert (await client.get(path)).content == before and table.rows == rows
        # Playing the chain leads to the same position.
        fine(await client.post(f"{path}/moves", json=sent(table, seat, "^3")))
        now = fine(await client.get(path, params={"player": seat}))
        assert now["view"] == on["view"]
        assert next(a for a in now["asks"] if a["seat"] == seat)["moves"] == on["moves"]


async def test_costs_and_ready_chains(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    title = paddock.title("lacorsa")
    assert title.chains is None
    monkeypatch.setitem(title.__dict__, "chains", Wind())
    async with opened(app, "^3") as (table, client, seat):
        path = f"/tables/{table.id}"
        ask = fine(await client.get(path, params={"player": seat}))["asks"][0]
        ids = {str(move): move.id for move in table.game.legal(seat)}
        assert {move["move"]: move["cost"] for move in ask["moves"]} == {
            move: {"wind": id % 5} for move, id in ids.items()
        }
        ready = [{"moves": ["^3", "stop"], "label": "Close up", "cost": {"wind": 3}}]
        assert ask["ready"] == ready
        here = fine(await client.post(f"{path}/preview", json={"seat": seat, "moves": []}))
        assert here["ready"] == ready and here["moves"] == ask["moves"]
        on = fine(await client.post(f"{path}/preview", json={"seat": seat, "moves": ["^3"]}))
        assert on["ready"] == [] and [move["cost"].keys() for move in on["moves"]] == [{"wind"}] * 2
        fine(await client.post(f"{path}/moves", json=sent(table, seat, *ready[0]["moves"])))
