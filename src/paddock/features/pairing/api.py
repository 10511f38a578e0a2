"""Play with whoever comes next, in the API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import Field, StringConstraints
from starlette.exceptions import HTTPException

from paddock.core.i18n import _
from paddock.features.pairing.given import GivenPairing
from paddock.features.pairing.rows import WaitingRow
from paddock.features.pairing.service import PACES, Pace
from paddock.web.api.asked import BodyShape, Name, Person, Route, Service, Text
from paddock.web.api.shapes import AnswerShape
from paddock.web.heads import only_looks
from paddock.web.limits import MAKING
from paddock.web.prices import costs
from paddock.web.profile import NUMBERS

router = APIRouter(route_class=Route)


class WaitIn(BodyShape):
    """A game that you would like to play with whoever comes next."""

    title: Annotated[str, StringConstraints(pattern="^[a-z0-9_]{1,64}$")]
    pace: Pace
    name: Text = Field("", description="Cut after 24 characters; empty: a default name.")
    number: Annotated[int, Field(ge=0, le=NUMBERS)] = Field(
        0, description="The seat that you would like, from 1; 0: any."
    )


class WaitOut(AnswerShape):
    """A game that you wait for, or that you waited for and that has a table now."""

    title: str
    pace: str
    since: datetime
    table: str | None = Field(description="The id of your table; null: you still wait.")


PaceInPath = Annotated[str, Path(pattern=f"^({'|'.join(PACES)})$")]


@router.get("/waits", tags=["others"])
async def waits(request: Request, pairing: GivenPairing, who: Person) -> list[WaitOut]:
    """The games that you wait for. Ask again every few seconds while you wait for a live one."""
    rows = await pairing.of(who)
    if not only_looks(request.scope):
        await pairing.seen(rows)
    return [_wait(row) for row in rows]


@router.post("/waits", tags=["others"])
@costs(MAKING)
async def wait(body: WaitIn, tables: Service, pairing: GivenPairing, who: Person) -> WaitOut:
    """Play with whoever waits for this game; else wait for whoever comes next."""
    table = await pairing.join(who, body.title, body.pace, body.name, body.number)
    if table:
        return WaitOut(title=body.title, pace=body.pace, since=table.created, table=table.id)
    return WaitOut(title=body.title, pace=body.pace, since=tables.runtime.now(), table=None)


@router.delete("/waits/{name}/{pace}", tags=["others"], status_code=204)
@costs()
async def stop_waiting(name: Name, pace: PaceInPath, pairing: GivenPairing, who: Person) -> None:
    """Wait for a game no longer."""
    if not await pairing.leave(who, name, pace):
        raise HTTPException(404, _("you are not waiting for this game"))


def _wait(row: WaitingRow) -> WaitOut:
    return WaitOut(title=row.title, pace=row.pace, since=row.since, table=row.table_id)
