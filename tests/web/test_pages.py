"""The pages before and around a game, for browsers with and without scripts."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable
from urllib.parse import urljoin

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.lesson import script
from paddock.core.title import title as find_title
from sampling import count
from tables.harness import decide
from web.helpers import HUMANS, RASANT, forms, page, play_out, table, tables_of, turn

pytestmark = pytest.mark.anyio


STILL = r'data-still="(\w+)"'
titles = pytest.mark.parametrize("title", ["lacorsa", "rasant"])


@titles
async def test_home_leads_to_a_first_legal_move_in_two_clicks(client: httpx.AsyncClient, title: str) -> None:
    home = (await client.get(f"/?title={title}")).text
    door = re.search(r'<form method="post" action="/tables">(.*?)</form>', home, re.DOTALL)
    assert door
    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', door[1]))
    assert fields["title"] == title
    for address in (f"/new/{title}?others=open", f"/learn/{title}", f"/rules/{title}"):
        assert f'href="{address}' in home
    answer = await client.post("/tables", data=fields | {"pace": "instant"})
    text = (await client.get(answer.headers["location"])).text
    while not forms(text):
        await asyncio.sleep(0.02)  # a bot moves first
        text = (await client.get(answer.headers["location"])).text
    move = await client.post(answer.headers["location"] + "/move", data=forms(text)[0].data())
    assert move.status_code == 303
    assert answer.headers["location"] in (await client.get("/")).text


async def test_nobody_reads_of_a_last_turn_before_the_first(client: httpx.AsyncClient) -> None:
    """Two players on one device: until each has moved, the news are what happened so far."""
    path = await table(client, title="great_race", players="2", **{"who-1": "me", "who-2": "me"})
    moved: set[str] = set()
    headings: list[tuple[bool, str]] = []
    while len(moved) < 2 or not headings[-1][0]:
        text = await page(client, path)
        form = forms(text)[0]
        if found := re.search(r'id="since"[^>]*><summary>([^<]*) <', text):
            headings.append((form.seat in moved, found[1]))
        moved.add(form.seat)
        assert (await client.post(f"{path}/move", data=form.data())).status_code == 303
    assert set(headings) == {(False, "What happened so far"), (True, "Since your last turn")}


async def test_the_address_carries_the_setup(client: httpx.AsyncClient) -> None:
    answer = await client.get("/new?title=lacorsa&drivers=5&pairs=yes&who-2=rookie&name-1=Ana")
    assert answer.headers["location"].startswith("/new/lacorsa?")
    text = (await client.get(answer.headers["location"])).text
    assert re.search(r'name="drivers" value="5" checked', text)
    assert 'value="Ana"' in text
    assert re.search(r'name="who-2".*?value="rookie" selected', text, re.DOTALL)


async def test_wrong_options_come_back_as_sentences_with_what_was_typed(client: httpx.AsyncClient) -> None:
    answer = await client.post("/tables", data=HUMANS | {"races": "0", "name-1": "Ana", "points": "1,9"})
    assert answer.status_code == 422
    assert "<b>Races:</b> Write a whole number from 1 to 99." in answer.text
    assert "#LC-7.2" in answer.text
    assert 'value="Ana"' in answer.text
    assert (await client.get("/")).text.count("/t/") == 0


async def test_names_are_kept_apart_and_clean(client: httpx.AsyncClient) -> None:
    path = await table(client, **{"name-1": "Ana\n<b>", "name-2": "Ana <b>"})
    text = await page(client, path)
    assert "Ana &lt;b&gt;" in text
    assert "Ana &lt;b&gt; 2" in text
    assert "<b>Ana" not in text


async def test_a_person_without_a_name_is_called_by_its_seat(client: httpx.AsyncClient) -> None:
    """The default name has the number of the seat."""
    path = await table(client, **{"who-1": "rookie", "who-4": "rookie"})
    text = await page(client, path)
    assert "Driver 2" in text and "Driver 3" in text
    assert "Driver 1" not in text and "Driver 4" not in text


async def test_rules_have_an_anchor_for_every_clause(client: httpx.AsyncClient) -> None:
    text = (await client.get("/rules/lacorsa")).text
    for clause in ("LC-1.1", "LC-6.2", "LC-7.5"):
        assert f'id="{clause}"' in text


async def test_settings_are_stored_in_cookies_and_redirect_back(client: httpx.AsyncClient) -> None:
    answer = await client.post("/settings", data={"theme": "dark", "motion": "off", "back": "/rules/lacorsa"})
    assert answer.headers["location"] == "/rules/lacorsa"
    text = (await client.get("/")).text
    assert 'data-theme="dark"' in text
    assert 'data-motion="off"' in text
    for back in ("//evil.example", "https://evil.example", "/\\evil.example"):
        answer = await client.post("/settings", data={"theme": "dark", "back": back})
        assert answer.headers["location"] == "/"


async def test_home_shows_any_title_and_refuses_unknown_ones(client: httpx.AsyncClient) -> None:
    assert (await client.get("/?title=monopoly")).status_code == 404
    home = (await client.get("/?title=rasant")).text
    assert home.count("Race now") == 1
    assert all(f"/?title={other}" in home for other in ("lacorsa", "great_race"))
    ids = re.findall(r'<symbol id="([^"]+)"', home)
    assert len(ids) == len(set(ids))  # the posters share no ids of SVG elements


async def test_a_deck_can_have_several_lines(client: httpx.AsyncClient) -> None:
    text = (await client.get("/new/rasant?deck=r10-130%0Ab10-130")).text
    assert 'name="deck" value="r10-130+b10-130" checked' in text  # as one of the pictures
    path = await table(client, title="rasant")
    assert "r10-130+g10-130+k30+k90" in (await client.get(f"{path}/record")).text
    answer = await client.post("/tables", data=RASANT | {"deck": "r10 x70"})
    assert answer.status_code == 422
    assert "“x70” is no card" in answer.text
    assert ">r10 x70</textarea>" in answer.text


@titles
async def test_pages_use_the_words_of_their_title(client: httpx.AsyncClient, title: str) -> None:
    mine, other = [("driver", "race", "car"), ("player", "game", "player")][
        :: 1 if title == "lacorsa" else -1
    ]
    text = (await client.get(f"/new/{title}")).text
    assert f"Number of {mine[0]}s" in text
    assert not re.search(rf"\b{other[0]}s?\b", text, re.I)
    over = await table(client, title=title)
    await play_out(client, over)
    text = (await client.get(over)).text
    assert f"Step through the {mine[1]}" in text
    assert f"one {mine[1]}" in text
    assert ("add or remove a Redline" in text) == (title == "lacorsa")


@titles
async def test_a_finished_game_has_a_podium_a_replay_a_record_and_explore(
    client: httpx.AsyncClient, title: str
) -> None:
    path = await table(client, title=title)
    assert (await client.get(f"{path}/replay")).status_code == 409
    await play_out(client, path)
    over = (await client.get(path)).text
    assert re.search("wins the (race|game)|share the", over)
    assert (await client.get(f"{path}/podium.svg")).headers["content-type"].startswith("image/svg+xml")

    replay = (await client.get(f"{path}/replay?step=0&eyes=2")).text
    assert replay.count("The hand of") == 1
    assert (await client.get(f"{path}/replay?step=0&eyes=none")).text.count("The hand of") == 0
    assert (await client.get(f"{path}/replay?step=0&eyes=all")).text.count("The hand of") == 4
    last = int(re.findall(r'max="(\d+)"', replay)[0])
    for step in range(last + 1):
        assert (await client.get(f"{path}/replay?step={step}")).status_code == 200

    record = await client.get(f"{path}/record")
    assert "attachment" in record.headers["content-disposition"]
    again = await client.post("/records", files={"record": ("race.txt", record.text)})
    assert again.status_code == 303
    assert (await client.get(again.headers["location"])).status_code == 200

    entry = re.findall(r'name="entry" value="(\d+)"', replay)[0]
    explored = await client.post(f"{path}/explore", data={"entry": entry, "player": "1"})
    assert "Exploring" in (await client.get(explored.headers["location"])).text
    assert (await client.post(f"{path}/again")).status_code == 303


async def test_a_record_with_a_fault_names_its_line(client: httpx.AsyncClient) -> None:
    path = await table(client)
    await play_out(client, path)
    text = (await client.get(f"{path}/record")).text
    broken = text.replace("deal 1: ", "deal 1: 77 ")
    answer = await client.post("/records", files={"record": ("race.txt", broken)})
    assert answer.status_code == 422
    assert re.search(r"[Ll]ine \d+", answer.text)
    for nonsense in (b"", b"\xff\xfe", b"nonsense\n", b"\0" * 1000):
        assert 400 <= (await client.post("/records", files={"record": ("x.txt", nonsense)})).status_code < 500


@titles
async def test_the_record_of_a_running_game_shows_one_hand_only(
    client: httpx.AsyncClient, title: str
) -> None:
    path = await table(client, title=title)
    await page(client, path)
    deals = re.findall(r"deal \d: (.*)", (await client.get(f"{path}/record")).text)
    assert sum("?" not in deal for deal in deals) == 1


@pytest.mark.parametrize(
    ("title", "last"), [("lacorsa", "9, 6, 4, 3, 2, 1 points"), ("rasant", "nobody holds a coloured card")]
)
async def test_the_lesson_explains_every_decision_to_the_end(
    app: FastAPI, client: httpx.AsyncClient, title: str, last: str
) -> None:
    assert "Start the lesson" in (await client.get(f"/learn/{title}")).text
    path = (await client.post(f"/learn/{title}")).headers["location"]
    course, known = find_title(title).room("learn"), script(find_title(title))
    assert known is not None
    for step in range(1, len(course.IDEAS) + 1):
        text = await settled(client, path, forms)
        game = (await app.state.tables.table(path.rpartition("/")[2])).game
        at = known.trace(game.log)
        assert at is not None
        asked = at.text if isinstance(at.text, str) else str(at.text)
        assert f"Learn: {step} of {len(course.IDEAS)}" in text and html.escape(asked, False) in text
        idea = course.IDEAS[at.idea]
        assert ("suggested</span>" in text) == (idea.judge is None)  # from then on, the learner decides
        assert ('value="back"' in text) == (step > 1)
        move = str(game.title.text.move(game.setup, at.best[0].what))
        await client.post(f"{path}/move", data=forms(text)[0].data(move))
    text = await settled(client, path, lambda text: "/replay" in text)
    assert f"Learn: {len(course.IDEAS)} of {len(course.IDEAS)}" in text and last in text


async def settled(client: httpx.AsyncClient, path: str, done: Callable[[str], object]) -> str:
    """Return the page when ``done`` finds something in it, and nobody has committed a move."""
    while True:
        text = (await client.get(path)).text
        if done(text) and "Committed" not in text:
            return text
        await asyncio.sleep(0.02)  # bots play


@titles
async def test_the_lesson_says_what_another_move_did_and_goes_on_or_back(
    client: httpx.AsyncClient, title: str
) -> None:
    path = (await client.post(f"/learn/{title}")).headers["location"]
    other, told = {"lacorsa": ("3", "reveals 3"), "rasant": ("r120", "leads red 120")}[title]
    form = forms(await settled(client, path, forms))[0]
    await client.post(f"{path}/move", data=form.data(other))
    text = await settled(client, path, lambda text: 'value="again"' in text)
    assert (
        "Take your move back, or play the suggestion." in text
        and told in text
        and "Learn: 1 of" in text
        and not forms(text)
    )
    assert (await client.post(f"{path}/lesson", data={"do": "again"})).status_code == 303
    again = await settled(client, path, forms)
    assert "Learn: 1 of" in again and "is-suggested" in again
    await client.post(f"{path}/move", data=forms(again)[0].data(other))
    await settled(client, path, lambda text: 'value="on"' in text)
    await client.post(f"{path}/lesson", data={"do": "on"})
    on = await settled(client, path, forms)
    assert "Learn: 2 of" in on
    await client.post(f"{path}/lesson", data={"do": "back"})
    assert "Learn: 1 of" in await settled(client, path, lambda text: "Learn: 1 of" in text)
    refused = await client.post(f"{path}/lesson", data={"do": "on"})
    assert refused.status_code == 422 and "out of date" in refused.text


BYTES: dict[str, tuple[dict[str, str], int, int, int]] = {  # options, bars: an update, their average, all
    "lacorsa": ({"drivers": "6", "races": "7"}, 8_500, 8_000, 60_000),
    "rasant": ({"players": "5", "deck": "standard"}, 8_500, 8_000, 60_000),
    "great_race": ({"players": "5", "map": "asia", "leaders": "yes"}, 20_000, 20_000, 60_000),
}


ALL = "gzip, deflate, br, zstd"


@pytest.mark.parametrize("title", BYTES)
async def test_bytes(client: httpx.AsyncClient, title: str) -> None:
    """The first load of a table and its updates are small, as a browser gets them that takes all codings."""
    most, largest, average, first = BYTES[title]
    client.headers["accept-encoding"] = ALL
    path = await table(client, title=title, **most)
    tables = tables_of(client)
    there = await tables.table(path.rpartition("/")[2])
    sizes, has = [], set[str]()
    for n in range(54):
        await turn(tables, there)
        if there.game.over:
            break
        look = n % count(6, 1)  # 0: look at the update after the move before; -1: at the page before that
        if look == 0:
            await page(client, path)
            update = await client.get(path, headers={"paddock-part": "main", "paddock-still": " ".join(has)})
            has |= set(re.findall(STILL, update.text))
            sizes.append(update.num_bytes_downloaded)
        elif look == count(6, 1) - 1:
            has |= set(re.findall(STILL, await page(client, path)))
        seat = there.awaited_seats()[0]
        moves = dict(there.moves(there.options.owners[seat]))[seat]
        await decide(tables, there, seat, moves[0][1])
    await page(client, path)
    assert max(sizes) < largest and sum(sizes) / len(sizes) < average
    size = await first_load(client, path)
    assert 30_000 < size < first, size


async def test_bytes_of_home(client: httpx.AsyncClient) -> None:
    assert await first_load(client, "/") < 30_000


async def first_load(client: httpx.AsyncClient, path: str) -> int:
    """The bytes that are sent for a page and for all files that it loads."""
    client.headers["accept-encoding"] = ALL
    page = await client.get(path)
    whole, left, read = (
        page.num_bytes_downloaded,
        set(re.findall(r'"(/static/[^"]+)"', page.text)),
        set[str](),
    )
    while left:
        file = left.pop()
        read.add(file)
        answer = await client.get(file)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        whole += answer.num_bytes_downloaded
        if file.endswith(".js"):
            modules = re.findall(r'from\s*"(\.[^"]+)"', answer.text)
            left |= {urljoin(file, module) for module in modules} - read
    return whole


async def test_an_update_leaves_out_the_parts_that_the_page_has(client: httpx.AsyncClient) -> None:
    """The page sends their digests. Others are sent, and all of them without such a list."""
    path = await table(client, title="great_race", players="3")
    await page(client, path)

    async def sent(has: list[str]) -> str:
        headers = {"paddock-part": "main", "paddock-still": " ".join(has)}
        return re.sub(r'name="key" value="[^"]*"', "", (await client.get(path, headers=headers)).text)

    whole = await sent([])
    digests = re.findall(STILL, whole)
    parts = dict(re.findall(f"(?s){STILL}>(.*?<!--/still-->)", whole))
    assert len(set(digests)) == len(digests) > 2
    for has in ([], digests[:1], digests):
        update = await sent([*has, "0" * 12])
        assert re.findall(STILL, update) == digests
        assert re.findall(STILL + "></g>", update) == has
        assert re.sub(f"({STILL}>)</g>", lambda part: f"{part[1]}{parts[part[2]]}</g>", update) == whole
