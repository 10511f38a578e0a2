"""Builds the API's responses from what one player sees, in the language of the request."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, cast, get_type_hints

import orjson
from pydantic import BaseModel, TypeAdapter
from pydantic_core import to_jsonable_python

from paddock.bots import levels
from paddock.core.i18n import _, language
from paddock.core.log import EventBatch
from paddock.core.options import Options
from paddock.core.series import standings
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
    PreviewOut,
    RulesOut,
    StandingsOut,
    TableLine,
    TalkOut,
    TitleFull,
    TitleOut,
)
from paddock.web.choices import following, ready_chains
from paddock.web.model import (
    MOST_STORY,
    SENTENCES,
    Decision,
    Guest,
    Model,
    Person,
    Scene,
    SeatOrders,
    decisions_of,
    phase,
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


def encoded(answer: object) -> bytes:
    """Return an answer as JSON: shapes, dataclasses, or dicts with the fields of a shape."""
    return orjson.dumps(answer, _plain, orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z)


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that orjson does not know."""
    return vars(value) if isinstance(value, BaseModel) else list(value)


def table_json(
    model: Model,
    mine: Sequence[int],
    host: bool,
    guest: Guest,
    left: Sequence[int | None],
    now: datetime,
) -> tuple[str, bytes]:
    """Return the digest and the JSON of a ``TableOut`` for a program with the players ``mine``.

    ``host`` says whether it is the host, ``guest`` how it gets a seat. ``left`` are the milliseconds on the
    players' clocks at the time ``now``. The digest has 64 bits, and is the same for the same content, except
    for the times on clocks.
    """
    facts, players = _table(model, mine, host, guest), _players(model, mine)
    rest = encoded(facts)
    digest = hashlib.blake2b(rest + encoded(players), digest_size=8).hexdigest()
    timed = [
        player | _clock(person, left[person.index], now)
        for player, person in zip(players, model.people, strict=True)
    ]
    return digest, rest[:-1] + b"," + encoded({"players": timed, "digest": digest})[1:]


def _table(model: Model, mine: Sequence[int], host: bool, guest: Guest) -> dict[str, Any]:
    """Return the fields of a ``TableOut`` without digest and players.

    They are not validated again, which would take most of the time: tests validate them.
    """
    return {
        "id": model.id,
        "title": model.title.name,
        "revision": model.title.revision,
        "options": model.options.named,
        "kind": model.kind,
        "phase": model.phase,
        **vars(model.terms),
        "abandoned": model.abandoned,
        "frozen": str(model.fault) if model.fault else None,
        "stalled": _(model.stalled) if model.stalled else None,
        "rematch": model.rematch,
        "rematch_of": model.rematch_of,
        "you": mine,
        "player": model.player,
        "host": host,
        "status": status(model),
        "decision": model.decision,
        "deciders": model.deciders,
        "committed": model.committed,
        "awaited": model.awaited,
        "asks": [_ask(decision, model.decision) for decision in model.decisions],
        "orders": [_orders(model, seat) for seat in model.orders],
        "undo": model.undo,
        "claims": [{name: getattr(claim, name) for name in ClaimOut.model_fields} for claim in model.claims],
        "asking": guest.asking,
        "back": guest.back,
        "can_undo": model.undoer in mine,
        "view": model.scene.view,
        "standings": standings_of(model.scene.seen),
        "winners": model.winners,
        "story": story_out(model.scene),
        "news": model.news,
        "talk": [talk_out(line) for line in model.said],
    }


def _players(model: Model, mine: Sequence[int]) -> list[dict[str, Any]]:
    """Return the fields of each ``PlayerOut`` but for the clock."""
    players = [vars(person) | {"yours": person.index in mine} for person in model.people]
    for out in players:
        del out["timed"], out["runs"]
    return players


def _clock(person: Person, left: int | None, now: datetime) -> dict[str, Any]:
    """Return the fields of a ``PlayerOut`` about the clock."""
    if left is None or not person.runs:
        return {"clock_ms": left, "clock_ends": None}
    # The end time stays the same while the clock runs; the time left would not.
    return {
        "clock_ms": None,
        "clock_ends": (now + timedelta(milliseconds=left + 500)).replace(microsecond=0),
    }


def view_out(view: Any) -> dict[str, Any]:
    """The title's view as JSON."""
    out: dict[str, Any] = to_jsonable_python(view)
    return out


def talk_out(line: Said) -> TalkOut:
    """A chat message."""
    return TalkOut(at=line.at, player=line.player, channel=line.channel, text=line.text)


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


def standings_of(seen: Seen) -> StandingsOut:
    """The standings after the finished rounds: facts with the fields of a ``StandingsOut``."""
    return cast(StandingsOut, _standings(seen.options, tuple(seen.rounds)))


_standings = lru_cache(256)(standings)


def story_out(scene: Scene) -> list[LineOut]:
    """The last lines of a story, the oldest first: JSON with the fields of a ``LineOut``."""
    names, spoken, batches = scene.names, language.get(), scene.batches
    lines: list[Any] = []
    for i in range(max(0, len(batches) - MOST_STORY), len(batches)):
        lines += _lines(scene.seen.title, scene.seen.options, batches[i], names, spoken)
        lines += [
            {"entry": it.entry, "round": batches[i].round, "text": str(it.sentence)}
            for it in scene.reasons(i + 1)
        ]
    return cast(list[LineOut], lines[-MOST_STORY:])


@lru_cache(SENTENCES)
def _lines(
    title: Title, options: Options, batch: EventBatch, names: tuple[str, ...], _language: str
) -> Sequence[orjson.Fragment]:
    """Return the lines about a batch of events, in the current language."""
    return [
        orjson.Fragment(encoded({"entry": batch.entry, "round": batch.round, "text": text}))
        for _place, _event, text in title.sentences(title.setup_of(options), batch, names)
    ]


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
