"""The home of a club: its pennant, and the races of the day of those who show theirs."""

from __future__ import annotations

import html
import re

import httpx
import pytest

from features.clubs.test_pages import PRESS, app, clock, holder_of, join, made, people
from features.daily.test_pages import begin
from features.daily.test_pages import finish as race
from paddock.core.i18n import _
from paddock.features.clubs.pennant import COLOURS, INK, PAPER, colours_of, letters_of, pennant
from paddock.features.daily.service import Daily
from web.helpers import tables_of
from web.test_home import Clock

__all__ = ["app", "clock", "people"]  # fixtures
pytestmark = pytest.mark.anyio
pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("name", "letters"),
    [("The Oaks", "TO"), ("Ärger", "Ä"), ("a b c d", "ABC"), ("«1960»  club", "1C"), ("!", "★")],
)
def test_a_pennant_has_the_first_letters_of_a_name(name: str, letters: str) -> None:
    assert letters_of(name) == letters and f">{letters}</text>" in pennant(name, "")


def test_a_pennant_is_the_same_for_a_name_and_has_the_colours_that_were_chosen() -> None:
    assert pennant("The Oaks", "") == pennant(" the  oaks", "").replace(">TO<", ">TO<")
    assert len({pennant(f"Club {n}", "") for n in range(40)}) > 20, "clubs look different"
    for value, colours in COLOURS.items():
        assert colours_of("The Oaks", value) is colours and colours.ground in pennant("The Oaks", value)
        assert _(colours.label)
    assert PAPER in pennant("<b>", "red") and INK in pennant("<b>", "red") and "<b>" not in pennant("<b>", "")


async def test_organisers_choose_the_colours(people: list[httpx.AsyncClient]) -> None:
    ana, ben = people[:2]
    club = str((await ana.post("/clubs", data={"club_name": "The Oaks"})).headers["location"])
    assert (await ben.post(f"{club}/colours", data={"colours": "green"})).status_code == 403
    assert (await ana.post(f"{club}/colours", data={"colours": "pink"})).status_code == 422
    assert (await ana.post(f"{club}/colours", data={"colours": "green"})).status_code == 303
    page = (await ben.get(club)).text
    assert COLOURS["green"].ground in page and "Choose these colours" not in page
    assert '<option value="green" selected>' in (await ana.get(club)).text


async def test_a_club_sees_the_races_of_those_who_show_them_and_only_who_has_raced_sees_results(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    ana, ben, cai = people[:3]
    club = str((await ana.post("/clubs", data={"club_name": "The Oaks"})).headers["location"])
    path = await made(ana, club=club[6:])
    await join(ana, path, "Ana")
    await join(ben, path, "Ben")
    daily, points = tables_of(ana).service(Daily), dict[httpx.AsyncClient, int]()
    for client, name in ((ana, "Zorro"), (ben, "Zora")):
        await race(client, await begin(client, "lacorsa", name, daily.today))
        day = await daily.day(daily.today, holder_of(client))
        (mine,) = [one.my_result for one in day.races if one.mine]
        assert mine
        points[client] = mine.points

    async def races(client: httpx.AsyncClient) -> str:
        page = (await client.get(club)).text
        found = re.search(r'aria-labelledby="races-h">.*?</section>', page, re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[0])).split()) if found else ""

    assert await races(cai) == "" and "Nobody here has raced today." in await races(ana)
    assert (await cai.post(f"{club}/races", data={"shows": "yes"})).status_code == 403, "not of this club"
    assert (await ana.post(f"{club}/races", data={"shows": "yes"})).status_code == 303
    shown = await races(ben)
    assert f"Ana LACORSA {points[ana]} point" in shown and "Zorro" not in shown and "Ben" not in shown
    assert "1 shows theirs here: you see it when you have raced today." in await races(cai)
    assert "LACORSA" not in await races(cai)
    assert (await ana.post(f"{club}/races", data={"shows": "no"})).status_code == 303
    assert "Ana" not in await races(ben)
    assert (await ana.post(f"{club}/races", data={"shows": "yes"})).status_code == 303
    assert await tables_of(ana).forget(holder_of(ana) or "")
    assert "Ana" not in await races(ben) and "LACORSA" not in await races(ben)
    assert (await ben.post(f"{club}/races", data=PRESS)).status_code == 303
