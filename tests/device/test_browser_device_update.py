"""A newer pack: the old one goes on in the middle of a race, and the new one runs at the next opening."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
from device_bench import app_of, served
from paddock.device import pack

TIMES = "html[data-times]"
LONG = 240_000  # ms for a start of Python on a busy machine
HAS = """async (name) => {
    const all = await Promise.all((await caches.keys()).map(async (key) => (await caches.open(key)).keys()));
    return all.flat().filter(({ url }) => url.endsWith(name)).map(({ url }) => url.split("/").at(-2));
}"""


def newer(folder: Path) -> str:
    """Write the same pack with another style sheet, as another version; return that version."""
    (inside,) = (folder / "pack").iterdir()
    files = {path.name.removesuffix(pack.PACKED): path for path in inside.iterdir()}
    del files["files.json"]
    data = {
        name: gzip.decompress(path.read_bytes()) if path.name.endswith(pack.PACKED) else path.read_bytes()
        for name, path in files.items()
    }
    above = {name: (folder / name).read_bytes() for name in pack.ABOVE}
    above["index.html"] = above["index.html"].replace(inside.name.encode(), b"@VERSION@")
    return pack.write(folder, data | above | {"shell.css": data["shell.css"] + b"/* newer */"}).version


def kept(page: Page, version: str, *, whole: bool = True) -> None:
    """Wait until the browser has a version as a whole, or a part of it."""
    while version not in page.evaluate(HAS, "/files.json" if whole else "/code.zip"):
        page.wait_for_timeout(200)


@pytest.mark.slow("starts the browser's Python three times")
@pytest.mark.timeout(1200)
def test_a_newer_pack(browser: Browser, packed: Path, tmp_path: Path) -> None:
    """A download that breaks goes on with what is missing, a damaged file is told, and a race goes on."""
    folder = shutil.copytree(packed / "p", tmp_path / "p")
    old = json.loads((folder / "pack.json").read_text())["version"]
    with served(folder) as address:
        context = browser.new_context(viewport={"width": 375, "height": 667})
        page = context.new_page()
        damaged = folder / "pack" / old / "worker.js"
        script = damaged.read_bytes()
        damaged.write_bytes(b"damaged")
        page.goto(address)
        expect(page.locator("#more")).to_contain_text("worker.js: the download is damaged", timeout=60_000)
        damaged.write_bytes(script)
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}learn/rasant")  # a deep link, where no service worker knew it
        page.wait_for_selector(TIMES, timeout=LONG)
        expect(page.frame_locator("#frame").locator("h1")).to_contain_text("Rasant")
        assert not [url for url in asked if url.endswith(".packed")], "what had come is not asked for again"

        page.goto(address)
        page.frame_locator("#frame").locator("button.door").click()
        page.frame_locator("#frame").locator("#state[data-turn=yes]").wait_for(state="attached", timeout=LONG)
        new = newer(folder)
        words = folder / "pack" / new / "words.json"
        words.rename(tmp_path / "words.json")  # the download breaks there
        second = context.new_page()  # the first page answers for it
        second.goto(address)
        expect(second.locator("#frame")).to_be_visible(timeout=LONG)
        kept(second, new, whole=False)
        assert new not in second.evaluate(HAS, "/files.json")
        (tmp_path / "words.json").rename(words)
        second.goto(address)
        kept(second, new)
        assert old in page.evaluate(HAS, "/files.json"), "it runs"
        assert app_of(page).evaluate("location.reload()") is None
        expect(page.frame_locator("#frame").locator("#state[data-turn=yes]")).to_be_attached(timeout=LONG)
        second.close()

        page.reload()
        page.wait_for_selector(TIMES, timeout=LONG)
        assert new in str(page.locator("script").get_attribute("src"))
        expect(page.frame_locator("#frame").locator("#state[data-turn=yes]")).to_be_attached(timeout=LONG)
        while page.evaluate(HAS, "/files.json") != [new]:
            page.wait_for_timeout(200)
        context.close()
