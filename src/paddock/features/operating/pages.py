"""The pages of whoever runs the server: ``/admin``, and the numbers for programs at ``/metrics``.

Without the setting ``admin_token`` they do not exist. Neither shows hands or secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.extras import DISTRIBUTION
from paddock.core.i18n import _
from paddock.core.wording import number, timed
from paddock.features.operating.entry import TokenEntry
from paddock.features.operating.given import GivenEntry, GivenOperating
from paddock.features.operating.numbers import metrics, phase
from paddock.features.operating.service import Operating
from paddock.tables import KeptTable, Tables
from paddock.tables.kept import STATUSES
from paddock.tables.live import LiveTable
from paddock.web.bodies import fields
from paddock.web.given import GivenPages, GivenTables
from paddock.web.limits import MAKING
from paddock.web.links import link
from paddock.web.page import WebPage
from paddock.web.pages import redirect
from paddock.web.prices import costs

router = APIRouter()
GUESSERS = 20  # addresses on the page that have sent wrong tokens


@dataclass(frozen=True, kw_only=True)
class EnterPage(WebPage):
    """The page that asks for the token."""

    template = "operating/enter.html"
    wrong: bool  # whether it has just got another one


@dataclass(frozen=True)
class OperatedTable:
    """A table in the list of the page."""

    id: str
    title: str
    status: str
    people: str
    streams: int
    touched: str
    closed: bool


@dataclass(frozen=True, kw_only=True)
class AdminPage(WebPage):
    """What the server does."""

    template = "operating/admin.html"
    numbers: Sequence[tuple[str, str]]  # what is counted, and how much
    kept: Sequence[OperatedTable]  # the tables that were touched last
    more: int  # tables that are not listed
    faults: Sequence[tuple[str, str]]  # ids of tables, and what has happened there
    guesses: Sequence[tuple[str, str, str]]  # addresses, the number of their wrong tokens, and the last date
    slow: Sequence[tuple[str, str, str]]  # slow statements: when, how long, and which


@router.get("/admin")
@costs(MAKING)
async def admin(
    request: Request, entry: GivenEntry, tables: GivenTables, operating: GivenOperating, pages: GivenPages
) -> Response:
    """Show what the server does, or ask for the token."""
    if not await entry.knows(request, tables):
        return pages.page(request, EnterPage(wrong=False))
    return pages.page(request, await _page(request, entry, tables, operating))


@router.post("/admin")
@costs(MAKING)
async def enter(request: Request, entry: GivenEntry, tables: GivenTables, pages: GivenPages) -> Response:
    """Take the token, and remember this browser for some hours; ``leave`` forgets it."""
    said, response = await fields(request), redirect(link("/admin"))
    if "leave" in said:
        await entry.leave(request, tables, response)
        return response
    if not entry.is_token(request, said.get("token", "")):
        return pages.page(request, EnterPage(wrong=True), 403)
    await entry.remember(request, tables, response)
    return response


@router.post("/admin/tables/{id}")
@costs(MAKING)
async def change(
    request: Request, entry: GivenEntry, tables: GivenTables, operating: GivenOperating, id: str
) -> Response:
    """Close, open or delete a table."""
    if not await entry.knows(request, tables):
        raise HTTPException(403, _("Enter the token first."))
    what = (await fields(request)).get("do")
    if what not in ("close", "open", "delete"):
        raise HTTPException(
            400, _("“{name}” must be one of {values}.").format(name="do", values="close, open, delete")
        )
    await (operating.delete(id) if what == "delete" else operating.close(id, closed=what == "close"))
    return redirect(link("/admin"))


@router.get("/metrics")
@costs(MAKING, early=True)
async def numbers(request: Request, entry: GivenEntry, tables: GivenTables) -> Response:
    """Return the numbers for Prometheus."""
    if not await entry.knows(request, tables):
        raise HTTPException(
            401, _("Send the token of the setting PADDOCK_ADMIN_TOKEN."), {"WWW-Authenticate": "Bearer"}
        )
    counted = metrics(request.app.state, entry.guesses)
    return Response(counted, media_type="text/plain; version=0.0.4; charset=utf-8")


async def _page(request: Request, entry: TokenEntry, tables: Tables, operating: Operating) -> AdminPage:
    """Return what the page shows."""
    measured, stored = operating.measured, await operating.stored()
    live = {one.table.id: one for one in tables.registry}
    waits = measured.seconds / measured.commits * 1000 if measured.commits else 0.0
    return AdminPage(
        numbers=[
            (_("Version"), version(DISTRIBUTION)),
            (_("Database"), "PostgreSQL" if tables.store.shared else "SQLite"),
            (_("Moves a second, in the last minute"), number(measured.rate(), ".1f")),
            (_("Moves since the start"), number(measured.moves, ",")),
            (_("Milliseconds until a change is stored"), number(waits, ".1f")),
            (_("Open streams"), str(request.app.state.checks.limits.streams.total)),
            (_("Tables in memory"), str(len(live))),
            (_("Tables in the database"), number(stored.count, ",")),
            (_("Wrong tokens of the operator"), number(entry.guesses.total, ",")),
            (_("Bans"), str(stored.bans)),
        ],
        kept=[_line(kept, live.get(kept.row.id)) for kept in stored.newest],
        more=max(0, stored.count - len(stored.newest)),
        faults=list(operating.faults()),
        guesses=[
            (where, number(count, ","), timed(datetime.now(UTC) - timedelta(seconds=ago)))
            for where, count, ago in entry.guesses.newest(GUESSERS)
        ],
        slow=[
            (f"{datetime.fromtimestamp(one.at, UTC):%H:%M:%S}", f"{number(one.seconds, '.2f')} s", one.text)
            for one in reversed(measured.slowest)
        ],
    )


def _line(kept: KeptTable, live: LiveTable | None) -> OperatedTable:
    """Return the line of a table; only the log of a running one shows whether it is frozen."""
    row = kept.row
    status = phase(live.table) if live and kept.status == "running" else kept.status
    return OperatedTable(
        id=row.id,
        title=row.title,
        status=_(STATUSES[status]),
        people=", ".join(kept.people),
        streams=len(live.watchers) if live else 0,
        touched=timed(row.touched_at),
        closed=row.closed,
    )
