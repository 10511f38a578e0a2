"""Puzzles in the API: decisions of games, without what came later, and what is said of an answer."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response

from paddock.bots import puzzles as made
from paddock.core.title import titles
from paddock.features.puzzles.given import GivenPuzzles
from paddock.features.puzzles.question import (
    day_path,
    decision_of,
    in_game,
    legal,
    path_of,
    puzzle_in_set,
    question,
    scene_of,
)
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.service import AskedPuzzle, Puzzles
from paddock.web.api.answers import encoded, moves_out, ready_out
from paddock.web.api.asked import BodyShape, Id, Name, Notation, Person, Route, Service, Somebody, title_here
from paddock.web.api.shapes import AnswerShape, ChainOut, LineOut, MoveOut
from paddock.web.api.telling import story_out
from paddock.web.prices import costs

router = APIRouter(route_class=Route)
Entry = Annotated[int, Path(ge=0, le=10**6, description="The entry of the log in which the move was made.")]


class PuzzleLine(AnswerShape):
    """A puzzle of yours."""

    path: str = Field(description="Its path in this API.")
    theme: str = Field(description="A word of the title; empty for none.")
    due: datetime = Field(description="When it comes back.")
    solved: bool = Field(description="Whether your last answer was right.")


class PuzzleSet(AnswerShape):
    """The puzzles of a title about one theme."""

    title: str
    theme: str
    paths: list[str] = Field(description="Their paths in this API.")


class PuzzlesOut(AnswerShape):
    """All puzzles."""

    mine: list[PuzzleLine] = Field(description="Of your own games, the one that is due first first.")
    day: str | None = Field(description="The path of the puzzle of the day.")
    sets: list[PuzzleSet]


class PuzzleOut(AnswerShape):
    """A decision of a game that is over, as its seat saw the game then."""

    title: str
    options: dict[str, Any]
    theme: str
    question: str
    seat: int
    names: list[str] = Field(description="Of the seats.")
    view: dict[str, Any]
    moves: list[MoveOut]
    ready: list[ChainOut] = Field(description="Chains that the title suggests; the first move counts.")
    story: list[LineOut] = Field(description="What this seat had been told, the oldest first.")


class PuzzleCost(AnswerShape):
    """What a move costs beside the best one, in points of the race."""

    move: str
    cost: float
    error: float = Field(description="Half the width of its 95 % interval.")
    better: float = Field(description="The share of the deals in which the best move earns more.")
    worse: float = Field(description="The share in which it earns less.")


class PuzzleAnswer(AnswerShape):
    """What is said of an answer."""

    right: bool = Field(description="Whether the move is the best, or not clearly worse.")
    best: str
    played: str = Field(description="The move of the game.")
    cost: PuzzleCost = Field(description="Of the answer.")
    played_cost: PuzzleCost = Field(description="Of the move of the game.")
    due: datetime = Field(description="When the puzzle comes back.")


class AnswerIn(BodyShape):
    """An answer: a legal move. Of a chain, the first move counts."""

    move: Notation


@router.get("/puzzles", tags=["puzzles"])
async def puzzles(tables: Service, kept: GivenPuzzles, who: Somebody) -> PuzzlesOut:
    """The puzzles of your own games, of the day, and of the titles."""
    rows, now = await kept.of(who), tables.runtime.now()
    day = day_path(now)
    return PuzzlesOut(
        mine=[_line(row) for row in rows if row.table_id],
        day=_here(day) if day else None,
        sets=[
            PuzzleSet(
                title=title.name,
                theme=theme,
                paths=[_here(f"/puzzle/{title.name}/{id}") for id in made.puzzles_of(title).of(theme)],
            )
            for title in titles().values()
            for theme in made.puzzles_of(title).themes
        ],
    )


def _line(row: PuzzleRow) -> PuzzleLine:
    return PuzzleLine(path=_here(path_of(row)), theme=row.theme, due=row.due, solved=row.right)


def _here(path: str) -> str:
    """Return the path in this API of a puzzle's page."""
    return path.replace("/t/", "/tables/", 1).replace("/puzzle/", "/puzzles/", 1)


def _asked(name: str, id: str) -> AskedPuzzle:
    return puzzle_in_set(title_here(name), id)


PuzzleId = Annotated[str, Path(min_length=1, max_length=32, description="The id of a puzzle of the title.")]


@router.get("/puzzles/{name}/{puzzle}", tags=["puzzles"], response_model=PuzzleOut)
async def puzzle(name: Name, puzzle: PuzzleId) -> Response:
    """A puzzle of a title."""
    return _out(_asked(name, puzzle))


@router.post("/puzzles/{name}/{puzzle}", tags=["puzzles"])
@costs()
async def answer_puzzle(
    name: Name, puzzle: PuzzleId, body: AnswerIn, kept: GivenPuzzles, who: Person
) -> PuzzleAnswer:
    """Answer a puzzle of a title. A wrong answer makes it come back earlier."""
    return await _answered(kept, who, _asked(name, puzzle), body.move)


@router.get("/tables/{id}/puzzles/{entry}", tags=["puzzles"], response_model=PuzzleOut)
async def game_puzzle(id: Id, entry: Entry, tables: Service) -> Response:
    """A puzzle of an analysed game."""
    return _out((await in_game(tables, id, entry))[0])


@router.post("/tables/{id}/puzzles/{entry}", tags=["puzzles"])
@costs()
async def answer_game_puzzle(
    id: Id, entry: Entry, body: AnswerIn, tables: Service, kept: GivenPuzzles, who: Person
) -> PuzzleAnswer:
    """Answer a puzzle of an analysed game. A wrong answer makes it come back earlier."""
    return await _answered(kept, who, (await in_game(tables, id, entry))[0], body.move)


def _out(asked: AskedPuzzle) -> Response:
    """Return a ``PuzzleOut``."""
    scene, first = scene_of(asked), decision_of(asked).first
    found = {
        "title": asked.title.name,
        "options": asked.game.options.named,
        "theme": asked.theme,
        "question": question(asked),
        "seat": asked.seat,
        "names": scene.names,
        "view": scene.view,
        "moves": moves_out(first),
        "ready": ready_out(first),
        "story": story_out(scene),
    }
    return Response(encoded(found), media_type="application/json")


async def _answered(kept: Puzzles, who: str, asked: AskedPuzzle, notation: str) -> PuzzleAnswer:
    answer = await kept.judge(asked, legal(asked, notation.strip()))
    row = await kept.answer(who, asked, answer.right)
    return PuzzleAnswer(
        right=answer.right,
        best=asked.best,
        played=asked.played,
        cost=PuzzleCost.model_validate(answer.cost, from_attributes=True),
        played_cost=PuzzleCost.model_validate(answer.played, from_attributes=True),
        due=row.due,
    )
