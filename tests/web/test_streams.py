"""Streams carry what one sees: made once for all who see the same, the newest state, and nobody else's."""

from __future__ import annotations

import asyncio
import random
import zlib
from itertools import permutations
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.web.api.shapes import ReplayOut, Submitted, TableOut
from paddock.web.streams import _GZIP, News, Piece, beat
from web.api_helpers import RACE, act, fine, program, seated, visitor
from web.streams import EVENT, Stream

pytestmark = pytest.mark.anyio


@pytest.fixture
async def anna(client: httpx.AsyncClient, app: FastAPI) -> httpx.AsyncClient:
    """A program that plays at a table."""
    return await program(app)


def test_compressed_pieces_can_be_read_one_by_one_in_any_order() -> None:
    """A reader gets each at once, whatever was sent to it before."""
    pieces = [Piece(text * 50) for text in (b"one ", b"another ", b"a third ")]
    for some in permutations(pieces):
        reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
        reader.decompress(_GZIP)
        assert [reader.decompress(piece.packed) for piece in some] == [piece.plain for piece in some]
    assert pieces[0].packed is pieces[0].packed


def test_an_event_has_one_line_of_data() -> None:
    assert (
        News("00ff", b'{"page":"two\\nlines"}').event.plain == b'id: 00ff\ndata: {"page":"two\\nlines"}\n\n'
    )


@pytest.mark.parametrize("title", ["lacorsa", "rasant", "great_race"])
async def test_answers_have_the_fields_that_the_api_describes(
    app: FastAPI, anna: httpx.AsyncClient, title: str
) -> None:
    """They are not validated when they are made: here they are, from the lobby to the end."""

    def check(shape: Any, answer: httpx.Response) -> Any:
        whole = fine(answer, 201 if answer.request.url.path.endswith("/tables") else 200)
        assert shape.model_validate(whole).model_dump(mode="json") == whole
        return whole

    table = {"title": title, "seats": ["me", "me"], "pace": "instant", "clock": "600+5"}
    id = check(TableOut, await anna.post("/tables", json=table))["id"]
    choose = random.Random(1)
    for _move in range(12):
        seen = check(TableOut, await anna.get(f"/tables/{id}"))
        check(TableOut, await visitor(app).get(f"/tables/{id}"))
        ask = next(ask for ask in seen["asks"] if ask["committed"] is None)
        body = {"seat": ask["seat"], "decision": ask["decision"], "move": choose.choice(ask["moves"])["move"]}
        check(Submitted, await anna.post(f"/tables/{id}/moves", json=body))
    if title == "rasant":
        while await act(anna, id, choose):
            pass
        assert check(TableOut, await anna.get(f"/tables/{id}"))["phase"] == "over"
        check(ReplayOut, await anna.get(f"/tables/{id}/replay"))


async def test_the_answer_to_a_move_is_what_the_stream_tells(app: FastAPI, anna: httpx.AsyncClient) -> None:
    """The player of the seat sees the same in the answer, in the stream and with GET."""
    id = fine(await anna.post("/tables", json=RACE | {"seats": ["me"] * 4}), 201)["id"]
    stream = Stream(app, f"/api/v1/tables/{id}/stream", anna, "player=2")
    await stream.until(2)
    seen = fine(await anna.get(f"/tables/{id}?player=2"))
    ask = seen["asks"][0]
    body = {"seat": 2, "decision": ask["decision"], "move": ask["moves"][0]["move"]}
    table = fine(await anna.post(f"/tables/{id}/moves", json=body))["table"]
    assert table["player"] == 2 and table["asks"][0]["committed"] == ask["moves"][0]["move"]
    assert (
        await stream.until_event(table["digest"]) == table == fine(await anna.get(f"/tables/{id}?player=2"))
    )
    app.state.stopping.give()
    await stream.task


async def test_spectators_share_what_is_sent_and_players_share_nothing(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    players = [await program(app) for _ in range(4)]
    id = fine(await players[0].post("/tables", json=RACE | {"seats": ["me"] * 4}), 201)["id"]
    await seated(app, players, id)
    watchers = [visitor(app) for _ in range(3)]
    streams = [Stream(app, f"/api/v1/tables/{id}/stream", who) for who in (*players, *watchers)]
    choose = random.Random(2)
    for n in range(6):
        for stream in streams:
            await stream.until(2 + n)
        views = [fine(await who.get(f"/tables/{id}")) for who in players]
        due = [any(ask["committed"] is None for ask in view["asks"]) for view in views]
        mover = players[due.index(True)]
        assert await act(mover, id, choose)
    told = [{chunk for chunk in stream.chunks if chunk.startswith(b"id: ")} for stream in streams]
    assert told[4] == told[5] == told[6]
    assert len({id_(stream.chunks[-1]) for stream in streams[4:]}) == 1, "one buffer for all spectators"
    for one, other in permutations(range(5), 2):
        assert not told[one] & told[other], (one, other)
    app.state.stopping.give()
    for stream in streams:
        await stream.task


id_ = id  # the built-in function: tables have ids, too


async def test_a_stream_that_falls_behind_gets_the_newest_state(
    app: FastAPI, anna: httpx.AsyncClient
) -> None:
    id = fine(await anna.post("/tables", json=RACE | {"seats": ["me"] * 4}), 201)["id"]
    stream = Stream(app, f"/api/v1/tables/{id}/stream", visitor(app))
    await stream.until(2)
    stream.open.clear()
    for n in range(5):
        fine(await anna.post(f"/tables/{id}/talk", json={"text": f"line {n}", "player": n % 4}), 201)
        await asyncio.sleep(0)
    stream.open.set()
    seen = fine(await visitor(app).get(f"/tables/{id}"))
    assert await stream.until_event(seen["digest"]) == seen
    assert len(stream.events) <= 3, "what it was sent first, what it was about to be sent, and the newest"
    app.state.stopping.give()
    await stream.task


async def test_a_heartbeat_is_an_event_for_pages_and_a_comment_for_programs(
    app: FastAPI, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts do not see comments, programs take each event for the table. It is the same for everybody."""
    id = fine(await anna.post("/tables", json=RACE | {"seats": ["me"] * 4}), 201)["id"]
    monkeypatch.setattr("paddock.web.streams.HEARTBEAT", 0.01)
    pages = [Stream(app, f"/t/{id}/stream", who) for who in (anna, visitor(app))]
    programs = [Stream(app, f"/api/v1/tables/{id}/stream", who) for who in (anna, visitor(app))]
    sign = beat(0.01)
    assert sign == b"event: beat\ndata: 0.01\n\n"
    for streams, comes in ((pages, sign), (programs, b": \n\n")):
        for stream in streams:
            await stream.until(5)
            assert stream.chunks[0] == b"retry: 1000\n\n" + comes
            assert EVENT.fullmatch(stream.chunks[1]) and stream.chunks[2:5] == [comes] * 3
    app.state.stopping.give()
    for stream in (*pages, *programs):
        await stream.task


async def test_a_stream_begins_with_what_its_reader_lacks(app: FastAPI, anna: httpx.AsyncClient) -> None:
    id = fine(await anna.post("/tables", json=RACE | {"seats": ["me"] * 4}), 201)["id"]
    path, seen = f"/api/v1/tables/{id}/stream", fine(await visitor(app).get(f"/tables/{id}"))
    has, lacks = [Stream(app, path, visitor(app), f"have={digest}") for digest in (seen["digest"], "0" * 16)]
    await lacks.until(2)
    assert lacks.events == [(seen["digest"], seen)] and not has.events
    fine(await anna.post(f"/tables/{id}/talk", json={"text": "hello"}), 201)
    now = fine(await visitor(app).get(f"/tables/{id}"))
    for stream in (has, lacks):
        assert await stream.until_event(now["digest"]) == now
    app.state.stopping.give()
    for stream in (has, lacks):
        await stream.task
    assert len(has.events) == 1
