"""What a request to the API contains: the sender, the parameters and the body."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from itertools import islice
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from paddock.core.errors import PaddockError, brief
from paddock.core.game import MOST_LINKS
from paddock.core.i18n import _
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.tables import Tables
from paddock.tables.make import LONGEST_MOVE
from paddock.web.api.terms import asks_terms
from paddock.web.bodies import BadBody, values
from paddock.web.given import GivenTables
from paddock.web.guard import COOKIE, bearer, holder_of
from paddock.web.language import QUERY
from paddock.web.pages import RETRY, status_of
from paddock.web.prices import TableId

MOST_UNKNOWN = 20  # fields of a body that are told one by one


class LateSubmission(PaddockError):
    """A submission for a decision that is no longer open."""


class Unknown(PaddockError):
    """A request without a token or cookie where one is needed, or with an invalid token."""


# The body


class ApiRequest(Request):
    """A request whose body is read as ``bodies.values`` does."""

    async def json(self) -> Any:
        """Return the body; raise ``HTTPException``."""
        try:
            return await values(self)
        except PaddockError as error:  # FastAPI would make a 400 of it
            status = 400 if isinstance(error, BadBody) else status_of(error)
            again = {"Retry-After": str(RETRY)} if status in (429, 503) else None
            raise HTTPException(status, str(error), again) from None


class Route(APIRoute):
    """A route whose requests are ``ApiRequest``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request. One with a parameter that the route does not have is refused."""
        handler = super().get_route_handler()
        known = _parameters(self.dependant) | {QUERY}

        async def answer(request: Request) -> Response:
            for name in request.query_params.keys() - known:
                words = _("there is no parameter “{name}” here").format(name=brief(name))
                raise HTTPException(422, words)
            return await handler(ApiRequest(request.scope, request.receive))

        return answer


def _parameters(asked: Dependant) -> set[str]:
    """Return the names of the parameters behind «?» that a route and what it depends on have."""
    found = {field.alias for field in asked.query_params}
    return found.union(*map(_parameters, asked.dependencies))


def title_here(name: str) -> Title:
    """Return the title with this name; raise a 404."""
    if name not in titles():
        raise HTTPException(404, _("there is no title “{name}”").format(name=name))
    return find_title(name)


# The sender


_bearer = HTTPBearer(auto_error=False, description="A personal token.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="The secret of a browser.")


async def sender(scope: Scope, tables: Tables) -> str | None:
    """Return the digest of the cookie or token; None without one. Raises ``Unknown`` for an invalid token."""
    digest = bearer(scope)
    if digest is None:
        return holder_of(scope)
    known = await tables.tokens.holder(digest)
    if known is None:
        raise Unknown(_("this token is not valid: create a new one"))
    return known


async def somebody(request: Request) -> str | None:
    """Return the ``sender`` of a request."""
    return await sender(request.scope, request.app.state.tables)


Somebody = Annotated[str | None, Depends(somebody)]


async def person(
    who: Somebody, _token: Annotated[Any, Depends(_bearer)], _browser: Annotated[Any, Depends(_cookie)]
) -> str:
    """Return the digest of the cookie or token. Raises ``Unknown`` without one."""
    if who is None:
        raise Unknown(_("this needs a token: POST /api/v1/tokens gives you one"))
    return who


Person = Annotated[str, Depends(person)]


Service = GivenTables


# Parameters and bodies

_ID = Path(pattern=r"^[A-Za-z0-9_-]{1,32}$")
Id = Annotated[TableId, _ID]
AnyId = Annotated[str, _ID]  # of a table that any server may answer for
Name = Annotated[str, Path(pattern=r"^[a-z0-9_]{1,64}$")]
Index = Annotated[int, Field(ge=0, le=99)]
Number = Annotated[int, Field(ge=0, le=10**9)]
Text = Annotated[str, StringConstraints(max_length=2000)]
Lot = Annotated[
    str,
    StringConstraints(pattern="^[0-9a-f]{0,64}$"),
    Field(description="Your random number in hex: it is mixed with the secret of fair cards."),
]
Notation = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_MOVE)]
Word = Annotated[str, StringConstraints(max_length=64)]
Eyes = Annotated[int | None, Query(ge=0, le=99, description="One of your players.")]
Have = Annotated[str, Query(max_length=64, description="The digest that you have: see above.")]


class BodyShape(BaseModel):
    """Base of all request bodies: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _few(cls, body: Any) -> Any:
        """Leave out most of the unknown fields, if there are many: each would have a fault of its own."""
        if not isinstance(body, dict) or len(body) <= len(cls.model_fields) + MOST_UNKNOWN:
            return body
        known = {name: body[name] for name in cls.model_fields if name in body}
        return known | dict(islice(((k, v) for k, v in body.items() if k not in known), MOST_UNKNOWN))


@asks_terms
class TableIn(BodyShape):
    """A new table. ``seats`` has "me", "open" (only in a lobby) or the level of a bot for each player.

    Leave the number of players out of the options: it follows from ``seats``.
    """

    title: Word = Field(examples=["lacorsa"])
    options: dict[Word, Any] = Field(
        {}, description="The options of the title. Data is its text, or “~” and its digest.", max_length=64
    )
    seats: list[Word] = Field(max_length=99, examples=[["me", "rookie", "rookie", "rookie"]])
    names: list[Text] = Field([], max_length=99)
    lobby: bool = Field(False, description="Whether to open a lobby, where others take the open seats.")


class ClaimIn(BodyShape):
    """The name of a player who takes a seat."""

    name: Text = Field("", description="Cut after 24 characters; empty: a default name.")


class NameIn(BodyShape):
    """Your new name."""

    name: Text


class ReadyIn(BodyShape):
    """Whether you are ready."""

    ready: bool = True
    lot: Lot = ""


class BotIn(BodyShape):
    """Who plays at a seat."""

    level: Word | None = Field(description="The level of a bot; null opens the seat for a person.")


class MuteIn(BodyShape):
    """Whether a person is muted."""

    muted: bool = True


class RecoverIn(BodyShape):
    """A secret that moves a player to the sender."""

    secret: Word
    both: bool = Field(
        False,
        description="Whether to show you two hands if you already play here; everybody there is told.",
    )


class MoveIn(BodyShape):
    """A move, or a chain of moves, for the decision number that ``GET /tables/{id}`` returned."""

    seat: Index
    decision: Number
    move: Notation | Annotated[list[Notation], Field(min_length=1, max_length=MOST_LINKS)] = Field(
        examples=["12+R", ["pit", "take 7"]]
    )
    key: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")] | None = Field(
        None, description="A unique key of this submission. Sent again with the same key, it counts once."
    )


class PreviewIn(BodyShape):
    """The moves of a chain that are chosen so far."""

    seat: Index
    moves: list[Notation] = Field([], max_length=MOST_LINKS)


class OrderIn(BodyShape):
    """A standing order that ``orders`` of the table offers."""

    seat: Index
    text: Annotated[str, StringConstraints(min_length=1, max_length=64)]


class ReadIn(BodyShape):
    """The player who has read all events."""

    player: Index


class TalkIn(BodyShape):
    """A chat message from one of your players."""

    text: Text
    player: Index | None = Field(None, description="Needed only if you have several players.")
    channel: str = Field("table", pattern="^(table|team)$")


class TokenIn(BodyShape):
    """The name of a new token."""

    label: Word


class RecordIn(BodyShape):
    """A complete record."""

    text: Annotated[str, StringConstraints(max_length=2_000_000)]


class ExploreIn(BodyShape):
    """Where to continue a finished game against bots, and as which player."""

    entry: Number = Field(description="The number of log entries to keep.")
    player: Index
