"""Personal tokens, in the API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from paddock.web.api.asked import Person, Route, Service, Somebody, TokenIn
from paddock.web.api.shapes import NewToken, TokenOut
from paddock.web.guard import new_secret
from paddock.web.limits import MAKING
from paddock.web.prices import costs

router = APIRouter(route_class=Route)


@router.get("/tokens", tags=["tokens"])
async def tokens(tables: Service, who: Person) -> list[TokenOut]:
    """Your tokens."""
    return [TokenOut.model_validate(row, from_attributes=True) for row in await tables.tokens.of(who)]


@router.post("/tokens", tags=["tokens"], status_code=201)
@costs(MAKING)
async def new_token(body: TokenIn, tables: Service, who: Somebody) -> NewToken:
    """Create a personal token. Without a cookie or token, this creates a new player."""
    me = who or new_secret()[1]
    label, token = await tables.tokens.make(me, body.label)
    return NewToken(label=label, token=token)


@router.delete("/tokens/{label:path}", tags=["tokens"], status_code=204)
@costs()
async def drop_token(
    label: Annotated[str, Path(max_length=64)], request: Request, tables: Service, who: Person
) -> None:
    """Delete one of your tokens. It is no longer valid, and its streams end."""
    before = {row.hash for row in await tables.tokens.of(who)}
    await tables.tokens.drop(who, label)
    for token in before - {row.hash for row in await tables.tokens.of(who)}:
        request.app.state.revocations.revoke(token)
