"""The guided first race of Skerries: every choice is followed, explained or taken back, and the way wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.lesson_ways import begun, choices, end, every, known, onward
from paddock.core.lesson import LEARNER, lesson
from paddock.core.title import title
from paddock.server.app import create_app
from web.conftest import running


def test_every_choice_is_followed_explained_or_taken_back() -> None:
    found = title("skerries")
    kinds = set()
    for one in every(found, 5):
        kinds.add(one.kind)
        if one.kind == "mistake":
            assert one.after.missed and one.says
        elif one.kind:
            assert one.says or one.after.missed
        if not one.after.missed:
            assert onward(found, one.log) is None or lesson(begun(found, one.log))
    assert {"", "good", "mistake"} <= kinds


def test_its_own_way_wins_with_the_gust_before_or_after_a_step() -> None:
    found = title("skerries")
    log = known(found).opening
    while str(choices(found, log)[0].move) != "gust":
        log = onward(found, choices(found, log)[0].log)
        assert log is not None
    for move in ("gust", "e"):
        begin = next(one.log for one in choices(found, log) if one.move == move)
        game, over = end(found, onward(found, begin))
        assert game.over and game.rounds[0].places[LEARNER] == 1
        assert over.text == found.room("learn").LAST and over.said


@pytest.mark.anyio
async def test_a_table_teaches_it(tmp_path: Path) -> None:
    async with running(create_app(f"sqlite:///{tmp_path / 't.sqlite3'}", pace="instant")) as client:
        start = await client.get("/learn/skerries")
        assert start.status_code == 200 and "Who reaches the light first wins." in start.text
        path = (await client.post("/learn/skerries")).headers["location"]
        shown = (await client.get(path)).text
    assert "Learn: 1 of 6" in shown and "each step takes 1" in shown
