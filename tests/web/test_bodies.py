"""What takes long happens beside the event loop, or in pieces: others are answered meanwhile."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import httpx
import jinja2
import pytest
from fastapi import FastAPI

from paddock.tables.workers import Workers
from paddock.web import bodies, model, pages, steps
from paddock.web.bodies import LONG, MOST_VALUES, read_form, read_json
from web.api_helpers import program
from web.helpers import finish, table

pytestmark = pytest.mark.anyio
JSON = {"content-type": "application/json"}


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> list[Callable[..., Any]]:
    """What the worker processes were asked to do."""
    asked: list[Callable[..., Any]] = []
    run = Workers.run

    async def noted(self: Workers, work: Callable[..., Any], *args: Any) -> Any:
        asked.append(work)
        return await run(self, work, *args)

    monkeypatch.setattr(Workers, "run", noted)
    return asked


@pytest.mark.usefixtures("client")
async def test_a_long_body_in_json_is_read_in_a_worker(
    app: FastAPI, beside: list[Callable[..., Any]]
) -> None:
    ana = await program(app)
    for path, body in (
        ("/records", {"text": "x" * LONG}),
        ("/records", {f"x{n}": 1 for n in range(2 * MOST_VALUES)}),
        ("/tables", {"title": "lacorsa", "seats": ["me"], "options": {"points": ["a"] * 2 * MOST_VALUES}}),
    ):
        answer = await ana.post(path, json=body)
        assert answer.status_code == (422 if "text" in body else 400), answer.text
        assert ("too many parts" in answer.json()["error"]) == ("text" not in body)
        assert beside.pop(0) is read_json
        beside.clear()
    assert (await ana.post("/records", json={"text": "x"})).status_code == 422 and not beside
    for n in (1, LONG):
        wrong = await ana.post("/records", content=b'{"text": "' + b"x" * n, headers=JSON)
        assert wrong.status_code == 400
        assert wrong.json()["error"] == "The body is no JSON, at character 10."


async def test_a_long_form_is_read_in_a_worker(
    client: httpx.AsyncClient, beside: list[Callable[..., Any]]
) -> None:
    lines = "\n" * (LONG // 2)
    for form, status in (({"record": lines}, 422), ({str(n): "" for n in range(LONG // 4)}, 400)):
        assert (await client.post("/records", data=form)).status_code == status
        assert beside.pop() is read_form
    for file in (b"\n" * LONG, b"\xff" * LONG):
        answer = await client.post("/records", files={"record": ("race.txt", file)})
        assert answer.status_code == (422 if file[0] == 10 else 400), answer.text
        assert beside.pop() is read_form
    await client.post("/records", data={"record": "x"})
    assert not beside


def test_a_form_of_either_kind_is_read_alike() -> None:
    """The last field of a name counts, but an empty file does not replace the text."""
    empty = ' filename="x"'
    parts = [("a", "", "1"), ("b", "", "é"), ("a", "", "2"), ("b", empty, ""), ("c", "", "3")]
    lines = [f'--cut\r\nContent-Disposition: form-data; name="{n}";{file}\r\n\r\n{t}' for n, file, t in parts]
    body = "\r\n".join([*lines, "--cut--\r\n"]).encode()
    assert read_form(body, "multipart/form-data; boundary=cut") == {"a": "2", "b": "é", "c": "3"}
    assert read_form(b"a=1&b=%C3%A9&a=2&c=3", bodies.URLENCODED) == {"a": "2", "b": "é", "c": "3"}
    for wrong in (b"", b"--cut\r\nContent-Disposition: form-data\r\n\r\n1\r\n--cut--\r\n"):
        with pytest.raises(bodies.BadBody):
            read_form(wrong, "multipart/form-data; boundary=cut" if wrong else "multipart/form-data")


def test_json_has_few_values_and_little_depth() -> None:
    fine = [[n] for n in range(MOST_VALUES // 2 - 1)]
    assert read_json(json.dumps(fine).encode()) == fine
    deep = b"[" * bodies.MOST_DEPTH + b"]" * bodies.MOST_DEPTH
    assert read_json(deep)
    for wrong in (
        json.dumps([*fine, 1, 2]).encode(),
        b"[%b]" % deep,
        b"[" * 30_000 + b"]" * 30_000,
        b'"\xff"',
    ):
        with pytest.raises(bodies.BadBody):
            read_json(wrong)


async def test_others_have_their_turn_while_a_page_is_rendered(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no part of it asks the file system whether its template is new."""
    path, turns = await table(client), 0

    def look(self: jinja2.Template) -> bool:
        raise AssertionError(self.name)

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    task = asyncio.create_task(others())
    monkeypatch.setattr(jinja2.Template, "is_up_to_date", property(look))
    taken = []
    for turn in (0.0, 1e9):
        monkeypatch.setattr(pages, "TURN_S", turn)
        before = turns
        assert (await client.get(f"{path}?{turn}")).status_code == 200
        taken.append(turns - before)
    task.cancel()
    assert taken[0] > taken[1] + 10


async def test_the_model_of_a_long_game_is_made_in_a_thread(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await table(client)
    await finish(client, path)
    made: list[int] = []
    make = model.model_of

    def noted(*args: Any) -> model.Model:
        made.append(threading.get_ident())
        return make(*args)

    monkeypatch.setattr(model, "model_of", noted)
    monkeypatch.setattr(steps, "LONG_LOG", 0)
    app.state.models = model.Models()
    app.state.api.state.models = app.state.models
    assert (await client.get(path)).status_code == 200
    ana = await program(app)
    assert (await ana.get(f"/tables/{path.removeprefix('/t/')}")).status_code == 200
    outside = made.count(threading.get_ident())  # for the preview of the page's link
    assert len(made) - outside == 2 and outside <= 1
