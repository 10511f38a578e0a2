"""A user's own deck on pages and in the API: options name it by its digest, and the API returns its text."""

from __future__ import annotations

import html
import re

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.options import LONGEST_DATA, digest_of_data
from web.api_helpers import fine, program, refused
from web.helpers import page, table

pytestmark = pytest.mark.anyio
DECK = "+".join(f"{colour}{n}0" for colour in "rgbyk" for n in range(1, 12, 2))
FILE = DECK.replace("+", "\r\n") + "\r\n# my own\r\n"
NAME = f"~{digest_of_data(DECK)}"
SEATS = {"title": "rasant", "seats": ["me", "rookie", "rookie"], "pace": "instant"}


def deck(text: str) -> str:
    """Return the deck that is chosen on the set-up page, or the text in the field for one's own."""
    chosen = re.search(r'<input type="radio"[^>]* name="deck" value="([^"]*)" checked', text)
    assert chosen
    found = re.search(r'<textarea[^>]* name="deck-own"[^>]*>(.*?)</textarea>', text, re.DOTALL)
    assert found
    return html.unescape(found[1] if chosen[1] == "own" else chosen[1])


async def test_the_api_takes_a_deck_whole_and_then_by_its_name(
    client: httpx.AsyncClient, app: FastAPI
) -> None:
    api = await program(app)
    sentence = refused(await api.post("/tables", json=SEATS | {"options": {"deck": NAME}}), 422)
    assert "no file with this digest is stored here" in sentence
    refused(await api.get(f"/data/{NAME}"), 404)
    made = fine(await api.post("/tables", json=SEATS | {"options": {"deck": FILE}}), 201)
    assert made["options"]["deck"] == NAME and made["options"]["players"] == 3
    for digest in (NAME, NAME[1:]):
        answer = await api.get(f"/data/{digest}")
        assert answer.text == DECK and answer.headers["content-type"].startswith("text/plain")
    again = fine(await api.post("/tables", json=SEATS | {"options": {"deck": NAME}}), 201)
    assert again["options"] == made["options"]
    refused(await api.get("/data/nothing"), 422)


async def test_the_api_says_which_option_is_data(client: httpx.AsyncClient, app: FastAPI) -> None:
    rows = fine(await (await program(app)).get("/titles/rasant"))["options"]
    assert [row["name"] for row in rows if row["kind"] == "data"] == ["deck"]


async def test_the_error_names_the_size_limit_of_a_file(client: httpx.AsyncClient, app: FastAPI) -> None:
    """The limit of the file, not of the form, however its characters are escaped."""
    api = await program(app)
    long = "\r\n" * LONGEST_DATA
    sentence = refused(await api.post("/tables", json=SEATS | {"options": {"deck": f"r10{long}k10"}}), 422)
    assert "a file has at most 50,000 characters, not 100,006 (RA-1.2)" in sentence
    answer = await client.post("/tables", data={"title": "rasant", "deck": f"r10{long}k10"})
    assert answer.status_code == 422 and "A file has at most 50,000 characters" in answer.text


async def test_a_valid_set_up_replaces_a_long_deck_by_its_digest(client: httpx.AsyncClient) -> None:
    """Then the address has the digest, and the set-up page finds the deck."""
    form = {"title": "rasant", "players": "3", "deck": FILE}
    assert deck((await client.post("/new/rasant", data=form)).text) == NAME
    text = (await client.get("/new/rasant", params=form | {"deck": NAME})).text
    assert deck(text) == NAME and "Please check" not in text
    path = await table(client, title="rasant", deck=NAME)
    assert await page(client, path)


async def test_an_invalid_deck_stays_as_typed(client: httpx.AsyncClient) -> None:
    for wrong, said in (("r10\nx", "“x” is no card"), ("r10 " * 11, "need a deck of")):
        text = (await client.post("/new/rasant", data={"players": "3", "deck": wrong})).text
        assert deck(text).strip() == wrong.strip() and said in html.unescape(text)
    text = (await client.get("/new/rasant", params={"deck": NAME})).text
    assert deck(text) == "" and "This file is not stored here any more" in html.unescape(text)


async def test_the_address_after_a_fix_has_the_digest_of_a_long_deck(client: httpx.AsyncClient) -> None:
    form = {"players": "3", "round_end": "some", "deck": FILE, "fix": "round_end=all"}
    answer = await client.post("/new/rasant", data=form)
    assert answer.status_code == 303
    assert httpx.URL(answer.headers["location"]).params["deck"] == NAME


async def test_a_lobby_says_that_the_deck_is_ones_own(client: httpx.AsyncClient) -> None:
    answer = await client.post("/tables", data={"title": "rasant", "deck": FILE, "others": "open"})
    text = (await client.get(answer.headers["location"])).text
    assert "Your own" in text and NAME not in text and DECK not in text
