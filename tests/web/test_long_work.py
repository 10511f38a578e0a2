"""Long work: others are answered meanwhile, and a visitor has one piece of it at a time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from paddock.tables import replaying
from tables.held import begun
from tables.long import championship, held_upload
from web.api_helpers import program, visitor

pytestmark = pytest.mark.anyio


async def test_others_are_answered_during_an_upload(
    app: FastAPI, client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))
    monkeypatch.setattr(replaying, "upload", held_upload)
    text = championship()
    ana, ben = await program(app), await program(app)
    upload = asyncio.create_task(ana.post("/records", json={"text": text}))
    await begun(tmp_path)
    for _ in range(20):
        assert (await client.get("/healthz")).json() == {"status": "ok"}
    # The same visitor must wait, on pages too.
    refused = await ana.post("/records", json={"text": text})
    assert refused.status_code == 429 and refused.headers["retry-after"] == "5"
    assert "wait until it is done" in refused.json()["error"].lower()
    ana.base_url = httpx.URL("http://paddock.test")
    page = await ana.post("/records", data={"record": text})
    assert page.status_code == 429 and page.headers["retry-after"] == "5"
    assert "wait until it is done" in page.text
    other = asyncio.create_task(ben.post("/records", json={"text": text}))
    assert not upload.done()
    (tmp_path / "go").touch()
    assert (await upload).status_code == 201 and (await other).status_code == 201
    id = (await upload).json()["id"]
    # Pages of long games are made in threads.
    ana.base_url = httpx.URL("http://paddock.test")
    for path in (f"/t/{id}", f"/t/{id}/replay?step=30", f"/t/{id}/record", f"/t/{id}/podium.svg"):
        assert (await ana.get(path)).status_code == 200
    assert (await ana.get(f"/t/{id}/record")).text == text
    assert (await ana.get(f"/api/v1/tables/{id}/replay?entry=2500")).json()["entry"] == 2500


@pytest.mark.usefixtures("client")  # which starts the application
async def test_browsers_without_a_cookie_at_one_address_share_a_limit(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_TEST_HELD", str(tmp_path))
    monkeypatch.setattr(replaying, "upload", held_upload)
    form = {"record": championship()}
    async with visitor(app, "192.0.2.1") as one, visitor(app, "192.0.2.1") as two:
        one.base_url = two.base_url = httpx.URL("http://paddock.test")
        upload = asyncio.create_task(one.post("/records", data=form))
        await begun(tmp_path)
        assert (await two.post("/records", data=form)).status_code == 429
        (tmp_path / "go").touch()
        assert (await upload).status_code == 303
