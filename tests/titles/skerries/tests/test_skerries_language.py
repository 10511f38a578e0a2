"""Skerries in another language: the catalogue in its own package reaches every page (see web/strange.py)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import messages
from paddock.core.i18n import _, language
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from sampling import count
from web.conftest import running
from web.helpers import page
from web.strange import LANGUAGE, english, paddocks, write_catalogue

FORM = {
    "title": "skerries",
    "skippers": "3",
    "races": "1",
    "days": "8",
    "chart": "hqh/hxh/..l",
    "copies": "2",
}
PEOPLE = {f"name-{i}": name for i, name in enumerate(("Ana", "Ben", "Cleo"), 1)}


@pytest.fixture(scope="module")
def locale(skerries: Title, installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Catalogues of the other language: one in the package, and a folder with Paddock's."""
    write_catalogue(installed / "skerries" / "locale", "skerries")
    return write_catalogue(tmp_path_factory.mktemp("locale"))


def test_its_messages_are_extracted(
    skerries: Title, installed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of its code, templates and rulebook, but none that Paddock's own template has."""
    monkeypatch.setattr(sys, "argv", ["messages.py", "skerries"])
    extract = messages.catalogue
    monkeypatch.setattr(messages, "catalogue", lambda package: extract(package, paddocks()))
    assert messages.main() == 0
    file = installed / "skerries" / "locale" / "skerries.pot"
    assert str(file) in capsys.readouterr().out
    found = set(re.findall(r'^msgid "(.+)"$', file.read_text("utf-8"), re.M))
    assert {"Cast off", "The chart", "the chart ends there", "gust", "days", skerries.tagline} <= found
    assert not found & {"Race", "Total", "Sit down", "card"}
    assert not any("Cast off" in message.id for message in paddocks() if message.id)


def test_it_brings_its_own_german(skerries: Title) -> None:
    """Its words and its rules come from its own files, and what is Paddock's from Paddock's."""
    token = language.set("de")
    assert _("Cast off") == "Leinen los" and str(_(skerries.tagline)).startswith("Kleine Boote")
    assert _("Choose") == "Wählen"
    assert skerries.rulebook.clauses["SK-5.2"].text.startswith("Das Rennen ist vorbei")
    language.reset(token)


@pytest.mark.slow("every page of a whole game")
@pytest.mark.anyio
async def test_no_page_of_it_speaks_english(skerries: Title, locale: Path, tmp_path: Path) -> None:
    app = create_app(f"sqlite:///{tmp_path / 'p.sqlite3'}", chance=Seeded(7), pace="instant", locale=locale)
    left: dict[str, str] = {}
    seen = set()
    async with running(app) as client:
        client.headers["accept-language"] = LANGUAGE

        def look(where: str, text: str) -> str:
            left.update(dict.fromkeys(english(text, "sisters", "narrows"), where))
            return text

        for address in ("/?title=skerries", "/new/skerries", "/new/skerries?chart=h.l&days=77"):
            look(address, (await client.get(address)).text)
        people = {f"who-{i}": "me" for i in (1, 2, 3)} | PEOPLE
        path = (await client.post("/tables", data=FORM | people)).headers["location"]
        for step in range(300):
            closely = step % count(3, 1) == 0
            if closely:
                look("a curtain or the table", (await client.get(path)).text)
            text = await page(client, path)
            form = re.search(r'<form[^>]*class="compose".*?</form>', text, re.S)
            if closely or not form:
                look("the table", text)
            if not form:
                break
            fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
            ways = re.findall(r'<option value="([^";]+)"', form[0])
            rare = [way for way in ways if way.split()[0] in {"rob", "yield", "gust", "anchor"} - seen]
            way = rare or [way for way in ways if way != "stop"] or ways
            move = way[step % len(way)]
            data = fields | {"move": move}
            if move.split()[0] not in seen or step % count(4, 1) == 0:
                look("a preview", (await client.post(f"{path}/preview", data=data)).text)
                refused = await client.post(f"{path}/move", data=fields | {"move": "pilot; pilot; anchor"})
                assert refused.status_code == 422
                look("a refusal", refused.text)
            seen.add(move.split()[0])
            await client.post(f"{path}/move", data=data)
        assert "/replay" in text
        assert {"rob", "yield", "gust", "anchor"} <= seen, "every kind of move"
        for address in (f"{path}/replay", f"{path}/replay?step=9&eyes=1"):
            look(address, (await client.get(address)).text)
    assert left == {}
