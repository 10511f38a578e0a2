"""What the operator sees: the numbers, and the page behind a token."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from paddock.core.settings import BadSetting, Settings
from paddock.features.operating import entry as entries
from paddock.features.operating.entry import TokenEntry
from paddock.features.operating.guesses import FREE, KEPT, LONGEST, MOST, Guesses
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.store import measured
from store.databases import prepared
from web.conftest import running
from web.helpers import finish, table, tables_of

pytestmark = pytest.mark.anyio
TOKEN = "correct-horse-battery"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """An application whose operator has a token."""
    monkeypatch.setenv("PADDOCK_ADMIN_TOKEN", TOKEN)
    return create_app(prepared(f"sqlite:///{tmp_path / 't.sqlite3'}"), chance=Seeded(7), pace="instant")


@pytest.fixture
async def operator(guarded: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of it."""
    async with running(guarded) as client:
        yield client


def at(app: FastAPI, address: str) -> httpx.AsyncClient:
    """Return a client at a network address."""
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://paddock.test")


async def test_without_a_token_in_the_settings_there_is_nothing_to_see(client: httpx.AsyncClient) -> None:
    for path in ("/admin", "/metrics"):
        assert (await client.get(path)).status_code == 404
        assert (await client.get(path, headers={"authorization": "Bearer "})).status_code == 404
    for path in ("/admin", "/admin/tables/x"):
        assert (await client.post(path, data={"token": "", "do": "delete"})).status_code == 404


def values(text: str) -> dict[str, float]:
    """Return the numbers of an answer; those with labels are joined with them."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def test_numbers_for_prometheus(operator: httpx.AsyncClient) -> None:
    for wrong in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
        answer = await operator.get("/metrics", headers=wrong)
        assert answer.status_code == 401 and TOKEN not in answer.text
    path = await table(operator)
    before = values((await operator.get("/metrics", headers=BEARER)).text)
    await finish(operator, path)
    answer = await operator.get("/metrics", headers=BEARER)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    after = values(answer.text)
    played = (await tables_of(operator).table(path.rpartition("/")[2])).game.log
    moves = sum(entry.by != 31 for entry in played)
    assert after["paddock_moves_total"] - before["paddock_moves_total"] == moves > 20
    assert after["paddock_tables{phase=finished}"] == 1 and before["paddock_tables{phase=running}"] == 1
    assert after["paddock_commit_seconds_count"] == after["paddock_commit_seconds_bucket{le=+Inf}"] >= moves
    assert after["paddock_answers_total{part=pages,status=303}"] == 1
    assert after["paddock_answers_total{part=metrics,status=401}"] == 3
    assert after["paddock_database_up"] == 1 and after["paddock_streams"] == 0
    assert after["process_resident_memory_bytes"] > 1e6


async def test_the_dashboard_asks_for_numbers_that_exist(operator: httpx.AsyncClient) -> None:
    await operator.get("/")
    text = (await operator.get("/metrics", headers=BEARER)).text
    known = {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
    file = Path(__file__).parents[3] / "deploy" / "grafana.json"
    asked = [
        target["expr"] for panel in json.loads(file.read_text())["panels"] for target in panel["targets"]
    ]
    assert len(asked) >= 8
    for expression in asked:
        names = set(re.findall(r"\b(?:paddock|process)_\w+", expression))
        assert names and names <= known, expression


async def test_the_page_of_the_operator(operator: httpx.AsyncClient) -> None:
    path = await table(operator, **{"name-1": "Ana <b>", "title": "lacorsa"})
    id = path.rpartition("/")[2]
    asked = await operator.get("/admin")
    assert 'name="token"' in asked.text and id not in asked.text
    refused = await operator.post("/admin", data={"token": "wrong"})
    assert refused.status_code == 403 and "This is not the token." in refused.text
    assert (await operator.post(f"/admin/tables/{id}", data={"do": "delete"})).status_code == 403
    entered = await operator.post("/admin", data={"token": TOKEN})
    cookie = entered.headers["set-cookie"]
    assert entered.headers["location"] == "/admin" and TOKEN not in cookie
    assert all(word in cookie for word in ("HttpOnly", "Path=/admin", "Max-Age=43200"))
    page = (await operator.get("/admin")).text
    assert id in page and "Ana &lt;b&gt;" in page and "Moves a second" in page
    live = await tables_of(operator).table(id)
    assert live.game.position not in page
    for holder in {player.holder for player in live.players if player.holder}:
        assert holder not in page
    assert (await operator.post(f"/admin/tables/{id}", data={"do": "close"})).status_code == 303
    assert "closed this table" in (await operator.get(path)).text
    assert "closed this table" in (await operator.get(f"/api/v1/tables/{id}")).json()["frozen"]
    assert "closed" in (await operator.get("/admin")).text
    assert (await operator.post(f"/admin/tables/{id}", data={"do": "open"})).status_code == 303
    assert "closed this table" not in (await operator.get(path)).text
    assert (await operator.post(f"/admin/tables/{id}", data={"do": "burn"})).status_code == 400
    assert (await operator.post(f"/admin/tables/{id}", data={"do": "delete"})).status_code == 303
    assert (await operator.get(path)).status_code == 404
    assert (await operator.post(f"/admin/tables/{id}", data={"do": "delete"})).status_code == 404
    evil = {"origin": "https://evil.example"}
    assert (await operator.post("/admin", data={"token": TOKEN}, headers=evil)).status_code == 403
    mine = {"cookie": f"paddock_admin={operator.cookies['paddock_admin']}"}
    await operator.post("/admin", data={"leave": "yes"})
    assert 'name="token"' in (await operator.get("/admin")).text
    assert 'name="token"' in (await operator.get("/admin", headers=mine)).text, "who has left is out"


@pytest.mark.parametrize("way", ["header", "form"])
async def test_guesses_of_the_token_are_slowed_down_logged_and_shown(
    guarded: FastAPI, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The kind: somebody tries a door again and again, and nobody notices. Here 142 guesses left no trace."""
    now, later = [0.0], list[Callable[[], None]]()
    guarded.state.entry = TokenEntry(TOKEN)
    guarded.state.entry.guesses = Guesses(lambda: now[0], lambda _seconds, do: later.append(do))
    async with running(guarded), at(guarded, "203.0.113.9") as guesser, at(guarded, "198.51.100.7") as other:
        guarded.state.checks.limits.address.rate = 0

        async def guess(client: httpx.AsyncClient, token: str) -> tuple[int, int]:
            if way == "header":
                answer = await client.get("/metrics", headers={"authorization": f"Bearer {token}"})
            else:
                answer = await client.post("/admin", data={"token": token})
            return answer.status_code, int(answer.headers.get("retry-after", "0"))

        wrong, right = (401, 200) if way == "header" else (403, 303)
        assert [await guess(guesser, f"guess {n}") for n in range(FREE)] == [(wrong, 0)] * FREE
        for wait in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, LONGEST, LONGEST):
            assert await guess(guesser, TOKEN) == (429, wait), "the right token is not looked at either"
            assert await guess(other, TOKEN) == (right, 0), "at another address it is"
            now[0] += wait
            assert await guess(guesser, "again") == (wrong, 0)
        (line,) = caplog.messages
        assert line == "wrong tokens of the operator: 1, from 1 addresses, most of them from 203.0.113.9"
        later.pop()()
        assert caplog.messages[1:] == [line.replace("1, from 1", "28, from 1")]
        later.pop()()
        assert not later and len(caplog.messages) == 2, "nothing more came"
        await guess(other, "oops")
        assert "198.51.100.7" in caplog.messages[2]
        assert not any(said in caplog.text for said in (TOKEN, "oops", "guess 1"))
        await other.post("/admin", data={"token": TOKEN})
        page = (await other.get("/admin")).text
        assert re.search(r">203\.0\.113\.9</th><td>29</td><td>\d\d\d\d-\d\d-\d\d \d\d:\d\d</td>", page)
        assert page.index("198.51.100.7") < page.index("203.0.113.9"), "the last one first"
        told = values((await other.get("/metrics", headers=BEARER)).text)
        assert told["paddock_wrong_tokens_total"] == 30
        now[0] += KEPT + 1
        assert await guess(guesser, TOKEN) == (right, 0)


async def test_a_cookie_is_no_way_to_guess_the_token(operator: httpx.AsyncClient) -> None:
    """Who guesses a token cannot make its cookie: it has a key of the database, which nobody can guess."""
    said = f"{2**40}.{'0' * 16}"
    for made in (f"paddock admin session {said}", said):
        mac = hmac.new(TOKEN.encode(), made.encode(), "sha256").hexdigest()
        answer = await operator.get("/admin", headers={"cookie": f"paddock_admin={said}.{mac}"})
        assert 'name="token"' in answer.text


async def test_what_is_remembered_of_guesses_is_bounded() -> None:
    guesses = Guesses(lambda: 0.0, lambda _seconds, _do: None)
    for n in range(MOST + 10):
        guesses.wrong(f"{n}\u202e\n")
    assert guesses.total == MOST + 10 and len(guesses._tries) == MOST
    assert [where for where, *_rest in guesses.newest(2)] == [f"{MOST + 9}�", f"{MOST + 8}�"]


async def test_a_cookie_of_the_operator_ends(
    operator: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_000.0
    monkeypatch.setattr(entries, "time", lambda: now)

    async def known(cookie: str) -> bool:
        answer = await operator.get("/admin", headers={"cookie": f"paddock_admin={cookie}"})
        return 'name="token"' not in answer.text

    await operator.post("/admin", data={"token": TOKEN})
    cookie = operator.cookies["paddock_admin"]
    operator.cookies.clear()
    said, mac = cookie.rsplit(".", 1)
    until, nonce = said.split(".")
    assert await known(cookie)
    for forged in (f"{int(until) + 1}.{nonce}.{mac}", f"inf.{nonce}.{mac}", f".{mac}", mac, ""):
        assert not await known(forged)
    now += 12 * 3600 - 1
    assert await known(cookie)
    now += 2
    assert not await known(cookie)


async def test_a_slow_statement_is_noted_without_its_values(operator: httpx.AsyncClient) -> None:
    store = tables_of(operator).store
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measured, "SLOW", 0.0)
        await store.held("secret-holder", 3)
    texts = [one.text for one in store.measured.slowest]
    assert any("SELECT" in one for one in texts) and not any("secret-holder" in one for one in texts)
    await operator.post("/admin", data={"token": TOKEN})
    assert "SELECT" in (await operator.get("/admin")).text


@pytest.mark.parametrize("bad", ["short", "with spaces in it …", "x" * 201])
def test_a_weak_token_is_refused(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_ADMIN_TOKEN", bad)
    with pytest.raises(BadSetting, match="at least 16 characters") as refusal:
        Settings.read()
    assert bad not in str(refusal.value)
