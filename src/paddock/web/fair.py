"""The page on which a browser checks the cards of a record by itself."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.tables.make import is_id
from paddock.web.given import GivenPages
from paddock.web.links import link
from paddock.web.page import WebPage

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class FairPage(WebPage):
    """Where a browser checks a record: the server only lists what was possible at each draw."""

    template = "fair.html"
    table: str  # its id; empty: the reader gives a record
    record_url: str  # of the record that is checked first; empty: the reader gives one
    draws_url: str


@router.get("/fair")
async def fair(request: Request, pages: GivenPages) -> Response:
    """Show where a record is checked: at once, if the address names its ``table``."""
    asked = request.query_params.get("table", "")
    table = asked if is_id(asked) else ""
    record = link(f"/t/{table}/record") if table else ""
    page = FairPage(table=table, record_url=record, draws_url=link("/api/v1/fair/draws"))
    return pages.page(request, page)
