"""What a parting cost: the page of a deal says what stored analyses say, and makes none."""

from __future__ import annotations

import html
import re

import httpx
import pytest

from features.clubs.test_pages import PRESS, app, begun, clock, dealt, people, play, settled
from paddock.bots.analysis import Analysis, Judgement
from paddock.features.analyses.service import Analyses
from paddock.features.analyses.store import AnalysisStore
from paddock.features.clubs import rules
from paddock.features.clubs.service import Clubs
from paddock.tables import Table
from web.helpers import tables_of
from web.test_home import Clock

__all__ = ["app", "clock", "people"]  # fixtures
pytestmark = pytest.mark.anyio


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


async def test_a_parting_costs_what_the_analyses_of_both_games_say(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    path = await begun(people, deals="1")
    ana = people[0]
    tables = await dealt(ana, path, 1)
    for pick, table in enumerate(tables):
        await play(ana, table, pick)
    await settled(ana, path, 1)
    seats = await tables_of(ana).service(Clubs).evening(path[9:], None)
    mine = next(seat for seat in seats.seats if seat.entrant == 1)
    own = next(t for t in tables if t.id == seats.at(1)[mine.table].table_id)
    other = next(t for t in tables if t is not own)
    where = rules.parting(own.game, other.game, mine.seat)
    assert where

    async def analysed(table: Table, entry: int, cost: float) -> None:
        move = str(table.title.text.move(table.game.setup, table.game.log[entry].what))
        judged = Judgement(entry, 0, table.game.log[entry].by, move, move, cost, 0.25, 64)
        analysis = Analysis(table.title.name, len(table.game.log), 64, "0", (judged,))
        store = tables_of(ana).store.part(AnalysisStore)
        await store.keep(table.id, clock.time, analysis.dump())

    page = (await ana.get(f"{path}/deal/1")).text
    assert "What it cost" not in page and f'action="/t/{own.id}/analyse"' in page
    assert f"/t/{own.id}/analyse" not in (await people[5].get(f"{path}/deal/1")).text, "a guest has no game"
    await analysed(other, where.there, 0.5)
    assert "they 0.5 ± 0.2" in text_of((await ana.get(f"{path}/deal/1")).text)
    await analysed(own, where.entry, 1.5)
    page = (await ana.get(f"{path}/deal/1")).text
    assert "you 1.5 ± 0.2, they 0.5 ± 0.2" in text_of(page) and "/analyse" not in page
    assert not any(tables_of(ana).service(Analyses).run(table.id) for table in tables), "a look makes none"
    assert where.entry != where.there or own.game.log[where.entry].what != other.game.log[where.there].what


async def test_the_button_starts_the_analysis_of_the_own_game(people: list[httpx.AsyncClient]) -> None:
    path = await begun(people, deals="1")
    ana = people[0]
    for table in await dealt(ana, path, 1):
        await play(ana, table)
    await settled(ana, path, 1)
    page = (await ana.get(f"{path}/deal/1")).text
    form = re.search(r'action="(/t/([^"/]+)/analyse)"', page)
    assert form
    sent = await ana.post(form[1], data=PRESS | {"step": "0"})
    assert sent.status_code == 303 and sent.headers["location"].endswith("#analysis")
    assert tables_of(ana).service(Analyses).run(form[2])
