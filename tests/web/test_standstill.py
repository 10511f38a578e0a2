"""A server that is stopped and goes on, as when a laptop is closed: the pause is charged to nobody."""

from __future__ import annotations

import signal
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from paddock.tables.runtime import STILL
from web.conftest import PATIENT, serving

PAUSE = STILL + 1.0


@pytest.mark.slow("a server that is stopped for some seconds")
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot stop a process")
def test_a_stopped_server_charges_nobody(tmp_path: Path) -> None:
    """The kind: the time of a standstill was charged, that of a crash of the same length was not."""
    with serving(tmp_path) as server, httpx.Client(base_url=f"{server.url}api/v1", **PATIENT) as client:
        token = client.post("/tokens", json={"label": "slow"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        made: dict[str, Any] = {"title": "lacorsa", "seats": ["me"] * 4, "clock": "600+0"}
        id = client.post("/tables", json=made).json()["id"]

        def ends() -> datetime:
            """Return when the first player's clock runs out."""
            ends = client.get(f"/tables/{id}").json()["players"][0]["clock_ends"]
            return datetime.fromisoformat(ends)

        before = ends()
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(PAUSE)
        server.process.send_signal(signal.SIGCONT)
        # The clocks are saved with their new ends within a second or so.
        while (later := (ends() - before).total_seconds()) < PAUSE - 1:
            time.sleep(0.1)
        assert later < PAUSE + 60, "no more than the time that it may have stood still by itself"
