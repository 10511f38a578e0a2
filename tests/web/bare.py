"""A process without the packages that a browser's Python lacks: it plays at tables of all titles.

``BLOCK`` is what its ``sitecustomize.py`` says, in the workers that it starts, too.
"""

from __future__ import annotations

import asyncio
import html
import re
import sys
from pathlib import Path

import httpx

from paddock.server.app import create_app
from store.databases import prepared
from web.api_helpers import API
from web.conftest import running
from web.helpers import finish, forms, page, settled, table, tables_of, turn

PACKAGES = (
    "brotli", "cryptography", "httptools", "llvmlite", "numba", "numpy", "orjson", "resvg_py",
    "uvicorn", "uvloop",
)  # fmt: skip
BLOCK = f"import sys\nsys.modules.update(dict.fromkeys({PACKAGES}))\n"
RIVALS = {"lacorsa": "champion", "great_race": "champion", "rasant": "club"}
MOVES = 4
SEEN = set[str]()  # links that were followed


async def look(client: httpx.AsyncClient, text: str) -> None:
    """Follow the links of a page, and load its files: none is dead, and none needs what is missing."""
    links = re.findall(r'(?:href|src|content)="((?:http://paddock\.test)?/[^"#]*)"', text)
    assert links
    for link in {html.unescape(link) for link in links}:
        assert "/reach" not in link and "/preview.png" not in link, link
        if link not in SEEN:
            SEEN.add(link)
            answer = await client.get(link)
            assert answer.status_code in (200, 303), (link, answer.status_code)


async def hinted(client: httpx.AsyncClient) -> None:
    """A worker gives a hint without the compiler."""
    path = await table(client, title="lacorsa", drivers="2", **{"who-2": "club"})
    known = await tables_of(client).table(path.rpartition("/")[2])
    await turn(tables_of(client), known)
    asked = {"step": "worth", "decision": str(known.decision)}
    for _ in range(20):  # on a busy machine, a worker takes long to start
        hint = (await client.post(f"{path}/hint", data=asked)).text
        if "data-later-step" not in hint:
            break
    assert "There is time for few games here" in hint and hint.count("±") > 5


async def play(folder: Path) -> None:
    """Play some moves of each title against bots, and look at what is seen beside them."""
    app = create_app(prepared(f"sqlite:///{folder / 'tables.sqlite3'}"), pace="instant")
    async with running(app) as client:
        for title, level in RIVALS.items():
            path = await table(client, title=title, **{f"who-{n}": level for n in range(2, 7)})
            known = await tables_of(client).table(path.rpartition("/")[2])
            for _ in range(MOVES):
                await settled(tables_of(client), known)
                text = await page(client, path)
                answer = await client.post(f"{path}/move", data=forms(text)[0].data())
                assert answer.status_code == 303, answer.text
            await settled(tables_of(client), known)
            assert {entry.by for entry in known.game.log} > {0, 1}, "bots have moved"
            said = await client.get(f"{API}{path.replace('/t/', '/tables/')}")
            assert said.json()["id"] == known.id
            await look(client, text)
        await hinted(client)
        path = await table(client, title="rasant")
        await finish(client, path)
        for where in (path, f"{path}/replay", "/", "/new/lacorsa", "/rules/lacorsa"):
            await look(client, (await client.get(where)).text)
    missing = [name for name in PACKAGES if sys.modules.get(name) is not None]
    assert not missing, missing
    print("played", *RIVALS)


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1])))
