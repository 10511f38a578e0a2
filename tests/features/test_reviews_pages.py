"""Reviews: notes on finished games, who may write them, and a replay without what comes later."""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.features.reviews import pages
from paddock.features.reviews import service as reviewing
from paddock.features.reviews.pages import NOTES, PAUSE, REVIEW
from paddock.features.reviews.service import ReviewPlace, Reviews
from paddock.records import Note
from paddock.tables import Tables
from paddock.web.steps import stops
from tables.clockwork import PATIENCE_S
from web.helpers import finish, table

pytestmark = pytest.mark.anyio
PEOPLE = {"who-1": "me", "who-2": "me", "name-1": "Ana", "name-2": "Ben"}
NOTE = {
    "step": "3",
    "eyes": "all",
    "text": "Too early?\nPass here.",
    "tags": "#Mistake luck",
    "mark": "piece 1",
}


def stranger(app: FastAPI) -> httpx.AsyncClient:
    """Another browser."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://paddock.test")


async def over(client: httpx.AsyncClient, title: str = "lacorsa") -> str:
    path = await table(client, title=title, **PEOPLE)
    await finish(client, path)
    return path


async def link_for_friends(client: httpx.AsyncClient, path: str) -> str:
    assert (await client.post(f"{path}/review/open", data={"step": "0"})).status_code == 303
    found = re.search(r'id="join"[^>]*value="([^"]+)"', (await client.get(f"{path}/replay")).text)
    assert found
    return html.unescape(found[1])


async def test_a_note_is_kept_at_its_moment_and_exported(client: httpx.AsyncClient) -> None:
    path = await over(client)
    sent = await client.post(f"{path}/review/notes", data=NOTE | {"from": "piece 1", "to": "piece 2"})
    assert sent.headers["location"] == f"{path}/replay?step=3&eyes=all#notes"
    shown = (await client.get(f"{path}/replay?step=3")).text
    assert "<b>Ana:</b> Too early?\nPass here." in shown and "#mistake" in shown and "#luck" in shown
    assert 'data-arrows="piece 1&gt;piece 2" data-marks="piece 1"' in shown
    assert re.search(r"Arrow: [^<]*Ana[^<]* → [^<]*Ben", shown), "in words, too"
    other = (await client.get(f"{path}/replay?step=0")).text
    assert "Ana: Too early? Pass here." in other and "<b>Ana:</b>" not in other

    text = (await client.get(f"{path}/record")).text
    (note,) = records.read(text).notes
    assert note.text == "Too early?\nPass here." and note.tags == ("mistake", "luck")
    again = await client.post("/records", data={"record": text})
    copy = again.headers["location"].removesuffix("/replay")
    assert (await client.get(f"{copy}/record")).content == text.encode(), "byte for byte"
    assert "<b>Ana:</b> Too early?" in (await client.get(f"{copy}/replay?step=3")).text


async def test_nobody_notes_anything_while_the_game_is_played(
    client: httpx.AsyncClient, app: FastAPI
) -> None:
    path = await table(client, title="lacorsa", **PEOPLE)
    before = (await client.get(path)).text, (await client.get(f"{path}/record")).text
    start = {"step": "0"}
    for where, data in (("notes", NOTE), ("notes/0/delete", start), ("open", start), ("look", start)):
        answer = await client.post(f"{path}/review/{where}", data=data)
        assert answer.status_code == 403, where
    assert (await client.get(f"{path}/review/stream")).status_code == 403
    assert (await client.get(f"{path}/review?key=x")).status_code == 404
    tables: Tables = app.state.tables
    assert await tables.service(Reviews).notes(await tables.table(path.rpartition("/")[2])) == []
    after = (await client.get(path)).text, (await client.get(f"{path}/record")).text
    assert re.sub(r"key=?\S+", "", before[0]) == re.sub(r"key=?\S+", "", after[0])
    assert before[1] == after[1]


async def test_friends_write_with_the_link_and_strangers_do_not(
    client: httpx.AsyncClient, app: FastAPI
) -> None:
    path = await over(client)
    id = path.rpartition("/")[2]
    friend, other = stranger(app), stranger(app)
    assert (await other.post(f"{path}/review/notes", data=NOTE | {"name": "Eve"})).status_code == 403
    assert (await other.post(f"{path}/review/open", data={"step": "0"})).status_code == 403
    assert (await friend.get(f"{path}/review?key=guessed")).status_code == 404
    page = (await other.get(f"{path}/replay")).text
    assert "Write a note" not in page and 'id="join"' not in page

    hidden = await client.post(f"{path}/review/open", data={"step": "2", "eyes": "all", "spoilers": "no"})
    assert hidden.headers["location"] == f"{path}/replay?step=2&eyes=all&spoilers=no#notes"
    joined = await friend.get(await link_for_friends(client, path))
    assert joined.headers["location"] == f"{path}/replay?step=0&spoilers=no"
    assert f"Path={path};" in "".join(joined.headers.get_list("set-cookie"))
    assert friend.cookies.get(REVIEW + id) and "Write a note" in (await friend.get(f"{path}/replay")).text
    for name, refused in (("", 422), ("ben", 422), ("Admin", 422), ("Cho", 303)):
        answer = await friend.post(f"{path}/review/notes", data=NOTE | {"name": name})
        assert answer.status_code == refused, name
    assert "<b>Cho:</b>" in (await other.get(f"{path}/replay?step=3")).text

    await client.post(f"{path}/review/notes", data=NOTE)
    tables: Tables = app.state.tables
    cho, ana = await tables.service(Reviews).notes(await tables.table(id))
    for who, seq, status in (
        (other, cho.seq, 403),
        (friend, ana.seq, 403),
        (friend, cho.seq, 303),
        (client, 99, 403),
    ):
        answer = await who.post(f"{path}/review/notes/{seq}/delete", data={"step": "3"})
        assert answer.status_code == status
    assert [kept.seq for kept in await tables.service(Reviews).notes(await tables.table(id))] == [ana.seq]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"text": "", "tags": "", "mark": ""}, "write something"),
        ({"mark": "the board"}, "not a place"),
        ({"tags": "a,b"}, "not a tag"),
        ({"text": "x" * 2001}, "at most 2,000 characters"),
        ({"step": "9999"}, "whole number"),
    ],
)
async def test_a_wrong_note_is_refused_with_a_sentence(
    client: httpx.AsyncClient, fields: dict[str, str], says: str
) -> None:
    path = await over(client)
    answer = await client.post(f"{path}/review/notes", data=NOTE | fields)
    assert answer.status_code in (400, 422) and says.lower() in html.unescape(answer.text).lower()


def test_an_arrow_of_a_form_has_one_start_and_the_rest_is_its_end() -> None:
    """A place «b>c» does not exist, so the note is refused."""
    drawn = {"arrows": "a>b>c||d>e|f|d>e", "marks": "x|y|x", "from": "g", "to": "h", "mark": "z"}
    assert pages._drawn(drawn) == ((("a", "b>c"), ("d", "e"), ("g", "h")), ("x", "y", "z"))
    for one in ("from", "to"):
        assert pages._drawn({one: "g"}) == ((), ())


# Without spoilers

PLAIN = {"accept-encoding": "identity"}  # then the headers say how long the body is


GAMES: dict[str, tuple[dict[str, object], int]] = {
    "lacorsa": ({"drivers": 3, "races": 2}, 90),
    "rasant": ({"players": 2, "games": 2}, 60),
    "great_race": ({"players": 2, "map": "usa-west"}, 60),
}


def twins(title: str) -> tuple[Game, Game, int]:
    """Return two finished games that are the same for so many entries, and then go on otherwise."""
    options, common = GAMES[title]
    games = []
    for number in (1, 2):
        game, choose, parts = paddock.start(title, seed=5, **options), random.Random(1), number == 2
        while not game.over:
            if parts and len(game.log) >= common:
                choose, parts = random.Random(2), False
            seat = game.deciders[0]
            game.play(seat, choose.choice(game.legal(seat).ids))
        games.append(game)
    one, two = games
    same = next(n for n, (a, b) in enumerate(zip(one.log, two.log, strict=False)) if a != b)
    return one, two, same


def record_of(game: Game, notes: list[Note]) -> str:
    players = [(name, None) for name in ("Ana", "Ben", "Cho", "Dan", "Eve", "Fay")[: game.options.players]]
    return records.write(game, date="2026-03-01", players=players, notes=notes)


@pytest.mark.parametrize(
    "title",
    ["lacorsa", "rasant", pytest.param("great_race", marks=pytest.mark.slow("plays two of its long games"))],
)
async def test_a_replay_without_spoilers_sends_no_byte_of_what_comes_later(
    client: httpx.AsyncClient, app: FastAPI, title: str
) -> None:
    """Two games that begin alike are the same until they part: pages, updates, headers and refusals."""
    one, two, same = twins(title)
    early = Note(10, "Ana", "An early note")
    paths = []
    for game, word in ((one, "UNSEEN"), (two, "otherwise")):
        late = Note(len(game.log), "Ben", f"{word} note of the end", (word.lower(),))
        answer = await client.post("/records", data={"record": record_of(game, [early, late])})
        paths.append(answer.headers["location"].removesuffix("/replay"))
    tables: Tables = app.state.tables
    shown = stops(await tables.table(paths[0].rpartition("/")[2]))
    last = max(n for n, played in enumerate(shown) if played <= same)
    assert last > 2
    await client.get("/")  # which renews its cookies, once
    asked = ["step=0", f"step={last}", f"step={last}&eyes=1", f"entry={same - 2}"]
    asked += ["step=999999", "step=x", "step=1&eyes=99"]
    for query in asked:
        for headers in (PLAIN, PLAIN | {"paddock-part": "main"}):
            bodies = []
            for path in paths:
                answer = await client.get(f"{path}/replay?spoilers=no&{query}", headers=headers)
                body = answer.content.replace(path.rpartition("/")[2].encode(), b"ID")
                bodies.append((answer.status_code, dict(answer.headers), body))
                assert b"UNSEEN" not in body and b"unseen" not in body
                assert records.read(record_of(one, [])).result.encode() not in body
            assert bodies[0] == bodies[1], query
    page = (await client.get(f"{paths[0]}/replay?spoilers=no&step={last}")).text
    assert "An early note" in page and f"of {len(shown) - 1}" not in page
    whole = [(await client.get(f"{path}/replay?step={last}")).text for path in paths]
    assert "UNSEEN" in whole[0] and whole[0] != whole[1], "with spoilers they differ"


# Together


async def heard(app: FastAPI, client: httpx.AsyncClient, path: str) -> AsyncIterator[dict[str, object]]:
    """Yield what the stream of a review says. The client of the tests would wait for its end."""
    got: asyncio.Queue[bytes] = asyncio.Queue()
    where, _q, query = path.partition("?")
    headers = [
        (b"host", b"paddock.test"),
        (b"cookie", "; ".join(f"{k}={v}" for k, v in client.cookies.items()).encode()),
    ]
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": where, "raw_path": where.encode(),
        "query_string": query.encode(), "headers": headers, "scheme": "http", "root_path": "",
        "server": ("paddock.test", 80), "client": ("127.0.0.1", 1),
    }  # fmt: skip

    async def receive() -> dict[str, object]:
        await asyncio.Event().wait()
        return {}

    async def send(message: dict[str, object]) -> None:
        if body := message.get("body"):
            got.put_nowait(body)  # type: ignore[arg-type]

    task = asyncio.create_task(app(scope, receive, send))  # type: ignore[arg-type]
    try:
        while True:
            async with asyncio.timeout(PATIENCE_S):
                said = (await got.get()).decode()
            for line in said.splitlines():
                if line.startswith("data: {"):  # a heartbeat has a number
                    yield json.loads(line[6:])
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_friends_see_where_the_others_look(client: httpx.AsyncClient, app: FastAPI) -> None:
    path = await over(client)
    friend = stranger(app)
    await friend.get(await link_for_friends(client, path))
    news = heard(app, client, f"{path}/review/stream?step=0&eyes=all")
    fresh = heard(app, client, f"{path}/review/stream?step=2&eyes=all&spoilers=no")
    assert await anext(news) == await anext(fresh) == {"notes": 0, "others": []}
    theirs = heard(app, friend, f"{path}/review/stream?step=2&eyes=all")
    assert (await anext(theirs))["others"] == []
    look = {"step": "2", "eyes": "1", "place": "piece 1", "name": "Cho"}
    assert (await friend.post(f"{path}/review/look", data=look)).status_code == 204
    here = {"name": "Cho", "step": 2, "eyes": "1", "place": "piece 1", "url": f"{path}/replay?step=2&eyes=1"}
    assert (await anext(news))["others"] == [here]
    assert (await anext(fresh))["others"] == [here | {"url": here["url"] + "&spoilers=no"}]
    await friend.post(f"{path}/review/look", data=look | {"step": "5"})
    assert (await anext(news))["others"] == [here | {"step": 5, "url": f"{path}/replay?step=5&eyes=1"}]
    assert (await anext(fresh))["others"] == [], "who is further on is not told of"
    await friend.post(f"{path}/review/look", data=look | {"name": "Admin", "place": "constructor"})
    assert (await anext(news))["others"] == [here | {"name": "Somebody", "place": ""}]
    await friend.post(f"{path}/review/notes", data=NOTE | {"name": "Cho"})
    assert (await anext(news))["notes"] == 1
    eve = stranger(app)
    assert (await eve.post(f"{path}/review/look", data=look)).status_code == 403
    assert (await eve.get(f"{path}/review/stream")).status_code == 403
    await theirs.aclose()
    assert (await anext(news))["others"] == [], "who has left is not there"
    await news.aclose()
    await fresh.aclose()


async def test_a_room_tells_little_of_whoever_looks_around(
    client: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes in the pause after a message is told together, and a room has at most 32 who look."""
    path, paused, over_now = await over(client), list[float](), asyncio.Event()
    tables: Tables = app.state.tables

    async def sleep(seconds: float) -> None:
        paused.append(seconds)
        await over_now.wait()

    news = heard(app, client, f"{path}/review/stream?step=0&eyes=all")
    monkeypatch.setattr(tables.runtime, "sleep", sleep)
    assert (await anext(news))["others"] == []
    reviews, id = tables.service(Reviews), path.rsplit("/", 1)[1]
    with ExitStack() as stack:
        for n in range(reviewing.MOST_LOOKING + 2):
            stack.enter_context(reviews.watching(id, f"b{n}"))
            for step in (1, 2):
                reviews.look(id, f"b{n}", ReviewPlace(f"F{n}", step, "all"))
                await asyncio.sleep(0)
        over_now.set()
        told: Any = (await anext(news))["others"]
        assert [one["step"] for one in told] == [2] * reviewing.MOST_LOOKING
    assert paused[0] == PAUSE
    await news.aclose()


async def test_programs_read_write_and_delete_notes(client: httpx.AsyncClient, app: FastAPI) -> None:
    path = await table(client, title="lacorsa", **PEOPLE)
    notes, note = (
        f"/api/v1{path.replace('/t/', '/tables/')}/notes",
        {"at": 40, "text": "Hm", "tags": ["luck"]},
    )
    assert (await client.get(notes)).json() == []
    assert (await client.post(notes, json=note)).status_code == 403
    await finish(client, path)
    made = await client.post(notes, json=note)
    assert made.status_code == 201
    assert made.json() == {"seq": 0, "by": "Ana", "arrows": [], "marks": []} | note
    eve = stranger(app)
    await eve.post("/tables", data={"title": "lacorsa"})  # which gives it a cookie
    assert (await eve.post(notes, json=note | {"name": "Eve"})).status_code == 403
    assert (await eve.delete(f"{notes}/0")).status_code == 403
    assert (await eve.get(notes)).json() == [made.json()]
    assert (await eve.get(f"{notes}?until=39")).json() == []
    wrongs: list[dict[str, object]] = [{"tags": ["a b"]}, {"at": 10**6}, {"marks": ["there"]}, {"mark": []}]
    for wrong in (*wrongs, {"text": "", "tags": []}):
        assert (await client.post(notes, json=note | wrong)).status_code == 422
    assert (await client.delete(f"{notes}/0")).status_code == 204
    assert (await client.get(notes)).json() == []


async def test_many_notes_are_shown_page_by_page(client: httpx.AsyncClient) -> None:
    path = await over(client)
    for n in range(NOTES + 2):
        sent = await client.post(f"{path}/review/notes", data=NOTE | {"text": f"Nr. {n}."})
    assert sent.headers["location"] == f"{path}/replay?step=3&eyes=all&notes=2#notes", "where the new one is"
    first, second = [(await client.get(f"{path}/replay?step=3{more}")).text for more in ("", "&notes=2")]
    assert "Nr. 19." in first and "Nr. 20." not in first and "Later notes" in first
    assert "Nr. 21." in second and "Nr. 19." not in second and "Earlier notes" in second
    assert (await client.get(f"{path}/replay?step=3&notes=3")).text == second.replace(
        "&amp;notes=2", "&amp;notes=3"
    )


async def test_only_the_nearest_moments_with_notes_are_listed(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOMENTS", 2)
    path = await over(client)
    for step in (0, 2, 5, 9):
        await client.post(f"{path}/review/notes", data=NOTE | {"step": str(step), "text": f"Step {step}."})
    page = (await client.get(f"{path}/replay?step=4")).text
    assert re.findall(r"Ana: (Step \d)\.</a>", page) == ["Step 2", "Step 5"] and "and 2 more" in page
