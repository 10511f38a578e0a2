"""Whether the server works: ``/healthz`` and ``/readyz``, for whatever watches over it."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from paddock.tables import Tables, Unavailable
from paddock.web.pages import RETRY
from paddock.web.prices import costs

router = APIRouter()
READY = 2.0  # seconds in which the database must answer


@router.get("/healthz")
@costs(0, early=True)
async def healthz() -> Response:
    """Answer that the server is running."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
@costs(0, early=True)
async def readyz(request: Request) -> Response:
    """Answer whether the server can do its work: 200, or 503 while the database does not answer."""
    tables: Tables | None = request.app.state.tables
    try:
        async with asyncio.timeout(READY):
            if tables is None:
                raise Unavailable("closed")
            await tables.owning.sure()
            await tables.store.version("")
    except (Unavailable, TimeoutError):
        return JSONResponse({"status": "unavailable"}, 503, {"Retry-After": str(RETRY)})
    return JSONResponse({"status": "ok"})


@router.get("/healthz/stream")
@costs(stream=True, early=True)
async def seen(request: Request) -> Response:
    """Say how this server sees the request, in two pieces with a second between them.

    ``paddock admin doctor`` finds out with it what a proxy changes, and whether it holds streams back.
    """
    tables: Tables | None = request.app.state.tables
    said = {
        "scheme": request.url.scheme,
        "host": request.url.netloc,
        "address": _address(request),
        "now": (tables.runtime.now() if tables else datetime.now(UTC)).isoformat(),
    }

    async def body() -> Any:
        yield json.dumps(said) + "\n"
        await asyncio.sleep(1)
        yield "{}\n"

    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return StreamingResponse(body(), media_type="text/event-stream", headers=headers)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
