"""Pages are byte for byte the same whatever the player cannot know."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.features.watching.frames import allow_frames
from paddock.kernel.source import Seeded
from paddock.server.app import add_caches, create_app
from paddock.tables import Runtime, Table, Tables
from sampling import count
from tables.harness import give_seats
from web.conftest import running
from web.helpers import forms

pytestmark = pytest.mark.anyio

SECRET = "s" * 43
HANDS = [
    [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 0],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0],
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 0],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0],
]
# The hand of car 1 is the same, those of the others differ. Car 1 and a spectator see the same.
TWIN = [HANDS[0], HANDS[2], HANDS[3], HANDS[1]]
OTHERS = ("5", "7+R", "12")


class Still(Runtime):
    """A runtime with a stopped clock, in which nobody moves by itself, and the same ids in every run."""

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)

    def elapsed(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()  # on a slow machine, a forced move would come between two looks

    def table_id(self) -> str:
        return "thesametable"


async def everything(hands: list[list[int]], plays: tuple[str, ...], database: Path) -> dict[str, str]:
    """Return all that car 1 and a spectator get while the others commit."""
    app = create_app(f"sqlite:///{database}", chance=Seeded(7), runtime=Still(), token=lambda: "key")
    me = hashlib.sha256(SECRET.encode()).hexdigest()
    got = {}
    async with running(app) as client:
        tables: Tables = app.state.tables
        deal = [Entry(CHANCE, kind) for hand in hands for kind in hand]
        table = await tables.making.create(
            "lacorsa", {"races": 1}, ["me"] * 4, ["A", "B", "C", "D"], holder=me, start=deal
        )
        await give_seats(tables, table, dict.fromkeys((1, 2, 3), "other"))
        path = f"/t/{table.id}"

        async def look(when: str) -> None:
            for who, cookies in (("car 1", {"paddock_browser": SECRET}), ("spectator", {})):
                client.cookies.clear()
                client.cookies.update(cookies)
                for address in (path, f"{path}/record"):
                    got[f"{when} {who} {address}"] = (await client.get(address)).text
                part = await client.get(path, headers={"paddock-part": "main"})
                got[f"{when} {who} part"] = part.text

        await look("dealt")
        for i, move in enumerate(plays):
            await tables.submit(table.id, "other", i + 1, move, table.decision, f"k{i}")
            await look(f"after {i + 1}")
        client.cookies.update({"paddock_browser": SECRET})
        form = forms((await client.get(path)).text)[0]
        await client.post(f"{path}/move", data=form.data("8"))
        got["revealed"] = (await client.get(path)).text
    return got


@pytest.mark.slow("five readers get every page twice")
@pytest.mark.usefixtures("unlimited")  # a fast machine would reach the limit
@pytest.mark.parametrize(
    ("title", "options", "each"),
    [
        ("lacorsa", {"races": 1}, count(5, 1)),
        ("rasant", {"deck": "r10-130+g10-130+k30+k90"}, count(3, 1)),
        ("great_race", {"max_turns": 20}, count(79, 37)),  # a whole game would have two thousand decisions
    ],
    ids=["lacorsa", "rasant", "great_race"],
)
async def test_every_page_of_a_game_with_hidden_cards_dealt_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str, options: dict[str, Any], each: int
) -> None:
    """Each player and a spectator get the same pages as from a twin of the game, before ``each`` move.

    A spectator also gets the page for other sites and the picture for link previews.
    """
    monkeypatch.setenv("PADDOCK_EMBED", "*")
    database = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    app = create_app(database, chance=Seeded(7), runtime=Still(), token=lambda: "key")
    choose = random.Random(7)
    compared = differed = 0
    async with running(app) as client:
        tables: Tables = app.state.tables
        table = await tables.making.create(title, options, ["me"] * 4, ["A", "B", "C", "D"], holder="x")
        secrets = [str(player) * 43 for player in range(4)]
        for i, secret in enumerate(secrets):
            table.players[i] = replace(table.players[i], holder=hashlib.sha256(secret.encode()).hexdigest())
        await tables.run(table.id, allow_frames, table.host or table.players[0].holder or "", True)

        async def look(secret: str) -> list[bytes]:
            parts = [""] if secret else ["", "/embed"]
            if not secret and turn % (count(3, 1) * each) == 0:
                parts.append("/preview.png")  # to draw it takes longer than all pages
            answers = [await client.get(f"/t/{table.id}{part}") for part in parts]
            assert {answer.status_code for answer in answers} == {200}
            return [answer.content for answer in answers]

        for turn in itertools.count():
            if table.game.over:
                break
            for i, secret in enumerate([*secrets, ""] if turn % each == 0 else []):
                client.cookies.clear()
                client.cookies.update({"paddock_browser": secret} if secret else {})
                real = (table.game, table.pending)
                told = await look(secret)
                table.game, table.pending = twin(table, 1 << i if secret else 0, choose)
                add_caches(app.state)
                differed += table.game.position != real[0].position
                again = await look(secret)
                table.game, table.pending = real
                add_caches(app.state)
                assert told == again, (i, table.decision)
                compared += 1
            seat = choose.choice(table.awaited_seats())
            move = str(choose.choice(list(table.game.legal(seat))))
            await tables.submit(table.id, table.players[seat].holder, seat, move, table.decision, f"k{turn}")
    assert compared > 40
    assert differed > compared // 2


def twin(table: Table, eyes: int, choose: random.Random) -> tuple[Game, dict[int, int]]:
    """Return a table that looks the same to ``eyes``, with all that they cannot know drawn again."""
    game, rules = table.game.fork(), table.title.rules
    rules.hide(game._state, game.setup, eyes)
    source = Seeded(choose.randrange(1 << 60))
    rules.redeal(game._state, game.setup, eyes, source.rng, [0] * (rules.ACTIONS + 1))
    pending = {
        seat: move if eyes >> seat & 1 else choose.choice(game.legal(seat).ids)
        for seat, move in table.pending.items()
    }
    return game, pending


async def test_twin_deals_give_the_same_bytes(tmp_path: Path) -> None:
    one = await everything(HANDS, OTHERS, tmp_path / "one.sqlite3")
    two = await everything(TWIN, ("2", "1", "3+R"), tmp_path / "two.sqlite3")
    assert one.keys() == two.keys()
    for what in one:
        assert (one[what] == two[what]) == (what != "revealed"), what
    assert "You are the last to choose: this reveals every choice." in one["after 3 car 1 /t/thesametable"]
