"""The offer to keep Paddock on this device, in a real browser: kept, renewed, damaged; axe finds nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from features.offline.packs import small_pack
from web.conftest import Server
from web.test_browser_axe import PHONE, look, opened

# Notes a game that is over as the pack does, and where games are sent
NOTE = """async ([game, played]) => {
  const base = new URL(document.getElementById("keep").dataset.device, location.origin);
  const ended = "2026-03-01T12:00:00Z";
  const forged = { game, title: "lacorsa", ended, place: 1, points: 99, others: [] };
  const noted = Response.json({ game: JSON.stringify(forged), record: "I have won." });
  const cache = await caches.open(`paddock-results:${base.pathname}`);
  await cache.put(new URL(`results/waiting/${game}`, base), noted);
  await cache.put(new URL("results/", base), Response.json({ played, home: location.href }));
}"""

# What is noted: by the ends of the addresses
NOTED = """async () => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("paddock-results:"));
  const cache = await caches.open(name);
  const read = async (key) => [key.url.split("/results/")[1], await (await cache.match(key)).json()];
  return Object.fromEntries(await Promise.all((await cache.keys()).map(read)));
}"""

# Lets the time of a pause pass
LATER = """async (game) => {
  const [name] = (await caches.keys()).filter((name) => name.startsWith("paddock-results:"));
  const cache = await caches.open(name);
  const key = (await cache.keys()).find(({ url }) => url.endsWith(`/waiting/${game}`));
  const note = await (await cache.match(key)).json();
  await cache.put(key, Response.json({ ...note, tried: note.tried - note.pause }));
}"""
MINUTE = 60_000  # ms


def until(page: Page, wanted: Callable[[Any], object]) -> Any:
    """Wait until what is noted is so: games are sent before a page is shown, on a busy machine behind it."""
    for _look in range(2000):
        if wanted(noted := page.evaluate(NOTED)):
            return noted
        page.wait_for_timeout(50)
    raise AssertionError(f"still noted: {noted}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_pack(tmp_path / "pack")


@pytest.fixture
def club(tmp_path: Path, folder: Path) -> Iterator[Server]:
    """A server with a pack."""
    server = Server(tmp_path, PADDOCK_PACK=str(folder))
    yield server
    server.stop()


def test_a_pack_is_kept_and_a_newer_one_is_offered(browser: Browser, club: Server, folder: Path) -> None:
    """A damaged download keeps nothing, and says why; so does a result that the server refuses, once."""
    with opened(browser, PHONE) as page:
        page.goto(club.url)
        offer = page.locator("#keep")
        expect(offer).to_have_attribute("data-state", "none")
        expect(offer.locator("button:visible")).to_have_count(1)
        look(page, "home with a pack")
        version = json.loads((folder / "pack.json").read_text())["version"]
        code = folder / "pack" / version / "code.zip.packed"
        whole = code.read_bytes()
        code.write_bytes(b"no cod3")
        keep = offer.get_by_role("button", name="Keep Paddock on this device")
        keep.click()
        expect(offer.get_by_role("status")).to_contain_text("code.zip: the download is damaged")
        expect(offer).to_have_attribute("data-state", "none")
        code.write_bytes(whole)
        index = folder / "index.html"
        page_of_pack = index.read_text()
        index.write_text("<h1>Sign in to this network</h1>")
        keep.click()
        expect(offer.get_by_role("status")).to_contain_text("index.html: the download is damaged")
        expect(offer).to_have_attribute("data-state", "none")
        index.write_text(page_of_pack)
        keep.click()
        expect(offer).to_have_attribute("data-state", "kept")
        look(page, "home with a pack that is kept")
        page.evaluate(NOTE, ["t1", f"{club.url}me/played"])
        page.goto(f"{club.url}settings")
        refused = until(page, lambda noted: "done" in noted)
        assert refused["done"]["t1"].startswith("Line 1") and "waiting/t1" not in refused
        page.goto(club.url)
        expect(offer.get_by_role("status")).to_contain_text("A result of this device was refused: Line 1")
        small_pack(folder, b"newer code")
        page.reload()
        expect(offer).to_have_attribute("data-state", "old")
        offer.get_by_role("button", name="Get the new version").click()
        expect(offer).to_have_attribute("data-state", "kept")
        expect(offer.get_by_role("link", name="Race on this device")).to_be_visible()
        expect(offer.get_by_role("status")).to_be_hidden()  # it was said once
        page.goto(f"{club.url}offline")
        look(page, "no network")


def test_a_result_that_is_not_taken_waits_longer_each_time(browser: Browser, club: Server) -> None:
    """Home says so once, and what comes after it is sent."""
    with opened(browser, PHONE) as page:
        page.goto(club.url)
        offer = page.locator("#keep")
        offer.get_by_role("button", name="Keep Paddock on this device").click()
        expect(offer).to_have_attribute("data-state", "kept")
        page.evaluate(NOTE, ["t1", f"{club.url}me/nowhere"])
        page.goto(f"{club.url}settings")
        tried = until(page, lambda noted: "pause" in noted["waiting/t1"])["waiting/t1"]
        assert tried["pause"] == MINUTE
        page.goto(club.url)
        expect(offer.get_by_role("status")).to_contain_text("It is sent again later, by itself.")
        page.evaluate(NOTE, ["t2", f"{club.url}me/played"])
        page.goto(f"{club.url}settings")
        noted = until(page, lambda noted: "done" in noted)
        assert noted["waiting/t1"] == tried | {"said": True} and [*noted["done"]] == ["t2"]
        page.goto(club.url)
        page.evaluate(NOTE, ["t3", f"{club.url}me/nowhere"])
        page.evaluate(LATER, "t1")
        pauses = {"waiting/t1": 2 * MINUTE, "waiting/t3": MINUTE}  # a page tries until one is not taken
        while {game: page.evaluate(NOTED)[game].get("pause") for game in pauses} != pauses:
            page.goto(f"{club.url}settings")
