"""The addresses of the API."""

from __future__ import annotations

import asyncio
import hashlib
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.i18n import _
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.tables import Forbidden, Table, Tables
from paddock.web.api.answers import (
    preview_out,
    rules_out,
    standings_out,
    story_out,
    table_digest,
    table_line,
    table_out,
    talk_out,
    title_full,
    title_out,
    view_out,
)
from paddock.web.api.asked import (
    BotIn,
    ClaimIn,
    ExploreIn,
    Eyes,
    Id,
    Late,
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
    Service,
    Somebody,
    TableIn,
    TalkIn,
    TokenIn,
)
from paddock.web.api.shapes import (
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
)
from paddock.web.guard import new_secret
from paddock.web.model import Model, Models, Scene
from paddock.web.wakes import HEADERS, wakes


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


class Looking:
    """Shows tables as they are now, to who asks, who counts as present."""

    def __init__(self, tables: Tables, models: Models) -> None:
        self._tables = tables
        self._models = models

    async def table(self, id: str, who: str | None, player: int | None = None) -> TableOut:
        """The table. Raises ``NoTable`` and ``Forbidden``."""
        table, model = await self._model(id, who, player)
        left, now = self._tables.left(table), self._tables.runtime.now()
        return table_out(model, table.players_of(who), _hosts(table, who), left, now)

    async def digest(self, id: str, who: str | None, player: int | None = None) -> str:
        """The digest of the same, without making the rest. Raises as ``table`` does."""
        table, model = await self._model(id, who, player)
        return table_digest(model, table.players_of(who), _hosts(table, who))

    async def _model(self, id: str, who: str | None, player: int | None) -> tuple[Table, Model]:
        await self._tables.presence.seen(id, who)
        eyes = at(await self._tables.table(id), who, player)
        said = await self._tables.talk.lines(id, eyes)
        table = await self._tables.table(id)
        return table, self._models.of(table, eyes, said)


def _hosts(table: Table, who: str | None) -> bool:
    return who is not None and table.host == who


async def looking(request: Request) -> Looking:
    """What this server shows."""
    return Looking(request.app.state.tables, request.app.state.models)


Look = Annotated[Looking, Depends(looking)]

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
async def create(body: TableIn, tables: Service, look: Look, who: Person) -> TableOut:
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
    return await look.table(made.id, who)


@router.get("/tables/{id}", tags=["tables"])
async def table(id: Id, tables: Service, look: Look, who: Somebody, player: Eyes = None) -> TableOut:
    """A table as your player sees it now; as a spectator does, where you have none there."""
    return await look.table(id, who, player)


# Seats: a player's place, named by its index


Who = Annotated[int, Path(ge=0, le=99, description="The index of a player.")]


@router.post("/tables/{id}/seats/{player}/claim", tags=["seats"])
async def claim(id: Id, player: Who, body: ClaimIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Take an open seat, in a lobby or during the game."""
    await tables.seats.claim(id, who, player, body.name)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/leave", tags=["seats"])
async def leave(id: Id, player: Who, tables: Service, look: Look, who: Person) -> TableOut:
    """Leave a seat. A host without a seat is replaced by another player."""
    await tables.seats.leave(id, who, player)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/name", tags=["seats"])
async def rename(id: Id, player: Who, body: NameIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Change your name at the table."""
    await tables.seats.rename(id, who, player, body.name)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/ready", tags=["seats"])
async def ready(id: Id, player: Who, body: ReadyIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Say that you are ready, or not after all; the last one who is begins the game."""
    await tables.seats.ready(id, who, player, body.ready)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/bot", tags=["seats"])
async def set_bot(id: Id, player: Who, body: BotIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Let a bot play there, or open a bot's seat for a person. For the host."""
    await tables.seats.set_bot(id, who, player, body.level)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/free", tags=["seats"])
async def free(id: Id, player: Who, tables: Service, look: Look, who: Person) -> TableOut:
    """Remove a person from a seat. They may come back. For the host."""
    await tables.seats.free(id, who, player)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/kick", tags=["seats"])
async def kick(id: Id, player: Who, tables: Service, look: Look, who: Person) -> TableOut:
    """Ban a person from this table. For the host."""
    await tables.seats.kick(id, who, player)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/mute", tags=["seats"])
async def mute(id: Id, player: Who, body: MuteIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Mute or unmute a person. For the host."""
    await tables.seats.mute(id, who, player, body.muted)
    return await look.table(id, who)


@router.post("/tables/{id}/seats/{player}/recovery", tags=["seats"])
async def recovery(id: Id, player: Who, tables: Service, who: Person) -> RecoveryOut:
    """A fresh secret that moves your seat to another browser or program, once; the last one is void."""
    secret = await tables.seats.recovery(id, who, player)
    return RecoveryOut(secret=secret, path=f"/t/{id}/seat/{secret}")


@router.post("/tables/{id}/recover", tags=["seats"])
async def recover(id: Id, body: RecoverIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Move the seat that the secret belongs to here."""
    player = await tables.seats.recover(id, body.secret, who)
    return await look.table(id, who, player)


@router.post("/tables/{id}/start", tags=["seats"])
async def start(id: Id, tables: Service, look: Look, who: Person) -> TableOut:
    """Start the game, once every seat is taken and everybody is ready. For the host."""
    await tables.seats.start(id, who)
    return await look.table(id, who)


@router.post("/tables/{id}/rematch", tags=["seats"])
async def rematch(id: Id, tables: Service, look: Look, who: Person) -> TableOut:
    """The lobby of a rematch: everybody's seat moves on by one. Whoever asks later gets the same."""
    made = await tables.seats.rematch(id, who)
    return await look.table(made.id, who)


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
async def give_order(id: Id, body: OrderIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Another standing order of a seat of yours: it answers, at a bot's pace, where it fits."""
    await tables.orders.give(id, who, body.seat, body.text)
    return await look.table(id, who, await _owner(tables, id, body.seat))


@router.delete("/tables/{id}/orders/{seat}", tags=["playing"])
async def cancel_order(
    id: Id,
    seat: Annotated[int, Path(ge=0, le=99)],
    tables: Service,
    look: Look,
    who: Person,
    text: Annotated[
        str | None, Query(max_length=64, description="Which of them; all, where not given.")
    ] = None,
) -> TableOut:
    """Cancel a standing order, or all of them."""
    await tables.orders.cancel(id, who, seat, text)
    return await look.table(id, who, await _owner(tables, id, seat))


async def _owner(tables: Tables, id: str, seat: int) -> int:
    return (await tables.table(id)).options.owners[seat]


@router.post("/tables/{id}/undo", tags=["playing"])
async def ask_undo(id: Id, tables: Service, look: Look, who: Person) -> TableOut:
    """Ask the others to let you take the last move back: yours, and nothing was revealed or drawn by it."""
    await tables.undo.request(id, who)
    return await look.table(id, who)


@router.post("/tables/{id}/undo/agree", tags=["playing"])
async def agree_undo(id: Id, tables: Service, look: Look, who: Person) -> TableOut:
    """Agree to an undo. It happens when everybody has agreed."""
    await tables.undo.agree(id, who)
    return await look.table(id, who)


@router.post("/tables/{id}/undo/refuse", tags=["playing"])
async def refuse_undo(id: Id, tables: Service, look: Look, who: Person) -> TableOut:
    """Decline an undo, or withdraw your own request."""
    await tables.undo.refuse(id, who)
    return await look.table(id, who)


@router.post("/tables/{id}/read", tags=["playing"])
async def read(id: Id, body: ReadIn, tables: Service, look: Look, who: Person) -> TableOut:
    """Mark all events as read by this player."""
    await tables.read(id, who, body.player)
    return await look.table(id, who, body.player)


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
async def stream(
    id: Id, request: Request, tables: Service, look: Look, who: Somebody, player: Eyes = None
) -> Response:
    """Wake-ups as server-sent events: ``data:`` is the digest of the table as you see it, whenever that
    changes. What others change but you cannot see sends nothing at all."""
    await look.table(id, who, player)  # refuses before the stream begins

    async def digest() -> str:
        return await look.digest(id, who, player)

    return EventStream(wakes(tables, request.app.state.stopping, id, who, digest), headers=HEADERS)


@router.get("/tables/{id}/talk", tags=["talk"])
async def talk(id: Id, tables: Service, who: Somebody, player: Eyes = None) -> list[TalkOut]:
    """The last lines of talk that your player may read."""
    eyes = at(await tables.table(id), who, player)
    return [talk_out(line) for line in await tables.talk.lines(id, eyes)]


@router.post("/tables/{id}/talk", tags=["talk"], status_code=201)
async def say(id: Id, body: TalkIn, tables: Service, who: Person) -> TalkOut:
    """Say something to the table, or to your team."""
    mine = (await tables.table(id)).players_of(who)
    player = body.player if body.player is not None else mine[0] if mine else 0
    return talk_out(await tables.talk.say(id, who, player, body.text, body.channel))


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
    scene = Scene(game.seen(eyes), game.events_for(eyes))
    return ReplayOut(
        entry=at,
        entries=entries,
        seat=seat,
        view=view_out(scene.view),
        story=story_out(scene),
        standings=standings_out(scene.seen),
    )


@router.post("/tables/{id}/explore", tags=["after"], status_code=201)
async def explore(
    id: Id, body: ExploreIn, request: Request, tables: Service, look: Look, who: Person
) -> TableOut:
    """A new table that goes on from a moment of a finished game, you as one player, bots as the others."""
    made = await tables.explore(id, body.entry, body.player, who, pace=request.app.state.pace)
    return await look.table(made.id, who)


@router.post("/records", tags=["after"], status_code=201)
async def upload(body: RecordIn, tables: Service, look: Look, who: Person) -> TableOut:
    """A complete record of a finished game becomes a permanent replay."""
    made = await tables.upload(body.text, who)
    return await look.table(made.id, who)


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
    """Delete one of your tokens. It is no longer valid."""
    await tables.tokens.drop(who, label)
