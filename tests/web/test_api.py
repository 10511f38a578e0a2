"""The JSON API: titles, tables, moves, chat, replays and tokens."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock import records
from paddock.store.errors import no_answer
from paddock.web.api import routes
from web.api_helpers import RACE, act, digest, fine, program, refused, seated, visitor
from web.conftest import running
from web.streams import Stream

pytestmark = pytest.mark.anyio

BOTS = ["me", "rookie", "rookie", "rookie"]


@pytest.fixture
async def anna(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a token."""
    async with running(app):
        yield await program(app)


async def make(client: httpx.AsyncClient, seats: Sequence[str] = BOTS, **more: object) -> str:
    """Create a table that starts at once."""
    body = RACE | {"seats": list(seats), "pace": "instant"} | more
    made: str = fine(await client.post("/tables", json=body), 201)["id"]
    return made


async def test_titles_are_described(anna: httpx.AsyncClient) -> None:
    assert [title["name"] for title in fine(await anna.get("/titles"))] == list(paddock.titles())
    title = fine(await anna.get("/titles/lacorsa"))
    options = {row["name"]: row for row in title["options"]}
    assert options["drivers"]["least"] == 2 and options["drivers"]["most"] == 12
    assert options["drivers"]["clause"].startswith("L")
    assert [level["name"] for level in title["levels"]] == ["rookie", "club", "works", "champion"]
    assert title["view_schema"]["properties"].keys() >= {"cars", "phase", "discard"}
    refused(await anna.get("/titles/monopoly"), 404)


async def test_rules_come_clause_by_clause(anna: httpx.AsyncClient) -> None:
    rules = fine(await anna.get("/titles/lacorsa/rules"))
    named = [id for chapter in rules["chapters"] for id in chapter["clauses"]]
    assert named == [clause["id"] for clause in rules["clauses"]]
    assert all(clause["text"] and clause["source"] for clause in rules["clauses"])


async def test_a_table_shows_what_the_page_shows(anna: httpx.AsyncClient, app: FastAPI) -> None:
    id = await make(anna)
    table = fine(await anna.get(f"/tables/{id}"))
    assert table["you"] == [0] and table["player"] == 0 and table["phase"] == "play"
    assert [player["kind"] for player in table["players"]] == ["person", "bot", "bot", "bot"]
    assert [player["bot"] for player in table["players"]] == [None, *BOTS[1:]]
    cars = table["view"]["cars"]
    assert len(cars[0]["hand"]) == 13
    assert [car["hand"] for car in cars[1:]] == [None] * 3
    held = app.state.tables.registry.get(id).table
    (ask,) = table["asks"]
    assert ask["decision"] == table["decision"] == held.decision
    assert [(m["move"], m["label"]) for m in ask["moves"]] == [
        (notation, label) for _seat, moves in held.moves(0) for _id, notation, label in moves
    ]
    assert table["status"] == held.title.text.status(held.seen(0))


@pytest.mark.usefixtures("unlimited")
async def test_a_whole_game_then_replay_record_and_explore(anna: httpx.AsyncClient) -> None:
    id = await make(anna)
    choose = random.Random(1)
    while (table := fine(await anna.get(f"/tables/{id}")))["phase"] != "over":
        if not await act(anna, id, choose):
            await asyncio.sleep(0.02)  # bots choose
    assert table["winners"]
    assert table["standings"]["players"][0]["who"] in table["winners"]
    assert all(car["hand"] is not None for car in table["view"]["cars"])
    text = (await anna.get(f"/tables/{id}/record")).text
    assert records.read(text).game().over
    replay = fine(await anna.get(f"/tables/{id}/replay", params={"entry": 60, "seat": 1}))
    assert [car["hand"] is None for car in replay["view"]["cars"]] == [True, False, True, True]
    refused(await anna.get(f"/tables/{id}/replay", params={"entry": 99999}), 422)
    copy = fine(await anna.post("/records", json={"text": text}), 201)
    assert copy["kind"] == "upload" and copy["winners"] == table["winners"]
    on = fine(await anna.post(f"/tables/{id}/explore", json={"entry": 60, "player": 2}), 201)
    assert on["you"] == [2]
    mine = fine(await anna.get("/tables"))["yours"]
    assert {line["id"] for line in mine} == {id, copy["id"], on["id"]}


async def test_a_running_game_has_a_partial_record_and_no_replay(
    anna: httpx.AsyncClient, app: FastAPI
) -> None:
    id = await make(anna)
    refused(await anna.get(f"/tables/{id}/replay"), 409)
    refused(await anna.post(f"/tables/{id}/explore", json={"entry": 0, "player": 0}), 403)
    mine = (await anna.get(f"/tables/{id}/record")).text
    others = (await visitor(app).get(f"/tables/{id}/record")).text
    assert "?" in mine and len(mine.replace("?", "")) > len(others.replace("?", ""))


async def test_moves_are_answered_once_and_refused_with_a_clause(anna: httpx.AsyncClient) -> None:
    id = await make(anna, ["me"] * 4)
    table = fine(await anna.get(f"/tables/{id}"))
    ask = table["asks"][0]
    body = {"seat": 0, "decision": ask["decision"], "move": ask["moves"][0]["move"], "key": "one"}
    first = fine(await anna.post(f"/tables/{id}/moves", json=body))
    assert first["status"] == "committed"
    assert fine(await anna.post(f"/tables/{id}/moves", json=body)) == first
    assert fine(await anna.post(f"/tables/{id}/moves", json=body | {"key": "two"}))["status"] == "duplicate"
    changed = body | {"key": "three", "move": ask["moves"][1]["move"]}
    assert fine(await anna.post(f"/tables/{id}/moves", json=changed))["status"] == "committed"
    now = fine(await anna.get(f"/tables/{id}", params={"player": 0}))
    assert now["asks"][0]["committed"] == changed["move"]
    assert now["committed"] == [0] and now["awaited"] == [1, 2, 3]

    wrong = await anna.post(f"/tables/{id}/moves", json=body | {"key": "four", "move": "R+R"})
    assert wrong.json()["clause"] == "LC-3.5" and refused(wrong, 422).startswith("Two Redlines")
    quoted = await anna.post(f"/tables/{id}/moves", json=body | {"key": "five", "move": "LC-3.5"})
    assert "LC-3.5" in refused(quoted, 422) and quoted.json()["clause"] is None, "no rule forbids it"
    refused(await anna.post(f"/tables/{id}/moves", json=body | {"key": "six", "seat": 9}), 403)
    late = body | {"key": "seven", "decision": ask["decision"] - 1}
    assert "Too late" in refused(await anna.post(f"/tables/{id}/moves", json=late), 409)
    for seat in (1, 2, 3):
        asked = fine(await anna.get(f"/tables/{id}", params={"player": seat}))["asks"][0]
        assert asked["reveals"] == (seat == 3)
        move = {"seat": seat, "decision": asked["decision"], "move": asked["moves"][0]["move"]}
        fine(await anna.post(f"/tables/{id}/moves", json=move))
    after = await anna.post(f"/tables/{id}/moves", json=body | {"key": "eight"})
    refused(after, 409)
    again = fine(await anna.post(f"/tables/{id}/moves", json=body))  # sent again: it counts once
    assert (again["status"], again["sentence"]) == (first["status"], first["sentence"])


async def test_keys_of_different_seats_do_not_collide(anna: httpx.AsyncClient, app: FastAPI) -> None:
    """The same key from two clients is two submissions."""
    ben = await program(app)
    id = await make(anna, ["me"] * 4)
    await seated(app, [anna, ben, anna, anna], id)
    for client, seat in ((anna, 0), (ben, 1)):
        ask = fine(await client.get(f"/tables/{id}", params={"player": seat}))["asks"][0]
        body = {"seat": seat, "decision": ask["decision"], "key": "1"}
        move = ask["moves"][seat]["move"]
        answer = fine(await client.post(f"/tables/{id}/moves", json=body | {"move": move}))
        assert answer["sentence"] == f"Committed: {move}."


async def test_foreign_and_forged_requests_change_nothing(anna: httpx.AsyncClient, app: FastAPI) -> None:
    id = await make(anna, ["me"] * 4)
    before = (await anna.get(f"/tables/{id}")).content
    ask = fine(await anna.get(f"/tables/{id}"))["asks"][0]
    body = {"seat": 0, "decision": ask["decision"], "move": ask["moves"][0]["move"]}
    ben, nobody, forger = await program(app), visitor(app), visitor(app)
    forger.headers["authorization"] = "Bearer paddock_" + "x" * 43
    refused(await ben.post(f"/tables/{id}/moves", json=body), 403)
    refused(await ben.get(f"/tables/{id}", params={"player": 0}), 403)
    refused(await ben.get(f"/tables/{id}/record", params={"player": 0}), 403)
    refused(await ben.get(f"/tables/{id}/talk", params={"player": 0}), 403)
    refused(await ben.get(f"/tables/{id}/stream", params={"player": 0}), 403)
    refused(await nobody.post(f"/tables/{id}/moves", json=body), 401)
    refused(await forger.post(f"/tables/{id}/moves", json=body), 401)
    refused(await forger.get(f"/tables/{id}"), 401)
    cookie = visitor(app)
    cookie.cookies.set("paddock_browser", "x" * 43)
    refused(await cookie.post(f"/tables/{id}/moves", json=body), 403)
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        refused(await anna.post(f"/tables/{id}/moves", json=body, headers=headers), 403)
    refused(await anna.post(f"/tables/{id}/moves", json=body | {"extra": 1}), 422)
    refused(await anna.post(f"/tables/{id}/moves", json=body | {"seat": "x"}), 422)
    refused(
        await anna.post(f"/tables/{id}/moves", content=b"{", headers={"content-type": "application/json"}),
        400,
    )
    refused(await anna.post(f"/tables/{id}/moves", content=b"x" * 100_000), 413)
    refused(await anna.get("/nowhere"), 404)
    refused(await anna.get("/tables/nowhere"), 404)
    refused(await anna.put("/tables"), 405)
    assert (await anna.get(f"/tables/{id}")).content == before


async def test_a_token_belongs_to_the_player_who_made_it(client: httpx.AsyncClient, app: FastAPI) -> None:
    client.cookies.set("paddock_browser", "k" * 43)
    made = fine(await client.post("/api/v1/tokens", json={"label": "my bot"}), 201)
    stored = await app.state.tables.tokens.of(await digest(app, _with(app, made["token"])))
    assert made["token"] not in repr(stored)
    bot = _with(app, made["token"])
    id = await make(bot)
    browser = fine(await client.get(f"/api/v1/tables/{id}"))
    assert browser["you"] == [0]  # cookie and token belong to the same player
    assert [token["label"] for token in fine(await bot.get("/tokens"))] == ["my bot"]
    refused(await client.post("/api/v1/tokens", json={"label": "my  bot"}), 422)
    for label in (" ", ".", ".."):
        refused(await client.post("/api/v1/tokens", json={"label": label}), 422)
    assert (await client.delete("/api/v1/tokens/my%20bot")).status_code == 204
    refused(await bot.get(f"/tables/{id}"), 401)
    refused(await client.delete("/api/v1/tokens/my%20bot"), 422)
    made = fine(await client.post("/api/v1/tokens", json={"label": " a/b\tc "}), 201)
    assert made["label"] == "a/b c"
    assert (await client.delete("/api/v1/tokens/a%2Fb%20c")).status_code == 204
    other = await program(app)
    refused(await other.delete("/tokens/bot2"), 422)


async def test_the_streams_of_a_revoked_token_end(app: FastAPI, anna: httpx.AsyncClient) -> None:
    """Those of another token of the same player, and of spectators, go on."""
    id = await make(anna, ["me"] * 4)
    second = fine(await anna.post("/tokens", json={"label": "second"}), 201)["token"]
    clients = [anna, _with(app, second), _with(app, second), visitor(app)]
    streams = [Stream(app, f"/api/v1/tables/{id}/stream", client) for client in clients]
    for stream in streams:
        await stream.until(2)
    assert (await anna.delete("/tokens/second")).status_code == 204
    await asyncio.gather(streams[1].task, streams[2].task)
    assert not streams[0].task.done() and not streams[3].task.done()
    app.state.stopping.give()
    await asyncio.gather(streams[0].task, streams[3].task)
    assert app.state.revocations._open == {}


async def test_a_token_revoked_by_another_server_ends_its_streams(
    app: FastAPI, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "HEARTBEAT", 0)
    id = await make(anna, ["me"] * 4)
    ben = await program(app)
    stream = Stream(app, f"/api/v1/tables/{id}/stream", ben)
    await stream.until(2)
    (token,) = fine(await ben.get("/tokens"))
    await app.state.tables.tokens.drop(await digest(app, ben), token["label"])
    fine(await anna.post(f"/tables/{id}/talk", json={"text": "hello"}), 201)  # wakes the stream
    await stream.task
    assert len(stream.chunks) == 2


async def test_a_stream_ends_while_the_database_does_not_answer(
    app: FastAPI, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a traceback; the client connects again."""
    monkeypatch.setattr(routes, "HEARTBEAT", 0)
    id = await make(anna, ["me"] * 4)
    ben, tokens = await program(app), app.state.tables.tokens
    stream, holder = Stream(app, f"/api/v1/tables/{id}/stream", ben), tokens.holder
    await stream.until(2)

    its = await digest(app, ben)

    async def gone(token: str) -> str | None:
        if (known := await holder(token)) == its:
            raise no_answer()
        return known

    monkeypatch.setattr(tokens, "holder", gone)
    fine(await anna.post(f"/tables/{id}/talk", json={"text": "hello"}), 201)  # wakes the stream
    await stream.task
    assert len(stream.chunks) == 2


async def test_the_seats_give_the_number_of_players(anna: httpx.AsyncClient) -> None:
    for title, seats in (("rasant", ["me", "rookie"]), ("lacorsa", ["me"] + 4 * ["rookie"])):
        table = fine(await anna.post("/tables", json={"title": title, "seats": seats}), 201)
        assert len(table["players"]) == len(seats)
    body = {"title": "rasant", "seats": 6 * ["rookie"]}
    answer = await anna.post("/tables", json=body)
    assert refused(answer, 422) == "players=6: write a whole number from 2 to 5 (RA-1.3)."
    assert answer.json()["clause"] == "RA-1.3"
    refused(await anna.post("/tables", json=body | {"options": {"players": 4}}), 422)


def _with(app: FastAPI, token: str) -> httpx.AsyncClient:
    client = visitor(app)
    client.headers["authorization"] = f"Bearer {token}"
    return client


async def test_talk_reaches_the_table_and_team_talk_the_team(anna: httpx.AsyncClient, app: FastAPI) -> None:
    ben, watching = await program(app), visitor(app)
    id = await make(anna, ["me"] * 4, options={"drivers": 4, "races": 1, "pairs": True})
    await seated(app, [anna, anna, ben, ben], id)
    said = fine(
        await anna.post(f"/tables/{id}/talk", json={"text": " Good \u202e luck\n! ", "player": 0}), 201
    )
    assert said["text"] == "Good luck !"
    fine(
        await ben.post(f"/tables/{id}/talk", json={"text": "keep the 12", "player": 2, "channel": "team"}),
        201,
    )
    heard = {
        name: [
            line["text"]
            for line in fine(await who.get(f"/tables/{id}"))["talk"]
            if line["player"] is not None
        ]
        for name, who in (("anna", anna), ("ben", ben), ("spectator", watching))
    }
    assert heard == {
        "anna": ["Good luck !"],
        "ben": ["Good luck !", "keep the 12"],
        "spectator": ["Good luck !"],
    }
    assert "keep the 12" not in (await watching.get(f"/tables/{id}/talk")).text
    refused(await watching.post(f"/tables/{id}/talk", json={"text": "hello"}), 401)
    refused(await (await program(app)).post(f"/tables/{id}/talk", json={"text": "hello"}), 403)
    refused(await ben.post(f"/tables/{id}/talk", json={"text": "hello", "player": 0}), 403)


async def test_the_openapi_description_is_complete(anna: httpx.AsyncClient) -> None:
    description = fine(await anna.get("/openapi.json"))
    assert description["servers"] == [{"url": "/api/v1"}]
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["description"] and operation["tags"], where
            assert "4XX" in operation["responses"], where
            assert "HTTPValidationError" not in str(operation), where
