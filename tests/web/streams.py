"""Reads an event stream chunk by chunk. HTTPX's ASGI client would wait for its end."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI


class Stream:
    """Collects everything that the stream of a page sends, chunk by chunk."""

    def __init__(self, app: FastAPI, path: str, client: httpx.AsyncClient) -> None:
        self.chunks: list[bytes] = []
        self._more = asyncio.Event()
        request = client.build_request("GET", path)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "query_string": b"",
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": ("127.0.0.1", 1),
            "server": ("paddock.test", 80),
        }
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.body" and message.get("body"):
            self.chunks.append(message["body"])
            self._more.set()

    async def until(self, n: int) -> None:
        while len(self.chunks) < n:
            self._more.clear()
            await self._more.wait()
