"""For whoever runs the server: ``/readyz``, ``/metrics``, and the page ``/admin`` behind a token.

The token is the setting ``admin_token``. Programs send it as ``Authorization: Bearer``; a browser gets a
cookie for it. Without the setting, ``/metrics`` and ``/admin`` do not exist. Neither shows hands or secrets.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from time import time
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from paddock.core.extras import DISTRIBUTION
from paddock.core.i18n import _
from paddock.core.wording import number, timed
from paddock.tables import KeptTable, NoTable, Tables, Unavailable
from paddock.tables.live import LiveTable
from paddock.tables.operating import STATUSES
from paddock.web.bodies import fields
from paddock.web.cookies import ADMIN, KINDS, drop, keep
from paddock.web.given import GivenPages, GivenTables
from paddock.web.guard import address
from paddock.web.guesses import Guesses
from paddock.web.limits import MAKING
from paddock.web.links import link
from paddock.web.meter import metrics, phase
from paddock.web.pages import RETRY, redirect
from paddock.web.prices import costs

router = APIRouter()
SESSION = KINDS[ADMIN].lasts.total_seconds()
READY = 2.0  # seconds in which the database must answer
LISTED = 200  # tables on the page
GUESSERS = 20  # addresses on the page that have sent wrong tokens


async def _session(request: Request, tables: Tables, token: str, said: str) -> str:
    """Return a cookie that says this: only this server can make it, and only while it has the token.

    The key of the database is in it too, so that nobody can guess the token by making cookies.
    """
    key = token.encode() + await tables.secrets.key("admin session")
    return f"{said}.{hmac.new(key, said.encode(), 'sha256').hexdigest()}"


async def _lasts(request: Request, tables: Tables | None, token: str) -> bool:
    """Whether the cookie was made here with the token, is not too old, and its browser has not left."""
    cookie = request.cookies.get(ADMIN)
    if not cookie or tables is None:
        return False
    said = cookie.rpartition(".")[0]
    if not hmac.compare_digest(cookie.encode(), (await _session(request, tables, token, said)).encode()):
        return False
    return float(said.partition(".")[0]) > time() and cookie not in _left(request)


def _left(request: Request) -> dict[str, float]:
    """Return the cookies of browsers that have left this process, until they would have ended anyway."""
    state = request.app.state
    state.left = {one: until for one, until in getattr(state, "left", {}).items() if until > time()}
    found: dict[str, float] = state.left
    return found


def _token(request: Request) -> str:
    """Return the token of the settings; raise a 404 if there is none."""
    token: str = request.app.state.admin_token
    if not token:
        raise HTTPException(404)
    return token


async def _knows(request: Request, tables: Tables | None) -> bool:
    """Whether a request comes from the operator. Raises a 404 if the server has no token, and a 429."""
    token = _token(request)
    scheme, _space, said = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and _right(request, said.strip(), token):
        return True
    return await _lasts(request, tables, token)


def _right(request: Request, said: str, token: str) -> bool:
    """Whether this is the token. Wrong ones are counted: after some, their address must wait (a 429)."""
    guesses: Guesses = request.app.state.guesses
    if seconds := guesses.locked_for(here := address(request.scope)):
        words = _("Too many wrong tokens came from your network address: wait {n} s and try again.")
        raise HTTPException(429, words.format(n=seconds), {"Retry-After": str(seconds)})
    if hmac.compare_digest(said.encode(), token.encode()):
        return True
    guesses.wrong(here)
    return False


@router.get("/healthz")
@costs(0)
async def healthz() -> Response:
    """Answer that the server is running."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
@costs(0)
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
@costs(stream=True)
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


@router.get("/metrics")
@costs(MAKING)
async def numbers(request: Request, tables: GivenTables) -> Response:
    """Return the numbers for Prometheus."""
    if not await _knows(request, tables):
        raise HTTPException(
            401, _("Send the token of the setting PADDOCK_ADMIN_TOKEN."), {"WWW-Authenticate": "Bearer"}
        )
    return Response(metrics(request.app.state), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/admin")
@costs(MAKING)
async def admin(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Show what the server does, or ask for the token."""
    if not await _knows(request, tables):
        return pages.page(request, "admin.html", known=False, wrong=False)
    return pages.page(request, "admin.html", known=True, **await _facts(request, tables))


@router.post("/admin")
@costs(MAKING)
async def enter(request: Request, tables: GivenTables, pages: GivenPages) -> Response:
    """Take the token, and remember this browser for some hours; ``leave`` forgets it, and ends its cookie."""
    token, said = _token(request), await fields(request)
    if "leave" in said:
        if await _lasts(request, tables, token):
            _left(request)[request.cookies[ADMIN]] = time() + SESSION
        response = redirect(link("/admin"))
        drop(response, ADMIN)
        return response
    if not _right(request, said.get("token", ""), token):
        return pages.page(request, "admin.html", 403, known=False, wrong=True)
    response = redirect(link("/admin"))
    until = f"{time() + SESSION:.0f}.{secrets.token_hex(8)}"
    keep(request, response, ADMIN, await _session(request, tables, token, until))
    return response


@router.post("/admin/tables/{id}")
@costs(MAKING)
async def change(request: Request, tables: GivenTables, id: str) -> Response:
    """Close, open or delete a table."""
    if not await _knows(request, tables):
        raise HTTPException(403, _("Enter the token first."))
    what, keeping = (await fields(request)).get("do"), tables.upkeep.keeping
    if what not in ("close", "open", "delete"):
        raise HTTPException(
            400, _("“{name}” must be one of {values}.").format(name="do", values="close, open, delete")
        )
    done = await (keeping.delete(id) if what == "delete" else keeping.close(id, closed=what == "close"))
    if not done:
        raise NoTable(_("there is no table with this address: check that the link is complete"))
    await tables.upkeep.notice()
    return redirect(link("/admin"))


def _status(kept: KeptTable, live: LiveTable | None) -> str:
    """Return in words how far a table is: a running one may be frozen, which only its log shows."""
    now = phase(live.table) if live and kept.status == "running" else kept.status
    return _(STATUSES[now])


async def _facts(request: Request, tables: Tables) -> dict[str, Any]:
    """Return what the page shows."""
    keeping, measured = tables.upkeep.keeping, tables.store.measured
    kept, count = await keeping.all(LISTED), await keeping.count()
    live = {one.table.id: one for one in tables.registry}
    streams = {id: len(one.watchers) for id, one in live.items()}
    wrong = [(one.table.id, one.table.frozen, one.table.stalled) for one in live.values()]
    faults = [(id, frozen or (_(stalled) if stalled else "")) for id, frozen, stalled in wrong]
    waits = measured.seconds / measured.commits * 1000 if measured.commits else 0.0
    numbers = [
        (_("Version"), version(DISTRIBUTION)),
        (_("Database"), "PostgreSQL" if tables.store.shared else "SQLite"),
        (_("Moves a second, in the last minute"), number(measured.rate(), ".1f")),
        (_("Moves since the start"), number(measured.moves, ",")),
        (_("Milliseconds until a change is stored"), number(waits, ".1f")),
        (_("Open streams"), str(request.app.state.checks.limits.streams.total)),
        (_("Tables in memory"), str(len(live))),
        (_("Tables in the database"), number(count, ",")),
        (_("Wrong tokens of the operator"), number(request.app.state.guesses.total, ",")),
        (_("Bans"), str(await keeping.bans())),
    ]
    return {
        "numbers": numbers,
        "kept": [
            {
                "id": one.row.id,
                "title": one.row.title,
                "status": _status(one, live.get(one.row.id)),
                "people": ", ".join(one.people),
                "streams": streams.get(one.row.id, 0),
                "touched": timed(one.row.touched_at),
                "closed": one.row.closed,
            }
            for one in kept
        ],
        "more": max(0, count - LISTED),
        "faults": [(id, words) for id, words in faults if words],
        "guesses": [
            (where, number(count, ","), timed(datetime.now(UTC) - timedelta(seconds=ago)))
            for where, count, ago in request.app.state.guesses.newest(GUESSERS)
        ],
        "slow": [
            (f"{datetime.fromtimestamp(one.at, UTC):%H:%M:%S}", f"{number(one.seconds, '.2f')} s", one.text)
            for one in reversed(measured.slowest)
        ],
    }
