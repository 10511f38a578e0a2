"""The endpoints of the API."""

from __future__ import annotations

import hashlib
import time
from typing import Annotated, Any, cast

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.i18n import _
from paddock.core.quick_json import Fragment
from paddock.core.title import titles
from paddock.tables import (
    Elsewhere,
    Forbidden,
    Table,
    Tables,
    claims,
    hosting,
    moves,
    orders,
    seats,
    talk,
    undo,
)
from paddock.tables.rights import watch
from paddock.web.after import record_of
from paddock.web.api.answers import (
    asks_out,
    encoded,
    preview_out,
    rules_out,
    standings_out,
    table_line,
    talk_out,
    title_full,
    title_out,
)
from paddock.web.api.asked import (
    BotIn,
    ClaimIn,
    ExploreIn,
    Eyes,
    Have,
    Id,
    LateSubmission,
    MoveIn,
    MuteIn,
    Name,
    NameIn,
    OrderIn,
    Person,
    PreviewIn,
    ReadIn,
    ReadyIn,
    RecordIn,
    RecoverIn,
    Route,
    Service,
    Somebody,
    TableIn,
    TalkIn,
    title_here,
)
from paddock.web.api.looking import Look, at
from paddock.web.api.shapes import (
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
)
from paddock.web.api.telling import story_out
from paddock.web.api.terms import terms_of
from paddock.web.guard import bearer
from paddock.web.limits import MAKING, MOST_SETUP, MOST_UPLOAD
from paddock.web.links import link
from paddock.web.model import Scene
from paddock.web.prices import costs
from paddock.web.steps import in_thread
from paddock.web.streams import HEARTBEAT, News, Revocations, streaming

router = APIRouter(route_class=Route)

# Titles


@router.get("/titles", tags=["titles"])
async def all_titles() -> list[TitleOut]:
    """All installed titles."""
    return [title_out(title) for title in titles().values()]


@router.get("/titles/{name}", tags=["titles"])
async def one_title(name: Name) -> TitleFull:
    """A title: its options, the levels of its bots, and the schema of its view."""
    return title_full(title_here(name))


@router.get("/titles/{name}/rules", tags=["titles"])
async def rules(name: Name) -> RulesOut:
    """The rules of a title, clause by clause."""
    return rules_out(title_here(name))


# Tables


@router.get("/tables", tags=["tables"])
async def find(tables: Service, who: Somebody) -> TablesOut:
    """The public tables, and yours."""
    mine = await tables.tables_of(who) if who else []
    listed = await tables.listed()
    watching = await tables.audience.of([table for table in listed if table.phase == "play"])
    return TablesOut(
        listed=[table_line(table, who, watching.get(table.id, 0)) for table in listed],
        yours=[table_line(table, who) for table in mine],
    )


@router.post("/tables", tags=["tables"], status_code=201, response_model=TableOut)
@costs(MAKING, most=MOST_SETUP)
async def create(body: TableIn, tables: Service, look: Look, who: Person) -> Response:
    """Create a table. You get every seat without a bot. A lobby has open seats for others too."""
    title = title_here(body.title)
    options = {title.players_option: len(body.seats)} | body.options
    making = tables.making
    make = making.open_lobby if body.lobby else making.create
    made = await make(title.name, options, body.seats, body.names, holder=who, terms=terms_of(body))
    return await look.table(made.id, who, status=201)


@router.get("/tables/{id}", tags=["tables"], response_model=TableOut)
async def table(id: Id, look: Look, who: Somebody, player: Eyes = None) -> Response:
    """A table as your player sees it now, or as a spectator sees it if you have no player there."""
    return await look.table(id, who, player)


# Seats. The path has the index of the player.


Who = Annotated[int, Path(ge=0, le=99, description="The index of a player.")]


@router.post("/tables/{id}/seats/{player}/claim", tags=["seats"], response_model=TableOut)
@costs()
async def claim(id: Id, player: Who, body: ClaimIn, tables: Service, look: Look, who: Person) -> Response:
    """Take an open seat. During the game the other people must agree: then you get it later, and «asking» has
    the number of your request. Not so if the seat was yours before: see «back». A seat with «removed» goes to
    nobody else."""
    await tables.run(id, seats.claim, who, player, body.name)
    return await look.table(id, who)


Number = Annotated[int, Path(ge=0, le=2**31 - 1, description="The number of a request for a seat.")]


@router.post("/tables/{id}/claims/{number}/agree", tags=["seats"], response_model=TableOut)
@costs()
async def agree_claim(id: Id, number: Number, tables: Service, look: Look, who: Person) -> Response:
    """Agree to a request for a seat. The seat is given when everybody has agreed."""
    await tables.run(id, claims.agree, who, number)
    return await look.table(id, who)


@router.post("/tables/{id}/claims/{number}/decline", tags=["seats"], response_model=TableOut)
@costs()
async def decline_claim(id: Id, number: Number, tables: Service, look: Look, who: Person) -> Response:
    """Decline a request for a seat, or withdraw your own."""
    await tables.run(id, claims.decline, who, number)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/leave", tags=["seats"], response_model=TableOut)
@costs()
async def leave(id: Id, player: Who, tables: Service, look: Look, who: Person) -> Response:
    """Leave a seat. A host without a seat is replaced by another player."""
    await tables.run(id, seats.leave, who, player)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/name", tags=["seats"], response_model=TableOut)
@costs()
async def rename(id: Id, player: Who, body: NameIn, tables: Service, look: Look, who: Person) -> Response:
    """Change your name at the table."""
    await tables.run(id, seats.rename, who, player, body.name)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/ready", tags=["seats"], response_model=TableOut)
@costs()
async def ready(id: Id, player: Who, body: ReadyIn, tables: Service, look: Look, who: Person) -> Response:
    """Say that you are ready, or no longer ready. The game starts when everybody is."""
    await tables.run(id, seats.ready, who, player, body.ready, body.lot)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/bot", tags=["seats"], response_model=TableOut)
@costs()
async def set_bot(id: Id, player: Who, body: BotIn, tables: Service, look: Look, who: Person) -> Response:
    """Give a seat to a bot, or open a bot's seat for a person. For the host."""
    await tables.run(id, hosting.set_bot, who, player, body.level)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/free", tags=["seats"], response_model=TableOut)
@costs()
async def free(id: Id, player: Who, tables: Service, look: Look, who: Person) -> Response:
    """Remove a person from a seat. During the game, they alone may come back to it. For the host."""
    await tables.run(id, hosting.free, who, player)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/kick", tags=["seats"], response_model=TableOut)
@costs()
async def kick(id: Id, player: Who, tables: Service, look: Look, who: Person) -> Response:
    """Ban a person from this table. For the host."""
    await tables.run(id, hosting.kick, who, player)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/mute", tags=["seats"], response_model=TableOut)
@costs()
async def mute(id: Id, player: Who, body: MuteIn, tables: Service, look: Look, who: Person) -> Response:
    """Mute or unmute a person. For the host."""
    await tables.run(id, hosting.mute, who, player, body.muted)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/recovery", tags=["seats"])
@costs()
async def recovery(id: Id, player: Who, tables: Service, who: Person) -> RecoveryOut:
    """Make a secret that moves your seat to another browser or program. It works once."""
    secret = await tables.recovery(id, who, player)
    return RecoveryOut(secret=secret, path=link(f"/t/{id}/seat/{secret}"))


@router.post("/tables/{id}/recover", tags=["seats"], response_model=TableOut)
@costs()
async def recover(id: Id, body: RecoverIn, tables: Service, look: Look, who: Person) -> Response:
    """Take over the seat that the secret belongs to.

    403 if you already play at this running table, and would see two hands: send «both» if that is meant.
    """
    player = await tables.run(id, seats.recover, body.secret, who, body.both)
    return await look.table(id, who, player)


@router.post("/tables/{id}/start", tags=["seats"], response_model=TableOut)
@costs()
async def start(id: Id, tables: Service, look: Look, who: Person) -> Response:
    """Start the game, once every seat is taken and everybody is ready. For the host."""
    await tables.run(id, seats.start, who)
    return await look.table(id, who)


@router.post("/tables/{id}/rematch", tags=["seats"], response_model=TableOut)
@costs(MAKING)
async def rematch(id: Id, tables: Service, look: Look, who: Person) -> Response:
    """Open the lobby of a rematch, where everybody moves on by one seat. All players get the same lobby."""
    made = await tables.making.rematch(id, who)
    try:
        return await look.table(made.id, who)
    except Elsewhere:  # it was made before, and another server has it now
        return RedirectResponse(link(f"/api/v1/tables/{made.id}"), 303)


# Playing


@router.post("/tables/{id}/moves", tags=["playing"], response_model=Submitted)
@costs()
async def move(id: Id, body: MoveIn, tables: Service, look: Look, who: Person) -> Response:
    """Commit or play a move, or a chain of moves. If one move of a chain is illegal, none is played.

    409: too late, the decision is no longer open; nothing has changed. 422: the move is not legal; `clause`
    names the rule. The next submission replaces a committed move.
    """
    links = [body.move] if isinstance(body.move, str) else body.move
    if body.key is None:
        words = f"{body.decision} {body.seat} {links} {time.monotonic_ns()}"
    else:
        words = f"{body.seat} {body.key}"
    # The same key from another seat or player is another submission.
    key = hashlib.sha256(f"{who} {words}".encode()).hexdigest()
    moves = [link.strip() for link in links]
    answer = await tables.submit(id, who, body.seat, moves, body.decision, key)
    if answer.status == "late":
        raise LateSubmission(answer.sentence)
    table = await tables.table(id)
    news = await look.news(id, who, table.options.owners[body.seat])
    out = Submitted.model_construct(
        status=answer.status,
        sentence=answer.sentence,
        decision=table.decision,
        asks=asks_out(look.models, table, who),
        table=cast(TableOut, Fragment(news.data)),
    )
    return Response(encoded(out), media_type="application/json")


@router.post("/tables/{id}/preview", tags=["playing"])
@costs()
async def preview(id: Id, body: PreviewIn, tables: Service, who: Person) -> PreviewOut:
    """Show the position after these moves and what may follow. Nothing is played, and nobody is told."""
    # Read first: if the game moves on during the preview, a submission for this decision is too late.
    decision = (await tables.table(id)).decision
    shown = await tables.preview(id, who, body.seat, [move.strip() for move in body.moves])
    return preview_out(shown, decision)


@router.post("/tables/{id}/orders", tags=["playing"], status_code=201, response_model=TableOut)
@costs()
async def give_order(id: Id, body: OrderIn, tables: Service, look: Look, who: Person) -> Response:
    """Give another standing order for one of your seats. It plays a move when it fits, at a bot's pace."""
    await tables.run(id, orders.give, who, body.seat, body.text)
    return await look.table(id, who, await _owner(tables, id, body.seat), status=201)


@router.delete("/tables/{id}/orders/{seat}", tags=["playing"], response_model=TableOut)
@costs()
async def cancel_order(
    id: Id,
    seat: Annotated[int, Path(ge=0, le=99)],
    tables: Service,
    look: Look,
    who: Person,
    text: Annotated[
        str | None, Query(max_length=64, description="The order to cancel; all if left out.")
    ] = None,
) -> Response:
    """Cancel a standing order, or all of them."""
    await tables.run(id, orders.cancel, who, seat, text)
    return await look.table(id, who, await _owner(tables, id, seat))


async def _owner(tables: Tables, id: str, seat: int) -> int:
    return (await tables.table(id)).options.owners[seat]


@router.post("/tables/{id}/undo", tags=["playing"], response_model=TableOut)
@costs()
async def ask_undo(id: Id, tables: Service, look: Look, who: Person) -> Response:
    """Ask the others for an undo of your last move. It must be the last move, and must not have revealed or
    drawn anything."""
    await tables.run(id, undo.request, who)
    return await look.table(id, who)


@router.post("/tables/{id}/undo/agree", tags=["playing"], response_model=TableOut)
@costs()
async def agree_undo(id: Id, tables: Service, look: Look, who: Person) -> Response:
    """Agree to an undo. It happens when everybody has agreed."""
    await tables.run(id, undo.agree, who)
    return await look.table(id, who)


@router.post("/tables/{id}/undo/refuse", tags=["playing"], response_model=TableOut)
@costs()
async def refuse_undo(id: Id, tables: Service, look: Look, who: Person) -> Response:
    """Decline an undo, or withdraw your own request."""
    await tables.run(id, undo.refuse, who)
    return await look.table(id, who)


@router.post("/tables/{id}/read", tags=["playing"], response_model=TableOut)
@costs()
async def read(id: Id, body: ReadIn, tables: Service, look: Look, who: Person) -> Response:
    """Mark all events as read by this player."""
    await tables.run(id, moves.read, who, body.player)
    return await look.table(id, who, body.player)


# Errors are JSON, also from endpoints that return text or a stream.
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
@costs(stream=True)
async def stream(
    id: Id,
    request: Request,
    tables: Service,
    look: Look,
    who: Somebody,
    player: Eyes = None,
    have: Have = "",
) -> Response:
    """Server-sent events: ``data:`` is the table as you see it, like the answer of ``GET /tables/{id}``, at
    once and whenever that changes; ``id:`` is its digest. Send the last digest that you have as ``have`` or
    ``Last-Event-ID``, and the stream begins with the next change. Changes that you cannot see send nothing.
    The stream ends when your token is revoked."""
    await look.table(id, who, player)  # raises errors before the stream begins
    token, checked = bearer(request.scope), time.monotonic()

    async def news() -> News:
        nonlocal checked
        if token and time.monotonic() >= checked + HEARTBEAT:
            checked = time.monotonic()
            if await tables.tokens.holder(token) is None:  # revoked by another process
                raise Forbidden(_("this token is not valid: create a new one"))
        return await look.news(id, who, player)

    revocations: Revocations = request.app.state.revocations
    return streaming(request, id, who, news, revocations.watched(token), have=have)


@router.get("/tables/{id}/talk", tags=["talk"])
async def read_talk(id: Id, tables: Service, who: Somebody, player: Eyes = None) -> list[TalkOut]:
    """The last chat messages that your player may read."""
    found = await tables.table(id)
    watch(found, who)
    return [talk_out(line) for line in talk.lines_for(found, at(found, found.players_of(who), player))]


@router.post("/tables/{id}/talk", tags=["talk"], status_code=201)
@costs()
async def say(id: Id, body: TalkIn, tables: Service, who: Person) -> TalkOut:
    """Write a chat message to the table or to your team."""
    mine = (await tables.table(id)).players_of(who)
    player = body.player if body.player is not None else mine[0] if mine else 0
    return talk_out(await tables.run(id, talk.say, who, player, body.text, body.channel))


# After the game


@router.get("/tables/{id}/record", tags=["after"], response_class=PlainTextResponse, responses=REFUSED)
@costs(by_size=True)
async def record(id: Id, request: Request, tables: Service, who: Somebody, player: Eyes = None) -> Response:
    """The record as text. Until the game is over, it has only what your player has seen."""
    found = await tables.table(id)
    watch(found, who)
    eyes = at(found, found.players_of(who), player)
    return await record_of(request, tables, found, eyes)


@router.get("/tables/{id}/replay", tags=["after"], response_model=ReplayOut)
async def replay(
    id: Id,
    tables: Service,
    entry: Annotated[
        int | None, Query(ge=0, le=10**6, description="How many log entries to replay; default: all.")
    ] = None,
    seat: Annotated[
        int | None, Query(ge=0, le=99, description="The seat whose view to show; default: all hands open.")
    ] = None,
) -> Response:
    """A finished game after the given number of log entries."""
    table = await tables.table(id)
    if not table.fully_visible:
        raise HTTPException(409, _("this game is still being played: its replay opens when it is over"))
    entries, seats = len(table.game.log), table.options.seats
    at = entries if entry is None else entry
    if at > entries or (seat is not None and seat >= seats):
        words = _("there are {n} entries and {m} seats").format(n=entries, m=seats)
        raise HTTPException(422, words)
    scene = await in_thread(table, _scene, table, at, (1 << seats) - 1 if seat is None else 1 << seat)
    out = ReplayOut.model_construct(
        entry=at,
        entries=entries,
        seat=seat,
        view=scene.view,
        story=story_out(scene),
        standings=standings_out(scene.seen.options, scene.seen.rounds),
    )
    return Response(encoded(out), media_type="application/json")


def _scene(table: Table, at: int, eyes: int) -> Scene:
    game = table.at(at)
    return Scene(game.seen(eyes), game.events_for(eyes))


@router.post("/tables/{id}/explore", tags=["after"], status_code=201, response_model=TableOut)
@costs(MAKING)
async def explore(
    id: Id, body: ExploreIn, request: Request, tables: Service, look: Look, who: Person
) -> Response:
    """Create a table that continues a finished game after some log entry, with you as one player and bots as
    the others."""
    made = await tables.making.explore(id, body.entry, body.player, who, pace=request.app.state.pace)
    return await look.table(made.id, who, status=201)


@router.post("/records", tags=["after"], status_code=201, response_model=TableOut)
@costs(MAKING, most=MOST_UPLOAD)
async def upload(body: RecordIn, tables: Service, look: Look, who: Person) -> Response:
    """Store a complete record of a finished game as a permanent replay."""
    made = await tables.making.upload(body.text, who)
    return await look.table(made.id, who, status=201)


# Data


Digest = Annotated[
    str, Path(pattern="^~?[a-z2-7]{16}$", description="The digest in the options, with or without “~”.")
]


@router.get("/data/{digest}", tags=["titles"], response_class=PlainTextResponse, responses=REFUSED)
async def data(digest: Digest, tables: Service) -> Response:
    """The full text of a map, a deck or other data that options name by its digest."""
    name = digest.removeprefix("~")
    known = await tables.making.data([name])
    if name not in known:
        raise HTTPException(404, _("no file with this digest is known here"))
    return PlainTextResponse(known[name])
