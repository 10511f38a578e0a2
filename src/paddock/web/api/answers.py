"""Builds the API's responses from what one player sees, in the language of the request."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
from paddock.core.series import RoundResult, standings
from paddock.core.title import Preview, Seen, Title
from paddock.tables import Table
from paddock.tables.analysing import Analysed, Run
from paddock.tables.seats import open_places
from paddock.tables.talk import Said
from paddock.web.analysed import state_of
from paddock.web.api.shapes import (
    AccountOut,
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
    MomentOut,
    MoveOut,
    OptionOut,
    PreviewOut,
    RulesOut,
    StandingsOut,
    TableLine,
    TalkOut,
    TitleFull,
    TitleOut,
)
from paddock.web.choices import ready_chains
from paddock.web.model import (
    MODELS,
    MOST_STORY,
    SENTENCES,
    Decision,
    Guest,
    Model,
    Models,
    Person,
    Recent,
    Scene,
    SeatOrders,
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
    story: orjson.Fragment,
    mine: Sequence[int],
    host: bool,
    guest: Guest,
    left: Sequence[int | None],
    now: datetime,
) -> tuple[str, bytes]:
    """Return the digest and the JSON of a ``TableOut`` for a program with the players ``mine``.

    ``story`` is from ``Stories``. ``host`` says whether it is the host, ``guest`` how it gets a seat.
    ``left`` are the milliseconds on the players' clocks at the time ``now``. The digest has 64 bits, and is
    the same for the same content, except for the times on clocks.
    """
    facts = encoded(_table(model, story, mine, host, guest))[:-1]
    people = [_person(person) + (_YOURS if person.index in mine else _NOT_YOURS) for person in model.people]
    digest = hashlib.blake2b(b"".join([facts, *people]), digest_size=8).hexdigest()
    timed = [one + _clock(who, left[who.index], now) for one, who in zip(people, model.people, strict=True)]
    parts = facts, b',"players":[', b",".join(timed), b'],"digest":"', digest.encode(), b'"}'
    return digest, b"".join(parts)


def _table(
    model: Model, story: orjson.Fragment, mine: Sequence[int], host: bool, guest: Guest
) -> dict[str, Any]:
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
        "story": story,
        "news": model.news,
        "talk": [talk_out(line) for line in model.said],
    }


_YOURS, _NOT_YOURS = b',"yours":true', b',"yours":false'


@lru_cache(4096)
def _person(person: Person) -> bytes:
    """Return the beginning of a ``PlayerOut`` as JSON: what everybody sees of the player but the clock."""
    out = dict(vars(person))
    del out["timed"], out["runs"]
    return encoded(out)[:-1]


def _clock(person: Person, left: int | None, now: datetime) -> bytes:
    """Return the end of a ``PlayerOut`` as JSON: its fields about the clock."""
    if left is None or not person.runs:
        return b',"clock_ms":%s,"clock_ends":null}' % encoded(left)
    # The end time stays the same while the clock runs; the time left would not.
    ends = (now + timedelta(milliseconds=left + 500)).replace(microsecond=0)
    return b',"clock_ms":null,"clock_ends":%s}' % encoded(ends)


def view_out(view: Any) -> dict[str, Any]:
    """The title's view as JSON."""
    out: dict[str, Any] = to_jsonable_python(view)
    return out


def talk_out(line: Said) -> TalkOut:
    """A chat message."""
    return TalkOut(at=line.at, player=line.player, channel=line.channel, text=line.text)


def _orders(model: Model, mine: SeatOrders) -> dict[str, Any]:
    """Return the fields of an ``OrdersOut``."""
    form = orders_form(model, mine)
    return {"seat": form.seat, "given": form.given, "offers": form.offers, "dropped": form.dropped}


def asks_out(models: Models, table: Table, holder: str | None) -> list[AskOut]:
    """What the seats of a browser must decide now, as JSON; those that have committed are left out."""
    players = set(table.players_of(holder)).intersection(table.awaited())
    asks = [
        _ask(mine, table.decision)
        for player in sorted(players)
        for mine in models.decisions(table, player)
        if mine.committed is None
    ]
    return cast(list[AskOut], asks)


def _ask(mine: Decision, decision: int) -> orjson.Fragment:
    """Return an ``AskOut`` as JSON, made once in each language."""
    spoken = language.get()
    if spoken not in mine.said:
        seen = mine.first.seen
        committed = None if mine.committed is None else str(seen.title.text.move(seen.setup, mine.committed))
        fields = {
            "seat": mine.seat,
            "decision": decision,
            "moves": _moves(mine.first),
            "ready": _ready(mine.first),
            "committed": committed,
            "reveals": mine.reveals,
        }
        mine.said[spoken] = orjson.Fragment(encoded(fields))
    found: orjson.Fragment = mine.said[spoken]
    return found


def _moves(chain: Preview) -> list[dict[str, Any]]:
    """The moves that may come next in a chain: the fields of each ``MoveOut``."""
    seen, text = chain.seen, chain.seen.title.text
    return [
        {
            "move": str(text.move(seen.setup, id)),
            "label": text.label(seen, chain.seat, id),
            "cost": dict(cost),
        }
        for id, cost in zip(chain.legal, chain.costs, strict=True)
    ]


def _ready(chain: Preview) -> list[dict[str, Any]]:
    """The chains that the title suggests: the fields of each ``ChainOut``."""
    seen, text = chain.seen, chain.seen.title.text
    return [
        {
            "moves": [str(text.move(seen.setup, id)) for id in ready.moves],
            "label": ready.label,
            "cost": dict(ready.cost),
        }
        for ready in ready_chains(chain)
    ]


def preview_out(chain: Preview, decision: int) -> PreviewOut:
    """The position after a chain of moves."""
    return PreviewOut(
        seat=chain.seat,
        decision=decision,
        view=view_out(chain.view),
        moves=[MoveOut(**move) for move in _moves(chain)],
        ready=[ChainOut(**ready) for ready in _ready(chain)],
        ended=chain.ended,
    )


def standings_of(seen: Seen) -> StandingsOut:
    """The standings after the finished rounds: JSON with the fields of a ``StandingsOut``."""
    return cast(StandingsOut, _standings(seen.options, seen.rounds))


@lru_cache(256)
def _standings(options: Options, rounds: tuple[RoundResult, ...]) -> orjson.Fragment:
    return orjson.Fragment(encoded(standings(options, rounds)))


def story_out(scene: Scene) -> list[LineOut]:
    """The last lines of a story, the oldest first: JSON with the fields of a ``LineOut``."""
    return cast(list[LineOut], _last(scene, _said(scene)))


def _said(scene: Scene, since: int = 0) -> list[Sequence[orjson.Fragment]]:
    """Return the lines about each batch from ``since`` on, or about the last ones if they are too many."""
    title, options, names, spoken = scene.seen.title, scene.seen.options, scene.names, language.get()
    first = max(since, len(scene.batches) - MOST_STORY)
    return [_lines(title, options, scene.batches[i], names, spoken) for i in range(first, len(scene.batches))]


def _last(scene: Scene, said: Sequence[Sequence[orjson.Fragment]]) -> list[Any]:
    """Return the last lines of a story, reasons of forced moves included; ``said`` is of its last batches."""
    lines: list[Any] = []
    for i, told in enumerate(said, len(scene.batches) - len(said)):
        lines += told
        lines += [
            {"entry": it.entry, "round": scene.batches[i].round, "text": str(it.sentence)}
            for it in scene.reasons(i + 1)
        ]
    return lines[-MOST_STORY:]


@dataclass(frozen=True)
class _Story:
    """A story as it was when it was asked for last."""

    scene: Scene
    said: Sequence[Sequence[orjson.Fragment]]  # the lines about its last batches
    text: orjson.Fragment  # ``story_out`` as JSON

    def same(self, scene: Scene) -> bool:
        """Whether a scene has the same story."""
        mine = self.scene
        return (mine.batches is scene.batches, mine.names, mine.forced) == (True, scene.names, scene.forced)

    def known(self, scene: Scene) -> int:
        """Return how many of the first batches of a scene this story tells of; 0 if it tells others."""
        mine, n = self.scene.batches, len(self.scene.batches)
        grown = 0 < n <= len(scene.batches) and scene.batches[n - 1] is mine[-1]
        return n if grown and self.scene.names == scene.names else 0


class Stories:
    """``story_out`` as JSON, of which only what is new is written. ``Models`` keeps the batches of before."""

    def __init__(self) -> None:
        self._recent: Recent[tuple[str, int, str], _Story] = Recent(MODELS)

    def of(self, model: Model) -> orjson.Fragment:
        """Return the story of a table as a player was told it, in the current language."""
        key, scene = (model.id, model.scene.heard, language.get()), model.scene
        kept = self._recent.get(key)
        if kept is None or not kept.same(scene):
            known = kept.known(scene) if kept else 0
            said = [*(kept.said if kept and known else ()), *_said(scene, known)][-MOST_STORY:]
            text = orjson.Fragment(encoded(_last(scene, said)))
            kept = self._recent.keep(key, _Story(scene, said, text))
        return kept.text


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
    some = found or (run.found if run else None)
    return AnalysisOut(
        state=state_of(found, run),
        done=run.done if run else 0,
        total=run.total if run else 0,
        fault=_(run.fault) or None if run else None,
        turns=[JudgedOut.model_validate(turn, from_attributes=True) for turn in some.turns] if some else [],
        costs=[CostOut.model_validate(cost, from_attributes=True) for cost in some.costs] if some else [],
        ledger=[AccountOut.model_validate(one, from_attributes=True) for one in some.ledger] if some else [],
        moments=[MomentOut.model_validate(one, from_attributes=True) for one in some.analysis.moments]
        if some
        else [],
        swings=[turn.entry for turn in some.swings] if some else [],
    )
