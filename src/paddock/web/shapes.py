"""What the API gives: the shapes that its OpenAPI description names, filled from what one player sees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import to_jsonable_python

from paddock.bots import levels
from paddock.core.game import Game
from paddock.core.i18n import _
from paddock.core.log import EventBatch
from paddock.core.series import Standing
from paddock.core.title import Order, Preview, Seen, Title
from paddock.tables import Player, Table, clock, orders, undo
from paddock.tables.talk import Said

MOST_STORY = 60  # lines of the story in an answer; the record has all


class Shape(BaseModel):
    """A shape whose every field is always there."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Fault(Shape):
    """A refusal: a sentence for people, and the clause of the rules where it is they that refuse."""

    error: str
    clause: str | None = None


class TitleOut(Shape):
    """A title, in short."""

    name: str
    label: str
    tagline: str
    revision: int = Field(description="Of its rules.")
    player_name: str
    seat_name: str
    round_name: str


class OptionOut(Shape):
    """One way in which a game can be set up."""

    name: str
    kind: str = Field(description="choice, boolean, integer, string, array; data: a name, or a file's text.")
    choices: list[Any]
    least: float | None
    most: float | None
    default: str
    help: str
    clause: str
    advanced: bool


class LevelOut(Shape):
    """A strength that a bot can play at."""

    name: str
    label: str
    sentence: str


class TitleFull(TitleOut):
    """A title with all that a game of it can be set up with."""

    options: list[OptionOut]
    levels: list[LevelOut]
    view_schema: dict[str, Any] = Field(description="JSON schema of the «view» of its tables.")


class ChapterOut(Shape):
    """A chapter of the rules."""

    id: str
    title: str
    clauses: list[str]


class ClauseOut(Shape):
    """One numbered rule."""

    id: str
    text: str
    source: str
    ruling: bool = Field(description="Our own decision, where the sources are silent or disagree.")


class RulesOut(Shape):
    """The rules of a title."""

    title: str
    revision: int
    chapters: list[ChapterOut]
    clauses: list[ClauseOut]


class PlayerOut(Shape):
    """Who plays, and what everybody may know of it."""

    index: int
    name: str
    kind: Literal["person", "bot", "open"] = Field(description="«open» is a person's seat to be taken.")
    bot: str | None = Field(description="The level of a bot.")
    seats: list[int]
    yours: bool
    host: bool
    ready: bool = Field(description="In the lobby.")
    stand_in: bool = Field(description="A bot plays for the person, who is away or out of time.")
    muted: bool
    clock_ms: int | None = Field(description="Left on a clock that stands, in milliseconds.")
    clock_ends: datetime | None = Field(
        description="When a clock that runs will have run out, to the second."
    )


class MoveOut(Shape):
    """A legal move, which may be a link of a chain."""

    move: str = Field(description="In notation, as it is submitted.")
    label: str = Field(description="With its consequence, as a button says it.")
    cost: dict[str, int] = Field(description="What it costs, where the title's chains cost anything.")


class ChainOut(Shape):
    """A ready chain: a destination, say, with its cheapest way."""

    moves: list[str] = Field(description="Its links in notation, as they are submitted.")
    label: str
    cost: dict[str, int] = Field(description="Of all its links.")


class AskOut(Shape):
    """What one of your seats must decide, or may still change."""

    seat: int
    decision: int
    moves: list[MoveOut]
    ready: list[ChainOut] = Field(description="Ready chains, where the title knows any.")
    committed: str | None = Field(description="What it has committed; another submission replaces it.")
    reveals: bool = Field(description="All others have committed: this is the last.")


class PreviewOut(Shape):
    """Where a chain of moves leads, as far as its seat can tell. Nothing is played."""

    seat: int
    decision: int = Field(description="The one that is open: a submission names it.")
    view: dict[str, Any] = Field(description="After the links, but for a last one that cannot be foreseen.")
    moves: list[MoveOut] = Field(description="The next links; none where the chain has ended.")
    ready: list[ChainOut] = Field(description="Ready chains that go on from here.")
    ended: bool


class StandingOut(Shape):
    """One line of the standings."""

    who: int = Field(description="Player or team, from 0.")
    rank: int = Field(description="From 1; 0 for who had no place in any round.")
    total: int
    rounds: list[int]
    places: list[int]


class StandingsOut(Shape):
    """The tables after the finished rounds, the best first."""

    players: list[StandingOut]
    teams: list[StandingOut]


class LineOut(Shape):
    """A line of the story."""

    entry: int = Field(description="Of the log, from 0.")
    round: int = Field(description="From 0.")
    text: str


class TalkOut(Shape):
    """A line of talk."""

    at: datetime
    player: int | None = Field(description="Null: the table itself.")
    channel: str = Field(description="«table», or «team:N»: read by that team alone.")
    text: str


class OfferOut(Shape):
    """A standing order that a seat can give now."""

    text: str = Field(description="As it is sent.")
    label: str


class OrdersOut(Shape):
    """The standing orders of one of your seats. Nobody else sees them."""

    seat: int
    given: list[OfferOut] = Field(description="Those that stand; the first that fits answers.")
    offers: list[OfferOut]
    dropped: list[str] = Field(description="Why orders were dropped, until you give or cancel one.")


class UndoOut(Shape):
    """A request to take the last move back."""

    player: int
    consents: list[int]
    awaited: list[int] = Field(description="The players whose consent is awaited.")


class TableLine(Shape):
    """A table in a list."""

    id: str
    title: str
    phase: Literal["lobby", "play", "over"]
    names: list[str]
    open_seats: int
    round: int
    rounds: int
    your_turn: bool


class TablesOut(Shape):
    """Tables to find: those of others that are listed, and yours."""

    listed: list[TableLine]
    yours: list[TableLine]


class TableOut(Shape):
    """A table as one player, or a spectator, sees it now."""

    id: str
    title: str
    revision: int
    options: dict[str, Any] = Field(description="Long data by its digest: GET /data/{digest} has it whole.")
    kind: str
    phase: Literal["lobby", "play", "over"]
    pace: str
    listed: bool
    abandoned: bool
    frozen: str | None = Field(description="Why it cannot be continued.")
    stalled: str | None = Field(description="Why its bots no longer move.")
    clock: str = Field(description="Empty where untimed, else BANK+INCREMENT in seconds.")
    grace: int = Field(description="Seconds of absence after which a bot stands in; 0 is never.")
    rematch: str | None
    rematch_of: str | None
    you: list[int] = Field(description="The players whom you hold.")
    player: int | None = Field(description="Through whose eyes this is seen; null is a spectator.")
    host: bool = Field(description="Whether you are the host.")
    players: list[PlayerOut]
    status: str
    decision: int = Field(description="Which decision is open: submissions name it.")
    deciders: list[int] = Field(description="The seats that decide now.")
    committed: list[int] = Field(description="Those of them that have.")
    awaited: list[int] = Field(description="The players who still must decide.")
    asks: list[AskOut]
    orders: list[OrdersOut]
    undo: UndoOut | None
    can_undo: bool = Field(description="Whether you may ask to take the last move back.")
    view: dict[str, Any] = Field(description="As the title's «view_schema» says.")
    standings: StandingsOut
    winners: list[int] = Field(description="Of the whole series, once it is over.")
    story: list[LineOut] = Field(description="The end of it, the oldest first.")
    news: int | None = Field(description="The first entry of the story that you have not seen.")
    talk: list[TalkOut]
    digest: str = Field(description="Of all the above: what the stream sends when it changes.")


class ReplayOut(Shape):
    """A moment of a finished game."""

    entry: int
    entries: int
    seat: int | None = Field(description="Whose hand alone is open; null: all are.")
    view: dict[str, Any]
    story: list[LineOut]
    standings: StandingsOut


class Submitted(Shape):
    """What became of a submission: it waits for the others («committed»), it stands («played»), or it
    had arrived before («duplicate»)."""

    status: str
    sentence: str


class TokenOut(Shape):
    """A personal token, without the token itself."""

    label: str
    made_at: datetime
    used_at: datetime | None = Field(description="To the hour.")


class NewToken(Shape):
    """A personal token, shown this once. Send it as «Authorization: Bearer …»."""

    label: str
    token: str


class RecoveryOut(Shape):
    """The secret that moves a player to another browser, once."""

    secret: str
    path: str = Field(description="The page that does it, to be opened in the other browser.")


def title_out(title: Title) -> TitleOut:
    """A title, in short."""
    out = TitleOut.model_validate(title, from_attributes=True)
    return out.model_copy(update={"tagline": _(out.tagline)})


def title_full(title: Title) -> TitleFull:
    """A title with its options, levels and the schema of its view."""
    return TitleFull(
        **title_out(title).model_dump(),
        options=[OptionOut(**row) for row in title.options.describe()],
        levels=[LevelOut(**asdict(level)) for level in levels(title)],
        view_schema=TypeAdapter(get_type_hints(title.view.view)["return"]).json_schema(),
    )


def rules_out(title: Title) -> RulesOut:
    """Every clause of a title."""
    book = title.rulebook
    return RulesOut(
        title=book.title,
        revision=book.revision,
        chapters=[ChapterOut(id=c.id, title=c.title, clauses=list(c.clauses)) for c in book.chapters],
        clauses=[
            ClauseOut(id=c.id, text=c.plain, source=c.source, ruling=c.ruling) for c in book.clauses.values()
        ],
    )


def phase(table: Table) -> Literal["lobby", "play", "over"]:
    """Where a table stands."""
    return "lobby" if table.phase == "lobby" else "over" if table.fully_visible else "play"


def table_line(table: Table, holder: str | None) -> TableLine:
    """A table in a list."""
    return TableLine(
        id=table.id,
        title=table.title.name,
        phase=phase(table),
        names=[player.name for player in table.players],
        open_seats=sum(player.bot is None and player.holder is None for player in table.players),
        round=min(len(table.game.rounds) + 1, table.options.rounds),
        rounds=table.options.rounds,
        your_turn=bool(set(table.awaited()) & set(table.players_of(holder))),
    )


def table_out(
    table: Table,
    holder: str | None,
    player: int | None,
    talk: Sequence[Said],
    now: datetime,
) -> TableOut:
    """The table through the eyes of ``player`` (None: a spectator), one of those that ``holder`` holds."""
    game, seen = table.game, table.seen(player)
    batches = table.events_for(player)
    new = table.since(player, batches) if player is not None else len(batches)
    out = TableOut(
        id=table.id,
        title=table.title.name,
        revision=table.title.revision,
        options=table.options.named,
        kind=table.kind,
        phase=phase(table),
        pace=table.pace,
        listed=table.listed,
        abandoned=table.abandoned,
        frozen=table.frozen,
        stalled=_(table.stalled) if table.stalled else None,
        clock=table.clock,
        grace=table.grace,
        rematch=table.rematch,
        rematch_of=table.rematch_of,
        you=table.players_of(holder),
        player=player,
        host=holder is not None and table.host == holder,
        players=[_player(table, who, holder, now) for who in table.players],
        status=_status(table, seen),
        decision=table.decision,
        deciders=list(game.deciders) if table.running else [],
        committed=sorted(table.pending),
        awaited=table.awaited(),
        asks=[] if player is None else _asks(table, player),
        orders=[] if player is None else [_orders(table, seat) for seat in table.seats_of(player)],
        undo=_undo(table),
        can_undo=undo.possible(table, holder),
        view=view_out(seen),
        standings=standings_out(game),
        winners=list(game.result.winners) if game.result else [],
        story=story_out(game, batches),
        news=batches[new].entry if new < len(batches) else None,
        talk=[TalkOut(at=row.at, player=row.player, channel=row.channel, text=row.text) for row in talk],
        digest="",
    )
    # Clocks run by themselves: they wake nobody.
    still = out.model_dump_json(exclude={"players": {"__all__": {"clock_ms", "clock_ends"}}})
    bits = hashlib.blake2b(still.encode(), digest_size=8).hexdigest()
    return out.model_copy(update={"digest": bits})


def view_out(seen: Seen) -> dict[str, Any]:
    """The title's view as JSON."""
    view: dict[str, Any] = to_jsonable_python(seen.title.view.view(seen))
    return view


def _player(table: Table, player: Player, holder: str | None, now: datetime) -> PlayerOut:
    left = clock.left(table, player.index, now)
    ends = None
    if left is not None and clock.ticking(table, player.index):
        # Said as a moment, it is the same whenever the clocks were last written down.
        ends = (now + timedelta(milliseconds=left + 500)).replace(microsecond=0)
        left = None
    return PlayerOut(
        index=player.index,
        name=player.name,
        kind="bot" if player.bot else "person" if player.holder or table.kind == "upload" else "open",
        bot=player.bot,
        seats=table.seats_of(player.index),
        yours=holder is not None and player.holder == holder,
        host=player.holder is not None and player.holder == table.host,
        ready=player.ready,
        stand_in=player.stand_in,
        muted=player.muted,
        clock_ms=left,
        clock_ends=ends,
    )


def _orders(table: Table, seat: int) -> OrdersOut:
    def lines(found: Sequence[Order]) -> list[OfferOut]:
        return [OfferOut(text=order.text, label=order.label) for order in found]

    return OrdersOut(
        seat=seat,
        given=lines(orders.given(table, seat)),
        offers=lines(orders.offered(table, seat)),
        dropped=orders.dropped(table, seat),
    )


def _undo(table: Table) -> UndoOut | None:
    asked = table.undo
    if asked is None:
        return None
    return UndoOut(
        player=asked.player,
        consents=sorted(asked.consents),
        awaited=undo.awaited_consents(table, asked),
    )


def _status(table: Table, seen: Seen) -> str:
    if why := table.frozen or table.stalled:
        return _(why)
    if table.phase == "lobby":
        return _("In the lobby: everybody takes a seat and says «ready», then it begins.")
    return table.title.text.status(seen)


def _asks(table: Table, player: int) -> list[AskOut]:
    """What the player's seats must decide; a commitment that stands may be replaced until the last."""
    mine = [seat for seat in table.seats_of(player) if table.running and seat in table.game.deciders]
    if not mine:
        return []
    free, text = table.choosing(player), table.title.text
    return [
        AskOut(
            seat=seat,
            decision=table.decision,
            moves=_moves(chain := free.preview((), seat)),
            ready=_ready(chain),
            committed=str(text.move(free.setup, table.pending[seat])) if seat in table.pending else None,
            reveals=table.reveals(seat),
        )
        for seat in mine
    ]


def _moves(chain: Preview) -> list[MoveOut]:
    """What may follow a chain, or begin one."""
    seen, text = chain.seen, chain.seen.title.text
    return [
        MoveOut(move=str(text.move(seen.setup, id)), label=text.label(seen, chain.seat, id), cost=dict(cost))
        for id, cost in zip(chain.legal, chain.costs, strict=True)
    ]


def _ready(chain: Preview) -> list[ChainOut]:
    """The ready chains of a seat that decides alone: where several do, each has a single move."""
    seen, text, chains = chain.seen, chain.seen.title.text, chain.seen.title.chains
    if chains is None or chain.ended or seen.deciders != (chain.seat,):
        return []
    return [
        ChainOut(
            moves=[str(text.move(seen.setup, id)) for id in ready.moves],
            label=ready.label,
            cost=dict(ready.cost),
        )
        for ready in chains.ready(seen, chain.seat)
    ]


def preview_out(chain: Preview, decision: int) -> PreviewOut:
    """Where a chain leads."""
    return PreviewOut(
        seat=chain.seat,
        decision=decision,
        view=view_out(chain.seen),
        moves=_moves(chain),
        ready=_ready(chain),
        ended=chain.ended,
    )


def standings_out(game: Game) -> StandingsOut:
    """The tables after the finished rounds."""

    def lines(table: Sequence[Standing]) -> list[StandingOut]:
        return [StandingOut(**asdict(line)) for line in table]

    tables = game.standings()
    return StandingsOut(players=lines(tables.players), teams=lines(tables.teams))


def story_out(game: Game, batches: Sequence[EventBatch]) -> list[LineOut]:
    """The last lines of a story, the oldest first."""
    names = [game.seen(0).seat_name(seat) for seat in range(game.options.seats)]
    lines = [
        LineOut(entry=item.entry, round=item.round, text=text)
        for item in batches[-MOST_STORY:]
        for event in item.events
        if (text := game.title.text.line(game.setup, event, names))
    ]
    return lines[-MOST_STORY:]
