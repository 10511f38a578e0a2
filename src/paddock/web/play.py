"""The table: its page, moves, event stream, and the curtain between players who share a device."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from paddock.core.errors import IllegalMove, PaddockError
from paddock.core.i18n import _, language
from paddock.core.quick_json import dumps
from paddock.tables import Forbidden, NoTable, Table, Tables, Unavailable, automatic
from paddock.tables.rights import watch
from paddock.tables.submission import back
from paddock.web.bodies import fields
from paddock.web.caches import Once, Recent
from paddock.web.choices import LONGEST_CHAIN, Ahead, look, outdated, sent_moves
from paddock.web.cookies import AT, keep
from paddock.web.feature import panels, prepare_panels, remark, shares
from paddock.web.given import GivenTables
from paddock.web.guard import holder
from paddock.web.heads import only_looks
from paddock.web.links import host, link, whole
from paddock.web.model import Model, Models, company, guest_of
from paddock.web.pages import (
    Pages,
    html,
    joined,
    redirect,
    sentence,
    without_any_still,
    without_still,
)
from paddock.web.people import Browser, clock_mark, face
from paddock.web.present import Curtain, Refusal, Surroundings, curtain_of, page_digest, table_page
from paddock.web.preview import of_table
from paddock.web.prices import TableId, costs
from paddock.web.profile import Profile, profile_of
from paddock.web.steps import in_thread, prepare
from paddock.web.streams import News, streaming
from paddock.web.values import number, short

router = APIRouter()
# Placeholders in a rendered page: the key of its forms, new each time, and an attribute that only a newly
# opened page has. No name or message can contain these characters.
KEY, FRESH = "\x02key\x03", "\x02fresh\x03"
RENDERED = 64  # cached pages
SHARED = 250  # ms: pages with clocks that show times closer than that are the same
AGAIN = timedelta(seconds=10)  # until a stream looks again whether other tables await its browser


@dataclass(frozen=True)
class ReopenedHand:
    """A request in the address to open the hand of a committed seat again. Ignored at another decision."""

    seat: int
    decision: int


@dataclass(frozen=True)
class Place:
    """A table, the role of this browser there, and what it sees."""

    table: Table
    holder: str | None
    change: ReopenedHand | None
    browser: Browser
    curtain: Curtain | None
    model: Model  # behind a curtain, that of a spectator

    @property
    def digest(self) -> str:
        """See ``page_digest``."""
        return page_digest(self.model, self.browser, self.curtain)


class DueTables:
    """The tables that await a browser: looked for when it has moved here, and again after ``AGAIN``."""

    def __init__(self, tables: Tables, me: str | None) -> None:
        self._tables = tables
        self._me = me
        self._found: list[str] = []
        self._until: datetime | None = None

    async def ids(self, asked: bool) -> list[str]:
        """Return their ids; none while the browser is ``asked`` here."""
        if asked or self._me is None:
            self._until = None
            return []
        now = self._tables.runtime.now()
        if self._until is None or now >= self._until:
            self._found = [table.id for table, _since in await self._tables.waiting(self._me)]
            self._until = now + AGAIN
        return self._found


async def place(request: Request, id: str, me: str | None = None) -> Place:
    """Return the table of a request and what its browser sees. The browser counts as present.

    ``me`` is the digest of a browser that has just got its secret. Raises ``NoTable`` and ``Forbidden``.
    """
    tables: Tables = request.app.state.tables
    me = me or holder(request)
    if not only_looks(request.scope):
        await tables.timers.seen(id, me, hidden="paddock-hidden" in request.headers)
    cookie = request.cookies.get(AT + id, "")
    at = int(cookie) if re.fullmatch(r"[0-9]{1,9}", cookie) else None
    query = request.query_params
    words = query.get("change", ""), query.get("decision", "")
    asked = all(re.fullmatch(r"[0-9]{1,9}", word) for word in words)
    change = ReopenedHand(int(words[0]), int(words[1])) if asked else None
    return await _place(request, tables, id, me, at, profile_of(request), change, DueTables(tables, me))


async def _place(
    request: Request,
    tables: Tables,
    id: str,
    me: str | None,
    at: int | None,
    profile: Profile,
    change: ReopenedHand | None,
    due: DueTables,
) -> Place:
    """Return what the browser sees at the table now."""
    models: Models = request.app.state.models
    table = await tables.table(id)
    watch(table, me)
    mine, asked = tuple(table.players_of(me)), at
    others = [p.index for p in table.players if p.person and p.index not in mine]
    away = frozenset([p for p in others if not await tables.timers.here(id, p)])
    met = company(table, mine)
    at = at if at in mine else None
    player = mine[0] if len(mine) == 1 else at
    others_due = await due.ids(bool(set(table.awaited()) & set(mine)))
    await prepare(models, table, player, chat=met)
    # There is no ``await`` from here on, so the data is consistent.
    table = await tables.table(id)
    if tuple(table.players_of(me)) != mine:  # a seat has changed hands during an ``await``
        return await _place(request, tables, id, me, asked, profile, change, due)
    asked_here = bool(set(table.awaited()) & set(mine))
    browser = Browser(
        mine,
        me is not None and table.host == me,
        at,
        away,
        met,
        profile.name,
        _open(table, player, change),
        None if asked_here else next((other for other in others_due if other != id), None),
        guest_of(table, me),
        profile.number,
    )
    owners = table.options.owners
    curtain = curtain_of(table.title, automatic.asked(table), sorted(table.pending), owners, browser)
    model = models.of(table, None if curtain else player, chat=met)
    return Place(table, me, change, browser, curtain, model)


def _open(table: Table, player: int | None, change: ReopenedHand | None) -> int | None:
    """Return the committed seat whose hand is open again; None if its player is not at the device."""
    if change is None or change.decision != table.decision or change.seat not in table.pending:
        return None
    return change.seat if table.options.owners[change.seat] == player else None


def _surroundings(request: Request, where: Place, part: bool) -> Surroundings:
    """Return what the page, or its changing part, shows besides its model and its reader."""
    model, browser, base = where.model, where.browser, link(f"/t/{where.model.id}")
    pages: Pages = request.app.state.pages
    outside: Models = request.app.state.outside
    # The address of the stream changes when the browser takes a seat or asks for one (it may have got its
    # cookie only then), or the device is handed on. The page's script adds the digest of what it shows.
    who = {"as": "-".join(map(str, browser.mine))} if browser.mine else {}
    who |= {} if browser.guest.asking is None else {"asks": str(browser.guest.asking)}
    who |= {} if browser.at is None else {"at": str(browser.at)}
    who |= {} if browser.change is None else {"change": str(browser.change), "decision": str(model.decision)}
    return Surroundings(
        stream_url=f"{base}/stream?" + "".join(f"{name}={value}&" for name, value in who.items()),
        share_url=whole(request, f"/t/{model.id}"),
        preview=None if part else of_table(outside.of(where.table, None), host(request)),
        remark=remark(pages.features, model),
        shares=shares(pages.features, request, where.table, model),
        panels=panels(pages.features, where.table, model.player),
        key=KEY,
        fresh=FRESH,
    )


def _parts(
    request: Request,
    pages: Pages,
    where: Place,
    part: bool,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
) -> Iterator[str]:
    """Render the page, or its changing part, bit by bit."""
    around = _surroundings(request, where, part)
    page = table_page(
        where.model, where.browser, where.curtain, around, chosen=chosen, refusal=refusal, ahead=ahead
    )
    return pages.block(page, "main") if part else pages.parts(request, page)


async def _render(request: Request, where: Place, part: bool, *chosen: Any) -> str:
    """Return the page or its changing part, from the cache if somebody saw the same in the same language."""
    pages: Pages = request.app.state.pages
    rendered: Recent[tuple[object, ...], str] = request.app.state.rendered
    # Pages at addresses with a query are rare, and others could fill the cache with them.
    plain = not any(chosen) and (part or not request.url.query)
    about = () if part else pages.about(request)
    key = (*_seen(request, where), part, *about)
    text = rendered.get(key) if plain else None
    if text is None:
        prepare_panels(pages.features, request.app.state.tables, where.table, where.model.player)
        asked = request, pages, where, part, *chosen
        if where.model.over:
            text = await in_thread(where.table, lambda: "".join(_parts(*asked)))
        else:
            text = await joined(_parts(*asked))
        if plain:
            rendered.keep(key, text)
    return text


async def show(
    request: Request,
    where: Place,
    *,
    status: int = 200,
    chosen: str = "",
    refusal: Refusal | None = None,
    ahead: Ahead | None = None,
) -> HTMLResponse:
    """Return the table page, or only its changing part if the page's script asks for that."""
    part = request.headers.get("paddock-part") == "main"
    text = await _render(request, where, part, chosen, refusal, ahead)
    text = text.replace(KEY, request.app.state.token()).replace(FRESH, "" if part else " open")
    text = _timed(text, request.app.state.tables.left(where.table))
    return html(without_still(request, text), status)


def _timed(text: str, left: Sequence[int | None]) -> str:
    """Return a page with the milliseconds that are left on every clock."""
    for player, ms in enumerate(left):
        if ms is not None:
            mark = clock_mark(player)
            text = text.replace(f'data-left="{mark}"', f'data-left="{ms}"').replace(mark, face(ms))
    return text


async def _news(request: Request, where: Place) -> News:
    """Return the changing part of the page for the stream, made once for all who see the same.

    It lacks the parts that rarely change, and the keys of forms: the page's script sets them.
    """
    left = request.app.state.tables.left(where.table)
    shown = tuple(None if ms is None else ms // SHARED for ms in left)

    async def made() -> News:
        text = _timed((await _render(request, where, True)).replace(FRESH, ""), left)
        return News(where.digest, dumps({"page": without_any_still(text)}))

    pushed: Once[News] = request.app.state.pushed
    return await pushed.get((*_seen(request, where), shown), made)


def _seen(request: Request, where: Place) -> tuple[object, ...]:
    """Return what the changing part of the page depends on."""
    return (
        where.model.id, where.digest, where.browser.name, where.browser.number, language.get(), host(request)
    )  # fmt: skip


def refusing(error: PaddockError) -> int:
    """Return the status of the page that shows an error: 503 if the same form may work later."""
    return 503 if isinstance(error, Unavailable) else 422


@router.get("/t/{id}")
async def page(request: Request, id: TableId) -> Response:
    """Show the table as the player at this device, or a spectator, sees it."""
    where = await place(request, id)
    return await show(request, where)


async def done(request: Request, where: Place) -> Response:
    """Return the new page after a form was sent."""
    if request.headers.get("paddock-part") == "main":
        return await show(request, where)
    return redirect(link(f"/t/{where.model.id}"))


@router.post("/t/{id}/move")
@costs()
async def move(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Commit or play ``move``, in notation, for ``seat`` and the ``decision`` that the page showed.

    Several moves, separated by «;», are one submission.
    """
    where = await place(request, id)
    values = await fields(request)
    seat, decision = number(values, "seat"), number(values, "decision")
    notation = short(values, "move", LONGEST_CHAIN)
    moves = sent_moves(notation)
    if not moves:
        return await show(request, where, status=422, refusal=Refusal(_("Choose a move first.")))
    try:
        key = values.get("key", "")
        if outdated(where.model, seat, decision, key):
            answer = back()
        else:
            answer = await tables.submit(id, where.holder, seat, moves, decision, key)
    except (NoTable, Forbidden):
        raise
    except PaddockError as error:
        ahead = look(where.model, seat, decision, moves)[0] if len(moves) > 1 else None
        status = refusing(error)
        return await show(
            request, where, status=status, chosen=notation, refusal=_against(error), ahead=ahead
        )
    where = await place(request, id)
    if answer.status == "late":
        return await show(request, where, status=409, chosen=notation, refusal=Refusal(answer.sentence))
    return await done(request, where)


@router.post("/t/{id}/preview")
@costs()
async def preview(request: Request, id: TableId) -> Response:
    """Show the page with ``move`` chosen: one move or several, separated by «;». Nothing is submitted.

    If the game has moved on, show the page as it is now.
    """
    where = await place(request, id)
    values = await fields(request)
    moves = sent_moves(short(values, "move", LONGEST_CHAIN))
    ahead, error = look(where.model, number(values, "seat"), number(values, "decision"), moves)
    if error:
        return await show(request, where, status=422, refusal=_against(error), ahead=ahead)
    return await show(request, where, ahead=ahead)


def _against(error: PaddockError) -> Refusal:
    """Return the error as a sentence for the page."""
    if isinstance(error, IllegalMove):
        return Refusal(sentence(error.reason), error.clause)
    return Refusal(sentence(str(error)))


@router.post("/t/{id}/sit")
@costs()
async def sit(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Hand the device to another player of this browser: the page now shows their hand."""
    where = await place(request, id)
    player = number(await fields(request), "player")
    if player not in where.browser.mine:
        raise HTTPException(403, _("That player does not belong to this browser."))
    due = DueTables(tables, where.holder)
    where = await _place(request, tables, id, where.holder, player, profile_of(request), None, due)
    response = await done(request, where)
    keep(request, response, AT + id, str(player))
    return response


@router.get("/t/{id}/stream")
@costs(stream=True)
async def stream(request: Request, tables: GivenTables, id: TableId) -> Response:
    """Send the changing part of this browser's page as a server-sent event whenever it changes.

    The address names the players of the browser, and the one it asks for: a page opens a new stream when
    they change.
    """
    where = await place(request, id)
    due, profile = DueTables(tables, where.holder), profile_of(request)

    async def news() -> News:
        browser = where.browser
        here = await _place(request, tables, id, where.holder, browser.at, profile, where.change, due)
        return await _news(request, here)

    return streaming(request, id, where.holder, news, have=request.query_params.get("have", ""), page=True)
