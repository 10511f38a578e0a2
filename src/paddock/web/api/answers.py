"""Builds the API's responses from what one player sees, in the language of the request."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any, cast, get_type_hints

from pydantic import BaseModel, TypeAdapter
from pydantic_core import to_jsonable_python

from paddock.bots import levels
from paddock.core.i18n import _, language
from paddock.core.options import Options
from paddock.core.quick_json import OPT_NON_STR_KEYS, OPT_UTC_Z, Fragment, dumps
from paddock.core.series import RoundResult, standings
from paddock.core.title import Preview, Title
from paddock.tables import Table
from paddock.tables.seats import open_places
from paddock.tables.talk import Said
from paddock.web.api.shapes import (
    AskOut,
    ChainOut,
    ChapterOut,
    ClauseOut,
    LevelOut,
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
    Decision,
    Models,
    phase,
)


def title_out(title: Title) -> TitleOut:
    """A summary of a title."""
    out = TitleOut.model_validate(title, from_attributes=True)
    return out.model_copy(update={"tagline": _(out.tagline)})


def title_full(title: Title) -> TitleFull:
    """A title with its options, levels and the schema of its view."""
    return TitleFull(
        **title_out(title).model_dump(),
        options=[OptionOut.model_validate(row, from_attributes=True) for row in title.options.describe()],
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


def table_line(table: Table, holder: str | None, watching: int = 0) -> TableLine:
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
        watching=watching,
    )


def encoded(answer: object) -> bytes:
    """Return an answer as JSON: shapes, dataclasses, or dicts with the fields of a shape."""
    made = dumps(answer, _plain, OPT_NON_STR_KEYS | OPT_UTC_Z)
    # A copy: the memory of what orjson returns has at least 1024 bytes, and many short ones are kept.
    return bytes(memoryview(made))


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that orjson does not know."""
    return vars(value) if isinstance(value, BaseModel) else list(value)


def view_out(view: Any) -> dict[str, Any]:
    """The title's view as JSON."""
    out: dict[str, Any] = to_jsonable_python(view)
    return out


def talk_out(line: Said) -> TalkOut:
    """A chat message."""
    return TalkOut(at=line.at, player=line.player, channel=line.channel, text=line.text, phrase=line.phrase)


def asks_out(models: Models, table: Table, holder: str | None) -> list[AskOut]:
    """What the seats of a browser must decide now, as JSON; those that have committed are left out."""
    players = set(table.players_of(holder)).intersection(table.awaited())
    asks = [
        ask_out(mine, table.decision)
        for player in sorted(players)
        for mine in models.decisions(table, player)
        if mine.committed is None
    ]
    return cast(list[AskOut], asks)


def ask_out(mine: Decision, decision: int) -> Fragment:
    """Return an ``AskOut`` as JSON, made once in each language."""
    spoken = language.get()
    if spoken not in mine.said:
        seen = mine.first.seen
        committed = None if mine.committed is None else str(seen.title.text.move(seen.setup, mine.committed))
        fields = {
            "seat": mine.seat,
            "decision": decision,
            "moves": moves_out(mine.first),
            "ready": ready_out(mine.first),
            "committed": committed,
            "reveals": mine.reveals,
        }
        mine.said[spoken] = Fragment(encoded(fields))
    found: Fragment = mine.said[spoken]
    return found


def moves_out(chain: Preview) -> list[dict[str, Any]]:
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


def ready_out(chain: Preview) -> list[dict[str, Any]]:
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
        moves=[MoveOut(**move) for move in moves_out(chain)],
        ready=[ChainOut(**ready) for ready in ready_out(chain)],
        ended=chain.ended,
    )


@lru_cache(256)
def standings_out(options: Options, rounds: tuple[RoundResult, ...]) -> StandingsOut:
    """The standings after the finished rounds: JSON with the fields of a ``StandingsOut``."""
    return cast(StandingsOut, Fragment(encoded(standings(options, rounds))))
