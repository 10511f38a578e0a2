"""Another language: which one a request gets, and that pages have no words of their own.

The other language is made from the template of the catalogue: every Latin letter of a message becomes one
that is none of A to Z. A word of plain letters on a page is a name, or was not translated.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest
from babel.messages.mofile import write_mo

from messages import catalogue
from paddock import titles
from paddock.kernel.source import Seeded
from paddock.web.app import create_app
from paddock.web.language import asked, known
from web.conftest import running
from web.helpers import forms, page, table

pytestmark = pytest.mark.anyio

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
OTHER = "αβçδéφğħíĵķľmñöþqŕšťüνŵχýžΑΒÇΔÉΦĞĦÍĴĶĽMÑÖÞQŔŠŤÜΝŴΧÝŽ".replace("m", "μ").replace("q", "ξ")
OTHER = OTHER.replace("M", "Μ").replace("Q", "Ξ")
STRANGE = str.maketrans(PLAIN, OTHER)
LANGUAGE = "eo"
# Names of games, of Paddock, of clauses and options, and what records and commands are written with.
NAMES = re.compile(
    r"LACORSA|R(?i:asant)|Paddock|Rookie|Club|Ana|Ben|Cai|Dee|(?:Driver|Player) \d|\b(?:LC|LX|RA)-[\d.]+"
    r"|\b\w+=\S+|\b[A-Za-z]\b|\b\d+x?[a-z]\b"
)
SHOWN = ("aria-label", "alt", "placeholder", "title", "data-idle", "data-says", "data-confirm")
UNSEEN = {"script", "style", "code", "pre", "textarea", "template", "kbd"}
EMPTY = {"input", "br", "img", "meta", "link", "hr", "use", "path", "rect", "circle", "line", "polygon"}


def strange(message: str) -> str:
    """The message in the other language; what is filled in stays."""
    return "".join(
        part if part.startswith("{") else part.translate(STRANGE)
        for part in re.split(r"(\{[^}]*\})", message)
    )


class Words(HTMLParser):
    """All that a page says: its text, and the attributes that are read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._in: list[str] = []
        self.language: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            self.language = dict(attrs).get("lang")
        if tag not in EMPTY:
            value = tag == "option" and "value" not in dict(attrs)  # as addresses and records have it
            self._in.append("code" if value else tag)
        self.said += [value for name, value in attrs if name in SHOWN and value]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += [value for name, value in attrs if name in SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        while self._in and self._in.pop() not in (tag, "code" if tag == "option" else tag):
            pass

    def handle_data(self, data: str) -> None:
        if not UNSEEN & set(self._in):
            self.said.append(data)


def english(html: str) -> list[str]:
    """What a page says in plain letters."""
    words = Words()
    words.feed(html)
    assert words.language == LANGUAGE
    return [" ".join(text.split()) for text in words.said if re.search(r"[A-Za-z]{2,}", NAMES.sub(" ", text))]


@pytest.fixture(scope="session")
def locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a catalogue of the other language."""
    folder = tmp_path_factory.mktemp("locale")
    found = catalogue()
    for message in found:
        if message.id:
            many = isinstance(message.id, tuple)
            message.string = tuple(map(strange, message.id)) if many else strange(message.id)
    file = folder / LANGUAGE / "LC_MESSAGES" / "paddock.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as stream:
        write_mo(stream, found)
    return folder


@pytest.fixture
async def client(tmp_path: Path, locale: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A browser that asks for the other language."""
    app = create_app(f"sqlite:///{tmp_path / 'p.sqlite3'}", chance=Seeded(7), pace="instant", locale=locale)
    async with running(app) as client:
        client.headers["accept-language"] = f"{LANGUAGE}, en;q=0.5"
        yield client


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


async def test_the_api_answers_in_the_language(client: httpx.AsyncClient) -> None:
    (lacorsa, *_others) = (await client.get("/api/v1/titles")).json()
    assert not re.search("[A-Za-z]{2,}", lacorsa["tagline"])
    refusal = (await client.get("/api/v1/tables/nothing")).json()["error"]
    assert not re.search("[A-Za-z]{2,}", refusal.replace("nothing", ""))


async def test_pages_before_a_game(client: httpx.AsyncClient) -> None:
    left = {}
    for path in ("/", "/nowhere", "/t/nothing"):
        left[path] = english((await client.get(path)).text)
    for title in titles():
        for path in (f"/?title={title}", f"/new/{title}", f"/learn/{title}"):
            left[path] = english((await client.get(path)).text)
    wrong = await client.post("/tables", data={"title": "rasant", "games": "0", "who-1": "me"})
    left["wrong set-up"] = english(wrong.text)
    lobby = await table(client, **{"who-2": "open", "name-1": "Ana", "title": "lacorsa"})
    left["lobby"] = english((await client.get(lobby)).text)
    assert {path: words for path, words in left.items() if words} == {}


@pytest.mark.parametrize("title", ["lacorsa", "rasant"])
async def test_pages_of_a_game(client: httpx.AsyncClient, title: str) -> None:
    names = {f"name-{i}": name for i, name in enumerate(("Ana", "Ben", "Cai", "Dee"), 1)}
    more = {"races": "1", "drivers": "4", "large_grid": "yes"} if title == "lacorsa" else {"players": "4"}
    path = await table(client, title=title, **names, **more)
    left: dict[str, None] = {}
    for step in range(400):
        text = (await client.get(path)).text
        left |= dict.fromkeys(english(text))
        if 'class="curtain' in text:
            text = await page(client, path)
            left |= dict.fromkeys(english(text))
        if not (open_forms := forms(text)):
            break
        form = open_forms[0]
        await client.post(f"{path}/move", data=form.data(form.moves[step % len(form.moves)]))
    assert f"{path}/replay" in text
    for address in (f"{path}/replay", f"{path}/replay?entry=60"):
        left |= dict.fromkeys(english((await client.get(address)).text))
    assert list(left) == []
