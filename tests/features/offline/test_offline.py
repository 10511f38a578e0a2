"""A server with a pack offers it, sends its files and nothing else; without one it says nothing of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from features.offline.packs import small_pack
from paddock.features.offline.folder import Offered, file_of, offered
from paddock.server.app import create_app
from store.databases import prepared
from web.conftest import running

pytestmark = pytest.mark.anyio


def test_the_folder_of_a_pack(tmp_path: Path) -> None:
    """Its size is that of the files that are loaded; a name of anything else leads nowhere."""
    assert offered(None) is offered(tmp_path) is None
    folder = small_pack(tmp_path / "pack")
    version = json.loads((folder / "pack.json").read_text())["version"]
    files = json.loads((folder / "pack" / version / "files.json").read_text())
    assert offered(folder) == Offered(version, sum(file["bytes"] for file in files))
    (tmp_path / "secret.js").write_text("secret")
    (folder / "pack" / version / ".hidden").write_text("secret")
    page, code = file_of(folder, ""), file_of(folder, f"pack/{version}/code.zip.packed")
    assert page and code and (page.type, page.lasting) == ("text/html", False)
    assert (code.type, code.lasting) == ("application/octet-stream", True)
    nowhere = ["pack", "../secret.js", "/etc/passwd", f"pack/{version}/../../../secret.js", "index.html\n"]
    for name in [*nowhere, f"pack/{version}/.hidden", f"pack/{version}/..", f"pack/{version}/none.js"]:
        assert file_of(folder, name) is None, name
    (folder / "pack" / version / "files.json").write_text("[")
    assert offered(folder) is None, "it is being written"


async def test_a_server_offers_its_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be written while the server runs."""
    (folder := tmp_path / "pack").mkdir()
    monkeypatch.setenv("PADDOCK_PACK", str(folder))
    monkeypatch.setenv("PADDOCK_BASE_PATH", "/games")
    app = create_app(prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"))
    async with running(app) as client:
        assert 'id="keep"' not in (await client.get("/games/")).text
        small_pack(folder, b"x" * 3_000_000)
        home = (await client.get("/games/")).text
        offer = home[home.index('id="keep"') : home.index("</section>", home.index('id="keep"'))]
        assert 'data-device="/games/device/"' in offer and 'data-played="/games/me/played"' in offer
        assert re.search(r"Keep Paddock on this device \(\d MB\)", offer)
        page = await client.get("/games/device/")
        assert page.text.startswith("<!doctype html>") and page.headers["cache-control"] == "no-cache"
        assert "'wasm-unsafe-eval'" in page.headers["content-security-policy"]
        shell = re.search(r'src="(pack/\w+/shell\.js)"', page.text)
        assert shell
        script = await client.get(f"/games/device/{shell[1]}")
        assert script.headers["content-type"].startswith("text/javascript")
        assert "immutable" in script.headers["cache-control"]
        assert (await client.get("/games/device/pack.py")).status_code == 404
        address = re.search(r'data-page="([^"]+)"', offer)
        assert address
        away = (await client.get(address[1])).text
        assert 'href="/games/device/"' in away and "<nav" not in away and "action=" not in away
        both = (await client.get("/games/sw.js")).text
        assert "showNotification" in both and "paddock-offline:" in both
        dark = (await client.get("/games/", headers={"cookie": "theme=dark"})).text
        assert address[1] not in dark, "the kept page is another one"


async def test_without_a_pack_nothing_is_offered(tmp_path: Path) -> None:
    app = create_app(prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"))
    async with running(app) as client:
        assert 'id="keep"' not in (await client.get("/")).text
        for address in ("/device/", "/device/sw.js", "/offline"):
            assert (await client.get(address)).status_code == 404
