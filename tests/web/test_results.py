"""Players without a place win nothing, on pages and in the API."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.kernel.source import Seeded
from paddock.tables import Tables
from paddock.web.preview import _picture
from web.api_helpers import fine, program

pytestmark = pytest.mark.anyio
KEPT = Path(__file__).parent.parent / "kept" / "records" / "complete-nobody-finishes.txt"


async def test_if_nobody_finishes_nobody_wins(client: httpx.AsyncClient, app: FastAPI) -> None:
    anna = await program(app)
    table = fine(await anna.post("/records", json={"text": KEPT.read_text("utf-8")}), 201)
    assert table["winners"] == []
    assert {line["rank"] for line in table["standings"]["players"]} == {0}
    page = (await client.get(f"/t/{table['id']}")).text
    assert "<h1>Nobody finishes the race</h1>" in page
    assert "wins" not in page.replace("wins the draw for place", "")  # the draw for the grid
    for address in ("podium.svg", "replay?entry=99999"):
        assert "Nobody finishes the race" in (await client.get(f"/t/{table['id']}/{address}")).text
    assert (await client.get("/")).status_code == 200
    tables: Tables = app.state.tables
    over = await tables.table(table["id"])
    seen = app.state.outside.of(over, None)
    for entry, won in (("99999", True), ("3", False)):  # of the pictures of links
        assert ("Nobody finishes the race" in _picture(over, seen, {"entry": entry}).heading) is won


async def test_players_who_do_not_finish_have_no_rank(client: httpx.AsyncClient, app: FastAPI) -> None:
    """Only players who finish have ranks, are on the podium, and win."""
    title = paddock.title("lacorsa")
    options = title.options.read({"drivers": 4, "races": 1, "large_grid": True})
    for seed in range(200):
        game = Game(title, options, Seeded(seed))
        while not game.over:
            game.play(game.deciders[0], game.legal(game.deciders[0]).ids[-1])
        if 0 < game.rounds[0].places.count(0) < 4:
            break
    players = [(name, None) for name in game.names]
    anna = await program(app)
    text = records.write(game, date="2026-03-01", players=players)
    table = fine(await anna.post("/records", json={"text": text}), 201)
    out = [seat for seat, place in enumerate(game.rounds[0].places) if not place]
    lines = table["standings"]["players"]
    assert (
        [line["who"] for line in lines if line["rank"] == 0]
        == out
        == [line["who"] for line in lines[-len(out) :]]
    )
    assert len(table["winners"]) == 1 and not set(table["winners"]) & set(out)
    picture = (await client.get(f"/t/{table['id']}/podium.svg")).text
    for seat, name in enumerate(game.names):
        assert (name in picture) == (0 < game.rounds[0].places[seat] <= 3)
