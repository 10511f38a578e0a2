"""Puzzles as a text file that Anki imports: a card has the position in words, and what each move costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.bots import puzzles as made
from paddock.bots.analysis import Analysis, figure
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.features.puzzles import service as kept
from paddock.features.puzzles.given import GivenPuzzles
from paddock.features.puzzles.listing import mine
from paddock.features.puzzles.question import MINE, label, puzzle_in_set, question, themed
from paddock.features.puzzles.service import AskedPuzzle
from paddock.tables import Table, Tables
from paddock.web.built import TEXT, answer, nothing
from paddock.web.given import GivenTables
from paddock.web.guard import holder
from paddock.web.prices import costs

router = APIRouter()
MOST = 200  # puzzles in one file
COSTS = 6  # moves on the back of a card
# What Anki reads first: the columns, and that importing the file again updates its cards.
HEAD = ("#separator:tab", "#html:true", "#guid column:1", "#tags column:4", "#notetype:Basic")


@router.get("/puzzles/anki")
@costs(by_size=True)
async def export(request: Request, tables: GivenTables, puzzles: GivenPuzzles) -> Response:
    """Send puzzles as a file for Anki: ``of`` is a title, or those of one's own games."""
    of = request.query_params.get("of", MINE)
    name = "mistakes" if of == MINE else of
    headers = {"Content-Disposition": f'attachment; filename="paddock-{name}.txt"'}
    sent = partial(answer, request, media_type=TEXT, headers=headers)
    if of != MINE:
        title = find_title(of)
        return await sent(("anki", title), None, nothing, lambda _nothing: _file(_puzzles_of_set(title)))
    rows = mine(await puzzles.of(holder(request)))[:MOST]
    entries = dict[str, list[int]]()
    for row in rows:
        entries.setdefault(row.table_id or "", []).append(int(row.puzzle.rpartition("/")[2]))
    found = await tables.glances.at(list(entries))
    stamp = tuple((table.id, table.stamp, *entries[table.id]) for table in found)
    read = partial(_analysed, tables, found, entries)
    return await sent(("anki", holder(request)), stamp, read, lambda known: _file(_of_games(known)))


async def _analysed(
    tables: Tables, found: Sequence[Table], entries: Mapping[str, Sequence[int]]
) -> list[tuple[Table, Sequence[int], Analysis]]:
    """Return tables with the entries of their puzzles, and their analyses."""
    known = [(table, await tables.analysing.of(table)) for table in found]
    return [(table, entries[table.id], one.analysis) for table, one in known if one]


def _puzzles_of_set(title: Title) -> Iterator[AskedPuzzle]:
    for id in list(made.puzzles_of(title).puzzles)[:MOST]:
        yield puzzle_in_set(title, id)


def _of_games(known: Iterable[tuple[Table, Sequence[int], Analysis]]) -> Iterator[AskedPuzzle]:
    for table, entries, analysis in known:
        for entry in entries:
            yield kept.of_game(table, entry, analysis)


def _file(puzzles: Iterable[AskedPuzzle]) -> str:
    """Return a file for Anki. To play the games up to their puzzles takes long."""
    return "\n".join([*HEAD, *map(card, puzzles)]) + "\n"


def card(asked: AskedPuzzle) -> str:
    """Return a puzzle as a line of the file: a name that stays the same, front, back and tags."""
    seen, title = asked.decision.seen, asked.title
    heading = f"<b>{escape(title.label)} · {escape(themed(title, asked.theme))}</b>"
    me = _("You are {name}.").format(name=seen.seat_name(asked.seat))
    board = "<pre>" + _html(title.text.board(seen)) + "</pre>"
    front = f"{heading}<br>{escape(me)} {escape(question(asked))}{board}"
    back = f"<b>{escape(label(asked, asked.best))}</b><br>{_html(_costs(asked))}"
    tags = f"paddock paddock::{title.name}" + (f"::{asked.theme}" if asked.theme else "")
    return "\t".join((f"paddock-{asked.name}", front, back, tags))


def _costs(asked: AskedPuzzle) -> Iterable[str]:
    """Yield what other moves cost."""
    words = _("{move} costs {cost} points.")
    for cost in asked.costs[:COSTS]:
        if cost.move != asked.best:
            yield words.format(move=label(asked, cost.move), cost=figure(cost.cost, cost.error))
    if asked.played != asked.best:
        yield _("In the game: {move}.").format(move=label(asked, asked.played))


def _html(lines: Iterable[str]) -> str:
    return "<br>".join(escape(line).replace("\t", " ") for line in lines)
