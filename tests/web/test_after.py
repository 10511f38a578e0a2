"""After a game: the podium tells how it went, and the replay has an address for every moment."""

from __future__ import annotations

import html
import re

import httpx
import pytest
from fastapi import FastAPI

from paddock.core import i18n, wording
from paddock.tables import Tables
from tables.clockwork import quiet
from tables.harness import BEN, give_seats
from web.helpers import finish, forms, page, table

pytestmark = pytest.mark.anyio
titles = pytest.mark.parametrize("title", ["lacorsa", "rasant"])
ALONE = {"who-1": "me", "name-1": "Ana"} | {f"who-{i}": "rookie" for i in range(2, 7)}


async def finished(client: httpx.AsyncClient, title: str) -> str:
    """Play a game of two people at this device; return its path."""
    people = {"who-1": "me", "who-2": "me", "name-1": "Ana", "name-2": "Ben"}
    path = await table(client, title=title, **people)
    await finish(client, path)
    return path


@titles
async def test_the_podium_has_a_line_for_everybody_and_the_moments(
    client: httpx.AsyncClient, title: str
) -> None:
    path = await finished(client, title)
    page = (await client.get(path)).text
    lines = re.search(r'<ol class="feats">(.*?)</ol>', page, re.DOTALL)
    assert lines and lines[1].count("<li") >= 4 and "<b>Ana</b>" in lines[1]
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="chart"') == 1
    moments = re.findall(r'href="(/t/[^"]+/replay\?entry=\d+)">([^<]+)', page)
    assert moments
    for address, text in moments:
        shown = (await client.get(address)).text
        assert 'data-step="back"' in shown  # never the first step: something has happened
        names = [name for name in ("Ana", "Ben") if name in text]
        assert all(name in shown for name in names)


async def test_only_players_have_a_line_of_their_own(client: httpx.AsyncClient) -> None:
    path = await finished(client, "lacorsa")  # all four are people at this device
    text = (await client.get(path)).text
    assert text.count('<p class="note yours">') == 4
    assert re.search(r'<p class="note yours"><b>Ana:</b> .* Best moment: <a href="[^"]+entry=', text)
    client.cookies.clear()
    assert "yours" not in (await client.get(path)).text


def test_where_a_player_finished_is_a_sentence() -> None:
    assert wording.finished(4) == "You finished fourth."
    assert wording.finished(9) == "You finished in place 9."
    assert wording.finished(1, shared=True) == "You finished first, level with others."
    assert wording.finished(0) == "You did not finish."
    token = i18n.language.set("de")
    assert wording.finished(4) == "Du landest auf Platz 4."
    i18n.language.reset(token)


async def test_a_single_player_is_addressed_as_you(app: FastAPI, client: httpx.AsyncClient) -> None:
    path = await table(client, **ALONE)
    while "/replay" not in (text := (await client.get(path)).text):
        await quiet(app.state.tables)
        for form in forms(text):
            await client.post(f"{path}/move", data=form.data())
    assert "<b>You:</b>" in text
    assert re.search(r'<p class="place">You finished (first|second|third|fourth|fifth|sixth)', text)
    assert '<li class="is-you"><b>Ana</b> <span class="badge">you</span>' in text


async def test_a_replay_begins_at_its_first_step(client: httpx.AsyncClient) -> None:
    path = await finished(client, "lacorsa")
    page = (await client.get(f"{path}/replay")).text
    assert 'name="step" type="number" inputmode="numeric" min="0"' in page
    assert re.search(r'id="at"[^>]*value="0"', page)
    assert 'data-step="first"' not in page and 'data-step="forward"' in page


async def test_a_moment_has_an_address(client: httpx.AsyncClient) -> None:
    path = await finished(client, "lacorsa")
    page = (await client.get(f"{path}/replay?step=3&eyes=2")).text
    link = re.search(r'id="moment"[^>]*value="([^"]*)"', page)
    assert link and html.unescape(link[1]) == f"http://paddock.test{path}/replay?step=3&eyes=2"
    assert (await client.get(html.unescape(link[1]))).text == page


async def test_the_script_gets_only_the_changing_part(client: httpx.AsyncClient) -> None:
    path = await finished(client, "rasant")
    part = (await client.get(f"{path}/replay?step=2", headers={"paddock-part": "main"})).text
    whole = (await client.get(f"{path}/replay?step=2")).text
    assert "<html" not in part and 'id="state"' in part and part.strip() in whole


async def test_the_weakest_bots_play_another_game_where_other_people_sat(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    """Whoever sat nowhere gets the first seat."""
    path = await table(client, title="lacorsa", **{"who-3": "club"})
    tables: Tables = app.state.tables
    old = await tables.table(path.removeprefix("/t/"))
    await give_seats(tables, old, {1: BEN})
    for last in (None, "rookie"):
        again = await client.post(f"{path}/again")
        new = await tables.table(again.headers["location"].removeprefix("/t/"))
        assert [p.bot for p in new.players] == [None, "rookie", "club", last]
        assert (new.players[0].holder == old.players[0].holder) == (last is None)
        client.cookies.clear()


@pytest.mark.parametrize("query", ["entry=x", "step=-1", "eyes=99", "step=100000"])
async def test_strange_addresses_are_refused(client: httpx.AsyncClient, query: str) -> None:
    path = await finished(client, "lacorsa")
    assert (await client.get(f"{path}/replay?{query}")).status_code == 400
    assert (await client.get(f"{path}/preview.png?{query}")).status_code == 400


# Link previews

META = re.compile(r'<meta (?:property|name)="(?:description|og:|twitter:)[^>]*>')


async def metas(client: httpx.AsyncClient, path: str) -> list[str]:
    return META.findall((await client.get(path)).text)


@titles
async def test_every_page_of_a_table_has_a_preview(client: httpx.AsyncClient, title: str) -> None:
    lobby = await table(client, title=title, **{"who-2": "open"})
    running_one = await table(client, title=title)
    over = await finished(client, title)
    for path in (lobby, running_one, over, f"{over}/replay?step=2&eyes=1"):
        found = dict(
            re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', (await client.get(path)).text)
        )
        assert found["og:title"] and found["og:description"] == found["description"]
        assert html.unescape(found["og:url"]) == f"http://paddock.test{path}"
        picture = await client.get(html.unescape(found["og:image"]))
        assert picture.headers["content-type"] == "image/png"
        assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "Accept-Language, Cookie" in picture.headers["vary"]  # a cache keeps each language apart
        assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
        size = [int.from_bytes(picture.content[at : at + 4], "big") for at in (16, 20)]
        assert size == [1200, 630] == [int(found[f"og:image:{side}"]) for side in ("width", "height")]
        assert len(picture.content) < 200_000


async def test_a_preview_tells_a_player_what_it_tells_a_spectator(client: httpx.AsyncClient) -> None:
    """Neither hands nor commitments change anything in it, whoever asks."""
    path = await table(client)  # without bots, which would move between two requests
    for _ in range(3):
        text = await page(client, path)
        mine, picture = META.findall(text), (await client.get(f"{path}/preview.png")).content
        cookies, client.cookies = client.cookies, httpx.Cookies()
        assert mine == await metas(client, path)
        assert picture == (await client.get(f"{path}/preview.png")).content
        client.cookies = cookies
        await client.post(f"{path}/move", data=forms(text)[0].data())


async def test_a_hidden_commitment_does_not_change_a_preview(client: httpx.AsyncClient) -> None:
    """Two cars of one device commit in qualifying: which card the first one commits shows nowhere."""
    previews = []
    for choice in (0, -1):
        path = await table(client, **{"who-1": "me", "who-2": "me"})
        form = forms(await page(client, path))[0]
        await client.post(f"{path}/move", data=form.data(form.moves[choice]))
        found = [line.replace(path, "") for line in await metas(client, path)]
        previews.append((found, (await client.get(f"{path}/preview.png")).content))
    assert previews[0] == previews[1]


async def test_a_moment_of_a_running_game_has_no_picture_of_its_own(client: httpx.AsyncClient) -> None:
    path = await table(client)
    now = (await client.get(f"{path}/preview.png")).content
    assert (await client.get(f"{path}/preview.png?step=0&eyes=all")).content == now
