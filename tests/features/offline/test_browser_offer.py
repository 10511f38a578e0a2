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
    """A damaged download keeps nothing, and says why."""
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
        keep.click()
        expect(offer).to_have_attribute("data-state", "kept")
        look(page, "home with a pack that is kept")
        small_pack(folder, b"newer code")
        page.reload()
        expect(offer).to_have_attribute("data-state", "old")
        offer.get_by_role("button", name="Get the new version").click()
        expect(offer).to_have_attribute("data-state", "kept")
        expect(offer.get_by_role("link", name="Race on this device")).to_be_visible()
        page.goto(f"{club.url}offline")
        look(page, "no network")
