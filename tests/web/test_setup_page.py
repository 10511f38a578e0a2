"""The set-up page: one click fixes invalid options, and one choice sets all other seats."""

from __future__ import annotations

import html
import re
import threading
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest
from fastapi import FastAPI

from paddock.bots import levels
from paddock.core.title import title
from paddock.games.great_race import rulebook
from paddock.tables import Terms
from web.api_helpers import RACE, program
from web.helpers import page, table

pytestmark = pytest.mark.anyio

TWELVE = {"title": "lacorsa", "drivers": "12", "races": "1", "pace": "instant"}


def fixes(text: str) -> list[str]:
    """The fixes that a page offers for its options."""
    return re.findall(r'name="fix" value="([^"]+)"', text)


def large(text: str) -> str:
    """The value of the option for the Large Grid."""
    found = re.search(r'<select id="o-large_grid".*?<option value="(\w+)" selected', text)
    assert found
    return found[1]


async def test_LX_1_1_more_than_six_drivers_switch_the_large_grid_on(client: httpx.AsyncClient) -> None:
    """The page says so before anything starts; its hands alone are enough too."""
    said = "so the Large Grid is now on"
    answer = await client.post("/tables", data=TWELVE | {"name-1": "Ana", "large_grid": "no"})
    assert answer.status_code == 422
    assert said in answer.text and large(answer.text) == "yes" and not fixes(answer.text)
    assert 'value="Ana"' in answer.text and "Please check" not in answer.text
    assert (await client.post("/tables", data=TWELVE | {"large_grid": "yes"})).status_code == 303
    for options, value, tells in (
        ("drivers=12", "yes", True),
        ("drivers=7&large_grid=no", "yes", True),
        ("drivers=6", "no", False),
        ("drivers=12&large_grid=yes", "yes", False),
        ("drivers=12&grid_hands=yes", "no", False),
        ("drivers=13", "no", False),
    ):
        text = (await client.get(f"/new/lacorsa?{options}")).text
        assert (large(text), said in text) == (value, tells), options
        assert ("Please check" in text) == (options == "drivers=13")
    assert said not in (await client.get("/new/rasant?players=4")).text


@pytest.mark.parametrize(
    ("options", "offered"),
    [
        ("drivers=4&championship=teams", ["large_grid=yes", "championship=auto", "championship=drivers"]),
        ("pit_draw=choose", ["large_grid=yes", "pit_stops=yes", "pit_draw=random"]),
        ("pit_refill=yes&drivers=2", ["large_grid=yes", "pit_stops=yes", "pit_refill=no"]),
        ("drivers=12&championship=teams", ["championship=auto", "championship=drivers"]),
        ("drivers=12&championship=teams&points=1,9", []),  # no single change fixes it
        ("pairs=yes&drivers=3", ["pairs=no"]),
        ("pairs=1-2/2-3", ["pairs=no"]),
        ("races=0", []),
        ("drivers=12&points=1,9", []),
    ],
)
async def test_each_offered_fix_works(client: httpx.AsyncClient, options: str, offered: list[str]) -> None:
    text = (await client.get(f"/new/lacorsa?{options}")).text
    assert "Please check" in text
    assert set(fixes(text)) >= set(offered)
    assert bool(fixes(text)) == bool(offered)
    for fix in fixes(text):
        answer = await client.post("/new/lacorsa", data=dict(parse_qsl(options)) | {"fix": fix})
        assert "Please check" not in (await client.get(answer.headers["location"])).text


async def test_a_fix_keeps_all_else_and_names_only_what_differs_from_the_defaults(
    client: httpx.AsyncClient,
) -> None:
    form = TWELVE | {"name-1": "Ana", "who-1": "me", "others": "rookie", "listed": "no", "clock": ""}
    form |= {f"who-{i}": "club" for i in range(2, 13)} | {f"name-{i}": "" for i in range(2, 13)}
    answer = await client.post("/new/lacorsa", data=form | {"fix": "large_grid=yes"})
    assert answer.status_code == 303
    address = urlsplit(answer.headers["location"])
    kept = {"drivers": "12", "races": "1", "pace": "instant", "name-1": "Ana", "others": "rookie"}
    assert address.path == "/new/lacorsa"
    assert dict(parse_qsl(address.query)) == kept | {"large_grid": "yes"}


async def test_one_choice_for_everybody_else(client: httpx.AsyncClient) -> None:
    """It overrides the seats that it hides. Set separately, they count."""
    rows = {"who-2": "me", "name-2": "Ben"}
    together = await table(client, **TWELVE, **rows, large_grid="yes", others="rookie")
    assert (await page(client, together)).count("bot: Rookie") == 11
    each = await table(client, **TWELVE, **rows, large_grid="yes", others="")
    assert "Ben" in await page(client, each)
    answer = await client.post("/tables", data=TWELVE | {"large_grid": "yes", "others": "nobody"})
    assert answer.status_code == 422


async def test_an_address_that_names_a_player_shows_them_one_by_one(client: httpx.AsyncClient) -> None:
    chosen = r'name="others">.*?<option value="([^"]*)" selected'
    usual = re.search(chosen, (await client.get("/new/lacorsa")).text, re.S)
    assert usual and usual[1] == "club"
    for address in ("who-2=me", "name-12=Zoe", "others="):
        found = re.search(chosen, (await client.get(f"/new/lacorsa?{address}")).text.split("seat-row", 2)[-1])
        assert not found or not found[1]
    assert 'value="open" selected' in (await client.get("/new/rasant?others=open")).text


async def test_every_level_of_bots_is_described(client: httpx.AsyncClient) -> None:
    text = html.unescape((await client.get("/new/lacorsa")).text)
    for level in levels("lacorsa"):
        assert f"<dt>{level.label}</dt><dd>{level.sentence}</dd>" in text


# Files

NO_MAP = "x:/" * 16_000


@pytest.mark.parametrize("ask", ["address", "form", "table", "api"])
async def test_a_file_is_checked_once_and_beside_the_loop(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, ask: str
) -> None:
    """No other option is tried as a fix, because none of them mends a file."""
    threads: list[int] = []
    checked = rulebook.word

    def counted(text: str) -> str:
        threads.append(threading.get_ident())
        return checked(text)

    text = f"title: {ask}/{NO_MAP}"
    assert title("great_race").options.read({}).map == "usa-west"  # the rulebook is loaded
    monkeypatch.setattr(rulebook, "word", counted)
    if ask == "address":
        answer = await client.get(f"/new/great_race?map={text}")
    elif ask == "form":
        answer = await client.post("/new/great_race", data={"map": text, "races": "2"})
    elif ask == "table":
        answer = await client.post("/tables", data={"title": "great_race", "map": text, "races": "2"})
    else:
        body = {"title": "great_race", "seats": ["me", "rookie"], "options": {"map": text}}
        answer = await (await program(app)).post("/tables", json=body)
    mine = [thread for thread in threads if thread != threading.get_ident()]
    assert "there are more faults: correct these first" in answer.text
    assert fixes(answer.text) == []
    usual = len(threads) - len(mine)  # readings of the default map, which has no file
    assert 1 <= len(mine) <= 4 and usual <= 4, (len(mine), usual)


async def test_every_term_is_asked_for_stored_and_shown(app: FastAPI, client: httpx.AsyncClient) -> None:
    terms = {"listed": True, "pace": "human", "clock": "300+5", "grace": 600}
    assert list(terms) == list(vars(Terms())), "a new term belongs into this test and into setup.html"
    form = terms | {"listed": "yes"}
    text = (await client.get(f"/new/lacorsa?{urlencode(form)}")).text
    for name, value in form.items():
        control = re.search(rf'<select id="o-{name}" name="{name}".*?</select>', text)
        assert control and f'value="{value}" selected' in control[0], name
    lobby = {"title": "lacorsa", "drivers": "2", "races": "1", "who-2": "open"}
    made = await client.post("/tables", data=lobby | form)
    stored = await app.state.tables.store.load(made.headers["location"].removeprefix("/t/"))
    assert vars(stored.table.terms) == terms
    ana = await program(app)
    body = RACE | {"seats": ["me", "open", "open", "open"], "lobby": True}
    shown = (await ana.post("/tables", json=body | terms)).json()
    assert {name: shown[name] for name in terms} == terms
