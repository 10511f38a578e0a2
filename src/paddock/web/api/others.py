"""Others in the API: react with one word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from paddock.tables import talk
from paddock.tables.phrases import PHRASES
from paddock.web.api.answers import talk_out
from paddock.web.api.asked import BodyShape, Id, Index, Person, Route, Service
from paddock.web.api.shapes import TalkOut
from paddock.web.prices import costs

router = APIRouter(route_class=Route)


class ReactionIn(BodyShape):
    """A phrase of the fixed list, from one of your players. Each reader gets it in their language."""

    phrase: Annotated[str, StringConstraints(max_length=16)] = Field(
        json_schema_extra={"enum": list(PHRASES)}
    )
    player: Index | None = Field(None, description="Needed only if you have several players.")


@router.post("/tables/{id}/reactions", tags=["talk"], status_code=201)
@costs()
async def react(id: Id, body: ReactionIn, tables: Service, who: Person) -> TalkOut:
    """Say a phrase to the table."""
    mine = (await tables.table(id)).players_of(who)
    player = body.player if body.player is not None else mine[0] if mine else 0
    return talk_out(await tables.run(id, talk.react, who, player, body.phrase))
