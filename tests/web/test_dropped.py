"""No part of an input is dropped without a word: what is too long, unknown or no text is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI

from paddock.features.mygames import archive
from paddock.web.bodies import BadBody, read_form
from paddock.web.choices import LONGEST_CHAIN
from web.api_helpers import RACE, fine, program, refused
from web.helpers import table

pytestmark = pytest.mark.anyio


async def test_a_move_that_is_too_long_is_not_played_in_part(client: httpx.AsyncClient) -> None:
    """The beginning of what somebody has sent may be another move."""
    path = await table(client)
    for where, field in ((f"{path}/move", "move"), (f"{path}/preview", "move"), (f"{path}/orders", "order")):
        answer = await client.post(where, data={"seat": "0", "decision": "0", field: "2;" * LONGEST_CHAIN})
        assert answer.status_code == 400 and f"“{field}” has at most" in answer.text


async def test_a_time_of_day_is_read_whole(client: httpx.AsyncClient) -> None:
    quiet = {"everywhere": "yes", "zone": "UTC", "remind": "0", "quiet": "yes", "to": "06:00"}
    for text in ("22:30", "22:30:00", "22:30:00.000"):
        assert (await client.post("/reach", data=quiet | {"from": text})).status_code == 303, text
    for text in ("22:301", "22:30pm", "22:30:59"):
        assert (await client.post("/reach", data=quiet | {"from": text})).status_code == 400, text


@pytest.mark.parametrize("body", [b"name=Ana\xff", b"name=Ana%ff", b"na%ffme=Ana"])
def test_a_form_is_utf_8(body: bytes) -> None:
    with pytest.raises(BadBody, match="not UTF-8 text"):
        read_form(body, "application/x-www-form-urlencoded")


async def test_a_parameter_that_the_api_does_not_have_is_refused(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    """Else a filter with a wrong name filters nothing."""
    api = await program(app)
    id = fine(await api.post("/tables", json=RACE | {"seats": ["me", "me", "rookie", "rookie"]}), 201)["id"]
    fine(await api.get(f"/tables/{id}", params={"player": "1", "lang": "en"}))
    for path, name in ((f"/tables/{id}", "Player"), ("/titles", "title"), ("/reach", "zone")):
        error = refused(await api.get(path, params={name: "1"}), 422)
        assert f"here is no parameter “{name}” here" in str(error)


async def test_games_for_which_there_is_no_room_are_counted(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [
        {
            "game": f"g{n}", "title": "lacorsa", "place": 1, "points": 9, "others": [],
            "ended": str(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=n)),
        }
        for n in range(5)
    ]  # fmt: skip
    monkeypatch.setattr(archive, "MOST", 3)
    text = json.dumps({"paddock": "my games", "version": 1, "games": games})
    api = await program(app)
    assert fine(await api.post("/me/file", json={"text": text})) == {"games": 3, "left_out": 2}
    page = await client.post("/me/file", data={"file": text})
    assert "no room for 2 of these games, the oldest" in page.text
