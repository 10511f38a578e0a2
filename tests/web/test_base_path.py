"""A server below a path of its host: no page, script or header names an address outside it."""

from __future__ import annotations

import html
import json
import re
import subprocess
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from playwright.sync_api import Page, expect

from paddock.core.settings import OURS, BadSetting, Settings
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.web.links import within
from sampling import count, some
from store.databases import prepared
from web.browser import LACORSA, RASANT, hurry, new_table, record, skip, watch
from web.conftest import Server, running
from web.helpers import HUMANS, finish, forms
from web.helpers import RASANT as SHORT_RASANT
from web.test_proxies import CHEAP, a_port

SOURCES = Path(__file__).parents[2] / "src" / "paddock"
HOST = Path(__file__).parents[2] / "docs" / "host.md"
BASE = "/games"
SITE = "http://paddock.test"
# What a browser takes for an address: in an attribute, a style sheet, or a text of a script or of JSON.
ADDRESS = re.compile(r"""(?:=|\(|:|,|\[|\s)\s*["'`]?(/(?!/)[A-Za-z][^"'`)\s<>,]*)["'`)]""")
NUMBER = re.compile(r"(?<==)\d+")  # such as a step of a replay
NOT_VISITED = (
    "/stream",
    "/preview.png",
    "/openapi.json",
)  # they do not end, or cost much, or are checked apart
WRITTEN = re.compile(r"""(?:href|src|action|poster|content|data-[a-z-]+)=["']/|["'`]/[a-z]+/""")


@pytest.fixture
def below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """An application below ``/games``, whose tables other sites may show."""
    for name, value in {"BASE_PATH": "games/", "EMBED": "*", "RATE_ADDRESS": "0", "RATE_HOLDER": "0"}.items():
        monkeypatch.setenv(f"PADDOCK_{name}", value)
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    return create_app(database, chance=Seeded(7), pace="instant")


class Visitor:
    """A browser without scripts that looks at everything it gets for addresses outside the base path."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.found: deque[str] = deque()
        self.seen = set[str]()
        self.kinds = Counter[str]()

    async def get(self, path: str) -> httpx.Response:
        return self.look(await self.client.get(path))

    async def post(self, path: str, **data: str) -> httpx.Response:
        return self.look(await self.client.post(path, data=data))

    async def send(self, path: str, **data: str) -> str:
        """Send a form, and return where it leads to."""
        answer = await self.post(path, **data)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def look(self, answer: httpx.Response) -> httpx.Response:
        """Check an answer, and note the addresses in it."""
        for name, value in answer.headers.multi_items():
            if name in ("location", "content-location"):
                self.check(value, answer)
            elif name == "set-cookie":
                path = re.search(r"[Pp]ath=([^;]*)", value)
                assert path and path[1].startswith(f"{BASE}/"), value
            elif name == "link":
                for one in re.findall(r"<([^>]*)>", value):
                    self.check(one, answer)
        if answer.headers.get("content-type", "").startswith(("text/", "application/")):
            for one in ADDRESS.findall(answer.text):
                self.check(html.unescape(one), answer)
            for one in re.findall(rf"{SITE}(/[^\"'&<>\s]*)?", answer.text):
                self.check(one or "/", answer)
        return answer

    def check(self, address: str, answer: httpx.Response) -> None:
        """Refuse an address outside the base path, and note it for a visit otherwise."""
        whole = urlsplit(urljoin(str(answer.url), address))
        if whole.netloc == urlsplit(SITE).netloc:
            assert whole.path.startswith(f"{BASE}/"), f"{answer.url}: {address}"
            self.found.append(whole.path + (f"?{whole.query}" if whole.query else ""))

    async def visit_all(self, most: int) -> int:
        """Look at everything that was named; return how much that was."""
        visited = 0
        while self.found and len(self.seen) < most:
            path = self.found.popleft()
            if path in self.seen or path.partition("?")[0].endswith(
                ("/stream", "/preview.png", "/openapi.json")
            ):
                continue
            self.seen.add(path)
            kind = NUMBER.sub("", path)
            self.kinds[kind] += 1
            if self.kinds[kind] > count(2, 400):
                continue  # two steps of each replay are enough for a sample
            answer = await self.get(path)
            assert answer.status_code in (200, 204, 303, 403, 404, 405, 409), f"{path}: {answer.status_code}"
            visited += 1
        return visited


@pytest.mark.slow("looks at every page, script and style sheet")
@pytest.mark.anyio
async def test_everything_that_a_visitor_gets_stays_below_the_path(below: FastAPI) -> None:
    async with running(below) as client:
        ana = Visitor(client)
        assert (await ana.get(BASE)).headers["location"] == f"{BASE}/"
        assert (await ana.get(f"{BASE}?title=rasant")).headers["location"] == f"{BASE}/?title=rasant"
        home = await ana.get(f"{BASE}/")
        assert home.status_code == 200
        # A table of every phase: a lobby, one person's turn, a curtain, a finished game, a lesson.
        seats = {"who-1": "me", "name-1": "Ana"} | {f"who-{i}": "rookie" for i in range(2, 7)}
        for fields in (HUMANS, SHORT_RASANT, HUMANS | seats, HUMANS | seats | {"who-2": "open"}):
            path = await ana.send(f"{BASE}/tables", **fields)
            text = (await ana.get(path)).text
            assert path.startswith(f"{BASE}/t/")
            for form in forms(text)[:1]:
                await ana.post(f"{path}/move", **form.data())
                await ana.post(
                    f"{path}/move", **form.data() | {"move": "nonsense"}
                )  # a refusal with its clause
            await ana.post(f"{path}/embed", allow="yes")
            await ana.get(f"{path}/embed")
            await ana.post(f"{path}/sit", player="0")
            await ana.get(path)
            await ana.post(f"{path}/recovery", player="0")
        for kind in (LACORSA, RASANT):
            await ana.send(f"{BASE}/records", record=record(kind))
        lesson = await ana.send(f"{BASE}/learn/lacorsa")
        await ana.get(lesson)
        for back, leads in ((lesson, lesson), ("/elsewhere", f"{BASE}/"), ("//evil.example", f"{BASE}/")):
            assert await ana.send(f"{BASE}/settings", theme="dark", back=back) == leads
        manifest = (await ana.get(f"{BASE}/manifest.webmanifest")).json()
        assert {manifest["id"], manifest["start_url"], manifest["scope"]} == {f"{BASE}/"}
        described = (await client.get(f"{BASE}/api/v1/openapi.json")).json()  # its paths follow the server's
        assert [one["url"] for one in described["servers"]] == [f"{BASE}/api/v1"]
        assert (await ana.get(f"{BASE}/no/such/page")).status_code == 404
        assert await ana.visit_all(400) > 80
        kinds = {path.split("/")[2].partition("?")[0] for path in ana.seen}
        assert kinds >= {"", "learn", "manifest.webmanifest", "new", "rules", "static", "t"}


@pytest.mark.anyio
async def test_the_api_says_addresses_below_the_path(below: FastAPI) -> None:
    async with running(below) as client:
        api = f"{BASE}/api/v1"
        token = (await client.post(f"{api}/tokens", json={"label": "bot"})).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        asked = {"title": "lacorsa", "options": {"races": 1}, "seats": ["me", *["rookie"] * 3]}
        made = await client.post(f"{api}/tables", json=asked)
        assert made.status_code == 201, made.text
        id = made.json()["id"]
        secret = (await client.post(f"{api}/tables/{id}/seats/0/recovery")).json()
        assert secret["path"] == f"{BASE}/t/{id}/seat/{secret['secret']}"
        # The two requests that are answered without FastAPI's search are answered below a path too.
        assert (await client.get(f"{api}/tables/{id}")).json()["id"] == id
        table = await below.state.tables.table(id)
        refused = await client.post(f"{api}/tables/{id}/moves", json={"decision": 1, "move": "nonsense"})
        assert refused.status_code in (409, 422)
        await finish(client, f"/t/{id}")
        assert table.game.over
        again = await client.post(f"{api}/tables/{id}/rematch", follow_redirects=True)
        assert again.json()["id"] != id


@pytest.mark.anyio
async def test_a_stream_says_addresses_below_the_path(below: FastAPI) -> None:
    async with running(below) as client:
        seats = {"who-1": "me", "name-1": "Ana", "who-2": "open"}
        answer = await client.post(f"{BASE}/tables", data=HUMANS | seats)
        path = answer.headers["location"]
        stream = re.search(r'data-stream="([^"]+)"', (await client.get(path)).text)
        assert stream and stream[1].startswith(f"{path}/stream?")
        # Another person's page makes the text that the streams of all send.
        part = await client.get(path, headers={"paddock-part": "main"})
        assert f'"{BASE}/t/' in part.text
        assert not [one for one in ADDRESS.findall(part.text) if not one.startswith(f"{BASE}/")]


@pytest.mark.anyio
async def test_a_proxy_may_remove_the_path(below: FastAPI) -> None:
    async with running(below) as client:
        for path in ("/", "/healthz", "/rules/lacorsa", "/api/v1/titles"):
            assert (await client.get(path)).status_code == 200
            assert (await client.get(f"{BASE}{path}")).status_code == 200
        assert f'href="{BASE}/rules/lacorsa"' in (await client.get("/")).text
        assert (await client.get("/games/games/")).status_code == 404
        assert (await client.get("/gamesroom")).status_code == 404
        # What is refused before any page is looked for is refused below the path too.
        assert (await client.get(f"{BASE}/api/v1/titles", headers={"host": "evil.example"})).json()["error"]


def test_no_template_and_no_script_writes_an_address_itself() -> None:
    files = [one for kind in ("html", "js") for one in SOURCES.rglob(f"web/**/*.{kind}")]
    assert len(files) > 60
    for file in files:
        if "vendor" not in file.parts:
            for number, line in enumerate(file.read_text().splitlines(), 1):
                made = re.sub(r"\{\{ link\(.*?\) \}\}|link\('/'\)", "", line)
                assert not WRITTEN.search(made), f"{file}:{number}: {line}"


def test_a_base_path_is_no_page_of_ours() -> None:
    first = {path.split("/")[1] for path in paths(create_app("sqlite://", settings=Settings()).routes)}
    assert {"t", "daily", "puzzles"} <= first and first - {""} | {"api"} <= OURS


def paths(routes: Iterable[Any]) -> Iterator[str]:
    """Yield the paths of all routes; FastAPI keeps those of a router together."""
    for route in routes:
        if inner := getattr(route, "original_router", None):
            yield from paths(inner.routes)
        else:
            yield route.path


@pytest.mark.parametrize(
    ("written", "read"), [("/games", "/games"), ("games/", "/games"), ("/a/b.c-d/", "/a/b.c-d"), ("/", "")]
)
def test_a_base_path_is_written_in_any_way(written: str, read: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_BASE_PATH", written)
    assert Settings.read().base_path == read


@pytest.mark.parametrize(
    "bad", ["/t", "/api/x", "/a//b", "/a b", "/../x", "/ä", "https://x.example/a", "/a?b"]
)
def test_a_bad_base_path_is_refused(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_BASE_PATH", bad)
    with pytest.raises(BadSetting, match=r"PADDOCK_BASE_PATH=.*: write a path such as /games"):
        Settings.read()


def test_within() -> None:
    assert within("/games", "/games/t/a") == "/t/a"
    assert within("/games", "/gamesroom") == "/gamesroom"
    assert within("", "/t/a") == "/t/a"


# ---- behind real proxies --------------------------------------------------------------------------


def example(language: str) -> str:
    """Return the example of the documentation for a proxy of a server below a path."""
    section = HOST.read_text().partition("\n## Below a path\n")[2].partition("\n## ")[0]
    found = re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found
    return found[1]


def caddy(folder: Path, port: int, server: str) -> list[str]:
    file = folder / "Caddyfile"
    config = example("text").replace("club.example", f"http://127.0.0.1:{port}", 1)
    file.write_text("{\n\tadmin off\n}\n" + config.replace("127.0.0.1:8000", server))
    return ["run", "--config", str(file), "--adapter", "caddyfile"]


def nginx(folder: Path, port: int, server: str) -> list[str]:
    file = folder / "nginx.conf"
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    block = f"server {{\nlisten 127.0.0.1:{port};\n{example('nginx')}}}\n".replace("127.0.0.1:8000", server)
    file.write_text(f"pid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{block}}}\n")
    return ["-p", str(folder), "-c", str(file), "-e", str(folder / "errors"), "-g", "daemon off;"]


PROXIES = {"caddy": caddy, "nginx": nginx}


@contextmanager
def proxied(program: str, name: str, folder: Path, server: str) -> Iterator[str]:
    """A proxy as in the documentation, in front of a server below ``/games``; yields its address."""
    port = a_port()
    environment = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [program, *PROXIES[name](folder, port, server)]
    with subprocess.Popen(command, env=environment, stderr=(folder / "said").open("w")) as process:
        try:
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/", **CHEAP)
                    break
                except httpx.TransportError:
                    assert process.poll() is None, (folder / "said").read_text()
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/games/"
        finally:
            process.terminate()


@pytest.mark.browser
@pytest.mark.slow("starts a server, a proxy and a browser, which plays a race")
@pytest.mark.parametrize("name", some(list(PROXIES), 1, "proxies"))
def test_a_race_behind_a_proxy(program: str, page: Page, tmp_path: Path, name: str) -> None:
    server = Server(tmp_path, PADDOCK_BASE_PATH="/games", PADDOCK_TRUSTED_PROXIES="127.0.0.1")
    server.deal(name)
    try:
        assert server.url.endswith("/games/")
        with proxied(program, name, tmp_path, urlsplit(server.url).netloc) as url:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            faults = watch(page)
            page.goto(url.rstrip("/"))
            expect(page).to_have_url(url)
            page.locator("button[data-opens=settings], summary, [data-opens]").first.click()
            page.evaluate("document.querySelector('#settings input[value=dark]').click()")
            page.reload()
            expect(page.locator("html")).to_have_attribute("data-theme", "dark")
            new_table(page, url, 1, kind=LACORSA)
            assert hurry(page, moves=2) == [2]
            skip(page)
            page.get_by_role("link", name="Step through").click()
            page.wait_for_url("**/replay*")
            page.get_by_role("link", name="Paddock").first.click()
            expect(page).to_have_url(url)
            expect(page.get_by_text("finished").first).to_be_visible()
            assert any("/stream?" in address for address in asked), "the stream reached the page"
            assert all(address.startswith(url) for address in asked if address != url.rstrip("/")), asked
            cookies = {one["name"]: one["path"] for one in page.context.cookies()}
            del cookies["confirm"]  # which the test has set
            assert set(cookies.values()) <= {"/games/"} | {path for path in cookies.values() if "/t/" in path}
            assert not faults
    finally:
        server.stop()
    assert json.dumps(server.lines).count("Traceback") == 0
