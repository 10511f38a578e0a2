"""Translations: the language of a request, and pages in a pseudo-language (see strange.py)."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock import title as find_title
from paddock import titles
from paddock.features.reach.ways import WAYS
from paddock.games.great_race.words import names as words
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables import Table, Tables, lessons
from paddock.web.language import asked, known
from sampling import count
from store.databases import prepared
from tables.harness import decide
from way import playable
from web.conftest import running
from web.helpers import forms, page, table, turn
from web.strange import LANGUAGE, Left, english, plain, write_catalogue
from web.test_friends import asked as awaited
from web.test_friends import browsers, dealt, do, lobby
from web.test_usual_page import without_pages

pytestmark = pytest.mark.anyio


@pytest.fixture
def app(tmp_path: Path, locale: Path) -> FastAPI:
    """An application that has the pseudo-language."""
    return create_app(f"sqlite:///{tmp_path / 'p.sqlite3'}", chance=Seeded(7), pace="instant", locale=locale)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that asks for the pseudo-language."""
    async with running(app) as client:
        client.headers["accept-language"] = f"{LANGUAGE}, en;q=0.5"
        yield client


@asynccontextmanager
async def strangers(app: FastAPI, n: int) -> AsyncIterator[list[httpx.AsyncClient]]:
    """This many browsers that ask for it."""
    async with browsers(app, n) as people:
        for one in people:
            one.headers["accept-language"] = LANGUAGE
        yield people


def test_which_language_a_header_asks_for() -> None:
    there = ("en", "de", "pt_BR")
    assert asked("de-AT, en;q=0.9", there) == "de"
    assert asked("fr, en;q=0.3, de;q=0.7", there) == "de"
    assert asked("en, de", there) == "en"
    assert asked("de;q=0, fr", there) == asked("", there) == asked("; ;q", there) == "en"
    assert known("pt-br", there) == "pt_BR"
    assert known("pt", there) is known("../de", there) is None


async def test_an_address_chooses_the_language_and_a_cookie_keeps_it(client: httpx.AsyncClient) -> None:
    client.headers["accept-language"] = "en"
    assert '<html lang="en"' in (await client.get("/")).text
    assert f'<html lang="{LANGUAGE}"' in (await client.get(f"/?lang={LANGUAGE}")).text
    assert f'<html lang="{LANGUAGE}"' in (await client.get("/")).text
    assert '<html lang="en"' in (await client.get("/?lang=en")).text
    assert '<html lang="en"' in (await client.get("/?lang=xx")).text
    found = re.search(r'"(/static/[^"]+)"', (await client.get("/")).text)
    assert found
    answer = await client.get(f"{found[1]}?lang={LANGUAGE}")
    assert answer.status_code == 200 and "set-cookie" not in answer.headers, "caches keep it for others"


async def test_the_api_answers_in_the_language(client: httpx.AsyncClient) -> None:
    (lacorsa, *_others) = (await client.get("/api/v1/titles")).json()
    assert not re.search("[A-Za-z]{2,}", lacorsa["tagline"])
    refusal = (await client.get("/api/v1/tables/nothing")).json()["error"]
    assert not re.search("[A-Za-z]{2,}", refusal.replace("nothing", ""))


async def test_pages_before_a_game(client: httpx.AsyncClient) -> None:
    left = {}
    for path in ("/", "/nowhere", "/t/nothing"):
        left[path] = english((await client.get(path)).text)
    left["/reach"] = english((await client.get("/reach")).text, *(way.hint for way in WAYS.values()))
    for title in titles():
        for path in (f"/?title={title}", f"/new/{title}", f"/learn/{title}"):
            own = cities("usa-west") if path == "/new/great_race" else ()
            left[path] = english((await client.get(path)).text, find_title(title).label, *own)
    wrong = await client.post("/tables", data={"title": "rasant", "games": "0", "who-1": "me"})
    left["wrong set-up"] = english(wrong.text)
    lobby = await table(client, **{"who-2": "open", "name-1": "Ana", "title": "lacorsa"})
    left["lobby"] = english((await client.get(lobby)).text)
    assert {path: words for path, words in left.items() if words} == {}


async def test_my_games_and_those_who_wait(client: httpx.AsyncClient) -> None:
    left, labels = {}, [title.label for title in titles().values()]
    others = [{"name": "Ben", "bot": None, "place": 2}, {"name": "Cleo", "bot": "club", "place": 0}]
    game = {"game": "g", "title": "lacorsa", "ended": "2026-03-01T12:00:00Z", "place": 1, "points": 9}
    game |= {"others": others, "clock": True, "judged": 9, "cost": 1.0}
    file = json.dumps({"name": "Ana", "games": [game]})

    async def look(where: str, answer: httpx.Response) -> None:
        left[where] = english(answer.text, "Admin", *labels)

    await look("empty", await client.get("/me"))
    await look("pair", await client.get("/pair"))
    await look("a wrong name", await client.post("/me", data={"name": "Admin"}))
    await client.post("/me/file", files={"file": ("g.json", file.encode())})
    await look("results", await client.get("/me"))
    await look("device", await client.post("/me/device"))
    await client.post("/pair", data={"title": "lacorsa", "pace": "days", "name": "Ana"})
    await look("waiting", await client.get("/pair"))
    await look("home", await client.get("/"))
    await look("not sure", await client.post("/me/forget", data={"sure": ""}))
    await look("forgotten", await client.post("/me/forget", data={"sure": "yes"}))
    assert {where: words for where, words in left.items() if words} == {}


GAMES = {
    "lacorsa": {"races": "1", "drivers": "4", "large_grid": "yes"},
    "rasant": {"players": "4"},
    "great_race": {"players": "4", "leaders": "yes", "max_turns": "4"},
}


@pytest.mark.slow("every page of a whole game")
@pytest.mark.parametrize("title", GAMES)
async def test_pages_of_a_game(app: FastAPI, client: httpx.AsyncClient, title: str) -> None:
    """The page at every new question and every new kind of move, and else now and then: the story stays."""
    names = {f"name-{i}": name for i, name in enumerate(("Ana", "Ben", "Cai", "Dee"), 1)}
    path = await table(client, title=title, **names, **GAMES[title])
    own = cities("usa-west") if title == "great_race" else ()
    left: dict[str, None] = {}
    tables: Tables = app.state.tables
    there = await tables.table(path.rpartition("/")[2])
    known: set[str] = set()
    for step in itertools.count():
        await turn(tables, there)
        if there.game.over:
            break
        seat = there.awaited_seats()[0]
        moves = [move for _id, move, _label in dict(there.moves(there.options.owners[seat]))[seat]]
        asked = {re.sub(r"[\d.]+", "", move.partition(" ")[0]) for move in moves}
        asked.add(re.sub(r"\d+|Ana|Ben|Cai|Dee", "", there.title.text.status(there.seen(0))))
        if asked <= known and step % count(30, 1):
            await decide(tables, there, seat, moves[step % len(moves)])
            continue
        known |= asked
        text = (await client.get(path)).text
        left |= dict.fromkeys(english(text, *own))
        if 'class="curtain' in text:
            text = await page(client, path)
            left |= dict.fromkeys(english(text, *own))
        form = forms(text)[0]
        await client.post(f"{path}/move", data=form.data(form.moves[step % len(form.moves)]))
    assert len(known) > 4
    assert f"{path}/replay" in (await client.get(path)).text
    for address in (path, f"{path}/replay", f"{path}/replay?entry=60"):
        left |= dict.fromkeys(english((await client.get(address)).text, *own))
    assert list(left) == []


@pytest.mark.slow("a game of each title")
@pytest.mark.parametrize("name", GAMES)
async def test_two_parts_of_a_file_make_a_title_playable(name: str, tmp_path: Path) -> None:
    """Whoever translates them can play it without a word of English: the order of the file is right."""
    locale = write_catalogue(tmp_path / "locale", parts=playable(name))
    app = create_app(prepared(f"sqlite:///{tmp_path}/p.db"), chance=Seeded(7), pace="instant", locale=locale)
    left, own = Left(), (find_title(name).label, *(cities("usa-west") if name == "great_race" else ()))
    async with running(app) as client:
        client.headers["accept-language"] = LANGUAGE
        left.look("set-up", (await client.get(f"/new/{name}")).text, *own)
        path = await table(client, title=name, **{"who-2": "open", "name-1": "Ana"})
        left.look("lobby", (await client.get(path)).text, path, *own)
        names = {f"name-{i}": who for i, who in enumerate(("Ana", "Ben", "Cai", "Dee"), 1)}
        path = await table(client, title=name, **names, **GAMES[name])
        for step in range(40):
            text = left.look("table", await page(client, path), path, *own)
            if not (asked := forms(text)):
                break
            await client.post(f"{path}/move", data=asked[0].data(asked[0].moves[step % len(asked[0].moves)]))
    assert left.words == {}


def cities(map: str) -> tuple[str, ...]:
    """The names and codes of the cities of a map of The Great Race."""
    title = find_title("great_race")
    g = title.setup_of(title.options.read({"map": map}))
    spaces = [space for space in range(g.spaces) if g.city[space] >= 0]
    return tuple(name(g, space) for name in (words.city_name, words.city_code) for space in spaces)


@pytest.mark.slow("every page of a whole game")
async def test_pages_of_friends(app: FastAPI, client: httpx.AsyncClient) -> None:
    """The lobby, seats, requests for them, a recovery link, chat, standing orders, undo and errors."""
    left = Left()
    async with strangers(app, 5) as people:
        *seated, guest = people
        ana, ben, cleo, dora = seated

        async def see(where: str, *whom: httpx.AsyncClient) -> None:
            for one in whom or people:
                left.look(where, (await one.get(path)).text, path)

        path = await lobby(ana, listed="yes", clock="300+5", grace="600", pairs="yes")
        await see("an open lobby", ana, guest)
        left.look("home", (await guest.get("/")).text)
        await ana.post(f"{path}/seats", data={"do": "leave", "player": "0"})

        path = await dealt(seated)
        await do(ana, path, "kick", 2)
        left.look("banned", (await do(cleo, path, "claim", 2, name="Cleo")).text, path)
        left.look("a removed seat", (await do(guest, path, "claim", 2, name="Cleo")).text, path)
        await do(ana, path, "bot", 1, level="club")
        await see("a removed seat of a bot")

        path = await dealt(seated, clock="259200+28800", grace="600", pairs="yes", races="2")
        await see("the start")
        for data in ({"text": "42"}, {"text": "43", "channel": "team"}):
            await ana.post(f"{path}/talk", data={"player": "0"} | data)
        left.look("talk refused", (await ana.post(f"{path}/talk", data={"player": "0", "text": " "})).text)
        left.look(
            "talk of a guest", (await guest.post(f"{path}/talk", data={"player": "0", "text": "4"})).text
        )
        left.look("a stranger's button", (await do(ben, path, "mute", 2)).text)
        await do(ana, path, "mute", 1)
        await do(cleo, path, "leave", 2)
        await see("muted and left")
        left.look("a request refused", (await do(guest, path, "claim", 0, name="Cleo")).text, path)
        await do(guest, path, "claim", 2, name="Cleo")
        await see("a request for a seat")
        tables: Tables = app.state.tables
        asked = {"number": str((await tables.table(path.rpartition("/")[2])).claims[0].number)}
        wrong = await guest.post(f"{path}/claims", data=asked | {"do": "agree"})
        assert wrong.status_code == 422
        left.look("a request answered", wrong.text, path)
        await ben.post(f"{path}/claims", data=asked | {"do": "decline"})
        await see("a request declined")
        await do(guest, path, "claim", 2, name="Cleo")
        asked = {"number": str((await tables.table(path.rpartition("/")[2])).claims[0].number)}
        await ben.post(f"{path}/claims", data=asked | {"do": "agree"})
        await see("half agreed")
        for friend in (ana, dora):
            await friend.post(f"{path}/claims", data=asked | {"do": "agree"})
        assert "Take this seat" not in await whole(guest, path)
        await do(ana, path, "free", 1)
        await see("the host opened a seat")
        await do(ben, path, "claim", 1, name="Ben")
        await do(ben, path, "leave", 1)
        await see("a seat that was left")
        await do(ben, path, "claim", 1, name="Ben")
        seated[2] = guest
        not_hers = await ben.post(f"{path}/recovery", data={"player": "0"})
        assert not_hers.status_code == 403
        left.look("recovery refused", not_hers.text)
        shown = (await ana.post(f"{path}/recovery", data={"player": "0"})).text
        link = re.findall(r'value="(http[^"]+)"', shown)[0]
        left.look("recover", (await cleo.get(link)).text, link)
        left.look("recover a second hand", (await ben.get(link)).text, link)
        left.look("a used link", (await cleo.get(link + "x")).text)

        orders = undone = late = 0
        for n in range(60):
            for seat, friend in enumerate(seated):
                text = left.look("the table", await whole(friend, path), path)
                for form in awaited(text):
                    if (offer := re.search(r'<option value="(defend [^"]+)"', text)) and not orders:
                        orders += 1
                        give = {"do": "give", "seat": form.seat, "order": offer[1]}
                        await friend.post(f"{path}/orders", data=give)
                        fly = await friend.post(f"{path}/orders", data=give | {"order": "99"})
                        assert fly.status_code == 422
                        left.look("an order refused", fly.text)
                        left.look("an order", await whole(friend, path))
                    data = form.data(form.moves[n % len(form.moves)])
                    await friend.post(f"{path}/move", data=data)
                    if not late:
                        again = await friend.post(f"{path}/move", data=data | {"key": "k", "decision": "0"})
                        late += again.status_code == 409
                        left.look("too late", again.text)
                    refused = await friend.post(f"{path}/move", data=data | {"key": "no", "move": "99"})
                    left.look("no such move", refused.text)
                    asks = await friend.post(f"{path}/undo", data={"do": "request"}, follow_redirects=True)
                    left.look("a take-back", asks.text)
                    if asks.status_code == 200 and 'id="undo"' in asks.text and not undone:
                        undone += 1
                        await see("a take-back is asked for")
                        await seated[(seat + 1) % 4].post(f"{path}/undo", data={"do": "refuse"})
                        await see("it was declined")
                        refused = await friend.post(f"{path}/undo", data={"do": "agree"})
                        left.look("nothing to agree to", refused.text)
            if orders and undone and late:
                break
        assert orders and undone and late
        await see("the end")
    assert left.words == {}


async def whole(client: httpx.AsyncClient, path: str) -> str:
    """A whole page."""
    return (await client.get(path)).text


async def test_error_pages(client: httpx.AsyncClient) -> None:
    left = Left()
    acts = "claim, rename, leave, ready, unready, bot, open, free, kick, mute, unmute"
    fields = (
        "“seat”",
        "“theme”",
        "“do”",
        "auto, light, dark",
        ", ".join(titles()),
        "“paddock record 1”",
        acts,
    )
    path = await table(client, title="lacorsa", **{"name-1": "Ana", "who-2": "rookie"})
    for where, answer, status in (
        ("replay too soon", await client.get(f"{path}/replay"), 409),
        ("no podium yet", await client.get(f"{path}/podium.svg"), 409),
        ("a field", await client.post(f"{path}/move", data={"seat": "x"}), 400),
        ("a button", await client.post(f"{path}/seats", data={"do": "fly", "player": "0"}), 400),
        ("no form", await client.post(f"{path}/move", json={}), 415),
        ("too big", await client.post(f"{path}/move", data={"move": "1" * 10**5}), 413),
        ("another site", await client.post(f"{path}/move", headers={"origin": "http://else.test"}), 403),
        ("not a player", await client.post(f"{path}/sit", data={"player": "77"}), 403),
        ("no title", await client.get("/new/99"), 404),
        ("no lesson", await client.get("/rules/99"), 404),
        ("no record", await client.post("/records", files={"record": ("r.txt", "")}), 422),
        ("a bad record", await client.post("/records", files={"record": ("r.txt", "99")}), 422),
        ("a bad setting", await client.post("/settings", data={"theme": "99"}), 400),
    ):
        assert answer.status_code == status, where
        if answer.headers["content-type"].startswith("text/html"):
            left.look(where, answer.text, *fields)
        else:
            assert plain([answer.text]) == [], where
    assert left.words == {}


@pytest.mark.parametrize("name", ["lacorsa", "rasant"])
async def test_explore_and_the_lesson(app: FastAPI, client: httpx.AsyncClient, name: str) -> None:
    left = Left()
    names = find_title(name).room("learn").NAMES

    tables: Tables = app.state.tables

    async def play(path: str, moves: int) -> None:
        """Read the page this many times, and make a move whenever one is due."""
        there = await tables.table(path.rpartition("/")[2])
        for _ in range(moves):
            await turn(tables, there)
            text = left.look(path, await page(client, path), *names)
            if "/replay" in text:
                return
            for form in forms(text):
                await client.post(f"{path}/move", data=form.data(own(there)))
            for way in ("on", "again"):  # a lesson that waits
                if f'name="do" value="{way}"' in text:
                    await client.post(f"{path}/lesson", data={"do": way})
                    break

    def own(there: Table) -> str | None:
        """Return the lesson's own move."""
        known = lessons.script_of(there)
        at = known.trace(there.game.log) if known else None
        return None if at is None else str(there.title.text.move(there.game.setup, at.best[0].what))

    answer = await client.post(f"/learn/{name}")
    lesson = answer.headers["location"]
    await play(lesson, 2000)
    assert "/replay" in (await client.get(lesson)).text
    left.look("replay", (await client.get(f"{lesson}/replay?step=3")).text, *names)
    answer = await client.post(f"{lesson}/explore", data={"entry": "30", "player": "0"})
    assert answer.status_code == 303
    await play(answer.headers["location"], 3)
    left.look("home", (await client.get("/")).text, *names)
    assert left.words == {}


async def test_a_title_without_a_page(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pages(monkeypatch)
    form = {"title": "bare", "players": "2", "deck": "r10-130+k10", "who-2": "rookie"}
    text = (await client.get((await client.post("/tables", data=form)).headers["location"])).text
    assert 'name="move"' in text
    assert english(text) == english((await client.get("/new/bare")).text) == []
