"""The bar of every page: its places, and how many things wait there."""

from __future__ import annotations

import re

import httpx
import pytest

from web.helpers import table

pytestmark = pytest.mark.anyio
PAGE = {"accept": "text/html"}


def bar(page: str) -> list[str]:
    """Return the addresses in the bar of a page."""
    inside = page.partition('<nav class="bar"')[2].partition("<details")[0]
    return re.findall(r'href="([^"]+)"', inside)


def waiting(page: str) -> list[str]:
    """Return the numbers in the bar of a page."""
    inside = page.partition('<nav class="bar"')[2].partition("<details")[0]
    return re.findall(r'class="awaiting">(\d+)', inside)


async def test_every_page_leads_to_the_places_and_marks_the_current_one(client: httpx.AsyncClient) -> None:
    for address in ("/", "/puzzles", "/me", "/rules/rasant", "/nothing-is-here"):
        page = (await client.get(address, headers=PAGE)).text
        places = bar(page)
        assert places[0] == "/me" and "/daily" in places and "/puzzles" in places
        assert places[-1] == ("/learn/rasant" if "rasant" in address else "/learn/lacorsa")
        assert f'href="{address}" aria-current="page"' in page or address not in places


async def test_the_bar_counts_the_tables_that_wait_for_a_page_and_not_for_an_update(
    client: httpx.AsyncClient,
) -> None:
    assert waiting((await client.get("/puzzles", headers=PAGE)).text) == []
    path = await table(client)
    await table(client)
    assert waiting((await client.get("/puzzles", headers=PAGE)).text) == ["2"]
    assert waiting((await client.get("/puzzles", headers={"accept": "*/*"})).text) == []
    update = await client.get(path, headers={"paddock-part": "main"})
    assert 'class="bar"' not in update.text and 'class="awaiting"' not in update.text
