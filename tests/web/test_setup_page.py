"""The set-up page: one click fixes invalid options, and one choice sets all other seats."""

from __future__ import annotations

import html
import re
import threading
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.etree import ElementTree

import httpx
import pytest
from fastapi import FastAPI

from paddock.bots import levels
from paddock.core.options import value_text
from paddock.core.title import title
from paddock.games.great_race import rulebook
from paddock.games.great_race.maps import source
from paddock.tables import Terms
from paddock.web.terms import term_rows, told_terms
from web.api_helpers import RACE, program
from web.helpers import page, table

pytestmark = pytest.mark.anyio

TWELVE = {"title": "lacorsa", "drivers": "12", "races": "1", "pace": "instant"}


def fixes(text: str) -> list[str]:
    """The fixes that a page offers for its options."""
    return re.findall(r'name="fix" value="([^"]+)"', text)


def large(text: str) -> str:
    """The value of the option for the Large Grid."""
    return checked(text, "large_grid")


def checked(text: str, name: str) -> str:
    """The value that is chosen among pictures or chips."""
    found = re.search(rf'<input type="radio"[^>]* name="{name}" value="([^"]*)" checked', text)
    assert found, name
    return html.unescape(found[1])


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
    kept = {"drivers": "12", "pace": "instant", "name-1": "Ana", "others": "rookie"}
    assert address.path == "/new/lacorsa"
    assert dict(parse_qsl(address.query)) == kept | {"large_grid": "yes"}


async def test_one_choice_for_everybody_else(client: httpx.AsyncClient) -> None:
    """It overrides the seats that it hides. Set separately, they count."""
    rows = {"who-2": "me", "name-2": "Ben"}
    together = await table(client, **TWELVE, **rows, large_grid="yes", others="rookie")
    assert (await page(client, together)).count("bot: Rookie") == 11
    each = await table(client, **TWELVE, **rows, large_grid="yes", others="")
    assert "Ben" in await page(client, each)
    friends = await table(client, **TWELVE, large_grid="yes", others="open")
    assert (await page(client, friends)).count('<li id="p-') == 12
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
    assert "there are more faults: correct these first" in answer.text.lower()
    assert fixes(answer.text) == []
    usual = len(threads) - len(mine)  # readings of the default map, which has no file
    assert 1 <= len(mine) <= 4 and usual <= 4, (len(mine), usual)


async def test_every_term_is_asked_for_stored_and_shown(app: FastAPI, client: httpx.AsyncClient) -> None:
    usual = vars(Terms()) | {"pace": app.state.pace}
    rows = term_rows({name: value_text(value) for name, value in usual.items()})
    assert [row.name for row in rows] == list(usual)
    form = {row.name: next(value for value, _words in row.choices if value != row.value) for row in rows}
    text = (await client.get(f"/new/lacorsa?{urlencode(form)}")).text
    for row in rows:
        control = re.search(rf'<(\w+)[^>]* id="o-{row.name}".*?</\1>', text)
        chosen = re.escape(form[row.name])
        assert control and re.search(f'value="{chosen}" (selected|checked)', control[0]), row.name
    lobby = {"title": "lacorsa", "drivers": "2", "races": "1", "who-2": "open"}
    made = await client.post("/tables", data=lobby | form)
    stored = await app.state.tables.store.load(made.headers["location"].removeprefix("/t/"))
    terms = vars(stored.table.terms)
    assert {name: value_text(value) for name, value in terms.items()} == form
    assert all(type(value) is type(usual[name]) for name, value in terms.items())
    text = html.unescape((await client.get(made.headers["location"])).text)
    for row in told_terms(stored.table.terms):
        assert f"<dt>{row.label}</dt><dd>{row.told}</dd>" in text
    ana = await program(app)
    body = RACE | {"seats": ["me", "open", "open", "open"], "lobby": True}
    shown = (await ana.post("/tables", json=body | terms)).json()
    assert {name: shown[name] for name in terms} == terms


async def test_a_file_is_sent_without_script(client: httpx.AsyncClient) -> None:
    """GR-1.1 «Check it» shows it as a picture; the same form starts a race on it."""
    mine = source("usa-west").replace("USA-West", "My own West")
    form = {"title": "great_race", "players": "2", "map": "own", "map-own": ""}
    file = {"map-file": ("mine.map", mine)}
    text = (await client.post("/new/great_race", data=form, files=file)).text
    assert checked(text, "map").startswith("~") and "My own West" in text
    address = html.unescape(re.findall(r'<img src="(/pictures/great_race/map\?of=~[^"]+)"', text)[0])
    picture = await client.get(address)
    assert picture.headers["content-type"] == "image/svg+xml" and picture.text.startswith("<svg")
    assert "immutable" in picture.headers["cache-control"]
    path = (await client.post("/tables", data=form, files=file)).headers["location"]
    assert "title:_My_own_West" in (await client.get(f"{path}/record")).text


@pytest.mark.parametrize("name", ["lacorsa", "rasant", "great_race"])
async def test_every_picture_stands_alone_and_has_no_words(client: httpx.AsyncClient, name: str) -> None:
    """Every preset, value, piece and sample has one; together with the page they are light."""
    text = (await client.get(f"/new/{name}")).text
    addresses = set(map(html.unescape, re.findall(r'<img src="(/pictures/[^"]+)"', text)))
    assert len(addresses) >= 12
    for address in addresses:
        drawn = (await client.get(address)).text
        assert ElementTree.fromstring(drawn).tag.endswith("svg"), address
        assert not re.search(r"<text\b[^>]*>\s*[^\d\s<]|var\(|<image|<style|<script", drawn), address
        assert len(drawn) < 20_000, address
    for wrong in ("/pictures/lacorsa/races?of=1", f"/pictures/{name}/nothing?of=x", "/pictures/x/y?of=z"):
        assert (await client.get(wrong)).status_code == 404


async def test_a_preset_sets_the_options_and_leaves_the_players(client: httpx.AsyncClient) -> None:
    form = {"races": "9", "drivers": "5", "others": "open", "points": "5,3,1", "preset": "evening"}
    answer = await client.post("/new/lacorsa", data=form)
    address = urlsplit(answer.headers["location"])
    assert dict(parse_qsl(address.query)) == {"drivers": "5", "others": "open", "races": "3"}
    text = (await client.get(answer.headers["location"])).text
    assert re.findall(r'value="(\w+)"[^>]* aria-current="true"', text) == ["evening"]
    grid = await client.post("/new/lacorsa", data={"drivers": "2", "preset": "grid"})
    assert "drivers=8" in grid.headers["location"] and "large_grid=yes" in grid.headers["location"]
    unknown = await client.post("/new/lacorsa", data={"preset": "x"})
    assert unknown.status_code == 422 and "has no preset “x”" in unknown.text


@pytest.mark.parametrize("name", ["lacorsa", "rasant", "great_race"])
def test_every_preset_fits_and_takes_about_an_evening(name: str) -> None:
    presets = title(name).presets
    assert 2 <= len(presets) <= 4 and len({preset.name for preset in presets}) == len(presets)
    for preset in presets:
        assert title(name).options.read(preset.values) and 5 <= preset.minutes <= 120


async def test_small_fields_are_one_value(client: httpx.AsyncClient) -> None:
    """LC-7.2, LC-2.2, RA-2.1: points, pairs and the order of the cars, each with a field for a part."""
    points = {"points": "own", "points-1": "10", "points-2": "4", **{f"points-{n}": "" for n in range(3, 13)}}
    pairs = {"pairs": "own", "pairs-1": "3", "pairs-3": "", "pairs-2": "5", "drivers": "5"}
    answer = await client.post("/tables", data={"title": "lacorsa"} | points | pairs)
    record = (await client.get(f"{answer.headers['location']}/record")).text
    assert "points=10,4\n" in record and "pairs=1-3/2-5 " in record
    text = (await client.get("/new/lacorsa?points=own&points-2=5&drivers=5&pairs=2-4")).text
    assert re.findall(r'name="points-\d+" value="(\d*)"', text)[:4] == ["9", "5", "4", "3"]
    assert re.search(r'name="pairs-4">.*?<option value="2" selected', text)
    cars = {f"line-{n}": letter for n, letter in enumerate("rrrgggbbbyyy", 1)}
    answer = await client.post("/tables", data={"title": "rasant", "line": "own"} | cars)
    assert "line=krrrgggbbbyyy" in (await client.get(f"{answer.headers['location']}/record")).text
    answer = await client.post("/tables", data={"title": "rasant", "line": "own"} | cars | {"line-1": "g"})
    assert answer.status_code == 422 and "Give each colour to three cars." in answer.text


async def test_the_link_carries_everything(client: httpx.AsyncClient) -> None:
    """GR-1.7 the middle cities follow from the map in the address."""
    text = (await client.get("/new/great_race?map=asia-west&finish=KA&leaders=yes&races=2")).text
    values = [checked(text, name) for name in ("map", "finish", "leaders", "races")]
    assert values == ["asia-west", "KA", "yes", "2"] and "Please check" not in text
    text = (await client.get("/new/great_race?map=usa-west&finish=KA")).text
    assert "“KA” is no middle city of this map" in text and fixes(text) == ["finish=lot"]


async def test_a_built_in_file_is_a_start_for_ones_own(client: httpx.AsyncClient) -> None:
    answer = await client.get("/files/great_race/map?of=usa")
    assert answer.text == source("usa") and "usa.txt" in answer.headers["content-disposition"]
    assert (await client.get("/files/rasant/deck?of=nothing")).status_code == 404


async def test_one_race_is_chosen_at_first_and_a_championship_stays_chosen(client: httpx.AsyncClient) -> None:
    page = (await client.get("/new/lacorsa")).text
    assert 'value="race" formaction="/new/lacorsa" formnovalidate aria-current="true"' in page
    answer = await client.post("/new/lacorsa", data={"races": "1", "preset": "championship"})
    assert "races=7" in answer.headers["location"]
    page = (await client.get(answer.headers["location"])).text
    assert 'value="championship" formaction="/new/lacorsa" formnovalidate aria-current="true"' in page
