"""What pages show of the people at a table: the lobby, seats, clocks, chat, standing orders and undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

import segno

from paddock.bots import Level, levels, usual
from paddock.core.i18n import _, plural
from paddock.core.title import Order, Seen
from paddock.core.wording import listed
from paddock.tables.make import LONGEST_NAME
from paddock.tables.orders import ONLY, dropped_words, on_offer, parsed
from paddock.tables.phrases import PHRASES
from paddock.tables.table import TABLE
from paddock.tables.talk import LONGEST, TEAM
from paddock.web.forms import named, value_words
from paddock.web.links import link
from paddock.web.model import Guest, Model, Person, SeatOrders, SeatRequest, Sitting
from paddock.web.terms import told_terms

SHOWN_TALK = 40  # chat messages on a page


@dataclass(frozen=True)
class Browser:
    """The facts about one browser that its page of a table depends on."""

    mine: tuple[int, ...]  # its players
    host: bool
    at: int | None  # the player at the device, if the browser has several
    away: frozenset[int]  # the people who are not present
    company: bool  # whether the table has, or is open to, other people
    name: str  # the name used at the last table; empty if there was none
    change: int | None = None  # the committed seat whose hand is open again
    next: str | None = None  # the table that has waited longest for the browser, if this one does not
    guest: Guest = field(default_factory=Guest)
    number: int = 0  # the seat that it likes, from 1; 0: any

    @property
    def player(self) -> int | None:
        """The player whose view the page shows; None for a spectator."""
        return self.mine[0] if len(self.mine) == 1 else self.at


@dataclass(frozen=True)
class PersonRow(Person):
    """One player, as a page shows them."""

    kind: Sitting
    level: str  # the label of a bot's level; empty for a person
    yours: bool
    away: bool
    clock: str  # placeholder for the time on the clock, which is filled in last; empty: untimed


@dataclass(frozen=True)
class TalkLine:
    """A chat message; ``name`` is empty for a message from the table itself."""

    n: int
    name: str
    text: str
    team: bool
    yours: bool
    phrase: bool  # whether it is one of the fixed list


@dataclass(frozen=True)
class OrdersForm:
    """The standing orders of one of the reader's seats."""

    seat: int
    given: Sequence[Order]
    offers: Sequence[Order]
    dropped: Sequence[str]

    @property
    def only(self) -> bool:
        """Whether the seat plays by itself when only one move is possible. The page has a switch for it."""
        return any(order.text == ONLY for order in self.given)

    @property
    def others(self) -> list[Order]:
        """The active orders without that one."""
        return [order for order in self.given if order.text != ONLY]

    @property
    def more(self) -> list[Order]:
        """The orders on offer without that one."""
        return [order for order in self.offers if order.text != ONLY]


def clock_mark(player: int) -> str:
    """Return the placeholder for a player's clock. No name or message can contain these characters."""
    return f"\x02clock{player}\x03"


def face(ms: int) -> str:
    """Return the text of a clock: 4:59, 1:04:59, or days and hours."""
    seconds = ms // 1000
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return _("{d} d {h} h").format(d=days, h=hours)
    rest = f"{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
    return f"{hours}:{rest}" if hours else rest


def age(since: datetime, now: datetime) -> str:
    """Return how long ago a time was, roughly and in words: 5 min, 3 h, 2 days; empty below a minute."""
    minutes = int((now - since).total_seconds()) // 60
    hours, days = minutes // 60, minutes // 1440
    if days >= 2:
        return plural("{n} day", "{n} days", days)
    if hours:
        return plural("{n} h", "{n} h", hours)
    return plural("{n} min", "{n} min", minutes) if minutes > 0 else ""


def people(model: Model, browser: Browser) -> list[PersonRow]:
    """Return all players, in the order of their seats."""
    labels = {level.name: level.label for level in levels(model.title)}
    return [
        PersonRow(
            **vars(p),
            level=labels.get(p.bot, p.bot) if p.bot else "",
            yours=p.index in browser.mine,
            away=p.index in browser.away and not p.stand_in,
            clock=clock_mark(p.index) if p.timed and not p.bot else "",
        )
        for p in model.people
    ]


def talk_lines(model: Model) -> list[TalkLine]:
    """Return the last chat messages, the oldest first."""
    return [
        TalkLine(
            line.n,
            "" if line.player is None else model.people[line.player].name,
            line.text,
            line.channel != TABLE,
            line.player is not None and line.player == model.player,
            bool(line.phrase),
        )
        for line in model.said[-SHOWN_TALK:]
    ]


def orders_form(seen: Seen, mine: SeatOrders, *, running: bool) -> OrdersForm:
    """Return the standing orders of a seat, and those that it can give now."""
    offers = on_offer(seen, mine.seat, mine.active) if running else []
    dropped = [dropped_words(seen.title, why) for why in mine.dropped]
    return OrdersForm(mine.seat, parsed(seen.title, mine.active), offers, dropped)


def orders_forms(model: Model, met: bool) -> list[OrdersForm]:
    """Return the forms for standing orders. If nobody else is there, they offer no more than the switch."""
    if not model.running or not model.kind.race:
        return []
    forms = [orders_form(model.scene.seen, mine, running=model.running) for mine in model.orders]
    return [form if met else replace(form, offers=[]) for form in forms]


@dataclass(frozen=True, kw_only=True)
class Seating:
    """The seats of a table, and what the reader can do with them."""

    rows: Sequence[PersonRow]  # none where it makes no difference who plays
    mine: Sequence[PersonRow]
    timed: Sequence[PersonRow]  # the players with clocks
    lobby: bool
    hosting: bool
    entry: WayIn | None
    free: Mapping[int, str]  # the open seats that the reader may take → the words of the button
    liked: int | None  # that of the reader's number, if it is one of these
    levels: Sequence[Level]  # of the bots that can take a seat
    usual: str  # the level that is chosen
    url: str
    recovery_url: str
    longest_name: int
    known_name: str


def seating(model: Model, browser: Browser) -> Seating:
    """Return what a page shows of the seats."""
    base, rows, free = link(f"/t/{model.id}"), people(model, browser), _free(model, browser)
    return Seating(
        rows=rows if model.kind.race else [],
        mine=[row for row in rows if row.yours],
        timed=[row for row in rows if row.clock],
        lobby=model.phase == "lobby",
        hosting=browser.host and model.kind.race,
        entry=_entry(model, browser, rows),
        free=free,
        liked=browser.number - 1 if browser.number - 1 in free else None,
        levels=levels(model.title),
        usual=usual(model.title),
        url=f"{base}/seats",
        recovery_url=f"{base}/recovery",
        longest_name=LONGEST_NAME,
        known_name=browser.name,
    )


@dataclass(frozen=True, kw_only=True)
class Talk:
    """The chat of a table, and how the reader writes in it."""

    lines: Sequence[TalkLine]
    url: str
    react_url: str
    longest: int
    phrases: Mapping[str, str]
    writes_as: int | None  # None: a spectator
    muted: bool
    channels: Sequence[tuple[str, str]]  # none if there is no choice


def talk(model: Model, browser: Browser) -> Talk | None:
    """Return the chat; None where nobody else can be."""
    if not browser.company:
        return None
    base, teams = link(f"/t/{model.id}"), model.options.teams
    me = None if model.player is None else model.people[model.player]
    mates = me is not None and bool(teams) and teams.count(teams[me.index]) > 1
    return Talk(
        lines=talk_lines(model),
        url=f"{base}/talk",
        react_url=f"{base}/react",
        longest=LONGEST,
        phrases=PHRASES,
        writes_as=me.index if me and me.kind == "person" else None,
        muted=me is not None and me.muted,
        channels=[(TABLE, _("everybody")), (TEAM, _("my team"))] if mates else [],
    )


def _free(model: Model, browser: Browser) -> dict[int, str]:
    """Return the open seats that the reader may take, or ask for, with the words of the button."""
    take, ask = _("Take this seat"), _("Ask for this seat")
    if browser.mine or browser.guest.asking is not None:
        return {}
    if model.phase == "lobby":
        return {p.index: take for p in model.people if p.kind == "open"}
    back = browser.guest.back
    return {p: ask for p in model.offers if back is None} | ({} if back is None else {back: take})


@dataclass(frozen=True)
class WayIn:
    """How the reader, who has no seat, gets one in a running game."""

    player: int
    sentence: str
    asks: bool  # whether the button needs a name
    button: str  # empty: there is nothing to send
    number: int | None  # of the reader's open request


def _entry(model: Model, browser: Browser, rows: Sequence[PersonRow]) -> WayIn | None:
    """Return how the reader gets a seat; None for a player, and where there is none to get."""
    guest = browser.guest
    if browser.mine or not model.running:
        return None
    for asked in model.claims:
        if asked.number == guest.asking:
            seat = rows[asked.player].name
            names = _(", ").join(rows[index].name for index in asked.awaited)
            if asked.agreed:
                words = _("Everybody has agreed: you can play {seat}.").format(seat=seat)
                return WayIn(asked.player, words, False, _("Take this seat"), asked.number)
            words = _("You asked to play {seat}. Still to agree: {names}. A bot plays until then.")
            if not names:
                words = _("You asked to play {seat}, but nobody is here who can agree. A bot plays.")
            return WayIn(asked.player, words.format(seat=seat, names=names), False, "", asked.number)
    if guest.back is not None:
        words = _("You left {seat}: a bot plays until you are back.")
        if guest.removed:
            words = _("The host opened your seat, {seat}: a bot plays until you are back.")
        seat = rows[guest.back].name
        return WayIn(guest.back, words.format(seat=seat), True, _("Take my seat again"), None)
    for player, button in _free(model, browser).items():
        words = _("You have no seat at this table. A bot plays {seat}; you can if the others agree.")
        return WayIn(player, words.format(seat=rows[player].name), True, button, None)
    return None


@dataclass(frozen=True)
class ClaimLine:
    """A request for a seat, as everybody but the one who asks sees it."""

    number: int
    sentence: str
    answer: bool  # whether the reader can agree
    decline: bool


def claim_lines(model: Model, browser: Browser) -> list[ClaimLine]:
    """Return the requests of others for seats."""
    return [_claim(model, browser, it) for it in model.claims if it.number != browser.guest.asking]


def _claim(model: Model, browser: Browser, asked: SeatRequest) -> ClaimLine:
    seat, mine = model.people[asked.player].name, set(browser.mine)
    names = _(", ").join(model.people[index].name for index in asked.awaited)
    words = _("{name} asks for {seat} and its hand. Still to agree: {names}.")
    if not names:
        words = _("{name} asks for {seat} and its hand.")
    return ClaimLine(
        asked.number,
        words.format(name=asked.name, seat=seat, names=names),
        answer=bool(mine & set(asked.awaited)),
        decline=bool(mine),
    )


@dataclass(frozen=True)
class UndoForm:
    """An open request for an undo, or the form for a new one."""

    url: str
    sentence: str  # empty: nothing is asked yet
    asks: bool  # whether others must agree
    yours: bool
    answer: bool  # whether the reader can answer


def undo_form(model: Model, browser: Browser) -> UndoForm | None:
    """Return the open request for an undo, or the form for a new one; None if there is neither."""
    asked = model.undo
    url = link(f"/t/{model.id}/undo")
    if asked is None:
        if model.undoer not in browser.mine:
            return None
        others = [
            p for p in model.people if p.kind == "person" and p.index not in browser.mine and not p.stand_in
        ]
        return UndoForm(url, "", asks=bool(others), yours=False, answer=False)
    yours = asked.player in browser.mine
    names = listed(model.people[index].name for index in asked.awaited)
    if yours and len(asked.awaited) > 2:
        words = _("You asked to take your last move back. {n} players have not answered yet.")
    elif yours and names:
        words = _("You asked to take your last move back. Waiting for {names}.")
    elif yours:
        words = _("You asked to take your last move back.")
    elif names:
        words = _("{name} asks to take the last move back. Still to agree: {names}.")
    else:
        words = _("{name} asks to take the last move back.")
    sentence = words.format(name=model.people[asked.player].name, names=names, n=len(asked.awaited))
    return UndoForm(
        url,
        sentence,
        asks=False,
        yours=yours,
        answer=bool(set(asked.awaited) & set(browser.mine)),
    )


def lobby_status(model: Model, browser: Browser) -> tuple[str, bool]:
    """Return whom a lobby waits for, and whether that is only the reader."""
    open_seats = [p for p in model.people if p.kind == "open"]
    late = [p for p in model.people if p.kind == "person" and not p.ready]
    if any(p.index in browser.mine for p in late):
        return _("Are you ready?"), not open_seats
    if open_seats:
        return _("Waiting for {n} more").format(n=len(open_seats)), False
    if late:
        words = _("Waiting until {names} are ready") if len(late) > 1 else _("Waiting until {names} is ready")
        return words.format(names=listed(p.name for p in late)), False
    return _("Everybody is ready"), False


@dataclass(frozen=True)
class LobbyFact:
    """One thing about the set-up of a table."""

    name: str
    value: str
    clause: str = ""


def lobby_facts(model: Model) -> list[LobbyFact]:
    """Return how a table is set up."""
    title, terms = model.title, model.terms
    rows = title.options.describe()
    usual = title.options()
    unusual = {row.name for row in rows if vars(usual)[row.name] != vars(model.options)[row.name]}
    return [
        *(
            LobbyFact(named(row), value_words(title, row, model.options), row.clause)
            for row in rows
            if not row.advanced or row.name in unusual
        ),
        *(LobbyFact(row.label, row.told) for row in told_terms(terms)),
    ]


@lru_cache(maxsize=256)
def qr(url: str) -> str:
    """Return a QR code as an SVG drawing that is readable on any background."""
    made = segno.make(url, error="m")
    svg: str = made.svg_inline(
        scale=4, border=3, dark="#1e1a17", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return svg
