"""The hint at a table: a page of its own, whose middle the script shows beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.features.coach import rules, words
from paddock.features.coach.given import GivenCoach
from paddock.features.coach.service import Coach
from paddock.features.coach.words import LinkLine, MoveLine
from paddock.tables import Table, undo
from paddock.tables.errors import Busy, Forbidden
from paddock.web.bodies import fields
from paddock.web.choices import LONGEST_CHAIN, sent_moves
from paddock.web.feature import Remark
from paddock.web.given import GivenPages
from paddock.web.guard import bearer
from paddock.web.links import link
from paddock.web.model import Model
from paddock.web.page import WebPage
from paddock.web.pages import Pages, html, joined, sentence
from paddock.web.play import place
from paddock.web.prices import TableId, costs
from paddock.web.values import short

router = APIRouter()
STEPS = ("matters", "good", "worth")
MADE = "made"
HINT_COST = 2  # in requests of usual size: it takes a third of a second of a worker


@dataclass(frozen=True, kw_only=True)
class HintPage(WebPage):
    """A hint, as far as it was asked for."""

    template = "coach/hint.html"
    title: Title
    url: str
    table_url: str
    decision: int
    shown_step: str  # that is asked for again after another link; empty: the first
    marks: bool  # whether the first hint marks the race: then that is asked first
    matters: str  # empty: nothing is asked of the player
    next_step: str  # what can be asked for next; empty: nothing
    good: str  # what is said of the good moves; empty: that was not asked for
    moves: Sequence[MoveLine]  # the good ones, or all with what they are worth
    whole: Sequence[LinkLine]  # the best move link by link, where it has several
    links: str  # what is chosen and not sent yet, in notation
    complete: bool  # whether nothing can follow these links
    worths: bool
    more: int  # moves that are not listed
    measured: str  # what the best is worth, and who played on
    moved: bool  # whether the player has made a move
    waits: str  # why the step is not ready yet; empty: it is
    made: str  # what it cost; empty: that was not asked for
    undo_url: str  # empty: it cannot be taken back


def remark(model: Model) -> Remark | None:
    """Return what the page of a finished race with hints says."""
    if not (model.kind.hinted and model.over):
        return None
    return Remark(_("You were given hints in this game: its result does not count."))


@router.get("/t/{id}/hint")
@costs(HINT_COST)
async def look(request: Request, coach: GivenCoach, pages: GivenPages, id: TableId) -> Response:
    """Show the first step of a hint; at a race that has none yet, only what a hint does to it."""
    where = await place(request, id)
    table, player = where.table, _player(request, where.table, where.holder)
    links = request.query_params.get("links", "")[:LONGEST_CHAIN]
    step = "" if rules.must_mark(table) else STEPS[0]
    return await _answer(request, pages, await _page(coach, table, player, step, links))


@router.post("/t/{id}/hint")
@costs(HINT_COST)
async def hint(request: Request, coach: GivenCoach, pages: GivenPages, id: TableId) -> Response:
    """Show a ``step`` of a hint, and mark the race.

    It is what matters, which moves are good, what each is worth, or what the last move cost. ``links`` are
    chosen and not sent yet. If another decision is open than the page showed, it begins anew.
    """
    where, values = await place(request, id), await fields(request)
    step, links = values.get("step", ""), short(values, "links", LONGEST_CHAIN)
    if step not in (*STEPS, MADE):
        raise HTTPException(
            400, _("“step” must be one of {values}.").format(values=", ".join((*STEPS, MADE)))
        )
    player = _player(request, where.table, where.holder)
    await coach.mark(id, where.holder)
    table = (await place(request, id)).table
    if step in STEPS and values.get("decision", "") != str(table.decision):
        step, links = STEPS[0], ""
    return await _answer(request, pages, await _page(coach, table, player, step, links))


def _player(request: Request, table: Table, holder: str | None) -> int:
    """Return the player who gets hints; raise ``Forbidden`` for others, and for programs."""
    if bearer(request.scope):
        raise Forbidden(_("hints are for people: a program gets none"))
    return rules.player_at(table, holder)


async def _page(coach: Coach, table: Table, player: int, step: str, sent: str) -> HintPage:
    """Return the page with a step of a hint; an empty one asks whether the race shall be marked."""
    seat, seen = rules.asked_seat(table, player), rules.seen_by(table, player)
    ahead, links = (None, []) if seat is None else rules.after(seen, seat, sent_moves(sent))
    submission = rules.last_submission(table, player)
    chooses = ahead is not None and len(ahead.legal) > 1
    good, moves, all_moves, measured, made, waits = "", list[MoveLine](), list[MoveLine](), "", "", ""
    more, whole = 0, list[LinkLine]()
    try:
        if step == MADE and submission:
            cost = await coach.made(table, player, submission)
            made = words.made(cost.made, cost.seen, cost.seat)
        elif ahead is not None and chooses and step in STEPS[1:]:
            told = await coach.hint(table, player, ahead.seat, links)
            found = told.hint
            all_moves = words.lines(found, ahead.seen, ahead.seat)
            good, measured = words.good(found, all_moves), words.measured(found, coach.short)
            moves = all_moves if step == STEPS[2] else [line for line in all_moves if line.good]
            more, whole = found.more, words.whole(ahead.seen, ahead.seat, told.whole)
        elif ahead is not None and chooses:
            coach.begin(table, player, ahead.seat, links)
    except Busy as error:
        waits = sentence(str(error))
    holder = table.players[player].holder
    return HintPage(
        title=table.title,
        url=link(f"/t/{table.id}/hint"),
        table_url=link(f"/t/{table.id}"),
        decision=table.decision,
        shown_step=step if step in STEPS else "",
        marks=not step,
        matters=words.matters(ahead.seen, ahead.seat) if ahead and not ahead.ended and step else "",
        next_step=step if waits else _next(step) if chooses else "",
        good=good,
        moves=moves,
        whole=whole,
        links=sent,
        complete=ahead is not None and ahead.ended,
        worths=step == STEPS[2],
        more=more,
        measured=measured,
        moved=bool(step) and submission is not None,
        waits=waits,
        made=made,
        undo_url=link(f"/t/{table.id}/undo") if made and undo.possible(table, holder) else "",
    )


def _next(step: str) -> str:
    """Return the step after this one; empty if there is none."""
    following = {STEPS[0]: STEPS[1], STEPS[1]: STEPS[2], MADE: STEPS[1]}
    return following.get(step, "")


async def _answer(request: Request, pages: Pages, page: HintPage) -> Response:
    """Return the page, or its middle if the script asks for that."""
    part = request.headers.get("paddock-part") == "main"
    return html(await joined(pages.block(page, "main") if part else pages.parts(request, page)))
