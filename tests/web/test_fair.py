"""Fair cards at any table: told before, mixed at the start, proved afterwards."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock import records
from paddock.bots.fair import check, commitment, proof_in
from paddock.core.words import CHANCE
from paddock.records.proof import mix
from paddock.server.app import add_caches, create_app
from paddock.tables import Table, cards, undo
from sampling import count
from store.databases import prepared
from tables.harness import decide
from web.api_helpers import API
from web.conftest import running
from web.helpers import finish, tables_of
from web.test_friends import browsers, dealt, do, lobby, seen
from web.test_secrecy import Still

pytestmark = pytest.mark.anyio
FAIR = {"fair": "yes", "who-3": "rookie", "who-4": "rookie"}
LOTS = "0a" * 16, "ff" * 16


async def opened(people: list[httpx.AsyncClient], **more: str) -> tuple[str, Table]:
    """Open a lobby with fair cards, for two people and two bots; return its path and its table."""
    path = await lobby(people[0], **FAIR | more)
    assert (await do(people[1], path, "claim", 1, name="Ben")).status_code == 303
    return path, await tables_of(people[0]).table(path.rpartition("/")[2])


async def begun(people: list[httpx.AsyncClient], *lots: str) -> tuple[str, Table]:
    """Return the same when both were ready, and have sent these numbers."""
    path, table = await opened(people)
    for i, (client, lot) in enumerate(zip(people, lots, strict=True)):
        assert (await do(client, path, "ready", i, lot=lot)).status_code == 303
    assert table.phase == "play"
    return path, table


async def test_the_hash_is_told_from_the_lobby_on_and_the_secret_after_the_game(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    async with browsers(app, 3) as people:
        path, table = await opened(people)
        assert table.secret is not None
        told, address = commitment(table.secret), f"{API}/tables/{table.id}"

        async def bodies() -> list[str]:
            """Return everything that somebody gets of the table."""
            paths = path, f"{path}/record", address, f"{address}/record", f"{path}?change=0&decision=0"
            return [(await one.get(where)).text for one in people for where in paths]

        for lot, player in zip(LOTS, range(2), strict=True):
            page, _plain, told_json, *_rest = await bodies()
            assert told in page and f'"commitment":"{told}"' in told_json and '"secret":null' in told_json
            assert (await do(people[player], path, "ready", player, lot=lot)).status_code == 303
        looked = 0
        while not table.game.over:
            found = "".join(await bodies()) if looked % 8 == 0 else ""
            if table.game.over:  # bots have made the last moves while the bodies came
                break
            assert not [word for word in (table.secret, *LOTS) if word in found]
            looked += 1
            seat = table.awaited_seats()[0]
            move = dict(table.moves(table.options.owners[seat]))[seat][0][1]
            await decide(tables_of(people[0]), table, seat, move)
        assert looked > 5
        for client in people:
            page = (await client.get(path)).text
            assert table.secret in page and told in page and f"/fair?table={table.id}" in page
            proved = (await client.get(address)).json()["proof"]
            assert proved == {"name": cards.name_of(table), "commitment": told, "secret": table.secret}
            record = records.read((await client.get(f"{path}/record")).text)
            proof = proof_in(record)
            assert proof is not None and proof.holds(told) and not check(record, proof)[1].fault
            assert record.fair is not None and record.fair.numbers == {1: LOTS[0], 2: LOTS[1]}


async def test_no_body_depends_on_the_secret_or_on_the_numbers_before_the_end(tmp_path: Path) -> None:
    """A twin with another secret and other numbers, from which other cards will come, looks the same but for
    the hash: to each seat, to a spectator, on pages and in the API."""
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    app = create_app(database, runtime=Still(), token=lambda: "key")
    async with running(app), browsers(app, 3) as people:
        path, table = await begun(people[:2], *LOTS)
        address, secret = f"{API}/tables/{table.id}", table.secret
        other, compared = "3d" * 32, 0

        async def bodies() -> list[str]:
            add_caches(app.state)
            asked = [(one, where) for one in people for where in (path, f"{path}/record", address)]
            found = [(await one.get(where)).text for one, where in asked]
            shown = commitment(table.secret or "")
            assert sum(shown in text for text in found) == 6  # on each page, and in each answer of the API
            # The digest of an answer hashes all of it, the hash of the secret, too.
            return [re.sub('"digest":"[0-9a-f]+"', "", text.replace(shown, "HASH")) for text in found]

        for _turn in range(count(6, 40)):
            one, people_there = await bodies(), table.players
            table.secret, table.players = other, [_with(player, "ee") for player in people_there]
            two = await bodies()
            table.secret, table.players = secret, people_there
            assert one == two
            compared += 1
            seat = table.awaited_seats()[0]
            move = dict(table.moves(table.options.owners[seat]))[seat][0][1]
            await decide(tables_of(people[0]), table, seat, move)
        assert compared > 5


async def test_the_numbers_of_both_browsers_decide_the_cards(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 2) as people:
        _path, table = await begun(people, *LOTS)
        after = table.copy()
        for player, lots in ((0, {1: "00", 2: LOTS[1]}), (1, {1: LOTS[0], 2: "00"})):
            after.players = [p if p.index != player else _with(p, "00") for p in table.players]
            assert cards.told(after).mixed == mix(lots)
            other = table.game.at(0)
            other.append(other.draw(cards.source(after)))
            while other.chance_due:
                other.append(other.draw(cards.source(after)))
            assert list(other.log) != list(table.game.log[: len(other.log)])
        same = table.game.at(0)
        while same.chance_due:
            same.append(same.draw(cards.source(table)))
        assert list(same.log) == list(table.game.log[: len(same.log)])


def _with(player: Any, lot: str) -> Any:
    return type(player)(**{**vars(player), "lot": lot})


async def test_a_number_counts_for_who_is_there_at_the_start(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 3) as people:
        path, table = await opened(people)
        assert (await do(people[1], path, "ready", 1, lot="not hex")).status_code == 422
        assert not table.players[1].ready
        await do(people[1], path, "ready", 1, lot="ab")
        await do(people[1], path, "unready", 1)
        assert table.players[1].lot == ""
        await do(people[1], path, "ready", 1, lot="ab")
        await do(people[1], path, "leave", 1)
        assert table.players[1].lot == ""
        await do(people[2], path, "claim", 1, name="Cleo")
        await do(people[2], path, "ready", 1, lot="cd")
        await do(people[0], path, "ready", 0)  # without scripts there is none
        assert cards.told(table).numbers == {2: "cd"}
        await do(people[2], path, "leave", 1)  # their bot plays on, by the same cards
        assert cards.told(table).numbers == {2: "cd"}


async def test_a_rematch_has_fair_cards_of_its_own(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 2) as people:
        path, table = await begun(people, *LOTS)
        await finish(people[0], path)
        await people[0].post(f"{path}/rematch")
        again = await tables_of(people[0]).table(table.rematch or "")
        assert again.terms.fair and again.secret not in (None, table.secret)
        assert [player.lot for player in again.players] == [""] * 4
        alone = await people[0].post(f"{path}/again")
        third = await tables_of(people[0]).table(alone.headers["location"].rpartition("/")[2])
        assert third.phase == "lobby" and third.secret not in (None, table.secret, again.secret)
        explored = await people[0].post(f"{path}/explore", data={"entry": "9", "player": "0"})
        other = await tables_of(people[0]).table(explored.headers["location"].rpartition("/")[2])
        assert other.secret is None and not other.terms.fair
        assert "fair:" not in (await people[0].get(f"/t/{other.id}/record")).text


async def test_without_the_choice_there_is_no_secret(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 2) as people:
        path = await dealt(people, **{"who-3": "rookie", "who-4": "rookie"})
        table = await tables_of(people[0]).table(path.rpartition("/")[2])
        await finish(people[0], path)
        assert table.secret is None and not table.terms.fair
        assert "fair:" not in (await people[0].get(f"{path}/record")).text
        assert (await people[0].get(f"{API}/tables/{table.id}")).json()["proof"] is None


async def test_fair_cards_need_a_lobby(app: FastAPI, client: httpx.AsyncClient) -> None:
    alone = await client.post("/tables", data={"title": "lacorsa", "fair": "yes"})
    page = (await client.get(alone.headers["location"])).text
    assert "I am ready" in page and "SHA-256" in page  # the page opens one by itself
    await client.post(f"{API}/tokens", json={"label": "x"})
    body = {"title": "lacorsa", "seats": ["me"] + ["rookie"] * 3, "fair": True}
    refused = await client.post(f"{API}/tables", json=body)
    assert refused.status_code == 422 and "need a lobby" in refused.json()["error"]
    made = await client.post(f"{API}/tables", json=body | {"lobby": True})
    assert made.status_code == 201 and re.fullmatch("[0-9a-f]{64}", made.json()["proof"]["commitment"])
    ready = f"{API}/tables/{made.json()['id']}/seats/0/ready"
    assert (await client.post(ready, json={"lot": "XY"})).status_code == 422
    begun = (await client.post(ready, json={"lot": "ab"})).json()
    assert begun["phase"] == "play" and begun["fair"] is True


@asynccontextmanager
async def restarted(database: str, people: list[httpx.AsyncClient]) -> AsyncIterator[list[httpx.AsyncClient]]:
    """The same browsers at a server that has just started."""
    app = create_app(database, pace="instant")
    async with running(app), browsers(app, len(people)) as again:
        for client, before in zip(again, people, strict=True):
            client.cookies = before.cookies
        yield again


async def test_the_cards_go_on_after_a_restart_and_an_undo_draws_none_again(tmp_path: Path) -> None:
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    app = create_app(database, pace="instant")
    async with running(app), browsers(app, 2) as people:
        path, table = await begun(people, *LOTS)
        assert undo.possible(table, table.players[0].holder) is False  # the last entry is a card
    async with restarted(database, people) as again:
        await finish(again[0], path)
        record = records.read((await again[0].get(f"{path}/record")).text)
        proof = proof_in(record)
        assert proof is not None and not check(record, proof)[1].fault


async def test_the_draws_of_a_record_are_listed(app: FastAPI, client: httpx.AsyncClient) -> None:
    async with browsers(app, 2) as people:
        path, table = await begun(people, *LOTS)
        await finish(people[0], path)
        text = (await people[0].get(f"{path}/record")).text
    found = (await client.post(f"{API}/fair/draws", json={"text": text})).json()["draws"]
    assert found[0]["place"] == "1 deal 1 1" and len(found[0]["possible"]) == 13
    assert len(found) == sum(entry.by == CHANCE for entry in table.game.log)
    bad = await client.post(f"{API}/fair/draws", json={"text": text.replace("deal 1: ", "deal 1: 1 ", 1)})
    assert bad.status_code == 422 and "the text was changed" in bad.json()["error"]


async def test_the_page_names_the_record_that_it_checks(client: httpx.AsyncClient) -> None:
    page = (await client.get("/fair?table=abc-1")).text
    assert 'data-record="/t/abc-1/record"' in page and "paddock fair race.txt" in page
    assert 'data-record=""' in (await client.get("/fair?table=../x")).text
    assert 'data-record=""' in (await client.get("/fair")).text
    assert (await seen(client, "/fair")).count("<template") > 10
