"""Paddock as an installed app: its manifest and icons."""

from __future__ import annotations

import re
import struct

import httpx
import pytest

from web.test_look import HOUSE, tokens

pytestmark = pytest.mark.anyio


async def test_the_manifest_describes_the_app_and_every_icon_is_what_it_says(
    client: httpx.AsyncClient,
) -> None:
    home = (await client.get("/")).text
    link = re.search(r'<link rel="manifest" href="([^"]+)"', home)
    assert link
    answer = await client.get(link[1])
    assert answer.headers["content-type"] == "application/manifest+json"
    said = answer.json()
    assert (said["name"], said["start_url"], said["display"]) == ("Paddock", "/", "standalone")
    assert {(icon["sizes"], icon["purpose"]) for icon in said["icons"]} == {
        ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"),
    }  # fmt: skip
    touch = (await client.get("/apple-touch-icon.png")).headers["location"]
    for icon in [*said["icons"], {"src": touch, "type": "image/png", "sizes": "180x180"}]:
        got = await client.get(icon["src"])
        assert got.headers["content-type"] == icon["type"] == "image/png"
        assert "immutable" in got.headers["cache-control"]
        width, height = struct.unpack(">II", got.content[16:24])
        assert f"{width}x{height}" == icon["sizes"]
        assert len(got.content) < 24_000


async def test_the_colours_of_the_frame_are_those_of_the_page(client: httpx.AsyncClient) -> None:
    paper = [tokens(HOUSE, theme)["--paper"] for theme in (0, 1)]
    for theme, expected in (("auto", paper), ("dark", paper[1:] * 2), ("light", paper[:1] * 2)):
        client.cookies.clear()  # of two cookies with one name, a client sends both
        client.cookies.set("theme", theme)
        home = (await client.get("/")).text
        assert re.findall(r'<meta name="theme-color" media="[^"]+" content="([^"]+)">', home) == expected
    assert (await client.get("/manifest.webmanifest")).json()["theme_color"] == paper[0]
