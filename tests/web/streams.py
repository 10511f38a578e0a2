"""Reads an event stream chunk by chunk. HTTPX's ASGI client would wait for its end."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import httpx
from fastapi import FastAPI

EVENT = re.compile(rb"id: (\w{16})\ndata: (.*)\n\n")


class Stream:
    """Collects everything that the stream of a page sends, chunk by chunk."""

    def __init__(self, app: FastAPI, path: str, client: httpx.AsyncClient, query: str = "") -> None:
        self.chunks: list[bytes] = []  # as if the client could not unpack them
        self.open = asyncio.Event()  # cleared: the reader takes nothing
        self.open.set()
        self._more = asyncio.Event()
        request = client.build_request("GET", path)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "query_string": query.encode(),
            "root_path": "",
            "headers": [
                (name.lower(), value)
                for name, value in request.headers.raw
                if name.lower() != b"accept-encoding"
            ],
            "client": ("127.0.0.1", 1),
            "server": ("paddock.test", 80),
        }
        self.task = asyncio.create_task(app(scope, self._receive, self._send))
        self.task.add_done_callback(lambda _task: self._more.set())

    async def _receive(self) -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def _send(self, message: Any) -> None:
        await self.open.wait()
        if message["type"] == "http.response.body" and message.get("body"):
            self.chunks.append(message["body"])
            self._more.set()

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The ids and the data of all events."""
        found = [EVENT.fullmatch(chunk) for chunk in self.chunks]
        return [(event[1].decode(), json.loads(event[2])) for event in found if event]

    async def until(self, n: int) -> None:
        while len(self.chunks) < n:
            await self._next()

    async def until_event(self, id: str) -> Any:
        """Return the data of this event as soon as it is the last one."""
        while not self.events or self.events[-1][0] != id:
            await self._next()
        return self.events[-1][1]

    async def _next(self) -> None:
        """Wait for the next chunk. Fail if the stream has ended: nothing comes any more."""
        if self.task.done():
            self.task.result()
            raise AssertionError("the stream has ended")
        self._more.clear()
        await self._more.wait()
