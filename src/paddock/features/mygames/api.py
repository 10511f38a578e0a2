"""«My games» in the API. The name and the number of a browser are in its cookies: programs have none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field, StringConstraints, TypeAdapter
from starlette.responses import Response

from paddock.bots.ledger import Kind, Total
from paddock.features.mygames.archive import GamesFile
from paddock.features.mygames.games import (
    Finished,
    GamesTally,
    Opponent,
    Rivalry,
    by_title,
    rivalries,
    sums,
    tally,
)
from paddock.features.mygames.given import GivenMyGames
from paddock.features.mygames.pages import games_file
from paddock.features.mygames.store import Uncounted
from paddock.web.api.answers import table_line
from paddock.web.api.asked import BodyShape, Person, Route, Service, Somebody
from paddock.web.api.shapes import AmountOut, AnswerShape, TableLine
from paddock.web.built import JSON, answer
from paddock.web.limits import MAKING, MOST_UPLOAD
from paddock.web.prices import costs

router = APIRouter(route_class=Route)


class OpponentOut(AnswerShape):
    """Another player of a finished game."""

    name: str
    bot: str | None = Field(description="The level of a bot; null for a person.")
    place: int = Field(description="From 1; 0: without a place.")
    counts: bool = Field(description="Whether it is a bot, or a person who made most of their decisions.")


class GameOut(AnswerShape):
    """A finished game."""

    id: str = Field(description="Of its table.")
    here: bool = Field(description="Whether this server has the table.")
    title: str
    ended: datetime
    place: int = Field(description="From 1; 0: without a place.")
    points: int
    kept: bool | None = Field(description="Whether your time never ran out; null without a clock.")
    judged: int | None = Field(description="How many of your decisions an analysis has judged.")
    cost: float | None = Field(description="What those cost beside the best moves, in points.")
    counts: bool = Field(description="Whether you made most of your decisions; also while it is not known.")
    left: bool = Field(description="Whether you left: a bot made your last decision.")
    device: bool = Field(description="Whether it was played on a device, without a server.")
    others: list[OpponentOut]


class TallyOut(AnswerShape):
    """What some games add up to: those in which you made most of your decisions."""

    games: int = Field(description="0 if none of them counts.")
    wins: int
    place: float | None = Field(description="The average place; null if no game has one.")
    field: float | None = Field(description="How many played, on average; null if no game counts.")
    timed: int = Field(description="Games with a clock.")
    kept: int = Field(description="Of those: games in which your time never ran out.")
    judged: int = Field(description="Your decisions that analyses have judged.")
    error: float | None = Field(description="What such a decision costs on average, in points.")
    left: int = Field(description="Games that you left, whether they count or not.")


class SumOut(AnswerShape):
    """Where your points came from in the analysed games of a title. The parts add up to the result."""

    games: int
    parts: dict[Kind, AmountOut]
    result: float = Field(description="Points over the mean of all players.")


class RivalryOut(AnswerShape):
    """Your games against one opponent, or against all bots of a level."""

    name: str
    bot: str | None
    games: int
    ahead: int = Field(description="Games in which you had the better place.")
    behind: int


class MeOut(AnswerShape):
    """«My games»: those of the sender."""

    waiting: list[TableLine] = Field(description="Tables that wait for you, the longest wait first.")
    running: list[TableLine]
    total: TallyOut | None = Field(description="Null without a finished game.")
    titles: dict[str, TallyOut]
    sums: dict[str, SumOut] = Field(description="By title, of games that were analysed here.")
    opponents: list[RivalryOut]
    games: list[GameOut] = Field(description="Finished ones, the newest first, also those that do not count.")
    uncounted: int = Field(description="Games that are counted when you ask again.")
    unreadable: int = Field(description="Games that this server cannot read: who played is not known.")


class FileIn(BodyShape):
    """A file that ``GET /me/file`` returned, here or at another server."""

    text: Annotated[str, StringConstraints(max_length=1_500_000)]


class BroughtOut(AnswerShape):
    """What was added."""

    games: int
    left_out: int = Field(description="Games for which there is no room: the oldest.")


@router.get("/me", tags=["me"], response_model=MeOut)
@costs(by_size=True)
async def me(request: Request, tables: Service, my_games: GivenMyGames, who: Somebody) -> Response:
    """Your tables and finished games, and what they add up to."""
    uncounted = await my_games.count(who) if who else Uncounted()
    counts = len(uncounted.waiting), uncounted.unreadable
    due = [table for table, _since in await tables.waiting(who)] if who else []
    known = {table.id for table in due}
    running = [table for table in await tables.unfinished(who) if table.id not in known] if who else []
    live = [_lines([table_line(table, who) for table in part]) for part in (due, running)]
    if who is None:
        return Response(_whole(live[0], live[1], counts, _finished([])), media_type=JSON)
    return await answer(
        request,
        ("me", who),
        (await my_games.stamp(who), *live, counts),
        partial(my_games.made, who, "api", _finished, len),
        partial(_whole, live[0], live[1], counts),
        JSON,
    )


_LINES = TypeAdapter(list[TableLine])


def _lines(lines: list[TableLine]) -> bytes:
    return _LINES.dump_json(lines)


def _finished(games: Sequence[Finished]) -> bytes:
    """Return what ``MeOut`` says of the finished games, as a part of its JSON."""
    out = MeOut(
        waiting=[],
        running=[],
        total=_tally(tally(games)) if games else None,
        titles={title: _tally(total) for title, total in by_title(games).items()},
        sums={title: _sum(total) for title, total in sums(games).items()},
        opponents=[_rivalry(rivalry) for rivalry in rivalries(games)],
        games=[_game(game) for game in games],
        uncounted=0,
        unreadable=0,
    )
    return out.model_dump_json(exclude={"waiting", "running", "uncounted", "unreadable"}).encode()[1:-1]


def _whole(waiting: bytes, running: bytes, counts: tuple[int, int], finished: bytes) -> bytes:
    """Return a ``MeOut`` as JSON; ``counts``: the games that are uncounted and unreadable."""
    words = b'{"waiting":%b,"running":%b,%b,"uncounted":%d,"unreadable":%d}'
    return words % (waiting, running, finished, *counts)


def _tally(total: GamesTally) -> TallyOut:
    return TallyOut.model_validate(total, from_attributes=True)


def _sum(total: Total) -> SumOut:
    return SumOut.model_validate(total, from_attributes=True)


def _rivalry(rivalry: Rivalry) -> RivalryOut:
    return RivalryOut.model_validate(rivalry, from_attributes=True)


def _game(game: Finished) -> GameOut:
    others = [_opponent(other) for other in game.others]
    return GameOut(**{name: value for name, value in vars(game).items() if name != "others"}, others=others)


def _opponent(other: Opponent) -> OpponentOut:
    return OpponentOut(name=other.name, bot=other.bot, place=other.place, counts=other.counts)


@router.get("/me/file", tags=["me"], response_model=GamesFile)
@costs(by_size=True)
async def my_file(request: Request, my_games: GivenMyGames, who: Somebody) -> Response:
    """Your finished games as a file. It contains nothing that opens a seat."""
    return await games_file(request, my_games, who)


@router.post("/me/file", tags=["me"])
@costs(MAKING, most=MOST_UPLOAD)
async def bring_file(body: FileIn, my_games: GivenMyGames, who: Person) -> BroughtOut:
    """Add the games of a file to yours."""
    _file, new, left_out = await my_games.bring(who, body.text)
    return BroughtOut(games=new, left_out=left_out)
