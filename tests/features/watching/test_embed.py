"""Tables in frames on other sites: only where the server and the host allow it; read-only; nothing hidden."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from paddock.core.settings import BadSetting, Settings
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.web.guard import POLICY
from web.conftest import running
from web.helpers import finish, forms, page, settled, table

pytestmark = pytest.mark.anyio
SITE = "https://club.example"
YES, NO = {"allow": "yes"}, {"allow": "no"}
ALONE = {"who-1": "me", "name-1": "Ana"} | {f"who-{i}": "rookie" for i in range(2, 7)}
KEPT = Path(__file__).parents[2] / "kept" / "records" / "complete-nobody-finishes.txt"


@pytest.fixture
async def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that lets one site show its tables."""
    monkeypatch.setenv("PADDOCK_EMBED", SITE)
    app = create_app(f"sqlite:///{tmp_path / 'opened.sqlite3'}", chance=Seeded(7), pace="instant")
    async with running(app) as client:
        yield client


async def test_a_server_lets_no_site_show_its_tables_by_default(client: httpx.AsyncClient) -> None:
    path = await table(client)
    await client.post(f"{path}/embed", data=YES)
    answer = await client.get(f"{path}/embed")
    assert answer.status_code == 403
    assert "This server does not let other sites show its tables." in answer.text
    assert answer.headers["content-security-policy"] == POLICY
    assert "frame-ancestors 'none'" in POLICY
    assert (await client.get(f"{path}/embed/stream")).status_code == 403
    for shown in (path, f"{path}/replay"):
        assert "iframe" not in (await client.get(shown)).text


async def test_the_host_allows_it_and_forbids_it_again(opened: httpx.AsyncClient) -> None:
    path = await table(opened, **ALONE)
    refused = await opened.get(f"{path}/embed")
    assert refused.status_code == 403
    assert "has not allowed other sites to show it" in refused.text
    assert "lacorsa" not in refused.text.lower()
    assert "Allow other sites to show this table" in (await opened.get(path)).text
    assert (await opened.post(f"{path}/embed", data=YES)).status_code == 303
    shown = await opened.get(f"{path}/embed")
    assert shown.status_code == 200
    assert shown.headers["content-security-policy"].endswith(f"; frame-ancestors {SITE}")
    assert (await opened.post(f"{path}/embed", data=NO)).status_code == 303
    assert (await opened.get(f"{path}/embed")).status_code == 403
    assert (await opened.get(f"{path}/embed/stream")).status_code == 403


async def test_nobody_else_decides(opened: httpx.AsyncClient) -> None:
    path = await table(opened, **ALONE)
    opened.cookies.clear()
    assert "other sites" not in (await opened.get(path)).text
    assert (await opened.post(f"{path}/embed", data=YES)).status_code == 403
    assert (await opened.get(f"{path}/embed")).status_code == 403


async def test_other_pages_are_never_shown_in_frames(opened: httpx.AsyncClient) -> None:
    path = await table(opened, **ALONE)
    await opened.post(f"{path}/embed", data=YES)
    for shown in ("/", path, f"{path}/record", "/rules/lacorsa"):
        assert (await opened.get(shown)).headers["content-security-policy"] == POLICY


async def test_a_frame_shows_a_player_what_it_shows_a_spectator(opened: httpx.AsyncClient) -> None:
    """It has no form, sets no cookie, and reads none."""
    path = await table(opened, **ALONE)
    await opened.post(f"{path}/embed", data=YES)
    await opened.get(path)  # a page renews what it carries
    tables = opened._transport.app.state.tables  # type: ignore[attr-defined]
    here = await tables.table(path.rpartition("/")[2])
    for _move in range(3):
        await settled(tables, here)
        mine = await opened.get(f"{path}/embed")
        assert "<form" not in mine.text and "set-cookie" not in mine.headers
        assert 'data-stream="/t/' in mine.text
        cookies = dict(opened.cookies)
        opened.cookies.clear()
        assert (await opened.get(f"{path}/embed")).text == mine.text
        opened.cookies.update(cookies)
        await opened.post(f"{path}/move", data=forms(await page(opened, path))[0].data())


async def test_a_hidden_commitment_does_not_change_a_frame(opened: httpx.AsyncClient) -> None:
    shown = []
    for choice in (0, -1):
        path = await table(opened, **{"who-1": "me", "who-2": "me"})
        await opened.post(f"{path}/embed", data=YES)
        form = forms(await page(opened, path))[0]
        await opened.post(f"{path}/move", data=form.data(form.moves[choice]))
        text = (await opened.get(f"{path}/embed")).text
        shown.append(re.sub(r'data-digest="\w+"', "", text.replace(path, "")))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("title", ["lacorsa", "rasant"])
async def test_a_finished_game_is_a_replay(opened: httpx.AsyncClient, title: str) -> None:
    path = await table(opened, title=title, **{"who-1": "me"})
    await finish(opened, path)
    await opened.post(f"{path}/embed", data=YES)
    podium = (await opened.get(path)).text
    code = re.search(r'id="frame"[^>]*value="([^"]*)"', podium)
    assert code
    source = re.search(r'<iframe src="([^"]*)"', html.unescape(code[1]))
    assert source and source[1] == f"http://paddock.test{path}/embed?step=0"
    first, last = (await opened.get(source[1])).text, (await opened.get(f"{path}/embed")).text
    assert "<form" not in first + last
    assert 'data-step="forward"' in first and 'data-step="back"' not in first
    assert 'data-step="back"' in last and 'data-step="forward"' not in last
    follow = re.search(r'href="([^"]*)"[^>]*data-step="forward"', first)
    assert follow and (await opened.get(html.unescape(follow[1]))).status_code == 200
    part = await opened.get(f"{path}/embed?step=1", headers={"paddock-part": "main"})
    assert "<html" not in part.text and 'id="state"' in part.text
    assert part.headers["content-security-policy"].endswith(SITE)
    assert (await opened.get(f"{path}/embed?step=99999")).status_code == 400


async def test_an_uploaded_record_needs_only_the_server(opened: httpx.AsyncClient) -> None:
    answer = await opened.post("/records", data={"record": KEPT.read_text("utf-8")})
    path = answer.headers["location"].removesuffix("/replay")
    assert (await opened.get(f"{path}/embed")).status_code == 200
    assert (await opened.post(f"{path}/embed", data=YES)).status_code == 403


async def test_the_choice_survives_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_EMBED", "*")
    database = f"sqlite:///{tmp_path / 'kept.sqlite3'}"
    async with running(create_app(database, chance=Seeded(7), pace="instant")) as client:
        path = await table(client, **ALONE)
        await client.post(f"{path}/embed", data=YES)
    async with running(create_app(database, chance=Seeded(7), pace="instant")) as client:
        answer = await client.get(f"{path}/embed")
        assert answer.status_code == 200
        assert answer.headers["content-security-policy"].endswith("frame-ancestors *")


@pytest.mark.parametrize("value", ["club.example", "https://a.b; script-src *", "'self'", "https://a.b/path"])
def test_a_setting_that_is_no_site_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PADDOCK_EMBED", value)
    with pytest.raises(BadSetting, match="PADDOCK_EMBED"):
        Settings.read()


def test_sites_are_separated_by_commas_or_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_EMBED", "https://a.example, http://localhost:8080")
    assert Settings.read().embed == {"https://a.example", "http://localhost:8080"}
