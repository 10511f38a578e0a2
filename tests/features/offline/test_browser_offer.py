"""The offer to keep Paddock on this device, in a real browser: kept, renewed, damaged; axe finds nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from features.offline.packs import small_pack
from web.conftest import Server
from web.test_browser_axe import PHONE, look, opened

# A game as the pack notes one that is over
FORGED = """async () => {
  const base = new URL(document.getElementById("keep").dataset.device, location.origin);
  const ended = "2026-03-01T12:00:00Z";
  const game = { game: "t1", title: "lacorsa", ended, place: 1, points: 99, others: [] };
  const noted = Response.json({ game: JSON.stringify(game), record: "I have won." });
  const cache = await caches.open(`paddock-results:${base.pathname}`);
  await cache.put(new URL("results/waiting/t1", base), noted);
}"""

SENT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("paddock-results:"));
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().some(({ url }) => url.endsWith("/results/done/t1"));
}"""


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
        page.evaluate(FORGED)
        page.goto(f"{club.url}settings")  # it is sent before a page is shown, or on a busy machine behind it
        while not page.evaluate(SENT):
            page.wait_for_timeout(50)
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
