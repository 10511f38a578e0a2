"""Moments that come again: found in a game, counted by the command, and said to who has played them."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

import paddock
from paddock.bots.analysis import Analysis, Judgement
from paddock.core.title import Seen
from paddock.core.words import NOBODY
from paddock.features.situations.commands import count_games
from paddock.features.situations.rows import situations
from paddock.features.situations.service import PlayerMoments
from paddock.features.situations.store import SituationStore, Sums
from paddock.features.situations.words import MOST, clear
from paddock.store.schema import answers
from paddock.tables import Tables
from paddock.tables.replaying import LONG_LOOK
from store.databases import execute
from tables.harness import alter
from tables.test_play import play
from web import foreign
from web.helpers import words
from web.test_friends import browsers
from web.test_identity import ANA, called, raced

pytestmark = pytest.mark.anyio
# Car 1 is third. Car 2, behind it, has lost its challenge; car 3 leads.
START = (
    "lacorsa/2 drivers=4 races=1 championship=auto pairs=no extra_suits=0 double_redline=refused "
    "points=9,6,4,3,2,1 results=- phase={phase} lap={lap} turn={turn} passes={passes} last=no road={road} "
    "hands=1:1,1,3,3,5,6,8,9,10|2:1,1,2,2,4,7,8,9,10,R|3:2,2,4,7,7,9,9,11,11,R|4:3,3,5,5,7,8,10,12 "
    "discard=4*2,5*1,6*3,8*1,10*1,11*2,12*3,R*2 commit=- value=-"
)
CHALLENGE = {"phase": "challenge", "lap": 2, "turn": 1, "passes": 0, "road": "2-1-3-4"}
HIGH = {"1": "9 10", "3": "9 11 7+R 9+R 11+R", "4": "10 12"}
WITH_R = {"3": "R 2+R 4+R 7+R 9+R 11+R"}


def kinds_of(seen: Seen, seat: int) -> Mapping[str, Collection[int]]:
    """Return the kinds of moments of a seat, with the moves of the choice."""
    room = seen.title.situations
    assert room
    return room.choices(seen, seat)


def chosen(car: int, text: str) -> dict[str, str]:
    """Return the kinds of moments of a car in a position, with the moves of the choice in notation."""
    seen, seat = paddock.position(text).seen(1 << car - 1), car - 1
    move = seen.title.text.move
    return {
        name: " ".join(str(move(seen.setup, id)) for id in seen.legal(seat) if id in ids)
        for name, ids in kinds_of(seen, seat).items()
    }


def replaced(text: str, new: dict[str, str]) -> str:
    """Return a text with other words."""
    for old, now in new.items():
        assert old in text
        text = text.replace(old, now)
    return text


def at(**facts: Any) -> str:
    """Return the position with other facts."""
    return START.format(**CHALLENGE | facts)


def test_lacorsa_names_the_moments_of_a_challenge() -> None:
    """LC-5.1; the road is written from the back to the leader, and nobody's own cars fight for anything."""
    assert chosen(1, at()) == {"attacks": HIGH["1"]}
    assert chosen(3, at()) == {"defends": HIGH["3"], "redline": WITH_R["3"]}
    assert chosen(3, at(turn=3)) == {"attacks": HIGH["3"], "redline": WITH_R["3"]}
    assert chosen(4, at(turn=3)) == {"leads": HIGH["4"]}
    assert chosen(1, at(passes=1)) == {"goes-on": HIGH["1"]}
    few = {
        "1:1,1,3,3,5,6,8,9,10": "1:3,5",
        "discard=4*2,5*1,6*3,8*1,10*1": "discard=1*2,3*1,4*2,5*1,6*4,8*2,9*1,10*2",
    }
    assert chosen(1, replaced(at(), few)) == {"few": "5"}, "without a 9, no high value can be chosen"
    two_cars = {"drivers=4": "drivers=2"}
    assert chosen(3, replaced(at(turn=3), two_cars)) == {}, "cars 3 and 4 have one driver"


def test_lacorsa_names_the_moments_of_qualifying_and_of_a_free_road() -> None:
    """LC-3.1, LC-6.2."""
    assert chosen(3, at(phase="road", turn=3, road="2-1-3.4")) == {"road": "^2"}
    assert chosen(4, at(phase="road", turn=4, road="2-1-3.4")) == {}, "a leader does not extend with a 3"
    start = paddock.start("lacorsa", drivers=4, races=1, seed=7).position
    assert chosen(1, start) == {"grid": "9 10 11"}


def test_rasant_names_the_moments_of_a_round() -> None:
    """RA-3.2, RA-3.3: a raise is higher, and of the round's colour or black."""
    game = paddock.start("rasant", seed=1)
    assert "4:r60,g20,b10,b50,b70,y110" in game.position and chosen(4, game.position) == {"leads": "y110"}
    game.play(3, "r60")
    assert chosen(1, game.position) == {"raises": "r70 r100"}
    game.play(0, "pass")
    assert chosen(2, game.position) == {"raises": "r120 r130 k90", "black": "k90"}


def test_the_great_race_names_the_moments_of_a_turn() -> None:
    """GR-4.1: a plan is written as the assistants on Pathfinder, Mechanics, Security and Funding."""
    game = paddock.start("great_race", players=3, seed=3)
    while chosen(1, game.position).keys() != {"mechanics", "security"}:
        game.play(game.deciders[0], game.legal(game.deciders[0])[0])
    plans = {str(move) for move in game.legal(0)}
    kinds = {name: set(re.findall(r"plan [-0-9]+", text)) for name, text in chosen(1, game.position).items()}
    boxes = {plan: [int(n) for n in plan.removeprefix("plan ").split("-")] for plan in plans}
    assert kinds["mechanics"] == {plan for plan in plans if boxes[plan][1] > 1}
    assert kinds["security"] == {plan for plan in plans if boxes[plan][2]}


@pytest.mark.parametrize(("chosen", "expected", "said"), [(30, 10.0, True), (14, 13.0, False)])
def test_only_clear_differences_are_said(chosen: int, expected: float, said: bool) -> None:
    sums = Sums("lacorsa", "leads", "champion", 40, chosen, expected, 0, 0.0)
    assert clear(sums) == said
    assert not clear(replace(sums, moments=19, chosen=19, expected=0.0))


async def test_a_command_counts_the_moments_and_their_player_is_told(
    app: FastAPI, client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paddock.features.situations.words.LEAST", 10)
    me, url = await called(client, "Ana"), f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    tables: Tables = app.state.tables
    by_bots = await raced(app, me, "b" * 64)
    await execute(tables.store, answers.delete().where(answers.c.table_id == by_bots))
    table = await tables.making.create("lacorsa", {"races": 12}, ["me"] * 4, holder=ANA)
    await play(tables, table, random.Random(3))
    seats = {0: {"holder": me}, 1: {"holder": "b" * 64}}
    await tables.run(table.id, alter, seats | {n: {"bot": "club", "holder": None} for n in (2, 3)})
    games, moments, refused = await count_games(url, None)
    assert (games, refused) == (2, 0) and moments > 100
    assert (await count_games(url, None))[:2] == (0, 0), "not even that in which bots played"
    sums = {one.kind: one for one in await tables.service(PlayerMoments).of(me)}
    road = sums["road"]
    assert sums["grid"].moments == 12 and road.moments >= 10 and road.level == "champion"
    assert 0 < road.expected < road.moments

    page = (await client.get("/me")).text
    assert 1 <= page.count("is-own") <= MOST and "is not known" in page
    table = await tables.table(table.id)
    game, entries = table.game.at(0), list[int]()
    for index, entry in enumerate(table.game.log):
        if entry.by == 0 and len(game.legal(0)) > 1:
            entries.append(index)
        game.append(entry)
    judged = tuple(Judgement(entry, 0, 0, "1", "2", 0.25, 0.1, 8) for entry in entries)
    analysis = Analysis("lacorsa", len(table.game.log), 8, "seed", judged)
    assert len(table.game.log) > LONG_LOOK, "a worker looks at it"
    await tables.analysing.tell(table, analysis)
    assert "Such a decision cost you 0.25 points on average." in (await client.get("/me")).text
    french = (await client.get("/me", headers={"accept-language": "fr"})).text
    said = words(french.partition('aria-labelledby="moments-h">')[2].partition("</section>")[0])
    assert "0,25 points en moyenne" in said and foreign.left(said, "fr") == []

    at_road = next(entry for entry in entries if "road" in kinds_of(table.game.at(entry).seen(1), 0))
    replay = f"/t/{table.id}/replay?entry={at_road - 1}"
    said = "A moment like this: The road is free, and you hold a card that extends"
    assert said in (await client.get(replay)).text
    async with browsers(app, 1) as (stranger,):
        assert said not in (await stranger.get(replay)).text
        assert "Moments that come again" not in (await stranger.get("/me")).text

    assert (await client.post("/me/forget", data={"sure": "yes"})).status_code < 400
    rows = await tables.store.part(SituationStore)._read(select(situations.c.player).distinct())
    assert {player for (player,) in rows} == {1, NOBODY}, "nobody has forgotten Ben"
