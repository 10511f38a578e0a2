"""Lobbies, seats, standing orders and undo through the API, and the example bot in its own process."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from web.api_helpers import RACE, act, fine, program, refused, visitor
from web.conftest import PATIENT, Server, running

pytestmark = pytest.mark.anyio

BOT = Path(__file__).parents[2] / "examples/bot.py"


@pytest.fixture
async def anna(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a token."""
    async with running(app):
        yield await program(app)


async def lobby(client: httpx.AsyncClient, **more: object) -> str:
    """Open a lobby with one open seat; return its id."""
    body = RACE | {"seats": ["me", "open", "rookie", "rookie"], "lobby": True, "pace": "instant"} | more
    made = fine(await client.post("/tables", json=body), 201)
    assert made["phase"] == "lobby" and made["host"]
    id: str = made["id"]
    return id


async def test_the_game_starts_when_the_last_player_is_ready(anna: httpx.AsyncClient, app: FastAPI) -> None:
    ben = await program(app)
    id = await lobby(anna)
    empty = fine(await ben.get(f"/tables/{id}"))
    assert [player["kind"] for player in empty["players"]] == ["person", "open", "bot", "bot"]
    assert empty["asks"] == [] and empty["deciders"] == [] and not empty["host"]
    refused(await visitor(app).post(f"/tables/{id}/seats/1/claim", json={}), 401)
    joined = fine(await ben.post(f"/tables/{id}/seats/1/claim", json={"name": "Ben"}))
    assert joined["you"] == [1] and joined["players"][1]["name"] == "Ben"
    refused(await ben.post(f"/tables/{id}/seats/0/claim", json={}), 403)
    refused(await ben.post(f"/tables/{id}/seats/0/ready", json={}), 403)
    refused(await ben.post(f"/tables/{id}/start"), 403)
    assert fine(await ben.post(f"/tables/{id}/seats/1/ready", json={}))["phase"] == "lobby"
    dealt = fine(await anna.post(f"/tables/{id}/seats/0/ready", json={}))
    assert dealt["phase"] == "play" and len(dealt["asks"]) == 1
    assert any("joins as" in line["text"] for line in dealt["talk"])


async def test_actions_of_the_host(anna: httpx.AsyncClient, app: FastAPI) -> None:
    ben = await program(app)
    id = await lobby(anna)
    fine(await ben.post(f"/tables/{id}/seats/1/claim", json={"name": "Ben"}))
    acts = [("2/bot", {"level": None}), ("0/free", None), ("0/kick", None), ("0/mute", {})]
    for act_, body in acts:
        refused(await ben.post(f"/tables/{id}/seats/{act_}", json=body), 403)
    fine(await anna.post(f"/tables/{id}/seats/1/mute", json={}))
    assert "muted" in refused(await ben.post(f"/tables/{id}/talk", json={"text": "hello"}), 403)
    fine(await anna.post(f"/tables/{id}/seats/1/mute", json={"muted": False}))
    fine(await ben.post(f"/tables/{id}/talk", json={"text": "hello"}), 201)
    fine(await ben.post(f"/tables/{id}/seats/1/name", json={"name": "Benno"}))
    assert fine(await anna.post(f"/tables/{id}/seats/1/free"))["players"][1]["kind"] == "open"
    fine(await ben.post(f"/tables/{id}/seats/1/claim", json={}))
    assert fine(await anna.post(f"/tables/{id}/seats/1/kick"))["players"][1]["kind"] == "open"
    refused(await ben.post(f"/tables/{id}/seats/1/claim", json={}), 403)
    assert (
        fine(await anna.post(f"/tables/{id}/seats/1/bot", json={"level": "club"}))["players"][1]["bot"]
        == "club"
    )
    refused(await anna.post(f"/tables/{id}/seats/1/bot", json={"level": "chief"}), 422)
    opened = fine(await anna.post(f"/tables/{id}/seats/1/bot", json={"level": None}))
    assert opened["players"][1]["kind"] == "open"
    refused(await anna.post(f"/tables/{id}/seats/7/claim", json={}), 422)


async def test_a_recovery_secret_moves_a_seat_to_another_client(
    anna: httpx.AsyncClient, app: FastAPI
) -> None:
    phone = await program(app)
    id = await lobby(anna)
    refused(await phone.post(f"/tables/{id}/seats/0/recovery"), 403)
    secret = fine(await anna.post(f"/tables/{id}/seats/0/recovery"))["secret"]
    moved = fine(await phone.post(f"/tables/{id}/recover", json={"secret": secret}))
    assert moved["you"] == [0] and moved["host"]
    assert fine(await anna.get(f"/tables/{id}"))["you"] == []
    refused(await anna.post(f"/tables/{id}/recover", json={"secret": secret}), 403)


async def test_a_recovery_secret_that_shows_two_hands_asks_first(
    anna: httpx.AsyncClient, app: FastAPI
) -> None:
    ben = await program(app)
    id = await two(anna, ben)
    secret = fine(await anna.post(f"/tables/{id}/seats/0/recovery"))["secret"]
    assert "two hands" in refused(await ben.post(f"/tables/{id}/recover", json={"secret": secret}), 403)
    assert fine(await anna.get(f"/tables/{id}"))["you"] == [0]
    body = {"secret": secret, "both": True}
    assert fine(await ben.post(f"/tables/{id}/recover", json=body))["you"] == [0, 1]


async def test_listed_lobbies_are_found(anna: httpx.AsyncClient, app: FastAPI) -> None:
    hidden = await lobby(anna)
    shown = await lobby(anna, listed=True)
    found = fine(await visitor(app).get("/tables"))
    assert [line["id"] for line in found["listed"]] == [shown] and found["yours"] == []
    assert {line["id"] for line in fine(await anna.get("/tables"))["yours"]} == {hidden, shown}


@pytest.mark.usefixtures("unlimited")
async def test_a_rematch_rotates(anna: httpx.AsyncClient, app: FastAPI) -> None:
    body = RACE | {"seats": ["me", "rookie", "rookie", "rookie"], "pace": "instant"}
    id = fine(await anna.post("/tables", json=body), 201)["id"]
    refused(await anna.post(f"/tables/{id}/rematch"), 403)
    choose = random.Random(2)
    while fine(await anna.get(f"/tables/{id}"))["phase"] != "over":
        await act(anna, id, choose)
    again = fine(await anna.post(f"/tables/{id}/rematch"))
    assert again["phase"] == "lobby" and again["rematch_of"] == id and again["you"] == [1]
    assert fine(await anna.post(f"/tables/{id}/rematch"))["id"] == again["id"]
    assert fine(await anna.get(f"/tables/{id}"))["rematch"] == again["id"]


async def two(anna: httpx.AsyncClient, ben: httpx.AsyncClient) -> str:
    """Start a game of two people without bots; return its id."""
    id = await lobby(anna, options={"drivers": 2, "races": 1}, seats=["me", "open"])
    fine(await ben.post(f"/tables/{id}/seats/1/claim", json={}))
    for client, seat in ((anna, 0), (ben, 1)):
        fine(await client.post(f"/tables/{id}/seats/{seat}/ready", json={}))
    return id


async def test_only_its_player_sees_a_standing_order(anna: httpx.AsyncClient, app: FastAPI) -> None:
    ben = await program(app)
    id = await two(anna, ben)
    for client in (anna, ben):
        while await act(client, id, random.Random(1)):
            pass
    mine = fine(await anna.get(f"/tables/{id}"))["orders"]
    assert [line["seat"] for line in mine] == [0, 1]
    assert mine[0]["offers"] and not mine[0]["given"]
    order = {"seat": 0, "text": mine[0]["offers"][0]["text"]}
    before = (await ben.get(f"/tables/{id}")).content, (await visitor(app).get(f"/tables/{id}")).content
    given = fine(await anna.post(f"/tables/{id}/orders", json=order), 201)["orders"][0]["given"]
    assert given == mine[0]["offers"][:1]
    after = (await ben.get(f"/tables/{id}")).content, (await visitor(app).get(f"/tables/{id}")).content
    assert before == after
    refused(await ben.post(f"/tables/{id}/orders", json=order), 403)
    refused(await anna.post(f"/tables/{id}/orders", json=order | {"text": "win"}), 422)
    refused(await ben.delete(f"/tables/{id}/orders/0"), 403)
    assert fine(await anna.delete(f"/tables/{id}/orders/0"))["orders"][0]["given"] == []


async def test_undo_needs_consent(anna: httpx.AsyncClient, app: FastAPI) -> None:
    ben = await program(app)
    id = await two(anna, ben)
    refused(await anna.post(f"/tables/{id}/undo"), 403)
    choose = random.Random(4)
    for client, other in [(anna, ben), (ben, anna)] * 100:  # noqa: B007  # used after the loop
        await act(client, id, choose)
        if (table := fine(await client.get(f"/tables/{id}")))["can_undo"]:
            break
    assert table["can_undo"]
    asked = fine(await client.post(f"/tables/{id}/undo"))["undo"]
    assert asked["awaited"] == fine(await other.get(f"/tables/{id}"))["you"]
    refused(await visitor(app).post(f"/tables/{id}/undo/agree"), 401)
    refused(await (await program(app)).post(f"/tables/{id}/undo/agree"), 403)
    assert fine(await other.post(f"/tables/{id}/undo/refuse"))["undo"] is None
    fine(await client.post(f"/tables/{id}/undo"))
    back = fine(await other.post(f"/tables/{id}/undo/agree"))
    assert back["undo"] is None and back["decision"] > table["decision"]
    assert "took back" in back["talk"][-1]["text"]
    fine(await other.post(f"/tables/{id}/read", json={"player": back["player"]}))
    assert fine(await other.get(f"/tables/{id}"))["news"] is None


async def test_a_rivals_seat_needs_the_consent_of_the_others(anna: httpx.AsyncClient, app: FastAPI) -> None:
    """The host frees a rival, and tries to see the hand with another token."""
    ben, second = await program(app), await program(app)
    id = await two(anna, ben)
    fine(await anna.post(f"/tables/{id}/seats/1/free"))
    assert "nobody new gets it" in refused(await second.post(f"/tables/{id}/seats/1/claim", json={}), 403)
    seen = fine(await second.get(f"/tables/{id}"))
    assert seen["player"] is None and seen["asks"] == [] and seen["claims"] == [] and seen["back"] is None
    assert [player["removed"] for player in seen["players"]] == [False, True]
    assert fine(await ben.get(f"/tables/{id}"))["back"] == 1
    assert fine(await ben.post(f"/tables/{id}/seats/1/claim", json={"name": "Ben"}))["you"] == [1]
    fine(await ben.post(f"/tables/{id}/seats/1/leave"))  # of his own accord
    before = fine(await second.get(f"/tables/{id}"))
    asked = fine(await second.post(f"/tables/{id}/seats/1/claim", json={"name": "Eva"}))
    number = asked["asking"]
    request = {"player": 1, "number": number, "name": "Eva", "consents": [], "awaited": [0]}
    assert asked["you"] == [] and asked["claims"] == [request] and asked["digest"] != before["digest"]
    assert fine(await anna.get(f"/tables/{id}"))["asking"] is None
    for answer in ("agree", "decline"):
        refused(await visitor(app).post(f"/tables/{id}/claims/{number}/{answer}"), 401)
        refused(await ben.post(f"/tables/{id}/claims/{number}/{answer}"), 403)
        refused(await anna.post(f"/tables/{id}/claims/{number + 1}/{answer}"), 403)
    assert fine(await second.post(f"/tables/{id}/claims/{number}/decline"))["claims"] == []
    number = fine(await second.post(f"/tables/{id}/seats/1/claim", json={"name": "Eva"}))["asking"]
    assert fine(await anna.post(f"/tables/{id}/claims/{number}/agree"))["players"][1]["name"] == "Eva"
    assert fine(await second.get(f"/tables/{id}"))["you"] == [1]


@pytest.mark.parametrize("link", ["", "nonsense", "http://[::1/t/x", "ftp://127.0.0.1/t/x", "http:///t/x"])
def test_the_example_bot_asks_for_a_link(link: str) -> None:
    done = subprocess.run([sys.executable, str(BOT), link], capture_output=True, text=True)
    assert done.returncode == 2
    assert "error: give the link of a table" in done.stderr and "Traceback" not in done.stderr


def test_the_example_bot_reports_a_missing_server() -> None:
    command = [sys.executable, "-u", str(BOT), "http://127.0.0.1:1/t/x"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as bot:
        assert bot.stderr
        assert "does not answer; trying again" in bot.stderr.readline()
        bot.kill()


@pytest.mark.parametrize("example", ["bot.py", "guest.py"])
def test_an_example_bot_joins_by_its_link_and_plays_to_the_podium(server: Server, example: str) -> None:
    """A player uses the API; the example bot runs in its own process, over HTTP."""
    with httpx.Client(base_url=f"{server.url}api/v1", **PATIENT) as person:
        token = fine(person.post("/tokens", json={"label": "person"}), 201)["token"]
        person.headers["authorization"] = f"Bearer {token}"
        body = RACE | {"seats": ["me", "open", "rookie", "rookie"], "lobby": True, "pace": "instant"}
        id = fine(person.post("/tables", json=body), 201)["id"]
        bot = subprocess.Popen(
            [sys.executable, str(BOT.with_name(example)), f"{server.url}t/{id}", "--name", "Robo"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            fine(person.post(f"/tables/{id}/seats/0/ready", json={}))
            choose = random.Random(3)
            with person.stream("GET", f"/tables/{id}/stream") as stream:
                for line in stream.iter_lines():
                    if not line.startswith("data:"):
                        continue
                    table = fine(person.get(f"/tables/{id}"))
                    if table["phase"] == "over":
                        break
                    for ask in table["asks"]:
                        if ask["committed"] is None:
                            move = choose.choice(ask["moves"])["move"]
                            body = {"seat": 0, "decision": ask["decision"], "move": move}
                            assert person.post(f"/tables/{id}/moves", json=body).status_code in (200, 409)
            out, _ = bot.communicate()
        finally:
            bot.kill()
    assert bot.returncode == 0, out
    assert table["players"][1]["name"] == "Robo"
    lines = [
        f"{line['rank']}. {table['players'][line['who']]['name']}" for line in table["standings"]["players"]
    ]
    assert [line.partition(":")[0] for line in out.splitlines()] == lines
