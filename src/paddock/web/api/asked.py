"""What a request to the API carries: who asks, parameters and bodies."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from paddock.core.errors import PaddockError
from paddock.core.game import MOST_LINKS
from paddock.core.i18n import _
from paddock.tables import Tables
from paddock.tables.make import LONGEST_MOVE
from paddock.tables.seats import LONGEST_GRACE
from paddock.web.guard import COOKIE, bearer, holder


class Late(PaddockError):
    """A submission for a decision that is no longer open."""


class Unknown(PaddockError):
    """A request without a token or cookie where one is needed, or with an invalid token."""


# Who asks


_bearer = HTTPBearer(auto_error=False, description="A personal token.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="The secret of a browser.")


async def somebody(request: Request) -> str | None:
    """Return the digest of the cookie or token; None without one. Raises ``Unknown`` for an invalid token."""
    digest = bearer(request.scope)
    if digest is None:
        return holder(request)
    tables: Tables = request.app.state.tables
    known = await tables.tokens.holder(digest)
    if known is None:
        raise Unknown(_("this token is not valid: make another"))
    return known


Somebody = Annotated[str | None, Depends(somebody)]


async def person(
    who: Somebody, _token: Annotated[Any, Depends(_bearer)], _browser: Annotated[Any, Depends(_cookie)]
) -> str:
    """Return the digest of the cookie or token. Raises ``Unknown`` without one."""
    if who is None:
        raise Unknown(_("this needs a token: POST /api/v1/tokens gives you one"))
    return who


Person = Annotated[str, Depends(person)]


async def service(request: Request) -> Tables:
    """The tables of this server."""
    tables: Tables = request.app.state.tables
    return tables


Service = Annotated[Tables, Depends(service)]


# What comes in

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Name = Annotated[str, Path(pattern=r"^[a-z0-9_]{1,64}$")]
Index = Annotated[int, Field(ge=0, le=99)]
Number = Annotated[int, Field(ge=0, le=10**9)]
Text = Annotated[str, StringConstraints(max_length=2000)]
Notation = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_MOVE)]
Word = Annotated[str, StringConstraints(max_length=64)]
Eyes = Annotated[int | None, Query(ge=0, le=99, description="One of the players whom you hold.")]


class Shape(BaseModel):
    """What a request may carry; anything else is refused."""

    model_config = ConfigDict(extra="forbid")


class TableIn(Shape):
    """A table to make. Of every player ``seats`` says "me", "open" (in a lobby) or the level of a bot.

    How many players there are need not be said again among the options.
    """

    title: Word = Field(examples=["lacorsa"])
    options: dict[Word, Any] = Field(
        {}, description="As the title describes them; data whole, or «~» and its digest.", max_length=64
    )
    seats: list[Word] = Field(max_length=99, examples=[["me", "rookie", "rookie", "rookie"]])
    names: list[Text] = Field([], max_length=99)
    lobby: bool = Field(False, description="Wait for others to take the open seats.")
    listed: bool = Field(False, description="Whether it is found without its link.")
    pace: str = Field("human", pattern="^(human|instant)$", description="Of its bots.")
    clock: Word = Field("", description="Empty: untimed; or BANK+INCREMENT in seconds.", examples=["600+10"])
    grace: int = Field(
        0, ge=0, le=LONGEST_GRACE, description="Seconds of absence after which a bot stands in; 0: never."
    )


class ClaimIn(Shape):
    """Who sits down."""

    name: Text = Field("", description="At most 24 characters are kept; empty: a usual one.")


class NameIn(Shape):
    """What you are called."""

    name: Text


class ReadyIn(Shape):
    """Whether you are ready."""

    ready: bool = True


class BotIn(Shape):
    """Who plays there."""

    level: Word | None = Field(description="Of a bot; null opens a bot's seat for a person.")


class MuteIn(Shape):
    """Whether a person may talk here."""

    muted: bool = True


class RecoverIn(Shape):
    """A secret that moves a player here."""

    secret: Word


class MoveIn(Shape):
    """A move for the decision that ``GET /tables/{id}`` showed; or several, a chain, as one submission."""

    seat: Index
    decision: Number
    move: Notation | Annotated[list[Notation], Field(min_length=1, max_length=MOST_LINKS)] = Field(
        examples=["12+R", ["pit", "take 7"]]
    )
    key: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")] | None = Field(
        None, description="Your name for this submission: sent again, it counts once."
    )


class PreviewIn(Shape):
    """The links of a chain that are chosen so far."""

    seat: Index
    moves: list[Notation] = Field([], max_length=MOST_LINKS)


class OrderIn(Shape):
    """A standing order, as ``orders`` of the table offers it."""

    seat: Index
    text: Annotated[str, StringConstraints(min_length=1, max_length=64)]


class ReadIn(Shape):
    """Who has seen what happened."""

    player: Index


class TalkIn(Shape):
    """A line to say, as one of the players whom you hold."""

    text: Text
    player: Index | None = Field(None, description="Needed only where you hold several.")
    channel: str = Field("table", pattern="^(table|team)$")


class TokenIn(Shape):
    """What to call a new token."""

    label: Word


class RecordIn(Shape):
    """A complete record."""

    text: Annotated[str, StringConstraints(max_length=2_000_000)]


class ExploreIn(Shape):
    """A moment of a finished game to play on from, against bots."""

    entry: Number
    player: Index
