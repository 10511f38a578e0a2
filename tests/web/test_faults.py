"""A database that is full or gone for a while, and the server that runs meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

import needs
from living import wait_for
from store.databases import fresh
from web.browser import new_table, wait
from web.conftest import PATIENT, Server
from web.helpers import HUMANS, forms
from web.test_browser_offline import choose, moves, unsent

linux = pytest.mark.skipif(sys.platform != "linux", reason="this system cannot limit another process")


NOTHING = "nothing is lost, try again in a few seconds"


@contextmanager
def full(server: Server) -> Iterator[None]:
    """No file of the server can grow meanwhile, as on a full disk."""
    import resource

    pid, which = server.process.pid, resource.RLIMIT_FSIZE
    soft, hard = resource.prlimit(pid, which)
    resource.prlimit(pid, which, (1, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, which, (soft, hard))


def asked_to_wait(answer: httpx.Response, words: str) -> None:
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["retry-after"]) > 0
    assert words in answer.text


@pytest.fixture(scope="module")
def filling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose disk is full now and then."""
    server = Server(tmp_path_factory.mktemp("full"))
    yield server
    server.kill()


@linux
def test_a_full_disk_refuses_moves_for_a_while(filling: Server) -> None:
    """Nothing is lost, the same submission then counts once, and the bots go on."""
    with httpx.Client(base_url=f"{filling.url}api/v1", **PATIENT) as client:
        token = client.post("/tokens", json={"label": "me"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        seats = ["me", "rookie", "rookie", "rookie"]
        body = {"title": "lacorsa", "seats": seats, "options": {"races": 1}, "pace": "instant"}
        id = client.post("/tables", json=body).json()["id"]

        def table() -> dict[str, object]:
            return client.get(f"/tables/{id}").json()

        wait_for(lambda: table()["awaited"] == [0])
        start = table()
        (ask,) = start["asks"]
        move = {"seat": 0, "decision": ask["decision"], "move": ask["moves"][0]["move"], "key": "one"}
        with full(filling):
            for _ in range(2):
                asked_to_wait(client.post(f"/tables/{id}/moves", json=move), NOTHING)
            asked_to_wait(client.post("/tables", json=body), NOTHING)
            assert table() == start
        for _ in range(2):
            answer = client.post(f"/tables/{id}/moves", json=move)
            assert answer.status_code == 200 and answer.json()["status"] == "played"
        wait_for(lambda: table()["decision"] > start["decision"] and table()["awaited"] in ([0], []))
        assert table()["stalled"] is None


@linux
def test_pages_say_that_the_disk_is_full(filling: Server) -> None:
    """What was chosen is kept."""
    with httpx.Client(base_url=filling.url, **PATIENT) as client:
        path = client.post("tables", data=HUMANS).headers["location"]
        client.post(f"{path}/sit", data={"player": "0"})
        (form,) = forms(client.get(path).text)
        with full(filling):
            answer = client.post(f"{path}/move", data=form.data())
            asked_to_wait(answer, NOTHING)
            assert f'data-chosen="{form.moves[0]}"' in answer.text
            sat = client.post(f"{path}/seats", data={"do": "rename", "player": "1", "name": "Zoë"})
            asked_to_wait(sat, NOTHING)
            answer = client.post("tables", data=HUMANS | {"name-1": "Zoë"})
            asked_to_wait(answer, NOTHING)
            assert 'value="Zoë"' in answer.text
        assert client.post(f"{path}/move", data=form.data()).status_code == 303


@linux
def test_a_move_made_while_the_disk_is_full_is_sent_once_later(page: Page, own_server: Server) -> None:
    new_table(page, own_server.url, 1)
    assert wait(page)
    first = page.locator("#table").get_attribute("data-decision")
    sent = moves(page)
    with full(own_server):
        words = choose(page)
        expect(unsent(page)).to_contain_text(words)
        expect(page.locator("form.compose input[type=radio]:checked")).to_have_count(1)
    page.wait_for_function(
        "before => document.getElementById('table').dataset.decision !== before", arg=first
    )
    expect(unsent(page)).to_be_hidden()
    assert len({request.post_data for request in sent}) == 1, "always with the same key"
    assert wait(page)


@pytest.fixture(params=["postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database on PostgreSQL."""
    return fresh(request, tmp_path)


@pytest.mark.slow("a server and a database start")
def test_a_server_may_start_before_its_database(
    postgres_server: needs.Postgres, database: str, tmp_path: Path
) -> None:
    postgres_server.kill()
    server = Server(tmp_path, PADDOCK_DATABASE_URL=database)
    try:
        words = "Nothing is lost: this page works again when it does."
        for path in ("", "api/v1/titles"):
            asked_to_wait(httpx.get(server.url + path, timeout=None), words)
        assert httpx.get(f"{server.url}healthz", timeout=None).status_code == 200
    finally:
        postgres_server.start()
    wait_for(lambda: httpx.get(server.url, timeout=None).status_code == 200)
    assert httpx.post(f"{server.url}tables", data=HUMANS, timeout=None).status_code == 303
    server.stop()
    assert "Traceback" not in "".join(server.lines)
