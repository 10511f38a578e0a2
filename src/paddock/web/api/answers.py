"""Builds the API's responses from what one player sees, in the language of the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from paddock.bots import levels
from paddock.core.i18n import _
from paddock.core.series import Standing, standings
from paddock.core.title import Order, Preview, Seen, Title
from paddock.tables import Table
from paddock.tables.analysing import Analysed, Run
from paddock.tables.seats import open_places
from paddock.tables.talk import Said
from paddock.web.analysed import state_of
from paddock.web.api.shapes import (
    AnalysisOut,
    AskOut,
    ChainOut,
    ChapterOut,
    ClaimOut,
    ClauseOut,
    CostOut,
    JudgedOut,
    LevelOut,
    LineOut,
    MoveOut,
    OfferOut,
    OptionOut,
    OrdersOut,
    PlayerOut,
    PreviewOut,
    RulesOut,
    StandingOut,
    StandingsOut,
    TableLine,
    TableOut,
    TalkOut,
    TitleFull,
    TitleOut,
    UndoOut,
)
from paddock.web.choices import following, ready_chains
from paddock.web.model import (
    MOST_STORY,
    Decision,
    Guest,
    Model,
    Person,
    Scene,
    SeatOrders,
    decisions_of,
    phase,
    short_digest,
)
from paddock.web.people import orders_form
from paddock.web.present import status


def title_out(title: Title) -> TitleOut:
    """A summary of a title."""
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


def table_line(table: Table, holder: str | None) -> TableLine:
    """A table in a list."""
    return TableLine(
        id=table.id,
        title=table.title.name,
        phase=phase(table),
        names=[player.name for player in table.players],
        open_seats=len(open_places(table)),
        round=min(len(table.game.rounds) + 1, table.options.rounds),
        rounds=table.options.rounds,
        your_turn=bool(set(table.awaited()) & set(table.players_of(holder))),
    )


def table_digest(model: Model, mine: Sequence[int], host: bool, guest: Guest) -> str:
    """Return 64 bits that change when ``table_out`` does, except for its language and the times on clocks."""
    return short_digest("api", model.digest, tuple(mine), host, guest, model.undoer in mine)


def table_out(
    model: Model,
    mine: Sequence[int],
    host: bool,
    guest: Guest,
    left: Sequence[int | None],
    now: datetime,
) -> TableOut:
    """Return the table for a program with the players ``mine``; ``host`` says whether it is the host.

    ``guest`` says how it gets a seat. ``left`` are the milliseconds on the players' clocks at the time
    ``now``.
    """
    return TableOut(
        id=model.id,
        title=model.title.name,
        revision=model.title.revision,
        options=model.options.named,
        kind=model.kind,
        phase=model.phase,
        **vars(model.terms),
        abandoned=model.abandoned,
        frozen=str(model.fault) if model.fault else None,
        stalled=_(model.stalled) if model.stalled else None,
        rematch=model.rematch,
        rematch_of=model.rematch_of,
        you=list(mine),
        player=model.player,
        host=host,
        players=[_player(p, p.index in mine, left[p.index], now) for p in model.people],
        status=status(model),
        decision=model.decision,
        deciders=list(model.deciders),
        committed=list(model.committed),
        awaited=list(model.awaited),
        asks=[_ask(mine, model.decision) for mine in model.decisions],
        orders=[_orders(model, mine) for mine in model.orders],
        undo=None
        if model.undo is None
        else UndoOut(
            player=model.undo.player,
            consents=list(model.undo.consents),
            awaited=list(model.undo.awaited),
        ),
        claims=[ClaimOut.model_validate(asked, from_attributes=True) for asked in model.claims],
        asking=guest.asking,
        back=guest.back,
        can_undo=model.undoer in mine,
        view=view_out(model.scene.view),
        standings=standings_out(model.scene.seen),
        winners=list(model.winners),
        story=story_out(model.scene),
        news=model.news,
        talk=[talk_out(line) for line in model.said],
        digest=table_digest(model, mine, host, guest),
    )


def view_out(view: Any) -> dict[str, Any]:
    """The title's view as JSON."""
    out: dict[str, Any] = to_jsonable_python(view)
    return out


def talk_out(line: Said) -> TalkOut:
    """A chat message."""
    return TalkOut(at=line.at, player=line.player, channel=line.channel, text=line.text)


def _player(person: Person, yours: bool, left: int | None, now: datetime) -> PlayerOut:
    ends = None
    if left is not None and person.runs:
        # The end time stays the same while the clock runs; the time left would not.
        ends = (now + timedelta(milliseconds=left + 500)).replace(microsecond=0)
        left = None
    return PlayerOut(**vars(person), yours=yours, clock_ms=left, clock_ends=ends)


def _orders(model: Model, mine: SeatOrders) -> OrdersOut:
    def lines(found: Sequence[Order]) -> list[OfferOut]:
        return [OfferOut(text=order.text, label=order.label) for order in found]

    form = orders_form(model, mine)
    return OrdersOut(
        seat=form.seat, given=lines(form.given), offers=lines(form.offers), dropped=list(form.dropped)
    )


def asks_out(table: Table, holder: str | None) -> list[AskOut]:
    """What the seats of a browser must decide now; those that have committed are left out."""
    players = set(table.players_of(holder)).intersection(table.awaited())
    return [
        _ask(mine, table.decision)
        for player in sorted(players)
        for mine in decisions_of(table, player)[1]
        if mine.committed is None
    ]


def _ask(mine: Decision, decision: int) -> AskOut:
    seen, text = mine.first.seen, mine.first.seen.title.text
    return AskOut(
        seat=mine.seat,
        decision=decision,
        moves=_moves(mine.first),
        ready=_ready(mine.first),
        committed=None if mine.committed is None else str(text.move(seen.setup, mine.committed)),
        reveals=mine.reveals,
    )


def _moves(chain: Preview) -> list[MoveOut]:
    """The moves that may come next in a chain."""
    return [MoveOut(move=move.move, label=move.label, cost=dict(move.cost)) for move in following(chain)]


def _ready(chain: Preview) -> list[ChainOut]:
    seen, text = chain.seen, chain.seen.title.text
    return [
        ChainOut(
            moves=[str(text.move(seen.setup, id)) for id in ready.moves],
            label=ready.label,
            cost=dict(ready.cost),
        )
        for ready in ready_chains(chain)
    ]


def preview_out(chain: Preview, decision: int) -> PreviewOut:
    """The position after a chain of moves."""
    return PreviewOut(
        seat=chain.seat,
        decision=decision,
        view=view_out(chain.view),
        moves=_moves(chain),
        ready=_ready(chain),
        ended=chain.ended,
    )


def standings_out(seen: Seen) -> StandingsOut:
    """The standings after the finished rounds."""

    def lines(table: Sequence[Standing]) -> list[StandingOut]:
        return [StandingOut(**asdict(line)) for line in table]

    tables = standings(seen.options, seen.rounds)
    return StandingsOut(players=lines(tables.players), teams=lines(tables.teams))


def story_out(scene: Scene) -> list[LineOut]:
    """The last lines of a story, the oldest first."""
    seen = scene.seen
    lines = [
        LineOut(entry=item.entry, round=item.round, text=text)
        for item in scene.batches[-MOST_STORY:]
        for _place, _event, text in seen.title.sentences(seen.setup, item, scene.names)
    ]
    return lines[-MOST_STORY:]


def analysis_out(found: Analysed | None, run: Run | None) -> AnalysisOut:
    """The analysis of a finished game, or how far it is."""
    return AnalysisOut(
        state=state_of(found, run),
        done=run.done if run else 0,
        total=run.total if run else 0,
        fault=_(run.fault) or None if run else None,
        turns=[JudgedOut.model_validate(turn, from_attributes=True) for turn in found.turns] if found else [],
        costs=[CostOut.model_validate(cost, from_attributes=True) for cost in found.costs] if found else [],
        swings=[turn.entry for turn in found.swings] if found else [],
    )
