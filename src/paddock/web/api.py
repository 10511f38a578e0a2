"""The JSON API: what the pages show and do, for programs in any language."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from fastapi.routing import APIRoute
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.clauses import cited
from paddock.core.errors import BadOption, IllegalMove, PaddockError
from paddock.core.game import MOST_LINKS
from paddock.core.i18n import _
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.tables import Forbidden, Frozen, NoTable, Table, Tables
from paddock.tables.make import LONGEST_MOVE
from paddock.tables.seats import LONGEST_GRACE
from paddock.web.guard import COOKIE, bearer, holder, new_secret
from paddock.web.pages import sentence
from paddock.web.shapes import (
    Fault,
    NewToken,
    PreviewOut,
    RecoveryOut,
    ReplayOut,
    RulesOut,
    Submitted,
    TableOut,
    TablesOut,
    TalkOut,
    TitleFull,
    TitleOut,
    TokenOut,
    preview_out,
    rules_out,
    standings_out,
    story_out,
    table_line,
    table_out,
    title_full,
    title_out,
    view_out,
)
from paddock.web.wakes import HEADERS, wakes

log = logging.getLogger("paddock.web")

SUMMARY = """\
Sit down at a table from a program in any language.

A request is made by a browser's cookie or by a personal token (`Authorization: Bearer …`), which
`POST /tokens` gives; without a cookie the token is that of a new player. `GET /tables/{id}` is the
table page: what your player sees, every legal move in notation, and the number of the open decision,
which a submission names. `GET /tables/{id}/stream` says when to look again; it carries nothing but a
digest. Every refusal is `{"error": sentence, "clause": id or null}`.
"""


class Late(PaddockError):
    """A submission for a decision that is no longer open."""


class Unknown(PaddockError):
    """A request that shows no token and no cookie, where one is needed, or one that is not known."""


# Who asks


_bearer = HTTPBearer(auto_error=False, description="A personal token.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="The secret of a browser.")


async def somebody(request: Request) -> str | None:
    """The digest that stands for who asks; None for nobody that is known. Raises ``Unknown``."""
    digest = bearer(request.scope)
    if digest is None:
        return holder(request)
    tables: Tables = request.app.state.tables
    known = await tables.tokens.holder(digest)
    if known is None:
        raise Unknown(_("this token is not known, or no longer: make another"))
    return known


Somebody = Annotated[str | None, Depends(somebody)]


async def person(
    who: Somebody, _token: Annotated[Any, Depends(_bearer)], _browser: Annotated[Any, Depends(_cookie)]
) -> str:
    """The digest that stands for who asks. Raises ``Unknown`` where nothing says who it is."""
    if who is None:
        raise Unknown(_("say who you are: POST /api/v1/tokens gives you a token"))
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


def _title(name: str) -> Title:
    if name not in titles():
        raise HTTPException(404, _("there is no title «{name}»").format(name=name))
    return find_title(name)


def at(table: Table, who: str | None, player: int | None) -> int | None:
    """Through whose eyes: the ``player`` asked for, else the one of yours who is awaited, else your first.

    None is a spectator. Raises ``Forbidden`` for a player who is not yours.
    """
    mine = table.players_of(who)
    if player is None:
        awaited = [index for index in table.awaited() if index in mine]
        return next(iter(awaited or mine), None)
    if player not in mine:
        raise Forbidden(_("you do not hold that player"))
    return player


async def shown(tables: Tables, id: str, who: str | None, player: int | None = None) -> TableOut:
    """The table as it is now. Who asks is there."""
    await tables.presence.seen(id, who)
    table = await tables.table(id)
    eyes = at(table, who, player)
    said = await tables.talk.lines(id, eyes)
    return table_out(table, who, eyes, said, tables.runtime.now())


router = APIRouter()

# Titles


@router.get("/titles", tags=["titles"])
async def all_titles() -> list[TitleOut]:
    """Every title that is installed."""
    return [title_out(title) for title in titles().values()]


@router.get("/titles/{name}", tags=["titles"])
async def one_title(name: Name) -> TitleFull:
    """A title: its options, the levels of its bots, and the schema of its view."""
    return title_full(_title(name))


@router.get("/titles/{name}/rules", tags=["titles"])
async def rules(name: Name) -> RulesOut:
    """The rules of a title, clause by clause."""
    return rules_out(_title(name))


# Tables


@router.get("/tables", tags=["tables"])
async def find(tables: Service, who: Somebody) -> TablesOut:
    """The tables that are listed, and yours."""
    mine = await tables.tables_of(who) if who else []
    listed = await tables.seats.listed()
    return TablesOut(
        listed=[table_line(table, who) for table in listed], yours=[table_line(table, who) for table in mine]
    )


@router.post("/tables", tags=["tables"], status_code=201)
async def create(body: TableIn, tables: Service, who: Person) -> TableOut:
    """A new table: played at once, you at every seat that no bot has; or a lobby, for others to join."""
    title = _title(body.title)
    options = {title.players_option: len(body.seats)} | body.options
    more: dict[str, Any] = {"holder": who, "pace": body.pace, "clock": body.clock, "grace": body.grace}
    if body.lobby:
        made = await tables.seats.open_lobby(
            title.name, options, body.seats, body.names, listed=body.listed, **more
        )
    else:
        made = await tables.create(title.name, options, body.seats, body.names, **more)
    return await shown(tables, made.id, who)


@router.get("/tables/{id}", tags=["tables"])
async def table(id: Id, tables: Service, who: Somebody, player: Eyes = None) -> TableOut:
    """A table as your player sees it now; as a spectator does, where you have none there."""
    return await shown(tables, id, who, player)


# Seats: a player's place, named by its index


Who = Annotated[int, Path(ge=0, le=99, description="The index of a player.")]


@router.post("/tables/{id}/seats/{player}/claim", tags=["seats"])
async def claim(id: Id, player: Who, body: ClaimIn, tables: Service, who: Person) -> TableOut:
    """Sit down where nobody sits, in a lobby or while it is played."""
    await tables.seats.claim(id, who, player, body.name)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/leave", tags=["seats"])
async def leave(id: Id, player: Who, tables: Service, who: Person) -> TableOut:
    """Stand up; a host who sits nowhere any more passes that on."""
    await tables.seats.leave(id, who, player)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/name", tags=["seats"])
async def rename(id: Id, player: Who, body: NameIn, tables: Service, who: Person) -> TableOut:
    """Be called something else."""
    await tables.seats.rename(id, who, player, body.name)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/ready", tags=["seats"])
async def ready(id: Id, player: Who, body: ReadyIn, tables: Service, who: Person) -> TableOut:
    """Say that you are ready, or not after all; the last one who is begins the game."""
    await tables.seats.ready(id, who, player, body.ready)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/bot", tags=["seats"])
async def set_bot(id: Id, player: Who, body: BotIn, tables: Service, who: Person) -> TableOut:
    """Let a bot play there, or open a bot's seat for a person. The host's."""
    await tables.seats.set_bot(id, who, player, body.level)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/free", tags=["seats"])
async def free(id: Id, player: Who, tables: Service, who: Person) -> TableOut:
    """Open the seat of a person, who may come back. The host's."""
    await tables.seats.free(id, who, player)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/kick", tags=["seats"])
async def kick(id: Id, player: Who, tables: Service, who: Person) -> TableOut:
    """Send a person away from this table for good. The host's."""
    await tables.seats.kick(id, who, player)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/mute", tags=["seats"])
async def mute(id: Id, player: Who, body: MuteIn, tables: Service, who: Person) -> TableOut:
    """Let a person say nothing here any more, or again. The host's."""
    await tables.seats.mute(id, who, player, body.muted)
    return await shown(tables, id, who)


@router.post("/tables/{id}/seats/{player}/recovery", tags=["seats"])
async def recovery(id: Id, player: Who, tables: Service, who: Person) -> RecoveryOut:
    """A fresh secret that moves your seat to another browser or program, once; the last one is void."""
    secret = await tables.seats.recovery(id, who, player)
    return RecoveryOut(secret=secret, path=f"/t/{id}/seat/{secret}")


@router.post("/tables/{id}/recover", tags=["seats"])
async def recover(id: Id, body: RecoverIn, tables: Service, who: Person) -> TableOut:
    """Move the seat that the secret is for here."""
    player = await tables.seats.recover(id, body.secret, who)
    return await shown(tables, id, who, player)


@router.post("/tables/{id}/start", tags=["seats"])
async def start(id: Id, tables: Service, who: Person) -> TableOut:
    """Deal, once every seat is taken and everybody is ready. The host's."""
    await tables.seats.start(id, who)
    return await shown(tables, id, who)


@router.post("/tables/{id}/rematch", tags=["seats"])
async def rematch(id: Id, tables: Service, who: Person) -> TableOut:
    """The lobby of a rematch: everybody's seat moves on by one. Whoever asks later gets the same."""
    made = await tables.seats.rematch(id, who)
    return await shown(tables, made.id, who)


# Playing


@router.post("/tables/{id}/moves", tags=["playing"])
async def move(id: Id, body: MoveIn, tables: Service, who: Person) -> Submitted:
    """Commit or play a move, or a chain of moves as one submission, which is refused whole if a link is.

    409: the decision was made meanwhile, and nothing has changed. 422: the move cannot be made,
    with the clause where the rules say so. What is committed is replaced by the next submission.
    """
    links = [body.move] if isinstance(body.move, str) else body.move
    if body.key is None:
        words = f"{body.decision} {body.seat} {links} {time.monotonic_ns()}"
    else:
        words = f"{body.seat} {body.key}"
    # A key is one seat's own, whatever others call theirs.
    key = hashlib.sha256(f"{who} {words}".encode()).hexdigest()
    moves = [link.strip() for link in links]
    answer = await tables.submit(id, who, body.seat, moves, body.decision, key)
    if answer.status == "late":
        raise Late(answer.sentence)
    return Submitted(status=answer.status, sentence=answer.sentence)


@router.post("/tables/{id}/preview", tags=["playing"])
async def preview(id: Id, body: PreviewIn, tables: Service, who: Person) -> PreviewOut:
    """Where a chain that begins with these moves leads, and what may follow. Nothing is played or told."""
    decision = (await tables.table(id)).decision  # first: where the game goes on meanwhile, it is too late
    found = await tables.preview(id, who, body.seat, [move.strip() for move in body.moves])
    return preview_out(found, decision)


@router.post("/tables/{id}/orders", tags=["playing"], status_code=201)
async def give_order(id: Id, body: OrderIn, tables: Service, who: Person) -> TableOut:
    """Another standing order of a seat of yours: it answers, at a bot's pace, where it fits."""
    await tables.orders.give(id, who, body.seat, body.text)
    return await shown(tables, id, who, await _owner(tables, id, body.seat))


@router.delete("/tables/{id}/orders/{seat}", tags=["playing"])
async def cancel_order(
    id: Id,
    seat: Annotated[int, Path(ge=0, le=99)],
    tables: Service,
    who: Person,
    text: Annotated[
        str | None, Query(max_length=64, description="Which of them; all, where not given.")
    ] = None,
) -> TableOut:
    """Forget a standing order, or all of them."""
    await tables.orders.cancel(id, who, seat, text)
    return await shown(tables, id, who, await _owner(tables, id, seat))


async def _owner(tables: Tables, id: str, seat: int) -> int:
    return (await tables.table(id)).options.owners[seat]


@router.post("/tables/{id}/undo", tags=["playing"])
async def ask_undo(id: Id, tables: Service, who: Person) -> TableOut:
    """Ask the others to let you take the last move back: yours, and nothing was revealed or drawn by it."""
    await tables.undo.request(id, who)
    return await shown(tables, id, who)


@router.post("/tables/{id}/undo/agree", tags=["playing"])
async def agree_undo(id: Id, tables: Service, who: Person) -> TableOut:
    """Let it be taken back; with the last consent it is."""
    await tables.undo.agree(id, who)
    return await shown(tables, id, who)


@router.post("/tables/{id}/undo/refuse", tags=["playing"])
async def refuse_undo(id: Id, tables: Service, who: Person) -> TableOut:
    """Let it stand; or withdraw what you asked."""
    await tables.undo.refuse(id, who)
    return await shown(tables, id, who)


@router.post("/tables/{id}/read", tags=["playing"])
async def read(id: Id, body: ReadIn, tables: Service, who: Person) -> TableOut:
    """What has happened until now is no news to this player any more."""
    await tables.read(id, who, body.player)
    return await shown(tables, id, who, body.player)


# The refusals of what answers in another type are JSON all the same.
REFUSED: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "Refused: nothing has changed.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}},
    }
}


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


@router.get("/tables/{id}/stream", tags=["playing"], response_class=EventStream, responses=REFUSED)
async def stream(id: Id, request: Request, tables: Service, who: Somebody, player: Eyes = None) -> Response:
    """Wake-ups as server-sent events: ``data:`` is the digest of the table as you see it, whenever that
    changes. What others change but you cannot see sends nothing at all."""
    await shown(tables, id, who, player)  # refuses before the stream begins

    async def digest() -> str:
        return (await shown(tables, id, who, player)).digest

    return EventStream(wakes(tables, request.app.state.stopping, id, who, digest), headers=HEADERS)


@router.get("/tables/{id}/talk", tags=["talk"])
async def talk(id: Id, tables: Service, who: Somebody, player: Eyes = None) -> list[TalkOut]:
    """The last lines of talk that your player may read."""
    eyes = at(await tables.table(id), who, player)
    return [
        TalkOut(at=line.at, player=line.player, channel=line.channel, text=line.text)
        for line in await tables.talk.lines(id, eyes)
    ]


@router.post("/tables/{id}/talk", tags=["talk"], status_code=201)
async def say(id: Id, body: TalkIn, tables: Service, who: Person) -> TalkOut:
    """Say something to the table, or to your team."""
    mine = (await tables.table(id)).players_of(who)
    player = body.player if body.player is not None else mine[0] if mine else 0
    line = await tables.talk.say(id, who, player, body.text, body.channel)
    return TalkOut(at=line.at, player=line.player, channel=line.channel, text=line.text)


# After the game


@router.get("/tables/{id}/record", tags=["after"], response_class=PlainTextResponse, responses=REFUSED)
async def record(id: Id, tables: Service, who: Somebody, player: Eyes = None) -> Response:
    """The record as text: complete when the game is over, before that what your player saw."""
    eyes = at(await tables.table(id), who, player)
    return PlainTextResponse(await tables.record(id, eyes))


@router.get("/tables/{id}/replay", tags=["after"])
async def replay(
    id: Id,
    tables: Service,
    entry: Annotated[int | None, Query(ge=0, le=10**6, description="Entries of the log.")] = None,
    seat: Annotated[int | None, Query(ge=0, le=99, description="Whose hand alone is open.")] = None,
) -> ReplayOut:
    """A finished game after so many entries of its log (the end, where none are given)."""
    table = await tables.table(id)
    if not table.fully_visible:
        raise HTTPException(409, _("this game is still being played: its replay opens when it is over"))
    entries, seats = len(table.game.log), table.options.seats
    at = entries if entry is None else entry
    if at > entries or (seat is not None and seat >= seats):
        words = _("there are {n} entries and {m} seats").format(n=entries, m=seats)
        raise HTTPException(422, words)
    game = await asyncio.to_thread(table.at, at)
    eyes = (1 << seats) - 1 if seat is None else 1 << seat
    return ReplayOut(
        entry=at,
        entries=entries,
        seat=seat,
        view=view_out(game.seen(eyes)),
        story=story_out(game, game.events_for(eyes)),
        standings=standings_out(game),
    )


@router.post("/tables/{id}/explore", tags=["after"], status_code=201)
async def explore(id: Id, body: ExploreIn, request: Request, tables: Service, who: Person) -> TableOut:
    """A new table that goes on from a moment of a finished game, you as one player, bots as the others."""
    made = await tables.explore(id, body.entry, body.player, who, pace=request.app.state.pace)
    return await shown(tables, made.id, who)


@router.post("/records", tags=["after"], status_code=201)
async def upload(body: RecordIn, tables: Service, who: Person) -> TableOut:
    """A complete record of a finished game becomes a permanent replay."""
    made = await tables.upload(body.text, who)
    return await shown(tables, made.id, who)


# Data


Digest = Annotated[str, Path(pattern="^~?[a-z2-7]{16}$", description="As options name it, with «~» or not.")]


@router.get("/data/{digest}", tags=["titles"], response_class=PlainTextResponse, responses=REFUSED)
async def data(digest: Digest, tables: Service) -> Response:
    """A map, a deck or the like that options name by its digest, whole."""
    name = digest.removeprefix("~")
    known = await tables.data([name])
    if name not in known:
        raise HTTPException(404, _("no file with this digest is known here"))
    return PlainTextResponse(known[name])


# Tokens


@router.get("/tokens", tags=["tokens"])
async def tokens(tables: Service, who: Person) -> list[TokenOut]:
    """Your tokens."""
    return [TokenOut.model_validate(row, from_attributes=True) for row in await tables.tokens.of(who)]


@router.post("/tokens", tags=["tokens"], status_code=201)
async def new_token(body: TokenIn, tables: Service, who: Somebody) -> NewToken:
    """A token that stands for you. Who shows neither cookie nor token becomes somebody new by it."""
    me = who or new_secret()[1]
    label, token = await tables.tokens.make(me, body.label)
    return NewToken(label=label, token=token)


@router.delete("/tokens/{label:path}", tags=["tokens"], status_code=204)
async def drop_token(label: Annotated[str, Path(max_length=64)], tables: Service, who: Person) -> None:
    """Forget a token of yours: from now on it opens nothing."""
    await tables.tokens.drop(who, label)


# The application


def api(state: State) -> FastAPI:
    """The API as an application of its own, to be mounted; ``state`` is that of the pages."""
    app = FastAPI(
        title="Paddock",
        version="1",
        description=SUMMARY,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        generate_unique_id_function=_operation,
        responses={"4XX": {"model": Fault, "description": "Refused: nothing has changed."}},
    )
    app.state = state
    app.include_router(router)
    for kind in (PaddockError, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, _refused)
    return app


def _operation(route: APIRoute) -> str:
    return route.name


async def _refused(request: Request, error: Exception) -> Response:
    """Whatever goes wrong, as a ``Fault``."""
    clause, headers = None, None
    if isinstance(error, HTTPException):
        status, words, headers = error.status_code, str(error.detail), error.headers
        if words == HTTPStatus(status).phrase:
            known = {404: _("there is no such address"), 405: _("this address is not used that way")}
            words = known.get(status, words)
    elif isinstance(error, RequestValidationError):
        status, words = 422, _("this does not fit the description: {faults}").format(faults=_faults(error))
    elif isinstance(error, IllegalMove):
        status, words, clause = 422, error.reason, error.clause
    elif isinstance(error, PaddockError):
        status, words = _status(error), str(error)
        clause = cited(words) if isinstance(error, BadOption) else None
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    else:
        log.error("unhandled error at %s", request.url.path, exc_info=error)
        status, words = 500, _("something broke here, and it is our fault")
    body = Fault(error=sentence(words), clause=clause)
    return JSONResponse(body.model_dump(), status, headers)


def _status(error: PaddockError) -> int:
    known: list[tuple[type[PaddockError], int]] = [
        (NoTable, 404),
        (Forbidden, 403),
        (Unknown, 401),
        (Late, 409),
        (Frozen, 409),
    ]
    return next((status for kind, status in known if isinstance(error, kind)), 422)


def _faults(error: RequestValidationError) -> str:
    """Where and what, without what was sent."""
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'][1:])) or 'body'}: {fault['msg']}" for fault in error.errors()
    )
