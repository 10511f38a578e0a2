"""Puzzles as a text file that Anki imports: a card has the position in words, and what each move costs."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from paddock.bots import puzzles as made
from paddock.bots.analysis import figure
from paddock.core.i18n import _
from paddock.core.title import title as find_title
from paddock.tables import Tables
from paddock.tables import puzzles as kept
from paddock.tables.puzzles import Asked
from paddock.web.guard import holder
from paddock.web.puzzles import MINE, in_set, label, mine, question, themed
from paddock.web.steps import in_thread

router = APIRouter()
MOST = 200  # puzzles in one file
COSTS = 6  # moves on the back of a card
# What Anki reads first: the columns, and that importing the file again updates its cards.
HEAD = ("#separator:tab", "#html:true", "#guid column:1", "#tags column:4", "#notetype:Basic")


@router.get("/puzzles/anki")
async def export(request: Request) -> Response:
    """Send puzzles as a file for Anki: ``of`` is a title, or those of one's own games."""
    of = request.query_params.get("of", MINE)
    if of == MINE:
        cards = await _mine(request)
    else:
        title = find_title(of)
        cards = [card(in_set(title, id)) for id in list(made.puzzles_of(title).puzzles)[:MOST]]
    name = "mistakes" if of == MINE else of
    headers = {"Content-Disposition": f'attachment; filename="paddock-{name}.txt"'}
    return PlainTextResponse("\n".join([*HEAD, *cards]) + "\n", headers=headers)


async def _mine(request: Request) -> list[str]:
    """Return the cards of the browser's own games."""
    tables: Tables = request.app.state.tables
    cards = list[str]()
    entries = dict[str, list[int]]()
    for row in mine(await tables.puzzles.of(holder(request)))[:MOST]:
        entries.setdefault(row.table_id or "", []).append(int(row.puzzle.rpartition("/")[2]))
    for table in await tables.glances.at(list(entries)):
        if found := await tables.analysing.of(table):
            for entry in entries[table.id]:
                cards.append(card(await in_thread(table, kept.of_game, table, entry, found.analysis)))
    return cards


def card(asked: Asked) -> str:
    """Return a puzzle as a line of the file: a name that stays the same, front, back and tags."""
    seen, title = asked.decision.seen, asked.title
    heading = f"<b>{escape(title.label)} · {escape(themed(title, asked.theme))}</b>"
    me = _("You are {name}.").format(name=seen.seat_name(asked.seat))
    board = "<pre>" + _html(title.text.board(seen)) + "</pre>"
    front = f"{heading}<br>{escape(me)} {escape(question(asked))}{board}"
    back = f"<b>{escape(label(asked, asked.best))}</b><br>{_html(_costs(asked))}"
    tags = f"paddock paddock::{title.name}" + (f"::{asked.theme}" if asked.theme else "")
    return "\t".join((f"paddock-{asked.name}", front, back, tags))


def _costs(asked: Asked) -> Iterable[str]:
    """Yield what other moves cost."""
    words = _("{move} costs {cost} points.")
    for cost in asked.costs[:COSTS]:
        if cost.move != asked.best:
            yield words.format(move=label(asked, cost.move), cost=figure(cost.cost, cost.error))
    if asked.played != asked.best:
        yield _("In the game: {move}.").format(move=label(asked, asked.played))


def _html(lines: Iterable[str]) -> str:
    return "<br>".join(escape(line).replace("\t", " ") for line in lines)
