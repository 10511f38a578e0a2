"""Fair cards in the API: what a record draws, so that a browser can check it with the secret alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from paddock import records
from paddock.bots.fair import draws
from paddock.core.quick_json import dumps
from paddock.tables import replaying
from paddock.web.api.asked import RecordIn, Route, Service
from paddock.web.api.shapes import AnswerShape
from paddock.web.built import JSON
from paddock.web.limits import MAKING, MOST_UPLOAD
from paddock.web.prices import costs

router = APIRouter(route_class=Route)
Possible = tuple[int, str, Annotated[int, Field(ge=1)]]


class DrawOut(AnswerShape):
    """A draw: where chance is due, the number of what came, and what is possible there by the rules."""

    place: str = Field(
        description="The place whose HMAC, by the key of the race, gives each outcome its time."
    )
    came: int = Field(description="The number of the outcome in the record.")
    possible: list[Possible] = Field(description="The number, the notation and the weight of each outcome.")


class DrawsOut(AnswerShape):
    """All draws of a record, in their order."""

    draws: list[DrawOut]


def drawn(text: str) -> bytes:
    """Return the draws of a record as JSON of ``DrawsOut``; raise ``BadRecord``."""
    return dumps({"draws": [vars(due) for due in draws(records.read(text))]})


@router.post("/fair/draws", tags=["after"], response_model=DrawsOut)
@costs(MAKING, by_size=True, most=MOST_UPLOAD)
async def list_draws(body: RecordIn, tables: Service) -> Response:
    """The draws of a complete record, by the rules of this server. Nothing is stored.

    With the secret of a record you can check what came: see “Fair cards” in the documentation.
    """
    long = len(body.text) > replaying.LONG_TEXT
    found = await replaying.run(tables.workers, long, drawn, body.text)
    return Response(found, media_type=JSON)
