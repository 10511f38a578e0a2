"""Forgetting, in the API. Links to other devices are for browsers alone: a program has tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field

from paddock.web.api.asked import Person, Route, Service
from paddock.web.api.shapes import AnswerShape
from paddock.web.limits import MAKING
from paddock.web.prices import costs

router = APIRouter(route_class=Route)


class ForgottenOut(AnswerShape):
    """What was deleted."""

    tables: list[str]
    seats: int = Field(description="At tables of others: they have no name now.")
    lines: int = Field(description="Of chat.")
    tokens: int


@router.delete("/me", tags=["me"])
@costs(MAKING)
async def forget_me(request: Request, tables: Service, who: Person) -> ForgottenOut:
    """Delete everything about you. Your tokens are no longer valid, and their streams end."""
    revoked = await tables.tokens.of(who)
    gone = await tables.forget(who)
    for token in revoked:
        request.app.state.revocations.revoke(token.hash)
    return ForgottenOut(tables=list(gone.tables), seats=gone.seats, lines=gone.lines, tokens=gone.tokens)
