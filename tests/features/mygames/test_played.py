"""Games of a device: their records prove them, they come once, and nothing forged is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.errors import BadOption
from paddock.features.mygames.archive import PastGame, Rival
from paddock.features.mygames.played import Finisher, RecordEnd, proved
from web.test_friends import browsers
from web.test_identity import called, raced

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAID = PastGame.model_validate(
    {"game": "g1", "title": "lacorsa", "ended": NOW, "place": 2, "points": 30, "others": []}
)
FINISHERS = [Finisher("Bot", "club", 1, 34), Finisher("Ana", None, 2, 30), Finisher("B", "rookie", 3, 9)]
END = RecordEnd("lacorsa", FINISHERS, hinted=False)


def test_the_record_tells_of_the_race() -> None:
    """A device says which game it was, when, and how it was played; all else is read from the record."""
    said = SAID.model_copy(
        update={"ended": NOW + timedelta(days=9), "judged": 5, "cost": 0.0, "left": True, "counts": False}
    )
    kept = proved(said, END, NOW)
    others = [
        Rival(name="Bot", bot="club", place=1, counts=True),
        Rival(name="B", bot="rookie", place=3, counts=True),
    ]
    assert kept == SAID.model_copy(update={"others": others, "device": True, "left": True, "counts": False})
    assert proved(SAID, replace(END, hinted=True), NOW).hinted


@pytest.mark.parametrize(
    "forged",
    [{"place": 1, "points": 34}, {"points": 31}, {"title": "rasant"}],
    ids=["a bot's", "more points", "another title"],
)
def test_what_the_record_does_not_say_is_refused(forged: Mapping[str, Any]) -> None:
    with pytest.raises(BadOption, match="do not agree"):
        proved(SAID.model_copy(update=forged), END, NOW)


async def test_a_game_of_a_device_joins_my_games_once(app: FastAPI, client: httpx.AsyncClient) -> None:
    """Sent twice it is there once, and marked; a record that is damaged or does not end is refused.

    Games that come at the same time are all kept: two devices can be one browser.
    """
    table = await raced(app, await called(client, "Ana"))
    (game,) = (await client.get("/me/file")).json()["games"]
    record = (await client.get(f"/t/{table}/record")).text
    async with browsers(app, 1) as (phone,):

        async def send(record: str, **changed: Any) -> httpx.Response:
            return await phone.post("/me/played", data={"game": json.dumps(game | changed), "record": record})

        refusals = [
            await send(record.replace("result", "result!", 1)),
            await send("\n".join(record.splitlines()[:-3])),
            await send(record, points=game["points"] + 1),
            await send(record, game="../t"),
        ]
        assert [refused.status_code for refused in refusals] == [422] * 4
        assert all(refused.headers["content-type"].startswith("text/plain") for refused in refusals)
        assert "No finished games yet" in (await phone.get("/me")).text
        for _time in range(2):
            assert (await send(record)).status_code == 204
        (kept,) = (await phone.get("/me/file")).json()["games"]
        assert kept == game | {"device": True}
        assert "on your device" in (await phone.get("/me")).text
        told = (await phone.get("/api/v1/me")).json()
        assert told["games"][0]["device"] and not told["games"][0]["here"] and told["total"]["games"] == 1
        others = [f"d{number}" for number in range(4)]
        answers = await asyncio.gather(*(send(record, game=id) for id in others))
        assert {answer.status_code for answer in answers} == {204}
        games = (await phone.get("/me/file")).json()["games"]
        assert {kept["game"] for kept in games} == {game["game"], *others}
