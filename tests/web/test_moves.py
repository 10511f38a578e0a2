"""Submitting moves: stored once, never for another player's seat, never a 5xx."""

from __future__ import annotations

import asyncio
import html
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.store import restore_backup, write_backup
from paddock.tables import forced
from paddock.tables.change import EVERYBODY
from sampling import SEED, count
from store.databases import prepared
from tables.harness import decide
from web.conftest import running
from web.helpers import finish, forms, page, table, tables_of

pytestmark = pytest.mark.anyio


async def test_a_commitment_stays_visible_can_be_changed_and_is_sent_once(client: httpx.AsyncClient) -> None:
    path = await table(client)
    text = await page(client, path)
    form = forms(text)[0]
    assert (await client.post(f"{path}/move", data=form.data(form.moves[2]))).status_code == 303
    assert (
        await client.post(f"{path}/move", data=form.data(form.moves[2]))
    ).status_code == 303  # the same key
    curtain = (await client.get(path)).text
    assert "Hand the device to" in curtain
    assert not forms(curtain)
    again = html.unescape(re.findall(r'href="(/t/[^"]*change=[^"]*)"', curtain)[0])
    text = (await client.get(again)).text
    assert '<details class="fold change" open>' in text
    other = forms(text)[0]
    assert other.seat == form.seat
    assert (await client.post(f"{path}/move", data=other.data(form.moves[3]))).status_code == 303
    assert form.moves[3] in (await client.get(again)).text
    # The hand does not open at another decision, or for a seat whose player is not at the device.
    for stale in (again.replace("decision=", "decision=9"), again.replace("change=", "change=1")):
        assert not forms((await client.get(stale)).text)


async def test_two_hands_on_one_page_have_keys_of_their_own(client: httpx.AsyncClient) -> None:
    """Moves of both that could not be sent are sent again together."""
    path = await table(client, drivers="2", **{"who-2": "rookie"})
    hands = forms(await page(client, path))
    assert len({form.seat for form in hands}) == len(hands) == 2
    for form in hands:
        answer = await client.post(f"{path}/move", data=form.data())
        assert answer.status_code == 303, answer.text


async def test_the_last_player_is_told_that_the_choice_reveals_all(client: httpx.AsyncClient) -> None:
    path = await table(client)
    for left in (3, 2, 1, 0):
        text = await page(client, path)
        assert ("You are the last to choose: this reveals every choice." in text) == (left == 0)
        await client.post(f"{path}/move", data=forms(text)[0].data())
    assert "reveals" in await page(client, path)


async def test_the_curtain_page_has_no_hand(client: httpx.AsyncClient) -> None:
    path = await table(client)
    text = (await client.get(path)).text
    assert 'class="curtain' in text
    main = text[text.index("<main") : text.index("</main>")]
    for trace in ("<form class", "compose", "lc-card", "radio", "<option", "application/json"):
        assert trace not in main
    seats = {forms(await page(client, path))[0].seat}
    assert len(seats) == 1  # one player at a time


async def test_nobody_is_asked_for_the_only_move_of_a_table_without_pauses(client: httpx.AsyncClient) -> None:
    """It is played at once; but if that fails, somebody must play it. LC-3.1: the last card of a hand."""
    path = await table(client)
    tables = tables_of(client)
    there = await tables.table(path.rpartition("/")[2])
    tables.autoplay.moving = False
    while not (seats := there.awaited_seats()) or not all(forced.of(there, seat) for seat in seats):
        moves = dict(there.moves(there.options.owners[seats[0]]))[seats[0]]
        await decide(tables, there, seats[0], moves[-1][1])
    await client.post(f"{path}/sit", data={"player": str(seats[0])})
    text = (await client.get(path)).text
    assert 'data-turn="no"' in text and 'class="curtain' not in text and not forms(text)
    there.stalled = "The bots have stopped."
    tables.engine.tell(await tables.registry.find(there.id), EVERYBODY)
    assert len(forms((await client.get(path)).text)) == 1
    there.stalled = None
    tables.autoplay.moving = True
    tables.engine.tell(await tables.registry.find(there.id), EVERYBODY)
    assert forms(await page(client, path)) or there.game.over


async def test_a_late_move_changes_nothing_and_says_so(client: httpx.AsyncClient) -> None:
    path = await table(client)
    first = forms(await page(client, path))[0]
    for _ in range(4):
        await client.post(f"{path}/move", data=forms(await page(client, path))[0].data())
    answer = await client.post(f"{path}/move", data=first.data() | {"key": "another"})
    assert answer.status_code == 409
    assert "Too late" in answer.text


async def test_after_a_restore_a_form_for_a_later_decision_is_told_that_the_game_went_back(
    tmp_path: Path, unlimited: None
) -> None:
    """The kind: a refusal says what has happened. Here it was not the game that moved on."""
    url, file = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}"), tmp_path / "backup.sqlite3"
    cookies = httpx.Cookies()

    def client(app: FastAPI) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app)
        return httpx.AsyncClient(transport=transport, base_url="http://paddock.test", cookies=cookies)

    async def on(path: str, there: httpx.AsyncClient) -> None:
        for _ in range(4):
            await there.post(f"{path}/move", data=forms(await page(there, path))[0].data())

    before = create_app(url, chance=Seeded(7), pace="instant")
    async with running(before), client(before) as there:
        path = await table(there)
        await on(path, there)
        await write_backup(url, file)
        old = forms(await page(there, path))[0]
        await on(path, there)
        later = forms(await page(there, path))[0]
        cookies.update(there.cookies)
    await restore_backup(file, url, replace=True)
    after = create_app(url, chance=Seeded(8), pace="instant")
    async with running(after), client(after) as there:
        await there.post(f"{path}/sit", data={"player": later.seat})
        answer = await there.post(f"{path}/move", data=later.data() | {"key": "another"})
        assert answer.status_code == 409 and "moved on" not in answer.text
        assert "The game went back to an earlier decision" in answer.text
        open_now = (await tables_of(there).table(path.rpartition("/")[2])).decision
        assert open_now < int(later.decision) and open_now == int(old.decision)
        assert f'name="decision" value="{open_now}"' in await page(there, path)
        undone = await there.post(f"{path}/undo", data={"do": "request", "decision": later.decision})
        assert undone.status_code == 422 and "the game went back" in undone.text
        # Now another decision has the number of the one that the page still shows.
        while int((now := forms(await page(there, path))[0]).decision) < int(later.decision):
            await there.post(f"{path}/move", data=now.data(now.moves[-1]))
        assert (now.seat, now.decision) == (later.seat, later.decision)
        answer = await there.post(f"{path}/move", data=later.data(now.moves[0]))
        assert answer.status_code == 409 and "The game went back" in answer.text
        assert (await there.post(f"{path}/move", data=now.data())).status_code == 303


async def test_an_illegal_move_gets_the_clause_and_its_link(client: httpx.AsyncClient) -> None:
    path = await table(client)
    form = forms(await page(client, path))[0]
    answer = await client.post(f"{path}/move", data=form.data("R+R"))
    assert answer.status_code == 422
    assert '<a href="/rules/lacorsa#LC-3.5">LC-3.5</a>' in answer.text
    assert "Two Redlines cannot be played together" in answer.text
    part = await client.post(f"{path}/move", data=form.data("R+R"), headers={"paddock-part": "main"})
    assert part.status_code == 422
    assert "<html" not in part.text
    assert "LC-3.5" in part.text


async def test_another_browser_is_a_spectator(client: httpx.AsyncClient, app: FastAPI) -> None:
    path = await table(client)
    form = forms(await page(client, path))[0]
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://paddock.test") as other:
        watching = (await other.get(path)).text
        assert "You are watching" in watching
        assert not forms(watching)
        for cookies in ({}, {"paddock_browser": "x" * 43}):
            other.cookies.clear()
            other.cookies.update(cookies)
            answer = await other.post(f"{path}/move", data=form.data())
            assert answer.status_code == 403
            assert (await other.post(f"{path}/sit", data={"player": "0"})).status_code == 403
    assert forms(await page(client, path))[0].moves == form.moves


async def test_the_secret_is_hidden_from_scripts_and_never_stored(
    client: httpx.AsyncClient, tmp_path: Path
) -> None:
    await table(client)
    cookie = next(c for c in client.cookies.jar if c.name == "paddock_browser")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert len(cookie.value or "") == 43  # 256 bits
    assert (cookie.value or "").encode() not in _stored(tmp_path)


def _stored(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("tables.sqlite3*"))


async def test_other_sites_cannot_send_forms(client: httpx.AsyncClient) -> None:
    path = await table(client)
    form = forms(await page(client, path))[0]
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://paddock.test:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        answer = await client.post(f"{path}/move", data=form.data(), headers=headers)
        assert answer.status_code == 403
    fine = {"origin": "http://paddock.test", "sec-fetch-site": "same-origin"}
    assert (await client.post(f"{path}/move", data=form.data(), headers=fine)).status_code == 303


async def test_every_answer_carries_the_security_headers(client: httpx.AsyncClient) -> None:
    for path in ("/", "/nowhere", "/rules/lacorsa", "/healthz"):
        headers = (await client.get(path)).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


async def test_pages_have_nothing_inline_and_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    path = await table(client)
    await page(client, path)
    for address in ("/", "/new/lacorsa", path, "/rules/lacorsa", "/learn/lacorsa", "/nowhere"):
        text = (await client.get(address)).text
        assert not re.search(r"<style|\sstyle=|\son\w+=", text)
        assert not re.search(r'<script(?![^>]*(src=|type="application/json"))', text)
        assert not re.search(r'(src|href|action)="(https?:)?//', text)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/t/unknown", 404),
        ("/t/%00", 404),
        ("/t/%ff%fe/stream", 404),
        ("/new/monopoly", 404),
        ("/new?title=%00", 404),
        ("/rules/..%2f..", 404),
        ("/static/old/main.js", 404),
        ("/nothing", 404),
    ],
)
async def test_wrong_addresses_get_a_page(client: httpx.AsyncClient, path: str, code: int) -> None:
    answer = await client.get(path)
    assert answer.status_code == code
    assert "<h1>" in answer.text


async def test_wrong_queries_of_a_replay_get_a_sentence(client: httpx.AsyncClient) -> None:
    path = await table(client)
    await finish(client, path)
    for query in ("step=-1", "step=9999", "step=x", "step=1&eyes=7", "step=1&eyes=%00", "eyes="):
        answer = await client.get(f"{path}/replay?{query}")
        assert answer.status_code == 400
        assert "“" in answer.text


async def test_a_form_has_a_limit_of_fields_and_any_text(client: httpx.AsyncClient) -> None:
    """The last field of a name counts, «+» is a blank, and what is not UTF-8 is refused."""
    path = await table(client)
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"&" * 60_000, b"a=1&" * 201):
        answer = await client.post(f"{path}/move", content=body, headers=kind)
        assert answer.status_code == 400 and "A form has at most 200 fields." in answer.text
    body = b"title=rasant&title=lacorsa&drivers=2&who-1=me&name-1=\xc3\xa9+%C3%A9%2B&who-2=club&clock="
    made = await client.post("/tables", content=body, headers=kind)
    assert made.status_code == 303
    assert "é é+" in (await client.get(made.headers["location"])).text
    broken = await client.post("/tables", content=body.replace(b"%2B", b"%FF"), headers=kind)
    assert broken.status_code == 400 and "This form is not UTF-8 text." in broken.text


async def test_other_content_types_and_big_bodies_are_refused(client: httpx.AsyncClient) -> None:
    path = await table(client)
    assert (await client.post(f"{path}/move", json={"seat": 0})).status_code == 415
    big_move = await client.post(f"{path}/move", content=b"x" * 100_000)
    assert big_move.status_code == 413 and "send at most 64 kB" in big_move.text
    big = {"content-type": "application/x-www-form-urlencoded"}
    assert (await client.post("/records", content=b"x" * 3_000_000, headers=big)).status_code == 413
    broken = {"content-type": "multipart/form-data; boundary=x"}
    assert (await client.post("/records", content=b"--y\r\nnothing", headers=broken)).status_code == 400


WORDS = st.text(max_size=8) | st.sampled_from(
    ["", "0", "1", "-1", "9" * 30, "12+R", "^3", "x1", "\0", "\ud800"]
)


@pytest.mark.usefixtures("unlimited")
def test_no_form_breaks_the_server(tmp_path: Path) -> None:
    app = create_app(prepared(f"sqlite:///{tmp_path / 'x.sqlite3'}"), chance=Seeded(7), pace="instant")
    with asyncio.Runner() as runner:
        server = running(app)
        client = runner.run(server.__aenter__())

        async def send(what: str, data: dict[str, str]) -> int:
            data = {
                name: value.encode("utf-8", "surrogatepass").decode("latin-1") for name, value in data.items()
            }
            return (await client.post(f"{await table(client)}/{what}", data=data)).status_code

        @seed(SEED)
        @settings(max_examples=count(25, 500))
        @given(WORDS, WORDS, WORDS, WORDS, st.sampled_from(["move", "change", "sit", "explore"]))
        def survives(seat: str, decision: str, key: str, move: str, what: str) -> None:
            data = {"seat": seat, "decision": decision, "key": key, "move": move}
            assert runner.run(send(what, data | {"player": seat, "entry": decision})) < 500

        survives()
        runner.run(server.__aexit__(None, None, None))
