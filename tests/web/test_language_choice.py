"""The language that a reader chooses: by the settings, by a link; and French, which has LACORSA only."""

from __future__ import annotations

import httpx
import pytest

from paddock.core.catalogue import Catalogue
from paddock.core.i18n import LOCALE, languages
from paddock.web.language import MOST, asked
from web import foreign
from web.helpers import table
from web.strange import Words

pytestmark = pytest.mark.anyio


async def test_the_settings_choose_a_language_and_give_it_up(client: httpx.AsyncClient) -> None:
    client.headers["accept-language"] = "en"
    assert '<option value="" selected' not in (text := (await client.get("/")).text)
    assert '<option value="de" lang="de">Deutsch</option>' in text
    answer = await client.post("/settings", data={"lang": "de", "back": "/?lang=en&title=rasant"})
    assert answer.headers["location"] == "/?title=rasant"
    text = (await client.get("/")).text
    assert '<html lang="de"' in text and '<option value="de" lang="de" selected>' in text
    wrong = await client.post("/settings", data={"lang": "xx"})
    assert wrong.status_code == 400 and "de" in wrong.text
    await client.post("/settings", data={"theme": "dark"})  # a form of before an upgrade
    assert '<html lang="de"' in (await client.get("/")).text
    await client.post("/settings", data={"lang": ""})
    assert '<html lang="en"' in (await client.get("/")).text


async def test_the_browser_chooses_german_and_a_link_english(client: httpx.AsyncClient) -> None:
    client.headers["accept-language"] = "de-AT, de;q=0.9, en;q=0.5"
    assert '<html lang="de"' in (await client.get("/")).text
    text = (await client.get("/?lang=en")).text
    assert '<html lang="en"' in text and '<option value="en" lang="en" selected>' in text
    assert '<html lang="en"' in (await client.get("/new/rasant")).text


async def test_the_rest_of_a_long_header_is_not_kept(client: httpx.AsyncClient) -> None:
    client.headers["accept-language"] = long = "de," + "x" * 5000
    assert '<html lang="de"' in (await client.get("/")).text
    hits = asked.cache_info().hits
    assert asked(long[:MOST], languages(LOCALE)) == "de" and asked.cache_info().hits == hits + 1


async def test_lacorsa_is_played_in_french_and_the_rest_is_english(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set-up, lobby and table: nothing is special about German, and what is missing is English."""
    missing, one, many = set[str](), Catalogue.one, Catalogue.many

    def found(text: str | None, key: str) -> str | None:
        missing.update([] if text else [key])
        return text

    monkeypatch.setattr(Catalogue, "one", lambda self, key: found(one(self, key), key))
    monkeypatch.setattr(Catalogue, "many", lambda self, key, n: found(many(self, key, n), key))
    client.headers["accept-language"] = "fr-CA, fr;q=0.9"
    lobby = await table(client, **{"who-2": "open", "name-1": "Ana", "title": "lacorsa"})
    playing = await table(client, **{"name-1": "Ana", "title": "lacorsa"})
    for path in ("/new/lacorsa", "/new/lacorsa?large_grid=yes&drivers=7", lobby, playing):
        text = (await client.get(path)).text
        words = Words()
        words.feed(text)
        assert words.language == "fr" and foreign.left(" ".join(words.said), "fr") == [], path
    assert "On attend" in text and "Hand" not in text
    assert missing == set()
    assert "The Great Race" in (other := (await client.get("/learn/great_race")).text)
    assert '<html lang="fr"' in other and "The most prestige wins" in other
