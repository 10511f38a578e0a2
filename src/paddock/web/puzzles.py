"""Puzzles: the page that asks one and explains it, and the list of them.

A puzzle is shown as its seat saw the game then: its page is made of a game that ends there, so that nothing
later and no other hand can be on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.bots import puzzles as made
from paddock.bots.analysis import figure
from paddock.core.errors import PaddockError
from paddock.core.i18n import _, plural
from paddock.core.title import Title, titles
from paddock.core.title import title as find_title
from paddock.core.wording import number
from paddock.tables import Kind, PuzzleRow, Table, Tables, Terms
from paddock.tables import puzzles as kept
from paddock.tables.analysing import Analysed
from paddock.tables.puzzles import Answer, Asked
from paddock.web.bodies import fields
from paddock.web.choices import LONGEST_CHAIN, Ahead, asks, look, sent_moves
from paddock.web.guard import holder
from paddock.web.links import link
from paddock.web.model import Decision, Model, Person, Scene, short_digest
from paddock.web.pages import (
    Pages,
    html,
    joined,
    redirect,
    remember,
    sentence,
    short,
    status_of,
    with_browser,
    without_still,
)
from paddock.web.people import Browser
from paddock.web.present import Refusal, moment, you
from paddock.web.prices import TableId, costs
from paddock.web.steps import in_thread

router = APIRouter()
PUZZLE = Kind("puzzle")  # of the table that a puzzle looks like
SHOWN = 5  # moves in the table of an explanation
DAY_S = 86400
MINE = "mine"  # in addresses: the puzzles of one's own games


# What a page shows


@dataclass(frozen=True)
class Place:
    """A puzzle and where it is, as a page needs it."""

    asked: Asked
    path: str  # of its page
    found: Analysed | None  # the analysis of one's own game
    then: str  # the address of the next puzzle


@dataclass(frozen=True)
class Line:
    """What one move costs."""

    move: str
    cost: str  # empty for the best move
    share: float  # of the highest cost in the table, in percent
    best: bool
    yours: bool
    played: bool  # in the game


@dataclass(frozen=True)
class Explained:
    """What is said of an answer."""

    right: bool
    chosen: str
    headline: str
    said: tuple[str, ...]
    lines: tuple[Line, ...]
    back: str  # when the puzzle comes back; empty if nothing was noted
    again_url: str
    next_url: str
    replay_url: str | None


def themed(title: Title, theme: str) -> str:
    """Return the name of a theme; that of the title for none."""
    room = made.puzzling(title)
    return _(room.THEMES[theme]) if room and theme in room.THEMES else title.label


def model_of(asked: Asked) -> Model:
    """Return the game of a puzzle as its player saw it: nothing is known of what came later."""
    game, seen = asked.game, asked.decision.seen
    options, me = game.options, game.options.owners[asked.seat]
    people = tuple(_person(asked, player, player == me) for player in range(options.players))
    asks_of = Decision(asked.seat, seen.preview((), asked.seat), None, False)
    return Model(
        id=asked.name,
        title=asked.title,
        options=options,
        kind=PUZZLE,
        phase="play",
        terms=Terms(),
        abandoned=False,
        embed=False,
        fault=None,
        stalled=None,
        origin=None,
        rematch=None,
        rematch_of=None,
        running=True,
        over=False,
        winners=(),
        decision=asked.decision.entry,
        deciders=seen.deciders,
        committed=(),
        awaited=(me,),
        people=people,
        undo=None,
        claims=(),
        offers=(),
        undoer=None,
        player=me,
        scene=Scene(seen, game.events_for(seen.eyes)),
        free=None,
        decisions=(asks_of,),
        orders=(),
        news=None,
        fresh=None,
        moved=False,
        lesson=None,
        said=(),
    )


def _person(asked: Asked, player: int, mine: bool) -> Person:
    seats = tuple(seat for seat, owner in enumerate(asked.game.options.owners) if owner == player)
    return Person(
        index=player,
        name=asked.game.names[player],
        seats=seats,
        kind="person" if mine else "bot",
        bot=None,
        host=False,
        ready=False,
        stand_in=False,
        muted=False,
        removed=False,
        timed=False,
        runs=False,
    )


def question(asked: Asked) -> str:
    """Return what is asked, with what the game waits for."""
    seen = asked.decision.seen
    return _("What would you do? {status}").format(status=asked.title.text.status(seen))


def label(asked: Asked, move: str) -> str:
    """Return a move as on its button, without its consequence."""
    seen = asked.decision.seen
    id = asked.title.text.parse_move(seen.setup, move).id
    return asked.title.text.label(seen, asked.seat, id).partition(": ")[0]


def explained(where: Place, answer: Answer, row: PuzzleRow | None, now: datetime) -> Explained:
    """Return what is said of an answer."""
    asked = where.asked
    best = label(asked, asked.best)
    if answer.move == asked.best:
        headline = _("Right: {best} is the best move.").format(best=best)
    elif answer.right:
        headline = _("Good: it is as good as {best}, as far as can be told.").format(best=best)
    else:
        headline = _("Better: {best}.").format(best=best)
    return Explained(
        answer.right,
        _("You chose: {move}.").format(move=label(asked, answer.move)),
        headline,
        tuple(_said(where, answer, best)),
        tuple(_lines(asked, answer)),
        _back(row, now) if row else "",
        link(where.path),
        where.then,
        link(f"/t/{asked.table_id}/replay?entry={asked.decision.entry}&eyes={asked.seat + 1}")
        if asked.table_id
        else None,
    )


def _said(where: Place, answer: Answer, best: str) -> Sequence[str]:
    """Return sentences about the answer, and about the move of the game."""
    asked, cost = where.asked, answer.cost
    out = list[str]()
    if answer.move != asked.best and cost:
        words = _("{move} costs {cost} points of the {game}.")
        costs = figure(cost.cost, cost.error)
        out.append(words.format(move=label(asked, answer.move), cost=costs, game=_(asked.title.round_name)))
        odds = _("In {better} of 100 deals that fit what you knew, {best} earns more; in {worse} less.")
        out.append(odds.format(better=round(100 * cost.better), worse=round(100 * cost.worse), best=best))
    elif cost is None:
        out.append(_("This server cannot measure what {move} costs.").format(move=label(asked, answer.move)))
    mine = asked.table_id is not None
    if answer.move == asked.played:
        out.append(_("You played the same in the game.") if mine else _("The bot played the same."))
    elif asked.played == asked.best:
        out.append(_("It is what was played in the game."))
    elif answer.played:
        words = (
            _("In the game you played {move}, which cost {cost}.")
            if mine
            else _("The bot played {move}, which cost {cost}.")
        )
        costs = figure(answer.played.cost, answer.played.error)
        out.append(words.format(move=label(asked, asked.played), cost=costs))
    if answer.change:
        mine_of = answer.change.points[asked.game.options.owners[asked.seat]]
        words = _("With all cards known, that changed what the {game} was worth to you by {points}.")
        points = f"{number(mine_of.points, '+.2f')} ± {number(mine_of.error, '.2f')}"
        out.append(words.format(game=_(asked.title.round_name), points=points))
    return out


def _lines(asked: Asked, answer: Answer) -> Sequence[Line]:
    """Return the best moves with the one that was answered, and that of the game."""
    costs = {cost.move: cost for cost in (answer.played, answer.cost) if cost}
    costs = {cost.move: cost for cost in asked.costs[:SHOWN]} | costs
    shown = sorted(costs.values(), key=lambda cost: (cost.move != asked.best, cost.cost))
    if asked.best not in costs:
        shown.insert(0, made.Cost(asked.best, 0.0, 0.0, 0.0, 0.0))
    most = max(cost.cost for cost in shown) or 1.0
    return [
        Line(
            label(asked, cost.move),
            "" if cost.move == asked.best else figure(cost.cost, cost.error),
            round(max(0.0, 100 * cost.cost / most), 1),
            cost.move == asked.best,
            cost.move == answer.move,
            cost.move == asked.played,
        )
        for cost in shown
    ]


def _back(row: PuzzleRow, now: datetime) -> str:
    return plural("It comes back in {n} day.", "It comes back in {n} days.", _days(row.due, now))


def _days(due: datetime, now: datetime) -> int:
    return max(1, round((due - now).total_seconds() / DAY_S))


# Finding a puzzle


def _shown(name: str) -> Title:
    try:
        return find_title(name)
    except PaddockError as error:
        raise HTTPException(404, str(error)) from None


def in_set(title: Title, id: str) -> Asked:
    """Return a puzzle of a title's set; raise a 404."""
    asked = kept.of_set(title, id)
    if asked is None:
        raise HTTPException(404, _("There is no such puzzle any more."))
    return asked


async def in_game(tables: Tables, id: str, entry: int) -> tuple[Asked, Analysed]:
    """Return a puzzle of an analysed game, with its analysis; raise a 404."""
    table: Table = await tables.table(id)
    found = await tables.analysing.of(table)
    if found is None:
        raise HTTPException(404, _("There is no puzzle here: this game is not analysed yet."))
    return await in_thread(table, kept.of_game, table, entry, found.analysis), found


async def _of_set(name: str, id: str) -> Place:
    title = _shown(name)
    asked = in_set(title, id)
    then = link(f"/puzzle/{title.name}?{urlencode({'theme': asked.theme})}")
    return Place(asked, f"/puzzle/{title.name}/{id}", None, then)


async def _of_game(request: Request, id: str, entry: int) -> Place:
    asked, found = await in_game(request.app.state.tables, id, entry)
    return Place(asked, f"/t/{id}/puzzle/{entry}", found, link(f"/puzzles/{MINE}"))


# The page of a puzzle


async def _page(
    request: Request,
    where: Place,
    *,
    answered: Explained | None = None,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
    status: int = 200,
) -> Response:
    """Return the page of a puzzle, or only its changing part."""
    pages: Pages = request.app.state.pages
    asked = where.asked
    model, title = model_of(asked), asked.title
    assert model.player is not None
    browser = Browser((model.player,), False, None, frozenset(), False, "")
    forms = [] if answered else asks(model, request.app.state.token(), chosen, None, ahead, where.path)
    shown = ahead.view if ahead and ahead.links else model.scene.view
    context: dict[str, Any] = moment(model.scene, None) | {
        "title": title,
        "table": model,
        "puzzle": asked,
        "theme": themed(title, asked.theme),
        "mine": browser.mine,
        "player": model.player,
        "decision": model.decision,
        "refusal": refusal,
        "status": answered.chosen if answered else question(asked),
        "view": shown,
        "asks": forms,
        "asked": [ask.seat for ask in forms],
        "your_turn": not answered,
        "you": you(model, browser),
        "talk": None,
        "company": False,
        "digest": short_digest(asked.name, answered, chosen),
        "explained": answered,
    }
    if request.headers.get("paddock-part") == "main":
        text = await joined(pages.block("puzzle.html", "main", context))
        return html(without_still(request, text), status)
    return html(await joined(pages.parts(request, "puzzle.html", context)), status)


async def _look(request: Request, where: Place) -> Response:
    """Show a puzzle, or what is said of the answer in the address."""
    move = short(request.query_params, "answer", LONGEST_CHAIN)
    if not move:
        return await _page(request, where)
    tables: Tables = request.app.state.tables
    answer = await _judged(tables, where, move)
    row = await tables.puzzles.one(holder(request), where.asked)
    return await _page(request, where, answered=explained(where, answer, row, tables.runtime.now()))


async def _judged(tables: Tables, where: Place, notation: str) -> Answer:
    """Return what is said of an answer, of which the first move counts. Raises ``BadMove`` and others."""
    moves = sent_moves(notation)
    move = legal(where.asked, moves[0] if moves else "")
    changes = where.found.changes if where.found else ()
    return await tables.puzzles.judge(where.asked, move, changes)


def legal(asked: Asked, move: str) -> str:
    """Return a move as it is written; raise ``BadMove`` or ``IllegalMove`` if it is not legal."""
    text, setup = asked.title.text, asked.decision.seen.setup
    id = text.parse_move(setup, move).id
    asked.decision.seen.preview([id], asked.seat)
    return str(text.move(setup, id))


async def _answer(request: Request, where: Place) -> Response:
    """Note an answer, and explain it."""
    tables: Tables = request.app.state.tables
    values = await fields(request)
    notation = short(values, "move", LONGEST_CHAIN)
    if not sent_moves(notation):
        return await _page(request, where, status=422, refusal=Refusal(_("Choose a move first.")))
    try:
        answer = await _judged(tables, where, notation)
    except PaddockError as error:
        clause = getattr(error, "clause", None)
        words = Refusal(sentence(getattr(error, "reason", str(error))), clause)
        return await _page(request, where, status=status_of(error), refusal=words, chosen=notation)
    me, secret = with_browser(request)
    row = await tables.puzzles.answer(me, where.asked, answer.right)
    if request.headers.get("paddock-part") == "main":
        said = explained(where, answer, row, tables.runtime.now())
        return remember(request, await _page(request, where, answered=said), secret)
    query = urlencode({"answer": answer.move})
    return remember(request, redirect(link(f"{where.path}?{query}")), secret)


async def _ahead(request: Request, where: Place) -> Response:
    """Show the position after some links of a chain. Nothing is noted."""
    values = await fields(request)
    moves = sent_moves(short(values, "move", LONGEST_CHAIN))
    model = model_of(where.asked)
    ahead, error = look(model, where.asked.seat, model.decision, moves)
    if error:
        refusal = Refusal(sentence(getattr(error, "reason", str(error))), getattr(error, "clause", None))
        return await _page(request, where, status=422, refusal=refusal, ahead=ahead)
    return await _page(request, where, ahead=ahead)


@router.get("/puzzle/{name}/{id}")
async def of_set(request: Request, name: str, id: str) -> Response:
    """Show a puzzle of a title's set."""
    return await _look(request, await _of_set(name, id))


@router.post("/puzzle/{name}/{id}/move")
@costs()
async def answer_set(request: Request, name: str, id: str) -> Response:
    """Answer a puzzle of a title's set."""
    return await _answer(request, await _of_set(name, id))


@router.post("/puzzle/{name}/{id}/preview")
@costs()
async def look_set(request: Request, name: str, id: str) -> Response:
    """Look ahead in a puzzle of a title's set."""
    return await _ahead(request, await _of_set(name, id))


@router.get("/t/{id}/puzzle/{entry}")
async def of_game(request: Request, id: TableId, entry: int) -> Response:
    """Show a puzzle of an analysed game."""
    return await _look(request, await _of_game(request, id, entry))


@router.post("/t/{id}/puzzle/{entry}/move")
@costs()
async def answer_game(request: Request, id: TableId, entry: int) -> Response:
    """Answer a puzzle of an analysed game."""
    return await _answer(request, await _of_game(request, id, entry))


@router.post("/t/{id}/puzzle/{entry}/preview")
@costs()
async def look_game(request: Request, id: TableId, entry: int) -> Response:
    """Look ahead in a puzzle of an analysed game."""
    return await _ahead(request, await _of_game(request, id, entry))


# The list of puzzles


@dataclass(frozen=True)
class Theme:
    """A theme of a title's set, in the list."""

    name: str
    url: str
    count: int
    solved: int  # by this browser


@dataclass(frozen=True)
class Listed:
    """A title's set, in the list."""

    title: Title
    url: str
    themes: tuple[Theme, ...]


def path_of(row: PuzzleRow) -> str:
    """Return the address of a stored puzzle."""
    if row.table_id:
        return f"/t/{row.table_id}/puzzle/{row.puzzle.rpartition('/')[2]}"
    name, _colon, id = row.puzzle.partition(":")
    return f"/puzzle/{name}/{id}"


def day_path(now: datetime) -> str | None:
    """Return the address of the puzzle of a day; None if no title has any."""
    found = made.of_the_day(now.date())
    return f"/puzzle/{found[0].name}/{found[1]}" if found else None


def of_today(now: datetime) -> str:
    """Return what the puzzle of a day is about; empty if there is none."""
    found = made.of_the_day(now.date())
    if found is None:
        return ""
    title, id = found
    theme = themed(title, made.puzzles_of(title).puzzles[id][0].theme)
    return (
        title.label if theme == title.label else _("{title}, {theme}").format(title=title.label, theme=theme)
    )


def sets(rows: Sequence[PuzzleRow]) -> list[Listed]:
    """Return the sets of all titles, with what a browser has solved of them."""
    known = {row.puzzle: row for row in rows}
    every = sorted(titles().values(), key=lambda title: title.label)
    return [_listed(title, known) for title in every if made.puzzles_of(title).puzzles]


def _listed(title: Title, known: Mapping[str, PuzzleRow]) -> Listed:
    ours, themes = made.puzzles_of(title), list[Theme]()
    for theme in ours.themes:
        ids = ours.of(theme)
        seen = [known[name] for id in ids if (name := f"{title.name}:{id}") in known]
        url = link(f"/puzzle/{title.name}?{urlencode({'theme': theme})}")
        themes.append(Theme(themed(title, theme), url, len(ids), sum(row.right for row in seen)))
    return Listed(title, link(f"/puzzle/{title.name}"), tuple(themes))


def mine(rows: Sequence[PuzzleRow]) -> list[PuzzleRow]:
    """Return the puzzles of one's own games."""
    return [row for row in rows if row.table_id]


@router.get("/puzzles")
async def every(request: Request) -> Response:
    """Show which puzzles there are: of the browser's games, of the day, and of the titles' sets."""
    tables: Tables = request.app.state.tables
    pages: Pages = request.app.state.pages
    rows, now = await tables.puzzles.of(holder(request)), tables.runtime.now()
    ours = mine(rows)
    day = day_path(now)
    return pages.page(
        request,
        "puzzles.html",
        due=sum(row.due <= now for row in ours),
        count=len(ours),
        right=sum(row.right for row in ours),
        coming=next((_days(row.due, now) for row in ours if row.due > now), 0),
        day=link(day) if day else None,
        sets=sets(rows),
    )


@router.get(f"/puzzles/{MINE}")
async def my_next(request: Request) -> Response:
    """Redirect to the puzzle of one's own games that is due first, or to the list if none is."""
    tables: Tables = request.app.state.tables
    rows, now = await tables.puzzles.of(holder(request)), tables.runtime.now()
    due = next((row for row in mine(rows) if row.due <= now), None)
    return redirect(link(path_of(due) if due else "/puzzles"))


@router.get("/puzzles/day")
async def of_day(request: Request) -> Response:
    """Redirect to the puzzle of the day, or to the list if there is none."""
    tables: Tables = request.app.state.tables
    return redirect(link(day_path(tables.runtime.now()) or "/puzzles"))


@router.get("/puzzle/{name}")
async def next_of(request: Request, name: str) -> Response:
    """Redirect to the puzzle of a title's set that comes next, or to the list if none does."""
    tables: Tables = request.app.state.tables
    title, theme = _shown(name), request.query_params.get("theme", "")
    rows, now = await tables.puzzles.of(holder(request)), tables.runtime.now()
    id = kept.next_in_set(title, theme, rows, now)
    return redirect(link(f"/puzzle/{title.name}/{id}" if id else "/puzzles"))
