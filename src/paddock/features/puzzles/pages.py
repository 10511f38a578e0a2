"""The pages of puzzles: one is asked and explained on a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.features.puzzles import anki, listing
from paddock.features.puzzles.explained import Explained, PuzzlePlace, explained
from paddock.features.puzzles.question import (
    MINE,
    decision_of,
    in_game,
    legal,
    puzzle_in_set,
    question,
    scene_of,
    themed,
)
from paddock.features.puzzles.service import AskedPuzzle, PuzzleAnswered, Puzzles
from paddock.tables import Tables
from paddock.web.bodies import fields
from paddock.web.choices import LONGEST_CHAIN, Ahead, Ask, ask, look_at, sent_moves
from paddock.web.given import GivenTables
from paddock.web.guard import holder
from paddock.web.links import link
from paddock.web.model import short_digest
from paddock.web.pages import (
    Pages,
    html,
    joined,
    redirect,
    remember,
    sentence,
    status_of,
    with_browser,
    without_still,
)
from paddock.web.position import PositionPage, telling
from paddock.web.present import Refusal, You, name_at
from paddock.web.prices import TableId, costs
from paddock.web.titles import title_of
from paddock.web.values import short

router = APIRouter(routes=[*listing.router.routes, *anki.router.routes])


async def _place_in_set(name: str, id: str) -> PuzzlePlace:
    title = title_of(name)
    asked = puzzle_in_set(title, id)
    then = link(f"/puzzle/{title.name}?{urlencode({'theme': asked.theme})}")
    return PuzzlePlace(asked, f"/puzzle/{title.name}/{id}", None, then)


async def _of_game(tables: Tables, id: str, entry: int) -> PuzzlePlace:
    asked, found = await in_game(tables, id, entry)
    return PuzzlePlace(asked, f"/t/{id}/puzzle/{entry}", found, link(f"/puzzles/{MINE}"))


# The page of a puzzle


@dataclass(frozen=True, kw_only=True)
class PuzzlePage(PositionPage):
    """A puzzle that is asked, or explained once it is answered."""

    template = "puzzles/puzzle.html"
    puzzle: AskedPuzzle
    about: str  # its theme
    you: You  # who decided
    refusal: Refusal | None
    asks: Sequence[Ask]  # the form of the decision; none when it is answered
    asked: Sequence[int]  # its seat
    explained: Explained | None


def _asked(
    request: Request, where: PuzzlePlace, chosen: str, refusal: Refusal | None, ahead: Ahead | None
) -> PuzzlePage:
    """Return the page that asks a puzzle. ``ahead`` has the chosen links."""
    asked, key = where.asked, request.app.state.token()
    form = ask(decision_of(asked), asked.decision.entry, where.path, key, chosen, ahead)
    view = ahead.view if ahead and ahead.links else None
    return _page(asked, question(asked), [form], None, short_digest(asked.name, None, chosen), refusal, view)


def _answered(where: PuzzlePlace, said: Explained) -> PuzzlePage:
    """Return the page that explains an answer."""
    asked = where.asked
    return _page(asked, said.chosen, [], said, short_digest(asked.name, said, ""))


def _page(
    asked: AskedPuzzle,
    status: str,
    forms: Sequence[Ask],
    said: Explained | None,
    digest: str,
    refusal: Refusal | None = None,
    view: Any = None,
) -> PuzzlePage:
    title, scene = asked.title, scene_of(asked)
    told = telling(scene, None)
    return PuzzlePage(
        title=title,
        status=status,
        digest=digest,
        your_turn=not said,
        seen=scene.seen,
        view=view or scene.view,
        story=told.story,
        reveal=told.reveal,
        pads=told.pads,
        puzzle=asked,
        about=themed(title, asked.theme),
        you=you(asked),
        refusal=refusal,
        asks=forms,
        asked=[form.seat for form in forms],
        explained=said,
    )


async def _show(request: Request, page: PuzzlePage, status: int = 200) -> Response:
    """Return the page of a puzzle, or only its changing part."""
    pages: Pages = request.app.state.pages
    if request.headers.get("paddock-part") == "main":
        return html(without_still(request, await joined(pages.block(page, "main"))), status)
    return html(await joined(pages.parts(request, page)), status)


async def _ask(
    request: Request,
    where: PuzzlePlace,
    *,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
    status: int = 200,
) -> Response:
    """Ask a puzzle."""
    return await _show(request, _asked(request, where, chosen, refusal, ahead), status)


def you(asked: AskedPuzzle) -> You:
    """Return who the reader is: the player who decided."""
    owners = asked.game.options.owners
    me = owners[asked.seat]
    seats = tuple(seat for seat, owner in enumerate(owners) if owner == me)
    return You(name_at(asked.title, asked.game.names[me], seats), seats)


async def _look(request: Request, where: PuzzlePlace) -> Response:
    """Show a puzzle, or what is said of the answer in the address."""
    move = short(request.query_params, "answer", LONGEST_CHAIN)
    if not move:
        return await _ask(request, where)
    tables: Tables = request.app.state.tables
    puzzles = tables.service(Puzzles)
    answer = await _judged(puzzles, where, move)
    row = await puzzles.one(holder(request), where.asked)
    return await _show(request, _answered(where, explained(where, answer, row, tables.runtime.now())))


async def _judged(puzzles: Puzzles, where: PuzzlePlace, notation: str) -> PuzzleAnswered:
    """Return what is said of an answer, of which the first move counts. Raises ``BadMove`` and others."""
    moves = sent_moves(notation)
    move = legal(where.asked, moves[0] if moves else "")
    changes = where.found.changes if where.found else ()
    return await puzzles.judge(where.asked, move, changes)


async def _answer(request: Request, where: PuzzlePlace) -> Response:
    """Note an answer, and explain it."""
    tables: Tables = request.app.state.tables
    puzzles, values = tables.service(Puzzles), await fields(request)
    notation = short(values, "move", LONGEST_CHAIN)
    if not sent_moves(notation):
        return await _ask(request, where, status=422, refusal=Refusal(_("Choose a move first.")))
    try:
        answer = await _judged(puzzles, where, notation)
    except PaddockError as error:
        return await _ask(request, where, status=status_of(error), refusal=_against(error), chosen=notation)
    me, secret = with_browser(request)
    row = await puzzles.answer(me, where.asked, answer.right)
    if request.headers.get("paddock-part") == "main":
        said = explained(where, answer, row, tables.runtime.now())
        return remember(request, await _show(request, _answered(where, said)), secret)
    query = urlencode({"answer": answer.move})
    return remember(request, redirect(link(f"{where.path}?{query}")), secret)


async def _ahead(request: Request, where: PuzzlePlace) -> Response:
    """Show the position after some links of a chain. Nothing is noted."""
    values = await fields(request)
    moves = sent_moves(short(values, "move", LONGEST_CHAIN))
    ahead, error = look_at(decision_of(where.asked), moves)
    if error:
        return await _ask(request, where, status=422, refusal=_against(error), ahead=ahead)
    return await _ask(request, where, ahead=ahead)


def _against(error: PaddockError) -> Refusal:
    """Return an error as a sentence for the page."""
    return Refusal(sentence(getattr(error, "reason", str(error))), getattr(error, "clause", None))


@router.get("/puzzle/{name}/{id}")
async def of_set(request: Request, name: str, id: str) -> Response:
    """Show a puzzle of a title's set."""
    return await _look(request, await _place_in_set(name, id))


@router.post("/puzzle/{name}/{id}/move")
@costs()
async def answer_set(request: Request, name: str, id: str) -> Response:
    """Answer a puzzle of a title's set."""
    return await _answer(request, await _place_in_set(name, id))


@router.post("/puzzle/{name}/{id}/preview")
@costs()
async def look_set(request: Request, name: str, id: str) -> Response:
    """Look ahead in a puzzle of a title's set."""
    return await _ahead(request, await _place_in_set(name, id))


@router.get("/t/{id}/puzzle/{entry}")
async def of_game(request: Request, tables: GivenTables, id: TableId, entry: int) -> Response:
    """Show a puzzle of an analysed game."""
    return await _look(request, await _of_game(tables, id, entry))


@router.post("/t/{id}/puzzle/{entry}/move")
@costs()
async def answer_game(request: Request, tables: GivenTables, id: TableId, entry: int) -> Response:
    """Answer a puzzle of an analysed game."""
    return await _answer(request, await _of_game(tables, id, entry))


@router.post("/t/{id}/puzzle/{entry}/preview")
@costs()
async def look_game(request: Request, tables: GivenTables, id: TableId, entry: int) -> Response:
    """Look ahead in a puzzle of an analysed game."""
    return await _ahead(request, await _of_game(tables, id, entry))
