"""Notes on finished games in the API."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field, TypeAdapter
from starlette.responses import Response

from paddock.features.reviews.given import GivenReviews
from paddock.features.reviews.service import KeptNote
from paddock.records import Note
from paddock.records.notes import LONGEST, MOST
from paddock.web.api import asked
from paddock.web.api.asked import Id, Person, Route, Service, Text
from paddock.web.api.shapes import AnswerShape
from paddock.web.built import JSON, answer
from paddock.web.prices import costs

router = APIRouter(route_class=Route)
Seq = Annotated[int, Path(ge=0, le=10**6, description="The number of a note.")]
Key = Annotated[str, Query(max_length=64, description="The key of the review, from a link for friends.")]
Until = Annotated[
    int | None, Query(ge=0, le=10**6, description="Only notes on moments up to this entry; default: all.")
]


class NoteOut(AnswerShape):
    """A note on a moment of a finished game."""

    seq: int = Field(description="Its number.")
    at: int = Field(description="The number of log entries before the moment.")
    by: str
    text: str
    tags: list[str]
    arrows: list[tuple[str, str]] = Field(description="From where, to where, as in the record format.")
    marks: list[str]


class NoteIn(asked.BodyShape):
    """A note to write."""

    at: int = Field(ge=0, le=10**6, description="The number of log entries before the moment.")
    name: Text = Field("", description="Yours, if you have no seat at the table.")
    text: str = Field("", max_length=LONGEST)
    tags: list[str] = Field(default=[], max_length=MOST)
    arrows: list[tuple[str, str]] = Field(default=[], max_length=MOST)
    marks: list[str] = Field(default=[], max_length=MOST)


@router.get("/tables/{id}/notes", tags=["after"], response_model=list[NoteOut])
@costs(by_size=True)
async def notes(
    id: Id, request: Request, tables: Service, reviews: GivenReviews, until: Until = None
) -> Response:
    """The notes on a game, in the order of their moments; none while it is being played."""
    table = await tables.table(id)
    stamp, read = await reviews.stamp(table), partial(reviews.notes, table)
    return await answer(request, ("notes", id, until), stamp, read, partial(_list, until), JSON)


def _list(until: int | None, kept: Sequence[KeptNote]) -> bytes:
    return _NOTES.dump_json([_out(one) for one in kept if until is None or one.note.at <= until])


_NOTES = TypeAdapter(list[NoteOut])


@router.post("/tables/{id}/notes", tags=["after"], status_code=201)
@costs()
async def write_note(
    id: Id, tables: Service, reviews: GivenReviews, who: Person, given: NoteIn, key: Key = ""
) -> NoteOut:
    """Write a note on a finished game. You played it, have uploaded it, or have the key of its review."""
    table = await tables.table(id)
    await reviews.check_writer(table, who, key)
    name = reviews.name(table, who, given.name)
    note = Note(given.at, name, given.text, tuple(given.tags), tuple(given.arrows), tuple(given.marks))
    return _out(await reviews.write(table, who, note))


@router.delete("/tables/{id}/notes/{seq}", tags=["after"], status_code=204)
@costs()
async def delete_note(id: Id, tables: Service, reviews: GivenReviews, who: Person, seq: Seq) -> None:
    """Delete a note: one of yours, or any if you played the game or have uploaded it."""
    await reviews.delete(await tables.table(id), who, seq)


def _out(kept: KeptNote) -> NoteOut:
    note = kept.note
    return NoteOut(
        seq=kept.seq,
        at=note.at,
        by=note.by,
        text=note.text,
        tags=list(note.tags),
        arrows=list(note.arrows),
        marks=list(note.marks),
    )
