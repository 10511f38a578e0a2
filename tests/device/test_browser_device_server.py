"""A server offers its pack: a browser keeps it, the server stops, and its results join «My games» once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from device.conftest import BASE
from web.browser import answered, new_table, wait
from web.conftest import Server
from web.test_browser_offline import choose, moves, unsent

PHONE: Any = {"viewport": {"width": 375, "height": 667}}
SHORT = """async () => {
  const api = new URL("api/v1/", document.baseURI);
  const send = async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    return (await fetch(new URL(path, api), { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const [options, seats] = [{ deck: "r10-130 g10-130 k30 k90", games: 1 }, ["me", "rookie", "rookie"]];
  const { id } = await send("tables", { title: "rasant", options, seats, pace: "instant" });
  for (;;) {
    const { phase, asks } = await (await fetch(new URL(`tables/${id}`, api))).json();
    if (phase !== "play") return id;
    const ask = asks.find(({ committed }) => committed === null);
    const { seat, decision, moves } = ask ?? {};
    if (ask) await send(`tables/${id}/moves`, { seat, decision, move: moves[0].move });
    else await new Promise((done) => setTimeout(done, 50));
  }
}"""
WAITING = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("paddock-results:"));
  const notes = (await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))).flat();
  const done = (await (await caches.match("/device/results/done"))?.json()) ?? {};
  const games = notes.map(({ url }) => url.split("/results/")[1]).filter(Boolean);
  return [...games, ...Object.keys(done).map((game) => `done/${game}`)];
}"""


@pytest.fixture
def club(tmp_path: Path, packed: Path) -> Iterator[Server]:
    """A server with a pack, which may be stopped."""
    server = Server(tmp_path, PADDOCK_PACK=str(packed / BASE))
    server.deal("offered")
    yield server
    server.kill()


def noted(page: Page, kind: str, id: str) -> None:
    """Wait until the browser has noted a game of the device as one that waits, or that is sent."""
    while f"{kind}/{id}" not in page.evaluate(WAITING):
        page.wait_for_timeout(100)


@pytest.mark.slow("starts the browser's Python and plays in it")
@pytest.mark.timeout(900)
def test_results_of_a_device_without_a_network_join_my_games(browser: Browser, club: Server) -> None:
    """A table that was open sends its move when the server is back, once."""
    context = browser.new_context(**PHONE)
    home, table = context.new_page(), context.new_page()
    home.goto(club.url)
    offer = home.locator("#keep")
    expect(offer).to_have_attribute("data-state", "none")
    offer.get_by_role("button", name="Keep Paddock on this device").click()
    expect(offer).to_have_attribute("data-state", "kept")
    new_table(table, club.url, 1)
    assert wait(table)

    club.kill()
    sent = moves(table)
    choose(table)
    expect(unsent(table)).to_be_visible()
    home.goto(f"{club.url}me")
    expect(home.get_by_role("heading", level=1)).to_have_text("No network")
    home.get_by_role("link", name="Race on this device").click()
    pack = home.frame_locator("#frame")
    pack.get_by_role("button", name="Race now").click()  # while Python starts
    expect(pack.locator("#status")).to_be_visible()
    # The server's settings are not those of the device
    expect(pack.locator("html")).to_have_attribute("data-confirm", "secret")
    id = home.evaluate(SHORT)
    noted(home, "waiting", id)
    expect(home.locator("#way")).to_be_hidden()
    assert home.locator("body").evaluate("body => body.scrollHeight <= innerHeight")

    club.start()
    expect(unsent(table)).to_be_hidden()
    answered(table)
    assert len({request.post_data for request in sent}) == 1
    assert wait(table)
    home.locator("#way").click()
    expect(home.locator("#keep")).to_have_attribute("data-state", "kept")
    noted(home, "done", id)
    assert f"waiting/{id}" not in home.evaluate(WAITING)
    for _look in range(2):
        home.goto(f"{club.url}me")
        expect(home.locator(".past li")).to_have_count(1)
        expect(home.locator(".past li")).to_contain_text("on your device")
    home.goto(club.url)
    offer.get_by_text("Remove it").click()
    offer.get_by_role("button", name="Remove from this device").click()
    expect(offer).to_have_attribute("data-state", "none")
    kept = "async () => (await caches.keys()).filter((name) => /pack:|results|offline/.test(name))"
    assert home.evaluate(kept) == []
    context.close()
