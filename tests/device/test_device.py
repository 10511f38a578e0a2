"""Paddock on a device: its cookies, its requests, and the files of the pack."""

from __future__ import annotations

import asyncio
import base64
import gc
import gzip
import hashlib
import json
import re
import sqlite3
from contextlib import closing
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from paddock.device import pack
from paddock.device.home import BASE, homes
from paddock.device.jar import Jar, ends, fits
from paddock.device.root import DATABASE, RunningApp, begin, do_chores, features, start
from paddock.store.errors import Newer
from paddock.store.schema import HEAD
from paddock.tables import Tables
from paddock.web.feature import Feature
from store.databases import prepared

POLICY = "default-src 'self'; frame-ancestors 'none'"


def test_jar(tmp_path: Path) -> None:
    """Cookies outlast the application, belong to their paths, and end when they say."""
    now = 1000.0
    jar = Jar(tmp_path / "cookies.sqlite3", lambda: now)
    jar.take(
        ["a=1; Path=/p; Max-Age=60; HttpOnly", "b=2; Path=/p/t/x", 'c="3 4"; Path=/p', "d=5; Path=/other"]
    )
    jar.take(["c=; Path=/p; Max-Age=0"])
    jar.close()
    again = Jar(tmp_path / "cookies.sqlite3", lambda: now)
    assert again.header("/p/t/x/move") == "b=2; a=1"
    assert again.header("/p/t/xy") == "a=1"
    now += 61
    assert again.header("/p/t/x") == "b=2"


def test_ends() -> None:
    """A date counts where there is no age."""
    dated = SimpleCookie("a=1; expires=Thu, 01 Jan 1970 00:01:00 GMT")["a"]
    assert ends(dated, 1000.0) == 60.0
    assert fits("/", "/p/t") and not fits("/p/t", "/p/table")


def test_answer(tmp_path: Path) -> None:
    """A request is as a browser would send it; pages may be framed; cookies stay here."""

    async def echo(request: Request) -> Response:
        told = {"form": (await request.body()).decode(), "cookie": request.headers.get("cookie", "")}
        response = PlainTextResponse(json.dumps(told | {"url": str(request.url)}))
        response.headers["content-security-policy"] = POLICY
        response.set_cookie("seat", "abc", path="/p")
        return response

    app = Starlette(routes=[Route("/p/t/{id}", echo, methods=["POST"])])
    device = RunningApp(app, Jar(tmp_path / "cookies.sqlite3"))

    def ask() -> tuple[list[list[str]], dict[str, str]]:
        heads, pieces = list[list[list[str]]](), list[bytes]()

        def send(kind: str, value: Any, headers: Any) -> None:
            if kind == "head":
                assert value == 200
                heads.append(headers)
            elif kind == "piece":
                pieces.append(value)

        address = "https://club.example/p/t/%C3%A4?x=1"
        asyncio.run(device.answer(1, "POST", address, [["Accept", "*/*"]], b"move=3", send))
        return heads[0], json.loads(b"".join(pieces))

    headers, told = ask()
    assert told == {"form": "move=3", "cookie": "", "url": "https://club.example/p/t/ä?x=1"}
    assert ["content-security-policy", POLICY.replace("none", "self")] in headers
    assert "set-cookie" not in dict(map(tuple, headers))
    assert ask()[1]["cookie"] == "seat=abc"


def test_settings_of_scripts(tmp_path: Path) -> None:
    """What the script of a page sets is kept, and what another site of the host sets is not."""
    jar = Jar(tmp_path / "cookies.sqlite3")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    device = RunningApp(app, jar, "/p")
    for number, cookies in enumerate(("theme=dark; cart=7; paddock_browser=x", "", "theme=light")):
        address = "http://localhost/p/learn"
        asyncio.run(device.answer(number, "GET", address, [], b"", lambda *_sent: None, cookies))
        assert jar.header("/p/") == f"theme={'light' if number == 2 else 'dark'}"
    assert jar.header("/") == ""


def test_leave(tmp_path: Path) -> None:
    """A stream ends when its page is gone."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        assert (await receive())["type"] == "http.request"
        assert (await receive())["type"] == "http.disconnect"

    async def run() -> None:
        device = RunningApp(app, Jar(tmp_path / "cookies.sqlite3"))
        answer = asyncio.create_task(
            device.answer(7, "GET", "http://localhost/p/stream", [], b"", lambda *_sent: None)
        )
        await asyncio.sleep(0)
        assert not answer.done()
        device.leave(7)
        await asyncio.wait_for(answer, 5)
        device.leave(7)  # nobody is there any longer

    asyncio.run(run())


def test_start(tmp_path: Path) -> None:
    """The application answers below its path, and what it does by itself goes on while nobody asks."""

    async def run() -> tuple[int, list[Any]]:
        device = await start("/p", str(tmp_path))
        async with device.running:
            gc.collect()
            await asyncio.sleep(0.1)
            going = len(asyncio.all_tasks())
            heads = list[Any]()
            await device.answer(
                1, "GET", "http://localhost:8000/p/healthz", [], b"", lambda *sent: heads.append(sent)
            )
            return going, heads

    going, heads = asyncio.run(run())
    assert going > 2
    assert heads[0][:2] == ("head", 200)


def test_chores(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One that fails is told, and the others are done."""
    done = list[str]()

    async def fail(_tables: Tables) -> None:
        raise ValueError("no room")

    async def work(_tables: Tables) -> None:
        done.append("work")

    async def run() -> None:
        async with Tables.open(prepared(f"sqlite:///{tmp_path / DATABASE}")) as tables:
            chores = [
                Feature("paddock.one.feature", chores=fail),
                Feature("paddock.two.feature", chores=work),
            ]
            await do_chores(tables, chores, later=0)

    asyncio.run(run())
    assert done == ["work"]
    assert "could not do the chores of paddock.one" in caplog.text and "no room" in caplog.text


def test_newer(tmp_path: Path) -> None:
    """A database of a newer version is refused, and stays as it is."""
    file = tmp_path / DATABASE
    file.write_bytes(pack.fresh().replace(HEAD.encode(), b"9" * len(HEAD)))

    def rows() -> list[str]:
        with closing(sqlite3.connect(file)) as database:
            return [*database.iterdump()]

    before = rows()
    with pytest.raises(Newer, match="created by a newer version"):
        asyncio.run(start("", str(tmp_path)))
    assert rows() == before


def test_features() -> None:
    """What several people or a network are needed for is left out."""
    names = {feature.package.rpartition(".")[2] for feature in features()}
    assert {"analyses", "puzzles", "mygames"} <= names
    assert not names & {"operating", "pairing", "reach", "watching"}


def test_write(tmp_path: Path) -> None:
    """The list has the hash of each file as it is unpacked, and a version follows from the contents alone."""
    missing = b"<meta content='sha256-@HASH@'><script>1</script>"
    files = {
        "code.zip": b"a" * 5000,
        "shell.js": b"b" * 5000,
        "index.html": b"<link href=pack/@VERSION@/x>",
        "sw.js": b"1",
        "404.html": missing,
    }
    written = pack.write(tmp_path, files)
    inside = tmp_path / "pack" / written.version
    assert {path.name for path in inside.iterdir()} == {"code.zip.packed", "shell.js", "files.json"}
    code, script = json.loads((inside / "files.json").read_bytes())
    unpacked = gzip.decompress((inside / "code.zip.packed").read_bytes())
    assert hashlib.sha256(unpacked).hexdigest() == code["hash"]
    assert (code["bytes"] + 5000, script["packed"]) == (written.bytes, False)
    assert written.version in (tmp_path / "index.html").read_text()
    digest = base64.b64encode(hashlib.sha256(b"1").digest()).decode()
    assert f"sha256-{digest}" in (tmp_path / "404.html").read_text()
    assert pack.write(tmp_path, files).version == written.version
    newer = pack.write(tmp_path, files | {"404.html": b"2"}).version
    assert [path.name for path in (tmp_path / "pack").iterdir()] == [newer]


def test_fresh(tmp_path: Path) -> None:
    """A new database has the tables that migrations make, and no migration runs; another stays as it is."""

    def tables(file: Path) -> list[Any]:
        with closing(sqlite3.connect(file)) as database:
            return database.execute("SELECT * FROM sqlite_master ORDER BY name").fetchall()

    fresh, new, migrated = tmp_path / "fresh.sqlite3", tmp_path / "new.sqlite3", tmp_path / DATABASE
    fresh.write_bytes(pack.fresh())
    new.touch()
    begin(new, fresh)
    asyncio.run(started(tmp_path))

    def plain(rows: list[Any]) -> list[Any]:
        return [row[:3] + row[4:] for row in rows]  # without the page that each begins on

    assert plain(tables(new)) == plain(tables(migrated)) != []
    with closing(sqlite3.connect(new)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    before = migrated.read_bytes()
    begin(migrated, fresh)
    assert migrated.read_bytes() == before


async def started(folder: Path) -> None:
    """Start the application with a new database, and stop it."""
    device = await start("", str(folder))
    await device.running.aclose()


def test_homes() -> None:
    """Home is there in each language without scripts; what it names is beside it, other addresses above."""
    files = homes()
    for code in ("en", "de", "fr"):
        page = files[f"home.{code}.html"].decode()
        assert f'<html lang="{code}"' in page
        assert "<script" not in page and BASE not in page
        assert 'action="../../tables"' in page
        named = set(re.findall(r'(?:href|src)="([^"/#?:]+)"', page))
        assert {"house.css", "home.css"} <= named <= files.keys()


def test_other_folder(tmp_path: Path) -> None:
    """A folder of something else stays as it is."""
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(pack.PackError, match="name an empty folder"):
        pack.pack(tmp_path, tmp_path, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_collected() -> None:
    """Paddock and what it needs are there, without what only a computer uses."""
    names = {name for name, _data in pack.of_paddock()}
    assert {"paddock/device/jar.py", "paddock/games/lacorsa/rulebook.py"} <= names
    assert not any(name.startswith(("paddock/lab/", "paddock/cli")) for name in names)
    packages = {pack.canonical(package.name) for package in pack.needed(pack.DISTRIBUTION)}
    assert {"fastapi", "starlette", "pydantic-core", "jinja2", "markupsafe"} <= packages
    assert not packages & pack.LEFT_OUT
    with pytest.raises(pack.PackError, match="no wheel pydantic_core"):
        list(pack.collect(Path("nowhere")))


def test_networks() -> None:
    """Those that play are in the pack, stages of training are not."""
    networks = {Path(name).stem for name, _data in pack.of_paddock() if name.endswith(".npz")}
    assert {"4", "5", "two-2", "large", "half", "full"} <= networks
    assert not {"4-start", "4-present", "half-west"} & networks


def test_words() -> None:
    """The loader speaks every language of Paddock."""
    said = json.loads(pack.words())
    assert said["en"]["starts"] == "Paddock starts …"
    assert said["de"]["starts"] == "Paddock startet …"
    assert {"{n}", "{of}"} <= set(said["de"]["bytes"].split())
