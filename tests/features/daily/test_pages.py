"""The pages and the API of the race of the day; before the day is over, nothing that is sent tells of it."""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from features.daily.test_service import daily, stored
from features.daily.test_store import attempts
from paddock.bots import fair
from paddock.features.daily import rules
from paddock.features.daily.feature import FEATURE
from paddock.features.daily.rows import AttemptRow
from paddock.features.daily.service import Daily
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.tables import Table
from paddock.web.limits import MAKING
from paddock.web.prices import Price, Prices
from store.databases import prepared
from tables.clockwork import PATIENCE_S
from terminal.test_cli import here
from web.conftest import running
from web.helpers import tables_of, words
from web.test_friends import browsers
from web.test_home import Clock
from web.test_secrecy import twin

pytestmark = pytest.mark.anyio
DAY = "2026-03-01"
EXAMPLE = Path(__file__).parents[3] / "examples/check_day.py"  # which docs/daily.md shows


@pytest.fixture(autouse=True)
def no_par(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the pars unmeasured: that compiles *Works* in another process."""
    monkeypatch.setattr(Daily, "measure", lambda daily: None)


@pytest.fixture
def clock() -> Clock:
    """The clock of ``app``."""
    return Clock()


@pytest.fixture
async def app(tmp_path: Path, clock: Clock, unlimited: None) -> FastAPI:
    """An application whose time a test moves."""
    url = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    return create_app(url, chance=Seeded(7), runtime=clock, pace="instant")


@pytest.fixture
async def people(app: FastAPI) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Three browsers."""
    async with running(app), browsers(app, 3) as clients:
        yield clients


async def begin(client: httpx.AsyncClient, title: str = "rasant", name: str = "", day: str = DAY) -> Table:
    answer = await client.post(f"/daily/{title}", data={"name": name, "day": day})
    assert answer.status_code == 303, answer.text
    return await tables_of(client).table(answer.headers["location"].rpartition("/")[2])


async def asked(client: httpx.AsyncClient, table: Table) -> int:
    """Wait until the person decides, as bots move before that; return who it is."""
    me = next(player.index for player in table.players if player.person)
    async with tables_of(client).streams.watch(table.id) as changed:
        while me not in table.awaited():
            await changed(PATIENCE_S)
    return me


async def finish(client: httpx.AsyncClient, table: Table) -> None:
    """Play until the race is over, and wait for its result."""
    await play(client, table)
    while not (await attempt(client, table)).ended:  # noqa: ASYNC110 # nothing tells of it
        await asyncio.sleep(0.01)


async def play(client: httpx.AsyncClient, table: Table) -> None:
    """Play a person's first legal moves until the race is over."""
    tables = tables_of(client)
    me = next(player for player in table.players if player.person)
    async with tables.streams.watch(table.id) as changed:
        while not table.game.over:
            if me.index not in table.awaited():
                await changed(PATIENCE_S)
                continue
            seat, legal = table.moves(me.index)[0]
            await tables.submit(table.id, me.holder, seat, legal[0][1], table.decision, f"k{table.decision}")


async def attempt(client: httpx.AsyncClient, table: Table) -> AttemptRow:
    holder = next(player.holder for player in table.players if player.person)
    found = await stored(tables_of(client)).attempt(DAY, table.title.name, holder or "")
    assert found
    return found


@pytest.mark.parametrize("path", ["/rasant", f"/{DAY}/rasant"])
def test_to_begin_costs_as_much_as_any_new_table(path: str) -> None:
    prices = Prices([("", FEATURE.pages), ("/api/v1", FEATURE.api)])
    for prefix in ("", "/api/v1"):
        assert prices.at("POST", f"{prefix}/daily{path}").price == Price(MAKING)


async def test_a_day_from_the_first_look_to_the_table(people: list[httpx.AsyncClient], clock: Clock) -> None:
    ana, ben, _cai = people
    assert "Race of the day" in words((await ana.get("/")).text)
    page = (await ana.get("/daily")).text
    said = words(page)
    assert "1 March 2026" in said and "in 12 h 0 min" in said and "Nobody has finished yet." in said
    hashes = re.findall(r"[0-9a-f]{64}", page)
    assert len(hashes) == 2 and "None yet: today is the first day." in said
    refused = await ana.post("/daily/rasant", data={"name": "admin", "day": DAY})
    assert refused.status_code == 422 and "“admin” is not allowed" in words(refused.text)
    assert (await ana.post("/daily/chess", data={"name": "", "day": DAY})).status_code == 404

    table = await begin(ana, name="Ana")
    assert (await begin(ana)).id == table.id
    assert f'href="/t/{table.id}"' in (await ana.get("/daily")).text
    await finish(ana, table)
    said = words((await ana.get("/daily")).text)
    assert "Streak 1" in said.replace("1 Streak", "Streak 1") and "rank 1 of 1" in said
    shared = re.search(r"Rasant: (place \d of \d)", (await ana.get("/daily")).text)
    assert shared and said.count(shared[1]) == said.count("place ") >= 1, "a place is the one that is shared"
    assert "Streak: 1 day. 1 of" in words((await ana.get("/")).text)
    podium = (await ana.get(f"/t/{table.id}")).text
    assert f'href="/daily/{DAY}#rasant">Table of the day<' in podium
    over = words(podium)
    assert "It counts in the race of the day." in over
    assert "Download the record" not in over and "Step through" not in over
    assert "1 has finished." in words((await ben.get("/daily")).text)

    clock.time += timedelta(hours=12, minutes=1)
    await stored(tables_of(ana)).set_par(DAY, "rasant", 1000, "works")
    await daily(tables_of(ana)).tend()
    page = (await ben.get(f"/daily/{DAY}")).text
    said = words(page)
    assert "Par: 1,000 points" in said or "Par: 1000 points" in said
    assert "Ana" in said and "Practise" in said and hashes[0] in page
    assert "under par" in words((await ana.get(f"/daily/{DAY}")).text)
    assert hashes[1] in (await ben.get("/daily")).text, "what was tomorrow's"
    assert f'href="/daily/{DAY}"' in (await ben.get("/daily")).text
    made = await ben.post(f"/daily/{DAY}/rasant")
    assert made.status_code == 303
    assert "Race of the day" not in (await ben.get(made.headers["location"])).text
    told = words((await ben.get(f"/t/{table.id}")).text)
    assert "Step through" in told and "It counts in the race of the day." in told
    for path in ("/daily/2026-03-03", "/daily/2026-02-28", "/daily/x", "/daily/2026-02-31"):
        assert (await ben.get(path)).status_code == 404
    assert (await ben.post("/daily/2026-03-02/rasant")).status_code == 403


async def test_only_its_player_sees_an_attempt(people: list[httpx.AsyncClient], clock: Clock) -> None:
    ana, ben, _cai = people
    table = await begin(ana)
    pages = [
        f"/t/{table.id}{rest}"
        for rest in (
            "",
            "/stream",
            "/replay",
            "/record",
            "/podium.svg",
            "/embed",
            "/preview.png",
            "/embed/stream",
        )
    ]
    pages += [f"/api/v1/tables/{table.id}{rest}" for rest in ("", "/stream", "/record", "/talk")]
    for path in pages:
        assert (await ben.get(path)).status_code == 403, path
    for path in (f"/api/v1/tables/{table.id}/replay", f"/api/v1/tables/{table.id}/analysis"):
        assert (await ben.get(path)).status_code in (403, 409), path
    assert (await ana.get(f"/t/{table.id}")).status_code == 200
    await finish(ana, table)
    for path in pages:
        assert (await ben.get(path)).status_code == 403, path
    assert (await ana.get(f"/t/{table.id}/replay")).status_code == 409
    assert (await ana.post(f"/t/{table.id}/explore", data={"entry": "0", "player": "0"})).status_code == 403
    clock.time += timedelta(hours=12, minutes=1)
    await daily(tables_of(ana)).tend()
    assert (await ben.get(f"/t/{table.id}/replay")).status_code == 200


async def test_before_its_end_a_day_is_in_nothing_that_is_sent(
    app: FastAPI, people: list[httpx.AsyncClient], clock: Clock
) -> None:
    """Not the secret, not the par, and no card that a hand did not see: the bytes are searched."""
    ana, ben, cai = people
    table = await begin(ana, name="Ana")
    tables = tables_of(ana)
    me = await asked(ana, table)
    sent: list[str] = []

    async def look(client: httpx.AsyncClient, *paths: str) -> None:
        for path in paths:
            answer = await client.get(path)
            sent.append(answer.text + str(answer.headers))

    mine = [f"/t/{table.id}", f"/t/{table.id}/record", f"/api/v1/tables/{table.id}"]
    mine += [f"/api/v1/tables/{table.id}/record"]
    everybody = [
        "/",
        "/daily",
        f"/daily/{DAY}",
        "/api/v1/daily",
        f"/api/v1/daily/{DAY}",
        "/api/v1/daily/past",
    ]
    await look(ana, *mine, *everybody)
    # Nothing that its player gets depends on what that hand has not seen.
    before, real = [(await ana.get(path)).text for path in mine], table.game
    table.game, _pending = twin(table, table.eyes(me), random.Random(4))
    table.stamp += 1_000_000
    assert table.game._state.tobytes() != real._state.tobytes()
    for path, text in zip(mine[2:], before[2:], strict=True):
        assert (await ana.get(path)).text == text, path
    table.game, table.stamp = real, table.stamp + 1
    await finish(ana, table)
    assert "?" in (await ana.get(mine[1])).text, "the record has what this player saw"
    par = 31_337  # no other number is like it
    await stored(tables).set_par(DAY, "rasant", par, "works")
    await look(ana, *mine, *everybody)
    for client in (ben, cai):
        await look(client, *everybody, *mine)
    secret = await stored(tables).secret(DAY) or ""
    following = await stored(tables).secret("2026-03-02") or ""
    key = rules.source(DAY, "rasant", secret)._key.hex()
    everything = "\n".join(sent)
    assert fair.commitment(secret) in everything and fair.commitment(following) in everything
    for one in (secret, following, key, secret.upper(), str(par), f"{par:,}"):
        assert one and one not in everything
    clock.time += timedelta(hours=12, minutes=1)
    await daily(tables).tend()
    assert secret in (await ben.get(f"/daily/{DAY}")).text and following not in (await ben.get("/daily")).text


async def test_the_api_says_the_same_and_the_command_checks_it(
    people: list[httpx.AsyncClient], clock: Clock, tmp_path: Path
) -> None:
    ana, ben, _cai = people
    await begin(ben, "lacorsa")
    assert (await ben.post("/api/v1/daily/rasant", json={})).status_code == 201
    token = (await ana.post("/api/v1/tokens", json={"label": "x"})).json()["token"]
    ana.headers["authorization"] = f"Bearer {token}"
    made = await ana.post("/api/v1/daily/rasant", json={"name": "Ana"})
    assert made.status_code == 201 and made.json()["kind"] == "daily" and made.json()["deal"] == DAY
    assert (await ana.post("/api/v1/daily/rasant", json={"name": "Eve"})).json()["id"] == made.json()["id"]
    table = await tables_of(ana).table(made.json()["id"])
    await finish(ana, table)
    day = (await ana.get("/api/v1/daily")).json()
    race = next(one for one in day["races"] if one["title"] == "rasant")
    assert day["secret"] is None and race["table"] == table.id and race["results"][0]["mine"]
    assert (race["begun"], race["ended"], race["par"], day["streak"]["now"]) == (2, 1, None, 1)
    assert (await ana.post(f"/api/v1/daily/{DAY}/rasant")).status_code == 403

    clock.time += timedelta(hours=12, minutes=1)
    await daily(tables_of(ana)).tend()
    told = await ben.get(f"/api/v1/daily/{DAY}")
    assert told.json()["commitment"] == day["commitment"] and told.json()["over"]
    assert (await ben.get("/api/v1/daily/past")).json() == [{"day": DAY, "ended": 1}]
    practice = await ben.post(f"/api/v1/daily/{DAY}/rasant")
    assert practice.status_code == 201 and practice.json()["kind"] == "practice"
    file, record = tmp_path / "day.json", tmp_path / "race.txt"
    file.write_text(told.text)
    record.write_text((await ben.get(f"/t/{table.id}/record")).text)
    good = await asyncio.to_thread(here, "fair", str(file), str(record), "--commitment", day["commitment"])
    assert good.returncode == 0, good.stderr
    assert "the secret matches the hash" in good.stdout and "match the secret" in good.stdout
    lacorsa = await ben.post(f"/api/v1/daily/{DAY}/lacorsa")
    await play(ben, await tables_of(ben).table(lacorsa.json()["id"]))
    cards = (await ben.get(f"/t/{lacorsa.json()['id']}/record")).text
    (card,) = re.findall(r"^deal 2: (\S+)", cards, re.MULTILINE)
    changed = cards.replace(f"deal 2: {card} ", f"deal 2: {'1' if card == 'R' else 'R'} ")
    for text, code in ((cards, 0), (changed, 1)):
        (tmp_path / "cards.txt").write_text(text, "utf-8")
        by_hand = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-I", str(EXAMPLE), str(file), str(tmp_path / "cards.txt")],
            capture_output=True,
            text=True,
        )
        assert by_hand.returncode == code, by_hand.stderr
        assert code or by_hand.stdout == "52 cards follow from the secret\n"
    bad = json.loads(told.text) | {"secret": "0" * 64}
    file.write_text(json.dumps(bad))
    found = await asyncio.to_thread(here, "fair", str(file), str(record))
    assert (
        found.returncode == 1
        and "does NOT match the hash" in found.stdout
        and "does NOT match this secret" in found.stdout
    )


async def test_the_form_of_yesterday_begins_nothing_today(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    """The kind: a form means what its page showed, whenever it is sent."""
    ana, ben, _cai = people
    page = (await ana.get("/daily")).text
    form = dict(re.findall(r'<input type="hidden" name="(day)" value="([^"]*)">', page))
    assert form == {"day": DAY}
    clock.time += timedelta(hours=12, seconds=5)
    refused = await ana.post("/daily/rasant", data={"name": "Ana"} | form)
    assert refused.status_code == 409 and "nothing has begun. This is today’s race." in words(refused.text)
    assert "2 March 2026" in words(refused.text) and 'name="day" value="2026-03-02"' in refused.text
    assert (await ana.post("/daily/rasant", data={"name": "Ana"})).status_code == 409
    await begin(ben, "lacorsa", day="2026-03-02")  # a browser that the API knows
    told = await ben.post("/api/v1/daily/rasant", json={"day": DAY})
    assert told.status_code == 409 and "today is 2026-03-02" in told.text
    tables = tables_of(ana)
    assert [row.title for row in await attempts(stored(tables), "2026-03-02")] == ["lacorsa"]
    assert (await ben.post("/api/v1/daily/rasant", json={"day": "2026-03-02"})).status_code == 201
    assert (await ben.post("/api/v1/daily/rasant", json={"day": "tomorrow"})).status_code == 422


async def test_a_race_that_ends_after_midnight_is_said_not_to_count(
    people: list[httpx.AsyncClient], clock: Clock
) -> None:
    """The kind: every place that shows an attempt says whether it counts."""
    ana, ben, cai = people
    table, other = await begin(ana, name="Ana"), await begin(ben, name="Ben")
    await finish(ben, other)
    me = await asked(ana, table)
    seat, legal = table.moves(me)[0]
    holder = table.players[me].holder
    await tables_of(ana).submit(table.id, holder, seat, legal[0][1], table.decision, "first")
    clock.time += timedelta(hours=11, minutes=58, seconds=59)
    assert "in 1 min ." in words((await ana.get("/daily")).text)
    clock.time += timedelta(seconds=30)
    assert "in less than a minute ." in words((await ana.get("/daily")).text)
    kept = (await ana.get(f"/api/v1/tables/{table.id}")).json()["counts"]
    assert kept is None
    no = "does not count"
    for address in ("/", "/me", f"/t/{table.id}", "/daily"):
        assert no not in words((await ana.get(address)).text), address

    clock.time += timedelta(seconds=36)  # five seconds past midnight
    await daily(tables_of(ana)).tend()
    page = (await ana.get(f"/daily/{DAY}")).text
    assert "This day ended at midnight UTC: races no longer count." in words(page)
    assert "it does not count. Your race" in words(page) and "Go on<" not in page
    assert not re.search(r"\d min\b", words(page)) and "Nobody has finished yet" not in page
    late = "Midnight UTC has passed: this race of the day does not count any more."
    assert late in words((await ana.get(f"/t/{table.id}")).text)
    for address in ("/", "/me"):
        assert "race of the day, 2026-03-01: it does not count" in words((await ana.get(address)).text)
    race = (await ana.get(f"/api/v1/daily/{DAY}")).json()
    assert (race["phase"], race["over"]) == ("ended", False)
    stands = [
        [one["attempt"] for one in (await client.get(f"/api/v1/daily/{DAY}")).json()["races"]]
        for client in people
    ]
    assert [set(one) - {"none"} for one in stands] == [{"late"}, {"counted"}, set()]
    assert 'name="day"' not in (await cai.get(f"/daily/{DAY}")).text, "no form begins anything"

    clock.time += timedelta(seconds=19)
    await play(ana, table)
    podium = words((await ana.get(f"/t/{table.id}")).text)
    assert "Finished after midnight UTC: it does not count in the race of the day." in podium
    assert "Others still play" not in podium and "It counts" not in podium
    assert no not in words((await ben.get(f"/t/{other.id}")).text)
    assert (await ana.get(f"/api/v1/tables/{table.id}")).json()["counts"] is False
    assert (await ben.get(f"/api/v1/tables/{other.id}")).json()["counts"] is True
    page = (await ana.get(f"/daily/{DAY}")).text
    assert "it does not count. Your race" in words(page) and "To share" not in words(page)

    clock.time += timedelta(minutes=1)
    await daily(tables_of(ana)).tend()
    assert "Practice of the race of 2026-03-01: it does not count." in words(
        (await ana.get(f"/t/{table.id}")).text
    )
    assert no not in words((await ben.get(f"/t/{other.id}")).text)
    assert "race of the day, 2026-03-01" in words((await ben.get("/")).text)
    assert "it does not count. Your race" in words((await ana.get(f"/daily/{DAY}")).text)
    assert (await ben.get(f"/api/v1/tables/{other.id}")).json()["counts"] is True


async def test_who_is_forgotten_is_not_offered_another_attempt(people: list[httpx.AsyncClient]) -> None:
    """The kind: forgetting must not give anything back that can be had once."""
    ana, _ben, _cai = people
    await begin(ana, "lacorsa")
    cookie = dict(ana.cookies)
    table = await begin(ana, name="Ana")
    await finish(ana, table)
    assert (await ana.post("/me/forget", data={"sure": "yes"})).status_code == 200
    ana.cookies.update(cookie)
    page = (await ana.get("/daily")).text
    card = page[page.index('data-title="rasant"') :].partition("</li>")[0]
    assert "You have had your attempt; it was deleted." in words(card) and "<form" not in card
    assert (await ana.post("/daily/rasant", data={"name": "Ana", "day": DAY})).status_code == 404
    refused = await ana.post("/api/v1/daily/rasant", json={})
    assert refused.status_code == 404 and "You have raced here" in refused.text


async def test_a_day_that_was_told_early_says_so(people: list[httpx.AsyncClient], clock: Clock) -> None:
    """The clock of the server was ahead: the page says what that means, and what comes next."""
    ana, _ben, _cai = people
    before = re.findall(r"[0-9a-f]{64}", (await ana.get("/daily")).text)
    clock.time += timedelta(hours=24)
    await daily(tables_of(ana)).tend()
    clock.time -= timedelta(hours=24)
    page = (await ana.get("/daily")).text
    said = words(page)
    assert "The clock of this server was ahead" in said and "Practise" in said and "Your name" not in said
    shown = re.findall(r"[0-9a-f]{64}", page)
    assert shown[1:] == before and fair.commitment(shown[0]) == before[0]
    refused = await ana.post("/daily/rasant", data={"name": "Ana", "day": DAY})
    assert refused.status_code == 403 and "the next race begins at midnight UTC" in words(refused.text)
    assert (await ana.post(f"/daily/{DAY}/rasant")).status_code == 303
